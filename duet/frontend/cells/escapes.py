"""What writes make known to the rest of the program: cells that are written, objects that can be reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from pycparser import c_ast

from duet.frontend.cells import contracts
from duet.frontend.cells.context import Context
from duet.frontend.cells.foreign import KEPT, externals
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.targets import Spots, outside
from duet.frontend.cells.told import Reached
from duet.frontend.ctypes.origins import (
    ANYTHING,
    EXTERNAL,
    GUESSED,
    NO_OBJECT,
    NOTHING,
    OUTSIDE,
    UNKNOWN_POINTER,
    Content,
    ObjectAddress,
    Origin,
    Origins,
    UntrackedParts,
    addresses,
    functions,
    pointers,
    with_start,
)
from duet.frontend.ctypes.types import UINT, IntType, PointerType
from duet.frontend.ctypes.values import Direct, Index, Object, Temporary
from duet.frontend.judgments.marks import Mark

CHANGED: Mark[str] = Mark("changed library objects")
"""The mark of cells of locks and the like that unknown code may initialise and use."""
STATES: Mark[str] = Mark("numbers that the library keeps its own state in")
"""The mark of cells: a `pthread_once_t` or a spinlock is an `int` to the program, which may hold anything."""
SPECIAL: Mark[str] = Mark("special locks")
"""The mark of programs with locks that are not ordinary: any that is not told apart may be one of them."""
ROBUST: Mark[str] = Mark("robust")
"""The mark of mutexes, and of programs with such, that may be had although their holder has ended."""


def note_write(
    ctx: Context,
    cell: CellAt,
    place: Direct | Temporary,
    origins: Origins,
    spots: Spots | None = None,
    is_copied: bool = False,
) -> None:
    """Records that a cell is written, and with the address of what; `spots` as in `Pointers.hold`.

    `is_copied`: the number is one of `convert.is_copy`.
    """
    ctx.facts.objects.written.add(cell.starred)
    if not is_copied and isinstance(cell.type, IntType) and cell.type.width >= UINT.width:
        ctx.facts.pointers.mixed.add(cell.name)
    is_pointer = isinstance(cell.type, PointerType)
    ctx.facts.pointers.hold(cell.name, origins, spots if is_pointer else None)
    if spots is None and is_pointer:
        ctx.facts.pointers.vague.add(cell.name)
    if isinstance(place, Direct):
        escape(ctx, place.object, origins)


def put_outside(ctx: Context, origins: Origins, is_kept: bool = False, is_run: bool = True) -> None:
    """Records that what has some origins may be in memory outside of the program from now on.

    The kernel may call the functions that it finds there at any time, unless it is known that it has them already, so
    that none `is_run`. If it `is_kept`, it may write what lasts at any time, too.
    """
    is_kernel = ctx.options.model == "linux"
    found = ctx.memory.pointed(origins)
    ctx.facts.pointers.hold(OUTSIDE, origins)
    ctx.facts.objects.escaped.add(*(of.key for of in found))
    if is_kernel and is_kept:
        lasting = (of for of in found if of.kind in ("global", "heap") and is_writable(of))
        ctx.facts.objects.untracked.add(*(of.key for of in lasting))
    if is_kernel and is_run:
        run_beside(ctx, functions(origins))


def store_outside(ctx: Context, origins: Origins) -> None:
    """Records that what has some origins is stored in memory outside of the program.

    The general rule of who calls what follows it: the kernel finds what that leads to, without being given it again.
    """
    is_found = ctx.options.model == "linux" and ctx.options.kernel is not None
    reached = reachable(ctx, addresses(origins) - NO_OBJECT) if is_found else NOTHING
    put_outside(ctx, origins | reached, is_kept=is_found)


def is_writable(of: Object) -> bool:
    """Whether an object may be written."""
    return not of.is_const and not of.is_string


def run_beside(ctx: Context, functions: Sequence[str]) -> None:
    """Threads that run functions with arbitrary arguments, at any time from here on, any number of times."""
    if functions:
        ctx.builder.flush()
    for name in dict.fromkeys(thread for found in functions for thread in contracts.runs_as(ctx, found)):
        node = ctx.declared.functions[name].node if name in ctx.declared.functions else c_ast.EmptyStatement()
        command = ctx.hooks.beside(ctx, name, node)
        if command is not None:
            ctx.builder.edge(command, ctx.builder.current)


def escape(ctx: Context, into: Object, origins: Origins) -> None:
    """Local objects whose address goes to memory that other threads reach may be reached by them.

    What is defined elsewhere is memory outside, and also what was given to the kernel.
    """
    is_elsewhere = into.kind == "global" and ctx.memory.initial.get(into.key) is None
    if is_elsewhere or (ctx.options.model == "linux" and into.key in ctx.facts.objects.untracked):
        store_outside(ctx, origins)
    if is_elsewhere and into.key not in ctx.declared.library:
        ctx.facts.pointers.hold(KEPT, origins)
    if ctx.memory.is_shared(into):
        publish(ctx, origins)


def note_untracked(ctx: Context, into: Object, origins: Origins) -> None:
    """Records that what has some origins is written to a part of an object that has no cell."""
    ctx.facts.pointers.hold(UntrackedParts(into.key), origins)
    escape(ctx, into, origins)


def note_pointers(ctx: Context, place: Direct, origins: Origins) -> None:
    """Records that the pointers in a part of an object that has no cells may have some origins.

    In a driver that part is lost, and nothing is asked of its pointers.
    """
    if ctx.options.model == "linux":
        return
    if ctx.memory.may_point(place.type):
        note_untracked(ctx, place.object, origins)


def pointers_in(ctx: Context, of: Object) -> Origins:
    """The origins of a pointer that is read from an object without cells; numbers may overlie those in a union.

    An object of the heap is left out, as others may see other types in it. Of unions see `hidden.in_union`.
    """
    objects = ctx.facts.objects.untracked
    is_known = of.key in objects and of.key not in objects.lost and of.kind != "heap"
    if not is_known or ctx.memory.has_union(of.type):
        return UNKNOWN_POINTER
    return contents(ctx, of.key) | {Content(UntrackedParts(of.key))}


def publish(ctx: Context, origins: Origins) -> None:
    """Other threads may reach objects."""
    found = ctx.memory.pointed(origins)
    if ctx.told.published.get(origins) is not found:
        ctx.memory.hand_on(*found)
        if not ctx.is_silent:
            ctx.told.published[origins] = found


def note_table_write(ctx: Context, place: Direct | Temporary) -> None:
    """A constant table that turns out to be written: the next round makes it a cell."""
    assert isinstance(place, Direct)
    steps = ("[*]" if isinstance(step, Index) else f".{step}" for step in place.path)
    ctx.facts.objects.written.add(place.object.key + "".join(steps))
    ctx.builder.flush()


def note_locks_changed(ctx: Context, place: Direct) -> None:
    """Notes that unknown code may do anything with the library object of a place, initialise it, too."""
    cell = ctx.memory.locate(place)
    if isinstance(cell, CellAt) and not cell.is_summary:
        ctx.facts.mark(CHANGED, cell.name)
    else:
        ctx.facts.mark_any(SPECIAL)


def reachable(ctx: Context, origins: Origins) -> Origins:
    """The origins of all that can be reached through addresses of some origins."""
    return _closed(ctx, ctx.facts.pointers.numbered.bits(origins))


def reachable_from(ctx: Context, objects: Iterable[Object]) -> Origins:
    """The origins of all that can be reached through what some objects hold."""
    return _closed(ctx, reduce(or_, (_inside(ctx, of.origin) for of in objects), 0))


def _closed(ctx: Context, found: int) -> Origins:
    """The origins of some bits, and of all that can be reached through these."""
    numbered, start, work = ctx.facts.pointers.numbered, found, found
    closed = _reached(ctx).closed
    if start not in closed:
        while work:
            number = work.bit_length() - 1
            work ^= 1 << number
            new = _inside(ctx, numbered.origins[number]) & ~found
            found |= new
            work |= new
        closed[start] = with_start(numbered.named(found))
    return closed[start]


def _reached(ctx: Context) -> Reached:
    """What is reached through pointers, as far as it was asked for since something new is known of them."""
    return ctx.reached.as_of(ctx.facts.growth.version, ctx.memory.version)


def _anything(ctx: Context) -> int:
    """The origins of all objects and functions whose address is taken, and may be in memory, as bits."""
    facts, known, named = ctx.facts, ctx.memory.objects, externals(ctx)
    addressed, is_open = facts.objects.addressed, facts.objects.open
    sizes = len(addressed), len(is_open), len(known), len(ctx.memory.confined), len(facts.functions), len(named)
    if ctx.reached.sizes != sizes:
        found = (key for key in addressed if key not in known or not ctx.memory.is_confined(known[key]))
        meant = pointers(named.union(found), frozenset(facts.functions))
        ctx.reached.sizes, ctx.reached.anything = sizes, facts.pointers.numbered.bits(meant)
    return ctx.reached.anything


def reachable_inside(ctx: Context, pointers: Iterable[Origins]) -> Origins:
    """The origins of all that can be reached by pointers, given by their origins, that stay in the program.

    Where a pointer may also lead out of it, or anywhere, what it may lead to there is left out.
    """
    start = frozenset(pointers)
    known = _reached(ctx).inside
    if start not in known:
        found: set[Origin] = set()
        work: list[Iterable[Origins]] = [start]
        while work:
            for origins in work.pop():
                inside = origins - NO_OBJECT
                work.extend(held_by(ctx, origin.key) for origin in inside - found if isinstance(origin, ObjectAddress))
                found |= inside
        known[start] = with_start(frozenset(found))
    return known[start]


def held_by(ctx: Context, key: str, is_in_cells: bool = False) -> list[Origins]:
    """The origins of each part of what an object holds; of those only that have cells, if it `is_in_cells`."""
    initial = ctx.memory.initial.get(key)  # of what nothing has accessed yet
    pointing = list(initial.origins.values()) if initial is not None else []
    cells = (cell for cell in ctx.facts.pointers.cells_of(key) if isinstance(cell, str) or not is_in_cells)
    return [*pointing, *map(ctx.facts.pointers.held, cells)]


def contents(ctx: Context, key: str) -> Origins:
    """The origins of what an object holds."""
    return with_start(ctx.facts.pointers.numbered.named(_inside(ctx, ObjectAddress(key))))


def _inside(ctx: Context, origin: Origin) -> int:
    """The origins of what is held where an address leads, as bits."""
    numbered = ctx.facts.pointers.numbered
    if origin is ANYTHING or origin is GUESSED:
        return _anything(ctx)
    if origin is EXTERNAL:
        return numbered.bits(ctx.facts.pointers.held(OUTSIDE))
    if not isinstance(origin, ObjectAddress):
        return 0
    initial = ctx.memory.initial.get(origin.key)  # of what nothing has accessed yet
    held = ctx.facts.pointers.inside(origin.key)
    return held | numbered.bits(initial.pointing) if initial is not None and initial.origins else held


def known_outside(ctx: Context) -> Origins:
    """The origins of a pointer that code of the program in files that are not there may have."""
    return outside(ctx) | reachable(ctx, pointers(externals(ctx), frozenset()))
