"""Functions that the system calls: handlers of signals, of the ends of processes and threads, of timers."""

from __future__ import annotations

from duet.frontend.cells.callees import functions_among
from duet.frontend.cells.context import Context, Outcome
from duet.frontend.cells.escapes import reachable
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import ANYTHING
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.unknown import arbitrary, origins_of, run_any_time


def registers(kind: CType) -> Model:
    """signal, atexit and the like: the functions given may run at any time from here on, any number of times."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        origins = frozenset[str]().union(*(origins_of(ctx, value) for value in values))
        reached = reachable(ctx, origins)
        if ANYTHING in reached:
            run_any_time(ctx, call, functions_among(reached))
        return answer(ctx, arbitrary(ctx, call, kind, values))

    return model
