"""What library functions do to memory that they are given: fill it, set it, copy it.

A pointer and a number of bytes that lie in one variable, member or array are followed scalar by scalar: a scalar that
they mean in part only holds anything then. Where they mean something else, the whole object that is pointed into does.
"""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells import gate, hidden, last_bytes
from duet.frontend.cells.access import copy_untracked, inside, put_in_unions, read, spoil, write
from duet.frontend.cells.bits import put_together
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import snapshot, to_pointer
from duet.frontend.cells.distances import are_whole_elements, type_at
from duet.frontend.cells.escapes import contents, put_outside
from duet.frontend.cells.extent import Extent, Reach
from duet.frontend.cells.gate import Touch, any_element
from duet.frontend.cells.members import element_behind, member_array
from duet.frontend.cells.overlaps import is_bytes
from duet.frontend.cells.targets import is_wild
from duet.frontend.ctypes.origins import ANYTHING, EXTERNAL, NOTHING, NUMBER, UNKNOWN_POINTER, Origins, addresses, moved
from duet.frontend.ctypes.types import (
    OFFSET,
    VOID,
    ArrayType,
    CType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    is_layout_compatible,
    is_scalar,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    Index,
    Indirect,
    Number,
    Path,
    Place,
    Untracked,
    Value,
    base_of,
    is_null,
    literal,
)
from duet.frontend.expressions.places import pointed
from duet.frontend.models.call import Call
from duet.plip.syntax import Havoc
from duet.plip.terms import variable

Pointed = Direct | Indirect


def exactly(ctx: Context, pointer: Value, size: int | None) -> Pointed | None:
    """The variable, member or array that starts at a pointer and has so many bytes; None where there is none."""
    for place in _around(ctx, pointer, size):
        if size is not None and ctx.memory.types.size(place.type) == size and _offset(ctx, place, pointer) == 0:
            return place
    return None


def containing(ctx: Context, pointer: Value, size: int | None) -> Pointed | None:
    """The smallest part of an object around a pointer that has as many bytes from there on."""
    if size is None:
        return None
    for place in _around(ctx, pointer, size):
        whole = ctx.memory.types.size(place.type)
        if whole is not None and _offset(ctx, place, pointer) + size <= whole:
            return place
    return None


def _around(ctx: Context, pointer: Value, size: int | None) -> list[Pointed]:
    """What a pointer points to, and the array that this is an element of; of so many bytes if the type does not say."""
    if not isinstance(pointer, Address | Number) or is_null(pointer):
        return []
    place = pointed(ctx, pointer)
    if isinstance(place, Indirect) and not place.path and isinstance(place.base, VoidType) and size:
        told = type_at(ctx, place.address, size)
        if told is not None:
            place = Indirect(replace(place.address, type=PointerType(told)), told, (), told)
    ctx.builder.flush()
    if not isinstance(place, Direct | Indirect) or isinstance(place.type, VoidType):
        return []
    last = place.path[-1] if place.path else None
    is_sized = ctx.memory.types.size(place.type) is not None
    if is_sized and isinstance(last, Index) and last.constant is not None and last.length is not None:
        return [place, replace(place, path=place.path[:-1], type=ArrayType(place.type, last.length))]
    return [place]


def _offset(ctx: Context, place: Pointed, pointer: Value) -> int:
    """How many bytes into one of the places around it a pointer points."""
    inner = pointed(ctx, pointer)
    if not isinstance(inner, Direct | Indirect) or inner.path == place.path:
        return 0
    last = inner.path[-1]
    assert isinstance(last, Index)
    return (last.constant or 0) * (ctx.memory.types.size(inner.type) or 1)


def _scalars(ctx: Context, place: Place) -> list[tuple[Path, CType]]:
    """The paths to what is tracked of a place; to all of it if that is nothing."""
    return ctx.memory.scalars(place.type, is_each=True) or [((), place.type)]


def _parts(ctx: Context, place: Place) -> list[Place]:
    """What is tracked of a place; all of it if that is nothing."""
    return [at_path(place, path, kind) for path, kind in _scalars(ctx, place)]


