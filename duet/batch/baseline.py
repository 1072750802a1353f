"""A batch against an earlier one: task by task, which open checks are new, which are the same, and which are fixed.

Checks are told apart as in `duet.report.baseline`. A task that is not in the earlier batch has new ones only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from duet.batch.resume import MANIFEST, opened
from duet.batch.resume import read as records_of
from duet.batch.verdict import Row, Since
from duet.errors import UsageError
from duet.report import baseline
from duet.report.baseline import Baseline
from duet.result import Fixed, RunStatus


@dataclass(frozen=True, slots=True)
class Earlier:
    """What was open before: in each task of a batch, by name, or in one run of `duet analyze`, by its files."""

    path: str
    tasks: Mapping[str, Baseline]
    runs: tuple[tuple[tuple[str, ...], Baseline], ...] = ()

    def of(self, row: Row) -> Baseline:
        """What was open before in a task."""
        by_files = (known for files, known in self.runs if _are_same(files, row.task.files))
        return self.tasks.get(row.task.name) or next(by_files, Baseline(self.path, {}))


def read(path: str) -> Earlier:
    """An earlier batch, by its directory or the manifest there, or a JSON report. *Raises*: UsageError."""
    if os.path.isdir(path):
        path = os.path.join(path, MANIFEST)
    if os.path.basename(path) != MANIFEST:
        known = baseline.read(path)
        return Earlier(path, {}, ((known.files, known),))
    if not os.path.exists(path):
        raise UsageError(f"cannot read the baseline {path}: there is no such batch")
    found = {task: opened(Path(path).parent, record) for task, record in records_of(Path(path)).items()}
    return Earlier(path, {task: Baseline(path, baseline.entries_of(checks)) for task, checks in found.items()})


def compared(rows: Sequence[Row], found: Mapping[str, Sequence[Fixed]], earlier: Earlier) -> tuple[Row, ...]:
    """The tasks with what is new in them; `found` are their open checks by task."""
    return tuple(_compared(row, found.get(row.task.name, ()), earlier) for row in rows)


def _compared(row: Row, found: Sequence[Fixed], earlier: Earlier) -> Row:
    if row.record is None:
        return row
    is_new, fixed = baseline.difference(found, earlier.of(row))
    new = tuple(one for one, is_one in zip(found, is_new, strict=True) if is_one)
    is_whole = row.record.status == RunStatus.COMPLETE  # else nobody knows of what is no longer told
    return replace(row, since=Since(new, len(found) - len(new), fixed if is_whole else ()))


def _are_same(files: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two lists of paths may name the same files."""
    pairs = zip(files, others, strict=False)
    return len(files) == len(others) and all(baseline.may_be_one_file(one, other) for one, other in pairs)
