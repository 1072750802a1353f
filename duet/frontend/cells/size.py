"""When a program is large: then calls share bodies early, and what unknown code may reach is not tracked.

Both are over-approximations that keep the size of the graph near that of the text.
"""

from __future__ import annotations

from duet.frontend.cells.context import Context

BUDGET = 30_000
"""Commands of one template after which calls share one copy of each function."""
WHOLE = 8_000
"""Commands of the whole program, before they are compacted, from which on it is large."""
SMALL = 300
"""As BUDGET, in a large program."""
TARGETS = 6
"""The most objects that an access may mean in a large program; of more none is tracked."""
_LARGE = "large program"


def is_large(ctx: Context) -> bool:
    """Whether the program is large, as far as it has been lowered or as an earlier round has found."""
    if ctx.facts.marked(_LARGE):
        return True
    if ctx.emitted + len(ctx.builder.commands) <= WHOLE:
        return False
    ctx.facts.mark(_LARGE, "yes")
    ctx.assume("the program is large: functions share bodies, memory that unknown code may reach holds anything")
    return True


def is_shared(ctx: Context) -> bool:
    """Whether the budget for inlining is used up here."""
    return len(ctx.builder.commands) > (SMALL if is_large(ctx) else BUDGET)
