"""One configuration after the other, as long as something is left to prove."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.result import Status
from tests.coarsen.fixpoints import JOINED, analysed, statuses

EQUAL = "thread main { local i local j  i := 0  j := 0  while (*) { i := i + 1  j := i } assert j <= i }"
OPEN = "global x = 0 thread main { spawn w  x := 1  check x == 1 } thread w { x := 2 }"


def names(text: str, domain: str) -> list[str]:
    return [found.name for found in analysed(text, domain).fixpoints]


def test_nothing_runs_when_all_is_proved() -> None:
    assert names("thread main { local r  r := 1  check r == 1 }", "auto") == ["interval"]


def test_what_relates_cells_runs_for_what_is_left() -> None:
    assert statuses(analysed(EQUAL, "interval")) == [Status.UNPROVED]
    analysis = analysed(EQUAL, "auto")
    assert analysis.fixpoints[0].name == "interval"
    assert analysis.fixpoints[-1].name == "octagon"
    assert statuses(analysis) == [Status.PROVED]


def test_in_a_large_program_others_begin_with_the_flows_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second check needs a relation of globals that another thread keeps, and what both threads do under a lock."""
    text = """global m = 0 global x = 0 global y = 0
    thread main { local a local b  spawn w  acquire m  a := x  b := y  check a == b  release m  check a == 7 }
    thread w { local t  while (*) { acquire m  t := x  x := t + 1  t := y  y := t + 1  release m } }"""
    expected = statuses(analysed(text, "auto"))
    assert expected == [Status.PROVED, Status.UNPROVED]
    monkeypatch.setattr("duet.coarsen.analysis.ANEW", -1)
    analysis = analysed(text, "auto")
    assert statuses(analysis) == expected
    assert [found.rounds for found in analysis.fixpoints if found.name == "octagon"] == [1]
    monkeypatch.setattr("duet.coarsen.analysis.LARGE", -1)
    analysis = analysed(text, "auto")
    assert statuses(analysis) == expected
    assert [found.refinements for found in analysis.fixpoints if found.name == "octagon"] == [0]


@pytest.mark.parametrize("domain", ["interval", "octagon", "auto"])
def test_what_fails_is_proved_by_nothing(domain: str) -> None:
    assert statuses(analysed(OPEN, domain)) == [Status.UNPROVED]


def test_refinement_may_be_left_out() -> None:
    assert statuses(analysed(JOINED)) == [Status.PROVED]
    assert statuses(analysed(JOINED, refine=False)) == [Status.UNPROVED]


def test_without_time_the_first_configuration_stands() -> None:
    options = AnalysisOptions(domain="auto", engine="bitset", timeout=0.0)
    analysis = analyse(parse_program(EQUAL), options)
    assert [found.name for found in analysis.fixpoints] == ["interval"]


def test_the_stages_are_timed() -> None:
    assert {"invariants", "interference", "check"} <= analysed(OPEN).seconds.keys()
