"""From results to verdicts: of one task, against what was expected, and of the suite as an exit code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from duet.batch.resume import Record
from duet.batch.task import Suite, Task
from duet.result import Fixed, RunStatus


class Verdict(StrEnum):
    """How a task ended, in the words of the reports."""

    PROVED = "all proved"
    EMPTY = "no checks"
    OPEN = "not all proved"
    REFUTED = "refuted"
    LIMIT = "limit reached"
    ERROR = "error"
    SKIPPED = "skipped"
    NOT_RUN = "not run"


class Agreement(StrEnum):
    """A verdict against the expected one. `UNSOUND` is a wrong proof, the worst that can happen."""

    NONE = ""
    CORRECT = "correct"
    INCONCLUSIVE = "inconclusive"
    FALSE_ALARM = "wrong: refuted, but it holds"
    UNSOUND = "unsound: proved, but it does not hold"


@dataclass(frozen=True, slots=True)
class Since:
    """A task against an earlier batch: open checks that are new, how many are the same, and those no longer open."""

    new: tuple[Fixed, ...]
    same: int
    fixed: tuple[Fixed, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A task with its result, None where it was not run; `since` an earlier batch, if it is compared with one."""

    task: Task
    record: Record | None
    since: Since | None = None

    @property
    def verdict(self) -> Verdict:
        if self.task.skipped:
            return Verdict.SKIPPED
        record = self.record
        if record is None:
            return Verdict.NOT_RUN
        match RunStatus(record.status):
            case RunStatus.TIMEOUT | RunStatus.OUT_OF_MEMORY:
                return Verdict.LIMIT
            case RunStatus.ERROR:
                return Verdict.ERROR
            case RunStatus.COMPLETE:
                return _complete(record)

    @property
    def svcomp(self) -> str:
        """The verdict in the words of SV-COMP."""
        match self.verdict:
            case Verdict.PROVED | Verdict.EMPTY:
                return "true" if self._may_be_true else "unknown"
            case Verdict.REFUTED:
                return f"false({self.task.property_name})" if self.task.property_name else "false"
            case Verdict.LIMIT:
                is_time = self.record is not None and self.record.status == RunStatus.TIMEOUT
                return "TIMEOUT" if is_time else "OUT_OF_MEMORY"
            case Verdict.ERROR:
                return "ERROR"
            case Verdict.OPEN:
                return "unknown"
            case Verdict.SKIPPED | Verdict.NOT_RUN:
                return ""

    @property
    def agreement(self) -> Agreement:
        expected, verdict = self.task.expected, self.svcomp
        if expected is None or not verdict:
            return Agreement.NONE
        if verdict == "true":
            return Agreement.CORRECT if expected else Agreement.UNSOUND
        if verdict.startswith("false"):
            return Agreement.FALSE_ALARM if expected else Agreement.CORRECT
        return Agreement.INCONCLUSIVE

    @property
    def _may_be_true(self) -> bool:
        """A race needs no construct of its own in the program, so a run without checks has not looked for any."""
        return self.task.property_name != "no-data-race" or (
            self.record is not None and self.record.summary["total"] > 0
        )


def rows(suite: Suite, records: dict[str, Record]) -> tuple[Row, ...]:
    """The tasks in the order of the suite with their results."""
    return tuple(Row(task, records.get(task.name)) for task in suite.tasks)


def exit_code(found: Iterable[Row]) -> int:
    """The worst exit code of the tasks, 4 for a wrong proof; 2 where no task was run.

    Compared with an earlier batch, open checks that are the same do not count.
    """
    codes = [_exit_code(row, row.record) for row in found if row.record is not None]
    return max(codes, default=2)


def _exit_code(row: Row, record: Record) -> int:
    if row.agreement is Agreement.UNSOUND:
        return 4
    is_known = record.exit_code == 1 and row.since is not None and not row.since.new
    return 0 if is_known else record.exit_code


def _complete(record: Record) -> Verdict:
    if record.summary["refuted"]:
        return Verdict.REFUTED
    if not record.summary["total"]:
        return Verdict.EMPTY
    return Verdict.PROVED if record.safe == record.summary["total"] else Verdict.OPEN
