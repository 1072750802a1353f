"""The octagon domain: bounds on x, x + y and x - y for all pairs of variables, exact on integers.

*Source*: Mine, The octagon abstract domain (2006), with the integer closure of `domains.dbm`. Every transfer
operation is exact for octagonal operands (at most two variables, coefficients 1 and -1, constants up to 2^300);
other linear expressions go through the bounds of their parts. Equality of values is equality of their matrices: for
results of `widen` and `narrow`, which must stay unclosed for chains to end, use `leq` both ways.
"""

from __future__ import annotations

from math import inf
from operator import le
from typing import Final, TypeAlias

from domains import dbm
from domains.dbm import LIMIT, Rows
from domains.lattice import BOTTOM, Bottom
from domains.linear import FALSE, between, inequalities, negate, octagonal_terms
from domains.numeric import Bound, Constraint, LinExpr
from domains.octagon_linear import add_linear, assign_general, is_octagonal, refine, upper
from domains.values.interval import widen_lower, widen_upper

# Rounds of propagating constraints that are not octagonal; stopping early only loses precision.
MAX_ROUNDS: Final = 3


class Octagon:
    """A non-empty octagon, immutable: the matrix as given, and its tight closure, computed when first needed."""

    __slots__ = ("_closed", "_hash", "rows")

    rows: Rows
    _closed: Rows | None
    _hash: int | None

    def __init__(self, rows: Rows, *, closed: bool = True) -> None:
        self.rows = rows
        self._closed = rows if closed else None
        self._hash = None

    @property
    def closed(self) -> Rows:
        """The tight closure of the matrix."""
        if self._closed is None:
            closure = dbm.close(self.rows)
            assert closure is not None, "an unclosed octagon contains a non-empty one"
            self._closed = closure
        return self._closed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Octagon) and (self is other or self.rows == other.rows)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.rows)
        return self._hash

    def __repr__(self) -> str:
        return f"Octagon({self.rows!r})"


OctagonValue: TypeAlias = Octagon | Bottom


def _value(rows: Rows | None) -> OctagonValue:
    return BOTTOM if rows is None else Octagon(rows)


