"""Reads and writes of places: each access to a shared cell is a command of its own."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from duet.frontend.cells import arguments, gate, hidden, private, rereads, texts
from duet.frontend.cells.bits import bits_of, with_bits
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, is_copy, number, recast, settled
from duet.frontend.cells.distances import members_within, told_arrays
from duet.frontend.cells.escapes import (
    SPECIAL,
    STATES,
    escape,
    note_locks_changed,
    note_pointers,
    note_table_write,
    note_untracked,
    note_write,
    publish,
    put_outside,
    store_outside,
)
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.heap import whole_object
from duet.frontend.cells.inside import lost_of
from duet.frontend.cells.located import BitsAt, CellAt, Located, Nowhere, TableAt
from duet.frontend.cells.memory import leads_to_library
from duet.frontend.cells.ownership import note_element, note_link, note_setting
from duet.frontend.cells.pointers import move_check
from duet.frontend.cells.regions import region
from duet.frontend.cells.targets import Target, candidates, is_wild, may_lead_outside, outside, shape_of, spots_of
from duet.frontend.ctypes.origins import NOTHING, UNKNOWN_POINTER, Content, Holder, Origins, addresses
from duet.frontend.ctypes.types import (
    VOID_POINTER,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    plain,
    value_range,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Place,
    Temporary,
    Truth,
    Untracked,
    Value,
    Whole,
    literal,
    of_term,
    retyped,
)
from duet.frontend.source.nodes import Node
from duet.plip.marks import UNSET
from duet.plip.syntax import Assign, Havoc, Linear, Lookup
from duet.plip.terms import compare, constant, variable


def read(ctx: Context, place: Place, node: Node) -> Value:
    """The value of a place (C11 6.3.2.1: arrays and functions decay)."""
    match place.type:
        case ArrayType(element, length):
            first = Address(element_of(place, Index(constant(0), length), element), PointerType(element))
            part_check(ctx, first, node)
            return first
        case FunctionType():
            return Address(place, PointerType(place.type))
        case StructType():
            place = gate.whole(ctx, place, Touch.COPY_OUT, node)
            return Whole(place, place.type)
        case FloatType() | VoidType():
            ctx.builder.flush()
            whole = gate.whole(ctx, place, Touch.LOAD, node)
            if isinstance(whole, Direct):
                hidden.take_overlaid(ctx, whole.object)
            elif isinstance(place, Indirect):
                hidden.take_bytes(ctx, place.address)
            return Untracked(place.type)
        case IntType() | PointerType() | OpaqueType():
            if (own := private.cell_of(ctx, place)) is not None:
                gate.whole(ctx, place, Touch.LOAD, node)
                return read(ctx, own, node)
            kind = place.type
            plain_kind = plain(kind) if isinstance(kind, IntType) else kind

            access = ctx.builder.current

            def action(target: Target) -> Value:
                if isinstance(target.place, Temporary) and isinstance(place, Indirect) and isinstance(kind, IntType):
                    hidden.take_bytes(ctx, place.address)
                with note_element(ctx, place, target, access) as is_own, note_link(ctx, place, target):
                    value = _read_scalar(ctx, target, node, plain_kind)
                    return _copied(ctx, value) if is_own else value

            value = gate.each(ctx, place, Touch.LOAD, node, action, plain_kind)
            if isinstance(place, Indirect) and isinstance(kind, PointerType) and isinstance(value, Number):
                loaded = ctx.facts.pointers.loaded(place.address.origins, shape_of(place))
                value = arguments.told(ctx, place.address, value)
                value = replace(value, origins=value.origins | loaded)
            rereads.note_read(ctx, place, value)
            return value


def _copied(ctx: Context, value: Value) -> Value:
    """What is read of a cell, in one of its own."""
    match value:
        case Number(Linear(((cell, 1),), 0) as term, kind):
            name = ctx.temporary(kind)
            ctx.builder.emit(Assign(name, term))
            ctx.temporaries.sources[name] = cell
            return replace(value, term=variable(name))
        case _:
            return value


def part_check(ctx: Context, address: Address, node: Node) -> None:
    """The check that the pointer to what a part lies in is not null, where the address of the part is taken."""
    place = address.place
    if isinstance(place, Indirect):
        move_check(ctx, address, ctx.memory.offset(place.base, place.path) or constant(1), node)


def element_of(place: Place, step: Index, kind: CType) -> Place:
    """An element of an array."""
    return inside(place, step, kind)


def inside(place: Place, step: Index | str, kind: CType) -> Place:
    """A part of a place."""
    match place:
        case Direct(_, path) | Indirect(_, _, path):
            return replace(place, path=(*path, step), type=kind)
        case _:
            return Temporary(kind)


def located(ctx: Context, place: Direct | Temporary) -> Located:
    """What stands for a scalar place."""
    if not isinstance(place, Direct):
        return Nowhere(place.type)
    if place.object.template not in (None, ctx.thread.template):  # reached by a pointer that is not followed exactly
        ctx.memory.hand_on(place.object)
    return ctx.memory.locate(place)


def _read_scalar(ctx: Context, target: Target, node: Node, kind: CType) -> Value:
    if (
        isinstance(target.place, Direct)
        and target.place.object.key == texts.ARGUMENTS
        and isinstance(kind, PointerType)
    ):
        return arguments.element(ctx, kind)
    match located(ctx, target.place):
        case CellAt() as cell:
            is_state = cell.name in ctx.facts.marked(STATES)
            first = (
                ctx.memory.unwritten(target.place, cell) if isinstance(target.place, Direct) and not is_state else None
            )
            value = read_cell(ctx, cell) if first is None else literal(first, kind)
            if isinstance(kind, IntType) and isinstance(cell.type, IntType) and kind.width != cell.type.width:
                return retyped(value, plain(cell.type))
            if isinstance(kind, IntType) and isinstance(cell.type, IntType) and kind.signed == cell.type.signed:
                return retyped(value, kind)
            if isinstance(kind, PointerType) and isinstance(cell.type, PointerType):
                return retyped(recast(ctx, value, kind), kind)
            return convert(ctx, value, kind, node)
        case BitsAt() as bits:
            return convert(ctx, bits_of(ctx, read_cell(ctx, bits.cell), bits), kind, node)
        case TableAt() as table:
            return convert(ctx, _read_table(ctx, table), kind, node)
        case Nowhere():
            is_library = isinstance(target.place, Direct) and leads_to_library(target.place.object)
            of = target.place.object if isinstance(target.place, Direct) else None
            place = target.place
            known = hidden.in_union(ctx, place) if isinstance(place, Direct) else target.origins
            origins = outside(ctx) if is_library else known
            if of is not None and (given := arguments.of_option(ctx, of, kind)) is not None:
                return given
            if of is not None and not isinstance(kind, PointerType):
                hidden.take_overlaid(ctx, of)
            loss = None if of is None else lost_of(of, "what {} holds is not tracked")
            value = ctx.havoc(kind, origins if isinstance(kind, PointerType) else NOTHING, loss=loss)
            return _open_stream(ctx, value) if of is not None and ctx.memory.is_standard_stream(of) else value


def _open_stream(ctx: Context, value: Number) -> Number:
    """A pointer that is not null."""
    ctx.builder.flush()
    ctx.builder.assume(compare(value.term, ">=", constant(1)))
    return replace(value, lo=1)


def _read_table(ctx: Context, table: TableAt) -> Number:
    """The value of an entry of a constant table, 0 outside of it (which has no meaning)."""
    kind: CType = plain(table.type) if isinstance(table.type, IntType) else table.type
    if not table.index.terms:
        is_inside = 0 <= table.index.constant < len(table.values)
        value = table.values[table.index.constant] if is_inside else 0
        return Number(constant(value), kind, value, value, table.origins)
    ctx.builder.flush()
    name = ctx.temporary(kind)
    ctx.builder.emit(Lookup(name, table.values, table.index))
    return of_term(variable(name), kind, min(table.values), max(table.values), table.origins)


def read_cell(ctx: Context, cell: CellAt) -> Number:
    """The value of a cell; of a shared one it is read into a temporary."""
    kind: CType = plain(cell.type) if isinstance(cell.type, IntType) else cell.type
    if cell.name in ctx.facts.marked(STATES):
        return ctx.havoc(
            kind, loss=lost_of(ctx.memory.places[cell.name].object, "what the library has in {} is not tracked")
        )
    origins = ctx.facts.pointers.held(cell.name)
    if origins or isinstance(kind, PointerType):
        origins |= {Content(cell.name)}
    if isinstance(kind, PointerType) and _is_null(ctx, cell):
        return replace(literal(0, kind), origins=origins)
    lo, hi = value_range(kind)
    if cell.name in ctx.thread.known:
        known = literal(ctx.thread.known[cell.name], kind)
        return replace(known, origins=origins) if known.constant else known
    if not cell.is_shared and not cell.is_summary:
        return of_term(variable(cell.name), kind, lo, hi, origins)
    name = ctx.temporary(kind)
    if cell.is_summary:
        ctx.builder.emit(Assign(name, variable(cell.name)))
    else:
        ctx.builder.defer(name, cell.name)
    ctx.temporaries.sources[name] = cell.name
    return Number(variable(name), kind, lo, hi, origins)


def _is_null(ctx: Context, cell: CellAt) -> bool:
    """Whether a pointer is never anything but null, as far as is known: at first, or where it is written before reads.

    It would lead anywhere otherwise, as every pointer of which no address is known.
    """
    place = ctx.memory.places.get(cell.name)
    if place is None or place.object.is_volatile or not ctx.facts.pointers.is_null(cell.name):
        return False
    of, known = place.object, ctx.memory.cells[cell.name]
    if of.kind == "local":
        return of.key in ctx.memory.given and not place.path
    return of.kind == "global" and ctx.memory.initial.get(of.key) is not None and known.lo == known.hi == 0


def write(ctx: Context, place: Place, value: Value, node: Node, is_kept: bool = False) -> None:
    """Assigns a value to a place, converted to its type. `is_kept`: the value is used again."""
    kind = place.type
    match kind:
        case StructType():
            _copy(ctx, gate.whole(ctx, place, Touch.COPY_IN, node), value, node)
        case IntType() | PointerType() | OpaqueType():
            found = _converted(ctx, value, kind, node)
            if (own := private.own_cell(ctx, place)) is not None:
                gate.own(ctx, place, node)
                private.note_own_write(ctx)
                put_outside(ctx, found.origins)
                place = own
            if isinstance(place, Indirect):
                ctx.builder.flush()
                ctx.facts.pointers.stored(place.address.origins, shape_of(place), found.origins)
                if not isinstance(kind, PointerType) and found.constant is None:
                    _note_bytes_outside(ctx, place, node)

            access, since = ctx.builder.current, len(ctx.builder.commands)
            is_null = isinstance(place, Indirect) and place.address.constant == 0
            followed = None if is_null else rereads.followed(ctx, place)

            def action(target: Target) -> Value:
                if is_null:  # to follow null has no meaning, nor is anything there afterwards
                    ctx.builder.flush()
                    return Untracked(VoidType())
                with note_element(ctx, place, target, access), note_link(ctx, place, target):
                    written = _write_scalar(ctx, target, found, is_kept or followed is not None)
                if isinstance(target.place, Temporary) and isinstance(place, Indirect):
                    hidden.note_behind(ctx, place.address, found.origins)
                note_setting(ctx, place, target.place)
                return written

            is_byte = isinstance(kind, IntType) and kind.size == 1 and kind.width == 8  # others may be bit-fields
            is_end = is_byte and found.constant == 0
            with texts.kept(ctx, is_end):
                gate.each(ctx, place, Touch.STORE, node, action, VoidType())
            if is_end:
                texts.note_end(ctx, place)
            if followed is not None:
                rereads.note_stored(ctx, place, followed, found, since)
            private.note_value(ctx, place, found)
        case _:
            ctx.builder.flush()
            hidden.take_apart_value(ctx, value)
            place = gate.whole(ctx, place, Touch.STORE, node)
            for target in gate.choices(ctx, place, node):
                if isinstance(target.place, Direct):
                    hidden.note_in_union(ctx, target.place.object, value)
    if isinstance(place, Indirect) and not ctx.memory.scalars(kind):
        _note_bytes_outside(ctx, place, node)
        _write_untracked(ctx, place, value, node)


def _note_bytes_outside(ctx: Context, place: Indirect, node: Node) -> None:
    """Records that bytes are written that may be those of any address, if that may be in memory outside.

    A constant there is no address (`convert.FIXED`).
    """
    if may_lead_outside(ctx, place.address.origins, node):
        put_outside(ctx, UNKNOWN_POINTER)


def _converted(ctx: Context, value: Value, kind: CType, node: Node | None) -> Number:
    """A value as what is written to a scalar of a type, which may be an object of the library's."""
    found = convert(ctx, value, kind, node)
    return found if isinstance(found, Number) else number(ctx, found)


