"""A program with steps put in between: in front of whatever leaves a location, in front of a command, behind one.

The new steps are over cells of their own, which no other command touches, so that the program does what it did.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from duet.plip.syntax import Cell, Command, Instruction, Program


class Splice:
    """Puts steps into a program, which stays as it is; `program` is the new one. New locations are new numbers."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._commands = list(program.commands)
        self._more: dict[str, list[int]] = {name: [] for name in program.templates}
        self._atomic = {name: set(template.atomic) for name, template in program.templates.items()}
        self._cells: dict[str, Cell] = {}
        self._next = max(program.template_of) + 1

    def fresh(self, like: int | None = None) -> int:
        """A new location; one that is atomic if another one is."""
        self._next += 1
        here = self._next - 1
        for inside in self._atomic.values():
            if like in inside:
                inside.add(here)
        return here

    def cell(self, name: str, template: str | None = None) -> str:
        """A new cell, 0 at first: a global one, or of each thread of a template."""
        self._cells[name] = Cell(name, template, lo=0, hi=0, label=name)
        return name

    def edge(self, like: Command, source: int, instruction: Instruction, target: int, mark: str = "") -> None:
        """A new command, at the place in the source of another one of the same template."""
        self._more[self._program.template_of[like.source]].append(len(self._commands))
        self._commands.append(Command(source, instruction, target, like.span, (), mark))

    def leave_from(self, location: int) -> int:
        """The new location that now is left instead of one that steps are to be put behind."""
        here = self.fresh(location)
        for index, command in enumerate(self._commands[: len(self._program.commands)]):
            if command.source == location:
                self._commands[index] = replace(command, source=here)
        return here

    def ahead(self, index: int, steps: Iterable[Instruction]) -> None:
        """Takes steps in front of one command."""
        for step in steps:
            command, here = self._commands[index], self.fresh()
            self.edge(self._program.commands[index], command.source, step, here)
            self._commands[index] = replace(command, source=here)

    def behind(self, index: int, step: Instruction) -> None:
        """Takes a step behind one command."""
        command, here = self._commands[index], self.fresh()
        self.edge(self._program.commands[index], here, step, command.target)
        self._commands[index] = replace(command, target=here)

    @property
    def program(self) -> Program:
        templates = {
            name: replace(
                template, commands=(*template.commands, *self._more[name]), atomic=frozenset(self._atomic[name])
            )
            for name, template in self._program.templates.items()
        }
        cells = {**self._program.cells, **self._cells}
        return replace(self._program, cells=cells, templates=templates, commands=tuple(self._commands))
