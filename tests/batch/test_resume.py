"""A batch that was killed, or whose tasks changed, and is resumed."""

from __future__ import annotations

import csv
import json
import multiprocessing
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from duet.__main__ import main
from duet.batch.fingerprint import fingerprint
from duet.batch.resume import Store, stem_of
from duet.batch.task import Task
from duet.errors import UsageError
from tests.batch.conftest import BROKEN, SAFE, make_suite, manifest
from tests.cli.conftest import LOCKED, Duet

TASKS = {
    "broken.plip": BROKEN,
    **{f"open{number}.plip": LOCKED.replace("3", str(number)) for number in range(2)},
    **{f"sub/safe{number}.plip": SAFE + f"thread w{number} {{ x := 0 }}" for number in range(2)},
}
KILLS = 4


def _in_a_process(directory: Path, *arguments: str) -> multiprocessing.process.BaseProcess:
    """Starts `duet batch` in a fork of this process, which saves starting an interpreter."""

    def run() -> None:
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # pytest's would be shared
        os.chdir(directory)
        # without the search for schedules, which is given seconds of work: which of two it shows depends on the machine
        sys.argv = ["duet", "batch", "suite", "-j", "2", "--resume", "--no-verify", *arguments]
        main()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    return process


def _results(out: Path) -> dict[str, Any]:
    """Everything in the output directory but times and sizes."""
    found: dict[str, Any] = {"files": sorted(path.name for path in out.iterdir())}
    for path in out.glob("*.json"):
        report = json.loads(path.read_text(encoding="utf-8"))
        del report["timing"]
        report["stats"].pop("peak_rss_mib", None)
        found[path.name] = report
    with (out / "results.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            del row["seconds"], row["peak_rss_mib"]
            found[row["task"]] = row
    return found


def _marks(out: Path) -> dict[str, tuple[int, int]]:
    """The identity of the reports of finished tasks: a task that is run again gets new files."""
    names = [f"{entry['stem']}.{kind}" for entry in manifest(out).values() for kind in ("json", "html")]
    return {name: ((out / name).stat().st_ino, (out / name).stat().st_mtime_ns) for name in names}


def test_kills_at_random_moments_lose_and_repeat_nothing(tmp_path: Path) -> None:
    make_suite(tmp_path / "suite", TASKS)
    fingerprint(Task("any", ()))  # so that all forks know duet's own code by the same sum
    started = time.monotonic()
    whole = _in_a_process(tmp_path, "-o", "whole")
    whole.join()
    duration = time.monotonic() - started
    assert whole.exitcode == 2
    wanted = _results(tmp_path / "whole")

    moments = random.Random(20).choices([step / 100 for step in range(101)], k=KILLS)
    number, partial = 0, 0
    for moment in (None, *moments):  # the first one is when something is done, so that some kill comes in between
        out = tmp_path / f"out{number}"
        before = _marks(out)
        process = _in_a_process(tmp_path, "-o", out.name)
        if moment is None:
            _wait_for_one(out, process)
        else:
            process.join(timeout=moment * duration)
        process.kill()
        process.join()
        after = _marks(out)
        assert before.items() <= after.items()
        done = manifest(out)
        partial += 0 < len(done) < len(TASKS)
        if len(done) == len(TASKS):
            _finish(tmp_path, out, wanted)
            number += 1
    _finish(tmp_path, tmp_path / f"out{number}", wanted)
    assert partial > 0


def _wait_for_one(out: Path, process: multiprocessing.process.BaseProcess) -> None:
    """Until one task is done, or the process has ended."""
    while not manifest(out) and process.is_alive():
        process.join(timeout=0.001)


def _finish(directory: Path, out: Path, wanted: dict[str, Any]) -> None:
    before = _marks(out)
    process = _in_a_process(directory, "-o", out.name)
    process.join()
    assert process.exitcode == 2
    assert before.items() <= _marks(out).items()
    assert _results(out) == wanted


def _repeated(duet: Duet, *arguments: str) -> set[str]:
    """The tasks that a resumed batch runs again."""
    lines = duet("batch", "suite", "--resume", "--no-verify", "-o", "out", *arguments).err.splitlines()
    return {line.split()[1].rstrip(":") for line in lines if "from before" not in line}


def test_changed_input_is_run_again(duet: Duet, suite: Path) -> None:
    assert len(_repeated(duet)) == 3
    assert _repeated(duet) == set()
    (suite / "open.plip").write_text(SAFE, encoding="utf-8")
    assert _repeated(duet) == {"open.plip"}


def test_changed_option_is_run_again(duet: Duet, suite: Path) -> None:
    _repeated(duet)
    assert len(_repeated(duet, "--domain", "octagon")) == 3
    assert _repeated(duet, "--domain", "octagon", "--timeout", "77", "-j", "1") == set()


def test_changed_header_is_run_again(duet: Duet, tmp_path: Path) -> None:
    text = '# include "own.h"\nint main(void) { return 0; }\n'
    suite = make_suite(tmp_path / "suite", {"a.c": text, "b.c": "int main(void) { return 0; }\n", "own.h": "int x;\n"})
    assert _repeated(duet) == {"a.c", "b.c"}
    (suite / "own.h").write_text("int y;\n", encoding="utf-8")
    assert _repeated(duet) == {"a.c"}


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_damaged_report_is_made_again(duet: Duet, suite: Path, tmp_path: Path, damage: str) -> None:
    _repeated(duet)
    report = tmp_path / "out" / "open.plip.html"
    report.unlink()
    if damage == "changed":
        report.write_text("half of it", encoding="utf-8")
    assert _repeated(duet) == {"open.plip"}


def test_line_cut_off_by_a_kill_is_run_again(duet: Duet, suite: Path, tmp_path: Path) -> None:
    assert len(_repeated(duet, "-j", "1")) == 3
    path = tmp_path / "out" / "manifest.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    (tmp_path / "out" / ".open.plip.json.a1b2c3d4").write_text("{", encoding="utf-8")
    assert _repeated(duet) == {"sub/safe.plip"}
    assert len(manifest(tmp_path / "out")) == 3
    assert not list((tmp_path / "out").glob(".open*"))


def test_without_resume_everything_is_run_again(duet: Duet, suite: Path, tmp_path: Path) -> None:
    _repeated(duet)
    (suite / "open.plip").unlink()
    (tmp_path / "out" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "from before" not in duet("batch", "suite", "-o", "out").err
    assert not (tmp_path / "out" / "open.plip.json").exists()
    assert (tmp_path / "out" / "notes.txt").exists()


def test_directory_of_something_else_is_left_alone(duet: Duet, suite: Path, tmp_path: Path) -> None:
    make_suite(tmp_path / "out", {"manifest.jsonl": '{"schema": "other"}\n'})
    done = duet("batch", "suite", "-o", "out")
    assert done.code == 2
    assert "no manifest of this version of duet" in done.err


def test_two_batches_do_not_share_a_directory(duet: Duet, suite: Path, tmp_path: Path) -> None:
    process = multiprocessing.get_context("fork").Process
    ours, theirs = multiprocessing.get_context("fork").Pipe()

    def hold() -> None:
        with Store(str(tmp_path / "out"), resume=False):
            theirs.send("held")
            theirs.recv()

    holder = process(target=hold)
    holder.start()
    ours.recv()
    with pytest.raises(UsageError, match="another batch is writing"), Store(str(tmp_path / "out"), resume=True):
        pass
    ours.send("end")
    holder.join()
    with Store(str(tmp_path / "out"), resume=True):
        pass


def test_names_of_reports_are_plain_and_distinct() -> None:
    names = [
        "a.c",
        "a/b.c",
        "a-b.c",
        "../x.c",
        "index",
        "INDEX.c",
        "ü.c",
        "",
        "x" * 400,
        "a b.c",
        "a\nb.c",
        ".hidden.c",
    ]
    stems = [stem_of(name) for name in names]
    assert len(set(stems)) == len(names)
    assert stems[0] == "a.c"
    for stem in stems:
        assert stem not in ("index", "")
        assert not set(stem) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
        assert not stem.startswith(".")
        assert len(stem) < 200
