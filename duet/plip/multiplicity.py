"""Which templates have at most one instance (`ONE`) and which any number (`MANY`).

Getting this wrong is unsound: joining relies on it.
*Approximates*: `MANY` is always safe to answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import networkx as nx

from duet.plip.graphs import spawn_graph
from duet.plip.once import once
from duet.plip.syntax import Program, Spawn


class Multiplicity(StrEnum):
    """How many instances of a template can ever run."""

    ONE = "ONE"
    MANY = "MANY"


@once
def multiplicities(program: Program) -> Mapping[str, Multiplicity]:
    """The multiplicity of every template, by name.

    A template other than main is ONE iff it has exactly one spawn command, which lies on no cycle of its control flow
    graph, in a template that is ONE, and it is on no cycle of the spawn graph. Main is ONE unless something spawns it.
    """
    sites: dict[str, list[int]] = {name: [] for name in program.templates}
    for index, command in enumerate(program.commands):
        if isinstance(command.instruction, Spawn):
            sites[command.instruction.template].append(index)
    spawns = spawn_graph(program)
    result: dict[str, Multiplicity] = {}
    for component in nx.topological_sort(condensed := nx.condensation(spawns)):
        members: set[str] = condensed.nodes[component]["members"]
        for name in members:
            is_cyclic = len(members) > 1 or spawns.has_edge(name, name)
            if name == program.main:
                is_one = not sites[name]
            elif is_cyclic or len(sites[name]) != 1:
                # a template that nothing spawns never runs, so either answer is true
                is_one = not sites[name]
            else:
                (site,) = sites[name]
                is_one = result[program.template_of[program.commands[site].source]] is Multiplicity.ONE
                is_one = is_one and not _is_repeated(program, site)
            result[name] = Multiplicity.ONE if is_one else Multiplicity.MANY
    return result


def many(program: Program) -> frozenset[str]:
    """The templates of which more than one instance may run."""
    return frozenset(name for name, kind in multiplicities(program).items() if kind is Multiplicity.MANY)


def _is_repeated(program: Program, site: int) -> bool:
    """Whether a command is on a cycle of the control flow."""
    goal, seen, stack = program.commands[site].source, set[int](), [program.commands[site].target]
    while stack:
        place = stack.pop()
        if place == goal:
            return True
        if place not in seen:
            seen.add(place)
            stack.extend(program.commands[index].target for index in program.outgoing[place])
    return False
