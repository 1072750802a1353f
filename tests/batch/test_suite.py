"""Suites as directories and TOML sets: what they give, and errors with a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.batch.suite import load
from duet.batch.task import Published, Task
from duet.errors import DuetError
from duet.options import LINUX_PROPERTIES
from tests.batch.conftest import make_suite

SETS = Path(__file__).parents[2] / "drivers-bench" / "sets"
SET = """
title = "A set"
root = "src"
files = ["*.c", "deep/**/*.plip"]
published = "somebody"
published_total = { checks = 9, proved = { interval = 8 } }

[options]
model = "linux"
domain = "octagon"
include = ["inc"]

[[task]]
file = "a.c"
expected = true
note = "the first"
published = { checks = 5, proved = { interval = 3, octagon = 4 } }
options = { domain = "interval", define = ["X=1"], timeout = 2.5 }

[[task]]
name = "a with races"
file = "a.c"
options = { properties = ["data-race"], harness = "own.h" }

[[task]]
file = "gone.c"
skip = "it is gone"
"""


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = dict.fromkeys(("src/a.c", "src/b.c", "src/b.txt", "src/deep/x/c.plip", "src/deep/d.i", "src/.git/x.c"), "")
    return make_suite(tmp_path, {**files, "s.toml": SET})


def _tasks(path: str, **given: str | int) -> dict[str, Task]:
    return {task.name: task for task in load(path, {"timeout": 9.0}, given).tasks}


def test_directory_has_every_file_that_can_be_analysed(directory: Path) -> None:
    found = load("src", {"timeout": 9.0}, {"memory": 77})
    assert found.title == "src"
    assert [task.name for task in found.tasks] == ["a.c", "b.c", "deep/d.i", "deep/x/c.plip"]
    assert [task.files for task in found.tasks][2] == ("src/deep/d.i",)
    assert {(task.analysis.timeout, task.analysis.memory) for task in found.tasks} == {(9.0, 77)}


def test_set_lists_and_refines_tasks(directory: Path) -> None:
    tasks = _tasks("s.toml")
    assert list(tasks) == ["a.c", "b.c", "deep/x/c.plip", "a with races", "gone.c"]
    assert tasks["a.c"].files == ("src/a.c",)
    assert tasks["a.c"].expected is True
    assert tasks["b.c"].expected is None
    assert tasks["a.c"].published == Published(5, (("interval", 3), ("octagon", 4)))
    assert tasks["a.c"].note == "the first"
    assert tasks["gone.c"].skipped == "it is gone"
    found = load("s.toml", {}, {})
    assert (found.title, found.published) == ("A set", "somebody")
    assert found.published_total == Published(9, (("interval", 8),))


def test_nearer_options_win(directory: Path) -> None:
    tasks = _tasks("s.toml")
    assert [tasks[name].analysis.domain for name in ("a.c", "b.c")] == ["interval", "octagon"]
    assert [tasks[name].analysis.timeout for name in ("a.c", "b.c")] == [2.5, 9.0]
    assert tasks["a.c"].frontend.defines == ("X=1",)
    assert tasks["a.c"].frontend.include_dirs == ("inc",)
    assert tasks["b.c"].frontend.properties == LINUX_PROPERTIES
    assert tasks["a with races"].frontend.properties == ("data-race",)
    assert tasks["a with races"].frontend.harness == "own.h"
    given = _tasks("s.toml", domain="auto", timeout=1)
    assert {(task.analysis.domain, task.analysis.timeout) for task in given.values()} == {("auto", 1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = =", "s.toml:1:9: error: not TOML"),
        ("tilte = 'x'", "s.toml:1:1: error: unknown key 'tilte'; there are title"),
        ("title = 3", "s.toml:1:1: error: 'title' must be a string"),
        ("files = 'a.c'", "'files' must be a list of strings"),
        ("files = ['/a.c']", "'files' has a pattern that cannot be used"),
        ("\n[options]\ndomian = 'auto'", "s.toml:2:1: error: unknown option 'domian'"),
        ("[options]\ndomain = 'simplices'", "'simplices', which is not one of interval"),
        ("[options]\nproperties = ['assertion', 'x']", "'x', which is not one of"),
        ("[options]\ntimeout = -1", "'timeout' must be a positive number of seconds"),
        ("[options]\nmemory = 1.5", "'memory' must be a positive whole number"),
        ("[options]\nparameterized = 1", "'parameterized' must be true or false"),
        ("[options]\nentries = 'f'", "'entries' must be a list of strings"),
        ("[[task]]\nfile = 'a.c'\n\n[[task]]\nnote = 'x'", "s.toml:4:1: error: a task needs a 'file'"),
        ("[[task]]\nfile = 'a.c'\n[[task]]\nfile = 'a.c'", "s.toml:3:1: error: a second task 'a.c'"),
        ("[[task]]\nfile = 'a.c'\nexpected = 'true'", "'expected' must be true (every check holds) or false"),
        ("[[task]]\nfile = 'a.c'\npublished = { checks = 'x' }", "'published' needs 'checks' and 'proved'"),
        ("[[task]]\nfile = 'a.c'\noptions = { harness = 'h' }", "s.toml:1:1: error: a harness needs the model"),
        ("task = 3", "'task' must be tables"),
        ("title = 'x'", "s.toml: no tasks in this suite"),
        ("hint = 'get it'\n[[task]]\nfile = 'a.c'", "none of the files is in .: get it"),
    ],
)
def test_errors_have_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DuetError) as caught:
        load("s.toml", {}, {})
    assert caught.value.exit_code == 2
    assert message in str(caught.value)


def test_set_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(b"\xff\xff")
    with pytest.raises(DuetError, match="it is not UTF-8 text"):
        load(str(tmp_path / "s.toml"), {}, {})


def test_published_table_is_whole() -> None:
    text = (SETS / "table31.toml").read_text(encoding="utf-8").replace("hint =", "# hint =")
    found = load(str(SETS / "table31.toml"), {}, {}) if (SETS.parent / "cache" / "nv_tco.c").is_file() else None
    numbers = [line for line in text.splitlines() if line.startswith("published = {")]
    assert len(numbers) == 15
    if found is None:
        pytest.skip("the drivers are not here: drivers-bench/fetch gets them")
    published = [task.published for task in found.tasks if task.published]
    assert sum(numbers.checks for numbers in published) == 1597
    assert sum(dict(numbers.proved)["interval"] for numbers in published) == 1312
    assert found.published_total == Published(1597, (("interval", 1312), ("octagon", 1277)))


def test_example_in_the_documentation(tmp_path: Path) -> None:
    page = (SETS.parents[1] / "docs" / "batch.md").read_text(encoding="utf-8")
    text = page.split("```toml\n")[1].split("```")[0]
    make_suite(tmp_path, {"sets/s.toml": text, "drivers/wdt.c": ""})
    tasks = _tasks(str(tmp_path / "sets" / "s.toml"))
    assert list(tasks) == ["wdt.c", "wdt, private"]
    assert tasks["wdt, private"].frontend.descriptors == "private"


def test_own_drivers_are_all_in_their_set() -> None:
    names = [task.name for task in load(str(SETS / "own.toml"), {}, {}).tasks]
    assert names == sorted(path.name for path in (SETS.parent / "drivers").glob("*.c"))
    assert names
