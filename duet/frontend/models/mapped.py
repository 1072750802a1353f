"""mmap and its like: memory of the process that the system gives, or (void *)-1, which is not null."""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL, UNKNOWN_POINTER, Origin, failure
from duet.frontend.ctypes.types import ADDRESS, VOID_POINTER
from duet.frontend.ctypes.values import Address, Number, Value, is_null
from duet.frontend.models.buffers import fill
from duet.frontend.models.call import Call
from duet.frontend.models.effects import any_pointer, result_type
from duet.frontend.models.heap import map_new
from duet.plip.terms import constant

_FAILED, _MINUS_ONE = failure("MAP_FAILED"), failure("(void *)-1")
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
        return _elsewhere(ctx, call, _FAILED)
    return _placed(ctx, call, values, (0,), _FAILED)


def moved(ctx: Context, call: Call) -> list[Outcome]:
    """mremap: the memory is where it was, or elsewhere; what is behind the old address and the new one may change."""
    values = call.evaluate_all(ctx)
    return _placed(ctx, call, values, (0, *range(4, len(values))), _FAILED)


def attached(ctx: Context, call: Call) -> list[Outcome]:
    """shmat: memory out of the program, which may come in the place of what is behind the second argument."""
    values = call.evaluate_all(ctx)
    if len(values) > 1 and is_null(values[1]):
        return _elsewhere(ctx, call, _MINUS_ONE)
    return _placed(ctx, call, values, (1,), _MINUS_ONE)


def grown(ctx: Context, call: Call) -> list[Outcome]:
    """sbrk: the end of the data of the process, which is no memory of an object."""
    call.evaluate_all(ctx)
    return _elsewhere(ctx, call, _MINUS_ONE)


def _elsewhere(ctx: Context, call: Call, failed: Origin) -> list[Outcome]:
    """Memory out of the program, never at 0."""
    return any_pointer(ctx, result_type(call), frozenset((EXTERNAL, failed)), may_fail=False)


def _placed(ctx: Context, call: Call, values: Sequence[Value], places: Sequence[int], failed: Origin) -> list[Outcome]:
    """Memory where some arguments say, which changes, or elsewhere out of the program."""
    origins: set[Origin] = {EXTERNAL, failed}
    for place in places:
        there = values[place] if place < len(values) else None
        if there is not None:
            fill(ctx, there, None, call, position=place)
        origins |= number(ctx, there).origins if isinstance(there, Address | Number) else UNKNOWN_POINTER
    return any_pointer(ctx, result_type(call), frozenset(origins))
