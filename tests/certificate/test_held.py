"""Certificates leave out what threads count where a checker would refuse it, and keep the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from duet.certificate import held
from duet.certificate.check import Outcome
from duet.certificate.cubes import certificate_of
from duet.certificate.emit import Subject
from duet.cli import cli
from duet.coarsen import counting
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.deadline import Deadline
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.parser import parse_program
from tests.c.annotations import bundled, name
from tests.certificate.proofs import checked, checks_of
from tests.soundness.test_counting import DEFECTS

OPTIONS = AnalysisOptions(domain="interval", engine="bitset")
EVERY = (
    "assertion,unreach-call,array-bounds,overflow,division-by-zero,null-dereference,use-after-free,data-race,deadlock"
)
MIXED = """global x = 0
thread main { local r  r := 1  assert r == 1  spawn one  spawn two  join one  JOIN  r := x  assert r == 7 }
thread one { atomic { x := x + 3 } }
thread two { atomic { x := x + 4 } }
"""
JOINED, OPEN = MIXED.replace("JOIN", "join two"), MIXED.replace("JOIN", "")


def _outcome(text: str) -> Outcome:
    """What the certificate of a program proves, as it is written for a run."""
    program = parse_program(text, "t.plip")
    analysis = analyse(program, OPTIONS, is_shown=True)
    verdicts = assertions(analysis, checks_of(program))
    subject = Subject((), FrontendOptions(), program)
    return checked(certificate_of(subject, analysis, (verdicts, verdicts), None, Deadline()), program)


def test_what_holds_is_left_in() -> None:
    outcome = _outcome(JOINED)
    assert outcome.holds
    assert len(outcome.certified) == 2


def test_what_threads_count_wrongly_is_left_out() -> None:
    """A defect of the analysis costs the claims that rest on it, and no other one."""
    target, wrong = DEFECTS["others-add-nothing"]
    with patch(f"{counting.__name__}.{target}", wrong):
        outcome = _outcome(OPEN.replace("r == 7", "r == 0"))
        assert outcome.holds
        assert len(outcome.certified) == 1
        with patch(f"{held.__name__}.hold", lambda *_: True):
            assert not _outcome(OPEN.replace("r == 7", "r == 0")).holds


def test_nothing_after_a_layer_that_is_refused_is_left_in_if_it_does_not_hold_alone() -> None:
    program = parse_program(JOINED, "t.plip")
    analysis = analyse(program, OPTIONS, is_shown=True)
    first = next(index for index, found in enumerate(analysis.fixpoints) if found.counted is not None)
    with patch(f"{held.__name__}.hold", lambda *_: False):
        shown = [found.is_shown for found in held.held(program, analysis, Deadline()).fixpoints]
    assert all(shown[:first])
    assert not any(shown[first:])


def test_what_threads_count_is_left_out_if_there_is_no_time_to_ask() -> None:
    program = parse_program(JOINED, "t.plip")
    analysis = analyse(program, OPTIONS, is_shown=True)
    before, after = (
        [found.is_shown for found in held.held(program, analysis, deadline).fixpoints]
        for deadline in (Deadline(), Deadline.after(0))
    )
    assert all(before)
    assert after == [found.counted is None for found in analysis.fixpoints]


def test_layers_that_prove_nothing_are_not_asked_about() -> None:
    """They are left out of the certificate, too."""
    program = parse_program(JOINED, "t.plip")
    analysis = analyse(program, OPTIONS, is_shown=True)
    with patch(f"{held.__name__}.hold", return_value=True) as asked:
        held.held(program, replace(analysis, fixpoints=(*analysis.fixpoints, analysis.fixpoints[0])), Deadline())
    (_, layers, *_), _ = asked.call_args
    assert layers[-1].proved


@pytest.mark.parametrize(
    "topic",
    [
        "counters/locked_and_atomic",
        pytest.param("weights/packets", marks=pytest.mark.slow),
        pytest.param("scaled/price_cut", marks=pytest.mark.slow),
        pytest.param("everyday/background_saver", marks=pytest.mark.slow),
        pytest.param("balances/written_and_read", marks=pytest.mark.slow),
    ],
)
def test_certificates_for_all_properties_hold(topic: str, tmp_path: Path) -> None:
    (program,) = [program for program in bundled() if name(program) == topic]
    proof = str(tmp_path / "proof.json")
    given = [str(program.path), *program.arguments]
    CliRunner().invoke(cli, ["analyze", "--no-verify", "--properties", EVERY, *given, "--certificate", proof])
    done = CliRunner().invoke(cli, ["check", proof, str(program.path)])
    assert done.exit_code == 0, done.output


@pytest.mark.slow
def test_threads_do_not_meet_where_what_is_known_of_globals_differs(tmp_path: Path) -> None:
    """The saver is where nothing is dirty and all is closing, so that the editor has ended and all parts are known."""
    (program,) = [program for program in bundled() if name(program) == "everyday/background_saver"]
    proof, given = str(tmp_path / "proof.json"), [str(program.path), *program.arguments]
    with patch(f"{held.__name__}.hold", lambda *_: True):
        CliRunner().invoke(cli, ["analyze", "--no-verify", "--properties", EVERY, *given, "--certificate", proof])
    assert CliRunner().invoke(cli, ["check", proof, str(program.path)]).exit_code == 0
    with patch("duet.certificate.established.Established._about_globals", lambda *_: ()):
        assert CliRunner().invoke(cli, ["check", proof, str(program.path)]).exit_code != 0
