"""Which cells are protected by the same lock, as the interference analysis sees it.

A lock is a global cell that some atomic step tests and sets. A thread holds it where no other thread can change it, so
mutexes, the writer's side of a reader/writer lock and locks made by hand are all found alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duet.flow.effects import Effects
from duet.interference.stable import Stability
from duet.plip.syntax import Assign, Atomic, Guard, Havoc, Instruction, Program
from duet.plip.terms import formula_cells


class Locks:
    """The locks of a program and where they are held, as far as the flows of a fixpoint show it."""

    def __init__(self, program: Program, effects: Sequence[Effects], stability: Stability) -> None:
        self._program = program
        self._effects = effects
        self._stability = stability
        self.names = tuple(dict.fromkeys(c for found in program.commands for c in _locks(program, found.instruction)))
        self._inside = frozenset().union(*(template.atomic for template in program.templates.values()))

    def is_held(self, cell: str, location: int) -> bool:
        """Whether a thread keeps a global cell from being written by others because it is in a section of some kind."""
        if not self._stability.is_stable(cell, location):
            return False
        return location in self._inside or any(self._stability.is_stable(lock, location) for lock in self.names)

    def protected(self) -> Iterator[tuple[str, ...]]:
        """For each lock, the other globals that are only ever written while it is held (if these are two or more)."""
        program = self._program
        guards = {name: set(self.names) for name in program.globals if not program.cells[name].summary}
        written: set[str] = set()
        for command, effect in zip(program.commands, self._effects, strict=True):
            cells = effect.writes & guards.keys()
            if cells and self._stability.is_reached(command.source):
                written |= cells
                held = {lock for lock in self.names if self._stability.is_stable(lock, command.source)}
                for cell in cells:
                    guards[cell] &= held
        for lock in self.names:
            found = tuple(sorted(cell for cell in written if lock in guards[cell] and cell not in self.names))
            if len(found) > 1:
                yield found


def _locks(program: Program, instruction: Instruction) -> Iterator[str]:
    if isinstance(instruction, Atomic):
        tested = frozenset(
            cell for step in instruction.steps if isinstance(step, Guard) for cell in formula_cells(step.condition)
        )
        for step in instruction.steps:
            if isinstance(step, Assign | Havoc) and step.target in tested:
                cell = program.cells[step.target]
                if cell.template is None and not cell.summary:
                    yield step.target
