"""How far behind the start of an object a pointer leads, and which parts are there.

The marks of a pointer (`Inside`) say where it may lead: exactly so, as long as nobody else has had it. A pointer that
is moved stays in its array (C11 6.5.6p8), and an access stays inside of its object, which others check or assume.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd

from duet.frontend.cells.context import Context
from duet.frontend.cells.heap import whole_object
from duet.frontend.ctypes.layout import Member, is_compatible
from duet.frontend.ctypes.origins import (
    NO_OBJECT,
    OUTSIDE,
    START,
    UNKNOWN_POINTER,
    Origins,
    all_distances,
    may_be_any,
)
from duet.frontend.ctypes.types import ADDRESS, CHAR, VOID, ArrayType, CType, IntType, StructType, VoidType
from duet.frontend.ctypes.values import Direct, Index, Indirect, Number, Object, Path, pointee
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node
from duet.plip.syntax import Linear
from duet.plip.terms import add, constant, variable


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
    cell = _holder(ctx, place)
    found = None if cell is None else ctx.facts.pointers.distances_in(cell, of.key)
    return all_distances(place.address.origins) if found is None else sorted(found)


def settled(ctx: Context, objects: Sequence[Object], place: Indirect, node: Node) -> list[Object]:
    """Those of some objects of which it is known how far behind the start an access leads, see `distances_in`.

    The points-to rules find objects before what is written is looked at. If nobody writes it, nothing more will be.
    """
    cell = _holder(ctx, place) if len(all_distances(place.address.origins)) > 1 else None
    if cell is None:
        return list(objects)
    is_awaited, site = ctx.facts.pointers.is_awaited_in, ctx.site
    return [of for of in objects if not is_awaited(cell, of.key) or ctx.is_settled(site(node, f"{cell} in {of.key} "))]


def _holder(ctx: Context, place: Indirect) -> str | None:
    """The local variable that nobody else can write and that the address of an access is read from."""
    match place.address.term:
        case Linear(((name, 1),), 0) if UNKNOWN_POINTER.isdisjoint(place.address.origins):
            cell = ctx.temporaries.sources.get(name, name)
            holder = ctx.memory.objects.get(cell)
            is_own = holder is not None and holder.kind == "local" and cell not in ctx.facts.objects.addressed
            return cell if is_own else None
        case _:
            return None


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
        is_part(ctx, of.type, at, place.base)
        if step == 0
        else size > 1 and _goes_along(ctx, of.type, at, step, place.base)
        for at, step in _possible(ctx, of, distances_in(ctx, of, place))
    )


def _goes_along(ctx: Context, kind: CType, at: int, step: int, wanted: CType) -> bool:
    """Whether parts of a compatible type are so far behind the start of one, and each step further in an array."""
    match kind:
        case ArrayType(element) if size := ctx.memory.types.size(element):
            if step % size == 0:
                return is_part(ctx, element, at % size, wanted)
            return _goes_along(ctx, element, at % size, step, wanted)
        case StructType():
            around = [it for it in ctx.memory.types.members(kind) if _is_around(ctx, it, at)]
            return any(_goes_along(ctx, it.type, at - it.offset, step, wanted) for it in around)
        case _:
            return False


def _possible(ctx: Context, of: Object, known: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Those among some distances at which an object has bytes; at others another one is meant, or none."""
    whole = ctx.facts.layouts.sizes.get(of.key) if of.kind == "heap" else ctx.memory.typed_size(of)
    return [(at, step) for at, step in known if step or whole is None or 0 <= at < whole]


def type_at(ctx: Context, address: Number, size: int) -> CType | None:
    """The type of the parts of so many bytes that start where a pointer leads; None where they differ, or are not told.

    It is what the pointer led to before it became one to `void`.
    """
    known = _typed(ctx, address)
    found = {
        _type_in(ctx, whole.type, at, by, size) for whole in known or () for at, by in _distances(ctx, whole, address)
    }
    return found.pop() if len(found) == 1 else None


def are_whole_elements(ctx: Context, pointer: Number, size: Number) -> bool:
    """Whether so many bytes from where a pointer leads are whole elements of arrays of its type, however many."""
    kind, known = pointee(pointer.type), _typed(ctx, pointer)
    width = None if kind is None else ctx.memory.types.size(kind)
    if known is None or not width or not _is_multiple_of(ctx, size, width):
        return False
    for whole in known:
        element = whole.type
        while isinstance(element, ArrayType):
            element = element.element
        if element != kind or any(at % width or by % width for at, by in _distances(ctx, whole, pointer)):
            return False
    return True


