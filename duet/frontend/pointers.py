"""The check that a pointer that is followed is not null."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.context import Context, show
from duet.frontend.values import Node, Number
from duet.plip.terms import compare, constant

ASSUMED = "a pointer that is not null points to an object that is still there"


def null_check(ctx: Context, address: Number, node: Node, text: str) -> None:
    """Emits the check where it is asked for and the address may be 0. *Requires*: no read is deferred."""
    if ctx.wants("null-dereference") and address.lo <= 0:
        ctx.assume(ASSUMED)
        ctx.check(node, "null-dereference", compare(address.term, "!=", constant(0)), f"{text} != 0")


def pointer_text(node: Node) -> str:
    """The text of the pointer that the access at a node follows."""
    match node:
        case c_ast.Assignment():
            return pointer_text(node.lvalue)
        case c_ast.UnaryOp(op="*"):
            return show(node.expr)
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return pointer_text(node.expr)
        case c_ast.StructRef(type="->") | c_ast.ArrayRef():
            return show(node.name)
        case c_ast.StructRef():
            return pointer_text(node.name)
        case c_ast.FuncCall() if node.args is not None:
            return show(node.args.exprs[0])
        case _:
            return show(node)
