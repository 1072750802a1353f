"""The functions that the kernel calls at any time as one template, where a template for each would be too much.

Any number of threads run that template, each of which calls one of them: the same executions as those of any number of
threads for each of them. What they call is lowered once for all of them then, instead of once for each.
"""

from __future__ import annotations

from duet.frontend.bodies import callees
from duet.frontend.cells.context import Context
from duet.frontend.cells.contracts import ANY_CALLBACK, caller_of
from duet.frontend.cells.convert import merged
from duet.frontend.cells.thread import Frame, Outcome
from duet.frontend.ctypes.types import VoidType
from duet.frontend.ctypes.values import Untracked
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node

_FOUND: Mark[str] = Mark("callback")
_TOGETHER: Mark[str] = Mark("callbacks are together")


def are_together(ctx: Context) -> bool:
    """Whether they are one template, by the commands lowered in this round or an earlier one."""
    if ctx.facts.is_known(_TOGETHER):
        return True
    if ctx.emitted <= ctx.options.budgets.callback_commands:
        return False
    ctx.facts.mark_any(_TOGETHER)
    ctx.assume("what the kernel calls is a lot of code: its functions share what they call")
    return True


def note(ctx: Context, function: str) -> None:
    """Records that the kernel may call a function; one that is new takes another round."""
    ctx.facts.mark(_FOUND, function)


def run_one(ctx: Context, node: Node) -> list[Outcome]:
    """The outcome of calling any one of the functions that an earlier round has found, with any arguments."""
    ctx.thread.frames.append(Frame(ANY_CALLBACK, VoidType(), ANY_CALLBACK))
    found = sorted(ctx.facts.marked(_FOUND))
    nothing = Untracked(VoidType())
    ends: list[Outcome] = []
    for function, way in zip(found, ctx.builder.fork(len(found)), strict=True):
        ctx.builder.at(way)
        callees.run(ctx, caller_of(ctx, function), (), node)
        ctx.builder.flush()
        ends.append((ctx.builder.current, nothing))
    merged(ctx, ends, VoidType())
    ctx.thread.frames.pop()
    return [(ctx.builder.current, nothing)]
