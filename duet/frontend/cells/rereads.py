"""What lowering notes of what is read of memory, and of what may be written there, for `graph.rereads`.

The gate notes all writes that it is told of. A step that writes a cell beside that changes all of the object (see
`graph.insides`), and a call of a library function changes anything, unless it tells of all that it writes.
*Approximates*: over, what is written.
"""

from __future__ import annotations

from collections.abc import Iterable

from duet.frontend.cells import texts
from duet.frontend.cells.bounds import is_of_bits
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import contents, reachable
from duet.frontend.cells.extent import Extent
from duet.frontend.cells.located import CellAt, Nowhere
from duet.frontend.cells.size import is_large
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import NOTHING, UNKNOWN_POINTER, Origins, may_be_any, objects
from duet.frontend.ctypes.types import CType, IntType, PointerType
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Object,
    Path,
    Place,
    Truth,
    Untracked,
    Value,
    Whole,
)
from duet.frontend.graph.rereads import Region, Reread, Stored
from duet.frontend.judgments.marks import Mark
from duet.plip.accesses import ANY_MEMORY
from duet.plip.syntax import Linear
from duet.plip.terms import add
from duet.plip.touched import writes

_ANYTHING = Region(None, 0, None)
_FEW = 3
"""So many cells at most are summed up in values that are followed in memory."""

_STATES: Mark[tuple[str, str]] = Mark("members that the library keeps its own state in")
CHANGED_LATER: Mark[str] = Mark("memory that is changed at any time")
"""The mark of objects that functions keep, like buffers of streams and stacks of threads, and that handlers change."""


def note_read(ctx: Context, place: Place, value: Value) -> None:
    """Notes that a value, in a temporary, was read of a place that no cell of its own stands for."""
    match value, place:
        case Number(term=Linear(((cell, 1),), 0)), Direct() | Indirect() if cell.startswith("$"):
            if ctx.builder.deferred is None and (kind := followed(ctx, place)) is not None:
                region = _region(ctx, place, ctx.memory.types.size(place.type))
                if region.start is not None and region.around is not None:
                    ctx.builder.note_reread(Reread(cell, region, kind))
        case _:
            return


def note_stored(ctx: Context, place: Place, kind: str, value: Number, since: int) -> None:
    """Notes that a value was written to a place that is `followed` as of some kind, by the commands `since` so many.

    Nothing is known if they may have set a cell of the value or of the address: the pointer may lead to that.
    """
    assert isinstance(place, Direct | Indirect)
    region = _region(ctx, place, ctx.memory.types.size(place.type))
    if region.start is not None and region.around is not None and len(value.term.terms) <= _FEW:
        stored = Stored(value.term, region, kind)
        written = frozenset().union(*(writes(command.instruction) for command in ctx.builder.commands[since:]))
        if written.isdisjoint(stored.cells):
            ctx.builder.note_given(stored)


def followed(ctx: Context, place: Place) -> str | None:
    """As what kind of value a place is read, if what is read again is to be found equal; None if it is not."""
    if not isinstance(place, Direct | Indirect):
        return None
    match place.type:
        case PointerType():
            return "p" if _is_followed(ctx, place) else None
        case IntType(width=width, signed=signed, atomic=False) if not is_of_bits(ctx, place):
            is_wanted = not is_large(ctx) or (isinstance(place, Direct) and place.object.key in texts.OPTIONS)
            return f"{'s' if signed else 'u'}{width}" if is_wanted and _is_followed(ctx, place) else None
        case _:
            return None


def _is_followed(ctx: Context, place: Direct | Indirect) -> bool:
    """Whether only the program changes what is at a place, and no cell of its own stands for it."""
    if ctx.is_silent or ctx.options.model == "linux":
        return False
    match place:
        case Direct(of, path):
            if not _is_of_program(ctx, of) or _has_state(ctx, of, path):
                return False
            if any(isinstance(step, Index) and step.constant is None for step in path):  # which element is chosen
                return True
            found = ctx.memory.locate(place)
            return found.is_summary if isinstance(found, CellAt) else isinstance(found, Nowhere)
        case Indirect(address, _, path):
            led_to = ctx.memory.pointed(address.origins)
            return all(_is_of_program(ctx, of) and not _has_state(ctx, of, path) for of in led_to)


def _is_of_program(ctx: Context, of: Object) -> bool:
    """Whether only what is noted changes an object: only `getopt` and its like change `optarg` and `optind`.

    What is done to locks of other threads is not, which other members of a union may show.
    """
    if ctx.memory.overlaps.has_lock(of.type):
        return False
    is_kept = of.key in ctx.facts.marked(CHANGED_LATER) or ctx.facts.is_any_marked(CHANGED_LATER)
    return not of.is_volatile and not is_kept and (of.key not in ctx.declared.elsewhere or of.key in texts.OPTIONS)


