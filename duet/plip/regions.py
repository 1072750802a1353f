"""Atomic regions as single atomic steps, where that is possible.

A thread inside a region cannot be blocked by what another one knows, but a step
into it can. So each way through a region without cycles becomes one `Atomic` command, whose guards then block as a
lock does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from duet.plip.accesses import Access
from duet.plip.marks import united
from duet.plip.syntax import (
    SKIP,
    Assert,
    Atomic,
    Command,
    Guard,
    Instruction,
    Join,
    Program,
    Spawn,
    Step,
    Template,
)
from duet.plip.terms import formula_cells, negate
from duet.plip.touched import writes

# A region with more ways through it, or longer ones, stays as it is.
_MOST_WAYS = 32
_MOST_STEPS = 64


def merge_regions(program: Program) -> Program:
    """The program with every way through a small acyclic atomic region as one command.

    A region that stays (it has a loop, a check, a spawn or a join in it) is entered with its first step, if nothing
    else enters it there. *Approximates*: over, since a thread that is stuck inside of a region stops all others, and
    now waits in front of it.
    """
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    for name, template in program.templates.items():
        merged, atomic = _merged(program, template)
        first = len(commands)
        commands.extend(merged)
        templates[name] = replace(template, commands=tuple(range(first, len(commands))), atomic=atomic)
    return Program(program.cells, templates, tuple(commands), program.main)


def _merged(program: Program, template: Template) -> tuple[list[Command], frozenset[int]]:
    """The new commands of a template and the locations that are still inside of regions."""
    inside = template.atomic
    into = [program.commands[i] for i in template.commands if _enters(program.commands[i], inside)]
    region = {command.target: _reached(program, command.target, inside) for command in into}
    ways = {entry: _ways(program, entry, inside) for entry in region}
    ways.update((command.target, None) for command in into if not _is_step(command))
    kept: set[int] = set()
    for entry, locations in region.items():
        if ways[entry] is None:
            kept |= locations
    result: list[Command] = []
    for index in template.commands:
        command = program.commands[index]
        if command.source in inside:
            if command.source in kept:
                result.append(command)
        elif command.target not in inside:
            result.append(command)
        else:
            found = None if command.target in kept else ways[command.target]
            result.extend([command] if found is None else _joined(command, found))
            if found is not None:
                result.extend(_unjoined(program, command, region[command.target], found))
    return _entered_by_steps(result, frozenset(kept))


def _is_step(command: Command) -> bool:
    return not isinstance(command.instruction, Assert | Spawn | Join)


def _enters(command: Command, inside: frozenset[int]) -> bool:
    return command.source not in inside and command.target in inside


def _reached(program: Program, entry: int, inside: frozenset[int]) -> frozenset[int]:
    """The locations of a region that can be reached from one of its entries."""
    seen = {entry}
    work = [entry]
    while work:
        for index in program.outgoing[work.pop()]:
            target = program.commands[index].target
            if target in inside and target not in seen:
                seen.add(target)
                work.append(target)
    return frozenset(seen)


def _ways(program: Program, entry: int, inside: frozenset[int]) -> list[tuple[Command, ...]] | None:
    """The command sequences from an entry out of the region; None if there are too many or some cannot be merged."""
    found: list[tuple[Command, ...]] = []
    work: list[tuple[int, tuple[Command, ...]]] = [(entry, ())]
    while work:
        location, way = work.pop()
        if location not in inside:
            found.append(way)
        elif len(found) + len(work) > _MOST_WAYS or len(way) > _MOST_STEPS:
            return None
        else:
            for index in reversed(program.outgoing[location]):
                command = program.commands[index]
                if not _is_step(command):
                    return None
                if not _contradicts(command.instruction, way):
                    work.append((command.target, (*way, command)))
    return found if len(found) <= _MOST_WAYS else None


def _contradicts(instruction: Instruction, way: Sequence[Command]) -> bool:
    """Whether a guard is the negation of one on a way inside of a region that has not written its cells since."""
    if not isinstance(instruction, Guard):
        return False
    cells = frozenset(formula_cells(instruction.condition))
    opposite = negate(instruction.condition)
    for step in reversed(_steps(way)):
        if isinstance(step, Guard) and step.condition == opposite:
            return True
        if not cells.isdisjoint(writes(step)):
            return False
    return False


def _joined(first: Command, ways: Iterable[Sequence[Command]]) -> Iterable[Command]:
    """One command for each way, entered by `first`."""
    for way in ways:
        steps = _steps((first, *way))
        span = next((command.span for command in (first, *way) if command.instruction != SKIP), first.span)
        instruction: Instruction = SKIP if not steps else steps[0] if len(steps) == 1 else Atomic(steps)
        accesses = dict.fromkeys((*first.accesses, *_moved(first, way)))
        mark = united(*(command.approximates for command in (first, *way)))
        yield Command(first.source, instruction, way[-1].target if way else first.target, span, tuple(accesses), mark)


def _moved(first: Command, way: Iterable[Command]) -> Iterator[Access]:
    """The accesses on a way as the location in front of it has them."""
    written = writes(first.instruction)
    for command in way:
        yield from (access.moved_over(written) for access in command.accesses)
        written |= writes(command.instruction)


def _unjoined(
    program: Program, first: Command, region: Iterable[int], ways: Iterable[Sequence[Command]]
) -> Iterable[Command]:
    """A step that does nothing for the accesses in a region on ways that do not lead out of it."""
    inner = [program.commands[index] for place in sorted(region) for index in program.outgoing[place]]
    lost = dict.fromkeys(access for command in (first, *inner) for access in command.accesses)
    for way in ways:
        for command in (first, *way):
            for access in command.accesses:
                lost.pop(access, None)
    if lost:
        yield Command(first.source, SKIP, first.source, first.span, tuple(access.moved for access in lost))


def _steps(way: Sequence[Command]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for command in way:
        match command.instruction:
            case Atomic(inner):
                steps.extend(inner)
            case Assert() | Spawn() | Join():
                raise AssertionError("ways consist of steps")
            case step:
                if step != SKIP:
                    steps.append(step)
    return tuple(steps)


def _entered_by_steps(commands: list[Command], inside: frozenset[int]) -> tuple[list[Command], frozenset[int]]:
    """Without the skips into a region that are all that enters it there: its first steps leave from outside."""
    entries: dict[int, list[Command]] = {}
    for command in commands:
        entries.setdefault(command.target, []).append(command)
    leaving: dict[int, int] = {}
    for command in commands:
        leaving[command.source] = leaving.get(command.source, 0) + 1
    moved = {
        command.target: command.source
        for command in commands
        if command.instruction == SKIP
        and not command.accesses
        and not command.approximates
        and _enters(command, inside)
        and len(entries[command.target]) == 1
        and leaving[command.source] == 1
    }
    result = [
        replace(command, source=moved.get(command.source, command.source))
        for command in commands
        if command.target not in moved
    ]
    return result, inside - frozenset(moved)
