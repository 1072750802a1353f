"""The pool: every task has a result, whatever its worker does."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from duet.batch import pool, work
from duet.batch.task import Task
from duet.batch.work import Done
from duet.options import AnalysisOptions


class Quiet:
    """Watches nothing but what was started."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def started(self, task: Task) -> None:
        self.names.append(task.name)

    def ticked(self) -> None: ...


def _tasks(*names: str) -> list[Task]:
    return [Task(name, (name,), analysis=AnalysisOptions(timeout=60)) for name in names]


def _good(task: Task) -> Done:
    return work.lost(task, f"performed {task.name}", 0.0)


def _killed(task: Task) -> Done:
    os.kill(os.getpid(), signal.SIGKILL)
    return _good(task)


def _exits(task: Task) -> Done:
    del task
    os._exit(7)


def _raises(task: Task) -> Done:
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # the traceback is none of the test's output
    raise ValueError(task.name)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (_killed, "the worker process was killed by SIGKILL"),
        (_exits, "the worker process ended without a result (exit code 7)"),
        (_raises, "the worker process ended without a result (exit code 1)"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 3])
def test_lost_worker_costs_its_own_task_only(bad: Callable[[Task], Done], message: str, jobs: int) -> None:
    def perform(task: Task) -> Done:
        return bad(task) if task.name == "bad" else _good(task)

    observer = Quiet()
    found = {task.name: done for task, done in pool.results(_tasks("a", "bad", "b", "c"), jobs, observer, perform)}
    assert observer.names == ["a", "bad", "b", "c"]
    assert {name: done.message for name, done in found.items()} == {
        "a": "performed a", "bad": message, "b": "performed b", "c": "performed c",
    }  # fmt: skip
    assert (found["bad"].status, found["bad"].exit_code, found["bad"].lost) == ("error", 4, True)


def test_closed_pool_leaves_no_process() -> None:
    def perform(task: Task) -> Done:
        if task.name != "first":
            threading.Event().wait()
        return _good(task)

    results = pool.results(_tasks("first", "x", "y"), 3, Quiet(), perform)
    assert next(results)[0].name == "first"
    children = psutil.Process().children(recursive=True)
    assert len(children) >= 2
    results.close()  # type: ignore[attr-defined]  # a generator
    assert psutil.wait_procs(children, timeout=10)[1] == []


def test_worker_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def perform(task: Task) -> Done:
        del task
        threading.Event().wait()
        raise AssertionError

    monkeypatch.setattr(pool, "GRACE_SECONDS", 0.1)
    (task,) = _tasks("x")
    hasty = Task(task.name, task.files, analysis=AnalysisOptions(timeout=0.1))
    ((_, done),) = pool.results([hasty], 1, Quiet(), perform)
    assert done.message == "the worker process did not end"


def test_task_without_limits_is_apart(tmp_path: Path) -> None:
    path = tmp_path / "missing.plip"
    ((_, done),) = pool.results([Task("missing", (str(path),))], 1, Quiet())
    assert done.exit_code == 2
    assert "cannot read this file" in done.message
    assert not done.lost
