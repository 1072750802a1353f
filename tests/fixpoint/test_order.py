"""Iteration orders: components in dependency order, a head on every cycle."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from duet.fixpoint.order import components
from duet.plip.graphs import postorder

Graph = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 9))
    return [draw(st.lists(st.integers(0, size - 1), max_size=3, unique=True)) for _ in range(size)]


@given(graphs())
def test_without_the_heads_no_cycle_is_left_and_components_come_in_order(graph: Graph) -> None:
    order = components(graph, list(range(len(graph))))
    members = [vertex for component in order for vertex in component.members]
    assert sorted(members) == list(range(len(graph)))
    number = {vertex: i for i, component in enumerate(order) for vertex in component.members}
    heads = frozenset().union(*(component.heads for component in order))
    rest: nx.DiGraph[int] = nx.DiGraph()
    for source, targets in enumerate(graph):
        assert all(number[source] <= number[target] for target in targets)
        rest.add_edges_from((source, target) for target in targets if target not in heads)
    assert nx.is_directed_acyclic_graph(rest)


def test_the_order_of_a_cycle_starts_at_the_vertex_of_smallest_rank() -> None:
    (component,) = components([[1], [2], [0]], [5, 1, 3])
    assert component.members == (1, 2, 0)
    assert component.heads == {1}


@given(graphs(), st.integers(0, 8))
def test_the_postorder_is_the_one_of_networkx(graph: Graph, start: int) -> None:
    same: nx.DiGraph[int] = nx.DiGraph(dict(enumerate(graph)))
    root = start % len(graph)
    assert postorder([root], graph.__getitem__) == list(nx.dfs_postorder_nodes(same, root))
    assert postorder(range(len(graph)), graph.__getitem__) == list(nx.dfs_postorder_nodes(same))
