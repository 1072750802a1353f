"""Data races: two threads that are about to access one memory location, at least one of them to write it.

*Source*: C11 5.1.2.4, in the form that a sequentially consistent execution has a race iff two threads are about to make
conflicting accesses in one of its states. Locks, joining and thread creation need no rules of their own: they keep two
threads from being at two places together, which coreachability (thesis Fig. 3.4) decides under the final annotation.
*Approximates*: over. What is not reported cannot happen in any schedule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import Protocol, TypeAlias

from duet.interference.annotation import Annotation
from duet.interference.conditions import entailed, negated, observable_conditions
from duet.plip.accesses import Access, AccessKind
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Program


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

    def __post_init__(self) -> None:
        self._conditions = observable_conditions(self.program)
        self._inside = frozenset().union(*(template.atomic for template in self.program.templates.values()))

    def __call__(self, left: int, right: int) -> bool:
        if not self.flows.coreachable(left, right):
            return False
        if self.annotation.is_bottom(left) or self.annotation.is_bottom(right):
            return False
        if left in self._inside or right in self._inside:
            return True
        return not self._entailed(left) & negated(self._entailed(right))

    def kind(self, location: int) -> Hashable:
        """What the answers about a location depend on: they are alike for locations of one kind."""
        is_bottom = self.annotation.is_bottom(location)
        return self.flows.place(location), is_bottom, location in self._inside, self._entailed(location)

    def _entailed(self, location: int) -> int:
        """The conditions that hold at a location, as a set of bits."""
        if location not in self._known:
            self._known[location] = entailed(self._conditions, self.annotation, location)
        return self._known[location]


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
    """Conflicting pairs of accesses: each site of one group with each of the other one, for all `pairs`."""

    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]

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

    Without a judge: those that would be a race if two threads got there together.
    """
    found = sites(program)
    groups = _groups(found, judges)
    pairs = [
        (one, other)
        for one, other in _conflicts(program, [found[group[0]] for group in groups])
        if all(judge(found[groups[one][0]].location, found[groups[other][0]].location) for judge in judges)
    ]
    return Races(groups, tuple(pairs))


def _groups(found: Sequence[Site], judges: Sequence[Together]) -> tuple[Group, ...]:
    kinds = {site.location: tuple(judge.kind(site.location) for judge in judges) for site in found}
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, site in enumerate(found):
        access = site.access
        what = access.kind, access.object, access.path, access.is_atomic, access.owner
        groups[site.template, what, kinds[site.location]].append(index)
    return tuple(tuple(members) for members in groups.values())


def _conflicts(program: Program, found: Sequence[Site]) -> Iterator[Pair]:
    """The pairs of sites with conflicting accesses of two threads, by index."""
    many = multiplicities(program)
    by_object: dict[str, list[int]] = defaultdict(list)
    for index, site in enumerate(found):
        by_object[site.access.object].append(index)
    for members in by_object.values():
        for one, other in combinations_with_replacement(members, 2):
            left, right = found[one], found[other]
            is_apart = left.template != right.template or many[left.template] is not Multiplicity.ONE
            if is_apart and _conflict(left.access, right.access):
                yield one, other


def _conflict(left: Access, right: Access) -> bool:
    is_write = AccessKind.WRITE in (left.kind, right.kind)
    return is_write and not (left.is_atomic and right.is_atomic) and left.overlaps(right)


@dataclass(frozen=True, slots=True)
class SharedCell:
    """A memory location that two threads access, at least one of them to write it; `members` are its sites."""

    object: str
    path: tuple[str, ...]
    label: str
    members: tuple[int, ...]


def shared_cells(program: Program, found: Sequence[Site]) -> tuple[SharedCell, ...]:
    """The memory locations of conflicting pairs, in order of first access; elements of an array count as one."""
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


def free_of_races(cells: Iterable[SharedCell], racing: Races) -> tuple[SharedCell, ...]:
    """The memory locations with no site in a race."""
    bad = racing.members
    return tuple(cell for cell in cells if bad.isdisjoint(cell.members))


@dataclass(frozen=True, slots=True)
class Race:
    """The pairs of one cell on one pair of source lines: one to show, and how many there are."""

    label: str
    pair: Pair
    count: int


def distinct(found: Sequence[Site], racing: Races) -> tuple[Race, ...]:
    """The races, one for each cell and pair of source lines; one on a whole stands for those on its parts.

    A pair begins with a write where there is one, else with what comes first in the source.
    """
    grouped: dict[tuple[Line, Line], dict[str, Race]] = defaultdict(dict)
    for lines, race in _by_lines(found, racing):
        known = grouped[lines].get(race.label)
        if known is not None:
            shown = min(known.pair, race.pair, key=lambda pair: (_rank(found[pair[0]]), _rank(found[pair[1]])))
            race = Race(race.label, shown, known.count + race.count)
        grouped[lines][race.label] = race
    return tuple(
        race
        for _, labelled in sorted(grouped.items())
        for label, race in sorted(labelled.items())
        if not any(_is_part(label, whole) for whole in labelled)
    )


def _by_lines(found: Sequence[Site], racing: Races) -> Iterator[tuple[tuple[Line, Line], Race]]:
    """The races of each pair of groups, one for each pair of source lines."""
    parts = [_by_line(found, group) for group in racing.groups]
    for one, other in racing.pairs:
        is_same = one == other
        for mine, theirs in (
            combinations_with_replacement(parts[one], 2) if is_same else product(parts[one], parts[other])
        ):
            first, second = sorted((mine[0], theirs[0]), key=lambda index: _rank(found[index]))
            access = max((found[first].access, found[second].access), key=lambda access: len(access.path))
            low, high = sorted((_line(found[first]), _line(found[second])))
            count = len(mine) * (len(mine) + 1) // 2 if mine is theirs else len(mine) * len(theirs)
            yield (low, high), Race(access.label, (first, second), count)


Line: TypeAlias = tuple[str, int]


def _by_line(found: Sequence[Site], group: Group) -> Sequence[Sequence[int]]:
    """The sites of a group by source lines, those to show first in front."""
    lines: dict[Line, list[int]] = defaultdict(list)
    for index in sorted(group, key=lambda index: _rank(found[index])):
        lines[_line(found[index])].append(index)
    return tuple(lines.values())


def _line(site: Site) -> Line:
    span = site.access.span
    return (span.file, span.line) if span is not None else ("", 0)


def _is_part(label: str, whole: str) -> bool:
    return label.startswith((f"{whole}.", f"{whole}["))


def _rank(site: Site) -> tuple[bool, str, int, int, int]:
    span = site.access.span
    place = (span.file, span.line, span.column) if span is not None else ("", 0, 0)
    return site.access.kind is not AccessKind.WRITE, *place, site.location
