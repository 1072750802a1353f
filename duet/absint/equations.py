"""The equations of a data flow graph, and their values over a numeric domain while they are solved.

Equal values are one object, so that what operations made of them is known by identity: rounds of coarsening and of
refinement ask for the same joins and steps again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from duet.absint.conditions import assume, simplified
from duet.absint.state import Space, State, Value, weight
from duet.absint.transfer import post
from duet.deadline import Deadline
from duet.fixpoint.chaotic import Mode
from duet.flow.dfg import DataFlowGraph
from duet.plip.syntax import FALSE, TRUE, And, Atom, Formula, Guard, Instruction
from duet.records import dataclass

# What is known of the pseudo-pack REACHABLE where control can get to; None is bottom, as for every pack.
REACHED = True


@dataclass(frozen=True, slots=True)
class Joined:
    """`output`, a value of `pack`, is the join of `inputs`."""

    pack: int
    output: int
    inputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stepped:
    """The packs that `command` defines, as `(pack, slot)`, from those it uses and whether its source is reached."""

    command: int
    inputs: tuple[tuple[int, int], ...]
    is_reached: int
    outputs: tuple[tuple[int, int], ...]
    certain: Formula


@dataclass(frozen=True, slots=True)
class Bounded:
    """`output`, a value of `pack`, is the meet of `inputs`."""

    pack: int
    output: int
    inputs: tuple[int, int]


Equation: TypeAlias = Joined | Stepped | Bounded


def _is_refused(instruction: Instruction, certain: And) -> bool:
    """Whether an instruction only passes where what is certain does not hold, though numbers do not show it."""
    if not isinstance(instruction, Guard):
        return False
    known = tuple(part for part in certain.parts if isinstance(part, Atom))
    return simplified(instruction.condition, known) == FALSE


def inputs_of(equation: Equation) -> tuple[int, ...]:
    """The slots that the value of an equation depends on."""
    if not isinstance(equation, Stepped):
        return equation.inputs
    return (equation.is_reached, *(slot for _, slot in equation.inputs))


def outputs_of(equation: Equation) -> tuple[int, ...]:
    """The slots whose values an equation gives."""
    return tuple(slot for _, slot in equation.outputs) if isinstance(equation, Stepped) else (equation.output,)


class Values:
    """The equations as a `fixpoint.chaotic.System`."""

    def __init__(
        self,
        space: Space,
        graph: DataFlowGraph,
        equations: Sequence[Equation],
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
        self.weights = [*map(weight, space.packing.packs), 1]  # the last one is REACHABLE
        self.memory = space.memory
        self.kinds = space.program.kinds

    def update(self, equation: int, mode: Mode) -> bool:
        self.deadline.spend(1)
        found = self.equations[equation]
        if isinstance(found, Joined):
            return self._store(found.pack, found.output, self._joined(found.pack, found.inputs), mode)
        if isinstance(found, Bounded):
            return self._store(found.pack, found.output, self._met(*found.inputs), mode)
        results = self._stepped(found)
        changed = False
        for (pack, slot), value in zip(found.outputs, results, strict=True):
            changed |= self._store(pack, slot, value, mode)
        return changed

    def _joined(self, pack: int, inputs: tuple[int, ...]) -> Value | None:
        slots = self.slots
        if len(inputs) == 2:  # most have two
            left, right = slots[inputs[0]], slots[inputs[1]]
            if left is None or left is right:
                return right
            return left if right is None else self._join(pack, left, right)
        values = {id(value): value for slot in inputs if (value := slots[slot]) is not None}
        result: Value | None = None
        for value in values.values():
            result = value if result is None or value is REACHED else self._join(pack, result, value)
        return result

    def _join(self, pack: int, left: Value, right: Value) -> Value:
        joins, key = self.memory.joins, (id(left), id(right))
        joined = joins.get(key)
        if joined is None:
            self.deadline.spend(self.weights[pack])
            joined = joins[key] = self.space.unique(self.space.domain.join(left, right))
        return joined

    def _met(self, value: int, bound: int) -> Value | None:
        left, right = self.slots[value], self.slots[bound]
        if left is None or right is None or left is right or self.space.domain.leq(left, right):
            return None if right is None else left
        result = self.space.domain.meet(left, right)
        return None if self.space.domain.is_bottom(result) else self.space.unique(result)

    def _stepped(self, equation: Stepped) -> Sequence[Value | None]:
        if self.slots[equation.is_reached] is None:
            return (None,) * len(equation.outputs)
        if equation.certain is not TRUE:
            return self._computed(equation)
        steps, slots = self.memory.steps, self.slots
        key = (self.kinds[equation.command], *[(pack, id(slots[slot])) for pack, slot in equation.inputs])
        found = steps.get(key)
        if found is None:
            found = steps[key] = self._computed(equation)
        return found

    def _computed(self, equation: Stepped) -> Sequence[Value | None]:
        """What a command that is reached gives the packs that it defines."""
        nothing = (None,) * len(equation.outputs)
        state: State = {}
        for pack, slot in equation.inputs:
            value = self.slots[slot]
            if value is None:
                return nothing
            state[pack] = value
        self.deadline.spend(sum([self.weights[pack] for pack in state]))
        if equation.certain is not TRUE:
            certain = assume(self.space, state, equation.certain)
            if certain is None:
                return nothing
            state = certain
        instruction = self.graph.program.commands[equation.command].instruction
        if isinstance(equation.certain, And) and _is_refused(instruction, equation.certain):
            return nothing
        after = post(self.space, state, instruction)
        if after is None:
            return nothing
        reachable = self.graph.own.reachable
        unique = self.space.unique
        return tuple([REACHED if pack == reachable else unique(after[pack]) for pack, _ in equation.outputs])

    def _store(self, pack: int, slot: int, new: Value | None, mode: Mode) -> bool:
        old = self.slots[slot]
        if new is old or (new is None and mode is not Mode.SET and mode is not Mode.LOWER):
            return False
        if old is None or new is None or new is REACHED:
            # A value above bottom never comes out of a descending step.
            if mode is Mode.LOWER and old is None:
                return False
            self.slots[slot] = new
            return True
        result = new if mode is Mode.SET else self._combined(pack, old, new, mode)
        if result is old:
            return False
        self.slots[slot] = result
        return True

    def _combined(self, pack: int, old: Value, new: Value, mode: Mode) -> Value:
        thresholds = self.thresholds[pack] if mode is Mode.WIDEN else ()
        combined, key = self.memory.combined, (id(old), id(new), id(mode), thresholds)
        found = combined.get(key)
        if found is None:
            self.deadline.spend(self.weights[pack])
            found = combined[key] = self.space.unique(self._combination(old, new, mode, thresholds))
        return found

    def _combination(self, old: Value, new: Value, mode: Mode, thresholds: tuple[int, ...]) -> Value:
        domain = self.space.domain
        if domain.leq(new, old):
            return new if mode is Mode.LOWER else old
        if mode is Mode.LOWER:
            return old
        joined = domain.join(old, new)
        return joined if mode is Mode.JOIN else domain.widen(old, joined, thresholds)
