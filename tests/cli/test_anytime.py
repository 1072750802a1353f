"""What a run says when its limit comes while the program is still read: every check found so far is open."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from duet import pipeline
from duet.cli import cli
from duet.errors import ResourceLimit
from duet.frontend import lower
from duet.options import AnalysisOptions, FrontendOptions
from duet.result import RunStatus, Status

TEXT = "int a[4]; int main(void) { int i = 3; int *p = &i; a[i] = *p; return a[0]; }\n"


def test_checks_found_while_the_program_is_read_are_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def round_after_the_first(*_: object) -> object:
        raise ResourceLimit("timeout", "the time limit was reached")

    monkeypatch.setattr(lower, "_follow_pointers", round_after_the_first)
    path = tmp_path / "a.c"
    path.write_text(TEXT, encoding="utf-8")
    options = FrontendOptions(properties=("array-bounds", "null-dereference"))
    ending = pipeline.run(pipeline.Job((str(path),), options, AnalysisOptions()))
    assert ending.exit_code == 3
    assert ending.run.status is RunStatus.TIMEOUT
    assert "while the program was read" in ending.run.message
    assert ending.run.properties == options.properties
    assert "array-bounds" in {one.check.property_name for one in ending.run.assertions}
    assert {one.status for one in ending.run.assertions} == {Status.UNKNOWN}


def test_schedules_are_looked_for_where_there_is_time_for_each_open_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.c"
    text = "int x; int main(void) { if (__VERIFIER_nondet_int() == 7) x = 1; assert(x == 0); return 0; }\n"
    path.write_text(f"#include <assert.h>\n{text}", encoding="utf-8")
    job = pipeline.Job((str(path),), FrontendOptions(), AnalysisOptions(verify=True))
    assert [one.status for one in pipeline.run(job).run.assertions] == [Status.REFUTED]
    monkeypatch.setattr(pipeline, "FIRST_LOOKS", 0)
    assert [one.status for one in pipeline.run(job).run.assertions] == [Status.UNPROVED]


def test_ctrl_c_before_any_check_is_found_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "run", interrupted)
    path = tmp_path / "a.c"
    path.write_text(TEXT, encoding="utf-8")
    with pytest.raises(click.Abort):
        cli.main(["analyze", str(path)], standalone_mode=False)
    assert capsys.readouterr().err.strip() == "duet: interrupted before any check was found"
