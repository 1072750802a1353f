"""Which configurations run, in which order, and what each adds."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.configurations import (
    CASES,
    CASES_POLYHEDRA,
    CHOICES,
    COPIES,
    COUNTING,
    COUNTING_ALONE,
    COUNTING_CASES,
    ENDS,
    FORWARDED,
    FORWARDED_POLYHEDRA,
    INTERVAL,
    ITERATIONS,
    JOINT,
    JOINT_POLYHEDRA,
    OCTAGON,
    OUTCOMES,
    POLYHEDRA,
    WIDE,
    Configuration,
    Packs,
)
from duet.coarsen.results import Analysis
from duet.deadline import Deadline, OutOfTime
from duet.options import DOMAINS, AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from duet.result import Status
from tests.coarsen.programs import POOL, TOLD_BY_FLAGS
from tests.domains.test_numeric_domains import needs_ppl

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


# What each configuration adds: a program that is proved by it and by none before.
_LOCKED = """
global lock = 0
global x = 0
thread main { while (*) { spawn worker } }
thread worker { acquire lock  x := 1  x := 0  assert x == 0  release lock }
"""
_COUNTED = """
global n = 0
thread main { spawn one  spawn two  join one  join two  assert n == 2 }
thread one { atomic { n := n + 1 } }
thread two { atomic { n := n + 1 } }
"""
_RELATED = """
thread main {
  local i local j
  i := 0  j := 0
  while (i < 10) { i := i + 1  j := i }
  assert j <= i
}
"""
_PROTECTED = """
global lock = 0
global x = 0
global y = 0
thread main { while (*) { spawn client } }
thread client {
  local u
  acquire lock
  u := x
  x := u + 1
  y := u + 1
  assert x == y
  release lock
}
"""

_MIXED = """
global lock = 0
global x = 0
global y = 0
thread main { while (*) { spawn client } }
thread client {
  local t
  local u
  t := *
  acquire lock
  u := x
  x := u + t
  u := y
  y := u - t
  assert x + y == 0
  if (*) { x := 0  y := 0 }
  release lock
}
"""

_ITERATED = """
thread main {
  local i local n
  i := 0  n := 0
  while (i < 5) { n := n + i  i := i + 1 }
  assert n == 10
}
"""

_OUTCOME = """
thread main {
  local a local b
  b := *
  a := 0
  if (b >= 1) { a := b }
  assert a == 0 || a == b
}
"""


_ENDS = """
global head = 0
global tail = 0
thread main { spawn producer  spawn consumer }
thread producer {
  local h local t
  while (*) { h := head  t := tail  if (h - t != 8) { head := h + 1 } }
}
thread consumer {
  local i local n
  while (*) { n := tail  i := head  assert i - n <= 8  if (i != n) { tail := n + 1 } }
}
"""

_OTHERS = range(10)
_WIDE = (
    "thread main {\n"
    + "".join(f"  local y{n}\n" for n in _OTHERS)
    + "  local a\n  local b\n  local c\n  a := *\n  b := *\n  c := *\n"
    + "".join(f"  y{n} := *\n  atomic {{ [a >= y{n}]; }}\n" for n in _OTHERS)
    + "  atomic { [b >= a]; }\n  atomic { [c >= b]; }\n  assert c >= a\n}\n"
)


def _program(is_locked: bool) -> Program:
    lock, unlock = ("atomic { [m == 0]; m := 1; }", "m := 0") if is_locked else ("skip", "skip")
    return parse_program(_TEMPLATE.replace("UNLOCK", unlock).replace("LOCK", lock), "t.plip")


_COPIED = _TEMPLATE.replace("UNLOCK", "m := 0").replace("LOCK", "atomic { [m == 0]; m := 1; }")
PROVED_BY = {
    ("interval", INTERVAL): _LOCKED,
    ("interval", COPIES): _COPIED,
    ("interval", COUNTING_ALONE): _COUNTED,
    ("octagon", OCTAGON): _RELATED,
    ("octagon", FORWARDED): _PROTECTED,
    ("octagon", COUNTING): _COUNTED,
    ("polyhedra", POLYHEDRA): _RELATED,
    ("polyhedra", FORWARDED_POLYHEDRA): _PROTECTED,
    ("polyhedra", COUNTING): _COUNTED,
    ("auto", INTERVAL): _LOCKED,
    ("auto", COPIES): _COPIED,
    ("auto", COUNTING): _COUNTED,
    ("auto", FORWARDED): _PROTECTED,
    ("octagon", JOINT): _MIXED,
    ("octagon", CASES): TOLD_BY_FLAGS,
    ("polyhedra", CASES_POLYHEDRA): TOLD_BY_FLAGS,
    ("auto", CASES): TOLD_BY_FLAGS,
    ("polyhedra", JOINT_POLYHEDRA): _MIXED,
    ("auto", JOINT): _MIXED,
    ("octagon", ENDS): _ENDS,
    ("auto", ENDS): _ENDS,
    ("octagon", OUTCOMES): _OUTCOME,
    ("polyhedra", OUTCOMES): _OUTCOME,
    ("auto", OUTCOMES): _OUTCOME,
    ("octagon", ITERATIONS): _ITERATED,
    ("polyhedra", ITERATIONS): _ITERATED,
    ("auto", ITERATIONS): _ITERATED,
    ("octagon", COUNTING_CASES): POOL,
    ("auto", COUNTING_CASES): POOL,
    ("octagon", WIDE): _WIDE,
    ("auto", WIDE): _WIDE,
}
"""A program for each configuration, by the choice of a domain that runs it."""


def _names(analysis: Analysis) -> tuple[str, ...]:
    return tuple(fixpoint.name for fixpoint in analysis.fixpoints)


def _statuses(analysis: Analysis) -> set[Status]:
    return set(analysis.statuses)


@pytest.mark.parametrize("refine", [True, False])
def test_intervals_prove_what_is_tested_on_a_copy(refine: bool) -> None:
    found = analyse(_program(is_locked=True), AnalysisOptions(domain="interval", refine=refine))
    assert (_names(found), _statuses(found)) == (("interval", "copies"), {Status.PROVED})


@pytest.mark.parametrize(
    ("domain", "configuration"),
    [pytest.param(*key, marks=needs_ppl if key[0] == "polyhedra" else ()) for key in PROVED_BY],
)
def test_each_configuration_proves_what_none_before_it_does(domain: str, configuration: Configuration) -> None:
    found = analyse(parse_program(PROVED_BY[domain, configuration], "t.plip"), AnalysisOptions(domain=domain))
    assert _statuses(found) == {Status.PROVED}
    (check,) = found.fixpoints[0].verdicts
    assert found.best(check) is found.fixpoints[-1]
    assert _names(found)[-1] == configuration.name
    assert (len(found.fixpoints) == 1) == (configuration is CHOICES[domain][0])


def test_packs_are_wide_in_small_programs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet.coarsen.joint.SMALL", 20)
    found = analyse(parse_program(_WIDE, "t.plip"), AnalysisOptions(domain="auto"))
    assert _statuses(found) == {Status.UNPROVED}


def test_wide_packs_prove_nothing_that_fails() -> None:
    found = analyse(parse_program(_WIDE.replace("[b >= a]", "[b >= a - 1]"), "t.plip"), AnalysisOptions(domain="auto"))
    assert _statuses(found) == {Status.UNPROVED}


def test_every_configuration_of_every_choice_is_tried() -> None:
    assert PROVED_BY.keys() == {(domain, one) for domain, choice in CHOICES.items() for one in choice}
    assert tuple(CHOICES) == DOMAINS


@pytest.mark.parametrize("domain", DOMAINS)
def test_only_the_first_configuration_stands_alone(domain: str) -> None:
    first, *others = CHOICES[domain]
    assert not first.needs_fixpoint
    assert all(one.needs_fixpoint for one in others)
    assert all(one.packs is Packs.SAME for one in others if one.has_counts)


def test_a_copy_is_stale_without_the_lock() -> None:
    found = analyse(_program(is_locked=False), AnalysisOptions(domain="auto"))
    assert _statuses(found) == {Status.UNPROVED}


def test_auto_stops_where_everything_is_proved() -> None:
    found = analyse(_program(is_locked=True), AnalysisOptions(domain="auto"))
    assert _names(found) == ("interval", "copies")


def test_in_a_large_program_copies_are_left_to_what_knows_of_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet.coarsen.analysis.LARGE", -1)
    program = _program(is_locked=True)
    both = [analyse(program, AnalysisOptions(domain=domain)) for domain in ("auto", "interval")]
    assert [_names(found) for found in both] == [("interval", "octagon"), ("interval", "copies")]
    assert {status for found in both for status in found.statuses} == {Status.PROVED}


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


def test_steps_are_counted_until_there_are_no_more() -> None:
    limit = Deadline().within(3)
    same = Deadline.after(1000.0).counted(limit.steps).share(0.5)
    limit.spend(2)
    same.spend(1)
    with pytest.raises(OutOfTime):
        limit.spend(1)
    assert limit.steps.taken == 4
    enough = Deadline().within(3)
    enough.demand(3)
    with pytest.raises(OutOfTime):
        enough.demand(4)


def test_each_configuration_after_the_first_has_a_budget_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet.coarsen.analysis.TIMES", 0)
    monkeypatch.setattr("duet.coarsen.analysis.LEAST_STEPS", 0)
    found = analyse(_program(is_locked=True), AnalysisOptions(domain="auto"))
    assert (_names(found), _statuses(found)) == (("interval",), {Status.UNPROVED})


def test_joint_states_that_are_too_many_are_not_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def joined(_before: object, configuration: Configuration, *_rest: object) -> None:
        asked.append(configuration.has_cases or configuration.has_iterations)
        raise OutOfTime

    monkeypatch.setattr("duet.coarsen.analysis.joined", joined)
    analyse(_program(is_locked=False), AnalysisOptions(domain="auto"))
    assert asked == [False]


@pytest.mark.parametrize(("share", "is_there"), [(1.0, True), (0.0, False)])
def test_what_joint_states_do_not_prove_gets_a_share_of_the_budget(
    share: float, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duet.coarsen.analysis.FRUITLESS_SHARE", share)
    found = analyse(parse_program(TOLD_BY_FLAGS, "t.plip"), AnalysisOptions())
    assert ("cases" in _names(found)) is is_there


@pytest.mark.parametrize(("times", "is_there"), [(100.0, True), (0.1, False)])
def test_in_a_large_program_it_is_measured_by_what_joint_states_took(
    times: float, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duet.coarsen.analysis.LARGE", -1)
    monkeypatch.setattr("duet.coarsen.analysis.FRUITLESS_TIMES", times)
    found = analyse(parse_program(TOLD_BY_FLAGS, "t.plip"), AnalysisOptions())
    assert ("cases" in _names(found)) is is_there


_COUNTED_BESIDE = """
global n = 0
thread main {{ local t local u  u := *  while (*) {{ spawn one }}  t := n  assert {asked} }}
thread one {{ atomic {{ n := n + 1 }} atomic {{ n := n - 1 }} }}
"""


@pytest.mark.parametrize(("asked", "is_counted"), [("t >= 0", True), ("u >= 0", False)])
def test_in_a_large_program_is_counted_what_open_checks_depend_on(
    asked: str, is_counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = parse_program(_COUNTED_BESIDE.format(asked=asked), "t.plip")
    assert "counting" in _names(analyse(program, AnalysisOptions()))
    monkeypatch.setattr("duet.coarsen.analysis.LARGE", -1)
    found = analyse(program, AnalysisOptions())
    assert ("counting" in _names(found)) is is_counted
    assert _statuses(found) == {Status.PROVED if is_counted else Status.UNPROVED}


_COUNTED_TWICE = """
global lock = 0
global n = 0
global x = 0
thread main { local t local u  spawn one  spawn two  join one  join two  t := n  u := x  assert t + u <= 4 }
thread one { acquire lock  n := n + 1  x := x + 1  release lock }
thread two { acquire lock  n := n + 1  x := x + 1  release lock }
"""


def test_bounds_of_counts_are_shown_where_that_is_asked() -> None:
    program = parse_program(_COUNTED_TWICE, "t.plip")
    found, shown = (analyse(program, AnalysisOptions(), is_shown=is_shown) for is_shown in (False, True))
    assert _statuses(found) == _statuses(shown) == {Status.PROVED}
    assert _names(found)[-1] == "counting"
    assert found.fixpoints[-1].are_followed
    assert _names(shown) == _names(found)
    assert shown.fixpoints[-1].is_shown
    assert not shown.fixpoints[-1].are_followed
