"""The functions that run at any time as one template, where a template for each would be too much.

These are callbacks of the kernel; in programs of users what signals, a library or files that are not there may call.
Any number of threads run that template, each of which calls one of them: the same executions as those of any number of
threads for each of them, but that all may run as soon as one may. What they call is lowered once for all of them then,
instead of once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from duet.frontend.bodies import callees
from duet.frontend.bodies.callees import Defined
from duet.frontend.cells import size
from duet.frontend.cells.context import Context
from duet.frontend.cells.contracts import caller_of
from duet.frontend.cells.convert import merged
from duet.frontend.cells.escapes import known_outside
from duet.frontend.cells.thread import Frame, Outcome
from duet.frontend.ctypes.origins import NOTHING, OUTSIDE, UNKNOWN_POINTER, Content, Holder, Origins
from duet.frontend.ctypes.types import CType, PointerType, VoidType, is_scalar
from duet.frontend.ctypes.values import Untracked
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node
from duet.plip.syntax import ANY_CALLBACK

_FOUND: Mark[str] = Mark("callback")
_TOGETHER: Mark[str] = Mark("callbacks are together")
TOGETHER = "what runs at any time is a lot of code: its functions share what they call, and all may run once one may"
_HANDLERS: Mark[tuple[str, Holder | None]] = Mark("handlers, and where their arguments come from")


def are_together(ctx: Context) -> bool:
    """Whether they are one template, by what was lowered in this round or an earlier one."""
    if ctx.facts.is_known(_TOGETHER):
        return True
    budgets = ctx.options.budgets
    if ctx.options.model == "linux":
        are_too_many = ctx.emitted > budgets.callback_commands
    else:
        are_too_many = len(ctx.facts.marked(_HANDLERS)) > budgets.handlers_if_large and size.is_large(ctx)
    if are_too_many:
        ctx.facts.mark_any(_TOGETHER)
        ctx.assume(TOGETHER)
    return are_too_many


def note(ctx: Context, function: str) -> None:
    """Records that the kernel may call a function; one that is new takes another round."""
    ctx.facts.mark(_FOUND, function)


def are_handlers_together(ctx: Context, function: str, source: Holder | None) -> bool:
    """Whether a function of a user's program that may run at any time is part of the one template for all of these."""
    if not may_be_together(ctx, function, source):
        return False
    ctx.facts.mark(_HANDLERS, (function, source))
    return are_together(ctx)


def may_be_together(ctx: Context, function: str, source: Holder | None) -> bool:
    """Whether a function of a user's program may be one of those: one that is not there has nothing to share."""
    is_of_user = ctx.options.model != "linux" and source in (None, OUTSIDE)
    return is_of_user and isinstance(callees.resolve(ctx, function), Defined)


def run_one(ctx: Context, node: Node) -> list[Outcome]:
    """The outcome of calling any one of the functions that an earlier round has found, with any arguments."""
    found = sorted(caller_of(ctx, function) for function in ctx.facts.marked(_FOUND))
    calls = [partial(callees.run, ctx, function, (), node) for function in found]
    return _one_of(ctx, calls)


def run_handler(ctx: Context, node: Node, source: Holder | None) -> list[Outcome]:
    """The outcome of calling any one of the functions that `are_handlers_together`, with arguments from a source."""
    found = sorted(function for function, other in ctx.facts.marked(_HANDLERS) if other == source)
    return _one_of(ctx, [partial(_handle, ctx, function, node, source) for function in found])


def _handle(ctx: Context, function: str, node: Node, source: Holder | None) -> None:
    kinds = callees.parameter_types(ctx, callees.resolve(ctx, function)) or ()
    origins = [arbitrary_origins(ctx, kind, place, source) for place, kind in enumerate(kinds)]
    given = [
        ctx.havoc(kind, found) if is_scalar(kind) else callees.any_value(ctx, kind, found)
        for kind, found in zip(kinds, origins, strict=True)
    ]
    callees.run(ctx, function, given, node)


def arbitrary_origins(ctx: Context, kind: CType, place: int, source: Holder | None) -> Origins:
    """The origins of an arbitrary argument of a thread, at a place among the parameters."""
    if source is OUTSIDE and isinstance(kind, PointerType):
        return known_outside(ctx)
    if source is not None and place == 0:
        return ctx.facts.pointers.held(source) | {Content(source)}
    return UNKNOWN_POINTER if isinstance(kind, PointerType) else NOTHING


def _one_of(ctx: Context, calls: Sequence[Callable[[], None]]) -> list[Outcome]:
    ctx.thread.frames.append(Frame(ANY_CALLBACK, VoidType(), ANY_CALLBACK))
    nothing = Untracked(VoidType())
    ends: list[Outcome] = []
    for call, way in zip(calls, ctx.builder.fork(len(calls)), strict=True):
        ctx.builder.at(way)
        call()
        ctx.builder.flush()
        ends.append((ctx.builder.current, nothing))
    merged(ctx, ends, VoidType())
    ctx.thread.frames.pop()
    return [(ctx.builder.current, nothing)]
