"""Bitwise and, or, xor, not of intervals: smallest intervals for finite bounds up to `EXACT_WIDTH` bits.

*Source*: the bound propagation of H. S. Warren, Hacker's Delight (2nd ed.), section 4-3, applied to each combination
of signs: negative numbers are seen as unsigned by adding a power of two that is beyond all bounds.
"""

from __future__ import annotations

from math import inf
from typing import Final

from domains.numeric import Bound
from domains.values.interval import Interval, join

EXACT_WIDTH: Final = 256


def bit_not(a: Interval) -> Interval:
    """The interval of ~x = -x - 1, exactly."""
    lo = -a[1] - 1 if isinstance(a[1], int) else -inf
    hi = -a[0] - 1 if isinstance(a[0], int) else inf
    return lo, hi


def bit_and(a: Interval, b: Interval) -> Interval:
    """An interval of x & y."""
    parts = [_and_same_signs(x, y) for x in _by_sign(a) for y in _by_sign(b)]
    result = parts[0]
    for part in parts[1:]:
        result = join(result, part)
    return result


def bit_or(a: Interval, b: Interval) -> Interval:
    """An interval of x | y, by De Morgan's law."""
    return bit_not(bit_and(bit_not(a), bit_not(b)))


def bit_xor(a: Interval, b: Interval) -> Interval:
    """An interval of x ^ y."""
    parts = [_xor_same_signs(x, y) for x in _by_sign(a) for y in _by_sign(b)]
    result = parts[0]
    for part in parts[1:]:
        result = join(result, part)
    return result


def _by_sign(a: Interval) -> list[Interval]:
    parts: list[Interval] = []
    if a[0] < 0:
        parts.append((a[0], min(a[1], -1)))
    if a[1] >= 0:
        parts.append((max(a[0], 0), a[1]))
    return parts


def _width(a: Interval, b: Interval) -> int | None:
    """A number of bits that holds all bounds including the sign, if they are finite and small enough."""
    width = 1
    for bound in (*a, *b):
        if not isinstance(bound, int):
            return None
        width = max(width, bound.bit_length() + 1)
    return width if width <= EXACT_WIDTH else None


def _and_same_signs(a: Interval, b: Interval) -> Interval:
    width = _width(a, b)
    if width is None:
        return _and_coarse(a, b)
    mask = (1 << width) - 1
    a_lo, a_hi, b_lo, b_hi = (int(bound) & mask for bound in (*a, *b))
    # x & y is the complement of ~x | ~y within the width; the complement turns the bounds around.
    c_lo, c_hi, d_lo, d_hi = a_hi ^ mask, a_lo ^ mask, b_hi ^ mask, b_lo ^ mask
    lo = _max_or(c_lo, c_hi, d_lo, d_hi, width) ^ mask
    hi = _min_or(c_lo, c_hi, d_lo, d_hi, width) ^ mask
    if a[0] < 0 and b[0] < 0:
        return lo - mask - 1, hi - mask - 1
    return lo, hi


def _and_coarse(a: Interval, b: Interval) -> Interval:
    """x & y is at most every operand that is not negative, and at most both if both are negative."""
    if a[0] >= 0 or b[0] >= 0:
        return 0, min(hi for lo, hi in (a, b) if lo >= 0)
    return _power_below(min(a[0], b[0])), min(a[1], b[1])


def _power_below(bound: Bound) -> Bound:
    return -(1 << bound.bit_length()) if isinstance(bound, int) else -inf


def _xor_same_signs(a: Interval, b: Interval) -> Interval:
    negative = (a[0] < 0) != (b[0] < 0)
    width = _width(a, b)
    if width is None:
        sizes = [bound.bit_length() if isinstance(bound, int) else inf for bound in (*a, *b)]
        largest = max(sizes)
        if not isinstance(largest, int):
            return (-inf, -1) if negative else (0, inf)
        return (-(1 << largest), -1) if negative else (0, (1 << largest) - 1)
    mask = (1 << width) - 1
    a_lo, a_hi, b_lo, b_hi = (int(bound) & mask for bound in (*a, *b))
    lo = _min_xor(a_lo, a_hi, b_lo, b_hi, width)
    hi = _max_xor(a_lo, a_hi, b_lo, b_hi, width)
    return (lo - mask - 1, hi - mask - 1) if negative else (lo, hi)


def _min_or(a: int, b: int, c: int, d: int, width: int) -> int:
    """The least x | y for unsigned x in [a, b], y in [c, d]."""
    bit = 1 << (width - 1)
    while bit:
        if c & ~a & bit:
            raised = (a | bit) & -bit
            if raised <= b:
                return raised | c
        elif a & ~c & bit:
            raised = (c | bit) & -bit
            if raised <= d:
                return a | raised
        bit >>= 1
    return a | c


def _max_or(a: int, b: int, c: int, d: int, width: int) -> int:
    """The greatest x | y for unsigned x in [a, b], y in [c, d]."""
    bit = 1 << (width - 1)
    while bit:
        if b & d & bit:
            lowered = (b - bit) | (bit - 1)
            if lowered >= a:
                return lowered | d
            lowered = (d - bit) | (bit - 1)
            if lowered >= c:
                return b | lowered
        bit >>= 1
    return b | d


def _min_xor(a: int, b: int, c: int, d: int, width: int) -> int:
    """The least x ^ y for unsigned x in [a, b], y in [c, d]."""
    bit = 1 << (width - 1)
    while bit:
        if c & ~a & bit:
            raised = (a | bit) & -bit
            if raised <= b:
                a = raised
        elif a & ~c & bit:
            raised = (c | bit) & -bit
            if raised <= d:
                c = raised
        bit >>= 1
    return a ^ c


def _max_xor(a: int, b: int, c: int, d: int, width: int) -> int:
    """The greatest x ^ y for unsigned x in [a, b], y in [c, d]."""
    bit = 1 << (width - 1)
    while bit:
        if b & d & bit:
            lowered = (b - bit) | (bit - 1)
            if lowered >= a:
                b = lowered
            else:
                lowered = (d - bit) | (bit - 1)
                if lowered >= c:
                    d = lowered
        bit >>= 1
    return b ^ d
