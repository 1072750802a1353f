"""Shares of a global cell are certified by induction over steps, apart from how the analysis finds them."""

from __future__ import annotations

from unittest.mock import patch

from duet.options import AnalysisOptions
from tests.certificate.proofs import checked, made
from tests.interference.test_shares import random_locking

OPTIONS = AnalysisOptions(domain="interval", engine="bitset", refine=False)
COUNT = 16
ENOUGH = 200


def test_certificates_of_locking_hold() -> None:
    for seed in range(COUNT):
        program = random_locking(seed)
        outcome = checked(made(program, OPTIONS, everywhere=True, is_whole=True), program)
        assert outcome.holds, f"seed {seed}: {outcome.failures[0].reason}"


def test_shares_that_are_none_are_refused() -> None:
    refused = 0
    with patch("duet.interference.shares._at_most", lambda *_: True):
        for seed in range(ENOUGH):
            program = random_locking(seed)
            refused += not checked(made(program, OPTIONS, everywhere=True, is_whole=True), program).holds
            if refused:
                break
    assert refused
