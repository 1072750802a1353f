"""`--run`, `--schedules` and `duet replay` on the command line."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.replay import confirm
from tests.replay.programs import START, needs_compiler

pytestmark = needs_compiler
FLOAT = "float w;\nint main(void) { w = 1;\nassert(w > 2); return 0; }\n"
LOST = (
    "void *f(void *a) { x++; return 0; }\nint main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0);\n"
    "pthread_create(&t, 0, f, 0); pthread_join(s, 0); pthread_join(t, 0); assert(x == 2); return 0; }\n"
)


def verdicts(folder: Path, text: str, *given: str) -> list[dict[str, object]]:
    path = folder / "program.c"
    path.write_text(START + text, encoding="utf-8")
    result = CliRunner().invoke(cli, [*given, "--format", "json", str(path)])
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)["assertions"]
    return found


def test_what_fails_in_a_run_is_refuted_by_it(tmp_path: Path) -> None:
    (only,) = verdicts(tmp_path, FLOAT, "verify", "--run")
    assert (only["status"], only["confirmed"]) == ("refuted", "run")
    (only,) = verdicts(tmp_path, FLOAT, "verify")
    assert (only["status"], only["confirmed"]) == ("unproved", "")


def test_what_does_not_fail_stays_open(tmp_path: Path) -> None:
    (only,) = verdicts(tmp_path, FLOAT.replace("> 2", "< 2"), "analyze", "--run")
    assert only["status"] == "unproved"
    assert "did not fail in" in str(only["reason"])


def test_nothing_runs_that_nobody_asked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the program was run")

    monkeypatch.setattr(confirm, "replay", refuse)
    assert verdicts(tmp_path, FLOAT, "verify")


def test_two_checks_in_one_line_are_not_told_apart(tmp_path: Path) -> None:
    text = "float w;\nint main(void) { w = 1;\nassert(w < 2); assert(w > 2); return 0; }\n"
    for found in verdicts(tmp_path, text, "verify", "--run"):
        assert found["status"] == "unproved"
        assert "several checks" in str(found["reason"])


def test_kernel_code_is_not_run(tmp_path: Path) -> None:
    text = "#include <linux/module.h>\nstatic int n;\nstatic int up(void) { n = 1; BUG_ON(n); return 0; }\n"
    path = tmp_path / "driver.c"
    path.write_text(text + "module_init(up);\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--run", "--model", "linux", "--format", "json", str(path)])
    found = json.loads(result.stdout)["assertions"]
    assert ["kernel code" in item["reason"] for item in found if item["property"] == "assertion"] == [True]


def test_a_schedule_is_written_and_replayed(tmp_path: Path) -> None:
    verdicts(tmp_path, LOST, "verify", "--schedules", str(tmp_path / "found"))
    (schedule,) = (tmp_path / "found").iterdir()
    again = CliRunner().invoke(cli, ["replay", str(schedule)])
    assert again.exit_code == 0, again.output
    assert "failed again following the schedule" in again.stdout
    assert "> f#2" in again.stdout


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb not found")
def test_a_debugger_stops_where_the_check_fails(tmp_path: Path) -> None:
    verdicts(tmp_path, LOST, "verify", "--schedules", str(tmp_path / "found"))
    (schedule,) = (tmp_path / "found").iterdir()
    assert CliRunner().invoke(cli, ["replay", "--keep", str(tmp_path / "kept"), str(schedule)]).exit_code == 0
    command = ["gdb", "-batch", "-nx", "-x", "look.gdb", "program"]
    done = subprocess.run(command, cwd=tmp_path / "kept", capture_output=True, text=True, timeout=60, check=False)
    assert "__duet_failed" in done.stdout
    assert "program.c:9" in done.stdout


def test_a_failure_that_does_not_happen_again(tmp_path: Path) -> None:
    verdicts(tmp_path, FLOAT.replace("> 2", "< 2"), "verify", "--schedules", str(tmp_path / "found"))
    (schedule,) = (tmp_path / "found").iterdir()
    again = CliRunner().invoke(cli, ["replay", "--attempts", "10", str(schedule)])
    assert again.exit_code == 1
    assert "did not fail in 10 runs" in again.stdout


def test_a_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    assert CliRunner().invoke(cli, ["replay", str(path)]).exit_code == 2
    path.write_text("{}", encoding="utf-8")
    assert CliRunner().invoke(cli, ["replay", str(path)]).exit_code == 2
