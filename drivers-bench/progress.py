"""How far a benchmark is, on standard error: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.markup import escape

from duet.batch.progress import bar

EVERY = 30.0
"""Seconds between two lines."""


class Told:
    """The progress of `total` runs."""

    def __init__(self, total: int, console: Console | None = None, every: float = EVERY) -> None:
        self._console = console or Console(file=sys.stderr, highlight=False)
        self._total, self._ended, self._every = total, 0, every
        self._begun = self._last = monotonic()
        self._progress = bar(self._console, auto_refresh=True)
        self._bar = self._progress.add_task("", total=total)

    def __enter__(self) -> Told:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def ended(self, what: str) -> None:
        """Tells of a run that has ended."""
        self._ended += 1
        self._progress.update(self._bar, completed=self._ended, description=escape(what))
        now = monotonic()
        if not self._console.is_terminal and (now - self._last >= self._every or self._ended == self._total):
            self._last = now
            text = f"{self._ended} of {self._total} runs ended after {now - self._begun:.0f} s, the last one {what}"
            self._console.print(text, markup=False, soft_wrap=True)
