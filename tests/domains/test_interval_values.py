"""Arithmetic on single intervals against enumeration of all members."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domains.numeric import Bound
from domains.values import bits
from domains.values import interval as value
from domains.values.interval import Interval

SMALL = range(-5, 6)
BOXES = [(lo, hi) for lo in SMALL for hi in SMALL if lo <= hi]


def quotient(x: int, y: int) -> int:
    """x / y as C defines it: the exact quotient without its fraction."""
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def remainder(x: int, y: int) -> int:
    return x - y * quotient(x, y)


def always(_: int) -> bool:
    return True


Operation = tuple[Callable[[Interval, Interval], Interval], Callable[[int, int], int], Callable[[int], bool]]

OPERATIONS: dict[str, Operation] = {
    "add": (value.add, operator.add, always),
    "multiply": (value.multiply, operator.mul, always),
    "divide": (value.divide, quotient, bool),
    "remainder": (value.remainder, remainder, bool),
    "and": (bits.bit_and, operator.and_, always),
    "or": (bits.bit_or, operator.or_, always),
    "xor": (bits.bit_xor, operator.xor, always),
    "shift left": (value.shift_left, operator.lshift, lambda y: y >= 0),
    "shift right": (value.shift_right, operator.rshift, lambda y: y >= 0),
}
SMALLEST = sorted(OPERATIONS.keys() - {"remainder"})


def members(a: tuple[int, int]) -> range:
    return range(a[0], a[1] + 1)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_contains_every_result(name: str) -> None:
    abstract, concrete, defined = OPERATIONS[name]
    for a in BOXES:
        for b in BOXES:
            result = abstract(a, b)
            assert all(value.contains(result, concrete(x, y)) for x in members(a) for y in members(b) if defined(y))


@pytest.mark.parametrize("name", SMALLEST)
def test_is_the_smallest_interval(name: str) -> None:
    abstract, concrete, defined = OPERATIONS[name]
    for a in BOXES:
        for b in BOXES:
            if name.startswith("shift") and b[0] < 0:
                continue  # a negative amount has no value, and the result says nothing
            results = [concrete(x, y) for x in members(a) for y in members(b) if defined(y)]
            if results:
                assert abstract(a, b) == (min(results), max(results))


intervals = st.tuples(
    st.one_of(st.just(-inf), st.integers(-(2**70), 2**70), st.integers(-9, 9)),
    st.one_of(st.just(inf), st.integers(-(2**70), 2**70), st.integers(-9, 9)),
).filter(lambda bounds: bounds[0] <= bounds[1])


def member(a: Interval, data: st.DataObject) -> int:
    lo, hi = (bound if isinstance(bound, int) else None for bound in a)
    return data.draw(st.integers(lo, hi))


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@settings(max_examples=60, deadline=None)
@given(intervals, intervals, st.data())
def test_large_and_infinite_bounds(name: str, a: Interval, b: Interval, data: st.DataObject) -> None:
    abstract, concrete, defined = OPERATIONS[name]
    if name.startswith("shift"):
        b = (min(max(b[0], 0), 200), min(max(b[1], 0), 200))
    x, y = member(a, data), member(b, data)
    result = abstract(a, b)
    assert all(isinstance(bound, int) or bound in (inf, -inf) for bound in result)
    assert result[0] <= result[1]
    if defined(y):
        assert value.contains(result, concrete(x, y))


def test_numbers_beyond_floats_are_exact() -> None:
    huge = 10**400
    a, b = (huge, huge + 1), (-huge, inf)
    assert value.add(a, a) == (2 * huge, 2 * huge + 2)
    assert value.multiply(a, (-3, -3)) == (-3 * huge - 3, -3 * huge)
    assert value.divide(a, (7, 7)) == (huge // 7, (huge + 1) // 7)
    assert value.join(a, b) == (-huge, inf)
    assert value.shift_left(value.of(1), (2000, 2000)) == (2**2000, 2**2000)
    for name, (abstract, concrete, _) in OPERATIONS.items():
        if not name.startswith("shift"):
            assert value.contains(abstract(a, b), concrete(huge, 5)), name
            assert value.contains(abstract(b, a), concrete(5, huge)), name


@pytest.mark.parametrize(("lo", "hi"), [(0, 7), (-4, 3), (-2, 0), (3, 9)])
def test_wrap(lo: int, hi: int) -> None:
    def wrapped(x: int) -> int:
        return (x - lo) % (hi - lo + 1) + lo

    wide = range(-20, 21)
    for a in [(x, y) for x in wide for y in wide if x <= y]:
        result = value.wrap(a, lo, hi)
        images = [wrapped(x) for x in members(a)]
        assert value.leq(result, (lo, hi))
        assert all(value.contains(result, x) for x in images)
        if images == sorted(images):  # one period
            assert result == (images[0], images[-1])


@pytest.mark.parametrize("a", [(-inf, 3), (0, inf), (-inf, inf)])
def test_wrap_of_unbounded_is_the_range(a: Interval) -> None:
    assert value.wrap(a, 0, 255) == (0, 255)


def test_remainder_is_exact_within_one_quotient() -> None:
    assert value.remainder((10, 13), (7, 7)) == (3, 6)
    assert value.remainder((-13, -10), (-7, -7)) == (-6, -3)
    assert value.remainder((-3, 4), (5, 9)) == (-3, 4)
    assert value.remainder((0, inf), (8, 8)) == (0, 7)
    assert value.remainder((-inf, inf), (8, 8)) == (-7, 7)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (value.divide((1, 5), (0, 0)), value.TOP),
        (value.remainder((1, 5), (0, 0)), value.TOP),
        (value.divide((1, 5), (0, 1)), (1, 5)),
        (value.shift_left((1, 1), (-1, 2)), value.TOP),
        (value.shift_left((1, 1), (0, inf)), (1, inf)),
        (value.shift_right((-8, 8), (1, inf)), (-4, 4)),
        (bits.bit_and((-inf, inf), (0, 255)), (0, 255)),
        (bits.bit_and((0, inf), (-inf, inf)), (0, inf)),
        (bits.bit_or((0, inf), (-4, -1)), (-4, -1)),
        (bits.bit_not((0, inf)), (-inf, -1)),
    ],
)
def test_chosen_results(result: Interval, expected: Interval) -> None:
    assert result == expected


@given(intervals, intervals, st.lists(st.integers(-(2**70), 2**70), max_size=6))
def test_widening_goes_to_thresholds_in_any_order(a: Interval, b: Interval, thresholds: list[int]) -> None:
    join = value.join(a, b)
    wide = value.widen(a, join, tuple(thresholds))
    assert value.leq(join, wide)
    allowed: set[Bound] = {*a, -inf, inf, *thresholds}
    assert set(wide) <= allowed


def test_widening_takes_the_next_threshold() -> None:
    assert value.widen((0, 1), (-1, 2), (-8, -4, 4, 8)) == (-4, 4)
    assert value.widen((0, 1), (0, 9), (-8, -4, 4, 8)) == (0, inf)
