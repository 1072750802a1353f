"""Calls of a function whose body is there already: jumps to it and back, which are not matched.

A nested call of a function that is being executed may change the locals of all functions between the two calls, as
each call has locals of its own but all share one cell here. They hold any value behind such a call. All nested calls of
one function go through the same commands that say so, once for each cell: recursion with many calls stays linear.
*Approximates*: over; a local that comes into being between two nested calls is made unknown by the first one, too.
"""

from __future__ import annotations

from duet.frontend.access import havoc_place, read, write
from duet.frontend.context import Context, Frame, Outcome
from duet.frontend.convert import number, snapshot
from duet.frontend.types import StructType
from duet.frontend.values import Direct, Node, Temporary, Untracked, Value, Whole
from duet.plip.syntax import SKIP, Havoc


def result_of(ctx: Context, frame: Frame, node: Node) -> Value:
    """The value of a call behind its returns."""
    if frame.value is not None:
        return snapshot(ctx, number(ctx, read(ctx, Direct(frame.value, (), frame.value.type), node)))
    if isinstance(frame.result, StructType):
        return Whole(Temporary(frame.result), frame.result)
    return Untracked(frame.result)


def resume(ctx: Context, frame: Frame, values: list[Value], node: Node, is_recursion: bool) -> list[Outcome]:
    """The outcome of a call of a function whose body is there already: a jump to it and back."""
    builder = ctx.builder
    assert frame.entry is not None
    assert frame.hub is not None
    entry, end = frame.entry, frame.hub
    if is_recursion:
        _note(ctx, frame, node)
        if frame.again is None or frame.resumed is None:
            frame.again, frame.resumed = builder.fresh(), builder.fresh()
        entry, end = frame.again, frame.resumed
    kept = [snapshot(ctx, value) for value in values]
    for place, parameter in enumerate(frame.parameters):
        target = Direct(parameter, (), parameter.type)
        if place < len(kept):
            write(ctx, target, kept[place], node)
        else:
            havoc_place(ctx, target)
    builder.goto(entry)
    back = builder.fresh()
    builder.mark(back)
    builder.at(end)
    builder.edge(SKIP, back)
    builder.at(back)
    return [(builder.current, result_of(ctx, frame, node))]


def _note(ctx: Context, frame: Frame, node: Node) -> None:
    """Notes that the functions between a call and a nested one are recursive, and which locals have instances."""
    inner = ctx.frames[ctx.frames.index(frame) :]
    ctx.warn(node, "recursion", f"'{frame.function}' is recursive: calls and returns are not matched")
    ctx.facts.add(ctx.facts.recursive, *(part.function for part in inner))
    frame.nested |= dict.fromkeys(name for part in inner for name in part.cells)
    objects = (name for part in inner for name in part.cells if not name.startswith("$"))
    ctx.facts.add(ctx.facts.reentrant, *objects)


def close(ctx: Context, frame: Frame) -> None:
    """Leads the nested calls of a function, which are all known now, to its body and on behind it.

    The cell of its result is kept: it is written by each return and read by the calls behind it only.
    """
    if frame.again is None or frame.resumed is None:
        return
    assert frame.entry is not None
    assert frame.hub is not None
    names = tuple(frame.nested)
    ctx.builder.at(frame.again)
    _havoc_addresses(ctx, names)
    ctx.builder.goto(frame.entry)
    ctx.builder.at(frame.hub)
    for name in names:
        if name.startswith("$"):
            ctx.builder.emit(Havoc(name, *ctx.ranges[name]))
        elif frame.value is None or name != frame.value.key:
            of = ctx.memory.objects[name]
            havoc_place(ctx, Direct(of, (), of.type))
    _havoc_addresses(ctx, names)
    ctx.builder.goto(frame.resumed)


def _havoc_addresses(ctx: Context, names: tuple[str, ...]) -> None:
    """Another instance of a local object lies elsewhere."""
    for name in names:
        cell = ctx.memory.cells.get(f"{name}&")
        if cell is not None:
            ctx.builder.emit(Havoc(cell.name, cell.lo, cell.hi))
