"""Thresholds come from all that bounds and small sets of a cell may stop at."""

from __future__ import annotations

from duet.absint.invariants import Invariants
from duet.absint.solve import Solver
from duet.absint.thresholds import reached, thresholds
from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert

_TEXT = """
global index = 0
global flag = 0
global code in 0..1000
global other = 0
main main
thread main function "main" {
  local copy = 0
  local found = 0
  entry 0  exit 1
  0: [index <= 96] -> 2
  2: copy := index -> 3
  3: found := [5, 70, 700][copy] -> 4
  4: [flag == 42] -> 5
  5: code := mod(other, 300) -> 1
}
"""


def _thresholds() -> dict[str, tuple[int, ...]]:
    return dict(thresholds(parse_program(_TEXT, "t.plip")))


def test_guards_copies_tables_types_and_operations() -> None:
    found = _thresholds()
    assert {95, 96, 97, 3, 2**31 - 1, 255} <= set(found["index"])
    assert found["index"] == found["copy"]
    assert {5, 70, 700} <= set(found["found"])
    assert {41, 42, 43} <= set(found["flag"])
    assert {1000, 300} <= set(found["code"])
    assert 42 not in found["other"]
    assert all(list(numbers) == sorted(numbers) for numbers in found.values())


def test_where_cells_are_known_their_bounds_and_small_sets_are_enough() -> None:
    program = parse_program(
        """
global state = 0
thread main {
  local i = 0
  while (i < 1000) {
    if (state == 0) { state := 10 } else { state := 0 }
    i := i + 1
  }
  assert i == 1000
}
""",
        "t.plip",
    )
    before = analyse(program, AnalysisOptions(domain="interval", refine=False)).fixpoints[0].invariants
    found = reached(program, before)
    (counter,) = (name for name in found if name.endswith("i"))
    assert {0, 10} <= set(found["state"])
    assert {0, 999, 1000} <= set(found[counter])
    assert 500 not in found[counter]
    assert all(list(numbers) == sorted(numbers) for numbers in found.values())
    assert sum(map(len, found.values())) * 3 < sum(map(len, thresholds(program).values()))
    solver = Solver(before.space, found)
    again = Invariants(solver.solve(before.graph))
    (checked,) = (it.source for it in program.commands if isinstance(it.instruction, Assert))
    assert again.entails(
        checked, next(it.instruction.condition for it in program.commands if isinstance(it.instruction, Assert))
    )
    usual = Solver(before.space, thresholds(program))
    usual.solve(before.graph)
    assert solver.evaluations < usual.evaluations


def test_a_cell_that_moves_between_constants_in_a_loop_keeps_them_apart() -> None:
    text = """
global state = 0
thread main {
  while (*) {
    if (state == 0) { state := 10 } else { if (state == 10) { state := 20 } else { state := 0 } }
  }
  assert state == 0 || state == 10 || state == 20
}
"""
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="interval"))
    assert all(status.is_safe for status in found.statuses)
