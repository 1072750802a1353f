"""Invariants of a data flow graph: the least solution of its equations over a numeric domain, approximated.

*Source*: thesis Def. 3.3.3 and 3.6.1. There is one equation per command (the packs it defines, from those it uses at
its source), per merge node of the own flows, and per set of flows from other threads that arrive together.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from duet.absint.conditions import assume, known_equal
from duet.absint.state import Space, State, Value
from duet.absint.transfer import post
from duet.deadline import Deadline
from duet.fixpoint.chaotic import Mode, Strategy, solve
from duet.fixpoint.order import components
from duet.flow.dfg import DataFlowGraph
from duet.flow.reaching import Initial, Merge
from duet.plip.syntax import TRUE, Formula

# What is known of the pseudo-pack REACHABLE where control can get to; None is bottom, as for every pack.
REACHED = True

# A node or a pack, with the commands of other threads whose writes may arrive.
Key: TypeAlias = tuple[int, frozenset[int]]
AnyKey = TypeVar("AnyKey", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Joined:
    """`output`, a value of `pack`, is the join of `inputs`."""

    pack: int
    output: int
    inputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Stepped:
    """The packs that `command` defines, as `(pack, slot)`, from those it uses and whether its source is reached."""

    command: int
    inputs: tuple[tuple[int, int], ...]
    is_reached: int
    outputs: tuple[tuple[int, int], ...]
    certain: Formula


@dataclass(frozen=True, slots=True)
class _Bounded:
    """`output`, a value of `pack`, is the meet of `inputs`."""

    pack: int
    output: int
    inputs: tuple[int, int]


_Equation: TypeAlias = _Joined | _Stepped | _Bounded


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
        at = self._locations(graph)
        equations = self._equations(graph, at)
        inputs = [_inputs(equation) for equation in equations]
        producer = {slot: index for index, found in enumerate(equations) for slot in _outputs(found)}
        successors: list[list[int]] = [[] for _ in equations]
        for index, slots in enumerate(inputs):
            for slot in slots:
                if slot in producer:
                    successors[producer[slot]].append(index)
        dirty = self._dirty(equations, inputs, successors)
        for index in dirty:
            for slot in _outputs(equations[index]):
                self._slots[slot] = None
        order = components(successors, _rank(equations, successors))
        system = _Values(self.space, graph, equations, self._slots, self._thresholds(), self.deadline)
        self.evaluations += solve(system, order, successors, dirty, self.strategy)
        return Solution(self.space, graph, at, tuple(self._slots))

    def _thresholds(self) -> list[tuple[int, ...]]:
        """The thresholds of each pack: those of its cells."""
        packs = self.space.packing.packs
        return [tuple(sorted({number for cell in cells for number in self.thresholds[cell]})) for cells in packs]

    def _locations(self, graph: DataFlowGraph) -> dict[tuple[int, int], int]:
        """The slot of the value of each wanted pack at each location."""
        at: dict[tuple[int, int], int] = dict(graph.own.at)
        for (pack, location), commands in graph.inter.items():
            own = graph.own.at.get((pack, location))
            if own is None or location not in graph.wanted[pack]:
                continue
            at[pack, location] = self._slot(self._mixed, (own, commands))
        for place, bound in graph.own.bounds.items():
            at[place] = self._slot(self._bounded, (at[place], bound))
        return at

    def _slot(self, slots: dict[AnyKey, int], key: AnyKey) -> int:
        """The slot of a join or meet, a new one where there is none yet."""
        if key not in slots:
            slots[key] = len(self._slots)
            self._slots.append(None)
        return slots[key]

    def _equations(self, graph: DataFlowGraph, at: Mapping[tuple[int, int], int]) -> list[_Equation]:
        reachable, nodes = graph.own.reachable, graph.own.nodes
        equations: list[_Equation] = []
        for slot, node in enumerate(nodes):
            if isinstance(node, Merge):
                equations.append(_Joined(node.pack, slot, node.inputs))
            elif isinstance(node, Initial):
                self._slots[slot] = REACHED if node.pack == reachable else self.space.initial(node.pack)
        packs = {slot: pack for (pack, _), slot in at.items() if slot >= len(nodes)}
        for (value, bound), slot in self._bounded.items():
            if slot in packs:
                packs[value] = packs[slot]
                equations.append(_Bounded(packs[slot], slot, (value, bound)))
        arriving: dict[int, _Joined] = {}
        for (own, commands), slot in self._mixed.items():
            if slot in packs:  # else it was for a smaller set of commands, in an earlier round
                pack = packs[slot]
                foreign = self._slot(self._foreign, (pack, commands))
                if foreign not in arriving:
                    definitions = sorted(graph.own.defined[command, pack] for command in commands)
                    arriving[foreign] = _Joined(pack, foreign, tuple(definitions))
                equations.append(_Joined(pack, slot, (own, foreign)))
        equations.extend(arriving.values())
        for index, command in enumerate(graph.program.commands):
            if not graph.defines[index] or (reachable, command.source) not in at:
                continue
            equations.append(
                _Stepped(
                    index,
                    tuple((pack, at[pack, command.source]) for pack in graph.used[index]),
                    at[reachable, command.source],
                    tuple((pack, graph.own.defined[index, pack]) for pack in sorted(graph.defines[index])),
                    known_equal(self.space, graph.certain.get(command.source, ()), graph.used[index]),
                )
            )
        return equations

    def _dirty(
        self, equations: Sequence[_Equation], inputs: Sequence[tuple[int, ...]], successors: Sequence[Sequence[int]]
    ) -> set[int]:
        """The equations whose inputs differ from the last time, and all that depend on them."""
        current = {_outputs(equation)[0]: found for equation, found in zip(equations, inputs, strict=True)}
        work = [
            index
            for index, equation in enumerate(equations)
            if self._previous.get(slot := _outputs(equation)[0]) != current[slot] or slot not in self._previous
        ]
        self._previous = current
        dirty = set(work)
        while work:
            for found in successors[work.pop()]:
                if found not in dirty:
                    dirty.add(found)
                    work.append(found)
        return dirty


def _rank(equations: Sequence[_Equation], successors: Sequence[Sequence[int]]) -> list[int]:
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
        rank[index] = place if isinstance(equations[index], _Joined) else place + len(equations)
    return rank


def _inputs(equation: _Equation) -> tuple[int, ...]:
    if not isinstance(equation, _Stepped):
        return equation.inputs
    return (equation.is_reached, *(slot for _, slot in equation.inputs))


def _outputs(equation: _Equation) -> tuple[int, ...]:
    return tuple(slot for _, slot in equation.outputs) if isinstance(equation, _Stepped) else (equation.output,)


class _Values:
    """The equations as a `fixpoint.chaotic.System`."""

    def __init__(
        self,
        space: Space,
        graph: DataFlowGraph,
        equations: Sequence[_Equation],
        slots: list[Value | None],
        thresholds: Sequence[tuple[int, ...]],
        deadline: Deadline,
    ) -> None:
        self.space = space
        self.graph = graph
        self.equations = equations
        self.slots = slots
        self.thresholds = thresholds
        self.deadline = deadline
        # Many threads give a pack the same few values: one object for all equal values, and what two of them join to.
        self._known: dict[Value, Value] = {}
        self._joins: dict[tuple[int, int], Value] = {}
        for slot, value in enumerate(slots):
            slots[slot] = self._unique(value)

    def update(self, equation: int, mode: Mode) -> bool:
        self.deadline.check()
        found = self.equations[equation]
        if isinstance(found, _Joined):
            return self._store(found.pack, found.output, self._joined(found.inputs), mode)
        if isinstance(found, _Bounded):
            return self._store(found.pack, found.output, self._met(*found.inputs), mode)
        results = self._stepped(found)
        changed = False
        for (pack, slot), value in zip(found.outputs, results, strict=True):
            changed |= self._store(pack, slot, value, mode)
        return changed

    def _joined(self, inputs: tuple[int, ...]) -> Value | None:
        slots = self.slots
        values = {id(value): value for slot in inputs if (value := slots[slot]) is not None}
        result: Value | None = None
        for value in values.values():
            result = value if result is None or value is REACHED else self._join(result, value)
        return result

    def _join(self, left: Value, right: Value) -> Value:
        key = (id(left), id(right))
        joined = self._joins.get(key)
        if joined is None:
            joined = self._joins[key] = self._unique(self.space.domain.join(left, right))
        return joined

    def _unique(self, value: Value | None) -> Value | None:
        """The one object, kept for good, for all values that are equal to this one."""
        return self._known.setdefault(value, value)

    def _met(self, value: int, bound: int) -> Value | None:
        left, right = self.slots[value], self.slots[bound]
        if left is None or right is None or self.space.domain.leq(left, right):
            return None if right is None else left
        result = self.space.domain.meet(left, right)
        return None if self.space.domain.is_bottom(result) else result

    def _stepped(self, equation: _Stepped) -> list[Value | None]:
        nothing: list[Value | None] = [None] * len(equation.outputs)
        if self.slots[equation.is_reached] is None:
            return nothing
        state: State = {}
        for pack, slot in equation.inputs:
            value = self.slots[slot]
            if value is None:
                return nothing
            state[pack] = value
        if equation.certain is not TRUE:
            certain = assume(self.space, state, equation.certain)
            if certain is None:
                return nothing
            state = certain
        after = post(self.space, state, self.graph.program.commands[equation.command].instruction)
        if after is None:
            return nothing
        reachable = self.graph.own.reachable
        return [REACHED if pack == reachable else after[pack] for pack, _ in equation.outputs]

    def _store(self, pack: int, slot: int, new: Value | None, mode: Mode) -> bool:
        old = self.slots[slot]
        if new is old or (new is None and mode is not Mode.SET and mode is not Mode.LOWER):
            return False
        if old is None or new is None or new is REACHED:
            # A value above bottom never comes out of a descending step.
            if mode is Mode.LOWER and old is None:
                return False
            self.slots[slot] = self._unique(new)
            return True
        result = self._unique(self._combine(pack, old, new, mode))
        if result is old:
            return False
        self.slots[slot] = result
        return True

    def _combine(self, pack: int, old: Value, new: Value, mode: Mode) -> Value:
        domain = self.space.domain
        match mode:
            case Mode.SET:
                return new
            case Mode.LOWER:
                return new if domain.leq(new, old) else old
            case Mode.JOIN:
                return old if domain.leq(new, old) else domain.join(old, new)
            case Mode.WIDEN | Mode.WIDEN_FULL:
                if domain.leq(new, old):
                    return old
                thresholds = self.thresholds[pack] if mode is Mode.WIDEN else ()
                return domain.widen(old, domain.join(old, new), thresholds)


@dataclass(frozen=True)
class Solution:
    """An annotation: what is known of the wanted packs at each location.

    `at[pack, location]` is a slot; the pseudo-pack REACHABLE is among the packs.
    """

    space: Space
    graph: DataFlowGraph
    at: Mapping[tuple[int, int], int]
    slots: tuple[Value | None, ...]

    def value(self, pack: int, location: int) -> Value | None:
        """The value of a wanted pack at a location, None for bottom."""
        slot = self.at.get((pack, location))
        return None if slot is None else self.slots[slot]

    def definition(self, command: int, pack: int) -> Value | None:
        """The value that a command gives a pack, None for bottom."""
        return self.slots[self.graph.own.defined[command, pack]]
