"""What has no part in a failure is left out of its schedule, and what is left is an execution that fails."""

from __future__ import annotations

import pytest

from duet.deadline import Deadline
from duet.plip.blocks import blocks
from duet.plip.parser import parse_program
from duet.plip.sliced import sliced
from duet.plip.syntax import Assert, Program
from duet.result import Check
from duet.verify.explore import Execution, _Explorer
from duet.verify.room import Bounds
from duet.verify.schedule import UNFOLLOWED, schedule
from duet.verify.shorten import shortened
from tests.soundness.generate import random_program
from tests.soundness.properties import SAMPLES

SMALL = Bounds(threads=3, states=2000, steps=60)


def checks_of(program: Program) -> list[Check]:
    return sorted({c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)})


def walked(program: Program, seconds: float = 0.2) -> dict[Check, Execution]:
    """Executions that are found by chance, and are as long as chance has them."""
    explorer = _Explorer(program, frozenset(checks_of(program)), SAMPLES, SMALL, Deadline.after(seconds))
    explorer._start()
    explorer._walks()
    return explorer.found


def short(program: Program, check: Check, run: Execution) -> Execution:
    return shortened(program, check, run, SAMPLES, SMALL, Deadline.after(1.0))


@pytest.mark.parametrize("seed", range(30))
def test_what_is_left_is_an_execution_that_fails(seed: int) -> None:
    program = random_program(seed)
    part = sliced(program, checks_of(program))
    large = blocks(part)
    for check, run in walked(large.program, 0.05).items():
        found = short(large.program, check, run)
        assert len(found.moves) <= len(run.moves)
        assert schedule(program, part, large, found, SAMPLES).doubt != UNFOLLOWED


def test_threads_and_rounds_without_a_part_in_it_are_left_out() -> None:
    program = parse_program(
        "global x = 0 global y = 0 "
        "thread main { entry 0 exit 9 0: spawn idle -> 0 0: spawn w -> 0 0: skip -> 1 1: assert x == 0 -> 9 } "
        "thread idle { y := y + 1 y := y - 1 } "
        "thread w { entry 10 exit 19 10: y := 5 -> 11 11: y := 6 -> 10 11: x := 1 -> 19 }"
    )
    (check,) = checks_of(program)
    found = [len(short(program, check, run).moves) for run in walked(program).values()]
    assert found == [4]  # start w; y := 5, x := 1; skip


def test_what_was_read_in_between_stays_read() -> None:
    program = parse_program(
        "global x = 0 thread main { spawn w spawn w } thread w { local t t := x x := t + 1 assert x != 2 }"
    )
    (check,) = checks_of(program)
    for run in walked(program).values():
        found = short(program, check, run)
        assert [dict(zip(program.globals, move.globals, strict=True))["x"] for move in found.moves][-1] == 2
