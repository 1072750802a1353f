"""Locks as integers: what all of them have in common, and plain ones (0 free, 1 held).

An operation is a choice of ways: each happens as one step and has its own result. A lock that has no cell of its own
orders nothing (sound, with a warning): every result is possible and nothing is waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from duet.frontend.cells import gate, ownership, rereads
from duet.frontend.cells.access import havoc_any, located
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import SPECIAL, STATES, note_table_write, note_write
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.located import BitsAt, CellAt, TableAt, key_of
from duet.frontend.cells.locking import note_operation
from duet.frontend.cells.targets import Target
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import LockOperation
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.types import VOID, IntType, OpaqueType
from duet.frontend.ctypes.values import Direct, Index, Place, Temporary, Untracked, Value, is_null, literal
from duet.frontend.expressions.places import pointed
from duet.frontend.judgments import destruction as judgment
from duet.frontend.judgments.destruction import LATE_USES, USED_LATE
from duet.frontend.judgments.identity import HANDLER
from duet.frontend.judgments.marks import Mark
from duet.frontend.models.buffers import refuse_null
from duet.frontend.models.call import Call, Model, either, never
from duet.plip.syntax import SKIP, Assign, Atomic, Cell, Guard, Instruction, Step
from duet.plip.terms import compare, constant, disjunction, formula_cells, variable

EINVAL, EDEADLK = 22, 35
DESTROYED = "a lock is destroyed here"
EARLY = "a wait may be given up before it could have been long"
"""The mark of a wait that ends without what it waits for, where that may be there."""


INHERITED: Mark[str] = Mark("inherited locks")
"""The mark of programs in which a thread may have locks that another one took: none is told apart from others."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that is told apart from others: the cell of its state, and where that lies."""

    cell: str
    part: Direct


@dataclass(frozen=True, slots=True)
class Way:
    """One way for an operation to go: all of its steps at once, or not at all; then it returns `result`.

    `mark` says in what it is more than C allows, if it is. Only locks of one `case` have it, or all if that is None.
    """

    result: int
    steps: tuple[Step, ...] = ()
    mark: str = ""
    case: Guard | None = None


_COUNTING = frozenset((LockOperation.AWAIT, LockOperation.POST, LockOperation.MEET, LockOperation.COUNT))
"""Operations on what nobody holds."""
Taken: TypeAlias = Mapping[int, bool]
"""The results of an operation after which the thread has the lock, each with whether it may have it to read only."""
Ways = Callable[[Lock], Sequence[Way]]
"""The ways in which an operation on a lock may go."""


def when(cell: str, relation: str, value: int) -> Guard:
    """The step that passes where a cell compares with a constant."""
    return Guard(compare(variable(cell), relation, constant(value)))


def put(cell: str, value: int) -> Assign:
    """The step that sets a cell."""
    return Assign(cell, constant(value))


def find_lock(
    ctx: Context, target: Target, call: Call, may_start: bool = False, operation: LockOperation | None = None
) -> Lock | None:
    """The lock that is meant; None (with a warning) where it cannot be told apart from others.

    With `may_start` a number that it is initialised with is its state. To initialise one that shares its cell with
    others does nothing here, and no more in C than what uses of it see, which are in doubt themselves.
    """
    place = target.place
    if isinstance(place.type, IntType):
        _note_number(ctx, place)
    cell = cell_of(ctx, place)
    if isinstance(place, Direct) and cell is not None:
        part = ctx.memory.lock_part(place)
        first = initial_value(ctx, part)
        if first and isinstance(part.type, OpaqueType):  # that tells of what kind the lock is; it is free
            ctx.memory.cells[cell] = replace(ctx.memory.cells[cell], lo=0, hi=0)
            ctx.facts.mark_any(SPECIAL)
        is_weak = cell in ctx.facts.weak_locks or ctx.facts.is_known(INHERITED)
        if (not first or may_start or isinstance(part.type, OpaqueType)) and not is_weak:
            return Lock(cell, part)
    elif isinstance(place, Direct) and place.object.kind == "global":
        initial = ctx.memory.initial.get(place.object.key)
        if initial is None or any(initial.values.values()):
            ctx.facts.mark_any(SPECIAL)
    if not isinstance(place, Direct) or place.object.key in ctx.facts.objects.untracked:
        ctx.facts.mark_any(SPECIAL)  # unknown code may have initialised it
    is_used = operation is not LockOperation.INITIALISE or not isinstance(place, Direct) or cell is not None
    text = "this lock is not told apart from others: it is taken to order nothing"
    ctx.warn(call.node, "weak-lock", text, is_doubt=is_used)
    return None


