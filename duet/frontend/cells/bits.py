"""Some bits of a cell: as a value of their own, and put in the place of others; numbers put together from bytes."""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells.arithmetic import arithmetic
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import fit, unplaced
from duet.frontend.cells.located import BitsAt
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.types import IntType, plain
from duet.frontend.ctypes.values import Number, literal, of_term
from duet.plip.terms import add, constant, scale


def bits_of(ctx: Context, whole: Number, at: BitsAt) -> Number:
    """The value of some bits of a cell with the value `whole`."""
    unsigned = _unsigned(at.cell.type)
    found = fit(ctx, unplaced(ctx, whole), unsigned)
    return fit(ctx, arithmetic(ctx, ">>", found, literal(at.shift, unsigned), unsigned, None), at.type)


def with_bits(ctx: Context, whole: Number, at: BitsAt, value: Number) -> Number:
    """The value of a cell with the value `whole` once some bits of it are those of `value`."""
    unsigned = _unsigned(at.cell.type)
    old = fit(ctx, unplaced(ctx, whole), unsigned)
    new = fit(ctx, unplaced(ctx, value), _unsigned(at.type))
    end = at.shift + at.type.width
    term, high = scale(new.term, 1 << at.shift), new.hi << at.shift
    if at.shift:
        low = arithmetic(ctx, "%", old, literal(1 << at.shift, unsigned), unsigned, None)
        term, high = add(term, low.term), high + low.hi
    if end < unsigned.width:
        above = arithmetic(ctx, ">>", old, literal(end, unsigned), unsigned, None)
        term, high = add(term, above.term, 1 << end), high + (above.hi << end)
    kind = at.cell.type
    assert isinstance(kind, IntType)
    return fit(ctx, of_term(term, unsigned, 0, high, whole.origins | value.origins), plain(kind))


def put_together(ctx: Context, parts: Sequence[tuple[int, Number]], kind: IntType) -> Number:
    """The number whose bytes are those of others, each from so many bytes on: it may begin before it and end behind it.

    *Requires*: the others have an integer type each, and cover all of it without an overlap.
    """
    unsigned = _unsigned(kind)
    term, high = constant(0), 0
    for start, value in parts:
        assert isinstance(value.type, IntType)
        whole = _unsigned(value.type)
        first, last = max(start, 0), min(start + whole.size, kind.size)
        part = fit(ctx, unplaced(ctx, value), whole)
        if first > start:
            part = arithmetic(ctx, ">>", part, literal(8 * (first - start), whole), whole, None)
        if last < start + whole.size:
            part = arithmetic(ctx, "%", part, literal(1 << 8 * (last - first), whole), whole, None)
        term, high = add(term, part.term, 1 << 8 * first), high + (part.hi << 8 * first)
    origins = NOTHING.union(*(value.origins for _, value in parts))
    return fit(ctx, of_term(term, unsigned, 0, high, origins), plain(kind))


def _unsigned(kind: object) -> IntType:
    """The unsigned type of the size of a type."""
    assert isinstance(kind, IntType)
    return IntType(f"unsigned {kind.name}", kind.width, False, kind.size, kind.rank)
