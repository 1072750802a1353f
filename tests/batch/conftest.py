"""Suites of small tasks, and `duet` to run them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import LOCKED, FakeSouffle, duet, souffle

__all__ = ["FakeSouffle", "duet", "souffle"]

SAFE = LOCKED.replace("assert y <= 3", "")
BROKEN = "thread main {"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A directory in that of `duet`, with a task of each kind: proved, not proved, and an error in the input."""
    return make_suite(tmp_path / "suite", {"broken.plip": BROKEN, "open.plip": LOCKED, "sub/safe.plip": SAFE})


def make_suite(directory: Path, tasks: dict[str, str]) -> Path:
    """The directory with the files in it."""
    for name, text in tasks.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


def manifest(directory: Path) -> dict[str, dict[str, Any]]:
    """The entries of the manifest in an output directory by task; a line that is cut off is left out."""
    path = directory / "manifest.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n")[1:-1] if path.exists() else []
    return {entry["task"]: entry for entry in map(json.loads, lines)}
