"""What writes make known to the rest of the program: cells that are written, objects that can be reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from pycparser import c_ast

from duet.frontend.cells.context import Context
from duet.frontend.cells.foreign import KEPT, externals
from duet.frontend.cells.memory import CellAt
from duet.frontend.cells.targets import Spots, outside
from duet.frontend.ctypes.origins import functions, of_function
from duet.frontend.ctypes.types import UINT, IntType, PointerType
from duet.frontend.ctypes.values import ANYTHING, EXTERNAL, Direct, Index, Object, Temporary

CHANGED = "changed library objects"
"""The mark of cells of locks and the like that unknown code may initialise and use."""
SPECIAL = "special locks"
"""The mark of programs with locks that are not ordinary: any that is not told apart may be one of them."""
ROBUST = "robust"
"""The mark of mutexes, and of programs with such, that may be had although their holder has ended."""


def note_write(
    ctx: Context,
    cell: CellAt,
    place: Direct | Temporary,
    origins: frozenset[str],
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


def put_outside(ctx: Context, origins: frozenset[str]) -> None:
    """Records that what has some origins may be in memory outside of the program from now on.

    The kernel may call the functions that it finds there at any time.
    """
    ctx.facts.pointers.hold(EXTERNAL, origins)
    for origin in origins:
        if origin in ctx.memory.objects:
            ctx.facts.objects.escaped.add(origin)
    if ctx.options.model == "linux":
        run_beside(ctx, functions(origins))


def run_beside(ctx: Context, functions: Sequence[str]) -> None:
    """Threads that run functions with arbitrary arguments, at any time from here on, any number of times."""
    if functions:
        ctx.builder.flush()
    for name in functions:
        node = ctx.declared.functions[name].node if name in ctx.declared.functions else c_ast.EmptyStatement()
        command = ctx.hooks.beside(ctx, name, node)
        if command is not None:
            ctx.builder.edge(command, ctx.builder.current)


def escape(ctx: Context, into: Object, origins: frozenset[str]) -> None:
    """Local objects whose address goes to memory that other threads reach may be reached by them.

    What is defined elsewhere is memory outside, and also what was given to the kernel.
    """
    is_elsewhere = into.kind == "global" and ctx.memory.initial.get(into.key) is None
    if is_elsewhere or (ctx.options.model == "linux" and into.key in ctx.facts.objects.untracked):
        put_outside(ctx, origins)
    if is_elsewhere and into.key not in ctx.declared.library:
        ctx.facts.pointers.hold(KEPT, origins)
    if ctx.memory.is_shared(into):
        publish(ctx, origins)


def note_untracked(ctx: Context, into: Object, origins: frozenset[str]) -> None:
    """Records that what has some origins is written to a part of an object that has no cell."""
    ctx.facts.pointers.hold(f"{into.key}.<untracked>", origins)
    escape(ctx, into, origins)


def publish(ctx: Context, origins: frozenset[str]) -> None:
    """Other threads may reach objects."""
    for origin in origins:
        of = ctx.memory.objects.get(origin)
        if of is not None and of.kind in ("local", "thread"):
            ctx.facts.objects.escaped.add(origin)


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
        ctx.facts.mark(SPECIAL, "*")


def reachable(ctx: Context, origins: frozenset[str]) -> frozenset[str]:
    """The objects and functions that can be reached through the addresses of some."""
    found = set(origins)
    work = list(origins)
    while work:
        key = work.pop()
        callable_ones = map(of_function, ctx.facts.functions)
        every = (
            ctx.facts.objects.addressed.union(externals(ctx), callable_ones) if key == ANYTHING else _inside(ctx, key)
        )
        new = every - found
        work.extend(new)
        found |= new
    return frozenset(found)


def reachable_inside(ctx: Context, pointers: Iterable[frozenset[str]]) -> frozenset[str]:
    """The objects and functions that can be reached by pointers, given by their origins, that stay in the program.

    A pointer that may lead out of it, or anywhere, is left out.
    """
    found: set[str] = set()
    work = [pointers]
    while work:
        for origins in work.pop():
            if not origins & {ANYTHING, EXTERNAL}:
                work.extend(held_by(ctx, key) for key in origins - found)
                found |= origins
    return frozenset(found)


def held_by(ctx: Context, key: str) -> list[frozenset[str]]:
    """The origins of each part of what an object holds."""
    initial = ctx.memory.initial.get(key)  # of what nothing has accessed yet
    pointing = list(initial.origins.values()) if initial is not None else []
    return [*pointing, *map(ctx.facts.pointers.held, ctx.facts.pointers.cells_of(key))]


def contents(ctx: Context, key: str) -> frozenset[str]:
    """The origins of what an object holds."""
    return frozenset(_inside(ctx, key))


def _inside(ctx: Context, key: str) -> Set[str]:
    initial = ctx.memory.initial.get(key)  # of what nothing has accessed yet
    held = ctx.facts.pointers.inside(key)
    return frozenset(held).union(*initial.origins.values()) if initial is not None and initial.origins else held


def known_outside(ctx: Context) -> frozenset[str]:
    """The origins of a pointer that code of the program in files that are not there may have."""
    return outside(ctx) | reachable(ctx, externals(ctx))