def _met(ctx: Context, place: Pointed, start: int, size: int) -> list[tuple[Place, bool]]:
    """What is tracked of so many bytes of a place, from `start` on, each with whether all of it is among them."""
    is_all = (start, size) == (0, ctx.memory.types.size(place.type))
    found: list[tuple[Place, bool]] = []
    for path, kind in _scalars(ctx, place):
        offset, width = ctx.memory.offset(place.type, path), ctx.memory.types.size(kind)
        part = at_path(place, path, kind)
        if not path or any(map(_is_any, path)) or offset is None or offset.terms or width is None:
            found.append((part, is_all))
            continue
        if isinstance(kind, IntType) and kind.width != 8 * kind.size:
            width *= 2  # a bit-field may reach into the next unit of its type
        if offset.constant < start + size and start < offset.constant + width:
            is_whole = start <= offset.constant and offset.constant + width <= start + size
            found.append((part, is_all or is_whole))
    return found


def _note_untracked(ctx: Context, place: Pointed, call: Call, origins: Origins) -> None:
    """Notes that a place is written that has parts without cells: floating values, unions; with what pointers there."""
    if not _is_tracked(ctx, place.type):
        gate.whole(ctx, gate.covered(place), Touch.FILL, call.node)
        put_in_unions(ctx, gate.covered(place), origins, call.node)


def _is_tracked(ctx: Context, kind: CType) -> bool:
    match kind:
        case ArrayType(element):
            return _is_tracked(ctx, element)
        case StructType(is_union=False):
            return all(_is_tracked(ctx, part.type) for part in ctx.memory.types.members(kind))
        case _:
            return is_scalar(kind)


def _is_any(step: str | Index) -> bool:
    return isinstance(step, Index) and step.term is None


def _anything(ctx: Context, kind: CType, origins: Origins) -> Value:
    """Any value of a type."""
    return ctx.havoc(kind, origins) if is_scalar(kind) else Untracked(kind)


def at_path(place: Place, path: Path, kind: CType) -> Place:
    """The part of a type that a path leads to in a place."""
    for step in path:
        place = inside(place, step, kind)
    return place


def fill(
    ctx: Context,
    pointer: Value,
    size: Extent | int,
    call: Call,
    origins: Origins = NOTHING,
    position: int = 0,
    pointers: Origins = UNKNOWN_POINTER,
) -> None:
    """Gives memory anything, which may be made of what has `origins`; the whole object where it is not known.

    Pointers there have the origins `pointers`, too. It is the argument at `position`. A size that is a plain number is
    that of the type that is pointed to.
    """
    if is_null(pointer):
        refuse_null(ctx, pointer, literal(size) if isinstance(size, int) else size, call, position)
        return
    if isinstance(size, int) and containing(ctx, pointer, size) is not None:
        _fill(ctx, pointer, size, call, origins, pointers=pointers, in_unions=origins)
        return
    extent = literal(size) if isinstance(size, int) else size
    touch(ctx, pointer, extent, call, Touch.FILL, position)
    known = extent.constant if extent is not None else None
    with last_bytes.kept(ctx):
        _fill(ctx, pointer, known, call, origins, is_checked=True, in_unions=origins)


def refuse_null(ctx: Context, pointer: Value, extent: Extent, call: Call, position: int) -> None:
    """Checks that nothing is written through null, the argument at a position, unless that has a meaning there."""
    if not call.takes_null(ctx, position):
        touch(ctx, pointer, extent, call, Touch.FILL, position)


def touch(
    ctx: Context,
    pointer: Value,
    extent: Extent,
    call: Call,
    how: Touch,
    position: int,
    reach: Reach = Reach.DATA,
) -> None:
    """Checks that the bytes that a library function is given at a position are there."""
    if is_null(pointer) and not call.crashes(ctx, position):
        gate.missing(ctx, pointer, extent, call.node, call.argument_node(position))
        return
    gate.bytes_from(ctx, pointer, extent, how, call.node, call.argument_node(position), reach)


