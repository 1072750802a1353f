"""Operands beside each other whose order C leaves open: which of them depends on what another one calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import Gathered, number
from duet.frontend.ctypes.scope import Bound, Local
from duet.frontend.ctypes.types import CType, StructType, is_scalar
from duet.frontend.ctypes.values import Object, Temporary, Untracked, Value, Whole, type_of
from duet.frontend.form.tree import (
    Assign,
    Beside,
    Constant,
    Evaluated,
    Expression,
    Floating,
    Form,
    FunctionName,
    Read,
    Step,
    StringLiteral,
    Variable,
)
from duet.frontend.form.walk import every
from duet.frontend.source.nodes import Node
from duet.plip import syntax
from duet.plip.terms import constant

COPIES = 64
"""No more often is an operand lowered because of the orders in which those around it may be evaluated."""
SIZE = 24
"""Nor are operands with more calls and assignments than these: a loop evaluates them, see `expr`."""
READS = 6
"""No more reads beside each other of what others may change at any time are looked at in each order."""
MANY_READS = f"C leaves open the order of more than {READS} reads of what others change: any values are assumed"
MANY_CALLS = (
    f"C leaves open the order of more than {SIZE} calls, or of many nested ones: what they do is known less well"
)

_PLAIN = (Constant, Floating, StringLiteral, FunctionName, Variable, Read, Evaluated)
"""The forms that never fail by themselves."""


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
    """The operands with effects that matter to each other; none where there are not several."""
    counts = [outward(ctx, operand) for operand in given]
    staying = [may_stay(ctx, operand) for operand in given]
    if not any(counts) and not any(staying):
        return []
    is_left = any(may_leave(ctx, operand) for operand in given)

    def matters(i: int) -> bool:
        is_failing = any(staying) and may_fail(given[i])
        return counts[i] > 0 or (order[i].has_effects and (is_left or is_failing or is_open(ctx, order[i])))

    found = [i for i in range(len(given)) if staying[i] or matters(i)]
    return found if len(found) > 1 and any(map(matters, found)) else []


def ahead(ctx: Context, given: Sequence[Expression], order: Sequence[Beside]) -> list[int]:
    """The operands that may fail, which nothing else changes, and may come before another one that may not end."""
    leaving = [may_leave(ctx, operand) or may_stay(ctx, operand) for operand in given]
    return [
        i
        for i, item in enumerate(order)
        if any(leaving) and not item.has_effects and not is_open(ctx, item) and may_fail(given[i])
    ]


def may_leave(ctx: Context, operand: Form) -> bool:
    """Whether the evaluation of an operand may go on elsewhere, or end the thread."""
    return ctx.forms.alone.may_leave(operand)


def may_stay(ctx: Context, operand: Form) -> bool:
    """Whether the evaluation of an operand may go on for ever, or wait."""
    return ctx.forms.alone.may_stay(operand)


def may_fail(operand: Form) -> bool:
    """Whether there may be checks in an operand."""
    return not all(isinstance(item, _PLAIN) for item in every(operand))


def are_few(ctx: Context, given: Sequence[Expression], found: Sequence[int]) -> bool:
    """Whether operands with effects can be lowered once for each set of those that have been evaluated before."""
    count = sum(outward(ctx, given[i]) for i in found)
    return count <= SIZE and ctx.thread.frame.copies << len(found) - 1 <= COPIES


class Latest:
    """What an operand of a type was when it was evaluated last; any value if it is no scalar."""

    def __init__(self, ctx: Context, kind: CType) -> None:
        self.type = kind
        self._given = Gathered(ctx, kind) if is_scalar(kind) else None
        if self._given is not None:
            ctx.builder.emit(syntax.Assign(self._given.name, constant(0)))

    def take(self, ctx: Context, value: Value) -> None:
        """Keeps the value that the operand has here."""
        if self._given is not None:
            self._given.take(ctx, number(ctx, value))

    def value(self) -> Value:
        """The value that was kept last. *Requires*: one was kept."""
        if isinstance(self.type, StructType):
            return Whole(Temporary(self.type), self.type)
        return Untracked(self.type) if self._given is None else self._given.value()


def settled(given: Sequence[Expression], values: Mapping[int, Value]) -> list[Expression]:
    """The operands, with the values of those that have been evaluated."""
    return [evaluated(values[i], operand.node) if i in values else operand for i, operand in enumerate(given)]


def evaluated(value: Value, node: Node) -> Evaluated:
    """An operand that has been evaluated."""
    return Evaluated(node, type_of(value), value)
