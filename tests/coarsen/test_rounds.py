"""Rounds of refinement: a narrower graph and stronger invariants, while that helps."""

from __future__ import annotations

import pytest

from duet.coarsen.rounds import REFINEMENTS, refined, taken_up
from duet.deadline import Deadline, OutOfTime
from duet.flow.certain import NOTHING
from tests.coarsen.fixpoints import JOINED, fixpoint, resources


def test_a_joined_thread_has_done_its_writes() -> None:
    before = fixpoint(JOINED)
    assert not before.is_proved
    after = refined(before, resources())
    assert after.is_proved
    assert 0 < after.refinements <= REFINEMENTS
    assert len(after.steps) == len(before.steps) + after.refinements
    assert all(step.is_refined for step in after.steps[len(before.steps) :])


def test_one_thread_is_not_refined() -> None:
    alone = fixpoint("thread main { local r  r := *  check r == 1 }")
    assert refined(alone, resources()) is alone


def test_nothing_is_refined_for_what_is_proved_unless_wanted_everywhere() -> None:
    proved = fixpoint(JOINED.replace("r == 2", "r <= 2"))
    assert proved.is_proved
    assert refined(proved, resources(everywhere=False)) is proved
    assert refined(proved, resources(everywhere=True)).refinements > 0


def test_refinement_ends_where_nothing_is_stronger() -> None:
    text = "global x = 0 thread main { while (*) { spawn w } check x == 1 } thread w { x := 1 }"
    found = refined(fixpoint(text), resources())
    assert found.refinements < REFINEMENTS
    assert not found.is_proved


def test_another_configuration_starts_where_one_is() -> None:
    base = fixpoint(JOINED)
    found = taken_up(base, "other", resources(), NOTHING)
    assert (found.name, found.is_proved) == ("other", True)
    assert len(found.steps) == found.refinements


def test_refinement_stops_in_time() -> None:
    with pytest.raises(OutOfTime):
        refined(fixpoint(JOINED), resources().until(Deadline.after(0)))


def test_in_a_large_program_a_round_that_tells_nothing_is_the_last() -> None:
    text = """global x = 0 global y = 0
    thread main { local r  spawn w  join w  r := y  check r == 1  r := x  check r == 3 }
    thread w { x := 1  y := 1  x := 2 }"""
    before = fixpoint(text)
    patient, hasty = refined(before, resources()), refined(before, resources(), is_large=True)
    assert patient.open_checks == hasty.open_checks < before.open_checks
    assert hasty.refinements <= patient.refinements
