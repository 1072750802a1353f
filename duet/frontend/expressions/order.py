"""Operands, arguments and initialisers beside each other, whose order C leaves open (C11 6.5, 6.5.2.2, 6.7.9).

What one of them reads while another calls a function is read before the call or behind it. The calls themselves go from
left to right, with a warning where there are several.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import merged, snapshot
from duet.frontend.ctypes.scope import Function
from duet.frontend.ctypes.signatures import signature
from duet.frontend.ctypes.types import ArrayType, PointerType, is_scalar
from duet.frontend.ctypes.values import Object, Temporary, Value, Whole, type_of
from duet.frontend.expressions import expr
from duet.frontend.expressions.settled import Settled
from duet.frontend.source.nodes import Node


def settled_operands(ctx: Context, operands: Sequence[Node]) -> list[Node]:
    """The operands, evaluated where one calls something that may change what another reads."""
    calling = [calls(ctx, operand) for operand in operands]
    if not any(calling):
        return list(operands)
    _note_calls(ctx, operands)
    is_open = [not calling[i] and is_read_open(ctx, operand) for i, operand in enumerate(operands)]
    if not any(is_open):
        return list(operands)
    early = {i: snapshot(ctx, expr.rvalue(ctx, operand)) for i, operand in enumerate(operands) if is_open[i]}
    found = [
        Settled(snapshot(ctx, expr.rvalue(ctx, operand)), operand.coord) if calling[i] else operand
        for i, operand in enumerate(operands)
    ]
    for i, value in early.items():
        late = snapshot(ctx, expr.rvalue(ctx, operands[i]))
        found[i] = Settled(either(ctx, value, late, operands[i]), operands[i].coord)
    return found


def note_open(ctx: Context, operands: Sequence[Node]) -> None:
    """Warns where one operand calls something and another one reads what that may change."""
    calling = _note_calls(ctx, operands)
    if calling and any(operand not in calling and is_read_open(ctx, operand) for operand in operands):
        ctx.warn(calling[0], "evaluation-order", "what is beside this call is taken to be evaluated from left to right")


def either(ctx: Context, early: Value, late: Value, node: Node) -> Value:
    """One of two values of an expression."""
    kind = type_of(early)
    if isinstance(early, Whole):
        ctx.warn(node, "struct-argument", "a call beside it may change this struct: any value is assumed")
        return Whole(Temporary(kind), kind)
    if early == late or not is_scalar(kind):
        return early
    ctx.builder.flush()
    ways = ctx.builder.fork(2)
    return snapshot(ctx, merged(ctx, list(zip(ways, (early, late), strict=True)), kind))


def calls(ctx: Context, node: Node) -> bool:
    """Whether evaluating an expression may call what changes memory that others read."""
    match node:
        case c_ast.FuncCall(name=c_ast.ID(name=name)) if _is_harmless(ctx, name):
            return any(calls(ctx, child) for _, child in node.children())
        case c_ast.FuncCall() | c_ast.Compound():
            return True
        case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
            return False
        case _:
            return any(calls(ctx, child) for _, child in node.children())


def _is_harmless(ctx: Context, name: str) -> bool:
    """Whether a function by this name is one of the library's that is given no memory."""
    symbol = ctx.scope.find(name)
    if isinstance(symbol, Function) and symbol.key in ctx.functions:
        return False
    if symbol is not None and not isinstance(symbol, Function):
        return False
    kind = signature(ctx.scope, name, symbol.type if symbol is not None else None)
    if kind is None or kind.parameters is None:
        known = ctx.hooks.describe(name)
        return known is not None and known.only_looks
    return not kind.variadic and not any(isinstance(parameter, PointerType) for parameter in kind.parameters)


def is_read_open(ctx: Context, node: Node) -> bool:
    """Whether an expression without effects reads what a function that is called may change."""
    match node:
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
            return is_place_open(ctx, node) or _is_memory_open(ctx, node)
        case c_ast.UnaryOp(op="&", expr=operand):
            return is_place_open(ctx, operand)
        case c_ast.UnaryOp(op="sizeof" | "_Alignof" | "++" | "--" | "p++" | "p--") | c_ast.Assignment():
            return False
        case _:
            parts = [child for _, child in node.children()]
            return not expr.has_effects(node) and any(is_read_open(ctx, part) for part in parts)


def is_place_open(ctx: Context, node: Node) -> bool:
    """Whether it depends on what a called function may change which object an lvalue means."""
    match node:
        case c_ast.ID():
            return False
        case c_ast.StructRef(type=".", name=base):
            return is_place_open(ctx, base)
        case c_ast.StructRef(name=base):
            return is_read_open(ctx, base)
        case c_ast.ArrayRef(name=base, subscript=index):
            return is_read_open(ctx, base) or is_read_open(ctx, index)
        case c_ast.UnaryOp(op="*", expr=operand):
            return is_read_open(ctx, operand)
        case _:
            return False


def _is_memory_open(ctx: Context, node: Node) -> bool:
    """Whether a called function may change the memory of an lvalue."""
    match node:
        case c_ast.ID(name=name):
            of = ctx.scope.find(name)
            return isinstance(of, Object) and not isinstance(of.type, ArrayType) and _is_given_out(ctx, of)
        case c_ast.StructRef(type=".", name=base):
            return _is_memory_open(ctx, base)
        case c_ast.ArrayRef(name=c_ast.ID(name=name)):
            of = ctx.scope.find(name)
            return not isinstance(of, Object) or not isinstance(of.type, ArrayType) or _is_given_out(ctx, of)
        case _:
            return True


def _is_given_out(ctx: Context, of: Object) -> bool:
    """Whether others than the function around may change an object."""
    facts = ctx.facts
    return of.kind != "local" or any(of.key in keys for keys in (facts.addressed, facts.bound, facts.escaped))


def _note_calls(ctx: Context, operands: Sequence[Node]) -> list[Node]:
    """The operands that call functions of the program; warns of several, which are taken from left to right."""
    calling = [operand for operand in operands if _calls_program(ctx, operand)]
    if len(calling) > 1:
        message = "the order of these calls is not specified in C: they are taken from left to right"
        ctx.warn(calling[0], "evaluation-order", message)
    return calling


def _calls_program(ctx: Context, node: Node) -> bool:
    """Whether an expression calls a function that the program defines, or one through a pointer."""
    if isinstance(node, c_ast.FuncCall):
        callee = node.name
        symbol = ctx.scope.find(callee.name) if isinstance(callee, c_ast.ID) else None
        if not isinstance(callee, c_ast.ID) or (symbol is not None and not isinstance(symbol, Function)):
            return True
        if isinstance(symbol, Function) and symbol.key in ctx.functions:
            return True
    return any(_calls_program(ctx, child) for _, child in node.children())
