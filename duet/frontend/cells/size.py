"""When a program is large: then calls share bodies early, and what unknown code may reach is not tracked.

Both are over-approximations that keep the size of the graph near that of the text.
"""

from __future__ import annotations

from collections.abc import Collection

from duet.frontend.cells.context import Context
from duet.frontend.judgments.marks import Mark

_UNKNOWN = 10**9
_LARGE: Mark[str] = Mark("large program")
_HUGE: Mark[str] = Mark("program that is so large that calls share bodies early")


def is_large(ctx: Context) -> bool:
    """Whether the program is large, as far as it has been lowered or as an earlier round has found."""
    if ctx.facts.is_known(_LARGE):
        return True
    if ctx.emitted + len(ctx.builder.commands) <= ctx.options.budgets.program_commands:
        return False
    ctx.facts.mark_any(_LARGE)
    ctx.assume("the program is large: functions share bodies, memory that unknown code may reach holds anything")
    return True


def _is_huge(ctx: Context) -> bool:
    """Whether a large program is huge, as far as it has been lowered or as an earlier round has found."""
    if not ctx.facts.is_known(_HUGE) and ctx.emitted + len(ctx.builder.commands) > ctx.options.budgets.huge_commands:
        ctx.facts.mark_any(_HUGE)
    return ctx.facts.is_known(_HUGE)


def is_shared(ctx: Context) -> bool:
    """Whether the budget for inlining is used up here."""
    budgets = ctx.options.budgets
    most = budgets.inlined_commands
    if is_large(ctx):
        is_driver = ctx.options.model == "linux"
        most = budgets.callback_inlined_commands if is_driver else budgets.inlined_commands_if_large
        if not is_driver and _is_huge(ctx):
            most = min(most, budgets.inlined_commands_if_huge)
    return len(ctx.builder.commands) > most


def is_small(ctx: Context, function: str) -> bool:
    """Whether calls of a function took few commands so far: a copy costs little more than a shared call."""
    budgets = ctx.options.budgets
    most = budgets.callback_small_commands if ctx.options.model == "linux" else budgets.small_commands
    return ctx.facts.sizes.get(function, _UNKNOWN) <= most


def note_size(ctx: Context, function: str, commands: int) -> None:
    """Records how many commands a call of a function took."""
    ctx.facts.sizes[function] = max(commands, ctx.facts.sizes.get(function, 0))


def are_too_many(ctx: Context, objects: Collection[object]) -> bool:
    """Whether an access may mean more objects than are told apart in a large program."""
    return len(objects) > ctx.options.budgets.targets_if_large and is_large(ctx)
