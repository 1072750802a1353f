"""Relations between cells of one critical section, and none where somebody does without the lock."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.result import Status

CLIENTS = """global m = 0
global x = 0
global y = 0
main main
thread main function "main" {{
  entry 0  exit 1
  0: spawn client -> 0
  0: spawn other -> 0
  0: skip -> 1
}}
thread client function "client" {{
  local t = 0
  local u = 0
  entry 10  exit 19
  10: atomic {{ [m == 0]; m := 1; }} -> 11
  11: t := x -> 12
  12: x := t + 1 -> 13
  13: u := y -> 14
  14: y := u + 1 -> 15
  15: m := 0 -> 19
}}
thread other function "other" {{
  local v = 0
  entry 20  exit 29
  {other}
  21: v := x -> 22
  22: assert v - y == 0 for "relations.plip":1:1 "assertion" "x == y" in "other" -> 23
  23: m := 0 -> 29
}}
"""
LOCKED = "20: atomic { [m == 0]; m := 1; } -> 21"
UNLOCKED = "20: skip -> 21"
RACING = "20: y := 0 -> 30\n  30: atomic { [m == 0]; m := 1; } -> 21"


@pytest.mark.parametrize("domain", ["octagon", "auto"])
def test_what_is_equal_whenever_the_lock_is_free(domain: str) -> None:
    assert _status(LOCKED, domain) is Status.PROVED


@pytest.mark.parametrize("domain", ["octagon", "auto"])
@pytest.mark.parametrize("other", [UNLOCKED, RACING])
def test_nothing_is_equal_for_those_who_do_without_the_lock(other: str, domain: str) -> None:
    assert _status(other, domain) is Status.UNPROVED


def test_no_pack_is_larger_than_the_limit() -> None:
    program = parse_program(CLIENTS.format(other=RACING), "relations.plip")
    alone = analyse(program, AnalysisOptions(domain="octagon", engine="bitset", pack_limit=1))
    assert all(len(pack) == 1 for fixpoint in alone.fixpoints for pack in fixpoint.graph.packing.packs)


def _status(other: str, domain: str) -> Status:
    program = parse_program(CLIENTS.format(other=other), "relations.plip")
    analysis = analyse(program, AnalysisOptions(domain=domain, engine="bitset"))
    (check,) = analysis.fixpoints[0].verdicts
    return analysis.status_of(check)
