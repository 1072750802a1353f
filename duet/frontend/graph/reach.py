"""What can be reached in a graph that is given by its successors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from heapq import heappop, heappush
from typing import Protocol, Self, TypeVar

from duet.plip.accesses import WAITING
from duet.plip.graphs import postorder
from duet.plip.syntax import FALSE, Command, Guard

Item = TypeVar("Item", int, str)
_MANY = 64
"""Where so many ways meet, as jumps from everywhere do, what is known only becomes less."""


class Known(Protocol):
    """What may be known at a location."""

    def common(self, other: Self) -> Self:
        """What both know."""
        ...


State = TypeVar("State", bound=Known)


def reached(starts: Iterable[Item], successors: Callable[[Item], Iterable[Item]]) -> Iterator[Item]:
    """What ways of any length, also of none, lead to from some starts, each once."""
    seen, stack = set[Item](), list(starts)
    while stack:
        item = stack.pop()
        if item not in seen:
            seen.add(item)
            yield item
            stack.extend(successors(item))


def reaches(starts: Iterable[Item], goals: Container[Item], successors: Callable[[Item], Iterable[Item]]) -> bool:
    """Whether a way of any length, also of none, leads from some start to a goal."""
    return any(item in goals for item in reached(starts, successors))


def in_order(start: int, successors: Callable[[int], Iterable[int]]) -> dict[int, int]:
    """The places of what a start leads to in an order in which most come behind those that lead to them."""
    return {item: place for place, item in enumerate(reversed(postorder([start], successors)))}


def _last_first(successors: Callable[[int], Iterable[int]]) -> Callable[[int], Iterable[int]]:
    """The successors by which a loop comes before what is behind it, so that this is looked at once the loop is done.

    Conditions have the way into a loop first: the last one of several that are searched comes first in order.
    """
    return lambda location: reversed(list(successors(location)))


def by_source(commands: Iterable[Command]) -> defaultdict[int, list[Command]]:
    """The commands that leave each location, in order."""
    found: defaultdict[int, list[Command]] = defaultdict(list)
    for command in commands:
        found[command.source].append(command)
    return found


def following(outgoing: Mapping[int, Iterable[Command]]) -> Callable[[int], Iterator[int]]:
    """The successors of locations, by the commands that leave them."""
    return lambda location: (command.target for command in outgoing[location])


def known_on_all_ways(
    start: int,
    first: State,
    behind: Callable[[int, State], Iterable[tuple[int, State]]],
    successors: Callable[[int], Iterable[int]],
    returned: Callable[[int, Mapping[int, State]], Iterable[tuple[int, State]]] = lambda _, __: (),
    patience: int = 0,
) -> dict[int, State]:
    """What is known at each location that ways from a start lead to, whatever the way: the greatest such solution.

    `behind` gives what is known at the locations that follow one, its `successors`, from what is known there, and
    `returned` at others, from what is known at this one and elsewhere. So many times, by `patience`, what is known at a
    location where few ways meet may not only become less: the same may have another name where more ways are seen.
    """
    place = in_order(start, _last_first(successors))
    found = {start: first}
    latest: defaultdict[int, dict[tuple[int, int], State]] = defaultdict(dict)
    changes: defaultdict[int, int] = defaultdict(int)
    latest[start][start, -1] = first
    work, waiting = [(place[start], start)], {start}
    while work:
        _, location = heappop(work)
        waiting.discard(location)
        for way, (target, after) in enumerate((*behind(location, found[location]), *returned(location, found))):
            before = found.get(target)
            if changes[target] < patience and len(latest[target]) < _MANY:
                latest[target][location, way] = after
                both = reduce(lambda one, other: one.common(other), latest[target].values())
            elif before is after or before == after:
                continue
            else:
                both = after if before is None else before.common(after)
            if both != before:
                changes[target] += 1
                found[target] = both
                if target not in waiting:
                    waiting.add(target)
                    heappush(work, (place[target], target))
    return found


def stuck(command: Command, place: int) -> list[Command]:
    """What is left at a place of a command that cannot pass there: whoever waits by it waits for ever."""
    if not any(access.kind in WAITING for access in command.accesses):
        return []
    return [replace(command, instruction=Guard(FALSE)).between(place, place)]
