"""Programs that a run cannot decide: with addresses that are numbers, unknown code, mutexes whose holders end."""

from pathlib import Path

import pytest

from duet.frontend.cells import targets
from tests.c.annotations import load
from tests.c.test_verdicts import analyze, imprecise, unsound

PROGRAMS = sorted(Path(__file__).with_name("not_run").glob("*.c"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_verdicts(path: Path) -> None:
    program = load(path)
    verdicts = analyze(program, "auto")
    assert not list(unsound(program, verdicts))
    assert not list(imprecise(program, verdicts))


def test_objects_are_where_the_model_has_them_only_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "_any_parts", targets._parts)
    program = load(PROGRAMS[0].with_name("by_number.c"))
    assert list(unsound(program, analyze(program, "auto")))
