"""Difference bound matrices of octagons, with the closure that is tight on integers.

Variable x has two nodes, 2x for +x and 2x+1 for -x; node ^ 1 is the negation. `rows[i][j]` bounds V_j - V_i from
above, so `rows[2x+1][2x]` bounds 2x and `rows[2x][2x+1]` bounds -2x. Matrices are coherent:
`rows[i][j] == rows[j ^ 1][i ^ 1]`. *Source*: Mine, The octagon abstract domain (2006); Bagnara, Hill, Zaffanella,
Weakly-relational shapes for numeric abstractions (2009): the tight closure is shortest paths, then rounding of the
unary bounds, then strengthening; the matrix is empty iff a cycle is negative before or after rounding.

Entries are int or +inf. Each entry that comes from outside goes through `clamp`, and so does one of the two summands
of a path: entries then grow by at most 2^300 per operation, and int + inf never overflows (it would beyond 2^1024).
Rows are tuples and are shared between matrices where nothing changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final, TypeAlias

from domains.numeric import Bound

Row: TypeAlias = tuple[Bound, ...]
Rows: TypeAlias = tuple[Row, ...]

LIMIT: Final = 2**300


def clamp(entry: Bound) -> Bound:
    """An entry at least as large that is infinite or at most 2^300 in absolute value."""
    if entry > LIMIT:
        return inf
    return entry if entry >= -LIMIT else -LIMIT


def unconstrained(n: int) -> Rows:
    """The matrix over n variables without any constraint."""
    free = (inf,) * (2 * n)
    return tuple([(*free[:i], 0, *free[i + 1 :]) for i in range(2 * n)])


def halves(rows: Rows) -> Row:
    """For each node the bound on minus its value, h[i] = floor(rows[i][i ^ 1] / 2)."""
    result: list[Bound] = []
    for i, row in enumerate(rows):
        entry = row[i ^ 1]
        result.append(entry // 2 if isinstance(entry, int) else inf)
    return tuple(result)


def close(rows: Rows, inner: Iterable[int] | None = None) -> Rows | None:
    """The tight closure of a coherent matrix, or None if it has no integer point (cubic).

    `inner` are the nodes that shortest paths need to go through, all if it is not given.
    """
    matrix = [list(row) for row in rows]
    size = len(matrix)
    for k in range(size) if inner is None else inner:
        row_k = matrix[k]
        for row in matrix:
            through = row[k]
            if through != inf and (through := clamp(through)) != inf:
                row[:] = [x if x <= through + y else through + y for x, y in zip(row, row_k, strict=True)]
    if any(matrix[i][i] < 0 for i in range(size)):
        return None
    return _round(tuple([tuple(row) for row in matrix]))


def _round(rows: Rows) -> Rows | None:
    """The tight closure of a matrix that is closed under shortest paths, or None if it is empty."""
    half = halves(rows)
    for i in range(0, len(rows), 2):
        if half[i] + half[i + 1] < 0:
            return None
    negated = swap_pairs(half)
    result = []
    for i, row in enumerate(rows):
        h = half[i]
        if h == inf:
            result.append(row)
            continue
        result.append(tuple([x if x <= h + y else h + y for x, y in zip(row, negated, strict=True)]))
    return tuple(result)


def swap_pairs(values: Row) -> Row:
    """The values with those of each node and its negation exchanged."""
    return tuple([values[i ^ 1] for i in range(len(values))])


def add_edge(rows: Rows, i: int, j: int, bound: Bound) -> Rows | None:
    """The tight closure of a tightly closed matrix with V_j - V_i <= bound added, or None if empty (quadratic).

    A shortest path uses the new edge i -> j, its coherent twin ~j -> ~i, or both in either order, each at most once.
    """
    bound = clamp(bound)
    row_j = rows[j]
    if bound >= rows[i][j]:
        return rows
    twin_from, twin_to = j ^ 1, i ^ 1
    row_twin = rows[twin_to]
    edge_then_twin = bound + row_j[twin_from] + bound
    twin_then_edge = bound + row_twin[i] + bound
    if bound + row_j[i] < 0 or edge_then_twin + row_twin[i] < 0:
        return None
    result = []
    for row in rows:
        to_i, to_twin = row[i], row[twin_from]
        at_j = clamp(min(to_i + bound, to_twin + twin_then_edge))
        at_twin = clamp(min(to_twin + bound, to_i + edge_then_twin))
        if at_j < row[j]:
            row = tuple([x if x <= at_j + y else at_j + y for x, y in zip(row, row_j, strict=True)])
        if at_twin < row[twin_to]:
            row = tuple([x if x <= at_twin + y else at_twin + y for x, y in zip(row, row_twin, strict=True)])
        result.append(row)
    closed = tuple(result)
    # Without a new unary bound there is nothing to round, and the old ones have been combined before.
    if all(rows[k][k ^ 1] == closed[k][k ^ 1] for k in range(len(rows))):
        return closed
    return _round(closed)


def reindex(rows: Rows, source: tuple[int | None, ...]) -> Rows:
    """The matrix whose node i is node `source[i]` of `rows`, or unconstrained where that is None.

    *Requires*: `source` maps negations to negations. The result of a tightly closed matrix is tightly closed: a node
    may be copied (its copies are then equal), dropped, renamed or negated.
    """
    result = []
    for i, origin in enumerate(source):
        if origin is None:
            result.append(tuple([0 if i == j else inf for j in range(len(source))]))
        else:
            row = rows[origin]
            result.append(tuple([inf if s is None else row[s] for s in source]))
    return tuple(result)


def set_unary(rows: Rows, x: int, lo: Bound, hi: Bound) -> Rows:
    """The matrix with variable x replaced by any number in [lo, hi], unrelated to the others.

    *Requires*: `rows` tightly closed, lo <= hi. The result is tightly closed.
    """
    plus, minus = 2 * x, 2 * x + 1
    half = list(halves(rows))
    half[plus] = clamp(-lo)
    half[minus] = clamp(hi)
    negated = swap_pairs(tuple(half))
    at_plus, at_minus = negated[plus], negated[minus]
    result = []
    for i, row in enumerate(rows):
        h = half[i]
        if i >> 1 == x:
            new = tuple([h + y for y in negated])
            result.append((*new[:i], 0, *new[i + 1 :]))
        else:
            result.append((*row[:plus], h + at_plus, h + at_minus, *row[minus + 1 :]))
    return tuple(result)


def translate(rows: Rows, x: int, offset: int) -> Rows:
    """The matrix after x := x + offset, tightly closed if `rows` is. *Requires*: |offset| <= LIMIT."""
    if offset == 0:
        return rows
    plus, minus = 2 * x, 2 * x + 1
    result = []
    for i, row in enumerate(rows):
        p, m = row[plus] + offset, row[minus] - offset
        shifted = (*row[:plus], p, m, *row[minus + 1 :])
        if i == plus:
            shifted = tuple([y - offset for y in shifted])
        elif i == minus:
            shifted = tuple([y + offset for y in shifted])
        result.append(shifted)
    return tuple(result)
