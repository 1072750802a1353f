"""Reader/writer locks: 0 free, n > 0 that many readers, -1 a writer; and what each thread itself has of them.

Who prefers whom makes no difference to those that wait: that a thread is kept waiting longer only leaves executions out
that have others in front of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.judgments.identity import HANDLER
from duet.frontend.models.call import Call, Model
from duet.frontend.models.locks import (
    EDEADLK,
    EINVAL,
    Lock,
    Taken,
    Way,
    cells_of,
    given_up,
    own_cell,
    perform,
    put,
    when,
)
from duet.frontend.models.mutexes import EBUSY, ETIMEDOUT
from duet.frontend.models.timeouts import refused
from duet.plip.syntax import Assign, Guard
from duet.plip.terms import add, compare, conjunction, constant, variable

# the C libraries refuse a thread only that has the lock to write already
_AS_READER: Taken = {0: True, EDEADLK: True}
_AS_WRITER: Taken = {0: False, EDEADLK: False}
_OWN = "a read/write lock is released by the thread that took it (else the behaviour is undefined)"


def _more(cell: str, amount: int) -> Assign:
    return Assign(cell, add(variable(cell), constant(amount)))


def _reading(lock: Lock, held: str) -> Way:
    """One more reader. glibc refuses a thread that holds the lock to write."""
    return Way(0, (when(lock.cell, ">=", 0), _more(lock.cell, 1), _more(held, 1)))


def _writing(lock: Lock, held: str) -> Way:
    return Way(0, (when(lock.cell, "==", 0), _more(lock.cell, -1), put(held, -1)))


def _is_writer(lock: Lock, held: str) -> tuple[Guard, Guard]:
    """That a thread has the lock to write, so that its state is -1."""
    return when(held, "<=", -1), when(lock.cell, "==", -1)


def _lost(lock: Lock, held: str) -> Way:
    """A thread that has the lock to write goes on, also where something undefined has changed the state of the lock."""
    return Way(0, (when(held, "<=", -1), when(lock.cell, "!=", -1)))


def _read(lock: Lock, held: str) -> Sequence[Way]:
    return [_reading(lock, held), Way(EDEADLK, (when(held, "<=", -1),))]


def _write(lock: Lock, held: str) -> Sequence[Way]:
    holds_it = Way(EDEADLK, (Guard(compare(variable(held), "!=", constant(0))),))
    return [_writing(lock, held), holds_it]


def _try_read(lock: Lock, held: str) -> Sequence[Way]:
    return [_reading(lock, held), Way(EBUSY, (when(lock.cell, "!=", 0),))]  # a writer may wait behind a reader


def _try_write(lock: Lock, held: str) -> Sequence[Way]:
    return [_writing(lock, held), Way(EBUSY, (when(lock.cell, "!=", 0),))]


def _late_read(lock: Lock, held: str) -> Sequence[Way]:
    return given_up(ETIMEDOUT, when(lock.cell, "<=", -1), when(held, ">=", 0))


def _late_write(lock: Lock, held: str) -> Sequence[Way]:
    return given_up(ETIMEDOUT, when(lock.cell, "!=", 0), when(held, "==", 0))


def _unlock(lock: Lock, held: str) -> Sequence[Way]:
    reads = conjunction((compare(variable(held), ">=", constant(1)), compare(variable(lock.cell), ">=", constant(1))))
    return [
        Way(0, (*_is_writer(lock, held), _more(lock.cell, 1), put(held, 0))),
        Way(0, (Guard(reads), _more(lock.cell, -1), _more(held, -1))),
        Way(0, (when(held, "==", 0),)),
        _lost(lock, held),
    ]


def _downgrade(lock: Lock, held: str) -> Sequence[Way]:
    now_reads = Way(0, (*_is_writer(lock, held), _more(lock.cell, 2), put(held, 1)))
    return [now_reads, Way(0, (when(held, ">=", 0),)), _lost(lock, held)]


def _operation(
    ways: Callable[[Lock, str], Sequence[Way]],
    *untold: int,
    late: Callable[[Lock, str], Sequence[Way]] | None = None,
    taken: Taken | None = None,
) -> Model:
    """The model of an operation; `late` are the ways in which one with a time limit, its last argument, is given up."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        place, others = call.target(ctx, 0), call.evaluate_from(ctx, 1)
        if ctx.thread.template in ctx.facts.marked(HANDLER):  # runs in the thread that may have the lock
            ctx.facts.weak_locks.add(*(cell for cell in cells_of(ctx, place, call) if cell is not None))

        def all_ways(lock: Lock) -> Sequence[Way]:
            held = own_cell(ctx, lock.cell, "mode")
            return [*ways(lock, held), *(late(lock, held) if late else ())]

        refusals = refused(ctx, call, others, EINVAL) if late else []
        if ways is _unlock:
            ctx.assume(_OWN)
        results = (*untold, *((ETIMEDOUT,) if late else ()))
        return [*refusals, *perform(ctx, place, call, all_ways, results, taken=taken)]

    return model


read_lock = _operation(_read, 0, EDEADLK, taken=_AS_READER)
write_lock = _operation(_write, 0, EDEADLK, taken=_AS_WRITER)
try_read_lock = _operation(_try_read, 0, EBUSY, taken=_AS_READER)
try_write_lock = _operation(_try_write, 0, EBUSY, taken=_AS_WRITER)
timed_read_lock = _operation(_read, 0, EDEADLK, late=_late_read, taken=_AS_READER)
timed_write_lock = _operation(_write, 0, EDEADLK, late=_late_write, taken=_AS_WRITER)
unlock = _operation(_unlock, 0)
downgrade = _operation(_downgrade, 0)
