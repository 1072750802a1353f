"""Facts about the whole program only grow, and `version` tells whether they have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duet.frontend.ctypes.types import CHAR, INT
from duet.frontend.ctypes.values import CONTENT
from duet.frontend.judgments.facts import Facts, Refusal
from duet.plip.terms import add, constant, scale, variable
from duet.source import Span

OBJECT = frozenset({"x"})
ADDITIONS: dict[str, Callable[[Facts], None]] = {
    "a member": lambda facts: facts.add(facts.addressed, "x"),
    "a mark": lambda facts: facts.mark("what", "x"),
    "a step": lambda facts: facts.stepped(OBJECT, constant(4)),
    "what a cell holds": lambda facts: facts.hold("c", OBJECT),
    "a spot": lambda facts: facts.hold("c", OBJECT, frozenset({("x", 0)})),
    "what is known from elsewhere": lambda facts: facts.held_too("c", OBJECT),
    "a smaller number": lambda facts: facts.lower(facts.least, "x", 4),
    "a view": lambda facts: facts.view("heap", INT),
    "a conversion": lambda facts: facts.convert(OBJECT, INT),
}
REFUSAL = Refusal("f", Span("a.c", 1, 1), "no", None, (), frozenset())


@pytest.mark.parametrize("name", ADDITIONS)
def test_what_is_new_counts_and_what_is_known_does_not(name: str) -> None:
    facts = Facts()
    ADDITIONS[name](facts)
    grown = facts.version
    assert grown > 0
    ADDITIONS[name](facts)
    assert facts.version == grown


@pytest.mark.parametrize("name", ADDITIONS)
def test_frozen_facts_stay_as_they_are(name: str) -> None:
    facts = Facts(is_frozen=True)
    ADDITIONS[name](facts)
    assert facts.version == 0


def test_a_function_that_is_not_understood_ends_a_frozen_round() -> None:
    facts = Facts(is_frozen=True)
    facts.refuse("f", REFUSAL)
    assert (facts.version, facts.refused) == (1, {"f": REFUSAL})
    facts.refuse("f", REFUSAL)
    assert facts.version == 1


def test_marks_are_told_by_their_word() -> None:
    facts = Facts()
    facts.mark("one", "x", "y")
    facts.mark("other", "z")
    assert facts.marked("one") == {"x", "y"}
    assert facts.marked("third") == frozenset()


def test_steps_are_told_by_what_divides_them() -> None:
    facts = Facts()
    facts.stepped(frozenset({"x", f"{CONTENT}c"}), add(scale(variable("i"), 8), constant(4)))
    facts.stepped(OBJECT, constant(0))
    assert facts.steps == {"x": {(4, False)}}
    facts.stepped(OBJECT, constant(4))
    assert facts.steps["x"] == {(4, False), (4, True)}


def test_a_cell_with_one_constant_address_has_a_spot() -> None:
    facts = Facts()
    facts.hold("c", OBJECT, frozenset({("x", 8)}))
    assert facts.spot("c") == ("x", 8)
    facts.hold("c", OBJECT, frozenset())
    assert facts.spot("c") == ("x", 8)
    facts.hold("c", OBJECT, frozenset({("x", 12)}))
    assert facts.spot("c") is None


def test_other_writes_leave_no_spot() -> None:
    facts = Facts()
    facts.hold("c", OBJECT, frozenset({("x", 8)}))
    facts.hold("c", OBJECT)
    assert facts.spot("c") is None
    assert facts.spot("d") is None


def test_what_cells_of_an_object_hold() -> None:
    facts = Facts()
    facts.hold("s.next", frozenset({"x"}))
    facts.hold("s.list[0]", frozenset({"y", f"{CONTENT}c"}))
    assert facts.held("s.next") == {"x"}
    assert facts.inside("s") == {"x", "y"}
    assert facts.inside("s.list") == {"y"}
    assert facts.cells_of("s") == ["s.next", "s.list[0]"]
    assert facts.held("s.other") == frozenset()
    facts.hold("s.next", frozenset({"z"}))
    assert facts.held("s.next") == {"x", "z"}
    assert facts.cells_of("s") == ["s.next", "s.list[0]"]
    assert facts.inside("s") == {"x", "y", "z"}


def test_addresses_may_be_where_no_cell_is() -> None:
    facts = Facts()
    facts.hold("<library>", OBJECT)
    facts.hold("c", frozenset({"y"}))
    assert facts.kept_elsewhere() == {"x"}


def test_of_numbers_the_smallest_counts() -> None:
    facts = Facts()
    facts.lower(facts.least, "x", 8)
    facts.lower(facts.least, "x", 9)
    assert facts.least == {"x": 8}
    facts.lower(facts.least, "x", 4)
    assert facts.least == {"x": 4}


def test_two_sizes_are_no_known_one() -> None:
    facts = Facts()
    facts.size("heap", 8)
    facts.size("heap", 8)
    assert (facts.sizes, facts.version) == ({"heap": 8}, 0)
    facts.size("heap", 9)
    assert (facts.sizes, facts.version) == ({"heap": None}, 1)
    facts.size("heap", 8)
    assert (facts.sizes, facts.version) == ({"heap": None}, 1)


def test_types_of_accesses_are_kept_in_order() -> None:
    facts = Facts()
    facts.view("heap", CHAR)
    facts.view("heap", INT)
    facts.view("heap", CHAR)
    assert list(facts.views["heap"]) == [CHAR, INT]
    facts.convert(frozenset({"x", f"{CONTENT}c"}), INT)
    assert list(facts.recast) == ["x"]
