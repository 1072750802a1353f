"""Pointers that are followed, or moved to be followed later, are not null."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.frontend.cells.pointers import ASSUMED, move_check, null_check, pointer_text
from duet.frontend.ctypes.types import VOID_POINTER
from duet.frontend.ctypes.values import Number, literal
from duet.frontend.graph.there import PAGE
from duet.options import FrontendOptions
from duet.plip.syntax import Linear
from duet.plip.terms import constant, variable
from duet.reading import read
from tests.frontend.cells.lowering import cell, checks, context, node

NULL = "null-dereference"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (cell("p", VOID_POINTER), [(NULL, "p != 0")]),
        (cell("p", VOID_POINTER, 1), []),
        (cell("p", VOID_POINTER, 1, PAGE - 1), [(NULL, "false")]),
        (literal(0, VOID_POINTER), [(NULL, "false")]),
        (literal(PAGE, VOID_POINTER), []),
    ],
)
def test_what_may_be_null_is_checked(address: Number, expected: list[tuple[str, str]]) -> None:
    ctx = context(NULL)
    null_check(ctx, address, node("*p"), "p")
    assert checks(ctx) == expected
    assert (ASSUMED in ctx.findings.assumptions) is bool(expected)


def test_nothing_is_checked_unless_asked_for() -> None:
    ctx = context()
    null_check(ctx, literal(0, VOID_POINTER), node("*p"), "p")
    move_check(ctx, cell("p", VOID_POINTER), constant(4), node("p + 1"))
    assert checks(ctx) == []


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("p + 1", constant(4), [(NULL, "p != 0")]),
        ("p + i", variable("i"), [(NULL, "(p != 0 || i == 0)")]),
        ("p + 0", constant(0), []),
        ("&((struct s *)0)->m", constant(4), []),
        ("&p->m", constant(4), [(NULL, "p != 0")]),
    ],
)
def test_null_is_not_moved(text: str, offset: Linear, expected: list[tuple[str, str]]) -> None:
    ctx = context(NULL)
    move_check(ctx, cell("p", VOID_POINTER), offset, node(text))
    assert [(name, told.replace("(", "").replace(")", "")) for name, told in checks(ctx)] == [
        (name, told.replace("(", "").replace(")", "")) for name, told in expected
    ]


@pytest.mark.parametrize(
    ("least", "is_followed", "expected"),
    [
        (0, True, [(NULL, "p != 0")]),
        (0, False, [(NULL, "p != 0 || i == 0")]),
        (1, True, []),
        (1, False, []),
    ],
)
def test_what_is_followed_at_once_is_not_null(least: int, is_followed: bool, expected: list[tuple[str, str]]) -> None:
    ctx = context(NULL)
    is_there = move_check(ctx, cell("p", VOID_POINTER, least), variable("i"), node("p + i"), is_followed)
    assert [(name, told.replace("(", "").replace(")", "")) for name, told in checks(ctx)] == expected
    assert is_there is (is_followed or least > 0)
    assert (ASSUMED in ctx.findings.assumptions) is is_followed
    assert not move_check(ctx, cell("p", VOID_POINTER, 1, PAGE - 1), variable("i"), node("p + i"), is_followed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*p", "p"),
        ("p->m", "p"),
        ("p->m.n", "p"),
        ("p[3]", "p"),
        ("3[p]", "p"),
        ("*p = 1", "p"),
        ("p->m += 1", "p"),
        ("(*p)++", "p"),
        ("f(p, q)", "p"),
        ("(*p->q).m", "p->q"),
    ],
)
def test_the_pointer_is_told_as_it_is_written(text: str, expected: str) -> None:
    assert pointer_text(node(text), ()) == expected


@pytest.mark.parametrize("moved", ["p->in->text", "&p->in->text[1]", "p->in->text + 1", "&p->in->text"])
def test_the_text_is_that_of_the_pointer_in_front_of_all_members(moved: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    members = "struct in { int n; char text[8]; }; struct p { int n; struct in *in; };"
    source.write_text(f"{members} void *f(struct p *p) {{ return {moved}; }} struct p *q;\nint main(void) {{ f(q); }}")
    found = read((str(source),), FrontendOptions(properties=(NULL,)), Clock())
    assert {check.expression for check in found.checks} == {"p != 0", "p->in != 0"}
