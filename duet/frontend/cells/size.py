"""When a program is large: then calls share bodies early, and what unknown code may reach is not tracked.

Both are over-approximations that keep the size of the graph near that of the text.
"""

from __future__ import annotations

from collections.abc import Collection

from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Frame
from duet.frontend.judgments.facts import Facts
from duet.frontend.judgments.marks import Mark

_UNKNOWN = 10**9
_LARGE: Mark[str] = Mark("large program")
_HUGE: Mark[str] = Mark("program that is so large that calls share bodies early")
SPARING = "the program is large: functions share bodies, memory that unknown code may reach holds anything"
"""What is said of a large program (an over-approximation)."""


def begun(facts: Facts) -> Facts:
    """Nothing known yet of a program but how large it is and its functions are, and what names mean in it."""
    found = Facts()
    found.apart, found.others = facts.apart, facts.others
    found.sizes.update(facts.sizes)
    for mark in (_LARGE, _HUGE):
        if facts.is_known(mark):
            found.mark_any(mark)
    return found


def extent(facts: Facts) -> tuple[bool, bool]:
    """Whether a program is known to be large, and to be huge."""
    return facts.is_known(_LARGE), facts.is_known(_HUGE)


def is_large(ctx: Context) -> bool:
    """Whether the program is large, as far as it has been lowered or is known."""
    return _exceeds(ctx, _LARGE, ctx.options.budgets.program_commands)


def _is_huge(ctx: Context) -> bool:
    """Whether a large program is huge, as far as it has been lowered or is known."""
    return _exceeds(ctx, _HUGE, ctx.options.budgets.huge_commands)


def _exceeds(ctx: Context, mark: Mark[str], most: int) -> bool:
    if not ctx.facts.is_known(mark) and ctx.emitted + len(ctx.builder.commands) > most:
        ctx.facts.mark_any(mark)
        return True
    return ctx.facts.is_known(mark)


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
    """Whether calls of a function took few commands so far, see `note_size`: a copy costs little more than a jump."""
    budgets = ctx.options.budgets
    most = budgets.callback_small_commands if ctx.options.model == "linux" else budgets.small_commands
    return ctx.facts.sizes.get(function, _UNKNOWN) <= most


def note_size(ctx: Context, callee: Frame, commands: int) -> None:
    """Records how many commands a call took that was lowered just now, but for those of calls that would share a body.

    So a function that gets memory or ends the program is small, whatever is done at the end.
    """
    function = callee.function
    ctx.facts.sizes[function] = max(commands - callee.shareable, ctx.facts.sizes.get(function, 0))
    if ctx.thread.frames:
        ctx.thread.frame.shareable += callee.shareable if is_small(ctx, function) else commands


def are_too_many(ctx: Context, objects: Collection[object]) -> bool:
    """Whether an access may mean more objects than are told apart in a large program."""
    return len(objects) > ctx.options.budgets.targets_if_large and is_large(ctx)
