"""`duet.toml` and `duet init`: what they give to the commands, what the command line gives instead, what is wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from duet.configuration import nearest, read
from tests.cli.conftest import Duet

PROGRAM = "#include <assert.h>\nint x; int main(void) { assert(x == 0); assert(x == 1); int a[2]; a[2] = 0; }\n"
WRONG = {
    "an unknown key": ('files = ["a.c"]\nspeed = 3\n', "duet.toml:2:1: error: unknown option 'speed'; there are "),
    "a value that does not fit": ("timeout = -1\n", "duet.toml:1:1: error: option 'timeout' must be a positive number"),
    "a name that is none": ('\nproperties = ["asertion"]\n', "duet.toml:2:1: error: option 'properties' is 'asertion'"),
    "what is not TOML": ("timeout = 1\nfiles = ]\n", "duet.toml:2:9: error: not TOML: "),
    "no such files": ('files = ["lib/*.c"]\n', "duet.toml:1:1: error: no file matches 'lib/*.c'"),
    "files and a database": (
        'files = ["a.c"]\ndatabase = "b.json"\n',
        "duet.toml:2:1: error: either 'files' or a 'database'",
    ),
    "a table": ("[limits]\ntimeout = 3\n", "duet.toml:1:1: error: unknown option 'limits'"),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory, the current one, with a program and a directory below."""
    (tmp_path / "a.c").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configured(project: Path, text: str) -> None:
    (project / "duet.toml").write_text(text, encoding="utf-8")


def test_files_and_options_come_from_it(duet: Duet, project: Path) -> None:
    configured(project, 'files = ["*.c"]\nproperties = ["array-bounds"]\ndomain = "interval"\nverify = false\n')
    report = json.loads(duet("analyze", "--format=json").out)
    assert report["input"]["files"] == ["a.c"]
    assert report["input"]["properties"] == ["array-bounds"]
    assert [check["property"] for check in report["assertions"]] == ["array-bounds"]


def test_the_command_line_wins(duet: Duet, project: Path) -> None:
    configured(project, 'files = ["a.c"]\nproperties = ["array-bounds"]\n')
    (project / "b.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    report = json.loads(duet("analyze", "b.c", "--properties=assertion", "--format=json").out)
    assert report["input"]["files"] == ["b.c"]
    assert report["input"]["properties"] == ["assertion"]


def test_files_of_the_command_line_are_not_joined_with_the_database(duet: Duet, project: Path) -> None:
    entry = {"directory": str(project), "file": "b.c", "arguments": ["cc", "-c", "b.c"]}
    (project / "db.json").write_text(json.dumps([entry]), encoding="utf-8")
    (project / "b.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    configured(project, 'database = "db.json"\n')
    assert json.loads(duet("analyze", "--format=json").out)["input"]["files"] == ["b.c"]
    assert json.loads(duet("analyze", "a.c", "--format=json").out)["input"]["files"] == ["a.c"]


def test_it_is_named_in_the_report(duet: Duet, project: Path) -> None:
    configured(project, 'files = ["a.c"]\nverify = false\n')
    assert duet("analyze").err.splitlines()[-1] == "configuration: duet.toml"


def test_the_nearest_one_above_is_taken(project: Path) -> None:
    configured(project, "")
    assert nearest(project / "below") == project / "duet.toml"


def test_its_paths_are_its_own(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configured(project, 'files = ["*.c"]\ninclude = ["below"]\n')
    monkeypatch.chdir(project / "below")
    found = read("../duet.toml")
    assert found.files == ("../a.c",)
    assert found.options["include_dirs"] == ("../below",)


def test_that_of_another_repository_is_not_taken(project: Path) -> None:
    configured(project, "")
    (project / "below" / ".git").mkdir()
    assert nearest(project / "below") is None


def test_another_one_can_be_named(duet: Duet, project: Path) -> None:
    (project / "other.toml").write_text('files = ["a.c"]\nproperties = ["array-bounds"]\n', encoding="utf-8")
    report = json.loads(duet("--config", "other.toml", "analyze", "--format=json").out)
    assert report["input"]["properties"] == ["array-bounds"]


def test_a_baseline_stands_in_it(duet: Duet, project: Path) -> None:
    duet("analyze", "a.c", "--format=json", "-o", "before.json")
    configured(project, 'files = ["a.c"]\nbaseline = "before.json"\n')
    assert duet("analyze").code == 0


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_an_error_with_a_place(duet: Duet, project: Path, what: str) -> None:
    text, message = WRONG[what]
    configured(project, text)
    done = duet("analyze", "a.c")
    assert done.code == 2
    assert done.err.startswith(message)


def test_what_needs_no_configuration_does_not_read_it(duet: Duet, project: Path) -> None:
    configured(project, "speed = 3\n")
    assert duet("doctor").code == 0


def test_a_draft_names_what_is_there_and_is_taken(duet: Duet, project: Path) -> None:
    assert duet("init").code == 0
    table = tomllib.loads((project / "duet.toml").read_text(encoding="utf-8"))
    assert table["files"] == ["*.c"]
    assert json.loads(duet("analyze", "--format=json").out)["input"]["files"] == ["a.c"]


def test_every_key_of_a_draft_is_one(duet: Duet, project: Path) -> None:
    assert duet("init").code == 0
    lines = (project / "duet.toml").read_text(encoding="utf-8").splitlines()
    chosen = [line.removeprefix("# ") for line in lines if " = " in line]
    left_out = (
        "files",
        "database",
        "only",
        "model",
        "entries",
        "parameterized",
        "include",
        "baseline",
    )  # need more than is there
    configured(project, "\n".join(line for line in chosen if not line.startswith(left_out)) + '\nfiles = ["a.c"]\n')
    assert duet("analyze").code == 1


def test_a_draft_of_a_driver_names_it(duet: Duet, project: Path) -> None:
    (project / "a.c").write_text("#include <linux/module.h>\n", encoding="utf-8")
    (project / "b.c").write_text("int b;\n", encoding="utf-8")
    assert duet("init").code == 0
    assert tomllib.loads((project / "duet.toml").read_text(encoding="utf-8"))["files"] == ["a.c"]


def test_a_draft_replaces_nothing(duet: Duet, project: Path) -> None:
    configured(project, "# mine\n")
    done = duet("init")
    assert done.code == 2
    assert "duet.toml is there already" in done.err
    assert (project / "duet.toml").read_text(encoding="utf-8") == "# mine\n"


def test_a_draft_takes_several_programs_for_what_they_are(duet: Duet, project: Path) -> None:
    (project / "b.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (project / "c.c").write_text("int main (int n, char **v) { return n; }\n", encoding="utf-8")
    (project / "a.c").write_text("int a;\n", encoding="utf-8")
    assert duet("init").code == 0
    text = (project / "duet.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["files"] == ["b.c"]
    assert "b.c, c.c" in text


def test_a_draft_asks_for_races_also_where_something_is_asserted(duet: Duet, project: Path) -> None:
    text = "#include <assert.h>\n#include <pthread.h>\nint n; static void *t(void *p) { n++; return p; }\n"
    main = "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); n++; assert(1); return 0; }\n"
    (project / "a.c").write_text(text + main, encoding="utf-8")
    assert duet("init").code == 0
    assert "data-race" in duet("analyze").out
