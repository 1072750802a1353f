"""Verdicts, CSV, JUnit XML and the lines of progress."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree as Xml

import pytest
from rich.console import Console

from duet.batch import tables
from duet.batch.progress import Display
from duet.batch.resume import Record
from duet.batch.task import Published, Task
from duet.batch.verdict import Agreement, Row, Verdict, exit_code

ZERO = {"proved": 0, "unproved": 0, "refuted": 0, "unreachable": 0, "unknown": 0, "total": 0}
HOSTILE = '"><script>alert(1)</script>&\x01\x1b[31m[bold]'


def make_row(
    name: str = "a.c", status: str = "complete", code: int = 0, message: str = "", task: Task | None = None,
    seconds: float = 1.5, counts: dict[str, int] | None = None, **more: int,
) -> Row:  # fmt: skip
    more |= counts or {}
    summary = {**ZERO, **more, "total": sum(more.values())}
    properties = {"overflow": (summary["proved"] + summary["unreachable"], summary["total"])}
    causes = {"the pointer is lost": summary["unproved"]} if summary["unproved"] else {}
    record = Record(
        name, "f", status, code, message, "interval", summary, seconds, 50, 9.0, None, False, "stem", "j", "h",
        properties, causes,
    )  # fmt: skip
    return Row(task or Task(name, (name,)), record)


def rows() -> list[Row]:
    """A row of each kind."""
    published = Published(10, (("interval", 7), ("octagon", 6)))
    return [
        make_row("proved.c", proved=3, unreachable=1, task=Task("proved.c", ("proved.c",), published=published)),
        make_row("open.c", code=1, proved=1, unproved=2, seconds=12.0),
        make_row("slow.c", "timeout", 3, "the time limit of 9 s was reached", unknown=2),
        make_row(HOSTILE, "error", 2, HOSTILE, Task(HOSTILE, (HOSTILE,), note=HOSTILE)),
        Row(Task("skipped.c", ("skipped.c",), skipped="no way"), None),
        make_row("wrong.c", proved=1, task=Task("wrong.c", ("wrong.c",), expected=False)),
        make_row("right.c", code=1, proved=0, refuted=1, task=Task("right.c", ("right.c",), expected=False)),
        Row(Task("later.c", ("later.c",)), None),
    ]


@pytest.mark.parametrize(
    ("row", "verdict", "svcomp"),
    [
        (make_row(proved=1, unreachable=1), Verdict.PROVED, "true"),
        (make_row(), Verdict.EMPTY, "true"),
        (make_row(unproved=1), Verdict.OPEN, "unknown"),
        (make_row(unknown=1), Verdict.OPEN, "unknown"),
        (make_row(refuted=1, unproved=1), Verdict.REFUTED, "false"),
        (make_row(refuted=1, task=Task("t", (), property_name="no-overflow")), Verdict.REFUTED, "false(no-overflow)"),
        (make_row(task=Task("t", (), property_name="no-data-race")), Verdict.EMPTY, "unknown"),
        (make_row(status="timeout", proved=1), Verdict.LIMIT, "TIMEOUT"),
        (make_row(status="out-of-memory"), Verdict.LIMIT, "OUT_OF_MEMORY"),
        (make_row(status="error"), Verdict.ERROR, "ERROR"),
        (Row(Task("t", ()), None), Verdict.NOT_RUN, ""),
        (Row(Task("t", (), skipped="x"), None), Verdict.SKIPPED, ""),
    ],
)
def test_verdicts(row: Row, verdict: Verdict, svcomp: str) -> None:
    assert (row.verdict, row.svcomp) == (verdict, svcomp)


@pytest.mark.parametrize(
    ("expected", "counts", "agreement"),
    [
        (None, {"proved": 1}, Agreement.NONE),
        (True, {"proved": 1}, Agreement.CORRECT),
        (True, {"unproved": 1}, Agreement.INCONCLUSIVE),
        (True, {"refuted": 1}, Agreement.FALSE_ALARM),
        (False, {"proved": 1}, Agreement.UNSOUND),
        (False, {"unproved": 1}, Agreement.INCONCLUSIVE),
        (False, {"refuted": 1}, Agreement.CORRECT),
    ],
)
def test_agreement_with_the_expected_verdict(
    expected: bool | None, counts: dict[str, int], agreement: Agreement
) -> None:
    assert make_row(task=Task("t", (), expected=expected), counts=counts).agreement is agreement


def test_exit_code() -> None:
    assert exit_code([make_row(code=1), make_row(), make_row(code=3), make_row(code=2)]) == 3
    assert exit_code([make_row(), Row(Task("t", ()), None)]) == 0
    assert exit_code([make_row(proved=1, task=Task("t", (), expected=False))]) == 4
    assert exit_code([Row(Task("t", (), skipped="x"), None)]) == 2


def test_csv_has_all_numbers() -> None:
    found = list(csv.DictReader(io.StringIO(tables.render_csv(rows()))))
    assert [row["task"] for row in found] == [row.task.name for row in rows()]
    assert all(None not in row and None not in row.values() for row in found)  # as many cells as headings
    first = found[0]
    assert (first["checks"], first["proved"], first["unreachable"], first["seconds"]) == ("4", "3", "1", "1.5")
    assert (first["published_checks"], first["published_proved_octagon"]) == ("10", "6")
    assert found[1]["published_checks"] == ""
    assert found[2]["verdict"] == "TIMEOUT"
    assert found[3]["message"] == HOSTILE
    assert (found[4]["status"], found[4]["message"]) == ("skipped", "no way")
    assert (found[5]["expected"], found[5]["agreement"]) == ("false", "unsound: proved, but it does not hold")


def test_csv_without_published_numbers_has_no_such_columns() -> None:
    assert "published" not in tables.render_csv([make_row()])


def test_junit_counts_and_names_the_outcomes() -> None:
    root = Xml.fromstring(tables.render_junit(HOSTILE, rows()))
    (suite,) = root
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "8", "failures": "2", "errors": "2", "skipped": "2",
    }  # fmt: skip
    outcomes = {case.get("name"): [child.tag for child in case] for case in suite}
    assert outcomes["proved.c"] == []
    assert outcomes["open.c"] == ["failure"]
    assert outcomes["slow.c"] == ["error"]
    assert outcomes["skipped.c"] == ["skipped"]
    assert outcomes["wrong.c"] == ["failure"]
    assert outcomes["right.c"] == []  # the expected verdict
    assert suite[1].get("time") == "12.000"
    assert "unproved" in (suite[1][0].get("message") or "")


def test_lines_do_not_steer_the_terminal() -> None:
    text = io.StringIO()
    with Display(8, Console(file=text, width=200)) as display:
        for row in rows():
            display.ended(row)
    lines = text.getvalue().splitlines()
    assert len(lines) == 8
    assert not any(not character.isprintable() for line in lines for character in line)
    assert "[bold]" in lines[3]
    assert lines[4] == "[5/8] skipped.c: skipped, no way"


def test_terminal_shows_what_runs() -> None:
    text = io.StringIO()
    with Display(2, Console(file=text, width=200, force_terminal=True)) as display:
        display.started(Task("first.c", ()))
        display.ticked()
        assert "0/2" in text.getvalue()
        assert "first.c" in text.getvalue()
        display.ended(make_row("first.c", proved=1))
        assert "1/2" in text.getvalue()
