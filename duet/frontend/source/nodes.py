"""Nodes of the tree for what GNU C has beyond pycparser's C."""

from __future__ import annotations

from typing import Any, TypeAlias

from pycparser import c_ast

Node: TypeAlias = Any
"""A node of pycparser's tree."""
RANGE = "__duet_range"
"""The name of the call that stands for `first ... last`."""


class Otherwise(c_ast.Node):  # type: ignore[misc]  # pycparser has no type information
    """`cond ?: iffalse`: the condition where it is not zero; it is evaluated once."""

    __slots__ = ("cond", "coord", "iffalse")
    attr_names = ()

    def __init__(self, cond: Node, iffalse: Node, coord: object = None) -> None:
        self.cond, self.iffalse, self.coord = cond, iffalse, coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return ("cond", self.cond), ("iffalse", self.iffalse)


class Enumeration23(c_ast.Enum):  # type: ignore[misc]  # pycparser has no type information
    """An enumeration as C23 has it: with an enumerator outside of `int`, all have the type of the enumeration."""

    __slots__ = ()


class InvariantCall(c_ast.FuncCall):  # type: ignore[misc]  # pycparser has no type information
    """A call of INVARIANT, with the text of its argument as it was given."""

    __slots__ = ("text",)


class WhileWithInvariants(c_ast.While):  # type: ignore[misc]  # pycparser has no type information
    """`while` with what holds before each test of its condition, as calls of INVARIANT."""

    __slots__ = ("invariants",)


class DoWhileWithInvariants(c_ast.DoWhile):  # type: ignore[misc]  # pycparser has no type information
    """`do` with the same."""

    __slots__ = ("invariants",)


class ForWithInvariants(c_ast.For):  # type: ignore[misc]  # pycparser has no type information
    """`for` with the same."""

    __slots__ = ("invariants",)


class ComputedGoto(c_ast.Node):  # type: ignore[misc]  # pycparser has no type information
    """`goto *target;`"""

    __slots__ = ("coord", "target")
    attr_names = ()

    def __init__(self, target: Node, coord: object = None) -> None:
        self.target, self.coord = target, coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return (("target", self.target),)


class Cleanup(c_ast.Node):  # type: ignore[misc]  # pycparser has no type information
    """The attribute `cleanup` of the variable declared before: what is called where that goes out of scope."""

    __slots__ = ("call", "coord")
    attr_names = ()

    def __init__(self, call: Node, coord: object = None) -> None:
        self.call, self.coord = call, coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return (("call", self.call),)


def names(node: Node) -> frozenset[str]:
    """The identifiers in a tree."""
    found: set[str] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, c_ast.ID):
            found.add(item.name)
        stack.extend(child for _, child in item.children())
    return frozenset(found)
