"""When Python looks for cycles of objects: most of what a run makes lives to its end, and they cost a third of it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (100_000, 20, 20)
"""The thresholds of `gc.set_threshold`."""
HARDLY = (1_000_000, 20, 20)
"""Those for what makes no cycles, as the analysis of data flow graphs."""


@contextmanager
def collected_rarely(thresholds: tuple[int, int, int] = RARELY) -> Iterator[None]:
    """In the block cycles are looked for less often than by default."""
    before = gc.get_threshold()
    gc.set_threshold(*thresholds)
    try:
        yield
    finally:
        gc.set_threshold(*before)
