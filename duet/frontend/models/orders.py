"""Memory orders weaker than sequential consistency: what is assumed of them, and where they are."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.expressions.known import known
from duet.frontend.form.walk import has_effects
from duet.frontend.models.call import Call, Model, done
from duet.frontend.source.nodes import Node

SEQ_CST = 5
_TEXT = "atomic operations with orders weaker than memory_order_seq_cst are taken to be sequentially consistent"


def ordered(model: Model, count: int = 1) -> Model:
    """An operation whose last arguments are memory orders."""

    def wrapped(ctx: Context, call: Call) -> list[Outcome]:
        orders = call.arguments[-count:]
        for position, order in enumerate(orders, len(call.arguments) - len(orders)):
            if has_effects(order):
                call.value(ctx, position)
                note(ctx, call.node)
            elif known(ctx, order) != SEQ_CST:
                note(ctx, call.node)
        return model(ctx, call)

    return wrapped


def weak(model: Model) -> Model:
    """An operation that is weaker by itself."""

    def wrapped(ctx: Context, call: Call) -> list[Outcome]:
        note(ctx, call.node)
        return model(ctx, call)

    return wrapped


def mention(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_weak_order()`: here is an operation with a weaker order."""
    note(ctx, call.node)
    return done(ctx)


def note(ctx: Context, node: Node) -> None:
    """Adds a place to the assumption on weaker orders."""
    ctx.assume_at(node, _TEXT)
