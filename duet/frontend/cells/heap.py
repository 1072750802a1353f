"""The types of allocated objects, which are what they are accessed as."""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import ArrayType, CType
from duet.frontend.ctypes.values import Object


def heap_object(ctx: Context, of: Object) -> Object | None:
    """A heap object with a type that contains all types it is accessed as; None where there is none.

    It is an array of that type, of any length where its size is not known to be a multiple of the type's size.
    """
    kind = _widest(ctx, of)
    if kind is None:
        return None
    heap = replace(of, type=_sized(ctx, of, kind))
    ctx.memory.renew(heap)
    return heap


def whole_object(ctx: Context, of: Object) -> Object | None:
    """An object with its type, that of `heap_object` if it was allocated."""
    return heap_object(ctx, of) if of.kind == "heap" else of


def _widest(ctx: Context, of: Object) -> CType | None:
    """The type among those that a heap object is accessed as that contains all the others."""
    types, views = ctx.memory.types, ctx.facts.layouts.views.get(of.key, {})
    key = of.key, len(views), len(types.layouts)
    if key not in ctx.memory.widest:
        whole = [kind for kind in views if all(kind == other or types.parts(kind, other) for other in views)]
        ctx.memory.widest[key] = min(whole, key=repr, default=None)
    return ctx.memory.widest[key]


def _sized(ctx: Context, of: Object, kind: CType) -> CType:
    """A type, or an array of it, that fills a heap object."""
    size, part = ctx.facts.layouts.sizes.get(of.key), ctx.memory.types.size(kind)
    if size is None or not part or size == 0 or size % part or ctx.memory.is_multiple(of):
        return ArrayType(kind, None)
    return kind if size == part else ArrayType(kind, size // part)