def _write_untracked(ctx: Context, place: Indirect, value: Value, node: Node) -> None:
    """What is tracked may lie behind a pointer to what is not: a floating value, a union, or nobody knows what."""
    if isinstance(place.type, VoidType):
        origins = value.origins if isinstance(value, Number) else UNKNOWN_POINTER
        spoil(ctx, place.address, origins, node)
        hidden.note_behind(ctx, place.address, origins)
    elif any(target.clobbers for target in gate.choices(ctx, place, node)):
        havoc_any(ctx, place, node)


def _write_scalar(ctx: Context, target: Target, value: Number, is_kept: bool) -> Value:
    for part in target.clobbers:
        havoc_place(ctx, part)
    cell = located(ctx, target.place)
    match cell:
        case CellAt():
            note_write(ctx, cell, target.place, value.origins, spots_of(ctx, value), is_copy(ctx, value))
            if isinstance(cell.type, OpaqueType) and value.constant != 0:
                ctx.facts.weak_locks.add(cell.name)  # who knows of what kind the lock is then
                ctx.facts.mark_any(SPECIAL)
            if isinstance(cell.type, IntType) or isinstance(value.type, IntType):
                value = _converted(ctx, value, cell.type, None)
            if cell.is_shared or cell.is_summary:
                ctx.builder.flush()
            ctx.builder.assign(cell.name, value.term, cell.is_shared or cell.is_summary, is_kept)
        case BitsAt(whole):
            note_write(ctx, whole, target.place, value.origins)
            with region(ctx) if whole.is_shared else nullcontext():
                bits = number(ctx, convert(ctx, value, cell.type, None))
                found = with_bits(ctx, read_cell(ctx, whole), cell, bits)
                ctx.builder.assign(whole.name, found.term, whole.is_shared or whole.is_summary)
        case TableAt():
            note_table_write(ctx, target.place)
        case Nowhere():
            ctx.builder.flush()
            ctx.facts.pointers.lose(value.origins, are_bytes=True)
            if isinstance(target.place, Direct):
                ctx.facts.objects.written.add(target.place.object.key)
                note_untracked(ctx, target.place.object, value.origins)
                hidden.note_in_union(ctx, target.place.object, value)
            else:
                store_outside(ctx, value.origins)
    return Untracked(VoidType())


