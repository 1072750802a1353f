"""Locks as integers: mutexes and spinlocks (0 free, 1 held), reader/writer locks (-1 writer), semaphores (count).

Acquiring is one atomic step. A lock that has no cell of its own orders nothing (sound, with a warning), and so does a
mutex that may be recursive.
"""

from __future__ import annotations

from collections.abc import Callable

from duet.frontend.access import for_each, located, note_write
from duet.frontend.context import Context, Outcome
from duet.frontend.memory import CellAt, key_of
from duet.frontend.models.call import Call, Model, answer, done, either
from duet.frontend.targets import Target
from duet.frontend.types import VOID
from duet.frontend.values import NOTHING, Direct, Number, Place, Untracked, Value, is_null, literal
from duet.plip.syntax import Assign, Atomic, Cell, Formula, Guard, Linear
from duet.plip.terms import add, compare, constant, negate, variable

EBUSY = 16


def lock_cell(ctx: Context, target: Target, call: Call) -> str | None:
    """The strong cell of a lock; None where it has none."""
    if isinstance(target.place, Direct):
        part = ctx.memory.lock_part(target.place)
        cell = located(ctx, part)
        if isinstance(cell, CellAt) and not cell.is_summary:
            note_write(ctx, cell, part, NOTHING)
            initial = ctx.memory.initial.get(part.object.key)
            # A mutex that is not initialised with zeros is of another kind than the ordinary one.
            is_ordinary = initial is None or not initial.values.get(key_of(part.path))
            if is_ordinary and cell.name not in ctx.facts.weak_locks:
                return cell.name
    ctx.warn(
        call.node,
        "weak-lock",
        "this lock may be recursive or is not told apart from others: it is taken to order nothing",
    )
    return None


Change = Callable[[str], tuple[Formula, Linear]]
"""By the cell of a lock: what must hold, and the new value."""


def step(ctx: Context, place: Place, call: Call, change: Change, mode: int = 0) -> None:
    """Atomically waits for a condition on a lock's cell and changes it, for whatever lock a place may mean."""

    def action(target: Target) -> Value:
        cell = lock_cell(ctx, target, call)
        if cell is not None:
            guard, value = change(cell)
            ctx.builder.emit(Atomic((Guard(guard), Assign(cell, value), *_noted(ctx, cell, mode))))
        return Untracked(VOID)

    for_each(ctx, place, call.node, action, VOID)


def _mode_cell(ctx: Context, lock_name: str) -> str:
    """The local cell that tells how a thread took a reader/writer lock last: 1 to read, 2 to write.

    A thread holds it in one way only, so this decides which unlock is meant; the count alone loses that link.
    """
    name = f"{lock_name}:mode@{ctx.template}"
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(name, ctx.template, False, 0, 0, f"mode of {lock_name}", ctx.builder.span)
    return name


def _noted(ctx: Context, lock_name: str, mode: int) -> tuple[Assign, ...]:
    return (Assign(_mode_cell(ctx, lock_name), constant(mode)),) if mode else ()


def _set(ctx: Context, place: Place, call: Call, value: Linear) -> None:
    """Sets a lock's cell."""

    def action(target: Target) -> Value:
        cell = lock_cell(ctx, target, call)
        if cell is not None:
            ctx.builder.emit(Assign(cell, value))
        return Untracked(VOID)

    for_each(ctx, place, call.node, action, VOID)


def acquire_place(ctx: Context, place: Place, call: Call) -> None:
    """`atomic{[m = 0]; m := 1}`."""
    step(ctx, place, call, lambda m: (compare(variable(m), "==", constant(0)), constant(1)))


def release_place(ctx: Context, place: Place, call: Call) -> None:
    """`m := 0`."""
    _set(ctx, place, call, constant(0))


