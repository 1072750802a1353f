"""Arguments for which a null pointer has a meaning: a call is told apart by whether they are null.

Otherwise the model would take what it does behind the pointer for done, and the pointer for one that is not null.
"""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.values import Address, Indirect, Number, Value, literal
from duet.frontend.expressions.operands import evaluated
from duet.frontend.models.call import Call, Model
from duet.plip.terms import compare, constant


def told_apart(positions: tuple[int, ...], model: Model) -> Model:
    """The model of a function whose arguments at some positions may be null."""

    def told(ctx: Context, call: Call) -> list[Outcome]:
        given = [call.given(ctx, position) for position in range(len(call.arguments))]
        return _split(ctx, call, given, positions)

    def _split(ctx: Context, call: Call, given: list[Value], left: tuple[int, ...]) -> list[Outcome]:
        if not left:
            nodes = (argument.node for argument in call.arguments)
            return model(ctx, replace(call, arguments=list(map(evaluated, given, nodes))))
        position, *rest = left
        pointer = _plain(ctx, given[position]) if position < len(given) else None
        if not isinstance(pointer, Number) or not pointer.lo <= 0 < pointer.hi:
            return _split(ctx, call, given, tuple(rest))
        ctx.builder.flush()
        outcomes: list[Outcome] = []
        there, missing = ctx.builder.branch(compare(pointer.term, "!=", constant(0)))
        for way, known in ((there, replace(pointer, lo=1)), (missing, literal(0, pointer.type))):
            ctx.builder.at(way)
            outcomes += _split(ctx, call, [*given[:position], known, *given[position + 1 :]], tuple(rest))
        return outcomes

    return told


def _plain(ctx: Context, value: Value) -> Value:
    """A pointer as a number where it may be null: `&*p` is `p`."""
    is_followed = isinstance(value, Address) and isinstance(value.place, Indirect)
    return number(ctx, value) if is_followed else value
