"""Schedules as people and tools read them: lanes on the page, code flows of SARIF, violation witnesses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from duet.report import html, sarif, witness
from duet.result import Move, Run, Status
from tests.report.conftest import browser

__all__ = ["browser"]
MOVES = (
    Move("main", "main", "driver.c", 3, "start func1", (), "start"),
    Move("func1#1", "func1", "driver.c", 8, "read c", (("c", "0"),), "read"),
    Move("func1#1", "func1", "driver.c", 9, "k := 7 </td><script>", (("k", "7"),), "", 7),
    Move("main", "main", "driver.c", 14, "c := 1", (("c", "1"),), "write"),
    Move("func1#1", "func1", "driver.c", 16, "assert c <= 0", (("c", "1"),), "read"),
)


@pytest.fixture
def refuted(example_run: Run) -> Run:
    """The example with one check that is refuted."""
    one = replace(example_run.assertions[1], status=Status.REFUTED, schedule=MOVES, confirmed="exact", flows=())
    return replace(example_run, assertions=(one, *example_run.assertions[2:]))


def test_a_lane_for_each_thread(refuted: Run) -> None:
    page = html.render(refuted)
    table = page[page.index('class="schedule moves"') :].partition("</table>")[0]
    assert table.count('scope="col"') == 2
    assert table.count("<tr") == 1 + len(MOVES)
    assert table.rindex("failing") > table.rindex("preempts") - 20
    assert "<script>" not in table


def test_a_thread_flow_for_each_thread(refuted: Run) -> None:
    (result,) = [r for r in sarif.document(refuted)["runs"][0]["results"] if r["level"] == "error"]
    (flow,) = result["codeFlows"]
    orders = {f["id"]: [step["executionOrder"] for step in f["locations"]] for f in flow["threadFlows"]}
    assert orders == {"main": [1, 4], "func1#1": [2, 3, 5]}
    last = flow["threadFlows"][1]["locations"][-1]
    assert last["location"]["physicalLocation"]["region"]["startLine"] == 16
    assert last["state"] == {"c": {"text": "1"}}


def test_a_witness_has_a_segment_for_each_visible_move(refuted: Run) -> None:
    (entry,) = yaml.safe_load(witness.render(refuted, refuted.assertions[0], datetime(2026, 1, 2, tzinfo=UTC)))
    assert entry["entry_type"] == "violation_sequence"
    assert entry["metadata"]["format_version"] == "2.2"
    assert entry["metadata"]["creation_time"] == "2026-01-02T00:00:00+00:00"
    points = [point["waypoint"] for part in entry["content"] for point in part["segment"]]
    assert [point["thread_id"] for point in points] == [0, 1, 1, 0, 1]
    assert [point["type"] for point in points] == ["assumption"] * 4 + ["target"]
    assert all(part["segment"][-1]["waypoint"]["action"] == "follow" for part in entry["content"])
    assert "constraint" not in points[-1]


def test_a_race_has_two_targets(refuted: Run) -> None:
    one = refuted.assertions[0]
    race = replace(one, check=replace(one.check, property_name="data-race"))
    (entry,) = yaml.safe_load(witness.render(refuted, race))
    assert [point["waypoint"]["type"] for point in entry["content"][-1]["segment"]] == ["target", "target"]


def test_only_what_is_refuted_has_a_witness(example_run: Run, refuted: Run) -> None:
    assert witness.first_refuted(example_run) is None
    assert witness.first_refuted(refuted) == refuted.assertions[0]


@pytest.fixture
def page(browser: Chrome, refuted: Run, tmp_path: Path) -> Iterator[Chrome]:
    path = tmp_path / "report.html"
    path.write_text(html.render(refuted), encoding="utf-8")
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium leaves it so


def test_keys_step_through_the_values(page: Chrome) -> None:
    page.find_element(By.CSS_SELECTOR, "details.refuted summary").click()
    lanes = page.find_element(By.CSS_SELECTOR, ".lanes .scroll")
    shown = page.find_element(By.CSS_SELECTOR, ".lanes .values")
    lanes.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert shown.text == "c = 0, k = 7"
    lanes.send_keys(Keys.END)
    assert shown.text == "c = 1, k = 7"
    assert "failing" in str(page.find_element(By.CSS_SELECTOR, "[aria-current]").get_attribute("class"))
    lanes.send_keys(Keys.ARROW_LEFT)
    page.find_element(By.CSS_SELECTOR, ".lanes .on").click()
    assert "failing" in str(page.find_element(By.CSS_SELECTOR, "[aria-current]").get_attribute("class"))
