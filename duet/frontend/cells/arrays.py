"""That what a moved pointer is followed to is a part of its type: pointers stay in their arrays (C11 6.5.6p8).

An access through a pointer means the parts of its type that an object has (see `targets`). A pointer that is moved from
one of them may get to other parts of that object, which it must not; checks say so where there are any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duet.frontend.cells.context import Context
from duet.frontend.cells.distances import has_other_parts
from duet.frontend.cells.heap import whole_object
from duet.frontend.ctypes.layout import is_compatible
from duet.frontend.ctypes.types import ADDRESS, ArrayType, CType, StructType
from duet.frontend.ctypes.values import Object
from duet.plip.syntax import FALSE, TRUE, Formula, Linear, Operation
from duet.plip.terms import add, compare, conjunction, constant, disjunction, variable


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an access is to be in: a part of a type, with so many bytes from where that starts."""

    kind: CType
    room: int


def in_part(ctx: Context, of: Object, wanted: Wanted | None, behind: Linear) -> Formula:
    """That a part of the wanted type is so far behind the start of an object. *Requires*: that is inside of it.

    An object to which a pointer was made one to that type by a cast may be accessed as that anywhere.
    """
    if wanted is None or not is_elsewhere(ctx, of, wanted):
        return TRUE
    return _in_part(ctx, (whole_object(ctx, of) or of).type, wanted, behind, of.kind == "heap")


def is_elsewhere(ctx: Context, of: Object, wanted: Wanted) -> bool:
    """Whether an access that is inside of an object may be in no part of the wanted type."""
    whole = whole_object(ctx, of)
    is_cast = wanted.kind in ctx.facts.layouts.recast.get(of.origin, ())
    return whole is not None and not is_cast and has_other_parts(ctx, whole.type, wanted.kind)


def is_seen_otherwise(ctx: Context, of: Object, wanted: Wanted) -> bool:
    """Whether parts of the wanted type may be anywhere in an object: a pointer to it became one to what has such parts.

    That is none of the types that are in the object (`struct header *h = (struct header *)bytes`).
    """
    whole, parts = whole_object(ctx, of) or of, ctx.memory.types.parts
    casts = ctx.facts.layouts.recast.get(of.origin, ())
    return any(parts(kind, wanted.kind) and not parts(whole.type, kind) for kind in casts)


def _in_part(ctx: Context, kind: CType, wanted: Wanted, behind: Linear, is_last: bool) -> Formula:
    """As `in_part`, in something of a type; `is_last` if there may be more elements behind it than that says."""
    if is_compatible(kind, wanted.kind, ctx.data):
        return TRUE
    match kind:
        case ArrayType(element, length):
            size, is_open = ctx.memory.types.size(element), is_last and (length or 0) <= 1
            if not size or not ctx.memory.types.parts(element, wanted.kind):
                return FALSE
            end = None if length is None or is_open else size * length
            if is_compatible(element, wanted.kind, ctx.data):
                return _between(behind, end, wanted)
            ctx.builder.flush()
            name = ctx.temporary(ADDRESS)
            ctx.builder.compute(name, Operation.MOD, behind, constant(size))
            each = conjunction(
                (_between(behind, end, wanted), _in_part(ctx, element, wanted, variable(name), is_last=False))
            )
            more = _open_ends(ctx, element) if is_last else ()
            rest = (_in_rest(ctx, array, wanted, add(behind, constant(-start))) for start, array in more)
            return disjunction((each, *rest))
        case StructType():
            members = ctx.memory.types.members(kind)
            ways = []
            for member in members:
                if not ctx.memory.types.parts(member.type, wanted.kind):
                    continue
                is_end = is_last and (kind.is_union or member is members[-1])
                # in a union one of no elements names the bytes of the others
                is_end = is_end or (kind.is_union and isinstance(member.type, ArrayType) and not member.type.length)
                inner = add(behind, constant(-member.offset))
                size = ctx.memory.types.size(member.type)
                end = None if is_end and isinstance(member.type, ArrayType) else size
                ways.append(
                    conjunction((_between(inner, end, wanted), _in_part(ctx, member.type, wanted, inner, is_end)))
                )
            return disjunction(ways)
        case _:
            return FALSE


def _open_ends(ctx: Context, kind: CType, start: int = 0) -> Iterator[tuple[int, ArrayType]]:
    """The arrays of at most one element that end a structure, with where they start.

    GNU C lets such an array have as many as there is room for behind the structure: what was allocated may be that one,
    although it is large enough for several.
    """
    match kind:
        case ArrayType(_, length) if (length or 0) <= 1:
            yield start, kind
        case StructType():
            members = ctx.memory.types.members(kind)
            for member in members if kind.is_union else members[-1:]:
                yield from _open_ends(ctx, member.type, start + member.offset)
        case _:
            return


def _in_rest(ctx: Context, array: ArrayType, wanted: Wanted, behind: Linear) -> Formula:
    """As `in_part`, in such an array, from its start on."""
    return conjunction((_between(behind, None, wanted), _in_part(ctx, array, wanted, behind, is_last=True)))


def _between(behind: Linear, end: int | None, wanted: Wanted) -> Formula:
    """That some bytes are behind the start of something, and in front of its end if that is known."""
    low = compare(behind, ">=", constant(0))
    return low if end is None else conjunction((low, compare(behind, "<=", constant(end - wanted.room))))
