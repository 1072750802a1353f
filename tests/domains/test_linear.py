"""Normal forms of linear expressions and constraints."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from domains.linear import (
    FALSE,
    TRUE,
    between,
    evaluate,
    holds,
    inequalities,
    linear,
    negate,
    scale,
    tighten,
)
from domains.numeric import Constraint, LinExpr
from tests.domains.programs import constraints, linear_expressions

POINTS = list(itertools.product(range(-6, 7), repeat=2))


@given(linear_expressions(2), st.integers(-3, 3))
def test_arithmetic(a: LinExpr, factor: int) -> None:
    for p in POINTS[::7]:
        assert evaluate(scale(a, factor), p) == factor * evaluate(a, p)
        assert evaluate(negate(a), p) == -evaluate(a, p)
    result = scale(a, factor)
    assert result == linear(result[0], result[1])


@given(constraints(2), st.integers(1, 4))
def test_tightening_keeps_the_integer_points(constraint: Constraint, factor: int) -> None:
    lin, relation = constraint
    multiplied: Constraint = (linear(scale(lin, factor)[0], lin[1]), relation)
    for case in (constraint, multiplied):
        for p in POINTS:
            assert holds(tighten(case), p) == holds(case, p)
            assert all(evaluate(part, p) >= 0 for part in inequalities(case)) == holds(case, p)


def test_tightening_rounds_and_decides() -> None:
    assert tighten((linear([(0, 2)], -3), ">=")) == (linear([(0, 1)], -2), ">=")
    assert tighten((linear([(0, 2), (1, -4)], 1), "==")) == FALSE
    assert tighten((((), 0), "==")) == TRUE
    assert tighten((((), -1), ">=")) == FALSE


def test_between() -> None:
    assert between(((0, 1),), 3, 3) == ((linear([(0, 1)], -3), "=="),)
    assert between(((0, 1),), -1, float("inf")) == ((linear([(0, 1)], 1), ">="),)
    assert between(((0, 1),), -float("inf"), 4) == ((linear([(0, -1)], 4), ">="),)
