"""The soundness tests can fail: each seeded defect is noticed, on a kept program and by the random ones."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.parser import read_program
from tests.soundness.defects import DEFECTS, engine_for, seeded
from tests.soundness.generate import random_program
from tests.soundness.properties import violation
from tests.soundness.witnesses import candidates

PROGRAMS = Path(__file__).parent / "kept"
ANALYSE = partial(analyse, everywhere=True)
ENOUGH = 1500  # programs in which a defect must show


def _options(name: str) -> AnalysisOptions:
    return AnalysisOptions(domain="interval", engine=engine_for(name))


@pytest.mark.parametrize("name", DEFECTS)
def test_kept_program_shows_the_defect(name: str) -> None:
    program = read_program(PROGRAMS / f"{name}.plip")
    options = _options(name)
    assert violation(program, ANALYSE, options) is None
    with seeded(name):
        assert violation(program, ANALYSE, options) is not None


def shows(name: str, seed: int) -> bool:
    """Whether the analysis with a defect gives an unsound answer for a random program."""
    with seeded(name):
        return violation(random_program(seed), ANALYSE, _options(name)) is not None


@pytest.mark.parametrize("name", DEFECTS)
def test_random_programs_show_the_defect(name: str) -> None:
    assert any(shows(name, seed) for seed in candidates("plip", name, ENOUGH))
