"""Whether invariants hold in a program: they are put into it as checks, and what is shown of these is certified."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace

from duet import limits, pipeline
from duet.deadline import Deadline
from duet.options import INVARIANT, UNDEFINED, Invariant
from duet.pipeline import Ending, Job
from duet.result import Assertion, Check
from duet.witness.candidates import candidates
from duet.witness.document import Said

_ROUNDS = 4
_MOST = 12
"""Invariants about ghosts, and places, that are tried one after the other."""


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


def examined(job: Job, said: Said) -> Examined:
    """The run of a job with invariants and ghosts in its program, and what the checker of certificates says of it."""
    limit = Deadline.after(job.analysis.timeout)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "certificate.json")
        frontend = replace(job.frontend, invariants=said.invariants, ghosts=said.ghosts, ghost_updates=said.updates)
        ending = pipeline.run(replace(job, frontend=frontend, certificate=path))
        if ending.failure is not None or not os.path.exists(path):
            return Examined(ending, frozenset())
        left = None if job.analysis.timeout is None else max(1.0, limit.left)
        outcome, _ = limits.run(lambda _: pipeline.certify(path, job.files), left, job.analysis.memory)
    shown = outcome.value[1] if isinstance(outcome, limits.Finished) else None
    return Examined(ending, frozenset(shown.certified if shown is not None and shown.holds else ()))


def justified(job: Job, has_ghosts: bool = True) -> Said:
    """What is certain to hold in the program of a job, in words of it and of ghosts; nothing where the time is over."""
    limit = Deadline.after(job.analysis.timeout)

    def left(part: float) -> float | None:
        return None if job.analysis.timeout is None else max(1.0, limit.share(part).left)

    analysis = replace(job.analysis, verify=False)
    guessed, _ = limits.run(
        lambda _: candidates(job.files, job.frontend, replace(analysis, timeout=left(0.3))), left(0.4), analysis.memory
    )
    found = guessed.value if isinstance(guessed, limits.Finished) else Said()

    def tried(said: Said, part: float) -> tuple[Invariant, ...]:
        options = replace(analysis, timeout=left(part), verify=bool(said.ghosts))
        given = replace(job, analysis=options, is_thorough=False)
        shown = examined(given, said)
        return tuple(item for item in said.invariants if shown.holds(item))

    plain = Said(tuple(item for item in found.invariants if not found.mentioned(item)))
    for _ in range(_ROUNDS):
        kept = tried(plain, 0.5) if plain.invariants else ()
        if len(kept) == len(plain.invariants):
            break
        plain = Said(kept)
    else:
        return Said()
    return (
        _with_ghosts(found, plain, lambda said: limit.left > 0 and tried(said, 0.2) == said.invariants)
        if has_ghosts
        else plain
    )


def _with_ghosts(found: Said, plain: Said, is_held: Callable[[Said], bool]) -> Said:
    """Invariants about ghosts that hold together, and those without ghosts of each place that hold with them.

    A check that is put into the program may be in the way of others, so what is added is tried with what is there.
    """
    held = replace(found, invariants=())
    about_ghosts = [item for item in found.invariants if found.mentioned(item)]
    for item in sorted(about_ghosts, key=lambda item: len(item.expression))[:_MOST]:
        more = replace(held, invariants=(*held.invariants, item))
        held = more if is_held(more) else held
    if not held.invariants:
        return plain
    places: dict[tuple[str, int, int], list[Invariant]] = {}
    for item in plain.invariants:
        places.setdefault((item.file, item.line, item.column), []).append(item)
    for there in list(places.values())[:_MOST]:
        more = replace(held, invariants=(*held.invariants, *there))
        held = more if is_held(more) else held
    return held.needed()
