"""Loops that run a small, known number of times: one copy of the body for each time, with the counter a constant there.

This is done where it tells things apart that a loop would merge: threads that are created or joined in it (one template
and one handle each), and elements of arrays that the counter chooses.

*Approximates*: exact. The counter is a local integer that only the step of the loop changes: the body neither assigns
it nor takes its address, and nobody else has its address. Its values are found by evaluating the condition and the step
on constants; where that does not come to an end within a few steps the loop stays one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.bodies.changed import changed_names
from duet.frontend.cells import size
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, number
from duet.frontend.cells.memory import CellAt
from duet.frontend.ctypes.library import Control
from duet.frontend.ctypes.scope import Bound, Function
from duet.frontend.ctypes.types import IntType, plain
from duet.frontend.ctypes.values import Direct, Number, Object, literal
from duet.frontend.expressions import expr
from duet.frontend.graph.reach import reaches
from duet.frontend.models.table import TABLE
from duet.frontend.source.nodes import Node

_THREADS = frozenset(
    name for name, known in TABLE.items() if known.control in (Control.STARTS_THREAD, Control.JOINS_THREAD)
)


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop with a counter: its cell, its value at each test (the last test ends the loop), body and step."""

    name: str
    cell: str
    values: tuple[Number, ...]
    condition: Node
    body: tuple[Node, ...]
    step: Node


def counted(ctx: Context, node: Node) -> Counted | None:
    """The loop that starts here if it is to be copied."""
    parts = _parts(node)
    if parts is None or size.is_large(ctx):
        return None
    condition, body, step = parts
    name = _stepped(step)
    if isinstance(node, c_ast.While) and _renames(body, step):
        return None
    cell = _counter(ctx, name, body) if name is not None else None
    if name is None or cell is None or expr.has_effects(condition) or any(map(_is_target, body)):
        return None
    values = _values(ctx, name, cell, condition, step)
    return (
        Counted(name, cell.name, tuple(values), condition, body, step) if _is_worth(ctx, name, body, values) else None
    )


def _is_worth(ctx: Context, name: str, body: tuple[Node, ...], values: list[Number]) -> bool:
    """Whether copies of a body, for some values of the counter, tell things apart and are not too many."""
    if not values:
        return False
    trips = len(values) - 1
    copies = ctx.copies * max(trips, 1)
    weight = copies * sum(_weight(ctx, item, ()) for item in body)
    budgets = ctx.options.budgets
    if copies > budgets.statement_copies or weight > budgets.loop_nodes:
        return False
    if not _has_threads(ctx, body):
        return any(_selects(item, name) for item in body)
    is_many = ctx.options.parameterized or ctx.template in ctx.facts.many
    return not is_many and trips <= budgets.thread_trips and weight <= budgets.thread_loop_nodes


def copy_out(ctx: Context, loop: Counted, run: Callable[[int], None]) -> None:
    """Lowers a loop as copies; `run` lowers its body, with the location where it goes on. Ends where the loop does."""
    builder = ctx.builder
    after = builder.fresh()
    ctx.frame.breaks.append(after)
    before, ctx.copies = ctx.copies, ctx.copies * max(len(loop.values) - 1, 1)
    for place, value in enumerate(loop.values):
        body, again = builder.fresh(), builder.fresh()
        with _bound(ctx, loop.name, value):
            expr.condition(ctx, loop.condition, body, after)
            builder.at(body)
            if place == len(loop.values) - 1:
                assert body not in builder.reached, "the last test of a loop fails"
                break
            ctx.copy.append(place)
            run(again)
            ctx.copy.pop()
        builder.at(again)
        known, ctx.known = ctx.known, {loop.cell: value.term.constant}
        expr.effect(ctx, loop.step)
        ctx.known = known
    ctx.copies = before
    ctx.frame.breaks.pop()
    builder.dead()
    builder.at(after)


def _parts(node: Node) -> tuple[Node, tuple[Node, ...], Node] | None:
    """The condition, body and step of a loop; None where it has no such form."""
    match node:
        case c_ast.For(cond=condition, stmt=body, next=step) if condition is not None and step is not None:
            return condition, (body,), step
        case c_ast.While(cond=condition, stmt=c_ast.Compound(block_items=[*body, step])) if not any(
            map(_continues, body)
        ):
            return condition, tuple(body), step
        case _:
            return None


def _renames(body: tuple[Node, ...], step: Node) -> bool:
    """Whether declarations of a body that ends with a step may give another meaning to what the step names."""
    declared = [item.name for item in body if isinstance(item, c_ast.Decl | c_ast.Typedef)]
    name = _stepped(step)
    return name in declared or (bool(declared) and (expr.names(step) != {name} or _names_types(step)))


def _names_types(node: Node) -> bool:
    return isinstance(node, c_ast.Typename) or any(_names_types(child) for _, child in node.children())


def _continues(node: Node) -> bool:
    """Whether a statement of a loop may go on with its next iteration."""
    if isinstance(node, c_ast.Continue):
        return True
    is_loop = isinstance(node, c_ast.While | c_ast.DoWhile | c_ast.For)
    return not is_loop and any(_continues(child) for _, child in node.children())


