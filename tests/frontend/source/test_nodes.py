"""Nodes beyond pycparser's are visited as its own are."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.source.nodes import ComputedGoto, Enumeration23, Otherwise


class Names(c_ast.NodeVisitor):  # type: ignore[misc]  # pycparser has no type information
    """The identifiers of a tree."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_ID(self, node: c_ast.ID) -> None:  # noqa: N802  # the name is pycparser's
        self.found.append(node.name)


def names(node: c_ast.Node) -> list[str]:
    visitor = Names()
    visitor.visit(node)
    return visitor.found


def test_children_are_visited_in_order() -> None:
    assert names(Otherwise(c_ast.ID("a"), c_ast.ID("b"))) == ["a", "b"]
    assert names(ComputedGoto(c_ast.ID("p"))) == ["p"]


def test_nodes_keep_their_places() -> None:
    for node in (Otherwise(None, None, "here"), ComputedGoto(None, "here")):
        assert node.coord == "here"


def test_an_enumeration_of_c23_is_an_enumeration() -> None:
    assert isinstance(Enumeration23("E", None, None), c_ast.Enum)
