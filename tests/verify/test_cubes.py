"""Proofs with cubes: what they prove holds in the explicit-state semantics, also without any facts to lean on."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.results import Fixpoint
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import Assert, Program
from duet.result import Check
from duet.verify.decide import prepared
from duet.verify.explore import reached
from duet.verify.room import Bounds
from duet.verify.samples import samples_of
from duet.verify.search import Proof, proof
from duet.verify.tables import Tables
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES


def checks_of(program: Program) -> list[Check]:
    return sorted({c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)})


def proved(program: Program, check: Check, fixpoints: tuple[Fixpoint, ...] = (), seconds: float = 2.0) -> Proof | None:
    part, facts = prepared(program, fixpoints, check)
    return proof(part.program, check, facts, Deadline.after(seconds))


def only(text: str, seconds: float = 5.0) -> Proof | None:
    program = parse_program(text)
    (check,) = checks_of(program)
    return proved(program, check, seconds=seconds)


@pytest.mark.parametrize("seed", range(300))
def test_what_is_proved_without_facts_does_not_fail(seed: int) -> None:
    program = random_program(seed)
    failing = explore(program, LIMITS, SAMPLES).failures
    for check in checks_of(program):
        if check in failing:
            assert proved(program, check, seconds=0.5) is None


@pytest.mark.parametrize("seed", range(1000, 1120))
def test_what_is_proved_with_facts_does_not_fail(seed: int) -> None:
    program = random_program(seed)
    failing = explore(program, LIMITS, SAMPLES).failures
    if not failing:
        return
    fixpoints = analyse(program, AnalysisOptions()).fixpoints
    for check in failing:
        assert proved(program, check, fixpoints, seconds=0.5) is None


COUNTER = (
    "global m = 0 global x = 0 thread main { while (*) { spawn w } } "
    "thread w { local t acquire m t := x x := t + 1 t := x x := t - 1 assert x == 0 release m }"
)
PROVED = {
    "counter under a lock": COUNTER,
    "Peterson": (
        "global a = 0 global b = 0 global turn = 0 global who = 0 thread main { spawn p spawn q } "
        "thread p { a := 1 turn := 2 while (*) { } [b == 0 || turn == 1] who := 1 assert who == 1 who := 0 a := 0 } "
        "thread q { b := 1 turn := 1 [a == 0 || turn == 2] who := 2 who := 0 b := 0 }"
    ),
    "joined": (
        "global x = 0 thread main { spawn w join w assert x == 1 } thread w { x := 1 }"
    ),
    "argument": (
        "global x = 0 thread main { local i i := 0 while (*) { i := i + 1 spawn w(n := i) } } "
        "thread w(n) { local k k := n assert k >= 1 }"
    ),
    "two locks": (
        "global m = 0 global x = 0 global y = 0 thread main { while (*) { spawn w } } "
        "thread w { acquire m x := x + 1 y := y + 1 assert x == y release m }"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_proved(name: str) -> None:
    found = only(PROVED[name])
    assert found is not None
    assert found.cubes


def test_locations_that_are_not_together_make_numbers_matter_less() -> None:
    """A bakery of two with numbers that grow: without facts the search meets ever larger ones."""
    program = parse_program(
        "global n = 0 global k = 0 global c = 0 thread main { spawn p spawn q } "
        "thread p { while (*) { n := k + 1 atomic { [k == 0 || n <= k] } c := 1 assert c == 1 c := 0 n := 0 } } "
        "thread q { while (*) { k := n + 1 atomic { [n == 0 || k < n] } c := 2 c := 0 k := 0 } }"
    )
    (check,) = checks_of(program)
    assert proved(program, check, analyse(program, AnalysisOptions()).fixpoints, seconds=10.0) is not None


FAILS = {
    "no lock": "global x = 0 thread main { while (*) { spawn w } } thread w { local t t := x x := t + 1 assert x < 2 }",
    "a child that is started": "global x = 0 thread main { spawn w } thread w { assert x == 1 }",
    "spawned with an argument": "global x = 0 thread main { spawn w(n := 3) } thread w(n) { assert n != 3 }",
    "own cells hold anything": "global x = 0 thread main { spawn w } thread w { local k assert k != 9 }",
    "a fresh actor": (
        "global x = 0 thread main { spawn w while (*) { spawn v } } thread w { assert x == 0 } thread v { x := 1 }"
    ),
    "two of one template": (
        "global x = 0 thread main { while (*) { spawn w } } "
        "thread w { local k k := 0 [x == 0] x := 1 k := x assert k == 0 }"
    ),
    "needs three": (
        "global x = 0 thread main { while (*) { spawn w } } "
        "thread w { local t t := x [t <= 2] x := t + 1 assert x <= 2 }"
    ),
    "joined too late": "global x = 0 thread main { spawn w assert x == 0 join w } thread w { x := 1 }",
    "wraps": "global x = 7 thread main { x := wrap(x + 1, 0, 7) assert x != 0 }",
    "divided": "global x = 7 thread main { x := div(x, 2) assert x != 3 }",
    "havoc": "global x = 7 thread main { x := * in 0..3 assert x != 3 }",
    "a table": "global x = 1 thread main { local t t := [4, 5, 6][x] assert t != 5 }",
    "remainder": "global x = 9 thread main { local t t := mod(x, 4) assert t != 1 }",
    "summary": "summary s = 0 thread main { local t s := 4 t := s assert t != 4 }",
    "a check that goes on": "global x = 0 thread main { x := 1 check x == 0 }",
    "after a region": (
        "global x = 0 global y = 0 thread main { spawn w atomic { x := 1 x := 0 } y := 1 } "
        "thread w { [y == 1] assert x == 1 }"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_not_proved(name: str) -> None:
    assert only(FAILS[name], seconds=3.0) is None


def guessed(program: Program, check: Check, seconds: float, is_blind: bool = False) -> Proof | None:
    """A proof with guesses; with `is_blind` these are tested with the first states only."""
    found, facts = prepared(program, (), check)
    part = found.program
    bounds = Bounds(threads=1 if is_blind else 3, states=20 if is_blind else 4000)
    states = reached(part, check, samples_of(part), bounds, Deadline.after(seconds / 2)) or ()
    tables = Tables(part, bounds.threads)
    tables.add(states)
    return proof(part, check, facts, Deadline.after(seconds), tables)


@pytest.mark.parametrize("seed", range(2000, 2150))
def test_guesses_prove_nothing_that_fails(seed: int) -> None:
    """Also where hardly any state was seen, so that most guesses are wrong."""
    program = random_program(seed)
    for check in explore(program, LIMITS, SAMPLES).failures:
        assert guessed(program, check, 0.4, is_blind=True) is None


@pytest.mark.parametrize("name", FAILS)
def test_guesses_do_not_prove_what_fails(name: str) -> None:
    program = parse_program(FAILS[name])
    (check,) = checks_of(program)
    assert guessed(program, check, 1.0, is_blind=True) is None


def test_a_ticket_lock_of_any_number_of_threads() -> None:
    """Its numbers grow, so that the search without guesses does not end."""
    program = parse_program(
        "global next = 0 global now = 0 global who = 0 thread main { while (*) { spawn w } } "
        "thread w { local t atomic { t := next next := next + 1 } [t == now] "
        "assert who == 0 who := 1 who := 0 now := now + 1 }"
    )
    (check,) = checks_of(program)
    assert proved(program, check, seconds=2.0) is None
    assert guessed(program, check, 90.0) is not None
