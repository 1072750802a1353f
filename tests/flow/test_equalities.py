"""Equalities of copies: where they are certain, and which of them can tell something."""

from __future__ import annotations

from duet.flow.equalities import equalities
from duet.plip.parser import parse_program
from duet.plip.printer import print_program
from duet.plip.syntax import Program
from duet.plip.terms import show_atom

_TEXT = """
global g = 0
global h = 0
main main
thread main function "main" {
  local t = 0
  local u = 0
  entry 0  exit 9
  0: t := g + 2 -> 1
  1: [t <= 5] -> 2
  1: [t >= 6] -> 3
  2: u := g -> 4
  4: h := u -> 3
  3: u := g -> 5
  5: g := u + 1 -> 6
  6: h := g -> 7
  7: t := 0 -> 8
  8: u := g -> 9
}
"""


def _found(is_stable: bool = True, observed: tuple[str, ...] = ()) -> dict[int, list[str]]:
    program: Program = parse_program(_TEXT, "t.plip")
    assert print_program(program)
    found = equalities(program, lambda _cell, _location: is_stable, observed)
    return {location: [show_atom(one) for one in atoms] for location, atoms in found.items()}


def test_reads_of_a_global_are_equal_to_its_guarded_copy() -> None:
    found = _found()
    assert found[2] == found[3] == ["-g + t == 2"]


def test_copies_move_with_the_global_and_end_with_the_copy() -> None:
    found = _found()
    assert found[6] == ["-g + t == 1"]
    assert 8 not in found


def test_nothing_is_certain_of_what_others_may_write() -> None:
    assert _found(is_stable=False) == {}


def test_observed_cells_count_as_read_everywhere() -> None:
    assert 7 in _found(observed=("g",))
    assert 7 not in _found()
