"""Loops that run a small, known number of times: one copy of the body for each time, with the counter a constant there.

This is done where it tells things apart that a loop would merge: threads that are created or joined in it (one template
and one handle each), objects that are allocated in it, and elements of arrays that the counter chooses.

*Approximates*: exact. The counter is a local integer that only the step of the loop changes: the body neither assigns
it nor takes its address, and nobody else has its address. Its values are found by evaluating the condition and the step
on constants; where that does not come to an end within a few steps the loop stays one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.cells import size
from duet.frontend.cells.context import Context
from duet.frontend.cells.located import CellAt
from duet.frontend.ctypes.library import Control
from duet.frontend.ctypes.scope import Bound, Function, Local
from duet.frontend.ctypes.types import INT, IntType, plain
from duet.frontend.ctypes.values import Direct, Number, Object, literal
from duet.frontend.expressions import expr
from duet.frontend.expressions.known import known
from duet.frontend.expressions.places import meaning
from duet.frontend.form.control import Block, Case, Continue, Evaluate, Label, Loop, Statement, Switch
from duet.frontend.form.kinds import binary_type, wrapped
from duet.frontend.form.tree import (
    Assign,
    Binary,
    Call,
    Constant,
    Element,
    Evaluated,
    Expression,
    Form,
    FunctionName,
    Implicit,
    Logic,
    Step,
    Variable,
)
from duet.frontend.form.walk import children, every, has_effects, mentions
from duet.frontend.graph.reach import reaches
from duet.frontend.models.table import TABLE
from duet.frontend.source.nodes import Node, names

_STARTING = frozenset(name for name, known in TABLE.items() if known.control is Control.STARTS_THREAD)
_JOINING = frozenset(name for name, known in TABLE.items() if known.control is Control.JOINS_THREAD)
_ALLOCATING = frozenset(name for name, known in TABLE.items() if known.makes_object)


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop with a counter: its cell, its value at each test (the last test ends the loop), body and step.

    Where it `is_starting`, it starts or joins threads.
    """

    counter: Local
    cell: str
    values: tuple[Number, ...]
    condition: Expression
    body: tuple[Statement, ...]
    step: Assign | Step
    invariants: tuple[Expression, ...]
    is_starting: bool


def counted(ctx: Context, form: Loop) -> Counted | None:
    """The loop that starts here if it is to be copied."""
    parts = _parts(form)
    if parts is None or size.is_large(ctx):
        return None
    condition, body, step, counter = parts
    cell = _counter(ctx, counter, body)
    if cell is None or has_effects(condition) or any(map(_is_target, body)) or _is_landing(ctx, body):
        return None
    values = _values(ctx, counter, cell, condition, step)
    if not _is_worth(ctx, counter, body, values):
        if _calls(ctx, body, _STARTING):
            ctx.thread.looped.update(_selected(body, counter))
        return None
    is_starting = _calls(ctx, body, _STARTING | _JOINING)
    if not is_starting and not size.are_copied(ctx):
        return None
    return Counted(counter, cell.name, tuple(values), condition, body, step, form.invariants, is_starting)


def _is_worth(ctx: Context, counter: Local, body: tuple[Statement, ...], values: list[Number]) -> bool:
    """Whether copies of a body, for some values of the counter, tell things apart and are not too many.

    Threads that a loop has started that stays one are joined by one, too: all of them by all rounds together.
    """
    if not values:
        return False
    trips = len(values) - 1
    copies = ctx.thread.copies * max(trips, 1)
    weight = copies * sum(_weight(ctx, item.node, ()) for item in body)
    budgets = ctx.options.budgets
    if copies > budgets.statement_copies or weight > budgets.loop_nodes:
        return False
    arrays = frozenset(_selected(body, counter))
    if _calls(ctx, body, _JOINING) and not arrays.isdisjoint(ctx.thread.looped):
        return False
    if not _calls(ctx, body, _STARTING | _JOINING):
        if arrays:
            return True
        if not _calls(ctx, body, _ALLOCATING):
            return False
    is_many = ctx.options.parameterized or ctx.thread.template in ctx.facts.many
    return not is_many and trips <= budgets.thread_trips and weight <= budgets.thread_loop_nodes


