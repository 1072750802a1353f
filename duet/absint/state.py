"""Abstract thread states: a numeric value per pack, for the packs in use."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from domains.linear import holds
from domains.numeric import Bound, LinExpr
from domains.valued import ValuedDomain
from domains.values import arithmetic, number
from domains.values.number import ANY, Number
from duet.flow.packs import Packing
from duet.plip.syntax import Cell, Formula, Linear, Program

Value: TypeAlias = Any  # a value of the numeric domain in use; domains are generic in it
Interval: TypeAlias = tuple[Bound, Bound]
State: TypeAlias = dict[int, Value]


@dataclass(frozen=True, slots=True)
class Memory:
    """What operations made of values, by the identity of these: equal values are one object, kept in `known`.

    `made` is what operations of the domain gave; `joins` of two values; `combined` by the old and the new value and how
    they are combined; by the kind of a command and its packs with their values, `steps`, the values that it gives, and
    `passes`, whether it passes; `certain` is what is left of values where equalities hold, with these; `implied` says
    of conditions, with what is certain and the values of packs, whether they follow; `met` has, by condition, its packs
    and, by the values of these, what it changes in a state where it holds, None where it does not: with the values
    themselves, so that no other gets the identity of one.
    """

    known: dict[Value, Value] = field(default_factory=dict)
    made: dict[Hashable, Value] = field(default_factory=dict)
    joins: dict[tuple[int, int], Value] = field(default_factory=dict)
    combined: dict[Hashable, Value] = field(default_factory=dict)
    steps: dict[Hashable, Sequence[Value | None]] = field(default_factory=dict)
    passes: dict[Hashable, bool] = field(default_factory=dict)
    certain: dict[Hashable, tuple[object, dict[int, Value] | None]] = field(default_factory=dict)
    implied: dict[Hashable, bool] = field(default_factory=dict)
    met: dict[Formula, tuple[tuple[int, ...], dict[tuple[int, ...], tuple[object, State | None]]]] = field(
        default_factory=dict
    )

    def clear(self) -> None:
        """Gives the memory back, once nothing is solved any more."""
        values = self.known, self.made, self.joins, self.combined, self.steps
        for found in (*values, self.passes, self.certain, self.implied, self.met):
            found.clear()


@dataclass(frozen=True)
class Space:
    """A program's packs in a numeric domain: what state operations need to know.

    A state that misses a pack knows nothing of its cells. `numbers` tells values apart, as `number_of` gives them out.
    `memory` is of `duet.absint.equations`.
    """

    program: Program
    packing: Packing
    domain: ValuedDomain[Value]
    numbers: dict[Hashable, int] = field(default_factory=dict, compare=False, repr=False)
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)

    def number_of(self, value: Hashable) -> int:
        """A number of a value, or of anything else that something depends on: the same one for equal values."""
        return self.numbers.setdefault(value, len(self.numbers))

    def unique(self, value: Value) -> Value:
        """The one object for all values that are equal to this one."""
        return self.memory.known.setdefault(value, value)

    def made(self, operation: Callable[..., Value], value: Value, *arguments: Hashable) -> Value:
        """What an operation of the domain makes of a value, remembered: most is asked of the same values again."""
        key = (operation, id(self.unique(value)), arguments)
        found = self.memory.made.get(key)
        if found is None:
            found = self.memory.made[key] = self.unique(operation(value, *arguments))
        return found

    def initial(self, pack: int) -> Value:
        """The initial values of a pack's cells."""
        cells = self.packing.packs[pack]
        value = self.domain.top(len(cells))
        for position, cell in enumerate(cells):
            lo, hi = cell_range(self.program.cells[cell])
            if lo != -math.inf or hi != math.inf:
                value = self.domain.assign_interval(value, position, lo, hi)
        return value

    def bounds(self, state: State, cell: str) -> Interval:
        """Inclusive bounds of a cell."""
        return number.bounds(self.number(state, cell))

    def number(self, state: State, cell: str) -> Number:
        """What is known of a cell."""
        value = state.get(self.packing.pack_of[cell])
        return ANY if value is None else self.domain.number(value, self.packing.position[cell])

    def term_bounds(self, state: State, term: Linear) -> Interval:
        """Inclusive bounds of a term."""
        return number.bounds(self.term_number(state, term))

    def term_number(self, state: State, term: Linear) -> Number:
        """What is known of a term: as the domain knows it within each pack, added up between packs."""
        if len(term.terms) == 1:
            ((cell, k),) = term.terms
            return arithmetic.shift(arithmetic.scale(self.number(state, cell), k), term.constant)
        total = number.constant(term.constant)
        for pack in self.packs_of(cell for cell, _ in term.terms):
            value = state.get(pack)
            if value is None:
                return ANY
            total = arithmetic.add(total, self.domain.number_linear(value, self.indexed(term, pack, 0)))
        return total

    def packs_of(self, cells: Iterable[str]) -> tuple[int, ...]:
        """The packs of cells, in order."""
        return tuple(sorted({self.packing.pack_of[cell] for cell in cells}))

    def indexed(self, term: Linear, pack: int, constant: int) -> LinExpr:
        """The part of a term over the cells of a pack, as the domain writes it."""
        pack_of, position = self.packing.pack_of, self.packing.position
        return (
            tuple(sorted((position[cell], k) for cell, k in term.terms if pack_of[cell] == pack)),
            constant,
        )


def weight(cells: Sequence[str]) -> int:
    """Steps that an operation on what is known of so many cells takes: matrices have a row for each of them."""
    return len(cells) ** 2


class Points:
    """The points that a state allows: all that is known of the cells of its packs."""

    def __init__(self, space: Space, state: State) -> None:
        self._known = [
            (cells, space.domain.constraints(value), [space.domain.number(value, v) for v in range(len(cells))])
            for pack, value in state.items()
            for cells in (space.packing.packs[pack],)
        ]

    def contain(self, store: Mapping[str, int]) -> bool:
        """Whether the values of a store are such a point; other cells may have any value. *Approximates*: exact."""
        for cells, constraints, numbers in self._known:
            point = [store[cell] for cell in cells]
            if not (all(map(number.contains, numbers, point)) and all(holds(found, point) for found in constraints)):
                return False
        return True


def cell_range(cell: Cell) -> Interval:
    """The bounds of a cell's initial value."""
    return (-math.inf if cell.lo is None else cell.lo, math.inf if cell.hi is None else cell.hi)
