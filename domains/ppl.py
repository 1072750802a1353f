"""Convex polyhedra of the Parma Polyhedra Library behind `NumericDomain`, through pplpy; optional, never needed.

*Source*: Cousot and Halbwachs, Automatic discovery of linear restraints among variables of a program (1978). Points of
a polyhedron are rational: constraints are divided by their gcd first, which is all the rounding to integers there is.
PPL is under the GPL, so that it is an extra (`polyhedra`) and is loaded only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module, metadata
from math import inf
from typing import Any, TypeAlias

from domains.lattice import BOTTOM, Bottom
from domains.linear import FALSE, between, linear, tighten
from domains.numeric import Bound, Constraint, LinExpr


class PplUnavailable(Exception):
    """pplpy cannot be loaded; the text says why."""


class PplLibrary:
    """The module of pplpy, and its version."""

    def __init__(self) -> None:
        self.module: Any = import_module("ppl")
        self.version = metadata.version("pplpy")

    def expression(self, lin: LinExpr) -> Any:
        """An expression of PPL, which takes numbers of any size."""
        result = self.module.Linear_Expression(lin[1])
        for v, k in lin[0]:
            result += k * self.module.Variable(v)
        return result


def load() -> PplLibrary:
    """The library, ready for use. *Raises*: `PplUnavailable`."""
    try:
        return PplLibrary()
    except (ImportError, OSError) as error:
        raise PplUnavailable(f"pplpy cannot be loaded: {error}") from error


class Polyhedron:
    """A polyhedron that is not empty, which nobody changes; equal by its minimal constraints."""

    __slots__ = ("constraints", "n", "raw")

    def __init__(self, n: int, raw: Any) -> None:
        self.n = n
        self.raw = raw
        self.constraints = frozenset(map(_constraint, raw.minimized_constraints()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polyhedron) and self.n == other.n and self.constraints == other.constraints

    def __hash__(self) -> int:
        return hash((self.n, self.constraints))


AnyValue: TypeAlias = Polyhedron | Bottom


class PplDomain:
    """A `NumericDomain` of polyhedra computed by PPL."""

    name = "polyhedra"

    def __init__(self, library: PplLibrary) -> None:
        self._library = library
        self._ppl = library.module

    def _wrap(self, n: int, raw: Any) -> AnyValue:
        return BOTTOM if raw.is_empty() else Polyhedron(n, raw)

    def _copy(self, a: Polyhedron) -> Any:
        return self._ppl.C_Polyhedron(a.raw)

    def top(self, n: int) -> AnyValue:
        return Polyhedron(n, self._ppl.C_Polyhedron(n, "universe"))

    def bottom(self, n: int) -> AnyValue:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: AnyValue) -> bool:
        """Whether there is no rational point."""
        return a is BOTTOM

    def leq(self, a: AnyValue, b: AnyValue) -> bool:
        if a is BOTTOM or a is b:
            return True
        return b is not BOTTOM and bool(b.raw.contains(a.raw))

    def join(self, a: AnyValue, b: AnyValue) -> AnyValue:
        """The convex hull."""
        if a is BOTTOM or a is b:
            return b
        if b is BOTTOM:
            return a
        raw = self._copy(a)
        raw.poly_hull_assign(b.raw)
        return self._wrap(a.n, raw)

    def meet(self, a: AnyValue, b: AnyValue) -> AnyValue:
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        raw = self._copy(a)
        raw.intersection_assign(b.raw)
        return self._wrap(a.n, raw)

    def widen(self, a: AnyValue, b: AnyValue, thresholds: tuple[int, ...] = ()) -> AnyValue:
        """The widening of Bagnara, Hill, Ricci and Zaffanella (2003), within the nearest thresholds that hold of b.

        A threshold bounds one variable. Each step either loses one for good or is a step of the plain widening.
        """
        if a is BOTTOM:
            return b
        if b is BOTTOM or self.leq(b, a):
            return a
        raw = self._copy(b)
        raw.poly_hull_assign(a.raw)
        raw.BHRZ03_widening_assign(a.raw)
        for v in range(a.n):
            lo, hi = self.bound(b, v)
            low = max((t for t in thresholds if t <= lo), default=-inf)
            high = min((t for t in thresholds if t >= hi), default=inf)
            self._add(raw, between(((v, 1),), low, high))
        return self._wrap(a.n, raw)

    def narrow(self, a: AnyValue, b: AnyValue) -> AnyValue:
        """The polyhedron a with those bounds of b where a variable has none."""
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        raw = self._copy(a)
        for v in range(a.n):
            (lo, hi), (low, high) = self.bound(a, v), self.bound(b, v)
            self._add(raw, between(((v, 1),), low if lo == -inf else -inf, high if hi == inf else inf))
        return self._wrap(a.n, raw)

    def assign(self, a: AnyValue, v: int, lin: LinExpr) -> AnyValue:
        if a is BOTTOM:
            return a
        raw = self._copy(a)
        raw.affine_image(self._ppl.Variable(v), self._library.expression(lin))
        return self._wrap(a.n, raw)

    def assign_interval(self, a: AnyValue, v: int, lo: Bound, hi: Bound) -> AnyValue:
        if a is BOTTOM or lo > hi:
            return BOTTOM
        return self.meet_constraints(self.forget(a, (v,)), between(((v, 1),), lo, hi))

    def forget(self, a: AnyValue, variables: tuple[int, ...]) -> AnyValue:
        if a is BOTTOM or not variables:
            return a
        raw = self._copy(a)
        for v in variables:
            raw.unconstrain(self._ppl.Variable(v))
        return self._wrap(a.n, raw)

    def meet_constraints(self, a: AnyValue, constraints: tuple[Constraint, ...]) -> AnyValue:
        if a is BOTTOM or not constraints:
            return a
        raw = self._copy(a)
        self._add(raw, constraints)
        return self._wrap(a.n, raw)

    def _add(self, raw: Any, constraints: Iterable[Constraint]) -> None:
        for constraint in constraints:
            lin, relation = tighten(constraint)
            found = self._library.expression(lin)
            raw.add_constraint(found == 0 if relation == "==" else found >= 0)

    def bound(self, a: AnyValue, v: int) -> tuple[Bound, Bound]:
        return self.bound_linear(a, (((v, 1),), 0))

    def bound_linear(self, a: AnyValue, lin: LinExpr) -> tuple[Bound, Bound]:
        assert a is not BOTTOM
        expression = self._library.expression(lin)
        greatest, least = a.raw.maximize(expression), a.raw.minimize(expression)
        lo = -(-int(least["inf_n"]) // int(least["inf_d"])) if least["bounded"] else -inf
        return lo, int(greatest["sup_n"]) // int(greatest["sup_d"]) if greatest["bounded"] else inf

    def change_variables(self, a: AnyValue, mapping: tuple[int | None, ...], n: int) -> AnyValue:
        if a is BOTTOM:
            return a
        dropped = tuple([v for v, new in enumerate(mapping) if new is None])
        left = self.forget(a, dropped)
        assert left is not BOTTOM
        moved: list[Constraint] = []
        for (terms, constant), relation in left.constraints:
            moved.append((linear([(_new(mapping, v), k) for v, k in terms], constant), relation))
        return self.meet_constraints(self.top(n), tuple(sorted(moved)))

    def constraints(self, a: AnyValue) -> tuple[Constraint, ...]:
        return (FALSE,) if a is BOTTOM else tuple(sorted(a.constraints))


def _new(mapping: tuple[int | None, ...], v: int) -> int:
    new = mapping[v]
    assert new is not None
    return new


def _constraint(found: Any) -> Constraint:
    terms = [(v, int(k)) for v, k in enumerate(found.coefficients())]
    return linear(terms, int(found.inhomogeneous_term())), "==" if found.is_equality() else ">="
