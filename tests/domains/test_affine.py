"""Affine equalities by themselves: exact against sets of points, and in their normal form."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from unittest.mock import patch

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from domains.affine import Affine, AffineDomain, AffineValue, equations
from domains.equalities import WithEqualities
from domains.lattice import BOTTOM
from domains.linear import between, evaluate, linear
from domains.numeric import Bound, Constraint, LinExpr
from domains.octagon import OctagonDomain
from tests.domains.laws import often, sometimes
from tests.domains.programs import Program, abstract, concrete, describes, linear_expressions, programs, same_size

DOMAIN = AffineDomain()
THREE = [linear_expressions(3)] * 2


def _equal(*expressions: LinExpr) -> object:
    return DOMAIN.meet_constraints(DOMAIN.top(3), tuple((lin, "==") for lin in expressions))


@often
@given(st.integers(1, 3).flatmap(lambda n: st.tuples(programs(n), linear_expressions(n))))
def test_every_operation_keeps_every_point(case: tuple[Program, LinExpr]) -> None:
    program, lin = case
    value, points = abstract(DOMAIN, program), concrete(program)
    assert describes(DOMAIN, value, points)
    if value is not BOTTOM:
        lo, hi = DOMAIN.bound_linear(value, lin)
        assert all(lo <= evaluate(lin, point) <= hi for point in points)


@sometimes
@given(same_size(3))
def test_equal_sets_are_equal_values(case: tuple[Program, ...]) -> None:
    a, b, c = (abstract(DOMAIN, program) for program in case)
    assert DOMAIN.join(a, b) == DOMAIN.join(b, a)
    assert DOMAIN.join(DOMAIN.join(a, b), c) == DOMAIN.join(a, DOMAIN.join(b, c))
    assert DOMAIN.meet(a, b) == DOMAIN.meet(b, a)
    assert (DOMAIN.leq(a, b) and DOMAIN.leq(b, a)) == (a == b)
    assert DOMAIN.leq(a, DOMAIN.join(a, b))
    assert DOMAIN.leq(DOMAIN.meet(a, b), a)


@often
@given(*THREE, st.integers(0, 2), linear_expressions(3))
def test_an_assignment_is_undone_by_its_inverse(one: LinExpr, two: LinExpr, v: int, by: LinExpr) -> None:
    value = _equal(one, two)
    shift = linear([(v, 1), *((w, k) for w, k in by[0] if w != v)], by[1])
    back = linear([(v, 1), *((w, -k) for w, k in by[0] if w != v)], -by[1])
    assert DOMAIN.assign(DOMAIN.assign(value, v, shift), v, back) == value  # type: ignore[arg-type]


def test_the_line_through_two_points() -> None:
    one, two = (
        _equal(linear([(0, 1)], -x), linear([(1, 1)], -y), linear([(2, 1)], -z)) for x, y, z in ((0, 10, 5), (3, 4, 5))
    )
    line = DOMAIN.join(one, two)  # type: ignore[arg-type]
    assert DOMAIN.bound_linear(line, linear([(0, 2), (1, 1)])) == (10, 10)
    assert DOMAIN.bound(line, 2) == (5, 5)
    assert DOMAIN.bound(line, 0) == (-float("inf"), float("inf"))


def test_what_three_variables_keep_when_one_is_forgotten() -> None:
    value = _equal(linear([(0, 1), (1, 1), (2, 1)], -9), linear([(0, 1), (1, -1)]))
    assert DOMAIN.bound_linear(DOMAIN.forget(value, (0,)), linear([(1, 2), (2, 1)])) == (9, 9)  # type: ignore[arg-type]


def test_an_equation_without_integer_solutions_is_empty() -> None:
    assert _equal(linear([(0, 2), (1, -4)], 1)) is BOTTOM
    assert _equal(linear([(0, 1)], -1), linear([(0, 1)], -2)) is BOTTOM


def _keeps_one_side(_: AffineDomain, a: AffineValue, b: AffineValue) -> AffineValue:
    return b if a is BOTTOM else a


def _keeps_the_row(self: AffineDomain, a: AffineValue, variables: tuple[int, ...]) -> AffineValue:
    return a if len(variables) == 1 else _FORGET(self, a, variables)


def _wrong_form(a: Affine, lin: LinExpr) -> Iterator[tuple[LinExpr, int]]:
    """One equation too few is taken away: the expression is not the same any more."""
    yield lin, 1
    for terms, constant in equations(a):
        yield linear([*lin[0], *terms[1:]], lin[1] + constant), 1


def _too_narrow(terms: tuple[tuple[int, int], ...], lo: Bound, hi: Bound) -> tuple[Constraint, ...]:
    return between(terms, lo, hi - 1 if isinstance(hi, int) and lo < hi else hi)


def test_an_assigned_expression_has_the_bounds_that_equations_give_it() -> None:
    """z is 2x - y, and at most 3; so is what is set to 2x - y."""
    domain = WithEqualities(OctagonDomain())
    known = domain.meet_constraints(domain.top(4), ((linear({0: 2, 1: -1, 2: -1}), "=="), (linear({2: -1}, 3), ">=")))
    assert domain.bound(domain.assign(known, 3, linear({0: 2, 1: -1})), 3) == (-inf, 3)


def test_what_equations_tell_by_variables_that_go_stays() -> None:
    """y is z + m and x is z + n, n at most m: x is at most y, also where z, n and m are of no interest any more."""
    domain = WithEqualities(OctagonDomain())
    x, y, z, n, m = range(5)
    known = domain.meet_constraints(domain.top(5), ((linear({m: 1, n: -1}), ">="),))
    known = domain.assign(domain.assign(known, y, linear({z: 1, m: 1})), x, linear({z: 1, n: 1}))
    left = domain.change_variables(known, (0, 1, None, None, None), 2)
    assert domain.bound_linear(left, linear({1: 1, 0: -1})) == (0, inf)


_FORGET = AffineDomain.forget
_DEFECTS = {
    "domains.affine.AffineDomain.join": _keeps_one_side,
    "domains.affine.AffineDomain.forget": _keeps_the_row,
    "domains.equalities._forms": _wrong_form,
    "domains.equalities.between": _too_narrow,
}


@pytest.mark.parametrize("name", _DEFECTS)
def test_a_defect_loses_points(name: str) -> None:
    """A join that keeps too much, a forgotten variable that is kept, a wrong reduction between the two domains."""
    domain = WithEqualities(OctagonDomain())
    with patch(name, _DEFECTS[name]):
        found = find(
            programs(3),
            lambda program: not describes(domain, abstract(domain, program), concrete(program)),
            settings=settings(deadline=None, database=None, max_examples=5000, phases=(Phase.generate,)),
        )
    assert describes(domain, abstract(domain, found), concrete(found))
