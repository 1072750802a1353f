"""What library functions do to memory that they are given: fill it, set it, copy it.

A pointer and a number of bytes that mean a whole variable, member or array are followed scalar by scalar. Where they
mean something else, the whole object that is pointed into holds anything.
"""

from __future__ import annotations

from dataclasses import replace

from duet.frontend import lvalue
from duet.frontend.access import escape, havoc_place, inside, put_outside, read, write
from duet.frontend.context import Context
from duet.frontend.convert import UNKNOWN_POINTER, number
from duet.frontend.models.call import Call
from duet.frontend.sharing import is_wild, note_pointed
from duet.frontend.size import TARGETS, is_large
from duet.frontend.targets import heap_object
from duet.frontend.types import (
    LONG,
    ArrayType,
    CType,
    IntType,
    PointerType,
    is_layout_compatible,
)
from duet.frontend.values import (
    ANYTHING,
    EXTERNAL,
    NOTHING,
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Path,
    Place,
    Temporary,
    Value,
    is_null,
    literal,
)
from duet.plip.accesses import AccessKind
from duet.plip.syntax import Havoc
from duet.plip.terms import variable

Pointed = Direct | Indirect


def exactly(ctx: Context, pointer: Value, size: int | None) -> Pointed | None:
    """The variable, member or array that starts at a pointer and has so many bytes; None where there is none."""
    for place in _around(ctx, pointer):
        if size is not None and ctx.memory.types.size(place.type) == size and _offset(ctx, place, pointer) == 0:
            return place
    return None


def containing(ctx: Context, pointer: Value, size: int | None) -> Pointed | None:
    """The smallest part of an object around a pointer that has as many bytes from there on."""
    if size is None:
        return None
    for place in _around(ctx, pointer):
        whole = ctx.memory.types.size(place.type)
        if whole is not None and _offset(ctx, place, pointer) + size <= whole:
            return place
    return None


def _around(ctx: Context, pointer: Value) -> list[Pointed]:
    """What a pointer points to, and the array that this is an element of."""
    if not isinstance(pointer, Address | Number) or is_null(pointer):
        return []
    place = lvalue.pointed(ctx, pointer)
    ctx.builder.flush()
    if not isinstance(place, Direct | Indirect):
        return []
    last = place.path[-1] if place.path else None
    is_sized = ctx.memory.types.size(place.type) is not None
    if is_sized and isinstance(last, Index) and last.constant is not None and last.length is not None:
        return [place, replace(place, path=place.path[:-1], type=ArrayType(place.type, last.length))]
    return [place]


def _offset(ctx: Context, place: Pointed, pointer: Value) -> int:
    """How many bytes into one of the places around it a pointer points."""
    inner = lvalue.pointed(ctx, pointer)
    if not isinstance(inner, Direct | Indirect) or inner.path == place.path:
        return 0
    last = inner.path[-1]
    assert isinstance(last, Index)
    return (last.constant or 0) * (ctx.memory.types.size(inner.type) or 1)


def _within(place: Place, path: Path, kind: CType) -> Place:
    for step in path:
        place = inside(place, step, kind)
    return place


def fill(ctx: Context, pointer: Value, size: int | None, call: Call, origins: frozenset[str] = NOTHING) -> None:
    """Gives memory anything, which may be made of what has `origins`; the whole object where it is not known."""
    if is_null(pointer):
        return
    if _may_lead_outside(pointer):
        put_outside(ctx, UNKNOWN_POINTER | origins)
    place = containing(ctx, pointer, size)
    if place is None:
        spoil(ctx, pointer, UNKNOWN_POINTER | origins, call)
        return
    for path, kind in ctx.memory.scalars(place.type, is_each=True):
        pointing = UNKNOWN_POINTER | origins if isinstance(kind, PointerType) else NOTHING
        write(ctx, _within(place, path, kind), ctx.havoc(kind, pointing), call.node)
    ctx.builder.flush()


def _may_lead_outside(pointer: Value) -> bool:
    match pointer:
        case Number(origins=found) | Address(Indirect(Number(origins=found))):
            return EXTERNAL in found or ANYTHING in found
        case _:
            return False


