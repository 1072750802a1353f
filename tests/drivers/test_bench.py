"""The benchmark of verdicts says how far it is, and prints what it has where it is interrupted."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "drivers-bench"))

import bench  # noqa: E402  (the scripts lie in no package)
import progress  # noqa: E402

COMMAND = ["verdicts", str(ROOT / "tests" / "c" / "barriers"), "--domain", "interval", "-j", "1"]


def _ended(path: Path, *_: object) -> bench.Measurement:
    return bench.Measurement(str(path.relative_to(ROOT)), "complete")


def test_what_has_ended_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "measure", _ended)
    outcome = CliRunner().invoke(bench.bench, COMMAND)
    runs = 2 * len(list((ROOT / "tests" / "c" / "barriers").glob("*.c")))
    assert outcome.exit_code == 0
    assert f"{runs} of {runs} runs ended" in outcome.stderr
    assert "interval --no-refine" in outcome.stdout


def test_what_there_is_when_it_is_interrupted_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def interrupted(_: progress.Told, name: str) -> None:
        told.append(name)
        if len(told) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(bench, "measure", _ended)
    monkeypatch.setattr(progress.Told, "ended", interrupted)
    outcome = CliRunner().invoke(bench.bench, COMMAND)
    assert outcome.exit_code == bench.INTERRUPTED
    assert "interval --no-refine (2 of" in outcome.stdout
    assert "by class" in outcome.stdout


def test_a_log_has_a_line_now_and_then_and_a_terminal_a_bar() -> None:
    log, terminal = io.StringIO(), io.StringIO()
    for every, lines in ((0.0, 3), (1000.0, 1)):
        log.truncate(0)
        with progress.Told(3, Console(file=log), every) as told:
            for name in ("a", "b", "c"):
                told.ended(name)
        assert log.getvalue().count(" of 3 runs ended") == lines
    with progress.Told(2, Console(file=terminal, force_terminal=True)) as told:
        told.ended("a [b]")
    assert "1/2" in terminal.getvalue()
    assert "runs ended" not in terminal.getvalue()
