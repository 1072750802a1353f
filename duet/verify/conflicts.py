"""Data races as checks of a program: an execution that fails one is an execution in which two threads race.

A location from which every way makes the one access gets steps in front: the thread says that it is about to make it,
and takes that back, before it does. A location of the other access gets a check that nobody has said so.
*Approximates*: exact. The new steps change nothing of what the program does; where the check fails, another thread has
said so and not gone on, and this one is about to make its access, too.

An access counts only where the instruction touches the very cell that the source names, and stands for no more than C
does; whatever else may be meant (any element, unknown memory, an object that each thread has for itself) is left open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from duet.deadline import Deadline
from duet.plip.accesses import Access
from duet.plip.marks import united
from duet.plip.syntax import (
    Assert,
    Assign,
    Atom,
    Cell,
    Command,
    Linear,
    Program,
    Relation,
    Template,
)
from duet.plip.touched import reads, writes
from duet.result import AccessNote, Assertion, Check, Move, Status
from duet.verify.decide import EXACT, SECONDS, Subject
from duet.verify.refute import failing
from duet.verify.schedule import Schedule

ABOUT = "$about"
"""The cell that counts the threads that are about to make the first access."""


@dataclass(frozen=True, slots=True)
class Racing:
    """A program in which a check fails iff two accesses race; both of them as moves say them, `read x`, `write x`."""

    program: Program
    words: tuple[str, str]


def races(program: Program, found: Sequence[Assertion], deadline: Deadline) -> Mapping[Check, Schedule]:
    """A schedule for each race among some verdicts that was found to happen, its two accesses last."""
    wanted = [assertion for assertion in found if assertion.status is Status.UNPROVED and len(assertion.accesses) == 2]
    result: dict[Check, Schedule] = {}
    for position, assertion in enumerate(wanted):
        shown = racing(program, assertion)
        if shown is not None:
            until = deadline.share(1 / (len(wanted) - position))
            how = failing(shown.program, [assertion.check], until).get(assertion.check)
            if how is not None:
                result[assertion.check] = _told(how, shown.words)
    return result


def racing(program: Program, assertion: Assertion) -> Racing | None:
    """The program with the race of a verdict as its check; None where its accesses are not exact ones."""
    one, other = assertion.accesses
    cells = _cells(program, one) & _cells(program, other)
    if len(cells) != 1:
        return None
    (cell,) = cells
    first, second = _places(program, one, cell), _places(program, other, cell)
    if not first or not second:
        return None
    told = _told_of(program, first, second, assertion.check)
    return Racing(told, (f"{one.kind} {one.cell}", f"{other.kind} {other.cell}"))


def _cells(program: Program, note: AccessNote) -> frozenset[str]:
    """The cells that the accesses of a note are to, as the source names them."""
    return frozenset(
        access.object + "".join(access.path)
        for command in program.commands
        for access in command.accesses
        if _is_of(note, access)
    )


def _is_of(note: AccessNote, access: Access) -> bool:
    """Whether an access is one that a note speaks of: of its kind, on its line."""
    if access.span is None or not note.stack or access.owner or access.is_private:
        return False
    place = note.stack[-1]
    same = (access.kind.value, access.label, access.is_atomic) == (note.kind, note.cell, note.is_atomic)
    return same and (access.span.file, access.span.line) == (place.file, place.line)


def _places(program: Program, note: AccessNote, cell: str) -> Mapping[int, str]:
    """The locations from which every way makes an access to a cell, with what is not exact of it."""
    declared = program.cells.get(cell)
    if declared is None or declared.template is not None or declared.summary:
        return {}
    atomic = frozenset(spot for template in program.templates.values() for spot in template.atomic)
    found: dict[int, str] = {}
    for location, leaving in program.outgoing.items():
        commands = [program.commands[index] for index in leaving]
        if commands and location not in atomic and all(_makes(command, note, cell) for command in commands):
            found[location] = united(*(command.approximates for command in commands))
    return found


def _makes(command: Command, note: AccessNote, cell: str) -> bool:
    touched = writes(command.instruction) if note.kind == "write" else reads(command.instruction)
    named = any(_is_of(note, a) and a.object + "".join(a.path) == cell for a in command.accesses)
    return named and cell in touched


def _told_of(program: Program, first: Mapping[int, str], second: Mapping[int, str], check: Check) -> Program:
    """The program in which threads say that they are about to make the first access, and look before the second one."""
    fresh = max(program.template_of) + 1
    moved: dict[int, int] = {}
    more: dict[str, list[Command]] = {name: [] for name in program.templates}
    for location in sorted({*first, *second}):
        span = program.commands[program.outgoing[location][0]].span
        here, owner = location, program.template_of[location]
        if location in second:
            guard = Atom(Linear(((ABOUT, 1),), 0), Relation.EQ)
            mark = _of_access(second[location])
            more[owner].append(Command(here, Assert(guard, check, stops=False), fresh, span, (), mark))
            here, fresh = fresh, fresh + 1
        if location in first:
            for change, mark in ((1, _of_access(first[location])), (-1, "")):
                step = Assign(ABOUT, Linear(((ABOUT, 1),), change))
                more[owner].append(Command(here, step, fresh, span, (), mark))
                here, fresh = fresh, fresh + 1
        moved[location] = here
    return _with(program, moved, more)


def _of_access(mark: str) -> str:
    """A mark that says of an access that it may be none; it is more than one that speaks of a value."""
    return f"the access may be none: {mark}" if mark else ""


def _with(program: Program, moved: Mapping[int, int], more: Mapping[str, Sequence[Command]]) -> Program:
    """The program whose commands leave from elsewhere, with more of them."""
    commands = [replace(command, source=moved.get(command.source, command.source)) for command in program.commands]
    templates: dict[str, Template] = {}
    for name, template in program.templates.items():
        numbers = range(len(commands), len(commands) + len(more[name]))
        commands += more[name]
        templates[name] = replace(template, commands=(*template.commands, *numbers))
    cells = {**program.cells, ABOUT: Cell(ABOUT, lo=0, hi=0, label=ABOUT)}
    return replace(program, cells=cells, templates=templates, commands=tuple(commands))


def _told(found: Schedule, words: tuple[str, str]) -> Schedule:
    """The schedule in the words of the source: the accesses that two threads are about to make are last."""
    *before, last = found.moves
    about: dict[str, Move] = {}
    moves: list[Move] = []
    for move in before:
        if ABOUT not in move.text:
            moves.append(move)
        elif move.text.startswith("assert"):
            pass
        elif move.text.endswith("+ 1"):
            about[move.thread] = move
        else:
            about.pop(move.thread, None)
    other = next(move for name, move in about.items() if name != last.thread)
    ends = (_as(other, words[0]), _as(last, words[1]))
    return replace(found, moves=(*moves, *ends))


def _as(move: Move, text: str) -> Move:
    return replace(move, text=text, values=(), effect=text.partition(" ")[0], given=None)


def decided(subject: Subject, found: Sequence[Assertion], deadline: Deadline) -> tuple[Assertion, ...]:
    """The verdicts on races, those refuted that have a schedule which is one of the source.

    Without a limit (`deadline`) the time goes by their number.
    """
    limited = deadline.share(0.5) if deadline.end < math.inf else Deadline.after(SECONDS * len(found))
    schedules = races(subject.strict, found, limited)
    return tuple(_decided(assertion, schedules.get(assertion.check), subject.doubt) for assertion in found)


def _decided(assertion: Assertion, found: Schedule | None, doubt: str) -> Assertion:
    if found is None or assertion.status is not Status.UNPROVED:
        return assertion
    reason = found.doubt or doubt
    if reason:
        return replace(assertion, schedule=found.moves, reason=f"{assertion.reason}; in the model only: {reason}")
    return replace(assertion, status=Status.REFUTED, schedule=found.moves, confirmed=EXACT)
