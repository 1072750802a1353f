"""Code that was not understood is told in every report: an error-level notice and the share that was understood."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from duet import result
from duet.report import html, sarif, text
from duet.report import json as json_report
from duet.result import Run, Understood

SCHEMA = Path(__file__).parents[2] / "docs" / "result.schema.json"


@pytest.fixture
def partial(example_run: Run) -> Run:
    error = result.Warning("driver.c", 30, 1, "not-understood", "'f' is not understood: unexpected '@'", "error")
    return replace(example_run, warnings=(*example_run.warnings * 30, error), understood=Understood(4, 3, 30, 20))


def test_the_text_names_every_error_and_the_share(partial: Run) -> None:
    notes = text.render(partial).notes.splitlines()
    assert notes[0] == "driver.c:30:1: error: 'f' is not understood: unexpected '@' [not-understood]"
    assert "understood: 3 of 4 functions, 20 of 30 lines (66 %)" in notes


def test_all_understood_needs_no_line_in_the_text(example_run: Run) -> None:
    whole = replace(example_run, understood=Understood(4, 4, 30, 30))
    assert "understood:" not in text.render(whole).notes


def test_the_json_has_severity_and_share(partial: Run) -> None:
    document = json.loads(json_report.render(partial))
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert [w["severity"] for w in document["warnings"]][-1] == "error"
    assert document["understood"] == {
        "functions": 4, "functions_understood": 3, "lines": 30, "lines_understood": 20, "percent": 66,
    }  # fmt: skip


def test_sarif_has_the_level(partial: Run) -> None:
    notices = sarif.document(partial)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert notices[-1]["level"] == "error"
    assert notices[0]["level"] == "warning"


def test_the_page_says_what_was_not_understood(partial: Run, example_run: Run) -> None:
    page = html.render(partial)
    assert "3 of 4 functions, 20 of 30 lines (66 %)" in page
    assert page.count('class="severity"') == 1
    assert 'id="understood"' not in html.render(example_run)
