"""Checks that are open, decided by running the C program: what fails in a run is refuted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from duet.deadline import Deadline
from duet.options import ATTEMPTS, SECONDS, FrontendOptions
from duet.replay.build import CannotRun
from duet.replay.guide import kind_of
from duet.replay.recipe import recipe_of
from duet.replay.replay import Replayed, replay
from duet.result import Assertion, Move, Run, Status

RUN = "run"
"""What a schedule is confirmed by under which the C program failed."""
_COMPILING = 2.0
BLIND_SECONDS = 5
"""For runs of a program whose check has no schedule to follow."""


def confirmed(run: Run, options: FrontendOptions, deadline: Deadline | None = None) -> tuple[Assertion, ...]:
    """The verdicts of a run, those open refuted where the program fails. `run` has its files, mode and verdicts."""
    deadline = deadline or Deadline()
    several = ambiguous(run.assertions)
    return tuple(
        _confirmed(run, options, assertion, several, deadline) if assertion.status is Status.UNPROVED else assertion
        for assertion in run.assertions
    )


def ambiguous(assertions: Sequence[Assertion]) -> frozenset[tuple[object, ...]]:
    """The places where several checks of one kind may fail, so that a run does not tell which one did."""
    count = Counter(seen_as(assertion) for assertion in assertions if not assertion.status.is_safe)
    return frozenset(place for place, number in count.items() if number > 1)


def seen_as(assertion: Assertion) -> tuple[object, ...]:
    """What the runtime sees of a check that fails."""
    check = assertion.check
    race = [(a.stack[-1].file, a.stack[-1].line) for a in assertion.accesses if a.stack]
    return kind_of(check), check.file, check.line, *(sorted(race) if check.property_name == "data-race" else ())


def _confirmed(
    run: Run,
    options: FrontendOptions,
    assertion: Assertion,
    several: frozenset[tuple[object, ...]],
    deadline: Deadline,
) -> Assertion:
    try:
        found = _replayed(run, options, assertion, several, deadline)
    except CannotRun as reason:
        return replace(assertion, reason=_and(assertion.reason, f"not run: {reason}"))
    if not found.has_failed:
        return replace(assertion, reason=_and(assertion.reason, f"it did not fail in {found.attempts} runs"))
    moves = assertion.schedule or _moves(run, found)
    return replace(
        assertion,
        status=Status.REFUTED,
        schedule=moves,
        confirmed=RUN,
        reason="the C program failed in a run",
        flows=(),
    )


def _replayed(
    run: Run,
    options: FrontendOptions,
    assertion: Assertion,
    several: frozenset[tuple[object, ...]],
    deadline: Deadline,
) -> Replayed:
    seconds = int(min(SECONDS if assertion.schedule else BLIND_SECONDS, deadline.left - _COMPILING))
    if seconds < 1:
        raise CannotRun("no time is left")
    if options.model == "linux":
        raise CannotRun("kernel code does not run by itself")
    if options.data_model != "LP64":
        raise CannotRun(f"programs of the data model {options.data_model} are not run")
    if seen_as(assertion) in several:
        raise CannotRun("several checks of this line may fail, and a run does not tell which of them did")
    return replay(recipe_of(run, options, assertion), ATTEMPTS, seconds)


def _and(reason: str, more: str) -> str:
    return f"{reason}; {more}" if reason else more


def _moves(run: Run, found: Replayed) -> tuple[Move, ...]:
    """The steps of a run as moves, in the words of the source."""
    texts = {str(Path(source.path).resolve()): source.text.splitlines() for source in run.sources}
    named = {str(Path(path).resolve()): path for path in (*run.files, *(source.path for source in run.sources))}
    moves: list[Move] = []
    for step in found.steps:
        lines = texts.get(step.file, [])
        text = lines[step.line - 1].strip() if step.line <= len(lines) else ""
        moves.append(Move(step.thread, "", named.get(step.file, step.file), step.line, text))
    return tuple(moves)
