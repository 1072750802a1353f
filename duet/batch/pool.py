"""Runs tasks at the same time, each in a worker process of its own, so that no crash reaches another task.

A worker puts its task under the limits of `duet.limits`, which analyses in one more process. The pool itself stays a
single thread: forking is then safe, and results come one by one to whoever writes them.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol, TypeAlias

from duet import limits
from duet.batch import work
from duet.batch.orphan import end_with
from duet.batch.task import Task
from duet.batch.work import Done
from duet.errors import Terminated

Perform: TypeAlias = Callable[[Task], Done]
# Beyond its limit, a task has this long for what comes after the analysis.
GRACE_SECONDS = 60.0
TICK_SECONDS = 0.5
JOIN_SECONDS = 5.0


class Observer(Protocol):
    """Is told what happens, for a display of progress."""

    def started(self, task: Task) -> None: ...

    def ticked(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Worker:
    task: Task
    process: BaseProcess
    receiver: Connection
    started: float

    @property
    def is_overdue(self) -> bool:
        limit = self.task.analysis.timeout
        return limit is not None and time.monotonic() - self.started > limit + GRACE_SECONDS


def results(
    tasks: Iterable[Task], jobs: int, observer: Observer, perform: Perform = work.perform
) -> Iterator[tuple[Task, Done]]:
    """The tasks with their results, as they end; when the iterator is closed, so are all workers."""
    waiting = iter(tasks)
    running: list[_Worker] = []
    try:
        while True:
            while len(running) < jobs and (task := next(waiting, None)) is not None:
                running.append(_start(task, perform))
                observer.started(task)
            if not running:
                return
            handles = [handle for worker in running for handle in (worker.receiver, worker.process.sentinel)]
            ready = wait(handles, TICK_SECONDS)
            observer.ticked()
            ended = [w for w in running if w.receiver in ready or w.process.sentinel in ready or w.is_overdue]
            for worker in ended:
                done = _result(worker)
                running.remove(worker)
                _end(worker)
                yield worker.task, done
    finally:
        for worker in running:
            _end(worker)


def _start(task: Task, perform: Perform) -> _Worker:
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, task, perform, os.getpid()), daemon=False)
    process.start()
    sender.close()
    return _Worker(task, process, receiver, time.monotonic())


def _work(sender: Connection, task: Task, perform: Perform, parent: int) -> None:
    """What a worker does. Ctrl-C reaches the pool only, which then ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(parent)
    try:
        sender.send(perform(task))
    except Terminated as error:
        raise SystemExit(128 + signal.SIGTERM) from error


def _result(worker: _Worker) -> Done:
    seconds = time.monotonic() - worker.started
    if not worker.receiver.poll():
        if not wait([worker.process.sentinel], timeout=0):
            return work.lost(worker.task, "the worker process did not end", seconds)
        worker.process.join(timeout=JOIN_SECONDS)  # from then on, what it sent can be read
    try:
        if worker.receiver.poll():
            done = worker.receiver.recv()
            assert isinstance(done, Done)
            return done
        return work.lost(worker.task, _death(worker), seconds)
    except (EOFError, OSError, pickle.UnpicklingError):
        return work.lost(worker.task, _death(worker), seconds)


def _death(worker: _Worker) -> str:
    worker.process.join(timeout=JOIN_SECONDS)
    code = worker.process.exitcode
    if code is not None and code < 0:
        return f"the worker process was killed by {signal.Signals(-code).name}"
    return f"the worker process ended without a result (exit code {code})"


def _end(worker: _Worker) -> None:
    pid = worker.process.pid
    if pid is not None and worker.process.is_alive():
        limits.kill_tree(pid)
    worker.process.join()
    worker.receiver.close()
    worker.process.close()
