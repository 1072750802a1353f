"""Mutexes of every kind and the conditions that go with them.

A mutex is 0 while it is free. Recursive and error-checking ones know their holder: each thread counts in a cell of its
own how often it holds them. The kind is a cell, too; where only one kind is possible nothing is asked of it.
A robust mutex may be had at any time: its holder may have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from duet.frontend.cells import gate
from duet.frontend.cells.access import write
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import CHANGED, ROBUST, SPECIAL
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.located import key_of
from duet.frontend.cells.locking import note_event
from duet.frontend.cells.targets import Target
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import LockOperation
from duet.frontend.ctypes.types import INT, VOID
from duet.frontend.ctypes.values import Number, Place, Untracked, Value, is_null, literal
from duet.frontend.expressions.places import pointed
from duet.frontend.judgments.identity import HANDLER
from duet.frontend.judgments.marks import Mark
from duet.frontend.models import destruction
from duet.frontend.models.call import ERRORS, Call, Model, answer, either
from duet.frontend.models.locks import (
    DESTROYED,
    EDEADLK,
    EINVAL,
    Lock,
    Taken,
    Way,
    Ways,
    busy,
    cell_of,
    cells_of,
    find_lock,
    given_up,
    initial_value,
    mentioned,
    own_cell,
    perform,
    put,
    side_cell,
    takes,
    when,
)
from duet.frontend.models.timeouts import refused
from duet.plip.syntax import Assign, Guard
from duet.plip.terms import add, compare, conjunction, constant, variable

EPERM, EBUSY, ETIMEDOUT, EOWNERDEAD, ENOTRECOVERABLE = 1, 16, 110, 130, 131
NORMAL, RECURSIVE, CHECKING = 0, 1, 2
_TAKEN: Taken = {0: False, EDEADLK: False}  # a thread that is refused has the mutex already
_SETTABLE = {0: NORMAL, 1: RECURSIVE, 2: CHECKING, 3: NORMAL}
KINDS: Mark[int] = Mark("kinds")
"""The mark of the kinds that a mutex may have, by the cell that holds its kind.

That of no cell: the kinds that any object may say which holds attributes, as these may be copied.
"""
_C11 = {0: 0, EBUSY: 1, ETIMEDOUT: 4}
"""What the functions of C11 make of error numbers: thrd_success, thrd_busy, thrd_timedout, else thrd_error."""


def kinds_of(ctx: Context, lock: Lock) -> tuple[str, frozenset[int]]:
    """The cell that holds the kind of a mutex, and the kinds that are possible at all."""
    first = _SETTABLE.get(initial_value(ctx, lock.part), NORMAL)
    name = side_cell(ctx, lock.cell, "kind", first)
    return name, frozenset((first, *_marked_kinds(ctx, name)))


def _marked_kinds(ctx: Context, cell: str | None) -> list[int]:
    return list(ctx.facts.marked(KINDS.of(cell)))


def _by_kind(ctx: Context, lock: Lock, ways: Callable[[int, str], Sequence[Way]]) -> list[Way]:
    """The ways for each possible kind, given the kind and the thread's own count."""
    cell, kinds = kinds_of(ctx, lock)
    held = own_cell(ctx, lock.cell, "depth") if kinds != {NORMAL} else ""
    if len(kinds) == 1:
        return list(ways(next(iter(kinds)), held))
    found: list[Way] = []
    for kind in sorted(kinds):
        other = [compare(variable(cell), "!=", constant(k)) for k in sorted(kinds - {NORMAL})]
        guard = Guard(conjunction(other)) if kind == NORMAL else when(cell, "==", kind)
        known = (mentioned(held),) if kind == NORMAL else ()
        found += [replace(way, steps=(guard, *known, *way.steps), case=guard) for way in ways(kind, held)]
    return found


def _held(lock: Lock, held: str, result: int = 0) -> Way:
    return Way(result, (when(lock.cell, "==", 0), put(lock.cell, 1), put(held, 1)))


def _deeper(held: str) -> Way:
    return Way(0, (when(held, ">=", 1), Assign(held, add(variable(held), constant(1)))))


def _lock_ways(lock: Lock, kind: int, held: str) -> Sequence[Way]:
    match kind:
        case 1:  # recursive
            return [_held(lock, held), _deeper(held)]
        case 2:  # error-checking
            return [_held(lock, held), Way(EDEADLK, (when(held, ">=", 1),))]
        case _:
            return [takes(lock)]


