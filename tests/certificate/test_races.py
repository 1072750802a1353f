"""Claims that two threads never access memory at once: what holds is certified, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.certificate.check import Outcome, check
from duet.certificate.document import Certificate, Claim, options_of, read, render
from duet.certificate.emit import Subject, certificate, program_digest
from duet.certificate.races import Races
from duet.check.implied import with_accesses as with_implied_accesses
from duet.cli import cli
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.race_evidence import race_assertions, race_checks
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.accesses import ANY_MEMORY, Access, AccessKind, Bytes
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import Program
from duet.reading import read as read_source
from duet.result import Check
from tests.certificate.proofs import kept
from tests.check.judged import APART, FILE, access, with_accesses
from tests.soundness.defects import DEFECTS, engine_for, seeded
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES
from tests.soundness.races import real_races

READ, WRITE = AccessKind.READ, AccessKind.WRITE
ONE, ONE_LOCKED, TWO, TWO_LOCKED = 4, 6, 10, 12
INTERVAL = AnalysisOptions(domain="interval", engine="bitset")
ASKED = FrontendOptions(properties=("assertion", "data-race"))
LOCKED = """global m = 0  global x = 0  global y = 0
thread main { while (*) { spawn w } }
thread w { local r  acquire m  x := x + 1  release m  r := y }"""
SEVERAL = 25


def made(program: Program, options: AnalysisOptions = INTERVAL, asked: FrontendOptions = ASKED) -> Certificate:
    """What an analysis writes of the races of a program that carries accesses."""
    analysis = analyse(program, options, is_shown=True)
    subject = Subject(((FILE, b""),), asked, program)
    return read(render(certificate(subject, analysis, race_assertions(analysis, FILE))))


def checked(proof: Certificate, program: Program) -> Outcome:
    return check(proof, program, (), ("data-race",))


def claimed(proof: Certificate, *checks: Check) -> Certificate:
    """A certificate that claims to prove these checks, too."""
    named = ((it.file, it.line, it.column, it.function, it.property_name, it.expression) for it in checks)
    return replace(proof, claims=tuple(Claim(check, "proved", True) for check in named))


def all_claimed(program: Program, proof: Certificate) -> Certificate:
    return claimed(proof, *race_checks(program, FILE))


def certified(by_line: Mapping[int, tuple[Access, ...]], text: str = APART) -> list[str]:
    """The checks that hold in a program with accesses put to its lines, as far as they are claimed."""
    program = with_accesses(text, by_line)
    assert set(Races(program, FILE, {}).checks) == set(race_checks(program, FILE))
    proof = made(program)
    told = checked(proof, program)
    assert told.holds
    every = checked(all_claimed(program, proof), program)
    assert {found.expression for found in every.certified} == {found.expression for found in told.certified}
    assert len(every.failures) == len(race_checks(program, FILE)) - len(every.certified)
    return [found.expression for found in told.certified]


def test_memory_under_a_lock_is_certified_and_other_memory_is_not() -> None:
    under, beside = access(WRITE, "y"), access(WRITE, "x")
    assert certified({ONE_LOCKED: (under,), TWO_LOCKED: (under,), ONE: (beside,), TWO: (beside,)}) == ["no race on y"]


def test_a_forgotten_lock_is_noticed() -> None:
    program = with_implied_accesses(parse_program(LOCKED, FILE))
    proof = made(program)
    assert [found.expression for found in checked(proof, program).certified] == ["no race on x"]
    unlocked = LOCKED.replace("acquire m", "m := 1")
    outcome = checked(proof, with_implied_accesses(parse_program(unlocked, FILE)))
    assert outcome.certified == ()
    assert not outcome.holds


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (access(WRITE, "s", ".a"), access(READ, "s", ".b"), True),
        (access(WRITE, "s", ".a"), access(READ, "s"), False),
        (access(WRITE, "t", "[1]"), access(READ, "t", "[2]"), True),
        (access(WRITE, "t", "[*]"), access(READ, "t", "[2]"), False),
        (access(READ, "x"), access(READ, "x"), True),
        (access(WRITE, "x", is_atomic=True), access(READ, "x", is_atomic=True), True),
        (access(WRITE, "x", is_atomic=True), access(READ, "x"), False),
        (access(WRITE, ANY_MEMORY, is_exposed=True), access(READ, "x", is_exposed=True), False),
        (access(WRITE, ANY_MEMORY, is_exposed=True), access(READ, "x"), True),
        (access(WRITE, "x", owner="o"), access(WRITE, "x", owner="o"), True),
        (access(WRITE, "x", is_private=True), access(WRITE, "x"), True),
        (access(WRITE, "x", is_alone=True), access(WRITE, "x"), True),
    ],
)
def test_accesses_race_on_one_place_with_a_write(one: Access, other: Access, expected: bool) -> None:
    assert bool(certified({ONE: (one,), TWO: (other,)})) is expected


def test_no_memory_is_shared_only_where_no_two_accesses_conflict() -> None:
    alone = with_accesses(APART, {ONE: (access(WRITE, "x"),)})
    proof = made(alone)
    (found,) = checked(proof, alone).certified
    assert found.expression == "no memory is shared"
    shared = with_accesses(APART, {ONE: (access(WRITE, "x"),), TWO: (access(READ, "x"),)})
    assert checked(proof, shared).certified == ()
    assert not checked(proof, shared).holds


def test_a_race_on_a_part_is_one_on_the_whole_and_the_other_way_round() -> None:
    whole, part, other = access(WRITE, "s"), access(WRITE, "s", ".a"), access(WRITE, "s", ".b")
    apart = {ONE: (part,), TWO: (part,), ONE_LOCKED: (other,), TWO_LOCKED: (other,)}
    assert certified(apart) == ["no race on s.b"]
    assert certified({**apart, TWO_LOCKED: (whole,)}) == ["no race on s.b"]
    assert certified({**apart, TWO: (whole,)}) == []


def test_what_leads_anywhere_leaves_no_exposed_memory_free() -> None:
    wild, exposed = access(WRITE, ANY_MEMORY, is_exposed=True), access(WRITE, "x", is_exposed=True)
    hidden = access(WRITE, "y")
    lines = {ONE_LOCKED: (exposed, hidden), TWO_LOCKED: (exposed, hidden)}
    assert certified(lines) == ["no race on x", "no race on y"]
    assert certified({**lines, ONE: (wild,), TWO: (wild,)}) == ["no race on y"]


def test_bytes_are_apart_as_far_as_what_is_known_of_threads_says() -> None:
    text = (
        "global z = 0 thread main { spawn w(i := 0) spawn v(j := 4) }\nthread w(i) { z := 0 }\nthread v(j) { z := 0 }"
    )

    def elements(size: int) -> list[str]:
        one = access(WRITE, "t", "[*]", bytes=Bytes((("i", 1),), 100, size))
        return certified({2: (one,), 3: (replace(one, bytes=Bytes((("j", 1),), 100, size)),)}, text)

    assert elements(4) == ["no race on t[*]"]
    assert elements(5) == []


def test_claims_need_accesses_that_somebody_asked_for() -> None:
    """A program that is read without its accesses has no two that conflict."""
    program = with_accesses(APART, {})
    proof = made(program)
    assert checked(proof, program).holds
    assert not check(proof, program, (), ("assertion",)).holds


@pytest.mark.parametrize(
    "options", [{"properties": ["assertion"]}, {"has_default_properties": True}], ids=["others", "default"]
)
def test_a_certificate_cannot_ask_for_a_program_without_its_accesses(
    options: Mapping[str, object], tmp_path: Path
) -> None:
    path, proof = tmp_path / "a.c", tmp_path / "proof.json"
    path.write_text(RACING)
    CliRunner().invoke(cli, ["analyze", str(path), "--properties", "data-race", "--certificate", str(proof)])
    found = json.loads(proof.read_text())
    found["options"].update(options)
    (claim,) = found["claims"][:1]
    claim |= {"check": [str(path), 1, 1, "", "data-race", "no memory is shared"], "status": "proved", "covered": True}
    found["program"] = program_digest(read_source((str(path),), options_of(read(json.dumps(found))), Clock()).program)
    proof.write_text(json.dumps({**found, "claims": [claim]}))
    done = CliRunner().invoke(cli, ["check", str(proof), str(path)])
    assert done.exit_code == 1, done.output
    assert "the program has no such check" in done.output


def _as_unreachable(claim: Claim) -> Claim:
    return replace(claim, status="unreachable")


def _of_another_cell(claim: Claim) -> Claim:
    return replace(claim, check=(*claim.check[:5], "no race on x"))


def _elsewhere(claim: Claim) -> Claim:
    return replace(claim, check=("other.c", *claim.check[1:]))


@pytest.mark.parametrize("change", [_as_unreachable, _of_another_cell, _elsewhere])
def test_changed_claims_are_refused(change: Callable[[Claim], Claim]) -> None:
    under, beside = access(WRITE, "y"), access(WRITE, "x")
    program = with_accesses(APART, {ONE_LOCKED: (under,), TWO_LOCKED: (under,), ONE: (beside,), TWO: (beside,)})
    proof = made(program)
    (claim,) = (claim for claim in proof.claims if claim.is_covered)
    assert checked(proof, program).holds
    assert not checked(replace(proof, claims=(change(claim),)), program).holds


def test_without_the_layers_that_a_claim_needs_it_is_refused() -> None:
    program = with_accesses(APART, {ONE_LOCKED: (access(WRITE, "y"),), TWO_LOCKED: (access(WRITE, "y"),)})
    proof = made(program)
    assert proof.layers
    assert not checked(replace(proof, layers=()), program).holds


def test_a_failure_names_both_accesses() -> None:
    program = with_accesses(APART, {ONE: (access(WRITE, "x", line=4),), TWO: (access(READ, "x", line=10),)})
    (failure,) = checked(all_claimed(program, made(program)), program).failures
    assert "write by one at t.plip:4:1" in failure.reason
    assert "read by two at t.plip:10:1" in failure.reason


def free_cells(program: Program, options: AnalysisOptions, is_forged: bool = False) -> set[str] | None:
    """The cells that no race is on according to what is certified; None if the certificate does not hold."""
    proof = made(program, options)
    outcome = checked(all_claimed(program, proof) if is_forged else proof, program)
    if not outcome.holds and not is_forged:
        return None
    return {found.expression.removeprefix("no race on ") for found in outcome.certified}


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 60))])
def test_what_is_certified_of_random_programs_is_true(seed: int) -> None:
    program = with_implied_accesses(random_program(seed))
    racing = {cell for _, _, cell in real_races(program)}
    for is_forged in (False, True):
        found = free_cells(program, INTERVAL, is_forged)
        assert found is not None
        assert racing.isdisjoint(found), (racing, found)


@pytest.mark.parametrize("name", DEFECTS)
def test_no_false_claim_of_a_defective_analysis_is_certified(name: str) -> None:
    options = AnalysisOptions(domain="interval", engine=engine_for(name))
    programs = [kept(name), *map(random_program, range(4))]
    for program in map(with_implied_accesses, programs):
        racing = {cell for _, _, cell in real_races(program)}
        with seeded(name):
            found = free_cells(program, options)
        assert found is None or racing.isdisjoint(found)


RACING = """#include <pthread.h>
int x;
void *work(void *p) { x++; return p; }
int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); x = 2; return 0; }
"""
LOCKS = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    return 0;
}
"""


def test_a_program_in_c(tmp_path: Path) -> None:
    path, proof = tmp_path / "a.c", str(tmp_path / "proof.json")
    path.write_text(LOCKS)
    asked = ["--properties", "data-race", "--certificate", proof]
    assert CliRunner().invoke(cli, ["analyze", str(path), *asked]).exit_code == 0
    done = CliRunner().invoke(cli, ["check", proof, str(path)])
    assert done.exit_code == 0, done.output
    assert "1 check certified" in done.output


def test_states_of_the_explorer_are_what_races_are() -> None:
    """The oracle of these tests sees a race where nothing keeps two threads apart."""
    program = with_implied_accesses(parse_program(LOCKED.replace("acquire m", "m := 1"), FILE))
    assert explore(program, LIMITS, SAMPLES).together
    assert "x" in {cell for _, _, cell in real_races(program)}
