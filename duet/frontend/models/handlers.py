"""Functions that the system calls: handlers of signals, of the ends of processes and threads, of timers."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import reachable
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL, NOTHING, functions
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Whole, is_null
from duet.frontend.models.buffers import fill
from duet.frontend.models.call import Call, Model, answer, either
from duet.frontend.models.effects import size_of
from duet.frontend.models.unknown import arbitrary, handlers_with, origins_of, run_any_time

_NEW, _OLD = 1, 2
"""The positions of what `sigaction` is to do, and of where it says what was done before."""


def registers(kind: CType) -> Model:
    """signal, atexit and the like: the functions given may run at any time from here on, any number of times."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        return answer(ctx, arbitrary(ctx, call, kind, is_registered=True))

    return model


def act(ctx: Context, call: Call) -> list[Outcome]:
    """sigaction: copies what the handlers are, and were before; only what it is told of these is written."""
    values = call.evaluate_all(ctx)
    given = NOTHING
    if len(values) > _NEW and not is_null(values[_NEW]):
        place = call.target(ctx, _NEW)
        given = reachable(ctx, origins_of(ctx, Whole(place, place.type)))
    handlers = handlers_with(ctx, given)
    run_any_time(ctx, call, functions(given))
    if len(values) > _OLD:
        fill(ctx, values[_OLD], size_of(ctx, values[_OLD]), call, position=_OLD, pointers=handlers | {EXTERNAL})
    return either(ctx, 0, -1)
