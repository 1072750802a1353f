"""The line on the terminal while an analysis runs."""

from __future__ import annotations

import io
import time
from dataclasses import replace

from rich.console import Console

from duet.progress import Progress, shown
from duet.result import Run


def test_the_line_tells_stage_checks_and_seconds(example_run: Run) -> None:
    progress = Progress()
    assert progress.line() == "reading the program, 0 s"
    progress.heard(replace(example_run, message="in the first look"))
    assert progress.line() == "in the first look, 3 of 4 checks decided, 0 s"


def test_it_comes_after_a_delay_and_goes_away() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80)
    with shown(True, delay=0.01, console=console):
        deadline = time.monotonic() + 10
        while "reading the program" not in out.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "reading the program" in out.getvalue()
    assert out.getvalue().endswith("\x1b[2K")


def test_short_runs_and_files_never_see_it() -> None:
    out = io.StringIO()
    with shown(True, delay=60, console=Console(file=out, force_terminal=True)):
        pass
    with shown(False, delay=0, console=Console(file=out, force_terminal=True)):
        pass
    assert "reading" not in out.getvalue()