def read_within(ctx: Context, call: Call, text: Value, position: int, limit: Extent) -> None:
    """Reads a string, the argument at a position, up to its end or so many bytes of it."""
    gate.text(ctx, text, limit, call.node, call.arguments[position].node)


def _fill(
    ctx: Context,
    pointer: Value,
    size: int | None,
    call: Call,
    origins: Origins,
    is_checked: bool = False,
    pointers: Origins = UNKNOWN_POINTER,
    around: Origins = UNKNOWN_POINTER,
    in_unions: Origins = UNKNOWN_POINTER,
) -> None:
    """As `fill`; a pointer in a union has the origins `in_unions`, or is one that code has which is not there."""
    if _may_lead_outside(pointer):
        put_outside(ctx, pointers | origins)
    hidden.note_behind(ctx, pointer, origins)
    place = containing(ctx, pointer, size)
    if place is None:
        array = _array_around(ctx, pointer) if is_checked else None
        if array is None:
            spoil(ctx, pointer, around | origins, call.node, is_checked, size)
            return
        place, size = array, ctx.memory.types.size(array.type)
        pointer = Address(place, PointerType(place.type))
    assert size is not None
    _note_untracked(ctx, place, call, in_unions | origins | {NUMBER})
    for part, _ in _met(ctx, gate.covered(place) if is_checked else place, _offset(ctx, place, pointer), size):
        pointing = pointers | origins if isinstance(part.type, PointerType) else NOTHING
        write(ctx, part, _anything(ctx, part.type, pointing), call.node)
    ctx.builder.flush()


def _array_around(ctx: Context, pointer: Value) -> Pointed | None:
    """The array in which all bytes are that are written behind a pointer, as a check has said.

    Any element of it stands for one without a length, in which they are whatever was checked.
    """
    if not isinstance(pointer, Address):
        return None
    element = element_behind(ctx, pointer.place)
    return member_array(ctx, pointer.place) if element is None and ctx.wants("array-bounds") else element


def _may_lead_outside(pointer: Value) -> bool:
    match pointer:
        case Number(origins=found) | Address(Indirect(Number(origins=found))):
            return EXTERNAL in found or ANYTHING in found
        case _:
            return False


def set_bytes(ctx: Context, pointer: Value, byte: Value, size: Number, call: Call) -> None:
    """memset: the same byte everywhere."""
    known = byte.constant if isinstance(byte, Number) else None
    are_nulls = known is not None and known & 255 == 0
    with last_bytes.kept(ctx, are_nulls):
        touch(ctx, pointer, size, call, Touch.FILL, 0, Reach.ALL)
    with last_bytes.kept(ctx):
        _set_bytes(ctx, pointer, known, size, call)
    if are_nulls:
        last_bytes.note_null(ctx, pointer, size.term)


def _set_bytes(ctx: Context, pointer: Value, known: int | None, size: Number, call: Call) -> None:
    place = containing(ctx, pointer, size.constant)
    if is_null(pointer):
        return
    if place is None or known is None or size.constant is None:
        around = UNKNOWN_POINTER if known is None or known & 255 else _cleared(ctx, pointer, size)
        _fill(ctx, pointer, size.constant, call, NOTHING, is_checked=True, pointers=around, around=around)
        return
    _note_untracked(ctx, place, call, UNKNOWN_POINTER if known & 255 else NOTHING)
    for part, is_whole in _met(ctx, gate.covered(place), _offset(ctx, place, pointer), size.constant):
        pointing = UNKNOWN_POINTER if isinstance(part.type, PointerType) else NOTHING
        value = _repeated(ctx, known, part.type) if is_whole else _anything(ctx, part.type, pointing)
        write(ctx, part, value, call.node)
    ctx.builder.flush()


