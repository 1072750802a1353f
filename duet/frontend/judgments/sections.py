"""Members of an object while a thread has the object's own lock: cells of that thread.

Where each of many objects has a lock in it, or an array of locks belongs to an array of data, all objects share summary
cells, to which writes only add. But if all that write a member have the lock that is at one distance from it, or by one
function of its address (`exclusion`), then nobody else writes the member of that object while a thread has its lock. So
the thread keeps it in a cell of its own, a copy: that takes over what the summary cell holds where the lock is taken,
accesses under the lock mean the copy, and what it holds is put back on every way on which the lock may not be held any
more, as far as is known. What is in the summary cell then are the values with which locks were given back, and those
that objects had before others could know them.

Whoever reads without the lock sees what is written under it at once: for these there is a summary cell as it was, and
what is put back has another one.

So it is with an object that was given to a thread when it started, and to nobody else, until the thread ends; and with
one that only the thread that has allocated it knows, until others may find it.

*Requires*: as `exclusion`; a thread does not get a lock that it has already. *Approximates*: over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import floor, gcd
from typing import TypeAlias

from duet.errors import InternalError
from duet.frontend.graph.events import Taking
from duet.frontend.judgments.exclusion import leaving
from duet.frontend.judgments.families import NEW, Family, Thread, families_of, left
from duet.frontend.judgments.published import Published, published
from duet.frontend.judgments.read_through import read_through
from duet.frontend.judgments.together import MOST, Combination, Members, Together, combinations, told_together
from duet.plip.syntax import (
    FALSE,
    SKIP,
    TRUE,
    Assign,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Step,
)
from duet.plip.terms import compare, conjunction, constant, linear, negate, show_term, variable
from duet.plip.touched import writes

Copied: TypeAlias = tuple[list[Command], Mapping[int, tuple[int, int]]]
"""Commands, and new locations, each with the two between which it is."""
_Copy: TypeAlias = tuple[int, str]
"""A copy that a thread has: the number of the lock among those that it has, and the name of the family."""
_Stage: TypeAlias = Sequence[Sequence[Instruction]]
"""Ways, one of which is gone, each of some instructions."""
STRETCH = -1
"""The number of the lock of an element that nobody else knows, as if the thread had it; less for families of a kind."""
ANY_ELEMENT = re.compile(r"\[\d+\]")


def copied(
    threads: Sequence[Thread], cells: dict[str, Cell], addresses: Callable[[str], int | None], fresh: Callable[[], int]
) -> tuple[Mapping[str, Copied], Members]:
    """The commands of each template with copies of members under their own locks; none without. Adds their cells.

    `addresses` gives where what a cell stands for is, if it is no summary cell. The cells of combinations are to begin
    with what their members begin with.
    """
    families = list(families_of(threads, cells, addresses))
    known = published(threads, cells)
    if not families and not known.members:
        return {}, {}
    for family in families:
        for cell in sorted(family.outside):
            cells[left(cell)] = replace(cells[cell], name=left(cell))
    told = _combined(threads, families, cells, fresh)
    copies = [_Copies(thread, families, cells, fresh, told, known) for thread in threads]
    named = {family.name: family for family in families}
    members = {
        one.cell: [([named[name].left(cell) for cell in named[name].cells], factor) for name, factor in one.term.terms]
        for together in told.values()
        for one in together.combinations
    }
    return {one.thread.name: one.commands() for one in copies}, {**members, **known.members}


def _combined(
    threads: Sequence[Thread], families: Sequence[Family], cells: dict[str, Cell], fresh: Callable[[], int]
) -> Mapping[int, Together]:
    """The families of which conditions compare combinations, with these, and new objects; adds their cells.

    By the number of the lock of an element that nobody else knows, for each kind another one.
    """
    kinds = {STRETCH - at: kind for at, kind in enumerate(["", *sorted({it.kind for it in families} - {""})])}
    told = {slot: told_together(threads, families, kind) for slot, kind in kinds.items()}
    tried = dict(cells)
    copies = [_Copies(thread, families, tried, fresh, told) for thread in threads]
    meant = {one.cell(copy): copy for one in copies for copy in one.accessed.values()}
    wanted = [told[slot].families for slot, kind in kinds.items() if kind != NEW]
    found = {it for one in copies for it in combinations(one.commands()[0], meant.get)} if any(wanted) else set()
    asked = sorted((one for one in found if any(it.issuperset(one.families) for it in wanted)), key=str)[:MOST]
    compared = [it for it in families if it.kind == NEW or any(it.name in one.families for one in asked)]
    told = {slot: told_together(threads, compared, kind) for slot, kind in kinds.items()}
    result = {
        slot: replace(it, combinations=[one for one in asked if it.families.issuperset(one.families)])
        for slot, it in told.items()
    }
    for one in (one for it in result.values() for one in it.combinations):
        label = show_term(one.term, lambda name: ANY_ELEMENT.sub("[*]", cells[name].label))
        cells[one.cell] = Cell(one.cell, summary=True, label=label, span=cells[one.families[0]].span)
    return result


@dataclass
class _Copies:
    """The copies of one template."""

    thread: Thread
    families: Sequence[Family]
    cells: dict[str, Cell]
    fresh: Callable[[], int]
    told: Mapping[int, Together]
    published: Published = field(default_factory=Published)
    inner: dict[int, tuple[int, int]] = field(default_factory=dict)

    def commands(self) -> Copied:
        """The commands with copies, and the locations that are new."""
        result = [part for index in range(len(self.thread.commands)) for part in self._rewritten(index)]
        copies = frozenset(map(self.cell, self.accessed.values()))
        return read_through(result, self.thread.entry, copies), self.inner

    @cached_property
    def accessed(self) -> Mapping[int, _Copy]:
        """The copies that commands access instead of a cell."""
        name, commands = self.thread.name, self.thread.commands
        found: dict[int, _Copy] = {}
        for family in self.families:
            found.update((index, (slot, family.name)) for (of, index), slot in family.inside.items() if of == name)
            for slot, told in self.told.items():
                quiet = told.accessed.get(name, {}) if family.name in told.families else {}
                those = (index for of, index in family.quiet if of == name and commands[index].source in quiet)
                found.update((index, (slot, family.name)) for index in those)
        return found

    @cached_property
    def _named(self) -> Mapping[str, Family]:
        return {family.name: family for family in self.families}

    @cached_property
    def _family_of(self) -> Mapping[str, Family]:
        return {cell: family for family in self.families for cell in family.cells}

    def _slots(self, location: int) -> frozenset[int]:
        """The locks that the thread is known to have at a location."""
        known = self.thread.known.get(location)
        if known is None or location == self.thread.exit:
            return frozenset()
        found = frozenset(taking.slot for taking in known.locks if taking.slot is not None)
        return found.union(slot for slot in self.told if location in self._stretches(slot))

    def _stretches(self, slot: int) -> Mapping[int, Linear]:
        return self.told[slot].stretches.get(self.thread.name, {})

    def _taken(self, location: int) -> Mapping[int, Taking]:
        """The locks that it takes where it leaves a location."""
        known = self.thread.known.get(location)
        begun = {
            slot: Taking(told.accessed[self.thread.name][location], frozenset(), False, slot=slot)
            for slot, told in self.told.items()
            if location in told.accessed.get(self.thread.name, {}) and location not in self._stretches(slot)
        }
        if begun:
            return begun
        if known is None or location not in self.thread.events.takings:
            return {}
        behind = leaving(known, location, self.thread.events, self.thread.cells)
        return {taking.slot: taking for taking in behind.locks - known.locks if taking.slot is not None}

    def _kept(self, command: Command) -> frozenset[int]:
        """The locks that it has in front of a command and behind it."""
        return (self._slots(command.source) | self._taken(command.source).keys()) & self._slots(command.target)

    def _written(self, index: int) -> frozenset[_Copy]:
        """The copy that a command writes."""
        copy = self.accessed.get(index)
        written = writes(self.thread.commands[index].instruction)
        return frozenset() if copy is None or written.isdisjoint(self._named[copy[1]].cells) else frozenset((copy,))

    def _lost(self, index: int) -> frozenset[_Copy]:
        """The copies that have to be put back at a command: of locks that the thread may not have any more then.

        Members of one element are put back together.
        """
        command = self.thread.commands[index]
        changed = self._changed[command.source] | self._written(index)
        if not changed:
            return changed
        kept = self._kept(command)
        lost = frozenset(copy for copy in changed if copy[0] not in kept)
        return lost.union(*(self._all_at_places.get((slot, self._named[name].places), ()) for slot, name in lost))

    @cached_property
    def _all_at_places(self) -> Mapping[tuple[int, tuple[Fraction, ...]], list[_Copy]]:
        """All copies of members of a few elements, as `_at_places` has them."""
        return self._at_places(sorted(set(self.accessed.values())))

    @cached_property
    def _changed(self) -> Mapping[int, frozenset[_Copy]]:
        """The copies that may have been written since their lock was taken, and that have to be put back."""
        found: defaultdict[int, frozenset[_Copy]] = defaultdict(frozenset)
        work = sorted({self.thread.commands[index].source for index in self.accessed})
        while work:
            place = work.pop()
            for index in self._outgoing[place]:
                command = self.thread.commands[index]
                kept = self._kept(command)
                behind = frozenset(it for it in found[place] | self._written(index) if it[0] in kept)
                if not behind <= found[command.target]:
                    found[command.target] |= behind
                    work.append(command.target)
        return found

    @cached_property
    def _outgoing(self) -> Mapping[int, list[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for index, command in enumerate(self.thread.commands):
            found[command.source].append(index)
        return found

    @cached_property
    def _asked(self) -> Mapping[int, frozenset[_Copy]]:
        """The copies that are asked for behind a location, as they are when the thread leaves it."""
        found: defaultdict[int, frozenset[_Copy]] = defaultdict(frozenset)
        incoming: defaultdict[int, list[int]] = defaultdict(list)
        for command in self.thread.commands:
            incoming[command.target].append(command.source)
        work = [place for command in self.thread.commands for place in (command.target, command.source)]
        while work:
            place = work.pop()
            asked = frozenset().union(*(self._asked_by(index, found) for index in self._outgoing[place]))
            if not asked <= found[place]:
                found[place] |= asked
                work += incoming[place]
        return found

    def _asked_by(self, index: int, found: Mapping[int, frozenset[_Copy]]) -> frozenset[_Copy]:
        """The copies that are asked for in front of a command, behind what its thread takes there."""
        behind = found[self.thread.commands[index].target]
        passing, written, anew = self._asking[index]
        return anew.union(it for it in behind if it[0] in passing and it not in written) if behind else anew

    @cached_property
    def _asking(self) -> Sequence[tuple[frozenset[int], frozenset[_Copy], frozenset[_Copy]]]:
        """For each command the locks whose copies may be asked for behind it, what it writes, and what it asks for."""
        result: list[tuple[frozenset[int], frozenset[_Copy], frozenset[_Copy]]] = []
        for index, command in enumerate(self.thread.commands):
            written = self._written(index)
            used = frozenset((self.accessed[index],)) - written if index in self.accessed else frozenset()
            passing = self._kept(command) - self._taken(command.target).keys()
            result.append((passing, written, self._beside(self._lost(index)) - written | used))
        return result

    def _beside(self, copies: frozenset[_Copy]) -> frozenset[_Copy]:
        """Some copies with those of the members that are in combinations with them."""
        pairs = ((slot, one) for slot, name in copies for one in self._with(name))
        return copies.union((slot, name) for slot, one in pairs for name in one.families)

    def cell(self, copy: _Copy) -> str:
        """The cell of the thread that a copy is."""
        slot, family = copy
        name = self._own_name(slot, family)
        if name not in self.cells:
            of = self.cells[family]
            label = ANY_ELEMENT.sub("[*]", of.label) if len(self._named[family].cells) > 1 else of.label
            self.cells[name] = Cell(name, self.thread.name, label=label, span=of.span)
        return name

    def _own_name(self, slot: int, of: str) -> str:
        """The name of a cell of the thread; threads of one function are numbered, too."""
        number = slot + 1 if slot > 0 else "0" * -slot
        return f"${of}@{number}@{self.thread.name}"

    def _rewritten(self, index: int) -> Iterator[Command]:
        """A command, with what goes before and after it."""
        command, copy = self.thread.commands[index], self.accessed.get(index)
        before, behind = list(self._loads(index)), list(self._stores(index))
        here = command.instruction
        if copy is None:
            for cell in sorted(writes(here) & self._family_of.keys()):
                is_outside = cell in self._family_of[cell].outside
                here = _doubled(here, cell, left(cell), self.cells[cell].summary) if is_outside else here
        else:
            here = _renamed(here, self._named[copy[1]].cells, self.cell(copy))
        if copy is None or not self._written(index):
            before, behind = [*behind, *before], []  # what is taken here may be what is put back
        else:
            through = self._named[copy[1]].outside & writes(command.instruction)
            behind = [*([[Assign(cell, variable(self.cell(copy)))]] for cell in sorted(through)), *behind]
        name = self.thread.name
        before += [[[it]] for it in self.published.before.get((name, index), ())]
        behind = [[[it]] for it in self.published.behind.get((name, index), ())] + behind
        place = command.source
        for stage in before:
            joint = self._between(command)
            yield from self._ways(command, place, stage, joint)
            place = joint
        joint = self._between(command) if behind else command.target
        yield replace(command.between(place, joint), instruction=here)
        for number, stage in enumerate(behind):
            place, joint = joint, self._between(command) if number + 1 < len(behind) else command.target
            yield from self._ways(command, place, stage, joint)

    def _loads(self, index: int) -> Iterator[_Stage]:
        """What copies take over in front of a command, in turn, in one of several ways each.

        Of the cells of a few elements that is the one whose lock is nearest: if it is the lock of none of them, nothing
        that the thread may do asks for the copy.
        """
        taken = self._taken(self.thread.commands[index].source)
        asked = sorted(copy for copy in self._asked_by(index, self._asked) if copy[0] in taken)
        for (slot, places), found in self._at_places(asked).items():
            address = taken[slot].address
            steps = [[Assign(cell, variable(own)) for cell, own in cells] for cells in self._cells_at(found, places)]
            yield [[_at_once(_nearest(address, places, n), done)] for n, done in enumerate(steps)]
        for copy in asked:
            family = self._named[copy[1]]
            ways = [[Assign(self.cell(copy), variable(family.left(cell)))] for cell in family.summaries]
            if ways:
                yield [*ways, *([[]] if family.locks else [])]
        for slot in sorted({slot for slot, _ in asked}):
            for one in self._combinations:
                if all((slot, name) in asked for name in one.families):
                    own = self._own_combination(slot, one)
                    same = Guard(compare(variable(own), "==", self._value(slot, one)))
                    yield [[Atomic((Assign(own, variable(one.cell)), same))]]

    def _stores(self, index: int) -> Iterator[_Stage]:
        """What copies put back at a command, in turn, in one of several ways each.

        To the cells of a few elements they do only where it is the lock of one of them.
        """
        lost, source = sorted(self._lost(index)), self.thread.commands[index].source
        for copy in lost:
            family = self._named[copy[1]]
            back = [Assign(family.left(cell), variable(self.cell(copy))) for cell in family.summaries]
            if back:
                yield [back]
        for slot, one in sorted({(slot, one) for slot, name in lost for one in self._with(name)}, key=str):
            own = self._own_combination(slot, one)
            yield [[Assign(own, self._value(slot, one)), Assign(one.cell, variable(own))]]
        known = self.thread.known.get(source)
        held = {taking.slot: taking for taking in known.locks if taking.slot is not None} if known is not None else {}
        held.update(self._taken(source))
        for (slot, places), found in self._at_places(lost).items():
            address = held[slot].address
            steps = [[Assign(own, variable(cell)) for cell, own in cells] for cells in self._cells_at(found, places)]
            here = [_is_at(address, place) for place in places]
            yield [
                *([_at_once(guard, done)] for guard, done in zip(here, steps, strict=True)),
                [Guard(conjunction(map(negate, here)))],
            ]

    def _with(self, family: str) -> list[Combination]:
        """The combinations that have a member."""
        return [one for one in self._combinations if family in one.families]

    @cached_property
    def _combinations(self) -> Sequence[Combination]:
        return [one for it in self.told.values() for one in it.combinations]

    def _own_combination(self, slot: int, one: Combination) -> str:
        """The cell of the thread for the value of a combination."""
        name = self._own_name(slot, one.cell)
        self.cells.setdefault(name, replace(self.cells[one.cell], name=name, template=self.thread.name, summary=False))
        return name

    def _value(self, slot: int, one: Combination) -> Linear:
        """The value of a combination by the copies of its members."""
        return linear({self.cell((slot, family)): factor for family, factor in one.term.terms})

    def _at_places(self, copies: Sequence[_Copy]) -> Mapping[tuple[int, tuple[Fraction, ...]], list[_Copy]]:
        """Copies of members of a few elements by the number of the lock and where the locks of the elements are."""
        found: dict[tuple[int, tuple[Fraction, ...]], list[_Copy]] = defaultdict(list)
        for copy in copies:
            if self._named[copy[1]].places:
                found[copy[0], self._named[copy[1]].places].append(copy)
        return found

    def _cells_at(self, copies: Sequence[_Copy], places: Sequence[Fraction]) -> Iterator[list[tuple[str, str]]]:
        """For each of some elements the copies with the cells of its members."""
        families = [(self.cell(copy), self._named[copy[1]]) for copy in copies]
        for number in range(len(places)):
            yield [(cell, family.left(family.locks[number][1])) for cell, family in families]

    def _between(self, command: Command) -> int:
        """A new location between the ends of a command."""
        place = self.fresh()
        self.inner[place] = command.source, command.target
        return place

    def _ways(self, command: Command, start: int, ways: _Stage, end: int) -> Iterator[Command]:
        """One of several ways between two locations, where a command stands in the source."""
        for way in ways:
            place = start
            for number, instruction in enumerate(way or [SKIP]):
                target = end if number + 1 >= len(way) else self._between(command)
                yield Command(place, instruction, target, command.span)
                place = target


def _nearest(address: Linear, places: Sequence[Fraction], number: int) -> Formula:
    """That an address is that of one of some locks, or between it and the one before: one of them holds in any case."""
    step = gcd(*(factor for _, factor in address.terms)) or 1
    index = Linear(tuple((cell, factor // step) for cell, factor in address.terms), 0)
    bounds = [floor((place - address.constant) / step) for place in places]
    if 0 < number < len(places) - 1 and bounds[number] == bounds[number - 1] + 1:
        return compare(index, "==", constant(bounds[number]))
    above = [] if number == 0 else [compare(index, ">", constant(bounds[number - 1]))]
    below = [] if number + 1 == len(places) else [compare(index, "<=", constant(bounds[number]))]
    return conjunction((*above, *below))


def _is_at(address: Linear, place: Fraction) -> Formula:
    """That an address is that of a lock."""
    return compare(address, "==", constant(int(place))) if place.denominator == 1 else FALSE


def _at_once(guard: Formula, done: Sequence[Step]) -> Instruction:
    """Some steps at once, where a guard holds."""
    steps = (*([] if guard == TRUE else [Guard(guard)]), *done)
    return steps[0] if len(steps) == 1 else Atomic(steps)


def _renamed(instruction: Instruction, cells: Sequence[str], copy: str) -> Instruction:
    """An access to one of some cells as one to a copy of it."""
    match instruction:
        case Assign(target, value) if target in cells:
            return Assign(copy, value)
        case Assign(target, _):
            return Assign(target, variable(copy))
        case Havoc() | Compute() | Lookup():
            return replace(instruction, target=copy)
        case _:
            raise InternalError("what accesses a member and does more has no copy of it")


def _doubled(instruction: Instruction, cell: str, other: str, is_summary: bool) -> Instruction:
    """An instruction that writes another cell, too, wherever it writes one."""
    found: list[Step] = []
    for step in instruction.steps if isinstance(instruction, Atomic) else (instruction,):
        assert isinstance(step, Step)
        found.append(step)
        if cell in writes(step):
            assert isinstance(step, Assign | Havoc | Compute | Lookup)
            found.append(replace(step, target=other) if is_summary else Assign(other, variable(cell)))
    return Atomic(tuple(found))
