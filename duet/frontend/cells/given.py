"""Arguments of threads, which nothing changes, and what is known of those that the kernel gives by a contract."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.ownership import argument_of
from duet.frontend.ctypes.types import PointerType
from duet.frontend.ctypes.values import Address, Indirect, Number, Value
from duet.frontend.judgments.marks import Mark
from duet.plip.syntax import Linear

_WHOLE: Mark[str] = Mark("arguments that lead to whole objects")


def is_lasting(ctx: Context, value: Value) -> bool:
    """Whether an address is that of what an argument of the thread points to, or a part of it; none of it changes."""
    match value:
        case Number(Linear(((name, 1),))):
            start = argument_of(ctx.thread.template)
            return name.startswith(start) and (name == start or name[len(start) :].isdigit())
        case Address(Indirect(address, _, path)):
            return is_lasting(ctx, address) and all(isinstance(step, str) for step in path)
        case _:
            return False


def note_whole(ctx: Context, argument: str) -> None:
    """Records that an argument, by its cell, leads to a whole object of its type."""
    ctx.facts.mark(_WHOLE, argument)


def is_inside(ctx: Context, address: Number, size: int | None) -> bool:
    """Whether so many bytes at an address are inside of what an argument leads to."""
    if size is None or not is_lasting(ctx, address):
        return False
    name, start = address.term.terms[0][0], address.term.constant
    kind = ctx.memory.objects[name].type if name in ctx.facts.marked(_WHOLE) else None
    whole = ctx.memory.types.size(kind.target) if isinstance(kind, PointerType) else None
    return whole is not None and start >= 0 and start + size <= whole
