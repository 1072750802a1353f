"""Verdicts on deadlocks with their evidence: one for each place in the source that waits for a lock or joins.

*Source*: see `duet.check.deadlocks`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from duet.check.deadlocks import Wait, circle_through, is_asked
from duet.coarsen.prevention import of_circle
from duet.coarsen.race_evidence import held_words, positions, stack_words
from duet.coarsen.results import Analysis, Fixpoint
from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.syntax import Program
from duet.result import AccessNote, Assertion, Cause, CauseKind, Chance, Check, Status
from duet.source import Span

PROPERTY = "deadlock"
_ITSELF = "which it may have itself"
_TAKING = (AccessKind.LOCK, AccessKind.RELOCK, AccessKind.TAKE, AccessKind.PRESUME)
_NO_WAIT = "no lock and no thread is waited for"


@dataclass(frozen=True, slots=True)
class _Finding:
    """Whether a check is safe under one fixpoint; if not, the waiting threads in a circle, and how many circles."""

    copies: int
    circle: tuple[Wait, ...] = ()
    why: str = ""


def deadlock_checks(program: Program, file: str) -> tuple[Check, ...]:
    """What there is to decide about deadlocks: a check for each place in the source that waits."""
    accesses = [a for command in program.commands for a in command.accesses if is_asked(a)]
    return tuple(dict.fromkeys(_check(access, file) for access in accesses)) or (_no_wait(file),)


def deadlock_assertions(analysis: Analysis, file: str) -> tuple[Assertion, ...]:
    """The verdicts on deadlocks in a program that carries its lock operations; `file` is where it begins."""
    program = analysis.program
    checks = deadlock_checks(program, file)
    if checks == (_no_wait(file),):
        return (Assertion(checks[0], Status.PROVED, analysis.fixpoints[-1].name, reason=_NO_WAIT),)
    findings = [(fixpoint, _findings(fixpoint, file)) for fixpoint in analysis.fixpoints]
    any_lock = _any_lock(program, file)
    return tuple(sorted((_assertion(program, check, findings, any_lock) for check in checks), key=lambda a: a.check))


def _no_wait(file: str) -> Check:
    return Check(file, 1, 1, "", PROPERTY, _NO_WAIT)


def _any_lock(program: Program, file: str) -> Cause:
    """What all circles hang on in which a lock is not known: the first place that takes one."""
    taken = (access for command in program.commands for access in command.accesses if _may_take_any(access))
    place = min((access.span or Span(file, 1, 1) for access in taken), default=Span(file, 1, 1))
    return Cause(CauseKind.LOST, "which lock this is is not known: it may be any", place.file, place.line)


def _may_take_any(access: Access) -> bool:
    """Whether an operation takes a lock, or waits for one, of which it is not known which."""
    return access.object == UNKNOWN_LOCK and access.kind in _TAKING


def _check(access: Access, file: str) -> Check:
    place = access.span or Span(file, 1, 1)
    function = access.stack[-1].function if access.stack else ""
    what = "the end of a thread" if access.kind is AccessKind.JOIN else access.label
    return Check(place.file, place.line, place.column, function, PROPERTY, f"no deadlock on {what}")


def _findings(fixpoint: Fixpoint, file: str) -> Mapping[Check, _Finding]:
    """What one fixpoint says of each check that some thread comes to; the worst of its copies."""
    found, graph = fixpoint.waiting.places, fixpoint.waiting.circles
    copies: dict[Check, list[int]] = defaultdict(list)
    for index, wait in enumerate(found):
        if is_asked(wait.access) and not fixpoint.invariants.is_bottom(wait.location):
            copies[_check(wait.access, file)].append(index)
    result: dict[Check, _Finding] = {}
    for check, members in copies.items():
        result[check] = _Finding(len(members))
        for index in members:
            around = circle_through(graph, index)
            if found[index].is_self_made:
                result[check] = _Finding(len(members), (found[index],), _ITSELF)
                break
            if around and (not result[check].circle or result[check].why):
                result[check] = _Finding(len(members), tuple(found[other] for other in around))
            elif found[index].forever and not result[check].circle:
                result[check] = _Finding(len(members), (found[index],), found[index].forever)
    return result


def _assertion(
    program: Program, check: Check, findings: Sequence[tuple[Fixpoint, Mapping[Check, _Finding]]], any_lock: Cause
) -> Assertion:
    for fixpoint, found in findings:
        if check not in found:
            return Assertion(check, Status.UNREACHABLE, fixpoint.name, "false", contexts=0)
        if not found[check].circle:
            return Assertion(check, Status.PROVED, fixpoint.name, contexts=found[check].copies)
    finding = findings[-1][1][check]
    notes = tuple(_note(program, wait) for wait in finding.circle)
    has_advice = finding.why in ("", _ITSELF) and all(
        is_asked(wait.access) and wait.access.kind is not AccessKind.PRESUME for wait in finding.circle
    )
    return Assertion(
        check,
        Status.UNPROVED,
        contexts=finding.copies,
        threads=tuple(sorted({note.thread for note in notes})),
        reason=_reason(notes, finding.why),
        accesses=notes,
        must=check.expression,
        missing="one order in which all threads take them" if has_advice and not finding.why else "",
        cause=any_lock if any(map(_is_with_any, finding.circle)) else _cause(check, notes),
        prevented_by=of_circle(notes, finding.why == _ITSELF) if has_advice else (),
    )


def _is_with_any(wait: Wait) -> bool:
    """Whether a place waits for, or has, a lock of which it is not known which."""
    return _may_take_any(wait.access) or any(lock[0] == UNKNOWN_LOCK for lock in wait.held)


def _cause(check: Check, notes: tuple[AccessNote, ...]) -> Cause:
    """The circle that a check is part of, at the first place of it."""
    names = sorted({note.cell for note in notes})
    places = sorted((note.stack[-1].file, note.stack[-1].line) for note in notes if note.stack)
    where = places[0] if places else (check.file, check.line)
    merged = sorted({note.cell for note in notes if note.cell in note.held and _stands_for_several(note.cell)})
    if merged:
        return Cause(CauseKind.LOST, f"which of the locks in {merged[0].strip('()')} is meant is not known", *where)
    text = f"threads may wait in a circle for {', '.join(names)}"
    return Cause(CauseKind.WRITE, text, *where, Chance.RARELY)


def _stands_for_several(lock: str) -> bool:
    """Whether a lock by its label may be one of several objects or elements."""
    return lock.startswith("(") or "[*]" in lock


def _awaited(access: Access) -> str:
    """What is waited for, by the names of the source: copies of a thread function have a number behind them."""
    if access.kind is not AccessKind.JOIN:
        return access.label
    return "the end of a thread" if access.object == UNKNOWN_LOCK else access.label.partition("@")[0]


def _note(program: Program, wait: Wait) -> AccessNote:
    thread = program.templates[wait.template].label
    kind = "join" if wait.is_for_end else "lock"
    return AccessNote(kind, _awaited(wait.access), thread, positions(wait.access), held=wait.labels)


def _reason(notes: tuple[AccessNote, ...], why: str) -> str:
    words = [f"{note.thread} waits for {note.cell} in {stack_words(note)} {held_words(note)}" for note in notes]
    if why:
        return f"{words[0]}, {why}"
    if len(notes) == 1:
        return f"{words[0]}, and so may another instance"
    return "; ".join(words)
