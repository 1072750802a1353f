"""A run against an earlier one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from duet.errors import UsageError
from duet.report import json, sarif, text
from duet.report.baseline import compare, read
from duet.result import Assertion, Check, Run, Status


def run_of(example: Run, *checks: tuple[int, str, Status]) -> Run:
    found = (Assertion(Check("a.c", line, 5, "f", "assertion", name), status) for line, name, status in checks)
    return replace(example, assertions=tuple(found))


def compared(before: Run, now: Run, tmp_path: Path) -> Run:
    path = tmp_path / "before.json"
    path.write_text(json.render(before), encoding="utf-8")
    return replace(now, comparison=compare(now, read(str(path))))


def test_moved_lines_are_the_same_checks(example_run: Run, tmp_path: Path) -> None:
    before = run_of(example_run, (3, "x", Status.UNPROVED), (4, "y", Status.UNPROVED), (5, "z", Status.PROVED))
    now = run_of(example_run, (30, "x", Status.UNPROVED), (40, "z", Status.UNPROVED), (50, "w", Status.UNPROVED))
    found = compared(before, now, tmp_path)
    assert found.comparison is not None
    assert {check.line for check in found.comparison.same} == {30}
    assert {check.line for check in found.comparison.new} == {40, 50}
    assert [one.expression for one in found.comparison.fixed] == ["y"]
    assert found.exit_code == 1


def test_the_place_of_an_allocation_moves_with_the_lines(example_run: Run, tmp_path: Path) -> None:
    race = "no race on (memory from a.c:{}).count with worker"
    before, now = ((3, race.format(2), Status.UNPROVED),), ((4, race.format(3), Status.UNPROVED),)
    found = compared(run_of(example_run, *before), run_of(example_run, *now), tmp_path)
    assert found.comparison is not None
    assert [check.line for check in found.comparison.same] == [4]


def test_only_new_checks_count_for_the_exit_code(example_run: Run, tmp_path: Path) -> None:
    before = run_of(example_run, (3, "x", Status.UNPROVED), (4, "x", Status.UNPROVED))
    same = compared(before, run_of(example_run, (9, "x", Status.UNPROVED)), tmp_path)
    assert same.exit_code == 0
    more = compared(before, run_of(example_run, *((line, "x", Status.UNPROVED) for line in (1, 2, 3))), tmp_path)
    assert more.exit_code == 1
    assert more.comparison is not None
    assert len(more.comparison.new) == 1


def test_functions_of_one_name_in_two_files_are_two(example_run: Run, tmp_path: Path) -> None:
    def in_file(path: str) -> Run:
        run = run_of(example_run, (3, "x", Status.UNPROVED))
        return replace(
            run, assertions=tuple(replace(one, check=replace(one.check, file=path)) for one in run.assertions)
        )

    assert compared(in_file("one.c"), in_file("two.c"), tmp_path).exit_code == 1
    assert compared(in_file("library/one.c"), in_file("program/one.c"), tmp_path).exit_code == 1
    for path in ("/home/me/library/one.c", "one.c", "./library/one.c", "../library/one.c"):
        assert compared(in_file("library/one.c"), in_file(path), tmp_path).exit_code == 0, path


def test_what_is_no_longer_asked_for_is_not_fixed(example_run: Run, tmp_path: Path) -> None:
    before, now = run_of(example_run, (3, "x", Status.UNPROVED)), run_of(example_run)
    for properties, fixed in ((("assertion", "deadlock"), 1), (("deadlock",), 0)):
        found = compared(before, replace(now, properties=properties), tmp_path)
        assert found.comparison is not None
        assert len(found.comparison.fixed) == fixed


def test_reports_say_what_is_new(example_run: Run, tmp_path: Path) -> None:
    before = run_of(example_run, (3, "x", Status.UNPROVED), (4, "y", Status.UNPROVED))
    found = compared(before, run_of(example_run, (3, "x", Status.UNPROVED), (8, "n", Status.UNPROVED)), tmp_path)
    document = json.document(found)
    assert [entry["baseline"] for entry in document["assertions"]] == ["same", "new"]
    assert (document["baseline"]["new"], document["baseline"]["same"]) == (1, 1)
    assert [entry["expression"] for entry in document["baseline"]["fixed"]] == ["y"]
    lines = text.render(found).results.splitlines()
    assert [line for line in lines if "unproved: " in line] == ["a.c:8:5: unproved: assertion 'n' in f"]
    assert "1 open checks are new, 1 fixed, 1 the same" in lines[-2]
    states = [result["baselineState"] for result in sarif.document(found)["runs"][0]["results"]]
    assert states == ["unchanged", "new"]


@pytest.mark.parametrize("content", ["", "[]", '{"schema": "other"}', '{"schema": "duet.result/1", "assertions": [1]}'])
def test_what_is_no_report_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError):
        read(str(path))
    with pytest.raises(UsageError):
        read(str(tmp_path / "missing.json"))
