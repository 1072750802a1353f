"""Functions that tell the time, of which parts of a second are less than one, and those that take a time apart."""

from __future__ import annotations

from dataclasses import dataclass, replace

from duet.frontend.cells import sharing
from duet.frontend.cells.access import inside, read, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import snapshot
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.types import IntType, StructType
from duet.frontend.ctypes.values import Address, Direct, Number, Value, is_null
from duet.frontend.expressions.places import pointed
from duet.frontend.models.call import Call
from duet.frontend.models.effects import Codes, Effect
from duet.plip.terms import compare, constant, disjunction

CLOCKS = (0, 1)
"""CLOCK_REALTIME and CLOCK_MONOTONIC, which POSIX has always, and which fit."""
NANOSECONDS, MICROSECONDS = ("timespec", "tv_nsec", 1_000_000_000), ("timeval", "tv_usec", 1_000_000)
"""Structures with a part of a second, as tag, member and how many there are in a second."""
LATEST = 9_223_372_036
"""The last second since 1970 that Linux lets its clock be set to. *Source*: KTIME_SEC_MAX in include/linux/ktime.h."""
_YEARS = (-10_000_000_000, 253_000_000_000)
"""Seconds since 1970 in years of four digits, whatever the time zone is: fewer than an `int` holds."""


def _number_at(ctx: Context, value: Value) -> Direct | None:
    """The number behind a pointer; None where that is not known to be in one object."""
    place = pointed(ctx, value) if isinstance(value, Address | Number) and not is_null(value) else None
    return place if isinstance(place, Direct) and isinstance(place.type, IntType) else None


@dataclass(frozen=True, slots=True)
class Now(Effect):
    """That of `time`, which gives what it writes."""

    def model(self, ctx: Context, call: Call) -> list[Outcome]:
        """Lowers a call. *Source*: C11 7.27.2.4."""
        ((location, value),) = Effect.model(self, ctx, call)
        ctx.builder.at(location)
        if isinstance(value, Number):
            ctx.builder.assume(compare(value.term, "<=", constant(LATEST)))
            value = replace(value, hi=min(value.hi, LATEST))
            place = _number_at(ctx, call.value(ctx, 0)) if call.arguments else None
            if place is not None:
                with sharing.in_library(ctx):
                    write(ctx, place, value, call.node)
                ctx.builder.flush()
        return [(ctx.builder.current, value)]


@dataclass(frozen=True, slots=True)
class Dated(Effect):
    """That of a function that takes a time apart, which gives null only where the year is out of reach.

    *Source*: C11 7.27.3; POSIX.1-2008, localtime (EOVERFLOW).
    """

    def model(self, ctx: Context, call: Call) -> list[Outcome]:
        """Lowers a call: what it reads is read once, some time during the call."""
        place = _number_at(ctx, call.value(ctx, 0)) if call.arguments else None
        with sharing.in_library(ctx):
            time = snapshot(ctx, read(ctx, place, call.node)) if place is not None else None
        outcomes = Effect.model(self, ctx, call)
        return [self._told(ctx, time, *outcome) for outcome in outcomes] if isinstance(time, Number) else outcomes

    def _told(self, ctx: Context, time: Number, at: int, value: Value) -> Outcome:
        """An outcome, which is null only for some times."""
        if not is_null(value):
            return at, value
        ctx.builder.at(at)
        first, last = (compare(time.term, how, constant(end)) for how, end in zip(("<", ">"), _YEARS, strict=True))
        ctx.builder.assume(disjunction((first, last)))
        if at in ctx.builder.doubts:
            ctx.builder.doubts[ctx.builder.current] = ctx.builder.doubts[at]
        return ctx.builder.current, value


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
