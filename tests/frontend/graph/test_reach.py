"""What can be reached in a graph."""

from __future__ import annotations

from duet.frontend.graph.reach import reached, reaches

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
