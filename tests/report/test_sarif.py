"""The SARIF report: what its readers rely on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from duet.report.sarif import document
from duet.result import Cause, CauseKind, Run, Status


def _results(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document(run)["runs"][0]["results"]
    return found


def test_kind_and_level_follow_the_verdict(example_run: Run) -> None:
    one = example_run.assertions[0]
    run = replace(example_run, assertions=tuple(replace(one, status=status) for status in Status))
    assert [(entry["kind"], entry["level"]) for entry in _results(run)] == [
        ("pass", "none"),
        ("fail", "note"),
        ("fail", "error"),
        ("notApplicable", "none"),
        ("fail", "note"),
    ]


def test_levels_are_those_of_the_list(example_run: Run) -> None:
    one = replace(example_run.assertions[1], flows=())
    causes = [Cause(kind, "why", "driver.c", 8) for kind in (CauseKind.VALUE, CauseKind.INPUT, CauseKind.LOST)]
    run = replace(example_run, assertions=tuple(replace(one, cause=cause) for cause in causes))
    assert [entry["level"] for entry in _results(run)] == ["warning", "warning", "note"]
    assert [entry["rank"] for entry in _results(run)] == [100.0, 66.67, 33.33]
    (related,) = _results(run)[0]["relatedLocations"]
    assert related["message"]["text"] == "group 1, 1 check: why"
    assert related["physicalLocation"]["region"]["startLine"] == 8


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
    assert [location["physicalLocation"]["region"]["startLine"] for location in related[1:]] == [3, 8, 14]
    assert related[2]["message"]["text"] == "c: written at driver.c:8 (func1, another thread)"


def test_paths_are_uris(example_run: Run) -> None:
    check = replace(example_run.assertions[0].check, file="my drivers/a#1.c")
    run = replace(example_run, assertions=(replace(example_run.assertions[0], check=check),))
    place = _results(run)[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20drivers/a%231.c"
    assert place["artifactLocation"]["uriBaseId"] == "SRCROOT"
    bases = document(run)["runs"][0]["originalUriBaseIds"]
    assert bases["SRCROOT"]["uri"].startswith("file:///")
    assert bases["SRCROOT"]["uri"].endswith("/")


def test_paths_elsewhere_are_absolute(example_run: Run) -> None:
    check = replace(example_run.assertions[0].check, file="/usr/include/x y.h")
    run = replace(example_run, assertions=(replace(example_run.assertions[0], check=check),))
    place = _results(run)[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "file:///usr/include/x%20y.h"}
