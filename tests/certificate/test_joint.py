"""Certificates with joint states: those of sound analyses hold, those of wrong ones are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from unittest.mock import patch

import pytest

from duet.certificate.document import Certificate, Layer, Phrase
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from tests.certificate.proofs import checked, made
from tests.coarsen.test_joint import DEFECTS, FAILING, PROVED
from tests.soundness.relational import relational_program

OPTIONS = AnalysisOptions(domain="octagon", engine="bitset")
SEEDS = (2, 3)  # the programs of 0, 1 and 4 take longer than these


def _certificate(program: Program) -> Certificate:
    return made(program, OPTIONS, everywhere=False, is_whole=True)


@pytest.mark.parametrize("name", PROVED)
def test_a_relation_of_a_local_and_globals_is_certified(name: str) -> None:
    program = parse_program(PROVED[name], "t.plip")
    proof = _certificate(program)
    outcome = checked(proof, program)
    assert not outcome.failures
    assert not outcome.open_checks
    assert any(layer.joint for layer in proof.layers)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_program(seed: int) -> None:
    program = relational_program(seed)
    assert not checked(_certificate(program), program).failures


@pytest.mark.parametrize("name", DEFECTS)
def test_what_a_defect_makes_of_it_is_refused(name: str) -> None:
    assert any(map(partial(_is_refused, name), (*FAILING.values(), *PROVED.values())))


def _is_refused(name: str, text: str) -> bool:
    """Whether the certificate that an analysis with a defect makes of a program is refused."""
    program = parse_program(text, "t.plip")
    with patch(name, DEFECTS[name]):
        proof = _certificate(program)
    return bool(checked(proof, program).failures)


@pytest.mark.parametrize("statement", ["a <= 1", "t <= 1", "false"])
def test_a_statement_that_need_not_hold_is_refused(statement: str) -> None:
    program = parse_program(PROVED["tested"], "t.plip")
    proof = _certificate(program)
    place = next(number for number, layer in enumerate(proof.layers) if layer.joint)
    for location in proof.layers[place].joint:
        layer = proof.layers[place]
        told = {**layer.joint, location: (*layer.joint[location], Phrase(statement))}
        wrong: tuple[Layer, ...] = (*proof.layers[:place], replace(layer, joint=told), *proof.layers[place + 1 :])
        if program.template_of[location] == "client":
            assert checked(replace(proof, layers=wrong), program).failures, location
