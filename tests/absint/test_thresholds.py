"""Thresholds come from all that bounds and small sets of a cell may stop at."""

from __future__ import annotations

from duet.absint.thresholds import thresholds
from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program

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