def _try_ways(lock: Lock, kind: int, held: str) -> Sequence[Way]:
    match kind:
        case 1:
            return [
                _held(lock, held),
                _deeper(held),
                Way(EBUSY, (when(held, "==", 0), when(lock.cell, "!=", 0))),
            ]
        case 2:
            return [_held(lock, held), busy(lock, EBUSY)]
        case _:
            return [takes(lock), busy(lock, EBUSY)]


def _unlock_ways(lock: Lock, kind: int, held: str) -> Sequence[Way]:
    match kind:
        case 1:
            return [
                Way(0, (when(held, "==", 1), put(lock.cell, 0), put(held, 0))),
                Way(0, (when(held, ">=", 2), Assign(held, add(variable(held), constant(-1))))),
                Way(EPERM, (when(held, "<=", 0),)),
            ]
        case 2:
            return [
                Way(0, (when(held, ">=", 1), put(lock.cell, 0), put(held, 0))),
                Way(EPERM, (when(held, "<=", 0),)),
            ]
        case _:
            return [Way(0, (put(lock.cell, 0),))]


def _acquiring(ctx: Context, ways: Callable[[Lock, int, str], Sequence[Way]], *more: int) -> Ways:
    """The ways to take a mutex, and further results without it."""

    def found(lock: Lock) -> Sequence[Way]:
        result = _by_kind(ctx, lock, lambda kind, held: ways(lock, kind, held))
        if lock.cell in ctx.facts.marked(ROBUST):
            ctx.builder.doubt("the holder of a robust mutex may have ended")
            depth = own_cell(ctx, lock.cell, "depth")
            result += [Way(EOWNERDEAD, (put(lock.cell, 1), put(depth, 1))), Way(ENOTRECOVERABLE), Way(EINVAL)]
        waiting = [when(lock.cell, "!=", 0)]
        if kinds_of(ctx, lock)[1] != {NORMAL}:
            waiting.append(when(own_cell(ctx, lock.cell, "depth"), "==", 0))
        return [*result, *(way for code in more for way in given_up(code, *waiting))]

    return found


def _releasing(ctx: Context) -> Ways:
    def found(lock: Lock) -> Sequence[Way]:
        result = _by_kind(ctx, lock, lambda kind, held: _unlock_ways(lock, kind, held))
        if lock.cell not in ctx.facts.marked(ROBUST):
            return result
        ctx.builder.doubt("the holder of a robust mutex may have ended")
        return [*result, Way(EPERM)]

    return found


def _untold(ctx: Context, *results: int, refused: int) -> tuple[int, ...]:
    """The results of an operation on a mutex that is not told apart; `refused` is that of one that knows its holder."""
    special = (refused,) if ctx.facts.is_known(SPECIAL) else ()
    robust = (EOWNERDEAD, ENOTRECOVERABLE, EINVAL) if ctx.facts.is_known(ROBUST) else ()
    return (*results, *special, *robust)


def _perform(
    ctx: Context,
    place: Place,
    call: Call,
    ways: Ways,
    *untold: int,
    taken: Taken | None = None,
    operation: LockOperation | None = None,
) -> list[Outcome]:
    """An operation on a mutex.

    One that knows its holder is not told apart where a handler uses it, nor is one that unknown code may initialise.
    """
    is_handler = ctx.thread.template in ctx.facts.marked(HANDLER)

    def weaken(target: Target) -> Value:
        mutex = find_lock(ctx, target, call)
        if mutex is None:
            return Untracked(VOID)
        name, kinds = kinds_of(ctx, mutex)
        if _is_started_elsewhere(ctx, mutex, name):
            ctx.facts.mark_any(SPECIAL)
            ctx.facts.weak_locks.add(mutex.cell)
        if is_handler and kinds != {NORMAL}:
            ctx.facts.weak_locks.add(mutex.cell)
        return Untracked(VOID)

    if is_handler or ctx.facts.is_known(CHANGED):
        gate.each(ctx, place, Touch.LOCK, call.node, weaken, VOID)
    refused = EPERM if taken is None else EDEADLK
    results = _untold(ctx, *untold, refused=refused)
    return perform(ctx, place, call, ways, results, taken=taken, operation=operation)


