"""Which variables a function body may change by name."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.models.table import describe
from duet.frontend.source.nodes import Node


def changed_names(node: Node) -> frozenset[str]:
    """The names that a function body assigns or takes the address of."""
    found: set[str] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        match item:
            case c_ast.Assignment(lvalue=target):
                found |= _base_names(target)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" | "&", expr=target):
                found |= _base_names(target)
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=arguments)):
                known = describe(name)
                if known is not None and known.takes_places:
                    found |= frozenset[str]().union(*map(_base_names, arguments))
            case _:
                pass
        stack.extend(child for _, child in item.children())
    return frozenset(found)


def _base_names(node: Node) -> frozenset[str]:
    """The variables that an lvalue is part of."""
    match node:
        case c_ast.ID(name=name):
            return frozenset((name,))
        case c_ast.StructRef(type=".", name=base):
            return _base_names(base)
        case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp():
            return frozenset()
        case _:
            return frozenset().union(*(_base_names(child) for _, child in node.children()))
