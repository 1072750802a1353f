"""Phases between barriers: how often one has opened, as far as each thread knows that where it is.

    for (...) { write own part; pthread_barrier_wait(&b); read the parts of others; pthread_barrier_wait(&b); }

Where exactly as many threads use a barrier as it takes, each has a cell that says whether it waits (`models/barriers`).
Who comes last finds that all others wait, and tells them to go. So a thread that does not wait has passed the barrier
as often as it has opened: it opens only with it, and who is told to go has to go before it comes again. A thread that
waits has passed it as often as it has opened, too, or once less if it is told to go. How often a thread has passed is
known by where it is, modulo some number: that by which ways around its loops and past its branches differ.

The ghost is how often the barrier has opened, modulo that number. It is set by who opens the barrier, and steps that
come, open or go pass only where it is what the thread knows. By the above that is no condition, so all executions are
those of before; analyses learn from it that threads of two phases are not there together.

*Source*: for the question, Jeremiassen and Eggers 1994; Aiken and Gay 1998. *Approximates*: every step that writes what
the ghost rests on is looked at; a program in which anything else becomes of it stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import gcd

from duet.plip.exclusive import constants_of
from duet.plip.multiplicity import many
from duet.plip.syntax import Assign, Atomic, Cell, Command, Guard, Instruction, Linear, Program, Step, steps
from duet.plip.terms import compare, constant, variable
from duet.plip.touched import writes

ARRIVAL = "arrival of "
"""How names of cells go on that say whether a thread waits at a barrier, behind that of the barrier and a colon."""


class _Move(Enum):
    """What a step does at a barrier; the value is whether the thread has passed it then."""

    COME = 0
    OPEN = 1
    GO = 2

    @property
    def passes(self) -> int:
        return int(self is not _Move.COME)


@dataclass(frozen=True, slots=True)
class _Barrier:
    """A barrier, with the cell of each of its members that says whether this one waits."""

    name: str
    arrivals: Mapping[str, str]


def with_phases(program: Program) -> Program:
    """The program with a ghost for each barrier whose members know how often it has opened; the same executions."""
    for barrier in _barriers(program):
        program = _with_ghost(program, barrier)
    return program


def _barriers(program: Program) -> Iterator[_Barrier]:
    """The barriers that exactly as many threads use as they take."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name in program.cells:
        barrier, is_arrival, member = name.partition(f":{ARRIVAL}")
        if is_arrival:
            found[barrier][member] = name
    several = many(program) if found else frozenset()
    for name, arrivals in found.items():
        cells = [program.cells[cell] for cell in arrivals.values()]
        templates = [program.templates.get(member) for member in arrivals]
        are_plain = all(cell.lo == cell.hi == 0 and cell.template is None and not cell.summary for cell in cells)
        are_threads = all(template is not None and not template.interrupts for template in templates)
        if are_plain and are_threads and len(cells) > 1 and several.isdisjoint(arrivals):
            yield _Barrier(name, arrivals)


def _with_ghost(program: Program, barrier: _Barrier) -> Program:
    moves: dict[int, _Move] = {}
    cells = frozenset(barrier.arrivals.values())
    for index, command in enumerate(program.commands):
        if not cells.isdisjoint(writes(command.instruction)):
            move = _move(command.instruction, barrier, program.template_of[command.source])
            if move is None:
                return program
            moves[index] = move
    passed: dict[int, int] = {}
    differing = 0
    for member in barrier.arrivals:
        differing = _follow(program, member, moves, passed, differing)
    if differing == 1 or not any(move is _Move.OPEN for move in moves.values()):
        return program
    ghost = f"{barrier.name}:openings"
    commands = list(program.commands)
    for index, move in moves.items():
        command = commands[index]
        if command.source in passed:
            before, after = (_modulo(passed[command.source] + more, differing) for more in (0, 1))
            commands[index] = _told(command, move, ghost, before, after)
    cell = Cell(ghost, lo=0, hi=0, label=f"how often {barrier.name} has opened")
    return replace(program, cells={**program.cells, ghost: cell}, commands=tuple(commands))


def _move(instruction: Instruction, barrier: _Barrier, template: str) -> _Move | None:
    """What an instruction of a template that writes who waits does at a barrier; None if that is nothing known."""
    mine = barrier.arrivals.get(template)
    written: dict[str, int] = {}
    known: dict[str, int] = {}
    for step in steps(instruction):
        match step:
            case Assign(target, Linear((), value)) if target in barrier.arrivals.values() and target not in written:
                written[target] = value
            case Guard(condition):
                known |= {cell: value for cell, value in constants_of(condition) if cell not in written}
            case _:
                if not writes(step).isdisjoint(barrier.arrivals.values()):
                    return None
    others = {cell for cell in barrier.arrivals.values() if cell != mine}
    if mine is None:
        return None
    if written == {mine: 1}:
        return _Move.COME
    if written == {mine: 0} and known.get(mine) == 2:
        return _Move.GO
    if written == dict.fromkeys(others, 2) and all(known.get(cell) == 1 for cell in others):
        return _Move.OPEN
    return None


def _follow(program: Program, member: str, moves: Mapping[int, _Move], passed: dict[int, int], differing: int) -> int:
    """Adds how often a member has passed where it is; the number by which ways to one location differ, or 1.

    It is 1, too, if who comes or opens may wait, or who goes may not.
    """
    entry = program.templates[member].entry
    passed[entry] = 0
    waiting = {entry: False}
    work = [entry]
    while work:
        location = work.pop()
        for index in program.outgoing[location]:
            move, target = moves.get(index), program.commands[index].target
            if move is not None and waiting[location] is not (move is _Move.GO):
                return 1
            count = passed[location] + (move.passes if move is not None else 0)
            waits = waiting[location] if move is None else move is _Move.COME
            if target not in waiting:
                passed[target], waiting[target] = count, waits
                work.append(target)
            elif waiting[target] is not waits:
                return 1
            else:
                differing = gcd(differing, abs(count - passed[target]))
    return differing


def _modulo(count: int, differing: int) -> int:
    return count % differing if differing else count


def _told(command: Command, move: _Move, ghost: str, before: int, after: int) -> Command:
    """A step that comes, opens or goes, with what it knows of the ghost."""
    now = after if move is _Move.GO else before
    known: Sequence[Step] = (Guard(compare(variable(ghost), "==", constant(now))),)
    found: Sequence[Step] = [step for step in steps(command.instruction) if isinstance(step, Step)]
    more: Sequence[Step] = (Assign(ghost, constant(after)),) if move is _Move.OPEN else ()
    return replace(command, instruction=Atomic((*known, *found, *more)))