def _cleared(ctx: Context, pointer: Value, size: Number) -> Origins:
    """The origins of pointers in an object of which so many bytes become 0, if it is known, beside what each had.

    Each of them is null then, or what one of them was; where only some of its bytes are among these, it is moved.
    """
    if isinstance(pointer, Number) and are_whole_elements(ctx, pointer, size):
        return NOTHING
    address = base_of(pointer)
    match address:
        case Address(Direct(of)):
            keys = [of.key]
        case Number(origins=origins) if not (is_wild(ctx, origins) or EXTERNAL in origins):
            keys = [of.key for of in ctx.memory.pointed(origins)]
            if not keys or len(keys) < len(addresses(origins)):
                return UNKNOWN_POINTER
        case _:
            return UNKNOWN_POINTER
    held = NOTHING.union(*(contents(ctx, key) for key in keys))
    ctx.facts.layouts.stray(held)
    return moved(held, VOID)


def _repeated(ctx: Context, byte: int, kind: CType) -> Value:
    """A value all of whose bytes are the same; as a pointer it is the number that they make."""
    if not is_scalar(kind):
        return Untracked(kind)
    if byte & 255 == 0:
        return literal(0, kind)
    if isinstance(kind, PointerType):
        return to_pointer(ctx, _repeated(ctx, byte, ctx.data.distance), kind)
    if isinstance(kind, IntType) and kind.width == 8 * kind.size and kind.name != "_Bool":
        return literal(int.from_bytes(bytes([byte & 255]) * kind.size, "little", signed=kind.signed), kind)
    return _anything(ctx, kind, NOTHING)


def copy(ctx: Context, target: Value, source: Value, size: Number, call: Call, origins: Origins) -> None:
    """memcpy: scalar by scalar between objects of the same type, byte by byte between integers of others.

    Elsewhere there is anything then that is made of what has `origins`.
    """
    touch(ctx, target, size, call, Touch.FILL, 0, Reach.ALL)
    gate.bytes_from(ctx, source, size, Touch.EXAMINE, call.node, call.argument_node(1), Reach.ALL)
    with last_bytes.kept(ctx):
        _copy(ctx, target, source, size, call, origins)


def _copy(ctx: Context, target: Value, source: Value, size: Number, call: Call, origins: Origins) -> None:
    into, out = exactly(ctx, target, size.constant), exactly(ctx, source, size.constant)
    if is_null(target):
        return
    if into is None or out is None or not is_layout_compatible(into.type, out.type, ctx.data):
        if size.constant is not None and _copied_by_bytes(ctx, target, source, size.constant, call):
            return
        _fill(ctx, target, size.constant, call, origins, is_checked=True)
        return
    if call.name != "memmove" and not _is_apart(into, out):
        ctx.builder.doubt("what is copied may overlap with where it is copied to")
    into, out = gate.covered(into), gate.covered(out)
    _note_untracked(ctx, into, call, NOTHING)
    for path, kind in _scalars(ctx, into):
        value = read(ctx, at_path(out, with_any_indices(ctx, path), kind), call.node)
        write(ctx, at_path(into, path, kind), value, call.node)
    copy_untracked(ctx, into, out, call.node)
    ctx.builder.flush()


def _copied_by_bytes(ctx: Context, target: Value, source: Value, size: int, call: Call) -> bool:
    """Copies so many bytes of integers to other integers, if all of them are known."""
    into, out = containing(ctx, target, size), containing(ctx, source, size)
    if into is None or out is None:
        return False
    to = _integers(ctx, gate.covered(into), _offset(ctx, into, target), size)
    by = _integers(ctx, gate.covered(out), _offset(ctx, out, source), size)
    if not to or not by or any(start < 0 or start + kind.size > size for start, _, kind in to):
        return False
    if call.name != "memmove" and not _is_apart(into, out):
        ctx.builder.doubt("what is copied may overlap with where it is copied to")
    values = [(start, snapshot(ctx, read(ctx, place, call.node))) for start, place, _ in by]
    numbers = [(start, value) for start, value in values if isinstance(value, Number)]
    if len(numbers) < len(by) or any(
        value.type.size != kind.size
        for (_, value), (_, _, kind) in zip(numbers, by, strict=True)
        if isinstance(value.type, IntType)
    ):
        return False
    for start, place, kind in to:
        parts = [
            (first - start, value)
            for first, value in numbers
            if isinstance(value.type, IntType) and first < start + kind.size and start < first + value.type.size
        ]
        write(ctx, place, put_together(ctx, parts, kind), call.node)
    ctx.builder.flush()
    return True


