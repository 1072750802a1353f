"""Numbers (sets, congruences, intervals): the order, and arithmetic against explicit integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domains.values import arithmetic, interval, number
from domains.values.number import ANY, MAX_MEMBERS, Number, constant, contains, of_bounds, of_class, of_members

WINDOW = range(-60, 61)
SMALL = st.integers(-12, 12)
LARGE = st.one_of(SMALL, st.integers(-(2**70), 2**70))


def _certain(found: Number | None) -> Number:
    assert found is not None
    return found


def _class(lo: float, width: float, modulus: int, residue: int) -> Number:
    first: float = -inf if lo == -inf else int(lo)
    last: float = inf if width == inf or lo == -inf else int(lo) + int(width)
    return of_class(first, last, modulus, residue) or constant(residue)


SETS = st.lists(SMALL, min_size=1, max_size=10).map(lambda values: _certain(of_members(values)))
CLASSES = st.builds(
    _class,
    st.one_of(st.just(-inf), SMALL),
    st.one_of(st.just(inf), st.integers(0, 40)),
    st.integers(1, 12),
    st.integers(-12, 12),
)
NUMBERS = st.one_of(SETS, CLASSES)


def elements(a: Number) -> list[int]:
    """The members in the window."""
    return [x for x in WINDOW if contains(a, x)]


def _quotient(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _always(_: int) -> bool:
    return True


Operation = tuple[Callable[[Number, Number], Number | None], Callable[[int, int], int], Callable[[int], bool]]
OPERATIONS: dict[str, Operation] = {
    "add": (arithmetic.add, operator.add, _always),
    "multiply": (arithmetic.multiply, operator.mul, _always),
    "divide": (arithmetic.divide, _quotient, lambda y: y != 0),
    "remainder": (arithmetic.remainder, lambda x, y: x - y * _quotient(x, y), lambda y: y != 0),
    "and": (arithmetic.bit_and, operator.and_, _always),
    "or": (arithmetic.bit_or, operator.or_, _always),
    "xor": (arithmetic.bit_xor, operator.xor, _always),
    "shift left": (arithmetic.shift_left, lambda x, y: x << min(y, 64), lambda y: 0 <= y <= 64),
    "shift right": (arithmetic.shift_right, operator.rshift, lambda y: y >= 0),
}


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@settings(max_examples=60, deadline=None)
@given(a=NUMBERS, b=NUMBERS)
def test_contains_every_result(name: str, a: Number, b: Number) -> None:
    abstract, concrete, defined = OPERATIONS[name]
    found = abstract(a, b)
    for y in filter(defined, elements(b)):
        for x in elements(a):
            assert found is not None
            assert contains(found, concrete(x, y)), (a, b, x, y, found)
    if found is None:
        assert not any(map(defined, elements(b)))


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@given(x=LARGE, y=LARGE, rest=st.lists(LARGE, max_size=12), lo=LARGE)
def test_contains_every_result_beyond_words(name: str, x: int, y: int, rest: list[int], lo: int) -> None:
    abstract, concrete, defined = OPERATIONS[name]
    y = abs(y) % 65 if name.startswith("shift") else y
    if defined(y):
        for a in (_certain(of_members([x, *rest])), _certain(of_class(min(x, lo), inf, 6, x)), ANY):
            for b in (constant(y), _certain(of_members([y, 3])), _certain(of_class(-inf, max(y, lo), 10, y))):
                assert contains(_certain(abstract(a, b)), concrete(x, y))


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@given(a=NUMBERS, b=NUMBERS)
def test_is_within_the_interval_of_the_result(name: str, a: Number, b: Number) -> None:
    """Sets and congruences never lose what intervals know."""
    loose = {number.bounds(a), number.bounds(b)}
    wide = [_certain(of_bounds(lo, hi)) for lo, hi in (number.bounds(a), number.bounds(b))]
    assert loose >= {number.bounds(w) for w in wide}
    if (found := OPERATIONS[name][0](a, b)) is not None and (whole := OPERATIONS[name][0](*wide)) is not None:
        assert interval.leq(number.bounds(found), number.bounds(whole))


@given(a=NUMBERS, lo=st.integers(-6, 0), size=st.integers(1, 9))
def test_wrap(a: Number, lo: int, size: int) -> None:
    found = arithmetic.wrap(a, lo, lo + size - 1)
    assert lo <= found.lo
    assert found.hi < lo + size
    assert all(contains(found, (x - lo) % size + lo) for x in elements(a))


@given(a=NUMBERS, factor=st.integers(-6, 6).filter(bool))
def test_scale_and_solve_are_exact(a: Number, factor: int) -> None:
    scaled = arithmetic.scale(a, factor)
    assert {x for x in range(-9, 10) if contains(a, x)} == {x for x in range(-9, 10) if contains(scaled, x * factor)}
    solved = arithmetic.solve(factor, a)
    expected = [x for x in range(-9, 10) if contains(a, x * factor)]
    assert expected == [x for x in range(-9, 10) if solved is not None and contains(solved, x)]
    assert arithmetic.solve(factor, scaled) == a


@given(a=NUMBERS, offset=st.integers(-9, 9))
def test_shift_is_exact(a: Number, offset: int) -> None:
    assert arithmetic.shift(a, offset) == arithmetic.add(a, constant(offset))
    assert arithmetic.shift(arithmetic.shift(a, offset), -offset) == a


@given(a=NUMBERS, b=NUMBERS)
def test_order_is_inclusion(a: Number, b: Number) -> None:
    included = number.leq(a, b)
    if included:
        assert set(elements(a)) <= set(elements(b))
    elif a.lo > -inf and a.hi < inf:  # then all of a is in the window
        assert not set(elements(a)) <= set(elements(b))
    assert number.leq(a, a)
    assert (number.leq(a, b) and number.leq(b, a)) == (a == b)


@given(a=NUMBERS, b=NUMBERS)
def test_join_and_meet(a: Number, b: Number) -> None:
    join, meet = number.join(a, b), number.meet(a, b)
    assert number.leq(a, join)
    assert number.leq(b, join)
    assert join == number.join(b, a)
    both = set(elements(a)) & set(elements(b))
    assert both == (set() if meet is None else set(elements(meet)))
    assert meet == number.meet(b, a)


@given(a=NUMBERS, value=SMALL, lo=SMALL, hi=SMALL)
def test_exclude_and_clip(a: Number, value: int, lo: int, hi: int) -> None:
    rest = number.exclude(a, value)
    kept = set() if rest is None else set(elements(rest))
    assert set(elements(a)) - {value} <= kept <= set(elements(a))
    if a.members or value in (a.lo, a.hi):
        assert value not in kept
    part = number.clip(a, lo, hi)
    assert [x for x in elements(a) if lo <= x <= hi] == ([] if part is None else elements(part))


@given(a=NUMBERS, steps=st.lists(NUMBERS, max_size=4), thresholds=st.lists(SMALL, max_size=4).map(sorted))
def test_widening_chains_end(a: Number, steps: list[Number], thresholds: list[int]) -> None:
    """Growth by ever new values, which no list of values foresees, ends too."""
    value, turns = a, 0
    for turns in range(200):
        step = steps[turns % len(steps)] if steps else constant(turns)
        new = number.join(arithmetic.add(value, step), value)
        if number.leq(new, value):
            break
        wide = number.widen(value, number.join(value, new), tuple(thresholds))
        assert number.leq(value, wide)
        assert number.leq(new, wide)
        value = wide
    assert turns < 199


@given(a=NUMBERS, b=NUMBERS)
def test_narrowing_lies_between(a: Number, b: Number) -> None:
    below = number.meet(a, b)
    if below is not None:
        narrow = number.narrow(a, below)
        assert number.leq(below, narrow)
        assert number.leq(narrow, a)


@given(a=NUMBERS)
def test_numbers_are_canonical(a: Number) -> None:
    if a.lo > -inf and a.hi < inf:
        found = elements(a)
        assert (found[0], found[-1]) == (a.lo, a.hi)
        assert (len(found) <= MAX_MEMBERS) == bool(a.members)
        assert tuple(found[: len(a.members)]) == a.members
        assert of_members(found) == a or not a.members


def test_a_set_grows_by_thresholds_then_gives_up() -> None:
    flags = _certain(of_members([0, 42]))
    more = _certain(of_members([0, 7, 42]))
    assert number.widen(flags, more, (0, 7, 42)) == more
    assert number.widen(flags, more, (0, 42)) == _certain(of_class(0, 42, 7, 0))
    assert number.widen(flags, _certain(of_members([0, 42, 43])), (0, 42, 100)) == _certain(of_bounds(0, 100))


def test_counting_by_fours_keeps_the_congruence() -> None:
    start, seen = constant(3), _certain(of_members([3, 7]))
    wide = number.widen(start, seen, ())
    assert wide == Number(3, inf, 4, 3)
    assert number.clip(wide, -inf, 100) == Number(3, 99, 4, 3)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (arithmetic.divide(Number(0, 96, 8, 0), constant(8)), of_bounds(0, 12)),
        (arithmetic.divide(Number(0, 96, 8, 0), constant(4)), of_class(0, 24, 2, 0)),
        (arithmetic.remainder(Number(-inf, inf, 4, 3), constant(4)), of_members([-1, 3])),
        (arithmetic.remainder(Number(3, inf, 4, 3), constant(4)), constant(3)),
        (arithmetic.remainder(Number(3, inf, 4, 3), constant(6)), of_members([1, 3, 5])),
        (arithmetic.bit_and(Number(1, inf, 2, 1), constant(1)), constant(1)),
        (arithmetic.bit_and(ANY, constant(12)), of_members([0, 4, 8, 12])),
        (arithmetic.bit_or(Number(0, inf, 4, 0), constant(1)), Number(1, inf, 4, 1)),
        (arithmetic.shift_left(ANY, constant(3)), Number(-inf, inf, 8, 0)),
        (arithmetic.shift_right(Number(0, inf, 8, 0), constant(1)), Number(0, inf, 4, 0)),
        (arithmetic.wrap(Number(0, inf, 6, 2), 0, 255), of_class(0, 255, 2, 0)),
        (arithmetic.divide(ANY, constant(0)), None),
        (arithmetic.divide(_certain(of_members([-7, 7])), constant(2)), of_members([-3, 3])),
        (number.meet(Number(-inf, inf, 4, 1), Number(-inf, inf, 6, 3)), Number(-inf, inf, 12, 9)),
        (number.meet(Number(-inf, inf, 4, 1), Number(-inf, inf, 6, 2)), None),
    ],
)
def test_chosen_results(found: Number | None, expected: Number | None) -> None:
    assert found == expected
