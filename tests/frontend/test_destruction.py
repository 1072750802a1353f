"""A lock that is destroyed keeps nobody out: what is proved of it without asking, by seeded defects, is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import duet.frontend.judgments.destruction as judgment
from duet.cli import cli
from duet.frontend.models import barriers, destruction, locks, semaphores
from tests.c.annotations import ROOT, load
from tests.c.test_verdicts import analyze, unsound

Defect = Callable[[pytest.MonkeyPatch], None]


def _never_asked(patch: pytest.MonkeyPatch) -> None:
    for module in (locks, destruction, semaphores):
        patch.setattr(module, "may_be_destroyed", lambda *_: False)


def _any_way_joins(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(judgment, "_passing", lambda _, ways: lambda _: bool(ways))


def _nothing_is_used_behind(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(judgment, "_used_behind", lambda _, places: dict.fromkeys(places, frozenset()))


def _barriers_have_always_begun(patch: pytest.MonkeyPatch) -> None:
    def perform(*given: object, **more: object) -> object:
        return locks.perform(*given, **{**more, "is_begun": True})  # type: ignore[arg-type]

    patch.setattr(barriers, "perform", perform)


def _conditions_are_there(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(destruction, "missed", lambda *_: None)


@pytest.mark.parametrize(
    ("defect", "program"),
    [
        *((_never_asked, name) for name in ("used_after", "started_again", "others")),
        (_any_way_joins, "joined_sometimes"),
        (_nothing_is_used_behind, "results"),
        (_barriers_have_always_begun, "barrier"),
        (_conditions_are_there, "condition"),
    ],
)
def test_seeded_defects_are_caught(defect: Defect, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    annotated = load(ROOT / "destroyed" / f"{program}.c")
    assert not list(unsound(annotated, analyze(annotated, "auto")))
    defect(monkeypatch)
    assert list(unsound(annotated, analyze(annotated, "auto")))


def test_what_a_loop_joins_is_an_assumption() -> None:
    assert judgment.JOINED_IN_LOOPS in _assumptions(ROOT / "destroyed" / "joined_in_a_loop.c")
    assert judgment.JOINED_IN_LOOPS not in _assumptions(ROOT / "destroyed" / "joined.c")


def _assumptions(path: Path) -> str:
    report = json.loads(CliRunner().invoke(cli, ["analyze", "--no-verify", str(path), "--format=json"]).stdout)
    return "\n".join(report["assumptions"])
