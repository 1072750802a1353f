"""Arguments of library functions that do not give them all that an object holds: what they read, and single members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duet.frontend.cells import gate, sharing, size
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import note_untracked
from duet.frontend.cells.located import CellAt, Nowhere
from duet.frontend.ctypes.origins import LENT, NOTHING, UNKNOWN_POINTER, Origins
from duet.frontend.ctypes.types import CType, FloatType, IntType, PointerType, VoidType
from duet.frontend.ctypes.values import Address, Direct, Indirect, Path, Value
from duet.frontend.models.call import Call
from duet.plip.accesses import AccessKind

READ_ONLY = "functions of libraries change nothing through pointers to const that they are declared to take"
"""What is assumed of those of which nothing else is known."""
MEMBERS = (
    "functions of libraries that are given the address of a number or pointer in a structure, as such, access that"
    " member only, and tell nobody of its address"
)
"""What is assumed of them in a large program, where all that is known to them holds anything."""


def read_only(ctx: Context, call: Call) -> frozenset[int]:
    """The positions of arguments of a function of a library that it only reads."""
    return ctx.declared.read_only.get(call.name, frozenset()) if call.name in ctx.declared.library else frozenset()


def note_read_only(ctx: Context, origins: Origins) -> None:
    """Records that a library only reads what has some origins; others may get it from the library."""
    if origins:
        ctx.assume(READ_ONLY)
        ctx.facts.pointers.hold(LENT, origins)
        ctx.facts.objects.escaped.add(*(of.key for of in ctx.memory.pointed(origins)))


def members(ctx: Context, call: Call, values: Sequence[Value]) -> Mapping[int, Sequence[Direct]]:
    """By position, the members of which a library function in a large program is given the address, as such."""
    kind = ctx.declared.prototypes.get(call.name)
    if call.name not in ctx.declared.library or kind is None or not size.is_large(ctx):
        return {}
    pairs = zip(kind.parameters or (), values, strict=False)
    found = {place: _members(ctx, call, expected, value) for place, (expected, value) in enumerate(pairs)}
    return {place: parts for place, parts in found.items() if parts}


def _members(ctx: Context, call: Call, expected: CType, value: Value) -> Sequence[Direct]:
    """The members that an argument may be the address of; none where it may be that of something else."""
    place = value.place if isinstance(value, Address) else None
    if not isinstance(expected, PointerType) or not isinstance(place, Direct | Indirect) or not _is_member(place.path):
        return ()
    if place.type != expected.target or not _is_told(expected.target):
        return ()
    if isinstance(place, Indirect) and (place.address.origins & UNKNOWN_POINTER or place.address.constant == 0):
        return ()
    targets = gate.choices(ctx, place, call.node)
    found = [target.place for target in targets if isinstance(target.place, Direct) and not target.clobbers]
    return found if len(found) == len(targets) and all(_is_apart(ctx, part) for part in found) else ()


def held(ctx: Context, given: Mapping[int, Sequence[Direct]]) -> Origins:
    """The origins of what members hold, which the library has with them."""
    return NOTHING.union(*(ctx.facts.pointers.held(_holder(ctx, part)) for parts in given.values() for part in parts))


def _is_member(path: Path) -> bool:
    return bool(path) and isinstance(path[-1], str)


def _is_told(kind: CType) -> bool:
    """Whether a pointer to a type leads to one thing of that type, not to bytes of nobody knows what."""
    match kind:
        case IntType(size=size):
            return size > 1
        case PointerType(target=target):
            return not isinstance(target, VoidType)
        case _:
            return isinstance(kind, FloatType)


def _is_apart(ctx: Context, place: Direct) -> bool:
    """Whether a member has a cell, or a name, that is that of no other part, or no value that is tracked."""
    is_named = all(isinstance(step, str) for step in place.path) or ctx.memory.is_multiple(place.object)
    return is_named and (isinstance(place.type, FloatType) or bool(_holder(ctx, place)))


def _holder(ctx: Context, place: Direct) -> str:
    """What holds the pointers of a member: its cell, or its name where it has none any more; nothing for others."""
    match ctx.memory.locate(place):
        case CellAt(name=name):
            return name
        case Nowhere(holder=str(name)):
            return name
        case _:
            return ""


def change(
    ctx: Context, call: Call, given: Mapping[int, Sequence[Direct]], values: Sequence[Value], by: Origins
) -> None:
    """Gives members any value from now on, and pointers among them the origins that the library has."""
    for position, places in given.items():
        ctx.assume(MEMBERS)
        value = values[position]
        assert isinstance(value, Address)
        sharing.note_place(ctx, value.place, call.node, AccessKind.WRITE)
        for place in places:
            _change(ctx, place, by)


def _change(ctx: Context, place: Direct, by: Origins) -> None:
    holder, located = _holder(ctx, place), ctx.memory.locate(place)
    if isinstance(located, CellAt):
        ctx.facts.objects.written.add(located.starred)
        ctx.facts.objects.untracked.add_changed(holder)
    ctx.facts.objects.addressed.add(place.object.key)
    if isinstance(place.type, PointerType):
        note_untracked(ctx, place.object, by, holder)
