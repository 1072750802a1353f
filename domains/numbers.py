"""The non-relational domain: one number per variable, no relation between variables.

A value is the tuple of the numbers, or `BOTTOM`: the reduced product of intervals, congruences and small sets (see
`domains.values.number`). Constraints are propagated: bounds through inequalities, everything through equalities.
"""

from __future__ import annotations

from typing import TypeAlias

from domains.lattice import BOTTOM, Bottom
from domains.linear import FALSE, between, tighten
from domains.numeric import Bound, Constraint, LinExpr
from domains.propagation import MAX_ROUNDS, propagate
from domains.values import arithmetic, number
from domains.values.number import ANY, Number

NumbersValue: TypeAlias = tuple[Number, ...] | Bottom


class NumbersDomain:
    """A `ValuedDomain` whose values are tuples of numbers."""

    __slots__ = ()

    name = "interval"

    def top(self, n: int) -> NumbersValue:
        return (ANY,) * n

    def bottom(self, n: int) -> NumbersValue:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: NumbersValue) -> bool:
        return a is BOTTOM

    def leq(self, a: NumbersValue, b: NumbersValue) -> bool:
        """Whether a is included in b (exact)."""
        if a is b or a is BOTTOM:
            return True
        if b is BOTTOM:
            return False
        for x, y in zip(a, b, strict=True):  # noqa: SIM110 (a loop is faster than `all` on short tuples)
            if x is not y and not number.leq(x, y):
                return False
        return True

    def join(self, a: NumbersValue, b: NumbersValue) -> NumbersValue:
        if a is BOTTOM or a is b:
            return b
        if b is BOTTOM:
            return a
        return tuple([number.join(x, y) for x, y in zip(a, b, strict=True)])

    def meet(self, a: NumbersValue, b: NumbersValue) -> NumbersValue:
        """The intersection (exact)."""
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        return _all_of([number.meet(x, y) for x, y in zip(a, b, strict=True)])

    def widen(self, a: NumbersValue, b: NumbersValue, thresholds: tuple[int, ...] = ()) -> NumbersValue:
        if a is BOTTOM:
            return b
        if b is BOTTOM:
            return a
        return tuple([number.widen(x, y, thresholds) for x, y in zip(a, b, strict=True)])

    def narrow(self, a: NumbersValue, b: NumbersValue) -> NumbersValue:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        return tuple([number.narrow(x, y) for x, y in zip(a, b, strict=True)])

    def assign(self, a: NumbersValue, v: int, lin: LinExpr) -> NumbersValue:
        return a if a is BOTTOM else (*a[:v], _linear(a, lin), *a[v + 1 :])

    def assign_interval(self, a: NumbersValue, v: int, lo: Bound, hi: Bound) -> NumbersValue:
        found = number.of_bounds(lo, hi)
        return BOTTOM if a is BOTTOM or found is None else (*a[:v], found, *a[v + 1 :])

    def assign_number(self, a: NumbersValue, v: int, found: Number) -> NumbersValue:
        return a if a is BOTTOM else (*a[:v], found, *a[v + 1 :])

    def forget(self, a: NumbersValue, variables: tuple[int, ...]) -> NumbersValue:
        return a if a is BOTTOM else tuple([ANY if v in variables else x for v, x in enumerate(a)])

    def meet_number(self, a: NumbersValue, v: int, found: Number) -> NumbersValue:
        """The states where a variable is a member of a number (exact)."""
        return a if a is BOTTOM else _replaced(a, v, number.meet(a[v], found))

    def exclude(self, a: NumbersValue, lin: LinExpr) -> NumbersValue:
        """The states where an expression is not 0, as far as it depends on one variable that is not known."""
        if a is BOTTOM:
            return a
        open_terms = [(v, k) for v, k in lin[0] if a[v].modulus]
        rest = lin[1] + sum(k * a[v].residue for v, k in lin[0] if not a[v].modulus)
        if not open_terms:
            return a if rest else BOTTOM
        if len(open_terms) > 1:
            return a
        ((v, k),) = open_terms
        return _replaced(a, v, a[v] if rest % k else number.exclude(a[v], -rest // k))

    def meet_constraints(self, a: NumbersValue, constraints: tuple[Constraint, ...]) -> NumbersValue:
        """What remains after propagation; exact for constraints on one variable each."""
        if a is BOTTOM:
            return a
        current = a
        # One pass is a fixpoint unless some constraint links variables.
        rounds = MAX_ROUNDS if any(len(lin[0]) > 1 for lin, _ in constraints) else 1
        for _ in range(rounds):
            before = current
            for lin, relation in constraints:
                met = _equal(current, lin) if relation == "==" else _at_least(current, lin)
                if met is BOTTOM:
                    return BOTTOM
                current = met
            if current == before:
                break
        return current

    def bound(self, a: NumbersValue, v: int) -> tuple[Bound, Bound]:
        assert a is not BOTTOM
        return a[v].lo, a[v].hi

    def bound_linear(self, a: NumbersValue, lin: LinExpr) -> tuple[Bound, Bound]:
        assert a is not BOTTOM
        return number.bounds(_linear(a, lin))

    def number(self, a: NumbersValue, v: int) -> Number:
        assert a is not BOTTOM
        return a[v]

    def number_linear(self, a: NumbersValue, lin: LinExpr) -> Number:
        assert a is not BOTTOM
        return _linear(a, lin)

    def change_variables(self, a: NumbersValue, mapping: tuple[int | None, ...], n: int) -> NumbersValue:
        if a is BOTTOM:
            return a
        result = [ANY] * n
        for x, target in zip(a, mapping, strict=True):
            if target is not None:
                result[target] = x
        return tuple(result)

    def constraints(self, a: NumbersValue) -> tuple[Constraint, ...]:
        """The bounds; gaps between them (`number` gives them) are not linear."""
        if a is BOTTOM:
            return (FALSE,)
        result: list[Constraint] = []
        for v, x in enumerate(a):
            result += between(((v, 1),), x.lo, x.hi)
        return tuple(result)


def _all_of(found: list[Number | None]) -> NumbersValue:
    kept = [x for x in found if x is not None]
    return tuple(kept) if len(kept) == len(found) else BOTTOM


def _replaced(a: tuple[Number, ...], v: int, found: Number | None) -> NumbersValue:
    if found is None:
        return BOTTOM
    return a if found is a[v] else (*a[:v], found, *a[v + 1 :])


def _linear(a: tuple[Number, ...], lin: LinExpr) -> Number:
    """The sum of the scaled numbers."""
    terms, offset = lin
    if not terms:
        return number.constant(offset)
    (v, k), *rest = terms
    total = arithmetic.shift(arithmetic.scale(a[v], k), offset)
    for v, k in rest:
        total = arithmetic.add(total, arithmetic.scale(a[v], k))
    return total


def _equal(a: tuple[Number, ...], lin: LinExpr) -> NumbersValue:
    """The states where an expression is 0: each term is the negative sum of the others."""
    terms, offset = lin
    if not terms:
        return a if offset == 0 else BOTTOM
    current: NumbersValue = a
    for v, k in terms:
        assert current is not BOTTOM
        others = _linear(current, (tuple([term for term in terms if term[0] != v]), offset))
        allowed = arithmetic.solve(-k, others)
        current = BOTTOM if allowed is None else _replaced(current, v, number.meet(current[v], allowed))
        if current is BOTTOM:
            break
    return current


def _at_least(a: tuple[Number, ...], lin: LinExpr) -> NumbersValue:
    """The states where an expression is at least 0."""
    lin, _ = tighten((lin, ">="))
    box = [number.bounds(x) for x in a]
    outcome = propagate(box, lin)
    if outcome is None:
        return BOTTOM
    return _all_of([number.clip(x, lo, hi) for x, (lo, hi) in zip(a, box, strict=True)]) if outcome else a
