"""Members of an object while a thread has the object's own lock: cells of that thread.

Where each of many objects has a lock in it, or an array of locks belongs to an array of data, all objects share summary
cells, to which writes only add. But if all that write a member have the lock that is at one distance from it, or by one
function of its address (`exclusion`), then nobody else writes the member of that object while a thread has its lock. So
the thread keeps it in a cell of its own, a copy: that takes over what the summary cell holds where the lock is taken,
accesses under the lock mean the copy, and what it holds is put back on every way on which the lock may not be held any
more, as far as is known. What is in the summary cell then are the values with which locks were given back, and those
that objects had before others could know them.

Whoever reads without the lock sees what is written under it at once: for these there is a summary cell as it was, and
what is put back has another one. Who writes without the lock has to be the first thread before it has started another
one, or the one that has just allocated the object, and must not have such a lock then.

*Requires*: as `exclusion`; a thread does not get a lock that it has already. *Approximates*: over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import floor, gcd
from typing import TypeAlias

from networkx.utils import UnionFind

from duet.errors import InternalError
from duet.frontend.ctypes.origins import Origins
from duet.frontend.graph.events import Element, Events, Taking
from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.frontend.judgments.exclusion import Cells, Known, held_locks, leaving
from duet.frontend.judgments.together import MOST, Combination, Members, combinations, stretches
from duet.plip.accesses import HeldLock
from duet.plip.syntax import (
    FALSE,
    SKIP,
    TRUE,
    Assert,
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
    steps,
)
from duet.plip.terms import (
    add,
    compare,
    conjunction,
    constant,
    linear,
    negate,
    rename_formula,
    rename_term,
    show_term,
    term_cells,
    variable,
)
from duet.plip.touched import reads, writes

Copied: TypeAlias = tuple[list[Command], Mapping[int, tuple[int, int]]]
"""Commands, and new locations, each with the two between which it is."""
_Function: TypeAlias = tuple[Fraction, Fraction]
"""Where the lock of a member is: `factor * address + offset`."""
_Copy: TypeAlias = tuple[int, str]
"""A copy that a thread has: the number of the lock among those that it has, and the name of the family."""
_Stage: TypeAlias = Sequence[Sequence[Instruction]]
"""Ways, one of which is gone, each of some instructions."""
STRETCH = -1
"""The number of the lock of an element that nobody else knows, as if the thread had it."""
ANY_ELEMENT = re.compile(r"\[\d+\]")


def left(cell: str) -> str:
    """The cell for the values of a summary cell with which locks are given back, if it needs another one for these."""
    return f"{cell}:left"


@dataclass(frozen=True)
class Thread:
    """What is known of a template: `alone` are the locations where no other thread was started yet."""

    name: str
    commands: Sequence[Command]
    entry: int
    exit: int
    known: Mapping[int, Known]
    events: Events
    cells: Cells
    alone: frozenset[int]

    def element(self, command: Command) -> Element | None:
        """Where the member is that a command accesses, if it does nothing else."""
        found = self.events.elements.get(command.target)
        match command.instruction:
            case Assign(_, value) if found is not None and value == variable(found.cell):
                return found
            case Assign(target) | Havoc(target) | Compute(target) | Lookup(target) if found is not None:
                return found if target == found.cell else None
            case _:
                return None

    def locks(self, command: Command, element: Element) -> list[tuple[HeldLock, Taking]]:
        """The locks that the thread has where it accesses a member, each with where it is relative to that."""
        here = self.known.get(command.source)
        return list(held_locks(here, element.spot)) if here is not None else []

    def lock_of(self, command: Command, element: Element, function: _Function) -> Linear | None:
        """Where the lock is that a function gives of a member that a command accesses, over cells of the thread."""
        here, (factor, offset) = self.known.get(command.source), function
        if here is None or element.spot.begin is None or factor.denominator > 1 or offset.denominator > 1:
            return None
        begin = here.resolved(element.spot.begin)
        if not all(map(self.cells.is_own, term_cells(begin))):
            return None
        return add(constant(int(offset)), begin, int(factor))

    def is_alone_with(self, location: int, lock: Linear) -> bool:
        """Whether no other thread can access the element of a lock while this one is at a location."""
        here = self.known.get(location)
        return location in self.alone or (here is not None and any(here.is_beside(lock, it.address) for it in here.new))

    def has_fixed(self, command: Command, lock: Fraction, is_write: bool) -> bool:
        """Whether the thread has the lock at a constant address where a command is, and had it by that address."""
        here = self.known.get(command.source)
        return here is not None and any(
            taking.is_fixed and not taking.address.terms and taking.address.constant == lock
            for taking in here.locks
            if not (is_write and taking.is_shared)
        )

    def is_quiet(self, command: Command, element: Element | None, origins: Origins) -> bool:
        """Whether no other thread can access an element where a command does, nor has this one a lock with origins."""
        here = self.known.get(command.source)
        if here is None:  # nothing leads there
            return True
        if any(not origins.isdisjoint(taking.origins) for taking in here.locks):
            return False
        if command.source in self.alone:
            return True
        pointer = element.spot.pointer if element is not None else None
        return (
            element is not None
            and pointer is not None
            and any(new.origin.key == element.object and here.is_beside(pointer, new.address) for new in here.new)
        )


@dataclass(frozen=True)
class _Family:
    """Cells that one access may mean, each the same member of another object, with the function of their locks.

    `locks` are the places of the locks of those that are no summary cells, in order, with these. `inside` are the
    accesses with that lock, by template and command, with its number; `outside` are the cells that are read by others.
    `quiet` are the accesses to an element that nobody else knows, with where its lock is; `is_told` if nobody writes
    but in one of these ways.
    """

    cells: tuple[str, ...]
    locks: tuple[tuple[Fraction, str], ...]
    inside: Mapping[tuple[str, int], int]
    outside: frozenset[str]
    quiet: Mapping[tuple[str, int], Linear]
    is_told: bool

    @property
    def name(self) -> str:
        return self.cells[0]

    @property
    def summaries(self) -> list[str]:
        """The summary cells among its cells."""
        others = {cell for _, cell in self.locks}
        return [cell for cell in self.cells if cell not in others]

    @property
    def places(self) -> tuple[Fraction, ...]:
        """Where the locks of those are that are no summary cells."""
        return tuple(lock for lock, _ in self.locks)

    def left(self, cell: str) -> str:
        """The cell for the values of one with which locks are given back."""
        return left(cell) if cell in self.outside else cell


def copied(
    threads: Sequence[Thread], cells: dict[str, Cell], addresses: Callable[[str], int | None], fresh: Callable[[], int]
) -> tuple[Mapping[str, Copied], Members]:
    """The commands of each template with copies of members under their own locks; none without. Adds their cells.

    `addresses` gives where what a cell stands for is, if it is no summary cell. The cells of combinations are to begin
    with what their members begin with.
    """
    families = list(_families(threads, cells, addresses))
    if not families:
        return {}, {}
    for family in families:
        for cell in sorted(family.outside):
            cells[left(cell)] = replace(cells[cell], name=left(cell))
    copies = [_Copies(thread, families, cells, fresh) for thread in threads]
    found = {one.thread.name: one.commands() for one in copies}
    meant = {one.cell(copy): copy for one in copies for copy in one.accessed.values()}
    asked = {it for commands, _ in found.values() for it in combinations(commands, meant.get)}
    together = _together(sorted(asked, key=str)[:MOST], threads, families)
    if not together.combinations:
        return found, {}
    named = {family.name: family for family in families}
    for one in together.combinations:
        label = show_term(one.term, lambda name: ANY_ELEMENT.sub("[*]", cells[name].label))
        cells[one.cell] = Cell(one.cell, summary=True, label=label, span=cells[one.families[0]].span)
    members = {
        one.cell: [([named[name].left(cell) for cell in named[name].cells], factor) for name, factor in one.term.terms]
        for one in together.combinations
    }
    copies = [_Copies(thread, families, cells, fresh, together) for thread in threads]
    return {one.thread.name: one.commands() for one in copies}, members


@dataclass(frozen=True)
class _Together:
    """Combinations of members, and by thread where it accesses some in stretches, and where these are."""

    combinations: Sequence[Combination] = ()
    accessed: Mapping[str, Mapping[int, Linear]] = field(default_factory=dict)
    stretches: Mapping[str, Mapping[int, Linear]] = field(default_factory=dict)

    @cached_property
    def families(self) -> frozenset[str]:
        return frozenset(name for one in self.combinations for name in one.families)


def _together(asked: Sequence[Combination], threads: Sequence[Thread], families: Sequence[_Family]) -> _Together:
    """Those combinations of which all members are only written in sections and in stretches."""
    named = {family.name: family for family in families if family.is_told}
    told = [one for one in asked if named.keys() >= set(one.families)]
    while told:
        those = [named[name] for name in sorted({name for one in told for name in one.families})]
        accessed = {thread.name: _accessed(thread, those) for thread in threads}
        open_ones = {
            family.name
            for family in those
            for thread in threads
            for (name, index) in family.quiet
            if name == thread.name
            and thread.commands[index].source not in accessed[name]
            and not writes(thread.commands[index].instruction).isdisjoint(family.cells)
        }
        if not open_ones:
            cells = frozenset(cell for family in those for cell in family.cells)
            found = {
                it.name: stretches(it.commands, it.entry, accessed[it.name], cells, it.events, it.is_alone_with)
                for it in threads
            }
            return _Together(told, accessed, found)
        told = [one for one in told if open_ones.isdisjoint(one.families)]
    return _Together()


def _accessed(thread: Thread, families: Sequence[_Family]) -> Mapping[int, Linear]:
    """Where the lock of an element is that a thread accesses where it leaves a location, whichever way it goes."""
    locks = {index: at for it in families for (name, index), at in it.quiet.items() if name == thread.name}
    leaving: dict[int, set[Linear | None]] = defaultdict(set)
    for index, command in enumerate(thread.commands):
        leaving[command.source].add(locks.get(index))
    happening = thread.events.takings.keys() | thread.events.givings.keys()
    return {
        location: at
        for location, found in leaving.items()
        if len(found) == 1 and (at := next(iter(found))) is not None and location not in happening
    }


def _families(
    threads: Sequence[Thread], cells: Mapping[str, Cell], addresses: Callable[[str], int | None]
) -> Iterator[_Family]:
    """The cells that are written under locks of their own only."""
    alike: UnionFind[str] = UnionFind()
    for thread in threads:
        meant: dict[int, str] = {}
        for element in thread.events.elements.values():
            if cells[element.cell].template is None:
                alike.union(meant.setdefault(element.access, element.cell), element.cell)
    touching: dict[str, list[tuple[Thread, int]]] = defaultdict(list)
    for thread in threads:
        for index, command in enumerate(thread.commands):
            for cell in reads(command.instruction) | writes(command.instruction):
                if cell in alike.parents:
                    touching[cell].append((thread, index))
    for group in sorted(map(sorted, alike.to_sets())):
        places = {cell: addresses(cell) for cell in group if not cells[cell].summary}
        own = {cell: place for cell, place in places.items() if place is not None}
        if len(own) == len(places):
            family = _family(tuple(group), {cell: touching[cell] for cell in group}, own)
            if family is not None:
                yield family


def _family(
    group: tuple[str, ...], touching: Mapping[str, Sequence[tuple[Thread, int]]], own: Mapping[str, int]
) -> _Family | None:
    """What is known of some cells, if whoever writes one has its lock, or is alone with the object.

    `own` are the addresses of those that are no summary cells.
    """
    locked = {
        (thread.name, index): thread.locks(thread.commands[index], element)
        for cell, found in touching.items()
        for thread, index in found
        if (element := thread.element(thread.commands[index])) is not None and element.cell == cell
    }
    functions = {(lock.factor, lock.offset) for found in locked.values() for lock, _ in found if lock.factor}
    results = (_with_function(group, touching, own, locked, function) for function in sorted(functions))
    return next((found for found in results if found is not None), None)


def _with_function(
    group: tuple[str, ...],
    touching: Mapping[str, Sequence[tuple[Thread, int]]],
    own: Mapping[str, int],
    locked: Mapping[tuple[str, int], Sequence[tuple[HeldLock, Taking]]],
    function: _Function,
) -> _Family | None:
    """As `_family`, with the lock that a function gives."""
    wanted, (factor, offset) = HeldLock(False, *function), function
    locks = {cell: factor * place + offset for cell, place in own.items()}
    under = {at: [taking for lock, taking in found if wanted.excludes(lock)] for at, found in locked.items()}
    origins: Origins = frozenset().union(*(taking.origins for found in under.values() for taking in found))
    inside: dict[tuple[str, int], int] = {}
    outside: set[str] = set()
    quiet: dict[tuple[str, int], Linear] = {}
    is_read, is_told = False, True
    for cell, found in touching.items():
        for thread, index in found:
            command = thread.commands[index]
            element = thread.element(command)
            held = under[thread.name, index] if element is not None and element.cell == cell else []
            is_write = cell in writes(command.instruction)
            if cell in locks and thread.has_fixed(command, locks[cell], is_write):
                continue  # the lock and the cell are told apart from others as they are
            if len(held) == 1 and held[0].slot is not None and not (is_write and held[0].is_shared):
                inside[thread.name, index] = held[0].slot
                is_read = is_read or not is_write
            elif not thread.is_quiet(command, element, origins):
                if is_write:
                    return None
                outside.add(cell)
            elif element is not None and element.cell == cell and (at := thread.lock_of(command, element, function)):
                quiet[thread.name, index] = at
            else:
                is_told = is_told and not is_write
    by_lock = tuple(sorted((lock, cell) for cell, lock in locks.items()))
    return _Family(group, by_lock, inside, frozenset(outside), quiet, is_told and not by_lock) if is_read else None


@dataclass
class _Copies:
    """The copies of one template."""

    thread: Thread
    families: Sequence[_Family]
    cells: dict[str, Cell]
    fresh: Callable[[], int]
    together: _Together = field(default_factory=_Together)
    inner: dict[int, tuple[int, int]] = field(default_factory=dict)

    def commands(self) -> Copied:
        """The commands with copies, and the locations that are new."""
        result = [part for index in range(len(self.thread.commands)) for part in self._rewritten(index)]
        copies = frozenset(map(self.cell, self.accessed.values()))
        return _read_through(result, self.thread.entry, copies), self.inner

    @cached_property
    def accessed(self) -> Mapping[int, _Copy]:
        """The copies that commands access instead of a cell."""
        name, commands = self.thread.name, self.thread.commands
        quiet = self.together.accessed.get(name, {})
        found: dict[int, _Copy] = {}
        for family in self.families:
            found.update((index, (slot, family.name)) for (of, index), slot in family.inside.items() if of == name)
            if family.name in self.together.families:
                those = (index for of, index in family.quiet if of == name and commands[index].source in quiet)
                found.update((index, (STRETCH, family.name)) for index in those)
        return found

    @cached_property
    def _named(self) -> Mapping[str, _Family]:
        return {family.name: family for family in self.families}

    @cached_property
    def _family_of(self) -> Mapping[str, _Family]:
        return {cell: family for family in self.families for cell in family.cells}

    def _slots(self, location: int) -> frozenset[int]:
        """The locks that the thread is known to have at a location."""
        known = self.thread.known.get(location)
        if known is None or location == self.thread.exit:
            return frozenset()
        found = frozenset(taking.slot for taking in known.locks if taking.slot is not None)
        return found.union([STRETCH] if location in self._stretches else [])

    @cached_property
    def _stretches(self) -> Mapping[int, Linear]:
        return self.together.stretches.get(self.thread.name, {})

    def _taken(self, location: int) -> Mapping[int, Taking]:
        """The locks that it takes where it leaves a location."""
        known = self.thread.known.get(location)
        begun = self.together.accessed.get(self.thread.name, {}).get(location)
        if begun is not None and location not in self._stretches:
            return {STRETCH: Taking(begun, frozenset(), False, slot=STRETCH)}
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
        kept = self._kept(command)
        changed = self._changed[command.source] | self._written(index)
        lost = frozenset(copy for copy in changed if copy[0] not in kept)
        beside = {(slot, self._named[name].places) for slot, name in lost if self._named[name].places}
        return lost.union(it for it in self.accessed.values() if (it[0], self._named[it[1]].places) in beside)

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
        command = self.thread.commands[index]
        kept, taken = self._kept(command), self._taken(command.target)
        behind = frozenset(it for it in found[command.target] if it[0] in kept and it[0] not in taken)
        written = self._written(index)
        used = frozenset((self.accessed[index],)) - written if index in self.accessed else frozenset()
        return (behind | self._beside(self._lost(index))) - written | used

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
        return f"${of}@{slot + 1 if slot else ''}@{self.thread.name}"

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
            for one in self.together.combinations:
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
        return [one for one in self.together.combinations if family in one.families]

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


@dataclass(frozen=True, slots=True)
class _Equal:
    """Temporaries with the copies that they are equal to."""

    pairs: frozenset[tuple[str, str]] = frozenset()

    def common(self, other: _Equal) -> _Equal:
        return _Equal(self.pairs & other.pairs)

    def behind(self, instruction: Instruction, copies: Set[str]) -> _Equal:
        pairs = self.pairs
        for step in steps(instruction):
            names, written = dict(pairs), writes(step)
            pairs = frozenset(pair for pair in pairs if written.isdisjoint(pair)) if written else pairs
            match step:
                case Assign(target, Linear(((cell, 1),), 0)) if target.startswith("$") and target not in copies:
                    copy = cell if cell in copies else names.get(cell)
                    pairs |= {(target, copy)} if copy is not None else frozenset()
                case _:
                    continue
        return _Equal(pairs)


def _read_through(commands: Sequence[Command], entry: int, copies: Set[str]) -> list[Command]:
    """The commands with copies in the place of temporaries that are equal to them: tests then tell of the copies."""
    outgoing = by_source(commands)

    def behind(location: int, known: _Equal) -> Iterator[tuple[int, _Equal]]:
        for command in outgoing[location]:
            yield command.target, known.behind(command.instruction, copies)

    found = known_on_all_ways(entry, _Equal(), behind, following(outgoing))
    result: list[Command] = []
    for command in commands:
        names = dict(found[command.source].pairs) if command.source in found else {}
        is_asked = not names.keys().isdisjoint(reads(command.instruction))
        result.append(replace(command, instruction=_with_names(command.instruction, names)) if is_asked else command)
    return result


def _with_names(instruction: Instruction, names: Mapping[str, str]) -> Instruction:
    """An instruction that reads other cells; one of several steps as it is."""

    def rename(cell: str) -> str:
        return names.get(cell, cell)

    match instruction:
        case Assign(target, value):
            return Assign(target, rename_term(value, rename))
        case Compute(target, operation, arguments):
            return Compute(target, operation, tuple(rename_term(argument, rename) for argument in arguments))
        case Lookup():
            return replace(instruction, index=rename_term(instruction.index, rename))
        case Guard() | Assert():
            return replace(instruction, condition=rename_formula(instruction.condition, rename))
        case _:
            return instruction
