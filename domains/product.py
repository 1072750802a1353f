"""The reduced product of a relational domain with numbers: what either knows of a variable's bounds, both know.

A value is a pair, or `BOTTOM`. A pack of one variable has no relations, so that the number is all that is kept of it.
Reduction takes place after transfer operations only: widened values must go into the next widening as they are, hence
lattice operations work on the two parts apart.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeAlias, TypeVar

from domains.lattice import BOTTOM, Bottom
from domains.linear import between
from domains.numbers import NumbersDomain, NumbersValue
from domains.numeric import Bound, Constraint, LinExpr, NumericDomain
from domains.values import number
from domains.values.number import Number

V = TypeVar("V")


class Pair(NamedTuple, Generic[V]):
    """What each part knows; `relations` is None for at most one variable."""

    relations: V | None
    numbers: NumbersValue


ProductValue: TypeAlias = Pair[V] | Bottom
_NUMBERS = NumbersDomain()


class Product(Generic[V]):
    """A `ValuedDomain` on top of a `NumericDomain`."""

    def __init__(self, relational: NumericDomain[V]) -> None:
        self.name = relational.name
        self._relational = relational

    def top(self, n: int) -> ProductValue[V]:
        return Pair(self._relational.top(n) if n > 1 else None, _NUMBERS.top(n))

    def bottom(self, n: int) -> ProductValue[V]:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: ProductValue[V]) -> bool:
        return a is BOTTOM

    def leq(self, a: ProductValue[V], b: ProductValue[V]) -> bool:
        """Whether both parts of a are included in those of b."""
        if a is b or a is BOTTOM:
            return True
        if b is BOTTOM or not _NUMBERS.leq(a.numbers, b.numbers):
            return False
        if a.relations is None or b.relations is None:
            return True
        return self._relational.leq(a.relations, b.relations)

    def join(self, a: ProductValue[V], b: ProductValue[V]) -> ProductValue[V]:
        if a is BOTTOM or a is b:
            return b
        if b is BOTTOM:
            return a
        numbers = _NUMBERS.join(a.numbers, b.numbers)
        if a.relations is None or b.relations is None:
            return Pair(None, numbers)
        return Pair(self._relational.join(a.relations, b.relations), numbers)

    def meet(self, a: ProductValue[V], b: ProductValue[V]) -> ProductValue[V]:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        numbers = _NUMBERS.meet(a.numbers, b.numbers)
        if a.relations is None or b.relations is None:
            return self._checked(None, numbers)
        return self._checked(self._relational.meet(a.relations, b.relations), numbers)

    def widen(self, a: ProductValue[V], b: ProductValue[V], thresholds: tuple[int, ...] = ()) -> ProductValue[V]:
        if a is BOTTOM:
            return b
        if b is BOTTOM:
            return a
        numbers = _NUMBERS.widen(a.numbers, b.numbers, thresholds)
        if a.relations is None or b.relations is None:
            return Pair(None, numbers)
        # What is stable stays as it is, so that its chain does not go on while the other part still moves.
        if self._relational.leq(b.relations, a.relations):
            return Pair(a.relations, numbers)
        grown = self._relational.join(a.relations, b.relations)
        return Pair(self._relational.widen(a.relations, grown, thresholds), numbers)

    def narrow(self, a: ProductValue[V], b: ProductValue[V]) -> ProductValue[V]:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        numbers = _NUMBERS.narrow(a.numbers, b.numbers)
        if a.relations is None or b.relations is None:
            return Pair(None, numbers)
        return Pair(self._relational.narrow(a.relations, b.relations), numbers)

    def assign(self, a: ProductValue[V], v: int, lin: LinExpr) -> ProductValue[V]:
        if a is BOTTOM:
            return a
        numbers = _NUMBERS.assign(a.numbers, v, lin)
        if a.relations is None:
            return Pair(None, numbers)
        return self._reduced(self._relational.assign(a.relations, v, lin), numbers, (v,))

    def assign_interval(self, a: ProductValue[V], v: int, lo: Bound, hi: Bound) -> ProductValue[V]:
        found = number.of_bounds(lo, hi)
        return BOTTOM if found is None else self.assign_number(a, v, found)

    def assign_number(self, a: ProductValue[V], v: int, found: Number) -> ProductValue[V]:
        if a is BOTTOM:
            return a
        numbers = _NUMBERS.assign_number(a.numbers, v, found)
        if a.relations is None:
            return Pair(None, numbers)
        return self._checked(self._relational.assign_interval(a.relations, v, found.lo, found.hi), numbers)

    def forget(self, a: ProductValue[V], variables: tuple[int, ...]) -> ProductValue[V]:
        if a is BOTTOM:
            return a
        numbers = _NUMBERS.forget(a.numbers, variables)
        return Pair(None if a.relations is None else self._relational.forget(a.relations, variables), numbers)

    def meet_constraints(self, a: ProductValue[V], constraints: tuple[Constraint, ...]) -> ProductValue[V]:
        if a is BOTTOM:
            return a
        numbers = _NUMBERS.meet_constraints(a.numbers, constraints)
        if a.relations is None or numbers is BOTTOM:
            return self._checked(None, numbers)
        relations = self._relational.meet_constraints(a.relations, constraints)
        return self._reduced(relations, numbers, range(len(numbers)))

    def meet_number(self, a: ProductValue[V], v: int, found: Number) -> ProductValue[V]:
        if a is BOTTOM:
            return a
        return self._narrowed(a, _NUMBERS.meet_number(a.numbers, v, found))

    def exclude(self, a: ProductValue[V], lin: LinExpr) -> ProductValue[V]:
        if a is BOTTOM:
            return a
        return self._narrowed(a, _NUMBERS.exclude(a.numbers, lin))

    def bound(self, a: ProductValue[V], v: int) -> tuple[Bound, Bound]:
        return number.bounds(self.number(a, v))

    def bound_linear(self, a: ProductValue[V], lin: LinExpr) -> tuple[Bound, Bound]:
        return number.bounds(self.number_linear(a, lin))

    def number(self, a: ProductValue[V], v: int) -> Number:
        assert a is not BOTTOM
        known = _NUMBERS.number(a.numbers, v)
        if a.relations is None:
            return known
        return _clipped(known, self._relational.bound(a.relations, v))

    def number_linear(self, a: ProductValue[V], lin: LinExpr) -> Number:
        assert a is not BOTTOM
        known = _NUMBERS.number_linear(a.numbers, lin)
        if a.relations is None:
            return known
        return _clipped(known, self._relational.bound_linear(a.relations, lin))

    def change_variables(self, a: ProductValue[V], mapping: tuple[int | None, ...], n: int) -> ProductValue[V]:
        if a is BOTTOM:
            return a
        if n == len(mapping) and mapping == tuple(range(n)):
            return a
        numbers = a.numbers
        assert numbers is not BOTTOM
        kept = tuple([numbers[v] if new is None else self.number(a, v) for v, new in enumerate(mapping)])
        found = _NUMBERS.change_variables(kept, mapping, n)
        if n <= 1:
            return Pair(None, found)
        if a.relations is not None:
            return Pair(self._relational.change_variables(a.relations, mapping, n), found)
        return self._reduced(self._relational.top(n), found, range(n))

    def constraints(self, a: ProductValue[V]) -> tuple[Constraint, ...]:
        """The bounds and relations; gaps between bounds (`number` gives them) are not linear."""
        if a is BOTTOM or a.relations is None:
            return _NUMBERS.constraints(BOTTOM if a is BOTTOM else a.numbers)
        return tuple(dict.fromkeys((*_NUMBERS.constraints(a.numbers), *self._relational.constraints(a.relations))))

    def _checked(self, relations: V | None, numbers: NumbersValue) -> ProductValue[V]:
        """The pair, or bottom if a part is."""
        if numbers is BOTTOM or (relations is not None and self._relational.is_bottom(relations)):
            return BOTTOM
        return Pair(relations, numbers)

    def _narrowed(self, a: Pair[V], numbers: NumbersValue) -> ProductValue[V]:
        """The value with what is left of the numbers."""
        if numbers is BOTTOM or a.relations is None:
            return self._checked(None, numbers)
        return self._reduced(a.relations, numbers, range(len(numbers)))

    def _reduced(self, relations: V, numbers: NumbersValue, variables: tuple[int, ...] | range) -> ProductValue[V]:
        """The pair after each part has told the other the bounds of some variables, once."""
        if numbers is BOTTOM or self._relational.is_bottom(relations):
            return BOTTOM
        tighter: list[Constraint] = []
        found = list(numbers)
        for v in variables:
            bounds = self._relational.bound(relations, v)
            clipped = number.clip(found[v], *bounds)
            if clipped is None:
                return BOTTOM
            found[v] = clipped
            if (clipped.lo, clipped.hi) != bounds:
                tighter += between(((v, 1),), clipped.lo, clipped.hi)
        if tighter:
            relations = self._relational.meet_constraints(relations, tuple(tighter))
        return self._checked(relations, tuple(found))


def _clipped(known: Number, bounds: tuple[Bound, Bound]) -> Number:
    """What remains of a number within bounds, both of which hold; at an empty state, which is not seen, the number."""
    return number.clip(known, *bounds) or known