class OctagonDomain:
    """A `NumericDomain` whose values are `Octagon` objects or `BOTTOM`."""

    __slots__ = ()

    name = "octagon"

    def top(self, n: int) -> OctagonValue:
        return Octagon(dbm.unconstrained(n))

    def bottom(self, n: int) -> OctagonValue:  # noqa: ARG002 (one bottom serves every n)
        return BOTTOM

    def is_bottom(self, a: OctagonValue) -> bool:
        return a is BOTTOM

    def leq(self, a: OctagonValue, b: OctagonValue) -> bool:
        """Whether a is included in b (exact on integer points)."""
        if a is b or a is BOTTOM:
            return True
        if b is BOTTOM:
            return False
        return all(row is other or all(map(le, row, other)) for row, other in zip(a.closed, b.rows, strict=True))

    def join(self, a: OctagonValue, b: OctagonValue) -> OctagonValue:
        """The smallest octagon that contains both."""
        if a is BOTTOM or a is b:
            return b
        if b is BOTTOM:
            return a
        # The maximum of tightly closed matrices is tightly closed.
        return Octagon(
            tuple(
                [
                    row if row is other else tuple([x if x >= y else y for x, y in zip(row, other, strict=True)])
                    for row, other in zip(a.closed, b.closed, strict=True)
                ]
            )
        )

    def meet(self, a: OctagonValue, b: OctagonValue) -> OctagonValue:
        """The intersection (exact)."""
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        left, right = a.closed, b.closed
        size = len(left)
        edges = [(i, j) for i in range(size) for j in range(size) if right[i][j] < left[i][j]]
        if len(edges) > size:
            # Paths change between the closed matrices only at ends of these edges.
            both = tuple([tuple(map(min, *pair)) for pair in zip(left, right, strict=True)])
            return _value(dbm.close(both, sorted({node for edge in edges for node in edge})))
        rows = left
        for i, j in edges:
            smaller = dbm.add_edge(rows, i, j, right[i][j])
            if smaller is None:
                return BOTTOM
            rows = smaller
        return Octagon(rows)

    def widen(self, a: OctagonValue, b: OctagonValue, thresholds: tuple[int, ...] = ()) -> OctagonValue:
        """The matrix of a with every unstable entry moved to the next threshold; it is not closed.

        A threshold t applies to x <= t, x >= t and to x + y <= t, x - y <= t, -x - y <= t.
        """
        if a is BOTTOM:
            return b
        if b is BOTTOM or self.leq(b, a):
            return a
        result = []
        for i, (row, other) in enumerate(zip(a.rows, b.closed, strict=True)):
            new = [
                x if y <= x else _next_threshold(i, j, y, thresholds)
                for j, (x, y) in enumerate(zip(row, other, strict=True))
            ]
            result.append(tuple(new))
        return Octagon(tuple(result), closed=False)

    def narrow(self, a: OctagonValue, b: OctagonValue) -> OctagonValue:
        """The matrix of a with infinite entries replaced by those of b; it is not closed."""
        if a is BOTTOM or b is BOTTOM:
            return BOTTOM
        rows = tuple(
            [
                tuple([y if x == inf else x for x, y in zip(row, other, strict=True)])
                for row, other in zip(a.rows, b.closed, strict=True)
            ]
        )
        return a if rows == a.rows else Octagon(rows, closed=False)

    def assign(self, a: OctagonValue, v: int, lin: LinExpr) -> OctagonValue:
        """The octagon after v := lin; exact if `lin` is a constant or +-w + constant, up to 2^300."""
        if a is BOTTOM:
            return a
        terms, const = lin
        if not terms:
            return Octagon(dbm.set_unary(a.closed, v, const, const))
        if len(terms) == 1 and abs(terms[0][1]) == 1 and abs(const) <= LIMIT:
            (w, k) = terms[0]
            source = list(range(len(a.rows)))
            source[2 * v], source[2 * v + 1] = (2 * w, 2 * w + 1) if k == 1 else (2 * w + 1, 2 * w)
            moved = a.closed if v == w and k == 1 else dbm.reindex(a.closed, tuple(source))
            return Octagon(dbm.translate(moved, v, const))
        return _value(assign_general(a.closed, v, lin))

    def assign_interval(self, a: OctagonValue, v: int, lo: Bound, hi: Bound) -> OctagonValue:
        if a is BOTTOM or lo > hi:
            return BOTTOM
        return Octagon(dbm.set_unary(a.closed, v, lo, hi))

    def forget(self, a: OctagonValue, variables: tuple[int, ...]) -> OctagonValue:
        if a is BOTTOM or not variables:
            return a
        size = len(a.rows)
        return Octagon(dbm.reindex(a.closed, tuple([None if i >> 1 in variables else i for i in range(size)])))

    def meet_constraints(self, a: OctagonValue, constraints: tuple[Constraint, ...]) -> OctagonValue:
        """The octagon with the constraints added; exact for octagonal ones, by propagation for the others."""
        if a is BOTTOM:
            return a
        rows = a.closed
        pending: list[LinExpr] = []
        for constraint in constraints:
            for lin in inequalities(constraint):
                if not is_octagonal(lin):
                    pending.append(lin)
                    continue
                smaller = add_linear(rows, lin)
                if smaller is None:
                    return BOTTOM
                rows = smaller
        for _ in range(MAX_ROUNDS if pending else 0):
            before = rows
            for lin in pending:
                smaller = refine(rows, lin)
                if smaller is None:
                    return BOTTOM
                rows = smaller
            if rows is before:
                break
        return a if rows is a.rows else Octagon(rows)

    def bound(self, a: OctagonValue, v: int) -> tuple[Bound, Bound]:
        """The smallest and the greatest value of v (exact)."""
        assert a is not BOTTOM
        minus, plus = a.closed[2 * v][2 * v + 1], a.closed[2 * v + 1][2 * v]
        lo = -(minus // 2) if isinstance(minus, int) else -inf
        return lo, (plus // 2 if isinstance(plus, int) else inf)

    def bound_linear(self, a: OctagonValue, lin: LinExpr) -> tuple[Bound, Bound]:
        """Bounds of an expression; exact for +-x, +-x +- y and their multiples."""
        assert a is not BOTTOM
        greatest = upper(a.closed, lin[0])
        least = upper(a.closed, negate(lin)[0])
        lo = lin[1] - least if isinstance(least, int) else -inf
        return lo, (lin[1] + greatest if isinstance(greatest, int) else inf)

    def change_variables(self, a: OctagonValue, mapping: tuple[int | None, ...], n: int) -> OctagonValue:
        """The octagon over renamed variables. *Requires*: no two variables map to the same one."""
        if a is BOTTOM:
            return a
        source: list[int | None] = [None] * (2 * n)
        for old, new in enumerate(mapping):
            if new is not None:
                source[2 * new], source[2 * new + 1] = 2 * old, 2 * old + 1
        return Octagon(dbm.reindex(a.closed, tuple(source)))

    def constraints(self, a: OctagonValue) -> tuple[Constraint, ...]:
        """The finite entries, without those that follow from the bounds of single variables."""
        if a is BOTTOM:
            return (FALSE,)
        rows = a.closed
        half = dbm.halves(rows)
        result: list[Constraint] = []
        for terms in octagonal_terms(len(rows) // 2):
            p, q = 2 * terms[0][0], 2 * terms[-1][0] + (terms[-1][1] < 0)
            if p == q:
                minus, plus = half[p], half[p ^ 1]
            else:  # V_p + V_q is bounded from above by one entry, from below by the coherent other
                minus, plus = rows[q][p ^ 1], rows[q ^ 1][p]
                minus = minus if minus < half[p] + half[q] else inf
                plus = plus if plus < half[p ^ 1] + half[q ^ 1] else inf
            result += between(terms, -minus, plus)
        return tuple(result)


def _next_threshold(i: int, j: int, bound: Bound, thresholds: tuple[int, ...]) -> Bound:
    """The entry (i, j) of a widened matrix where `bound` exceeds the old entry; at least `bound`."""
    if i != j ^ 1:
        return dbm.clamp(widen_upper(bound, thresholds))
    if not isinstance(bound, int):
        return inf
    # The entry is twice a bound on -v (even node) or on v (odd node); it is even, as the matrix is closed.
    half = -widen_lower(-(bound // 2), thresholds) if i % 2 == 0 else widen_upper(bound // 2, thresholds)
    return dbm.clamp(2 * half)
