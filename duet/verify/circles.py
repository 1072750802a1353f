"""Deadlocks as checks of a program: an execution that fails one is an execution in which threads wait in a circle.

Each thread notes which of the circle's locks it has. In front of a place of the circle it says that it is about to
wait there, if it has what the one before it in the circle waits for; at the first place is the check that not all
others have said so. *Approximates*: exact, for mutexes and spinlocks that are taken and given back by plain steps, and
for joining. An execution in which a lock is given back by another thread than the one that has it fails no check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from duet.deadline import Deadline
from duet.plip.accesses import Access, AccessKind
from duet.plip.marks import united
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    TRUE,
    And,
    Assert,
    Assign,
    Atom,
    Command,
    Formula,
    Guard,
    Instruction,
    Join,
    Linear,
    Or,
    Program,
    Relation,
    steps,
)
from duet.plip.terms import negate
from duet.plip.touched import writes
from duet.result import AccessNote, Assertion, Check, Status
from duet.verify.conflicts import ABOUT, as_move, of_access, without_notes
from duet.verify.refute import failing
from duet.verify.schedule import Schedule
from duet.verify.splice import Splice
from duet.verify.waiting import why_in_circle

_OTHERS = f"{ABOUT}_others"
"""Counts how often a lock was given back by a thread that did not have it."""


@dataclass(frozen=True, slots=True)
class _Wait:
    """One place of a circle: the locations where a thread waits there, with what is not exact of them.

    `lock` is the cell of the lock that is waited for, empty for joining; `ends` the template that is joined.
    """

    places: Mapping[int, str]
    lock: str
    ends: str
    is_plain: bool


def circles(program: Program, found: Sequence[Assertion], deadline: Deadline) -> Mapping[Assertion, Schedule]:
    """A schedule for each deadlock among some verdicts that was found to happen, the threads of the circle last."""
    wanted = [assertion for assertion in found if assertion.status is Status.UNPROVED and assertion.accesses]
    result: dict[Assertion, Schedule] = {}  # several may have one check
    for assertion, part in deadline.divided(wanted):
        told = circle(program, assertion)
        if told is not None:
            until = deadline.share(part)
            how = failing(told, [assertion.check], until).get(assertion.check)
            if how is not None:
                found_so = _told(how, assertion.accesses)
                result[assertion] = replace(found_so, because=why_in_circle(found_so.moves, assertion.accesses))
    return result


def circle(program: Program, assertion: Assertion) -> Program | None:
    """The program with the deadlock of a verdict as its check; None where it is not about plain locks and joins."""
    waits = [_wait(program, note) for note in assertion.accesses]
    if not all(wait.places and (wait.lock or wait.ends) for wait in waits):
        return None
    spots = [place for wait in waits for place in wait.places]
    locks = sorted({wait.lock for wait in waits if wait.lock})
    if len(set(spots)) < len(spots) or not all(_is_plain_lock(program, lock) for lock in locks):
        return None
    if not _fit(program, waits):
        return None
    splice = Splice(program)
    splice.cell(_OTHERS)
    for lock in locks:
        _note_holder(splice, program, lock)
    for number, wait in enumerate(waits[1:], 1):
        _say(splice, program, wait, waits[number - 1].lock, splice.cell(f"{ABOUT}{number}"))
    _look(splice, program, waits, assertion.check)
    return splice.program


def _wait(program: Program, note: AccessNote) -> _Wait:
    """The place of a circle that a note is about."""
    places: dict[int, str] = {}
    found: set[tuple[AccessKind, str]] = set()
    for location, leaving in program.outgoing.items():
        commands = [program.commands[index] for index in leaving]
        here = {access for command in commands for access in command.accesses if _is_of(note, access)}
        if here and program.templates[program.template_of[location]].label == note.thread:
            places[location] = united(*(command.approximates for command in commands)) if len(commands) == 1 else "ways"
            found |= {(access.kind, access.object + "".join(access.path)) for access in here}
    if len(found) != 1:
        return _Wait({}, "", "", False)
    ((kind, name),) = found
    is_join = kind is AccessKind.JOIN
    return _Wait(places, "" if is_join else name, name if is_join else "", kind is AccessKind.LOCK)


def _is_of(note: AccessNote, access: Access) -> bool:
    kinds = (AccessKind.JOIN,) if note.kind == "join" else (AccessKind.LOCK, AccessKind.RELOCK)
    if access.kind not in kinds or access.span is None or not note.stack or access.label != note.cell:
        return False
    return (access.span.file, access.span.line) == (note.stack[-1].file, note.stack[-1].line)


def _fit(program: Program, waits: Sequence[_Wait]) -> bool:
    """Whether each place waits as it says: for a lock, by a step that takes it, or for the thread that is next."""
    several = many(program)
    for number, wait in enumerate(waits):
        after = waits[(number + 1) % len(waits)]
        for place in wait.places:
            (first, *rest) = (program.commands[index] for index in program.outgoing[place])
            if rest or (wait.lock and not _takes(first, wait.lock)) or (wait.ends and not _joins(program, first, wait)):
                return False
        if wait.ends and (wait.ends in several or {program.template_of[p] for p in after.places} != {wait.ends}):
            return False
    return len(waits) > 1 or waits[0].is_plain


def _joins(program: Program, command: Command, wait: _Wait) -> bool:
    """Whether a command, or the only one behind it where it does nothing, joins."""
    if command.instruction == Guard(TRUE):
        behind = [program.commands[index].instruction for index in program.outgoing[command.target]]
        return behind == [Join(wait.ends)]
    return command.instruction == Join(wait.ends)


def _is_plain_lock(program: Program, lock: str) -> bool:
    """Whether a cell is a lock that is free at first, and is only ever taken and given back by plain steps."""
    cell = program.cells.get(lock)
    if cell is None or cell.template is not None or cell.summary or (cell.lo, cell.hi) != (0, 0):
        return False
    writing = [command for command in program.commands if lock in writes(command.instruction)]
    return all(_takes(command, lock) or _gives_back(command, lock) for command in writing)


def _takes(command: Command, lock: str) -> bool:
    is_free = Guard(Atom(Linear(((lock, 1),), 0), Relation.EQ))
    return _written(command, lock) == [1] and is_free in steps(command.instruction)


def _gives_back(command: Command, lock: str) -> bool:
    return _written(command, lock) == [0]


def _written(command: Command, lock: str) -> list[int | None]:
    """The constants that a command writes to a cell, None for what is no constant."""
    found: list[int | None] = []
    for step in steps(command.instruction):
        match step:
            case Assign(target, Linear((), value)) if target == lock:
                found.append(value)
            case _ if lock in writes(step):
                found.append(None)
            case _:
                pass
    return found


def _has(lock: str, template: str) -> str:
    return f"{ABOUT}_has_{lock}_{template}"


def _note_holder(splice: Splice, program: Program, lock: str) -> None:
    """Each thread notes whether it has a lock; between that and the lock itself it has not noted it."""
    for name in program.templates:
        splice.cell(_has(lock, name), name)
    for index, command in enumerate(program.commands):
        if lock not in writes(command.instruction):
            continue
        mine = _has(lock, program.template_of[command.source])
        if _takes(command, lock):
            splice.behind(index, Assign(mine, Linear((), 1)))
        else:
            others = tuple(sorted(((_OTHERS, 1), (mine, -1))))
            splice.ahead(index, (Assign(_OTHERS, Linear(others, 1)), Assign(mine, Linear((), 0))))


def _holds(lock: str, template: str) -> Formula:
    """Whether a thread has what the one before it waits for: a lock; or nothing, where it is waited for itself."""
    return _is(_has(lock, template), 1) if lock else TRUE


def _is(cell: str, value: int) -> Formula:
    return Atom(Linear(((cell, 1),), -value), Relation.EQ)


def _say(splice: Splice, program: Program, wait: _Wait, lock: str, about: str) -> None:
    """A thread that has a lock says that it is about to wait, and takes that back."""
    for place, mark in wait.places.items():
        like, last = program.commands[program.outgoing[place][0]], splice.leave_from(place)
        said, holds = splice.fresh(), _holds(lock, program.template_of[place])
        chosen = splice.fresh()
        splice.edge(like, place, Guard(holds), chosen)
        splice.edge(like, chosen, _changed(about, 1), said, of_access(mark))
        splice.edge(like, said, _changed(about, -1), last)
        if holds != TRUE:
            splice.edge(like, place, Guard(negate(holds)), last)


def _changed(cell: str, by: int) -> Instruction:
    return Assign(cell, Linear(((cell, 1),), by))


def _look(splice: Splice, program: Program, waits: Sequence[_Wait], check: Check) -> None:
    """The check, at the first place, that the circle is not closed."""
    for place, mark in waits[0].places.items():
        like, last = program.commands[program.outgoing[place][0]], splice.leave_from(place)
        holds = _holds(waits[-1].lock, program.template_of[place])
        others = [Atom(Linear(((f"{ABOUT}{number}", -1),), 1), Relation.LE) for number in range(1, len(waits))]
        closed = And((holds, _is(_OTHERS, 0), *others))
        splice.edge(like, place, Assert(_not(closed), check, stops=False), last, of_access(mark))


def _not(formula: And) -> Formula:
    return Or(tuple(negate(part) for part in formula.parts))


def _told(found: Schedule, notes: Sequence[AccessNote]) -> Schedule:
    """The schedule in the words of the source: what the threads of the circle wait for is last."""
    moves, about, last = without_notes(found.moves)
    words = [(f"wait for {note.cell}", "join" if note.kind == "join" else "update") for note in notes]
    for number, how in enumerate(words[1:], 1):
        other = next(move for (name, cell), move in about.items() if cell == f"{ABOUT}{number}" and name != last.thread)
        moves.append(as_move(other, *how))
    return replace(found, moves=(*moves, as_move(last, *words[0])))
