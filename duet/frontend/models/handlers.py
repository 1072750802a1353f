"""Functions that the system calls: handlers of signals, of the ends of processes and threads, of timers."""

from __future__ import annotations

from duet.frontend.cells.callees import ignored_by, parameters
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import put_outside, reachable
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL, NOTHING, UNKNOWN_POINTER, Origins, functions
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Whole, is_null
from duet.frontend.models.buffers import fill
from duet.frontend.models.call import Call, Model, answer, either
from duet.frontend.models.effects import Effect, size_of
from duet.frontend.models.unknown import arbitrary, handlers_with, origins_of, run_any_time
from duet.frontend.source.nodes import names

_NEW, _OLD = 1, 2
"""The positions of what `sigaction` is to do, and of where it says what was done before."""


def registers(kind: CType) -> Model:
    """signal, atexit and the like: the functions given may run at any time from here on, any number of times."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        found = arbitrary(ctx, call, kind, is_registered=True)
        _note_information(ctx, handlers_with(ctx, NOTHING))
        return answer(ctx, found)

    return model


def signalled(effect: Effect) -> Model:
    """sigqueue and the like: what is given, a number or an address, is what handlers are told."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        put_outside(ctx, NOTHING.union(*(origins_of(ctx, value) for value in call.evaluate_all(ctx))))
        return effect.model(ctx, call)

    return model


def _note_information(ctx: Context, handlers: Origins) -> None:
    """Notes what handlers with more parameters are told: where memory was accessed, what was in registers.

    That may be the address of anything.
    """
    if any(_looks_at_more(ctx, key) for key in functions(handlers)):
        put_outside(ctx, UNKNOWN_POINTER)


def _looks_at_more(ctx: Context, key: str) -> bool:
    """Whether a handler may look at other parameters than the first one: it names one, or what is no C (assembler)."""
    definition = ctx.declared.functions.get(key)
    if definition is None:
        return True
    more = range(1, len(parameters(ctx, definition)))
    is_ignored = ignored_by(ctx, definition).issuperset(more)
    return bool(more) and (not is_ignored or any(name.startswith("__") for name in names(definition.node.body)))


def act(ctx: Context, call: Call) -> list[Outcome]:
    """sigaction: copies what the handlers are, and were before; only what it is told of these is written."""
    values = call.evaluate_all(ctx)
    given = NOTHING
    if len(values) > _NEW and not is_null(values[_NEW]):
        place = call.target(ctx, _NEW)
        given = reachable(ctx, origins_of(ctx, Whole(place, place.type)))
    handlers = handlers_with(ctx, given)
    _note_information(ctx, handlers)
    run_any_time(ctx, call, functions(given))
    if len(values) > _OLD:
        fill(ctx, values[_OLD], size_of(ctx, values[_OLD]), call, position=_OLD, pointers=handlers | {EXTERNAL})
    return either(ctx, 0, -1)
