"""How the kernel calls the functions that it finds, where a harness says so: as part of which threads, and with what.

Without such a statement a function is called at any time, in any number of threads, with any arguments.
"""

from __future__ import annotations

from collections.abc import Iterable

from duet.frontend.cells.context import Context
from duet.frontend.cells.operations import Operations, registered_by
from duet.frontend.judgments.marks import Mark

_RUNS: Mark[str] = Mark("threads that stand for a function")
_GIVEN: Mark[int] = Mark("arguments that are not null")
_CYCLES: Mark[str] = Mark("threads of life cycles")
_REGISTERED: Mark[str] = Mark("functions that register what an operation is for")
_OPERATIONS: Mark[str] = Mark("operations")
_CALLERS: Mark[str] = Mark("functions that call others for the kernel")
_PLACES: Mark[tuple[int, int]] = Mark("where what an operation is called with is")
_KEPT: Mark[str] = Mark("functions that only the driver calls")
_RELAYING: Mark[str] = Mark("functions that hand on what others of the driver return")
_BEHIND: Mark[str] = Mark("structures whose core waits for a function")
_ANY_TIME: Mark[str] = Mark("tables of operations that may be called at any time")
_ANY_DATA: Mark[str] = Mark("tables of operations that may find any private data")


def let_stand(ctx: Context, function: str, threads: Iterable[str]) -> None:
    """Records the threads that run, instead of a function by itself, where the kernel finds the function."""
    for thread in threads:
        ctx.facts.mark(_RUNS.of(function), thread)
        ctx.facts.mark(_CYCLES, thread)


def keep(ctx: Context, function: str) -> None:
    """Records that only the driver calls a function, as it keeps it in structures of its own types."""
    ctx.facts.mark(_KEPT, function)


def let_relay(ctx: Context, function: str) -> None:
    """Records that a function of the kernel may return whatever one of the driver does, which it calls."""
    ctx.facts.mark(_RELAYING, function)


def relays(ctx: Context, function: str) -> bool:
    """Whether a function of the kernel may return whatever one of the driver does."""
    return function in ctx.facts.marked(_RELAYING)


def let_be_behind(ctx: Context, function: str, structure: str) -> None:
    """Records that the core of a structure, by its tag, calls a function under its lock, or waits for its end."""
    ctx.facts.mark(_BEHIND.of(function), structure)


def behind(ctx: Context, function: str) -> tuple[str, ...]:
    """The structures whose cores call a function under their locks, or wait for its end."""
    return tuple(sorted(ctx.facts.marked(_BEHIND.of(function))))


def let_be_called(ctx: Context, function: str, callers: Iterable[str]) -> None:
    """Records what the kernel calls, instead of a function itself, where it has found that."""
    ctx.facts.mark(_CALLERS.of(function), *callers)


def caller_of(ctx: Context, function: str) -> str:
    """What the kernel calls where it has found a function."""
    found = sorted(ctx.facts.marked(_CALLERS.of(function)))
    return found[0] if len(found) == 1 else function


def let_operate(ctx: Context, function: str, registers: Iterable[str]) -> None:
    """Records that a function runs from calls of some functions on, which register what it is for, and not before."""
    ctx.facts.mark(_REGISTERED.of(function), *registers)
    ctx.facts.mark(_OPERATIONS, function)


def let_be_at(ctx: Context, function: str, start: int, size: int) -> None:
    """Records that an operation is called with what is so far from the start of an object of a size, or the like."""
    ctx.facts.mark(_PLACES.of(function), (start, size))


def places(ctx: Context, function: str) -> tuple[tuple[int, int], ...]:
    """Where what an operation is called with is: from the start of objects of which sizes; empty if that is not known.

    What is not understood may write its address anywhere.
    """
    return () if ctx.facts.refused else tuple(sorted(ctx.facts.marked(_PLACES.of(function))))


def record_of(ctx: Context, function: str) -> Operations | None:
    """The record of an operation that runs from its registration on; None for a function that may run at any time.

    What is not understood may register anything.
    """
    if ctx.facts.refused:
        return None
    for register in sorted(ctx.facts.marked(_REGISTERED.of(function))):
        record = registered_by(register)
        if record is not None and record.table not in ctx.facts.marked(_ANY_TIME):
            return record
    return None


def operations(ctx: Context, record: Operations) -> tuple[str, ...]:
    """The functions of a record that run from registrations on."""
    return tuple(name for name in sorted(ctx.facts.marked(_OPERATIONS)) if record_of(ctx, name) == record)


def is_passed(ctx: Context, function: str) -> bool:
    """Whether the first argument of an operation is what was registered."""
    record = record_of(ctx, function)
    return record is not None and record.is_passed


def has_operations(ctx: Context) -> bool:
    """Whether any function runs from a registration on."""
    return bool(ctx.facts.marked(_OPERATIONS))


def loosen(ctx: Context, record: Operations) -> None:
    """Records that the functions of a record may be called at any time, with any private data."""
    ctx.facts.mark(_ANY_TIME, record.table)


def forget(ctx: Context, record: Operations) -> None:
    """Records that the functions of a record may find any private data; then all that they know is their argument."""
    if record.is_passed:
        ctx.facts.mark(_ANY_DATA, record.table)
    else:
        loosen(ctx, record)


def has_data(ctx: Context, record: Operations) -> bool:
    """Whether the functions of a record find private data that is known."""
    return record.has_data and record.table not in ctx.facts.marked(_ANY_DATA)


def runs_as(ctx: Context, function: str) -> tuple[str, ...]:
    """The functions that run as threads where the kernel finds a function; none where a registration starts it.

    Nor where only the driver calls it: what the kernel was given is of the types that it knows (`kernel-pointers`).
    """
    if record_of(ctx, function) is not None:
        return ()
    if _is_kept(ctx, function):
        return ()
    return tuple(sorted(ctx.facts.marked(_RUNS.of(function)))) or (function,)


def _is_kept(ctx: Context, function: str) -> bool:
    """Whether only the driver calls a function. What is not understood may hand it over."""
    is_told = function in ctx.facts.marked(_KEPT) and not ctx.facts.refused
    return is_told and ctx.options.assumes("kernel-pointers")


def is_cycle(ctx: Context, function: str) -> bool:
    """Whether a thread is the life cycle of something that the kernel has made: its first argument."""
    return function in ctx.facts.marked(_CYCLES)


def give(ctx: Context, function: str, positions: Iterable[int]) -> None:
    """Records which parameters of a function the kernel gives no null pointers."""
    ctx.facts.mark(_GIVEN.of(function), *positions)


def is_given(ctx: Context, function: str, position: int) -> bool:
    """Whether the kernel gives a parameter of a function no null pointer."""
    return position in ctx.facts.marked(_GIVEN.of(function))
