"""What threads have put together, as terms over globals: followed back as far as these stay what they were."""

from __future__ import annotations

import pytest

from duet.flow.traced import Traced
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert, Linear, Program
from duet.plip.terms import atoms as atoms_of
from duet.plip.terms import show_term, variable

GLOBALS = "global x = 0  global y = 0  global done = 0  summary many = 0\n"


def _program(body: str, others: str = "") -> Program:
    text = f"{GLOBALS}main main\nthread main {{ local s = 0  local t in 0..9  local c in 0..1  {body} }}\n{others}"
    return parse_program(text, "t.plip")


def _traced(program: Program, unstable: str = "", is_kept: bool = True) -> str | None:
    checks = [it for it in program.commands if isinstance(it.instruction, Assert)]
    instruction = checks[-1].instruction
    assert isinstance(instruction, Assert)
    traced = Traced(program, lambda cell, _: cell != unstable, lambda *_: is_kept)
    (asked,) = atoms_of(instruction.condition)
    found = traced.over_globals(checks[-1].source, asked.term)
    return None if found is None else show_term(found)


SUM = "s := 0  t := x  s := s + t  t := y  s := s + 2*t  assert s == 7"


def test_a_sum_is_followed_to_what_it_was_made_of() -> None:
    assert _traced(_program(SUM)) == "x + 2*y - 7"


def test_what_a_thread_begins_with_is_known() -> None:
    assert _traced(_program("t := x  s := s + t  assert s == 7")) == "x - 7"


@pytest.mark.parametrize("cell", ["x", "y"])
def test_globals_that_others_may_write_are_not_what_they_were(cell: str) -> None:
    assert _traced(_program(SUM), unstable=cell) is None


def test_globals_that_the_thread_writes_later_are_not_what_they_were() -> None:
    assert _traced(_program("t := x  x := 1  s := t  assert s == 7")) is None
    assert _traced(_program("x := 1  t := x  s := t  assert s == 7")) == "x - 7"
    assert _traced(_program("atomic { t := x; x := t + 1 }  s := t  assert s == 7")) is None
    assert _traced(_program("t := x  s := t  if (c == 1) { x := 3 }  assert s == 7")) is None


def test_branches_that_write_something_else_are_passed() -> None:
    assert _traced(_program("t := x  s := t  if (c == 1) { y := 3 }  assert s == 7")) == "x - 7"
    assert _traced(_program("t := x  s := t  while (c == 1) { c := 0 }  assert s == 7")) == "x - 7"
    assert _traced(_program("t := x  s := t  if (c == 1) { s := 3 }  assert s == 7")) is None
    assert _traced(_program("t := x  while (s <= 3) { s := s + t }  assert s == 7")) is None


def test_wraps_are_passed_that_change_nothing() -> None:
    program = _program("t := x  s := wrap(t, 0, 255)  assert s == 7")
    assert _traced(program) == "x - 7"
    assert _traced(program, is_kept=False) is None


def test_reads_of_what_stands_for_many_do_not_cancel_out() -> None:
    assert _traced(_program("t := many  s := many  assert y + s - t == 7")) is None
    assert _traced(_program("atomic { t := many; s := many }  assert y + s - t == 7")) is None
    assert _traced(_program("atomic { t := many; s := many; s := wrap(s - t, 0, 255) }  assert y + s == 7")) is None


def test_a_thread_may_come_back_to_where_it_begins() -> None:
    other = "thread one { local own = 0  entry 0  exit 2  0: assert own == 7 -> 1  1: own := x -> 0  1: skip -> 2 }"
    assert _traced(_program("skip", other)) is None
    other = "thread one { local own = 0  entry 0  exit 2  0: assert own == 7 -> 1  1: own := x -> 2 }"
    assert _traced(_program("skip", other)) == "-7"


def test_any_value_is_none_of_globals() -> None:
    assert _traced(_program("t := x  s := * in 0..9  assert s == 7")) is None
    assert _traced(_program("s := t  assert s == 7")) is None


def test_what_a_thread_is_given_is_not_what_its_cells_begin_with() -> None:
    other = "thread one(p) { local own = 0  own := p  assert own == 7 }"
    assert _traced(_program("t := x  spawn one(p := t)", other)) is None


def test_what_is_wrapped_is_known_by_globals() -> None:
    asked: list[str] = []

    def keeps(_index: int, term: Linear, _lo: int, _hi: int) -> bool:
        asked.append(show_term(term))
        return True

    program = _program("t := x  s := wrap(t, 0, 255)  t := wrap(s + t, 0, 255)  assert t == 7")
    check = next(it for it in program.commands if isinstance(it.instruction, Assert))
    found = Traced(program, lambda *_: True, keeps).over_globals(check.source, variable("t"))
    assert found is not None
    assert show_term(found) == "2*x"
    assert set(asked) == {"x", "2*x"}