def _typed(ctx: Context, address: Number) -> list[Object] | None:
    """The objects that a pointer leads to, with their types; None where it is not told how far it leads into each.

    Nothing is tracked of one that has no type, as long as that is so.
    """
    known = ctx.memory.pointed(address.origins)
    if not NO_OBJECT.isdisjoint(address.origins) or not all(_is_told(ctx, of, address.origins) for of in known):
        return None
    return [whole for of in known if (whole := whole_object(ctx, of)) is not None]


def _is_multiple_of(ctx: Context, size: Number, width: int) -> bool:
    """Whether a number of bytes that an object may have is a multiple of a width.

    One that went around in a calculation is too large, where what it was calculated from is small.
    """
    term, lo, hi = _before_wrapping(ctx, size)
    is_small = term == size.term or (lo >= -_LARGE and hi < _LARGE)
    return is_small and not any(part % width for part in (term.constant, *(factor for _, factor in term.terms)))


def _before_wrapping(ctx: Context, size: Number) -> tuple[Linear, int, int]:
    """A term that a number of bytes is equal to, but for multiples of 2^64, with its least and largest value."""
    match size.term:
        case Linear(((name, factor),), moved) if name in ctx.temporaries.wrapped:
            exact, into, _ = ctx.temporaries.wrapped[name]
            if into.width == ADDRESS.width:
                term, lo, hi = _before_wrapping(ctx, exact)
                ends = (factor * lo + moved, factor * hi + moved)
                return add(constant(moved), term, factor), min(ends), max(ends)
    return size.term, size.lo, size.hi


def _type_in(ctx: Context, kind: CType, at: int, by: int, size: int) -> CType | None:
    """The type of the part of so many bytes that is so far behind the start of one of a type."""
    if at == by == 0 and ctx.memory.types.size(kind) == size:
        return kind
    match kind:
        case ArrayType(element) if (step := ctx.memory.types.size(element)) and at >= 0:
            return _type_in(ctx, element, at % step, by if by % step else 0, size)
        case StructType(is_union=False):
            around = next((it for it in ctx.memory.types.members(kind) if _is_around(ctx, it, at)), None)
            return None if around is None else _type_in(ctx, around.type, at - around.offset, by, size)
        case _:
            return None


_LARGE = 1 << (ADDRESS.width - 1)
_WALKED: Mark[str] = Mark("structures that pointers may go along as a whole")


def note_step(ctx: Context, address: Number, kind: CType) -> None:
    """Notes that a pointer to a type is moved, perhaps along all of a structure: it was in no array of that type."""
    if not _are_told(ctx):
        return
    for of in ctx.memory.pointed(address.origins):
        if isinstance(of.type, StructType) and not all(
            at and _is_in_array(ctx, of, at, kind) for at, _ in _distances(ctx, of, address)
        ):
            ctx.facts.mark(_WALKED, of.key)


def _is_in_array(ctx: Context, of: Object, at: int, kind: CType) -> bool:
    """Whether a pointer to a type that is so far behind the start of an object leads into an array of that type."""
    is_told = not _is_byte(kind) or _bytes_around(ctx, of, at, kind) is not None
    return is_told and is_part(ctx, of.type, at, kind, is_element=True)


def _are_told(ctx: Context) -> bool:
    """Whether accesses have the checks that `told_arrays` rests on."""
    return ctx.wants("array-bounds") and ctx.options.model is None


def told_arrays(ctx: Context, of: Object, address: Number) -> tuple[Direct, ...]:
    """The arrays of bytes, members of a structure, in which a pointer to bytes leads to an object; none if it may not.

    A pointer that was made of an array stays in it (C11 6.5.6p8), but one that was moved from elsewhere may go along
    all bytes of the object, as may one to its start: then no pointer is told. Each access has a check that it is in one
    of the arrays (`bounds`), by its address as it is then; nothing else is accessed behind that.
    """
    is_single = isinstance(of.type, StructType) and of.kind != "heap" and not ctx.memory.is_multiple(of)
    kind = pointee(address.type)
    if not is_single or not _are_told(ctx) or kind is None or not _is_byte(kind):
        return ()
    other_views = ctx.facts.layouts.recast.get(of.origin, ())
    is_seen_as = any(isinstance(view, StructType) and view != of.type for view in other_views)
    if is_seen_as or of.key in ctx.facts.marked(_WALKED):
        return ()
    known = _distances(ctx, of, address) if NO_OBJECT.isdisjoint(address.origins) else ()
    found = [_bytes_around(ctx, of, at, kind) for at, _ in known if at]
    arrays = {array for array in found if array is not None}
    return tuple(sorted(arrays, key=str)) if len(found) == len(known) and None not in found else ()


