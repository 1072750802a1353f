"""Which cells no other thread can change while a thread stays at a location.

*Source*: rule MAYREACH-BASE of thesis Fig. 3.4: a write by one lineage is seen by another that is at a location if the
two can be at their places together and the location does not block the write. Where no write passes this test, the cell
keeps its value. A lock is held where its own cell is stable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from duet.flow.effects import Effects
from duet.interference.solve import Flows


@dataclass
class Stability:
    """Answers under the annotation of a fixpoint, whose `flows` these are; cached.

    *Approximates*: a yes is certain, a no may be imprecision.
    """

    flows: Flows
    effects: Sequence[Effects]
    _stable: dict[tuple[str, int], bool] = field(default_factory=dict)
    _disturbing: dict[tuple[str, int], frozenset[int]] = field(default_factory=dict)

    @cached_property
    def _writers(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Where each cell is written, each as a location and the conditions that refuse the step."""
        found: dict[str, dict[tuple[int | None, int], tuple[int, int]]] = defaultdict(dict)
        for move in self.flows.system.moves:
            for cell in self.effects[move.command].writes:
                found[cell][self.flows.place(move.source), move.refused] = (move.source, move.refused)
        return {cell: tuple(moves.values()) for cell, moves in found.items()}

    @cached_property
    def places(self) -> tuple[int, ...]:
        """One location of each set of locations that are not told apart."""
        return tuple({self.flows.place(location): location for location in self.flows.system.holds}.values())

    def is_reached(self, location: int) -> bool:
        """Whether some lineage can be at a location."""
        return location in self.flows.system.holds

    def is_stable(self, cell: str, location: int) -> bool:
        """Whether a global cell keeps its value, but for the thread's own writes, while a thread is at a location."""
        place = self.flows.place(location)
        if place is None:
            return True
        key = (cell, place)
        if key not in self._stable:
            held = self.flows.system.holds[location]
            self._stable[key] = not any(
                not held & refused and self.flows.coreachable(location, source)
                for source, refused in self._writers.get(cell, ())
            )
        return self._stable[key]

    def disturbing(self, cell: str, location: int) -> frozenset[int]:
        """The commands by which other threads may write a global cell while a thread is at a location."""
        place = self.flows.place(location)
        if place is None:
            return frozenset()
        key = (cell, place)
        if key not in self._disturbing:
            held = self.flows.system.holds[location]
            self._disturbing[key] = frozenset(
                move.command
                for move in self.flows.system.moves
                if cell in self.effects[move.command].writes
                and not held & move.refused
                and self.flows.coreachable(location, move.source)
            )
        return self._disturbing[key]
