"""The state of one round of lowering."""

from __future__ import annotations

from duet.frontend.cells.context import show
from duet.frontend.ctypes.types import CHAR, INT
from duet.plip.syntax import FALSE, TRUE, Cell
from tests.frontend.cells.lowering import HERE, checks, context, emitted, node
from tests.frontend.pointing import to

NODE = node("a + b")


def test_temporaries_are_cells_of_the_template() -> None:
    ctx = context()
    first, second = ctx.temporary(CHAR), ctx.temporary(INT)
    assert first != second
    assert ctx.memory.cells[first].template == "main"
    assert ctx.temporaries.ranges[first] == (-128, 127)
    assert ctx.thread.frame.cells == [first, second]


def test_any_value_is_in_the_range_of_its_type() -> None:
    ctx = context()
    found = ctx.havoc(CHAR, to("a"))
    assert (found.lo, found.hi, found.origins) == (-128, 127, to("a"))
    assert emitted(ctx) == ["$1 := * in -128..127"]


def test_names_are_unique() -> None:
    ctx = context()
    assert [ctx.unique(name) for name in ("a", "a", "b", "a")] == ["a", "a#2", "b", "a#3"]


def test_warnings_are_told_once() -> None:
    ctx = context()
    ctx.warn(NODE, "code", "one")
    ctx.warn(NODE, "code", "two")
    ctx.warn(NODE, "other", "three")
    assert [warning.message for warning in ctx.findings.warnings.values()] == ["one", "three"]
    ctx.warn_once(NODE, "subject", "a", "four")
    ctx.place_of = lambda _: HERE.__class__("b.c", 1, 1)
    ctx.warn_once(NODE, "subject", "a", "five")
    ctx.warn_once(NODE, "subject", "b", "six")
    assert [warning.message for warning in ctx.findings.warnings.values()][2:] == ["four", "six"]


def test_assumptions_tell_their_places() -> None:
    ctx = context()
    ctx.assume("plain")
    ctx.assume_at(NODE, "placed")
    assert list(ctx.findings.assumptions) == ["plain", "placed: a.c:3"]
    ctx.place_of = lambda _: HERE.__class__("b.c", 1, 1)
    ctx.assume_at(NODE, "placed")
    assert list(ctx.findings.assumptions) == ["plain", "placed: a.c:3, b.c:1"]
    for line in range(30):
        ctx.place_of = lambda _, line=line: HERE.__class__("c.c", line, 1)  # type: ignore[misc]
        ctx.assume_at(NODE, "placed")
    assert list(ctx.findings.assumptions)[1].endswith("and 12 more")


def test_checks_are_known_by_place_function_and_text() -> None:
    ctx = context()
    ctx.check(NODE, "overflow", TRUE)
    (check,) = ctx.findings.checks
    assert (check.file, check.line, check.function, check.expression) == ("a.c", 3, "main", "a + b")
    assert checks(ctx) == [("overflow", "true")]
    assert ctx.builder.is_live


def test_behind_a_check_that_fails_nothing_goes_on_unless_it_may() -> None:
    soft, hard = context(), context()
    soft.check(NODE, "assertion", FALSE, stops=False)
    hard.check(NODE, "assertion", FALSE)
    assert soft.builder.is_live
    assert not hard.builder.is_live


def test_commands_have_the_place_of_their_node() -> None:
    ctx = context()
    with ctx.at_node(NODE):
        ctx.havoc(INT)
    ctx.havoc(INT)
    assert [command.span for command in ctx.builder.commands] == [HERE, None]


def test_nothing_of_what_is_lowered_for_its_value_is_kept() -> None:
    ctx = context()
    builder = ctx.builder
    with ctx.scratch():
        ctx.havoc(INT)
        ctx.check(NODE, "overflow", TRUE)
        ctx.warn(NODE, "code", "text")
        ctx.assume("text")
        ctx.facts.objects.addressed.add("a")
        ctx.memory.cells["c"] = Cell("c")
    assert ctx.builder is builder
    assert builder.commands == []
    assert (ctx.findings.warnings, ctx.findings.assumptions, ctx.findings.checks, ctx.memory.cells) == ({}, {}, {}, {})
    assert (ctx.temporaries.counter, ctx.is_silent, ctx.facts.growth.is_frozen, ctx.facts.objects.addressed) == (
        0,
        0,
        False,
        set(),
    )


def test_properties_that_are_asked_for() -> None:
    assert context("overflow").wants("overflow")
    assert not context("overflow").wants("data-race")


def test_expressions_are_written_out() -> None:
    assert show(node("a+b*c")) == "a + (b * c)"
    assert show(node("p->m[3]")) == "p->m[3]"
