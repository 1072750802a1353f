"""Awkward C, compiled and run, against what the analysis says: every case once exposed, or could expose, a defect."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.soundness.c_oracle import COMPILER, complaints, observed, verdicts_by_domain

CASES = sorted(Path(__file__).with_name("c_cases").glob("*.c"))


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason="there is no gcc to compile the cases with")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_nothing_that_fails_is_proved(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (seen,) = observed([text], tmp_path, runs=3)
    assert seen.held | seen.failed
    for domain, said in verdicts_by_domain(path, ("interval", "octagon")).items():
        assert complaints(text, seen, said) == [], domain
