"""Data races: two threads that are about to access one memory location, at least one of them to write it.

*Source*: C11 5.1.2.4, in the form that a sequentially consistent execution has a race iff two threads are about to make
conflicting accesses in one of its states. Locks, joining and thread creation need no rules of their own: they keep two
threads from being at two places together, which coreachability (thesis Fig. 3.4) decides under the final annotation.
Accesses themselves say what else keeps others out (see `Access.excludes`). Of handlers see `duet.check.interruptions`.
*Approximates*: over. What is not reported cannot happen in any schedule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain, combinations_with_replacement, product
from typing import Protocol, TypeAlias

from domains.values import arithmetic, number
from domains.values.number import Number
from duet.check.drawn import Draws
from duet.check.interruptions import Order, Threads
from duet.check.turns import Turns, turns_of
from duet.interference.annotation import Annotation
from duet.interference.conditions import Conditions, negated
from duet.plip.accesses import ANY_MEMORY, Access, AccessKind, Bytes
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.once import once
from duet.plip.syntax import Linear, Program
from duet.records import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """An access where a thread of a template makes it: before it leaves `location`."""

    location: int
    template: str
    access: Access


Pair: TypeAlias = tuple[int, int]
"""Two by their index, the smaller one first; equal ones are two threads of one template."""
Group: TypeAlias = tuple[int, ...]
"""Sites by their index in `sites` that no question about pairs tells apart."""


class Coreachability(Protocol):
    """Which locations two threads can be at together."""

    @property
    def conditions(self) -> Conditions:
        """The conditions that were looked at, with what annotations have said of them."""
        ...

    def coreachable(self, left: int, right: int) -> bool: ...

    def place(self, location: int) -> int | None:
        """A number that locations share if no two of them are told apart; None if no thread gets there."""
        ...


@dataclass
class Together:
    """Decides whether two threads can be at two locations at one time.

    At the end of coarsening the annotation is true, so that pairs may be dropped whose invariants contradict each
    other; only conditions that are observed anyway are asked for. While one thread is inside an atomic region, the
    invariant where another one waits need not hold, so then it says nothing.

    *Requires*: the annotation holds in every execution, and `flows` are feasible under one that does.
    """

    program: Program
    flows: Coreachability
    annotation: Annotation
    _known: dict[int, int] = field(default_factory=dict)
    _numbers: dict[tuple[int, Linear], Number] = field(default_factory=dict)
    _known_turns: dict[str, Turns | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._inside = frozenset().union(*(template.atomic for template in self.program.templates.values()))

    @cached_property
    def _draws(self) -> Draws:
        return Draws(self.program, self.annotation, self)

    @cached_property
    def _beside(self) -> Mapping[str, Sequence[int]]:
        """The locations of each template."""
        found: dict[str, list[int]] = {name: [] for name in self.program.templates}
        for location, name in self.program.template_of.items():
            found[name].append(location)
        return found

    def __call__(self, left: int, right: int) -> bool:
        if not self.flows.coreachable(left, right):
            return False
        if self.annotation.is_bottom(left) or self.annotation.is_bottom(right):
            return False
        if left in self._inside or right in self._inside:
            return True
        return not self._entailed(left) & negated(self._entailed(right))

    def are_apart(self, left: Site, right: Site) -> bool:
        """Whether two threads about to make two accesses certainly mean different bytes, by what is known of these.

        In one state each address is a number that its thread's own cells give, and both lie within what the invariants
        say of it where the thread is; pointers to the same bytes are the same number.
        """
        one, other = left.access.bytes, right.access.bytes
        if one is None or other is None or not {left.location, right.location}.isdisjoint(self._inside):
            return False
        between = arithmetic.add(self._number(left, one), arithmetic.negate(self._number(right, other)))
        return (
            number.clip(between, 1 - one.size, other.size - 1) is None
            or self._are_in_turn(left, right)
            or self._are_drawn(left, right)
            or self._is_beyond(left, right)
            or self._is_beyond(right, left)
        )

    def _are_in_turn(self, left: Site, right: Site) -> bool:
        """Whether what two threads of a template access is apart since their arguments are."""
        turns = self._turns(left.template)
        if left.template != right.template or turns is None:
            return False
        return _are_distant(left, turns, right, turns)

    def _are_drawn(self, left: Site, right: Site) -> bool:
        """Whether what two threads access is apart since the numbers that they have drawn from a counter are."""
        if left.access.bytes is None or right.access.bytes is None:
            return False
        one, other = (left.template, _begin(left.access.bytes)), (right.template, _begin(right.access.bytes))
        return any(_are_distant(left, mine, right, theirs) for mine, theirs in self._draws.of_both(one, other))

    def _is_beyond(self, left: Site, right: Site) -> bool:
        """Whether a thread accesses what is behind all that threads of the other's template have been given."""
        one, other = left.access.bytes, right.access.bytes
        turns = self._turns(right.template)
        if one is None or other is None or turns is None:
            return False
        theirs = turns.of(right.location, _begin(other))
        return theirs is not None and any(
            it.template == right.template and it.factor == theirs.factor and theirs.hi + other.size <= it.distance
            for it in one.beyond
        )

    def _turns(self, template: str) -> Turns | None:
        """What own cells of threads of a template are by their arguments, if these are apart."""
        if template not in self._known_turns:
            self._known_turns[template] = turns_of(self.program, template, self.annotation)
        return self._known_turns[template]

    def _number(self, site: Site, accessed: Bytes) -> Number:
        """What is known of the address of the first byte of an access where that is made."""
        term = _begin(accessed)
        key = site.location, term
        if key not in self._numbers:
            self._numbers[key] = self.annotation.number(site.location, term)
        return self._numbers[key]

    def kind(self, location: int) -> Hashable:
        """What the answers about a location depend on: they are alike for locations of one kind."""
        is_bottom = self.annotation.is_bottom(location)
        return self.flows.place(location), is_bottom, location in self._inside, self._entailed(location)

    def _entailed(self, location: int) -> int:
        """The conditions that hold at a location, as a set of bits."""
        if location not in self._known:  # all locations of a template are asked about sooner or later
            found = self.flows.conditions.entailed(self.annotation, self._beside[self.program.template_of[location]])
            self._known.update(found)
        return self._known[location]


