"""Checks and assumptions that a program defines itself: whether its own body does nothing but what their models do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.ctypes.library import Control, Description, Role
from duet.frontend.source.nodes import Node

Describe = Callable[[str], Description | None]


def is_stub(name: str, node: Node, describe: Describe) -> bool:
    """Whether a definition of a check or an assumption, as a tree, does nothing else than the model of that name."""
    items = _flat(node.body)
    while items and isinstance(items[-1], c_ast.Return) and items[-1].expr is None:
        items.pop()
    if not items:
        return True
    known = describe(name)
    if known is None:
        return False
    body = _Body(name, known, describe)
    if known.role is Role.FAILURE:
        return body.ends(items)
    parameters = node.decl.type.args.params if node.decl.type.args is not None else []
    if len(items) != 1 or not parameters or not (known.is_assertion or known.role is Role.ASSUMPTION):
        return False
    return body.tests(items[0], parameters[0].name)


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


@dataclass(frozen=True, slots=True)
class _Body:
    """The body of a function with a role, and what is known of those that it calls."""

    name: str
    known: Description
    describe: Describe

    def tests(self, item: Node, parameter: str | None) -> bool:
        """Whether a statement only ends the execution where a parameter is 0."""
        match item:
            case c_ast.FuncCall(name=c_ast.ID(name=called), args=c_ast.ExprList(exprs=[c_ast.ID(name=given)])):
                return given == parameter and called != self.name and self._is_alike(called)
            case c_ast.If(cond=c_ast.UnaryOp(op="!", expr=c_ast.ID(name=given)), iffalse=None):
                return given == parameter and self.ends(_flat(item.iftrue))
            case c_ast.If(
                cond=c_ast.BinaryOp(op="==", left=c_ast.ID(name=given), right=c_ast.Constant(value="0")), iffalse=None
            ):
                return given == parameter and self.ends(_flat(item.iftrue))
            case _:
                return False

    def _is_alike(self, called: str) -> bool:
        """Whether a function that is called is an assertion if this is one, or an assumption if this is one."""
        known = self.describe(called)
        if known is None:
            return False
        return known.is_assertion if self.known.is_assertion else known.role is Role.ASSUMPTION

    def ends(self, items: Sequence[Node]) -> bool:
        """Whether statements do nothing but end the execution."""
        return bool(items) and all(self._is_ending(item) for item in items)

    def _is_ending(self, item: Node) -> bool:
        match item:
            case c_ast.FuncCall(name=c_ast.ID(name=called)):
                known = self.describe(called)
                given = item.args.exprs if item.args is not None else []
                if known is not None and known.role is Role.ASSERTION and called != self.name:
                    return len(given) == 1 and isinstance(given[0], c_ast.Constant) and given[0].value == "0"
                is_last = known is not None and (known.control is Control.ENDS_PROCESS or known.role is Role.FAILURE)
                return is_last and all(isinstance(value, c_ast.Constant | c_ast.ID) for value in given)
            case c_ast.While(cond=c_ast.Constant(value="1")) | c_ast.For(init=None, cond=None, next=None):
                return not _flat(item.stmt)
            case _:
                return False
