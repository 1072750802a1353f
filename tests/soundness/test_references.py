"""Programs with the ghosts of counts of references have the same executions: random ones, against the semantics."""

from __future__ import annotations

import pytest

from duet.frontend.judgments import references, shared_out
from duet.frontend.judgments.holders import with_references
from duet.frontend.judgments.reference_steps import Run
from duet.plip.semantics import Limits
from tests.soundness.executions import seen
from tests.soundness.references import reference_program

COUNT = 300
LIMITS = Limits(threads=4, states=60_000)


def _differs(seed: int) -> bool | None:
    """Whether a random program has other executions with its ghosts; None where it has no references."""
    program = reference_program(seed)
    told, _ = with_references(program)
    if told is program:
        return None
    before, after = (seen(it, program.cells, LIMITS) for it in (program, told))
    if before is None or after is None:
        return None
    entries = {template.entry for template in program.templates.values()}
    return any(before[location] != after.get(location) for location in before.keys() - entries)


def test_ghosts_change_no_execution() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 40


def _finds(*seeds: int) -> bool:
    return any(_differs(seed) for seed in seeds)


def test_a_lock_that_is_none_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: what some take for a lock is one that all have who change the counter."""
    monkeypatch.setattr(references._Search, "note", lambda *_: None)
    assert _finds(29, 49)


def test_references_out_of_nothing_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: a thread that is started costs nobody a reference."""
    monkeypatch.setattr(Run, "_started", lambda *_: None)
    assert _finds(10, 16)


def test_a_weaker_bound_that_is_not_kept_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: where ways meet, what one of them knows by its own cells is known."""
    monkeypatch.setattr(shared_out, "common", lambda before, _: before)
    assert _finds(292, 308)
