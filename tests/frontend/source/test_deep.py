"""Calls that recurse deeply."""

from __future__ import annotations

import sys

import pytest

from duet.frontend.source.deep import call_deep

DEEP = 20_000


def count(left: int) -> int:
    return 0 if left == 0 else 1 + count(left - 1)


def test_calls_recurse_beyond_the_usual_limit() -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        count(DEEP)
    assert call_deep(lambda: count(DEEP)) == DEEP
    assert sys.getrecursionlimit() == limit


def test_calls_nest() -> None:
    assert call_deep(lambda: call_deep(lambda: count(DEEP))) == DEEP


def test_what_is_raised_there_is_raised_here() -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(KeyError, match="missing"):
        call_deep(lambda: {"there": 1}["missing"])
    assert sys.getrecursionlimit() == limit
