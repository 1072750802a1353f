"""The acceptance table of the design: small programs that need interleavings, what must come out, and in which time.

`programs/*.plip` have the truth in comments. Each is first compared with all executions of few threads. What is missed
is listed with the reason, so that the day it comes out is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.results import Analysis
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.plip.execute import Samples
from duet.plip.parser import read_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Assert, Program
from duet.result import Check
from duet.verify.decide import Subject, proofs
from duet.verify.refute import failing

FOLDERS = (Path(__file__).parent / "programs", Path(__file__).parents[1] / "plip" / "examples")


@dataclass(frozen=True, slots=True)
class Row:
    """A program with seconds for each of its checks; `graphs`: whether facts of data flow graphs may be used."""

    name: str
    seconds: float
    graphs: bool = True


PROVED = (
    Row("counter", 2.0),
    Row("counter", 2.0, graphs=False),
    Row("local", 8.0, graphs=False),
    Row("thread-modular", 2.0, graphs=False),
    Row("sequential", 2.0, graphs=False),
    Row("ticket", 20.0, graphs=False),
    Row("ticket-again", 60.0),
    Row("ticket-of-two", 10.0),
    Row("count-threads", 2.0),
    Row("count-threads-again", 2.0),
    Row("peterson", 4.0, graphs=False),
    Row("szymanski", 4.0, graphs=False),
    Row("lamport", 4.0, graphs=False),
    Row("bakery", 4.0),
    Row("bakery-choosing", 10.0),
    Row("fig-4-4-two-increments", 2.0),
    Row("count-threads-unbounded", 2.0),  # by the facts alone: what threads add up to
    Row("thread-pool", 30.0),  # Fig. 5.1
    Row("fig-4-5-local", 2.0, graphs=False),
)
REFUTED = ("count-threads-bug", "ticket-torn", "fig-4-4-any-number")
MISSED = {
    "count-threads-unbounded": "a proof counts threads without a bound",
}


def program_of(name: str) -> Program:
    return read_program(next(path for folder in FOLDERS if (path := folder / f"{name}.plip").exists()))


def truth_of(name: str, program: Program) -> Mapping[Check, bool]:
    """Whether each check holds in every execution, as the comments say."""
    path = next(path for folder in FOLDERS if (path := folder / f"{name}.plip").exists())
    lines = path.read_text(encoding="utf-8").splitlines()
    checks = {c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)}
    found: dict[Check, bool] = {}
    for check in checks:
        verdict = re.search(r"//\s*(SAFE|UNSAFE!)", lines[check.line - 1])
        assert verdict is not None, check.id
        found[check] = verdict[1] == "SAFE"
    return found


def all_names() -> list[str]:
    return sorted({*(row.name for row in PROVED), *REFUTED, *MISSED})


@pytest.mark.parametrize("name", all_names())
def test_the_truth_is_that_of_all_executions(name: str) -> None:
    program = program_of(name)
    found = explore(program, Limits(4, states=20_000, value=16), Samples(havoc=(0, 1, 2), initial=(0, 1, 2, 12)))
    for check, holds in truth_of(name, program).items():
        assert holds == (check not in found.failures), check.id


def subject(program: Program, graphs: bool) -> Subject:
    analysis = analyse(program, AnalysisOptions()) if graphs else Analysis(program, (), {})
    return Subject(program, program, analysis)


@pytest.mark.parametrize("row", PROVED, ids=lambda row: f"{row.name}{'' if row.graphs else '-alone'}")
def test_proved(row: Row) -> None:
    program = program_of(row.name)
    checks = sorted(truth_of(row.name, program))
    found = proofs(subject(program, row.graphs), checks, Deadline.after(row.seconds * len(checks)))
    assert sorted(found) == checks


@pytest.mark.parametrize("name", REFUTED)
def test_refuted(name: str) -> None:
    program = program_of(name)
    checks = [check for check, holds in truth_of(name, program).items() if not holds]
    found = failing(program, checks, Deadline.after(2.0 * len(checks)))
    assert {check for check, schedule in found.items() if not schedule.doubt} == set(checks)
    assert not proofs(subject(program, True), checks, Deadline.after(1.0 * len(checks)))


@pytest.mark.parametrize("name", MISSED)
def test_missed(name: str) -> None:
    """What does not come out without facts of data flow graphs."""
    program = program_of(name)
    checks = sorted(truth_of(name, program))
    assert not proofs(subject(program, False), checks, Deadline.after(4.0))
    assert not failing(program, checks, Deadline.after(2.0))
