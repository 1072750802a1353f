"""One interval of integers, `(lo, hi)` with inclusive bounds, and arithmetic on it.

A bound is an `int`, or -inf as a lower and +inf as an upper bound; an interval is never empty (`meet` gives None for
the empty set). Finite bounds are exact at any size: a float is only ever an infinity, and is never added to or
multiplied with an integer, since that would round or overflow. Every operation contains the result of the operation
on mathematical integers for all members of its operands. Bit operations are those of two's complement with unlimited
width, which agree with C for every width that holds the operands.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import inf
from typing import Final, TypeAlias

from domains.numeric import Bound

Interval: TypeAlias = tuple[Bound, Bound]

TOP: Final[Interval] = (-inf, inf)
ZERO: Final[Interval] = (0, 0)


def of(value: int) -> Interval:
    """The interval of one number."""
    return value, value


def contains(a: Interval, value: int) -> bool:
    """Whether a number is in the interval."""
    return a[0] <= value <= a[1]


def leq(a: Interval, b: Interval) -> bool:
    """Whether a is included in b (exact)."""
    return b[0] <= a[0] and a[1] <= b[1]


def join(a: Interval, b: Interval) -> Interval:
    """The smallest interval that contains both."""
    return (a[0] if a[0] <= b[0] else b[0]), (a[1] if a[1] >= b[1] else b[1])


def meet(a: Interval, b: Interval) -> Interval | None:
    """The intersection, exactly; None when it is empty."""
    lo = a[0] if a[0] >= b[0] else b[0]
    hi = a[1] if a[1] <= b[1] else b[1]
    return (lo, hi) if lo <= hi else None


def widen_upper(bound: Bound, thresholds: tuple[int, ...]) -> Bound:
    """The first threshold that is at least `bound`, or infinity.

    *Requires*: ascending thresholds, but only for precision: the search ends between a threshold that it saw to be
    less than `bound` and one that it saw to be at least `bound`, in any order.
    """
    index = bisect_left(thresholds, bound)
    return thresholds[index] if index < len(thresholds) else inf


def widen_lower(bound: Bound, thresholds: tuple[int, ...]) -> Bound:
    """The last threshold that is at most `bound`, or minus infinity. *Requires*: as for `widen_upper`."""
    index = bisect_right(thresholds, bound) - 1
    return thresholds[index] if index >= 0 else -inf


def widen(a: Interval, b: Interval, thresholds: tuple[int, ...] = ()) -> Interval:
    """An interval that contains both and moves an unstable bound to the next threshold (Cousot and Cousot 1977)."""
    lo = a[0] if a[0] <= b[0] else widen_lower(b[0], thresholds)
    hi = a[1] if a[1] >= b[1] else widen_upper(b[1], thresholds)
    return lo, hi


def narrow(a: Interval, b: Interval) -> Interval:
    """The interval a with each infinite bound replaced by that of b. *Requires*: `leq(b, a)`."""
    return (b[0] if a[0] == -inf else a[0]), (b[1] if a[1] == inf else a[1])


def negate(a: Interval) -> Interval:
    """The interval of -x, exactly."""
    return -a[1], -a[0]


def add(a: Interval, b: Interval) -> Interval:
    """The interval of x + y, exactly."""
    (a_lo, a_hi), (b_lo, b_hi) = a, b
    lo = a_lo + b_lo if isinstance(a_lo, int) and isinstance(b_lo, int) else -inf
    hi = a_hi + b_hi if isinstance(a_hi, int) and isinstance(b_hi, int) else inf
    return lo, hi


def scale(a: Interval, factor: int) -> Interval:
    """The smallest interval of factor * x."""
    if factor == 0:
        return ZERO
    lo = a[0] * factor if isinstance(a[0], int) else (-inf if factor > 0 else inf)
    hi = a[1] * factor if isinstance(a[1], int) else (inf if factor > 0 else -inf)
    return (lo, hi) if factor > 0 else (hi, lo)


def _product(x: Bound, y: Bound) -> Bound:
    if isinstance(x, int) and isinstance(y, int):
        return x * y
    if x == 0 or y == 0:  # a bound of infinity stands for ever larger integers, each of which gives 0
        return 0
    return inf if (x > 0) == (y > 0) else -inf


def multiply(a: Interval, b: Interval) -> Interval:
    """The smallest interval of x * y."""
    corners = (_product(a[0], b[0]), _product(a[0], b[1]), _product(a[1], b[0]), _product(a[1], b[1]))
    return min(corners), max(corners)


def _truncated(x: Bound, y: Bound) -> Bound:
    """x / y towards zero for y > 0 and any bounds but two infinities."""
    if not isinstance(y, int):
        return 0
    if not isinstance(x, int):
        return x
    return x // y if x >= 0 else -(-x // y)


def _divide_by_positive(a: Interval, b: Interval) -> Interval:
    # The quotient grows with x, and moves towards zero as y grows.
    lo = _truncated(a[0], b[1] if a[0] >= 0 else b[0])
    hi = _truncated(a[1], b[0] if a[1] >= 0 else b[1])
    return lo, hi


def divide(a: Interval, b: Interval) -> Interval:
    """The smallest interval of x / y as in C (towards zero), y over the members of b but 0; all integers if b is {0}.

    A quotient by zero has no value in C; the caller reports it.
    """
    parts = []
    if b[1] > 0:
        parts.append(_divide_by_positive(a, (max(b[0], 1), b[1])))
    if b[0] < 0:
        parts.append(_divide_by_positive(negate(a), negate((b[0], min(b[1], -1)))))
    if not parts:
        return TOP
    return parts[0] if len(parts) == 1 else join(parts[0], parts[1])


def remainder(a: Interval, b: Interval) -> Interval:
    """An interval of x % y as in C (sign of x, |x % y| < |y|), y over the members of b but 0; TOP if b is {0}.

    Exact if y is one number and the quotient is the same for all x, or |x| < |y| throughout.
    """
    largest = max(-b[0], b[1])
    if largest == 0:
        return TOP
    smallest = b[0] if b[0] > 0 else (-b[1] if b[1] < 0 else 1)
    if -smallest < a[0] and a[1] < smallest:
        return a
    if smallest == largest and isinstance(largest, int) and isinstance(a[0], int) and isinstance(a[1], int):
        quotient = _truncated(a[0], largest)
        if isinstance(quotient, int) and quotient == _truncated(a[1], largest):
            return a[0] - quotient * largest, a[1] - quotient * largest
    limit = largest - 1 if isinstance(largest, int) else inf
    return (0 if a[0] >= 0 else max(a[0], -limit)), (0 if a[1] <= 0 else min(a[1], limit))


def shift_left(a: Interval, b: Interval) -> Interval:
    """The interval of x * 2**y; TOP if y may be negative. The caller compares y with the width of the type."""
    if not isinstance(b[0], int) or b[0] < 0:
        return TOP
    lo = _shifted_left(a[0], b[0] if a[0] >= 0 else b[1])
    hi = _shifted_left(a[1], b[1] if a[1] >= 0 else b[0])
    return lo, hi


def _shifted_left(x: Bound, y: Bound) -> Bound:
    """x * 2**y, where shifts beyond any C type go to infinity away from zero instead of filling the memory."""
    if x == 0 or not isinstance(x, int):
        return x
    if isinstance(y, int) and y <= 4096:
        return x << y
    return inf if x > 0 else -inf


def shift_right(a: Interval, b: Interval) -> Interval:
    """The smallest interval of x / 2**y rounded down (arithmetic shift); TOP if y may be negative."""
    if not isinstance(b[0], int) or b[0] < 0:
        return TOP
    lo = _shifted_right(a[0], b[1] if a[0] >= 0 else b[0])
    hi = _shifted_right(a[1], b[0] if a[1] >= 0 else b[1])
    return lo, hi


def _shifted_right(x: Bound, y: Bound) -> Bound:
    if not isinstance(x, int):
        return x
    if isinstance(y, int) and y <= x.bit_length():
        return x >> y
    return 0 if x >= 0 else -1


def wrap(a: Interval, lo: int, hi: int) -> Interval:
    """An interval of x brought into [lo, hi] modulo hi - lo + 1, as a conversion to an integer type does.

    Exact when all of a lies within one period, in particular within [lo, hi]; otherwise (lo, hi).
    """
    if lo <= a[0] and a[1] <= hi:
        return a
    period = hi - lo + 1
    if isinstance(a[0], int) and isinstance(a[1], int):
        turns = (a[0] - lo) // period
        if turns == (a[1] - lo) // period:
            return a[0] - turns * period, a[1] - turns * period
    return lo, hi
