"""Commands, values and invariants in the words of the user's source."""

from __future__ import annotations

import pytest

from domains.values import number
from domains.values.number import Number
from duet.coarsen.words import has_gaps, instruction_words, invariant_words, label, value_words
from duet.plip.parser import parse_program
from tests.coarsen.fixpoints import analysed, fixpoint

HEAD = 'global x = 0 label "count" global y = 0 thread w function "worker" { skip }'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x := y + 1", "count := y + 1"),
        ("y := *", "y := any value"),
        ("y := * in 1..5", "y := any value in 1..5"),
        ("y := * in 1..", "y := any value in 1.."),
        ("y := mul(x, 2)", "y := count * 2"),
        ("y := wrap(x, 0, 255)", "y := count in 0..255"),
        ("y := [1, 2][x]", "y := table[count]"),
        ("[x == 1]", "[count == 1]"),
        ("skip", "skip"),
        ("assert x == 1", "assert count == 1"),
        ("spawn w", "start worker"),
        ("join w", "join worker"),
        ("atomic { [x == 0] x := 1 }", "atomic { [count == 0]; count := 1 }"),
    ],
)
def test_instructions_have_the_users_names(text: str, expected: str) -> None:
    program = parse_program(f"{HEAD} thread main {{ {text} }}")
    command = program.commands[program.templates["main"].commands[0]]
    assert instruction_words(program, command.instruction) == expected


def test_a_temporary_has_the_name_of_what_it_copies() -> None:
    program = parse_program(f"{HEAD} thread main {{ local t local u local v  t := x  u := t  v := x  v := y }}")
    assert [label(program, cell) for cell in ("t", "u", "v", "x", "y")] == ["count", "count", "v", "count", "y"]
    first = program.commands[program.templates["main"].commands[0]]
    assert instruction_words(program, first.instruction) == "read count"


@pytest.mark.parametrize(
    ("body", "expected", "value"),
    [
        ("r := 3", "r == 3", "3"),
        ("r := * in 0..1", "0 <= r <= 1", "0..1"),
        ("r := * in 0..", "r >= 0", "0.."),
        ("r := * in ..5", "r <= 5", "..5"),
        ("r := *", "true", "any"),
        ("choose { r := 0 } or { r := 42 }", "r in {0, 42}", "0 or 42"),
        ("r := 0 while (*) { r := r + 4 }", "r >= 0 && r mod 4 == 0", "0.. (0 modulo 4)"),
    ],
)
def test_what_is_known_of_a_cell(body: str, expected: str, value: str) -> None:
    found = fixpoint(f"thread main {{ local r {body} check r == 7 }}")
    (place,) = (c.source for c in found.graph.program.commands if "Assert" in type(c.instruction).__name__)
    space, state = found.invariants.space, found.invariants.state(place)
    assert invariant_words(space, state, ["r"]) == expected
    assert value_words(space, state[space.packing.pack_of["r"]], "r") == value
    assert value_words(space, None, "r") == "none"


def test_relations_are_told_between_chosen_cells() -> None:
    text = "thread main { local r local s  r := *  s := r + 1  check r == s }"
    found = analysed(text, "octagon", everywhere=True).fixpoints[0]
    (place,) = (c.source for c in found.graph.program.commands if "Assert" in type(c.instruction).__name__)
    state = found.invariants.state(place)
    assert "r" in invariant_words(found.invariants.space, state, ["r", "s"])
    assert "s" in invariant_words(found.invariants.space, state, ["r", "s"])
    assert invariant_words(found.invariants.space, state, ["r"]) == "true"


@pytest.mark.parametrize(
    ("found", "expected"),
    [(number.of_bounds(0, 1), False), (number.join(number.ZERO, number.of_bounds(5, 5) or number.ANY), True),
     (number.of_bounds(3, 3), False), (number.ANY, False)],
)  # fmt: skip
def test_sets_with_gaps(found: Number, expected: bool) -> None:
    assert has_gaps(found) is expected
