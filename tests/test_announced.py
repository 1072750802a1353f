"""What is announced of a run that goes on, which stands where its time is over."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pytest

from duet import pipeline
from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform
from duet.result import Run, Status

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
ASKED = ("assertion", "null-dereference", "data-race", "deadlock")


def _run(tmp_path: Path, announced: list[Run]) -> Run:
    source = tmp_path / "a.c"
    source.write_text(PROGRAM)
    job = Job((str(source),), FrontendOptions(properties=ASKED), AnalysisOptions(engine="bitset", verify=False))
    return perform(job, announced.append)


def _safe(run: Run) -> set[str]:
    return {one.check.expression for one in run.assertions if one.status.is_safe}


def test_conflicts_that_are_excluded_are_announced_before_all_is_said_of_the_others(tmp_path: Path) -> None:
    announced: list[Run] = []
    with patch.object(pipeline, "race_assertions", side_effect=TimeoutError), pytest.raises(TimeoutError):
        _run(tmp_path, announced)
    found = _safe(announced[-1])
    assert {"no race on kept", "no deadlock on m"} <= found
    assert "no race on raced" not in found


def test_nothing_that_was_announced_as_proved_is_lost(tmp_path: Path) -> None:
    found: list[Run] = []
    found.append(_run(tmp_path, found))
    for before, after in pairwise(found):
        assert _safe(before) <= _safe(after)
    assert any(one.status is Status.UNPROVED for one in found[-1].assertions)
