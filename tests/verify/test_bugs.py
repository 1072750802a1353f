"""Concurrency bugs of real programs, cut to their structure: found with a schedule that fails when it is run, and gone.

`bugs/NAME.c` is the program with the bug, `bugs/NAME_fixed.c` as it was fixed; `docs/real-bugs.md` tells of each. The
checks of a line marked `UNSAFE!` are refuted but for those that hold there for another reason; all that is not marked,
or marked `SAFE`, is proved; `UNKNOWN` is true, and not decided yet.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner

from duet.cli import cli
from tests.c.annotations import Expected, load
from tests.replay.programs import needs_compiler

FOLDER = Path(__file__).parent / "bugs"
FIXED = sorted(FOLDER.glob("*_fixed.c"))
BUGS = [path.with_name(path.name.replace("_fixed", "")) for path in FIXED]
PROVED = {"proved", "unreachable"}
SECONDS, BRIEF = 90, 60


def in_turn(paths: Sequence[Path]) -> list[ParameterSet]:
    """The programs as parameters of tests, those that take more than some seconds only with `--slow`."""
    marks = dict.fromkeys(("apache_mem_cache", "linux_n_hdlc", "pbzip2_queue"), pytest.mark.slow)
    return [pytest.param(path, marks=marks.get(path.stem.removesuffix("_fixed"), ()), id=path.stem) for path in paths]


def verified(path: Path, seconds: int, *more: str) -> list[dict[str, object]]:
    command = ["verify", *load(path).arguments, "--format", "json", "--timeout", str(seconds), *more, str(path)]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)["assertions"]
    return found


def test_every_bug_has_a_fix_and_a_paragraph() -> None:
    told = (Path(__file__).parents[2] / "docs" / "real-bugs.md").read_text(encoding="utf-8")
    assert sorted(FOLDER.glob("*.c")) == sorted((*BUGS, *FIXED))
    assert len(BUGS) >= 6
    for path in BUGS:
        assert f"## `{path.stem}`" in told
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", in_turn(FIXED))
def test_the_fix_is_proved(path: Path) -> None:
    found = verified(path, SECONDS)
    assert found
    assert not [item for item in found if item["status"] not in PROVED]
    assert set(load(path).lines(Expected.SAFE)) <= {item["line"] for item in found}


@needs_compiler
@pytest.mark.parametrize("path", in_turn(BUGS))
def test_the_bug_is_found_and_happens(path: Path, tmp_path: Path) -> None:
    program = load(path)
    found = verified(path, BRIEF, "--schedules", str(tmp_path))
    refuted = {item["line"] for item in found if item["status"] == "refuted"}
    assert refuted == set(program.lines(Expected.UNSAFE))
    assert all(item["confirmed"] == "exact" for item in found if item["status"] == "refuted")
    open_lines = {item["line"] for item in found if item["status"] not in (*PROVED, "refuted")}
    assert open_lines <= set(program.lines(Expected.UNKNOWN))
    schedules = sorted(tmp_path.glob("*.json"))
    assert len(schedules) >= len(refuted)
    for schedule in schedules:
        done = CliRunner().invoke(cli, ["replay", str(schedule)])
        assert done.exit_code == 0, done.output
        assert "failed again" in done.output
