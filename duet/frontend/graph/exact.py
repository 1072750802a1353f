"""Which commands stand for more than C does: an execution of PLIP through one of them may be none of the program.

*Approximates*: over. A value or a way that nobody says to be an input of the program counts as a guess of lowering.
Inputs are what `is_given` says (`Builder.edge`, `Builder.fork`). A local that nobody has set is none (`marks.UNSET`):
to read it is in the way of a schedule, to declare it is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Protocol

from duet.frontend.graph.reach import by_source
from duet.plip.exclusive import are_told_apart, passing
from duet.plip.marks import ANY_WAY, SEVERAL, reads_summary, united
from duet.plip.syntax import SKIP, Assign, Cell, Command, Havoc
from duet.plip.touched import reads, writes


class Noted(Protocol):
    """What lowering has noted of locations, see `Builder`."""

    doubts: dict[int, str]
    given: set[int]


def marked(noted: Noted, commands: Sequence[Command], cells: Mapping[str, Cell]) -> list[Command]:
    """The commands of a template, each with the reason why it stands for more than C does, if it does."""
    leaving = by_source(commands)
    read = frozenset().union(*(reads(command.instruction) for command in commands)) if commands else frozenset()
    open_ways = {
        id(command)
        for location, found in leaving.items()
        if len(found) > 1 and location not in noted.given and not are_told_apart([it.instruction for it in found])
        if not _is_idle(location, leaving, noted, read)
        for command in _open(found)
    }
    return [command.marked(_reason(command, noted, id(command) in open_ways, cells)) for command in commands]


def _open(found: Sequence[Command]) -> Iterator[Command]:
    """Those of some commands that may pass where another one does."""
    known = [passing(command.instruction) for command in found]
    for (one, left), (other, right) in combinations(zip(found, known, strict=True), 2):
        if not left.excludes(right):
            yield from (one, other)


def _is_idle(location: int, leaving: Mapping[int, Sequence[Command]], noted: Noted, read: frozenset[str]) -> bool:
    """Whether all ways out of a location do nothing until they meet: then it does not matter which one is taken."""
    first, *others = (list(_idly(command, leaving, noted, read)) for command in leaving[location])
    return any(all(place in other for other in others) for place in first)


def _idly(
    command: Command, leaving: Mapping[int, Sequence[Command]], noted: Noted, read: frozenset[str]
) -> Iterator[int]:
    """The locations that a command leads to without doing anything but to set temporaries that nobody reads."""
    seen: set[int] = set()
    while command.target not in seen:
        instruction = command.instruction
        is_dead = isinstance(instruction, Assign | Havoc) and instruction.target.startswith("$")
        is_dead = is_dead and writes(instruction).isdisjoint(read)
        if not is_dead and (instruction != SKIP or command.approximates):
            return
        seen.add(command.target)
        yield command.target
        following = leaving.get(command.target, ())
        if len(following) != 1 or command.target in noted.doubts:
            return
        command = following[0]


def _reason(command: Command, noted: Noted, is_open: bool, cells: Mapping[str, Cell]) -> str:
    way = noted.doubts.get(command.source, "") or (ANY_WAY if is_open else "")
    return united(way, command.approximates, SEVERAL if reads_summary(command.instruction, cells) else "")


def marks_moved(commands: Sequence[Command], entry: int, exit_location: int) -> list[Command]:
    """The commands with the marks of those that do nothing at others that the same executions pass.

    Such a command then can be left out. Executions that pass it pass a command in front of it if it is the only way out
    of a location, and a command behind it if it is the only way into one.
    """
    result = list(commands)
    leaving: dict[int, list[int]] = defaultdict(list)
    entering: dict[int, list[int]] = defaultdict(list)
    for index, command in enumerate(result):
        leaving[command.source].append(index)
        entering[command.target].append(index)
    backwards, onwards = dict[int, list[int]](), dict[int, list[int]]()
    for index, command in enumerate(result):
        if command.instruction != SKIP:
            continue
        if command.source != entry and leaving[command.source] == [index]:
            backwards[index] = entering[command.source]
        elif command.target != exit_location and entering[command.target] == [index] and not command.accesses:
            onwards[index] = leaving[command.target]
    _move(result, backwards, -1)
    _move(result, onwards, 1)
    return result


def _move(commands: list[Command], ways: Mapping[int, Sequence[int]], order: int) -> None:
    """Moves the marks of commands along the ways that they have, those of each command once.

    From the first command on, or from the last one on if the `order` is -1, so that most marks get there in one go.
    """
    work = [order * index for index in ways if commands[index].approximates]
    heapify(work)
    moved: set[int] = set()
    while work:
        index = order * heappop(work)
        mark = commands[index].approximates
        if index in moved or index in ways[index]:
            continue
        moved.add(index)
        commands[index] = commands[index].marked("")
        for other in ways[index]:
            both = united(commands[other].approximates, mark)
            if both != commands[other].approximates:
                commands[other] = commands[other].marked(both)
                if other in ways:
                    heappush(work, order * other)
