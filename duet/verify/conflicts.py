"""Data races as checks of a program: an execution that fails one is an execution in which two threads race.

A location from which every way makes the one access gets steps in front: the thread says that it is about to make it,
and takes that back, before it does. A location of the other access gets a check that nobody has said so.
*Approximates*: exact. The new steps change nothing of what the program does; where the check fails, another thread has
said so and not gone on, and this one is about to make its access, too.

An access counts only where it is certain: where the instruction touches the very cell that the source names, or
lowering knows that the thread makes it (`Access.is_certain`), and where that stands for no more than C does. Whatever
else may be meant (any element, unknown memory, an object that each thread has for itself) is left open.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import networkx as nx

from duet.deadline import Deadline
from duet.plip.accesses import Access
from duet.plip.graphs import control_graph
from duet.plip.marks import united
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    Assert,
    Assign,
    Atom,
    Command,
    Linear,
    Program,
    Relation,
)
from duet.plip.terms import conjunction
from duet.plip.touched import reads, writes
from duet.result import AccessNote, Assertion, Check, Move, Status
from duet.verify.refute import failing
from duet.verify.schedule import Schedule
from duet.verify.splice import Splice
from duet.verify.waiting import why_racing

ABOUT = "$about"
"""Cells of this name count the threads that are about to make the first access, to one part of an object each."""
NOTE = re.compile(r"(?P<cell>\$about\w*)(?: := (?P=cell) (?P<up>\+ 1))?")


_ELEMENT = re.compile(r"\[\d+\]")
Part: TypeAlias = tuple[str, tuple[str, ...]]
"""A part of an object: the object, and the path to it."""
Sites: TypeAlias = Mapping[Part, Mapping[int, str]]
"""For each part, the locations from which every way makes an access to it, with what is not exact of it."""


@dataclass(frozen=True, slots=True)
class Racing:
    """A program in which a check fails iff two accesses race; both of them as moves say them, `read x`, `write x`."""

    program: Program
    words: tuple[str, str]


def races(program: Program, found: Sequence[Assertion], deadline: Deadline) -> Mapping[Assertion, Schedule]:
    """A schedule for each race among some verdicts that was found to happen, its two accesses last."""
    wanted = [assertion for assertion in found if assertion.status is Status.UNPROVED and len(assertion.accesses) == 2]
    result: dict[Assertion, Schedule] = {}  # several may have one check
    for assertion, part in deadline.divided(wanted):
        shown = racing(program, assertion)
        if shown is not None:
            until = deadline.share(part)
            how = failing(shown.program, [assertion.check], until).get(assertion.check)
            if how is not None:
                told = _told(how, shown.words)
                result[assertion] = replace(told, because=why_racing(told.moves, assertion.accesses))
    return result


def racing(program: Program, assertion: Assertion) -> Racing | None:
    """The program with the race of a verdict as its check; None where its accesses are not exact ones."""
    one, other = assertion.accesses
    first, second = _sites(program, one), _sites(program, other)
    pairs = [(here, there) for here in first for there in second if _overlap(here, there)]
    if not pairs:
        return None
    if all(_atomic(program).issuperset(first[here]) for here, _ in pairs):  # nobody looks while a thread is there
        first, second, pairs = second, first, [(there, here) for here, there in pairs]
    told = _told_of(program, first, second, pairs, assertion.check)
    return Racing(told, (f"{one.kind} {one.cell}", f"{other.kind} {other.cell}"))


def _overlap(one: Part, other: Part) -> bool:
    """Whether two parts have memory in common: one is the other, or a part of it."""
    shorter = min(len(one[1]), len(other[1]))
    return one[0] == other[0] and one[1][:shorter] == other[1][:shorter]


def _sites(program: Program, note: AccessNote) -> Sites:
    """Where the accesses of a note are made for certain, by the part that is accessed."""
    found: dict[Part, dict[int, str]] = {}
    single = _passed_once(program)
    for location, leaving in program.outgoing.items():
        commands = [program.commands[index] for index in leaving]
        made = [set(_made(program, command, note, single)) for command in commands]
        for part in sorted(set.intersection(*made)) if made else ():
            found.setdefault(part, {})[location] = united(*(command.approximates for command in commands))
    return found


def _passed_once(program: Program) -> Collection[int]:
    """The locations that executions pass at most once: of templates with one instance, on no cycle.

    An object that a thread has for itself is there once, then, if it is accessed by its name.
    """
    several = many(program)
    loops = nx.strongly_connected_components(control_graph(program))
    alone = (location for found in loops if len(found) == 1 for location in found)
    return {
        location
        for location in alone
        if program.template_of[location] not in several
        and all(program.commands[index].target != location for index in program.outgoing[location])
    }


def _made(program: Program, command: Command, note: AccessNote, single: Collection[int]) -> Iterator[Part]:
    """What a command accesses for certain of what a note speaks of; `single` are locations that are passed once."""
    touched = writes(command.instruction) if note.kind == "write" else reads(command.instruction)
    for access in command.accesses:
        cell = program.cells.get(access.object + "".join(access.path))
        is_touched = cell is not None and cell.template is None and not cell.summary and cell.name in touched
        is_one = "[*]" not in access.path and (not access.owner or command.source in single)
        if _is_of(note, access) and is_one and (is_touched or access.is_certain):
            yield access.object, access.path


def _is_of(note: AccessNote, access: Access) -> bool:
    """Whether an access is one that a note speaks of: of its kind, on its line, of all elements, of one, of a part."""
    if access.span is None or not note.stack or access.is_private:
        return False
    place = note.stack[-1]
    is_alike = (access.kind.value, access.is_atomic) == (note.kind, note.is_atomic)
    is_there = (access.span.file, access.span.line) == (place.file, place.line)
    part, whole = _ELEMENT.sub("[*]", access.label), _ELEMENT.sub("[*]", note.cell)
    return is_alike and is_there and (part == whole or part.startswith((f"{whole}.", f"{whole}[")))


def _atomic(program: Program) -> frozenset[int]:
    return frozenset(spot for template in program.templates.values() for spot in template.atomic)


def _told_of(
    program: Program, first: Sites, second: Sites, pairs: Sequence[tuple[Part, Part]], check: Check
) -> Program:
    """The program in which threads say that they are about to make the first access, and look before the second one."""
    splice, atomic = Splice(program), _atomic(program)
    told = sorted({here for here, _ in pairs})
    about = {part: splice.cell(ABOUT if not number else f"{ABOUT}_{number}") for number, part in enumerate(told)}
    for location in sorted({spot for sites in (first, second) for spots in sites.values() for spot in spots}):
        looks = sorted({about[here] for here, there in pairs if location in second[there]})
        notes = [about[part] for part in told if location in first[part] and location not in atomic]
        if not looks and not notes:
            continue
        like, here, last = program.commands[program.outgoing[location][0]], location, splice.leave_from(location)
        if looks:
            mark = united(*(spots[location] for spots in second.values() if location in spots))
            there = splice.fresh(location) if notes else last
            nobody = conjunction(tuple(Atom(Linear(((cell, 1),), 0), Relation.EQ) for cell in looks))
            splice.edge(like, here, Assert(nobody, check, stops=False), there, of_access(mark))
            here = there
        for cell in notes:
            mark = united(*(spots[location] for spots in first.values() if location in spots))
            there = splice.fresh()
            splice.edge(like, here, _changed(cell, 1), there, of_access(mark))
            here = there
        for position, cell in enumerate(notes):
            there = last if position == len(notes) - 1 else splice.fresh()
            splice.edge(like, here, _changed(cell, -1), there)
            here = there
    return splice.program


def _changed(cell: str, by: int) -> Assign:
    return Assign(cell, Linear(((cell, 1),), by))


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
