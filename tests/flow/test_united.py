"""Which definition stands for merges of only one."""

from __future__ import annotations

from duet.flow.united import united

CIRCLE = {10: (1, 11), 11: (10,)}


def test_circles_of_merges_that_one_definition_comes_into_are_that_one() -> None:
    same = united(CIRCLE)
    assert [same(it) for it in (1, 10, 11)] == [1, 1, 1]


def test_merges_of_several_definitions_are_told_apart_from_these() -> None:
    same = united({**CIRCLE, 12: (11, 1), 13: (12, 2), 14: (13, 14), 15: (14, 13)})
    assert [same(it) for it in (12, 13, 14, 15)] == [1, 13, 13, 13]


def test_what_nothing_comes_into_is_no_other_definition() -> None:
    same = united({10: (11,), 11: (10,), 12: (), 13: (13,), 14: (12, 1)})
    assert same(10) == same(11)
    assert [same(it) for it in (12, 13, 14)] == [12, 13, 14]
