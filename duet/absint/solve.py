"""Invariants of a data flow graph: the least solution of its equations over a numeric domain, approximated.

*Source*: thesis Def. 3.3.3 and 3.6.1. There is one equation per command (the packs it defines, from those it uses at
its source), per merge node of the own flows, and per set of flows from other threads that arrive together.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from duet.absint.conditions import known_equal
from duet.absint.equations import REACHED, Bounded, Equation, Joined, Stepped, Values, inputs_of, outputs_of
from duet.absint.state import Space, Value
from duet.deadline import Deadline
from duet.fixpoint.chaotic import Strategy, solve
from duet.fixpoint.order import components
from duet.flow.dfg import DataFlowGraph
from duet.flow.reaching import Both, Initial, Merge
from duet.flow.table import NONE, Table

# A node or a pack, with the commands of other threads whose writes may arrive.
Key: TypeAlias = tuple[int, frozenset[int]]
AnyKey = TypeVar("AnyKey", bound=Hashable)


@dataclass
class Solver:
    """Solves the equations of a growing data flow graph again and again.

    A slot holds one value, None for bottom. Slots 0..n-1 are the nodes of the own flows; more are added for the flows
    from other threads. What depends on nothing new since the last call keeps its values.
    """

    space: Space
    thresholds: Mapping[str, tuple[int, ...]]
    strategy: Strategy = field(default_factory=Strategy)
    deadline: Deadline = field(default_factory=Deadline)
    evaluations: int = 0
    _slots: list[Value | None] = field(default_factory=list)
    _mixed: dict[Key, int] = field(default_factory=dict)  # by node: its value or one from the commands
    _foreign: dict[Key, int] = field(default_factory=dict)  # by pack: any value from the commands
    _bounded: dict[tuple[int, int], int] = field(default_factory=dict)  # by slot and node of the bound
    _previous: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def solve(self, graph: DataFlowGraph) -> Solution:
        """An inductive annotation of the graph, as values of slots.

        *Requires*: graphs of successive calls only grow (`DataFlowGraph.with_flows`).
        *Raises*: OutOfTime, after which the solver is of no use.
        """
        if not self._slots:
            self._slots = [None] * len(graph.own.nodes)
        at, packs = self._locations(graph)
        equations = self._equations(graph, at, packs)
        inputs = list(map(inputs_of, equations))
        outputs = list(map(outputs_of, equations))
        producer = [NONE] * len(self._slots)
        for index, slots in enumerate(outputs):
            for slot in slots:
                producer[slot] = index
        successors: list[list[int]] = [[] for _ in equations]
        for index, slots in enumerate(inputs):
            for slot in slots:
                if (maker := producer[slot]) != NONE:
                    successors[maker].append(index)
        dirty = self._dirty(outputs, inputs, successors)
        for index in dirty:
            for slot in outputs[index]:
                self._slots[slot] = None
        order = components(successors, _rank(equations, successors))
        system = Values(self.space, graph, equations, self._slots, self._thresholds(), self.deadline)
        self.evaluations += solve(system, order, successors, dirty, self.strategy)
        return Solution(self.space, graph, at, tuple(self._slots))

    def _thresholds(self) -> list[tuple[int, ...]]:
        """The thresholds of each pack: those of its cells."""
        packs = self.space.packing.packs
        return [tuple(sorted({number for cell in cells for number in self.thresholds[cell]})) for cells in packs]

    def _locations(self, graph: DataFlowGraph) -> tuple[Table, dict[int, int]]:
        """The slot of the value of each wanted pack at each location, and the packs of those that are no nodes."""
        at = graph.own.at.copy()
        packs: dict[int, int] = {}
        for (pack, location), commands in graph.inter.entries():
            own = graph.own.at.get((pack, location))
            if own is None or location not in graph.wanted[pack]:
                continue
            slot = at[pack, location] = self._slot(self._mixed, (own, commands))
            packs[slot] = pack
        for place, bound in graph.own.bounds.items():
            slot = at[place] = self._slot(self._bounded, (at[place], bound))
            packs[slot] = place[0]
        return at, packs

    def _slot(self, slots: dict[AnyKey, int], key: AnyKey) -> int:
        """The slot of a join or meet, a new one where there is none yet."""
        if key not in slots:
            slots[key] = len(self._slots)
            self._slots.append(None)
        return slots[key]

    def _equations(self, graph: DataFlowGraph, at: Table, packs: dict[int, int]) -> list[Equation]:
        reachable, nodes = graph.own.reachable, graph.own.nodes
        equations: list[Equation] = []
        for slot, node in enumerate(nodes):
            if isinstance(node, Merge):
                equations.append(Joined(node.pack, slot, node.inputs))
            elif isinstance(node, Both):
                equations.append(Bounded(node.pack, slot, node.inputs))
            elif isinstance(node, Initial):
                is_number = node.pack != reachable
                self._slots[slot] = self.space.unique(self.space.initial(node.pack)) if is_number else REACHED
        for (value, bound), slot in self._bounded.items():
            if slot in packs:
                packs[value] = packs[slot]
                equations.append(Bounded(packs[slot], slot, (value, bound)))
        arriving: dict[int, Joined] = {}
        for (own, commands), slot in self._mixed.items():
            if slot in packs:  # else it was for a smaller set of commands, in an earlier round
                pack = packs[slot]
                foreign = self._slot(self._foreign, (pack, commands))
                if foreign not in arriving:
                    definitions = sorted(graph.own.defined[command, pack] for command in commands)
                    arriving[foreign] = Joined(pack, foreign, tuple(definitions))
                equations.append(Joined(pack, slot, (own, foreign)))
        equations.extend(arriving.values())
        for index, command in enumerate(graph.program.commands):
            if not graph.defines[index] or (reachable, command.source) not in at:
                continue
            equations.append(
                Stepped(
                    index,
                    tuple((pack, at[pack, command.source]) for pack in graph.used[index]),
                    at[reachable, command.source],
                    tuple((pack, graph.own.defined[index, pack]) for pack in sorted(graph.defines[index])),
                    known_equal(self.space, graph.certain.get(command.source, ()), graph.used[index]),
                )
            )
        return equations

    def _dirty(
        self,
        outputs: Sequence[tuple[int, ...]],
        inputs: Sequence[tuple[int, ...]],
        successors: Sequence[Sequence[int]],
    ) -> set[int]:
        """The equations whose inputs differ from the last time, and all that depend on them."""
        before, current = self._previous, {slots[0]: found for slots, found in zip(outputs, inputs, strict=True)}
        work = [index for index, slots in enumerate(outputs) if before.get(slots[0]) != current[slots[0]]]
        self._previous = current
        dirty = set(work)
        while work:
            for found in successors[work.pop()]:
                if found not in dirty:
                    dirty.add(found)
                    work.append(found)
        return dirty


def _rank(equations: Sequence[Equation], successors: Sequence[Sequence[int]]) -> list[int]:
    """How late a cycle head each equation would be: joins before steps, in breadth-first order from the start values.

    Cycles are entered through joins, so that the head of a loop's cycle is where the loop is entered.
    """
    entered = {found for targets in successors for found in targets}
    order = [index for index in range(len(equations)) if index not in entered]
    seen = set(order)
    for index in order:
        for found in successors[index]:
            if found not in seen:
                seen.add(found)
                order.append(found)
    rank = [2 * len(equations)] * len(equations)
    for place, index in enumerate(order):
        rank[index] = place if isinstance(equations[index], Joined) else place + len(equations)
    return rank


@dataclass(frozen=True)
class Solution:
    """An annotation: what is known of the wanted packs at each location.

    `at[pack, location]` is a slot; the pseudo-pack REACHABLE is among the packs.
    """

    space: Space
    graph: DataFlowGraph
    at: Table
    slots: tuple[Value | None, ...]

    def value(self, pack: int, location: int) -> Value | None:
        """The value of a wanted pack at a location, None for bottom."""
        slot = self.at.rows[pack][location]
        return None if slot == NONE else self.slots[slot]

    def definition(self, command: int, pack: int) -> Value | None:
        """The value that a command gives a pack, None for bottom."""
        return self.slots[self.graph.own.defined[command, pack]]
