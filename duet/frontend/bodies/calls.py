"""Calls by name and through pointers: of defined functions, of modelled ones, of unknown ones."""

from __future__ import annotations

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.bodies.inline import enter, is_callable, parameters
from duet.frontend.cells import sharing
from duet.frontend.cells.context import Context, Outcome, show
from duet.frontend.cells.convert import convert, number, snapshot, squeezed
from duet.frontend.cells.pointers import null_check
from duet.frontend.ctypes.origins import functions, of_function
from duet.frontend.ctypes.scope import Function
from duet.frontend.ctypes.signatures import signature
from duet.frontend.ctypes.types import FunctionType, PointerType, VoidType, is_scalar
from duet.frontend.ctypes.values import (
    ANYTHING,
    Address,
    FunctionPlace,
    Number,
    Temporary,
    Truth,
    Untracked,
    Value,
    Whole,
    literal,
)
from duet.frontend.expressions import assign, expr, order
from duet.frontend.models.call import Call, Model
from duet.frontend.models.checks import is_atomic_section, nondeterministic, note_failure
from duet.frontend.models.table import model_of
from duet.frontend.models.unknown import unknown_call
from duet.frontend.source.nodes import Node
from duet.plip.syntax import SKIP, TRUE, Guard
from duet.plip.terms import compare, constant


def call(ctx: Context, node: Node) -> list[Outcome]:
    """The outcomes of a call expression."""
    callee = node.name
    while isinstance(callee, c_ast.UnaryOp) and callee.op == "*":
        callee = callee.expr
    arguments = list(node.args.exprs) if node.args is not None else []
    if isinstance(callee, c_ast.ID):
        symbol = ctx.scope.find(callee.name)
        if symbol is None or isinstance(symbol, Function):
            key = symbol.key if isinstance(symbol, Function) else callee.name
            return _named_call(ctx, key, callee.name, symbol, arguments, node)
    pointer = expr.rvalue(ctx, callee)
    if isinstance(pointer, Address) and isinstance(pointer.place, FunctionPlace):
        place = pointer.place
        kind = place.type
        assert isinstance(kind, FunctionType)
        name = place.name
        return _named_call(ctx, name, name, Function(name, kind), arguments, node)
    return _indirect_call(ctx, number(ctx, pointer), arguments, node)


def _named_call(
    ctx: Context, key: str, name: str, symbol: Function | None, arguments: list[Node], node: Node
) -> list[Outcome]:
    definition = ctx.functions.get(key)
    model = model_of(name, definition.node if definition is not None else None)
    kind = symbol.type if symbol is not None else None
    if model is not None:
        return _modelled(ctx, model, Call(name, arguments, node, signature(ctx.scope, name, kind)))
    if definition is None:
        if symbol is None:
            ctx.warn_once(node, "implicit-declaration", name, f"'{name}' is not declared: taken to return int")
        if name in ctx.weak:
            ctx.builder.flush()
            null_check(ctx, number(ctx, expr.rvalue(ctx, node.name)), node, name)
        return unknown_call(ctx, Call(name, arguments, node), kind)
    kind = ctx.signatures[key]
    values = argument_values(ctx, kind, arguments)
    note_failure(ctx, name, node)
    if is_atomic_section(name) and not ctx.builder.is_inside:
        assign.enter_region(ctx)
        found = enter(ctx, definition, kind, values, node)
        return _leaving(ctx, found)
    found = enter(ctx, definition, kind, values, node)
    return nondeterministic(ctx, name, kind.result, found)


def _modelled(ctx: Context, model: Model, called: Call) -> list[Outcome]:
    """The outcomes of a call of a modelled function, with values of the type that the function returns."""
    order.note_open(ctx, called.arguments)
    with sharing.in_library(ctx):
        found, kind = model(ctx, called), called.kind
    if kind is None:
        return found
    return expr.mapped(ctx, found, lambda value: convert(ctx, value, kind.result, called.node))


def _leaving(ctx: Context, found: list[Outcome]) -> list[Outcome]:
    """The outcomes, each behind the end of the atomic region."""
    result = []
    for location, value in found:
        if location != ctx.builder.current:
            ctx.builder.at(location)
        kept = snapshot(ctx, value)
        assign.leave_region(ctx)
        result.append((ctx.builder.current, kept))
    return result


