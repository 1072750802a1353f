"""What coarsening hands on: fixpoints, and what they say together."""

from __future__ import annotations

from dataclasses import replace

from duet.coarsen.results import Analysis
from duet.plip.accesses import AccessKind
from duet.plip.parser import parse_program
from duet.result import Status
from tests.coarsen.fixpoints import LOCKED, analysed, check_of, fixpoint, statuses, with_accesses

TEXT = "thread main { local r local s  r := 1  s := r  check r == 1  check r == 2  check r <= s + r }"


def test_open_checks_are_those_that_are_not_safe() -> None:
    found = fixpoint(TEXT)
    open_checks = {found.graph.program.commands[index].instruction.check.expression for index in found.open_checks}  # type: ignore[union-attr]
    assert "r == 2" in open_checks
    assert "r == 1" not in open_checks
    assert not found.is_proved
    assert fixpoint("thread main { local r  r := 1  check r == 1 }").is_proved


def test_a_check_is_safe_if_any_fixpoint_says_so() -> None:
    analysis = analysed("thread main { local r  r := 1  check r == 1 }")
    (only,) = analysis.fixpoints
    check = check_of(analysis.program, "r == 1")
    verdict = only.verdicts[check]
    weak = replace(verdict, copies=tuple(replace(c, status=Status.UNPROVED) for c in verdict.copies))
    worse = replace(only, name="worse", verdicts={check: replace(weak, status=Status.UNPROVED)})
    both = Analysis(analysis.program, (worse, only), {})
    assert both.status_of(check) is Status.PROVED
    assert both.best(check) is only
    alone = Analysis(analysis.program, (worse,), {})
    assert statuses(alone) == [Status.UNPROVED]
    assert alone.best(check) is worse
    assert both.is_proved
    assert not alone.is_proved


def test_counts_are_sums_but_for_the_programs_own() -> None:
    analysis = analysed(LOCKED)
    first = analysis.fixpoints[0]
    twice = Analysis(analysis.program, (first, first), {})
    once = Analysis(analysis.program, (first,), {})
    assert twice.stats["locations"] == once.stats["locations"] == len(analysis.program.template_of)
    assert twice.stats["flows_inter"] == 2 * once.stats["flows_inter"] > 0
    assert twice.stats["rounds"] == 2 * first.rounds


def test_conflicts_are_races_or_deadlocks() -> None:
    text = "global x = 0 thread main { spawn w  spawn w }\nthread w {\n  x := 1\n}"
    program = with_accesses(parse_program(text, "t.plip"), {3: [(AccessKind.WRITE, "x")]})
    racing = replace(fixpoint(text), graph=replace(fixpoint(text).graph, program=program))
    assert racing.has_conflicts
    assert list(racing.races)
    assert not fixpoint(text).has_conflicts
    waiting = with_accesses(parse_program(text, "t.plip"), {3: [(AccessKind.JOIN, "?")]})
    assert replace(racing, graph=replace(racing.graph, program=waiting)).has_conflicts
