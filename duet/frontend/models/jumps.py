"""`setjmp` and `longjmp`: jumps out of functions, as edges from where one is made to where one may lead back.

A jump leads to any call of `setjmp` of the same thread, whether the function around that is still active or not. So
does one that code that is not there may make, as it may know what `setjmp` stored. Behind it the result is any number
but 0, and locals of the function around the call that C leaves indeterminate hold anything. What the functions that are
left had still to do is not done.

*Approximates*: over. *Raises*: Unrecoverable where a thread jumps that calls no `setjmp` (a handler's jump into the
thread that it interrupts), from or into an atomic section, and for recursive functions.
"""

from __future__ import annotations

from duet.errors import Unrecoverable
from duet.frontend.cells.access import havoc_place
from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Frame, Outcome
from duet.frontend.ctypes.declarations import is_volatile
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.types import INT
from duet.frontend.ctypes.values import Direct, Object, literal
from duet.frontend.graph.builder import Landing
from duet.frontend.models.call import Call, either, never
from duet.frontend.models.effects import POINTED, effect
from duet.plip.syntax import SKIP

_MARK = "a jump leads to any call of setjmp of the thread"
_STORE = effect((0, POINTED)).model


def prepare(ctx: Context, call: Call) -> list[Outcome]:
    """setjmp: 0, and later any other number where a jump leads back."""
    _check_place(ctx, call)
    ((before, _),) = _STORE(ctx, call)
    ctx.warn(call.node, "jump", "jumps out of functions are not matched: any of the thread may lead here")
    builder = ctx.builder
    builder.at(before)
    builder.flush()
    landing = builder.outside()
    frames = tuple(frame.function for frame in ctx.thread.frames)
    builder.landings.append(Landing(landing, frames, ctx.span(call.node)))
    builder.mark(landing)
    for frame in ctx.thread.frames:
        frame.loops += 1  # what follows may be repeated
    ctx.thread.known = {}
    start = builder.current
    builder.at(landing)
    _forget(ctx, ctx.thread.frame)
    builder.flush()
    return [(start, literal(0)), *either(ctx, range(1, INT.hi + 1), range(INT.lo, 0))]


def leap(ctx: Context, call: Call) -> list[Outcome]:
    """longjmp: to any place where `setjmp` was called."""
    _check_place(ctx, call)
    call.evaluate_all(ctx)
    ctx.builder.flush()
    ctx.builder.leaps.append((ctx.builder.current, ctx.span(call.node)))
    return never(ctx)


def _check_place(ctx: Context, call: Call) -> None:
    if ctx.builder.is_inside:
        raise Unrecoverable(f"'{call.name}' in an atomic section is not modelled", ctx.span(call.node))


def _forget(ctx: Context, frame: Frame) -> None:
    """Makes unknown the locals of a function that may have changed between `setjmp` and a jump, if not volatile."""
    changed = frame.body.changed if frame.body is not None else frozenset()
    for local, of in frame.locals.items():
        if isinstance(of, Object) and (local in changed or frame.loops > 1) and not is_volatile(local.node):
            havoc_place(ctx, Direct(of, (), of.type), NOTHING)


def connect(ctx: Context) -> None:
    """Adds the jumps of a template that is complete but for them."""
    builder = ctx.builder
    leaps = [(place, span) for place, span in builder.leaps if place in builder.reached]
    if not builder.landings:
        for _, span in leaps:
            raise Unrecoverable("this jump leads to no setjmp of its thread, which is not modelled", span)
        return
    for landing in builder.landings:
        if not ctx.facts.recursive.isdisjoint(landing.functions):
            raise Unrecoverable("setjmp in a recursive function is not modelled", landing.span)
    chances = [(place, span) for place, span in builder.chances if place in builder.reached]
    for place, span in chances:
        if place in builder.atomic:
            raise Unrecoverable("code that is not there may jump out of this atomic section", span)
    hub = builder.outside()
    for place, span in (*leaps, *chances):
        builder.span = span or builder.span
        builder.at(place)
        builder.edge(SKIP, hub, mark=_MARK)
    for landing in builder.landings:
        builder.span = landing.span
        builder.at(hub)
        builder.edge(SKIP, landing.location, mark=_MARK)
