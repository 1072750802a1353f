"""Performs one task: its run and the reports on it, whatever happens."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from duet import limits, pipeline
from duet.batch.counts import by_cause, by_property
from duet.batch.task import Task
from duet.pipeline import Job
from duet.report import html, json
from duet.result import Run, RunStatus


@dataclass(frozen=True, slots=True)
class Done:
    """A task that ended: its run as reports, and what the suite's tables say of it.

    `lost` marks a result that says nothing of the task, since what ran it went away: `--resume` runs it again.
    *Units*: `seconds` of wall time, `peak_rss_mib` in MiB, 0 if not known.
    """

    status: str
    exit_code: int
    message: str
    domain: str
    summary: tuple[tuple[str, int], ...]
    seconds: float
    peak_rss_mib: int
    json: str
    html: str
    lost: bool = False
    properties: dict[str, tuple[int, int]] = field(default_factory=dict)
    causes: dict[str, int] = field(default_factory=dict)


def perform(task: Task) -> Done:
    """The result of the task, under its limits."""
    started = time.monotonic()
    ending = pipeline.run(Job(task.files, task.frontend, task.analysis, run=task.runs))
    seconds = time.monotonic() - started
    outcome = limits.attempt(lambda: _done(ending.run, ending.exit_code, seconds))
    match outcome:
        case limits.Finished(done):
            return done
        case limits.Failed(message) | limits.Exceeded(_, message):
            return _done(_failed(task, f"the report cannot be written: {message}"), 4, seconds)


def lost(task: Task, message: str, seconds: float) -> Done:
    """The result of a task whose worker went away."""
    return _done(_failed(task, message), 4, seconds, lost=True)


def _done(run: Run, exit_code: int, seconds: float, lost: bool = False) -> Done:
    return Done(
        status=run.status.value,
        exit_code=exit_code,
        message=run.message,
        domain=run.domain,
        summary=tuple(json.summary(run).items()),
        seconds=round(seconds, 3),
        peak_rss_mib=run.stats.get("peak_rss_mib", 0),
        json=json.render(run),
        html=html.render(run),
        lost=lost,
        properties=by_property(run),
        causes=by_cause(run),
    )


def _failed(task: Task, message: str) -> Run:
    """A run of which nothing is known but why it failed."""
    frontend, analysis = task.frontend, task.analysis
    return Run(
        files=tuple(os.fspath(file) for file in task.files),
        domain=analysis.domain,
        engine=analysis.engine,
        numeric=analysis.numeric,
        mode="parameterized" if frontend.parameterized else ("entries" if frontend.entries else "main"),
        entries=(),
        status=RunStatus.ERROR,
        message=message,
    )
