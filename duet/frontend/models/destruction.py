"""Functions that destroy what threads wait for: later operations have any result and do nothing (see `judgments`)."""

from __future__ import annotations

from duet.frontend.cells import gate
from duet.frontend.cells.context import Context
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.targets import Target
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.types import VOID
from duet.frontend.ctypes.values import Number, Place, Untracked, Value
from duet.frontend.graph.events import Destroying
from duet.frontend.judgments.destruction import DESTROYED, USED_LATE
from duet.frontend.models.call import Call, Model, answer, either
from duet.frontend.models.locks import (
    Lock,
    Way,
    busy,
    cell_of,
    destroyed_cell,
    may_be_destroyed,
    note_use,
    perform,
    put,
    untold_cell,
    when,
)
from duet.plip.syntax import SKIP, TRUE, Guard
from duet.plip.terms import compare, constant, disjunction, variable

EBUSY = 16


def destroy(*results: int) -> Model:
    """The function of a lock that threads cannot be seen to hold: it has one of some results."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        _note(ctx, call.target(ctx, 0), call)
        return either(ctx, *results) if len(results) > 1 else answer(ctx, results[0])

    return model


def destroy_mutex(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_destroy: refused while it is held."""
    place = call.target(ctx, 0)
    found: list[Outcome] = []

    def ways(mutex: Lock) -> list[Way]:
        return [Way(0, (when(mutex.cell, "==", 0),)), busy(mutex, EBUSY)]

    for at, value in perform(ctx, place, call, ways, (0, EBUSY)):
        ctx.builder.at(at)
        if not isinstance(value, Number) or value.constant == 0:
            _note(ctx, place, call)
        found.append((ctx.builder.current, value))
    return found


def missed(ctx: Context, condition: Place, call: Call) -> Guard | None:
    """What holds where a condition that is waited for may be destroyed, None where none can be."""
    if not ctx.facts.is_known(DESTROYED):
        return None
    told: dict[str, bool] = {}

    def action(target: Target) -> Value:
        cell = cell_of(ctx, target.place)
        told[cell or untold_cell(target.place)] = cell is not None
        return Untracked(VOID)

    gate.each(ctx, condition, Touch.LOCK, call.node, action, VOID)
    for cell in sorted(told):
        note_use(ctx, cell)
    late = sorted(cell for cell in told if may_be_destroyed(ctx, cell))
    if not late:
        return None
    if not all(told[cell] for cell in late):
        return Guard(TRUE)
    return Guard(disjunction(tuple(compare(variable(destroyed_cell(ctx, cell)), "!=", constant(0)) for cell in late)))


def initialise_condition(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_cond_init: a condition has no state but whether it is destroyed."""
    if ctx.facts.is_known(USED_LATE):
        restart(ctx, call.target(ctx, 0), call)
    else:
        call.value(ctx, 0)
    if len(call.arguments) > 1:
        call.value(ctx, 1)
    return answer(ctx, 0)


def restart(ctx: Context, place: Place, call: Call) -> None:
    """Makes what a place means usable again if it is destroyed."""
    builder = ctx.builder
    builder.flush()

    def action(target: Target) -> Value:
        cell = cell_of(ctx, target.place)
        if cell is not None and cell in ctx.facts.marked(USED_LATE):
            builder.emit(put(destroyed_cell(ctx, cell), 0))
        return Untracked(VOID)

    gate.each(ctx, place, Touch.LOCK, call.node, action, VOID)
    builder.flush()


def _note(ctx: Context, place: Place, call: Call) -> None:
    """Destroys whatever lock a place may mean."""
    builder = ctx.builder
    builder.flush()

    def action(target: Target) -> Value:
        cell = cell_of(ctx, target.place)
        is_told = cell is not None and cell not in ctx.facts.weak_locks
        if cell is None or not is_told:
            cell = untold_cell(target.place)
        ctx.facts.mark(DESTROYED, cell)
        if is_told and cell in ctx.facts.marked(USED_LATE):
            builder.emit(put(destroyed_cell(ctx, cell), 1))
        else:
            builder.emit(SKIP)
        builder.events.destroyed.setdefault(builder.current, []).append(Destroying(cell, call.node))
        return Untracked(VOID)

    gate.each(ctx, place, Touch.LOCK, call.node, action, VOID)
    builder.flush()
