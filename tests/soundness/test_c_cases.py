"""Awkward C, compiled and run, against what the analysis says: every case once exposed, or could expose, a defect."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.soundness.c_oracle import COMPILER, Seen, complaints, observed, verdicts_by_domain

CASES = sorted(Path(__file__).with_name("c_cases").glob("*.c"))


@pytest.fixture(scope="module")
def executions(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Seen]:
    if shutil.which(COMPILER) is None:
        pytest.skip("there is no gcc to compile the cases with")
    texts = [path.read_text(encoding="utf-8") for path in CASES]
    return dict(zip(CASES, observed(texts, tmp_path_factory.mktemp("cases"), runs=3), strict=True))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_nothing_that_fails_is_proved(path: Path, executions: dict[Path, Seen]) -> None:
    seen = executions[path]
    assert seen.held | seen.failed
    for domain, said in verdicts_by_domain(path, ("interval", "octagon")).items():
        assert complaints(path.read_text(encoding="utf-8"), seen, said) == [], domain
