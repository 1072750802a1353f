"""Iteration orders of equation systems: strongly connected components, and where their cycles are cut.

*Source*: F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993, the strategy by components;
inside a component the order is a reverse postorder, since nested decompositions cost quadratic time where threads tie
the whole program into one component.
"""

from __future__ import annotations

from collections.abc import Sequence

from duet.plip.graphs import postorder, strong_components
from duet.records import dataclass


@dataclass(frozen=True, slots=True)
class Component:
    """A strongly connected component: its members in order, and the `heads`, with one on every cycle.

    The heads are the targets of the edges that go backwards in the order; a member without a cycle has none.
    """

    members: tuple[int, ...]
    heads: frozenset[int]


def components(successors: Sequence[Sequence[int]], rank: Sequence[int]) -> tuple[Component, ...]:
    """The components of the graph on 0..n-1, each before those that depend on it.

    *Requires*: `rank[v]` says how good an entry of a cycle a vertex is, the smallest is taken.
    """
    found = strong_components(range(len(successors)), successors.__getitem__)
    return tuple(_component(members, successors, rank) for members in reversed(found))


def _component(members: set[int], successors: Sequence[Sequence[int]], rank: Sequence[int]) -> Component:
    if len(members) == 1:
        (vertex,) = members
        return Component((vertex,), frozenset(members) if vertex in successors[vertex] else frozenset())
    root = min(members, key=lambda vertex: (rank[vertex], vertex))
    order = tuple(reversed(postorder([root], lambda vertex: filter(members.__contains__, successors[vertex]))))
    place = {vertex: number for number, vertex in enumerate(order)}
    heads = frozenset(
        target for vertex in order for target in successors[vertex] if place.get(target, len(order)) <= place[vertex]
    )
    return Component(order, heads)
