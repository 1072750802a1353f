"""Large blocks and slices keep which checks fail, and what is left out is named rule by rule."""

from __future__ import annotations

from itertools import pairwise

import pytest

from duet.plip.blocks import Blocks, blocks
from duet.plip.parser import parse_program
from duet.plip.semantics import Exploration, explore
from duet.plip.sliced import sliced
from duet.plip.syntax import Assert, Program
from duet.plip.wellformed import violations
from duet.result import Check
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES


def checks_of(program: Program) -> list[Check]:
    return sorted({c.instruction.check for c in program.commands if isinstance(c.instruction, Assert)})


def failing(program: Program) -> Exploration:
    return explore(program, LIMITS, SAMPLES)


@pytest.mark.parametrize("seed", range(400))
def test_the_same_checks_fail(seed: int) -> None:
    program = random_program(seed)
    found = failing(program)
    if found.truncated:
        return
    small = blocks(program).program
    assert not violations(small)
    assert failing(small).failures.keys() == found.failures.keys()
    for check in checks_of(program):
        part = blocks(sliced(program, {check})).program
        assert (check in failing(part).failures) == (check in found.failures)


def test_each_block_consists_of_commands_in_a_row() -> None:
    for seed in range(50):
        program = random_program(seed)
        found = blocks(program)
        assert len(found.parts) == len(found.program.commands)
        for command, parts in zip(found.program.commands, found.parts, strict=True):
            members = [program.commands[index] for index in parts]
            assert members[0].source == command.source
            assert members[-1].target == command.target
            assert all(a.target == b.source for a, b in pairwise(members))


def body(text: str) -> Blocks:
    return blocks(parse_program(f"global g = 0 global h = 0 thread main {{ spawn one spawn one }} thread one {text}"))


def locations(found: Blocks) -> set[int]:
    template = found.program.templates["one"]
    return {p for i in template.commands for p in (found.program.commands[i].source, found.program.commands[i].target)}


@pytest.mark.parametrize(
    ("commands", "left"),
    [
        ("local a entry 0 exit 9 atomic at 1 0: g := 1 -> 1 1: h := 1 -> 9", {0, 9}),  # B1
        ("local a entry 0 exit 9 0: g := 1 -> 1 1: h := 1 -> 9", {0, 1, 9}),  # others see what is between
        ("local a entry 0 exit 9 0: a := 1 -> 1 1: h := 1 -> 9", {0, 9}),  # B2
        ("local a entry 0 exit 9 0: g := 1 -> 1 1: a := 1 -> 9", {0, 9}),  # B3
        ("local a entry 0 exit 9 0: g := 1 -> 1 1: [a > 0] -> 9", {0, 1, 9}),  # it may be stuck behind its write
        ("local a entry 0 exit 9 0: g := 1 -> 1 1: a := div(1, a) -> 9", {0, 1, 9}),
        ("local a entry 0 exit 9 0: g := 1 -> 1 1: [a > 0] -> 9 1: [a <= 0] -> 9", {0, 9}),
        ("local a entry 0 exit 9 0: skip -> 1 1: g := a -> 1 1: skip -> 9", {0, 1, 9}),  # a loop
        # whoever stays in front of the step is in a region, where nobody else moves
        ("local a entry 0 exit 9 atomic at 1 0: g := 1 -> 1 1: assert g >= 0 -> 2 2: a := 1 -> 9", {0, 1, 2, 9}),
        ("local a entry 0 exit 9 0: assert true -> 1 1: a := 1 -> 9", {0, 1, 9}),
    ],
)  # fmt: skip
def test_what_is_left_out(commands: str, left: set[int]) -> None:
    assert locations(body(f"{{ {commands} }}")) == left


def test_a_location_behind_a_region_stays() -> None:
    """A local step out of a region: in front of it nobody else moves, behind it others do."""
    text = "{ local a entry 0 exit 9 atomic at 1, 2 0: g := 1 -> 1 1: assert g > 0 -> 2 2: a := 1 -> 3 3: h := 1 -> 9 }"
    assert 3 in locations(body(text))


def test_a_location_in_front_of_a_region_stays() -> None:
    """A local step into a region: if it came at once, others could not move in between."""
    text = "{ local a entry 0 exit 9 atomic at 2 0: g := 1 -> 1 1: a := 1 -> 2 2: assert h == 0 -> 9 }"
    assert 1 in locations(body(text))


def test_a_slice_keeps_what_may_stop_a_thread() -> None:
    program = parse_program(
        "global g = 0 global n = 0 global m = 0 thread main { local t n := n + 1 t := div(g, m) [n < 3] m := 5 g := 2 "
        "assert g == 0 assert n == 1 }"
    )
    first, second = checks_of(program)
    small = sliced(program, {first})
    assert set(small.cells) == {"g", "n", "m", "t"}
    assert sum(isinstance(command.instruction, Assert) for command in small.commands) == 1
    plain = parse_program("global g = 0 global n = 0 thread main { n := n + 1 g := 2 assert g == 0 }")
    assert set(sliced(plain, checks_of(plain)).cells) == {"g"}
    assert second != first
