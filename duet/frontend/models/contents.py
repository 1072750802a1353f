"""What an object of the heap holds, moved to a new one.

*Approximates*: under. What is not moved was never set in the new object, so that a schedule that reads it is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator

from duet.frontend.cells.access import read, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import contents, note_untracked
from duet.frontend.cells.heap import heap_object
from duet.frontend.ctypes.origins import NOTHING, UNKNOWN_POINTER
from duet.frontend.ctypes.types import ArrayType
from duet.frontend.ctypes.values import Direct, Index, Number, Object, Path
from duet.frontend.source.nodes import Node
from duet.plip.terms import compare, constant

_MOST = 64  # scalars of one object


def move_contents(ctx: Context, old: Number, new: Number, node: Node) -> None:
    """Copies the object at an address, as far as it is one object that is known, to a new one.

    Not to one of those that one object stands for: what that holds is not told apart from what others do.
    """
    builder = ctx.builder
    builder.flush()
    found = ctx.memory.pointed(old.origins)
    held = UNKNOWN_POINTER if old.origins & UNKNOWN_POINTER else NOTHING.union(*(contents(ctx, of.key) for of in found))
    for of in ctx.memory.pointed(new.origins):
        note_untracked(ctx, of, held)
    (into,) = ctx.memory.pointed(new.origins) if new.constant is not None else (None,)
    if into is None:
        return
    after = builder.fresh()
    for of in found:
        if of.kind == "heap" and not ctx.memory.is_multiple(of):
            here, other = builder.branch(compare(old.term, "==", ctx.memory.base_term(of).term))
            builder.at(here)
            _copy(ctx, of, into, node)
            builder.goto(after)
            builder.at(other)
    builder.goto(after)
    builder.at(after)


def _copy(ctx: Context, of: Object, into: Object, node: Node) -> None:
    for kind in tuple(ctx.facts.layouts.views.get(of.key, ())):
        ctx.facts.layouts.view(into.key, kind)
    source, target = heap_object(ctx, of), heap_object(ctx, into)
    if source is None or target is None:
        return
    room = dict(_scalars(ctx, target))
    for at, place in _scalars(ctx, source):
        if at in room and room[at].type == place.type:
            write(ctx, room[at], read(ctx, place, node), node)


def _scalars(ctx: Context, of: Object) -> Iterator[tuple[tuple[object, ...], Direct]]:
    """The first scalars of an object, by numbers of elements and names of members, as if it were always an array."""
    kind, length = (of.type.element, of.type.length) if isinstance(of.type, ArrayType) else (of.type, 1)
    parts = ctx.memory.scalars(kind, is_each=True)
    for number in range(min(length or 0, _MOST // max(1, len(parts)))):
        first: Path = (Index(constant(number), length),) if isinstance(of.type, ArrayType) else ()
        for path, scalar in parts:
            if all(isinstance(step, str) or step.constant is not None for step in path):
                names = (step if isinstance(step, str) else step.constant for step in path)
                yield (number, *names), Direct(of, (*first, *path), scalar)
