"""Data races as they are shown: one for each memory location and pair of source lines, a few where there are many.

Those of one pair of lines on elements of one array, or on many parts of one object, are one, and so are those of one
access that may be to many objects.

*Approximates*: exact. What is left out is told with what is shown of the same memory location.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations_with_replacement, product, takewhile
from typing import TypeAlias

from duet.check.races import Group, Pair, Races, Site
from duet.plip.accesses import ANY_MEMORY, Access, AccessKind
from duet.records import dataclass
from duet.source import Span

MOST_RACES = 4
"""The most pairs of source lines that are all shown for one memory location; of one with more, one is shown."""
MOST_OF_OBJECT = 64
"""The most races that are shown for one object; of one with more, one is shown for each of its memory locations.

For memory that is not known, it is one for each function that accesses that.
"""
MANY_OBJECTS = 3
"""An access that may be to more objects than this goes through a pointer that is not known well."""
MANY_PARTS = 3
"""Two lines that race on more parts of an object than this race on the object."""
_INDEX = re.compile(r"\[(\d+)\]")
_STEP = re.compile(r"(?=[.\[])(?![^()]*\))")


@dataclass(frozen=True, order=True, slots=True)
class Vague:
    """An access, by its place, that may be to any of some number of objects."""

    objects: int
    file: str
    line: int
    column: int

    @property
    def label(self) -> str:
        return f"any of {self.objects} objects"


@dataclass(frozen=True, slots=True)
class Race:
    """The pairs on one cell, or on elements of one array, of one pair of source lines: one to show, and how many.

    `others` are the pairs of lines of this cell that are left out, `also` their accesses on other lines. One thread
    `interrupts` itself by a handler. Where an access is to `one_of` many objects, the pairs on all of these are one
    race.
    """

    label: str
    pair: Pair
    count: int
    others: int = 0
    also: tuple[int, ...] = ()
    interrupts: bool = False
    one_of: Vague | None = None


Line: TypeAlias = tuple[str, int]
Lines: TypeAlias = tuple[Line, Line]
Part: TypeAlias = tuple[int, Line, int, Vague | None]
"""The accesses of a group on one source line: the rank of the one to show, the line, and how many there are."""


def distinct(found: Sequence[Site], racing: Races) -> tuple[Race, ...]:
    """The races, one for each cell and pair of source lines; one on a whole stands for those on its parts.

    Where a cell has many of them, one that has an access on each of the other lines, too. The accesses of unknown
    pointers to whatever they may race with count as those of one cell, of which only their own lines are shown, each
    once. So do accesses that may each be to many objects.
    """
    return _Summary(found, racing).races()


def _vague(found: Sequence[Site]) -> Mapping[int, Vague]:
    """The sites that are one access to any of more than `MANY_OBJECTS` objects, by their index."""
    meant: dict[tuple[int, Span, AccessKind], list[int]] = defaultdict(list)
    for index, site in enumerate(found):
        access = site.access
        if access.span is not None and not access.is_certain and access.object != ANY_MEMORY:
            meant[site.location, access.span, access.kind].append(index)
    result: dict[int, Vague] = {}
    for (_, span, _), members in meant.items():
        objects = {found[index].access.object for index in members}
        if len(objects) > MANY_OBJECTS:
            result |= dict.fromkeys(members, Vague(len(objects), span.file, span.line, span.column))
    return result


class _Summary:
    """Races by source lines. A pair begins with a write where there is one, else with what is first in the source.

    Sites are compared by their rank in the order in which they are shown; there may be very many pairs.
    """

    def __init__(self, found: Sequence[Site], racing: Races) -> None:
        self._found = found
        self._racing = racing
        self._vague = _vague(found)
        self._lines = [_line(site) for site in found]
        self._rank = {
            index: rank for rank, index in enumerate(sorted(range(len(found)), key=lambda i: _rank(found[i])))
        }

    def races(self) -> tuple[Race, ...]:
        """The races to show, in source order."""
        cells: dict[str, dict[Lines, Race]] = defaultdict(dict)
        vague: list[tuple[Lines, Race]] = []
        for lines, labelled in self._by_lines().items():
            labels = [label for label in labelled if isinstance(label, str)]
            wholes = [labelled[label] for label in labels if not any(_is_part(label, of) for of in labels)]
            for label, race in self._by_cell(wholes):
                cells[label][lines] = race
            vague += [(lines, race) for label, race in labelled.items() if isinstance(label, Vague)]
        shown = list(self._chosen_of_objects(cells))
        shown += self._chosen_of_many(vague)
        shown += [((self._lines[race.pair[0]], self._lines[race.pair[1]]), race) for race in self._interruptions()]
        return tuple(race for _, race in sorted(shown, key=lambda pair: (pair[0], pair[1].label)))

    def _by_cell(self, races: Sequence[Race]) -> Iterator[tuple[str, Race]]:
        """The races of one pair of lines by what they are on: a part of an object, an array, or the object itself."""
        parts: dict[str, list[tuple[str, Race]]] = defaultdict(list)
        for pattern, alike in _by_pattern(races).items():
            race = self._united(alike, _labels([one.label for one in alike])) if len(alike) > 1 else alike[0]
            parts[self._named(*race.pair).object].append((pattern, race))
        for found in parts.values():
            if len(found) <= MANY_PARTS:
                yield from found
            else:
                label = _whole([race.label for _, race in found])
                yield label, self._united([race for _, race in found], label)

    def _united(self, races: Sequence[Race], label: str) -> Race:
        """One race for several of one pair of lines."""
        first = min(races, key=lambda race: self._order(race.pair))
        return replace(first, label=label, count=sum(race.count for race in races))

    def _interruptions(self) -> Iterator[Race]:
        """What handlers and the threads that they interrupt access: one race for each, and one for unknown memory.

        What only accesses to many objects have in common is one for each of these.
        """
        found: dict[str, list[tuple[Pair, int]]] = defaultdict(list)
        for one, other in sorted(self._racing.interrupting):
            groups = self._racing.groups[one], self._racing.groups[other]
            pair = [min(group, key=self._rank.__getitem__) for group in groups]
            pair.sort(key=self._rank.__getitem__)
            objects = {self._found[index].access.object for index in pair}
            found[ANY_MEMORY if ANY_MEMORY in objects else objects.pop()].append(
                ((pair[0], pair[1]), len(groups[0]) * len(groups[1]))
            )
        together: dict[str | Vague, list[tuple[Pair, int]]] = defaultdict(list)
        for name, pairs in found.items():
            together[name if name == ANY_MEMORY else self._common(pairs) or name] += pairs
        for key, pairs in together.items():
            first = min((pair for pair, _ in pairs), key=lambda pair: (self._is_in_one(pair), self._order(pair)))
            one_of = key if isinstance(key, Vague) else None
            label = self._label(*first) if one_of is None else one_of.label
            yield Race(label, first, sum(count for _, count in pairs), interrupts=True, one_of=one_of)

    def _common(self, pairs: Sequence[tuple[Pair, int]]) -> Vague | None:
        """The access to the most objects of some pairs, where each has an access to many."""
        each = [self._vague_of(pair) for pair, _ in pairs]
        return None if None in each else max(one for one in each if one is not None)

    def _vague_of(self, pair: Pair) -> Vague | None:
        """The access of a pair to the most objects, if that are many, and none is to unknown memory."""
        if any(self._is_wild(index) for index in pair):
            return None
        return max((self._vague[index] for index in pair if index in self._vague), default=None)

    def _chosen_of_many(self, races: Sequence[tuple[Lines, Race]]) -> Iterator[tuple[Lines, Race]]:
        """Some races of accesses to many objects, so that the line of each of these accesses is shown."""
        seen: set[Line] = set()
        kept: list[tuple[Lines, Race]] = []
        for lines, race in sorted(races, key=lambda item: self._order(item[1].pair)):
            new = {self._lines[index] for index in race.pair if index in self._vague} - seen
            seen |= new
            kept += [(lines, race)] if new else []
        left_out = Counter(race.one_of for _, race in races)
        left_out.subtract(race.one_of for _, race in kept)
        yield from ((lines, replace(race, others=left_out[race.one_of])) for lines, race in kept)

    def _chosen_of_objects(self, cells: Mapping[str, Mapping[Lines, Race]]) -> Iterator[tuple[Lines, Race]]:
        """Some races of each cell: one, where an object has very many; of unknown memory one for each function."""
        objects: dict[str, list[list[tuple[Lines, Race]]]] = defaultdict(list)
        for races in cells.values():
            chosen = sorted(self._chosen(races), key=lambda item: self._order(item[1].pair))
            objects[self._named(*chosen[0][1].pair).object].append(chosen)
        for name, each in objects.items():
            if sum(map(len, each)) <= MOST_OF_OBJECT:
                yield from chain(*each)
                continue
            together = self._by_function(chain(*each)) if name == ANY_MEMORY else each
            left_out = sum(len(rest) for _, *rest in together)
            for (lines, first), *rest in together:
                yield lines, replace(first, others=first.others + (left_out if name == ANY_MEMORY else len(rest)))

    def _by_function(self, races: Iterable[tuple[Lines, Race]]) -> list[list[tuple[Lines, Race]]]:
        """Races with unknown memory by the functions, in their files, whose accesses these are."""
        found: dict[tuple[str, str], list[tuple[Lines, Race]]] = defaultdict(list)
        for lines, race in races:
            wild = next(index for index in race.pair if self._is_wild(index))
            stack = self._found[wild].access.stack
            found[self._lines[wild][0], stack[-1].function if stack else ""].append((lines, race))
        return list(found.values())

    def _chosen(self, races: Mapping[Lines, Race]) -> Iterator[tuple[Lines, Race]]:
        """All races of a cell if they are few, else one that has the accesses of the others; see `distinct`."""
        if len(races) <= MOST_RACES:
            yield from races.items()
            return
        if any(self._is_wild(index) for race in races.values() for index in race.pair):
            yield from self._each_wild_line(races)
            return
        lines, first = min(races.items(), key=lambda item: self._clear(item[1].pair))
        also = {self._lines[index]: index for race in races.values() for index in sorted(race.pair, reverse=True)}
        others = [index for line, index in also.items() if line not in lines]
        others.sort(key=self._rank.__getitem__)
        yield lines, replace(first, others=len(races) - 1, also=tuple(others))

    def _each_wild_line(self, races: Mapping[Lines, Race]) -> Iterator[tuple[Lines, Race]]:
        """Some races of unknown memory, so that each line is shown that accesses it."""
        seen: set[Line] = set()
        kept: list[tuple[Lines, Race]] = []
        for lines, race in sorted(races.items(), key=lambda item: self._order(item[1].pair)):
            new = [i for i in race.pair if self._is_wild(i) and self._lines[i] not in seen]
            if new:
                seen.update(self._lines[index] for index in new)
                pair = sorted(race.pair, key=lambda index: index != new[0])
                kept.append((lines, replace(race, pair=(pair[0], pair[1]))))
        yield from ((lines, replace(race, others=len(races) - len(kept))) for lines, race in kept)

    def _clear(self, pair: Pair) -> tuple[bool, int, int, int]:
        """Pairs come first of which neither access is that of an unknown function, then those that are certain."""
        sites = [self._found[index].access for index in pair]
        doubt = sum(not access.is_certain for access in sites)
        return any(access.unknown for access in sites), doubt, *self._order(pair)[1:]

    def _by_lines(self) -> Mapping[Lines, Mapping[str | Vague, Race]]:
        parts = [self._parts(group) for group in self._racing.groups]
        by_rank = sorted(self._rank, key=self._rank.__getitem__)
        counts: dict[tuple[Line, Line, str | Vague], list[int]] = {}
        for one, label, is_wild, others in self._partners(parts):
            both = combinations_with_replacement(parts[one], 2) if others is None else product(parts[one], others)
            for (mine, here, size, many), (theirs, there, number, theirs_many) in both:
                count = size * (size + 1) // 2 if others is None and mine == theirs else size * number
                pair = (mine, theirs) if mine <= theirs else (theirs, mine)
                most = max(many, theirs_many) if many and theirs_many else many or theirs_many
                name = label if is_wild or most is None else most
                key = (here, there, name) if here <= there else (there, here, name)
                known = counts.get(key)
                if known is None:
                    counts[key] = [*pair, count]
                else:
                    known[:] = (*min((known[0], known[1]), pair), known[2] + count)
        result: dict[Lines, dict[str | Vague, Race]] = defaultdict(dict)
        for (low, high, name), (first, second, count) in counts.items():
            shown = (name.label, name) if isinstance(name, Vague) else (name, None)
            result[low, high][name] = Race(shown[0], (by_rank[first], by_rank[second]), count, one_of=shown[1])
        return result

    def _partners(self, parts: Sequence[Sequence[Part]]) -> Iterator[tuple[int, str, bool, Sequence[Part] | None]]:
        """Each group with what it races with on one label: itself (None), or the parts of other groups by their lines.

        Also whether unknown memory is concerned. What is shown of pairs of lines are sums and least ranks, so parts of
        one line may be added up before they are paired.
        """
        found: dict[tuple[int, str, bool], dict[tuple[Line, Vague | None], tuple[int, int]]] = defaultdict(dict)
        groups = self._racing.groups
        for one, other in self._racing.pairs:
            if (one, other) in self._racing.interrupting:
                continue
            label = self._label(groups[one][0], groups[other][0])
            is_wild = self._is_wild(groups[one][0]) or self._is_wild(groups[other][0])
            if one == other:
                yield one, label, is_wild, None
                continue
            lines = found[one, label, is_wild]
            for rank, line, size, many in parts[other]:
                least, count = lines.get((line, many), (rank, 0))
                lines[line, many] = (min(least, rank), count + size)
        for (one, label, is_wild), lines in found.items():
            others = tuple((rank, line, count, many) for (line, many), (rank, count) in lines.items())
            yield one, label, is_wild, others

    def _parts(self, group: Group) -> Sequence[Part]:
        """For each source line of a group: the rank of the site to show, and how many there are.

        Accesses to many objects are parts of their own.
        """
        ranks: dict[tuple[Line, Vague | None], list[int]] = defaultdict(list)
        for index in group:
            ranks[self._lines[index], self._vague.get(index)].append(self._rank[index])
        return tuple((min(found), line, len(found), many) for (line, many), found in ranks.items())

    def _label(self, one: int, other: int) -> str:
        """The name of what is accessed: of a part if one of the accesses is to a part only."""
        return self._named(one, other).label

    def _named(self, one: int, other: int) -> Access:
        """The access of two that is to the smaller part, or to unknown memory."""
        both = (self._found[one].access, self._found[other].access)
        return max(both, key=lambda access: (access.object == ANY_MEMORY, len(access.path)))

    def _order(self, pair: Pair) -> tuple[bool, int, int]:
        """Pairs with known memory come first."""
        one, other = pair
        return self._is_wild(one) and self._is_wild(other), self._rank[one], self._rank[other]

    def _is_in_one(self, pair: Pair) -> bool:
        return self._found[pair[0]].template == self._found[pair[1]].template

    def _is_wild(self, index: int) -> bool:
        return self._found[index].access.object == ANY_MEMORY


def _line(site: Site) -> Line:
    span = site.access.span
    return (span.file, span.line) if span is not None else ("", 0)


def _by_pattern(races: Sequence[Race]) -> Mapping[str, Sequence[Race]]:
    """Races by the labels of what is accessed, without the indices."""
    found: dict[str, list[Race]] = defaultdict(list)
    for race in races:
        found[_INDEX.sub("[]", race.label)].append(race)
    return found


def _labels(labels: Sequence[str]) -> str:
    """One label for those that differ in their indices only.

    >>> _labels(["a[0].x", "a[1].x", "a[3].x"])
    'a[0..1, 3].x'
    """
    columns = zip(*(map(int, _INDEX.findall(label)) for label in labels), strict=True)
    indices = iter([f"[{_ranges(sorted(set(column)))}]" for column in columns])
    return _INDEX.sub(lambda _: next(indices), labels[0])


def _whole(labels: Sequence[str]) -> str:
    """What all labels are parts of.

    >>> _whole(["(memory from a.c:3)[0].left.x", "(memory from a.c:3)[0].length"])
    '(memory from a.c:3)[0]'
    """
    steps = zip(*(_STEP.split(label) for label in labels), strict=False)
    return "".join(same[0] for same in takewhile(lambda here: len(set(here)) == 1, steps))


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in words, those that follow each other by the first and the last one."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _is_part(label: str, whole: str) -> bool:
    return label.startswith((f"{whole}.", f"{whole}["))


def _rank(site: Site) -> tuple[bool, str, int, int, int]:
    span = site.access.span
    place = (span.file, span.line, span.column) if span is not None else ("", 0, 0)
    return site.access.kind is not AccessKind.WRITE, *place, site.location
