"""What can be reached in a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duet.frontend.graph.reach import in_order, known_on_all_ways, reached, reaches

GRAPH = {1: [2, 3], 2: [1], 3: [], 4: [3]}


def test_what_is_reached_is_told_once_with_the_starts() -> None:
    assert sorted(reached([1], GRAPH.__getitem__)) == [1, 2, 3]
    assert sorted(reached([3, 4], GRAPH.__getitem__)) == [3, 4]
    assert list(reached([], GRAPH.__getitem__)) == []


def test_a_way_of_any_length_counts() -> None:
    assert reaches([1], {3}, GRAPH.__getitem__)
    assert reaches([3], {3}, GRAPH.__getitem__)
    assert not reaches([3], {1, 4}, GRAPH.__getitem__)
    assert not reaches([], {1}, GRAPH.__getitem__)


@dataclass(frozen=True)
class _Below:
    number: int

    def common(self, other: _Below) -> _Below:
        return min(self, other, key=lambda it: it.number)


def test_what_leads_to_something_comes_before_it() -> None:
    order = in_order(1, {1: [4, 2], 2: [3], 3: [2, 4], 4: []}.__getitem__)
    assert sorted(order, key=order.__getitem__) == [1, 2, 3, 4]


def test_what_is_known_on_all_ways_is_asked_once_where_ways_meet() -> None:
    successors = {1: [2, 3], 2: [4], 3: [4], 4: [5], 5: []}
    asked: list[int] = []

    def behind(place: int, known: _Below) -> Iterator[tuple[int, _Below]]:
        asked.append(place)
        for target in successors[place]:
            yield target, _Below(known.number - (place == 3))

    found = known_on_all_ways(1, _Below(9), behind, successors.__getitem__)
    assert {place: known.number for place, known in found.items()} == {1: 9, 2: 9, 3: 9, 4: 8, 5: 8}
    assert sorted(asked) == [1, 2, 3, 4, 5]


def test_what_is_behind_loops_is_asked_once_they_are_done() -> None:
    successors = {1: [2, 3], 2: [1], 3: [4, 5], 4: [3], 5: [6], 6: []}
    asked: list[int] = []

    def behind(place: int, known: _Below) -> Iterator[tuple[int, _Below]]:
        asked.append(place)
        for target in successors[place]:
            yield target, _Below(min(known.number, place) if place in (2, 4) else known.number)

    found = known_on_all_ways(1, _Below(9), behind, successors.__getitem__)
    assert {place: known.number for place, known in found.items()} == {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}
    assert sorted(asked) == [1, 1, 2, 2, 3, 4, 5, 6]
