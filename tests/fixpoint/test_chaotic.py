"""Chaotic iteration: a counter loop with a bound, solved with widening to thresholds and descending steps."""

from __future__ import annotations

import math

from duet.fixpoint.chaotic import Mode, Strategy, solve
from duet.fixpoint.order import components

LOOP = [[1], [2], [0]]
Range = tuple[float, float] | None


class CounterLoop:
    """0: join of 0 and equation 2; 1: that where it is below 10; 2: one more."""

    def __init__(self) -> None:
        self.values: list[Range] = [None, None, None]

    def _evaluate(self, equation: int) -> Range:
        head, kept, _ = self.values
        if equation == 0:
            back = self.values[2]
            return (0, 0) if back is None else (min(0, back[0]), max(0, back[1]))
        if equation == 1:
            return None if head is None or head[0] > 9 else (head[0], min(head[1], 9))
        return None if kept is None else (kept[0] + 1, kept[1] + 1)

    def update(self, equation: int, mode: Mode) -> bool:
        old, new = self.values[equation], self._evaluate(equation)
        if old is not None and new is not None:
            if mode is Mode.JOIN:
                new = (min(old[0], new[0]), max(old[1], new[1]))
            elif mode in (Mode.WIDEN, Mode.WIDEN_FULL):
                new = (old[0] if new[0] >= old[0] else -math.inf, old[1] if new[1] <= old[1] else math.inf)
            elif mode is Mode.LOWER and not (old[0] <= new[0] and new[1] <= old[1]):
                new = old
        self.values[equation] = new
        return new != old


def test_widening_and_descending_find_the_exact_bounds_of_a_loop() -> None:
    system = CounterLoop()
    order = components(LOOP, [0, 1, 2])
    solve(system, order, LOOP, range(3))
    assert system.values == [(0, 10), (0, 9), (1, 10)]


def test_without_descending_steps_the_widened_bound_stays() -> None:
    system = CounterLoop()
    order = components(LOOP, [0, 1, 2])
    solve(system, order, LOOP, range(3), Strategy(descents=0))
    assert system.values[0] == (0, math.inf)


def test_equations_that_are_not_dirty_are_left_alone() -> None:
    system = CounterLoop()
    order = components(LOOP, [0, 1, 2])
    assert solve(system, order, LOOP, ()) == 0
    assert system.values == [None, None, None]
