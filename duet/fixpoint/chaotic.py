"""Chaotic iteration over strongly connected components, with widening at heads and descending iterations.

Knows nothing of programs: a `System` is a set of numbered equations that can be evaluated.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from duet.fixpoint.order import Component


class Mode(Enum):
    """How an equation's new value is combined with its old one."""

    SET = auto()  # take the new value
    JOIN = auto()  # least upper bound with the old one
    WIDEN = auto()  # extrapolate to thresholds
    WIDEN_FULL = auto()  # extrapolate without thresholds
    LOWER = auto()  # take the new value where it is below the old one


class System(Protocol):
    """Equations 0..n-1 with a current value each, bottom at first."""

    def update(self, equation: int, mode: Mode) -> bool:
        """Evaluates an equation and stores its value; whether the value changed."""
        ...


@dataclass(frozen=True, slots=True)
class Strategy:
    """How often a head may grow by joins (`delay`), then by widenings to thresholds (`patience`) before it drops its
    bounds, and how many descending rounds follow at most (`descents`)."""

    delay: int = 3
    patience: int = 40
    descents: int = 4


DEFAULT = Strategy()


def solve(
    system: System,
    order: Sequence[Component],
    successors: Sequence[Sequence[int]],
    dirty: Container[int],
    strategy: Strategy = DEFAULT,
) -> int:
    """Brings the values to a post-fixpoint and returns how many evaluations it took.

    *Requires*: equations outside `dirty` are stable and depend on none in it; those in it are bottom. A component is
    either wholly in it or wholly out of it.
    *Approximates*: over. The descending steps are sound one by one, since each evaluation of an equation on values
    that include the least solution includes it again.
    """
    evaluations = 0
    for component in order:
        if component.members[0] not in dirty:
            continue
        if component.heads or len(component.members) > 1:
            evaluations += _ascend(system, component, successors, strategy)
            evaluations += _descend(system, component, successors, strategy)
        else:
            evaluations += 1
            system.update(component.members[0], Mode.SET)
    return evaluations


def _ascend(system: System, component: Component, successors: Sequence[Sequence[int]], strategy: Strategy) -> int:
    """Evaluates, always the first in order of those whose inputs changed, until none is left."""
    place = {equation: number for number, equation in enumerate(component.members)}
    growth = dict.fromkeys(component.heads, 0)
    queue = list(range(len(component.members)))
    waiting = set(queue)
    evaluations = 0
    while queue:
        number = heapq.heappop(queue)
        waiting.discard(number)
        equation = component.members[number]
        evaluations += 1
        grown = growth.get(equation)
        if not system.update(equation, Mode.SET if grown is None else _mode(grown, strategy)):
            continue
        if grown is not None:
            growth[equation] = grown + 1
        for target in successors[equation]:
            following = place.get(target)
            if following is not None and following not in waiting:
                waiting.add(following)
                heapq.heappush(queue, following)
    return evaluations


def _mode(growth: int, strategy: Strategy) -> Mode:
    """How a head takes a new value, by how often it has grown."""
    if growth <= strategy.delay:
        return Mode.JOIN
    return Mode.WIDEN if growth <= strategy.delay + strategy.patience else Mode.WIDEN_FULL


def _descend(system: System, component: Component, successors: Sequence[Sequence[int]], strategy: Strategy) -> int:
    """Takes smaller values, in rounds over the component, while there are any.

    What is no head has the value that its inputs give it, so that only heads, and what depends on what was lowered, are
    evaluated again.
    """
    place = {equation: number for number, equation in enumerate(component.members)}
    waiting = {place[head] for head in component.heads}
    evaluations = 0
    for _ in range(strategy.descents):
        queue, later = sorted(waiting), set[int]()
        while queue:
            number = heapq.heappop(queue)
            waiting.discard(number)
            equation = component.members[number]
            evaluations += 1
            if not system.update(equation, Mode.LOWER):
                continue
            for target in successors[equation]:
                following = place.get(target, -1)
                if following > number and following not in waiting:
                    waiting.add(following)
                    heapq.heappush(queue, following)
                elif 0 <= following <= number:
                    later.add(following)
        waiting = later
        if not waiting:
            break
    return evaluations
