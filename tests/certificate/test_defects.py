"""Certificates that a defective analysis makes are refused: the checker does not share its mistakes."""

from __future__ import annotations

import pytest

from duet.options import AnalysisOptions
from tests.certificate.proofs import checked, kept, made
from tests.soundness.defects import DEFECTS, engine_for, seeded

# Defects of code that only refinement runs.
OF_REFINEMENT = (
    "guards-overwrite",
    "third-threads-stay",
    "ancestors-stop",
    "one-of-many-is-tracked",
    "nobody-else-runs",
    "begins-late",
    "invariants-hold-during-regions",
)


@pytest.mark.parametrize("name", DEFECTS)
def test_certificate_of_a_defective_analysis_is_refused(name: str) -> None:
    program = kept(name)
    options = AnalysisOptions(domain="interval", engine=engine_for(name), refine=False)
    assert checked(made(program, options, everywhere=True, is_whole=True), program).holds
    with seeded(name):
        proof = made(program, options, everywhere=True, is_whole=True)
    assert checked(proof, program).holds == (name in OF_REFINEMENT)