def let_have(ctx: Context, holder: Holder, value: Value) -> Number:
    """Records that what a `void *` holds is held elsewhere, too, where other threads have it."""
    found = (
        number(ctx, value) if isinstance(value, Number | Address | Truth) else ctx.havoc(VOID_POINTER, UNKNOWN_POINTER)
    )
    ctx.facts.pointers.hold(holder, found.origins)
    publish(ctx, found.origins)
    return found


def hand_over(ctx: Context, cell: str, value: Value) -> None:
    """Puts what a `void *` holds into a cell that models share between threads."""
    found = let_have(ctx, cell, value)
    ctx.builder.flush()
    ctx.builder.emit(Assign(cell, found.term))


def havoc_place(
    ctx: Context,
    place: Direct,
    origins: Origins = UNKNOWN_POINTER,
    is_any: bool = False,
    stored: Origins = NOTHING,
) -> None:
    """Gives every scalar of a part of an object any value of its type; `origins` are those of its pointers.

    `is_any`: the access may also mean any other object; `stored` are those of addresses in its numbers and bytes.
    """

    def note() -> None:
        if is_any:
            gate.around(ctx, UNKNOWN_POINTER, Touch.HAVOC, None)
        else:
            gate.whole(ctx, place, Touch.HAVOC, None)

    note()
    if place.object.key in ctx.facts.objects.untracked:
        note_pointers(ctx, place, origins)
        hidden.note(ctx, place, stored)
        return
    for path, kind in ctx.memory.scalars(place.type):
        part = Direct(place.object, (*place.path, *path), kind)
        cell = located(ctx, part)
        if isinstance(kind, OpaqueType):
            note_locks_changed(ctx, part)
        cell = cell.cell if isinstance(cell, BitsAt) else cell
        if isinstance(cell, CellAt):
            # an integer of any value needs no origins: when it becomes a pointer, that may lead anywhere
            note_write(ctx, cell, part, origins if isinstance(kind, PointerType) else NOTHING)
            escape(ctx, place.object, origins)
            note()
            ctx.builder.emit(Havoc(cell.name, *value_range(cell.type)))
        elif isinstance(cell, TableAt):
            note_table_write(ctx, part)
        elif ctx.memory.is_in_union(part):
            note_untracked(ctx, place.object, origins)
    if ctx.memory.has_union(place.type):
        note_untracked(ctx, place.object, origins)
    hidden.note(ctx, place, stored)


