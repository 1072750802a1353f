"""Calls that recurse as deeply as their input is nested, without running out of stack."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
STACK_BYTES = 64 * 1024 * 1024
FRAMES = 250_000


def call_deep(function: Callable[[], Result]) -> Result:
    """Returns `function()`, run in a thread of its own with a large stack and recursion limit.

    What it raises is raised here. The address space of the stack is only reserved, not used. Nested calls are fine.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(function())
        except BaseException as error:  # handed on to the caller below
            failure.append(error)

    limit = sys.getrecursionlimit()
    size = threading.stack_size(STACK_BYTES)
    try:
        sys.setrecursionlimit(max(limit, FRAMES))
        worker = threading.Thread(target=run, name="duet-deep", daemon=True)
        worker.start()
    finally:
        threading.stack_size(size)
    try:
        worker.join()
    finally:
        sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return outcome[0]
