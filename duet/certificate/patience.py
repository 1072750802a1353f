"""How long z3 may work on a question: by what it counts itself, so that a busy machine gives the same answer."""

from __future__ import annotations

import z3

_PER_SECOND = 5_000_000
"""What z3 counts in a second on a machine that has nothing else to do, more or less."""
_BUSY = 10
"""So many times as long a question may take on the clock: some of its work is not counted."""


def solver(seconds: float) -> z3.Solver:
    """A solver that does not know an answer that takes longer. *Units*: seconds on a machine that is not busy."""
    found = z3.Solver()
    found.set("rlimit", int(seconds * _PER_SECOND))
    found.set("timeout", int(1000 * seconds * _BUSY))
    return found
