"""Time limits of waits: whether the one that a function is given is valid, for what is said of its results."""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells import sharing
from duet.frontend.cells.access import read
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.values import Number, Value, literal
from duet.frontend.models.call import Call
from duet.frontend.models.clocks import CLOCKS, NANOSECONDS, part_of_second
from duet.plip.syntax import SKIP, TRUE, Formula, Guard
from duet.plip.terms import compare, conjunction, constant, negate

_DOUBT = "a time limit need not be valid here"


def refused(ctx: Context, call: Call, given: Sequence[Value], result: int) -> list[Outcome]:
    """The outcome of a wait that is refused with a result, as its limit is not valid; none if it always is.

    That is the `struct timespec` that the last of the arguments `given` points to; those in front of it are clocks.
    Goes on from here, exactly where it is valid. A wait that would end at once need not look at its limit
    (pthread_mutex_timedlock in POSIX), so that it also goes on where it is not.
    """
    is_valid = _is_part(ctx, call, given[-1]) if given else None
    if not all(isinstance(clock, Number) and clock.constant in CLOCKS for clock in given[:-1]):
        is_valid = None
    if is_valid == TRUE:
        return []
    builder = ctx.builder
    builder.flush()
    after, refusing = builder.fresh(), builder.fresh()
    if is_valid is not None:
        builder.given.add(builder.current)
        builder.edge(Guard(is_valid), after)
    is_not = SKIP if is_valid is None else Guard(negate(is_valid))
    for end in (after, refusing):
        builder.edge(is_not, end, mark=_DOUBT)
    builder.at(after)
    return [(refusing, literal(result))]


def _is_part(ctx: Context, call: Call, limit: Value) -> Formula | None:
    """That an argument points to a limit that is valid; None where it is not known which one that is."""
    part = part_of_second(ctx, limit, NANOSECONDS)
    if part is None:
        return None
    with sharing.in_library(ctx):
        found = snapshot(ctx, number(ctx, read(ctx, part, call.node)))
    assert isinstance(found, Number)
    return conjunction((compare(found.term, ">=", constant(0)), compare(found.term, "<", constant(NANOSECONDS[2]))))
