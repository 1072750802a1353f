"""Semaphores as counters. One that a program opens by name is shared with others, so that it orders nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from duet.frontend.access import for_each, write
from duet.frontend.context import Context, Outcome
from duet.frontend.convert import snapshot
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.locks import HANDLER, Lock, Way, cells_of, find_lock, perform, put, when
from duet.frontend.targets import Target
from duet.frontend.types import INT, VOID_POINTER
from duet.frontend.values import EXTERNAL, Value, literal, of_term
from duet.plip.syntax import Assign, Guard
from duet.plip.terms import add, compare, constant, variable

LARGEST = (1 << 31) - 1
"""SEM_VALUE_MAX."""
_FAILED = -1


def _taken(lock: Lock) -> Way:
    return Way(0, (when(lock.cell, ">=", 1), Assign(lock.cell, add(variable(lock.cell), constant(-1)))))


def _wait(lock: Lock) -> Sequence[Way]:
    return [_taken(lock)]


def _try(lock: Lock) -> Sequence[Way]:
    return [_taken(lock), Way(_FAILED, (when(lock.cell, "<=", 0),))]


def _timed(lock: Lock) -> Sequence[Way]:
    return [_taken(lock), Way(_FAILED)]


def _post(lock: Lock) -> Sequence[Way]:
    more = Assign(lock.cell, add(variable(lock.cell), constant(1)))
    return [Way(0, (when(lock.cell, "<=", LARGEST - 1), more)), Way(_FAILED, (when(lock.cell, ">=", LARGEST),))]


ANY_NUMBER = (1 << 32) - 1
"""The count of a completion at which every wait passes (UINT_MAX, as in the kernel)."""


def _complete(lock: Lock) -> Sequence[Way]:
    more = Assign(lock.cell, add(variable(lock.cell), constant(1)))
    return [Way(0, (when(lock.cell, "<=", ANY_NUMBER - 1), more)), Way(0, (when(lock.cell, "==", ANY_NUMBER),))]


def _await(lock: Lock) -> Sequence[Way]:
    fewer = Assign(lock.cell, add(variable(lock.cell), constant(-1)))
    return [
        Way(0, (when(lock.cell, ">=", 1), when(lock.cell, "<=", ANY_NUMBER - 1), fewer)),
        Way(0, (when(lock.cell, "==", ANY_NUMBER),)),
    ]


def _await_try(lock: Lock) -> Sequence[Way]:
    return [*_await(lock), Way(_FAILED, (when(lock.cell, "==", 0),))]


def _operation(ways: Callable[[Lock], Sequence[Way]], *untold: int) -> Model:
    def model(ctx: Context, call: Call) -> list[Outcome]:
        place = call.target(ctx, 0)
        for position in range(1, len(call.arguments)):
            call.value(ctx, position)
        if ways is _wait and ctx.facts.marked(HANDLER):  # a signal may end the wait
            return perform(ctx, place, call, _timed, (0, _FAILED), may_start=True)
        return perform(ctx, place, call, ways, untold, may_start=True)

    return model


wait = _operation(_wait, 0)
attempt = _operation(_try, 0, _FAILED)
timed = _operation(_timed, 0, _FAILED)
post = _operation(_post, 0, _FAILED)
complete = _operation(_complete, 0)
complete_all = _operation(lambda lock: [Way(0, (put(lock.cell, ANY_NUMBER),))], 0)
await_completion = _operation(_await, 0)
try_completion = _operation(_await_try, 0, _FAILED)


def initialise(ctx: Context, call: Call) -> list[Outcome]:
    """sem_init: a semaphore starts with its third argument, unless that is too large."""
    place = call.target(ctx, 0)
    shared = call.number(ctx, 1)
    value = call.number(ctx, 2)
    if shared.constant != 0:  # then others may post
        ctx.facts.add(ctx.facts.weak_locks, *(cell for cell in cells_of(ctx, place, call) if cell is not None))
    fits = Guard(compare(value.term, "<=", constant(LARGEST)))
    fails = Guard(compare(value.term, ">=", constant(LARGEST + 1)))

    def ways(lock: Lock) -> Sequence[Way]:
        done = Way(0, (*(() if value.hi <= LARGEST else (fits,)), Assign(lock.cell, value.term)))
        return [done] if value.hi <= LARGEST else [done, Way(_FAILED, (fails,))]

    return perform(ctx, place, call, ways, (0, _FAILED))


def value(ctx: Context, call: Call) -> list[Outcome]:
    """sem_getvalue: the count at some time; glibc gives 0 where threads wait."""

    def action(target: Target) -> Value:
        lock = find_lock(ctx, target, call)
        if lock is None:
            found = ctx.havoc(INT)
            ctx.builder.assume(compare(found.term, ">=", constant(0)))
            return found
        return snapshot(ctx, of_term(variable(lock.cell), INT, 0, LARGEST))

    found = for_each(ctx, call.target(ctx, 0), call.node, action, INT)
    write(ctx, call.target(ctx, 1), found, call.node)
    return answer(ctx, 0)


def opened(ctx: Context, call: Call) -> list[Outcome]:
    """sem_open: a semaphore that other processes know as well, or none."""
    call.evaluate_all(ctx)
    ctx.warn(call.node, "named-semaphore", "other processes may use this semaphore, too: it is taken to order nothing")
    there, failed = ctx.builder.fork(2)
    ctx.builder.at(there)
    found = ctx.havoc(VOID_POINTER, frozenset((EXTERNAL,)))
    ctx.builder.assume(compare(found.term, ">=", constant(1)))
    return [(ctx.builder.current, found), (failed, literal(0, VOID_POINTER))]
