"""Call expressions: by name and through pointers."""

from __future__ import annotations

from duet.frontend.bodies import callees
from duet.frontend.bodies.callees import Unknown
from duet.frontend.cells.callees import SOME, callees_of
from duet.frontend.cells.context import Context, show
from duet.frontend.cells.convert import number, snapshot, squeezed
from duet.frontend.cells.pointers import null_check
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import FunctionAddress
from duet.frontend.ctypes.types import FunctionType, PointerType, VoidType, is_scalar
from duet.frontend.ctypes.values import Address, FunctionPlace, Number, Untracked, literal, pointee
from duet.frontend.expressions import expr
from duet.frontend.form.tree import Call, FunctionName, Implicit, Read
from duet.plip.syntax import TRUE, Guard
from duet.plip.terms import compare, constant


def call(ctx: Context, form: Call) -> list[Outcome]:
    """The outcomes of a call expression."""
    node = form.node
    match form.callee:
        case Implicit(name=name):
            return callees.call(
                ctx, callees.resolve_name(ctx, name, node, form.arguments), form.arguments, node, form.order
            )
        case FunctionName(key=key, type=kind, name=name) as callee:
            assert isinstance(kind, FunctionType)
            found = callees.resolve(ctx, key, kind, form.arguments)
            if isinstance(found, Unknown) and name in ctx.declared.weak:
                ctx.builder.flush()
                address = expr.rvalue(ctx, Read(callee.node, PointerType(kind), callee))
                null_check(ctx, number(ctx, address), node, name)
            return callees.call(ctx, found, form.arguments, node, form.order)
        case callee:
            pointer = expr.rvalue(ctx, callee)
    if isinstance(pointer, Address) and isinstance(pointer.place, FunctionPlace):
        target = pointee(pointer.type)
        kind = target if isinstance(target, FunctionType) else pointer.place.type
        assert isinstance(kind, FunctionType)
        return callees.call(ctx, callees.resolve(ctx, pointer.place.name, kind), form.arguments, node, form.order)
    return _indirect_call(ctx, number(ctx, pointer), form)


def _indirect_call(ctx: Context, pointer: Number, form: Call) -> list[Outcome]:
    """A call through a pointer: any function whose address it may hold."""
    node, arguments = form.node, form.arguments
    ctx.builder.flush()
    null_check(ctx, pointer, node, show(node.name))
    target = pointee(pointer.type)
    kind = target if isinstance(target, FunctionType) else FunctionType(VoidType(), None)
    keys, _ = callees_of(ctx, pointer, node, len(arguments))
    values = [snapshot(ctx, value) for value in callees.argument_values(ctx, kind, arguments, form.order)]
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
