"""Explicit states find checks that fail, and every execution found is one of the program without blocks."""

from __future__ import annotations

import pytest

from duet.deadline import Deadline
from duet.plip.blocks import blocks
from duet.plip.parser import parse_program
from duet.plip.semantics import Limits
from duet.plip.semantics import explore as explore_all
from duet.plip.sliced import sliced
from duet.plip.syntax import Assert, Program
from duet.result import Check
from duet.verify.explore import _Explorer, explore
from duet.verify.refute import failing
from duet.verify.room import Bounds
from duet.verify.samples import samples_of
from duet.verify.schedule import UNFOLLOWED, Schedule, schedule
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES

SMALL = Bounds(threads=2, states=2000, steps=40)


def checks_of(program: Program) -> list[Check]:
    return sorted({c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)})


def found(text: str, bounds: Bounds | None = None) -> list[Schedule]:
    program = parse_program(text)
    return list(failing(program, checks_of(program), Deadline.after(1.0), bounds).values())


@pytest.mark.parametrize("seed", range(120))
def test_random_programs(seed: int) -> None:
    program = random_program(seed)
    known = explore_all(program, LIMITS, SAMPLES)
    checks = checks_of(program)
    part = sliced(program, checks)
    large = blocks(part)
    runs = explore(large.program, checks, SAMPLES, SMALL, Deadline.after(0.3)).executions
    for check, run in runs.items():
        told = schedule(program, part, large, run, SAMPLES)
        assert told.doubt != UNFOLLOWED
        assert told.moves
        if not known.truncated:
            wide = explore_all(program, Limits(threads=6, states=40_000, value=1 << 40), SAMPLES)
            assert check in wide.failures or wide.truncated


def test_a_lost_update_has_a_schedule() -> None:
    text = (
        "global x = 0 global done = 0 thread main { spawn w spawn w } "
        "thread w { local t t := x x := t + 1 done := done + 1 assert done <= 1 || x == 2 }"
    )
    (only,) = found(text)
    assert only.doubt == ""
    assert {move.thread for move in only.moves} >= {"main", "w#1", "w#2"}
    assert only.moves[-1].text.startswith("assert")


def test_an_exact_schedule_is_preferred() -> None:
    text = (
        'global x = 0 thread main { local t entry 0 exit 9 0: x := 1 -> 2 approximates "a guess" '
        "0: skip -> 1 1: t := 5 -> 3 3: x := t -> 2 2: assert x == 0 -> 9 }"
    )
    (only,) = found(text)
    assert only.doubt == ""
    assert any("x := t" in move.text or dict(move.values).get("x") == "5" for move in only.moves)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (
            "global x = 0 thread main { entry 0 exit 9 0: x := 1 -> 1 approximates \"a guess\" 1: assert x == 0 -> 9 }",
            "a guess",
        ),
        ("global x in 0..4 thread main { local t t := x assert t == 0 }", "the first value of x"),
        (
            "global x = 0 thread main { local p in 0..18446744073709551615 x := p assert x == 0 }",
            "the first value of p",
        ),
        (
            "global x = 0 thread main { while (*) { spawn w } join w assert x > 5 } thread w { x := x + 1 }",
            "which thread is joined",
        ),
    ],
)  # fmt: skip
def test_what_is_in_the_way(text: str, doubt: str) -> None:
    (only,) = found(text)
    assert doubt in only.doubt


def test_what_is_set_before_it_is_read_is_known() -> None:
    (only,) = found("global x in 0..4 thread main { x := 1 assert x == 0 }")
    assert only.doubt == ""


def test_inputs_next_to_constants_are_tried() -> None:
    (only,) = found("global x = 0 thread main { x := * [x > 100] assert x != 102 || x > 1000 }")
    assert only.doubt == ""
    assert dict(only.moves[-1].values)["x"] == "102"


def test_samples_are_within_their_number() -> None:
    program = random_program(3)
    assert len(samples_of(program).havoc) <= 16


LATE = {
    "one thread after the other": "global x = 0 global y = 0 thread main { spawn a spawn b } "
    "thread a { local i i := 0 while (i < 40) { x := x + 1 i := i + 1 } assert y < 40 } "
    "thread b { local j j := 0 while (j < 40) { y := y + 1 j := j + 1 } }",
    "interrupted once": "global x = 0 global y = 0 thread main { spawn a spawn b } "
    "thread a { local i i := 0 while (i < 40) { x := x + 1 i := i + 1 assert y < 40 || x != 30 } } "
    "thread b { local j j := 0 while (j < 40) { y := y + 1 j := j + 1 } }",
    "a crowd": "global inside = 0 thread main { local i i := 0 while (i < 20) { spawn w i := i + 1 } } "
    "thread w { atomic { inside := inside + 1 } [inside >= 20] assert inside < 20 }",
}
NEAR = Bounds(threads=2, states=400, steps=20)


@pytest.mark.parametrize("name", LATE)
def test_what_fails_late_takes_few_interruptions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (only,) = found(LATE[name], NEAR)
    assert only.doubt == ""
    monkeypatch.setattr(_Explorer, "_switches", lambda _: None)
    assert not found(LATE[name], NEAR)


def test_what_was_seen_as_a_whole_is_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(_Explorer, "_walks")
    assert not found("global x = 0 thread main { spawn w spawn w } thread w { x := 1 assert x == 1 }")


def test_an_execution_that_is_not_one_cannot_be_followed() -> None:
    program = parse_program("global x = 0 thread main { x := 1 assert x == 0 }")
    (check,) = checks_of(program)
    large, samples = blocks(program), samples_of(program)
    run = explore(large.program, [check], samples, Bounds(), Deadline.after(1.0)).executions[check]
    wrong = run.moves[0]._replace(globals=(7,))
    told = schedule(program, program, large, type(run)(run.start, (wrong,), run.failing, run.command), samples)
    assert told.doubt == UNFOLLOWED
