"""The SARIF report: what its readers rely on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from duet.report.sarif import document
from duet.result import Run, Status


def _results(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document(run)["runs"][0]["results"]
    return found


def test_kind_and_level_follow_the_verdict(example_run: Run) -> None:
    one = example_run.assertions[0]
    run = replace(example_run, assertions=tuple(replace(one, status=status) for status in Status))
    assert [(entry["kind"], entry["level"]) for entry in _results(run)] == [
        ("pass", "none"),
        ("open", "none"),
        ("fail", "error"),
        ("notApplicable", "none"),
        ("open", "none"),
    ]


def test_rule_index_names_the_rule(example_run: Run) -> None:
    rules = document(example_run)["runs"][0]["tool"]["driver"]["rules"]
    for entry in _results(example_run):
        assert rules[entry["ruleIndex"]]["id"] == entry["ruleId"]


def test_fingerprint_ignores_lines_and_spaces_but_not_repetition(example_run: Run) -> None:
    one = example_run.assertions[1]
    moved = replace(one, check=replace(one.check, line=99, column=1, expression="c<=0"))
    twice = replace(example_run, assertions=(one, moved))
    first, second = (entry["partialFingerprints"] for entry in _results(twice))
    assert first != second
    assert _results(replace(example_run, assertions=(moved,)))[0]["partialFingerprints"] == first


def test_flows_are_related_locations(example_run: Run) -> None:
    related = _results(example_run)[1]["relatedLocations"]
    assert [location["physicalLocation"]["region"]["startLine"] for location in related] == [3, 8, 14]
    assert related[1]["message"]["text"] == "c: written at driver.c:8 (func1, another thread)"


def test_paths_are_uris(example_run: Run) -> None:
    check = replace(example_run.assertions[0].check, file="my drivers/a#1.c")
    run = replace(example_run, assertions=(replace(example_run.assertions[0], check=check),))
    place = _results(run)[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20drivers/a%231.c"
