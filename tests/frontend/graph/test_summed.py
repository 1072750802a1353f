"""Sums that tests compare have cells: programs do what they did, and know what was tested where it is assigned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.graph import summed as module
from duet.frontend.graph.summed import summed
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Assign, Program, Step
from duet.plip.terms import variable
from duet.result import Status
from tests.frontend.graph.compared import differs, is_same

COUNT = 60
ENOUGH = 300  # programs in which a seeded defect must show
START = (
    "global used = 0 global room = 0 global l = 0 thread main {{ room := * in 0..2 spawn T spawn T }}"
    " thread T {{ local n local k {} }}"
)
HELD = "n := * in 0..2 acquire l [used + n - room <= 0] {} used := used + n assert used - room <= 0 l := 0"
KNOWN = {
    "at once": (HELD.format(""), True),
    "behind something else": (HELD.format("k := 1"), True),
    "another one is added": (HELD.format("n := * in 0..2"), False),
    "added to before": (HELD.format("used := used + 1"), False),
    "without the lock": (HELD.format("").replace("acquire l ", ""), False),
    "less room": (HELD.format("room := room - 1"), False),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_was_tested_is_known_where_it_is_assigned(name: str) -> None:
    text, is_safe = KNOWN[name]
    program = parse_program(START.format(text), "t.plip")
    told = summed(program)
    assert is_same(program, told)
    found = analyse(told, AnalysisOptions(domain="octagon")).statuses
    assert all(it.is_safe for it in found) is is_safe


def test_without_a_cell_for_the_sum_it_is_not() -> None:
    text = START.format(KNOWN["at once"][0]).replace("in 0..2", "in 5..900")
    program = parse_program(text, "t.plip")
    found = [analyse(it, AnalysisOptions(domain="octagon")).statuses for it in (program, summed(program))]
    assert found == [(Status.UNPROVED,), (Status.PROVED,)]


def _random(seed: int) -> Program:
    """A program of two threads that test sums, and assign them or others behind that."""
    rng = Random(seed)

    def term() -> str:
        return rng.choice(("used + n", "used + k", "n + k", "used - n", "room + n"))

    def statement() -> str:
        number = rng.randint(0, 2)
        return rng.choice(
            (
                f"[{term()} - room <= {number}]",
                f"[{term()} - k <= {number}]",
                f"if ({term()} - room <= 0) {{ used := {term()} }} else {{ n := {number} }}",
                f"used := {term()}",
                f"k := {term()}",
                f"n := {rng.choice(('* in 0..1', 'used', 'k', '1'))}",
                f"k := {rng.choice(('* in 0..1', 'used', 'n', '0'))}",
                f"room := {number}",
                f"assert used <= {number}",
                f"atomic {{ [{term()} - room <= 0] used := {term()} }}",
            )
        )

    body = " ".join(statement() for _ in range(rng.randint(3, 6)))
    first = "n := * in 0..1 k := 0 used := used + n" if rng.random() < 0.5 else "n := 1 k := used"
    return parse_program(START.format(f"{first} {body} assert used <= {rng.randint(1, 3)}"), "t.plip")


def _differs(seed: int) -> bool | None:
    program = _random(seed)
    return differs(program, summed(program))


def test_a_program_does_what_it_did() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 4


def _not_anew(self: module._Sum) -> Iterator[Step]:
    """A sum is made of what an earlier test has read."""
    yield Assign(self.cell, self.term)


def _always(self: module._Template, step: Assign, one: module._Sum) -> Iterator[tuple[Step, ...]]:
    """What is assigned is made of what the test has read."""
    yield (Assign(step.target, variable(one.cell)),)


DEFECTS: dict[str, tuple[str, Callable[..., object]]] = {
    "globals-are-not-read-anew": ("_Sum.set", _not_anew),
    "others-do-not-write-in-between": ("_Template._ways", _always),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    target, wrong = DEFECTS[name]
    with patch(f"{module.__name__}.{target}", wrong):
        assert any(_differs(seed) for seed in range(ENOUGH))
