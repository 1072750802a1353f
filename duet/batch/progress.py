"""What a batch tells while it runs, on standard error: a live display on a terminal, else one line for each task."""

from __future__ import annotations

import sys
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from duet.batch.task import Task
from duet.batch.verdict import Row, Verdict
from duet.report.text import visible
from duet.result import Status

_STYLES = {
    Verdict.PROVED: "green",
    Verdict.EMPTY: "cyan",
    Verdict.OPEN: "yellow",
    Verdict.REFUTED: "red",
    Verdict.LIMIT: "magenta",
    Verdict.ERROR: "bold red",
    Verdict.SKIPPED: "dim",
    Verdict.NOT_RUN: "dim",
}
_SHOWN_RUNNING = 3


def bar(console: Console, auto_refresh: bool) -> Progress:
    """A bar with counts, time and a description in markup, which goes away at the end; none but on a terminal."""
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
        console=console,
        auto_refresh=auto_refresh,
        transient=True,
        disable=not console.is_terminal,
    )


class Display:
    """The progress of a batch of `total` tasks."""

    def __init__(self, total: int, console: Console | None = None) -> None:
        self._console = console or Console(file=sys.stderr, highlight=False)
        self._total = total
        self._ended = 0
        self._running: list[str] = []
        self._progress = bar(self._console, auto_refresh=False)  # no refreshing thread: the pool forks
        self._bar = self._progress.add_task("", total=total)

    def __enter__(self) -> Display:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def started(self, task: Task) -> None:
        """Shows that a task runs."""
        self._running.append(task.name)
        self._show()

    def ticked(self) -> None:
        """Lets the clock go on."""
        self._progress.refresh()

    def ended(self, row: Row, note: str = "") -> None:
        """Tells how a task ended."""
        if row.task.name in self._running:
            self._running.remove(row.task.name)
        self._ended += 1
        text = f"[{self._ended:>{len(str(self._total))}}/{self._total}] {line(row)}{f' ({note})' if note else ''}"
        self._console.print(f"[{_STYLES[row.verdict]}]{escape(text)}[/]", soft_wrap=True)
        self._show()

    def _show(self) -> None:
        rest = len(self._running) - _SHOWN_RUNNING
        names = [visible(name) for name in self._running[:_SHOWN_RUNNING]] + ([f"{rest} more"] if rest > 0 else [])
        self._progress.update(self._bar, completed=self._ended, description=escape(", ".join(names)))
        self._progress.refresh()


def line(row: Row) -> str:
    """How a task ended, in one line."""
    record, name = row.record, visible(row.task.name)
    if row.task.skipped:
        return f"{name}: skipped, {row.task.skipped}"
    if record is None:
        return f"{name}: not run"
    parts = [f"{record.summary[status.value]} {status.value}" for status in Status if record.summary[status.value]]
    counts = ", ".join(parts) or "no checks"
    text = f"{name}: {counts} in {record.seconds:.1f} s"
    if record.status != "complete":
        text = f"{name}: {record.status} after {record.seconds:.1f} s: {visible(record.message)}"
    return f"{text}; {row.agreement}" if row.agreement else text
