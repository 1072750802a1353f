"""Runs `duet` as users do: its arguments, its exit code, what it prints."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from duet.__main__ import main

# A lock makes the first check hold, for any number of threads; nothing makes the second one hold.
LOCKED = """
global m = 0  global x = 0  global y = 0
thread main { while (*) { spawn w } }
thread w { local r
  acquire m
  x := 1  x := 0
  assert x == 0
  release m
  r := y  y := r + 1
  assert y <= 3
}
"""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


Duet: TypeAlias = Callable[..., Done]


@pytest.fixture
def duet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Duet:
    """`duet(arguments...)` runs it in an empty directory; no output ever holds a traceback.

    In this process, which saves starting an interpreter each time; `test_process.py` has what needs one of its own.
    """

    def run(*arguments: str, env: Mapping[str, str] | None = None, traceback: bool = False) -> Done:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["duet", *arguments])
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        handler = signal.getsignal(signal.SIGTERM)
        with pytest.raises(SystemExit) as exit_:
            main()
        signal.signal(signal.SIGTERM, handler)
        out, err = capsys.readouterr()
        assert traceback or "Traceback" not in out + err
        assert isinstance(exit_.value.code, int)
        return Done(exit_.value.code, out, err)

    return run


@pytest.fixture
def locked(tmp_path: Path) -> str:
    """The name of a file in the directory of `duet`, with one check that is proved and one that is not."""
    (tmp_path / "locked.plip").write_text(LOCKED, encoding="utf-8")
    return "locked.plip"


@dataclass(frozen=True)
class FakeSouffle:
    """A `souffle` that comes first on the path in `env`; `does` writes the script that it is."""

    path: Path

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "PATH": f"{self.path.parent}:{os.environ['PATH']}"}

    def does(self, script: str, version: bool = True) -> None:
        tells = 'case "$1" in --version) echo "Version: 2.5"; exit 0;; esac\n' if version else ""
        self.path.write_text(f"#!/bin/sh\n{tells}{script}\n", encoding="utf-8")
        self.path.chmod(0o755)


@pytest.fixture
def souffle(tmp_path_factory: pytest.TempPathFactory) -> FakeSouffle:
    return FakeSouffle(tmp_path_factory.mktemp("bin") / "souffle")
