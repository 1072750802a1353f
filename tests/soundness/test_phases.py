"""Programs with the ghosts of their barriers have the same executions: random ones, against the semantics."""

from __future__ import annotations

import pytest

from duet.frontend.judgments import phases
from duet.frontend.judgments.phases import with_phases
from duet.plip.semantics import Limits
from duet.plip.syntax import Instruction
from duet.plip.touched import writes
from tests.soundness.executions import seen
from tests.soundness.phases import barrier_program

COUNT = 150
LIMITS = Limits(threads=4, states=60_000)
KEPT = (162, 302, 438)
"""Seeds of programs in which one thread tells the others to go though not all wait."""


def _differs(seed: int) -> bool | None:
    """Whether a random program has other executions with its ghost; None where it gets none."""
    program = barrier_program(seed)
    told = with_phases(program)
    if told is program:
        return None
    before, after = (seen(it, program.cells, LIMITS) for it in (program, told))
    assert before is not None
    assert after is not None
    return before != after


def test_ghosts_change_no_execution() -> None:
    answers = [_differs(seed) for seed in (*range(COUNT), *KEPT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 20


def test_a_step_that_is_not_looked_at_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: who comes last need not find that all others wait."""
    original = phases._move

    def wrong(instruction: Instruction, barrier: phases._Barrier, template: str) -> phases._Move | None:
        found = original(instruction, barrier, template)
        others = {cell for member, cell in barrier.arrivals.items() if member != template}
        is_told = writes(instruction) == others
        return phases._Move.OPEN if found is None and is_told else found

    monkeypatch.setattr(phases, "_move", wrong)
    assert any(_differs(seed) for seed in KEPT)


def test_nor_one_by_which_ways_to_a_location_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: how often a thread has passed counts, whichever way it has come."""
    monkeypatch.setattr(phases, "gcd", lambda one, _: one)
    assert any(_differs(seed) for seed in range(COUNT))