def _integers(ctx: Context, place: Pointed, start: int, size: int) -> list[tuple[int, Place, IntType]]:
    """The integers that so many bytes of a place are made of, each from its first byte on; none if they are not all."""
    found: list[tuple[int, Place, IntType]] = []
    for path, kind in _scalars(ctx, place):
        offset = ctx.memory.offset(place.type, path)
        if offset is None or offset.terms or any(map(_is_any, path)) or not isinstance(kind, IntType):
            return []
        if offset.constant < start + size and start < offset.constant + kind.size:
            if not is_bytes(kind):
                return []
            found.append((offset.constant - start, at_path(place, path, kind), kind))
    found.sort(key=lambda it: it[0])
    ends = [0, *(first + kind.size for first, _, kind in found)]
    is_all = found and found[0][0] <= 0 and all(it[0] == end for it, end in zip(found[1:], ends[1:-1], strict=True))
    return found if is_all and ends[-1] >= size else []


def _is_apart(into: Pointed, out: Pointed) -> bool:
    """Whether two places are in different objects."""
    return isinstance(into, Direct) and isinstance(out, Direct) and into.object.key != out.object.key


def with_any_indices(ctx: Context, path: Path) -> Path:
    """A path with an arbitrary index instead of all at once."""
    steps: list[str | Index] = []
    for step in path:
        if isinstance(step, Index) and step.term is None:
            name = ctx.temporary(OFFSET)
            ctx.builder.emit(Havoc(name, 0, (step.length or OFFSET.hi) - 1))
            steps.append(any_element(step.length, variable(name)))
        else:
            steps.append(step)
    return tuple(steps)


def text_at(ctx: Context, pointer: Value) -> Pointed | None:
    """The array of characters that a pointer leads into; writing a string behind its end has no defined meaning.

    None for the address of something else, such as a struct, that a cast made one of characters: it leads to all of it.
    """
    if isinstance(pointer, Address) and ctx.memory.types.size(pointer.place.type) != 1:
        return None
    for place in _around(ctx, pointer, None):
        if isinstance(place.type, ArrayType) and ctx.memory.types.size(place.type.element) == 1:
            return place
    return None


def fill_text(
    ctx: Context, pointer: Value, call: Call, size: Extent = None, position: int = 0, ends: bool = False
) -> None:
    """Writes a string of any characters, of at most so many bytes, to the argument at a position.

    It `ends` if nothing but a null character is written last.
    """
    if is_null(pointer):
        refuse_null(ctx, pointer, size, call, position)
        return
    with last_bytes.kept(ctx, ends):
        touch(ctx, pointer, size, call, Touch.FILL, position)
    if ends:
        last_bytes.note_text(ctx, pointer, size)
    with last_bytes.kept(ctx):
        change_text(ctx, pointer, call, is_checked=True)


def change_text(ctx: Context, pointer: Value, call: Call, is_checked: bool = False) -> None:
    """Writes a string that is as long as what is there.

    In memory outside its characters may be bytes of an address, of which the last ones are 0 on many machines.
    """
    if is_null(pointer):
        return
    if _may_lead_outside(pointer):
        put_outside(ctx, UNKNOWN_POINTER)
    place = text_at(ctx, pointer)
    if place is None and is_checked and isinstance(pointer, Address) and ctx.memory.types.size(pointer.place.type) == 1:
        place = element_behind(ctx, pointer.place)
    if place is None:
        spoil(ctx, pointer, NOTHING, call.node, is_checked)
        return
    for part in _parts(ctx, gate.covered(place)):
        write(ctx, part, ctx.havoc(part.type), call.node)
    ctx.builder.flush()
