"""Local decisions become one step with the read before them, and nothing else about a program changes."""

from __future__ import annotations

import pytest

from duet.plip.parser import parse_program
from duet.plip.printer import show_instruction
from duet.plip.reduction import with_local_decisions
from duet.plip.regions import merge_regions
from duet.plip.semantics import Exploration, explore
from duet.plip.syntax import Program
from duet.plip.wellformed import violations
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES

HEAD = """global x = 0
global y = 0
main main
thread main function "main" {
  local t = 0
  local u = 0
  entry 0  exit 9
"""


def _reduced(program: Program) -> Program:
    return merge_regions(with_local_decisions(program))


def _shown(body: str) -> list[str]:
    program = _reduced(parse_program(HEAD + body + "}\n", "example.plip"))
    return [f"{c.source}: {show_instruction(c.instruction)} -> {c.target}" for c in program.commands]


def _reached(found: Exploration, kept: frozenset[int]) -> object:
    stores = {location: stores for location, stores in found.stores.items() if location in kept}
    together = {pair for pair in found.together if kept.issuperset(pair)}
    return stores, together, found.reached, set(found.failures)


def test_the_same_is_reached_at_the_locations_that_stay() -> None:
    compared = 0
    for seed in range(500):
        program, reduced = merge_regions(random_program(seed)), _reduced(random_program(seed))
        if program != reduced:
            assert not violations(reduced)
            before, after = explore(program, LIMITS, SAMPLES), explore(reduced, LIMITS, SAMPLES)
            if not before.truncated and not after.truncated:
                compared += 1
                kept = frozenset(reduced.template_of)
                assert _reached(before, kept) == _reached(after, kept), f"seed {seed}"
    assert compared >= 12  # the others have no local decisions


def test_decisions_by_what_was_read_join_the_read() -> None:
    assert _shown("0: t := x -> 1\n1: u := t + 1 -> 2\n2: [u == 2] -> 3\n2: [u != 2] -> 9\n3: x := 0 -> 9\n") == [
        "0: atomic { t := x; u := t + 1; [u == 2]; } -> 3",
        "0: atomic { t := x; u := t + 1; [u != 2]; } -> 9",
        "3: x := 0 -> 9",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "0: t := x -> 1\n1: [t == 2] -> 9\n",  # it may get stuck, and others would not see that it has read
        "0: t := x -> 1\n1: [t == 2] -> 9\n1: [t <= 1] -> 9\n",
        "0: t := x -> 1\n1: [t == y] -> 9\n1: [t != y] -> 9\n",
        "0: t := x -> 1\n1: t := t + 1 -> 2\n2: [t == 3] -> 9\n2: [t != 3] -> 1\n",  # it may go on for ever
        "0: t := x -> 1\n1: u := div(1, t) -> 9\n",
        "0: t := 1 -> 1\n1: [t == 1] -> 9\n1: [t != 1] -> 0\n",  # nothing is read
        "0: t := x -> 1\n1: spawn main -> 9\n",
    ],
)
def test_other_steps_stay_by_themselves(body: str) -> None:
    assert _shown(body) == [
        line.replace("[t == y]", "[t - y == 0]").replace("[t != y]", "[t - y != 0]") for line in body.splitlines()
    ]
