"""What a certificate proves: the claims that its layers support, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.certificate.check import Outcome
from duet.certificate.document import Certificate
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from tests.certificate.proofs import checked, made

PROGRAM = parse_program("thread main { local r  r := 1  check r == 1  check r == 2  [r == 3]  check r == 4 }", "a.plip")
PROOF = made(PROGRAM, AnalysisOptions(domain="interval", engine="bitset"))


def outcome(proof: Certificate) -> Outcome:
    return checked(proof, PROGRAM)


def claimed(status: str, is_covered: bool = True) -> Outcome:
    """The outcome where all checks are claimed to have a status."""
    return outcome(replace(PROOF, claims=tuple(replace(c, status=status, is_covered=is_covered) for c in PROOF.claims)))


def test_what_is_proved_is_certified_and_the_rest_stays_open() -> None:
    found = outcome(PROOF)
    assert found.holds
    assert [check.expression for check in found.certified] == ["r == 1", "r == 4"]
    assert [check.expression for check in found.open_checks] == ["r == 2"]


@pytest.mark.parametrize(
    ("status", "refused"),
    [("proved", ["r == 2"]), ("unreachable", ["r == 1", "r == 2"]), ("unproved", []), ("unknown", [])],
)
def test_claims_beyond_the_layers_are_refused(status: str, refused: list[str]) -> None:
    found = claimed(status)
    assert [failure.reason.split("'")[1] for failure in found.failures] == refused
    assert found.holds is not bool(refused)


def test_what_is_not_covered_is_not_certified() -> None:
    found = claimed("proved", is_covered=False)
    assert found.holds
    assert found.certified == ()
    assert len(found.open_checks) == 3


def test_without_its_layers_nothing_is_certified() -> None:
    found = outcome(replace(PROOF, layers=()))
    assert found.certified == ()
    assert len(found.failures) == 2


def test_the_first_layer_that_does_not_hold_ends_the_check() -> None:
    (layer,) = PROOF.layers
    wrong = replace(layer, stopped=frozenset({0}))
    found = outcome(replace(PROOF, layers=(wrong, layer)))
    assert {failure.layer for failure in found.failures} == {layer.name, "claims"}
    assert found.certified == ()


def test_checks_that_the_program_does_not_have_are_refused() -> None:
    claim = replace(PROOF.claims[0], check=("a.plip", 9, 9, "f", "assertion", "z"))
    (failure,) = outcome(replace(PROOF, claims=(claim,))).failures
    assert "no such check" in failure.reason
