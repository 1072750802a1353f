"""Functions that tell the time: the part of a second that they write is less than one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from duet.frontend.cells import sharing
from duet.frontend.cells.access import inside, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.types import StructType
from duet.frontend.ctypes.values import Address, Direct, Number, Value
from duet.frontend.expressions.places import pointed
from duet.frontend.models.call import Call
from duet.frontend.models.effects import Codes, Effect
from duet.plip.terms import compare, constant

CLOCKS = (0, 1)
"""CLOCK_REALTIME and CLOCK_MONOTONIC, which POSIX has always, and which fit."""
NANOSECONDS, MICROSECONDS = ("timespec", "tv_nsec", 1_000_000_000), ("timeval", "tv_usec", 1_000_000)
"""Structures with a part of a second, as tag, member and how many there are in a second."""


def part_of_second(ctx: Context, value: Value, unit: tuple[str, str, int]) -> Direct | None:
    """The part of a second behind a pointer; None where that is not known to be in one object."""
    tag, member, _ = unit
    place = pointed(ctx, value) if isinstance(value, Address | Number) else None
    if not isinstance(place, Direct) or not isinstance(place.type, StructType) or place.type.key != tag:
        return None
    found = inside(place, member, ctx.data.long)
    return found if isinstance(found, Direct) else None


@dataclass(frozen=True, slots=True)
class Clock(Effect):
    """That of a function that writes the time where it gives `success`; the argument `clock` may say of which clock."""

    unit: tuple[str, str, int] = NANOSECONDS
    success: int = 0
    clock: int | None = None

    def model(self, ctx: Context, call: Call) -> list[Outcome]:
        """Lowers a call. *Source*: clock_gettime, gettimeofday in POSIX; timespec_get in C11 7.27.2.5."""
        known = call.value(ctx, self.clock) if self.clock is not None else None
        is_known = isinstance(known, Number) and known.constant in CLOCKS
        outcomes = Effect.model(replace(self, returns=Codes((self.success,))) if is_known else self, ctx, call)
        ((position, _), *_) = self.writes
        part = part_of_second(ctx, call.value(ctx, position), self.unit)
        return outcomes if part is None else [self._told(ctx, call, part, *outcome) for outcome in outcomes]

    def _told(self, ctx: Context, call: Call, part: Direct, at: int, result: Value) -> Outcome:
        """An outcome, with the part of a second that it has where it succeeds."""
        if not isinstance(result, Number):
            return at, result
        builder = ctx.builder
        builder.at(at)
        succeeded, failed = builder.branch(compare(result.term, "==", constant(self.success)))
        builder.at(succeeded)
        with sharing.in_library(ctx):
            found = ctx.havoc(ctx.data.long, low=0)
            builder.assume(compare(found.term, "<", constant(self.unit[2])))
            write(ctx, part, found, call.node)
        builder.flush()
        builder.goto(failed)
        return failed, result
