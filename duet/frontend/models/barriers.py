"""Barriers: who waits is counted, and nobody comes anew before all have gone.

That newcomers wait for those who may go already leaves out no execution that matters: going is a step that nobody
sees, so it can be thought to happen at once. Where exactly as many threads as are needed use a barrier, each of them
has a cell of its own (0 elsewhere, 1 waiting, 2 may go): that everybody has come is then known of each, not only of
their number. Any one of the threads may be the one that gets PTHREAD_BARRIER_SERIAL_THREAD: who waits may claim it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import CHANGED
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.types import INT
from duet.frontend.ctypes.values import Number, is_null
from duet.frontend.judgments.destruction import USED_LATE
from duet.frontend.judgments.identity import HANDLER
from duet.frontend.judgments.marks import Mark
from duet.frontend.judgments.phases import ARRIVAL
from duet.frontend.models.call import Call, answer, either
from duet.frontend.models.destruction import restart
from duet.frontend.models.locks import Lock, Way, cells_of, mentioned, perform, put, side_cell, when
from duet.plip.syntax import Assign, Guard, Step
from duet.plip.terms import add, compare, constant, disjunction, variable

SERIAL = -1
EINVAL = 22
COUNTS: Mark[int] = Mark("counts")
"""The mark of how many threads a barrier may take, by its cell."""
USERS: Mark[str] = Mark("users")
"""The mark of the templates that use a barrier, by its cell."""
SHARED: Mark[str] = Mark("barriers of several processes")
_WAITS, _CLAIMS = 100, 101
_UNKNOWN = "how many threads a barrier takes is not known"


def initialise(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_barrier_init: how many threads it takes."""
    place = call.target(ctx, 0)
    attributes = call.value(ctx, 1)
    count = call.number(ctx, 2)
    if count.constant is not None and not 0 < count.constant <= INT.hi:
        return answer(ctx, EINVAL)
    is_known = count.constant is not None and (is_null(attributes) or not ctx.facts.is_known(SHARED))
    for cell in cells_of(ctx, place, call):
        if cell is not None:
            if count.constant is not None and is_known:
                ctx.facts.mark(COUNTS.of(cell), count.constant)
            else:
                ctx.facts.mark_any(COUNTS.of(cell))
            ctx.builder.emit(put(_ready(ctx, cell), 1))
    if ctx.facts.is_known(USED_LATE):
        restart(ctx, place, call)
    return answer(ctx, 0) if count.constant is not None else either(ctx, 0, EINVAL)


def _ready(ctx: Context, cell: str) -> str:
    """A cell that nobody has set before a barrier is initialised: to use it then has no defined meaning."""
    name = side_cell(ctx, cell, "ready")
    ctx.memory.cells[name] = replace(ctx.memory.cells[name], lo=0, hi=1)
    return name