def _are_distant(left: Site, mine: Turns, right: Site, theirs: Turns) -> bool:
    """Whether two accesses are to different bytes, by numbers of their threads that are `apart` so much at least."""
    if left.access.bytes is None or right.access.bytes is None:
        return False
    one = mine.of(left.location, _begin(left.access.bytes))
    other = theirs.of(right.location, _begin(right.access.bytes))
    if one is None or other is None or one.factor != other.factor:
        return False
    distance = abs(one.factor) * min(mine.apart, theirs.apart)
    return (
        distance + one.lo - other.hi >= right.access.bytes.size
        and distance + other.lo - one.hi >= left.access.bytes.size
    )


def _begin(accessed: Bytes) -> Linear:
    return Linear(accessed.terms, accessed.constant)


@once
def sites(program: Program) -> tuple[Site, ...]:
    """The accesses to memory of a program, in the order of its commands, each once for each location."""
    found = {
        Site(command.source, program.template_of[command.source], access): None
        for command in program.commands
        for access in command.accesses
        if access.is_memory
    }
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Races:
    """Conflicting pairs of accesses: each site of one group with each of the other one, for all `pairs`.

    Those of `interrupting` are made by one thread, see `duet.check.interruptions`.
    """

    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]
    interrupting: frozenset[Pair] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        """The pairs of sites."""
        for one, other in self.pairs:
            if one == other:
                yield from combinations_with_replacement(self.groups[one], 2)
            else:
                for left, right in product(self.groups[one], self.groups[other]):
                    yield min(left, right), max(left, right)

    @property
    def members(self) -> frozenset[int]:
        """The sites in a pair."""
        return frozenset(site for pair in self.pairs for group in pair for site in self.groups[group])


def races(program: Program, judges: Sequence[Together]) -> Races:
    """The conflicting pairs that two threads can be at together according to every judge.

    Without a judge: those that would be a race if two threads got there together, also those that exclude each other.
    """
    found = sites(program)
    meeting = _meeting({site.location: None for site in found}, judges)
    threads = _threads(program, judges)
    groups = _groups(found, meeting, threads)
    firsts = [found[group[0]] for group in groups]
    pairs: dict[Pair, Order] = {}
    for one, other in _conflicts(program, firsts):
        left, right = firsts[one], firsts[other]
        if meeting[left.location].may_meet(meeting[right.location]) and not (
            judges and (left.access.excludes(right.access) or any(judge.are_apart(left, right) for judge in judges))
        ):
            order = threads.order((left.location, left.access), (right.location, right.access))
            pairs[one, other] = order if judges or order is not Order.NONE else Order.RACE
    interrupting = frozenset(pair for pair, order in pairs.items() if order is Order.INTERRUPTION)
    return Races(groups, tuple(pair for pair, order in pairs.items() if order is not Order.NONE), interrupting)


def _threads(program: Program, judges: Sequence[Together]) -> Threads:
    """Which threads there may be at locations, according to every judge."""

    def together(one: int, other: int) -> bool:
        return all(judge(one, other) for judge in judges)

    return Threads(program, together, lambda place: tuple(judge.kind(place) for judge in judges))


