"""How many bytes objects have."""

from __future__ import annotations

from enum import Enum, auto
from typing import TypeAlias

from duet.frontend.cells.context import Context
from duet.frontend.cells.memory import Memory
from duet.frontend.ctypes.values import Number, Object

Extent: TypeAlias = Number | None
"""How many bytes something has, None where nobody knows."""


class Reach(Enum):
    """How many of the bytes that a library function is given it touches."""

    ALL = auto()
    DATA = auto()
    """As many as there is data for, which may be all."""
    NEEDED = auto()
    """Those in front of what it looks for, as the end of a string; all if that is not there."""


def is_nothing(extent: Extent) -> bool:
    """Whether there are no bytes."""
    return extent is not None and extent.constant == 0


def exact_size(memory: Memory, of: Object) -> int | None:
    """The bytes of an object, if they are known."""
    return memory.facts.layouts.sizes.get(of.key) if of.kind == "heap" else memory.typed_size(of)


def is_counted(ctx: Context, of: Object) -> bool:
    """Whether the size of an object is in a cell: no constant is known, and nothing changes it as long as it lives.

    So it is for those of the heap, and for arrays of variable length that only the thread that declares them reaches,
    in one instance. The cell is none of the program's: it has no place in an object, so that no access to it is noted
    for data races.
    """
    if not ctx.wants("array-bounds") or exact_size(ctx.memory, of) is not None:
        return False
    if of.kind == "heap":
        return of.key not in ctx.facts.objects.resized
    is_alone = not ctx.memory.is_shared(of) and of.key not in ctx.facts.objects.reentrant
    return of.key in ctx.memory.measured and of.template == ctx.thread.template and is_alone


def least_size(memory: Memory, of: Object) -> int:
    """The fewest bytes that an object may have."""
    size = exact_size(memory, of)
    if size is None and of.kind == "heap":
        return memory.facts.layouts.least.get(of.key, 0)
    return size or memory.types.size(of.type) or 0