def _note_number(ctx: Context, place: Place) -> None:
    """Notes that the library keeps what it likes in a number of the program."""
    rereads.note_state(ctx, place)
    match located(ctx, place) if isinstance(place, Direct) else None:
        case CellAt(name) | BitsAt(CellAt(name)):
            ctx.facts.mark(STATES, name)
        case _:
            return


def initial_value(ctx: Context, part: Direct) -> int:
    """The number that a static library object is initialised with; of several the first that is not 0."""
    initial = ctx.memory.initial.get(part.object.key)
    return initial.values.get(key_of(part.path), 0) if initial is not None else 0


def cell_of(ctx: Context, place: Place) -> str | None:
    """The cell of a library object if it has one that stands for nothing else; it counts as written."""
    if not isinstance(place, Direct):
        return None
    part = ctx.memory.lock_part(place)
    cell = located(ctx, part)
    if isinstance(cell, TableAt):
        note_table_write(ctx, part)
    if not isinstance(cell, CellAt) or cell.is_summary:
        return None
    note_write(ctx, cell, part, NOTHING)
    return cell.name


def cells_of(ctx: Context, place: Place, call: Call) -> list[str | None]:
    """The cells of all library objects that a place may mean, None for one without."""
    found: list[str | None] = []

    def action(target: Target) -> Value:
        found.append(cell_of(ctx, target.place))
        return Untracked(VOID)

    gate.each(ctx, place, Touch.LOCK, call.node, action, VOID)
    return found


def side_cell(ctx: Context, lock_name: str, what: str, initial: int = 0) -> str:
    """A further cell of a library object."""
    name = f"{lock_name}:{what}"
    if name not in ctx.memory.cells:
        lock = ctx.memory.cells[lock_name]
        label = f"{what} of {lock.label or lock_name}"
        ctx.memory.cells[name] = Cell(name, lock.template, False, initial, initial, label, ctx.builder.span)
    return name


def own_cell(ctx: Context, lock_name: str, what: str) -> str:
    """A cell in which each thread keeps what it has of a lock itself; 0 at first."""
    name = f"{lock_name}:{what}@{ctx.thread.template}"
    if name not in ctx.memory.cells:
        label = f"{what} of {ctx.memory.cells[lock_name].label or lock_name}"
        ctx.memory.cells[name] = Cell(name, ctx.thread.template, False, 0, 0, label, ctx.builder.span)
    return name


