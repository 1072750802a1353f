"""Decides checks that data flow graphs leave open: by a schedule that fails, or by a proof with cubes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from duet.coarsen.results import Analysis, Fixpoint
from duet.deadline import Deadline
from duet.plip.blocks import Blocks, blocks
from duet.plip.marks import ALLOCATION_FAILS, in_words
from duet.plip.sliced import sliced
from duet.plip.syntax import Program
from duet.result import Assertion, Check, Status
from duet.verify.facts import Facts
from duet.verify.refute import failing
from duet.verify.room import Bounds
from duet.verify.samples import samples_of
from duet.verify.schedule import Schedule
from duet.verify.search import Proof, proof
from duet.verify.tables import Tables
from duet.verify.wander import wander

CUBES = "cubes"
"""What a check is proved by that this package proves."""
EXACT = "exact"
"""What a schedule is confirmed by of which no step stands for more than C does."""
SECONDS = 15.0
"""Of work for each check that is open, where the run has no limit of its own."""
_LONGEST = 120.0
_BRIEF, _BRIEF_LONGEST = 1.0, 4.0  # the same where nobody asked for more than an analysis
_EXACT, _EXACT_MOST = 0.4, 3.0  # of the time for a proof, what is for one without guesses, and the most in seconds
_STATES = 40_000  # that guesses are tested with
_WANDER_MOST = 6.0  # seconds
_FIRST, _PROOFS = 0.3, 0.7  # parts of the time left: for schedules at first, then for proofs
_FIRST_MOST = 2.0  # seconds for each check, as most schedules that there are show soon


@dataclass(frozen=True)
class Subject:
    """What is to be decided: the program, and its analysis.

    `strict` is the program in which whatever is undefined in the source is a check that stops; `doubt` says why no
    schedule is known to be one of the source, if there is a reason that holds for all of them.
    """

    program: Program
    strict: Program
    analysis: Analysis
    doubt: str = ""


def brief(count: int, deadline: Deadline) -> Deadline:
    """How long to look into so many open checks where nobody asked for more than an analysis."""
    return deadline.before(min(_BRIEF * count, _BRIEF_LONGEST))


def limited(count: int, deadline: Deadline) -> Deadline:
    """The deadline; where there is none, one that goes by the number of open checks."""
    return deadline if deadline.is_set else deadline.before(min(SECONDS * count, _LONGEST))


def decided(
    subject: Subject, verdicts: tuple[Assertion, ...], deadline: Deadline | None = None
) -> tuple[Assertion, ...]:
    """The verdicts, in order, those that were open with what was found out until the deadline.

    Without a limit (`deadline`, or None) the time goes by the number of open checks.
    """
    open_checks = [assertion.check for assertion in verdicts if assertion.status is Status.UNPROVED]
    deadline = limited(len(open_checks), deadline or Deadline())
    met: dict[Check, str] = {}
    first = deadline.share(_FIRST).before(_FIRST_MOST * len(open_checks))
    schedules = dict(failing(subject.strict, open_checks, first, heard=met.__setitem__))
    left = [check for check in open_checks if check not in schedules]
    proved = proofs(subject, left, deadline.share(_PROOFS))
    left = [check for check in left if check not in proved]
    schedules.update(failing(subject.strict, left, deadline, heard=met.__setitem__))
    settled = (with_proof(with_schedule(assertion, subject, schedules), proved) for assertion in verdicts)
    return tuple(_with_bound(assertion, met) for assertion in settled)


def refuted(subject: Subject, verdicts: Sequence[Assertion], deadline: Deadline) -> tuple[Assertion, ...]:
    """Those of some open verdicts that a schedule refutes which is found until the deadline."""
    schedules = failing(subject.strict, [assertion.check for assertion in verdicts], deadline)
    settled = (with_schedule(assertion, subject, schedules) for assertion in verdicts)
    return tuple(assertion for assertion in settled if assertion.status is Status.REFUTED)


def proofs(subject: Subject, checks: Sequence[Check], deadline: Deadline) -> Mapping[Check, Proof]:
    """Proofs with cubes of some checks, the time shared among those that are left: first exact, then with guesses."""
    found: dict[Check, Proof] = {}
    for check, share in deadline.divided(checks):
        part, facts = prepared(subject.program, subject.analysis.fixpoints, check)
        proved = searched(part.program, check, facts, deadline.share(share))
        if proved is not None:
            found[check] = proved
    return found


def prepared(program: Program, fixpoints: Sequence[Fixpoint], check: Check) -> tuple[Blocks, Facts]:
    """The blocks of what a check can depend on, and what is known of them."""
    atomic = frozenset(spot for template in program.templates.values() for spot in template.atomic)
    known = Facts(fixpoints, program.cells, atomic)
    part = blocks(sliced(program, {check}), known.together)
    return part, Facts(fixpoints, part.program.cells, atomic)


def searched(program: Program, check: Check, facts: Facts, deadline: Deadline) -> Proof | None:
    """A proof, first looked for without guesses and then with them."""
    exact = proof(program, check, facts, deadline.share(_EXACT).before(_EXACT_MOST))
    return exact or _guessed(program, check, facts, deadline)


def _guessed(program: Program, check: Check, facts: Facts, deadline: Deadline) -> Proof | None:
    """A proof with guesses; none where the check fails in a state of few threads."""
    bounds = Bounds(states=_STATES)
    states = wander(program, check, samples_of(program), bounds, deadline.share(0.3).before(_WANDER_MOST))
    if states is None:
        return None
    tables = Tables(program, bounds.threads)
    tables.add(states)
    return proof(program, check, facts, deadline, tables)


def with_proof(assertion: Assertion, proved: Mapping[Check, Proof]) -> Assertion:
    """A verdict, proved if it was open and there is a proof of its check."""
    if assertion.check not in proved or assertion.status is not Status.UNPROVED:
        return assertion
    reason = f"no execution comes through any of {len(proved[assertion.check].cubes)} sets of states that fail"
    settled = replace(assertion, status=Status.PROVED, proved_by=CUBES, flows=(), reason=reason)
    return replace(settled, missing="", cause=None, is_certain=False)


def _with_bound(assertion: Assertion, met: Mapping[Check, str]) -> Assertion:
    """A verdict that is still open, with the bound that ended the search for a schedule."""
    if assertion.status is not Status.UNPROVED or assertion.schedule or assertion.check not in met:
        return assertion
    told = f"no schedule that fails was found in the first {met[assertion.check]}"
    return replace(assertion, reason=f"{assertion.reason}; {told}" if assertion.reason else told)


def with_schedule(assertion: Assertion, subject: Subject, schedules: Mapping[Check, Schedule]) -> Assertion:
    """A verdict that is open, refuted by its schedule, or with it if that is one of the model only."""
    found = schedules.get(assertion.check) if assertion.status is Status.UNPROVED else None
    if found is None:
        return assertion
    doubt = found.doubt or subject.doubt
    if doubt:
        words = in_words(doubt, found.place)
        how = (
            "where memory runs out"
            if doubt == ALLOCATION_FAILS
            else "in the model, by a step that stands for more than C does"
        )
        reason = f"it fails {how}: {words}"
        told = replace(assertion, schedule=found.moves, because=found.because, reason=reason)
        return replace(told, prevented_by=found.prevented_by)
    refuted = replace(assertion, status=Status.REFUTED, reason="the schedule fails", flows=())
    told = replace(refuted, schedule=found.moves, because=found.because, confirmed=EXACT)
    return replace(told, prevented_by=found.prevented_by)
