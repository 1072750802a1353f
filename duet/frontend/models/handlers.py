"""Functions that the system calls: handlers of signals, of the ends of processes and threads, of timers."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.types import CType
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.unknown import arbitrary


def registers(kind: CType) -> Model:
    """signal, atexit and the like: the functions given may run at any time from here on, any number of times."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        return answer(ctx, arbitrary(ctx, call, kind, is_registered=True))

    return model
