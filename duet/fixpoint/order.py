"""Iteration orders of equation systems: strongly connected components, and where their cycles are cut.

*Source*: F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993, the strategy by components;
inside a component the order is a reverse postorder, since nested decompositions cost quadratic time where threads tie
the whole program into one component.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx


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
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(successors)))
    graph.add_edges_from((source, target) for source, found in enumerate(successors) for target in found)
    found = [_component(members, successors, rank) for members in nx.strongly_connected_components(graph)]
    found.reverse()  # they come in reverse topological order
    return tuple(found)


def _component(members: set[int], successors: Sequence[Sequence[int]], rank: Sequence[int]) -> Component:
    if len(members) == 1:
        (vertex,) = members
        return Component((vertex,), frozenset(members) if vertex in successors[vertex] else frozenset())
    order = _reverse_postorder(min(members, key=lambda vertex: (rank[vertex], vertex)), members, successors)
    place = {vertex: number for number, vertex in enumerate(order)}
    heads = frozenset(
        target for vertex in order for target in successors[vertex] if place.get(target, len(order)) <= place[vertex]
    )
    return Component(order, heads)


def _reverse_postorder(root: int, members: set[int], successors: Sequence[Sequence[int]]) -> tuple[int, ...]:
    seen = {root}
    finished: list[int] = []
    stack = [(root, iter(successors[root]))]
    while stack:
        vertex, rest = stack[-1]
        following = next((target for target in rest if target in members and target not in seen), None)
        if following is None:
            finished.append(vertex)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(successors[following])))
    return tuple(reversed(finished))
