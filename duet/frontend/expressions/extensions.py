"""GNU and C11 expressions and statements beyond plain C: `({ ... })`, `a ?: b`, computed gotos."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from duet.frontend.cells.context import Context, Outcome
from duet.frontend.cells.convert import condition_of, number, snapshot
from duet.frontend.ctypes.types import VOID, VOID_POINTER
from duet.frontend.ctypes.values import EXTERNAL, Untracked, Value, of_term
from duet.frontend.expressions import expr
from duet.frontend.source.nodes import ComputedGoto, Node, NotUnderstood, Otherwise
from duet.plip.syntax import Havoc
from duet.plip.terms import variable

_STATEMENTS = (
    *(c_ast.Compound, c_ast.If, c_ast.While, c_ast.DoWhile, c_ast.For, c_ast.Switch, c_ast.Return, c_ast.Goto),
    *(c_ast.Break, c_ast.Continue, c_ast.Label, c_ast.Case, c_ast.Default, c_ast.Decl, c_ast.DeclList, c_ast.Typedef),
    *(c_ast.EmptyStatement, c_ast.Pragma, c_ast.StaticAssert, c_ast.FuncDef, ComputedGoto, NotUnderstood),
)


def statement_expression(ctx: Context, node: Node) -> list[Outcome]:
    """The outcomes of `({ ... })`: that of the last statement where it is an expression, else void."""
    items = [item for item in node.block_items or [] if not isinstance(item, c_ast.Pragma)]
    with ctx.block():
        for item in items[:-1]:
            ctx.hooks.statement(ctx, item)
            ctx.builder.flush()
        last = items[-1] if items else None
        while isinstance(last, c_ast.Label):
            ctx.hooks.statement(ctx, c_ast.Label(last.name, c_ast.EmptyStatement(last.coord), last.coord))
            last = last.stmt
        if last is None or isinstance(last, _STATEMENTS):
            ctx.hooks.statement(ctx, last)
            ctx.builder.flush()
            return [(ctx.builder.current, Untracked(VOID))]
        return expr.mapped(ctx, expr.outcomes(ctx, last), lambda value: snapshot(ctx, value))


def otherwise(ctx: Context, node: Otherwise) -> list[list[Outcome]]:
    """The outcomes of both arms of `a ?: b`; `a` is evaluated once."""
    value = snapshot(ctx, expr.rvalue(ctx, node.cond))
    yes, no = ctx.builder.fresh(), ctx.builder.fresh()
    ctx.builder.branch_to(condition_of(ctx, value), yes, no)
    ctx.builder.at(yes)
    settled = number(ctx, value) if not isinstance(value, Untracked) else value
    first: list[Outcome] = [(ctx.builder.current, settled)]
    ctx.builder.flush()
    ctx.builder.at(no)
    found = expr.outcomes(ctx, node.iffalse)
    here = ctx.builder.current
    ctx.builder.flush()
    second = [(ctx.builder.current if place == here else place, item) for place, item in found]
    return [first, second]


def label_address(ctx: Context) -> Value:
    """`&&label`: some address that is not null."""
    name = ctx.temporary(VOID_POINTER)
    top = (1 << 64) - 1
    ctx.builder.emit(Havoc(name, 1, top))
    return of_term(variable(name), VOID_POINTER, 1, top, frozenset((EXTERNAL,)))


def computed_goto(ctx: Context, node: ComputedGoto) -> tuple[str, ...]:
    """The labels that `goto *e` may lead to, after evaluating `e`: all whose address this function takes."""
    expr.effect(ctx, node.target)
    body = ctx.functions[ctx.frame.function].node.body
    return tuple(sorted(set(_labels_taken(body))))


def _labels_taken(node: Node) -> Iterator[str]:
    if isinstance(node, c_ast.UnaryOp) and node.op == "&&":
        yield node.expr.name
    for _, child in node.children():
        yield from _labels_taken(child)
