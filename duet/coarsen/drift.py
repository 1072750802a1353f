"""Which way other threads change a global while a thread is at a location: only up, only down, or any way.

A relation that only gets truer as a global grows outlasts the writes of threads that only raise it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from domains.values.interval import Interval
from duet.interference.stable import Stability
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Operation,
    Program,
    Relation,
    steps,
)
from duet.plip.terms import add, constant, scale, substitute, term_cells, variable

Bounds = Callable[[int, Linear], Interval]
"""Inclusive bounds of a term where a command is about to pass."""


def met(left: Interval, right: Interval) -> Interval:
    """The bounds that both give."""
    return max(left[0], right[0]), min(left[1], right[1])


def _at_most_zero(formula: Formula) -> Iterator[Linear]:
    """Terms that are at most 0 where a formula holds."""
    match formula:
        case Atom(term, Relation.LE):
            yield term
        case Atom(term, Relation.EQ):
            yield from (term, scale(term, -1))
        case And(parts):
            yield from chain.from_iterable(map(_at_most_zero, parts))
        case _:
            pass


@dataclass
class Drift:
    """How commands change globals, by the bounds of terms that are known where they pass.

    *Requires*: the bounds hold in every execution.
    """

    program: Program
    stability: Stability
    bounds: Bounds
    _changes: dict[tuple[int, str], int] = field(default_factory=dict)

    def of(self, cell: str, location: int) -> int:
        """1 where other threads only raise a global while a thread is at a location, -1 where they only lower it, or 0.

        *Approximates*: 0 may be imprecision.
        """
        changes = {self.change(command, cell) for command in self.stability.disturbing(cell, location)}
        return changes.pop() if len(changes) == 1 else 0

    def change(self, command: int, cell: str) -> int:
        """1 if a command never lowers a cell, -1 if it never raises it, 0 if it may do both."""
        key = command, cell
        if key not in self._changes:
            self._changes[key] = self._change(command, cell)
        return self._changes[key]

    def informed(self, bounds: Bounds) -> Drift | None:
        """The same with more bounds that hold; None where they tell no more of the changes that were asked for."""

        def both(command: int, term: Linear) -> Interval:
            return met(self.bounds(command, term), bounds(command, term))

        found = Drift(self.program, self.stability, both)
        return found if any(found.change(*key) for key, change in self._changes.items() if not change) else None

    def _change(self, command: int, cell: str) -> int:
        value, passed = self._left(command, cell)
        if value is None:
            return 0
        raised = add(value, variable(cell), -1)
        for known in (constant(0), *passed):  # none of which is above 0
            if self.bounds(command, add(raised, known))[0] >= 0:
                return 1
            if self.bounds(command, add(raised, known, -1))[1] <= 0:
                return -1
        return 0

    def _left(self, command: int, cell: str) -> tuple[Linear | None, list[Linear]]:
        """What a command leaves in a cell, over the cells before it, and terms that are at most 0 where it passes.

        None where that is no term.
        """
        values: dict[str, Linear | None] = {}
        passed: list[Linear] = []
        for step in steps(self.program.commands[command].instruction):
            if isinstance(step, Guard):
                passed += filter(None, (self._before(term, values) for term in _at_most_zero(step.condition)))
            self._take(step, command, values)
        return values.get(cell, variable(cell)), passed

    def _take(self, step: Instruction, command: int, values: dict[str, Linear | None]) -> None:
        match step:
            case Assign(target, value):
                values[target] = self._before(value, values)
            case Compute(target, Operation.WRAP, (value, lo, hi)) if not lo.terms and not hi.terms:
                found = self._before(value, values)
                values[target] = found if found and self._is_within(command, found, lo, hi) else None
            case Compute(target) | Havoc(target) | Lookup(target):
                values[target] = None
            case _:
                pass

    def _before(self, term: Linear, values: Mapping[str, Linear | None]) -> Linear | None:
        """A term over the cells before a command, given what its steps so far have left."""
        known: dict[str, Linear] = {}
        for cell in term_cells(term):
            value = values.get(cell, variable(cell))
            if value is None or self.program.cells[cell].summary:
                return None
            known[cell] = value
        return substitute(term, known)

    def _is_within(self, command: int, term: Linear, lo: Linear, hi: Linear) -> bool:
        least, most = self.bounds(command, term)
        return lo.constant <= least and most <= hi.constant
