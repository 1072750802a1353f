"""The graphs of a program: control flow over locations, and which templates spawn which."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import networkx as nx

from duet.plip.syntax import Program, Spawn

V = TypeVar("V", bound=Hashable)


def strong_components(vertices: Iterable[V], successors: Callable[[V], Iterable[V]]) -> list[set[V]]:
    """The strongly connected components of what some vertices lead to, each behind those that it leads to.

    Written out since networkx needs three times as long, most of it for making its graph. *Source*: R. Tarjan,
    "Depth-first search and linear graph algorithms", 1972.
    """
    number: dict[V, int] = {}
    lowest: dict[V, int] = {}
    pending: list[V] = []
    is_pending: set[V] = set()
    found: list[set[V]] = []
    for root in vertices:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        pending.append(root)
        is_pending.add(root)
        stack = [(root, iter(successors(root)))]
        while stack:
            vertex, rest = stack[-1]
            for target in rest:
                if target not in number:
                    number[target] = lowest[target] = len(number)
                    pending.append(target)
                    is_pending.add(target)
                    stack.append((target, iter(successors(target))))
                    break
                if target in is_pending:
                    lowest[vertex] = min(lowest[vertex], number[target])
            else:
                stack.pop()
                if stack:
                    before = stack[-1][0]
                    lowest[before] = min(lowest[before], lowest[vertex])
                if lowest[vertex] == number[vertex]:
                    component = {vertex}
                    while (member := pending.pop()) != vertex:
                        component.add(member)
                    is_pending -= component
                    found.append(component)
    return found


def postorder(roots: Iterable[V], successors: Callable[[V], Iterable[V]]) -> list[V]:
    """All vertices that are reached from some roots, each after its successors where there is no cycle.

    The search goes depth first, from one root after the other. It is written out since networkx needs four times as
    long, most of it for making its graph.
    """
    seen: set[V] = set()
    finished: list[V] = []
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(successors(root)))]
        while stack:
            vertex, rest = stack[-1]
            for target in rest:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(successors(target))))
                    break
            else:
                finished.append(vertex)
                stack.pop()
    return finished


def dominators(root: V, successors: Callable[[V], Iterable[V]], predecessors: Callable[[V], Iterable[V]]) -> dict[V, V]:
    """The immediate dominator of each vertex that a root leads to, but for the root, most behind their own.

    Written out like `postorder`. *Source*: K. D. Cooper et al., "A simple, fast dominance algorithm", 2001.
    """
    order = postorder((root,), successors)
    number = {vertex: place for place, vertex in enumerate(order)}
    above: dict[int, int] = {len(order) - 1: len(order) - 1}
    before = [[number[found] for found in predecessors(vertex) if found in number] for vertex in order]
    rest = range(len(order) - 2, -1, -1)
    has_changed = True
    while has_changed:
        has_changed = False
        for place in rest:
            new = -1
            for one in before[place]:
                if one not in above:
                    continue
                if new < 0:
                    new = one
                while new != one:
                    if one < new:
                        one = above[one]
                    else:
                        new = above[new]
            if above.get(place) != new:
                above[place] = new
                has_changed = True
    return {order[place]: order[above[place]] for place in rest}


def control_graph(program: Program, commands: Iterable[int] | None = None) -> nx.DiGraph[int]:
    """An edge for each of some commands, or of all; all locations are nodes if all commands are asked for."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    if commands is None:
        graph.add_nodes_from(program.template_of)
        commands = range(len(program.commands))
    graph.add_edges_from((program.commands[index].source, program.commands[index].target) for index in commands)
    return graph


def spawn_graph(program: Program) -> nx.DiGraph[str]:
    """An edge from each template to those that it spawns; all templates are nodes."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(program.templates)
    for command in program.commands:
        if isinstance(command.instruction, Spawn):
            graph.add_edge(program.template_of[command.source], command.instruction.template)
    return graph
