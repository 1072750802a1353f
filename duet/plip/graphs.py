"""The graphs of a program: control flow over locations, and which templates spawn which."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

from duet.plip.syntax import Program, Spawn


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
