"""What is written into a certificate: the layers that verdicts need, and what they rest on."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from duet.certificate.document import Certificate, Phrase
from duet.certificate.emit import Subject, certificate, digest, program_digest
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from duet.result import Assertion, Check, Status
from tests.certificate.proofs import LOCKED, checks_of

TWO_LAYERS = "thread main { local r local s  r := * in 0..9  s := r  assert r == s  assert r <= 9 }"


def made(program: Program, domain: str = "interval", is_whole: bool = False, *others: Assertion) -> Certificate:
    analysis = analyse(program, AnalysisOptions(domain=domain, engine="bitset"), everywhere=True)
    verdicts = (*assertions(analysis, checks_of(program)), *others)
    return certificate(Subject((("a.c", b"int x;"),), FrontendOptions(), program), analysis, verdicts, is_whole)


def statuses(proof: Certificate) -> list[tuple[str, bool]]:
    return [(claim.status, claim.is_covered) for claim in proof.claims]


def test_files_and_programs_have_fingerprints() -> None:
    program = parse_program(LOCKED)
    proof = made(program)
    assert proof.files == (("a.c", hashlib.sha256(b"int x;").hexdigest()),)
    assert proof.program == program_digest(program) != program_digest(parse_program(LOCKED, "other.plip"))
    assert digest(b"") != digest(b" ")
    assert proof.options["parameterized"] is False


def test_a_proved_check_is_covered_and_an_open_one_is_not() -> None:
    text = "thread main { local r  r := 1  check r == 1  check r == 2 }"
    assert statuses(made(parse_program(text))) == [("proved", True), ("unproved", False)]


def test_only_the_layers_that_prove_something_are_written() -> None:
    program = parse_program(TWO_LAYERS)
    needed, whole = made(program, "auto"), made(program, "auto", True)
    proving = [bool(layer.proved) for layer in needed.layers]
    assert proving[-1]
    assert whole.layers[: len(needed.layers)] == needed.layers
    nothing = parse_program("thread main { local r  r := *  check r == 1 }")
    assert made(nothing).layers == ()
    assert made(nothing, is_whole=True).layers


def test_layers_claim_a_check_once() -> None:
    proof = made(parse_program(TWO_LAYERS), "auto", True)
    claimed = [command for layer in proof.layers for command in layer.proved]
    assert len(claimed) == len(set(claimed)) == 2


def test_what_is_known_of_cells_is_said_in_formulas() -> None:
    text = """thread main { local r local s local t
        choose { r := 1 } or { r := 9 } s := 0 t := 5
        while (*) { s := s + 2 } check r + s + t == 0 }"""
    proof = made(parse_program(text), is_whole=True)
    said = {(record.cells, str(phrase)) for record in proof.layers[0].records for phrase in record.at.values()}
    assert (("r",), "(r == 1 || r == 9)") in said
    assert (("t",), "t == 5") in said
    assert (("s",), "s >= 0 && s mod 2 == 0") in said


def test_what_is_not_reached_is_told() -> None:
    text = "thread main { local r  r := 1  [r == 2]  r := 3  check r == 7 }"
    program = parse_program(text)
    layer = made(program).layers[0]
    guard = next(i for i, c in enumerate(program.commands) if "Guard" in type(c.instruction).__name__)
    assert guard in layer.stopped
    assert program.commands[guard].target in layer.unreached
    assert program.commands[guard].source not in layer.unreached


def test_rewritten_commands_come_with_the_facts_that_allow_them() -> None:
    text = """global m = 0 global x = 0 global y = 0
        thread main { while (*) { spawn w } }
        thread w { local r local s
          acquire m  r := x  x := r + 1  s := y  y := s + 1  r := x  s := y  assert r == s  release m }"""
    proof = made(parse_program(text), "octagon", True)
    rewritten = [layer for layer in proof.layers if layer.rewritten]
    assert rewritten
    assert rewritten[0].facts
    assert any(
        isinstance(phrase, Phrase) and "x" in phrase.formula for phrase in next(iter(rewritten[0].facts.values()))
    )


def test_races_and_deadlocks_are_not_covered() -> None:
    race = Check("a.c", 1, 1, "", "data-race", "no race on x")
    assert statuses(made(parse_program(LOCKED), "interval", False, Assertion(race, Status.PROVED)))[-1] == (
        "proved",
        False,
    )
    never = replace(race, property_name="assertion")
    claimed = made(parse_program(LOCKED), "interval", False, Assertion(never, Status.UNREACHABLE))
    assert statuses(claimed)[-1] == ("unreachable", True)
