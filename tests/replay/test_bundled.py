"""What is refuted by an exact schedule fails when the program runs under it: the bundled programs.

Every ninetieth program that has a check that fails, all of them with `--slow`.
"""

from __future__ import annotations

import pytest

from duet.options import AnalysisOptions
from duet.pipeline import Job, run
from duet.replay.confirm import ambiguous, seen_as
from duet.replay.recipe import recipe_of
from duet.replay.replay import replay
from duet.result import Status
from tests.c.annotations import AnnotatedProgram, Expected, bundled
from tests.c.samples import sample
from tests.replay.programs import needs_compiler
from tests.verify.test_bundled import options_of

pytestmark = needs_compiler
SECONDS = 6.0
UNSAFE = [program for program in bundled() if program.lines(Expected.UNSAFE)]


@pytest.fixture(params=sample(UNSAFE, 90))
def program(request: pytest.FixtureRequest) -> AnnotatedProgram:
    found: AnnotatedProgram = request.param
    return found


def test_what_is_refuted_fails_when_it_is_run(program: AnnotatedProgram) -> None:
    options = options_of(program)
    ending = run(Job((str(program.path),), options, AnalysisOptions(timeout=SECONDS, verify=True), is_thorough=True))
    assert ending.failure is None
    refuted = [assertion for assertion in ending.run.assertions if assertion.status is Status.REFUTED]
    several = ambiguous(ending.run.assertions)
    for assertion in refuted:
        if seen_as(assertion) in several:
            continue
        found = replay(recipe_of(ending.run, options, assertion))
        assert found.has_failed, f"refuted, but it does not fail: {assertion.check}, {found.others}"
