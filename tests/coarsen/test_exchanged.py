"""Counters that are compared and exchanged: what threads add to them is known where what they store is set before."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from duet.coarsen.analysis import analyse
from duet.flow import contributions, differences
from duet.flow.differences import Differs
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Assign, Program

PROGRAM = """
global c = 0
thread main {{ spawn one  spawn two  join one  join two  {check} }}
thread one {{ local h = 0 local e = 0 local n = 0 local i = 0 {body} }}
thread two {{ local k = 0 c := c }}
"""
LOOP = """
h := c
{before}
while (*) {{ choose {{ [c != e]  h := c {before} }} or {{ h := c {before} }} }}
atomic {{ [c == e] c := n }}
"""
TOLD = {
    "one more": ("e := h  n := h + 1", "assert c == 1"),
    "in any order": ("n := h + 1  e := h", "assert c == 1"),
    "of what is expected": ("e := h  n := e + 2", "assert c == 2"),
    "that wraps where it is larger": ("e := h  n := wrap(h + 1, 0, 3)", "assert c == 1"),
    "by way of another cell": ("i := h + 1  e := h  n := wrap(i, 0, 3)", "assert c <= 1"),
    "less": ("e := h  n := h - 1", "assert c == -1"),
    "that is expected to be more": ("e := h + 1  n := h", "assert c <= 0"),
}
OTHERS = {
    "that wraps": ("e := h  n := wrap(h + 1, 0, 0)", "assert c == 1"),
    "that is expected to wrap": ("e := wrap(h + 1, 0, 0)  n := h - 1", "assert c <= -2"),
    "that is set since": ("e := h  n := h + 1  n := 5", "assert c == 1"),
    "on one of two ways": ("e := h  n := h + 1  if (*) { n := 3 }", "assert c == 1"),
    "set while it is exchanged": ("e := h  n := h + 1  i := c", "assert c == 0"),
}


def _program(before: str, check: str) -> Program:
    return parse_program(PROGRAM.format(body=LOOP.format(before=before), check=check), "t.plip")


def _is_proved(program: Program) -> bool:
    return analyse(program, AnalysisOptions(domain="auto")).is_proved


@pytest.mark.parametrize("name", TOLD)
def test_what_an_exchange_adds_is_known(name: str) -> None:
    assert _is_proved(_program(*TOLD[name]))


@pytest.mark.parametrize("name", OTHERS)
def test_and_not_where_something_else_is_stored(name: str) -> None:
    assert not _is_proved(_program(*OTHERS[name]))


COMPUTED = """
global c = 0
thread main {{ spawn one }}
thread one {{ local h in 0..9 local e = 0 local n = 0 {body} c := n }}
"""


@pytest.mark.parametrize(
    ("body", "by"),
    [
        ("atomic { e := and(h, 3)  [e == h + 1] }  n := e + 2", 3),
        ("atomic { e := and(h, 3)  [1 == h - e] }  n := e + 2", 1),
        ("atomic { e := and(h, 3)  [e == h] }  h := 3  n := e + 2", None),
        ("atomic { e := and(h, 3)  [e <= h] }  n := e + 2", None),
        ("if (*) { atomic { e := and(h, 3)  [e == h] } }  n := e + 2", None),
        ("atomic { e := and(h, 3)  [e == c] }  n := e + 2", None),
    ],
)
def test_what_is_computed_is_what_a_guard_says(body: str, by: int | None) -> None:
    program = parse_program(COMPUTED.format(body=body), "t.plip")
    (place,) = (
        it.source for it in program.commands if isinstance(it.instruction, Assign) and it.instruction.target == "c"
    )
    found = differences.differences(program, place)["n"]
    assert found == (Differs("e", 2) if by is None else Differs("h", by))


WRAPPED = """
global c = 3
thread main { spawn one  spawn two  join one  join two  assert c >= 3 }
thread one { local h = 0 local e = 0 local n = 0  h := c  e := h  n := wrap(h + 1, 0, 3)  atomic { [c == e] c := n } }
thread two { local g = 0 local d = 0 local m = 0  g := c  d := g  m := wrap(g + 1, 0, 3)  atomic { [c == d] c := m } }
"""


def test_numbers_that_start_over_do_not_grow() -> None:
    assert not _is_proved(parse_program(WRAPPED, "t.plip"))


def test_wraps_that_are_not_asked_about_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: wraps change nothing."""
    found = differences.differences

    def wrong(program: Program, location: int) -> Mapping[str, Differs]:
        return {cell: Differs(known.of, known.by) for cell, known in found(program, location).items()}

    monkeypatch.setattr(contributions, "differences", wrong)
    assert _is_proved(parse_program(WRAPPED, "t.plip"))


def test_cells_that_are_set_since_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: a copy stays one where either cell is set again."""
    monkeypatch.setattr(differences, "writes", lambda _: frozenset())
    assert _is_proved(_program("e := h  n := h + 1  h := 4  e := 5", "assert c <= 1"))


@pytest.mark.parametrize("is_entered", [True, False])
def test_a_thread_may_begin_where_another_way_leads_to(is_entered: bool) -> None:
    begun = "spawn one -> 2" if is_entered else "skip -> 2"
    program = parse_program(
        f"""
        global c = 0
        main main
        thread main {{ entry 1 exit 2  1: {begun} }}
        thread one {{
          local h = 0 local n = 0
          entry 3  exit 6
          3: [h != n] -> 4
          4: c := n -> 5
          5: n := h + 1 -> 3
          4: skip -> 6
        }}
        """,
        "t.plip",
    )
    assert differences.differences(program, 4) == {}
    assert differences.differences(program, 3) == {}
    assert differences.differences(program, 5) == {}
