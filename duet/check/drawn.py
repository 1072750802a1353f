"""What own cells of a thread are by the number that it has drawn last: nobody else has drawn the same one.

    lock; i = next; next = i + 1; unlock; if (i < N) a[i] = 0;        i = atomic_fetch_add(&next, 4); a[i + 3] = 0;

A *draw* writes to a counter what the thread has read of it and a constant, always of one sign, and from the read to
the write no other thread can write the counter: where the thread is meanwhile, none can be about to do so. So each
draw takes the numbers from the old value on, up to the new one, and those of two draws have none in common: the old
values are as far apart as the least constant. Cells that are a factor times such a value and something between two
bounds are told apart by this, whichever thread has drawn first, and however long ago.

That asks for two things more. Whoever sets the counter otherwise does so where no other thread can be that knows a
number that it has drawn; its own numbers are forgotten. And counters that start over at the end of their type do not
get there: the invariants say so, or threads only draw numbers up to some limit, and then no more. So until the counter
is set otherwise there are no more draws beyond that than there are threads, of templates that run once.

*Approximates*: over. *Source*: for the draws, Reed and Kanodia 1979 (sequencers).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from domains.values import number
from domains.values.number import Number
from duet.check.forms import Form, Known, Walk, equal
from duet.check.turns import Turns
from duet.interference.annotation import Annotation
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Assign, Command, Compute, Guard, Linear, Program, steps
from duet.plip.terms import add, term_cells, variable
from duet.plip.touched import reads, writes

_LATEST = ""
"""Stands for the number that was drawn last, among what is known of cells: its factor is 0, its bounds are those of the
number, nothing at all before the first draw."""
_NONE = Form(Fraction(0), -math.inf, -math.inf)
_SOME = Form(Fraction(0), -math.inf, math.inf)
_ITSELF = Form(Fraction(1), Fraction(0), Fraction(0))

Together = Callable[[int, int], bool]
"""Whether two threads can be at two locations at one time."""


class Draws:
    """The numbers that threads of a program draw, looked for where somebody asks.

    *Requires*: the annotation holds in every execution.
    """

    def __init__(self, program: Program, annotation: Annotation, together: Together) -> None:
        self._program = program
        self._annotation = annotation
        self._together = together
        self._counters: dict[str, Mapping[str, Turns]] = {}
        self._sources: dict[str, Mapping[str, frozenset[str]]] = {}

    def of_both(self, one: tuple[str, Linear], other: tuple[str, Linear]) -> Iterator[tuple[Turns, Turns]]:
        """What own cells of threads of two templates are by numbers of one counter that terms may depend on."""
        for counter in sorted(self._behind(*one) & self._behind(*other)):
            if counter not in self._counters:
                self._counters[counter] = _Counter(self._program, self._annotation, self._together, counter).turns()
            found = self._counters[counter]
            if one[0] in found and other[0] in found:
                yield found[one[0]], found[other[0]]

    def _behind(self, template: str, term: Linear) -> frozenset[str]:
        """The cells for all threads that a term may depend on, and that depend on others, in a template."""
        sources = self._sources_of(template)
        seen = set(term_cells(term))
        work = list(seen)
        while work:
            for cell in sources.get(work.pop(), ()):
                if cell not in seen:
                    seen.add(cell)
                    work.append(cell)
        return frozenset(cell for cell in seen & self._candidates if cell in sources)

    @cached_property
    def _candidates(self) -> frozenset[str]:
        return frozenset(
            name for name, cell in self._program.cells.items() if cell.template is None and not cell.summary
        )

    def _sources_of(self, template: str) -> Mapping[str, frozenset[str]]:
        """The cells that a template makes each cell of that it writes."""
        if template not in self._sources:
            found: dict[str, set[str]] = defaultdict(set)
            for index in self._program.templates[template].commands:
                for step in steps(self._program.commands[index].instruction):
                    if isinstance(step, Assign | Compute):
                        found[step.target] |= reads(step)
            self._sources[template] = {cell: frozenset(cells) for cell, cells in found.items()}
        return self._sources[template]


@dataclass
class _Counter:
    """A counter, and what is found of it."""

    program: Program
    annotation: Annotation
    together: Together
    counter: str
    rises: list[Fraction] = field(default_factory=list)
    """What draws add."""
    others: list[int] = field(default_factory=list)
    """The commands that set the counter otherwise."""
    limited: list[tuple[Form, int, int]] = field(default_factory=list)
    """What is converted to a range, which the invariants do not know that it is in."""

    def turns(self) -> Mapping[str, Turns]:
        """What own cells of the templates that draw are, nothing where draws may have numbers in common."""
        if any(self.program.templates[name].interrupts for name in self._writers):
            return {}
        walks = {name: _Reads(self, name) for name in self._writers}
        reading = {name: walk.known() for name, walk in walks.items()}
        for name, walk in walks.items():
            self._judge(walk, reading[name])
        found = {name: _Drawn(walks[name], reading[name]).known() for name in walks}
        if not self.rises or not (min(self.rises) > 0 or max(self.rises) < 0):
            return {}
        if any(self._knows(known, command) for command in self.others for known in found.values()):
            return {}
        if self.limited and not self._is_within(reading, found):
            return {}
        apart = math.floor(min(map(abs, self.rises)))
        return {name: Turns(apart, known, self.annotation) for name, known in found.items()}

    @cached_property
    def _writers(self) -> Mapping[str, Sequence[int]]:
        """The commands that write the counter, by template."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, command in enumerate(self.program.commands):
            if self.counter in writes(command.instruction):
                found[self.program.template_of[command.source]].append(index)
        return dict(sorted(found.items()))

    @cached_property
    def _ones(self) -> frozenset[str]:
        kinds = multiplicities(self.program)
        return frozenset(name for name, kind in kinds.items() if kind is Multiplicity.ONE)

    def is_alone(self, location: int) -> bool:
        """Whether no other thread can write the counter while a thread is at a location."""
        name = self.program.template_of[location]
        return location in self.program.templates[name].atomic or not any(
            self._are_two(location, index) for found in self._writers.values() for index in found
        )

    def _are_two(self, location: int, index: int) -> bool:
        """Whether a thread can be at a location while another one is about to take a command."""
        source = self.program.commands[index].source
        owner = self.program.template_of
        is_one = owner[source] == owner[location] and owner[source] in self._ones
        return not is_one and self.together(location, source)

    def _judge(self, walk: _Reads, known: Mapping[int, Known]) -> None:
        """Tells draws from other writes."""
        for index in self._writers[walk.template.name]:
            command = self.program.commands[index]
            if command.source in known:
                rise = walk.rise(command, known[command.source])
                self.others.extend([index] if rise is None else [])
                self.rises.extend([] if rise is None else [rise])

    def _knows(self, known: Mapping[int, Known], command: int) -> bool:
        """Whether a thread that knows a number that it has drawn can go on while another one takes a command."""
        exits = {template.exit for template in self.program.templates.values()}
        return any(
            any(form.factor for form in forms.values()) and location not in exits and self._are_two(location, command)
            for location, forms in known.items()
        )

    def _is_within(
        self,
        reading: Mapping[str, Mapping[int, Known]],
        found: Mapping[str, Mapping[int, Known]],
    ) -> bool:
        """Whether the counter never gets to the end of a range: few draw beyond some number.

        So it is until the first draw that would, and then this one does not either.
        """
        commands = self.program.commands
        places = [  # others are never reached
            (name, commands[i].source)
            for name in reading
            for i in self._writers[name]
            if commands[i].source in reading[name].keys() & found[name].keys() and i not in self.others
        ]
        drawers = {name for name, _ in places}
        if min(self.rises) < 0 or not self._ones.issuperset(drawers):
            return False
        if any(reading[name][place].get(self.counter, _ITSELF).lo for name, place in places):
            return False  # it has drawn since it has read
        tables = reading, found  # the number that is drawn is known to be small, or the one before
        latest = [min(table[name][place].get(_LATEST, _SOME).hi for table in tables) for name, place in places]
        last = max(latest, default=-math.inf)
        cell, step = self.program.cells[self.counter], max(self.rises)
        if cell.lo is None or cell.hi is None or last == math.inf:
            return False
        starts = [self._start(commands[i]) for i in self.others]
        low = min([cell.lo, *(it.lo for it in starts)])
        high = max([cell.hi, last + step, *(it.hi for it in starts)]) + step * len(drawers)
        return all(low + form.lo >= lo and high + form.hi <= hi for form, lo, hi in self.limited)

    def _start(self, command: Command) -> Number:
        """What the counter is behind a command that sets it."""
        match command.instruction:
            case Assign(_, Linear((), value)):
                return number.constant(value)
            case _:
                return self.annotation.number(command.target, variable(self.counter))


