"""Call expressions: by name and through pointers."""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.bodies import callees, inline, recovery
from duet.frontend.bodies.callees import Unknown
from duet.frontend.cells import size
from duet.frontend.cells.callees import SOME, callees_of
from duet.frontend.cells.context import Context, show
from duet.frontend.cells.convert import number, snapshot, squeezed
from duet.frontend.cells.pointers import null_check
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import FunctionAddress
from duet.frontend.ctypes.types import FunctionType, PointerType, VoidType, is_scalar
from duet.frontend.ctypes.values import Address, FunctionPlace, Number, Untracked, Value, literal, pointee, type_of
from duet.frontend.expressions import expr
from duet.frontend.form.tree import Call, Expression, FunctionName, Implicit, Read
from duet.frontend.source.nodes import Node
from duet.plip.syntax import TRUE, Guard
from duet.plip.terms import compare, constant


def call(ctx: Context, form: Call) -> list[Outcome]:
    """The outcomes of a call expression."""
    node = form.node
    match form.callee:
        case Implicit(name=name):
            found = callees.resolve_name(ctx, name, node, form.arguments)
        case FunctionName(key=key, type=kind, name=name) as callee:
            assert isinstance(kind, FunctionType)
            found = callees.resolve(ctx, key, kind, form.arguments)
            if isinstance(found, Unknown) and name in ctx.declared.weak:
                ctx.builder.flush()
                address = expr.rvalue(ctx, Read(callee.node, PointerType(kind), callee))
                null_check(ctx, number(ctx, address), node, name)
        case callee:
            return _through_pointer(ctx, callee, form)
    return callees.call(ctx, found, expr.settled_operands(ctx, form.arguments, form.order), node, form.arguments)


def _through_pointer(ctx: Context, callee: Expression, form: Call) -> list[Outcome]:
    called, *arguments = expr.settled_operands(ctx, (callee, *form.arguments), form.order)
    pointer = expr.rvalue(ctx, called)
    if isinstance(pointer, Address) and isinstance(pointer.place, FunctionPlace):
        target = pointee(pointer.type)
        kind = target if isinstance(target, FunctionType) else pointer.place.type
        assert isinstance(kind, FunctionType)
        return callees.call(ctx, callees.resolve(ctx, pointer.place.name, kind), arguments, form.node)
    return _indirect_call(ctx, number(ctx, pointer), arguments, form.node)


def _indirect_call(ctx: Context, pointer: Number, arguments: Sequence[Expression], node: Node) -> list[Outcome]:
    """A call through a pointer: any function whose address it may hold.

    In a large program a choice of many is there once, and shared by all such calls.
    """
    ctx.builder.flush()
    null_check(ctx, pointer, node, show(node.name))
    target = pointee(pointer.type)
    kind = target if isinstance(target, FunctionType) else FunctionType(VoidType(), None)
    if ctx.facts.by_itself:
        return recovery.anything(ctx, callees.argument_values(ctx, kind, arguments), kind.result)
    keys, _ = callees_of(ctx, pointer, node, len(arguments))
    values = [snapshot(ctx, value) for value in callees.argument_values(ctx, kind, arguments)]
    if not (size.are_too_many(ctx, keys) and size.is_shared(ctx)):
        return _one_of(ctx, keys, pointer, kind, values, node)
    name = f"a call of one of {', '.join(keys)} by {pointer.type} with {', '.join(str(type_of(it)) for it in values)}"

    def body(given: list[Value]) -> list[Outcome]:
        return _one_of(ctx, keys, number(ctx, given[0]), kind, given[1:], node)

    return inline.shared(ctx, name, [pointer, *values], kind.result, node, body)


def _one_of(
    ctx: Context, keys: Sequence[str], pointer: Number, kind: FunctionType, values: Sequence[Value], node: Node
) -> list[Outcome]:
    """The outcomes of calling the one of some functions, taken to be of a kind, that a pointer leads to."""
    start = ctx.builder.current
    found: list[Outcome] = []
    for key in keys:
        ctx.builder.at(start)
        way = ctx.builder.fresh()
        is_only = len(keys) == 1 or key == SOME
        equal = compare(pointer.term, "==", constant(ctx.memory.base(FunctionAddress(key), 1)))
        ctx.builder.edge(Guard(TRUE if is_only else equal), way)
        ctx.builder.at(way)
        callee = callees.resolve(ctx, key, kind if key == SOME else None)
        for location, value in callees.pass_values(ctx, callee, values, node):
            if location != ctx.builder.current:
                ctx.builder.at(location)
            converted = callees.received(ctx, value, kind.result, node)
            ctx.builder.flush()
            found.append((ctx.builder.current, converted))
    if not found:
        ctx.builder.at(start)
        ctx.builder.dead()
        return [(ctx.builder.current, literal(0, kind.result) if is_scalar(kind.result) else Untracked(kind.result))]
    return squeezed(ctx, found, kind.result)
