"""Sizes and alignments, and the lengths of arrays that C evaluates where a type is named (C11 6.7.6.2)."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import ULONG, VA_LIST, ArrayType, CType, PointerType
from duet.frontend.ctypes.values import Value, literal
from duet.frontend.expressions import expr, lvalue
from duet.frontend.source.nodes import Node
from duet.frontend.source.words import AUTO_TYPE


def evaluate(ctx: Context, node: Node) -> None:
    """Evaluates the lengths in a type tree for their effects; those of a function's parameters only where it starts."""
    match node:
        case c_ast.ArrayDecl():
            if node.dim is not None and not expr.is_constant_expression(ctx, node.dim):
                ctx.has_lengths = True
                expr.effect(ctx, node.dim)
            evaluate(ctx, node.type)
        case c_ast.Decl() | c_ast.Typename() | c_ast.TypeDecl() | c_ast.PtrDecl() | c_ast.FuncDecl():
            evaluate(ctx, node.type)
        case c_ast.TypeOf(expr=operand, op=operator) if operator != AUTO_TYPE and expr.has_effects(operand):
            is_type = isinstance(operand, c_ast.Typename)
            if is_type or (ctx.has_lengths and _has_array(lvalue.type_at(ctx, operand))):
                _perhaps(ctx, operand)
        case _:
            pass


def evaluate_parameters(ctx: Context, node: Node) -> None:
    """Evaluates the lengths in the types of a function's parameters, where its definition is entered."""
    declared = node.decl.type.args
    for item in (*(declared.params if declared is not None else ()), *(node.param_decls or ())):
        evaluate(ctx, item)


def size_of(ctx: Context, node: Node) -> Value:
    """`sizeof e`, `sizeof(T)`."""
    kind = lvalue.type_at(ctx, node.expr)
    _evaluate_operand(ctx, node.expr, kind)
    size = ctx.memory.types.size(kind)
    if size is None or kind == VA_LIST:
        ctx.warn(node, "sizeof", "the size of this is not a constant: any value is assumed")
        return ctx.havoc(ULONG)
    return literal(size, ULONG)


def align_of(ctx: Context, node: Node) -> Value:
    """`_Alignof(T)`; any value for an object, which may be aligned to more than its type."""
    if isinstance(node.expr, c_ast.Typename):
        return literal(ctx.memory.types.align_of(node.expr, ctx.scope), ULONG)
    ctx.warn(node, "alignment", "the alignment of an object is not tracked: any value is assumed")
    return ctx.havoc(ULONG)


def _evaluate_operand(ctx: Context, node: Node, kind: CType) -> None:
    """Evaluates the operand of sizeof where it is an array that may be of variable length, or names such a type."""
    if isinstance(node, c_ast.Typename):
        evaluate(ctx, node)
    elif isinstance(kind, ArrayType) and ctx.has_lengths and expr.has_effects(node):
        _perhaps(ctx, node)


def _perhaps(ctx: Context, node: Node) -> None:
    """Evaluates an operand or not: a length may be known here that is no constant in C; declarators share a typeof."""
    ctx.builder.flush()
    way, after = ctx.builder.fork(2)
    ctx.builder.at(way)
    if isinstance(node, c_ast.Typename):
        evaluate(ctx, node)
    else:
        expr.effect(ctx, node)
    ctx.builder.goto(after)
    ctx.builder.at(after)


def _has_array(kind: CType) -> bool:
    return isinstance(kind, ArrayType) or (isinstance(kind, PointerType) and _has_array(kind.target))
