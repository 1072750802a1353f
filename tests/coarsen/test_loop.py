"""Coarsening: engines and libraries agree, configurations are united, evidence names the guilty write."""

from __future__ import annotations

import pytest

from datalog.registry import available
from domains.registry import NumericUnavailable
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.errors import UsageError
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.result import Check, Status
from tests.soundness.generate import random_program

LOCKED = """
global lock = 0
global x = 0
thread main { while (*) { spawn worker } }
thread worker {
  acquire lock
  x := 1
  x := 0
  assert x == 0
  release lock
  assert x == 0
}
"""
RELATED = """
thread main {
  local i local j
  i := 0  j := 0
  while (i < 10) { i := i + 1  j := i }
  assert j <= i
  assert i == 10
}
"""
OTHERS = [found.name for found in available() if found.name != "bitset"]


def _statuses(text: str, **options: str) -> dict[str, Status]:
    analysis = analyse(parse_program(text, "t.plip"), AnalysisOptions(**options))  # type: ignore[arg-type]
    return {f"{a.check.line}: {a.check.expression}": a.status for a in assertions(analysis)}


def _by_line(text: str, **options: str) -> dict[int, Status]:
    return {int(key.split(":")[0]): status for key, status in _statuses(text, **options).items()}


def test_a_lock_protects_an_invariant_for_any_number_of_threads() -> None:
    assert _statuses(LOCKED) == {"9: x == 0": Status.PROVED, "11: x == 0": Status.UNPROVED}


def test_evidence_names_the_write_of_the_other_thread_and_derives_it() -> None:
    analysis = analyse(parse_program(LOCKED, "t.plip"), AnalysisOptions(domain="interval"))
    found = next(a for a in assertions(analysis) if a.check.line == 11)
    assert found.invariant == "0 <= x <= 1"
    inter = [(note.line, note.value) for note in found.flows if note.kind == "inter"]
    assert (7, "1") in inter
    derivation = next(note.derivation for note in found.flows if note.kind == "inter" and note.line == 7)
    assert derivation[-1].line >= 7
    assert any("x := 1" in step.text for step in derivation)


def test_octagons_prove_relations_that_intervals_do_not_and_auto_unites_both() -> None:
    assert _by_line(RELATED, domain="octagon")[6] is Status.PROVED
    united = _statuses(RELATED, domain="auto")
    assert set(united.values()) == {Status.PROVED}


def test_a_check_that_no_thread_has_is_unreachable() -> None:
    analysis = analyse(parse_program(RELATED, "t.plip"), AnalysisOptions(domain="interval"))
    unused = Check("t.plip", 1, 1, "unused", "assertion", "0")
    assert assertions(analysis, (unused,))[0].status is Status.UNREACHABLE


def test_a_numeric_library_that_is_not_there_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, numeric: str) -> object:
        raise NumericUnavailable(f"{numeric} is not installed")

    monkeypatch.setattr("duet.coarsen.resources.numeric_domain", missing)
    with pytest.raises(UsageError, match="not installed"):
        analyse(parse_program(RELATED), AnalysisOptions(numeric="apron"))


@pytest.mark.parametrize("name", OTHERS)
def test_engines_agree_on_random_programs(name: str) -> None:
    if not next(found for found in available() if found.name == name).is_available:
        pytest.skip(f"{name} is not installed")
    for seed in range(5000, 5012):
        program = random_program(seed)
        graphs = [
            analyse(program, AnalysisOptions(domain="interval", engine=engine)).fixpoints[0].graph.inter
            for engine in ("bitset", name)
        ]
        assert graphs[0] == graphs[1], seed
