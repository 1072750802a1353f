"""Operands beside each other whose order C leaves open: which of them depends on what another one calls."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.scope import Bound, Local
from duet.frontend.ctypes.values import Object, Value, type_of
from duet.frontend.form.tree import Assign, Beside, Evaluated, Expression, Form, Step, Variable
from duet.frontend.form.walk import every
from duet.frontend.source.nodes import Node

COPIES = 64
"""No more often is an operand lowered because of the orders in which those around it may be evaluated."""
SIZE = 24
"""Nor are operands with more calls and assignments than these."""
IN_ORDER = f"more than {SIZE} calls, or many nested ones, whose order C leaves open are made from left to right"


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


def outward(ctx: Context, operand: Form) -> int:
    """How many calls and assignments in an operand may read or change what others have; no more than one too many."""
    is_outward = ctx.forms.alone.is_outward
    found = (item for item in every(operand) if is_outward(item) or _changes(ctx, item))
    return sum(1 for _ in islice(found, SIZE + 1))


def _changes(ctx: Context, item: Form) -> bool:
    """Whether an expression assigns to what others may have."""
    match item:
        case Assign(place=Variable(symbol=Local() as local)) | Step(place=Variable(symbol=Local() as local)):
            return local.duration != "automatic" or _is_given_out(ctx, ctx.thread.frame.locals.get(local))
        case _:
            return isinstance(item, Assign | Step)


def moving(ctx: Context, given: Sequence[Expression], order: Sequence[Beside]) -> list[int]:
    """The operands with effects that matter to each other; none where there are not several.

    Where there are too many, they are taken from left to right, with a warning.
    """
    counts = [outward(ctx, operand) for operand in given]
    if not any(counts):
        return []
    found = [i for i, item in enumerate(order) if counts[i] or (item.has_effects and is_open(ctx, item))]
    if len(found) < 2:
        return []
    if sum(counts) > SIZE or ctx.thread.frame.copies << len(found) - 1 > COPIES:
        ctx.warn(given[found[0]].node, "evaluation-order", IN_ORDER)
        ctx.assume(IN_ORDER)
        return []
    return found


def evaluated(value: Value, node: Node) -> Evaluated:
    """An operand that has been evaluated."""
    return Evaluated(node, type_of(value), value)
