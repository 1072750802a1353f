"""Operands beside each other whose order C leaves open: which of them depends on what another one calls."""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.scope import Bound
from duet.frontend.ctypes.values import Object, Value, type_of
from duet.frontend.form.tree import Beside, Evaluated, Expression, Order
from duet.frontend.source.nodes import Node


def is_open(ctx: Context, operand: Beside) -> bool:
    """Whether an operand reads what a function that is called may change."""
    return any(local is None or _is_given_out(ctx, ctx.thread.frame.locals.get(local)) for local in operand.depends)


def _is_given_out(ctx: Context, found: Object | Bound | None) -> bool:
    """Whether others than the function around may change a local; a value that stands for one does not change."""
    facts = ctx.facts
    if isinstance(found, Bound):
        return False
    return found is None or any(
        found.key in keys for keys in (facts.objects.addressed, facts.objects.bound, facts.objects.escaped)
    )


def note_calls(ctx: Context, given: Sequence[Expression], order: Order) -> list[Expression]:
    """The operands that call functions of the program; warns of several, which are taken from left to right."""
    calling = [operand for operand, item in zip(given, order or (), strict=True) if item.calls_program]
    if len(calling) > 1:
        message = "the order of these calls is not specified in C: they are taken from left to right"
        ctx.warn(calling[0].node, "evaluation-order", message)
    return calling


def note_open(ctx: Context, given: Sequence[Expression], order: Order) -> None:
    """Warns where one operand calls something and another one reads what that may change."""
    if order is None:
        return
    calling = note_calls(ctx, given, order)
    if calling and any(not item.calls_program and is_open(ctx, item) for item in order):
        message = "what is beside this call is taken to be evaluated from left to right"
        ctx.warn(calling[0].node, "evaluation-order", message)


def evaluated(value: Value, node: Node) -> Evaluated:
    """An operand that has been evaluated."""
    return Evaluated(node, type_of(value), value)
