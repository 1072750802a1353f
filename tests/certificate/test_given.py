"""What threads access by the numbers that they were given is apart if the numbers are, and only then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.certificate.document import Phrase
from duet.certificate.established import Established
from duet.certificate.given import Given, number_of
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.meeting import Meeting
from duet.certificate.races import Races
from duet.cli import cli
from duet.errors import UsageError
from duet.plip.accesses import Access, AccessKind, Beyond, Bytes
from duet.plip.parser import parse_program
from duet.plip.syntax import Apart, Content, Program
from tests.c.annotations import ROOT
from tests.check.judged import FILE, access

ONE = Apart(1, frozenset())
NUMBER = f'"{number_of("w")}"'
BODY = "i := 10*n  j := i + 3  z := j"
TEXT = (
    "global z = 0 global q in .. thread main {{ local k  k := wrap(q, 0, 255)  while (*) {{ spawn w(n := k) }} }}\n"
    "thread w(n) {{ local i local j  {body} }}"
)
ALL = (f"i == 10*{NUMBER}", f"j == 10*{NUMBER} + 3", f"n == {NUMBER}")


def program_of(apart: Apart | None = ONE, body: str = BODY, text: str = TEXT) -> Program:
    found = parse_program(text.format(body=body), FILE)
    worker = replace(found.templates["w"], apart=apart)
    return replace(found, templates={**found.templates, "w": worker})


def proposed(program: Program, *phrases: str) -> Mapping[int, tuple[Phrase, ...]]:
    """The statements at all places of the workers."""
    places = [place for place, name in program.template_of.items() if name == "w"]
    return {place: tuple(map(Phrase, phrases)) for place in places}


def last(program: Program, target: str = "z") -> int:
    """The location in front of the last command of the workers that sets a cell."""
    return max(c.source for c in program.commands if getattr(c.instruction, "target", None) == target)


def known_of(program: Program, facts: Mapping[int, str] | None = None, dead: tuple[int, ...] = ()) -> Established:
    knowledge = Knowledge(program, Prover(program))
    knowledge.add({place: [Phrase(text)] for place, text in (facts or {}).items()}, dead)
    return Established(program, knowledge, Meeting(program, knowledge))


def are_apart(
    program: Program,
    size: int = 4,
    phrases: tuple[str, ...] = ALL,
    facts: Mapping[int, str] | None = None,
    dead: tuple[int, ...] = (),
) -> bool:
    """Whether two workers that access an array at `j` certainly mean different bytes."""
    made = access(AccessKind.WRITE, "a", "[*]", bytes=Bytes((("j", 1),), 5000, size))
    place = last(program)
    commands = tuple(replace(c, accesses=(made,)) if c.source == place else c for c in program.commands)
    program = replace(program, commands=commands)
    races = Races(program, FILE, proposed(program, *phrases))
    assert len(races.checks) == 1
    return not races.failing(known_of(program, facts, dead))


def test_accesses_are_as_long_as_numbers_are_apart() -> None:
    assert are_apart(program_of(), 10)
    assert not are_apart(program_of(), 11)
    assert are_apart(program_of(Apart(2, frozenset())), 20)
    assert not are_apart(program_of(Apart(2, frozenset())), 21)


def test_numbers_need_not_be_apart() -> None:
    assert not are_apart(program_of(None))
    assert not are_apart(program_of(Apart(0, frozenset())))


@pytest.mark.parametrize(
    ("phrases", "expected"),
    [
        (ALL, True),
        ((*ALL, f"i == 11*{NUMBER}", f"j == {NUMBER}"), True),
        (ALL[:2], False),
        (ALL[1:], False),
        ((f"j >= 10*{NUMBER}", f"j <= 10*{NUMBER} + 6", ALL[0], ALL[2]), True),
        ((f"j >= 10*{NUMBER}", f"j <= 10*{NUMBER} + 7", ALL[0], ALL[2]), False),
        ((), False),
    ],
)
def test_what_is_said_has_to_be_inductive_together(phrases: tuple[str, ...], expected: bool) -> None:
    """What is not is left out, and what it does not need stays."""
    assert are_apart(program_of(), 4, phrases) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("n := 0  i := 10*n  j := i + 3  z := j", False),
        ("i := 10*n  n := 0  j := i + 3  z := j", True),
        ("i := 10*n  j := i + 3  if (*) { j := 7 }  z := j", False),
        ("i := 10*n  j := i + 3  if (*) { j := i + 3 }  z := j", True),
        ("i := *  j := i + 3  z := j", False),
        ("j := 0  z := j", False),
        ("if (*) { i := 10*n  j := i + 3 }  z := j", False),
    ],
)
def test_the_number_is_what_the_thread_began_with(body: str, expected: bool) -> None:
    assert are_apart(program_of(body=body)) is expected


def test_who_starts_threads_converts_no_number_to_another() -> None:
    converted = Apart(1, frozenset({"k"}))
    found = program_of(converted)
    assert not are_apart(found)
    source = last(found, "k")
    assert are_apart(found, facts={source: "q >= 0 && q <= 255"})
    assert not are_apart(found, facts={source: "q >= 0 && q <= 256"})
    assert are_apart(found, dead=(source,))
    assert are_apart(program_of(Apart(1, frozenset({"other"}))))


def test_what_is_where_the_number_leads_is_what_the_front_end_says() -> None:
    text = TEXT.replace("global z", "summary s = 0 global z")
    contents = frozenset({Content("s", 2, 10, 4)})
    read, phrases = "j := s  z := j", (f"2*j == 10*{NUMBER} + 4",)
    assert are_apart(program_of(Apart(2, frozenset(), contents), read, text), 10, phrases)
    assert not are_apart(program_of(Apart(2, frozenset(), contents), read, text), 11, phrases)
    assert not are_apart(program_of(Apart(2, frozenset()), read, text), 1, phrases)
    written = "atomic { s := 7  j := s }  z := j"
    assert not are_apart(program_of(Apart(2, frozenset(), contents), written, text), 1, phrases)


def test_who_is_beyond_all_numbers_is_apart() -> None:
    found = program_of()

    def is_apart(distance: int) -> bool:
        far = frozenset({Beyond("w", 10, distance)})
        mine: Access = access(AccessKind.WRITE, "a", "[*]", bytes=Bytes((("j", 1),), 5000, 4))
        first = access(AccessKind.WRITE, "a", "[*]", bytes=Bytes((("k", 1),), 0, 4, far))
        place, start = last(found), last(found, "k")
        behind = {c.target for c in found.commands if c.source == start}
        accesses = {place: (mine,), **dict.fromkeys(behind, (first,))}
        made = replace(found, commands=tuple(replace(c, accesses=accesses.get(c.source, ())) for c in found.commands))
        return not Races(made, FILE, proposed(made, *ALL)).failing(known_of(made))

    assert is_apart(5000)
    assert is_apart(4997)
    assert not is_apart(4996)


def test_statements_name_what_there_is() -> None:
    found = program_of()
    knowledge = Knowledge(found, Prover(found))
    with pytest.raises(UsageError):
        Given(found, "w", proposed(found, "nothing == 0"), knowledge)
    told = Given(found, "w", proposed(found, "q == 0", "k == 0"), knowledge)
    assert not list(told.said(last(found), 0))


@pytest.mark.parametrize("topic", ["parts_by_number", "parts_by_number_meet", "numbered_threads"])
def test_programs_in_c(topic: str, tmp_path: Path) -> None:
    path, proof = str(ROOT / "races" / f"{topic}.c"), str(tmp_path / "proof.json")
    asked = ["analyze", "--no-verify", path, "--properties", "data-race", "--certificate", proof]
    report = CliRunner().invoke(cli, asked).stderr + CliRunner().invoke(cli, asked).stdout
    done = CliRunner().invoke(cli, ["check", proof, path])
    assert done.exit_code == 0, done.output
    count = int(report.partition(" proved")[0].split()[-1])
    assert f"{count} checks certified" in done.output
