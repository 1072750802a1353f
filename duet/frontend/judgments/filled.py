"""Which arrays are certainly set, element by element, before anybody reads what is in them.

One cell stands for a member of all elements of a long array, and for ever it holds what they begin with, unless this
shows that nobody sees that: wherever the member of an element is read, that of this element has been set. A thread
knows of elements that it has set, of all elements in front of an address (`for (i = 0; i < n; i++) a[i].size = 1;`),
and that there are no others than these. A new thread knows what the one that has started it knew then, of all elements
and of those that it was given the address of.

*Requires*: there is one such array as long as anybody has its address, as `rows` have it. What code that is not there
writes is a write of any value. *Approximates*: under. Then the elements may as well begin with any value, all with the
same one: no execution tells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duet.frontend.graph.events import Element, Events
from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.frontend.judgments.exclusion import Cells, Known, passed
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Command,
    Compute,
    Formula,
    Guard,
    Instruction,
    Linear,
    Lookup,
    Relation,
    Spawn,
    steps,
)
from duet.plip.terms import add, constant, holds, substitute, term_cells, variable
from duet.plip.touched import reads, writes

MOST_PARTS, MOST_VISITS = 16, 40
"""How many kinds of addresses of a cell are known at a location, and how often that changes, until it is given up."""


@dataclass(frozen=True, slots=True)
class Row:
    """Where the parts of elements begin that a cell stands for: `count` addresses, each `step` behind the one before.

    The array begins at `start`.
    """

    start: int
    first: int
    step: int
    count: int

    @property
    def last(self) -> int:
        return self.first + self.step * (self.count - 1)


@dataclass(frozen=True, slots=True)
class Course:
    """A template: its commands, where it begins, and what is known of its cells."""

    commands: Sequence[Command]
    entry: int
    events: Events
    cells: Cells


@dataclass(frozen=True, slots=True)
class Elements:
    """What is known of elements that are set, by their cell.

    All are in `full`; in `before` those in front of an address, in `at` the one at an address. `known` has what own
    cells are equal to, and `nullable` the addresses that they hold where they are not null, among `starts` of arrays.
    """

    starts: frozenset[int] = frozenset()
    known: Known = field(default_factory=Known)
    full: frozenset[str] = frozenset()
    before: frozenset[tuple[str, Linear]] = frozenset()
    at: frozenset[tuple[str, Linear]] = frozenset()
    nullable: frozenset[tuple[str, int]] = frozenset()

    def common(self, other: Elements) -> Elements:
        # only what one side knows already may stay in front of the same cells, else a loop could go down for ever
        linear_parts = {(cell, address.terms) for cell, address in self.before}
        before = [fact for fact in self.before if other.is_before(*fact)]
        before += [
            (cell, address)
            for cell, address in other.before - self.before
            if (cell, address.terms) not in linear_parts and self.is_before(cell, address)
        ]
        at = [fact for fact in self.at if other.is_at(*fact)]
        at += [fact for fact in other.at - self.at if self.is_at(*fact)]
        nullable = [fact for fact in self.nullable if other.may_lead_to(*fact)]
        nullable += [fact for fact in other.nullable if self.may_lead_to(*fact)]
        for cell, value in self.known.equal ^ other.known.equal:
            if not value.terms and value.constant in self.starts and self.may_lead_to(cell, value.constant):
                nullable += [(cell, value.constant)] if other.may_lead_to(cell, value.constant) else []
        return Elements(
            self.starts,
            self.known.common(other.known),
            self.full & other.full,
            _few(before),
            _few(at),
            frozenset(nullable),
        )

    def may_lead_to(self, cell: str, address: int) -> bool:
        """Whether a cell is null, or that address."""
        value = self.known.resolved(variable(cell))
        return value in (constant(0), constant(address)) or (cell, address) in self.nullable

    def resolved(self, address: Linear) -> Linear:
        """An address that is accessed, over cells of which no value is known: the pointer in it is not null."""
        found = self.known.resolved(address)
        pointers = {
            cell: at for cell, at in sorted(self.nullable) if (cell, 1) in found.terms and abs(found.constant) < at
        }
        return substitute(found, {cell: constant(at) for cell, at in pointers.items()})

    def is_before(self, cell: str, address: Linear) -> bool:
        """Whether all elements in front of an address are set."""
        return cell in self.full or any(rest >= 0 for rest in self._distances(self.before, cell, address))

    def is_at(self, cell: str, address: Linear) -> bool:
        """Whether the element at an address is known as one that was set, or all are."""
        return cell in self.full or 0 in self._distances(self.at, cell, address)

    def is_set(self, cell: str, address: Linear) -> bool:
        """Whether the element at an address is set."""
        return self.is_at(cell, address) or any(rest > 0 for rest in self._distances(self.before, cell, address))

    def _distances(self, facts: Iterable[tuple[str, Linear]], cell: str, address: Linear) -> Iterator[int]:
        """How far facts of a cell are behind an address, where that is known."""
        here = self.resolved(address)
        ends = (self.resolved(end) for of, end in facts if of == cell)
        return (end.constant - here.constant for end in ends if end.terms == here.terms)

    def after_writing(self, target: str, value: Linear | None) -> Elements:
        """What is left when an own cell is written: in what is known of addresses its old value takes its place."""
        old = self.old_value(target, value)

        def moved(facts: frozenset[tuple[str, Linear]]) -> frozenset[tuple[str, Linear]]:
            found = ((cell, substitute(address, old)) for cell, address in facts)
            changed = {target} - old.keys()
            return frozenset((cell, address) for cell, address in found if changed.isdisjoint(term_cells(address)))

        copied = [at for cell, at in self.nullable if value == variable(cell)]
        nullable = frozenset((cell, at) for cell, at in self.nullable if cell != target)
        nullable |= {(target, at) for at in copied}
        return replace(self, before=moved(self.before), at=moved(self.at), nullable=nullable)

    def old_value(self, target: str, value: Linear | None) -> Mapping[str, Linear]:
        """The value that a cell has before it is written, over what has the same value behind that."""
        if value is not None and dict(value.terms).get(target) == 1:
            return {target: add(variable(target), add(value, variable(target), -1), -1)}
        for cell, term in sorted(self.known.equal):
            if cell == target:
                return {target: term}
            if dict(term.terms).get(target) == 1 and cell != target:
                return {target: add(variable(cell), add(term, variable(target), -1), -1)}
        return {}

    def where(self, condition: Formula, is_own: Callable[[str], bool]) -> Elements:
        """What is known where a condition holds: the bounds that it gives for cells in addresses."""
        found = self
        for part in condition.parts if isinstance(condition, And) else (condition,):
            if isinstance(part, Atom) and part.relation is not Relation.NE and all(map(is_own, term_cells(part.term))):
                lower = [
                    (cell, less)
                    for cell, address in found.before
                    for less in _lower(found.resolved(address), found.known.resolved(part.term), part.relation)
                ]
                found = replace(found, before=_few([*found.before, *lower]))
        return found

    def may_pass(self, instruction: Instruction) -> bool:
        """Whether no guard is false for what cells are equal to; what is known here may still get less."""
        return not any(
            isinstance(part, Atom)
            and not (value := self.known.resolved(part.term)).terms
            and not holds(value.constant, part.relation)
            for step in steps(instruction)[:1]
            if isinstance(step, Guard)
            for part in (step.condition.parts if isinstance(step.condition, And) else (step.condition,))
        )

    def with_full(self, rows: Mapping[str, Row]) -> Elements:
        """With the cells of which no element is behind those that are set."""
        full = {cell for cell, end in self.before if not end.terms and end.constant > rows[cell].last}
        return replace(self, full=self.full | full) if full else self


def _few(facts: Iterable[tuple[str, Linear]]) -> frozenset[tuple[str, Linear]]:
    """Not too many facts of each cell: of those that differ in a constant only, the first one and the last one."""
    constants: dict[str, dict[tuple[tuple[str, int], ...], list[int]]] = defaultdict(lambda: defaultdict(list))
    for cell, address in facts:
        constants[cell][address.terms].append(address.constant)
    return frozenset(
        (cell, Linear(terms, end))
        for cell, parts in constants.items()
        for terms in sorted(parts, key=lambda terms: (len(terms), terms))[:MOST_PARTS]
        for end in (min(parts[terms]), max(parts[terms]))
    )


def _lower(address: Linear, term: Linear, relation: Relation) -> Iterator[Linear]:
    """Addresses that are no larger, without a cell of a term that is at most 0, or equal to it."""
    factors = dict(term.terms)
    for cell, factor in address.terms:
        if (other := factors.get(cell, 0)) and factor % other == 0:
            times = -factor // other
            if times > 0 or relation is Relation.EQ:
                yield add(address, term, times)


@dataclass
class Filling:
    """The cells of which elements are read that may not have been set; `rows` has all that are looked at."""

    rows: Mapping[str, Row]
    courses: Mapping[str, Course]
    shared: Callable[[str], bool]
    _entries: dict[str, Elements] = field(default_factory=dict)
    _visits: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def filled(self, first: str) -> frozenset[str]:
        """The cells of which an element is only read when it is set; the first thread runs a template."""
        self._entries[first] = self._beginning(Elements())
        work, found = [first], dict[str, dict[int, Elements]]()
        while work:
            name = work.pop()
            found[name] = self._followed(name)
            for template, known in self._started(name, found[name]):
                before = self._entries.get(template)
                both = known if before is None else before.common(known)
                if template in self.courses and both != before:
                    self._entries[template] = both
                    work.append(template)
        return frozenset(self.rows).difference(*(self._unset(name, found.get(name, {})) for name in self.courses))

    def _beginning(self, known: Elements) -> Elements:
        """With what always holds: no element is in front of the first one."""
        starts = frozenset(row.start for row in self.rows.values())
        before = {(cell, constant(row.first)) for cell, row in self.rows.items()}
        return replace(known, starts=starts, before=known.before | before)

    def _followed(self, name: str) -> dict[int, Elements]:
        """What is known at each location of a template."""
        course = self.courses[name]
        outgoing = by_source(course.commands)

        def behind(location: int, known: Elements) -> Iterator[tuple[int, Elements]]:
            for command in outgoing[location]:
                self._visits[command.target] += 1
                if not known.may_pass(command.instruction):
                    continue
                after = self._behind(course, command, known)
                if self._visits[command.target] > MOST_VISITS * max(1, len(outgoing[location])):
                    after = replace(after, before=frozenset(), at=frozenset())
                yield command.target, after

        return known_on_all_ways(course.entry, self._entries[name], behind, following(outgoing))

    def _behind(self, course: Course, command: Command, known: Elements) -> Elements:
        """What is known behind a command."""
        is_own = course.cells.is_own
        for step in steps(command.instruction):
            if isinstance(step, Guard):
                known = known.where(step.condition, is_own)
            for target in filter(is_own, writes(step)):
                value = step.value if isinstance(step, Assign) and all(map(is_own, term_cells(step.value))) else None
                known = known.after_writing(target, value)
            known = replace(known, known=passed(step, known.known, course.cells))
        element = _element(course, command)
        if element is not None and _sets(command.instruction, element.cell) and element.cell in self.rows:
            known = self._with_set(element, known)
        return known.with_full(self.rows)

    def _with_set(self, element: Element, known: Elements) -> Elements:
        """With an element that is set: in front of the next one all are, if they were in front of this one."""
        assert element.spot.begin is not None
        cell, begin = element.cell, element.spot.begin
        forms = {begin, known.known.named(begin), known.resolved(begin)}
        row = self.rows[cell]
        is_next = known.is_before(cell, begin) or known.resolved(begin) == constant(row.first)
        ends = [(cell, add(form, constant(row.step))) for form in forms] if is_next else []
        at = _few([*known.at, *((cell, form) for form in forms)])
        return replace(known, at=at, before=_few([*known.before, *ends]))

    def _unset(self, name: str, found: Mapping[int, Elements]) -> Iterator[str]:
        """The cells that a template reads where the element may not be set."""
        course = self.courses[name]
        for command in course.commands:
            for cell in reads(command.instruction) & self.rows.keys():
                known = found.get(command.source)
                element = _element(course, command)
                is_this = element is not None and element.cell == cell and _only_reads(command.instruction, cell)
                if known is None and name in self._entries:
                    continue  # nothing leads there
                if known is None or (cell not in known.full and not (is_this and _is_set(element, known))):
                    yield cell

    def _started(self, name: str, found: Mapping[int, Elements]) -> Iterator[tuple[str, Elements]]:
        """What new threads know when they begin, by their templates."""
        for command in self.courses[name].commands:
            known = found.get(command.source)
            if isinstance(command.instruction, Spawn) and known is not None:
                at = {
                    (cell, add(variable(argument), rest))
                    for argument, value in command.instruction.arguments
                    for cell, address in known.at
                    if self.shared(cell) and not (rest := _between(known, value, address)).terms
                }
                full = frozenset(filter(self.shared, known.full))
                yield command.instruction.template, self._beginning(Elements(full=full, at=_few(at)))


def _between(known: Elements, start: Linear, end: Linear) -> Linear:
    return add(known.resolved(end), known.resolved(start), -1)


def _element(course: Course, command: Command) -> Element | None:
    """Which element a command accesses, where that is known over cells of the thread."""
    element = course.events.elements.get(command.target)
    if element is None or element.spot.begin is None:
        return None
    return element if all(map(course.cells.is_own, term_cells(element.spot.begin))) else None


def _is_set(element: Element | None, known: Elements) -> bool:
    return element is not None and element.spot.begin is not None and known.is_set(element.cell, element.spot.begin)


def _only_reads(instruction: Instruction, cell: str) -> bool:
    """Whether an instruction does nothing but to read one cell."""
    return isinstance(instruction, Assign) and instruction.value == variable(cell) and instruction.target != cell


def _sets(instruction: Instruction, cell: str) -> bool:
    """Whether an instruction certainly sets what it accesses, to a value of the program's."""
    return isinstance(instruction, Assign | Compute | Lookup) and instruction.target == cell