def copy_out(ctx: Context, loop: Counted, run: Callable[[int], None]) -> None:
    """Lowers a loop as copies; `run` lowers its body, with the location where it goes on. Ends where the loop does."""
    builder = ctx.builder
    after = builder.fresh()
    ctx.thread.frame.breaks.append(after)
    before, ctx.thread.copies = ctx.thread.copies, ctx.thread.copies * max(len(loop.values) - 1, 1)
    for place, value in enumerate(loop.values):
        body, again = builder.fresh(), builder.fresh()
        with _bound(ctx, loop.counter, value):
            for item in loop.invariants:
                expr.effect(ctx, item)
            expr.condition(ctx, loop.condition, body, after)
            builder.at(body)
            if place == len(loop.values) - 1:
                # what the copies have written counts only now: it is another round then that is the last one
                is_over = body not in builder.reached or not _is_false(ctx, loop.condition)
                assert is_over, "the last test of a loop fails"
                break
            ctx.thread.copy.append(place)
            first, copied = len(builder.commands), ctx.copied
            run(again)
            if place and not loop.is_starting:
                ctx.copied = copied + len(builder.commands) - first  # with copies in this one
            ctx.thread.copy.pop()
        builder.at(again)
        known, ctx.thread.known = ctx.thread.known, {loop.cell: value.term.constant}
        expr.effect(ctx, loop.step)
        ctx.thread.known = known
    ctx.thread.copies = before
    ctx.thread.frame.breaks.pop()
    builder.dead()
    builder.at(after)


def _parts(form: Loop) -> tuple[Expression, tuple[Statement, ...], Assign | Step, Local] | None:
    """The condition, body, step and counter of a loop; None where it has no such form."""
    step: Expression | None
    items: tuple[Statement, ...]
    match form:
        case Loop(condition=condition, body=body, step=step, is_late=False) if step is not None:
            items = (body,)
        case Loop(condition=condition, body=Block(items=(*first, Evaluate(value=step))), is_late=False):
            items = tuple(first)
            if any(map(_continues, items)) or not isinstance(form.node, c_ast.While):
                return None
        case _:
            return None
    counter = _stepped(step)
    if condition is None or counter is None or not isinstance(step, Assign | Step):
        return None
    return condition, items, step, counter


def _continues(form: Form) -> bool:
    """Whether a statement of a loop may go on with its next iteration."""
    if isinstance(form, Continue):
        return True
    return not isinstance(form, Loop) and any(map(_continues, children(form)))


def _is_target(form: Form) -> bool:
    """Whether something may jump into a statement, past its beginning."""
    if isinstance(form, Switch):
        return any(isinstance(item, Label) for item in every(form))
    return isinstance(form, Label | Case) or any(map(_is_target, children(form)))


def _is_landing(ctx: Context, body: tuple[Statement, ...]) -> bool:
    """Whether a jump out of a function may lead into statements, with another value of the counter."""
    called = (
        item.callee.name
        for part in body
        for item in every(part)
        if isinstance(item, Call) and isinstance(item.callee, FunctionName | Implicit)
    )
    return any((known := ctx.describe(name)) is not None and known.control is Control.JUMPS for name in called)


def _stepped(step: Expression) -> Local | None:
    """The variable that a step changes, if that is all it does."""
    match step:
        case Step(place=Variable(symbol=Local() as local)):
            return local
        case Assign(place=Variable(symbol=Local() as local), value=value) if not has_effects(value):
            return local
        case _:
            return None


def _counter(ctx: Context, counter: Local, body: tuple[Statement, ...]) -> CellAt | None:
    """The cell of a local integer that a body cannot change."""
    of = meaning(ctx, counter)
    if not isinstance(of, Object) or of.kind != "local" or not isinstance(of.type, IntType) or of.type.atomic:
        return None
    facts, found = ctx.facts, ctx.facts.objects
    others = (found.addressed, found.bound, found.escaped, found.reentrant, found.untracked)
    if of.key not in ctx.thread.frame.cells or any(of.key in keys for keys in others):
        return None
    if any(counter in ctx.forms.changed(item) for item in body):
        return None
    cell = ctx.memory.locate(Direct(of, (), of.type))
    is_plain = isinstance(cell, CellAt) and not cell.is_summary and not cell.is_shared
    return cell if is_plain and isinstance(cell, CellAt) and not facts.pointers.held(cell.name) else None


