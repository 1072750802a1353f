"""A node of the tree for an expression whose value is known."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.ctypes.values import Value
from duet.frontend.source.nodes import Node


class Settled(c_ast.Node):  # type: ignore[misc]  # pycparser has no type information
    """An expression that has been evaluated already."""

    __slots__ = ("coord", "value")
    attr_names = ()

    def __init__(self, value: Value, coord: object = None) -> None:
        self.value, self.coord = value, coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return ()