class _Numbers(Walk):
    """Knows bounds of the number that cells are told by."""

    def bounded(self, location: int, term: Linear, known: dict[str, Form], written: set[str]) -> bool:
        if not super().bounded(location, term, known, written):
            return False
        total = self.of(location, term, known, written)
        if total is not None and total.factor > 0 and not total.others and _LATEST in known:
            latest = known[_LATEST]
            known[_LATEST] = Form(latest.factor, latest.lo, min(latest.hi, -total.lo / total.factor))
        return True


class _Reads(_Numbers):
    """What own cells are by what the thread has read of the counter last.

    So is the counter itself, while nobody else can write it, and where it is compared with that.
    """

    def __init__(self, counter: _Counter, template: str) -> None:
        super().__init__(counter.program, template, counter.annotation)
        self._counter = counter
        self.cell = counter.counter
        self.own = self.own | {self.cell}
        self._alone: dict[int, bool] = {}
        commands = (self.program.commands[index] for index in self.template.commands)
        self._given = {
            cell
            for command in commands
            for step in steps(command.instruction)
            if isinstance(step, Assign) and step.target == self.cell
            for cell in term_cells(step.value)
        } | {self.cell}

    def behind(self, command: Command, known: Known) -> dict[str, Form] | None:
        if self.cell in writes(command.instruction) and self.rise(command, known) is None:
            return {}
        after = self.read(command, known)
        if after is not None and self.cell in after and not self.is_alone(command.target):
            del after[self.cell]
        return after

    def is_alone(self, location: int) -> bool:
        if location not in self._alone:
            self._alone[location] = self._counter.is_alone(location)
        return self._alone[location]

    def read(self, command: Command, known: Known) -> dict[str, Form] | None:
        """What is known behind a command, as long as nobody else moves."""
        return super().behind(command, self._begun(command, known))

    def _begun(self, command: Command, known: Known) -> Known:
        """What is known in front of a command, the counter, too, if the command reads it or writes to it."""
        if self.cell in known or self.cell not in reads(command.instruction) | writes(command.instruction):
            return known
        if self._is_compared(command, known):
            return {**known, self.cell: _ITSELF}
        return {self.cell: _ITSELF, _LATEST: _SOME}

    def _is_compared(self, command: Command, known: Known) -> bool:
        """Whether a command only passes where the counter is what the thread has read before."""
        written: set[str] = set()
        for step in steps(command.instruction):
            for term in equal(step.condition) if isinstance(step, Guard) else ():
                k = dict(term.terms).get(self.cell, 0)
                rest = self.of(command.source, add(term, variable(self.cell), -k), known, written)
                if k and rest is not None and rest.times(Fraction(-1, k)) == _ITSELF:
                    return True
            written |= writes(step)
            if self.cell in written:
                break
        return False

    def rise(self, command: Command, known: Known) -> Fraction | None:
        """What a command adds to the counter, if it always is the same and not 0."""
        before, after = self._begun(command, known)[self.cell], (self.read(command, known) or {}).get(self.cell)
        if (
            after is None
            or before.lo != before.hi
            or after.lo != after.hi
            or after.factor != before.factor
            or after.others
        ):
            return None
        rise = Fraction(after.lo) - Fraction(before.lo)
        return rise or None

    def stays(self, location: int, step: Compute, form: Form, written: Collection[str]) -> bool:
        if super().stays(location, step, form, written):
            return True
        _, low, high = step.arguments
        if step.target not in self._given or form.factor != 1 or form.others or low.terms or high.terms:
            return False
        if math.isinf(form.lo) or math.isinf(form.hi):
            return False
        self._counter.limited.append((form, low.constant, high.constant))
        return True


class _Drawn(_Numbers):
    """What own cells are by the number that was drawn last."""

    def __init__(self, walk: _Reads, reading: Mapping[int, Known]) -> None:
        super().__init__(walk.program, walk.template.name, walk.annotation)
        self._walk = walk
        self._reading = reading
        self.first = {_LATEST: _NONE}

    def behind(self, command: Command, known: Known) -> dict[str, Form] | None:
        cell = self._walk.cell
        if cell not in writes(command.instruction):
            after = super().behind(command, known)
        elif command.source in self._reading and self._walk.rise(command, self._reading[command.source]) is not None:
            after = self._walk.read(command, self._reading[command.source])
        else:
            after = {_LATEST: _SOME}
        if after is not None and cell in after and not self._walk.is_alone(command.target):
            del after[cell]
        return after
