"""Data races as checks of a program: an execution that fails one is an execution in which two threads race.

A location from which every way makes the one access gets steps in front: the thread says that it is about to make it,
and takes that back, before it does. A location of the other access gets a check that nobody has said so.
*Approximates*: exact. The new steps change nothing of what the program does; where the check fails, another thread has
said so and not gone on, and this one is about to make its access, too.

An access counts only where the instruction touches the very cell that the source names, and stands for no more than C
does; whatever else may be meant (any element, unknown memory, an object that each thread has for itself) is left open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from duet.deadline import Deadline
from duet.plip.accesses import Access
from duet.plip.marks import united
from duet.plip.syntax import (
    Assert,
    Assign,
    Atom,
    Command,
    Linear,
    Program,
    Relation,
)
from duet.plip.touched import reads, writes
from duet.result import AccessNote, Assertion, Check, Move, Status
from duet.verify.refute import failing
from duet.verify.schedule import Schedule
from duet.verify.splice import Splice
from duet.verify.waiting import why_racing

ABOUT = "$about"
"""The cell that counts the threads that are about to make the first access."""
NOTE = re.compile(r"(?P<cell>\$about\w*)(?: := (?P=cell) (?P<up>\+ 1))?")


@dataclass(frozen=True, slots=True)
class Racing:
    """A program in which a check fails iff two accesses race; both of them as moves say them, `read x`, `write x`."""

    program: Program
    words: tuple[str, str]


def races(program: Program, found: Sequence[Assertion], deadline: Deadline) -> Mapping[Assertion, Schedule]:
    """A schedule for each race among some verdicts that was found to happen, its two accesses last."""
    wanted = [assertion for assertion in found if assertion.status is Status.UNPROVED and len(assertion.accesses) == 2]
    result: dict[Assertion, Schedule] = {}  # several may have one check
    for position, assertion in enumerate(wanted):
        shown = racing(program, assertion)
        if shown is not None:
            until = deadline.share(1 / (len(wanted) - position))
            how = failing(shown.program, [assertion.check], until).get(assertion.check)
            if how is not None:
                told = _told(how, shown.words)
                result[assertion] = replace(told, because=why_racing(told.moves, assertion.accesses))
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
    splice = Splice(program)
    splice.cell(ABOUT)
    for location in sorted({*first, *second}):
        like, here, last = program.commands[program.outgoing[location][0]], location, splice.leave_from(location)
        if location in second:
            nobody = Atom(Linear(((ABOUT, 1),), 0), Relation.EQ)
            there = splice.fresh() if location in first else last
            splice.edge(like, here, Assert(nobody, check, stops=False), there, of_access(second[location]))
            here = there
        if location in first:
            there = splice.fresh()
            splice.edge(like, here, _changed(1), there, of_access(first[location]))
            splice.edge(like, there, _changed(-1), last)
    return splice.program


def _changed(by: int) -> Assign:
    return Assign(ABOUT, Linear(((ABOUT, 1),), by))


def of_access(mark: str) -> str:
    """A mark that says of an access that it may be none; it is more than one that speaks of a value."""
    return f"the access may be none: {mark}" if mark else ""


def _told(found: Schedule, words: tuple[str, str]) -> Schedule:
    """The schedule in the words of the source: the accesses that two threads are about to make are last."""
    moves, about, last = without_notes(found.moves)
    other = next(move for (name, _), move in about.items() if name != last.thread)
    return replace(found, moves=(*moves, as_move(other, words[0]), as_move(last, words[1])))


def without_notes(found: Sequence[Move]) -> tuple[list[Move], dict[tuple[str, str], Move], Move]:
    """The moves of the program; those by which threads say what they are about to do, by thread and cell; the last one.

    Cells of such notes begin with `$about`.
    """
    *before, last = found
    about: dict[tuple[str, str], Move] = {}
    moves: list[Move] = []
    for move in before:
        note = NOTE.search(move.text)
        if note is None:
            moves.append(move)
        elif note["up"]:
            about[move.thread, note["cell"]] = move
        else:
            about.pop((move.thread, note["cell"]), None)
    return moves, about, last


def as_move(move: Move, text: str, effect: str = "") -> Move:
    """A move as the source has it: what the thread is about to do."""
    return replace(move, text=text, values=(), effect=effect or text.partition(" ")[0], given=None)
