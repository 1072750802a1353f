"""Weak topological orders of directed graphs.

*Source*: F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993. Components are found by repeated
decomposition into strongly connected components, without recursion over the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import networkx as nx


@dataclass(frozen=True, slots=True)
class Component:
    """A cycle head and the order of what it dominates in the cycle (the head itself left out)."""

    head: int
    body: tuple[Element, ...]


Element: TypeAlias = int | Component
Order: TypeAlias = tuple[Element, ...]


def weak_topological_order(successors: Sequence[Sequence[int]], rank: Sequence[int]) -> Order:
    """A weak topological order of the vertices 0..n-1: every cycle contains the head of a component.

    *Requires*: `rank[v]` says how good a head a vertex is, the smallest in a cycle is taken.
    """
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(successors)))
    graph.add_edges_from((source, target) for source, found in enumerate(successors) for target in found)
    return _order(graph, rank)


def _order(graph: nx.DiGraph[int], rank: Sequence[int]) -> Order:
    elements: list[Element] = []
    # Strongly connected components come in reverse topological order.
    for members in nx.strongly_connected_components(graph):
        if len(members) == 1:
            (vertex,) = members
            elements.append(Component(vertex, ()) if graph.has_edge(vertex, vertex) else vertex)
            continue
        head = min(members, key=lambda vertex: (rank[vertex], vertex))
        inner: nx.DiGraph[int] = nx.DiGraph()
        inner.add_nodes_from(sorted(members - {head}))
        inner.add_edges_from(
            (source, target)
            for source in sorted(members)
            if source != head
            for target in graph.successors(source)
            if target in members and target != head
        )
        elements.append(Component(head, _order(inner, rank)))
    return tuple(reversed(elements))
