"""What a run says when its limit comes: what is announced until then stands."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import click
import pytest

from duet import pipeline
from duet.cli import cli
from duet.errors import ResourceLimit
from duet.frontend import each, lower
from duet.options import AnalysisOptions, FrontendOptions
from duet.result import Run, RunStatus, Status

TEXT = "int a[4]; int main(void) { int i = 3; int *p = &i; a[i] = *p; return a[0]; }\n"

PROGRAM = """
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int kept, raced, *p;
void *work(void *arg) {
    pthread_mutex_lock(&m);
    kept = kept < 5 ? kept + 1 : 0;
    assert(kept <= 5);
    pthread_mutex_unlock(&m);
    raced = raced + 1;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    return *p;
}
"""


def _announced(tmp_path: Path, announced: list[Run]) -> Run:
    path = tmp_path / "a.c"
    path.write_text(PROGRAM, encoding="utf-8")
    options = FrontendOptions(properties=("assertion", "null-dereference", "data-race", "deadlock"))
    return pipeline.perform(pipeline.Job((str(path),), options, AnalysisOptions(verify=False)), announced.append)


def _safe(run: Run) -> set[str]:
    return {one.check.expression for one in run.assertions if one.status.is_safe}


def test_conflicts_that_are_excluded_are_announced_before_all_is_said_of_the_others(tmp_path: Path) -> None:
    announced: list[Run] = []
    with patch.object(pipeline, "race_assertions", side_effect=TimeoutError), pytest.raises(TimeoutError):
        _announced(tmp_path, announced)
    assert {"no race on kept", "no deadlock on m"} <= _safe(announced[-1])
    assert "no race on raced" not in _safe(announced[-1])


def test_nothing_that_was_announced_as_proved_is_lost(tmp_path: Path) -> None:
    found: list[Run] = []
    found.append(_announced(tmp_path, found))
    for before, after in pairwise(found):
        assert _safe(before) <= _safe(after)
    assert any(one.status is Status.UNPROVED for one in found[-1].assertions)


@pytest.mark.parametrize("timeout", [None, 1000.0])
def test_what_holds_in_a_function_by_itself_stands_where_reading_was_cut_off(
    timeout: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_round_of_the_whole(*_: object) -> object:
        raise ResourceLimit("timeout", "the time limit was reached")

    monkeypatch.setattr(lower, "begin_round", first_round_of_the_whole)
    monkeypatch.setattr(each, "LEAST_LINES", 0)
    path = tmp_path / "a.c"
    path.write_text(TEXT, encoding="utf-8")
    options = FrontendOptions(properties=("array-bounds", "null-dereference", "data-race"))
    ending = pipeline.run(pipeline.Job((str(path),), options, AnalysisOptions(timeout=timeout)))
    assert ending.run.status is RunStatus.TIMEOUT
    assert bool(_safe(ending.run)) == (timeout is not None)


def test_checks_found_while_the_program_is_read_are_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def round_after_the_first(*_: object) -> object:
        raise ResourceLimit("timeout", "the time limit was reached")

    monkeypatch.setattr(lower, "follow_pointers", round_after_the_first)
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
