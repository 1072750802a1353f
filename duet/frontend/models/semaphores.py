"""Semaphores as counters; one that is opened by name is such a counter where it is opened once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from duet.frontend.cells import gate
from duet.frontend.cells.access import write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.located import Initial
from duet.frontend.cells.targets import Target
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL
from duet.frontend.ctypes.types import INT, VOID_POINTER, OpaqueType
from duet.frontend.ctypes.values import Address, Direct, Number, Object, Value, literal, of_term
from duet.frontend.judgments.identity import FORKED, HANDLER
from duet.frontend.judgments.marks import Mark
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.heap import site
from duet.frontend.models.locks import (
    Lock,
    Way,
    cells_of,
    find_lock,
    given_up,
    may_be_destroyed,
    perform,
    put,
    when,
)
from duet.frontend.models.strings import known_name
from duet.frontend.models.timeouts import refused
from duet.plip.syntax import Assign, Guard
from duet.plip.terms import add, compare, constant, variable

LARGEST = (1 << 31) - 1
"""SEM_VALUE_MAX."""
_LONGEST_NAME = 251  # NAME_MAX without "sem." in glibc
_FAILED = -1
_CREATE = 0o100
"""O_CREAT."""
_OPENED: Mark[str] = Mark("opened")
"""Starts the mark of the places that open a semaphore of some name, `*` for an unknown one."""


def _taken(lock: Lock) -> Way:
    return Way(0, (when(lock.cell, ">=", 1), Assign(lock.cell, add(variable(lock.cell), constant(-1)))))


def _wait(lock: Lock) -> Sequence[Way]:
    return [_taken(lock)]


def _try(lock: Lock) -> Sequence[Way]:
    return [_taken(lock), Way(_FAILED, (when(lock.cell, "<=", 0),))]


def _timed(lock: Lock) -> Sequence[Way]:
    return [_taken(lock), *given_up(_FAILED, when(lock.cell, "<=", 0))]


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
        place, others = call.target(ctx, 0), call.evaluate_from(ctx, 1)
        refusals = refused(ctx, call, others, _FAILED) if ways is _timed else []
        if ways is _wait and ctx.facts.is_known(HANDLER):  # a signal may end the wait
            return perform(ctx, place, call, _timed, (0, _FAILED), may_start=True, refusal=_FAILED)
        return [*refusals, *perform(ctx, place, call, ways, untold, may_start=True, refusal=_FAILED)]

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
        ctx.facts.weak_locks.add(*(cell for cell in cells_of(ctx, place, call) if cell is not None))
    return perform(ctx, place, call, lambda lock: _start(lock, value), (0,) if value.hi <= LARGEST else (0, _FAILED))


def _start(lock: Lock, value: Number) -> Sequence[Way]:
    """Sets the count, unless that is too large."""
    if value.hi <= LARGEST:
        return [Way(0, (Assign(lock.cell, value.term),))]
    fits = Guard(compare(value.term, "<=", constant(LARGEST)))
    fails = Guard(compare(value.term, ">=", constant(LARGEST + 1)))
    return [Way(0, (fits, Assign(lock.cell, value.term))), Way(_FAILED, (fails,))]


def value(ctx: Context, call: Call) -> list[Outcome]:
    """sem_getvalue: the count at some time; glibc gives 0 where threads wait."""

    def action(target: Target) -> Value:
        lock = find_lock(ctx, target, call)
        if lock is None or may_be_destroyed(ctx, lock.cell):
            found = ctx.havoc(INT)
            ctx.builder.assume(compare(found.term, ">=", constant(0)))
            return found
        return snapshot(ctx, of_term(variable(lock.cell), INT, 0, LARGEST))

    found = gate.each(ctx, call.target(ctx, 0), Touch.LOCK, call.node, action, INT)
    write(ctx, call.target(ctx, 1), found, call.node)
    return answer(ctx, 0)


def opened(ctx: Context, call: Call) -> list[Outcome]:
    """sem_open: the semaphore of a name that only one call opens, once; else one that orders nothing; or none."""
    name = (known_name(ctx, call.value(ctx, 0)) or "").lstrip("/")  # as glibc does
    flags = call.number(ctx, 1)
    call.value(ctx, 2)
    count = call.number(ctx, 3)
    key = site(ctx, call)
    ctx.facts.mark(_OPENED.of(name or None), key)
    is_alone = (
        "/" not in name  # which is refused, and so are long names
        and len(name) <= _LONGEST_NAME
        and not ctx.facts.is_known(FORKED)
        and ctx.facts.marked(_OPENED.of(name)) == {key}
        and not ctx.facts.is_known(_OPENED.of(None))
    )
    creates = flags.constant is not None and flags.constant & _CREATE
    there, failed = ctx.builder.fork(2, is_given=True)
    ctx.builder.at(there)
    if name and is_alone and creates and len(call.arguments) > 3 and key not in ctx.facts.objects.repeated:
        ctx.assume("named semaphores are new where they are opened, and other processes do not use them")
        of = Object(f"semaphore {name}", OpaqueType("sem_t", 32, 8), "global", None, name, ctx.span(call.node))
        ctx.memory.declare(of, Initial({}, {}))
        place = Direct(of, (), of.type)
        address = number(ctx, Address(place, VOID_POINTER))
        found = perform(ctx, place, call, lambda lock: _start(lock, count), (0, _FAILED))
        made: list[Outcome] = []
        for at, result in found:
            is_made = isinstance(result, Number) and result.constant == 0
            made.append((at, address if is_made else literal(0, VOID_POINTER)))
        return [*made, (failed, literal(0, VOID_POINTER))]
    ctx.warn(call.node, "named-semaphore", "others may use this semaphore, too: it is taken to order nothing")
    unknown = ctx.havoc(VOID_POINTER, frozenset((EXTERNAL,)))
    ctx.builder.assume(compare(unknown.term, ">=", constant(1)))
    return [(ctx.builder.current, unknown), (failed, literal(0, VOID_POINTER))]