def unset(ctx: Context, place: Direct) -> None:
    """Gives a scalar that comes into being any value; to follow it as a pointer has no meaning, so it leads nowhere."""
    cell = located(ctx, place)
    if isinstance(cell, CellAt):
        ctx.builder.emit(Havoc(cell.name, *value_range(place.type)), mark=UNSET)


def havoc_any(ctx: Context, place: Place, node: Node) -> None:
    """Gives whatever a place may mean any value of its type; of no known type, all of what it is part of."""
    if isinstance(place, Indirect) and isinstance(place.type, VoidType):
        spoil(ctx, place.address, UNKNOWN_POINTER, node)
        return

    def action(target: Target) -> Value:
        for part in (*target.clobbers, *([target.place] if isinstance(target.place, Direct) else [])):
            havoc_place(ctx, part)
        return Untracked(VoidType())

    ctx.builder.flush()
    if isinstance(place, Indirect):
        _note_bytes_outside(ctx, place, node)
    gate.each(ctx, place, Touch.STORE, node, action, VoidType())


def spoil(
    ctx: Context, pointer: Value, origins: Origins, node: Node, is_checked: bool = False, size: int | None = None
) -> None:
    """Gives the whole object that a pointer points into any values; `origins` are those of pointers there.

    Only arrays in it where the pointer leads to these, as a check has said; only what at most `size` bytes meet from
    there on, where it is known how far it leads.
    """
    if isinstance(pointer, Address) and isinstance(pointer.place, Direct | Temporary | FunctionPlace):
        if isinstance(pointer.place, Direct):
            of = pointer.place.object
            havoc_place(ctx, Direct(of, (), of.type), origins)
        return
    found = number(ctx, pointer)
    ctx.builder.flush()
    if found.constant == 0:
        return
    told = [
        part
        for of in ctx.memory.pointed(found.origins)
        for part in (members_within(ctx, of, found, size) if size is not None else ())
        or (told_arrays(ctx, of, found) if is_checked else ())
    ]
    others = found.origins - {part.object.origin for part in told}
    if not told or addresses(others):
        gate.around(ctx, others, Touch.HAVOC, node)
    objects, elsewhere = candidates(ctx, Indirect(found, VoidType(), (), VoidType()), node)
    if elsewhere is not None:
        put_outside(ctx, origins)
    for of in objects:
        whole = whole_object(ctx, of)
        if whole is None or of.is_const:
            continue
        # the other candidates keep their values on other paths
        for part in [it for it in told if it.object.key == of.key] or [Direct(whole, (), whole.type)]:
            if part.path:
                gate.whole(ctx, part, Touch.HAVOC, node)
            ways = ctx.builder.fork(2)
            ctx.builder.at(ways[0])
            havoc_place(ctx, part, origins, is_wild(ctx, found.origins))
            ctx.builder.goto(ways[1])
            ctx.builder.at(ways[1])


