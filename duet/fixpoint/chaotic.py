"""Chaotic iteration over a weak topological order, with widening at heads and descending iterations.

Knows nothing of programs: a `System` is a set of numbered equations that can be evaluated.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from duet.fixpoint.wto import Component, Element, Order


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
    """`delay` joins before widening, `patience` widenings to thresholds before dropping bounds, and at most `descents`
    descending iterations."""

    delay: int = 2
    patience: int = 40
    descents: int = 4


def solve(system: System, order: Order, dirty: Container[int], strategy: Strategy = Strategy()) -> int:
    """Brings the values to a post-fixpoint and returns how many evaluations it took.

    *Requires*: equations outside `dirty` are stable and depend on none in it; those in it are bottom. A
    component is either wholly in it or wholly out of it.
    *Approximates*: over. The descending steps are sound one by one, since each evaluation of an equation on values
    that include the least solution includes it again.
    """
    runner = _Runner(system, strategy)
    for element in order:
        head = element.head if isinstance(element, Component) else element
        if head not in dirty:
            continue
        if isinstance(element, Component):
            runner.ascend(element)
            runner.descend(element)
        else:
            runner.update(element, Mode.SET)
    return runner.evaluations


class _Runner:
    def __init__(self, system: System, strategy: Strategy) -> None:
        self.system = system
        self.strategy = strategy
        self.evaluations = 0

    def update(self, equation: int, mode: Mode) -> bool:
        self.evaluations += 1
        return self.system.update(equation, mode)

    def ascend(self, component: Component) -> None:
        """Iterates a component until its head is stable."""
        visits = 0
        while True:
            if visits <= self.strategy.delay:
                mode = Mode.JOIN
            elif visits <= self.strategy.delay + self.strategy.patience:
                mode = Mode.WIDEN
            else:
                mode = Mode.WIDEN_FULL
            changed = self.update(component.head, mode)
            if visits and not changed:
                return
            visits += 1
            for element in component.body:
                self._visit(element)

    def _visit(self, element: Element) -> None:
        if isinstance(element, Component):
            self.ascend(element)
        else:
            self.update(element, Mode.SET)

    def descend(self, component: Component) -> None:
        """Takes at most `descents` rounds of smaller values."""
        order = tuple(_flatten(component))
        for _ in range(self.strategy.descents):
            lowered = sum(self.update(equation, Mode.LOWER) for equation in order)
            if not lowered:
                return


def _flatten(component: Component) -> list[int]:
    found = [component.head]
    for element in component.body:
        if isinstance(element, Component):
            found.extend(_flatten(element))
        else:
            found.append(element)
    return found
