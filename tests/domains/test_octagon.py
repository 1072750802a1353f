"""What only the octagon domain promises: exactness on integers, unclosed widening, entries of any size."""

from __future__ import annotations

import itertools
from math import inf
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domains import dbm
from domains.linear import evaluate, holds, linear, octagonal_terms
from domains.numeric import Constraint
from domains.octagon import Octagon, OctagonDomain
from tests.domains.programs import RANGE, Program, abstract, constraints, initial, programs

octagonal = st.integers(1, 3).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(constraints(n, octagonal=True), max_size=6).map(tuple))
)


@settings(max_examples=80, deadline=None)
@given(octagonal)
def test_octagonal_constraints_are_exact(case: tuple[int, tuple[Constraint, ...]]) -> None:
    """Bottom exactly if no integer point is left, and each bound is reached by one (Bagnara et al. 2009)."""
    domain, (n, required) = OctagonDomain(), case
    value = domain.meet_constraints(initial(domain, n), required)
    points = [p for p in itertools.product(RANGE, repeat=n) if all(holds(c, p) for c in required)]
    assert domain.is_bottom(value) == (not points)
    for terms in octagonal_terms(n) if points else ():
        results = [evaluate((terms, 0), p) for p in points]
        assert domain.bound_linear(value, (terms, 0)) == (min(results), max(results))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3).flatmap(programs))
def test_closure_is_kept_incrementally(program: Program) -> None:
    """Every operation leaves the matrix that the full closure gives, coherent and with even unary entries."""
    value = abstract(OctagonDomain(), program)
    if isinstance(value, Octagon):
        rows = value.closed
        assert dbm.close(rows) == rows
        size = range(len(rows))
        assert all(rows[i][j] == rows[j ^ 1][i ^ 1] for i in size for j in size)
        assert all(rows[i][i ^ 1] % 2 == 0 for i in size if rows[i][i ^ 1] != inf)


@settings(max_examples=80, deadline=None)
@given(octagonal, st.permutations(range(3)))
def test_meet_is_exact(case: tuple[int, tuple[Constraint, ...]], order: list[int]) -> None:
    domain, (n, required) = OctagonDomain(), case
    together: Any = domain.meet_constraints(initial(domain, n), required)
    parts = [domain.meet_constraints(initial(domain, n), required[i::3]) for i in order]
    assert domain.meet(domain.meet(parts[0], parts[1]), parts[2]) == together


def test_no_integer_solution_is_bottom() -> None:
    domain = OctagonDomain()
    required: tuple[Constraint, ...] = ((linear([(0, 1), (1, 1)], -1), "=="), (linear([(0, 1), (1, -1)]), "=="))
    assert domain.is_bottom(domain.meet_constraints(domain.top(2), required))


def test_assignment_keeps_relations_of_sums() -> None:
    domain = OctagonDomain()
    start = domain.assign_interval(domain.top(3), 1, 0, 10)
    value = domain.assign(start, 0, linear([(1, 1), (2, 1)], 3))  # x := y + z + 3
    assert domain.bound_linear(value, linear([(0, 1), (2, -1)])) == (3, 13)
    value = domain.assign(domain.assign_interval(start, 2, 2, 4), 0, linear([(1, 2), (2, -1)]))  # x := 2y - z
    assert domain.bound(value, 0) == (-4, 18)
    assert domain.bound_linear(value, linear([(0, 1), (1, -1)])) == (-4, 8)


def test_bounds_use_pairs() -> None:
    domain = OctagonDomain()
    value = domain.meet_constraints(domain.top(3), ((linear([(0, 1), (1, -1)]), "=="), (linear([(2, 1)], -5), "==")))
    assert domain.bound_linear(value, linear([(0, 3), (1, -3), (2, 2)])) == (10, 10)
    value = domain.meet_constraints(value, ((linear([(0, 1), (1, 1), (2, 1)], -11), ">="),))  # x + y + z >= 11
    assert domain.bound(value, 0) == (3, inf)


def test_loop_with_two_counters() -> None:
    """x = y is kept by x++, y++ under widening, and gives the bound at the exit."""
    domain = OctagonDomain()
    value = domain.assign(domain.assign(domain.top(2), 0, ((), 0)), 1, ((), 0))
    while True:
        inside = domain.meet_constraints(value, ((linear([(0, -1)], 9), ">="),))
        body = domain.assign(domain.assign(inside, 0, linear([(0, 1)], 1)), 1, linear([(1, 1)], 1))
        grown = domain.join(value, body)
        if domain.leq(grown, value):
            break
        value = domain.widen(value, grown)
    after = domain.meet_constraints(value, ((linear([(0, 1)], -10), "=="),))
    assert domain.bound(after, 1) == (10, 10)


def test_widening_is_not_closed() -> None:
    """A widened value keeps what its matrix says, or x - y would come back as a bound and chains would not end."""
    domain = OctagonDomain()
    small = domain.meet_constraints(domain.assign(domain.top(2), 0, ((), 0)), ((linear([(0, 1), (1, -1)]), "=="),))
    large = domain.join(small, domain.assign(small, 1, ((), 1)))
    wide = domain.widen(small, large)
    assert isinstance(wide, Octagon)
    assert wide.rows != wide.closed or dbm.close(wide.rows) == wide.rows
    assert domain.leq(large, wide)
    assert domain.widen(wide, wide) is wide


def test_entries_stay_small_enough_for_floats() -> None:
    """Entries that add up for ever become infinite instead of raising OverflowError."""
    domain = OctagonDomain()
    huge = dbm.LIMIT
    value = domain.meet_constraints(
        domain.top(4), tuple([(linear([(v, 1), (v + 1, -1)], huge), ">=") for v in range(3)])
    )
    for _ in range(1200):
        value = domain.change_variables(value, (0, None, None, 1), 4)
        value = domain.meet_constraints(value, ((linear([(1, 1), (3, -1)], huge), ">="),))
        value = domain.assign(value, 2, linear([(3, 1)], huge))
    lo, _ = domain.bound_linear(value, linear([(0, 1), (3, -1)]))
    assert lo <= -huge


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 4).flatmap(lambda n: st.tuples(programs(n), programs(n))))
def test_meet_closes_what_both_say(pair: tuple[Program, Program]) -> None:
    """Paths are looked for only where one of two closed matrices is left for the other one."""
    left, right = (abstract(OctagonDomain(), program) for program in pair)
    if isinstance(left, Octagon) and isinstance(right, Octagon):
        both = tuple(tuple(map(min, *rows)) for rows in zip(left.closed, right.closed, strict=True))
        met = OctagonDomain().meet(left, right)
        assert dbm.close(both) == (met.closed if isinstance(met, Octagon) else None)
