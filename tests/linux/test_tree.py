"""What is read off expressions and declarations of C."""

from __future__ import annotations

import pytest
from pycparser import c_ast
from pycparser.c_parser import CParser

from duet.linux.tree import arguments, calls, name_of, structure_of, structures, text

TEXT = """struct s { int n; struct { int m; } inner; }; struct late;
struct s a, b[2], *c; int d;
void f(int x) { g(%s); }
"""


def given(expression: str) -> c_ast.Node:
    """The tree of an expression."""
    (call,) = (call for call in calls(CParser().parse(TEXT % expression)) if name_of(call.name) == "g")
    (argument,) = arguments(call)
    return argument


@pytest.mark.parametrize(
    ("expression", "name"),
    [("x", "x"), ("&x", "x"), ("(long)&x", "x"), ("*x", ""), ("!x", ""), ("x.y", ""), ("&x.y", ""), ("f(x)", "")],
)
def test_names(expression: str, name: str) -> None:
    assert name_of(given(expression)) == name
    assert text(given(expression)).replace(" ", "").replace("(&x)", "&x") == expression


def test_structures() -> None:
    ast = CParser().parse(TEXT % "d")
    assert set(structures(ast)) == {"s"}
    kinds = {node.name: structure_of(node) for node in ast.ext if isinstance(node, c_ast.Decl) and node.name}
    assert kinds == {"a": "s", "b": "s", "c": "", "d": ""}