def _copy(ctx: Context, place: Place, value: Value, node: Node) -> None:
    """Copies a struct, scalar by scalar; arrays in it as a whole; unions are not tracked."""
    assert isinstance(place.type, StructType)
    into, out = settled(ctx, place), settled(ctx, value.place if isinstance(value, Whole) else Temporary(place.type))
    for path, kind in ctx.memory.scalars(place.type):
        target, source = into, out
        for step in path:
            target = inside(target, step, kind)
            source = inside(source, step, kind)
        found = read(ctx, source, node)
        if any(isinstance(step, Index) for step in path):
            found = number(ctx, found)
            ctx.builder.flush()
        write(ctx, target, found, node)
    copy_untracked(ctx, into, out, node)


def copy_untracked(ctx: Context, into: Place, out: Place, node: Node) -> None:
    """Records that what the unions, numbers and bytes of a structure hold may be in another one, too."""
    held = NOTHING
    for source in gate.choices(ctx, out, node, is_read=True):
        if not isinstance(source.place, Direct):
            held |= UNKNOWN_POINTER if ctx.memory.has_union(into.type) else hidden.in_results(ctx)
        else:
            held |= hidden.in_copy(ctx, source.place.object)
    _hold_untracked(ctx, into, held, node)


def put_in_unions(ctx: Context, into: Place, held: Origins, node: Node) -> None:
    """Records that the unions of a structure may have pointers of some origins in them."""
    if ctx.memory.has_union(into.type):
        _hold_untracked(ctx, into, held, node)


def _hold_untracked(ctx: Context, into: Place, held: Origins, node: Node) -> None:
    for target in gate.choices(ctx, into, node) if held else ():
        if isinstance(target.place, Direct):
            note_untracked(ctx, target.place.object, held)
        else:
            store_outside(ctx, held | UNKNOWN_POINTER)
            if isinstance(into, Indirect):
                hidden.note_behind(ctx, into.address, held)
