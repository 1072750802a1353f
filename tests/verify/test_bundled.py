"""The bundled C programs: nothing that is true is refuted, nothing that fails is proved with cubes.

Every ninetieth program, all of them with `--slow`. Proofs are looked for without looking for schedules first, so that a
proof of what fails would not be hidden by a schedule.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from duet.cli import analyze, cli
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.deadline import Deadline
from duet.options import DEFAULT_PROPERTIES, UNDEFINED, AnalysisOptions, FrontendOptions
from duet.reading import Input, read
from duet.result import Check
from duet.verify import decide
from duet.verify.decide import Subject, proofs
from duet.verify.refute import failing
from tests.c.annotations import AnnotatedProgram, Expected, bundled, name
from tests.c.samples import sample

SECONDS = 1.0
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text(encoding="utf-8"))
UNSAFE = [program for program in bundled() if program.lines(Expected.UNSAFE)]


def options_of(program: AnnotatedProgram) -> FrontendOptions:
    """The front end's options of a program."""
    given = analyze.make_context("analyze", [*program.arguments, str(program.path)]).params
    return FrontendOptions(
        parameterized=given["parameterized"],
        entries=given["entries"],
        init=given["init"],
        properties=given["properties"] or DEFAULT_PROPERTIES,
        model=given["model"],
        std=given["std"],
        unknown_functions=given["unknown_functions"],
    )


def inputs(program: AnnotatedProgram) -> tuple[Input, Input]:
    """The program as it is, and with whatever is undefined as a check of its own."""
    asked = options_of(program)
    options = replace(asked, properties=tuple(p for p in asked.properties if p not in ("data-race", "deadlock")))
    strict = replace(options, properties=tuple(dict.fromkeys((*options.properties, *UNDEFINED))))
    paths = (str(program.path),)
    return read(paths, options, Clock()), read(paths, strict, Clock())


@pytest.fixture(params=sample(UNSAFE, 90))
def program(request: pytest.FixtureRequest) -> AnnotatedProgram:
    found: AnnotatedProgram = request.param
    return found


def test_neither_false_proofs_nor_false_alarms(program: AnnotatedProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    found, strict = inputs(program)
    unsafe = set(program.lines(Expected.UNSAFE))
    true = {a.line for a in program.annotations} - unsafe
    undefined = {a.line for a in program.annotations if a.is_undefined}
    here = [check for check in found.checks if check.file == str(program.path) and check not in found.unknown]
    analysis = analyse(found.program, AnalysisOptions())
    copied = [check for check in here if check in analysis.fixpoints[0].verdicts]
    wrong = [check for check in copied if check.line in unsafe]
    by_cubes = proofs(Subject(found.program, found.program, analysis), wrong, Deadline.after(SECONDS * len(wrong)))
    # a line may have several checks, of which one fails
    assert unsafe.isdisjoint(_all_proved(wrong, by_cubes))
    monkeypatch.setattr(decide, "wander", lambda *_: ())  # guesses are tested with no state
    blindly = proofs(Subject(found.program, found.program, analysis), wrong, Deadline.after(SECONDS * len(wrong)))
    assert unsafe.isdisjoint(_all_proved(wrong, blindly))
    exact = {
        check.line
        for check, how in failing(strict.program, here, Deadline.after(SECONDS * len(here))).items()
        if not how.doubt
    }
    assert not exact & (true | undefined)


@pytest.mark.parametrize("program", [p for p in UNSAFE if any(a.is_undefined for a in p.annotations)], ids=name)
def test_what_is_undefined_is_not_refuted_exactly(program: AnnotatedProgram) -> None:
    _, strict = inputs(program)
    lines = {annotation.line for annotation in program.annotations if annotation.is_undefined}
    wanted = [check for check in strict.checks if check.line in lines and check.property_name in DEFAULT_PROPERTIES]
    assert wanted
    found = failing(strict.program, wanted, Deadline.after(SECONDS * len(wanted)))
    assert all(schedule.doubt for schedule in found.values())


@pytest.mark.parametrize(
    ("topic", "line"), [pytest.param("banking/withdraw", 30, marks=pytest.mark.slow), ("queues/tickets", 20)]
)
def test_cubes_are_certified(topic: str, line: int, tmp_path: Path) -> None:
    (program,) = [program for program in bundled() if name(program) == topic]
    proof = str(tmp_path / "proof.json")
    CliRunner().invoke(cli, ["verify", *program.arguments, str(program.path), "--certificate", proof])
    document = json.loads(Path(proof).read_text(encoding="utf-8"))
    jsonschema.validate(document, SCHEMA)
    assert [layer["check"][1] for layer in document["cubes"]] == [line]
    done = CliRunner().invoke(cli, ["check", proof, str(program.path), "--format=json"])
    assert done.exit_code == 0, done.output
    assert any(f"{program.path.name}:{line}:" in found for found in json.loads(done.stdout)["certified"])
    document["cubes"][0]["cubes"].pop(0)
    Path(proof).write_text(json.dumps(document), encoding="utf-8")
    assert CliRunner().invoke(cli, ["check", proof, str(program.path)]).exit_code == 1


def _all_proved(checks: Collection[Check], proved: Collection[Check]) -> set[int]:
    """The lines of which every check is proved."""
    open_lines = {check.line for check in checks if check not in proved}
    return {check.line for check in checks} - open_lines


@pytest.mark.parametrize(
    ("topic", "line"), [pytest.param("banking/transfer", 54, marks=pytest.mark.slow), ("handmade/bakery_of_two", 27)]
)
def test_what_data_flow_graphs_leave_open_is_proved(topic: str, line: int) -> None:
    (program,) = [program for program in bundled() if name(program) == topic]
    result = CliRunner().invoke(cli, ["verify", *program.arguments, str(program.path)])
    shown = [text for text in result.stdout.splitlines() if not text.startswith(" ")]
    assert not any(f"{program.path.name}:{line}:" in text for text in shown)
    assert " proved" in shown[-1]
