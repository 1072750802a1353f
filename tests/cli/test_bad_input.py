"""Bad input and bad luck: a clear message, the documented exit code, no traceback, no file left behind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Duet, FakeSouffle
from tests.cli.processes import has_ended


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["analyze"], "Missing argument 'FILE...'"),
        (["analyze", "x.c", "--domain", "ellipsoids"], "'ellipsoids' is not one of 'interval', 'octagon', 'polyhedra'"),
        (["analyze", "x.c", "--engine=z3"], "'z3' is not one of"),
        (["analyze", "x.c", "--numeric=ppl"], "'ppl' is not one of"),
        (["analyze", "x.c", "--format=xml"], "'xml' is not one of"),
        (["analyze", "x.c", "--model=windows"], "'windows' is not 'linux'"),
        (["analyze", "x.c", "--descriptors=none"], "'none' is not one of"),
        (["analyze", "x.c", "--properties", "assertion,liveness"], "'liveness' is not one of assertion"),
        (["analyze", "x.c", "--properties", ","], "an empty list"),
        (["analyze", "x.c", "--timeout", "0"], "0.0 is not in the range x>0"),
        (["analyze", "x.c", "--timeout", "soon"], "'soon' is not a valid float"),
        (["analyze", "x.c", "--memory", "-1"], "-1 is not in the range x>=1"),
        (["analyze", "x.c", "--harness", "h.c"], "--harness needs --model linux"),
        (["analyze", "x.c", "--unknown-functions=all"], "'all' is not one of 'arguments', 'externals'"),
        (["analyze", "x.c", "--unknown-functions=externals", "--model=linux"], "is not for --model linux"),
        (["analyze", "x.c", "--fast"], "No such option"),
        (["show", "ast", "x.c"], "'ast' is not one of"),
        (["show", "plip", "x.plip"], "cannot read this file: No such file or directory"),
        (["show", "plip", "x.plip", "--dot"], "--dot is for cfg, dfg and interference"),
        (["prove", "x.c"], "No such command 'prove'"),
    ],
)
def test_unknown_arguments(duet: Duet, arguments: list[str], message: str) -> None:
    done = duet(*arguments)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.c", None, "missing.c:1:1: error: no such file"),
        ("missing.plip", None, "missing.plip:1:1: error: cannot read this file: No such file or directory"),
        ("bad.plip", "global x = = 0", "bad.plip:1:12: error: "),
        ("notes.c", "Dear all,\nthis is not C.\n", "notes.c:1:"),
        ("binary.c", "\0\1\2\377" * 64, "binary.c:1:"),
        ("open.c", "int main(void) { return 0;\n", "open.c:"),
        ("include.c", '#include "gone.h"\nint main(void) { return 0; }\n', "include.c:1:"),
        ("empty.c", "", "empty.c:"),
        ("library.c", "int add(int a, int b) { return a + b; }\n", "--entries"),
        ("deep.c", f"int main(void) {{ return {'(' * 20_000}1{')' * 20_000}; }}\n", "deep.c:1:"),
        ("blocks.c", f"int main(void) {{ {'{' * 20_000}{'}' * 20_000} return 0; }}\n", "blocks.c:1:"),
        ("blocks.plip", f"thread main {{ {'while (*) {' * 20_000}{'}' * 20_000} }}\n", "blocks.plip:1:"),
    ],
)
def test_unreadable_input(duet: Duet, tmp_path: Path, name: str, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="latin-1")
    before = sorted(tmp_path.iterdir())
    done = duet("analyze", name, "--format", "json", "--html", "report.html")
    assert done.code == 2
    assert "error: " in done.err
    assert message in done.err
    assert len(done.err) < 2000
    assert json.loads(done.out)["status"] == "error"
    assert sorted(tmp_path.iterdir()) == before


def test_directory_is_no_input(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "folder.c").mkdir()
    done = duet("analyze", "folder.c")
    assert done.code == 2
    assert "folder.c:1:1: error: " in done.err


def test_files_that_do_not_go_together(duet: Duet, locked: str) -> None:
    done = duet("analyze", locked, locked)
    assert done.code == 2
    assert "a .plip file is a whole program" in done.err
    drivers = duet("analyze", "a.c", "b.c", "--model", "linux")
    assert drivers.code == 2
    assert "of several files needs the kernel's own headers" in drivers.err


def test_entry_that_does_not_exist(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f(void) { }\n", encoding="utf-8")
    done = duet("analyze", "a.c", "--entries", "g")
    assert done.code == 2
    assert "'g'" in done.err or " g" in done.err


def test_no_check_is_safe(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.plip").write_text("thread main { skip }", encoding="utf-8")
    done = duet("analyze", "a.plip")
    assert done.code == 0
    assert done.out.startswith("a.plip: no checks in ")


@pytest.mark.parametrize(
    ("script", "tells_version", "message"),
    [
        ("echo 'no space' >&2; exit 3", True, "souffle failed with exit code 3"),
        ("kill -SEGV $$", True, "souffle failed"),
        ("exit 0", True, "souffle"),
        ("echo nonsense", False, "souffle does not tell its version"),
        ("exit 127", False, "souffle failed with exit code 127"),
    ],
)
def test_engine_that_breaks(
    duet: Duet, locked: str, souffle: FakeSouffle, script: str, tells_version: bool, message: str
) -> None:
    souffle.does(script, tells_version)
    done = duet("analyze", locked, "--engine", "souffle", "--format", "json", env=souffle.env)
    assert done.code == 4
    assert message in done.err
    report = json.loads(done.out)
    assert report["status"] == "error"
    assert report["summary"]["proved"] == 0


def test_engine_that_hangs_is_ended_at_the_limit(duet: Duet, locked: str, souffle: FakeSouffle, tmp_path: Path) -> None:
    souffle.does(f"echo $$ > {tmp_path}/pid\nexec sleep 1000")
    arguments = ("analyze", locked, "--engine", "souffle", "--format", "json", "--timeout", "2")
    done = duet(*arguments, env=souffle.env)
    assert done.code == 3
    report = json.loads(done.out)
    assert report["status"] == "timeout"
    assert [entry["status"] for entry in report["assertions"]] == ["unknown", "unknown"]
    assert has_ended(int((tmp_path / "pid").read_text()))


def test_engine_that_is_not_there(duet: Duet, locked: str, tmp_path: Path) -> None:
    done = duet("analyze", locked, "--engine", "souffle", env={**os.environ, "PATH": str(tmp_path)})
    assert done.code == 2
    assert "souffle is not on PATH" in done.err


def test_memory_limit(duet: Duet, locked: str) -> None:
    done = duet("analyze", locked, "--memory", "5", "--format", "json")
    assert done.code == 3
    assert json.loads(done.out)["status"] == "out-of-memory"


def test_unfinished_run_says_so_as_text(duet: Duet, locked: str) -> None:
    done = duet("analyze", locked, "--memory", "5")
    assert done.code == 3
    assert "not finished: out-of-memory, the memory limit of 5 MiB was reached" in done.out


@pytest.mark.parametrize("option", [["-o"], ["--html"]])
def test_report_on_a_full_device(duet: Duet, locked: str, option: list[str]) -> None:
    done = duet("analyze", locked, *option, "/dev/full")
    assert done.code == 2
    assert "cannot write /dev/full: No space left on device" in done.err


def test_debug_shows_the_traceback(duet: Duet) -> None:
    assert "Traceback" not in duet("analyze", "missing.plip").err
    assert "Traceback" in duet("analyze", "missing.plip", "--debug", traceback=True).err


@pytest.mark.parametrize("limit", [[], ["--timeout", "100"]])
def test_bug_in_the_analysis_is_one_line(
    duet: Duet, locked: str, limit: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("what\nnow")

    monkeypatch.setattr("duet.pipeline.analyse", broken)
    done = duet("analyze", locked, "--format", "json", *limit)
    assert done.code == 4
    assert done.err.startswith("duet: internal error: KeyError: ")
    assert "please report it" in done.err
    assert done.err.count("\n") == 1
    report = json.loads(done.out)
    assert report["status"] == "error"
    assert [entry["status"] for entry in report["assertions"]] == ["unknown", "unknown"]
