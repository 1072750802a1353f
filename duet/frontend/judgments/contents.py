"""What threads find where their arguments point to: numbers that the first thread has written there by the place.

    for (i = 0; i < n; i++) { ids[i] = i; pthread_create(&t[i], 0, worker, &ids[i]); }

Only the first thread writes such elements, each time a number that is one function of the address. Whatever it has
written there last, it has written that; and before it starts a thread it has written what the thread's argument points
to. All that threads of the template read of such elements is at one distance from their arguments.

*Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.frontend.judgments.exclusion import Known, argument_of
from duet.frontend.judgments.families import Thread
from duet.plip.syntax import Assign, Command, Content, Instruction, Linear, Spawn
from duet.plip.terms import add, scale, variable
from duet.plip.touched import reads, writes
from duet.records import dataclass


@dataclass(frozen=True, slots=True)
class _Written:
    """Elements, by their cell and where they begin, that were written on every path."""

    places: frozenset[tuple[str, Linear]] = frozenset()

    def common(self, other: _Written) -> _Written:
        return _Written(self.places & other.places)


def contents(
    first: Thread, thread: Thread, commands: Mapping[str, Sequence[Command]]
) -> tuple[frozenset[Content], frozenset[str]]:
    """What threads of a template find, and the cells of the first thread that this is made of.

    `commands` are those of all templates. It is so if numbers are converted as `first.cells` presumes.
    """
    written = _written(first)
    others = _by_cell((it for name, own in commands.items() if name != first.name for it in own), writes)
    writing, reading = _by_cell(first.commands, writes), _by_cell(thread.commands, reads)
    found: set[Content] = set()
    made: set[str] = set()
    for cell in sorted({cell for known in written.values() for cell, _ in known.places}.difference(others)):
        by_place, behind = _by_place(first, writing[cell]), _behind(thread, reading.get(cell, ()))
        if by_place is None or behind is None or not _are_written(first, thread.name, cell, behind, written):
            continue
        times, factor, number = by_place
        found.add(Content(cell, times, factor, number + factor * behind))
        made.update(_cells_at(first, writing[cell]))
    return frozenset(found), frozenset(made)


def _by_cell(
    commands: Iterable[Command], touched: Callable[[Instruction], Iterable[str]]
) -> Mapping[str, Sequence[Command]]:
    """The commands that touch each cell."""
    found: dict[str, list[Command]] = defaultdict(list)
    for command in commands:
        for cell in touched(command.instruction):
            found[cell].append(command)
    return found


def _written(first: Thread) -> Mapping[int, _Written]:
    """The elements that the first thread has written, by location."""
    outgoing = by_source(first.commands)

    def behind(location: int, known: _Written) -> Iterator[tuple[int, _Written]]:
        for command in outgoing[location]:
            changed = writes(command.instruction)
            kept = {it for it in known.places if changed.isdisjoint(cell for cell, _ in it[1].terms)}
            element = first.element(command)
            if element is not None and element.cell in changed and element.spot.begin is not None:
                kept.add((element.cell, element.spot.begin))
            is_begun = not {command.source, command.target}.isdisjoint(first.events.begun)
            yield command.target, _Written() if is_begun else _Written(frozenset(kept))

    return known_on_all_ways(first.entry, _Written(), behind, following(outgoing))


def _by_place(first: Thread, writing: Iterable[Command]) -> tuple[int, int, int] | None:
    """`times`, `factor`, `number` so that all that is written to elements is `(factor * address + number) / times`."""
    found: set[tuple[int, int, int] | None] = set()
    for command in writing:
        element, here = first.element(command), first.known.get(command.source)
        begin = element.spot.begin if element is not None else None
        value = first.cells.value(command.instruction) if isinstance(command.instruction, Assign) else None
        found.add(None if here is None or begin is None or value is None else _function(here, begin, value))
    return next(iter(found)) if len(found) == 1 else None


def _function(here: Known, begin: Linear, value: Linear) -> tuple[int, int, int] | None:
    """A number as a function of an address, None where it is no linear one."""
    begin, value = here.resolved(begin), here.resolved(value)
    for cell, k in begin.terms:
        times, factor = abs(k), dict(value.terms).get(cell, 0) * (1 if k > 0 else -1)
        rest = add(scale(value, times), begin, -factor)
        if factor and not rest.terms:
            return times, factor, rest.constant
    return None


def _behind(thread: Thread, reading: Iterable[Command]) -> int | None:
    """How far behind the argument all is that the threads of a template read of elements, if that is one distance."""
    found: set[int | None] = set()
    for command in reading:
        element, here = thread.element(command), thread.known.get(command.source)
        begin = element.spot.begin if element is not None else None
        if here is None or begin is None:
            return None
        distance = here.resolved(add(begin, variable(argument_of(thread.name)), -1))
        found.add(None if distance.terms else distance.constant)
    return next(iter(found)) if len(found) == 1 else None


def _are_written(first: Thread, template: str, cell: str, behind: int, written: Mapping[int, _Written]) -> bool:
    """Whether wherever a thread of a template is started, what it finds behind its argument was written."""
    for command in first.commands:
        start = command.instruction
        if isinstance(start, Spawn) and start.template == template and command.source in written:
            here = first.known[command.source]
            given = next(value for name, value in start.arguments if name == argument_of(template))
            place = Linear(given.terms, given.constant + behind)
            found = (begin for name, begin in written[command.source].places if name == cell)
            if not any(here.resolved(add(place, begin, -1)) == Linear((), 0) for begin in found):
                return False
    return True


def _cells_at(first: Thread, writing: Iterable[Command]) -> Iterator[str]:
    """The cells that say what is written to elements, and where."""
    for command in writing:
        element = first.element(command)
        if element is not None and element.spot.begin is not None:
            yield from (name for name, _ in element.spot.begin.terms)
            yield from reads(command.instruction)
