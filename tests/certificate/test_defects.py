"""Certificates that a defective analysis makes are refused: the checker shares none of its mistakes."""

from __future__ import annotations

import pytest

from duet.options import AnalysisOptions
from duet.plip.semantics import explore
from tests.certificate.proofs import checked, kept, made, untrue
from tests.soundness.defects import DEFECTS, engine_for, seeded
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES

RANDOM = 25


@pytest.mark.parametrize("name", DEFECTS)
def test_certificate_of_a_defective_analysis_is_refused(name: str) -> None:
    program = kept(name)
    options = AnalysisOptions(domain="interval", engine=engine_for(name))
    assert checked(made(program, options, everywhere=True, is_whole=True), program).holds
    with seeded(name):
        assert not checked(made(program, options, everywhere=True, is_whole=True), program).holds


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFECTS)
def test_what_is_accepted_of_a_defective_analysis_is_true(name: str) -> None:
    options = AnalysisOptions(domain="interval", engine=engine_for(name))
    for seed in range(RANDOM):
        program = random_program(seed)
        with seeded(name):
            proof = made(program, options, everywhere=True, is_whole=True)
            holds = checked(proof, program).holds
        assert not holds or not list(untrue(proof, explore(program, LIMITS, SAMPLES))), seed
