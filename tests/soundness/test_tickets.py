"""Programs with the ghosts of their ticket locks have the same executions: random ones, against the semantics."""

from __future__ import annotations

import pytest

from duet.frontend.judgments import tickets
from duet.frontend.judgments.tickets import Phase, with_served
from duet.plip.semantics import Limits
from tests.soundness.executions import seen
from tests.soundness.tickets import ticket_program

COUNT = 400
CROWDS = 60
LIMITS = Limits(threads=3, states=60_000)
KEPT = (671, 6864, 11695)
"""Seeds of programs in which one thread serves the number behind the next one."""


def _differs(seed: int, *, is_crowd: bool = False, is_plain: bool = False) -> bool | None:
    """Whether a random program has other executions with its ghosts; None where it has no ticket lock."""
    program = ticket_program(seed, is_crowd=is_crowd, is_plain=is_plain)
    told, _ = with_served(program)
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


def test_nor_where_the_number_that_is_served_does_not_start_over() -> None:
    answers = [_differs(seed, is_plain=True) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 20


def test_nor_with_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of which there are two at a time here, and four numbers."""
    monkeypatch.setattr(tickets, "THREADS", 1)
    answers = [_differs(seed, is_crowd=True) for seed in range(CROWDS)]
    assert True not in answers
    assert answers.count(False) > CROWDS // 20


def test_a_number_that_is_left_out_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: a cell with the number behind the own one counts as that, raised once more, too."""

    def wrong(self: tickets._Run, source: str | None, what: tickets._Source) -> None:
        is_later = source in self.known.later or (what is tickets._Source.NEXT and self._is_mine(source))
        self.is_refused |= self.is_drawn or not is_later or self.known.phase is not Phase.SERVED
        self.known = tickets._Known()

    monkeypatch.setattr(tickets._Run, "_serve", wrong)
    assert any(_differs(seed) for seed in KEPT)
