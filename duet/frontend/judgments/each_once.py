"""Which places each thread passes at most once when it allocates: only while a cell of its own is null.

    p = pthread_getspecific(key); if (!p) { p = malloc(...); pthread_setspecific(key, p); }

A place is passed at most once by each thread if for every template that leads to it there is a cell `g` of its threads
so that whoever comes to the place

1. has seen that `g` is null, and has not written `g` since then;
2. has not been there before, or has written something to `g` since then that is not 0, and nothing else afterwards.

Who came to it again would know by 2 that `g` is not null, and by 1 that it is. Only a thread itself writes its cells,
so no lock plays a part. What is 0 again behind the last allocation, as data by key when a thread ends, does no harm.

Each thread so has one object of the place, whatever calls lead there. *Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace

from duet.frontend.judgments.first_comers import Known, Places, Search, zeros
from duet.plip.syntax import Assign, Command, Program, guards, steps

_PASSED = ""
"""Stands for a cell that is always null: that it is open for a place says that a thread may have been there."""


def passed_once_by_each(program: Program, places: Places) -> frozenset[str]:
    """The places that each thread passes at most once."""
    left = set(places)
    for name, template in program.templates.items():
        commands = [program.commands[index] for index in template.commands]
        sources = {command.source for command in commands}
        here = {place: there for place, it in places.items() if place in left and (there := sources.intersection(it))}
        if here:
            seen = _searched(program, name, here, dict.fromkeys(here, _tested(program, name, commands)), is_first=True)
            found = _searched(program, name, {place: here[place] for place in seen}, seen)
            left -= here.keys() - found.keys()
    return frozenset(left)


def _searched(
    program: Program,
    name: str,
    places: Mapping[str, Collection[int]],
    cells: Mapping[str, frozenset[str]],
    is_first: bool = False,
) -> dict[str, frozenset[str]]:
    """The cells by which a thread of a template passes each place at most once, of some; the places that have none are
    left out. `is_first`: only whether it has seen that they are null, so that there are few to ask about later.
    """
    search = _Search(program, places, cells, is_first)
    if places:
        search.follow(name)
    return {place: frozenset(of) for place, of in search.found.items() if of}


def _tested(program: Program, name: str, commands: Collection[Command]) -> frozenset[str]:
    """The own cells of a template that are asked whether they are null, and those that such cells are copies of."""
    copied: defaultdict[str, set[str]] = defaultdict(set)
    found: set[str] = set()
    for command in commands:
        found.update(cell for condition in guards(command.instruction) for cell in zeros(condition))
        for step in steps(command.instruction):
            if isinstance(step, Assign):
                copied[step.target].update(cell for cell, _ in step.value.terms)
    while more := {cell for target in found for cell in copied[target]} - found:
        found |= more
    cells = program.cells
    return frozenset(it for it in found if it in cells and cells[it].template == name and not cells[it].summary)


class _Search(Search):
    """What the threads of one template show of places: the own cells that do not serve."""

    def __init__(
        self,
        program: Program,
        places: Mapping[str, Collection[int]],
        cells: Mapping[str, frozenset[str]],
        is_first: bool,
    ) -> None:
        super().__init__(program, places, frozenset(), frozenset().union(*cells.values()))
        self.found = {place: set(of) for place, of in cells.items()}
        self._asked = {place: () if is_first else (*of, _PASSED) for place, of in cells.items()}

    def _leaving(self, location: int, known: Known) -> Known:
        came = {(place, of) for place in self.places.get(location, ()) for of in self._asked[place]}
        return replace(known, open=known.open | came) if came else known

    def _judge(self, _name: str, location: int, known: Known, _commands: list[Command]) -> None:
        for place in self.places.get(location, ()):
            self.found[place] &= {of for of in known.null if (place, of) not in known.open}

    def _after(self, name: str, step: object, known: Known) -> Known:
        after = super()._after(name, step, known)
        if after.nonzero == known.nonzero:
            return after
        same = {of for cell in after.nonzero - known.nonzero for of in self._copied(cell, after)}
        return replace(after, open=frozenset(pair for pair in after.open if pair[1] not in same))

    def _written(self, name: str, step: object, target: str, known: Known) -> Known:
        if not self._is_own(name, target):
            return known
        copied, is_nonzero = self.value(step, known)
        after = known.after_global(target).after_own(target, copied - {target}, is_nonzero)
        if is_nonzero or target not in self.pointers:
            return after
        passed = {place for place, of in known.open if of == _PASSED and target in self._asked[place]}
        return replace(after, open=after.open.union((place, target) for place in passed))
