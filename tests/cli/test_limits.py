"""Jobs under limits: outcomes, early values, and that nothing is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable

import pytest

from duet import limits
from duet.errors import EngineError, InternalError, ResourceLimit, SourceError, UsageError
from tests.cli.processes import has_ended

Announce = Callable[[object], None]


def _run(job: Callable[[Announce], object], **given: float) -> tuple[limits.Outcome[object], object]:
    memory = given.get("memory")
    return limits.run(job, given.get("timeout"), None if memory is None else int(memory))


def _wait() -> object:
    threading.Event().wait()
    return "never"


def _forever(announce: Announce) -> object:
    announce("early")
    return _wait()


@pytest.mark.parametrize("given", [{}, {"timeout": 60.0}, {"memory": 4000}])
def test_result_and_last_early_value(given: dict[str, float]) -> None:
    def job(announce: Announce) -> object:
        announce("first")
        announce("second")
        return ("result", os.getpid())

    outcome, early = _run(job, **given)
    assert isinstance(outcome, limits.Finished)
    assert early == "second"
    assert (outcome.value == ("result", os.getpid())) is (not given)


def test_job_that_never_ends_times_out() -> None:
    outcome, early = _run(_forever, timeout=2)
    assert outcome == limits.Exceeded("timeout", "the time limit of 2 s was reached")
    assert early == "early"


def test_processes_of_the_job_end_with_it() -> None:
    def job(announce: Announce) -> object:
        announce([subprocess.Popen(["sleep", "1000"], start_new_session=session).pid for session in (True, False)])
        return _wait()

    outcome, started = _run(job, timeout=3)
    assert isinstance(outcome, limits.Exceeded)
    assert isinstance(started, list)
    assert len(started) == 2
    assert all(has_ended(pid) for pid in started)


def test_memory_beyond_the_limit() -> None:
    def job(_announce: Announce) -> object:
        data = bytearray(os.urandom(1) * (700 * 2**20))
        return _wait(), data

    assert _run(job, memory=300)[0] == limits.Exceeded("out-of-memory", "the memory limit of 300 MiB was reached")


def test_allocation_that_the_system_refuses() -> None:
    outcome = _run(lambda _: [0] * 10**13)[0]
    assert isinstance(outcome, limits.Exceeded)
    assert outcome.status == "out-of-memory"


def _raises(error: Exception) -> Callable[[Announce], object]:
    def job(_announce: Announce) -> object:
        raise error

    return job


@pytest.mark.parametrize("given", [{}, {"timeout": 60.0}])
@pytest.mark.parametrize(
    ("error", "code", "is_expected"),
    [
        (SourceError("m"), 2, True),
        (UsageError("m"), 2, True),
        (EngineError("m", ("souffle",), "stderr"), 4, True),
        (InternalError("m"), 4, False),
        (ValueError("m"), 4, False),
        (RecursionError("m"), 2, True),
    ],
)
def test_error_in_the_job(given: dict[str, float], error: Exception, code: int, is_expected: bool) -> None:
    outcome = _run(_raises(error), **given)[0]
    assert isinstance(outcome, limits.Failed)
    assert (outcome.exit_code, outcome.expected) == (code, is_expected)
    assert "m" in outcome.message
    assert "Traceback" in outcome.trace


def test_limit_found_by_the_job_itself() -> None:
    assert _run(_raises(ResourceLimit("timeout", "m")))[0] == limits.Exceeded("timeout", "m")


def test_process_that_dies() -> None:
    outcome = _run(lambda _: os.kill(os.getpid(), signal.SIGUSR1), timeout=60)[0]
    assert isinstance(outcome, limits.Failed)
    assert (outcome.exit_code, outcome.expected) == (4, False)
    killed = _run(lambda _: os.kill(os.getpid(), signal.SIGKILL), timeout=60)[0]
    assert isinstance(killed, limits.Exceeded)
    assert killed.status == "out-of-memory"