def _is_target(node: Node) -> bool:
    """Whether something may jump into a statement, past its beginning."""
    if isinstance(node, c_ast.Label):
        return True
    if isinstance(node, c_ast.Switch):
        return any(_has_label(child) for _, child in node.children())
    return isinstance(node, c_ast.Case | c_ast.Default) or any(_is_target(child) for _, child in node.children())


def _has_label(node: Node) -> bool:
    return isinstance(node, c_ast.Label) or any(_has_label(child) for _, child in node.children())


def _stepped(step: Node) -> str | None:
    """The variable that a step changes, if that is all it does."""
    match step:
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=c_ast.ID(name=name)):
            return str(name)
        case c_ast.Assignment(lvalue=c_ast.ID(name=name), rvalue=value) if not expr.has_effects(value):
            return str(name)
        case _:
            return None


def _counter(ctx: Context, name: str, body: tuple[Node, ...]) -> CellAt | None:
    """The cell of a local integer that a body cannot change."""
    of = ctx.scope.find(name)
    if not isinstance(of, Object) or of.kind != "local" or not isinstance(of.type, IntType) or of.type.atomic:
        return None
    facts = ctx.facts
    if of.key not in ctx.frame.cells or of.key in facts.addressed | facts.escaped | facts.reentrant | facts.untracked:
        return None
    if any(name in changed_names(item) for item in body):
        return None
    cell = ctx.memory.locate(Direct(of, (), of.type))
    is_plain = isinstance(cell, CellAt) and not cell.is_summary and not cell.is_shared
    return cell if is_plain and isinstance(cell, CellAt) and not facts.held(cell.name) else None


def _values(ctx: Context, name: str, cell: CellAt, condition: Node, step: Node) -> list[Number]:
    """The values of the counter at the tests of the condition; none where they are not known or are too many."""
    start = ctx.builder.constant_of(cell.name)
    kind = cell.type
    assert isinstance(kind, IntType)
    value = None if start is None else literal(start, plain(kind))
    found: list[Number] = []
    while value is not None and len(found) <= ctx.options.budgets.loop_trips:
        found.append(value)
        with _bound(ctx, name, value):
            if _is_false(ctx, condition):
                return found
            value = _next(ctx, step, kind)
    return []


def _is_false(ctx: Context, condition: Node) -> bool:
    """Whether a condition is certain not to hold."""
    if isinstance(condition, c_ast.BinaryOp) and condition.op == "&&":
        return _is_false(ctx, condition.left) or _is_false(ctx, condition.right)
    return expr.constant_value(ctx, condition) == 0


def _next(ctx: Context, step: Node, kind: IntType) -> Number | None:
    """The value behind a step, if it is a constant that the type holds."""
    match step:
        case c_ast.UnaryOp(op=operator, expr=counter):
            made = c_ast.BinaryOp(operator[-1], counter, c_ast.Constant("int", "1", step.coord), step.coord)
        case c_ast.Assignment(op="=", rvalue=value):
            made = value
        case _:
            made = c_ast.BinaryOp(step.op[:-1], step.lvalue, step.rvalue, step.coord)
    with ctx.scratch():
        exact = number(ctx, expr.rvalue(ctx, made))
        found = number(ctx, convert(ctx, exact, kind, None)).constant
    return literal(found, plain(kind)) if found is not None and found == exact.constant else None


@contextmanager
def _bound(ctx: Context, name: str, value: Number) -> Iterator[None]:
    """The counter stands for a constant inside."""
    with ctx.block():
        ctx.scope.names[name] = Bound(value)
        yield


def _selects(node: Node, name: str) -> bool:
    """Whether a variable chooses an element of an array."""
    if isinstance(node, c_ast.ArrayRef) and expr.mentions(node.subscript, name):
        return True
    return any(_selects(child, name) for _, child in node.children())


def _has_threads(ctx: Context, body: tuple[Node, ...]) -> bool:
    """Whether statements, or functions that they mention, create or join threads."""

    def mentioned(name: str) -> frozenset[str]:
        if name not in ctx.mentioned:
            definition = ctx.functions.get(name)
            ctx.mentioned[name] = expr.names(definition.node.body) if definition is not None else frozenset()
        return ctx.mentioned[name]

    return reaches([name for item in body for name in expr.names(item)], _THREADS, mentioned)


def _weight(ctx: Context, node: Node, inside: tuple[str, ...]) -> int:
    """The nodes of a tree, with those of the functions that it mentions."""
    total = 1
    if isinstance(node, c_ast.ID):
        symbol = ctx.scope.find(node.name)
        definition = ctx.functions.get(symbol.key) if isinstance(symbol, Function) else None
        if definition is None or definition.key in inside:
            return total
        if definition.key not in ctx.weights:
            ctx.weights[definition.key] = _weight(ctx, definition.node.body, (*inside, definition.key))
        return ctx.weights[definition.key]
    return total + sum(_weight(ctx, child, inside) for _, child in node.children())
