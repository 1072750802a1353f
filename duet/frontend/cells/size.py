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
_LOOPING: Mark[str] = Mark("program that would be large with copies of loops that start no threads")
SPARING = "the program is large: functions share bodies, memory that unknown code may reach holds anything"
"""What is said of a large program (an over-approximation)."""


def begun(facts: Facts) -> Facts:
    """Nothing known yet of a program but how large it is and its functions are, and what names mean in it."""
    found = Facts()
    found.apart, found.others = facts.apart, facts.others
    found.sizes.update(facts.sizes)
    for mark in (_LOOPING, _LARGE, _HUGE):
        if facts.is_known(mark):
            found.mark_any(mark)
    return found


def note_large(facts: Facts) -> None:
    """Takes a program of which nothing is known yet to be large."""
    facts.mark_any(_LARGE)


def extent(facts: Facts) -> tuple[bool, ...]:
    """Whether a program is known to be large, with copies of loops or without, and to be huge."""
    return facts.is_known(_LOOPING), facts.is_known(_LARGE), facts.is_known(_HUGE)


def is_large(ctx: Context) -> bool:
    """Whether the program is large, as far as it has been lowered or is known, without copies of loops if they matter.

    Loops that start threads count as they are copied: what is known of threads that are told apart is worth more.
    """
    most = ctx.options.budgets.program_commands
    if ctx.copied and not ctx.facts.is_known(_LARGE) and _commands(ctx) - ctx.copied <= most:
        if _commands(ctx) > most:
            ctx.facts.mark_any(_LOOPING)
        return False
    return _exceeds(ctx, _LARGE, most)


def are_copied(ctx: Context) -> bool:
    """Whether loops that start no threads are copied."""
    return not ctx.facts.is_known(_LOOPING) and not is_large(ctx)


def _commands(ctx: Context) -> int:
    """How many commands there are so far."""
    return ctx.emitted + len(ctx.builder.commands)


def is_huge(ctx: Context) -> bool:
    """Whether a large program is huge, as far as it has been lowered or is known."""
    return _exceeds(ctx, _HUGE, ctx.options.budgets.huge_commands)


def _exceeds(ctx: Context, mark: Mark[str], most: int) -> bool:
    if not ctx.facts.is_known(mark) and _commands(ctx) > most:
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
        if not is_driver and is_huge(ctx):
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
