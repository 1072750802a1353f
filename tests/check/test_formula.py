"""Implications over several cells, which z3 decides from what the numeric domain knows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domains.values import number
from duet.absint import state
from duet.absint.state import Space, State
from duet.check import formula
from duet.check.assertions import decide
from duet.check.formula import certainly_implies
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert, Atom, Formula
from tests.check.judged import fixpoint


def implied(before: str, condition: str, domain: str = "interval") -> bool:
    text = f"thread main {{ local x local y local z {before} check {condition} }}"
    program = parse_program(text)
    invariants = fixpoint(program, domain).invariants
    (command,) = (c for c in program.commands if isinstance(c.instruction, Assert))
    assert isinstance(command.instruction, Assert)
    return certainly_implies(invariants.space, invariants.state(command.source), command.instruction.condition)


@pytest.mark.parametrize(
    ("before", "condition", "expected"),
    [
        ("x := * in 0..2  y := * in 0..2", "x + y <= 4", True),
        ("x := * in 0..2  y := * in 0..2", "x + y <= 3", False),
        ("x := * in 1..2  y := * in 3..4", "x != y", True),
        ("x := * in 1..3  y := * in 3..4", "x != y", False),
        ("x := * in 0..2  y := 1", "x == 0 || x + y >= 2", True),
        ("x := * in 0..2  y := 1", "x != 0 && x + y >= 2", False),
        ("x := *  y := 1", "x <= y", False),
    ],
)
def test_bounds_of_several_cells_imply_a_condition(before: str, condition: str, expected: bool) -> None:
    assert implied(before, condition) is expected


def test_sets_of_values_are_known_to_z3() -> None:
    known = "choose { x := 0 } or { x := 10 } y := 5"
    assert implied(known, "x != y")
    assert not implied("x := * in 0..10  y := 5", "x != y")


def test_congruences_are_known_to_z3() -> None:
    known = "x := 0  y := 1  while (*) { x := x + 2 }"
    assert implied(known, "x != y")
    assert not implied(known, "x != 2 * y")


def test_relations_of_the_domain_are_known_to_z3() -> None:
    known = "x := * in 0..9  y := x + 1  z := 0"
    assert implied(known, "x + z < y", "octagon")
    assert not implied(known, "x + z < y", "interval")


def test_conditions_on_one_cell_are_left_to_the_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet.check.assertions.certainly_implies", None)
    fixpoint(parse_program("thread main { local x  x := * in 1..2  check x == 1 }"))


def test_what_follows_from_the_same_values_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse_program("thread main { local x local y  x := *  y := *  check x != y }")
    invariants = fixpoint(program).invariants
    invariants.space.memory.clear()
    asked: list[Formula] = []

    def answered(space: Space, state: State, condition: Formula, certain: Sequence[Atom]) -> bool:
        asked.append(condition)
        return certainly_implies(space, state, condition, certain)

    monkeypatch.setattr("duet.check.assertions.certainly_implies", answered)
    found = [decide(program, invariants) for _ in range(2)]
    assert [verdict.status.is_safe for one in found for verdict in one.values()] == [False, False]
    assert len(asked) == 1


def test_a_point_that_fails_is_found_without_z3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("z3.SolverFor", None)
    assert not implied("x := * in 0..10  y := 5", "x != y && x < 10")
    assert not implied("x := *  y := *", "x != y")
    assert not implied("x := * in 0..9  y := x + 1  z := 0", "x + z == y", "octagon")
    assert not implied("choose { x := 0 } or { x := 10 } y := 10", "x != y || z > 3")
    assert not implied("x := * in 3..9  y := x + 1  z := x - 2", "x + z != y + 4 && x < y", "octagon")
    assert not implied("x := * in 3..90  y := x + 1  z := * in 3..90", "z < y + 40 || x + z < 80", "octagon")


def test_points_that_are_none_of_the_state_refute_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what relations, members and congruences show would be lost."""
    known = "x := * in 0..9  y := x + 1  z := 0"
    assert implied(known, "x + z < y", "octagon")
    with monkeypatch.context() as patch:
        patch.setattr(state, "holds", lambda *_: True)
        assert not implied(known, "x + z < y", "octagon")
    known = "x := 0  y := 1  while (*) { x := x + 2 }"
    assert implied(known, "x != y")
    monkeypatch.setattr(formula, "contains", lambda *_: True)
    monkeypatch.setattr(number, "contains", lambda *_: True)
    assert not implied(known, "x != y")
