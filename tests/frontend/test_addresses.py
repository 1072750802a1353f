"""Addresses that are numbers for a while, and numbers that unknown code gives: programs that a run cannot decide."""

from pathlib import Path

import pytest

from tests.c.annotations import load
from tests.c.test_verdicts import analyze, imprecise, unsound

PROGRAMS = sorted(Path(__file__).with_name("addresses").glob("*.c"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_verdicts(path: Path) -> None:
    program = load(path)
    verdicts = analyze(program, "auto")
    assert not list(unsound(program, verdicts))
    assert not list(imprecise(program, verdicts))