def members_within(ctx: Context, of: Object, address: Number, size: int) -> tuple[Direct, ...]:
    """The members of a structure that at most so many bytes meet from where a pointer leads; none if it is not told."""
    whole = whole_object(ctx, of)
    if whole is None or not isinstance(whole.type, StructType) or not _is_told(ctx, of, address.origins):
        return ()
    known = _distances(ctx, of, address)
    if any(step or at < 0 for at, step in known):
        return ()
    found = [_meeting(ctx, Direct(whole, (), whole.type), at, size) for at, _ in known]
    return tuple(dict.fromkeys(part for parts in found for part in parts)) if all(found) else ()


def _meeting(ctx: Context, part: Direct, at: int, size: int) -> list[Direct]:
    """The members of a part, and of structures in it, that so many bytes meet; bit-fields go on in the next unit."""
    if not isinstance(part.type, StructType) or part.type.is_union:
        return [part]
    found: list[Direct] = []
    for member in ctx.memory.types.members(part.type):
        width = ctx.memory.types.size(member.type)
        end = None if width is None else member.offset + (2 * width if member.is_bits else width)
        if member.offset < at + size and (end is None or at < end):
            inner = Direct(part.object, (*part.path, member.name), member.type)
            found += _meeting(ctx, inner, at - member.offset, size)
    return found


def _distances(ctx: Context, of: Object, address: Number) -> Sequence[tuple[int, int]]:
    return distances_in(ctx, of, Indirect(address, VOID, (), VOID))


def _is_byte(kind: CType) -> bool:
    return isinstance(kind, VoidType) or (isinstance(kind, IntType) and kind.size == 1)


def staying_in_arrays(ctx: Context, address: Number, step: int) -> set[tuple[int, int]]:
    """How far behind the starts of their objects a pointer leads where it is to an array of bytes, also when moved.

    An allocated object has the type that is found in time; until then it is taken for bytes.
    """
    found = {distance for distance in all_distances(address.origins) if distance[0] and not distance[1]}
    for of in ctx.memory.pointed(address.origins) if found else ():
        whole = whole_object(ctx, of)
        if whole is None or (of.kind == "heap" and isinstance(whole.type, ArrayType) and _is_byte(whole.type.element)):
            continue
        for at, by in found.intersection(_distances(ctx, of, address)):
            around = _bytes_around(ctx, whole, at, CHAR)
            if around is None or _bytes_around(ctx, whole, at + step, CHAR) != around:
                found.discard((at, by))
    return found


def _bytes_around(ctx: Context, of: Object, at: int, wanted: CType) -> Direct | None:
    """The array of bytes of a member of a structure so far behind its start; one that may go on at its end is none.

    Nor is one that a structure starts with, where a pointer to bytes was made of another one, as all to `void` are:
    that may be one to the structure, and go along all of its bytes.
    """
    kind, path, is_first = of.type, tuple[str, ...](), False
    while isinstance(kind, StructType) and not kind.is_union:
        member = next((it for it in ctx.memory.types.members(kind) if _is_around(ctx, it, at)), None)
        if member is None:
            return None
        kind, path, at, is_first = member.type, (*path, member.name), at - member.offset, member.offset == 0
    if not isinstance(kind, ArrayType) or not _is_byte(kind.element) or (kind.length or 0) < 2:
        return None
    views = ctx.facts.layouts.recast.get(of.origin, ())
    is_made = isinstance(wanted, VoidType) or any(map(_is_byte, views))
    return None if is_first and is_made else Direct(of, path, kind)


def _is_around(ctx: Context, member: Member, at: int) -> bool:
    return member.offset <= at < member.offset + (ctx.memory.types.size(member.type) or 0)


def leads_inside(ctx: Context, of: Object, place: Indirect) -> bool:
    """Whether a pointer may lead as far behind the start of an object as no part of its type is."""
    origins, size = place.address.origins, ctx.memory.types.size(place.base) or 1
    leaked = ctx.facts.pointers.leaked.get(of.key, ()) if may_be_any(origins) else ()
    own = (distance for distance in distances_in(ctx, of, place) if distance != START)
    found = _possible(ctx, of, (*own, *leaked))
    return not all(
        (step % size == 0 and is_part(ctx, of.type, at, place.base)) or _goes_along(ctx, of.type, at, step, place.base)
        for at, step in found
    )


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