def share(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_barrierattr_setpshared: threads of other processes may come, too."""
    call.evaluate_all(ctx)
    ctx.facts.mark_any(SHARED)
    return either(ctx, 0, EINVAL)


def wait(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_barrier_wait."""
    place = call.target(ctx, 0)
    found: list[Outcome] = []
    for at, value in perform(ctx, place, call, lambda lock: _come(ctx, lock), (0, SERIAL)):
        code = value.constant if isinstance(value, Number) else None
        if code not in (_WAITS, _CLAIMS):
            found.append((at, value))
            continue
        ctx.builder.at(at)
        result = SERIAL if code == _CLAIMS else 0
        ways = partial(_go, ctx, result)
        found += perform(ctx, place, call, ways, (result,), is_begun=True)
    return found


def _needed(ctx: Context, lock: Lock) -> int | None:
    """How many threads a barrier takes, if that is known; unknown code may have others wait, too."""
    if lock.cell in ctx.facts.marked(CHANGED):
        return None
    counts = ctx.facts.marked(COUNTS.of(lock.cell))
    return next(iter(counts)) if len(counts) == 1 and not ctx.facts.is_any_marked(COUNTS.of(lock.cell)) else None


def _users(ctx: Context, lock: Lock) -> frozenset[str]:
    """The templates that use a barrier, if each of them runs once; else none."""
    users, handlers = ctx.facts.marked(USERS.of(lock.cell)), ctx.facts.marked(HANDLER)
    return frozenset() if users & ctx.facts.many or users & handlers else users


def _is_too_few(ctx: Context, lock: Lock, needed: int) -> bool:
    """Whether so few threads use a barrier that it never opens."""
    return 0 < len(_users(ctx, lock)) < needed


def _members(ctx: Context, lock: Lock, needed: int) -> tuple[str, ...]:
    """The templates that use a barrier, if each runs once and all are needed; none else."""
    users = _users(ctx, lock)
    return tuple(sorted(users)) if len(users) == needed <= ctx.options.budgets.barrier_members else ()


def _come(ctx: Context, lock: Lock) -> Sequence[Way]:
    ctx.facts.mark(USERS.of(lock.cell), ctx.thread.template)
    needed = _needed(ctx, lock)
    if needed is None:
        return [Way(0, (), _UNKNOWN), Way(SERIAL, (), _UNKNOWN)]
    is_ready = mentioned(_ready(ctx, lock.cell))
    return [replace(way, steps=(is_ready, *way.steps)) for way in _arrivals(ctx, lock, needed)]


def _arrivals(ctx: Context, lock: Lock, needed: int) -> Sequence[Way]:
    if needed == 1:
        return [Way(SERIAL)]
    if _is_too_few(ctx, lock, needed):
        return [Way(_WAITS)]
    claimed = side_cell(ctx, lock.cell, "claimed")
    members = _members(ctx, lock, needed)
    if members:
        last, early, opening, coming = _by_member(ctx, lock, members)
    else:
        last, early, opening, coming = _by_count(ctx, lock, needed)
    return [
        Way(SERIAL, (*last, when(claimed, "==", 0), *opening)),
        Way(0, (*last, when(claimed, "==", 1), *opening, put(claimed, 0))),
        Way(_CLAIMS, (*early, when(claimed, "==", 0), *coming, put(claimed, 1))),
        Way(_WAITS, (*early, *coming)),
    ]


_Parts = tuple[tuple[Step, ...], tuple[Step, ...], tuple[Step, ...], tuple[Step, ...]]
"""Tests that all others wait, and that not all do; what the last one does, and what others do who come."""


def _arrival(ctx: Context, lock: Lock, member: str) -> str:
    return side_cell(ctx, lock.cell, f"{ARRIVAL}{member}")


def _by_member(ctx: Context, lock: Lock, members: tuple[str, ...]) -> _Parts:
    others = [_arrival(ctx, lock, member) for member in members if member != ctx.thread.template]
    missing = disjunction([compare(variable(other), "!=", constant(1)) for other in others])
    return (
        tuple(when(other, "==", 1) for other in others),
        (Guard(missing),),
        tuple(put(other, 2) for other in others),
        (put(_arrival(ctx, lock, ctx.thread.template), 1),),
    )


def _by_count(ctx: Context, lock: Lock, needed: int) -> _Parts:
    opened = when(side_cell(ctx, lock.cell, "opened"), "==", 0)
    return (
        (opened, when(lock.cell, "==", needed - 1)),
        (opened, when(lock.cell, "<=", needed - 2)),
        (put(side_cell(ctx, lock.cell, "opened"), 1),),
        (Assign(lock.cell, add(variable(lock.cell), constant(1))),),
    )


def _go(ctx: Context, result: int, lock: Lock) -> Sequence[Way]:
    """Waits until all have come, and goes."""
    needed = _needed(ctx, lock)
    if needed is None or needed == 1:
        return [Way(result, (), _UNKNOWN if needed is None else "")]
    if _is_too_few(ctx, lock, needed):
        return []
    if _members(ctx, lock, needed):
        mine = _arrival(ctx, lock, ctx.thread.template)
        return [Way(result, (when(mine, "==", 2), put(mine, 0)))]
    opened = side_cell(ctx, lock.cell, "opened")
    fewer = Assign(lock.cell, add(variable(lock.cell), constant(-1)))
    return [
        Way(result, (when(opened, "==", 1), when(lock.cell, ">=", 2), fewer)),
        Way(result, (when(opened, "==", 1), when(lock.cell, "<=", 1), put(lock.cell, 0), put(opened, 0))),
    ]
