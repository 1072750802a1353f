"""The parser takes GNU C, and loses one function at a time."""

from __future__ import annotations

import pytest
from pycparser import c_ast
from pycparser.c_parser import ParseError

from duet.errors import Unsupported
from duet.frontend.source.dialect import GnuParser, Tree
from duet.frontend.source.nodes import RANGE, ComputedGoto, Enumeration23, Otherwise
from duet.frontend.source.words import AUTO_TYPE, CHAR8, REFUSED


def tree(text: str, is_c23: bool = False, refusals: dict[str, Unsupported] | None = None) -> Tree:
    return GnuParser(refusals, is_c23).tree(text, "a.c")


def statement(text: str, is_c23: bool = False) -> c_ast.Node:
    found = tree(f"void f(void) {{ {text} }}", is_c23)
    assert found.lost == ()
    return found.ast.ext[0].body.block_items[0]


def test_a_condition_may_be_its_own_value() -> None:
    node = statement("a ?: b ?: c;")
    assert isinstance(node, Otherwise)
    assert isinstance(node.iffalse, Otherwise)


def test_labels_are_values() -> None:
    node = statement("p = &&l;")
    assert (node.rvalue.op, node.rvalue.expr.name) == ("&&", "l")
    jump = statement("goto *p;")
    assert isinstance(jump, ComputedGoto)
    assert jump.target.name == "p"


def test_ranges_of_cases_and_designators() -> None:
    case = statement("switch (x) { case 1 ... 3: ; }").stmt.block_items[0]
    assert case.expr.name.name == RANGE
    node = statement("int a[9] = {[1 ... 3] = 7};")
    (initialiser,) = node.init.exprs
    assert initialiser.name[0].expr.name.name == RANGE


def test_types_may_be_arguments() -> None:
    node = statement("f(int *, x);")
    assert [type(argument) for argument in node.args.exprs] == [c_ast.Typename, c_ast.ID]


def test_an_inferred_type_is_that_of_the_initialiser() -> None:
    for text, is_c23 in (("auto x = 1u;", True), (f"{AUTO_TYPE} x = 1u;", False)):
        source = f"typedef int {AUTO_TYPE}; void f(void) {{ {text} }}"
        node = tree(source, is_c23).ast.ext[1].body.block_items[0]
        kind = node.type.type
        assert isinstance(kind, c_ast.TypeOf)
        assert kind.op == AUTO_TYPE
        assert kind.expr.value == "1u"


def test_alignments_of_expressions() -> None:
    assert statement("x = _Alignof y;").rvalue.op == "_Alignof"
    assert isinstance(statement("x = _Alignof(int);").rvalue.expr, c_ast.Typename)


def test_c23_has_its_own_enumerations_separators_and_strings() -> None:
    assert isinstance(tree("enum E { A } x;", True).ast.ext[0].type.type, Enumeration23)
    assert not isinstance(tree("enum E { A } x;").ast.ext[0].type.type, Enumeration23)
    assert statement("x = 1'000;", True).rvalue.value == "1000"
    assert statement('x = u8"a";', True).rvalue.value.startswith(CHAR8)
    assert statement('x = u8"a";').rvalue.value.startswith("u8")


@pytest.mark.parametrize("expression", ["1'000", "u8'a'"])
def test_what_requires_c23_is_lost_without_it(expression: str) -> None:
    (lost,) = tree(f"void f(void) {{ x = {expression}; }}").lost
    assert "require C23" in str(lost.error)


def test_constants_of_c23_are_const_and_internal_at_file_level() -> None:
    node = tree("constexpr int x = 3;", True).ast.ext[0]
    assert "const" in node.type.quals
    assert "static" in node.storage
    inner = tree("void f(void) { constexpr int x = 3; }", True).ast.ext[0].body.block_items[0]
    assert "static" not in inner.storage


LOST = "int f(int a) {\n  g(b c);\n  h(d);\n}\nint z;"


def test_a_function_that_cannot_be_parsed_becomes_a_declaration() -> None:
    found = tree(LOST)
    function, variable = found.ast.ext
    assert isinstance(function, c_ast.Decl)
    assert isinstance(function.type, c_ast.FuncDecl)
    assert variable.name == "z"
    (lost,) = found.lost
    assert lost.name == "f"
    assert lost.calls == {"f", "g", "h"}
    assert {"b", "c", "d"} <= {name for name, _ in lost.mentions}


def test_extents_count_lines_of_all_functions() -> None:
    found = tree(f"void e(void) {{ }} {LOST}")
    assert [(extent.name, extent.lines) for extent in found.extents] == [("e", 1), ("f", 4)]


def test_refused_constructs_lose_their_function_with_the_reason() -> None:
    refusal = Unsupported("not this", None)
    name = f"{REFUSED}0"
    found = tree(f"void f(void) {{ {name}; }}", refusals={name: refusal})
    assert found.lost[0].error is refusal
    with pytest.raises(Unsupported, match="not this"):
        tree(f"int x {name};", refusals={name: refusal})


@pytest.mark.parametrize("text", ["int x y;", "x @ y;", "void f(int a, ) { }"])
def test_what_is_wrong_outside_of_bodies_is_an_error(text: str) -> None:
    with pytest.raises(ParseError, match=r"a\.c:1"):
        tree(text)
