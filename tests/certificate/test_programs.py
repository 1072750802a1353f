"""Certificates of the bundled programs hold, and cover every check that is proved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.options import AnalysisOptions
from duet.result import Status
from tests.c.annotations import AnnotatedProgram, bundled, name
from tests.c.samples import sample
from tests.certificate.proofs import checked, made
from tests.plip.expectations import EXAMPLES
from tests.soundness.generate import random_program

EVERY = 48  # one of so many programs is checked by default
RANDOM = 6
DOMAINS = ("interval", "octagon")


@pytest.mark.parametrize(
    "topic",
    [
        "scaled/bytes_short",
        "told_apart/shifted_out",
        "overlapping/tagged_value",
        "counters/locked_and_atomic",
        "counting/of_those_that_run",
        "tokens/readers_out",
        "sums/three_accounts",
        "home_made_locks/atomic_function",
        "further_hands/tsd_scratch_arena",
        "deadlocks/gate",
        "races/two_locks",
        "idioms/once_by_cas",
        "races/parts_of_arrays",
    ],
)
def test_each_kind_of_proof_is_certified(topic: str, tmp_path: Path) -> None:
    (program,) = [program for program in bundled() if name(program) == topic]
    certified, safe = checked_of(program, tmp_path)
    assert certified == safe


@pytest.mark.parametrize("program", sample(bundled(), EVERY))
def test_bundled_program(program: AnnotatedProgram, tmp_path: Path) -> None:
    """Also most of what is said of races and deadlocks (docs/certificates.md says what is left out)."""
    certified, safe = checked_of(program, tmp_path)
    assert certified <= safe
    assert all(check.endswith((":data-race", ":deadlock")) for check in safe - certified)


def checked_of(program: AnnotatedProgram, tmp_path: Path) -> tuple[set[str], set[str]]:
    """The checks that are certified, and those that are safe."""
    proof = str(tmp_path / "proof.json")
    analysed = CliRunner().invoke(
        cli, ["analyze", "--no-verify", str(program.path), *program.arguments, "--format=json", "--certificate", proof]
    )
    report = json.loads(analysed.stdout)
    done = CliRunner().invoke(cli, ["check", proof, str(program.path), "--format=json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    safe = {
        check["id"].partition("#")[0]
        for check in report["assertions"]
        if check["status"] in (Status.PROVED, Status.UNREACHABLE)
    }
    return set(found["certified"]), safe


@pytest.mark.parametrize("topic", ["lock_invariants/ring_off_by_one", "told_apart/tried_twice"])
def test_certificates_hold_where_schedules_refute_the_other_checks(topic: str, tmp_path: Path) -> None:
    """A check that is decided for any number of threads is still in the program that the layers are about."""
    (program,) = [program for program in bundled() if name(program) == topic]
    proof = str(tmp_path / "proof.json")
    given = [str(program.path), *program.arguments]
    report = json.loads(CliRunner().invoke(cli, ["analyze", *given, "--format=json", "--certificate", proof]).stdout)
    statuses = [check["status"] for check in report["assertions"]]
    assert {Status.PROVED, Status.REFUTED} <= set(statuses)
    done = CliRunner().invoke(cli, ["check", proof, str(program.path), "--format=json"])
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["certified"]) == statuses.count(Status.PROVED)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.plip")), ids=lambda path: path.stem)
def test_published_example(path: Path, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.json")
    assert CliRunner().invoke(cli, ["analyze", str(path), "--certificate", proof]).exit_code in (0, 1)
    done = CliRunner().invoke(cli, ["check", proof, str(path)])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("seed", range(RANDOM))
def test_random_program(domain: str, seed: int) -> None:
    """Every layer holds, also what no check needs, with every cell at every location."""
    program = random_program(seed)
    options = AnalysisOptions(domain=domain, engine="bitset")
    outcome = checked(made(program, options, everywhere=True, is_whole=True), program)
    assert not outcome.failures
