"""Ends processes with the one that started them, also when that one is killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Has the system kill this process when its parent, the process `parent`, ends; and so on for its own children.

    Linux only; elsewhere, processes of a batch that was killed end by their time limit.
    """
    _ask()
    if os.getppid() != parent:  # it ended before we asked
        os._exit(1)
    os.register_at_fork(after_in_child=_ask)


def _ask() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