def argument_values(ctx: Context, kind: FunctionType, arguments: list[Node]) -> list[Value]:
    """The arguments of a call, evaluated left to right and converted to the types of the parameters."""
    values: list[Value] = []
    arguments = order.settled_operands(ctx, arguments)
    for place, argument in enumerate(arguments):
        value = expr.rvalue(ctx, argument)
        if kind.parameters is not None and place < len(kind.parameters):
            value = convert(ctx, value, kind.parameters[place], argument)
        is_variable = kind.variadic and place >= len(kind.parameters or ())
        if isinstance(value, Truth) or (is_variable and isinstance(value, Address)):
            value = number(ctx, value)  # a variable argument is reached as any object whose address is taken
        if any(expr.has_effects(later) for later in arguments[place + 1 :]):
            value = snapshot(ctx, value)
            if isinstance(value, Whole) and not isinstance(value.place, Temporary):
                ctx.warn(argument, "struct-argument", "other arguments may change this struct: any value is assumed")
                value = Whole(Temporary(value.type), value.type)
        ctx.builder.flush()
        values.append(value)
    return values


def _indirect_call(ctx: Context, pointer: Number, arguments: list[Node], node: Node) -> list[Outcome]:
    """A call through a pointer: any function whose address it may hold."""
    ctx.builder.flush()
    null_check(ctx, pointer, node, show(node.name))
    target = pointer.type.target if isinstance(pointer.type, PointerType) else None
    kind = target if isinstance(target, FunctionType) else FunctionType(VoidType(), None)
    keys = functions(pointer.origins)
    is_open = ANYTHING in pointer.origins
    site = f"call {ctx.span(node)} {'/'.join(frame.prefix for frame in ctx.frames)} {ctx.template}"
    ctx.facts.called(site, pointer.origins, len(arguments))
    if not keys and not is_open:
        if site not in ctx.facts.wild:
            ctx.unresolved.add(site)
        is_open = site in ctx.facts.wild
    if is_open:
        keys = sorted(ctx.facts.functions)
        ctx.warn(node, "unresolved-call", "what function is called here is not known: any may be")
        keys = [key for key in keys if is_callable(ctx, key, len(arguments)) or of_function(key) in pointer.origins]
    values = [snapshot(ctx, value) for value in argument_values(ctx, kind, arguments)]
    start = ctx.builder.current
    found: list[Outcome] = []
    for key in keys:
        ctx.builder.at(start)
        way = ctx.builder.fresh()
        is_only = len(keys) == 1 and not is_open
        equal = compare(pointer.term, "==", constant(ctx.memory.base(of_function(key), 1)))
        ctx.builder.edge(Guard(TRUE if is_only else equal), way)
        ctx.builder.at(way)
        for location, value in _pointed_call(ctx, key, kind, values, arguments, node):
            if location != ctx.builder.current:
                ctx.builder.at(location)
            converted = convert(ctx, value, kind.result, node)
            ctx.builder.flush()
            found.append((ctx.builder.current, converted))
    if is_open:
        ctx.builder.at(start)
        way = ctx.builder.fresh()
        ctx.builder.edge(SKIP, way)
        ctx.builder.at(way)
        found.extend(unknown_call(ctx, Call("this pointer", [], node), kind, values))
    if not found:
        ctx.builder.at(start)
        ctx.builder.dead()
        return [(ctx.builder.current, literal(0, kind.result) if is_scalar(kind.result) else Untracked(kind.result))]
    return squeezed(ctx, found, kind.result)


def _pointed_call(
    ctx: Context, key: str, kind: FunctionType, values: list[Value], arguments: list[Node], node: Node
) -> list[Outcome]:
    """The outcomes of calling a function through a pointer; its arguments are evaluated already."""
    definition = ctx.functions.get(key)
    if definition is not None:
        declared = ctx.memory.types.read(definition.node.decl.type, definition.scope)
        assert isinstance(declared, FunctionType)
        kinds = [expected for _, expected, _ in parameters(ctx, definition)]
        own = [convert(ctx, value, expected, node) for value, expected in zip(values, kinds, strict=False)]
        return enter(ctx, definition, declared, own, node)
    model = model_of(key, None)
    if model is None:
        return unknown_call(ctx, Call(key, [], node), kind, values)
    if any(expr.has_effects(argument) for argument in arguments):
        raise Unsupported(f"a call of '{key}' through a pointer with effects in its arguments", ctx.span(node))
    return _modelled(ctx, model, Call(key, arguments, node, signature(ctx.scope, key, kind)))