def _values(ctx: Context, counter: Local, cell: CellAt, condition: Expression, step: Assign | Step) -> list[Number]:
    """The values of the counter at the tests of the condition; none where they are not known or are too many."""
    start = ctx.builder.constant_of(cell.name)
    kind = cell.type
    assert isinstance(kind, IntType)
    value = None if start is None else literal(start, plain(kind))
    found: list[Number] = []
    while value is not None and len(found) <= ctx.options.budgets.loop_trips:
        found.append(value)
        with _bound(ctx, counter, value):
            if _is_false(ctx, condition):
                return found
            value = _next(ctx, value, step, kind)
    return []


def _is_false(ctx: Context, condition: Expression) -> bool:
    """Whether a condition is certain not to hold."""
    if isinstance(condition, Logic) and condition.operator == "&&":
        return _is_false(ctx, condition.left) or _is_false(ctx, condition.right)
    return known(ctx, condition) == 0


def _next(ctx: Context, value: Number, step: Assign | Step, kind: IntType) -> Number | None:
    """The value behind a step, if it is a constant that the type holds."""
    here = Evaluated(step.node, value.type, value)
    match step:
        case Step(sign=sign):
            made = _combined(ctx, "+" if sign > 0 else "-", here, Constant(step.node, INT, 1), step)
        case Assign(operator="", value=given):
            made = given
        case Assign(operator=operator, value=given):
            made = _combined(ctx, operator, here, given, step)
    found = known(ctx, made)
    return literal(found, plain(kind)) if found is not None and found == wrapped(found, kind, ctx.data) else None


def _combined(ctx: Context, operator: str, left: Expression, right: Expression, step: Assign | Step) -> Expression:
    return Binary(step.node, binary_type(operator, left.type, right.type, ctx.data), operator, left, right)


@contextmanager
def _bound(ctx: Context, counter: Local, value: Number) -> Iterator[None]:
    """The counter stands for a constant inside."""
    before = ctx.thread.frame.locals[counter]
    ctx.thread.frame.locals[counter] = Bound(value)
    try:
        yield
    finally:
        ctx.thread.frame.locals[counter] = before


def _selected(body: tuple[Statement, ...], counter: Local) -> Iterator[Local | Object | None]:
    """What a variable chooses elements of in a body; None for what has no name."""
    for item in (item for form in body for item in every(form)):
        if isinstance(item, Element) and mentions(item.right, counter):
            yield item.left.symbol if isinstance(item.left, Variable) else None


def _calls(ctx: Context, body: tuple[Statement, ...], wanted: frozenset[str]) -> bool:
    """Whether statements, or functions that they mention, mention one of some functions."""

    def mentioned(name: str) -> frozenset[str]:
        if name not in ctx.declared.mentioned:
            definition = ctx.declared.functions.get(name)
            ctx.declared.mentioned[name] = names(definition.node.body) if definition is not None else frozenset()
        return ctx.declared.mentioned[name]

    return reaches([name for item in body for name in names(item.node)], wanted, mentioned)


def _weight(ctx: Context, node: Node, inside: tuple[str, ...]) -> int:
    """The nodes of a tree, with those of the functions that it mentions."""
    total = 1
    if isinstance(node, c_ast.ID):
        symbol = ctx.scope.find(node.name)
        definition = ctx.declared.functions.get(symbol.key) if isinstance(symbol, Function) else None
        if definition is None or definition.key in inside:
            return total
        if definition.key not in ctx.declared.weights:
            ctx.declared.weights[definition.key] = _weight(ctx, definition.node.body, (*inside, definition.key))
        return ctx.declared.weights[definition.key]
    return total + sum(_weight(ctx, child, inside) for _, child in node.children())
