"""Makes a lowered program small: drops what nothing reaches, steps that do nothing, dead temporaries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import replace

from duet.frontend.graph.exact import marks_moved
from duet.frontend.graph.reach import by_source, following, reached
from duet.plip.accesses import cells_of
from duet.plip.marks import kept as kept_mark
from duet.plip.marks import united
from duet.plip.syntax import (
    SKIP,
    Assign,
    Atomic,
    Command,
    Compute,
    Havoc,
    Instruction,
    Operation,
    Step,
    steps,
    together,
)
from duet.plip.touched import reads, writes

_TOTAL = frozenset((Operation.WRAP, Operation.MUL, Operation.AND, Operation.OR, Operation.XOR))
"""Operations that have a result for all arguments."""


def compacted(
    commands: list[Command], entry: int, exit_location: int, atomic: frozenset[int]
) -> tuple[list[Command], frozenset[int]]:
    """The commands of a template without the superfluous ones, and the locations that are in atomic regions."""
    commands = _without_dead(_reachable(commands, entry))
    before: list[Command] = []
    while before != commands:
        before = commands
        commands = marks_moved(commands, entry, exit_location)
        commands = _without_skips(commands, entry, exit_location, atomic)
    commands = _fused(commands, atomic)
    used = {place for command in commands for place in (command.source, command.target)}
    return commands, atomic & used


def _reachable(commands: list[Command], entry: int) -> list[Command]:
    found = set(reached((entry,), following(by_source(commands))))
    return [command for command in commands if command.source in found]


def _without_skips(commands: list[Command], entry: int, exit_location: int, atomic: frozenset[int]) -> list[Command]:
    """Merges the ends of steps that do nothing, where one of them has no other way out or in."""
    parent: dict[int, int] = {}

    def find(place: int) -> int:
        root = place
        while root in parent:
            root = parent[root]
        while place != root:  # so that no way there is long
            parent[place], place = root, parent[place]
        return root

    outgoing: dict[int, int] = defaultdict(int)
    incoming: dict[int, int] = defaultdict(int)
    for command in commands:
        outgoing[command.source] += 1
        incoming[command.target] += 1
    kept: list[Command] = []
    for command in commands:
        source, target = find(command.source), find(command.target)
        is_same = (source in atomic) == (target in atomic)
        if command.instruction != SKIP or command.accesses or command.approximates:
            kept.append(command)
        elif not is_same and source not in atomic:
            # the first step of an atomic region starts outside of it, so that others can block it
            if outgoing[source] == incoming[target] == 1:
                parent[target] = source
                outgoing[source] = outgoing[target]
            else:
                kept.append(command)
        elif source == target:
            outgoing[source] -= 1
            incoming[target] -= 1
        elif outgoing[source] == 1 and source != entry:
            parent[source] = target
            incoming[target] += incoming[source] - 1
        elif is_same and incoming[target] == 1 and target != exit_location and (source != entry or not incoming[entry]):
            parent[target] = source
            outgoing[source] += outgoing[target] - 1
        else:
            kept.append(command)
    return _each_once(command.between(find(command.source), find(command.target)) for command in kept)


def _each_once(commands: Iterable[Command]) -> list[Command]:
    """The commands without repetitions. Those between other locations differ, and hashing them is slow."""
    found: list[Command] = []
    alike: dict[tuple[int, int], list[Command]] = defaultdict(list)
    for command in commands:
        between = alike[command.source, command.target]
        if command not in between:
            between.append(command)
            found.append(command)
    return found


def _without_dead(commands: list[Command]) -> list[Command]:
    """Writes to temporaries that nothing reads, or that only such writes read, do nothing."""
    read = _read(commands)
    result = []
    for command in commands:
        instruction = _live(command.instruction, read)
        if instruction is not command.instruction:
            mark = kept_mark(command.approximates, instruction, {})
            command = replace(command, instruction=instruction, approximates=mark)
        result.append(command)
    return result


def _read(commands: Iterable[Command]) -> set[str]:
    """The cells that anything depends on which commands do or access, at once or by way of temporaries."""
    work: list[Instruction] = []
    writing: dict[str, list[Instruction]] = defaultdict(list)
    asked: set[str] = set()
    for command in commands:
        asked |= cells_of(command.accesses)
        for step in steps(command.instruction):
            temporary = _temporary(step)
            (writing[temporary] if temporary else work).append(step)
    found = set(asked)
    work += [step for cell in sorted(asked) for step in writing.get(cell, ())]
    while work:
        for cell in reads(work.pop()) - found:
            found.add(cell)
            work += writing.get(cell, ())
    return found


def _temporary(step: Instruction) -> str:
    """The temporary that a step does nothing but to set; empty if it does anything else, or may not pass."""
    match step:
        case Assign(target) | Havoc(target):
            return target if target.startswith("$") else ""
        case Compute(target, operation) if operation in _TOTAL:
            return target if target.startswith("$") else ""
        case _:
            return ""


def _live(instruction: Instruction, read: Container[str]) -> Instruction:
    """What is left of an instruction without writes to temporaries that nobody reads."""

    def is_live(step: Instruction) -> bool:
        temporary = _temporary(step)
        return temporary in read if temporary else step != SKIP

    if not isinstance(instruction, Atomic):
        return instruction if instruction == SKIP or is_live(instruction) else SKIP
    live = tuple(step for step in instruction.steps if is_live(step))
    return live[0] if len(live) == 1 else instruction if live == instruction.steps else Atomic(live)


def _fused(commands: list[Command], atomic: frozenset[int]) -> list[Command]:
    """Straight-line steps through an atomic region become one atomic command."""
    outgoing: dict[int, list[Command]] = defaultdict(list)
    incoming: dict[int, list[Command]] = defaultdict(list)
    for command in commands:
        outgoing[command.source].append(command)
        incoming[command.target].append(command)

    def is_inner(place: int) -> bool:
        return (
            place in atomic
            and len(outgoing[place]) == 1
            and len(incoming[place]) == 1
            and isinstance(outgoing[place][0].instruction, Step | Atomic)
            and isinstance(incoming[place][0].instruction, Step | Atomic)
        )

    result: list[Command] = []
    for command in commands:
        if is_inner(command.source):
            continue
        last = command
        done = _steps(command.instruction)
        span = command.span
        accesses = dict.fromkeys(command.accesses)
        mark = command.approximates
        while is_inner(last.target):
            last = outgoing[last.target][0]
            mark = united(mark, last.approximates)
            written = frozenset[str]().union(*map(writes, done))
            accesses.update((access.moved_over(written), None) for access in last.accesses)
            done += _steps(last.instruction)
            span = last.span if command.instruction == SKIP and not done else span
        if last is command:
            result.append(command)
            continue
        result.append(Command(command.source, together(done), last.target, span, tuple(accesses), mark))
    return result


def _steps(instruction: Instruction) -> list[Step]:
    """The steps of an instruction, without those that do nothing."""
    return [step for step in steps(instruction) if isinstance(step, Step) and step != SKIP]
