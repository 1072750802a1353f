"""`duet` as a process of its own: output that cannot be written, signals, the module entry."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import duet
from tests.cli.conftest import FakeSouffle

SOME = """
global x = 0
thread main { local r = 3  assert r == 3  while (*) { spawn w } }
thread w { x := 1  assert x == 0 }
"""


def test_module_entry() -> None:
    done = subprocess.run([sys.executable, "-m", "duet", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"duet, version {duet.__version__}\n"


def test_report_on_a_full_disk_leaves_nothing(locked: str, tmp_path: Path) -> None:
    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    done = subprocess.run(
        [sys.executable, "-B", "-m", "duet", "analyze", locked, "--html", "report.html"],
        capture_output=True, text=True, cwd=tmp_path, check=False, preexec_fn=small_files,
    )  # fmt: skip
    assert done.returncode == 2
    assert "cannot write report.html: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [locked]


def test_standard_output_that_is_full(locked: str, tmp_path: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "duet", "analyze", locked],
            stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.endswith("duet: error: cannot write the output: No space left on device\n")


def test_reader_that_goes_away_is_no_error(locked: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m duet show cfg {locked} | true"
    done = subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize("limit", [[], ["--timeout", "100"]])
@pytest.mark.parametrize(("sent", "ended"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_interrupt_keeps_what_is_proved(
    locked: str, tmp_path: Path, souffle: FakeSouffle, limit: list[str], sent: signal.Signals, ended: str
) -> None:
    os.mkfifo(tmp_path / "started")
    souffle.does(f"echo > {tmp_path}/started\nexec sleep 1000")
    with subprocess.Popen(
        [sys.executable, "-m", "duet", "analyze", locked, "--engine", "souffle", *limit],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=souffle.env,
    ) as process:  # fmt: skip
        (tmp_path / "started").read_text()  # returns when the engine runs
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert f"not finished: timeout, it was {ended} in the analysis of data flow graphs" in out
    assert "Traceback" not in err


def test_limit_on_time_keeps_what_the_first_look_proves(tmp_path: Path, souffle: FakeSouffle) -> None:
    (tmp_path / "some.plip").write_text(SOME, encoding="utf-8")
    souffle.does("exec sleep 1000")
    options = ["--engine", "souffle", "--timeout", "4", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "duet", "analyze", "some.plip", *options],
        stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=souffle.env, check=False,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert done.returncode == 3
    assert report["status"] == "timeout"
    assert report["message"] == "the time limit of 4 s was reached in the analysis of data flow graphs"
    assert [(item["status"], item["proved_by"]) for item in report["assertions"]] == [
        ("proved", "direct"),
        ("unknown", ""),
    ]


def test_a_reader_that_goes_away_is_no_error_of_the_run(locked: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m duet analyze {locked} --format json | head -c 1"],
        capture_output=True, text=True, cwd=tmp_path, env=os.environ, check=False,
    )  # fmt: skip
    assert done.stdout == "{"
    assert done.stderr == ""


@pytest.mark.parametrize("form", ["text", "html"])
def test_standard_output_may_be_closed(locked: str, tmp_path: Path, form: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -m duet analyze {locked} --format {form} >&-"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *((name, "text") for name in ("a\x1b[31mb.c", "a\nb.c", "a\x07 'b\".c", "ä\udcff.c", "-a.c")),
        ("a\x1b[31m\nb.c", "html"),
    ],
)
def test_odd_names_of_files_steer_no_terminal(tmp_path: Path, name: str, form: str) -> None:
    (tmp_path / name).write_text('int main(int n) { char *s = "\x1b\x07"; int a[2]; a[n] = s[0]; }\n', encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable, "-m", "duet", "analyze", "--no-verify", "--properties", "array-bounds",
            "--format", form, "--", name,
        ],
        capture_output=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"\x07" not in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr
    if form == "text":
        assert len(done.stdout.splitlines()) == 2
