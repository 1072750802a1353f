"""Private data: members of structures of the kernel in which a driver keeps what is its own, as a life cycle sees them.

A thread that is the life cycle of a device has that device as its argument, and there is no other such thread for the
device at that time. So what it wrote to the member is there when it reads it, as long as nobody else writes to it: the
kernel leaves it to the driver, and writes of the driver through any other pointer are looked for in all of its code.
In the life cycle the member is a cell of the thread, which is null at first. Elsewhere it holds anything.
"""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.ownership import argument_of
from duet.frontend.ctypes.types import VOID_POINTER, ArrayType, CType, StructType
from duet.frontend.ctypes.values import Direct, Indirect, Number, Object, Path, Place
from duet.frontend.judgments.marks import Mark
from duet.plip.syntax import Assign
from duet.plip.terms import constant

MEMBERS = frozenset((("device", "driver_data"),))
"""The members, each with its structure."""
ASSUMED = (
    "the private data of a device is null until its driver sets it, and nobody but the driver changes it meanwhile"
)
_CYCLE: Mark[str] = Mark("templates of life cycles")
_SLOT: Mark[int] = Mark("where a life cycle has private data")
_LOOSE: Mark[str] = Mark("private data is written through other pointers")


def begin(ctx: Context) -> None:
    """The thread that is lowered is a life cycle; its private data is null."""
    template = ctx.thread.template
    ctx.facts.mark(_CYCLE, template)
    if any(of.kind == "global" and _holds(ctx, of.type) for of in ctx.memory.objects.values()):
        ctx.facts.mark_any(_LOOSE)  # a device of the driver itself may have private data from the start
    for offset in sorted(ctx.facts.marked(_SLOT.of(template))):
        of = _slot(ctx, offset)
        cell = ctx.memory.locate(Direct(of, (), of.type))
        assert isinstance(cell, CellAt)
        ctx.facts.objects.written.add(cell.starred)
        ctx.builder.emit(Assign(cell.name, constant(0)))


def cell_of(ctx: Context, place: Place) -> Direct | None:
    """The cell of the thread that stands for private data, None for other places and where none can stand for it."""
    if not isinstance(place, Indirect) or not _is_own(ctx, place.address) or not _is_private(ctx, place):
        return None
    offset = ctx.memory.offset(place.base, place.path)
    if offset is None or offset.terms or ctx.facts.is_known(_LOOSE):
        return None
    ctx.assume(ASSUMED)
    at = offset.constant + place.address.term.constant
    ctx.facts.mark(_SLOT.of(ctx.thread.template), at)
    of = _slot(ctx, at)
    return Direct(of, (), of.type)


def note_write(ctx: Context, place: Place) -> None:
    """Records a write to private data that is not known to be one of the life cycle itself."""
    if not isinstance(place, Direct | Indirect) or ctx.options.model != "linux":
        return
    if _is_private(ctx, place) or _holds(ctx, place.type):
        ctx.facts.mark_any(_LOOSE)


def note_address(ctx: Context, place: Place) -> None:
    """Records that the address of private data is taken: who has it may write there."""
    if isinstance(place, Direct | Indirect) and _is_private(ctx, place):
        ctx.facts.mark_any(_LOOSE)


def note_bytes(ctx: Context, address: Number) -> None:
    """Records a write of bytes, which may be one to private data where it begins in what the thread is about."""
    if _is_own(ctx, address):
        ctx.facts.mark_any(_LOOSE)


def _slot(ctx: Context, offset: int) -> Object:
    key = f"{ctx.thread.template}::private data at {offset}"
    if key not in ctx.memory.objects:
        ctx.memory.declare(Object(key, VOID_POINTER, "local", ctx.thread.template, "private data"), None)
    return ctx.memory.objects[key]


def _is_own(ctx: Context, address: Number) -> bool:
    """Whether an address is that of the first argument of a life cycle, moved by a constant."""
    term = address.term
    is_cycle = ctx.thread.template in ctx.facts.marked(_CYCLE)
    return is_cycle and term.terms == ((argument_of(ctx.thread.template), 1),)


def _is_private(ctx: Context, place: Direct | Indirect) -> bool:
    """Whether a place is private data by its type."""
    base = place.base if isinstance(place, Indirect) else place.object.type
    return _names_member(ctx, base, place.path)


def _holds(ctx: Context, kind: CType) -> bool:
    """Whether a type is a structure with private data in it."""
    return isinstance(kind, StructType) and any(_names_member(ctx, kind, path) for path, _ in ctx.memory.scalars(kind))


def _names_member(ctx: Context, kind: CType, path: Path) -> bool:
    """Whether the last step of a path into a type is a member with private data."""
    for step in path[:-1]:
        if isinstance(kind, StructType):
            kind = next(member.type for member in ctx.memory.types.members(kind) if member.name == step)
        elif isinstance(kind, ArrayType):
            kind = kind.element
    return bool(path) and isinstance(kind, StructType) and (kind.tag, path[-1]) in MEMBERS
