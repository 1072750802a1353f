"""Some bits of a cell: as a value of their own, and put in the place of those that are there."""

from __future__ import annotations

from duet.frontend.cells.arithmetic import arithmetic
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import fit, unplaced
from duet.frontend.cells.located import BitsAt
from duet.frontend.ctypes.types import IntType, plain
from duet.frontend.ctypes.values import Number, literal, of_term
from duet.plip.terms import add, scale


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


def _unsigned(kind: object) -> IntType:
    """The unsigned type of the size of a type."""
    assert isinstance(kind, IntType)
    return IntType(f"unsigned {kind.name}", kind.width, False, kind.size, kind.rank)
