"""Linear expressions against octagon matrices: bounds, constraints and assignments beyond two unit coefficients.

A sum is bounded by splitting it into multiples of x, x + y and x - y, each of which the matrix bounds; every split
gives a sound bound, and the smallest is taken (linearisation as in Mine 2006, section 4, with pairs added).
Matrices are tightly closed throughout.
"""

from __future__ import annotations

from math import inf
from typing import Final, TypeAlias

from domains import dbm
from domains.dbm import Rows
from domains.linear import negate
from domains.numeric import Bound, LinExpr

Terms: TypeAlias = tuple[tuple[int, int], ...]

# Sums with more terms are bounded term by term: the number of splits grows with the factorial.
MAX_PAIRED_TERMS: Final = 4


def is_octagonal(lin: LinExpr) -> bool:
    """Whether the expression has at most two variables, each with coefficient 1 or -1."""
    return len(lin[0]) <= 2 and all(k in (1, -1) for _, k in lin[0])


def _node(v: int, k: int) -> int:
    return 2 * v + (k < 0)


def _times(factor: int, bound: Bound) -> Bound:
    return factor * bound if isinstance(bound, int) else inf


def _floor(bound: Bound, divisor: int) -> Bound:
    return bound // divisor if isinstance(bound, int) else inf


def _plus(a: Bound, b: Bound) -> Bound:
    return a + b if isinstance(a, int) and isinstance(b, int) else inf


def _upper_single(rows: Rows, v: int, k: int) -> Bound:
    node = _node(v, k)
    return _times(abs(k), _floor(rows[node ^ 1][node], 2))


def _upper_pair(rows: Rows, v: int, k: int, w: int, m: int) -> Bound:
    """The greatest value of sign(k) * v + sign(m) * w, for different variables."""
    return rows[_node(w, m) ^ 1][_node(v, k)]


def upper(rows: Rows, terms: Terms) -> Bound:
    """An upper bound of a sum of terms; exact for one term, and for two with equal absolute coefficients."""
    if not terms:
        return 0
    (v, k), rest = terms[0], terms[1:]
    best = _upper_single(rows, v, k)
    if not rest:
        return best
    best = _plus(best, upper(rows, rest))
    if len(terms) > MAX_PAIRED_TERMS:
        return best
    for index, (w, m) in enumerate(rest):
        pair = _upper_pair(rows, v, k, w, m)
        if isinstance(pair, int):
            weight = min(abs(k), abs(m))
            others = (*_without(v, k, weight), *rest[:index], *_without(w, m, weight), *rest[index + 1 :])
            best = min(best, _plus(weight * pair, upper(rows, others)))
    return best


def _without(v: int, k: int, weight: int) -> Terms:
    """The term k * v with the coefficient brought towards zero by `weight`."""
    left = k - weight if k > 0 else k + weight
    return ((v, left),) if left else ()


def add_linear(rows: Rows, lin: LinExpr) -> Rows | None:
    """The matrix with lin >= 0 added, exactly; None if empty. *Requires*: `is_octagonal(lin)`."""
    terms, const = lin
    if not terms:
        return rows if const >= 0 else None
    (v, k) = terms[0]
    source = _node(v, k)  # lin >= 0 bounds -k * v - ... by the constant
    if len(terms) == 1:
        return dbm.add_edge(rows, source, source ^ 1, 2 * const)
    return dbm.add_edge(rows, source, _node(*terms[1]) ^ 1, const)


def refine(rows: Rows, lin: LinExpr) -> Rows | None:
    """The matrix with bounds on single variables and pairs that follow from lin >= 0; None if empty.

    From weight * f + others + c >= 0, with f one of +-x and +-x +- y, follows -f <= (c + greatest others) / weight,
    rounded down.
    """
    terms, const = lin
    if _plus(upper(rows, terms), const) < 0:
        return None
    edges: list[tuple[int, int, Bound]] = []
    for index, (v, k) in enumerate(terms):
        rest = (*terms[:index], *terms[index + 1 :])
        bound = _floor(_plus(upper(rows, rest), const), abs(k))
        edges.append((_node(v, k), _node(v, k) ^ 1, _times(2, bound)))
        for later in range(index + 1, len(terms) if len(terms) <= MAX_PAIRED_TERMS else 0):
            w, m = terms[later]
            weight = min(abs(k), abs(m))
            others = (*_without(v, k, weight), *_without(w, m, weight), *rest[: later - 1], *rest[later:])
            bound = _floor(_plus(upper(rows, others), const), weight)
            edges.append((_node(v, k), _node(w, m) ^ 1, bound))
    return _add_edges(rows, edges)


def _add_edges(rows: Rows, edges: list[tuple[int, int, Bound]]) -> Rows | None:
    for i, j, bound in edges:
        smaller = dbm.add_edge(rows, i, j, bound)
        if smaller is None:
            return None
        rows = smaller
    return rows


def assign_general(rows: Rows, v: int, lin: LinExpr) -> Rows | None:
    """The matrix after v := lin for any lin: bounds of lin, and of lin + w and lin - w for every other variable."""
    terms, const = lin
    edges: list[tuple[int, int, Bound]] = []
    for sign in (1, -1):
        side = terms if sign == 1 else negate(lin)[0]
        offset = sign * const
        for w in range(len(rows) // 2):
            for other in (1, -1) if w != v else ():
                total = dict(side)
                total[w] = total.get(w, 0) + other
                bound = _plus(upper(rows, tuple([(x, k) for x, k in total.items() if k])), offset)
                edges.append((_node(w, other) ^ 1, _node(v, sign), bound))
    least, greatest = upper(rows, negate(lin)[0]), upper(rows, terms)
    lo = const - least if isinstance(least, int) else -inf
    hi = const + greatest if isinstance(greatest, int) else inf
    return _add_edges(dbm.set_unary(rows, v, lo, hi), edges)
