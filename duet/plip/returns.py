"""Calls of bodies that several calls share: behind a call, cells that the body leaves alone are as they were before.

Commands alone let a thread come back behind any call of the body that it was in. In C it comes back behind the call
that it has made: a definition that was seen there is the one that is seen again, unless the body, or what that calls,
has another one. Calls of which copies were made, or of which one end is not there any more, are not told apart, nor are
several that one command makes.

*Source*: M. Sharir and A. Pnueli, "Two approaches to interprocedural data flow analysis", 1981, the functional approach
in the case of cells that a body leaves alone; the other cells are in `duet.flow.returned`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

import networkx as nx

from duet.plip.graphs import strong_components
from duet.plip.syntax import Atomic, Command, Guard, Instruction, Program, steps
from duet.plip.touched import touched
from duet.records import dataclass

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Return:
    """The commands that make a call and come back from it, and all that a thread may execute from the one to the other.

    These two are part of that where they do something inside of the body, too.
    """

    call: int
    back: int
    body: frozenset[int]


@dataclass(frozen=True, slots=True)
class Level:
    """What a thread may execute in a body that calls share until it comes back, without what is called there.

    `made` are the calls there, each with the commands that come back from it.
    """

    commands: tuple[int, ...]
    made: Mapping[int, tuple[int, ...]]


def returns(program: Program) -> list[Return]:
    """The calls that are told apart."""
    ends: dict[int, list[int]] = defaultdict(list)
    around: dict[int, set[int]] = defaultdict(set)
    for index, command in enumerate(program.commands):
        done = steps(command.instruction)
        for place, step in enumerate(done):
            if number := _call(step):
                ends[number].append(index)
                if done[place + 1 :] if number > 0 else done[:place]:
                    around[abs(number)].add(index)  # it does something in the body, too
    made = Counter(index for number, found in ends.items() if number > 0 for index in found)
    calls = {
        number: (found[0], ends[-number][0])
        for number, found in sorted(ends.items())
        if number > 0
        and len(found) == len(ends.get(-number, ())) == 1
        and found != ends[-number]
        and made[found[0]] == 1  # of several calls that one command makes, all begin inside of the last one's body
    }
    matched = _Matched(program, calls.values())
    return [Return(call, back, matched.body(call) | around[number]) for number, (call, back) in calls.items()]


def levels(program: Program) -> Mapping[int, Level]:
    """The bodies that calls share, by their entries, but for those that may call themselves, or are left by jumps.

    From a body that is left by a jump a thread comes back behind a call that another one has made.
    """
    known = _closed(program)
    called = _called(program, known)
    once = {entry for found in nx.strongly_connected_components(called) if len(found) == 1 for entry in found}
    again = {entry for entry in known if entry not in once or called.has_edge(entry, entry)}
    return {entry: level for entry, level in known.items() if entry not in again}


def _called(program: Program, known: Mapping[int, Level]) -> nx.DiGraph[int]:
    """Which bodies call which, by their entries."""
    called: nx.DiGraph[int] = nx.DiGraph()
    called.add_nodes_from(known)
    for entry, level in known.items():
        called.add_edges_from((entry, program.commands[call].target) for call in level.made)
    return called


def _closed(program: Program) -> Mapping[int, Level]:
    """The bodies that calls share, by their entries, that are left by coming back to who has called them only."""
    marks = [tuple(filter(None, map(_call, steps(command.instruction)))) for command in program.commands]
    backs: dict[int, list[int]] = defaultdict(list)
    entries: dict[int, set[int]] = defaultdict(set)
    for index, found in enumerate(marks):
        for number in found:
            if number > 0:
                entries[number].add(program.commands[index].target)
            else:
                backs[-number].append(index)
    closed = frozenset[int]().union(*entries.values())
    inside = _inside(program, marks, backs, closed)
    others = {
        entry: {number for number, found in entries.items() if not any(entry in inside[outer] for outer in found)}
        for entry in closed
    }
    before = frozenset[int]()
    known: dict[int, Level] = {}
    while closed != before:
        known = {
            entry: level
            for entry in sorted(closed)
            if (level := _level(program, entry, marks, backs, entries, closed, others[entry]))
        }
        before, closed = closed, frozenset(known)
    return known


def _inside(
    program: Program, marks: Sequence[tuple[int, ...]], backs: Mapping[int, Sequence[int]], entries: Iterable[int]
) -> Mapping[int, frozenset[int]]:
    """The bodies, by their entries, that a thread may be in while it has not come back from one, with that one."""
    calls: nx.DiGraph[int] = nx.DiGraph()
    for entry in entries:
        calls.add_node(entry)
        seen, work = {entry}, [entry]
        while work:
            for index in program.outgoing[work.pop()]:
                made = [number for number in marks[index] if number > 0]
                places = {program.commands[index].target}
                if made:
                    calls.add_edges_from((entry, place) for place in places)
                    places = {program.commands[end].target for number in made for end in backs.get(number, ())}
                elif marks[index]:
                    places = set()
                work += sorted(places - seen)
                seen |= places
    return {entry: frozenset((entry, *nx.descendants(calls, entry))) for entry in calls}


def shared(program: Program) -> Mapping[int, frozenset[str]]:
    """The cells that a thread may touch from a call until it comes back, by the numbers of calls that come back.

    Those of calls that are alone in their commands, where these do nothing inside of the body.
    """
    cells = within(program, touched)
    return {number: cells[entry] for number, entry in single(program).items() if entry in cells}


def within(program: Program, what: Callable[[Iterable[Command]], frozenset[Found]]) -> Mapping[int, frozenset[Found]]:
    """`what` of all commands that a thread may execute in a body until it comes back, by the entries of bodies."""
    known = _closed(program) if any(_call(step) for it in program.commands for step in steps(it.instruction)) else {}
    called = _called(program, known)
    own = {
        entry: what(program.commands[index] for index in chain(level.commands, *level.made.values()))
        for entry, level in known.items()
    }
    return {entry: own[entry].union(*(own[inner] for inner in nx.descendants(called, entry))) for entry in known}


def single(program: Program) -> Mapping[int, int]:
    """The calls that are alone in their commands, and do nothing there inside of their body, with the entry of that."""
    entered: dict[int, int] = {}
    apart = set[int]()
    for command in program.commands:
        done = steps(command.instruction)
        numbers = [(place, number) for place, step in enumerate(done) if (number := _call(step))]
        for place, number in numbers:
            if len(numbers) > 1 or (place < len(done) - 1 if number > 0 else place):
                apart.add(abs(number))
            elif number > 0:
                apart.update([number] if entered.setdefault(number, command.target) != command.target else ())
    return {number: entry for number, entry in entered.items() if number not in apart}


def call_of(instruction: Instruction) -> int:
    """The number of the call that an instruction makes, or comes back from, below 0 then; 0 where there is none."""
    return next(filter(None, map(_call, steps(instruction))), 0)


def renumbered(instruction: Instruction, number: int) -> Instruction:
    """An instruction with another number for each call that it makes or comes back from, 0 for none."""
    match instruction:
        case Guard(condition, call) if call:
            return Guard(condition, number)
        case Atomic(inner) if any(map(_call, inner)):
            made = (Guard(it.condition, number) if isinstance(it, Guard) and it.call else it for it in inner)
            return Atomic(tuple(made))
        case _:
            return instruction


def kept(
    program: Program, calls: Iterable[Return], defined: Sequence[Collection[int]], live: Mapping[int, Collection[int]]
) -> Mapping[int, frozenset[int]]:
    """By the commands that come back, what is live behind them, by numbers, that nothing since the call defines.

    `defined` is what each command defines, `live` what may be read behind the locations where they lead.
    """
    written: dict[frozenset[int], frozenset[int]] = {}
    found: dict[int, frozenset[int]] = {}
    for call in calls:
        if call.body not in written:
            written[call.body] = frozenset[int]().union(*(defined[number] for number in call.body))
        left = frozenset(live[program.commands[call.back].target])
        found[call.back] = left.difference(written[call.body], defined[call.back])
    return found


def _level(
    program: Program,
    entry: int,
    marks: Sequence[tuple[int, ...]],
    backs: Mapping[int, Sequence[int]],
    entries: Mapping[int, Collection[int]],
    closed: Collection[int],
    others: Collection[int],
) -> Level | None:
    """The body with an entry, where it comes back to who has called it and calls only those that are `closed`.

    It shares its end with others that are entered elsewhere, by the calls `others`, which nobody has made who is in it.
    """
    found, made = set[int](), dict[int, tuple[int, ...]]()
    seen, work = {entry}, [entry]
    while work:
        for index in program.outgoing[work.pop()]:
            match marks[index]:
                case ():
                    ends: tuple[int, ...] = (index,)
                case (number,) if number > 0 and program.commands[index].target in closed:
                    ends = made[index] = tuple(backs.get(number, ()))
                case (number,) if number < 0 and (entries.get(-number) == {entry} or -number in others):
                    continue
                case _:
                    return None
            found.add(index)
            places = {program.commands[end].target for end in ends} - seen
            seen |= places
            work += sorted(places)
    return Level(tuple(sorted(found)), made)


def _call(step: Instruction) -> int:
    return step.call if isinstance(step, Guard) else 0


class _Matched:
    """The bodies of calls, each by the commands that make it and come back."""

    def __init__(self, program: Program, calls: Iterable[tuple[int, int]]) -> None:
        self._program, self._behind = program, dict(calls)
        self._backs = frozenset(self._behind.values())
        own: dict[int, frozenset[int]] = {}
        called: dict[int, set[int]] = {}

        def entered(entry: int) -> set[int]:
            own[entry] = self._from(entry)
            called[entry] = {program.commands[call].target for call in own[entry] & self._behind.keys()}
            return called[entry]

        self._bodies: dict[int, frozenset[int]] = {}
        for part in strong_components((program.commands[call].target for call in self._behind), entered):
            inner = set[int]().union(*(called[entry] for entry in part)) - part
            body = frozenset[int]().union(*(own[entry] for entry in part), *(self._bodies[entry] for entry in inner))
            self._bodies.update(dict.fromkeys(part, body))

    def body(self, call: int) -> frozenset[int]:
        """The commands that a thread may execute from a call on until it comes back behind it.

        Where it leaves the body in another way, by a jump out of a function, what follows counts as part of it.
        """
        return self._bodies[self._program.commands[call].target]

    def _from(self, entry: int) -> frozenset[int]:
        """The commands of a body, without those of what is called there."""
        program, found = self._program, set[int]()
        seen, work = {entry}, [entry]
        while work:
            for index in program.outgoing[work.pop()]:
                found.add(index)
                if index not in self._backs or index in self._behind:
                    end = program.commands[self._behind.get(index, index)].target
                    if end not in seen:
                        seen.add(end)
                        work.append(end)
        return frozenset(found)


def without_returns(program: Program) -> Program:
    """The program in which a thread may come back behind any call of the body that it was in."""
    return replace(
        program, commands=tuple(replace(it, instruction=renumbered(it.instruction, 0)) for it in program.commands)
    )
