"""Whether equalities are worth another fixpoint."""

from __future__ import annotations

import pytest

from duet.coarsen.telling import is_telling
from duet.flow.certain import Certain
from duet.plip.syntax import Assert
from duet.plip.terms import atoms, compare, variable
from tests.coarsen.fixpoints import at, fixpoint


def tells(body: str, left: str = "x", right: str = "r") -> bool:
    """Whether an equality right before `m := 1`, and at the check, tells something."""
    text = f"global x in 0..9 global y = 0 thread main {{ local r local m {body} }}"
    found = fixpoint(text)
    program = found.graph.program
    equality = tuple(atoms(compare(variable(left), "==", variable(right))))
    places = [program.commands[at(program, "m", 1)].source]
    checks = [i for i, c in enumerate(program.commands) if isinstance(c.instruction, Assert)]
    certain: Certain = dict.fromkeys([*places, *(program.commands[i].source for i in checks)], equality)
    return is_telling(found.invariants, certain, checks)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("r := x  m := 1  check x == r", True),
        ("r := x  m := 1  check x == y", False),
        ("r := x  [r <= 3]  m := 1  check x == y", True),
        ("r := x  [r <= 9]  m := 1  check x == y", False),
        ("r := x  [r <= 3]  m := 1  check y == 1", False),
    ],
)
def test_equalities_tell_where_a_guard_narrows_or_a_check_compares(body: str, expected: bool) -> None:
    assert tells(body) is expected


def test_a_check_may_depend_on_a_cell_through_others() -> None:
    assert tells("r := x  [r <= 3]  m := 1  y := x  check y == 1")
