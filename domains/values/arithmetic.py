"""Arithmetic on numbers: each result contains that of the operation on mathematical integers for all members.

Small sets are computed element by element; for the rest, intervals and congruences are computed apart and reduced.
None is an operation without a result for any of its operands. *Source* of the congruences: Granger 1989; those of
bit operations are the known low bits of two's complement.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import gcd

from domains.values import bits, interval
from domains.values.interval import Interval
from domains.values.number import ZERO, Number, bounds, of_class, of_members

# Shifts beyond any C type are not carried out on sets: they would fill the memory.
_MAX_SHIFT = 4096


def negate(a: Number) -> Number:
    """The number of -x (exact)."""
    return scale(a, -1)


def add(a: Number, b: Number) -> Number:
    """The least number of x + y."""
    if a.modulus == 0:
        return shift(b, a.residue)
    if b.modulus == 0:
        return shift(a, b.residue)
    if a.members and b.members:
        return _certain(of_members([x + y for x in a.members for y in b.members]))
    return _reduced(interval.add(bounds(a), bounds(b)), gcd(a.modulus, b.modulus), a.residue + b.residue)


def shift(a: Number, offset: int) -> Number:
    """The number of x + offset (exact)."""
    if offset == 0:
        return a
    members = tuple([x + offset for x in a.members])
    residue = (a.residue + offset) % a.modulus if a.modulus else members[0]
    lo, hi = interval.add(bounds(a), (offset, offset))
    return Number(lo, hi, a.modulus, residue, members)


def scale(a: Number, factor: int) -> Number:
    """The number of factor * x (exact)."""
    if factor == 1:
        return a
    if factor == 0:
        return ZERO
    if a.members:
        return _certain(of_members([x * factor for x in a.members]))
    return _reduced(interval.scale(bounds(a), factor), a.modulus * abs(factor), a.residue * factor)


def multiply(a: Number, b: Number) -> Number:
    """A number of x * y."""
    if a.modulus == 0:
        return scale(b, a.residue)
    if b.modulus == 0:
        return scale(a, b.residue)
    if a.members and b.members:
        return _certain(_pairwise(a, b, operator.mul))
    modulus = gcd(a.modulus * b.modulus, a.modulus * b.residue, b.modulus * a.residue)
    return _reduced(interval.multiply(bounds(a), bounds(b)), modulus, a.residue * b.residue)


def solve(factor: int, a: Number) -> Number | None:
    """The integers x with factor * x in a (exact). *Requires*: factor is not 0."""
    if factor in (1, -1):
        return scale(a, factor)
    if a.members:
        return of_members([x // factor for x in a.members if x % factor == 0])
    size = abs(factor)
    common = gcd(size, a.modulus)
    if a.residue % common:
        return None
    step = a.modulus // common
    residue = a.residue // common * pow(size // common, -1, step) % step if step > 1 else 0
    lo = -(-a.lo // size) if isinstance(a.lo, int) else a.lo
    hi = a.hi // size if isinstance(a.hi, int) else a.hi
    found = of_class(lo, hi, step, residue)
    return found if factor > 0 or found is None else negate(found)


def divide(a: Number, b: Number) -> Number | None:
    """A number of x / y as in C (towards zero), y over the members of b but 0; None if there is no other."""
    if b == ZERO:
        return None
    if a.members and b.members:
        return _pairwise(a, b, quotient, lambda y: y != 0)
    found = interval.divide(bounds(a), bounds(b))
    if b.modulus == 0 and a.modulus % b.residue == 0 and (a.residue % b.residue == 0 or (a.lo >= 0 and b.residue > 0)):
        # The class of x moves by a multiple of y, so that of the quotient by a whole number.
        return _reduced(found, abs(a.modulus // b.residue), a.residue // b.residue)
    return _reduced(found, 1, 0)


def remainder(a: Number, b: Number) -> Number | None:
    """A number of x % y as in C (sign of x), y over the members of b but 0; None if there is no other."""
    if b == ZERO:
        return None
    if a.members and b.members:
        return _pairwise(a, b, lambda x, y: x - y * quotient(x, y), lambda y: y != 0)
    # x % y is x less a multiple of y.
    modulus = gcd(a.modulus, b.modulus, b.residue)
    return _reduced(interval.remainder(bounds(a), bounds(b)), modulus, a.residue)


def shift_left(a: Number, b: Number) -> Number | None:
    """A number of x * 2**y, y over the members of b that are not negative; None if there are none."""
    count = interval.meet(bounds(b), (0, interval.TOP[1]))
    if count is None:
        return None
    if a.members and b.members and b.hi <= _MAX_SHIFT:
        return _pairwise(a, b, operator.lshift, lambda y: y >= 0)
    if b.modulus == 0 and b.residue <= _MAX_SHIFT:
        return scale(a, 1 << b.residue)
    least = min(int(count[0]), _MAX_SHIFT)
    return _reduced(interval.shift_left(bounds(a), count), gcd(a.modulus, a.residue) << least, 0)


def shift_right(a: Number, b: Number) -> Number | None:
    """A number of x / 2**y rounded down, y over the members of b that are not negative; None if there are none."""
    count = interval.meet(bounds(b), (0, interval.TOP[1]))
    if count is None:
        return None
    if a.members and b.members and b.hi <= _MAX_SHIFT:
        return _pairwise(a, b, operator.rshift, lambda y: y >= 0)
    found = interval.shift_right(bounds(a), count)
    if b.modulus == 0 and b.residue <= _MAX_SHIFT and a.modulus % (1 << b.residue) == 0:
        return _reduced(found, a.modulus >> b.residue, a.residue >> b.residue)
    return _reduced(found, 1, 0)


def bit_and(a: Number, b: Number) -> Number:
    """A number of x & y."""
    if a.members and b.members:
        return _certain(_pairwise(a, b, operator.and_))
    known = min(_low_bits(a), _low_bits(b))
    zeros = max(_low_zeros(a), _low_zeros(b))
    found = bits.bit_and(bounds(a), bounds(b))
    return _reduced(found, 1 << zeros, 0) if zeros > known else _reduced(found, 1 << known, a.residue & b.residue)


def bit_or(a: Number, b: Number) -> Number:
    """A number of x | y."""
    if a.members and b.members:
        return _certain(_pairwise(a, b, operator.or_))
    known = min(_low_bits(a), _low_bits(b))
    return _reduced(bits.bit_or(bounds(a), bounds(b)), 1 << known, a.residue | b.residue)


def bit_xor(a: Number, b: Number) -> Number:
    """A number of x ^ y."""
    if a.members and b.members:
        return _certain(_pairwise(a, b, operator.xor))
    known = min(_low_bits(a), _low_bits(b))
    return _reduced(bits.bit_xor(bounds(a), bounds(b)), 1 << known, a.residue ^ b.residue)


def wrap(a: Number, lo: int, hi: int) -> Number:
    """A number of x brought into [lo, hi] modulo hi - lo + 1."""
    if lo <= a.lo and a.hi <= hi:
        return a
    period = hi - lo + 1
    if a.members:
        return _certain(of_members([(x - lo) % period + lo for x in a.members]))
    return _reduced(interval.wrap(bounds(a), lo, hi), gcd(a.modulus, period), a.residue)


def _certain(found: Number | None) -> Number:
    assert found is not None
    return found


def _reduced(found: Interval, modulus: int, residue: int) -> Number:
    """The meet of what the parts of the product say of a result. *Requires*: there is one."""
    return _certain(of_class(*found, modulus, residue))


def _pairwise(
    a: Number, b: Number, apply: Callable[[int, int], int], defined: Callable[[int], bool] = lambda _: True
) -> Number | None:
    return of_members([apply(x, y) for y in b.members if defined(y) for x in a.members])


def quotient(x: int, y: int) -> int:
    """The quotient rounded towards zero, as in C. *Requires*: `y` is not 0."""
    return abs(x) // abs(y) * (1 if (x >= 0) == (y >= 0) else -1)


def _low_bits(a: Number) -> int:
    """How many low bits of a number its congruence tells; of a single number, as many as are of use."""
    return (a.modulus & -a.modulus).bit_length() - 1 if a.modulus else bits.EXACT_WIDTH


def _low_zeros(a: Number) -> int:
    """How many low bits of a number are known to be 0."""
    known = _low_bits(a)
    low = a.residue & ((1 << known) - 1)
    return min(known, (low & -low).bit_length() - 1) if low else known
