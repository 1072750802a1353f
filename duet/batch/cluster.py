"""Runs tasks on a Dask cluster (`--scheduler ADDRESS`): the only module that knows Dask.

Workers need the same duet, and the input files at the same paths. A Dask worker has many threads, in which forking is
not safe: it starts a fresh interpreter for each task, which then works like a worker of the local pool.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from duet.batch import work
from duet.batch.orphan import end_with
from duet.batch.pool import GRACE_SECONDS, Observer
from duet.batch.task import Task
from duet.batch.work import Done
from duet.errors import UsageError

CONNECT_SECONDS = 20


def results(tasks: Iterable[Task], address: str, observer: Observer) -> Iterator[tuple[Task, Done]]:
    """The tasks with their results, as they end. *Raises*: UsageError without Dask, or when nobody answers."""
    distributed = _library()
    started = time.monotonic()
    with _connected(distributed, address) as client:
        directory = os.getcwd()
        futures = {client.submit(_apart, task, directory, pure=False): task for task in tasks}
        try:
            for future in distributed.as_completed(futures, loop=client.loop):
                observer.started(futures[future])
                yield futures[future], _result(future, futures[future], time.monotonic() - started)
        finally:
            client.cancel([future for future in futures if not future.done()])


def _library() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UsageError(
            "--scheduler needs Dask, which is not installed: pip install 'duet-analyzer[cluster]'"
        ) from error


def _connected(distributed: Any, address: str) -> Any:
    try:
        import_module("distributed.comm").resolve_address(address)  # a client that fails on it would not close
        return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:  # a timeout is an OSError, too
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from error


def _result(future: Any, task: Task, seconds: float) -> Done:
    """The result of a finished future; whatever went wrong on the cluster is this task's loss only."""
    try:
        done = future.result()
        assert isinstance(done, Done)
        return done
    except Exception as error:  # of any type that Dask or the remote side may raise
        return work.lost(task, f"the cluster lost this task: {type(error).__name__}: {error}", seconds)


def _apart(task: Task, directory: str) -> Done:
    """The result of the task, on a Dask worker."""
    started = time.monotonic()
    limit = task.analysis.timeout
    try:
        finished = subprocess.run(
            [sys.executable, "-c", "from duet.batch import cluster; cluster.serve()", str(os.getpid())],
            input=pickle.dumps(task), capture_output=True, cwd=directory, check=False,
            timeout=None if limit is None else limit + GRACE_SECONDS,
        )  # fmt: skip
        if finished.returncode == 0:
            done = pickle.loads(finished.stdout)
            assert isinstance(done, Done)
            return done
        message = f"the process on the cluster failed: {finished.stderr.decode(errors='replace').strip()[-500:]}"
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"the process on the cluster failed: {error}"
    return work.lost(task, message, time.monotonic() - started)


def serve() -> None:
    """Performs the task that comes pickled on standard input; the result goes to standard output likewise."""
    end_with(int(sys.argv[1]))
    output = os.dup(1)
    os.dup2(2, 1)  # nothing that a library prints may get between
    done = work.perform(pickle.load(sys.stdin.buffer))
    with os.fdopen(output, "wb") as file:
        pickle.dump(done, file)