@dataclass(frozen=True, slots=True)
class _Standing:
    """What judges say of a location: the `others` that it may be together with, as bits, and its own `bit` in these.

    Locations that may be together with the same others have the same bit.
    """

    others: int
    bit: int

    def may_meet(self, other: _Standing) -> bool:
        """Whether two threads can be at the two locations together."""
        return bool(self.others & other.bit)


def _meeting(locations: Iterable[int], judges: Sequence[Together]) -> Mapping[int, _Standing]:
    """The standing of each location; each judge is asked once for each two kinds of locations."""
    kinds: dict[Hashable, list[int]] = defaultdict(list)
    for location in locations:
        kinds[tuple(judge.kind(location) for judge in judges)].append(location)
    firsts = [members[0] for members in kinds.values()]
    others = [0] * len(firsts)
    for one, other in combinations_with_replacement(range(len(firsts)), 2):
        if all(judge(firsts[one], firsts[other]) for judge in judges):
            others[one] |= 1 << other
            others[other] |= 1 << one
    bits = {row: 1 << number for number, row in enumerate(others)}
    return {
        location: _Standing(row, bits[row])
        for row, members in zip(others, kinds.values(), strict=True)
        for location in members
    }


def _groups(found: Sequence[Site], meeting: Mapping[int, _Standing], threads: Threads) -> tuple[Group, ...]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, site in enumerate(found):
        access = site.access
        what = access.kind, access.object, access.path, access.is_atomic, access.owner, access.is_of_flag
        where = meeting[site.location].bit, threads.alive(site.location), access.bytes and (site.location, access.bytes)
        groups[site.template, what, (access.locks, access.is_private, access.is_alone), where].append(index)
    return tuple(tuple(members) for members in groups.values())


def _conflicts(program: Program, found: Sequence[Site]) -> Iterator[Pair]:
    """The pairs of sites with conflicting accesses of two threads, by index."""
    many = multiplicities(program)
    by_object: dict[str, list[int]] = defaultdict(list)
    for index, site in enumerate(found):
        by_object[site.access.object].append(index)
    wild = by_object.get(ANY_MEMORY, [])
    for name, members in by_object.items():
        candidates = combinations_with_replacement(members, 2)
        for one, other in candidates if name == ANY_MEMORY else chain(candidates, product(members, wild)):
            left, right = found[one], found[other]
            is_apart = left.template != right.template or many[left.template] is not Multiplicity.ONE
            if is_apart and conflict(left.access, right.access):
                yield min(one, other), max(one, other)


def conflict(left: Access, right: Access) -> bool:
    """Whether two accesses touch one place, at least one writes, and not both are atomic (C11 5.1.2.4)."""
    is_write = AccessKind.WRITE in (left.kind, right.kind)
    return is_write and not (left.is_atomic and right.is_atomic) and left.overlaps(right)


@dataclass(frozen=True, slots=True)
class SharedCell:
    """A memory location that two threads access, at least one of them to write it; `members` are its sites."""

    object: str
    path: tuple[str, ...]
    label: str
    members: tuple[int, ...]


@once
def shared_cells(program: Program) -> tuple[SharedCell, ...]:
    """The memory locations of conflicting pairs, in order of first access; elements of an array count as one."""
    found = sites(program)
    members: dict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    for index in sorted(races(program, ()).members):
        members[_cell_of(found[index].access)].append(index)
    return tuple(
        SharedCell(key, path, min((found[index].access.label for index in inside), key=_generality), tuple(inside))
        for (key, path), inside in members.items()
    )


def _cell_of(access: Access) -> tuple[str, tuple[str, ...]]:
    return access.object, tuple("[*]" if step.startswith("[") else step for step in access.path)


def _generality(label: str) -> tuple[bool, str]:
    return "[*]" not in label, label


def free_of_races(cells: Iterable[SharedCell], found: Sequence[Site], racing: Races) -> tuple[SharedCell, ...]:
    """The memory locations that no race is on, nor on a part of them or on the whole.

    A race with an access to unknown memory is one on unknown memory, too.
    """
    bad: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    is_anywhere = False
    for one, other in racing.pairs:
        left, right = found[racing.groups[one][0]].access, found[racing.groups[other][0]].access
        name, path = _cell_of(right if left.object == ANY_MEMORY or len(left.path) < len(right.path) else left)
        bad[name].add(path)
        is_anywhere |= name == ANY_MEMORY
        if ANY_MEMORY in (left.object, right.object):
            bad[ANY_MEMORY].add(())
    return tuple(
        cell
        for cell in cells
        if not any(_agree(cell.path, path) for path in bad[cell.object])
        and not (is_anywhere and any(found[index].access.is_exposed for index in cell.members))
    )


def _agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one path leads to a part of what the other one leads to."""
    return all(mine == theirs for mine, theirs in zip(one, other, strict=False))
