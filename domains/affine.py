"""Affine equalities: all equations between the variables of a pack that hold in every state, with exact numbers.

*Source*: Karr, Affine relationships among variables of a program (1976). Chains are at most as long as there are
variables, so `join` serves as widening. Inequalities are left to another domain (`domains.equalities`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, inf
from typing import NamedTuple, TypeAlias

from domains.lattice import BOTTOM, Bottom
from domains.linear import FALSE
from domains.numeric import Bound, Constraint, LinExpr

Row: TypeAlias = tuple[int, ...]
"""The equation `row[0] * x0 + ... + row[n-1] * x(n-1) + row[n] == 0`."""


class Affine(NamedTuple):
    """The solutions of equations over n variables.

    The rows are in reduced echelon form, each divided by its gcd and with a positive first coefficient, so that equal
    sets have equal values.
    """

    n: int
    rows: tuple[Row, ...]


AffineValue: TypeAlias = Affine | Bottom


class AffineDomain:
    """A `NumericDomain` of affine equalities; every bound that no equation fixes is infinite."""

    name = "affine"

    def top(self, n: int) -> AffineValue:
        return Affine(n, ())

    def bottom(self, n: int) -> AffineValue:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: AffineValue) -> bool:
        return a is BOTTOM

    def leq(self, a: AffineValue, b: AffineValue) -> bool:
        """Whether the equations of b follow from those of a (exact on rational points)."""
        if a is BOTTOM or a is b:
            return True
        if b is BOTTOM or len(b.rows) > len(a.rows):
            return False
        return all(not any(_eliminated(row, a.rows)) for row in b.rows)

    def join(self, a: AffineValue, b: AffineValue) -> AffineValue:
        """The smallest affine set that contains both: the equations that follow from either side.

        The row spaces are intersected by Zassenhaus' method: in the echelon form of the rows `(u, u)` of one and
        `(v, 0)` of the other, the rows that begin with zeros end with a basis of the intersection.
        """
        if a is BOTTOM or a == b:
            return b
        if b is BOTTOM:
            return a
        if not a.rows or not b.rows:
            return Affine(a.n, ())
        width = a.n + 1
        doubled = _echelon([*((*row, *row) for row in a.rows), *((*row, *[0] * width) for row in b.rows)])
        return Affine(a.n, _echelon(row[width:] for row in doubled if not any(row[:width])))

    def meet(self, a: AffineValue, b: AffineValue) -> AffineValue:
        """The points of both (exact)."""
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        return a if a == b else _solutions(a.n, (*a.rows, *b.rows))

    def widen(self, a: AffineValue, b: AffineValue, thresholds: tuple[int, ...] = ()) -> AffineValue:  # noqa: ARG002
        return self.join(a, b)

    def narrow(self, a: AffineValue, b: AffineValue) -> AffineValue:  # noqa: ARG002 (descending chains are short, too)
        return b

    def assign(self, a: AffineValue, v: int, lin: LinExpr) -> AffineValue:
        """The set after v := lin (exact on rational points)."""
        if a is BOTTOM:
            return a
        value = _row(a.n, lin)
        factor = value[v]
        if not factor:
            new = tuple([1 if w == v else -k for w, k in enumerate(value)])
            return Affine(a.n, _echelon((*_without(a.rows, v), new)))
        # The old v is (new v - rest) / factor.
        rest = (*value[:v], 0, *value[v + 1 :])
        rows = [[factor * k - row[v] * r for k, r in zip(row, rest, strict=True)] for row in a.rows]
        for row, old in zip(rows, a.rows, strict=True):
            row[v] = old[v]
        return Affine(a.n, _echelon(map(tuple, rows)))

    def assign_interval(self, a: AffineValue, v: int, lo: Bound, hi: Bound) -> AffineValue:
        if a is BOTTOM or lo > hi:
            return BOTTOM
        return self.assign(a, v, ((), lo)) if isinstance(lo, int) and lo == hi else self.forget(a, (v,))

    def forget(self, a: AffineValue, variables: tuple[int, ...]) -> AffineValue:
        """The set with any values of some variables (exact on rational points)."""
        if a is BOTTOM:
            return a
        rows: Sequence[Row] = a.rows
        for v in variables:
            rows = _without(rows, v)
        return a if rows is a.rows else Affine(a.n, _echelon(rows))

    def meet_constraints(self, a: AffineValue, constraints: tuple[Constraint, ...]) -> AffineValue:
        """The set with the equations among the constraints (exact); of the inequalities, those without variables."""
        if a is BOTTOM or any(relation == ">=" and not terms and c < 0 for (terms, c), relation in constraints):
            return BOTTOM
        new = [_row(a.n, lin) for lin, relation in constraints if relation == "=="]
        return _solutions(a.n, (*a.rows, *new)) if new else a

    def bound(self, a: AffineValue, v: int) -> tuple[Bound, Bound]:
        return self.bound_linear(a, (((v, 1),), 0))

    def bound_linear(self, a: AffineValue, lin: LinExpr) -> tuple[Bound, Bound]:
        """The value of an expression that the equations fix, else nothing."""
        assert a is not BOTTOM
        left, factor = reduced(a, lin)
        if left[0] or left[1] % factor:
            return -inf, inf
        return left[1] // factor, left[1] // factor

    def change_variables(self, a: AffineValue, mapping: tuple[int | None, ...], n: int) -> AffineValue:
        if a is BOTTOM:
            return a
        rows: Sequence[Row] = a.rows
        for v, new in enumerate(mapping):
            if new is None:
                rows = _without(rows, v)
        moved = [[0] * (n + 1) for _ in rows]
        for row, old in zip(moved, rows, strict=True):
            row[n] = old[a.n]
            for v, new in enumerate(mapping):
                if new is not None:
                    row[new] = old[v]
        return Affine(n, _echelon(map(tuple, moved)))

    def constraints(self, a: AffineValue) -> tuple[Constraint, ...]:
        return (FALSE,) if a is BOTTOM else tuple((lin, "==") for lin in equations(a))


def equations(a: Affine) -> tuple[LinExpr, ...]:
    """The expressions that are 0: one for each row, whose first variable is in no other one."""
    return tuple([_expression(row) for row in a.rows])


def reduced(a: Affine, lin: LinExpr) -> tuple[LinExpr, int]:
    """An expression without the first variable of any row, and the factor by which it is larger; the factor is > 0."""
    row, factor = _row(a.n, lin), 1
    for known in a.rows:
        pivot = _pivot(known)
        if row[pivot]:
            factor *= known[pivot]
            row = _combined(row, known, pivot)
    return _expression(row), factor


def _expression(row: Row) -> LinExpr:
    return tuple([(v, k) for v, k in enumerate(row[:-1]) if k]), row[-1]


def _row(n: int, lin: LinExpr) -> Row:
    row = [0] * (n + 1)
    for v, k in lin[0]:
        row[v] = k
    row[n] = lin[1]
    return tuple(row)


def _solutions(n: int, rows: Iterable[Row]) -> AffineValue:
    """The integer solutions of equations: none where an equation by itself has none."""
    found = _echelon(rows)
    if any(not (divisor := gcd(*row[:n])) or row[n] % divisor for row in found):
        return BOTTOM
    return Affine(n, found)


def _pivot(row: Row) -> int:
    return next(index for index, k in enumerate(row) if k)


def _combined(row: Row, by: Row, column: int) -> Row:
    """`row` times a positive number, without a column that `by` has."""
    factor, other = by[column], row[column]
    if factor < 0:
        factor, other = -factor, -other
    return tuple([factor * k - other * m for k, m in zip(row, by, strict=True)])


def _eliminated(row: Row, rows: Sequence[Row]) -> Row:
    """What is left of a row, times some number, by rows in echelon form."""
    for known in rows:
        pivot = _pivot(known)
        if row[pivot]:
            row = _combined(row, known, pivot)
    return row


def _echelon(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The reduced echelon form of the rows, without those that are 0."""
    basis: list[tuple[int, Row]] = []
    for row in rows:
        for pivot, known in basis:
            if row[pivot]:
                row = _combined(row, known, pivot)
        if not any(row):
            continue
        column = _pivot(row)
        row = _primitive(row, column)
        basis = [(p, _primitive(_combined(old, row, column), p) if old[column] else old) for p, old in basis]
        basis.append((column, row))
    return tuple([row for _, row in sorted(basis)])


def _primitive(row: Row, pivot: int) -> Row:
    divisor = gcd(*row) if row[pivot] > 0 else -gcd(*row)
    return row if divisor == 1 else tuple([k // divisor for k in row])


def _without(rows: Sequence[Row], v: int) -> Sequence[Row]:
    """The equations that are left where a variable may be anything; the same object if none has it."""
    having = [row for row in rows if row[v]]
    if not having:
        return rows
    by = having[-1]
    return [_combined(row, by, v) if row[v] else row for row in rows if row is not by]
