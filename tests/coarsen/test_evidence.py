"""Verdicts with what is known at a check and which definitions flow into it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.interference.explain import Explanations
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert
from duet.result import Assertion, Check, Status
from tests.coarsen.fixpoints import LOCKED, PATH, analysed

RACY = """global x = 0 label "count"
thread main { while (*) { spawn w } }
thread w function "worker" { local t
  x := 1
  t := x
  check t <= 0
}
"""


def of(text: str, *others: Check) -> list[Assertion]:
    return list(assertions(analysed(text), others))


def test_a_proved_check_tells_by_what() -> None:
    (found,) = of(LOCKED)
    assert (found.status, found.proved_by, found.threads, found.contexts) == (Status.PROVED, "interval", ("w",), 1)
    assert found.flows == ()
    assert found.reason == ""


def test_an_open_check_tells_what_is_known_and_what_flows_there() -> None:
    (found,) = of(RACY)
    assert (found.status, found.proved_by, found.threads) == (Status.UNPROVED, "", ("worker",))
    assert found.invariant == "count == 1"
    kinds = {(note.kind, note.line) for note in found.flows}
    assert {("intra", 4), ("inter", 4)} <= kinds


def test_a_condition_is_no_write() -> None:
    (found,) = of("thread main { local t\nt := * in 0..9\n[t <= 7]\n[t >= 2]\ncheck t <= 3\n}")
    assert [(note.kind, note.line) for note in found.flows] == [("intra", 2)]
    assert found.invariant == "2 <= t <= 7"


def test_a_write_of_another_thread_is_derived() -> None:
    text = "global x = 0 thread main {\nspawn w\ncheck x == 0\n}\nthread w {\nx := 5\n}"
    (found,) = of(text)
    (inter,) = [note for note in found.flows if note.kind == "inter"]
    assert (inter.line, inter.thread, inter.cell, inter.value, inter.text) == (6, "w", "x", "5", "x := 5")
    assert inter.derivation[-1].text == "x := 5"
    assert "other threads may write" in found.reason
    assert {note.kind for note in found.flows} == {"inter", "init"}


def test_nothing_else_changes_where_no_derivations_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = assertions(analysed(RACY))
    assert any(note.derivation for found in whole for note in found.flows)
    monkeypatch.setattr(Explanations, "of", None)
    plain = assertions(analysed(RACY), has_derivations=False)
    without = ((found, tuple(replace(note, derivation=()) for note in found.flows)) for found in whole)
    assert plain == tuple(replace(found, flows=notes) for found, notes in without)


def test_a_check_that_no_thread_gets_to_is_unreachable() -> None:
    (found,) = of("thread main { local r  r := 1  [r == 2]  check r == 3 }")
    assert (found.status, found.invariant) == (Status.UNREACHABLE, "false")


def test_checks_that_no_thread_has_are_unreachable() -> None:
    other = Check("a.c", 1, 1, "f", "assertion", "x")
    first, _ = of(LOCKED, other)
    assert (first.check, first.status, first.contexts) == (other, Status.UNREACHABLE, 0)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("null-dereference", "array-bounds", "p is 50 at the start"),
        ("assertion", "array-bounds", "p is set to 0"),
        ("null-dereference", "assertion", "p is set to 0"),
        ("assertion", "null-dereference", "p is set to null"),
    ],
)
def test_bounds_hang_on_null_only_where_no_check_asks_for_it(first: str, second: str, words: str) -> None:
    program = parse_program("global p = 50\nthread main {\nif (*) {\np := 0 }\ncheck p != 0\ncheck p >= 60 }", PATH)
    commands = list(program.commands)
    for index, command in enumerate(commands):
        if isinstance(command.instruction, Assert):
            check = Check(
                "a.c", 7, 3, "main", first if ">=" not in command.instruction.check.expression else second, "p"
            )
            commands[index] = replace(command, instruction=replace(command.instruction, check=check))
    analysis = analyse(replace(program, commands=tuple(commands)), AnalysisOptions(engine="bitset"))
    found = {one.check.property_name: one.cause for one in assertions(analysis, pointers={"p": ()})}[second]
    assert found is not None
    assert found.text == words
