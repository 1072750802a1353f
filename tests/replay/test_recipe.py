"""Schedule files: written and read again, about files that have not changed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from duet.errors import UsageError
from duet.replay.recipe import Recipe, read, recipe_of, render
from duet.result import Assertion, Check, Move, Run, RunStatus, Status
from tests.replay.programs import options

MOVES = (Move("main", "main", "a.c", 3, "x := 1", (("x", "1"),), "write"), Move("f#1", "f", "a.c", 4, "ask", given=-7))


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    path = tmp_path / "a.c"
    path.write_text("int x;\n", encoding="utf-8")
    check = Check(str(path), 3, 1, "f", "assertion", "x == 1")
    run = Run((str(path),), "", "", "", "entries", ("f",), RunStatus.COMPLETE)
    return recipe_of(run, options(), Assertion(check, Status.REFUTED, schedule=MOVES, confirmed="exact"))


def test_what_is_written_is_read(recipe: Recipe, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(render(recipe), encoding="utf-8")
    assert read(str(path)) == recipe
    assert recipe.entries == ("f",)


def test_files_that_have_changed_are_refused(recipe: Recipe, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(render(recipe), encoding="utf-8")
    (tmp_path / "a.c").write_text("int y;\n", encoding="utf-8")
    with pytest.raises(UsageError, match="have changed"):
        read(str(path))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "duet.schedule/1"}', '{"schema": "another"}'])
def test_what_is_no_schedule_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError):
        read(str(path))


def test_every_field_is_needed(recipe: Recipe, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    values = json.loads(render(recipe))
    for name in values:
        path.write_text(json.dumps({key: value for key, value in values.items() if key != name}), encoding="utf-8")
        with pytest.raises(UsageError):
            read(str(path))


def test_the_second_place_is_that_of_the_other_access(recipe: Recipe) -> None:
    assert recipe.other == ("", 0)
    assert replace(recipe, other=("a.c", 4)) != recipe
