"""C from end to end on the command line: thread structure, macros and places, limits with C input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Duet

COUNTER = """\
#define CHECK(e) assert(e)
int lock, count;

void client(void) {
    __VERIFIER_atomic_begin();
    assume(lock == 0);
    lock = 1;
    __VERIFIER_atomic_end();
    count = count + 1;
    CHECK(count == 1);
    count = count - 1;
    lock = 0;
    assert(count == 0);
}
"""


@pytest.fixture
def counter(tmp_path: Path) -> str:
    (tmp_path / "counter.c").write_text(COUNTER, encoding="utf-8")
    return "counter.c"


def _report(duet: Duet, *arguments: str) -> dict[str, Any]:
    done = duet("analyze", "--format", "json", *arguments)
    assert done.code in (0, 1), done.err
    report: dict[str, Any] = json.loads(done.out)
    return report


def _verdicts(report: dict[str, Any]) -> dict[int, str]:
    return {entry["line"]: entry["status"] for entry in report["assertions"]}


def test_lock_protects_any_number_of_clients(duet: Duet, counter: str) -> None:
    report = _report(duet, counter, "--parameterized", "--no-verify")
    assert _verdicts(report) == {10: "proved", 13: "unproved"}
    assert report["input"]["mode"] == "parameterized"
    assert report["input"]["entries"] == ["client"]
    assert report["assumptions"]
    unproved = report["assertions"][1]
    assert unproved["function"] == "client"
    assert unproved["expression"] == "count == 0"
    assert {flow["line"] for flow in unproved["flows"] if flow["kind"] == "inter"} >= {9}


def test_one_client_alone_keeps_its_counter(duet: Duet, counter: str) -> None:
    assert _verdicts(_report(duet, counter, "--entries", "client")) == {10: "proved", 13: "proved"}


def test_same_verdicts_from_a_path_elsewhere_and_preprocessed(duet: Duet, counter: str, tmp_path: Path) -> None:
    folder = tmp_path / "some folder"
    folder.mkdir()
    shutil.move(tmp_path / counter, folder / counter)
    report = _report(duet, f"some folder/{counter}", "--parameterized")
    assert _verdicts(report) == {10: "proved", 13: "refuted"}
    assert {entry["file"] for entry in report["assertions"]} == {f"some folder/{counter}"}


def test_every_format_of_a_c_program(duet: Duet, counter: str, tmp_path: Path) -> None:
    done = duet("analyze", counter, "--parameterized", "--html", "report.html")
    assert done.code == 1
    assert done.out.startswith("counter.c:13:5: refuted: assertion 'count == 0' in client: here ")
    assert done.out.splitlines()[-1].startswith("counter.c: 1 proved, 1 refuted in ")
    assert 'id="f1-13"' in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("what", ["plip", "cfg", "dfg", "interference"])
def test_show_of_a_c_program(duet: Duet, counter: str, what: str) -> None:
    done = duet("show", what, counter, "--parameterized")
    assert done.code == 0
    assert "count" in done.out


def test_driver_with_its_harness(duet: Duet, tmp_path: Path) -> None:
    drivers = Path(__file__).parents[2] / "drivers-bench" / "drivers"
    shutil.copy(drivers / "openflag_wdt.c", tmp_path)
    derived = _report(duet, "openflag_wdt.c", "--model", "linux")
    assert derived["summary"]["total"] > 0
    shown = duet("show", "harness", "openflag_wdt.c", "--model", "linux")
    assert shown.code == 0
    (tmp_path / "harness.c").write_text(shown.out, encoding="utf-8")
    saved = _report(duet, "openflag_wdt.c", "--model", "linux", "--harness", "harness.c")
    assert _verdicts(saved) == _verdicts(derived)
    missing = duet("analyze", "openflag_wdt.c", "--model", "linux", "--harness", "gone.c")
    assert missing.code == 2
    assert "gone.c:1:1: error: cannot read this file" in missing.err


def test_several_files_are_one_program(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int shared; void set(void) { shared = 3; }\n", encoding="utf-8")
    (tmp_path / "b.c").write_text(
        "extern int shared; void set(void);\nint main(void) { set(); assert(shared == 3); assert(shared == 4); }\n",
        encoding="utf-8",
    )
    report = _report(duet, "a.c", "b.c")
    assert [(entry["file"], entry["status"]) for entry in report["assertions"]] == [
        ("b.c", "proved"),
        ("b.c", "refuted"),
    ]
    assert report["input"]["files"] == ["a.c", "b.c"]
