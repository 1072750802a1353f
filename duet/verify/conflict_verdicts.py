"""Verdicts on what threads do to each other, those refuted for which a schedule is found: data races, deadlocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from duet.deadline import Deadline
from duet.plip.marks import in_words
from duet.result import Assertion, Status
from duet.verify.circles import circles
from duet.verify.conflicts import races
from duet.verify.decide import EXACT, Subject, limited
from duet.verify.schedule import Schedule

DEADLOCK = "deadlock"


def decided(subject: Subject, found: Sequence[Assertion], deadline: Deadline) -> tuple[Assertion, ...]:
    """The verdicts, those refuted that have a schedule which is one of the source.

    Without a limit (`deadline`) the time goes by their number.
    """
    deadline = deadline.share(0.5) if deadline.is_set else limited(len(found), deadline)
    deadlocks = [assertion for assertion in found if assertion.check.property_name == DEADLOCK]
    racing = [assertion for assertion in found if assertion.check.property_name != DEADLOCK]
    until = deadline.share(len(racing) / max(1, len(found)))
    schedules = {**races(subject.strict, racing, until), **circles(subject.strict, deadlocks, deadline)}
    return tuple(_decided(assertion, schedules.get(assertion), subject.doubt) for assertion in found)


def _decided(assertion: Assertion, found: Schedule | None, doubt: str) -> Assertion:
    if found is None or assertion.status is not Status.UNPROVED:
        return assertion
    reason = found.doubt or doubt
    if reason:
        told = f"{assertion.reason}; in the model only: {in_words(reason, found.place)}"
        return replace(assertion, schedule=found.moves, because=found.because, reason=told)
    refuted = replace(assertion, status=Status.REFUTED, schedule=found.moves, because=found.because)
    return replace(refuted, confirmed=EXACT)
