"""The first look: what it knows of locals at each location, and of shared cells."""

from __future__ import annotations

import pytest

from duet.coarsen.early import look
from duet.deadline import Deadline, OutOfTime
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert
from duet.result import Status

OPTIONS = AnalysisOptions(domain="interval", numeric="own")
STRAIGHT = """thread main { local r  local s
  while (*) { r := 1  assert r == 1 }
  r := 2  s := r + 1  assert s == 3  assert s == 4
}"""


def _decided(text: str) -> list[tuple[str, Status]]:
    early = look(parse_program(text, "t.plip"), OPTIONS, Deadline())
    return [(item.check.expression, item.status) for item in early.decided]


def test_locals_are_known_at_each_location() -> None:
    assert _decided(STRAIGHT) == [("r == 1", Status.PROVED), ("s == 3", Status.PROVED)]


def test_program_without_loops_and_shared_cells() -> None:
    assert _decided("thread main { local r  r := 1  assert r == 1  assert r == 2 }") == [("r == 1", Status.PROVED)]


def test_definitions_meet_behind_places_where_definitions_meet() -> None:
    text = """thread main { local r  r := 0
      if (*) { if (*) { r := 1 } else { r := 2 }  skip }
      assert r <= 2  assert r == 0 }"""
    assert _decided(text) == [("r <= 2", Status.PROVED)]


def test_two_commands_between_the_same_locations() -> None:
    text = "thread main { local r  r := 7  if (r == 1) { skip } else { skip }  assert r != 1  assert r == 7 }"
    assert _decided(text) == [("r != 1", Status.PROVED), ("r == 7", Status.PROVED)]
    text = "thread main { local r  if (r == 1) { skip } else { skip }  assert r != 1  assert r == 1 }"
    assert _decided(text) == []


def test_thread_that_starts_its_like_with_another_number() -> None:
    text = """thread main { spawn w(n := 0) }
    thread w(n) { local m  m := n  if (m < 5) { spawn w(n := m + 1) }  assert n <= 5  assert n <= 4  assert m >= 0 }"""
    found = _decided(text)
    assert ("m >= 0", Status.PROVED) in found
    assert "n <= 4" not in [expression for expression, _ in found]


def test_way_that_no_thread_takes() -> None:
    text = "thread main { local r  r := 1  if (r == 2) { assert r == 3 }  assert r == 0 }"
    assert _decided(text) == [("r == 3", Status.UNREACHABLE)]


def test_thread_that_nobody_starts() -> None:
    assert ("x == 7", Status.UNREACHABLE) in _decided("global x = 0  thread main { skip } thread w { assert x == 7 }")


def test_shared_cell_holds_what_anybody_writes() -> None:
    text = """global x = 0
    thread main { spawn w  x := 2  assert x == 2  assert x <= 5 }
    thread w { x := 5 }"""
    assert _decided(text) == [("x <= 5", Status.PROVED)]


def test_what_is_decided_is_no_longer_asked() -> None:
    early = look(parse_program(STRAIGHT, "t.plip"), OPTIONS, Deadline())
    left = [command.instruction for command in early.rest.commands if isinstance(command.instruction, Assert)]
    assert [instruction.check.expression for instruction in left] == ["s == 4"]
    assert not early.is_all


def test_time_is_limited() -> None:
    with pytest.raises(OutOfTime):
        look(parse_program(STRAIGHT, "t.plip"), OPTIONS, Deadline.after(-1.0))
