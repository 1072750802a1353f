"""Races that random C programs show when they run are not excluded by the analysis.

`DUET_C_RACE_PROGRAMS` sets how many programs (12 by default); `python -m tests.soundness.c_races` runs many.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.c.schedules import compile_runtime
from tests.soundness.budgets import MODES
from tests.soundness.c_races import missed
from tests.soundness.witnesses import candidates

COMPILER = shutil.which("gcc") or ""
COUNT = int(os.environ.get("DUET_C_RACE_PROGRAMS", "6"))
RUNS = 150
SEEDS = [seed for seed in range(1, COUNT + 3) if seed not in (5, 6)]  # their programs take as long as ten others
ENOUGH = 41  # programs in which a seeded defect must show

pytestmark = pytest.mark.skipif(not COMPILER, reason="gcc not found: programs cannot be executed")

DEFECTS: Mapping[str, Mapping[str, object]] = {
    "nothing-noted": {
        "duet.frontend.cells.sharing.note_target": lambda *_: None,
        "duet.frontend.cells.sharing.note_place": lambda *_: None,
        "duet.frontend.cells.sharing.unnoted": lambda *_: (),
    },
    "everything-is-atomic": {"duet.frontend.cells.sharing.is_atomic_type": lambda _: True},
    "locks-are-kept": {"duet.frontend.judgments.exclusion.Giving.may_be": lambda *_: False},
    "scalars-are-apart": {"duet.plip.accesses.Access.overlaps": lambda self, other: bool(self.path and other.path)},
}


@contextmanager
def seeded(name: str) -> Iterator[None]:
    """The front end with a defect."""
    with ExitStack() as stack:
        for target, replacement in DEFECTS[name].items():
            stack.enter_context(patch(target, replacement))
        yield


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_runtime(COMPILER, tmp_path_factory.mktemp("runtime"))


def test_no_race_that_happens_is_excluded(runtime: Path, tmp_path: Path) -> None:
    total = 0
    for seed in SEEDS:
        mode = tuple(MODES)[seed // 2 % len(MODES)]
        count, lost = missed(seed, COMPILER, runtime, tmp_path, RUNS, mode)
        total += count
        assert not lost, f"seed {seed}, {mode} budgets: lines {sorted(lost)}"
    assert total > COUNT, "hardly any race happened"


def shows(name: str, seed: int) -> bool:
    """Whether the front end with a defect excludes a race that a random program has."""
    with tempfile.TemporaryDirectory() as directory, seeded(name):
        folder = Path(directory)
        return bool(missed(seed, COMPILER, compile_runtime(COMPILER, folder), folder, RUNS, "default")[1])


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    assert any(shows(name, seed) for seed in candidates("c-races", name, ENOUGH))
