"""Private data: members of structures of the kernel in which a driver keeps what is its own.

The kernel leaves them to the driver, so what the driver wrote is there as long as the driver writes nothing else.

**In a life cycle** a thread has a device as its argument, and there is no other such thread for the device at that
time. What it wrote to the member is there when it reads it, as long as nobody else writes to it: writes of the driver
through any other pointer are looked for in all of its code. The member is a cell of the thread, which is null at first.
Where the driver has written nothing, functions of the kernel may do so for it, as those do that allocate what it needs.

**In an operation** (`duet.frontend.cells.operations`) the member at the first argument is a cell of the thread, too,
which has the value that was there when the operation could be called first: nothing may write to it from then on.

Elsewhere private data holds anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from duet.frontend.cells import contracts
from duet.frontend.cells.context import Context
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.operations import DEVICE, FILE, INPUT, OPERATIONS, RANDOM, REQUEST, WATCHDOG, Operations
from duet.frontend.cells.ownership import address_of
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, Elsewhere, ObjectAddress, Origins, addresses
from duet.frontend.ctypes.types import (
    VOID_POINTER,
    ArrayType,
    CType,
    PointerType,
    StructType,
    is_scalar,
    value_range,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    Index,
    Indirect,
    Number,
    Object,
    Path,
    Place,
    pointee,
)
from duet.frontend.graph.events import Storing
from duet.frontend.judgments.exclusion import argument_of
from duet.frontend.judgments.marks import Mark
from duet.frontend.judgments.stored import Slot
from duet.plip.syntax import Assign, Havoc, Linear
from duet.plip.terms import add, constant

SLOTS = (INPUT, DEVICE, FILE, WATCHDOG, RANDOM, REQUEST)
"""The members, each with its structure, the larger structures first."""
_OF_LIVES = (DEVICE, FILE)
"""Those of what has a life cycle, which is where they are looked for; the others are in memory."""
KOBJECT = "kobj"
"""The member of a device that attributes are made for."""
ASSUMED = (
    "the private data of a device is null at first, and what its driver has set there nobody else changes meanwhile"
)
_CYCLE: Mark[str] = Mark("templates of life cycles")
_PLACE: Mark[int] = Mark("where a life cycle has private data")
_OF_FILE: Mark[str] = Mark("templates of life cycles of files")
FILES = "what a driver has set as the private data of a file nobody else changes"
_LOOSE: Mark[Slot] = Mark("private data is written through other pointers")


def begin(ctx: Context) -> None:
    """The thread that is lowered is a life cycle; its private data is null."""
    template = ctx.thread.template
    ctx.facts.mark(_CYCLE, template)
    if any(of.kind == "global" and DEVICE in slots_in(ctx, of.type) for of in ctx.memory.objects.values()):
        loosen(ctx, DEVICE)  # a device of the driver itself may have private data from the start
    for offset in sorted(ctx.facts.marked(_PLACE.of(template))):
        of = _cell(ctx, offset)
        cell = ctx.memory.locate(Direct(of, (), of.type))
        assert isinstance(cell, CellAt)
        ctx.facts.objects.written.add(cell.starred)
        if is_of_file(ctx):
            ctx.facts.pointers.hold(cell.name, UNKNOWN_POINTER)  # misc_open() and the like have set it
            ctx.builder.emit(Havoc(cell.name, *value_range(VOID_POINTER)))
        else:
            ctx.builder.emit(Assign(cell.name, constant(0)))


def begin_operation(ctx: Context, template: str) -> str:
    """The cell of the private data of the threads of an operation, a parameter of its template."""
    of = _operation_object(ctx, template)
    cell = ctx.memory.locate(Direct(of, (), of.type))
    assert isinstance(cell, CellAt)
    return cell.name


def loosen(ctx: Context, slot: Slot) -> None:
    """Records that private data of a kind may be written at any time."""
    ctx.facts.mark(_LOOSE, slot)


def is_loose(ctx: Context, slot: Slot) -> bool:
    """Whether private data of a kind may be written at any time: also as that of the device that has it."""
    loose = ctx.facts.marked(_LOOSE)
    return slot in loose or (slot == INPUT and DEVICE in loose)


def cell_of(ctx: Context, place: Place) -> Direct | None:
    """The cell of the thread that stands for private data, None for other places and where none can stand for it."""
    slot = slot_of(ctx, place.base, place.path) if isinstance(place, Indirect) else None
    if not isinstance(place, Indirect) or slot is None or is_loose(ctx, slot):
        return None
    record = contracts.record_of(ctx, ctx.thread.operation) if ctx.thread.operation else None
    if record is None:
        return own_cell(ctx, place)
    is_known = slot == record.slot and contracts.has_data(ctx, record)
    at = _offset(ctx, place) if is_known and _is_argument(ctx, place.address) else None
    return _of_operation(ctx) if at is not None and at == start_of(ctx, slot) else None


def own_cell(ctx: Context, place: Place) -> Direct | None:
    """The cell of private data of the life cycle that the thread is."""
    slot = slot_of(ctx, place.base, place.path) if isinstance(place, Indirect) else None
    if not isinstance(place, Indirect) or slot not in _OF_LIVES or not _is_own(ctx, place.address):
        return None
    at = _offset(ctx, place)
    return None if at is None or is_loose(ctx, slot) else _of_life(ctx, at, slot)


def data_of_device(ctx: Context, device: Number) -> Direct | None:
    """The cell of private data of a device, or a file, by its address or that of `kobj`, if the life cycle is of it."""
    start, before = start_of(ctx, DEVICE), None
    if device.type == PointerType(StructType(FILE[0])):
        place = start_of(ctx, FILE)
        is_known = place is not None and device.term.constant == 0 and _is_own(ctx, device) and not is_loose(ctx, FILE)
        return _of_life(ctx, place, FILE) if is_known and place is not None else None
    if device.type == PointerType(StructType(DEVICE[0])):
        before = 0
    elif device.type == PointerType(StructType("kobject")):
        before = start_of(ctx, (DEVICE[0], KOBJECT))
    if start is None or before is None or not _is_own(ctx, device) or is_loose(ctx, DEVICE):
        return None
    return _of_life(ctx, device.term.constant - before + start)


def data_of_life(ctx: Context) -> Direct | None:
    """The cell of the private data of the life cycle that the thread is, where it is known to have one only."""
    places = ctx.facts.marked(_PLACE.of(ctx.thread.template))
    is_known = len(places) == 1 and not is_loose(ctx, DEVICE) and not is_of_file(ctx)
    return _of_life(ctx, min(places)) if is_known else None


def is_of_file(ctx: Context) -> bool:
    """Whether the thread is the life cycle of a file."""
    return ctx.thread.template in ctx.facts.marked(_OF_FILE)


def all_of_life(ctx: Context) -> tuple[Direct, ...]:
    """The cells of private data of the life cycle that the thread is; none in other threads."""
    template = ctx.thread.template
    places = ctx.facts.marked(_PLACE.of(template)) if template in ctx.facts.marked(_CYCLE) else ()
    slot = FILE if is_of_file(ctx) else DEVICE
    return () if is_loose(ctx, slot) else tuple(_of_life(ctx, offset, slot) for offset in sorted(places))


def data_of_operation(ctx: Context, record: Operations, of: Number) -> Direct | None:
    """The cell of the private data of what the operation of a record is called for, if that is at an address."""
    is_own = bool(ctx.thread.operation) and contracts.record_of(ctx, ctx.thread.operation) == record
    is_own = is_own and contracts.has_data(ctx, record)
    return _of_operation(ctx) if is_own and _is_argument(ctx, of) and of.term.constant == 0 else None


def origins(ctx: Context, slot: Slot) -> Origins:
    """The origins of what the driver writes to private data in memory."""
    return ctx.facts.pointers.held(_written(slot))


def note_write(ctx: Context, place: Place) -> None:
    """Records a write to private data that is not known to be one of the life cycle itself, of any value."""
    if not isinstance(place, Direct | Indirect):
        return
    if (slot := slot_of(ctx, base_of(place), place.path)) is not None:
        _note(ctx, Storing(slot, address_of(ctx, place)))
    for slot in sorted(slots_in(ctx, place.type)):
        _note(ctx, Storing(slot, _within(ctx, place.type, slot, address_of(ctx, place))))
    if isinstance(place, Indirect) and is_scalar(place.base) and contracts.has_operations(ctx):
        _note_plain(ctx, place)
    _note_table(ctx, place)


def _note_plain(ctx: Context, place: Indirect) -> None:
    """Records a write through a pointer to a number, which may be private data of that size in what it may point to."""
    size = ctx.memory.types.size(place.type)
    for kind in seen_as(ctx, place.address):
        for path, inner in ctx.memory.scalars(kind):
            slot = slot_of(ctx, kind, path)
            if slot is not None and ctx.memory.types.size(inner) == size:
                _note(ctx, Storing(slot))


def _note_table(ctx: Context, place: Direct | Indirect) -> None:
    """Records a write of a table to what the driver has not made: others may register that."""
    if not contracts.has_operations(ctx) or not isinstance(place, Indirect):
        return
    if all(isinstance(origin, ObjectAddress) for origin in addresses(place.address.origins)):
        return
    for record in OPERATIONS:
        found = slot_of(ctx, place.base, place.path, record.carriers) or slots_in(ctx, place.type, record.carriers)
        if record.is_made and found:
            contracts.loosen(ctx, record)


def note_value(ctx: Context, place: Place, value: Number) -> None:
    """Records which value a place was given, if it is private data in memory."""
    if not isinstance(place, Indirect) or ctx.options.model != "linux":
        return
    slot = slot_of(ctx, place.base, place.path)
    if slot is not None and slot not in _OF_LIVES:
        ctx.facts.pointers.hold(_written(slot), value.origins)
        _note(ctx, Storing(slot, address_of(ctx, place), value.term))


def note_own_write(ctx: Context) -> None:
    """Records a write to private data of the life cycle."""
    _note(ctx, Storing(FILE if is_of_file(ctx) else DEVICE, is_own=True))


def note_address(ctx: Context, place: Place) -> None:
    """Records that the address of private data is taken: who has it may write there."""
    slot = slot_of(ctx, base_of(place), place.path) if isinstance(place, Direct | Indirect) else None
    if slot is not None:
        loosen(ctx, slot)


def note_bytes(ctx: Context, pointer: Address | Number, address: Number, size: int | None) -> None:
    """Records a write of bytes, which may be one to private data where it begins in what the thread is about.

    A pointer that is that of a part has the `address` of the whole; the others are their own. A pointer to bytes may
    lead to any private data in the objects that it may point to.
    """
    if _is_own(ctx, address):
        loosen(ctx, FILE if is_of_file(ctx) else DEVICE)
    whole = part = pointee(address.type)
    start: Linear | None = address.term
    if isinstance(pointer, Address) and isinstance(pointer.place, Direct | Indirect):
        part, start = pointer.place.type, address_of(ctx, pointer.place)
    is_one = part is not None and size is not None and size == ctx.memory.types.size(part)
    if is_one and isinstance(part, StructType):
        written = {slot: _within(ctx, part, slot, start) for slot in slots_in(ctx, part)}
    else:
        kinds = [whole] if isinstance(whole, StructType) else list(seen_as(ctx, address))
        written = dict.fromkeys(frozenset[Slot]().union(*(slots_in(ctx, kind) for kind in kinds)))
    for slot in sorted(written.keys() - set(_OF_LIVES)):
        _note(ctx, Storing(slot, written[slot]))


def seen_as(ctx: Context, address: Number) -> Iterator[CType]:
    """The structures that the objects at an address are taken for."""
    recast = ctx.facts.layouts.recast
    return (kind for of in ctx.memory.pointed(address.origins) for kind in recast.get(of.origin, ()))


def _note(ctx: Context, storing: Storing) -> None:
    """Records a write; nothing is known of those of devices and files that are not of the life cycle."""
    if storing.slot in _OF_LIVES and not storing.is_own:
        loosen(ctx, storing.slot)
    elif contracts.has_operations(ctx) and not ctx.is_silent:
        ctx.builder.note_storing(storing)


def base_of(place: Direct | Indirect) -> CType:
    """The type that the path of a place starts from."""
    return place.base if isinstance(place, Indirect) else place.object.type


def _written(slot: Slot) -> Elsewhere:
    return Elsewhere(f"private data of {slot[0]}")


def _of_life(ctx: Context, offset: int, slot: Slot = DEVICE) -> Direct:
    """The cell of private data so many bytes from the argument of a life cycle."""
    ctx.assume(FILES if slot == FILE else ASSUMED)
    if slot == FILE:
        ctx.facts.mark(_OF_FILE, ctx.thread.template)
    ctx.facts.mark(_PLACE.of(ctx.thread.template), offset)
    of = _cell(ctx, offset)
    return Direct(of, (), of.type)


def _of_operation(ctx: Context) -> Direct:
    record = contracts.record_of(ctx, ctx.thread.operation)
    ctx.assume(FILES if record is not None and record.slot == FILE else ASSUMED)
    of = _operation_object(ctx, ctx.thread.template)
    return Direct(of, (), of.type)


def _cell(ctx: Context, offset: int) -> Object:
    return _declared(ctx, f"{ctx.thread.template}::private data at {offset}", ctx.thread.template)


def _operation_object(ctx: Context, template: str) -> Object:
    return _declared(ctx, f"{template}::private data", template)


def _declared(ctx: Context, key: str, template: str) -> Object:
    if key not in ctx.memory.objects:
        ctx.memory.declare(Object(key, VOID_POINTER, "local", template, "private data"), None)
    return ctx.memory.objects[key]


def _is_own(ctx: Context, address: Number) -> bool:
    """Whether an address is that of the argument of a life cycle, moved by a constant."""
    return ctx.thread.template in ctx.facts.marked(_CYCLE) and _is_argument(ctx, address)


def _is_argument(ctx: Context, address: Number) -> bool:
    """Whether an address is that of the first argument of the thread, moved by a constant."""
    return address.term.terms == ((argument_of(ctx.thread.template), 1),)


def _offset(ctx: Context, place: Indirect) -> int | None:
    """How many bytes a place is from what the argument points to that its address is made of."""
    offset = ctx.memory.offset(place.base, place.path)
    return None if offset is None or offset.terms else offset.constant + place.address.term.constant


def start_of(ctx: Context, slot: Slot) -> int | None:
    """How many bytes a member is from the start of its structure, where that is declared; with dots if it is deeper."""
    kind: CType = StructType(slot[0])
    start = 0
    for name in slot[1].split("."):
        members = ctx.memory.types.members(kind) if isinstance(kind, StructType) else ()
        found = next((member for member in members if member.name == name), None)
        if found is None or found.offset is None:
            return None
        kind, start = found.type, start + found.offset
    return start


def _within(ctx: Context, kind: CType, slot: Slot, address: Linear | None) -> Linear | None:
    """Where private data is in the whole of a type at an address, if that is known and there is one."""
    paths = [path for path, _ in ctx.memory.scalars(kind) if slot_of(ctx, kind, path) == slot]
    if address is None or len(paths) != 1 or any(isinstance(step, Index) for step in paths[0]):
        return None
    offset = ctx.memory.offset(kind, paths[0])
    return None if offset is None else add(address, offset)


def slots_in(ctx: Context, kind: CType, wanted: Collection[Slot] = SLOTS) -> frozenset[Slot]:
    """The private data, or what else is `wanted`, that is in a structure."""
    paths = ctx.memory.scalars(kind) if wanted and isinstance(kind, StructType) else ()
    return frozenset(slot for path, _ in paths if (slot := slot_of(ctx, kind, path, wanted)) is not None)


def slot_of(ctx: Context, kind: CType, path: Path, wanted: Collection[Slot] = SLOTS) -> Slot | None:
    """The private data, or what else is `wanted`, that a path into a type leads to, None for other members."""
    ways: list[Slot] = []
    for step in path:
        inner = f".{step}" if isinstance(step, str) else "[]"
        ways = [(tag, member + inner) for tag, member in ways]
        if isinstance(kind, StructType):
            ways.append((kind.tag, str(step)))
            kind = next(member.type for member in ctx.memory.types.members(kind) if member.name == step)
        elif isinstance(kind, ArrayType):
            kind = kind.element
    return next((slot for slot in wanted if slot in ways), None)
