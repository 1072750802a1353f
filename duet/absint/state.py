"""Abstract thread states: a numeric value per pack, for the packs in use."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from domains.numeric import Bound, LinExpr, NumericDomain
from duet.flow.packs import Packing
from duet.plip.syntax import Cell, Linear, Program

Value: TypeAlias = Any  # a value of the numeric domain in use; domains are generic in it
Interval: TypeAlias = tuple[Bound, Bound]
State: TypeAlias = dict[int, Value]


@dataclass(frozen=True)
class Space:
    """A program's packs in a numeric domain: what state operations need to know.

    A state that misses a pack knows nothing of its cells.
    """

    program: Program
    packing: Packing
    domain: NumericDomain[Value]

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
        value = state.get(self.packing.pack_of[cell])
        if value is None:
            return -math.inf, math.inf
        return self.domain.bound(value, self.packing.position[cell])

    def term_bounds(self, state: State, term: Linear) -> Interval:
        """Inclusive bounds of a term: exact within each pack, added up between packs."""
        if len(term.terms) == 1:
            (cell, k), constant = term.terms[0], term.constant
            lo, hi = self.bounds(state, cell)
            if k < 0:
                lo, hi = hi, lo
            return _scaled(lo, k, constant), _scaled(hi, k, constant)
        lo, hi = term.constant, term.constant
        for pack in self.packs_of(cell for cell, _ in term.terms):
            part = self.indexed(term, pack, 0)
            value = state.get(pack)
            if value is None:
                return -math.inf, math.inf
            low, high = self.domain.bound_linear(value, part)
            lo, hi = plus(lo, low), plus(hi, high)
        return lo, hi

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


def cell_range(cell: Cell) -> Interval:
    """The bounds of a cell's initial value."""
    return (-math.inf if cell.lo is None else cell.lo, math.inf if cell.hi is None else cell.hi)


def plus(left: Bound, right: Bound) -> Bound:
    """The sum of two bounds; infinities absorb, and finite bounds never become floats."""
    if isinstance(left, float):
        return left
    if isinstance(right, float):
        return right
    return left + right


def _scaled(bound: Bound, factor: int, constant: int) -> Bound:
    if isinstance(bound, float):
        return bound if factor > 0 else -bound
    return bound * factor + constant
