"""The acceptance table of the design, its C programs: what must come out of which line, and in which time.

What is proved by data flow graphs today counts, too. Two lines must stay open: they hold in C, and fail in the model by
a step that stands for more than C does.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from duet.coarsen.analysis import analyse
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.reading import Input
from duet.result import Check
from duet.verify.decide import Subject, proofs
from duet.verify.refute import failing
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
OPEN = (
    Row("gnu/assembler", 32, 3.0),
    Row("heap/in_a_loop", 30, 3.0),
)


def found(row: Row) -> tuple[Input, Input, Check]:
    """The program as it is and with what is undefined as checks, and the assertion."""
    path = ROOT / f"{row.name}.c"
    plain, strict = inputs(load(path))
    (check,) = (c for c in plain.checks if (c.file, c.line, c.property_name) == (str(path), row.line, "assertion"))
    return plain, strict, check


def is_proved(row: Row, plain: Input, check: Check) -> bool:
    analysis = analyse(plain.program, AnalysisOptions())
    if analysis.status_of(check).is_safe:
        return True
    subject = Subject(plain.program, plain.program, analysis)
    return check in proofs(subject, [check], Deadline.after(row.seconds))


@pytest.mark.parametrize("row", PROVED, ids=str)
def test_proved(row: Row) -> None:
    plain, strict, check = found(row)
    assert not failing(strict.program, [check], Deadline.after(0.3))
    assert is_proved(row, plain, check)


@pytest.mark.parametrize("row", REFUTED, ids=str)
def test_refuted(row: Row) -> None:
    plain, strict, check = found(row)
    assert not failing(strict.program, [check], Deadline.after(row.seconds))[check].doubt
    assert not is_proved(Row(row.name, row.line, 1.0), plain, check)


@pytest.mark.parametrize("row", OPEN, ids=str)
def test_open(row: Row) -> None:
    plain, strict, check = found(row)
    schedule = failing(strict.program, [check], Deadline.after(row.seconds)).get(check)
    assert schedule is None or schedule.doubt
    assert not is_proved(row, plain, check)
