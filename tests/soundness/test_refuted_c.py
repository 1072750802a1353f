"""Random C programs without inputs against their one execution: a check that is refuted fails, one proved does not.

The time for schedules and proofs is short, so not every check that fails is refuted.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.deadline import Deadline, worked
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import DEFAULT_PROPERTIES, UNDEFINED, AnalysisOptions, FrontendOptions
from duet.plip.reduction import with_local_decisions
from duet.plip.regions import merge_regions
from duet.result import Status
from duet.verify.decide import CUBES, EXACT, Subject, decided
from tests.soundness.c_oracle import COMPILER, observed
from tests.soundness.c_programs import random_program, with_checks

COUNT = int(os.environ.get("DUET_REFUTED_PROGRAMS", "6"))
FIRST = int(os.environ.get("DUET_C_SEED", "0"))
CHUNK = 20
SECONDS = 1.0
needs_compiler = pytest.mark.skipif(shutil.which(COMPILER) is None, reason="there is no gcc to compile programs with")


def closed(text: str) -> str:
    """A program in which every input is a constant, so that it has one execution."""
    count = iter(range(10**6))
    return re.sub(r"__VERIFIER_nondet_\w+\(\)", lambda _: f"({next(count) * 7 % 12 - 3})", text)


def read(path: Path, *more: str) -> Lowered:
    options = FrontendOptions(properties=(*DEFAULT_PROPERTIES, *more))
    return lower(parse(preprocess(str(path), options).text, str(path), options), options)


@needs_compiler
@pytest.mark.parametrize("start", range(FIRST, FIRST + COUNT, CHUNK))
def test_sequential_programs(start: int, tmp_path: Path) -> None:
    seeds = range(start, min(start + CHUNK, FIRST + COUNT))
    probes = [closed(random_program(seed)) for seed in seeds]
    seen = observed(probes, tmp_path, 1)
    texts = [with_checks(text, one.values, seed)[0] for text, one, seed in zip(probes, seen, seeds, strict=True)]
    refuted = proved = 0
    for seed, text, one in zip(seeds, texts, observed(texts, tmp_path, 1), strict=True):
        path = tmp_path / f"checked{seed}.c"
        path.write_text(text, encoding="utf-8")
        lowered, strict = read(path), read(path, *UNDEFINED)
        program, guarded = (merge_regions(with_local_decisions(part.program)) for part in (lowered, strict))
        analysis = analyse(program, AnalysisOptions(domain="interval", engine="bitset", numeric="own"))
        before = assertions(analysis, lowered.checks)
        found = decided(Subject(program, guarded, analysis), before, Deadline(work=worked() + SECONDS))
        for assertion in found:
            line = assertion.check.line
            if assertion.status is Status.REFUTED:
                assert assertion.confirmed == EXACT
                assert line in one.failed, f"seed {seed}, line {line} is refuted, but does not fail:\n{text}"
                refuted += 1
            if assertion.proved_by == CUBES:
                assert line not in one.failed, f"seed {seed}, line {line} is proved, but fails:\n{text}"
                proved += 1
    assert refuted > CHUNK // 4  # the schedules say something
