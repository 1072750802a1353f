"""The interval domain: one interval per variable, no relation between variables.

A value is the tuple of the intervals, or `BOTTOM`. *Source*: Cousot and Cousot 1977; constraints by bounds propagation
with integer rounding.
"""

from __future__ import annotations

from math import inf
from typing import Final, TypeAlias

from domains.lattice import BOTTOM, Bottom
from domains.linear import FALSE, between, inequalities
from domains.numeric import Bound, Constraint, LinExpr
from domains.values import interval as value
from domains.values.interval import TOP, Interval

IntervalValue: TypeAlias = tuple[Interval, ...] | Bottom

# Bounds propagation over several constraints may creep (x < y, y < x); it stops here, which only loses precision.
MAX_ROUNDS: Final = 8


class IntervalDomain:
    """A `NumericDomain` whose values are tuples of (lo, hi) pairs."""

    __slots__ = ()

    name = "interval"

    def top(self, n: int) -> IntervalValue:
        return (TOP,) * n

    def bottom(self, n: int) -> IntervalValue:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: IntervalValue) -> bool:
        return a is BOTTOM

    def leq(self, a: IntervalValue, b: IntervalValue) -> bool:
        """Whether a is included in b (exact)."""
        if a is b or a is BOTTOM:
            return True
        if b is BOTTOM:
            return False
        for x, y in zip(a, b, strict=True):  # noqa: SIM110 (a loop is twice as fast as `all` on short tuples)
            if x[0] < y[0] or y[1] < x[1]:
                return False
        return True

    def join(self, a: IntervalValue, b: IntervalValue) -> IntervalValue:
        if a is BOTTOM or a is b:
            return b
        if b is BOTTOM:
            return a
        return tuple(
            [
                (x[0] if x[0] <= y[0] else y[0], x[1] if x[1] >= y[1] else y[1])  # value.join, inlined for speed
                for x, y in zip(a, b, strict=True)
            ]
        )

    def meet(self, a: IntervalValue, b: IntervalValue) -> IntervalValue:
        """The intersection (exact)."""
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        result = []
        for x, y in zip(a, b, strict=True):
            both = value.meet(x, y)
            if both is None:
                return BOTTOM
            result.append(both)
        return tuple(result)

    def widen(self, a: IntervalValue, b: IntervalValue, thresholds: tuple[int, ...] = ()) -> IntervalValue:
        if a is BOTTOM:
            return b
        if b is BOTTOM:
            return a
        return tuple([value.widen(x, y, thresholds) for x, y in zip(a, b, strict=True)])

    def narrow(self, a: IntervalValue, b: IntervalValue) -> IntervalValue:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        return tuple([value.narrow(x, y) for x, y in zip(a, b, strict=True)])

    def assign(self, a: IntervalValue, v: int, lin: LinExpr) -> IntervalValue:
        if a is BOTTOM:
            return a
        return (*a[:v], _bounds(a, lin), *a[v + 1 :])

    def assign_interval(self, a: IntervalValue, v: int, lo: Bound, hi: Bound) -> IntervalValue:
        if a is BOTTOM or lo > hi:
            return BOTTOM
        return (*a[:v], (lo, hi), *a[v + 1 :])

    def forget(self, a: IntervalValue, variables: tuple[int, ...]) -> IntervalValue:
        if a is BOTTOM:
            return a
        return tuple([TOP if v in variables else x for v, x in enumerate(a)])

    def meet_constraints(self, a: IntervalValue, constraints: tuple[Constraint, ...]) -> IntervalValue:
        """The bounds that remain after propagation; exact for constraints on one variable each."""
        if a is BOTTOM:
            return a
        pending = [lin for constraint in constraints for lin in inequalities(constraint)]
        bounds = list(a)
        # One pass is a fixpoint unless some constraint links variables.
        rounds = MAX_ROUNDS if any(len(lin[0]) > 1 for lin in pending) else 1
        for _ in range(rounds):
            changed = False
            for lin in pending:
                outcome = propagate(bounds, lin)
                if outcome is None:
                    return BOTTOM
                changed |= outcome
            if not changed:
                break
        return tuple(bounds)

    def bound(self, a: IntervalValue, v: int) -> tuple[Bound, Bound]:
        assert a is not BOTTOM
        return a[v]

    def bound_linear(self, a: IntervalValue, lin: LinExpr) -> tuple[Bound, Bound]:
        """The smallest bounds of the expression over the box."""
        assert a is not BOTTOM
        return _bounds(a, lin)

    def change_variables(self, a: IntervalValue, mapping: tuple[int | None, ...], n: int) -> IntervalValue:
        if a is BOTTOM:
            return a
        result = [TOP] * n
        for x, target in zip(a, mapping, strict=True):
            if target is not None:
                result[target] = x
        return tuple(result)

    def constraints(self, a: IntervalValue) -> tuple[Constraint, ...]:
        if a is BOTTOM:
            return (FALSE,)
        result: list[Constraint] = []
        for v, (lo, hi) in enumerate(a):
            result += between(((v, 1),), lo, hi)
        return tuple(result)


def _bounds(box: tuple[Interval, ...] | list[Interval], lin: LinExpr) -> Interval:
    """The least and the greatest value of a linear expression over a box."""
    lo: Bound = lin[1]
    hi: Bound = lin[1]
    for v, k in lin[0]:
        x_lo, x_hi = box[v] if k > 0 else (box[v][1], box[v][0])
        lo = lo + k * x_lo if isinstance(lo, int) and isinstance(x_lo, int) else -inf
        hi = hi + k * x_hi if isinstance(hi, int) and isinstance(x_hi, int) else inf
    return lo, hi


def propagate(box: list[Interval], lin: LinExpr) -> bool | None:
    """Whether requiring lin >= 0 made the box smaller, in place; None if nothing is left.

    From sum k_i x_i + c >= 0 follows k_i x_i >= -(c + the greatest sum of the other terms), rounded to integers.
    """
    terms, const = lin
    greatest = const
    unbounded = -1  # the only variable without a bound in the direction that counts
    for v, k in terms:
        bound = box[v][1] if k > 0 else box[v][0]
        if isinstance(bound, int):
            greatest += k * bound
        elif unbounded < 0:
            unbounded = v
        else:
            return False
    if unbounded < 0 and greatest < 0:
        return None
    changed = False
    for v, k in terms:
        if unbounded not in (-1, v):
            continue
        lo, hi = box[v]
        bound = hi if k > 0 else lo
        others = greatest - k * bound if isinstance(bound, int) else greatest
        if k > 0:
            least = -(others // k)
            if least > lo:
                box[v] = (least, hi)
                changed = True
        else:
            most = others // -k
            if most < hi:
                box[v] = (lo, most)
                changed = True
        if box[v][0] > box[v][1]:
            return None
    return changed
