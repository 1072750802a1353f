"""Values that an expression has at several locations, or any of several."""

from __future__ import annotations

from collections.abc import Callable

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import merged, snapshot
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL
from duet.frontend.ctypes.types import VOID_POINTER, CType, PointerType, is_scalar
from duet.frontend.ctypes.values import Temporary, Value, Whole, type_of
from duet.frontend.form.kinds import merged_type
from duet.frontend.source.nodes import Node


def mapped(ctx: Context, found: list[Outcome], change: Callable[[Value], Value]) -> list[Outcome]:
    """All outcomes with their values changed; several ones are settled."""
    result: list[Outcome] = []
    for location, value in found:
        if location != ctx.builder.current:
            ctx.builder.at(location)
        changed = change(value)
        if len(found) > 1:
            ctx.builder.flush()
        result.append((ctx.builder.current, changed))
    return result


def possible(ctx: Context, found: list[Outcome], is_live: bool) -> list[Outcome]:
    """The outcomes that something leads to, in code that something leads to."""
    kept = [outcome for outcome in found if outcome[0] in ctx.builder.reached]
    return kept if is_live and kept else found


def settled(ctx: Context, found: list[Outcome]) -> list[Outcome]:
    """Outcomes with nothing deferred, so that others may be lowered."""
    here = ctx.builder.current
    ctx.builder.flush()
    return [(ctx.builder.current if place == here else place, value) for place, value in found]


def type_of_arms(arms: list[list[Outcome]], nulls: tuple[bool, bool]) -> CType:
    """The type of a choice between two arms: one that is a null pointer constant takes the type of the other."""
    kinds = [[type_of(value) for _, value in arm] for arm in arms]
    for place, is_null in enumerate(nulls):
        other = kinds[1 - place]
        if is_null and any(isinstance(kind, PointerType) for kind in other):
            return merged_type(other)
    return merged_type([kind for arm in kinds for kind in arm])


def either(ctx: Context, early: Value, late: Value, node: Node) -> Value:
    """One of two values of an expression."""
    kind = type_of(early)
    if isinstance(early, Whole):
        return _any_struct(ctx, early, node)
    if early == late or not is_scalar(kind):
        return early
    ctx.builder.flush()
    ways = ctx.builder.fork(2)
    return snapshot(ctx, merged(ctx, list(zip(ways, (early, late), strict=True)), kind))


def kept(ctx: Context, value: Value, node: Node) -> Value:
    """A value, safe against what is evaluated behind it."""
    found = snapshot(ctx, value)
    if not isinstance(found, Whole) or isinstance(found.place, Temporary):
        return found
    return _any_struct(ctx, found, node)


def _any_struct(ctx: Context, value: Whole, node: Node) -> Value:
    ctx.warn(node, "struct-argument", "what is beside it may change this struct: any value is assumed")
    return Whole(Temporary(value.type), value.type)


def label_address(ctx: Context) -> Value:
    """`&&label`: some address that is not null."""
    return ctx.havoc(VOID_POINTER, frozenset((EXTERNAL,)), low=1)
