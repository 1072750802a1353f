"""What members of one object say of each other that are only written before other threads know the object.

    n = malloc(sizeof *n); n->low = a; n->high = a + 2; push(n);   and elsewhere   n = pop(); assert(n->low < n->high);

One cell stands for a member of all objects of a place, so nothing is known of two members of one of them. But where
each write of a member is one to an object that only the thread that does it knows (`exclusion`), what the members of an
object are when others may get to know it, they are for ever. So a linear combination of members that the program
compares or computes has a summary cell for its values then: whoever has read the members of one object has found one
of these. While a thread may be alone with an object of a place, what it reads of such objects does not count.

*Approximates*: over. An object of which nobody has set anything has the values with which its members begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from networkx.utils import UnionFind

from duet.frontend.graph.events import Allocation, Element
from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.frontend.judgments.exclusion import Known
from duet.frontend.judgments.families import Thread
from duet.frontend.judgments.settled import null_on
from duet.frontend.judgments.together import MOST, Combination, normal, terms_of
from duet.plip.syntax import Assign, Atomic, Cell, Command, Guard, Havoc, Instruction, Linear, steps
from duet.plip.terms import add, compare, constant, linear, scale, show_term, substitute, term_cells, variable
from duet.plip.touched import writes

At: TypeAlias = tuple[str, int]
"""A command, by its template and its number there."""


@dataclass
class Published:
    """What goes before commands and behind them, and the members of the combinations."""

    before: dict[At, list[Instruction]] = field(default_factory=lambda: defaultdict(list))
    behind: dict[At, list[Instruction]] = field(default_factory=lambda: defaultdict(list))
    members: dict[str, Sequence[tuple[Sequence[str], int]]] = field(default_factory=dict)


class _Member(NamedTuple):
    """A cell that is read, where the object is of which it is a member, and the name of its group."""

    cell: str
    at: Linear
    group: str


@dataclass(frozen=True, slots=True)
class _Reads:
    """The cells that are a sum of members of one object: each with where that is, and the sum by names of groups."""

    found: frozenset[tuple[str, Linear, Linear]] = frozenset()

    def common(self, other: _Reads) -> _Reads:
        return _Reads(self.found & other.found)

    def of(self, term: Linear) -> Iterator[tuple[Linear, Linear]]:
        """Where the object is whose members a term is a sum of, with the sum."""
        every = [{at: value for cell, at, value in self.found if cell == name} for name in term_cells(term)]
        for at in set(every[0]).intersection(*every[1:]) if every else ():
            values = {name: known[at] for name, known in zip(term_cells(term), every, strict=True)}
            yield at, substitute(term, values)

    def after(self, instruction: Instruction, read: _Member | None, is_own: Callable[[str], bool]) -> _Reads:
        """Behind an instruction, which may read a member of an object that is somewhere before.

        Only of cells that `is_own` to the thread is known what they are.
        """
        known = self
        for step in steps(instruction):
            changed = writes(step)
            more: set[tuple[str, Linear, Linear]] = set()
            if isinstance(step, Assign) and is_own(step.target):
                member = read if read is not None and step.value == variable(read.cell) else None
                sums = known.of(step.value) if member is None else [(member.at, variable(member.group))]
                more = {(step.target, at, value) for at, value in sums if step.target not in term_cells(at)}
            kept = {it for it in known.found if it[0] not in changed and changed.isdisjoint(term_cells(it[1]))}
            known = _Reads(frozenset(kept | more))
            read = read if read is not None and changed.isdisjoint(term_cells(read.at)) else None
        return known


def published(threads: Sequence[Thread], cells: dict[str, Cell]) -> Published:
    """The combinations with what threads do for them; adds their cells."""
    result = Published()
    members = _members(threads, cells)
    if not members.groups:
        return result
    asked = {thread.name: dict(_asked(thread, members)) for thread in threads}
    wanted = {one for of in asked.values() for found in of.values() for one, _, _ in found}
    combinations = sorted(wanted, key=str)[:MOST]
    for one in combinations:
        keys = {key: [members.cell(key, name) for name in one.families] for key in members.keys_of(one)}
        several = [sorted(own) for own in zip(*keys.values(), strict=True)]
        result.members[_name(one)] = [(own, k) for own, (_, k) in zip(several, one.term.terms, strict=True)]
        label = show_term(one.term, lambda name: cells[name].label)
        cells[_name(one)] = Cell(_name(one), summary=True, label=label, span=cells[one.families[0]].span)
    for thread in threads if combinations else ():
        _read(thread, asked[thread.name], combinations, cells, result)
        _set(thread, members, combinations, cells, result)
    return result


@dataclass(frozen=True)
class _Members:
    """Cells that are only written in new objects, by group, and how far each is from the beginning of its object.

    One access may mean any cell of a group; of an object it has one.
    """

    groups: Mapping[str, Mapping[str, str]]
    """The cells of a group, by the keys of their objects."""
    distances: Mapping[str, Fraction]
    group_of: Mapping[str, str]

    def cell(self, key: str, group: str) -> str:
        return self.groups[group][key]

    def keys_of(self, one: Combination) -> list[str]:
        """The keys of objects that have all members of a combination."""
        return sorted(set(self.groups[one.families[0]]).intersection(*(self.groups[it] for it in one.families)))

    def read(self, thread: Thread, command: Command) -> _Member | None:
        """The member of an object that a command reads."""
        element, here = thread.element(command), thread.known.get(command.source)
        if element is None or here is None or element.cell not in self.group_of or element.spot.begin is None:
            return None
        distance = self.distances[element.cell]
        if element.cell in writes(command.instruction) or distance.denominator > 1:
            return None
        at = add(here.resolved(element.spot.begin), constant(-int(distance)))
        is_known = all(map(thread.cells.is_own, term_cells(at)))
        return _Member(element.cell, at, self.group_of[element.cell]) if is_known else None

    def is_of(self, value: Linear, keys: Collection[str]) -> bool:
        """Whether a sum has members of objects with some of the keys."""
        return any(not self.groups[name].keys().isdisjoint(keys) for name in term_cells(value))


def _members(threads: Sequence[Thread], cells: Mapping[str, Cell]) -> _Members:
    """The members that are only written in new objects."""
    alike: UnionFind[str] = UnionFind()
    objects: dict[str, str] = {}
    for thread in threads:
        meant: dict[int, str] = {}
        for element in thread.events.elements.values():
            if cells[element.cell].template is None:
                alike.union(meant.setdefault(element.access, element.cell), element.cell)
                objects[element.cell] = element.object
    distances: dict[str, set[Fraction | None]] = defaultdict(set)
    crowded: set[str] = set()
    for thread in threads:
        crowded |= set(_crowded(thread))
        for command in thread.commands:
            for cell in writes(command.instruction) & objects.keys():
                distances[cell] |= set(_distances(thread, command, cell))
    told = {cell: next(iter(found)) for cell, found in distances.items() if len(found) == 1}
    known = {cell: distance for cell, distance in told.items() if distance is not None}
    groups: dict[str, Mapping[str, str]] = {}
    for group in sorted(map(sorted, alike.to_sets())):
        by_key = {objects[cell]: cell for cell in group}
        if known.keys() >= set(group) and len(by_key) == len(group) and crowded.isdisjoint(by_key):
            groups[group[0]] = by_key
    group_of = {cell: name for name, by_key in groups.items() for cell in by_key.values()}
    return _Members(groups, known, group_of)


def _crowded(thread: Thread) -> Iterator[str]:
    """The keys of which a thread may be alone with two objects, or that it shows while it is at a location."""
    for location, here in thread.known.items():
        keys = [item.origin.key for item in _new(thread, location)]
        yield from (key for key in keys if keys.count(key) > 1)
        yield from (it.origin.key for it in here.new if it.origin in thread.events.shown.get(location, ()))


def _new(thread: Thread, location: int) -> frozenset[Allocation]:
    """The objects that are new where a thread leaves a location."""
    return thread.known[location].new.union(thread.events.allocations.get(location, ()))


def _distances(thread: Thread, command: Command, cell: str) -> Iterator[Fraction | None]:
    """How far from the beginning of its object a member is that a command writes; None where that may not be new."""
    here, element = thread.known.get(command.source), thread.element(command)
    if here is None:
        return  # nothing leads there
    if element is None or element.cell != cell:
        yield None
    elif not _is_elsewhere(here, element):
        is_kept = element.object in {item.origin.key for item in _behind(thread, command)}
        yield thread.distance(command, element) if is_kept else None


def _behind(thread: Thread, command: Command) -> Collection[Allocation]:
    """The objects that are new behind a command."""
    there = thread.known.get(command.target)
    return there.new if there is not None else _new(thread, command.source)


def _is_elsewhere(here: Known, element: Element) -> bool:
    """Whether an access is to a new object of another place, so that no execution goes that way."""
    pointer = element.spot.pointer
    beside = {it.origin.key for it in here.new if pointer is not None and here.is_beside(pointer, it.address)}
    return bool(beside) and element.object not in beside


_Asked: TypeAlias = list[tuple[Combination, Linear, Linear]]
"""Combinations, each with a term of the thread's own cells and what that is by the combination's own name."""


def _asked(thread: Thread, members: _Members) -> Iterator[tuple[int, _Asked]]:
    """The combinations that commands compare or compute, by number."""
    outgoing = by_source(thread.commands)

    def counting(location: int, reads: _Reads) -> _Reads:
        """What was read of objects with which the thread is not alone."""
        if location not in thread.known:
            return _Reads()
        keys = {item.origin.key for item in _new(thread, location)}
        return _Reads(frozenset(it for it in reads.found if not members.is_of(it[2], keys))) if keys else reads

    def behind(location: int, reads: _Reads) -> Iterator[tuple[int, _Reads]]:
        before = counting(location, reads)
        for command in outgoing[location]:
            yield command.target, before.after(command.instruction, members.read(thread, command), thread.cells.is_own)

    found = known_on_all_ways(thread.entry, _Reads(), behind, following(outgoing))
    for index, command in enumerate(thread.commands):
        reads = counting(command.source, found.get(command.source, _Reads()))
        asked: _Asked = []
        for term in terms_of(command) if reads.found else ():
            for _, whole in sorted(reads.of(term), key=str)[:1]:
                of_members = add(whole, constant(-whole.constant))
                if len(of_members.terms) > 1:
                    one = Combination(normal(dict(of_members.terms)))
                    factor = of_members.terms[0][1] // dict(one.term.terms)[of_members.terms[0][0]]
                    asked.append((one, term, add(scale(variable(_name(one)), factor), constant(whole.constant))))
        if asked:
            yield index, asked


def _read(
    thread: Thread,
    asked: Mapping[int, _Asked],
    combinations: Collection[Combination],
    cells: dict[str, Cell],
    result: Published,
) -> None:
    """Where members were read, they have one of the values that the combination has."""
    for index, found in asked.items():
        for one, term, value in found:
            if one in combinations:
                own = _own(thread, _name(one), cells)
                same = compare(term, "==", substitute(value, {_name(one): variable(own)}))
                result.before[thread.name, index].append(Atomic((Assign(own, variable(_name(one))), Guard(same))))


def _set(
    thread: Thread, members: _Members, combinations: Iterable[Combination], cells: dict[str, Cell], result: Published
) -> None:
    """A thread knows the members of its new object, and sets combinations where others may get to know that."""
    by_key: dict[str, list[Combination]] = defaultdict(list)
    for one in combinations:
        for key in members.keys_of(one):
            by_key[key].append(one)
    own_cells = {
        key: sorted({members.cell(key, name) for one in found for name in one.families})
        for key, found in by_key.items()
    }
    absent = _absent(thread) if own_cells else {}
    for index, command in enumerate(thread.commands):
        if command.source not in absent:
            continue
        before = result.before[thread.name, index]
        for item in sorted(thread.events.allocations.get(command.source, ()), key=str):
            own = own_cells.get(item.origin.key, ())
            before[:0] = [Havoc(_own(thread, cell, cells)) for cell in own]
        new = _new(thread, command.source)
        kept = {item.origin.key for item in _behind(thread, command)}
        null = absent[command.source].keys.union(null_on(command.instruction, thread.known[command.source], new))
        for key in sorted({it.origin.key for it in new}.difference(kept, null) & by_key.keys()):
            for one in by_key[key]:
                value = linear({_own(thread, members.cell(key, name), cells): k for name, k in one.term.terms})
                mine = _own(thread, _name(one), cells)
                before += [Assign(mine, value), Assign(_name(one), variable(mine))]
        for cell in sorted(writes(command.instruction) & members.group_of.keys()):
            if any(cell in found for found in own_cells.values()):
                copy = _own(thread, cell, cells)
                result.behind[thread.name, index].append(_copying(command.instruction, copy, cells))


@dataclass(frozen=True, slots=True)
class _Absent:
    """The keys of new objects that are not there, as what has their address is null."""

    keys: frozenset[str] = frozenset()

    def common(self, other: _Absent) -> _Absent:
        return _Absent(self.keys & other.keys)


def _absent(thread: Thread) -> Mapping[int, _Absent]:
    """The new objects that are not there at each location, though they are new, as one of them may be."""
    outgoing = by_source(thread.commands)

    def behind(location: int, here: _Absent) -> Iterator[tuple[int, _Absent]]:
        for command in outgoing[location] if location in thread.known else ():
            known, new = thread.known[location], _new(thread, location)
            there = {item.origin.key for item in _behind(thread, command)}
            appearing = there.difference(item.origin.key for item in new)
            begun = {item.origin.key for item in thread.events.allocations.get(location, ())}
            null = (here.keys - begun).union(appearing, null_on(command.instruction, known, new))
            yield command.target, _Absent(frozenset(null & there))

    return known_on_all_ways(thread.entry, _Absent(), behind, following(outgoing))


def _copying(instruction: Instruction, copy: str, cells: Mapping[str, Cell]) -> Instruction:
    """What sets a copy to what an instruction has set a member to."""
    match instruction:
        case Assign(_, value) if all(cells[name].template is not None for name in term_cells(value)):
            return Assign(copy, value)
        case _:
            return Havoc(copy)


def _name(one: Combination) -> str:
    """The cell for the values of a combination when others got to know the objects."""
    return f"{show_term(one.term)}:published"


def _own(thread: Thread, cell: str, cells: dict[str, Cell]) -> str:
    """The cell of a thread for a member of its new object, or for a combination."""
    name = f"${cell}@new@{thread.name}"
    if name not in cells:
        of = cells[cell]
        cells[name] = Cell(name, thread.name, label=of.label, span=of.span)
    return name
