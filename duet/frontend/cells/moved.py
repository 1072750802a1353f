"""Pointers that the driver has moved, and that become pointers of another type: they lead to no whole object of it.

With `kernel-pointers` what the kernel may have given leads to a whole object of its type. That says nothing of
`(struct header *)(bytes + n)`. The origin `MOVED` marks such values, also where cells have held them; where they go to
memory that is not tracked, pointers of their type count as moved wherever they are unknown (`Layouts.strides`,
`Layouts.adrift`). That of pointers to void is not followed.
"""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.origins import MOVED, UNKNOWN_POINTER, Origins
from duet.frontend.ctypes.types import CType, PointerType, VoidType, is_unsized
from duet.frontend.ctypes.values import Address, Indirect, Number, Value, pointee


def marked(ctx: Context, value: Value, kind: PointerType) -> Value:
    """A pointer that becomes one to another type, with the mark if it may lead to a part of an object, or behind it."""
    match value:
        case Number(origins=origins) if origins & UNKNOWN_POINTER and pointee(value.type) in ctx.facts.layouts.adrift:
            return _mark(value)
        case Address(Indirect(address) as place) if address.origins & UNKNOWN_POINTER:
            is_inside = _has_room(ctx, place, kind.target)
            return value if is_inside else replace(value, place=replace(place, address=_mark(address)))
        case _:
            return value


def note_held(ctx: Context, cell: str, value: Number) -> None:
    """Records that a cell may hold a value, which may have the mark."""
    if MOVED in value.origins and value.origins & UNKNOWN_POINTER:
        ctx.facts.layouts.holding.add(cell)


def held(ctx: Context, cell: str, origins: Origins) -> Origins:
    """The origins of what is read from a cell, with the mark if it may hold such a value."""
    is_marked = bool(origins & UNKNOWN_POINTER) and cell in ctx.facts.layouts.holding
    return origins | {MOVED} if is_marked else origins


def note_lost(ctx: Context, value: Number) -> None:
    """Records that a value goes to where nothing is tracked: unknown pointers of its type may have the mark then."""
    kind, unknown = pointee(value.type), value.origins & UNKNOWN_POINTER
    if MOVED in value.origins and unknown and kind is not None and not isinstance(kind, VoidType):
        ctx.facts.layouts.keep(unknown, kind)
        ctx.facts.layouts.adrift.add(kind)


def _mark(value: Number) -> Number:
    return replace(value, origins=value.origins | {MOVED})


def _has_room(ctx: Context, place: Indirect, wanted: CType) -> bool:
    """Whether what a place is a part of goes on for as many bytes as another type has; bytes have no length."""
    if is_unsized(wanted):
        return True
    size, whole = ctx.memory.types.size(wanted), ctx.memory.types.size(place.base)
    offset = ctx.memory.offset(place.base, place.path)
    if size is None or whole is None or offset is None:
        return False
    own = ctx.memory.types.size(place.type)
    return (own is not None and size <= own) or (not offset.terms and offset.constant + size <= whole)
