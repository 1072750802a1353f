"""Weak topological orders: every cycle goes through a component head."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from duet.fixpoint.wto import Component, Element, weak_topological_order

Graph = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 9))
    return [draw(st.lists(st.integers(0, size - 1), max_size=3, unique=True)) for _ in range(size)]


def _positions(
    elements: tuple[Element, ...], heads: tuple[int, ...], found: dict[int, tuple[int, tuple[int, ...]]]
) -> None:
    for element in elements:
        if isinstance(element, Component):
            found[element.head] = (len(found), (*heads, element.head))
            _positions(element.body, (*heads, element.head), found)
        else:
            found[element] = (len(found), heads)


@given(graphs())
def test_every_backward_edge_enters_the_head_of_a_component_around_its_source(graph: Graph) -> None:
    order = weak_topological_order(graph, list(range(len(graph))))
    found: dict[int, tuple[int, tuple[int, ...]]] = {}
    _positions(order, (), found)
    assert sorted(found) == list(range(len(graph)))
    for source, targets in enumerate(graph):
        for target in targets:
            if found[target][0] <= found[source][0]:
                assert target in found[source][1], (source, target, order)


def test_the_head_is_the_vertex_of_smallest_rank() -> None:
    order = weak_topological_order([[1], [2], [0]], [5, 1, 3])
    assert order == (Component(1, (2, 0)),)
