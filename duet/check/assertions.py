"""Verdicts on checks from an invariant annotation.

A check is `proved` only if every copy of it is; `unreachable` if every copy is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from duet.absint.invariants import Invariants
from duet.check.formula import certainly_implies
from duet.plip.syntax import Assert, Formula, Program
from duet.plip.terms import formula_cells, term_cells
from duet.result import Check, Status


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a check: the command that asserts it, and its verdict."""

    command: int
    status: Status


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a check and on each of its copies, in the order of commands."""

    status: Status
    copies: tuple[Copy, ...]

    @property
    def witness(self) -> Copy | None:
        """The copy to show: the first that is not safe, else the first that runs, else the first."""
        unsafe = [copy for copy in self.copies if not copy.status.is_safe]
        running = [copy for copy in self.copies if copy.status is not Status.UNREACHABLE]
        return next(iter(unsafe or running or self.copies), None)


def decide(program: Program, invariants: Invariants) -> Mapping[Check, Verdict]:
    """The verdict on every check of a program. *Requires*: the invariants hold in every execution."""
    copies: dict[Check, list[Copy]] = {}
    for index, command in enumerate(program.commands):
        if isinstance(command.instruction, Assert):
            status = _decide_copy(invariants, command.source, command.instruction)
            copies.setdefault(command.instruction.check, []).append(Copy(index, status))
    return {check: Verdict(combined(copy.status for copy in found), tuple(found)) for check, found in copies.items()}


def combined(statuses: Iterable[Status]) -> Status:
    """The status of a check whose copies have these."""
    found = set(statuses)
    for status in (Status.REFUTED, Status.UNPROVED, Status.UNKNOWN, Status.PROVED):
        if status in found:
            return status
    return Status.UNREACHABLE


def _decide_copy(invariants: Invariants, location: int, instruction: Assert) -> Status:
    if invariants.is_bottom(location):
        return Status.UNREACHABLE
    if invariants.entails(location, instruction.condition):
        return Status.PROVED
    return Status.PROVED if _is_implied(invariants, location, instruction.condition) else Status.UNPROVED


def _is_implied(invariants: Invariants, location: int, condition: Formula) -> bool:
    """Whether a condition follows, as z3 sees it; for the same values the answer is known from earlier annotations."""
    cells = formula_cells(condition)
    if len(cells) < 2:  # here the domains are exact
        return False
    space, known = invariants.space, invariants.space.memory.implied
    certain = tuple(
        one for one in invariants.graph.certain.get(location, ()) if not term_cells(one.term).isdisjoint(cells)
    )
    packs = space.packs_of(cells.union(*(term_cells(one.term) for one in certain)))
    state = invariants.state(location, packs)
    key = (condition, certain, *[(pack, space.number_of(state[pack])) for pack in packs if pack in state])
    if key not in known:
        known[key] = certainly_implies(space, state, condition, certain)
    return known[key]
