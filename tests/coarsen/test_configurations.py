"""Which configurations run, in which order, and what each adds."""

from __future__ import annotations

import pytest

from duet.coarsen.loop import Analysis, analyse
from duet.deadline import Deadline, OutOfTime
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from duet.result import Status

# The test is on a copy of g, the increment on g itself; LOCK and UNLOCK are replaced.
_TEMPLATE = """
global m = 0
global g = 0
main main
thread main function "main" {
  entry 0  exit 1
  0: spawn client -> 0
  0: skip -> 1
}
thread client function "client" {
  local t = 0
  local u = 0
  entry 10  exit 17
  10: LOCK -> 11
  11: t := g -> 12
  12: [t <= 2] -> 13
  12: [t >= 3] -> 16
  13: u := g -> 14
  14: g := u + 1 -> 16
  16: assert g <= 3 for "t.c":1:1 "assertion" "g <= 3" in "client" -> 18
  18: UNLOCK -> 17
}
"""


def _program(is_locked: bool) -> Program:
    lock, unlock = ("atomic { [m == 0]; m := 1; }", "m := 0") if is_locked else ("skip", "skip")
    return parse_program(_TEMPLATE.replace("UNLOCK", unlock).replace("LOCK", lock), "t.plip")


def _names(analysis: Analysis) -> tuple[str, ...]:
    return tuple(fixpoint.domain for fixpoint in analysis.fixpoints)


def _statuses(analysis: Analysis) -> set[Status]:
    return set(analysis.statuses)


@pytest.mark.parametrize("refine", [True, False])
def test_intervals_prove_what_is_tested_on_a_copy(refine: bool) -> None:
    found = analyse(_program(is_locked=True), AnalysisOptions(domain="interval", refine=refine))
    assert (_names(found), _statuses(found)) == (("interval", "copies"), {Status.PROVED})


def test_a_copy_is_stale_without_the_lock() -> None:
    found = analyse(_program(is_locked=False), AnalysisOptions(domain="auto"))
    assert _statuses(found) == {Status.UNPROVED}


def test_auto_stops_where_everything_is_proved() -> None:
    found = analyse(_program(is_locked=True), AnalysisOptions(domain="auto"))
    assert _names(found) == ("interval", "copies")


def test_the_first_configuration_stands_where_there_is_no_time_for_more() -> None:
    found = analyse(_program(is_locked=True), AnalysisOptions(domain="auto", timeout=0.0))
    assert (_names(found), _statuses(found)) == (("interval",), {Status.UNPROVED})


def test_a_deadline_is_a_part_of_what_is_left() -> None:
    limit = Deadline.after(1000.0)
    half = limit.share(0.5)
    assert 400 < half.left <= 500 < limit.left
    half.check(300.0)
    with pytest.raises(OutOfTime):
        half.check(600.0)
    assert Deadline.after(None).share(0.1).left == float("inf")
