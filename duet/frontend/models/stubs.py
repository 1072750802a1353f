"""Checks and assumptions that a program defines itself: whether its own body does nothing but what their models do."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from duet.frontend.ctypes.names import ASSERTIONS, ASSUMPTIONS, FAILURES
from duet.frontend.source.nodes import Node

_ENDINGS = FAILURES | {"abort", "exit", "_exit", "_Exit", "__builtin_trap", "__builtin_unreachable"}


def is_stub(name: str, node: Node) -> bool:
    """Whether a definition of a check or an assumption, as a tree, does nothing else than the model of that name."""
    items = _flat(node.body)
    while items and isinstance(items[-1], c_ast.Return) and items[-1].expr is None:
        items.pop()
    if not items:
        return True
    if name in FAILURES:
        return _ends(items)
    parameters = node.decl.type.args.params if node.decl.type.args is not None else []
    if len(items) != 1 or not parameters or name not in ASSERTIONS | ASSUMPTIONS:
        return False
    return _tests(items[0], name, parameters[0].name)


def _flat(node: Node) -> list[Node]:
    """The statements of a body, without labels, braces and empty statements."""
    match node:
        case None | c_ast.EmptyStatement():
            return []
        case c_ast.Compound():
            return [inner for item in node.block_items or [] for inner in _flat(item)]
        case c_ast.Label():
            return _flat(node.stmt)
        case _:
            return [node]


def _tests(item: Node, name: str, parameter: str | None) -> bool:
    """Whether a statement only ends the execution where a parameter is 0."""
    match item:
        case c_ast.FuncCall(name=c_ast.ID(name=called), args=c_ast.ExprList(exprs=[c_ast.ID(name=given)])):
            group = ASSERTIONS if name in ASSERTIONS else ASSUMPTIONS
            return given == parameter and called in group and called != name
        case c_ast.If(cond=c_ast.UnaryOp(op="!", expr=c_ast.ID(name=given)), iffalse=None):
            return given == parameter and _ends(_flat(item.iftrue))
        case c_ast.If(
            cond=c_ast.BinaryOp(op="==", left=c_ast.ID(name=given), right=c_ast.Constant(value="0")), iffalse=None
        ):
            return given == parameter and _ends(_flat(item.iftrue))
        case _:
            return False


def _ends(items: Sequence[Node]) -> bool:
    """Whether statements do nothing but end the execution."""
    return bool(items) and all(_is_ending(item) for item in items)


def _is_ending(item: Node) -> bool:
    match item:
        case c_ast.FuncCall(name=c_ast.ID(name="assert"), args=c_ast.ExprList(exprs=[c_ast.Constant(value="0")])):
            return True
        case c_ast.FuncCall(name=c_ast.ID(name=called)):
            constants = item.args.exprs if item.args is not None else []
            return called in _ENDINGS and all(isinstance(given, c_ast.Constant | c_ast.ID) for given in constants)
        case c_ast.While(cond=c_ast.Constant(value="1")) | c_ast.For(init=None, cond=None, next=None):
            return not _flat(item.stmt)
        case _:
            return False
