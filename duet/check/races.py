"""Data races: two threads that are about to access one memory location, at least one of them to write it.

*Source*: C11 5.1.2.4, in the form that a sequentially consistent execution has a race iff two threads are about to make
conflicting accesses in one of its states. Locks, joining and thread creation need no rules of their own: they keep two
threads from being at two places together, which coreachability (thesis Fig. 3.4) decides under the final annotation.
*Approximates*: over. What is not reported cannot happen in any schedule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Protocol, TypeAlias

from duet.interference.annotation import Annotation
from duet.interference.conditions import observable_conditions
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
"""Two sites by their index in `sites`, the smaller one first; equal ones are two threads of one template."""


class Coreachability(Protocol):
    """Which locations two threads can be at together."""

    def coreachable(self, left: int, right: int) -> bool: ...


def sites(program: Program) -> tuple[Site, ...]:
    """The accesses to memory of a program, in the order of its commands, each once for each location."""
    found = {
        Site(command.source, program.template_of[command.source], access): None
        for command in program.commands
        for access in command.accesses
        if access.is_memory
    }
    return tuple(found)


def conflicts(program: Program, found: Sequence[Site]) -> Iterator[Pair]:
    """The pairs that would be a race if two threads got there together."""
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


def races(program: Program, flows: Coreachability, annotation: Annotation) -> frozenset[Pair]:
    """The conflicting pairs that two threads can be at together.

    *Requires*: the annotation holds in every execution, and `flows` are feasible under one that does.
    """
    found = sites(program)
    together = Together(program, flows, annotation)
    return frozenset(
        (one, other) for one, other in conflicts(program, found) if together(found[one].location, found[other].location)
    )


@dataclass
class Together:
    """Decides whether two threads can be at two locations at one time.

    At the end of coarsening the annotation is true, so that pairs may be dropped whose invariants contradict each
    other; only conditions that are observed anyway are asked for. While one thread is inside an atomic region, the
    invariant where another one waits need not hold, so then it says nothing.
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
        return not self._entailed(left) & _negated(self._entailed(right))

    def _entailed(self, location: int) -> int:
        """The conditions that hold at a location, as a set of bits."""
        if location not in self._known:
            entailed = (1 << c for c, atom in enumerate(self._conditions) if self.annotation.entails(location, atom))
            self._known[location] = sum(entailed)
        return self._known[location]


def _negated(conditions: int) -> int:
    """The negations of a set of conditions: neighbours change places (see `observable_conditions`)."""
    even = ((1 << 2 * (conditions.bit_length() // 2 + 1)) - 1) // 3
    return (conditions & even) << 1 | conditions >> 1 & even


@dataclass(frozen=True, slots=True)
class SharedCell:
    """A memory location that two threads access, at least one of them to write it; `members` are its sites."""

    object: str
    path: tuple[str, ...]
    label: str
    members: tuple[int, ...]


def shared_cells(found: Sequence[Site], conflicting: Iterable[Pair]) -> tuple[SharedCell, ...]:
    """The memory locations of conflicting pairs, in order of first access; elements of an array count as one."""
    members: dict[tuple[str, tuple[str, ...]], dict[int, None]] = {}
    for pair in sorted(conflicting):
        for index in pair:
            members.setdefault(_cell_of(found[index].access), {})[index] = None
    return tuple(
        SharedCell(key, path, min((found[index].access.label for index in inside), key=_generality), tuple(inside))
        for (key, path), inside in members.items()
    )


def _cell_of(access: Access) -> tuple[str, tuple[str, ...]]:
    return access.object, tuple("[*]" if step.startswith("[") else step for step in access.path)


def _generality(label: str) -> tuple[bool, str]:
    return "[*]" not in label, label


def free_of_races(cells: Iterable[SharedCell], racing: Iterable[Pair]) -> tuple[SharedCell, ...]:
    """The memory locations with no site in a race."""
    bad = frozenset(index for pair in racing for index in pair)
    return tuple(cell for cell in cells if bad.isdisjoint(cell.members))


@dataclass(frozen=True, slots=True)
class Race:
    """The pairs of one cell on one pair of source lines; the first pair is the one to show."""

    label: str
    pairs: tuple[Pair, ...]


def distinct(found: Sequence[Site], racing: Iterable[Pair]) -> tuple[Race, ...]:
    """The races, one for each cell and pair of source lines; one on a whole stands for those on its parts.

    A pair begins with a write where there is one, else with what comes first in the source.
    """
    grouped: dict[tuple[Line, Line, str], list[Pair]] = defaultdict(list)
    for pair in racing:
        one, other = sorted(pair, key=lambda index: _rank(found[index]))
        low, high = sorted((_line(found[one]), _line(found[other])))
        access = max((found[one].access, found[other].access), key=lambda access: len(access.path))
        grouped[low, high, access.label].append((one, other))
    labels: dict[tuple[Line, Line], list[str]] = defaultdict(list)
    for low, high, label in grouped:
        labels[low, high].append(label)
    return tuple(
        Race(label, tuple(sorted(pairs, key=lambda pair: (_rank(found[pair[0]]), _rank(found[pair[1]])))))
        for (low, high, label), pairs in sorted(grouped.items())
        if not any(_is_part(label, whole) for whole in labels[low, high])
    )


Line: TypeAlias = tuple[str, int]


def _line(site: Site) -> Line:
    span = site.access.span
    return (span.file, span.line) if span is not None else ("", 0)


def _is_part(label: str, whole: str) -> bool:
    return label.startswith((f"{whole}.", f"{whole}["))


def _rank(site: Site) -> tuple[bool, str, int, int, int]:
    span = site.access.span
    place = (span.file, span.line, span.column) if span is not None else ("", 0, 0)
    return site.access.kind is not AccessKind.WRITE, *place, site.location
