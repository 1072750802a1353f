"""Functions that the system calls: handlers of signals, of the ends of processes and threads, of timers."""

from __future__ import annotations

from duet.frontend.context import Context, Outcome
from duet.frontend.escapes import reachable
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.locks import HANDLER
from duet.frontend.models.unknown import arbitrary, origins_of
from duet.frontend.types import CType


def run_any_time(ctx: Context, call: Call, functions: tuple[str, ...]) -> None:
    """Functions that may run at any time from here on, any number of times: as threads."""
    ctx.builder.flush()
    for name in functions:
        command = ctx.hooks.thread(ctx, name, None, call.node)
        if command is not None:
            ctx.facts.mark(HANDLER, command.template)
            ctx.assume("signal and exit handlers run like threads, with thread-local variables of their own")
            ctx.warn(call.node, "handler", f"'{name}' may run at any time from here on: it is taken as a thread")
            ctx.builder.edge(command, ctx.builder.current)


def registers(kind: CType) -> Model:
    """signal, atexit and the like: the functions given may run at any time from here on, any number of times."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        origins = frozenset[str]().union(*(origins_of(ctx, value) for value in values))
        run_any_time(ctx, call, tuple(sorted(key[:-2] for key in reachable(ctx, origins) if key.endswith("()"))))
        return answer(ctx, arbitrary(ctx, call, kind, values))

    return model
