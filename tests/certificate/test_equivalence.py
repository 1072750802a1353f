"""Facts along a thread, and commands that do the same where they hold."""

from __future__ import annotations

import pytest

from duet.certificate.document import Phrase
from duet.certificate.equivalence import fact_failures, same
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.meeting import Meeting
from duet.plip.parser import parse_program
from duet.plip.syntax import Program

LINE = """global x = 0 summary a = 0
thread main {{ local r entry 0 exit 9 0: {first} -> 1 1: {second} -> 2 2: {third} -> 9 9: skip -> 9 }}
thread w {{ entry 20 exit 29 20: x := 7 -> 29 }}"""


def line(first: str, second: str = "skip", third: str = "skip") -> Program:
    return parse_program(LINE.format(first=first, second=second, third=third))


def failing(program: Program, at: int, fact: str, earlier: str = "", meets: bool = True) -> list[str]:
    """Why a fact does not hold at a location, with another one at the location before if that is given."""
    facts = {at: (Phrase(fact),)} | ({at - 1: (Phrase(earlier),)} if earlier else {})
    knowledge = Knowledge(program, Prover(program))
    meeting = Meeting(program, knowledge) if meets else None
    reached = frozenset(program.template_of)
    return [reason for place, reason in fact_failures(program, facts, knowledge, meeting, reached) if place == at]


def test_a_command_makes_a_fact_true() -> None:
    assert failing(line("r := 3"), 1, "r == 3") == []
    assert "need not hold after command 0" in failing(line("r := 3"), 1, "r == 4")[0]
    assert failing(line("[r == 3]"), 1, "r == 3") == []


def test_a_command_keeps_a_fact_that_it_does_not_touch() -> None:
    assert failing(line("r := 3", "x := 1"), 2, "r == 3", "r == 3") == []
    assert failing(line("r := 3", "r := 4"), 2, "r == 3", "r == 3")
    assert failing(line("r := 3", "x := 1"), 2, "r == 3")


def test_every_way_must_make_a_fact_true() -> None:
    text = "thread main { local r entry 0 exit 9 0: r := 3 -> 1 0: r := 4 -> 1 1: skip -> 9 }"
    assert failing(parse_program(text), 1, "r == 3")
    assert failing(parse_program(text), 1, "r >= 3") == []


def test_nothing_is_known_where_a_thread_starts() -> None:
    assert "a thread starts here" in failing(line("skip"), 0, "r == 3")[0]


def test_facts_about_a_global_are_refused_where_another_thread_may_write_it() -> None:
    alone, started = line("x := 3"), line("spawn w", "x := 3")
    assert failing(alone, 1, "x == 3") == []
    assert any("another thread may write x" in reason for reason in failing(started, 2, "x == 3"))
    assert any("another thread may write x" in reason for reason in failing(alone, 1, "x == 3", meets=False))


def test_facts_about_cells_of_others_and_summaries_are_refused() -> None:
    assert any("stands for several" in reason for reason in failing(line("a := 3"), 1, "a == 3"))
    text = "thread main { local r spawn v  r := 1 } thread v { local q  q := 2  skip }"
    program = parse_program(text)
    place = next(c.target for c in program.commands if getattr(c.instruction, "target", None) == "r")
    assert any("not of this thread" in reason for reason in failing(program, place, "q == 2"))


def test_what_is_not_reached_needs_no_fact() -> None:
    program = line("r := 3")
    knowledge = Knowledge(program, Prover(program))
    assert list(fact_failures(program, {1: (Phrase("r == 4"),)}, knowledge, None, reached=())) == []


def does_same(old: str, new: str, known: str = "true") -> bool:
    program, other = line(old), line(new)
    knowledge = Knowledge(program, Prover(program))
    knowledge.add({0: [Phrase(known)]})
    return same(program, program.commands[0], other.commands[0], knowledge)


@pytest.mark.parametrize(
    ("old", "new", "known", "expected"),
    [
        ("r := x", "r := x", "true", True),
        ("r := x", "r := x + 0", "true", True),
        ("r := x", "x := r", "true", False),
        ("x := r + 1", "x := x + 1", "r == x", True),
        ("x := r + 1", "x := x + 1", "true", False),
        ("[r == 1]", "[x == 1]", "r == x", True),
        ("[r == 1]", "[x == 1]", "r <= x", False),
        ("[r == 1]", "skip", "r == 1", True),
        ("[r == 1]", "skip", "true", False),
        ("r := *", "r := *", "true", True),
        ("r := * in 0..3", "r := * in 0..4", "true", False),
        ("r := *", "r := 3", "true", False),
        ("r := mul(x, r)", "r := mul(x, x)", "r == x", True),
        ("r := mul(x, r)", "r := and(x, r)", "true", False),
        ("r := div(x, r)", "r := div(x, x)", "r == x", True),
        ("r := [4, 5][x]", "r := [4, 5][r]", "r == x", True),
        ("r := [4, 5][x]", "r := [4, 6][x]", "true", False),
        ("a := r", "a := x", "r == x", True),
        ("a := r", "a := x", "true", False),
        ("a := r", "skip", "true", False),
        ("atomic { [x == 0] x := 1 }", "atomic { x := 1 }", "x == 0", True),
        ("atomic { [x == 0] x := 1 }", "atomic { x := 1 }", "true", False),
        ("spawn w", "spawn w", "true", True),
        ("spawn w", "spawn main", "true", False),
        ("spawn w", "skip", "true", False),
        ("join w", "join w", "true", True),
        ("join w", "skip", "true", False),
        ("join w", "join main", "true", False),
        ('assert r == 1 for "a.c":1:1 "p" "e" in "f"', 'assert x == 1 for "a.c":1:1 "p" "e" in "f"', "r == x", True),
        ('assert r == 1 for "a.c":1:1 "p" "e" in "f"', 'assert x == 1 for "a.c":1:1 "p" "e" in "f"', "true", False),
        ('assert r == 1 for "a.c":1:1 "p" "e" in "f"', 'check r == 1 for "a.c":1:1 "p" "e" in "f"', "true", False),
        ('assert r == 1 for "a.c":1:1 "p" "e" in "f"', 'assert r == 1 for "a.c":2:1 "p" "e" in "f"', "true", False),
        ('check r == 1 for "a.c":1:1 "p" "e" in "f"', 'check x == 1 for "a.c":1:1 "p" "e" in "f"', "true", False),
        ('assert r == 1 for "a.c":1:1 "p" "e" in "f"', "[r == 1]", "true", False),
    ],
)
def test_commands_that_do_the_same_given_what_is_known(old: str, new: str, known: str, expected: bool) -> None:
    assert does_same(old, new, known) is expected


def test_a_child_gets_the_same_arguments() -> None:
    text = "global x = 0 thread main {{ local r entry 0 exit 9 0: spawn w(p := {}) -> 9 }} thread w(p) {{ skip }}"
    program, other = (parse_program(text.format(value)) for value in ("r", "x"))
    knowledge = Knowledge(program, Prover(program))
    assert not same(program, program.commands[0], other.commands[0], knowledge)
    knowledge.add({0: [Phrase("r == x")]})
    assert same(program, program.commands[0], other.commands[0], knowledge)
