"""The reduced product of a relational domain with affine equalities: relations of three and more variables.

What the equations say turns one expression into others of the same value, and the relational domain knows bounds of
some of them: with `used + free == size`, it is `free >= 0` that bounds `used - size`. A value is a pair, or `BOTTOM`.
As in `domains.product` reduction takes place after transfer operations only, so that chains of widenings end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import chain, combinations
from math import inf
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from domains.affine import Affine, AffineDomain, AffineValue, equations, reduced
from domains.lattice import BOTTOM, Bottom
from domains.linear import between, linear
from domains.numeric import Bound, Constraint, LinExpr, NumericDomain

V = TypeVar("V")


class Equated(NamedTuple, Generic[V]):
    """What each part knows."""

    relations: V
    equalities: Affine


EquatedValue: TypeAlias = Equated[V] | Bottom
_AFFINE = AffineDomain()


class WithEqualities(Generic[V]):
    """A `NumericDomain` on top of another one."""

    def __init__(self, relational: NumericDomain[V]) -> None:
        self.name = relational.name
        self._relational = relational

    def top(self, n: int) -> EquatedValue[V]:
        return Equated(self._relational.top(n), Affine(n, ()))

    def bottom(self, n: int) -> EquatedValue[V]:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: EquatedValue[V]) -> bool:
        return a is BOTTOM

    def leq(self, a: EquatedValue[V], b: EquatedValue[V]) -> bool:
        """Whether both parts of a are included in those of b."""
        if a is BOTTOM or a is b:
            return True
        if b is BOTTOM or not _AFFINE.leq(a.equalities, b.equalities):
            return False
        return self._relational.leq(a.relations, b.relations)

    def join(self, a: EquatedValue[V], b: EquatedValue[V]) -> EquatedValue[V]:
        if a is BOTTOM or a is b:
            return b
        if b is BOTTOM:
            return a
        return self._pair(self._relational.join(a.relations, b.relations), _AFFINE.join(a.equalities, b.equalities))

    def meet(self, a: EquatedValue[V], b: EquatedValue[V]) -> EquatedValue[V]:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        return self._pair(self._relational.meet(a.relations, b.relations), _AFFINE.meet(a.equalities, b.equalities))

    def widen(self, a: EquatedValue[V], b: EquatedValue[V], thresholds: tuple[int, ...] = ()) -> EquatedValue[V]:
        if a is BOTTOM:
            return b
        if b is BOTTOM:
            return a
        equalities = _AFFINE.join(a.equalities, b.equalities)
        # What is stable stays as it is, so that its chain does not go on while the other part still moves.
        if self._relational.leq(b.relations, a.relations):
            return self._pair(a.relations, equalities)
        grown = self._relational.join(a.relations, b.relations)
        return self._pair(self._relational.widen(a.relations, grown, thresholds), equalities)

    def narrow(self, a: EquatedValue[V], b: EquatedValue[V]) -> EquatedValue[V]:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        return self._pair(self._relational.narrow(a.relations, b.relations), b.equalities)

    def assign(self, a: EquatedValue[V], v: int, lin: LinExpr) -> EquatedValue[V]:
        if a is BOTTOM:
            return a
        after = self._pair(self._relational.assign(a.relations, v, lin), _AFFINE.assign(a.equalities, v, lin))
        if len(lin[0]) < 2 or after is BOTTOM:
            return after
        bounds = between(((v, 1),), *self.bound_linear(a, lin))
        bounded = self._pair(self._relational.meet_constraints(after.relations, bounds), after.equalities)
        return BOTTOM if bounded is BOTTOM else self._told(bounded)

    def assign_interval(self, a: EquatedValue[V], v: int, lo: Bound, hi: Bound) -> EquatedValue[V]:
        if a is BOTTOM:
            return a
        relations = self._relational.assign_interval(a.relations, v, lo, hi)
        return self._pair(relations, _AFFINE.assign_interval(a.equalities, v, lo, hi))

    def forget(self, a: EquatedValue[V], variables: tuple[int, ...]) -> EquatedValue[V]:
        if a is BOTTOM:
            return a
        return self._pair(self._relational.forget(a.relations, variables), _AFFINE.forget(a.equalities, variables))

    def meet_constraints(self, a: EquatedValue[V], constraints: tuple[Constraint, ...]) -> EquatedValue[V]:
        """The states with the constraints, each also in the other words that the equations have for it."""
        if a is BOTTOM:
            return a
        equalities = _AFFINE.meet_constraints(a.equalities, constraints)
        if equalities is BOTTOM:
            return BOTTOM
        forms = tuple([(form, kind) for lin, kind in constraints for form, _ in _forms(equalities, lin)])
        met = self._pair(self._relational.meet_constraints(a.relations, forms), equalities)
        if met is BOTTOM:
            return met
        found = tuple([equation for lin, kind in forms if kind == ">=" for equation in self._fixed(met.relations, lin)])
        if found:
            met = self._pair(met.relations, _AFFINE.meet_constraints(equalities, found))
        return BOTTOM if met is BOTTOM else self._told(met)

    def bound(self, a: EquatedValue[V], v: int) -> tuple[Bound, Bound]:
        """As the relational domain knows it, which has been told the equations."""
        assert a is not BOTTOM
        return self._relational.bound(a.relations, v)

    def bound_linear(self, a: EquatedValue[V], lin: LinExpr) -> tuple[Bound, Bound]:
        """The narrowest of the bounds of all that the equations say the expression is."""
        assert a is not BOTTOM
        return self._bounds(a, _forms(a.equalities, lin))

    def _bounds(self, a: Equated[V], forms: Iterable[tuple[LinExpr, int]]) -> tuple[Bound, Bound]:
        """The narrowest of the bounds of an expression, a multiple of which each of the forms is."""
        lo, hi = -inf, inf
        for form, factor in forms:
            low, high = self._relational.bound_linear(a.relations, form)
            lo = max(lo, -(-low // factor) if isinstance(low, int) else low)
            hi = min(hi, high // factor if isinstance(high, int) else high)
        return lo, hi

    def change_variables(self, a: EquatedValue[V], mapping: tuple[int | None, ...], n: int) -> EquatedValue[V]:
        told = a if a is BOTTOM else self._outlasting(a, {v for v, target in enumerate(mapping) if target is not None})
        if told is BOTTOM:
            return told
        relations = self._relational.change_variables(told.relations, mapping, n)
        return self._pair(relations, _AFFINE.change_variables(told.equalities, mapping, n))

    def constraints(self, a: EquatedValue[V]) -> tuple[Constraint, ...]:
        if a is BOTTOM:
            return _AFFINE.constraints(a)
        found = (*_AFFINE.constraints(a.equalities), *self._relational.constraints(a.relations))
        return tuple(dict.fromkeys(found))

    def _pair(self, relations: V, equalities: AffineValue) -> EquatedValue[V]:
        """The pair, or bottom if a part is."""
        if equalities is BOTTOM or self._relational.is_bottom(relations):
            return BOTTOM
        return Equated(relations, equalities)

    def _told(self, a: Equated[V]) -> EquatedValue[V]:
        """The pair after the relational domain has heard the equations that it has not found itself."""
        news: tuple[Constraint, ...] = tuple(
            [
                (lin, "==")
                for lin in equations(a.equalities)
                if self._relational.bound_linear(a.relations, lin) != (0, 0)
            ]
        )
        return self._pair(self._relational.meet_constraints(a.relations, news), a.equalities) if news else a

    def _outlasting(self, a: Equated[V], kept: Set[int]) -> EquatedValue[V]:
        """The pair after the relational domain has heard what is known of kept variables through the other ones."""
        rows = [{v for v, _ in terms} for terms, _ in _telling(a.equalities)]
        told = sorted(kept & set(chain.from_iterable(rows)))
        linked = {v for row in rows if not row <= kept for v in row}
        news: list[Constraint] = []
        pairs = [(v, w) for v, w in combinations(told, 2) if v in linked or w in linked]
        for lin in ((((v, 1), (w, k)), 0) for v, w in pairs for k in (-1, 1)):
            bounds = self._bounds(a, (*_forms(a.equalities, lin), *_replaced_both(a.equalities, lin)))
            if bounds != self._relational.bound_linear(a.relations, lin):
                news += between(lin[0], *bounds)
        return self._pair(self._relational.meet_constraints(a.relations, tuple(news)), a.equalities) if news else a

    def _fixed(self, relations: V, lin: LinExpr) -> Iterator[Constraint]:
        """The equation that bounds of an expression amount to, if they do."""
        if lin[0]:
            lo, hi = self._relational.bound_linear(relations, lin)
            if isinstance(lo, int) and lo == hi:
                yield (lin[0], lin[1] - lo), "=="


def _forms(a: Affine, lin: LinExpr) -> Iterator[tuple[LinExpr, int]]:
    """Expressions that are a positive multiple of one where the equations hold, each with the factor.

    First the expression itself, then with one variable replaced by an equation, last with all that rows begin with.
    """
    yield lin, 1
    telling = _telling(a) if lin[0] else []
    if not telling:
        return
    for equation in telling:
        for v, _ in lin[0]:
            yield from _replaced(lin, v, equation)
    yield reduced(a, lin)


def _replaced_both(a: Affine, lin: LinExpr) -> Iterator[tuple[LinExpr, int]]:
    """As `_forms`, with each of two variables replaced by another equation."""
    telling = _telling(a)
    for (v, _), (w, _) in combinations(lin[0], 2):
        with_other = [equation for equation in telling if w in dict(equation[0])]
        for form, factor in (found for equation in telling for found in _replaced(lin, v, equation)):
            for last, more in (found for equation in with_other for found in _replaced(form, w, equation)):
                yield last, factor * more


def _telling(a: Affine) -> list[LinExpr]:
    """The equations of several variables: those of one are nothing new to a domain of bounds."""
    return [found for found in equations(a) if len(found[0]) > 1]


def _replaced(lin: LinExpr, v: int, equation: LinExpr) -> Iterator[tuple[LinExpr, int]]:
    """A multiple of an expression with a variable replaced by an equation, where both have it."""
    terms, constant = equation
    by, k = dict(lin[0]).get(v, 0), dict(terms).get(v, 0)
    if by and k:
        factor, by = (k, by) if k > 0 else (-k, -by)
        parts = [*((w, factor * m) for w, m in lin[0]), *((w, -by * m) for w, m in terms)]
        yield linear(parts, factor * lin[1] - by * constant), factor
