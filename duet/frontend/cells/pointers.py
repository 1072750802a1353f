"""The checks that a pointer that is followed, or moved to be followed later, is not null."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.cells.context import Context, show
from duet.frontend.cells.extent import Extent
from duet.frontend.ctypes.origins import failures
from duet.frontend.ctypes.types import ADDRESS
from duet.frontend.ctypes.values import Address, Index, Indirect, Number, Path, Value, base_of
from duet.frontend.graph.there import PAGE
from duet.frontend.source.nodes import Node
from duet.plip.syntax import FALSE, TRUE, Linear
from duet.plip.terms import compare, constant, disjunction

ASSUMED = "a pointer that is not null points to an object that is still there"


def null_check(ctx: Context, address: Number, node: Node, text: str, extent: Extent = None, stops: bool = True) -> None:
    """Emits the check where it is asked for and the address may be 0, unless `extent` is no byte at all.

    It `stops` a run where it fails.

    *Requires*: no read is deferred.
    """
    is_small = address.hi < PAGE
    if ctx.wants("null-dereference") and (address.lo <= 0 or is_small):
        ctx.assume(ASSUMED)
        condition = FALSE if is_small else compare(address.term, "!=", constant(0))
        if extent is not None and extent.lo <= 0:
            condition = disjunction((condition, compare(extent.term, "==", constant(0))))
        ctx.check(node, "null-dereference", condition, f"{text} != 0", stops)
    _failure_check(ctx, address, node, text, extent)


def _failure_check(ctx: Context, address: Number, node: Node, text: str, extent: Extent) -> None:
    """Emits the check where the address may be what a call has given that failed."""
    if not ctx.wants("null-dereference") or not failures(address.origins) or address.hi < ADDRESS.hi:
        return
    fine = compare(address.term, "!=", constant(ADDRESS.hi))
    if extent is not None and extent.lo <= 0:
        fine = disjunction((fine, compare(extent.term, "==", constant(0))))
    ctx.check(node, "null-dereference", fine, f"{text} != {min(failures(address.origins))}")


def move_check(ctx: Context, pointer: Value, offset: Linear, node: Node, is_followed: bool = False) -> bool:
    """Emits the check where a pointer is moved: from null, or MAP_FAILED, to elsewhere it is no longer seen to be that.

    That has no meaning in C, but for a null pointer that is written out, as in definitions of `offsetof`. One that is
    not moved, by 0, may be null, unless it `is_followed` at once. Returns whether it is not null for certain: then it
    is not where it was moved to, either, as it stays in its object or has no meaning (C11 6.5.6p8).
    """
    address = base_of(pointer)
    if not isinstance(address, Number):
        return False
    may_be_there = address.hi >= PAGE
    is_there = may_be_there and address.lo > 0
    if not ctx.wants("null-dereference"):
        return is_there
    if is_followed:
        ctx.assume(ASSUMED)
    if address.lo > 0 and not failures(address.origins):
        return is_there
    stays = compare(offset, "==", constant(0))
    path = pointer.place.path if isinstance(pointer, Address) and isinstance(pointer.place, Indirect) else ()
    moved = _moved(node, path)
    if stays == TRUE or _is_written_out(moved):
        return is_there
    ctx.builder.flush()
    if address.lo <= 0:
        fine = compare(address.term, "!=", constant(0))
        text = f"{show(moved)} != 0"
        ctx.check(node, "null-dereference", fine if is_followed else disjunction((fine, stays)), text)
    _failure_check(ctx, address, node, show(moved), None)
    return is_there or (may_be_there and is_followed)


def _moved(node: Node, path: Path) -> Node:
    """The pointer that the arithmetic or the choice of a part at a node moves, in front of a path to a part."""
    match node:
        case c_ast.Assignment():
            moved = node.lvalue
        case c_ast.UnaryOp(op="&"):
            return _leading(node.expr, path)
        case c_ast.UnaryOp():
            moved = node.expr
        case c_ast.BinaryOp():
            moved = node.right if isinstance(node.left, c_ast.Constant) else node.left
        case _:
            return _leading(_accessed(node), path)
    return _leading(moved, path) if path else moved


def _is_written_out(node: Node) -> bool:
    """Whether an expression is a constant that is converted to a pointer."""
    match node:
        case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl()), expr=value):
            return isinstance(value, c_ast.Constant) or _is_written_out(value)
        case _:
            return False


def pointer_text(node: Node, path: Path) -> str:
    """The text of the pointer that the access at a node follows, to a part of what it leads to."""
    return show(_leading(_accessed(node), path))


def given_text(argument: Node, pointer: Value) -> str:
    """The text of the pointer that an argument follows: itself, or what leads to the object that it is a part of."""
    match pointer:
        case Address(Indirect(path=path)):
            return show(_leading(argument, path))
        case _:
            return show(argument)


def _accessed(node: Node) -> Node:
    """What is read or written at a node, as the source has it."""
    match node:
        case c_ast.Assignment():
            return _accessed(node.lvalue)
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return _accessed(node.expr)
        case c_ast.FuncCall() if node.args is not None:
            return node.args.exprs[0]
        case _:
            return node


def _leading(node: Node, path: Path) -> Node:
    """The pointer in front of a path to a part, with which a text ends."""
    match node:
        case c_ast.UnaryOp(op="&"):
            return _leading(node.expr, path)
        case c_ast.UnaryOp(op="*"):
            return node.expr
        case c_ast.StructRef() if path and isinstance(path[-1], Index):  # the first element of an array
            return _leading(node, path[:-1])
        case c_ast.StructRef(type="->"):
            return node.name
        case c_ast.StructRef():
            return _leading(node.name, path[:-1])
        case c_ast.ArrayRef() if path and isinstance(path[-1], Index):
            return _leading(node.name, path[:-1])
        case c_ast.ArrayRef(name=c_ast.Constant(), subscript=pointer):
            return pointer
        case c_ast.ArrayRef():
            return node.name
        case _:
            return node
