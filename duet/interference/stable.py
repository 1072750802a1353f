"""Which cells no other thread can change while a thread stays at a location.

*Source*: rule MAYREACH-BASE of thesis Fig. 3.4: a write by one lineage is seen by another that is at a location if the
two can be at their places together and the location does not block the write. Where no write passes this test, the cell
keeps its value. A lock is held where its own cell is stable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from duet.flow.effects import Effects
from duet.interference.solve import Flows
from duet.interference.system import Move


@dataclass
class Stability:
    """Answers under the annotation of a fixpoint, whose `flows` these are; cached.

    *Approximates*: a yes is certain, a no may be imprecision.
    """

    flows: Flows
    effects: Sequence[Effects]
    _writers: Mapping[str, Sequence[Move]] = field(init=False)
    _stable: dict[tuple[str, int], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        writers: dict[str, list[Move]] = defaultdict(list)
        for move in self.flows.system.moves:
            for cell in self.effects[move.command].writes:
                writers[cell].append(move)
        self._writers = writers

    def is_reached(self, location: int) -> bool:
        """Whether some lineage can be at a location."""
        return location in self.flows.system.holds

    def is_stable(self, cell: str, location: int) -> bool:
        """Whether a global cell keeps its value, but for the thread's own writes, while a thread is at a location."""
        key = (cell, location)
        if key not in self._stable:
            self._stable[key] = not any(self._can_pass(move, location) for move in self._writers.get(cell, ()))
        return self._stable[key]

    def _can_pass(self, move: Move, location: int) -> bool:
        """Whether another lineage can take a step while one is at a location."""
        held = self.flows.system.holds.get(location)
        return held is not None and not held & move.refused and self.flows.coreachable(location, move.source)
