"""What is known of one integer: a small set of values, or an interval with a congruence; the order of such knowledge.

A `Number` is the reduced product of three domains: intervals, congruences (*Source*: Granger 1989, x = residue mod
modulus) and sets of at most `MAX_MEMBERS` values. It is kept in one canonical form, so that equal sets of integers are
equal values: whatever has at most `MAX_MEMBERS` elements is written as its members, and the bounds of everything else
are the outermost elements of its congruence class. A number is never empty; None stands for the empty set.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from math import gcd, inf
from typing import Final, NamedTuple

from domains.numeric import Bound
from domains.values import interval
from domains.values.interval import Interval

MAX_MEMBERS: Final = 8
# Larger moduli, which only products of unrelated numbers give, are forgotten.
_MAX_MODULUS: Final = 1 << 256


class Number(NamedTuple):
    """The integers in `[lo, hi]` that are `residue` modulo `modulus`; just `members`, in order, where there are any.

    For members, `modulus` divides their differences, and is 0 for a single one; `0 <= residue < modulus` unless it is.
    """

    lo: Bound
    hi: Bound
    modulus: int = 1
    residue: int = 0
    members: tuple[int, ...] = ()


ANY: Final = Number(-inf, inf)
ZERO: Final = Number(0, 0, 0, 0, (0,))


def constant(value: int) -> Number:
    """The number that is one value."""
    return Number(value, value, 0, value, (value,))


def of_members(values: Iterable[int]) -> Number | None:
    """The least number with all these values; exact for up to `MAX_MEMBERS` of them."""
    ordered = tuple(sorted(set(values)))
    if not ordered:
        return None
    first, last = ordered[0], ordered[-1]
    if first == last:
        return Number(first, first, 0, first, ordered)
    modulus = gcd(*[value - first for value in ordered])
    if len(ordered) <= MAX_MEMBERS:
        return Number(first, last, modulus, first % modulus, ordered)
    return Number(first, last, modulus, first % modulus)


def of_bounds(lo: Bound, hi: Bound) -> Number | None:
    """The number of an interval, exactly; None for an empty one."""
    return of_class(lo, hi, 1, 0)


def of_class(lo: Bound, hi: Bound, modulus: int, residue: int) -> Number | None:
    """The integers in `[lo, hi]` that are `residue` modulo `modulus`, exactly; a modulus of 0 means `residue` alone.

    *Approximates*: over, where the modulus is beyond all use.
    """
    if modulus == 0:
        return constant(residue) if lo <= residue <= hi else None
    if modulus > _MAX_MODULUS:
        modulus, residue = 1, 0
    if modulus > 1:
        residue %= modulus
        if isinstance(lo, int):
            lo += (residue - lo) % modulus
        if isinstance(hi, int):
            hi -= (hi - residue) % modulus
    else:
        residue = 0
    if lo > hi:
        return None
    if isinstance(lo, int) and isinstance(hi, int) and hi - lo < MAX_MEMBERS * modulus:
        if lo == hi:
            return constant(lo)
        return Number(lo, hi, modulus, residue, tuple(range(lo, hi + 1, modulus)))
    return Number(lo, hi, modulus, residue)


def bounds(a: Number) -> Interval:
    """The least interval that contains a number."""
    return a.lo, a.hi


def contains(a: Number, value: int) -> bool:
    """Whether a value is possible."""
    if a.members:
        return value in a.members
    return a.lo <= value <= a.hi and (value - a.residue) % a.modulus == 0


def leq(a: Number, b: Number) -> bool:
    """Whether a is included in b (exact)."""
    if a is b:
        return True
    if a.lo < b.lo or b.hi < a.hi:
        return False
    if b.members:
        return bool(a.members) and set(b.members).issuperset(a.members)
    return b.modulus == 1 or (a.modulus % b.modulus == 0 and (a.residue - b.residue) % b.modulus == 0)


def join(a: Number, b: Number) -> Number:
    """The least number that contains both."""
    if a is b or a == b:
        return a
    if a.members and b.members:
        found = of_members((*a.members, *b.members))
        assert found is not None
        return found
    return hull(a.lo if a.lo <= b.lo else b.lo, a.hi if a.hi >= b.hi else b.hi, a, b)


def hull(lo: Bound, hi: Bound, a: Number, b: Number) -> Number:
    """The numbers within bounds that are in the least congruence class of both."""
    modulus = gcd(a.modulus, b.modulus, a.residue - b.residue)
    found = of_class(lo, hi, modulus, a.residue)
    assert found is not None
    return found


def meet(a: Number, b: Number) -> Number | None:
    """What is in both (exact)."""
    if a is b:
        return a
    if a.members or b.members:
        few, other = (a, b) if a.members else (b, a)
        kept = [value for value in few.members if contains(other, value)]
        return few if len(kept) == len(few.members) else of_members(kept)
    lo = a.lo if a.lo >= b.lo else b.lo
    hi = a.hi if a.hi <= b.hi else b.hi
    if a.modulus == b.modulus == 1:
        return of_class(lo, hi, 1, 0)
    common = _common_class(a, b)
    return None if common is None else of_class(lo, hi, *common)


def _common_class(a: Number, b: Number) -> tuple[int, int] | None:
    """Modulus and residue of the integers in both congruence classes, by the Chinese remainder theorem."""
    divisor = gcd(a.modulus, b.modulus)
    offset = b.residue - a.residue
    if offset % divisor:
        return None
    step = b.modulus // divisor
    turns = offset // divisor * pow(a.modulus // divisor, -1, step) % step if step > 1 else 0
    return a.modulus * step, a.residue + turns * a.modulus


def clip(a: Number, lo: Bound, hi: Bound) -> Number | None:
    """The part of a number within bounds (exact)."""
    if lo <= a.lo and a.hi <= hi:
        return a
    if a.members:
        return of_members([value for value in a.members if lo <= value <= hi])
    return of_class(max(lo, a.lo), min(hi, a.hi), a.modulus, a.residue)


def exclude(a: Number, value: int) -> Number | None:
    """A number without one value; exact but for a value inside of an interval, which stays."""
    if not contains(a, value):
        return a
    if a.members:
        return of_members([member for member in a.members if member != value])
    if value == a.lo:
        return of_class(value + 1, a.hi, a.modulus, a.residue)
    if value == a.hi:
        return of_class(a.lo, value - 1, a.modulus, a.residue)
    return a


def widen(a: Number, b: Number, thresholds: tuple[int, ...] = ()) -> Number:
    """An upper bound of both such that every chain ends. *Requires*: `leq(a, b)`.

    A set grows by thresholds only, each of which comes in once. Anything else that is new moves a bound to the next
    threshold (or to the outermost element of the class before it), makes the modulus a proper divisor, or fills up
    what lies between the bounds, after which one of the first two has to happen.
    """
    if leq(b, a):
        return a
    if b.members and all(_is_among(value, thresholds) for value in b.members if not contains(a, value)):
        return b
    lo, hi = interval.widen((a.lo, a.hi), (b.lo, b.hi), thresholds)
    return hull(lo, hi, a, b)


def _is_among(value: int, thresholds: tuple[int, ...]) -> bool:
    index = bisect_left(thresholds, value)
    return index < len(thresholds) and thresholds[index] == value


def narrow(a: Number, b: Number) -> Number:
    """The number a with each infinite bound replaced by that of b. *Requires*: `leq(b, a)`."""
    lo, hi = interval.narrow((a.lo, a.hi), (b.lo, b.hi))
    if lo == a.lo and hi == a.hi:
        return a
    found = of_class(lo, hi, a.modulus, a.residue)
    assert found is not None
    return found
