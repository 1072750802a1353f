"""Whether processes that were killed are gone."""

from __future__ import annotations

import psutil


def has_ended(pid: int) -> bool:
    """Whether a process that was killed ends; that takes a moment on a busy machine."""
    try:
        process = psutil.Process(pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            process.wait(timeout=10)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return process.status() == psutil.STATUS_ZOMBIE
    return True