def _has_state(ctx: Context, of: Object, path: Path) -> bool:
    """Whether the library keeps its state in what a path may lead to in an object."""
    member = path[-1] if path and isinstance(path[-1], str) else ""
    return any(key == of.key and not (name and member and name != member) for key, name in ctx.facts.marked(_STATES))


def note_state(ctx: Context, place: Place) -> None:
    """Notes that the library keeps its state in a number of the program: who changes that does not note it."""
    note_write(ctx, place)
    if isinstance(place, Direct):
        path = place.path
        ctx.facts.mark(_STATES, (place.object.key, path[-1] if path and isinstance(path[-1], str) else ""))


def note_write(ctx: Context, place: Place | Value, extent: Extent = None) -> None:
    """Notes that what is at a place may be written, or so many bytes from where a pointer leads; all around if None."""
    size = None if extent is None else extent.constant
    match place:
        case Direct() | Indirect():
            _note(ctx, _region(ctx, place, ctx.memory.types.size(place.type)))
        case Address(Direct() | Indirect() as inner):
            _note(ctx, _region(ctx, inner, size))
        case Number(term=term, origins=origins):
            around = _around(ctx, origins)
            _note(ctx, Region(term, size, around) if size else Region(None, 0, around))
        case _:
            return


def note_pointed(ctx: Context, origins: Origins) -> None:
    """Notes that any part of what an address with some origins leads to may be written."""
    _note(ctx, Region(None, 0, _around(ctx, origins)))


def note_changed(ctx: Context, reached: Origins) -> None:
    """Notes that a function without a body may change the objects whose addresses it reaches."""
    is_any = not UNKNOWN_POINTER.isdisjoint(reached)
    _note(ctx, Region(None, 0, None if is_any else frozenset(objects(reached))))


def note_beginning(ctx: Context, of: Object) -> None:
    """Notes that an object comes into being."""
    _note(ctx, Region(None, 0, frozenset((of.key,))))


def note_anything(ctx: Context) -> None:
    """Notes that anything may be written."""
    _note(ctx, _ANYTHING)


def note_call(ctx: Context, outcomes: Iterable[Outcome], given: Iterable[Value] | None) -> None:
    """Notes that anything may have been written by a call, which went on in some ways.

    What it reached by its arguments, if these are known, it may also have written where other threads read.
    """
    if ctx.is_silent:
        return
    led_to = UNKNOWN_POINTER if given is None else NOTHING.union(*(_leads_to(ctx, value) for value in given))
    reached = reachable(ctx, led_to)
    for location, _ in outcomes:
        ctx.builder.insides.changed[location].append(_ANYTHING)
    if may_be_any(reached):
        ctx.builder.insides.handed.add(ANY_MEMORY)
    ctx.builder.insides.handed.update(objects(reached))


def _leads_to(ctx: Context, value: Value) -> Origins:
    """The origins of the addresses in a value; that of a variable is not taken by that."""
    match value:
        case Address(Direct(of)):
            return frozenset((of.origin,))
        case Number(origins=origins) | Address(Indirect(Number(origins=origins))):
            return origins
        case Whole(Direct(of)):
            return contents(ctx, of.key)
        case Untracked() | Truth() | Address(FunctionPlace()):
            return NOTHING
        case _:
            return UNKNOWN_POINTER


def _note(ctx: Context, region: Region) -> None:
    if not ctx.is_silent:
        ctx.builder.insides.changed[ctx.builder.current].append(region)


def _region(ctx: Context, place: Direct | Indirect, size: int | None) -> Region:
    """So many bytes from a place on; all around it if that is None, or where nobody knows which these are."""
    match place:
        case Direct(of, path):
            around: frozenset[str] | None = frozenset((of.key,))
            base, is_one = of.type, not ctx.memory.is_multiple(of)
            first = ctx.memory.base_term(of).term if is_one else None
        case Indirect(address, base, path):
            around, first = _around(ctx, address.origins), address.term
    offset = _offset(ctx, base, path)
    if not size or first is None or offset is None or is_of_bits(ctx, place):
        return Region(None, 0, around)
    return Region(add(first, offset), size, around)


def _offset(ctx: Context, base: CType, path: Path) -> Linear | None:
    if any(isinstance(step, Index) and step.term is None for step in path):
        return None
    return ctx.memory.offset(base, path)


def _around(ctx: Context, origins: Origins) -> frozenset[str] | None:
    """The keys of the objects that an address may lead to, if it leads into objects of the program only."""
    return frozenset(of.key for of in ctx.memory.only(origins)) or None
