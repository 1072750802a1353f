"""One line on the terminal while an analysis runs: the stage, the checks decided so far, the seconds since the start.

It comes after `DELAY` seconds and goes away at the end, so short runs and files never see it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from duet.result import Run, Status

DELAY = 2.0
"""Seconds."""
READING = "reading the program"


class Progress:
    """What is told of a run; `heard` may be called from any thread."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._stage = READING
        self._decided = self._total = 0

    def heard(self, run: Run) -> None:
        """Takes over what a run announces."""
        self._stage = run.message
        self._total = len(run.assertions)
        self._decided = self._total - run.count(Status.UNKNOWN)

    def line(self) -> str:
        """The line as it is now."""
        checks = f", {self._decided} of {self._total} checks decided" if self._total else ""
        return f"{self._stage}{checks}, {time.monotonic() - self._start:.0f} s"


class _Line:
    """Renders the line of a progress beside a spinner, anew each time it is drawn."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._spinner = Spinner("dots")

    def __rich__(self) -> Spinner:
        self._spinner.update(text=Text(self._progress.line(), no_wrap=True, overflow="ellipsis"))
        return self._spinner


@contextmanager
def shown(is_wanted: bool, delay: float = DELAY, console: Console | None = None) -> Iterator[Progress]:
    """A progress that is shown on standard error after a delay in seconds, if that is wanted."""
    progress = Progress()
    if not is_wanted:
        yield progress
        return
    live = Live(_Line(progress), console=console or Console(stderr=True), transient=True, refresh_per_second=4)
    lock, state = Lock(), {"ended": False}

    def begin() -> None:
        with lock:
            if not state["ended"]:
                live.start()

    timer = Timer(delay, begin)
    timer.daemon = True
    timer.start()
    try:
        yield progress
    finally:
        timer.cancel()
        with lock:
            state["ended"] = True
            live.stop()
