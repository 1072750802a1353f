"""Time that a part of the work may take, for work that can be left out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

now: Callable[[], float] = time.monotonic
"""The clock of deadlines, in seconds: that on the wall, but for measurements that a busy machine must not change."""


class OutOfTime(Exception):
    """The work took longer than it may; what was found before it stands."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the clock `now`, in seconds; infinity for none."""

    end: float = math.inf

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """The moment that is so many seconds from now, None for never."""
        return cls() if seconds is None else cls(now() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.end - now() if self.end < math.inf else math.inf

    def share(self, part: float) -> Deadline:
        """The moment when a part of the time that is left now will have passed."""
        return self if self.end == math.inf else Deadline(now() + max(0.0, self.left) * part)

    def before(self, seconds: float) -> Deadline:
        """This moment, or the one that is so many seconds from now if that comes first."""
        return Deadline(min(self.end, now() + seconds))

    def check(self, needed: float = 0.0) -> None:
        """Nothing, if so many seconds are left. *Raises*: OutOfTime."""
        if self.end < math.inf and self.left <= needed:
            raise OutOfTime
