"""Where all threads that a loop has started have ended, since a loop has joined each of them.

    for (i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
    for (i = 0; i < n; i++) pthread_join(t[i], 0);

Of a template that the first thread alone starts and joins, it is known at its locations that all handles are in
elements of an array in front of some addresses, and that all elements in front of others have been joined. Where one of
these is not in front of one of those, no thread of the template runs any more, if none is started later.

How the analyses are told is in `lives`.

*Requires*: no thread is detached or cancelled, and none waits for the first one, so that who joins one has waited for
it; all that is written to the array is known. *Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from duet.frontend.graph.events import Element, Waiting
from duet.frontend.graph.reach import by_source, following, known_on_all_ways, reached
from duet.frontend.judgments.exclusion import Cells, passed
from duet.frontend.judgments.filled import Elements
from duet.frontend.judgments.prefixes import Array
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Operation,
    Relation,
    Spawn,
    steps,
)
from duet.plip.terms import add, atoms, constant, scale, substitute, term_cells, variable
from duet.plip.touched import writes

MOST_VISITS = 40
"""How often what is known at a location changes, for each way there, until nothing is known."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What the first thread knows: of handles, all of them in front of each of `ends`; None where there is no thread.

    What is `joined` are elements whose threads have been. `held` are own cells with the address of the element that
    they have the handle from, `bounds` terms that are at most 0. The handle of the last thread is in the cell
    `pending` until it is in the array; `fresh` has that of the next one. If it `is_lost`, handles may be anywhere.
    """

    joined: Elements
    ends: frozenset[Linear] | None = None
    held: frozenset[tuple[str, Linear]] = frozenset()
    bounds: frozenset[Linear] = frozenset()
    fresh: str = ""
    pending: str = ""
    is_lost: bool = False

    def common(self, other: _Known) -> _Known:
        return _Known(
            self.joined.common(other.joined),
            self._common_ends(other),
            self.held & other.held,
            self._common_bounds(other),
            self.fresh if self.fresh == other.fresh else "",
            self.pending,
            self.is_lost or other.is_lost or self.pending != other.pending,
        )

    def _common_ends(self, other: _Known) -> frozenset[Linear] | None:
        if self.ends is None or other.ends is None:
            return other.ends if self.ends is None else self.ends
        forms = {end.terms for end in self.ends}  # else ends of one form could go up for ever
        more = (end for end in other.ends - self.ends if end.terms not in forms and self.is_behind_all(end))
        return frozenset(filter(other.is_behind_all, self.ends)).union(more)

    def _common_bounds(self, other: _Known) -> frozenset[Linear]:
        if self.bounds == other.bounds:
            return self.bounds
        forms = {bound.terms for bound in self.bounds}
        more = (bound for bound in other.bounds - self.bounds if bound.terms not in forms and self.bounds_it(bound))
        return frozenset(filter(other.bounds_it, self.bounds)).union(more)

    def bounds_it(self, term: Linear) -> bool:
        """Whether a term is known to be at most 0."""
        if term in self.bounds:
            return True
        forms = {term, self.joined.known.resolved(term)}
        return any(_is_at_most(form, bound) for form in forms for bound in (*self.bounds, constant(0)))

    def is_behind_all(self, address: Linear) -> bool:
        """Whether all handles are in front of an address."""
        here = self.joined.resolved(address)
        return self.ends is None or any(_is_at_most(self.joined.resolved(end), here) for end in self.ends)

    def is_over(self, array: str) -> bool:
        """Whether there is no thread, or all of them were joined."""
        if self.is_lost or self.pending:
            return False
        return self.ends is None or any(self.joined.is_before(array, end) for end in self.ends)

    def lost(self) -> _Known:
        """Nothing."""
        return _Known(Elements(self.joined.starts), ends=frozenset(), is_lost=True)

    def after_writing(self, target: str, value: Linear | None, rest: Elements) -> _Known:
        """What is left when an own cell is written, where `rest` is left of what is joined."""
        old = self.joined.old_value(target, value)

        def moved(terms: Iterable[Linear]) -> frozenset[Linear]:
            found = (substitute(term, old) for term in terms)
            return frozenset(term for term in found if old or target not in term_cells(term))

        held = {(cell, at) for cell, address in self.held if cell != target for at in moved([address])}
        held |= {(target, at) for cell, address in self.held if value == variable(cell) for at in moved([address])}
        fixed = None if value is None or value.terms else add(variable(target), value, -1)
        told = () if fixed is None else (fixed, scale(fixed, -1))
        pending = self.pending
        if pending and value == variable(pending):
            pending = target  # a copy is as good
        return replace(
            self,
            joined=rest,
            ends=None if self.ends is None else moved(self.ends),
            held=frozenset(held),
            bounds=moved(self.bounds).union(told),
            fresh="" if target == self.fresh else self.fresh,
            pending=pending,
            is_lost=self.is_lost or target == self.pending,
        )

    def where(self, condition: Formula, is_asked: Callable[[str], bool]) -> _Known:
        """What is known where a condition holds."""
        found = set(self.bounds)
        for part in condition.parts if isinstance(condition, And) else (condition,):
            if (
                isinstance(part, Atom)
                and part.relation is not Relation.NE
                and all(map(is_asked, term_cells(part.term)))
            ):
                known = self.joined.known  # a pointer that is compared may be null
                forms = {part.term, known.named(part.term), known.resolved(part.term)}
                found |= forms
                if part.relation is Relation.EQ:
                    found |= {scale(form, -1) for form in forms}
        return replace(self, joined=self.joined.where(condition, is_asked), bounds=frozenset(found))

    def with_handle(self, forms: Collection[Linear], behind: Collection[Linear]) -> _Known:
        """With the handle of the last thread in an element, given what its address is and where the next one is."""
        if not any(map(self.is_behind_all, forms)):
            return self.lost()
        above = {
            more
            for address in {*behind, *map(self.joined.resolved, behind)}
            for bound in self.bounds
            for cell, factor in bound.terms
            for more in _upper(address, bound, cell, factor)
        }
        least = [self.joined.resolved(address) for address in (*behind, *above)]
        kept = {end for end in self.ends or () if any(_is_at_most(one, self.joined.resolved(end)) for one in least)}
        return replace(self, ends=frozenset({*behind, *above, *kept}), pending="")


def _is_at_most(one: Linear, other: Linear) -> bool:
    """Whether a term is at most another one with the same cells."""
    return one.terms == other.terms and one.constant <= other.constant


def _upper(address: Linear, bound: Linear, cell: str, factor: int) -> Iterator[Linear]:
    """An address that is no smaller, without a cell of a term that is at most 0."""
    own = dict(address.terms).get(cell, 0)
    if own and own % factor == 0 and own // factor > 0:
        yield add(address, bound, -(own // factor))


@dataclass(frozen=True, slots=True)
class First:
    """The template of the first thread: its commands, where it begins and what it does.

    Its `ranges` are bounds of what cells hold by their types, where that is known.
    """

    commands: Sequence[Command]
    entry: int
    cells: Cells
    ranges: Callable[[str], tuple[int, int] | None]
    elements: Mapping[int, Element]
    handles: Mapping[str, str]
    waits: Mapping[int, Waiting]


def asked(commands: Sequence[Command], terms: Iterable[Linear]) -> frozenset[str]:
    """The cells of some terms, those that they are made of or compared with, or that are made of them, and so on."""
    linked: defaultdict[str, set[str]] = defaultdict(set)
    for command in commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, value) | Compute(target, Operation.WRAP, (value, _, _)):
                    linked[target] |= term_cells(value)
                    for cell in term_cells(value):
                        linked[cell].add(target)
                case Guard(condition):
                    for cells in (term_cells(part.term) for part in atoms(condition)):
                        for cell in cells:
                            linked[cell] |= cells
                case _:
                    continue
    return frozenset(reached((cell for term in terms for cell in term_cells(term)), lambda cell: linked[cell]))


@dataclass
class AllJoined:
    """What is known of the threads of one template whose handles are in one array."""

    first: First
    template: str
    array: Array
    _visits: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def ends(self) -> frozenset[tuple[int, int]]:
        """Ways from one location to the next on which all threads have come to their end, and none starts later.

        A way through the template goes at most one of them. Where ways come together behind a loop that joins all, that
        is one of them on which no thread was started, too.
        """
        if not any(self._reads(command.instruction) for command in self.first.commands):
            return frozenset()  # whoever joins a thread has its handle from the array
        following_of = following(by_source(self.first.commands))
        before: defaultdict[int, list[int]] = defaultdict(list)
        for command in self.first.commands:
            before[command.target].append(command.source)
        starting = {command.source for command in self.first.commands if self._starts(command.instruction)}
        early = set(reached(starting, lambda place: before[place]))
        ways = self._ways()
        name = self.array.name
        over = {way for way, states in ways.items() if way[1] not in early and all(it.is_over(name) for it in states)}
        later = set(reached((target for _, target in over), following_of))
        last = {way for way in over if way[0] not in later}
        joined = {way for way in last if any(known.ends is not None for known in ways[way])}
        behind = reached((target for _, target in joined), following_of)
        meeting = set(reached(behind, lambda place: before[place]))
        return frozenset(way for way in last if way[1] in meeting) if joined else frozenset()

    def _ways(self) -> Mapping[tuple[int, int], Sequence[_Known]]:
        """What is known behind the commands from one location to the next: nothing of those that never pass."""
        outgoing = by_source(self.first.commands)

        def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
            for command in outgoing[location]:
                self._visits[command.target] += 1
                if known.joined.may_pass(command.instruction):
                    is_often = self._visits[command.target] > MOST_VISITS * max(1, len(outgoing[location]))
                    after = self._behind(command, known)
                    yield command.target, after.lost() if is_often else after

        first = _Known(Elements(starts=frozenset([self.array.row.start]), before=self._before_all))
        found = known_on_all_ways(self.first.entry, first, behind, following(outgoing))
        ways: defaultdict[tuple[int, int], list[_Known]] = defaultdict(list)
        for command in self.first.commands:
            states = ways[command.source, command.target]
            known = found.get(command.source)
            if known is not None and known.joined.may_pass(command.instruction):
                states.append(self._behind(command, known))
        return ways

    @property
    def _before_all(self) -> frozenset[tuple[str, Linear]]:
        """No element is in front of the first one."""
        return frozenset({(self.array.name, constant(self.array.row.first))})

    def _starts(self, instruction: Instruction) -> bool:
        return isinstance(instruction, Spawn) and instruction.template == self.template

    def _behind(self, command: Command, known: _Known) -> _Known:
        """What is known behind a command."""
        waiting = self.first.waits.get(command.source)
        if waiting is not None and self.template in waiting.names:
            known = self._with_joined(waiting.handle, known)
        if self._starts(command.instruction):
            inner = passed(command.instruction, known.joined.known, self.first.cells)
            told = replace(known, joined=replace(known.joined, known=inner), pending=known.fresh, fresh="")
            return told if known.fresh and not known.pending else told.lost()
        element, instruction = self._element(command), command.instruction
        if not writes(instruction).isdisjoint(self.array.cells):
            known = self._with_written(instruction, element, known)
        is_own, followed = self.first.cells.is_own, self.first.cells.followed
        for step in (self._unwrapped(step, known) for step in steps(instruction)):
            if isinstance(step, Guard):
                known = known.where(step.condition, lambda cell: is_own(cell) and cell in followed)
            for target in (cell for cell in writes(step) if is_own(cell) and cell in followed):
                value = step.value if isinstance(step, Assign) and all(map(is_own, term_cells(step.value))) else None
                known = known.after_writing(target, value, known.joined.after_writing(target, value))
            inner = passed(step, known.joined.known, self.first.cells)
            known = replace(known, joined=replace(known.joined, known=inner))
            if isinstance(step, Havoc) and self.first.handles.get(step.target) == self.template:
                known = replace(known, fresh=step.target)
        if isinstance(instruction, Assign) and self._reads(instruction):
            return replace(
                known, held=known.held.union((instruction.target, form) for form in self._forms(element, known))
            )
        return known

    def _reads(self, instruction: Instruction) -> bool:
        """Whether a step copies an element of the array to a cell that is followed."""
        match instruction:
            case Assign(target, Linear(((cell, 1),), 0)):
                return cell in self.array.cells and target in self.first.cells.followed
            case _:
                return False

    def _unwrapped(self, step: Instruction, known: _Known) -> Instruction:
        """A step; what wraps nothing around is an assignment."""
        match step:
            case Compute(target, Operation.WRAP, (value, Linear((), low), Linear((), high))):
                fits = self._is_at_most(value, high, known) and self._is_at_most(scale(value, -1), -low, known)
                return Assign(target, value) if fits else step
            case _:
                return step

    def _is_at_most(self, term: Linear, most: int, known: _Known) -> bool:
        """Whether a term is at most a number, by what is known and by the types of cells."""
        if not all(map(self.first.cells.is_own, term_cells(term))):
            return False
        forms = {term, known.joined.known.resolved(term)}
        forms |= {
            more for form in forms for bound in known.bounds for cell, factor in bound.terms
            for more in _upper(form, bound, cell, factor)
        }  # fmt: skip
        return any(self._most(form) <= most for form in forms)

    def _most(self, term: Linear) -> float:
        """The largest value of a term by the types of its cells."""
        ends = [(factor, self.first.ranges(cell)) for cell, factor in term.terms]
        return term.constant + sum(
            inf if found is None else max(factor * found[0], factor * found[1]) for factor, found in ends
        )

    def _element(self, command: Command) -> Linear | None:
        """The address of the element of the array that a command accesses, if that is known."""
        element = self.first.elements.get(command.target)
        if element is None or element.cell not in self.array.cells or element.spot.begin is None:
            return None
        begin = element.spot.begin
        return begin if all(map(self.first.cells.is_own, term_cells(begin))) else None

    def _forms(self, address: Linear | None, known: _Known) -> frozenset[Linear]:
        """An address, over what the source names and over what has no known value; none if it is not known."""
        if address is None:
            return frozenset()
        return frozenset({address, known.joined.known.named(address), known.joined.resolved(address)})

    def _with_written(self, instruction: Instruction, address: Linear | None, known: _Known) -> _Known:
        """What is known behind a command that writes to the array: no handle in it may be lost."""
        forms, known = self._forms(address, known), replace(known, held=frozenset())
        pending = known.joined.known.resolved(variable(known.pending)) if known.pending else None
        if isinstance(instruction, Assign) and known.joined.known.resolved(instruction.value) == pending:
            step = constant(self.array.row.step)
            known = replace(known, joined=replace(known.joined, before=self._before_all))
            return known.with_handle(forms, frozenset(add(form, step) for form in forms))
        return known if known.ends is None or any(map(known.is_behind_all, forms)) else known.lost()

    def _with_joined(self, handle: Linear, known: _Known) -> _Known:
        """With one more element whose thread was joined: all before the next one, if those before it were."""
        joined, name, row = known.joined, self.array.name, self.array.row
        value = joined.known.resolved(handle)
        read = (address for cell, address in known.held if joined.known.resolved(variable(cell)) == value)
        forms = frozenset(form for address in read for form in self._forms(address, known))
        if not any(joined.is_before(name, form) for form in forms):
            return known
        more = ((name, add(form, constant(row.step))) for form in forms)
        return replace(known, joined=replace(joined, before=joined.before.union(more)))
