"""The judgments of `rules/points_to.dl` computed directly: inclusion constraints solved along a growing graph.

A second implementation that reads no rules, so that an engine and this module check each other.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from datalog.engine import EngineFailure
from datalog.relation import Facts, Row


def points_to(facts: Facts, deadline: float | None = None) -> Mapping[int, int]:
    """`points(n, h)` as bit h of the number for n.

    *Source*: difference propagation as in D. J. Pearce et al., "Efficient field-sensitive pointer analysis of C"
    (2007): what is new at a node goes along its edges; a new object at a pointer that is followed gives new edges.
    """
    graph = _Graph.of(facts)
    steps = 0
    while graph.pending:
        node, new = graph.pending.popitem()
        for target in tuple(graph.edges[node]):
            graph.include(target, new)
        for source, target in graph.followed(node, new):
            graph.connect(source, target)
        steps += 1
        if deadline is not None and steps % 256 == 0 and time.monotonic() > deadline:
            raise EngineFailure("the bitset engine ran out of time", timed_out=True)
    return graph.found


def calls(facts: Facts, found: Mapping[int, int]) -> frozenset[Row]:
    """`calls(i, f)` for what pointers point to."""
    callable_at: dict[int, set[int]] = defaultdict(set)
    for site, function in facts["callable"]:
        callable_at[site].add(function)
    return frozenset(
        (site, function)
        for site, pointer in facts["indirect"]
        for function in callable_at[site]
        if found.get(pointer, 0) >> function & 1
    )


@dataclass(slots=True)
class _Graph:
    """`edges[s]` are the nodes that include node s; `pending[n]` are the bits of `found[n]` that no edge has seen."""

    parts: Mapping[tuple[int, int], list[int]]
    loads: Mapping[int, list[Row]]
    stores: Mapping[int, list[Row]]
    edges: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    found: dict[int, int] = field(default_factory=dict)
    pending: dict[int, int] = field(default_factory=dict)

    @staticmethod
    def of(facts: Facts) -> _Graph:
        parts: dict[tuple[int, int], list[int]] = defaultdict(list)
        for of, shape, cell in facts["part"]:
            parts[of, shape].append(cell)
        loads: dict[int, list[Row]] = defaultdict(list)
        for target, pointer, shape in facts["load"]:
            loads[pointer].append((target, shape))
        stores: dict[int, list[Row]] = defaultdict(list)
        for pointer, shape, source in facts["store"]:
            stores[pointer].append((source, shape))
        graph = _Graph(parts, loads, stores)
        for target, source in facts["copy"]:
            graph.edges[source].add(target)
        for node, of in facts["address"]:
            graph.include(node, 1 << of)
        return graph

    def include(self, node: int, objects: int) -> None:
        """Adds objects to what a node may be the address of."""
        old = self.found.get(node, 0)
        new = objects & ~old
        if new:
            self.found[node] = old | new
            self.pending[node] = self.pending.get(node, 0) | new

    def connect(self, source: int, target: int) -> None:
        """Lets a node include another one from now on."""
        if target not in self.edges[source]:
            self.edges[source].add(target)
            self.include(target, self.found.get(source, 0))

    def followed(self, pointer: int, objects: int) -> Iterator[Row]:
        """The edges `(source, target)` that follow from a pointer being the address of some more objects."""
        loads, stores = self.loads.get(pointer, ()), self.stores.get(pointer, ())
        if not loads and not stores:
            return
        rest = objects
        while rest:
            low = rest & -rest
            of = low.bit_length() - 1
            rest ^= low
            for target, shape in loads:
                for cell in self.parts.get((of, shape), ()):
                    yield cell, target
            for source, shape in stores:
                for cell in self.parts.get((of, shape), ()):
                    yield source, cell
