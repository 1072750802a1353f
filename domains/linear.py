"""Linear expressions and constraints in the normal form of `domains.numeric`.

All coefficients and constants are Python integers, so nothing here is ever rounded, except where a constraint is made
tighter without losing an integer point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Final

from domains.numeric import Bound, Constraint, LinExpr

TRUE: Final[Constraint] = (((), 0), ">=")
FALSE: Final[Constraint] = (((), -1), ">=")


def linear(terms: Mapping[int, int] | Iterable[tuple[int, int]], const: int = 0) -> LinExpr:
    """The normal form of a sum of (variable, coefficient) terms and a constant; repeated variables add up.

    >>> linear([(1, 2), (0, 1), (1, -2)], 7)
    (((0, 1),), 7)
    """
    total: dict[int, int] = {}
    for variable, coefficient in terms.items() if isinstance(terms, Mapping) else terms:
        total[variable] = total.get(variable, 0) + coefficient
    return tuple(sorted((v, k) for v, k in total.items() if k)), const


def constant(value: int) -> LinExpr:
    """The expression without variables."""
    return (), value


def variable(index: int) -> LinExpr:
    """The expression that is one variable."""
    return ((index, 1),), 0


def scale(a: LinExpr, factor: int) -> LinExpr:
    """The product of an expression and a number."""
    if factor == 0:
        return (), 0
    return tuple([(v, k * factor) for v, k in a[0]]), a[1] * factor


def negate(a: LinExpr) -> LinExpr:
    """The expression -a."""
    return scale(a, -1)


def evaluate(a: LinExpr, point: Sequence[int]) -> int:
    """The value of an expression at an integer point."""
    return sum(k * point[v] for v, k in a[0]) + a[1]


def holds(constraint: Constraint, point: Sequence[int]) -> bool:
    """Whether an integer point satisfies a constraint (exact)."""
    lin, relation = constraint
    value = evaluate(lin, point)
    return value == 0 if relation == "==" else value >= 0


def tighten(constraint: Constraint) -> Constraint:
    """The constraint divided by the gcd of its coefficients, with the same integer points.

    Rounds the constant of `>=` down (2x - 3 >= 0 becomes x - 2 >= 0). Without variables, or if an equality has no
    integer solution, the result is `TRUE` or `FALSE`.
    """
    (terms, const), relation = constraint
    if not terms:
        return TRUE if (const == 0 if relation == "==" else const >= 0) else FALSE
    divisor = gcd(*[k for _, k in terms])
    if divisor == 1:
        return constraint
    if relation == "==" and const % divisor:
        return FALSE
    return (tuple([(v, k // divisor) for v, k in terms]), const // divisor), relation


def inequalities(constraint: Constraint) -> tuple[LinExpr, ...]:
    """Expressions that are all >= 0 exactly where the constraint holds (one for `>=`, two for `==`), tightened."""
    lin, relation = tighten(constraint)
    return (lin,) if relation == ">=" else (lin, negate(lin))


def between(terms: tuple[tuple[int, int], ...], lo: Bound, hi: Bound) -> tuple[Constraint, ...]:
    """The constraints lo <= sum and sum <= hi, as far as they are finite; one equality where they meet.

    *Requires*: terms in normal form.
    """
    if isinstance(lo, int) and lo == hi:
        return (((terms, -lo), "=="),)
    result: list[Constraint] = []
    if isinstance(lo, int):
        result.append(((terms, -lo), ">="))
    if isinstance(hi, int):
        result.append((negate((terms, -hi)), ">="))
    return tuple(result)


def octagonal_terms(n: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """The sums x, then x - y and x + y, over n variables, one of each pair of opposite sums."""
    for v in range(n):
        yield ((v, 1),)
    for v in range(n):
        for w in range(v + 1, n):
            yield ((v, 1), (w, -1))
            yield ((v, 1), (w, 1))
