"""How many states an exploration may keep: a bound on their number, and one on the memory that they take."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from duet.plip.execute import Store

_STATE, _THREAD, _CELL = 500, 130, 8  # bytes, a little more than what is measured


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far to explore: `threads` of each template that is `MANY` at one time, `states` of the search in breadth.

    `is_exact`: by commands only that stand for no more than the source does. `steps` of each of the random executions.
    *Units*: `memory` in MiB, for all states together.
    """

    threads: int = 3
    states: int = 20_000
    is_exact: bool = False
    steps: int = 200
    seed: int = 1
    memory: int = 256


@dataclass
class Room:
    """What is left of the bounds. `met` says in words which of them ended the exploration; empty while none did."""

    bounds: Bounds
    met: str = ""
    taken: int = 0
    _bytes: int = field(init=False)

    def __post_init__(self) -> None:
        self._bytes = self.bounds.memory * 2**20

    def take(self, shared: Store, threads: Collection[tuple[int, Store]]) -> bool:
        """Whether there is room for one more state; then it is taken."""
        self._bytes -= _STATE + _CELL * len(shared) + sum(_THREAD + _CELL * len(own) for _, own in threads)
        if self.taken >= self.bounds.states:
            self.met = f"{self.bounds.states:,} states"
        elif self._bytes < 0:
            self.met = f"{self.taken:,} states, which take {self.bounds.memory} MiB"
        self.taken += not self.met
        return not self.met
