"""One line on the terminal while an analysis runs: the stage, the checks decided so far, the seconds since the start.

It comes after `DELAY` seconds and goes away at the end, so short runs and files never see it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from duet import lazy
from duet.result import Run, Status

if TYPE_CHECKING:
    from rich import console as consoles
    from rich import live as lives
    from rich import spinner as spinners
    from rich import text as texts
else:
    consoles = lazy.module("rich.console")
    lives = lazy.module("rich.live")
    spinners = lazy.module("rich.spinner")
    texts = lazy.module("rich.text")

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
        self._spinner = spinners.Spinner("dots")

    def __rich__(self) -> spinners.Spinner:
        self._spinner.update(text=texts.Text(self._progress.line(), no_wrap=True, overflow="ellipsis"))
        return self._spinner


@contextmanager
def shown(is_wanted: bool, delay: float = DELAY, console: consoles.Console | None = None) -> Iterator[Progress]:
    """A progress that is shown on standard error after a delay in seconds, if that is wanted."""
    progress = Progress()
    if not is_wanted:
        yield progress
        return
    console = console or consoles.Console(stderr=True)
    live = lives.Live(_Line(progress), console=console, transient=True, refresh_per_second=4)
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
