"""The checks that accesses through pointers stay inside of an object (`array-bounds`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from duet.frontend.cells import last_bytes, texts
from duet.frontend.cells.arrays import Wanted
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.distances import told_arrays
from duet.frontend.cells.extent import Extent, Reach, is_counted, least_size
from duet.frontend.cells.given import is_inside
from duet.frontend.cells.inside import NO_EXTENT, NO_OFFSET, lost, objects, or_unknown, within
from duet.frontend.cells.members import member_array, part_of
from duet.frontend.cells.moved import is_checked_part
from duet.frontend.cells.targets import is_wild
from duet.frontend.ctypes.origins import (
    MOVED,
    NO_OBJECT,
    START,
    UNKNOWN_POINTER,
    ObjectAddress,
    addresses,
    all_distances,
    marks,
    may_be_any,
    moved_to,
    unmoved,
)
from duet.frontend.ctypes.types import BOOL, ArrayType, CType, PointerType, StructType, VoidType, is_unsized
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Object,
    Place,
    Temporary,
    Value,
    truth,
    type_of,
)
from duet.frontend.graph.insides import Stretch, Text
from duet.frontend.source.nodes import Node
from duet.plip.marks import Loss
from duet.plip.syntax import TRUE, Formula, Linear
from duet.plip.terms import add, compare, conjunction, constant, disjunction, scale, variable

_AROUND = Loss("whether all of what is around a member is accessed is not known")
NO_LENGTH = Loss("the length of the array is not known")
_NO_END = Loss("where the string ends is not known")
SOONER = Loss("whether the function stops before the limit is not known")


def bounds_check(ctx: Context, place: Indirect, node: Node) -> None:
    """Emits the check of an access through a pointer where that has been moved, or may be too large for its object.

    *Requires*: no read is deferred.
    """
    if not ctx.wants("array-bounds") or isinstance(place.base, VoidType) or _is_generated(ctx, node):
        return
    if may_be_given(ctx, place.address, place.base):
        return
    size = ctx.memory.types.size(place.base)
    known = objects(ctx, place.address)
    if size == 1 and (stays := _in_told_arrays(ctx, place.address, constant(1))) != TRUE:
        _emit(ctx, node, _both(_inside(ctx, place, known, size), stays), lost(ctx, place.address), Reach.ALL)
        return
    if is_inside(ctx, place.address, size):
        return
    if size == 1 and _is_start_of_text(ctx, place.address, known):
        return
    is_one = len(known) == 1 and len(addresses(place.address.origins)) == 1
    is_listed = is_one and isinstance(known[0].type, ArrayType) and bool(place.address.term.terms)
    is_listed = is_listed and known[0].key not in ctx.memory.records
    is_suspect = is_listed or _may_be_outside(ctx, place, known, size)
    if is_suspect or any(_may_be_inner(ctx, of, place.base, size) for of in known):
        is_told = _is_part_told_inside(ctx, place, known)
        fine = _is_there(place.address) if is_told else _inside(ctx, place, known, size)
        if is_suspect or fine != TRUE:
            _emit(ctx, node, fine, lost(ctx, place.address), Reach.ALL)
            if (stretch := _stretch(ctx, place)) is not None:
                ctx.builder.note_inside(stretch)


def _is_part_told_inside(ctx: Context, place: Indirect, known: Sequence[Object]) -> bool:
    """Whether the part that is accessed, or all of which it is a part, is inside of all objects that it may be in."""
    length, start = ctx.memory.types.size(place.type), ctx.memory.offset(place.base, place.path)
    parts = ((length, start), (ctx.memory.types.size(place.base), NO_OFFSET))
    return any(_is_told_inside(ctx, place.address, known, *part) for part in parts)


def _in_told_arrays(ctx: Context, address: Number, size: Linear) -> Formula:
    """That so many bytes are in one of the arrays of each object to which a pointer to bytes leads there only.

    Nothing else is known to be inside by that, as a pointer that is equal may be one to the whole object.
    """
    fine: list[Formula] = []
    for of in objects(ctx, address):
        if not (arrays := told_arrays(ctx, of, address)):
            continue
        base, whole = ctx.memory.base_term(of).term, ctx.memory.types.size(of.type) or 0
        beyond = [compare(address.term, "<", base), compare(address.term, ">=", add(base, constant(whole)))]
        is_there = disjunction([_from(ctx, add(address.term, base, -1), size, array) for array in arrays])
        fine.append(is_there if len(addresses(address.origins)) == 1 else disjunction([*beyond, is_there]))
    return conjunction(fine)


def _from(ctx: Context, start: Linear, size: Linear, array: Direct) -> Formula:
    """That so many bytes, from so far behind the start of an object on, are in an array of it."""
    first, length = ctx.memory.offset(array.object.type, array.path), ctx.memory.types.size(array.type)
    assert first is not None
    assert length is not None
    last = add(add(first, constant(length)), size, -1)
    return conjunction((compare(start, ">=", first), compare(start, "<=", last)))


def _stretch(ctx: Context, place: Indirect) -> Stretch | None:
    """The bytes of an access at a constant distance from where the pointer in a cell leads, moved by cells perhaps."""
    start, length = ctx.memory.offset(place.base, place.path), ctx.memory.types.size(place.type)
    if start is None or not length or is_of_bits(ctx, place):
        return None
    match add(place.address.term, start):
        case Linear(((cell, 1), *others), moved):
            return Stretch(cell, moved, moved + length, tuple(others))
        case Linear((*others, (cell, 1)), moved):
            return Stretch(cell, moved, moved + length, tuple(others))
        case _:
            return None


def is_of_bits(ctx: Context, place: Direct | Indirect) -> bool:
    """Whether an access is to a bit-field, which has fewer bytes than its type."""
    around = part_of(ctx, place.object.type if isinstance(place, Direct) else place.base, place.path[:-1])
    members = ctx.memory.types.members(around) if isinstance(around, StructType) and place.path else ()
    return any(member.is_bits and member.name == place.path[-1] for member in members)


def is_checked_as_whole(ctx: Context, pointer: Value) -> bool:
    """Whether the address of an element that a pointer is moved to has a check that all of the element is there.

    So it is for structures in memory that may be the kernel's: then no access behind that address needs a check.
    """
    kind = type_of(pointer)
    is_wanted = ctx.wants("array-bounds") and ctx.options.assumes("kernel-pointers")
    if not is_wanted or not isinstance(pointer, Number) or not isinstance(kind, PointerType):
        return False
    is_sized = isinstance(kind.target, StructType) and bool(ctx.memory.types.size(kind.target))
    return is_sized and bool(pointer.origins & UNKNOWN_POINTER)


def checked_as_whole(ctx: Context, place: Place, node: Node) -> Place:
    """An element that a pointer was moved to for this, behind the check that all of it is there."""
    if not isinstance(place, Indirect):
        return place
    ctx.builder.flush()
    bounds_check(ctx, place, node)
    ctx.facts.pointers.parts.add(place.base)
    return replace(place, address=replace(place.address, origins=unmoved(place.address.origins)))


def _inside(ctx: Context, place: Indirect, known: Sequence[Object], size: int | None) -> Formula | None:
    """That the part that is accessed is in one of some objects, or that all is of which it is a part; None if unknown.

    All of it is asked for only where that suffices: an execution in which the part is there goes on.
    """
    if size is None:
        return None
    length, start = ctx.memory.types.size(place.type), ctx.memory.offset(place.base, place.path)
    wanted = _wanted(ctx, place, length, start)
    is_part = not any(isinstance(step, Index) and step.term is None for step in place.path)
    if is_part and length is not None and start is not None and not start.terms:
        return within(ctx, place.address, known, constant(length), start, wanted)
    whole = within(ctx, place.address, known, constant(size), wanted=wanted)
    if whole is None or whole == TRUE:
        return whole
    if not is_part or length is None or start is None:
        return None
    part = within(ctx, place.address, known, constant(length), start, wanted)
    return part if part is None else disjunction((whole, part))


def _wanted(ctx: Context, place: Indirect, length: int | None, start: Linear | None) -> Wanted | None:
    """What a pointer that was moved is to lead to, up to the end of what is accessed; None for one that was not.

    So many bytes are accessed, from so far behind the pointer on.
    """
    if not _is_moved(ctx, place.address):
        return None
    if length is None or start is None or start.terms:
        return Wanted(place.base, ctx.memory.types.size(place.base) or 0)
    return Wanted(place.base, start.constant + length)


def is_perhaps_less(ctx: Context, place: Indirect) -> bool:
    """Whether a pointer of which nothing is known may lead to an object that is too small for what it points to."""
    size = ctx.memory.types.size(place.base)
    return bool(place.address.origins & UNKNOWN_POINTER) and any(
        not _holds(ctx, of, size) for of in objects(ctx, place.address)
    )


def rest_check(ctx: Context, place: Indirect, at: int, node: Node, is_access: bool) -> None:
    """Emits the check of an index of an array without a length: that the element is in what was allocated.

    *Approximates*: it is unknown where the allocation or its size is not known.
    """
    path, step = place.path[: at + 1], place.path[at]
    assert isinstance(step, Index)
    offset, size = ctx.memory.offset(place.base, path), ctx.memory.types.size(part_of(ctx, place.base, path))
    ctx.builder.flush()
    fine = None
    if offset is not None and size and all(isinstance(part, str) or part.term is not None for part in path):
        room = constant(size if is_access else 0)
        fine = within(ctx, place.address, objects(ctx, place.address), room, offset)
    if fine is None or step.term is None:
        unknown_check(ctx, node, NO_LENGTH)
    else:
        ctx.check(node, "array-bounds", conjunction((compare(step.term, ">=", constant(0)), fine)))


def index_check(ctx: Context, step: Index, node: Node, is_access: bool = True) -> None:
    """Emits the check that an index is inside of its array, or without an access at most behind the last element."""
    if step.length is None or step.term is None:
        unknown_check(ctx, node, NO_LENGTH)
        return
    top = step.length - (1 if is_access else 0)
    ctx.builder.flush()
    fine = conjunction((compare(step.term, ">=", constant(0)), compare(step.term, "<=", constant(top))))
    ctx.check(node, "array-bounds", fine)


def counted_check(ctx: Context, place: Direct, step: Index, node: Node, is_access: bool) -> None:
    """As `index_check`, of an array of variable length, by its size. *Requires*: its size is in a cell."""
    assert isinstance(place.object.type, ArrayType)
    size = ctx.memory.types.size(place.object.type.element)
    if size is None or step.term is None:
        unknown_check(ctx, node, NO_LENGTH)
        return
    ctx.builder.flush()
    end = scale(add(step.term, constant(1 if is_access else 0)), size)
    inside = compare(add(end, variable(ctx.memory.size_cell(place.object)), -1), "<=", constant(0))
    ctx.check(node, "array-bounds", conjunction((compare(step.term, ">=", constant(0)), inside)))


def _within_member(ctx: Context, pointer: Value, extent: Extent) -> Formula | None:
    """That some bytes are in the array around them that is a member of a structure; None if nobody knows."""
    place = pointer.place if isinstance(pointer, Address) else None
    array = None if place is None else member_array(ctx, place)
    if array is None or not isinstance(place, Direct | Indirect):
        return TRUE
    start = ctx.memory.offset(array.type, place.path[len(array.path) :])
    size = ctx.memory.types.size(array.type)
    if start is None or size is None or extent is None:
        return None
    end = add(add(constant(size), start, -1), extent.term, -1)
    return conjunction((compare(start, ">=", constant(0)), compare(end, ">=", constant(0))))


def _either(one: Formula | None, other: Formula | None) -> Formula | None:
    known = [formula for formula in (one, other) if formula is not None]
    return disjunction(known) if known else None


def _both(one: Formula | None, other: Formula | None) -> Formula | None:
    return None if one is None or other is None else conjunction((one, other))


def bytes_check(
    ctx: Context,
    pointer: Address | Number,
    extent: Extent,
    node: Node,
    reach: Reach = Reach.DATA,
    is_write: bool = False,
    instead: Formula | None = None,
) -> None:
    """Emits the check that so many bytes behind a pointer are part of one object; there are none behind null.

    Or that something holds `instead`.

    What `is_write` stays in an array that is a member of a structure. Only where all of the bytes are touched they are
    there when execution goes on. *Requires*: no read is deferred.
    """
    if not ctx.wants("array-bounds"):
        return
    ctx.builder.flush()
    inner = _within_member(ctx, pointer, extent) if is_write else TRUE
    match pointer:
        case Address(Direct() as place):
            _emit(ctx, node, _either(_both(_within_named(ctx, place, extent), inner), instead), NO_EXTENT, reach)
        case Address(FunctionPlace() | Temporary()):
            return
        case _:
            address = number(ctx, pointer)
            known, around = objects(ctx, address), _around(pointer)
            is_given = around is not None and may_be_given(ctx, *around)
            if not is_given and (known or _is_moved(ctx, address)):
                stays = TRUE if extent is None else _in_told_arrays(ctx, address, extent.term)
                inner = _both(inner, stays)
                if inner == TRUE and extent is not None and _starts_with(ctx, address, known, extent.constant):
                    return
                size = extent.constant if extent is not None and inner == TRUE and instead is None else None
                if size and _is_told_inside(ctx, address, known, size):
                    _emit(ctx, node, _is_there(_base(pointer, address)), lost(ctx, address), reach)
                    return
                fine = _both(within(ctx, address, known, None if extent is None else extent.term), inner)
                if fine is not None and extent is not None and extent.lo <= 0 and address.lo <= 0:
                    nothing = (compare(address.term, "==", constant(0)), compare(extent.term, "==", constant(0)))
                    fine = disjunction((fine, conjunction(nothing)))
                _emit(ctx, node, _either(fine, instead), lost(ctx, address, extent is None), reach)
            else:
                _bytes_of_type_check(ctx, pointer, extent, node, inner)


def _base(pointer: Address | Number, address: Number) -> Number:
    """The pointer that some bytes are found by, whose `address` is not 0 where they are a member behind null."""
    place = pointer.place if isinstance(pointer, Address) else None
    return place.address if isinstance(place, Indirect) else address


def _around(pointer: Address | Number) -> tuple[Number, CType] | None:
    """The pointer that some bytes are found by, and the type that it leads to; None where that is nothing but bytes."""
    match pointer:
        case Address(Indirect(address, base)) | (Number(type=PointerType(base)) as address):
            return None if is_unsized(base) else (address, base)
        case _:
            return None


def _bytes_of_type_check(
    ctx: Context, pointer: Address | Number, extent: Extent, node: Node, inner: Formula | None
) -> None:
    """Emits the check of so many bytes behind a pointer of which nothing is known, but that it was not moved.

    It leads to a whole object of its type, which may be part of a larger one: so nothing shows that the check fails. A
    pointer to bytes does not say how many there are: nobody knows, but of memory outside of the program.
    """
    match pointer:
        case Address(Indirect(_, base, path)):
            start = ctx.memory.offset(base, path)
        case Number(type=PointerType(base)):
            start = NO_OFFSET
        case _:
            return
    if is_unsized(base):
        if isinstance(pointer, Number) and is_wild(ctx, pointer.origins) and (extent is None or extent.hi > 0):
            unknown_check(ctx, node, lost(ctx, pointer, extent is None))
        return
    whole = ctx.memory.types.size(base)
    if whole is None or start is None or extent is None:
        unknown_check(ctx, node, NO_EXTENT)
        return
    fine = conjunction((_between(add(start, extent.term), 0, whole), TRUE if inner is None else inner))
    if fine != TRUE:
        ctx.check(node, "array-bounds", or_unknown(ctx, fine, Loss("where this pointer leads is not known")))


def text_check(ctx: Context, pointer: Address | Number, limit: Extent, node: Node, is_optional: bool = False) -> None:
    """Emits the check that a string ends in its object, or within a limit, where that is not known.

    There is none behind null if it `is_optional`. *Requires*: no read is deferred.
    *Approximates*: only constant strings, and those of `texts`, are known to end.
    """
    if not ctx.wants("array-bounds") or (isinstance(pointer, Address) and isinstance(pointer.place, FunctionPlace)):
        return
    found = pointer.place.object if isinstance(pointer, Address) and isinstance(pointer.place, Direct) else None
    address = number(ctx, pointer) if found is None else None
    known = [found] if found is not None else objects(ctx, address) if address is not None else []
    is_start = address is not None and not _is_moved(ctx, address)
    ends = [0 if is_start and texts.is_text(ctx, of) else _last_end(ctx, of) for of in known]
    reach = Reach.ALL if limit is None else Reach.NEEDED
    text = _text(ctx, pointer, known)
    if None in ends:
        fine = _found_end(ctx, pointer, known, ends, is_start or _is_at_start(ctx, pointer))
        before = len(ctx.builder.commands)
        if limit is not None:
            bytes_check(ctx, pointer, limit, node, reach, instead=fine)
        else:
            _emit(ctx, node, None if fine is None else or_unknown(ctx, fine, _NO_END), _NO_END, Reach.ALL)
        is_asked = len(ctx.builder.commands) > before
        if is_asked and is_start and address is not None and _is_as_given(ctx, address):
            ctx.builder.note_as_given()
        if is_asked and text is not None:
            ctx.builder.note_text(replace(text, or_null=is_optional), is_limited=limit is not None)
    elif found is not None or (address is not None and _is_moved(ctx, address)):
        fine = _ending(ctx, pointer, [(of, end) for of, end in zip(known, ends, strict=True) if end is not None])
        if fine != TRUE:
            _emit(ctx, node, fine, None if address is None else lost(ctx, address), reach)
            if text is not None and limit is None:
                ctx.builder.note_text(text)
    elif address is not None and is_wild(ctx, address.origins):
        unknown_check(ctx, node, _NO_END)
    elif address is not None and not is_optional and _may_be_no_text(ctx, address, known):
        ctx.check(node, "array-bounds", compare(address.term, "!=", constant(0)))


def _found_end(
    ctx: Context, pointer: Address | Number, known: Sequence[Object], ends: Sequence[int | None], is_start: bool
) -> Formula | None:
    """That a string ends in any of the objects that a pointer leads to; None if nobody knows.

    With `is_start` those with an `end` that is constant have their proof elsewhere.
    """
    fine: list[Formula] = []
    there: list[Formula] = []
    for of, end in zip(known, ends, strict=True):
        if end is not None and is_start:
            continue
        cell = texts.end_of(ctx, of) if is_start else None
        match last_bytes.ending(ctx, pointer, of):
            case formula, True:
                there.append(formula)
            case formula, False:
                fine.append(formula)
            case None if cell is not None:
                fine.append(compare(variable(cell), "==", constant(1)))
            case None:
                return None
    return conjunction([*fine, *([disjunction(there)] if there else ())]) if fine or there else None


def _text(ctx: Context, pointer: Address | Number, known: Sequence[Object]) -> Text | None:
    """The string that a pointer to characters leads to, if only the thread can change it; None for others.

    It is in an array, by its name, or where the pointer in a cell leads.
    """
    kind = type_of(pointer)
    if not isinstance(kind, PointerType) or not (isinstance(kind.target, VoidType) or _is_byte(ctx, kind.target)):
        return None
    if _is_at_start(ctx, pointer) and isinstance(pointer, Address) and isinstance(pointer.place, Direct):
        of = pointer.place.object
        around = texts.own_around(ctx, [of], frozenset((of.origin,)))
        return Text(of.key, 0, around) if around is not None else None
    match number(ctx, pointer) if isinstance(pointer, Number) else None:
        case Number(term=Linear(((cell, 1),), moved), origins=origins):
            around = texts.own_around(ctx, known, origins)
            return Text(cell, moved, around) if around is not None else None
        case _:
            return None


def _is_as_given(ctx: Context, address: Number) -> bool:
    """Whether a pointer leads to a string as long as nothing was written to those of the library."""
    is_there = address.lo > 0 or ctx.wants("null-dereference")
    return is_there and ctx.thread.template == "main" and texts.are_as_given(ctx, address.origins)


def _is_byte(ctx: Context, kind: CType) -> bool:
    return ctx.memory.types.size(kind) == 1


def _may_be_no_text(ctx: Context, address: Number, known: Sequence[Object]) -> bool:
    """Whether a pointer to strings may be null, and no check of its own says so."""
    is_checked = address.lo > 0 or ctx.wants("null-dereference")
    return not is_checked and any(texts.is_text(ctx, of) for of in known)


def _is_at_start(ctx: Context, pointer: Address | Number) -> bool:
    """Whether a pointer is the address of the first byte of an object by its name."""
    place = pointer.place if isinstance(pointer, Address) else None
    return isinstance(place, Direct) and ctx.memory.offset(place.object.type, place.path) == constant(0)


def _is_start_of_text(ctx: Context, address: Number, known: Sequence[Object]) -> bool:
    """Whether a pointer leads to the first character of a string, or to its end if that comes first."""
    is_elsewhere = bool(address.origins & UNKNOWN_POINTER) or not known or _is_moved(ctx, address)
    return not is_elsewhere and all(texts.is_text(ctx, of) for of in known)


def _last_end(ctx: Context, of: Object) -> int | None:
    """Where the last string ends in a constant array of characters."""
    initial = ctx.memory.initial.get(of.key)
    if not isinstance(of.type, ArrayType) or not of.type.length or initial is None or not of.is_const:
        return None
    if of.kind != "global" or ctx.memory.types.size(of.type.element) != 1:
        return None
    return next((at for at in reversed(range(of.type.length)) if not initial.values.get((at,), 0)), None)


def _ending(ctx: Context, pointer: Address | Number, known: list[tuple[Object, int]]) -> Formula | None:
    """That a pointer leads to one of some objects, in front of an end in it; None if nobody knows."""
    if isinstance(pointer, Address) and isinstance(pointer.place, Direct):
        start = ctx.memory.offset(pointer.place.object.type, pointer.place.path)
        return None if start is None else _between(start, 0, known[0][1])
    address = number(ctx, pointer)
    if not known or address.origins & UNKNOWN_POINTER:
        return None
    bases = [(ctx.memory.base_term(of).term, end) for of, end in known]
    return disjunction([_between(add(address.term, base, -1), 0, end) for base, end in bases])


def _between(term: Linear, low: int, high: int) -> Formula:
    return conjunction((compare(term, ">=", constant(low)), compare(term, "<=", constant(high))))


def _within_named(ctx: Context, place: Direct, extent: Extent) -> Formula | None:
    """That some bytes from a place on are in its object; None if nobody knows."""
    known, start = ctx.memory.typed_size(place.object), ctx.memory.offset(place.object.type, place.path)
    if known is None and not is_counted(ctx, place.object):
        return None
    if start is None or extent is None:
        return None
    whole = constant(known) if known is not None else variable(ctx.memory.size_cell(place.object))
    last = add(whole, extent.term, -1)
    return conjunction((compare(start, ">=", constant(0)), compare(add(last, start, -1), ">=", constant(0))))


def unknown_check(ctx: Context, node: Node, loss: Loss | None = None, text: str | None = None) -> None:
    """Emits a check of an access of which nobody knows whether it stays inside of its object: it may hold or not."""
    if ctx.wants("array-bounds"):
        ctx.builder.flush()
        ctx.check(node, "array-bounds", truth(ctx.havoc(BOOL, loss=loss)), text)


def is_lost_member(ctx: Context, member: Value) -> bool:
    """Whether a pointer to a member that the kernel may have given was moved, and what is around it needs a check."""
    if not ctx.wants("array-bounds") or not ctx.options.assumes("kernel-pointers"):
        return False
    around = _around(member) if isinstance(member, Address | Number) else None
    if around is None or not around[0].origins & UNKNOWN_POINTER:
        return False
    return not may_be_given(ctx, *around) or (isinstance(member, Number) and is_checked_part(ctx, around[1]))


def whole_check(ctx: Context, member: Number, around: Number, size: int | None, node: Node, text: str) -> None:
    """Emits the check that all of what is around a member is in one object; there is nothing around null.

    Execution goes on where it holds, and no access to it needs a check of its own then. It is not refuted: less may do.
    """
    fine = within(ctx, around, objects(ctx, around), None if size is None else constant(size))
    if fine is None:
        unknown_check(ctx, node, lost(ctx, around), text)
    elif fine != TRUE:
        fine = or_unknown(ctx, disjunction((compare(member.term, "==", constant(0)), fine)), _AROUND)
        ctx.check(node, "array-bounds", fine, text)


def _emit(ctx: Context, node: Node, fine: Formula | None, loss: Loss | None, reach: Reach) -> None:
    if fine is None:
        unknown_check(ctx, node, loss)
        return
    if reach is Reach.NEEDED and fine != TRUE:
        fine = or_unknown(ctx, fine, SOONER)
    ctx.check(node, "array-bounds", fine, stops=reach is Reach.ALL)


def may_be_given(ctx: Context, address: Number, kind: CType) -> bool:
    """Whether a pointer may come from the kernel, which gives whole objects; it does not if it may have been moved."""
    return (
        ctx.options.assumes("kernel-pointers")
        and not ctx.facts.by_itself
        and bool(address.origins & UNKNOWN_POINTER)
        and MOVED not in address.origins
        and not moved_to(address.origins)
        and kind not in ctx.facts.pointers.adrift
    )


def _is_generated(ctx: Context, node: Node) -> bool:
    """Whether a node is in a text that has no file, such as the harness: it stays inside of what it is given."""
    return ctx.span(node).file.startswith("<")


def _may_be_outside(ctx: Context, place: Indirect, known: Sequence[Object], size: int | None) -> bool:
    """Whether a pointer was moved, or points to objects that may be smaller than what is accessed."""
    return _is_moved(ctx, place.address) or any(not _holds(ctx, of, size) for of in known)


def _may_be_inner(ctx: Context, of: Object, kind: CType, size: int | None) -> bool:
    """Whether a pointer to a type may come from one to a smaller part of an object, by casts."""
    return kind in ctx.facts.layouts.recast.get(of.origin, ()) and ctx.facts.layouts.narrow.get(of.key, size or 0) < (
        size or 0
    )


def _is_told_inside(
    ctx: Context, address: Number, known: Sequence[Object], size: int | None, offset: Linear | None = NO_OFFSET
) -> bool:
    """Whether so many bytes, from an offset behind a pointer on, are in each object that it leads to unless it is null.

    It was never moved, so that its marks say how far behind their starts it leads: where `&` of a member was taken, and
    exactly so far, whatever types it was converted to in between. Its number need not be known.
    """
    is_known = NO_OBJECT.isdisjoint(address.origins) and len(known) == len(addresses(address.origins)) > 0
    if not is_known or size is None or offset is None or offset.terms or _is_moved(ctx, address):
        return False
    least = min(least_size(ctx.memory, of) for of in known)
    starts = [(at + offset.constant, step) for at, step in all_distances(address.origins)]
    return all(step == 0 and 0 <= at <= least - size for at, step in starts)


def _is_there(pointer: Number) -> Formula:
    """That a pointer is not null."""
    return compare(pointer.term, "!=", constant(0))


def _starts_with(ctx: Context, address: Number, known: Sequence[Object], size: int | None) -> bool:
    """Whether a pointer leads to the start of objects only that have so many bytes: it was never moved, as is known."""
    is_known = NO_OBJECT.isdisjoint(address.origins) and len(known) == len(addresses(address.origins)) > 0
    is_start = is_known and not _is_moved(ctx, address) and all_distances(address.origins) == (START,)
    return is_start and all(_holds(ctx, of, size) for of in known)


def _is_moved(ctx: Context, address: Number) -> bool:
    """Whether a pointer was moved, here or, where it is not known where it comes from, anywhere.

    What a function has from others may be, where each is lowered by itself.
    """
    if ctx.facts.by_itself and address.origins & UNKNOWN_POINTER:
        return True
    if MOVED in address.origins or marks(address.origins):
        return True
    origins, addressed = addresses(address.origins), ctx.facts.objects.addressed
    if origins and not origins & UNKNOWN_POINTER:
        return False
    return any(
        origin in origins
        or ((not origins or may_be_any(origins)) and isinstance(origin, ObjectAddress) and origin.key in addressed)
        for table in (ctx.facts.layouts.kept, ctx.facts.layouts.moved)
        for origin in table
    )


def _holds(ctx: Context, of: Object, size: int | None) -> bool:
    """Whether an object is as large as what is accessed at its start."""
    return size is not None and size <= least_size(ctx.memory, of)
