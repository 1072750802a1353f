"""The checks that a pointer that is followed, or moved to be followed later, is not null."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.cells.context import Context, show
from duet.frontend.cells.extent import Extent
from duet.frontend.ctypes.values import Address, Indirect, Number, Value
from duet.frontend.source.nodes import Node
from duet.plip.syntax import FALSE, TRUE, Linear
from duet.plip.terms import compare, constant, disjunction

ASSUMED = "a pointer that is not null points to an object that is still there"
PAGE = 4096
"""Addresses below, and as many at the top, belong to no object."""


def null_check(ctx: Context, address: Number, node: Node, text: str, extent: Extent = None) -> None:
    """Emits the check where it is asked for and the address may be 0, unless `extent` is no byte at all.

    *Requires*: no read is deferred.
    """
    is_small = address.hi < PAGE
    if ctx.wants("null-dereference") and (address.lo <= 0 or is_small):
        ctx.assume(ASSUMED)
        condition = FALSE if is_small else compare(address.term, "!=", constant(0))
        if extent is not None and extent.lo <= 0:
            condition = disjunction((condition, compare(extent.term, "==", constant(0))))
        ctx.check(node, "null-dereference", condition, f"{text} != 0")


def move_check(ctx: Context, pointer: Value, offset: Linear, node: Node) -> None:
    """Emits the check where a pointer is moved: from null to elsewhere it is no longer seen to be null.

    That has no meaning in C, but for a null pointer that is written out, as in definitions of `offsetof`.
    """
    address = pointer.place.address if isinstance(pointer, Address) and isinstance(pointer.place, Indirect) else pointer
    if not ctx.wants("null-dereference") or not isinstance(address, Number) or address.lo > 0:
        return
    stays = compare(offset, "==", constant(0))
    if stays != TRUE and not _is_written_out(moved := _moved(node)):
        ctx.builder.flush()
        fine = disjunction((compare(address.term, "!=", constant(0)), stays))
        ctx.check(node, "null-dereference", fine, f"{show(moved)} != 0")


def _moved(node: Node) -> Node:
    """The pointer that the arithmetic or the choice of a part at a node moves."""
    match node:
        case c_ast.Assignment():
            return node.lvalue
        case c_ast.UnaryOp(op="&"):
            return _followed(node.expr)
        case c_ast.UnaryOp():
            return node.expr
        case c_ast.BinaryOp():
            return node.right if isinstance(node.left, c_ast.Constant) else node.left
        case _:
            return _followed(node)


def _is_written_out(node: Node) -> bool:
    """Whether an expression is a constant that is converted to a pointer."""
    match node:
        case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl()), expr=value):
            return isinstance(value, c_ast.Constant) or _is_written_out(value)
        case _:
            return False


def pointer_text(node: Node) -> str:
    """The text of the pointer that the access at a node follows."""
    return show(_followed(node))


def _followed(node: Node) -> Node:
    """The pointer that the access at a node follows."""
    match node:
        case c_ast.Assignment():
            return _followed(node.lvalue)
        case c_ast.UnaryOp(op="*"):
            return node.expr
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return _followed(node.expr)
        case c_ast.ArrayRef(name=c_ast.Constant(), subscript=pointer):
            return pointer
        case c_ast.StructRef(type="->") | c_ast.ArrayRef():
            return node.name
        case c_ast.StructRef():
            return _followed(node.name)
        case c_ast.FuncCall() if node.args is not None:
            return node.args.exprs[0]
        case _:
            return node
