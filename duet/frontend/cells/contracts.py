"""How the kernel calls the functions that it finds, where a harness says so: as part of which threads, and with what.

Without such a statement a function is called at any time, in any number of threads, with any arguments.
"""

from __future__ import annotations

from collections.abc import Iterable

from duet.frontend.cells.context import Context
from duet.frontend.judgments.marks import Mark

ANY_CALLBACK = "any callback"
"""The template that stands for all functions that the kernel calls, where it does; no function of C has such a name."""
_RUNS: Mark[str] = Mark("threads that stand for a function")
_GIVEN: Mark[int] = Mark("arguments that are not null")
_CYCLES: Mark[str] = Mark("threads of life cycles")


def let_stand(ctx: Context, function: str, threads: Iterable[str]) -> None:
    """Records the threads that run, instead of a function by itself, where the kernel finds the function."""
    for thread in threads:
        ctx.facts.mark(_RUNS.of(function), thread)
        ctx.facts.mark(_CYCLES, thread)


def runs_as(ctx: Context, function: str) -> tuple[str, ...]:
    """The functions that run as threads where the kernel finds a function."""
    return tuple(sorted(ctx.facts.marked(_RUNS.of(function)))) or (function,)


def is_cycle(ctx: Context, function: str) -> bool:
    """Whether a thread is the life cycle of something that the kernel has made: its first argument."""
    return function in ctx.facts.marked(_CYCLES)


def give(ctx: Context, function: str, positions: Iterable[int]) -> None:
    """Records which parameters of a function the kernel gives no null pointers."""
    ctx.facts.mark(_GIVEN.of(function), *positions)


def is_given(ctx: Context, function: str, position: int) -> bool:
    """Whether the kernel gives a parameter of a function no null pointer."""
    return position in ctx.facts.marked(_GIVEN.of(function))
