"""mmap: memory of the process that the system gives, or MAP_FAILED, which is not null."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL, UNKNOWN_POINTER, failure
from duet.frontend.ctypes.types import ADDRESS, VOID_POINTER
from duet.frontend.ctypes.values import Address, Number
from duet.frontend.models.buffers import fill
from duet.frontend.models.call import Call
from duet.frontend.models.effects import any_pointer, result_type
from duet.frontend.models.heap import map_new
from duet.plip.terms import constant

_FAILED = failure("MAP_FAILED")
_SHARED, _PRIVATE, _ANONYMOUS = 0x01, 0x02, 0x20
_HINTS = 0x40 | 0x2000 | 0x4000 | 0x8000 | 0x10000 | 0x20000
"""MAP_32BIT, MAP_LOCKED, MAP_NORESERVE, MAP_POPULATE, MAP_NONBLOCK and MAP_STACK: where and how, not what."""


def mapping(ctx: Context, call: Call) -> list[Outcome]:
    """mmap: MAP_FAILED, or a new object of zeros where that is what is asked for; else memory out of the program.

    What is shared may change at any time and have other addresses, too, and so may what is in a file. Where the flags
    are not known to be without MAP_FIXED, the memory is where the first argument says, maybe at 0.
    """
    values = call.evaluate_all(ctx)
    flags = values[3].constant if len(values) > 3 and isinstance(values[3], Number) else None
    if flags is not None and flags & ~_HINTS == _PRIVATE | _ANONYMOUS:
        ctx.builder.flush()
        found, failing = ctx.builder.fork(2)
        ctx.builder.at(found)
        new = map_new(ctx, call, values[1])
        top = ADDRESS.hi
        failure = Number(constant(top), VOID_POINTER, top, top, frozenset((_FAILED,)))
        return [(ctx.builder.current, new), (failing, failure)]
    if flags is not None and not flags & ~(_HINTS | _PRIVATE | _SHARED | _ANONYMOUS):
        return any_pointer(ctx, result_type(call), frozenset((EXTERNAL, _FAILED)), may_fail=False)
    there = values[0] if values else None
    if there is not None:
        fill(ctx, there, None, call, position=0)
    at = number(ctx, there).origins if isinstance(there, Address | Number) else UNKNOWN_POINTER
    return any_pointer(ctx, result_type(call), at | {EXTERNAL, _FAILED})
