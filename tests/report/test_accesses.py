"""Races and deadlocks in every report: both sides with their stacks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from duet.report import html, sarif, text
from duet.report import json as json_report
from duet.result import AccessNote, Assertion, Check, Position, Run, Status

SCHEMA = Path(__file__).parents[2] / "docs" / "result.schema.json"
HOSTILE = '"><img src=x onerror=alert(1)>'


@pytest.fixture
def run(example_run: Run) -> Run:
    """A run with one race: `func1` writes in a function that it calls, `func2` reads."""
    file = "driver.c"
    writes = AccessNote(
        "write", "c", "func1", (Position("func1", file, 7, 5), Position(HOSTILE, file, 8, 5)), held=("m", "n")
    )  # fmt: skip
    reads = AccessNote("read", "c", "func2", (Position("func2", file, 13, 16),), is_atomic=True, known="m == 1")
    check = Check(file, 8, 5, HOSTILE, "data-race", "no race on c with func2")
    race = Assertion(
        check, Status.UNPROVED, threads=("func1", "func2"), reason="both at once", accesses=(writes, reads)
    )
    free = Assertion(Check(file, 3, 5, "", "data-race", "no race on name"), Status.PROVED, "interval")
    return replace(example_run, assertions=(free, race))


def _results(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sarif.document(run)["runs"][0]["results"]
    return found


def test_json_follows_its_schema_and_has_both_stacks(run: Run) -> None:
    document = json.loads(json_report.render(run))
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    writes, reads = document["assertions"][1]["accesses"]
    assert [frame["line"] for frame in writes["stack"]] == [7, 8]
    assert (reads["thread"], reads["atomic"], reads["known"], writes["held"]) == ("func2", True, "m == 1", ["m", "n"])


def test_sarif_has_a_thread_flow_for_each_thread(run: Run) -> None:
    free, race = _results(run)
    (flow,) = race["codeFlows"]
    lines = [
        [step["location"]["physicalLocation"]["region"]["startLine"] for step in thread["locations"]]
        for thread in flow["threadFlows"]
    ]
    assert lines == [[7, 8], [13]]
    assert [thread["id"] for thread in flow["threadFlows"]] == ["1: func1", "2: func2"]
    assert [related["message"]["text"] for related in race["relatedLocations"][1:]] == [
        "write of c by func1, holding m, n",
        "atomic read of c by func2, holding no lock",
    ]
    assert "codeFlows" not in free
    assert "logicalLocations" not in free["locations"][0]


def test_text_of_a_cell_without_race_names_no_function(run: Run) -> None:
    unproved = replace(run, assertions=tuple(replace(a, status=Status.UNPROVED) for a in run.assertions))
    first, second, _ = text.render(unproved).results.splitlines()
    assert first == "driver.c:3:5: unproved: data-race 'no race on name'"
    assert "both at once" in second


def test_page_shows_what_each_thread_does_and_escapes_it(run: Run) -> None:
    page = html.render(run)
    assert "<img" not in page
    table = page[page.index('class="schedule accesses"') :].partition("</table>")[0]
    for shown in ("writes <code>c</code>", "atomic reads <code>c</code>", "m, n", "no lock", "m == 1"):
        assert shown in table
    assert table.count("<li>") == 3
