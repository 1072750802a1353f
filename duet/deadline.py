"""Time that a part of the work may take, for work that can be left out.

What a user allows counts as a clock on the wall does. What the work allows itself counts in seconds of the processor,
so that verdicts do not depend on what else the machine does; or in steps, so that they depend on nothing but the
program.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

now: Callable[[], float] = time.monotonic
"""The clock on the wall, in seconds; measurements that a busy machine must not change put `worked` for it."""
worked: Callable[[], float] = time.process_time
"""Seconds of the processor that this process has taken, without those of its children."""


Item = TypeVar("Item")


class OutOfTime(Exception):
    """The work took longer than it may; what was found before it stands."""


@dataclass(slots=True)
class Steps:
    """Steps that were taken of at most so many; a step is about what an operation on one number takes."""

    most: float = math.inf
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the clock `now`, or of the work of this process (`worked`) if that comes first; infinity for none.

    It comes, too, when more than the most `steps` have been taken.
    """

    end: float = math.inf
    work: float = math.inf
    steps: Steps = field(default_factory=Steps)

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """The moment that is so many seconds from now, None for never."""
        return cls() if seconds is None else cls(now() + seconds)

    @property
    def is_set(self) -> bool:
        """Whether there is such a moment."""
        return min(self.end, self.work) < math.inf

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return min(_until(self.end, now), _until(self.work, worked))

    def share(self, part: float) -> Deadline:
        """The moment when a part of the time that is left now will have passed."""
        return Deadline(_part(self.end, now, part), _part(self.work, worked, part), self.steps)

    def divided(self, items: Sequence[Item]) -> Iterator[tuple[Item, float]]:
        """Items as long as there is time, each with the part of the time left that makes it equal for the others."""
        for position, item in enumerate(items):
            if self.left <= 0:
                return
            yield item, 1 / (len(items) - position)

    def before(self, seconds: float) -> Deadline:
        """This moment, or the one that is so many seconds of work from now if that comes first."""
        return replace(self, work=min(self.work, worked() + seconds))

    def within(self, most: float) -> Deadline:
        """This moment, or the one when so many steps from now have been taken."""
        return self.counted(Steps(most))

    def counted(self, steps: Steps) -> Deadline:
        """This moment, or the one when the most of some steps have been taken."""
        return replace(self, steps=steps)

    def spend(self, steps: int) -> None:
        """Takes steps. *Raises*: OutOfTime where there are no more, or the moment has come."""
        self.steps.taken += steps
        if self.steps.taken > self.steps.most:
            raise OutOfTime
        if self.end < math.inf or self.work < math.inf:
            self.check()

    def demand(self, steps: int) -> None:
        """Nothing, if so many steps are left. *Raises*: OutOfTime."""
        if self.steps.taken + steps > self.steps.most:
            raise OutOfTime

    def check(self, needed: float = 0.0) -> None:
        """Nothing, if so many seconds are left. *Raises*: OutOfTime."""
        if self.is_set and self.left <= needed:
            raise OutOfTime


NO_DEADLINE = Deadline()


def _until(moment: float, clock: Callable[[], float]) -> float:
    return moment - clock() if moment < math.inf else math.inf


def _part(moment: float, clock: Callable[[], float], part: float) -> float:
    return clock() + max(0.0, moment - clock()) * part if moment < math.inf else math.inf
