"""Certificates that a defective analysis makes are refused: the checker does not share its mistakes."""

from __future__ import annotations

import pytest

from duet.options import AnalysisOptions
from tests.certificate.proofs import checked, kept, made
from tests.soundness.defects import DEFECTS, engine_for, seeded

# Defects of the code that finds the flows of refinement, which the checker uses, too.
SHARED = (
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
    """By a checker whose recomputed flows of refinement have the same defect."""
    program = kept(name)
    options = AnalysisOptions(domain="interval", engine=engine_for(name))
    assert checked(made(program, options, True, True), program, options, everywhere=True).holds
    with seeded(name):
        proof = made(program, options, everywhere=True, is_whole=True)
        assert checked(proof, program, options, everywhere=True).holds == (name in SHARED)


@pytest.mark.parametrize("name", DEFECTS)
def test_certificate_of_an_analysis_that_had_a_defect_is_refused(name: str) -> None:
    program = kept(name)
    options = AnalysisOptions(domain="interval", engine=engine_for(name))
    with seeded(name):
        proof = made(program, options, everywhere=True, is_whole=True)
    assert not checked(proof, program, options, everywhere=True).holds
