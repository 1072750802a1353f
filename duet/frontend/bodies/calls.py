"""Call expressions: by name and through pointers."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.bodies import callees
from duet.frontend.bodies.callees import Unknown
from duet.frontend.cells.callees import SOME, callees_of
from duet.frontend.cells.context import Context, Outcome, show
from duet.frontend.cells.convert import convert, number, snapshot, squeezed
from duet.frontend.cells.pointers import null_check
from duet.frontend.ctypes.origins import of_function
from duet.frontend.ctypes.scope import Function
from duet.frontend.ctypes.types import FunctionType, PointerType, VoidType, is_scalar
from duet.frontend.ctypes.values import Address, FunctionPlace, Number, Untracked, literal
from duet.frontend.expressions import expr
from duet.frontend.source.nodes import Node
from duet.plip.syntax import TRUE, Guard
from duet.plip.terms import compare, constant


def call(ctx: Context, node: Node) -> list[Outcome]:
    """The outcomes of a call expression."""
    callee = node.name
    while isinstance(callee, c_ast.UnaryOp) and callee.op == "*":
        callee = callee.expr
    arguments = list(node.args.exprs) if node.args is not None else []
    if isinstance(callee, c_ast.ID):
        symbol = ctx.scope.find(callee.name)
        if symbol is None:
            return callees.call(ctx, callees.resolve_name(ctx, callee.name, node), arguments, node)
        if isinstance(symbol, Function):
            found = callees.resolve(ctx, symbol.key, symbol.type)
            if isinstance(found, Unknown) and callee.name in ctx.weak:
                ctx.builder.flush()
                null_check(ctx, number(ctx, expr.rvalue(ctx, node.name)), node, callee.name)
            return callees.call(ctx, found, arguments, node)
    pointer = expr.rvalue(ctx, callee)
    if isinstance(pointer, Address) and isinstance(pointer.place, FunctionPlace):
        kind = pointer.place.type
        assert isinstance(kind, FunctionType)
        return callees.call(ctx, callees.resolve(ctx, pointer.place.name, kind), arguments, node)
    return _indirect_call(ctx, number(ctx, pointer), arguments, node)


def _indirect_call(ctx: Context, pointer: Number, arguments: list[Node], node: Node) -> list[Outcome]:
    """A call through a pointer: any function whose address it may hold."""
    ctx.builder.flush()
    null_check(ctx, pointer, node, show(node.name))
    target = pointer.type.target if isinstance(pointer.type, PointerType) else None
    kind = target if isinstance(target, FunctionType) else FunctionType(VoidType(), None)
    keys, _ = callees_of(ctx, pointer, node, len(arguments))
    values = [snapshot(ctx, value) for value in callees.argument_values(ctx, kind, arguments)]
    start = ctx.builder.current
    found: list[Outcome] = []
    for key in keys:
        ctx.builder.at(start)
        way = ctx.builder.fresh()
        is_only = len(keys) == 1 or key == SOME
        equal = compare(pointer.term, "==", constant(ctx.memory.base(of_function(key), 1)))
        ctx.builder.edge(Guard(TRUE if is_only else equal), way)
        ctx.builder.at(way)
        callee = callees.resolve(ctx, key, kind if key == SOME else None)
        for location, value in callees.pass_values(ctx, callee, values, node):
            if location != ctx.builder.current:
                ctx.builder.at(location)
            converted = convert(ctx, value, kind.result, node)
            ctx.builder.flush()
            found.append((ctx.builder.current, converted))
    if not found:
        ctx.builder.at(start)
        ctx.builder.dead()
        return [(ctx.builder.current, literal(0, kind.result) if is_scalar(kind.result) else Untracked(kind.result))]
    return squeezed(ctx, found, kind.result)