def _is_started_elsewhere(ctx: Context, mutex: Lock, kind: str) -> bool:
    """Whether unknown code may initialise a mutex: one that it gets and that the program does not initialise."""
    initial = ctx.memory.initial.get(mutex.part.object.key)
    is_started = (initial is not None and key_of(mutex.part.path) in initial.values) or _marked_kinds(ctx, kind)
    return mutex.cell in ctx.facts.marked(CHANGED) and not is_started


def c11(model: Model) -> Model:
    """An operation with the results that the function of C11 has instead of error numbers."""

    def translated(ctx: Context, call: Call) -> list[Outcome]:
        found = model(ctx, call)
        return [(at, literal(_C11.get(v.constant or 0, 2)) if isinstance(v, Number) else v) for at, v in found]

    return translated


def _operation(
    ways: Callable[[Lock, int, str], Sequence[Way]], untold: tuple[int, ...], more: tuple[int, ...] = ()
) -> Model:
    def model(ctx: Context, call: Call) -> list[Outcome]:
        place, others = call.target(ctx, 0), call.evaluate_from(ctx, 1)
        refusals = refused(ctx, call, others, EINVAL) if more else []
        return [*refusals, *_perform(ctx, place, call, _acquiring(ctx, ways, *more), *untold, taken=_TAKEN)]

    return model


lock = _operation(_lock_ways, (0,))
attempt = _operation(_try_ways, (0, EBUSY))
timed = _operation(_lock_ways, (0, ETIMEDOUT), (ETIMEDOUT,))


