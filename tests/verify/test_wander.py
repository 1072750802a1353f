"""States far from the start are met, all of them states of executions; a check that fails is noticed."""

from __future__ import annotations

import pytest

from duet.deadline import Deadline
from duet.plip.parser import parse_program
from duet.verify import explore
from duet.verify.room import Bounds
from duet.verify.samples import samples_of
from duet.verify.wander import wander
from tests.soundness.generate import random_program
from tests.verify.test_cubes import checks_of

FAR = (
    "global x = 0 global y = 0 thread main { while (*) { spawn w } } "
    "thread w { while (x < 60) { x := x + 1 } y := 1 assert {} }"
)


def test_states_far_from_the_start() -> None:
    program = parse_program(FAR.replace("{}", "y == 1"))
    (check,) = checks_of(program)
    states = wander(program, check, samples_of(program), Bounds(states=2_000), Deadline.after(10))
    assert states is not None
    assert any(shared[1] == 1 for shared, _ in states)


def test_what_fails_far_from_the_start() -> None:
    program = parse_program(FAR.replace("{}", "y == 0"))
    (check,) = checks_of(program)
    assert wander(program, check, samples_of(program), Bounds(states=2_000), Deadline.after(10)) is None


@pytest.mark.parametrize("seed", range(6000, 6012))
def test_all_are_met_in_breadth_too(seed: int) -> None:
    program = random_program(seed)
    samples = samples_of(program)
    for check in checks_of(program):
        known = explore.reached(program, check, samples, Bounds(states=20_000), Deadline.after(5))
        found = wander(program, check, samples, Bounds(states=300), Deadline.after(5))
        if known is not None and len(known) < 20_000 and found is not None:
            assert set(found) <= set(known)
