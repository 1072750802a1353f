"""The checks of a suite by what they have in common: directory, subsystem, property, cause."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from duet.batch.verdict import Row, Verdict

CAUSES = 40
"""So many causes are shown, those of most checks."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a suite: its tasks, those that are complete and those that are not to be run, and its checks."""

    name: str
    tasks: int
    complete: int
    skipped: int
    safe: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Cause:
    """Why checks are open, with the number of these and that of the tasks that they are in."""

    text: str
    checks: int
    tasks: int


def by_directory(rows: Sequence[Row]) -> tuple[Part, ...]:
    """The tasks by the directory in their names; nothing where all have the same one."""
    return _parts(rows, os.path.dirname)


def by_subsystem(rows: Sequence[Row]) -> tuple[Part, ...]:
    """The tasks by the first directory in their names; nothing where that is not another partition."""
    found = _parts(rows, lambda name: name.partition("/")[0] if "/" in name else "")
    return () if len(found) == len(by_directory(rows)) else found


def _parts(rows: Sequence[Row], name_of: Callable[[str], str]) -> tuple[Part, ...]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[name_of(row.task.name)].append(row)
    if len(found) < 2:
        return ()
    return tuple(_part(name or ".", members) for name, members in sorted(found.items()))


def _part(name: str, rows: Sequence[Row]) -> Part:
    records = [row.record for row in rows if row.record is not None]
    return Part(
        name,
        len(rows),
        sum(record.status == "complete" for record in records),
        sum(row.verdict is Verdict.SKIPPED for row in rows),
        sum(record.safe for record in records),
        sum(record.summary["total"] for record in records),
        sum(record.seconds for record in records),
    )


def properties(rows: Iterable[Row]) -> tuple[tuple[str, int, int], ...]:
    """The properties, each with how many of its checks are safe and how many there are."""
    safe: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in rows:
        for name, (some, most) in (row.record.properties if row.record else {}).items():
            safe[name] += some
            total[name] += most
    return tuple((name, safe[name], total[name]) for name in sorted(total))


def causes(rows: Iterable[Row]) -> tuple[Cause, ...]:
    """Why checks are open, the cause of most checks first."""
    checks: Counter[str] = Counter()
    tasks: Counter[str] = Counter()
    for row in rows:
        for text, number in (row.record.causes if row.record else {}).items():
            checks[text] += number
            tasks[text] += 1
    return tuple(Cause(text, number, tasks[text]) for text, number in checks.most_common(CAUSES))
