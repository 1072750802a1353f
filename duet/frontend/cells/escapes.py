"""What writes make known to the rest of the program: cells that are written, objects that can be reached."""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells.context import Context
from duet.frontend.cells.memory import CellAt
from duet.frontend.cells.targets import Spots
from duet.frontend.ctypes.origins import functions, of_function
from duet.frontend.ctypes.types import PointerType
from duet.frontend.ctypes.values import ANYTHING, EXTERNAL, Direct, Index, Object, Temporary

BESIDE = "code that is not there"
"""The mark of programs that start threads whose code is not known."""
CHANGED = "changed library objects"
"""The mark of cells of locks and the like that unknown code may initialise and use."""
SPECIAL = "special locks"
"""The mark of programs with locks that are not ordinary: any that is not told apart may be one of them."""
ROBUST = "robust"
"""The mark of mutexes, and of programs with such, that may be had although their holder has ended."""


def note_write(
    ctx: Context, cell: CellAt, place: Direct | Temporary, origins: frozenset[str], spots: Spots | None = None
) -> None:
    """Records that a cell is written, and with the address of what; `spots` as in `Facts.hold`."""
    ctx.facts.add(ctx.facts.written, cell.starred)
    is_pointer = isinstance(cell.type, PointerType)
    ctx.facts.hold(cell.name, origins, spots if is_pointer else None)
    if spots is None and is_pointer:
        ctx.facts.add(ctx.facts.vague, cell.name)
    if isinstance(place, Direct):
        escape(ctx, place.object, origins)


def put_outside(ctx: Context, origins: frozenset[str]) -> None:
    """Records that what has some origins may be in memory outside of the program from now on.

    The kernel, and threads whose code is not known, may call the functions that they find there at any time.
    """
    ctx.facts.hold(EXTERNAL, origins)
    for origin in origins:
        if origin in ctx.memory.objects:
            ctx.facts.add(ctx.facts.escaped, origin)
    if _is_used_beside(ctx):
        run_beside(ctx, functions_among(ctx, origins))


def _is_used_beside(ctx: Context) -> bool:
    """Whether code that is not there runs beside the program."""
    return ctx.options.model == "linux" or bool(ctx.facts.marked(BESIDE))


def functions_among(ctx: Context, origins: frozenset[str]) -> list[str]:
    """The defined functions among some origins, in order."""
    return [key for key in functions(origins) if key in ctx.functions]


def run_beside(ctx: Context, functions: Sequence[str]) -> None:
    """Threads that run functions with arbitrary arguments, at any time from here on, any number of times."""
    if functions:
        ctx.builder.flush()
    for name in functions:
        command = ctx.hooks.thread(ctx, name, None, ctx.functions[name].node)
        if command is not None:
            ctx.builder.edge(command, ctx.builder.current)


def escape(ctx: Context, into: Object, origins: frozenset[str]) -> None:
    """Local objects whose address goes to memory that other threads reach may be reached by them.

    What is defined elsewhere is memory outside, and also what was given to code that runs beside the program.
    """
    is_elsewhere = into.kind == "global" and ctx.memory.initial.get(into.key) is None
    if is_elsewhere or (_is_used_beside(ctx) and into.key in ctx.facts.untracked):
        put_outside(ctx, origins)
    if ctx.memory.is_shared(into):
        publish(ctx, origins)


def publish(ctx: Context, origins: frozenset[str]) -> None:
    """Other threads may reach objects."""
    for origin in origins:
        of = ctx.memory.objects.get(origin)
        if of is not None and of.kind in ("local", "thread"):
            ctx.facts.add(ctx.facts.escaped, origin)


def note_table_write(ctx: Context, place: Direct | Temporary) -> None:
    """A constant table that turns out to be written: the next round makes it a cell."""
    assert isinstance(place, Direct)
    steps = ("[*]" if isinstance(step, Index) else f".{step}" for step in place.path)
    ctx.facts.add(ctx.facts.written, place.object.key + "".join(steps))
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
        more = ctx.facts.addressed.union(callable_ones) if key == ANYTHING else contents(ctx, key)
        work.extend(more - found)
        found |= more
    return frozenset(found)


def contents(ctx: Context, key: str) -> frozenset[str]:
    """The origins of what an object holds."""
    initial = ctx.memory.initial.get(key)  # of what nothing has accessed yet
    pointing = list(initial.origins.values()) if initial is not None else []
    return frozenset[str]().union(*pointing, *(ctx.facts.holds[cell] for cell in ctx.facts.holders(key)))
