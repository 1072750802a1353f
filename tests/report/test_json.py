"""The JSON report against its schema, and what may not change in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from duet.report.json import document, render
from duet.result import Run, RunStatus, Status

SCHEMA = Path(__file__).parents[2] / "docs" / "result.schema.json"


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_report_meets_the_schema(example_run: Run, validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(json.loads(render(example_run)))


@pytest.mark.parametrize("status", list(RunStatus))
def test_unfinished_run_meets_the_schema(
    example_run: Run, status: RunStatus, validator: jsonschema.Draft202012Validator
) -> None:
    unfinished = replace(example_run, status=status, assertions=(), timing={}, stats={}, message="why")
    validator.validate(json.loads(render(unfinished)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("status",), "done"),
        (("assertions", 0, "status"), "safe"),
        (("assertions", 1, "flows", 0, "kind"), "other"),
        (("assertions", 1, "line"), "16"),
        (("summary", "proved"), -1),
        (("timing", "total"), "1 s"),
    ],
)
def test_schema_refuses_what_the_contract_forbids(
    example_run: Run, validator: jsonschema.Draft202012Validator, path: tuple[str | int, ...], value: object
) -> None:
    found = document(example_run)
    place: Any = found
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not validator.is_valid(found)


def test_summary_counts_every_check_once(example_run: Run) -> None:
    summary = document(example_run)["summary"]
    assert summary == {"proved": 1, "unproved": 1, "refuted": 0, "unreachable": 1, "unknown": 1, "total": 4}


def test_identity_of_a_check_is_its_place_and_property(example_run: Run) -> None:
    assert [entry["id"] for entry in document(example_run)["assertions"]][:2] == [
        "driver.c:15:9:assertion",
        "driver.c:16:5:assertion",
    ]


def test_text_that_is_not_unicode_is_printable(example_run: Run) -> None:
    render(replace(example_run, message="bytes \udcff")).encode("ascii")


@pytest.mark.parametrize("status", list(Status))
def test_exit_code_is_zero_only_for_safe_verdicts(example_run: Run, status: Status) -> None:
    run = replace(example_run, assertions=(replace(example_run.assertions[0], status=status),))
    assert run.exit_code == (0 if status in (Status.PROVED, Status.UNREACHABLE) else 1)


def test_checks_that_start_at_the_same_place_have_ids_of_their_own(example_run: Run) -> None:
    first = example_run.assertions[0]
    twice = replace(example_run, assertions=(first, first, *example_run.assertions[1:]))
    ids = [entry["id"] for entry in document(twice)["assertions"]]
    assert len(set(ids)) == len(ids)
    assert ids[:2] == [first.check.id, f"{first.check.id}#2"]


FIELDS = Path(__file__).with_name("result_fields.txt")


def fields(schema: Any, definitions: Any, path: str = "") -> Iterator[str]:
    """The fields that a schema knows, with their paths, those of arrays behind `[]`."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].removeprefix("#/$defs/")]
    for name, inner in schema.get("properties", {}).items():
        yield f"{path}{name}"
        yield from fields(inner, definitions, f"{path}{name}.")
    if isinstance(schema.get("items"), dict):
        yield from fields(schema["items"], definitions, f"{path.removesuffix('.')}[].")


def test_no_field_goes_away_within_one_number_of_the_schema() -> None:
    """`docs/reading-results.md` says so; a new field is added to the list, and stays there."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert schema["title"] == "duet.result/1", "a new number begins a new list"
    known = FIELDS.read_text(encoding="utf-8").split()
    assert sorted(fields(schema, schema["$defs"])) == known
