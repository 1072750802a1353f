"""How far behind the start of an object a pointer leads, and which parts are there.

The marks of a pointer (`Inside`) say where it may lead: exactly so, as long as nobody else has had it. A pointer that
is moved stays in its array (C11 6.5.6p8), and an access stays inside of its object, which others check or assume.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.layout import is_compatible
from duet.frontend.ctypes.origins import (
    OUTSIDE,
    START,
    UNKNOWN_POINTER,
    Origins,
    all_distances,
    may_be_any,
)
from duet.frontend.ctypes.types import ArrayType, CType, StructType
from duet.frontend.ctypes.values import Index, Indirect, Object, Path
from duet.plip.syntax import Linear
from duet.plip.terms import constant, variable


def reached(
    ctx: Context, of: Object, place: Indirect, parts: Sequence[tuple[Path, CType]]
) -> Sequence[tuple[Path, CType]]:
    """Those among the parts of a type of an object that are as far behind its start as a pointer may lead."""
    if not _is_told(ctx, of, place.address.origins):
        return parts
    known = distances_in(ctx, of, place)
    return [part for part in parts if _is_at(ctx, of.type, part[0], known)] or parts


def distances_in(ctx: Context, of: Object, place: Indirect) -> Sequence[tuple[int, int]]:
    """How far behind the start of an object an access through a pointer may lead.

    A local variable holds what was written to it, which says how far each leads into which objects: if it was the start
    of one and the middle of another, it is not the middle of the first. So it is for every thread that has it, and at
    any time. Who writes it by a pointer is seen to write it, or else makes it one of which nothing is known.
    """
    known = all_distances(place.address.origins)
    match place.address.term:
        case Linear(((name, 1),), 0) if UNKNOWN_POINTER.isdisjoint(place.address.origins):
            cell = ctx.temporaries.sources.get(name, name)
            holder = ctx.memory.objects.get(cell)
            if holder is None or holder.kind != "local" or cell in ctx.facts.objects.addressed:
                return known
            found = ctx.facts.pointers.distances_in(cell, of.key)
            return known if found is None else sorted(found)
        case _:
            return known


def _is_told(ctx: Context, of: Object, origins: Origins) -> bool:
    """Whether the marks of a pointer say all of how far into an object it leads: nobody else can have moved it."""
    return UNKNOWN_POINTER.isdisjoint(origins) and of.origin not in ctx.facts.pointers.held(OUTSIDE)


def _is_at(ctx: Context, kind: CType, path: Path, known: Sequence[tuple[int, int]]) -> bool:
    """Whether a part, any of those that a path stands for, is at one of some distances."""
    chosen = (
        replace(step, term=variable(f"{number}")) if isinstance(step, Index) and step.term is None else step
        for number, step in enumerate(path)
    )
    offset = ctx.memory.offset(kind, tuple(chosen))
    if offset is None:
        return True
    apart = ((offset.constant - at, gcd(step, *(factor for _, factor in offset.terms))) for at, step in known)
    return any(rest % stride == 0 if stride else rest == 0 for rest, stride in apart)


def leads_to_parts_only(ctx: Context, of: Object, place: Indirect) -> bool:
    """Whether a pointer leads to parts of its type only, wherever in an object it may lead; it stays in arrays of such.

    One to bytes that was moved may lead to any byte.
    """
    origins, size = place.address.origins, ctx.memory.types.size(place.base) or 1
    return _is_told(ctx, of, origins) and all(
        is_part(ctx, of.type, at, place.base, is_element=step != 0) and step % size == 0 and (step == 0 or size > 1)
        for at, step in _possible(ctx, of, distances_in(ctx, of, place))
    )


def _possible(ctx: Context, of: Object, known: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Those among some distances at which an object has bytes; at others another one is meant, or none."""
    whole = ctx.facts.layouts.sizes.get(of.key) if of.kind == "heap" else ctx.memory.types.size(of.type)
    return [(at, step) for at, step in known if step or whole is None or 0 <= at < whole]


def leads_inside(ctx: Context, of: Object, place: Indirect) -> bool:
    """Whether a pointer may lead as far behind the start of an object as no part of its type is."""
    origins, size = place.address.origins, ctx.memory.types.size(place.base) or 1
    leaked = ctx.facts.pointers.leaked.get(of.key, ()) if may_be_any(origins) else ()
    own = (distance for distance in distances_in(ctx, of, place) if distance != START)
    found = _possible(ctx, of, (*own, *leaked))
    return any(step % size or not is_part(ctx, of.type, at, place.base) for at, step in found)


def is_part(ctx: Context, kind: CType, at: int, wanted: CType, is_element: bool = False) -> bool:
    """Whether a part of a compatible type is so far behind the start of an object, or of one of those of an array.

    `is_element`: it is one of an array.
    """
    if isinstance(kind, ArrayType):
        size = ctx.memory.types.size(kind.element) or 0
        if is_element and size and at % size == 0 and is_compatible(kind.element, wanted, ctx.data):
            return True
        return size > 0 and is_part(ctx, kind.element, at % size, wanted, is_element)
    found = at_offset(ctx, kind, at, wanted)
    return found is not None and (not is_element or (bool(found[0]) and isinstance(found[0][-1], Index)))


def at_offset(ctx: Context, kind: CType, offset: int, wanted: CType) -> tuple[Path, CType] | None:
    """The path to the part of a compatible type at a byte offset."""
    if offset == 0 and is_compatible(kind, wanted, ctx.data):
        return (), kind
    size = ctx.memory.types.size(kind)
    if size is None or not 0 <= offset < size:
        return None
    match kind:
        case ArrayType(element, length):
            step = ctx.memory.types.size(element) or 1
            found = at_offset(ctx, element, offset % step, wanted)
            return ((Index(constant(offset // step), length), *found[0]), found[1]) if found else None
        case StructType():
            for member in ctx.memory.types.members(kind):
                found = at_offset(ctx, member.type, offset - member.offset, wanted) if offset >= member.offset else None
                if found:
                    return (member.name, *found[0]), found[1]
            return None
        case _:
            return None


def has_other_parts(ctx: Context, kind: CType, wanted: CType) -> bool:
    """Whether some memory of a type is in no part of a compatible type."""
    if is_compatible(kind, wanted, ctx.data):
        return False
    match kind:
        case ArrayType(element):
            return has_other_parts(ctx, element, wanted)
        case StructType():
            return any(has_other_parts(ctx, member.type, wanted) for member in ctx.memory.types.members(kind))
        case _:
            return True
