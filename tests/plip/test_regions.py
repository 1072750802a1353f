"""Merging atomic regions keeps what a program can do and lets the first guard of a region block."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.regions import merge_regions
from duet.plip.semantics import explore
from duet.plip.wellformed import violations
from duet.result import Status
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES, unsound

TEST_AND_SET = """
global flag = 0
global users = 0
thread main { while (*) { spawn client } }
thread client {
  local t
  entry 0  exit 9
  atomic at 1, 2, 3
  0: skip -> 1
  1: [flag == 0] -> 2
  1: [flag != 0] -> 3
  2: flag := 1 -> 4
  3: skip -> 9
  4: t := users -> 5
  5: users := t + 1 -> 6
  6: assert users == 1 -> 7
  7: users := 0 -> 8
  8: flag := 0 -> 9
}
"""
WITH_CHECK = """
global flag = 0
global data = 0
thread main { while (*) { spawn client } }
thread client {
  atomic { assume flag == 0  flag := 1  assert data == 0 }
  data := 1
  data := 0
  flag := 0
}
"""


@pytest.mark.parametrize("seed", range(240))
def test_merged_programs_fail_where_the_original_does_and_the_analysis_stays_sound(seed: int) -> None:
    program = random_program(seed)
    merged = merge_regions(program)
    assert not violations(merged)
    original, after = explore(program, LIMITS, SAMPLES), explore(merged, LIMITS, SAMPLES)
    if not after.truncated:
        assert set(original.failures) <= set(after.failures)
    if seed % 4 == 0:
        assert not list(unsound(after, analyse(merged, AnalysisOptions(domain="interval", engine="bitset"))))


def _statuses(text: str) -> set[Status]:
    program = merge_regions(parse_program(text))
    analysis = analyse(program, AnalysisOptions(domain="interval"))
    return {analysis.status_of(check) for check in analysis.fixpoints[0].verdicts}


def test_a_test_and_set_region_works_as_a_lock() -> None:
    program = merge_regions(parse_program(TEST_AND_SET))
    assert all(not template.atomic for template in program.templates.values())
    assert _statuses(TEST_AND_SET) == {Status.PROVED}


def test_a_region_that_cannot_be_merged_is_entered_by_its_first_guard() -> None:
    assert _statuses(WITH_CHECK) == {Status.PROVED}


@pytest.mark.parametrize(("written", "ways"), [("skip", 2), ("x := *", 3)])
def test_a_way_that_contradicts_itself_is_left_out(written: str, ways: int) -> None:
    text = f"""
global y = 0
thread main {{
  local x
  entry 0  exit 9
  atomic at 1, 2, 3
  0: x := y -> 1
  1: [x != 0] -> 2
  1: [x == 0] -> 9
  2: {written} -> 3
  3: [x == 0] -> 9
  3: [x != 0] -> 9
}}
"""
    assert len(merge_regions(parse_program(text)).commands) == ways
