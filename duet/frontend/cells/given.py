"""Addresses that stay the same, of what arguments of threads lead to and of named objects; what the kernel gives."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import PointerType
from duet.frontend.ctypes.values import Address, Direct, Indirect, Number, Value
from duet.frontend.judgments.exclusion import argument_of
from duet.frontend.judgments.marks import Mark
from duet.plip.syntax import Linear

_WHOLE: Mark[str] = Mark("arguments that lead to whole objects")


def is_lasting(ctx: Context, value: Value) -> bool:
    """Whether an address is that of what an argument of the thread points to, of an object with a name, or of a part.

    None of it changes while the thread is in the function that names the object, unless that is entered anew.
    """
    match value:
        case Number(Linear(((name, 1),))):
            start = argument_of(ctx.thread.template)
            return name.startswith(start) and (name == start or name[len(start) :].isdigit())
        case Address(Indirect(address, _, path)):
            return is_lasting(ctx, address) and all(isinstance(step, str) for step in path)
        case Address(Direct(of, path)):
            is_named = of.kind in ("local", "global") and of.key not in ctx.facts.objects.reentrant
            return is_named and all(isinstance(step, str) or step.constant is not None for step in path)
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
