"""Precision and termination of the interval domain's constraints."""

from __future__ import annotations

from math import inf

from domains.interval import IntervalDomain
from domains.linear import linear
from domains.numeric import Constraint


def test_bounds_are_rounded_to_integers() -> None:
    domain = IntervalDomain()
    required: tuple[Constraint, ...] = (
        (linear([(0, -2), (1, -3)], 8), ">="),  # 2x + 3y <= 8
        (linear([(0, 1)]), ">="),
        (linear([(1, 1)]), ">="),
    )
    assert domain.meet_constraints(domain.top(2), required) == ((0, 4), (0, 2))
    required = ((linear([(0, 3), (1, 2)], -8), ">="), (linear([(0, -1)], 1), ">="), (linear([(1, -1)], 4), ">="))
    assert domain.meet_constraints(domain.top(2), required) == ((0, 1), (3, 4))


def test_propagation_reaches_earlier_constraints() -> None:
    domain = IntervalDomain()
    chain: tuple[Constraint, ...] = (
        (linear([(0, 1), (1, -1)]), "=="),
        (linear([(1, 1), (2, -1)]), "=="),
        (linear([(2, 1)], -7), "=="),
    )
    assert domain.meet_constraints(domain.top(3), chain) == ((7, 7),) * 3


def test_creeping_bounds_stop() -> None:
    """x < y < x in a huge box is empty, but seen only step by step; propagation gives up soundly."""
    domain = IntervalDomain()
    box = domain.assign_interval(domain.assign_interval(domain.top(2), 0, 0, 2**64), 1, 0, 2**64)
    required: tuple[Constraint, ...] = ((linear([(0, -1), (1, 1)], -1), ">="), (linear([(0, 1), (1, -1)], -1), ">="))
    result = domain.meet_constraints(box, required)
    assert domain.leq(result, box)
    small = domain.assign_interval(domain.assign_interval(domain.top(2), 0, 0, 3), 1, 0, 3)
    assert domain.is_bottom(domain.meet_constraints(small, required))


def test_one_unbounded_variable_gets_a_bound() -> None:
    domain = IntervalDomain()
    box = domain.assign_interval(domain.top(3), 1, 2, 5)
    result = domain.meet_constraints(box, ((linear([(0, 1), (1, -1)]), ">="),))  # x >= y
    assert result == ((2, inf), (2, 5), (-inf, inf))
    assert domain.meet_constraints(box, ((linear([(0, 1), (2, 1)]), ">="),)) == box
