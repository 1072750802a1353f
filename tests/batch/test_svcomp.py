"""SV-COMP task definitions and property files."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.batch.suite import load
from duet.batch.svcomp import Property, read_property
from duet.batch.task import Task
from duet.errors import SourceError
from tests.batch.conftest import make_suite

UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
DEFINITION = """
format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/no-overflow.prp
    expected_verdict: false
    subproperty: x
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: true
  - property_file: ../properties/termination.prp
options:
  language: C
  data_model: LP64
"""
PROPERTIES = {
    "properties/unreach-call.prp": UNREACH,
    "properties/no-overflow.prp": "CHECK( init(main()), LTL(G ! overflow) )\n",
    "properties/valid-memsafety.prp": "".join(
        f"CHECK( init(main()), LTL(G {name}) )\n" for name in ("valid-free", "valid-deref", "valid-memtrack")
    ),
    "properties/termination.prp": "CHECK( init(main()), LTL(F end) )\n\n",
}


def _suite(directory: Path, definition: str = DEFINITION) -> str:
    make_suite(directory, {**PROPERTIES, "set/t.yml": definition, "set/a.c": "", "set/b1.c": "", "set/b2.c": ""})
    return str(directory / "set")


def _tasks(path: str, **given: tuple[str, ...]) -> dict[str, Task]:
    return {task.name: task for task in load(path, {}, given).tasks}


def test_definition_gives_a_task_for_each_property(tmp_path: Path) -> None:
    tasks = _tasks(_suite(tmp_path))
    assert list(tasks) == ["t.yml:unreach-call", "t.yml:no-overflow", "t.yml:valid-memsafety", "t.yml:termination"]
    unreach, overflow, memory, termination = tasks.values()
    assert unreach.files == (str(tmp_path / "set" / "a.c"),)
    assert (unreach.expected, overflow.expected, termination.expected) == (True, False, None)
    assert unreach.frontend.properties == ("assertion", "unreach-call")
    assert overflow.frontend.properties == ("overflow",)
    assert (unreach.skipped, overflow.skipped) == ("", "")
    assert "valid-free, valid-deref, valid-memtrack" in memory.skipped
    assert termination.skipped == "the property termination is not supported"


def test_single_definition_and_chosen_properties(tmp_path: Path) -> None:
    path = _suite(tmp_path) + "/t.yml"
    assert len(_tasks(path)) == 4
    assert list(_tasks(path, properties=("overflow",))) == ["t.yml:no-overflow"]


def test_other_yaml_files_are_no_definitions(tmp_path: Path) -> None:
    path = _suite(tmp_path)
    make_suite(tmp_path, {"set/ci.yml": "on: push\n", "set/list.yaml": "- 1\n"})
    assert len(_tasks(path)) == 4


@pytest.mark.parametrize(
    ("options", "reason"),
    [("data_model: LLP64", "the data model LLP64 is not supported"), ("language: Java", "language Java")],
)
def test_what_would_be_unsound_is_skipped(tmp_path: Path, options: str, reason: str) -> None:
    tasks = _tasks(_suite(tmp_path, DEFINITION.split("options:")[0] + f"options:\n  {options}\n"))
    assert len(tasks) == 4
    assert all(reason in task.skipped for task in tasks.values())


def test_a_definition_tells_the_data_model(tmp_path: Path) -> None:
    for model in ("LP64", "ILP32"):
        path = _suite(tmp_path / model, DEFINITION.replace("data_model: LP64", f"data_model: {model}"))
        assert {task.frontend.data_model for task in _tasks(path).values() if not task.skipped} == {model}


def test_several_input_files(tmp_path: Path) -> None:
    (task, *_) = _tasks(_suite(tmp_path, DEFINITION.replace("'a.c'", "[a.c, 'b*.c']"))).values()
    assert [Path(file).name for file in task.files] == ["a.c", "b1.c", "b2.c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (UNREACH, Property("unreach-call")),
        ("CHECK(init(main()),LTL(G!call(__VERIFIER_error())))", Property("unreach-call")),
        ("\n\nCHECK( init(main()), LTL(G ! data-race) )", Property("no-data-race")),
        ("CHECK( init(main()), LTL(G ! overflow) )", Property("no-overflow")),
    ],
)
def test_property_that_can_be_checked(tmp_path: Path, text: str, expected: Property) -> None:
    path = tmp_path / "p.prp"
    path.write_text(text, encoding="utf-8")
    assert read_property(str(path)) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CHECK( init(main()), LTL(G ! call(my_error())) )", "calls of my_error are not checked"),
        ("CHECK( init(start()), LTL(G ! overflow) )", "programs that start in start"),
        ("CHECK( init(main()), LTL(G valid-deref) )", "the property valid-deref is not supported"),
    ],
)
def test_property_that_cannot_be_checked(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "p.prp"
    path.write_text(text, encoding="utf-8")
    assert reason in read_property(str(path)).unsupported


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p.prp:1:1: error: this property file is empty"),
        (UNREACH + "hello\n", "p.prp:2:1: error: expected CHECK"),
        ("CHECK( init(main()), LTL(G ! livelock) )", "p.prp:1:22: error: unknown property 'LTL(G ! livelock)'"),
    ],
)
def test_errors_in_property_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "p.prp"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read_property(str(path))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("'2.0'", "'1.0'", "format version 1.0 are not supported"),
        ("input_files: 'a.c'", "input_files: [", "t.yml:5:3: error: not YAML"),
        ("'a.c'", "'missing.c'", "no input file matches 'missing.c'"),
        ("'a.c'", "3", "'input_files' must be a file name or a list of them"),
        ("expected_verdict: true", "expected_verdict: 'yes'", "'expected_verdict' must be true or false"),
        ("property_file: ../properties/no-overflow.prp", "file: x", "each of 'properties' needs a 'property_file'"),
        ("no-overflow.prp", "missing.prp", "missing.prp:1:1: error: cannot read this property file: No such file"),
        ("options:\n  language: C\n  data_model: LP64", "options: 3", "'options' must be a mapping"),
    ],
)
def test_errors_in_definitions(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in DEFINITION
    path = _suite(tmp_path, DEFINITION.replace(old, new, 1))
    with pytest.raises(SourceError) as caught:
        load(path + "/t.yml", {}, {})
    assert message in str(caught.value)


def test_definition_without_a_version(tmp_path: Path) -> None:
    path = _suite(tmp_path, "input_files: a.c\n")
    with pytest.raises(SourceError, match="not a task definition"):
        load(path + "/t.yml", {}, {})
