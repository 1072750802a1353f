"""Certificates that a defective analysis makes are refused: the checker shares none of its mistakes."""

from __future__ import annotations

import pytest

from duet.options import AnalysisOptions
from tests.certificate.proofs import checked, kept, made
from tests.soundness.defects import DEFECTS, engine_for, seeded


@pytest.mark.parametrize("name", DEFECTS)
def test_certificate_of_a_defective_analysis_is_refused(name: str) -> None:
    program = kept(name)
    options = AnalysisOptions(domain="interval", engine=engine_for(name))
    assert checked(made(program, options, everywhere=True, is_whole=True), program).holds
    with seeded(name):
        assert not checked(made(program, options, everywhere=True, is_whole=True), program).holds