def unlock(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_unlock, mtx_unlock."""
    return _perform(ctx, call.target(ctx, 0), call, _releasing(ctx), 0)


def wait(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_cond_wait: the mutex is released and taken again (it may wake up by itself), or is not ours.

    On a condition that is destroyed it may also return at once, with any result.
    """
    condition = call.target(ctx, 0)
    missed = destruction.missed(ctx, condition, call)
    place = call.target(ctx, 1)
    is_timed = len(call.arguments) > 2
    found = refused(ctx, call, call.evaluate_from(ctx, 2), EINVAL) if is_timed else []
    if missed:
        ctx.builder.flush()
        here, at_once = ctx.builder.current, ctx.builder.fresh()
        ctx.builder.given.add(here)
        ctx.builder.edge(missed, at_once, mark=DESTROYED)
        ctx.builder.at(at_once)
        found += either(ctx, 0, EINVAL, *((ETIMEDOUT,) if is_timed else ()))
        ctx.builder.at(here)
    for released, value in _perform(ctx, place, call, _releasing(ctx), 0, operation=LockOperation.RELEASE):
        ctx.builder.at(released)
        if isinstance(value, Number) and value.constant:
            found.append((released, value))
            continue
        if not is_timed:
            note_event(ctx, LockOperation.AWAIT, call.node, condition)
        again = _acquiring(ctx, _lock_ways)
        for back, result in _perform(ctx, place, call, again, 0, taken=_TAKEN, operation=LockOperation.ACQUIRE):
            ctx.builder.at(back)
            is_late = is_timed and isinstance(result, Number) and result.constant == 0
            found += either(ctx, 0, ETIMEDOUT) if is_late else [(back, result)]
    return found


def wake(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_cond_signal, pthread_cond_broadcast: waiting threads may wake up by themselves, so nothing changes."""
    note_event(ctx, LockOperation.POST, call.node, call.target(ctx, 0))
    ctx.builder.flush()
    return answer(ctx, 0)


def initialise(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_init: free, of the kind that its attributes say."""
    place = call.target(ctx, 0)
    given = call.value(ctx, 1)
    if is_null(given):
        return _start(ctx, place, call, literal(NORMAL), {NORMAL})
    attributes = cells_of(ctx, pointed(ctx, given), call)
    if ctx.facts.is_known(ROBUST):
        ctx.facts.mark(ROBUST, *(cell for cell in cells_of(ctx, place, call) if cell is not None))
    if not ctx.facts.marked(CHANGED).isdisjoint(attributes):
        ctx.facts.mark_any(SPECIAL)
    elif len(attributes) == 1 and attributes[0] is not None:
        value = Number(variable(attributes[0]), INT, NORMAL, CHECKING)
        return _start(ctx, place, call, value, {NORMAL, *_marked_kinds(ctx, None)})
    ctx.facts.weak_locks.add(*(cell for cell in cells_of(ctx, place, call) if cell is not None))
    ctx.warn(call.node, "mutex-attributes", "the kind of this mutex is not known: it is taken to order nothing")
    return answer(ctx, 0)


def initialise_c11(ctx: Context, call: Call) -> list[Outcome]:
    """mtx_init: free, recursive or not."""
    place, kind = call.target(ctx, 0), call.number(ctx, 1)
    if kind.constant is not None:
        recursive = RECURSIVE if kind.constant & 1 else NORMAL
        found = _start(ctx, place, call, literal(recursive), {recursive})
    else:
        chosen = ctx.havoc(INT)
        limits = (compare(chosen.term, ">=", constant(0)), compare(chosen.term, "<=", constant(1)))
        ctx.builder.assume(conjunction(limits))
        found = _start(ctx, place, call, chosen, {NORMAL, RECURSIVE})
    return found


def _start(ctx: Context, place: Place, call: Call, kind: Number, kinds: set[int]) -> list[Outcome]:
    """Makes a mutex free, of one of some kinds."""
    if kinds != {NORMAL}:
        ctx.facts.mark_any(SPECIAL)

    def ways(mutex: Lock) -> Sequence[Way]:
        cell, _ = kinds_of(ctx, mutex)
        ctx.facts.mark(KINDS.of(cell), *sorted(kinds))
        return [Way(0, (put(mutex.cell, 0), Assign(cell, kind.term)))]

    return perform(ctx, place, call, ways, (0,))


def set_kind(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutexattr_settype."""
    place, kind = call.target(ctx, 0), call.number(ctx, 1)
    choices: Mapping[int, int] = _SETTABLE
    if kind.constant is not None:
        choices = {k: v for k, v in _SETTABLE.items() if k == kind.constant}
        if not choices:
            return answer(ctx, EINVAL)
    return _set_attribute(ctx, place, call, kind, choices)


def start_attributes(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutexattr_init: those of an ordinary mutex."""
    return _set_attribute(ctx, call.target(ctx, 0), call, literal(NORMAL), {NORMAL: NORMAL})


def _set_attribute(ctx: Context, place: Place, call: Call, kind: Number, choices: Mapping[int, int]) -> list[Outcome]:
    builder = ctx.builder
    after, refused = builder.fresh(), builder.fresh()

    def action(target: Target) -> Value:
        cell = cell_of(ctx, target.place)
        builder.flush()
        for given, meant in choices.items():
            asked = Guard(compare(kind.term, "==", constant(given)))
            way = builder.fresh()
            builder.edge(asked, way)
            start = builder.current
            builder.at(way)
            ctx.facts.mark(KINDS.of(None), meant)
            if meant != NORMAL:
                ctx.facts.mark_any(SPECIAL)
            if cell is not None:
                builder.emit(put(cell, meant))
            builder.goto(after)
            builder.at(start)
        if kind.constant is None:
            others = [compare(kind.term, "!=", constant(given)) for given in choices]
            builder.edge(Guard(conjunction(others)), refused)
        builder.dead()
        return Untracked(VOID)

    gate.each(ctx, place, Touch.LOCK, call.node, action, VOID)
    builder.dead()
    return [(after, literal(0)), *([(refused, literal(EINVAL))] if kind.constant is None else [])]


def set_robust(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutexattr_setrobust."""
    return _set_refusing(ctx, call, 0)


def set_protocol(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutexattr_setprotocol: under the protocols from 2 on locking may be refused."""
    return _set_refusing(ctx, call, 1)


def _set_refusing(ctx: Context, call: Call, limit: int) -> list[Outcome]:
    """Sets what makes that locking may be refused where it is above a limit."""
    place, value = call.target(ctx, 0), call.number(ctx, 1)
    if value.constant is None or value.constant > limit:
        ctx.facts.mark_any(ROBUST)
        ctx.facts.mark(ROBUST, *(cell for cell in cells_of(ctx, place, call) if cell is not None))
    return either(ctx, 0, ERRORS)


def set_ceiling(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_setprioceiling: as above; the old ceiling may be written behind the third argument."""
    if not is_null(call.value(ctx, 2)):
        write(ctx, call.target(ctx, 2), ctx.havoc(INT), call.node)
    return set_robust(ctx, call)
