"""Precision and termination of what constraints leave of a box."""

from __future__ import annotations

from math import inf

from domains.lattice import BOTTOM
from domains.linear import linear
from domains.numbers import NumbersDomain, NumbersValue
from domains.numeric import Constraint
from domains.values.interval import Interval

DOMAIN = NumbersDomain()


def _box(value: NumbersValue) -> tuple[Interval, ...]:
    assert value is not BOTTOM
    return tuple((found.lo, found.hi) for found in value)


def test_bounds_are_rounded_to_integers() -> None:
    required: tuple[Constraint, ...] = (
        (linear([(0, -2), (1, -3)], 8), ">="),  # 2x + 3y <= 8
        (linear([(0, 1)]), ">="),
        (linear([(1, 1)]), ">="),
    )
    assert _box(DOMAIN.meet_constraints(DOMAIN.top(2), required)) == ((0, 4), (0, 2))
    required = ((linear([(0, 3), (1, 2)], -8), ">="), (linear([(0, -1)], 1), ">="), (linear([(1, -1)], 4), ">="))
    assert _box(DOMAIN.meet_constraints(DOMAIN.top(2), required)) == ((0, 1), (3, 4))


def test_propagation_reaches_earlier_constraints() -> None:
    chain: tuple[Constraint, ...] = (
        (linear([(0, 1), (1, -1)]), "=="),
        (linear([(1, 1), (2, -1)]), "=="),
        (linear([(2, 1)], -7), "=="),
    )
    assert _box(DOMAIN.meet_constraints(DOMAIN.top(3), chain)) == ((7, 7),) * 3


def test_creeping_bounds_stop() -> None:
    """x < y < x in a huge box is empty, but seen only step by step; propagation gives up soundly."""
    box = DOMAIN.assign_interval(DOMAIN.assign_interval(DOMAIN.top(2), 0, 0, 2**64), 1, 0, 2**64)
    required: tuple[Constraint, ...] = ((linear([(0, -1), (1, 1)], -1), ">="), (linear([(0, 1), (1, -1)], -1), ">="))
    result = DOMAIN.meet_constraints(box, required)
    assert DOMAIN.leq(result, box)
    small = DOMAIN.assign_interval(DOMAIN.assign_interval(DOMAIN.top(2), 0, 0, 3), 1, 0, 3)
    assert DOMAIN.is_bottom(DOMAIN.meet_constraints(small, required))


def test_one_unbounded_variable_gets_a_bound() -> None:
    box = DOMAIN.assign_interval(DOMAIN.top(3), 1, 2, 5)
    result = DOMAIN.meet_constraints(box, ((linear([(0, 1), (1, -1)]), ">="),))  # x >= y
    assert _box(result) == ((2, inf), (2, 5), (-inf, inf))
    assert DOMAIN.meet_constraints(box, ((linear([(0, 1), (2, 1)]), ">="),)) == box
