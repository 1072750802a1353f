"""Which steps commute with all that other threads can do next to them.

*Source*: Lipton, Reduction, 1975. Two steps conflict if one writes a global that the other reads or writes. A step of a
thread is a right mover if no step of another thread that conflicts with it can come right behind it, and a left mover
if none can come right in front of it.

Why `together` decides that. Say thread A takes `e`, and B takes `f` right behind it. Then B was where `f` starts when A
was where `e` starts, and also when A was where `e` ends. If two threads are never at one of these pairs of locations,
`f` does not come there; else, without a conflict, `f` and then `e` lead to the same state, and `f` passes iff it did.
Likewise with `f` right in front of `e`: A was where `e` starts when B was where `f` starts, and where it ends. A check
that fails ends nowhere, so only the location in front of it counts.

Nobody moves while another thread is inside of an atomic region: `e` must not start (to be brought back) or end (to be
brought forward) in one, and what is known of pairs is not used for locations in regions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

Together: TypeAlias = Callable[[int, int], bool]
"""Whether two threads may be at two locations at once, while no thread is inside of an atomic region."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A step of the threads of a template, with the globals that it reads and writes."""

    template: str
    source: int
    target: int
    reads: frozenset[str]
    writes: frozenset[str]
    is_check: bool = False

    def conflicts(self, other: Edge) -> bool:
        """Whether one writes what the other touches."""
        return not (self.writes.isdisjoint(other.reads | other.writes) and other.writes.isdisjoint(self.reads))


@dataclass(frozen=True)
class Movers:
    """Decides for steps of a program; `ones` are its templates of which there is at most one instance."""

    ones: frozenset[str]
    atomic: frozenset[int]
    together: Together

    def is_right(self, edge: Edge, edges: Iterable[Edge]) -> bool:
        """Whether a step can be put off until behind whatever others do next, of all the `edges` there are."""
        return edge.source not in self.atomic and not any(
            self._may_meet(edge.source, other.source) and self._may_meet(edge.target, other.source)
            for other in self._others(edge, edges)
        )

    def is_left(self, edge: Edge, edges: Iterable[Edge]) -> bool:
        """Whether a step can be put in front of whatever others did just before it."""
        return edge.target not in self.atomic and not any(
            self._may_meet(edge.source, other.source) and (other.is_check or self._may_meet(edge.source, other.target))
            for other in self._others(edge, edges)
        )

    def _others(self, edge: Edge, edges: Iterable[Edge]) -> Iterable[Edge]:
        """The steps of other threads that conflict with a step."""
        is_alone = edge.template in self.ones
        for other in edges:
            if edge.conflicts(other) and not (is_alone and other.template == edge.template):
                yield other

    def _may_meet(self, left: int, right: int) -> bool:
        return left in self.atomic or right in self.atomic or self.together(left, right)
