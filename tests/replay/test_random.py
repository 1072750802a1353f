"""Random C programs with threads: what is refuted by an exact schedule fails when the program runs under it.

`DUET_REPLAYED_PROGRAMS` sets how many programs of each kind (3 by default), `DUET_C_SEED` the first one.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, run
from duet.replay.confirm import ambiguous, seen_as
from duet.replay.recipe import recipe_of
from duet.replay.replay import replay
from duet.result import Status
from tests.replay.programs import needs_compiler
from tests.soundness.c_threads import random_threads
from tests.soundness.test_c_deadlocks import random_locks

pytestmark = needs_compiler
COUNT = int(os.environ.get("DUET_REPLAYED_PROGRAMS", "3"))
FIRST = int(os.environ.get("DUET_C_SEED", "0"))
SECONDS = 4.0
MOST = 3  # checks of a program that are run
KINDS = {
    "checks": (random_threads, ("assertion",)),
    "races": (random_threads, ("data-race",)),
    "deadlocks": (random_locks, ("deadlock",)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_what_is_refuted_fails(kind: str, seed: int, tmp_path: Path) -> None:
    write, properties = KINDS[kind]
    path = tmp_path / "program.c"
    path.write_text(write(seed), encoding="utf-8")
    options = FrontendOptions(properties=properties)
    ending = run(
        Job((str(path),), options, AnalysisOptions(domain="interval", timeout=SECONDS, verify=True), is_thorough=True)
    )
    assert ending.failure is None, ending.failure
    several = ambiguous(ending.run.assertions)
    refuted = [a for a in ending.run.assertions if a.status is Status.REFUTED and seen_as(a) not in several]
    for assertion in refuted[:MOST]:
        found = replay(recipe_of(ending.run, options, assertion))
        assert found.has_failed, f"seed {seed}: {assertion.check} is refuted, but does not fail: {found.others}"