def perform(
    ctx: Context,
    place: Place,
    call: Call,
    ways: Ways,
    untold: Sequence[int],
    may_start: bool = False,
    taken: Taken | None = None,
    operation: LockOperation | None = None,
    refusal: int = EINVAL,
    is_begun: bool = False,
) -> list[Outcome]:
    """The outcomes of an operation on whatever lock a place may mean, one for each result.

    `untold` are the results where it is not known which lock that is. An operation without `taken`
    may give the lock back. `operation` is the one that the function is, if nothing else is said. On a lock that
    is destroyed it has any result or is refused, and does nothing, unless it goes on with what has begun.
    """
    builder = ctx.builder
    known = ctx.describe(call.name)
    operation = operation or (known.lock if known is not None else None)
    ends: dict[int, int] = {}
    found: list[Lock | None] = []
    missing: list[bool] = []
    if taken is None:
        ownership.note_giving(ctx, place)

    def action(target: Target) -> Value:
        lock = find_lock(ctx, target, call, may_start, operation)
        found.append(lock)
        missing.append(may_be_destroyed(ctx, lock.cell if lock is not None else untold_cell(target.place)))
        builder.flush()
        possible = ways(lock) if lock is not None else [Way(result) for result in untold]
        destroyed: Sequence[Way] = ()
        if not is_begun:
            possible, destroyed = _unless_destroyed(ctx, lock, target, operation, possible, (*untold, refusal))
        if lock is not None:
            builder.given.add(builder.current)  # in each state there is one way, or time or a signal decides
        for way in (*possible, *destroyed):
            if way.result not in ends:
                ends[way.result] = builder.fresh()
        start = builder.current
        cases = {way.case: None for way in possible if way.case is not None and ctx.wants("deadlock")}
        for case in cases or (None,):
            builder.at(start)
            if case is not None:
                builder.emit(case)
                builder.given.add(builder.current)
            those = [way for way in possible if case is None or way.case in (None, case)]
            if operation is not None:
                told = [(way.result, way.steps) for way in those]
                cell = lock.cell if lock is not None else None
                note_operation(ctx, operation, call.node, target.place, cell, told, ends)
            for way in those:
                builder.edge(_instruction(_complete(lock, way)), ends[way.result], mark=way.mark)
        builder.at(start)
        for way in destroyed:
            here, missed = builder.current, builder.fresh()
            builder.edge(_instruction(_complete(lock, way)), missed, mark=way.mark)
            builder.at(missed)
            if operation is not None and operation not in _COUNTING:
                note_operation(ctx, LockOperation.RELEASE, call.node, target.place, None, (), {})
            builder.goto(ends[way.result])
            builder.at(here)
        builder.dead()
        return Untracked(VOID)

    gate.each(ctx, place, Touch.LOCK, call.node, action, VOID)
    builder.dead()
    for result, end in ends.items():
        ends[result] = gate.behind(ctx, place, end)
    is_lent = ctx.thread.template in ctx.facts.marked(HANDLER) or ctx.facts.is_known(INHERITED)
    is_taken_for_sure = not is_lent and not any(missing)
    if taken is not None and is_taken_for_sure and not _is_only_one(found):
        for result in sorted(taken.keys() & ends.keys()):
            builder.at(ends[result])
            ownership.note_taking(ctx, place, taken[result], result == EDEADLK)
            ends[result] = builder.current
        builder.dead()
    return [(end, literal(result)) for result, end in ends.items()] or never(ctx)


def _is_only_one(locks: Sequence[Lock | None]) -> bool:
    """Whether one lock is meant that is in no array."""
    return len(locks) == 1 and locks[0] is not None and not any(isinstance(it, Index) for it in locks[0].part.path)


def _unless_destroyed(
    ctx: Context,
    lock: Lock | None,
    target: Target,
    operation: LockOperation | None,
    ways: Sequence[Way],
    results: Sequence[int],
) -> tuple[Sequence[Way], Sequence[Way]]:
    """The ways of an operation where a lock is there, and where it is destroyed: then with any of some results."""
    cell = lock.cell if lock is not None else untold_cell(target.place)
    if operation is LockOperation.INITIALISE:
        if lock is None or cell not in ctx.facts.marked(USED_LATE):
            return ways, ()
        restarted = put(destroyed_cell(ctx, cell), 0)
        return [replace(way, steps=(*way.steps, restarted)) if way.result == 0 else way for way in ways], ()
    if operation is not LockOperation.DESTROY:
        note_use(ctx, cell)
    if not may_be_destroyed(ctx, cell):
        return ways, ()
    if lock is None:
        return ways, [Way(result, (), DESTROYED) for result in dict.fromkeys(results)]
    flag = destroyed_cell(ctx, cell)
    there = [replace(way, steps=(when(flag, "==", 0), *way.steps)) for way in ways]
    return there, [Way(result, (when(flag, "!=", 0),), DESTROYED) for result in dict.fromkeys(results)]


