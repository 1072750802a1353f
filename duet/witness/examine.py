"""Whether invariants hold in a program: they are put into it as checks, and what is shown of these is certified."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace

from duet import limits, pipeline
from duet.deadline import Deadline
from duet.options import INVARIANT, UNDEFINED, Invariant
from duet.pipeline import Ending, Job
from duet.result import Assertion, Check
from duet.witness.candidates import candidates

_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Examined:
    """A run of a program with invariants, and which checks a certificate of it shows."""

    ending: Ending
    certified: frozenset[Check]

    def holds(self, item: Invariant) -> bool:
        """Whether an invariant holds wherever a thread is at its place, and nothing in it is undefined."""
        found = self.about(item)
        return bool(found) and all(one.check in self.certified for one in found)

    def about(self, item: Invariant) -> tuple[Assertion, ...]:
        """The verdicts on an invariant, and on what may be undefined there."""
        run = self.ending.run
        places = {(a.check.line, a.check.column) for a in run.assertions if _is_of(a.check, item)}
        return tuple(
            found
            for found in run.assertions
            if _is_of(found.check, item)
            or (
                found.check.property_name in UNDEFINED
                and found.check.file == item.file
                and (found.check.line, found.check.column) in places
            )
        )


def _is_of(check: Check, item: Invariant) -> bool:
    is_here = check.file == item.file and check.line == item.line and check.expression == item.expression
    return is_here and check.property_name == INVARIANT and item.column in (0, check.column)


def examined(job: Job, invariants: Sequence[Invariant]) -> Examined:
    """The run of a job with invariants in its program, and what the checker of certificates says of it."""
    limit = Deadline.after(job.analysis.timeout)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "certificate.json")
        frontend = replace(job.frontend, invariants=tuple(invariants))
        ending = pipeline.run(replace(job, frontend=frontend, certificate=path))
        if ending.failure is not None or not os.path.exists(path):
            return Examined(ending, frozenset())
        left = None if job.analysis.timeout is None else max(1.0, limit.left)
        outcome, _ = limits.run(lambda _: pipeline.certify(path, job.files), left, job.analysis.memory)
    shown = outcome.value[1] if isinstance(outcome, limits.Finished) else None
    return Examined(ending, frozenset(shown.certified if shown is not None and shown.holds else ()))


def justified(job: Job) -> tuple[Invariant, ...]:
    """Invariants of the program of a job that are certain to hold; none where the time is over before."""
    limit = Deadline.after(job.analysis.timeout)

    def left(part: float) -> float | None:
        return None if job.analysis.timeout is None else max(1.0, limit.share(part).left)

    analysis = replace(job.analysis, verify=False)
    guessed, _ = limits.run(
        lambda _: candidates(job.files, job.frontend, replace(analysis, timeout=left(0.3))), left(0.4), analysis.memory
    )
    found = guessed.value if isinstance(guessed, limits.Finished) else ()
    for _ in range(_ROUNDS):
        if not found:
            break
        tried = examined(replace(job, analysis=replace(analysis, timeout=left(0.5)), is_thorough=False), found)
        kept = tuple(item for item in found if tried.holds(item))
        if len(kept) == len(found):
            return found
        found = kept
    return ()
