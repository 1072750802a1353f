"""Operands beside each other whose order C leaves open: which of them depends on what another one calls."""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.scope import Bound
from duet.frontend.ctypes.values import Object, Value, type_of
from duet.frontend.form.tree import Beside, Evaluated, Expression, Form
from duet.frontend.source.nodes import Node

MOST = 6
"""So many calls beside each other are looked at in each order: one of them stands there 2 ** 5 times."""
IN_ORDER = f"more than {MOST} calls whose order C leaves open are made from left to right"


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
    """How many calls in an operand may read or change what others have."""
    return ctx.forms.alone.outward(operand, lambda name: (known := ctx.describe(name)) is not None and known.only_looks)


def calling(ctx: Context, given: Sequence[Expression], order: Sequence[Beside]) -> list[int]:
    """The operands whose calls matter to each other; none where there are not several.

    Where there are too many, they are taken from left to right, with a warning.
    """
    counts = [outward(ctx, operand) if item.calls else 0 for operand, item in zip(given, order, strict=True)]
    found = [i for i, count in enumerate(counts) if count]
    if len(found) > 1 and sum(counts) > MOST:
        ctx.warn(given[found[0]].node, "evaluation-order", IN_ORDER)
        ctx.assume(IN_ORDER)
    return found if 1 < len(found) <= sum(counts) <= MOST else []


def evaluated(value: Value, node: Node) -> Evaluated:
    """An operand that has been evaluated."""
    return Evaluated(node, type_of(value), value)