def untold_cell(place: Place) -> str:
    """What stands for the cell of a lock that is not told apart from others."""
    return judgment.untold(place.object.key if isinstance(place, Direct) else None)


def may_be_destroyed(ctx: Context, cell: str) -> bool:
    """Whether a lock may be destroyed where this template uses it."""
    return (cell, ctx.thread.template) in ctx.facts.marked(LATE_USES)


def destroyed_cell(ctx: Context, cell: str) -> str:
    """The cell that is not 0 where a lock is destroyed."""
    return side_cell(ctx, cell, "destructions")


def note_use(ctx: Context, cell: str) -> None:
    """Notes that the thread uses a lock from here on."""
    ctx.builder.events.used.setdefault(ctx.builder.current, []).append(cell)


def mentioned(cell: str) -> Guard:
    """A step that says nothing of a cell, but counts as one that redefines it.

    What is known of the cell in front of a way that turns out to be impossible then does not flow around the others.
    """
    return Guard(disjunction((compare(variable(cell), "<=", constant(0)), compare(variable(cell), ">=", constant(1)))))


def _complete(lock: Lock | None, way: Way) -> tuple[Step, ...]:
    """The steps of a way, all of which mention the lock if they mention anything."""
    if lock is None or not way.steps or any(lock.cell in _cells(step) for step in way.steps):
        return way.steps
    return (*way.steps, mentioned(lock.cell))


def _cells(step: Step) -> frozenset[str]:
    match step:
        case Guard(condition):
            return frozenset(formula_cells(condition))
        case _:
            return frozenset((step.target,))


def _instruction(steps: tuple[Step, ...]) -> Instruction:
    match steps:
        case ():
            return SKIP
        case (step,):
            return step
        case _:
            return Atomic(steps)


def waits(ways: Ways, *untold: int, taken: Taken | None = None) -> Model:
    """An operation on the lock that the first argument points to; the other arguments are only evaluated."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        place = call.target(ctx, 0)
        for position in range(1, len(call.arguments)):
            call.value(ctx, position)
        return perform(ctx, place, call, ways, untold, taken=taken)

    return model


def takes(lock: Lock, result: int = 0) -> Way:
    """`atomic{[m = 0]; m := 1}`."""
    return Way(result, (when(lock.cell, "==", 0), put(lock.cell, 1)))


def busy(lock: Lock, result: int) -> Way:
    """Passes where the lock is held."""
    return Way(result, (when(lock.cell, "!=", 0),))


def given_up(result: int, *waiting: Step) -> list[Way]:
    """A wait that ends after some time without what it waits for: exact where that is `waiting` indeed."""
    return [Way(result, waiting), Way(result, (), EARLY)]


def set_to(value: int) -> Ways:
    """Sets the state."""
    return lambda lock: [Way(0, (put(lock.cell, value),))]


def waits_for(lock: Lock) -> Sequence[Way]:
    """Waits for a plain lock and takes it."""
    return [takes(lock)]


def tries(success: int, failure: int) -> Model:
    """Takes a plain lock if it is free."""
    return waits(lambda lock: [takes(lock, success), busy(lock, failure)], success, failure, taken={success: False})


def sets(*positions: int, results: tuple[int | range, ...] = (0,)) -> Model:
    """An operation that sets what some of its arguments point to, if to anything, in a way that is not tracked."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        for position in range(len(call.arguments)):
            value = call.value(ctx, position)
            if position not in positions:
                continue
            if is_null(value):
                refuse_null(ctx, value, None, call, position)
                continue
            place = pointed(ctx, value)
            ctx.builder.flush()
            if not isinstance(place, Temporary):
                havoc_any(ctx, place, call.node)
        ctx.builder.flush()
        return either(ctx, *results)

    return model
