"""Arrays that are members of structures: whether accesses by their elements stay in them, or go on behind their end."""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import ArrayType, CType, StructType, is_scalar
from duet.frontend.ctypes.values import Direct, Index, Indirect, Path, Place


def may_go_on(ctx: Context, place: Direct | Indirect, at: int) -> bool:
    """Whether an index is one of an array of at most one element that ends a structure in memory that was allocated.

    GNU C lets such an array have as many elements as there is room for behind the structure. So it is with one of no
    elements in a union, wherever that is, which names the bytes of the others.
    """
    step, name = place.path[at], place.path[at - 1] if at else None
    if not isinstance(step, Index) or step.length not in (0, 1) or not isinstance(name, str):
        return False
    kind = part_of(ctx, place.object.type if isinstance(place, Direct) else place.base, place.path[: at - 1])
    if not isinstance(kind, StructType) or not _is_at_end(ctx, kind, name):
        return False
    is_allocated = isinstance(place, Indirect) or place.object.kind == "heap"
    return is_allocated or (kind.is_union and not step.length)


def _is_at_end(ctx: Context, kind: StructType, name: str) -> bool:
    return kind.is_union or ctx.memory.types.members(kind)[-1].name == name


def part_of(ctx: Context, kind: CType, path: Path) -> CType:
    """The type that a path in a type leads to."""
    for step in path:
        if isinstance(step, Index):
            kind = kind.element if isinstance(kind, ArrayType) else kind
        elif isinstance(kind, StructType):
            kind = next(member.type for member in ctx.memory.types.members(kind) if member.name == step)
    return kind


def member_array(ctx: Context, place: Place) -> Direct | Indirect | None:
    """The array that is a member of a structure in which a place is an element; None for others.

    A union is left out, and an array that may go on behind the end of its structure.
    """
    if not isinstance(place, Direct | Indirect):
        return None
    length = len(place.path)
    while length and isinstance(place.path[length - 1], Index):
        length -= 1
    if not 0 < length < len(place.path):
        return None
    whole = place.object.type if isinstance(place, Direct) else place.base
    around, kind = part_of(ctx, whole, place.path[: length - 1]), part_of(ctx, whole, place.path[:length])
    is_plain = isinstance(around, StructType) and not around.is_union and not may_go_on(ctx, place, length)
    if not is_plain or not isinstance(kind, ArrayType) or not kind.length:
        return None
    return replace(place, path=place.path[:length], type=kind)


def element_behind(ctx: Context, place: Place) -> Direct | Indirect | None:
    """Any element of the array without a length, the last member of a structure, of which a place is a later one."""
    if not isinstance(place, Direct | Indirect) or len(place.path) < 2:
        return None
    whole, (*_, name, last) = place.object.type if isinstance(place, Direct) else place.base, place.path
    if not isinstance(name, str) or not isinstance(last, Index) or last.constant is None or last.constant < 0:
        return None
    kind = part_of(ctx, whole, place.path[:-1])
    if not isinstance(kind, ArrayType) or not is_scalar(kind.element):
        return None
    is_open = kind.length is None or may_go_on(ctx, place, len(place.path) - 1)
    return replace(place, path=(*place.path[:-1], replace(last, term=None))) if is_open else None
