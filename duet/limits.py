"""Runs a job in a process of its own, under a hard limit on time and memory.

The parent only waits: whatever the job is busy with (an extension module, a subprocess that hangs), at the limit the
whole process tree is killed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeAlias, TypeVar, cast

import psutil

from duet.errors import DuetError, InternalError, ResourceLimit, Terminated

T = TypeVar("T")
POLL_SECONDS = 0.05
PAUSE_FACTOR = 100
"""Looking at the memory of processes takes a hundredth of the time, but for `LONGEST_PAUSE` seconds at most."""
LONGEST_PAUSE = 1.0
# Address space beyond the limit on resident memory: mapped libraries and reserved arenas are not resident.
ADDRESS_SPACE_SLACK_MIB = 4096


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The job returned."""

    value: T


@dataclass(frozen=True, slots=True)
class Failed:
    """The job raised: the error as text, its exit code, and for `--debug` the traceback.

    `expected` tells an error with a message for the user from a bug.
    """

    message: str
    exit_code: int
    expected: bool
    trace: str


@dataclass(frozen=True, slots=True)
class Exceeded:
    """The job hit a limit; `status` is `timeout` or `out-of-memory`."""

    status: str
    message: str


Outcome: TypeAlias = Finished[T] | Failed | Exceeded


@dataclass(frozen=True, slots=True)
class _Announced(Generic[T]):
    value: T


def run(
    job: Callable[[Callable[[T], None]], T],
    timeout: float | None,
    memory: int | None,
    is_interruptible: bool = False,
    heard: Callable[[T], None] | None = None,
) -> tuple[Outcome[T], T | None]:
    """How the job ended, and the last value that it announced before.

    The job is called with a function by which it can announce values early, which `heard` is told of. Without a limit
    it runs in this process.
    With `is_interruptible` Ctrl-C, or a request to end, ends it like the limit on time once something was announced.
    *Units*: `timeout` in seconds, `memory` in MiB of resident memory of the process and all that it started.
    *Raises*: KeyboardInterrupt.
    """
    announced: list[T] = []

    def announce(value: T) -> None:
        announced[:] = (value,)
        if heard is not None:
            heard(value)

    try:
        if timeout is None and memory is None:
            outcome = attempt(lambda: job(announce))
        else:
            outcome = _run_apart(job, timeout, memory, announce)
    except KeyboardInterrupt as error:
        if not is_interruptible or not announced:
            raise
        outcome = Exceeded("timeout", "it was terminated" if isinstance(error, Terminated) else "it was interrupted")
    return outcome, announced[-1] if announced else None


def attempt(job: Callable[[], T]) -> Outcome[T]:
    """How the job ended in this process; only what asks the whole program to stop (Ctrl-C) passes through."""
    try:
        return Finished(job())
    except MemoryError:
        return Exceeded("out-of-memory", "no memory left")
    except RecursionError as error:
        return Failed(f"nested too deeply ({error})", 2, True, traceback.format_exc())
    except ResourceLimit as error:
        return Exceeded(error.status, str(error))
    except DuetError as error:
        return Failed(str(error), error.exit_code, not isinstance(error, InternalError), traceback.format_exc())
    except Exception as error:  # the last resort of the program: shown as a bug
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        return Failed(text, 4, False, traceback.format_exc())


def _run_apart(
    job: Callable[[Callable[[T], None]], T], timeout: float | None, memory: int | None, announce: Callable[[T], None]
) -> Outcome[T]:
    deadline = None if timeout is None else time.monotonic() + timeout
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(sender, job, memory), daemon=False)
    child.start()
    sender.close()
    assert child.pid is not None
    try:
        return _watch(receiver, child, deadline, timeout, memory, announce)
    finally:
        kill_tree(child.pid)
        child.join()
        receiver.close()


def _child(sender: Connection, job: Callable[[Callable[[T], None]], T], memory: int | None) -> None:
    """Runs the job and sends its outcome; the process leads a group of its own, so Ctrl-C reaches the parent only."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if memory is not None:
        limit = (memory + ADDRESS_SPACE_SLACK_MIB) * 2**20
        with contextlib.suppress(ValueError, OSError):  # a lower hard limit is already in force
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    outcome = attempt(lambda: job(lambda value: sender.send(_Announced(value))))
    if memory is not None and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > memory * 1024:
        outcome = _beyond(memory)  # it was over before anybody looked
    sender.send(outcome)


def _beyond(memory: int) -> Exceeded:
    return Exceeded("out-of-memory", f"the memory limit of {memory} MiB was reached")


def _watch(
    receiver: Connection,
    child: BaseProcess,
    deadline: float | None,
    timeout: float | None,
    memory: int | None,
    announce: Callable[[T], None],
) -> Outcome[T]:
    """Waits for the outcome, the deadline or the memory limit, whichever comes first."""
    assert child.pid is not None
    pause = POLL_SECONDS
    while True:
        left = pause if deadline is None else deadline - time.monotonic()
        if left <= 0:
            return Exceeded("timeout", f"the time limit of {timeout:g} s was reached")
        if memory is not None:
            before = time.process_time()
            if resident_mib(child.pid) > memory:
                return _beyond(memory)
            pause = min(LONGEST_PAUSE, max(POLL_SECONDS, PAUSE_FACTOR * (time.process_time() - before)))
        if not receiver.poll(min(left, pause)):
            continue
        try:
            message = receiver.recv()
        except EOFError:
            return _died(child)
        if not isinstance(message, _Announced):
            return cast(Outcome[T], message)
        announce(message.value)


def _died(child: BaseProcess) -> Failed | Exceeded:
    """What to say of a child that ended without an outcome."""
    child.join(timeout=5)
    code = child.exitcode
    if code == -signal.SIGKILL:
        return Exceeded("out-of-memory", "the analysis was killed by the system, most likely for want of memory")
    return Failed(f"the analysis process ended without a result (exit code {code})", 4, False, "")


def resident_mib(pid: int) -> float:
    """The resident memory of a process and all its descendants, in MiB."""
    total = 0
    for process in _tree(pid):
        with contextlib.suppress(psutil.Error):
            total += process.memory_info().rss
    return total / 2**20


def kill_tree(pid: int) -> None:
    """Ends a process and all its descendants, also those that moved to a group or session of their own."""
    for process in _tree(pid):
        with contextlib.suppress(psutil.Error):
            process.suspend()  # so that none starts another one behind our back
    for process in _tree(pid):
        with contextlib.suppress(psutil.Error):
            process.kill()
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)  # those whose parent had ended before


def _tree(pid: int) -> list[psutil.Process]:
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []
