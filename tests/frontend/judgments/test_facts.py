"""Facts about the whole program only grow, and one number tells whether any of them has."""

from __future__ import annotations

from duet.frontend.ctypes.types import INT
from duet.frontend.judgments.facts import Facts, Refusal
from duet.frontend.judgments.marks import Mark
from duet.source import Span
from tests.frontend.pointing import to

REFUSAL = Refusal("f", Span("a.c", 1, 1), "no", None, (), frozenset())


def test_all_parts_are_counted_together() -> None:
    facts = Facts()
    facts.functions.add("f")
    facts.objects.addressed.add("x")
    facts.pointers.hold("c", to("x"), frozenset())
    facts.layouts.view("heap", INT)
    facts.mark(Mark("what"), "x")
    assert facts.growth.version == 6


def test_a_function_that_is_not_understood_ends_a_frozen_round() -> None:
    facts = Facts()
    facts.growth.is_frozen = True
    facts.refuse("f", REFUSAL)
    assert (facts.growth.version, facts.refused) == (1, {"f": REFUSAL})
    facts.refuse("f", REFUSAL)
    assert facts.growth.version == 1


def test_marks_are_told_apart() -> None:
    facts = Facts()
    one: Mark[str] = Mark("one")
    facts.mark(one, "x", "y")
    facts.mark(one.of("another"), "z")
    assert facts.marked(one) == {"x", "y"}
    assert facts.marked(Mark("third")) == frozenset()
    assert facts.is_known(one)
    assert not facts.is_any_marked(one)
    assert not facts.is_known(Mark("third"))


def test_a_mark_of_anything_has_no_subjects() -> None:
    facts = Facts()
    what: Mark[str] = Mark("what")
    facts.mark(what)
    assert not facts.is_known(what)
    facts.mark_any(what)
    assert facts.is_known(what)
    assert facts.is_any_marked(what)
    assert not facts.marked(what)
    assert facts.growth.version == 1
