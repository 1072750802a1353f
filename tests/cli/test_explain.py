"""`duet explain`, `--baseline`, `-v`, and output paths that cannot be written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Duet


def test_explain_tells_of_the_checks_of_a_line(duet: Duet, locked: str) -> None:
    done = duet("explain", f"{locked}:10")
    assert done.code == 1
    assert "locked.plip:10:3: refuted: assertion in w" in done.out
    assert "hangs on:" in done.out
    assert duet("explain", f"{locked}:7").code == 0


def test_explain_of_a_line_without_checks_is_a_usage_error(duet: Duet, locked: str) -> None:
    done = duet("explain", f"{locked}:1")
    assert done.code == 2
    assert "the nearest are in 7, 10" in done.err
    assert duet("explain", locked).code == 2


def test_explain_refuses_what_it_does_not_do(duet: Duet, locked: str) -> None:
    for arguments in (("--format", "sarif"), ("-o", "x"), ("--html", "x"), ("--baseline", "x")):
        done = duet("explain", f"{locked}:10", *arguments)
        assert done.code == 2
        assert arguments[0] in done.err
        assert "is for 'duet analyze'" in done.err


def test_explain_as_json_has_the_checks_of_the_line(duet: Duet, locked: str) -> None:
    report = json.loads(duet("explain", f"{locked}:10", "--format", "json").out)
    (found,) = report["assertions"]
    assert (found["line"], found["status"]) == (10, "refuted")
    assert found["because"][0].keys() == {"thread", "file", "line", "text"}
    assert report["summary"]["total"] == 2


FOLDER = Path(__file__).parent / "explained"


def line_of(name: str, text: str) -> int:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_a_race_is_explained_in_the_lines_of_both_accesses(duet: Duet) -> None:
    one, other = line_of("racing.c", "count = 1"), line_of("racing.c", "count = 2")
    told = [duet("explain", f"{FOLDER / 'racing.c'}:{line}", "--properties", "data-race") for line in (one, other)]
    assert told[0].out == told[1].out
    assert told[0].code == 1
    for text in (
        "is about to write count, holding m (since line 13)",
        "is about to write count, holding k (since line 29)",
        "no lock is held by both",
        f"m is held in racing.c:{other} too, as in racing.c:{one}",
        f"k is held in racing.c:{one} too, as in racing.c:{other}",
        f"the access in racing.c:{one} and that in racing.c:{other} are atomic",
        f"the thread that runs adder has ended before the thread that runs other gets to racing.c:{other}",
    ):
        assert text in told[0].out


def test_a_deadlock_is_explained(duet: Duet) -> None:
    line = line_of("waiting.c", "pthread_mutex_lock(&k);")
    given = ("explain", f"{FOLDER / 'waiting.c'}:{line}", "--properties", "deadlock")
    found = json.loads(duet(*given, "--format", "json").out)["assertions"]
    assert [step["text"] for step in found[0]["because"]] == [
        "waits for k, which other#1 has since line 29",
        "waits for m, which adder#1 has since line 7",
    ]
    assert found[0]["prevented_by"][:2] == [
        "k and m are taken in one order by all threads",
        f"adder gives m back before it takes k in waiting.c:{line}",
    ]
    assert "any of these would prevent it:" in duet(*given).out


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *(("racing.c", change) for change in ("HOLD_M", "HOLD_K", "ATOMIC", "JOINED")),
        *(("waiting.c", change) for change in ("ONE_ORDER", "GIVES_BACK", "TRIES")),
    ],
)
def test_what_is_said_to_prevent_it_does(duet: Duet, name: str, change: str) -> None:
    given = ("verify", str(FOLDER / name), "--properties", "data-race,deadlock")
    assert duet(*given).code == 1
    assert duet(*given, "-D", change).code == 0


def test_with_a_baseline_only_new_checks_count(duet: Duet, locked: str, tmp_path: Path) -> None:
    duet("analyze", locked, "--format", "json", "-o", "before.json")
    text = (tmp_path / locked).read_text(encoding="utf-8")
    (tmp_path / locked).write_text("\n\n" + text, encoding="utf-8")
    done = duet("analyze", locked, "--baseline", "before.json")
    assert done.code == 0
    assert "0 open checks are new, 0 fixed, 1 the same" in done.out
    (tmp_path / locked).write_text(text.replace("assert x == 0", "assert x == 1"), encoding="utf-8")
    report = json.loads(duet("analyze", locked, "--baseline", "before.json", "--format", "json").out)
    assert report["baseline"]["new"] == 1
    assert duet("analyze", locked, "--baseline", "missing.json").code == 2


def test_paths_are_tried_before_the_analysis(duet: Duet, locked: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for arguments in (("-o", "no/such/out.json"), ("--html", "folder"), ("--certificate", "no/such/proof")):
        done = duet("analyze", locked, *arguments)
        assert done.code == 2
        assert f"cannot write {arguments[1]}: " in done.err
        assert done.out == ""


def test_colours_can_be_forced_and_forbidden(duet: Duet, locked: str) -> None:
    forced, both = {"FORCE_COLOR": "1", "NO_COLOR": ""}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    assert "\x1b[3" in duet("analyze", locked, env=forced).out
    assert "\x1b" not in duet("analyze", locked, env=both).out
    assert "\x1b" not in duet("analyze", locked, "--format", "json", env=forced).out
