"""Time limits of waits: whether the one that a function is given is valid, for what is said of its results."""

from __future__ import annotations

from duet.frontend.cells import sharing
from duet.frontend.cells.access import inside, read
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot
from duet.frontend.ctypes.types import StructType
from duet.frontend.ctypes.values import Address, Direct, Number
from duet.frontend.expressions.places import pointed
from duet.frontend.models.call import Call
from duet.plip.syntax import SKIP, Formula, Guard
from duet.plip.terms import compare, conjunction, constant

ASSUMED = "the time limits of waits are valid (tv_nsec is below 1000000000)"
_NANOSECONDS = 1_000_000_000
_DOUBT = "a time limit need not be valid here"


def note_limit(ctx: Context, call: Call, position: int) -> None:
    """Goes on from here, exactly where the `struct timespec` that an argument points to is valid.

    That a wait with an invalid limit is refused is left out, which is assumed and reported.
    """
    ctx.assume(ASSUMED)
    is_valid = _validity(ctx, call, position)
    builder = ctx.builder
    builder.flush()
    after = builder.fresh()
    if is_valid is not None:
        builder.given.add(builder.current)
        builder.edge(Guard(is_valid), after)
    builder.edge(SKIP, after, mark=_DOUBT)
    builder.at(after)


def _validity(ctx: Context, call: Call, position: int) -> Formula | None:
    """What holds where a limit is valid; None where it is not known which one that is."""
    value = call.value(ctx, position)
    place = pointed(ctx, value) if isinstance(value, Address | Number) else None
    if not isinstance(place, Direct) or not isinstance(place.type, StructType) or place.type.key != "timespec":
        return None
    with sharing.in_library(ctx):
        nanoseconds = snapshot(ctx, number(ctx, read(ctx, inside(place, "tv_nsec", ctx.data.long), call.node)))
    assert isinstance(nanoseconds, Number)
    term = nanoseconds.term
    return conjunction((compare(term, ">=", constant(0)), compare(term, "<", constant(_NANOSECONDS))))
