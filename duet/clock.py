"""How long the stages of a run took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Clock:
    """Seconds spent per stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time of the block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class Milestones:
    """How much was done when, in seconds since it was made."""

    start: float = field(default_factory=time.perf_counter)
    reached: list[tuple[float, int]] = field(default_factory=list)

    def note(self, count: int) -> None:
        """So much is done by now."""
        self.reached.append((time.perf_counter() - self.start, count))

    def half(self) -> float:
        """When half of what is done by now was. *Requires*: something was noted."""
        _, most = self.reached[-1]
        return next(seconds for seconds, count in self.reached if 2 * count >= most)
