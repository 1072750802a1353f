"""Arguments of library functions that do not give them all that an object holds: what they read, and single members."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from duet.frontend.cells import gate, hidden, size
from duet.frontend.cells.access import havoc_place
from duet.frontend.cells.context import Context
from duet.frontend.cells.heap import heap_object
from duet.frontend.cells.located import CellAt
from duet.frontend.ctypes.origins import LENT, NOTHING, UNKNOWN_POINTER, Origins
from duet.frontend.ctypes.types import ArrayType, CType, FloatType, IntType, PointerType, StructType, VoidType
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Path, Value
from duet.frontend.models.call import Call

READ_ONLY = "functions of libraries change nothing through pointers to const that they are declared to take"
"""What is assumed of those of which nothing else is known."""
MEMBERS = (
    "functions of libraries that are given the address of a number or pointer in a structure, as such, access that"
    " member only, and tell nobody of its address"
)
"""What is assumed of them: the structure is one of the program, of which they know nothing."""


def read_only(ctx: Context, call: Call) -> frozenset[int]:
    """The positions of arguments of a function of a library that it only reads."""
    return ctx.declared.read_only.get(call.name, frozenset()) if call.name in ctx.declared.library else frozenset()


def looked_at(ctx: Context, call: Call, brief: Collection[int]) -> frozenset[int]:
    """The positions of arguments that a function of a library only reads, and uses `brief`ly, bytes of any type too.

    Nobody writes there by that call, or has the address behind it. What pointers among these bytes lead to is another
    matter (`unknown.clobber`). The read is noted where the argument is evaluated, as of other arguments.
    """
    if call.name not in ctx.declared.library:
        return frozenset()
    return read_only(ctx, call).union(ctx.declared.read_bytes.get(call.name, ())).intersection(brief)


def note_read_only(ctx: Context, origins: Origins) -> None:
    """Records that a library only reads what has some origins; others may get it from the library."""
    if origins:
        ctx.assume(READ_ONLY)
        ctx.facts.pointers.hold(LENT, origins)
        ctx.facts.objects.escaped.add(*(of.key for of in ctx.memory.pointed(origins)))


def members(ctx: Context, call: Call, values: Sequence[Value]) -> Mapping[int, Sequence[Direct]]:
    """By position, the members of which a library function is given the address, as such."""
    kind = ctx.declared.prototypes.get(call.name)
    if call.name not in ctx.declared.library or kind is None:
        return {}
    told = ctx.declared.single.get(call.name, frozenset()) - read_only(ctx, call)
    pairs = enumerate(zip(kind.parameters or (), values, strict=False))
    found = {at: _members(ctx, call, expected, value) for at, (expected, value) in pairs if at in told}
    return {at: parts for at, parts in found.items() if parts}


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
    is_known = len(found) == len(targets) and not size.are_too_many(ctx, found)
    return found if is_known and all(_is_apart(ctx, part) for part in found) else ()


def _is_member(path: Path) -> bool:
    return bool(path) and isinstance(path[-1], str)


def _is_told(kind: CType) -> bool:
    """Whether a pointer to a type leads to one thing of that type, not to bytes of nobody knows what."""
    match kind:
        case IntType(size=width):
            return width > 1
        case PointerType(target=target):
            return not isinstance(target, VoidType)
        case _:
            return isinstance(kind, FloatType)


def _is_apart(ctx: Context, place: Direct) -> bool:
    """Whether a member has a cell that is that of no other part, or no value that is tracked."""
    is_named = all(isinstance(step, str) for step in place.path) or ctx.memory.is_multiple(place.object)
    return is_named and (isinstance(place.type, FloatType) or isinstance(ctx.memory.locate(place), CellAt))


def held(ctx: Context, given: Mapping[int, Sequence[Direct]]) -> Origins:
    """The origins of what members hold, which the library has with them."""
    members = [part for parts in given.values() for part in parts]
    cells = map(ctx.memory.locate, members)
    beside = NOTHING.union(*(hidden.within(ctx, part.object) for part in members))
    return beside.union(*(ctx.facts.pointers.held(cell.name) for cell in cells if isinstance(cell, CellAt)))


def note(
    ctx: Context, call: Call, given: Mapping[int, Sequence[Direct]], values: Sequence[Value], reached: Origins
) -> None:
    """Notes that a library function writes members that it is given, and those of before where they are reached."""
    for position, parts in given.items():
        ctx.assume(MEMBERS)
        ctx.facts.objects.lent.add(*((part.object.key, part.path, part.type) for part in parts))
        ctx.facts.objects.addressed.add(*(part.object.key for part in parts))
        value = values[position]
        assert isinstance(value, Address)
        gate.whole(ctx, value.place, gate.Touch.HAVOC, call.node)
    for part in _lent(ctx, reached):
        gate.whole(ctx, part, gate.Touch.HAVOC, call.node)


def change(
    ctx: Context, given: Mapping[int, Sequence[Direct]], reached: Origins, pointing: Origins, stored: Origins
) -> None:
    """Gives these members any values; pointers among them, and what is `stored` there, have some origins."""
    for part in (*_lent(ctx, reached), *(part for parts in given.values() for part in parts)):
        havoc_place(ctx, part, pointing, stored=stored)


def _lent(ctx: Context, reached: Origins) -> Iterator[Direct]:
    """The members that the library was ever given, where memory of its own is reached."""
    for key, path, kind in sorted(ctx.facts.objects.lent, key=str) if reached & UNKNOWN_POINTER else ():
        of = ctx.memory.objects.get(key)
        whole = heap_object(ctx, of) if of is not None and of.kind == "heap" else of
        if whole is not None:
            yield Direct(whole, path, kind) if _is_in(ctx, whole.type, path, kind) else Direct(whole, (), whole.type)


def _is_in(ctx: Context, kind: CType, path: Path, wanted: CType) -> bool:
    """Whether a path in a type leads to another one: memory of the heap may have got another type since."""
    for step in path:
        if isinstance(step, Index) and isinstance(kind, ArrayType):
            kind = kind.element
        elif isinstance(step, str) and isinstance(kind, StructType):
            found = next((member for member in ctx.memory.types.members(kind) if member.name == step), None)
            if found is None:
                return False
            kind = found.type
        else:
            return False
    return kind == wanted
