"""Pointers that the program has moved, or moved and made ones of another type: they may lead out of their object.

Marks among their origins say so, of the types that they led to; these go with them wherever addresses go. Where such
a pointer goes to memory that is not tracked, unknown pointers of these types count as moved (`Pointers.adrift`). That
is of use with `kernel-pointers`, by which the kernel gives whole objects. Pointers to void are not followed to there.
"""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells import requests
from duet.frontend.cells.context import Context
from duet.frontend.cells.extent import least_size
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, moved, moved_to
from duet.frontend.ctypes.types import CType, PointerType, StructType, is_unsized
from duet.frontend.ctypes.values import Address, Indirect, Number, Value, pointee
from duet.plip.syntax import MADE

ASSUMED = (
    "a network device, or a request of a block device, that the kernel gives has as much private data as the driver"
    " asks for where it asks for the least"
)


def recast(ctx: Context, value: Value, kind: PointerType) -> Value:
    """A pointer that becomes one to another type, with the mark if it may lead to a part of an object, or behind it."""
    match value:
        case Number(origins=origins) if (
            moved_to(origins) or _is_adrift(ctx, value) or _is_part(ctx, value, kind.target)
        ):
            return replace(value, origins=moved(origins, kind.target))
        case Address(Indirect(address) as place) if address.origins & UNKNOWN_POINTER:
            if _has_room(ctx, place, kind.target):
                return value
            marked = replace(address, origins=moved(address.origins, kind.target))
            return replace(value, place=replace(place, address=marked))
        case _:
            return value


def _is_adrift(ctx: Context, value: Number) -> bool:
    return bool(value.origins & UNKNOWN_POINTER) and pointee(value.type) in ctx.facts.pointers.adrift


def _is_part(ctx: Context, value: Number, wanted: CType) -> bool:
    """Whether a pointer leads to a structure that is certainly there, and becomes one to a type with more bytes."""
    kind = pointee(value.type)
    if not value.origins & UNKNOWN_POINTER or is_unsized(wanted) or kind is None or not is_checked_part(ctx, kind):
        return False
    own, size = ctx.memory.types.size(kind), ctx.memory.types.size(wanted)
    return own is None or size is None or size > own


def is_checked_part(ctx: Context, kind: CType) -> bool:
    """Whether a pointer to a type may be one that was moved, of which a check said that such a structure is there."""
    parts = ctx.facts.pointers.parts
    return isinstance(kind, StructType) and (kind in parts or ctx.memory.types.size(kind) in parts)


def _has_room(ctx: Context, place: Indirect, wanted: CType) -> bool:
    """Whether what a place is a part of goes on for as many bytes as another type has; bytes have no length."""
    if is_unsized(wanted):
        return True
    size, whole = ctx.memory.types.size(wanted), ctx.memory.types.size(place.base)
    offset = ctx.memory.offset(place.base, place.path)
    if size is None or whole is None or offset is None:
        return False
    if isinstance(place.base, StructType) and is_made(place.base):
        ctx.assume(ASSUMED)
        ctx.facts.pointers.parts.add(wanted)  # there need not be more than that
        whole = _least_made(ctx, place.base)
    own = ctx.memory.types.size(place.type)
    return (own is not None and size <= own) or (not offset.terms and offset.constant + size <= whole)


def is_made(kind: CType) -> bool:
    """Whether only the models allocate objects of a type, which end with as many bytes as they are asked for."""
    return isinstance(kind, StructType) and kind.tag.startswith(MADE)


def _least_made(ctx: Context, kind: StructType) -> int:
    """The fewest bytes of the objects of a structure that only models allocate, or the core as a model says.

    The kernel has no others of the driver, so what it gives back is one of them.
    """
    if kind.tag == requests.TAG:
        return (ctx.memory.types.size(kind) or 0) + requests.least(ctx)
    recast = ctx.facts.layouts.recast
    made = (of for of in ctx.memory.objects.values() if of.kind == "heap" and kind in recast.get(of.origin, ()))
    return min((least_size(ctx.memory, of) for of in made), default=0)