def lock(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_lock and the like."""
    acquire_place(ctx, call.target(ctx, 0), call)
    return answer(ctx, 0)


def unlock(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_unlock and the like."""
    release_place(ctx, call.target(ctx, 0), call)
    return answer(ctx, 0)


def attempt(fail: int, success: int = 0) -> Model:
    """A lock operation that takes a mutex if it is free, with what it returns otherwise."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        return _attempt(ctx, call, success, fail, lambda m: (compare(variable(m), "==", constant(0)), constant(1)))

    return model


def _attempt(ctx: Context, call: Call, success: int, fail: int, change: Change, mode: int = 0) -> list[Outcome]:
    """Two outcomes: the step was taken, or its guard was false."""
    place = call.target(ctx, 0)
    yes, no = ctx.builder.fresh(), ctx.builder.fresh()

    def action(target: Target) -> Value:
        cell = lock_cell(ctx, target, call)
        if cell is None:
            for location, way in zip((yes, no), ctx.builder.fork(2), strict=True):
                ctx.builder.at(way)
                ctx.builder.goto(location)
            return Untracked(VOID)
        guard, value = change(cell)
        ctx.builder.edge(Atomic((Guard(guard), Assign(cell, value), *_noted(ctx, cell, mode))), yes)
        ctx.builder.edge(Guard(negate(guard)), no)
        ctx.builder.dead()
        return Untracked(VOID)

    for_each(ctx, place, call.node, action, VOID)
    ctx.builder.dead()
    return [(yes, literal(success)), (no, literal(fail))]


def timed(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_timedlock: taken, or given up at any time."""
    place = call.target(ctx, 0)
    taken, late = ctx.builder.fork(2)
    ctx.builder.at(taken)
    acquire_place(ctx, place, call)
    return [(ctx.builder.current, literal(0)), (late, literal(110))]


def initialise(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_mutex_init: free; with attributes it may be recursive, so it orders nothing."""
    place = call.target(ctx, 0)
    attributes = call.value(ctx, 1) if len(call.arguments) > 1 else literal(0)
    if not is_null(attributes) and call.name == "pthread_mutex_init":

        def weaken(target: Target) -> Value:
            if isinstance(target.place, Direct):
                cell = located(ctx, ctx.memory.lock_part(target.place))
                if isinstance(cell, CellAt):
                    ctx.facts.add(ctx.facts.weak_locks, cell.name)
            return Untracked(VOID)

        for_each(ctx, place, call.node, weaken, VOID)
        ctx.warn(
            call.node, "mutex-attributes", "a mutex with attributes may be recursive: it is taken to order nothing"
        )
    _set(ctx, place, call, constant(0))
    return answer(ctx, 0)


def quiet(ctx: Context, call: Call) -> list[Outcome]:
    """An operation that changes nothing that is tracked and succeeds."""
    call.evaluate_all(ctx)
    return answer(ctx, 0)


def read_lock(ctx: Context, call: Call) -> list[Outcome]:
    """One more reader."""
    step(
        ctx,
        call.target(ctx, 0),
        call,
        lambda m: (compare(variable(m), ">=", constant(0)), add(variable(m), constant(1))),
        mode=1,
    )
    return answer(ctx, 0)


def write_lock(ctx: Context, call: Call) -> list[Outcome]:
    """The only writer."""
    step(ctx, call.target(ctx, 0), call, _writer, mode=2)
    return answer(ctx, 0)


def _writer(m: str) -> tuple[Formula, Linear]:
    return compare(variable(m), "==", constant(0)), constant(-1)


def try_write_lock(ctx: Context, call: Call) -> list[Outcome]:
    """The only writer, if there is nobody."""
    return _attempt(ctx, call, 0, EBUSY, _writer, mode=2)


def try_read_lock(ctx: Context, call: Call) -> list[Outcome]:
    """One more reader, if there is no writer."""
    return _attempt(ctx, call, 0, EBUSY, _reader, mode=1)


def _reader(m: str) -> tuple[Formula, Linear]:
    return compare(variable(m), ">=", constant(0)), add(variable(m), constant(1))


def rw_unlock(ctx: Context, call: Call) -> list[Outcome]:
    """The writer or one reader leaves."""

    def action(target: Target) -> Value:
        cell = lock_cell(ctx, target, call)
        if cell is not None:
            m = variable(cell)
            join = ctx.builder.fresh()
            mode = variable(_mode_cell(ctx, cell))
            is_writer, is_reader = compare(mode, "==", constant(2)), compare(mode, "==", constant(1))
            writer = Atomic((Guard(is_writer), Assign(cell, constant(0))))
            reader = Atomic(
                (Guard(is_reader), Guard(compare(m, ">=", constant(1))), Assign(cell, add(m, constant(-1))))
            )
            ctx.builder.edge(writer, join)
            ctx.builder.edge(reader, join)
            ctx.builder.at(join)
        return Untracked(VOID)

    for_each(ctx, call.target(ctx, 0), call.node, action, VOID)
    return answer(ctx, 0)


def sem_init(ctx: Context, call: Call) -> list[Outcome]:
    """A semaphore starts with its third argument."""
    place = call.target(ctx, 0)
    call.value(ctx, 1)
    value: Number = call.number(ctx, 2)
    _set(ctx, place, call, value.term)
    return answer(ctx, 0)


def _take(m: str) -> tuple[Formula, Linear]:
    return compare(variable(m), ">=", constant(1)), add(variable(m), constant(-1))


def sem_wait(ctx: Context, call: Call) -> list[Outcome]:
    """Waits for a positive count and takes one."""
    step(ctx, call.target(ctx, 0), call, _take)
    return answer(ctx, 0)


def sem_trywait(ctx: Context, call: Call) -> list[Outcome]:
    """Takes one if the count is positive, else -1."""
    return _attempt(ctx, call, 0, -1, _take)


def sem_timedwait(ctx: Context, call: Call) -> list[Outcome]:
    """Takes one, or gives up at any time."""
    place = call.target(ctx, 0)
    taken, late = ctx.builder.fork(2)
    ctx.builder.at(taken)
    step(ctx, place, call, _take)
    return [(ctx.builder.current, literal(0)), (late, literal(-1))]


def sem_post(ctx: Context, call: Call) -> list[Outcome]:
    """Gives one."""

    def action(target: Target) -> Value:
        cell = lock_cell(ctx, target, call)
        if cell is not None:
            ctx.builder.emit(Atomic((Assign(cell, add(variable(cell), constant(1))),)))
        return Untracked(VOID)

    for_each(ctx, call.target(ctx, 0), call.node, action, VOID)
    return answer(ctx, 0)


def wait(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_cond_wait: the mutex is released and taken again (it may wake up by itself)."""
    call.value(ctx, 0)
    place = call.target(ctx, 1)
    release_place(ctx, place, call)
    acquire_place(ctx, place, call)
    if "timed" in call.name:
        return either(ctx, 0, 110)
    return answer(ctx, 0)


def once(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_once: one thread runs the function (0 not yet, 1 running, 2 done), the others wait for it."""
    place = call.target(ctx, 0)
    functions = call.function(ctx, 1)

    def action(target: Target) -> Value:
        cell = lock_cell(ctx, target, call)
        first, later, join = ctx.builder.fresh(), ctx.builder.fresh(), ctx.builder.fresh()
        if cell is None:
            ctx.builder.goto(first)
        else:
            guard = Guard(compare(variable(cell), "==", constant(0)))
            ctx.builder.edge(Atomic((guard, Assign(cell, constant(1)))), first)
            ctx.builder.edge(Guard(compare(variable(cell), "==", constant(2))), later)
        for name in functions or ():
            ctx.builder.at(first)
            ctx.hooks.invoke(ctx, name, call.node)
            if cell is not None:
                ctx.builder.emit(Assign(cell, constant(2)))
            ctx.builder.goto(join)
        ctx.builder.at(later)
        ctx.builder.goto(join)
        ctx.builder.at(join)
        return Untracked(VOID)

    for_each(ctx, place, call.node, action, VOID)
    return done(ctx) if call.name != "pthread_once" else answer(ctx, 0)
