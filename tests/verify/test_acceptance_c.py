"""The acceptance table of the design, its C programs: what must come out of which line, and in which time.

What is proved by data flow graphs today counts, too. Two lines must stay open: they hold in C, and fail in the model by
a step that stands for more than C does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import pytest
from _pytest.mark import ParameterSet

from duet.coarsen.analysis import analyse
from duet.coarsen.results import Analysis
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.reading import Input
from duet.result import Check
from duet.verify.decide import Subject, proofs
from duet.verify.refute import failing
from duet.verify.schedule import Schedule
from tests.c.annotations import ROOT, load
from tests.verify.test_bundled import inputs


@dataclass(frozen=True, slots=True)
class Row:
    """The assertion in a line of a bundled program, and seconds for it."""

    name: str
    line: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.name}:{self.line}"


PROVED = (
    Row("mutual_exclusion/bakery_by_number", 21, 30.0),
    Row("mutual_exclusion/bakery_by_number", 24, 30.0),
    Row("lock_invariants/flow_balance", 33, 5.0),
    Row("lock_invariants/flow_balance", 34, 5.0),
    Row("lock_invariants/torn_pair", 24, 30.0),
    Row("queues/batch_transfer", 32, 10.0),
    Row("queues/batch_transfer", 33, 10.0),
    Row("queues/batch_transfer", 36, 10.0),
    Row("queues/batch_transfer", 46, 10.0),
)
REFUTED = (
    Row("mutual_exclusion/bakery_by_number", 23, 4.0),
    Row("lock_invariants/flow_balance", 35, 4.0),
    Row("lock_invariants/torn_pair", 25, 4.0),
    Row("queues/batch_transfer", 37, 4.0),
)
OPEN = (Row("gnu/assembler", 32, 3.0),)


@cache
def programs(name: str) -> tuple[Input, Input, Analysis]:
    """A program as it is and with what is undefined as checks, and what data flow graphs say of the first one."""
    plain, strict = inputs(load(ROOT / f"{name}.c"))
    return plain, strict, analyse(plain.program, AnalysisOptions())


def check_of(row: Row) -> Check:
    """The assertion."""
    file = str(ROOT / f"{row.name}.c")
    checks = programs(row.name)[0].checks
    (check,) = (c for c in checks if (c.file, c.line, c.property_name) == (file, row.line, "assertion"))
    return check


def schedules(row: Row, seconds: float) -> Mapping[Check, Schedule]:
    """Schedules in which the assertion fails."""
    _, strict, _ = programs(row.name)
    return failing(strict.program, [check_of(row)], Deadline.after(seconds))


def is_proved(row: Row) -> bool:
    plain, _, analysis = programs(row.name)
    check = check_of(row)
    if analysis.status_of(check).is_safe:
        return True
    subject = Subject(plain.program, plain.program, analysis)
    return check in proofs(subject, [check], Deadline.after(row.seconds))


def _marked(rows: Sequence[Row]) -> list[ParameterSet]:
    """Rows as parameters; those of the program that takes the longest are slow."""
    return [pytest.param(row, marks=pytest.mark.slow if row.name.startswith("queues") else ()) for row in rows]


@pytest.mark.parametrize("row", _marked(PROVED), ids=str)
def test_proved(row: Row) -> None:
    assert not schedules(row, 0.3)
    assert is_proved(row)


@pytest.mark.parametrize("row", _marked(REFUTED), ids=str)
def test_refuted(row: Row) -> None:
    assert not schedules(row, row.seconds)[check_of(row)].doubt
    assert not is_proved(Row(row.name, row.line, 1.0))


@pytest.mark.parametrize("row", OPEN, ids=str)
def test_open(row: Row) -> None:
    schedule = schedules(row, row.seconds).get(check_of(row))
    assert schedule is None or schedule.doubt
    assert not is_proved(row)
