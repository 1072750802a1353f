"""The laws of `domains.lattice` and the soundness of every operation, as properties that each domain inherits.

Enrol a domain by a class `TestX(NumericLaws)` with the fixture-free method `make`.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domains.linear import evaluate, linear
from tests.domains.programs import (
    RANGE,
    Domain,
    Program,
    abstract,
    abstract_step,
    concrete,
    describes,
    initial,
    linear_expressions,
    programs,
    same_size,
    steps,
)

# The executors differ because subclasses share the tests; an example of one domain is as good for the others.
shared = settings(deadline=None, suppress_health_check=[HealthCheck.differing_executors])
sometimes = settings(shared, max_examples=10)
often = settings(shared, max_examples=30)


class NumericLaws:
    """Properties of one domain; `rounds` tells that it is exact on integers wherever it can express them."""

    rounds = True

    def make(self) -> Domain:
        raise NotImplementedError

    def rebuilt(self, domain: Domain, value: Any, n: int) -> Any:
        """The value that is all that another one tells."""
        return domain.meet_constraints(domain.top(n), domain.constraints(value))

    @often
    @given(st.integers(1, 3).flatmap(lambda n: st.tuples(programs(n), linear_expressions(n))))
    def test_every_operation_keeps_every_point(self, case: tuple[Program, Any]) -> None:
        domain, (program, lin) = self.make(), case
        value, points = abstract(domain, program), concrete(program)
        assert describes(domain, value, points)
        if not domain.is_bottom(value):
            lo, hi = domain.bound_linear(value, lin)
            assert all(lo <= evaluate(lin, p) <= hi for p in points)

    @sometimes
    @given(same_size(3))
    def test_order(self, case: tuple[Program, ...]) -> None:
        domain = self.make()
        n = case[0].n
        a, b, c = (abstract(domain, program) for program in case)
        assert domain.leq(a, a)
        assert domain.leq(domain.bottom(n), a)
        assert domain.leq(a, domain.top(n))
        assert domain.is_bottom(domain.bottom(n))
        assert not domain.is_bottom(domain.top(n))
        if domain.leq(a, b):
            assert describes(domain, b, concrete(case[0]))
            if domain.leq(b, c):
                assert domain.leq(a, c)

    @sometimes
    @given(same_size(2))
    def test_join(self, case: tuple[Program, ...]) -> None:
        domain = self.make()
        a, b = (abstract(domain, program) for program in case)
        join = domain.join(a, b)
        assert domain.leq(a, join)
        assert domain.leq(b, join)
        assert same(domain, join, domain.join(b, a))
        assert same(domain, a, domain.join(a, a))
        assert same(domain, a, domain.join(a, domain.bottom(case[0].n)))
        assert describes(domain, join, concrete(case[0]) | concrete(case[1]))
        if domain.leq(a, b):
            assert same(domain, join, b)

    @sometimes
    @given(same_size(2))
    def test_meet(self, case: tuple[Program, ...]) -> None:
        domain = self.make()
        a, b = (abstract(domain, program) for program in case)
        meet = domain.meet(a, b)
        assert domain.leq(meet, a)
        assert domain.leq(meet, b)
        assert same(domain, meet, domain.meet(b, a))
        assert same(domain, a, domain.meet(a, domain.top(case[0].n)))
        assert describes(domain, meet, concrete(case[0]) & concrete(case[1]))

    @sometimes
    @given(same_size(2), st.sampled_from([(), (0,), (-7, -1, 0, 2, 9)]))
    def test_widening_is_an_upper_bound(self, case: tuple[Program, ...], thresholds: tuple[int, ...]) -> None:
        domain = self.make()
        a, b = (abstract(domain, program) for program in case)
        join = domain.join(a, b)
        wide = domain.widen(a, join, thresholds)
        assert domain.leq(join, wide)
        assert domain.leq(a, wide)
        assert describes(domain, wide, concrete(case[0]) | concrete(case[1]))
        assert same(domain, a, domain.widen(a, a, thresholds))

    @sometimes
    @given(st.integers(1, 3).flatmap(lambda n: st.lists(steps(n), min_size=1, max_size=4).map(lambda s: (n, s))))
    def test_widening_chains_end(self, case: tuple[int, list[Any]]) -> None:
        domain, (n, body) = self.make(), case
        value = initial(domain, n)
        for _ in range(300):
            after = value
            for step in body:
                after = abstract_step(domain, after, step)
            grown = domain.join(value, after)
            if domain.leq(grown, value):
                break
            value = domain.widen(value, grown, (-20, 0, 5, 20))
        else:
            raise AssertionError("the chain does not end")

    @sometimes
    @given(same_size(3))
    def test_narrowing_lies_between_and_ends(self, case: tuple[Program, ...]) -> None:
        domain = self.make()
        # Widening towards the outside first, so that there is something to narrow.
        start = abstract(domain, case[0])
        above = domain.widen(start, domain.join(start, abstract(domain, case[1])))
        below = domain.meet(above, abstract(domain, case[2]))
        narrow = domain.narrow(above, below)
        assert domain.leq(below, narrow) or not self.rounds  # else rational points are left out
        assert domain.leq(narrow, above)
        assert describes(domain, narrow, concrete(case[2]) & concrete(case[0]))
        if not domain.is_bottom(narrow):
            again = domain.narrow(narrow, domain.meet(narrow, below))
            assert same(domain, again, narrow)

    @sometimes
    @given(st.integers(1, 3).flatmap(programs))
    def test_constraints_are_equivalent(self, program: Program) -> None:
        domain = self.make()
        value = abstract(domain, program)
        rebuilt = self.rebuilt(domain, value, program.n)
        assert domain.leq(rebuilt, value)
        if self.rounds:
            assert domain.leq(settled(domain, value), settled(domain, rebuilt))

    @sometimes
    @given(same_size(2))
    def test_values_are_immutable_and_hashable(self, case: tuple[Program, ...]) -> None:
        domain = self.make()
        a, again, b = abstract(domain, case[0]), abstract(domain, case[0]), abstract(domain, case[1])
        before = domain.constraints(a), hash(a)
        assert a == again
        assert hash(a) == hash(again)
        domain.join(a, b), domain.meet(a, b), domain.widen(a, domain.join(a, b)), domain.forget(a, (0,))
        domain.assign(a, 0, linear([(0, 2)], 1)), domain.meet_constraints(a, ((linear([(0, 1)], -1), "=="),))
        domain.change_variables(a, (None,) * case[0].n, 1)
        assert (domain.constraints(a), hash(a)) == before
        assert a == again

    @sometimes
    @given(st.integers(1, 3).flatmap(programs), st.integers(1, 3))
    def test_new_variables_are_unknown(self, program: Program, more: int) -> None:
        domain, n = self.make(), program.n
        value = abstract(domain, program)
        larger = domain.change_variables(value, tuple(range(more, more + n)), n + more)
        if domain.is_bottom(value):
            assert domain.is_bottom(larger)
            return
        for v in range(more):
            assert domain.bound(larger, v) == (-float("inf"), float("inf"))
        for v in range(n):
            assert domain.bound(larger, v + more) == domain.bound(value, v)
        back = domain.change_variables(larger, (*[None] * more, *range(n)), n)
        assert same(domain, settled(domain, back), settled(domain, value))

    def test_empty_interval_is_bottom(self) -> None:
        domain = self.make()
        assert domain.is_bottom(domain.assign_interval(domain.top(1), 0, 1, 0))

    def test_numbers_beyond_machine_words(self) -> None:
        domain = self.make()
        for size in (2**31, 2**53, 2**63, 2**64, 2**127):
            for x in (size - 1, size, size + 1, -size - 1):
                value = domain.assign(domain.top(2), 0, ((), x))
                assert domain.bound(value, 0) == (x, x)
                assert domain.bound(domain.assign(value, 1, linear([(0, -3)], 5)), 1) == (5 - 3 * x, 5 - 3 * x)
                required = domain.meet_constraints(domain.top(1), ((linear([(0, 2)], -2 * x - 1), ">="),))
                assert domain.bound(required, 0) == (x + 1, float("inf"))

    def test_numbers_beyond_floats(self) -> None:
        domain = self.make()
        huge = 10**400
        for x in (huge, -huge):
            value = domain.assign(domain.top(2), 0, ((), x))
            lo, hi = domain.bound(value, 0)
            assert lo <= x <= hi
            value = domain.assign(value, 1, linear([(0, 3)], -x))
            value = domain.join(value, domain.assign(value, 1, linear([(0, 1)], huge)))
            lo, hi = domain.bound_linear(value, linear([(1, 1), (0, -1)]))
            assert lo <= min(x, huge)
            assert max(x, huge) <= hi

    def test_exhaustive_boxes(self) -> None:
        """Assignments of one variable from another over all small boxes, where every domain is exact."""
        domain = self.make()
        for lo in RANGE:
            for hi in range(lo, RANGE[-1] + 1):
                value = domain.assign_interval(domain.top(2), 0, lo, hi)
                for k, c in ((1, 2), (-1, 0), (-1, 3), (2, -1), (-3, 1)):
                    ends = sorted((k * lo + c, k * hi + c))
                    assert domain.bound(domain.assign(value, 1, linear([(0, k)], c)), 1) == tuple(ends)
                    assert domain.bound(domain.assign(value, 0, linear([(0, k)], c)), 0) == tuple(ends)


def settled(domain: Domain, value: Any) -> Any:
    """The value after its parts, if there are several, have told each other all that they know."""
    for _ in range(8):
        value = domain.meet_constraints(value, ())
    return value


def same(domain: Domain, a: Any, b: Any) -> bool:
    """Whether both values describe the same points, as far as the domain sees it."""
    return domain.leq(a, b) and domain.leq(b, a)
