"""`duet batch` as users run it: what is written, what is printed, exit codes."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import jsonschema
import psutil
import pytest

from tests.batch.conftest import BROKEN, SAFE, make_suite, manifest
from tests.cli.conftest import LOCKED, Duet, FakeSouffle

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "result.schema.json").read_text(encoding="utf-8"))


def test_every_task_has_its_reports(duet: Duet, suite: Path, tmp_path: Path) -> None:
    done = duet("batch", "suite", "-o", "out", "-j", "2")
    assert done.code == 2
    out = tmp_path / "out"
    stems = [path.stem for path in out.glob("*.json")]
    assert len(stems) == 3
    for stem in stems:
        jsonschema.validate(json.loads((out / f"{stem}.json").read_text(encoding="utf-8")), SCHEMA)
        assert (out / f"{stem}.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert {"index.html", "results.csv", "junit.xml"} <= {path.name for path in out.iterdir()}
    assert set(manifest(out)) == {"broken.plip", "open.plip", "sub/safe.plip"}


def test_lines_tell_how_each_task_ended(duet: Duet, suite: Path) -> None:
    done = duet("batch", "suite", "-j", "1")
    first, second, third = done.err.splitlines()
    assert first.startswith("[1/3] broken.plip: error after ")
    assert "suite/broken.plip:1:14: error: expected an instruction" in first
    assert second.startswith("[2/3] open.plip: 1 proved, 1 refuted in ")
    assert third.startswith("[3/3] sub/safe.plip: 1 proved in ")
    assert "\033" not in done.err
    assert done.out.splitlines()[0] == "suite: 3 tasks: 1 all proved, 1 refuted, 1 error"
    assert "checks: 3, safe: 2 (66.7%)" in done.out


@pytest.mark.parametrize(
    ("tasks", "code"),
    [
        ({"safe.plip": SAFE}, 0),
        ({"safe.plip": SAFE, "open.plip": LOCKED}, 1),
        ({"safe.plip": SAFE, "open.plip": LOCKED, "broken.plip": BROKEN}, 2),
    ],
)
def test_exit_code_is_the_worst(duet: Duet, tmp_path: Path, tasks: dict[str, str], code: int) -> None:
    make_suite(tmp_path / "tasks", tasks)
    assert duet("batch", "tasks").code == code
    assert duet("batch", "tasks", "--exit-zero", "--resume").code == (0 if code == 1 else code)


def test_wrong_proof_is_an_internal_error(duet: Duet, tmp_path: Path) -> None:
    make_suite(tmp_path, {"safe.plip": SAFE})
    (tmp_path / "set.toml").write_text('[[task]]\nfile = "safe.plip"\nexpected = false\n', encoding="utf-8")
    done = duet("batch", "set.toml", "-o", "out")
    assert done.code == 4
    assert "unsound: proved, but it does not hold" in done.err
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert 'class="banner" role="alert"' in page
    assert 'class="unsound"' in page


def test_options_reach_the_tasks(duet: Duet, suite: Path, tmp_path: Path) -> None:
    duet("batch", "suite", "-o", "out", "--domain", "octagon", "--engine", "bitset", "--numeric=own")
    report = json.loads((tmp_path / "out" / "open.plip.json").read_text(encoding="utf-8"))
    assert report["input"]["domain"].split("+")[0] == "octagon"
    assert report["input"]["engine"].startswith("bitset")
    assert report["input"]["numeric"].startswith("own")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: no such directory or file"),
        (["suite/open.plip"], "a suite is a directory, a .toml set or a .yml task definition"),
        (["empty"], "empty: no tasks in this suite"),
        (["suite", "-j", "0"], "0 is not in the range"),
        (["suite", "--properties", "liveness"], "'liveness' is not one of"),
        (["suite", "-o", "suite/open.plip"], "cannot write to suite/open.plip"),
    ],
)
def test_bad_usage(duet: Duet, suite: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty").mkdir()
    done = duet("batch", *arguments)
    assert done.code == 2
    assert message in done.err


def test_task_beyond_its_time(duet: Duet, suite: Path, souffle: FakeSouffle, tmp_path: Path) -> None:
    souffle.does("exec sleep 1000")
    arguments = ["batch", "suite", "-o", "out", "--engine", "souffle", "-j", "3"]
    done = duet(*arguments, "--timeout", "0.6", env=souffle.env)
    assert done.code == 3
    statuses = {name: entry["status"] for name, entry in manifest(tmp_path / "out").items()}
    assert statuses == {"broken.plip": "error", "open.plip": "timeout", "sub/safe.plip": "timeout"}
    report = json.loads((tmp_path / "out" / "open.plip.json").read_text(encoding="utf-8"))
    assert [entry["status"] for entry in report["assertions"]] == ["unknown", "unknown"]

    souffle.does("exit 1")
    assert "timeout" in duet(*arguments, "--timeout", "0.5", "--resume", env=souffle.env).err
    longer = duet(*arguments, "--timeout", "60", "--resume", env=souffle.env)
    assert longer.code == 4
    assert longer.err.count("from before") == 1


def test_task_beyond_its_memory(duet: Duet, suite: Path, tmp_path: Path) -> None:
    assert duet("batch", "suite", "-o", "out", "--memory", "2").code == 3
    assert {entry["status"] for entry in manifest(tmp_path / "out").values()} == {"out-of-memory"}
    again = duet("batch", "suite", "-o", "out", "--memory", "4000", "--resume")
    assert again.code == 2
    assert "from before" not in again.err


def test_task_that_crashes_is_alone(duet: Duet, tmp_path: Path, souffle: FakeSouffle) -> None:
    """The analysis of a task, and then the worker above it, are killed by a signal."""
    make_suite(tmp_path / "suite", {"broken.plip": BROKEN, "open.plip": LOCKED, "safe.plip": SAFE})
    for victim, status in (("$PPID", "error"), ('$(ps -o ppid= -p "$PPID")', "error")):
        souffle.does(f"kill -USR1 {victim}")
        done = duet("batch", "suite", "-o", "out", "--engine", "souffle", "-j", "2", env=souffle.env)
        assert done.code == 4
        assert {entry["status"] for entry in manifest(tmp_path / "out").values()} == {status}
        assert done.err.count("broken.plip:1:14: error: expected an instruction") == 1
        assert done.err.count("process") == 2


def test_interrupt_ends_everything_and_keeps_what_is_done(duet: Duet, tmp_path: Path, souffle: FakeSouffle) -> None:
    make_suite(tmp_path / "suite", {"a.plip": BROKEN, "b.plip": LOCKED, "c.plip": SAFE})
    os.mkfifo(tmp_path / "started")
    souffle.does(f"echo > {tmp_path}/started\nexec sleep 1000")
    with subprocess.Popen(
        [sys.executable, "-m", "duet", "batch", "suite", "-o", "out", "-j", "1", "--engine", "souffle"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=souffle.env,
        start_new_session=True,
    ) as process:  # fmt: skip
        (tmp_path / "started").read_text()  # returns when the engine runs
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 3  # worker, analysis, engine
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    lines = err.strip().splitlines()
    assert lines[0].startswith("[1/3] a.plip: error after ")
    assert lines[1:] == ["interrupted; the results so far are in out, --resume goes on"]
    assert psutil.wait_procs(children, timeout=10)[1] == []
    assert set(manifest(tmp_path / "out")) == {"a.plip"}
    with (tmp_path / "out" / "results.csv").open(encoding="utf-8", newline="") as file:
        assert [row["status"] for row in csv.DictReader(file)] == ["error", "not run", "not run"]
    junit = Xml.parse(tmp_path / "out" / "junit.xml").getroot()
    assert (junit.get("errors"), junit.get("skipped")) == ("1", "2")


def test_analyses_end_with_a_batch_that_is_killed(duet: Duet, tmp_path: Path, souffle: FakeSouffle) -> None:
    make_suite(tmp_path / "suite", {"b.plip": LOCKED})
    os.mkfifo(tmp_path / "started")
    souffle.does(f"echo > {tmp_path}/started\nexec sleep 1000")
    with subprocess.Popen(
        [sys.executable, "-m", "duet", "batch", "suite", "--engine", "souffle"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path, env=souffle.env,
    ) as process:  # fmt: skip
        (tmp_path / "started").read_text()
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    engines = [child for child in children if child.name() in ("souffle", "sleep")]  # which it becomes any moment
    ours = [child for child in children if child not in engines]
    try:
        assert len(ours) == 2
        assert psutil.wait_procs(ours, timeout=10)[1] == []
    finally:
        for engine in engines:
            engine.kill()


FLOAT = "float w;\nint main(void) { w = 1;\n__VERIFIER_assert(w > 2); return 0; }\n"


def test_programs_run_only_if_the_command_line_asks_for_it(duet: Duet, tmp_path: Path) -> None:
    make_suite(tmp_path / "suite", {"one.c": FLOAT})

    def verdict(*given: str) -> tuple[str, str]:
        duet("batch", "suite", "-o", "out", *given)
        (path,) = (tmp_path / "out").glob("*.json")
        (found,) = json.loads(path.read_text(encoding="utf-8"))["assertions"]
        return found["status"], found["confirmed"]

    assert verdict() == ("unproved", "")
    assert verdict("--run", "--resume") == ("refuted", "run")
    assert verdict("--resume") == ("unproved", "")


def test_no_suite_can_ask_for_runs(duet: Duet, tmp_path: Path) -> None:
    make_suite(tmp_path / "suite", {"one.c": FLOAT, "set.toml": 'files = ["*.c"]\n[options]\nrun = true\n'})
    done = duet("batch", "suite/set.toml")
    assert done.code == 2
    assert "unknown option 'run'" in done.err
