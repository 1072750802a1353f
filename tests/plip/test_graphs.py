"""Graphs: strongly connected components in the order that fixpoints are computed in."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from duet.plip.graphs import dominators, strong_components

EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30)


@given(EDGES)
def test_components_are_those_of_networkx_and_come_behind_what_they_lead_to(edges: list[tuple[int, int]]) -> None:
    graph: nx.DiGraph[int] = nx.DiGraph(edges)
    found = strong_components(graph, graph.successors)
    assert {frozenset(part) for part in found} == set(map(frozenset, nx.strongly_connected_components(graph)))
    place = {vertex: number for number, part in enumerate(found) for vertex in part}
    assert all(place[source] >= place[target] for source, target in edges)


def test_only_what_the_given_vertices_lead_to_is_looked_at() -> None:
    following = {0: [1], 1: [2], 2: [1], 3: [0]}
    assert strong_components([0], following.__getitem__) == [{1, 2}, {0}]


@given(EDGES)
def test_dominators_are_those_of_networkx(edges: list[tuple[int, int]]) -> None:
    graph: nx.DiGraph[int] = nx.DiGraph(edges)
    graph.add_node(0)
    expected = {vertex: above for vertex, above in nx.immediate_dominators(graph, 0).items() if vertex != 0}
    assert dominators(0, graph.successors, graph.predecessors) == expected