def set_bytes(ctx: Context, pointer: Value, byte: Value, size: int | None, call: Call) -> None:
    """memset: the same byte everywhere."""
    known = byte.constant if isinstance(byte, Number) else None
    place = exactly(ctx, pointer, size)
    if place is None or known is None:
        fill(ctx, pointer, size, call)
        return
    for path, kind in ctx.memory.scalars(place.type, is_each=True):
        write(ctx, _within(place, path, kind), _repeated(ctx, known, kind), call.node)
    ctx.builder.flush()


def _repeated(ctx: Context, byte: int, kind: CType) -> Number:
    """A scalar all of whose bytes are the same."""
    if byte & 255 == 0:
        return literal(0, kind)
    if isinstance(kind, IntType) and kind.width == 8 * kind.size and kind.name != "_Bool":
        return literal(int.from_bytes(bytes([byte & 255]) * kind.size, "little", signed=kind.signed), kind)
    return ctx.havoc(kind, UNKNOWN_POINTER if isinstance(kind, PointerType) else NOTHING)


def copy(ctx: Context, target: Value, source: Value, size: int | None, call: Call, origins: frozenset[str]) -> None:
    """memcpy: scalar by scalar between objects of the same type, else anything made of what has `origins`."""
    into, out = exactly(ctx, target, size), exactly(ctx, source, size)
    if into is None or out is None or not is_layout_compatible(into.type, out.type):
        fill(ctx, target, size, call, origins)
        return
    for path, kind in ctx.memory.scalars(into.type, is_each=True):
        value = read(ctx, _within(out, _anywhere(ctx, path), kind), call.node)
        write(ctx, _within(into, path, kind), value, call.node)
    ctx.builder.flush()


def _anywhere(ctx: Context, path: Path) -> Path:
    """A path with an arbitrary index instead of all at once."""
    steps: list[str | Index] = []
    for step in path:
        if isinstance(step, Index) and step.term is None:
            name = ctx.temporary(LONG)
            ctx.builder.emit(Havoc(name, 0, (step.length or LONG.hi) - 1))
            steps.append(Index(variable(name), step.length))
        else:
            steps.append(step)
    return tuple(steps)


def spoil(ctx: Context, pointer: Value, origins: frozenset[str], call: Call) -> None:
    """Gives the whole object that a pointer points into any values; `origins` are those of pointers there."""
    if isinstance(pointer, Address) and isinstance(pointer.place, Direct | Temporary | FunctionPlace):
        if isinstance(pointer.place, Direct):
            of = pointer.place.object
            havoc_place(ctx, Direct(of, (), of.type), origins)
        return
    found = number(ctx, pointer)
    ctx.builder.flush()
    note_pointed(ctx, found.origins, call.node, AccessKind.WRITE)
    known = [name for name in sorted(found.origins) if name in ctx.memory.objects]
    is_open = is_wild(ctx, found.origins)
    if is_open:
        known = [name for name in sorted(ctx.facts.addressed) if name in ctx.memory.objects]
        ctx.warn(call.node, "unresolved-pointer", "what this pointer points to is not known: any object may change")
    if (is_open or len(known) > TARGETS) and is_large(ctx):
        ctx.facts.add(ctx.facts.untracked, *known)
    for name in known:
        of = ctx.memory.objects[name]
        whole = heap_object(ctx, of) if of.kind == "heap" else of
        if name in ctx.facts.untracked:
            escape(ctx, of, origins)
        elif whole is not None and not of.is_const:
            # the other candidates keep their values on other paths
            ways = ctx.builder.fork(2)
            ctx.builder.at(ways[0])
            havoc_place(ctx, Direct(whole, (), whole.type), origins, is_open)
            ctx.builder.goto(ways[1])
            ctx.builder.at(ways[1])


def text_at(ctx: Context, pointer: Value) -> Pointed | None:
    """The array of characters that a pointer leads into; writing a string behind its end has no defined meaning."""
    for place in _around(ctx, pointer):
        if isinstance(place.type, ArrayType) and ctx.memory.types.size(place.type.element) == 1:
            return place
    return None


def fill_text(ctx: Context, pointer: Value, call: Call) -> None:
    """Writes a string of any characters, that fits. The bytes of a pointer are no string, as some of them are 0."""
    place = text_at(ctx, pointer)
    if place is None:
        spoil(ctx, pointer, NOTHING, call)
        return
    for path, kind in ctx.memory.scalars(place.type, is_each=True):
        write(ctx, _within(place, path, kind), ctx.havoc(kind), call.node)
    ctx.builder.flush()
