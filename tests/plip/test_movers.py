"""Movers: which checks fail stays the same where facts say who meets whom; defects in the rule are noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duet.plip import blocks as module
from duet.plip.blocks import blocks
from duet.plip.movers import Edge, Movers, Together
from duet.plip.parser import parse_program
from duet.plip.semantics import Exploration, explore
from duet.plip.syntax import Program
from duet.plip.wellformed import violations
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES


def known(found: Exploration) -> Together:
    """The best that can be known: the pairs of locations of which a state was met."""
    return lambda left, right: (min(left, right), max(left, right)) in found.together


@pytest.mark.parametrize("seed", range(8000, 8500))
def test_the_same_checks_fail(seed: int) -> None:
    program = random_program(seed)
    found = explore(program, LIMITS, SAMPLES)
    if found.truncated:
        return
    small = blocks(program, known(found)).program
    assert not violations(small)
    assert explore(small, LIMITS, SAMPLES).failures.keys() == found.failures.keys()


def size(program: Program, template: str = "w") -> int:
    commands = program.templates[template].commands
    return len({p for i in commands for p in (program.commands[i].source, program.commands[i].target)})


def test_a_section_under_a_lock_is_one_block() -> None:
    program = parse_program(
        "global m = 0 global x = 0 thread main { while (*) { spawn w } } "
        "thread w { local t acquire m t := x x := t + 1 release m }"
    )
    assert size(blocks(program).program) > 2
    # what is behind the start goes on at once
    assert size(blocks(program, known(explore(program, LIMITS, SAMPLES))).program) == 2


# each is false: a rule with the defect proves it
MAY_FAIL = {
    "a left mover that can block": (
        "global g = 0 global h = 0 thread main { spawn w spawn v } "
        "thread w { g := 1 [h == 1] skip } thread v { assert g == 0 }"
    ),
    "a right mover behind a write": (
        "global g = 0 thread main { spawn w spawn v } "
        "thread w { g := 1 g := 0 } thread v { assert g == 0 }"
    ),
    "a loop head left out": (
        "global g = 0 thread main { spawn w spawn v } "
        "thread w { while (true) { g := 1 } } thread v { assert g == 0 }"
    ),
    "two of one template": (
        "global g = 0 thread main { spawn w spawn w } "
        "thread w { local t t := g g := 1 g := t + 2 t := g assert t != 3 }"
    ),
    "the location behind the other step": (
        "global g = 0 global f = 0 thread main { spawn w spawn v } "
        "thread w { [f == 1] g := 1 f := 2 } thread v { f := 1 assert g == 0 }"
    ),
    "a check that ends nowhere": (
        "global p = 0 global x = 0 thread main { spawn w spawn v } "
        "thread w { atomic { [p == 0] x := 1 } x := 0 } thread v { p := 1 assert x == 0 }"
    ),
    "into a region": (
        "global x = 0 global z = 0 thread main { spawn w spawn v } thread w { entry 0 exit 9 atomic at 2 "
        "0: x := 1 -> 1 1: z := 5 -> 2 2: z := 6 -> 2 2: x := 0 -> 9 } thread v { assert x == 0 }"
    ),
    "a region": (
        "global g = 0 thread main { spawn w spawn v } "
        "thread w { g := 1 g := 0 } thread v { atomic { [g == 0] while (*) { skip } assert g == 0 } assert g == 0 }"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MAY_FAIL)
def test_what_fails_does_so_in_blocks(name: str) -> None:
    program = parse_program(MAY_FAIL[name])
    found = explore(program, LIMITS, SAMPLES)
    assert found.failures
    for together in (known(found), lambda *_: True):
        assert explore(blocks(program, together).program, LIMITS, SAMPLES).failures.keys() == found.failures.keys()


def always(*_: object) -> bool:
    return True


def never_atomic(patch: pytest.MonkeyPatch) -> None:
    right = module._movers
    patch.setattr(module, "_movers", lambda program, known: Movers(right(program, known).ones, frozenset(), known))


def any_right_mover(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Movers, "is_right", always)


def any_left_mover(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Movers, "is_left", always)


def left_movers_may_block(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(module, "are_exhaustive", always)


def heads_left_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(module, "_heads", lambda *_: set())
    patch.setattr(Movers, "is_right", always)


def one_of_each(patch: pytest.MonkeyPatch) -> None:
    right = module._movers
    patch.setattr(module, "_movers", lambda p, known: Movers(frozenset(p.templates), right(p, known).atomic, known))


def checks_end_somewhere(patch: pytest.MonkeyPatch) -> None:
    right = Movers.is_left

    def wrong(self: Movers, edge: Edge, edges: list[Edge]) -> bool:
        unaware = [Edge(e.template, e.source, e.target, e.reads, e.writes) for e in edges]
        return right(self, edge, unaware)

    patch.setattr(Movers, "is_left", wrong)


def reads_do_not_count(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Edge, "conflicts", lambda self, other: not self.writes.isdisjoint(other.writes))


Defect = Callable[[pytest.MonkeyPatch], None]


@pytest.mark.parametrize(
    "defect",
    [
        any_right_mover,
        any_left_mover,
        left_movers_may_block,
        heads_left_out,
        one_of_each,
        never_atomic,
        checks_end_somewhere,
        reads_do_not_count,
    ],
)
def test_a_defect_is_noticed(defect: Defect, monkeypatch: pytest.MonkeyPatch) -> None:
    defect(monkeypatch)
    assert any(_differs(parse_program(text)) for text in MAY_FAIL.values()) or any(
        _differs(random_program(seed)) for seed in range(8000, 8600)
    )


def _differs(program: Program) -> bool:
    found = explore(program, LIMITS, SAMPLES)
    small = explore(blocks(program, known(found)).program, LIMITS, SAMPLES)
    return not found.truncated and small.failures.keys() != found.failures.keys()
