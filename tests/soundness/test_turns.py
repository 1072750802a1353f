"""Programs with the ghosts of locks that two threads make of flags have the same executions: random ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest

from duet.frontend.judgments import taking_turns
from duet.frontend.judgments.taking_turns import with_turns
from duet.plip.semantics import Limits
from duet.plip.syntax import Formula, Or
from tests.soundness.executions import seen
from tests.soundness.turns import turns_program

COUNT = 300
ENOUGH = 1000
LIMITS = Limits(threads=3, states=60_000, value=4)


def _differs(seed: int) -> bool | None:
    """Whether a random program has other executions with its ghosts; None where it has none."""
    program = turns_program(seed)
    told = with_turns(program)
    if told is program:
        return None
    before, after = (seen(it, program.cells, LIMITS) for it in (program, told))
    assert before is not None
    assert after is not None
    return before != after


def test_ghosts_change_no_execution() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 10


TOGETHER = taking_turns._Two._together


IS_FALSE = taking_turns._is_false


def _any_part(condition: Formula, known: Mapping[str, int]) -> bool:
    """Wrong: what may be one of two ways is false if one of them is."""
    parts = condition.parts if isinstance(condition, Or) else (condition,)
    return any(IS_FALSE(part, known) for part in parts)


def _without_the_end(self: Any, flags: tuple[str, ...]) -> set[tuple[int, int]]:
    """Wrong: pairs are forgotten in which one is about to leave."""
    ends = {self.program.templates[self.one].exit}
    last = {it.source for it in self.program.commands if it.target in ends}
    return {pair for pair in TOGETHER(self, flags) if pair[0] not in last}


def _of_nobody(_self: Any) -> tuple[str, ...]:
    """Wrong: what others do to flags does not count."""
    return ("a", "b", "turn")


DEFECTS = {
    "any-part-decides": ("_is_false", _any_part),
    "who-leaves-is-away": ("_Two._together", _without_the_end),
    "nobody-else-sets-flags": ("_Two._shared", _of_nobody),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    target, wrong = DEFECTS[name]
    with patch(f"{taking_turns.__name__}.{target}", wrong):
        assert any(_differs(seed) for seed in range(ENOUGH))
