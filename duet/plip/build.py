"""A builder that puts PLIP programs together command by command.

>>> builder = ProgramBuilder()
>>> builder.cell(Cell("g", lo=0, hi=0))
>>> main = builder.template("main")
>>> main.command(main.then(main.entry, SKIP), SKIP, main.exit)
>>> [(command.source, command.target) for command in builder.program().commands]
[(0, 2), (2, 1)]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from duet.errors import InternalError
from duet.plip.syntax import Cell, Command, Instruction, Program, Template
from duet.source import Span


@dataclass(slots=True)
class TemplateBuilder:
    """One template under construction; `_commands` are those of the whole program, in order."""

    name: str
    entry: int
    exit: int
    parameters: tuple[str, ...]
    function: str
    _commands: list[Command]
    _fresh: count[int]
    _owned: list[int] = field(default_factory=list)
    _atomic: set[int] = field(default_factory=set)

    def location(self, atomic: bool = False) -> int:
        """A new location."""
        location = next(self._fresh)
        if atomic:
            self._atomic.add(location)
        return location

    def mark_atomic(self, location: int) -> None:
        """Puts a location into the atomic region."""
        self._atomic.add(location)

    def command(
        self, source: int, instruction: Instruction, target: int, span: Span | None = None, approximates: str = ""
    ) -> None:
        """Adds `(source, instruction, target)`."""
        self._owned.append(len(self._commands))
        self._commands.append(Command(source, instruction, target, span, approximates=approximates))

    def then(self, source: int, instruction: Instruction, span: Span | None = None) -> int:
        """Adds a command to a new location, which is returned."""
        target = self.location()
        self.command(source, instruction, target, span)
        return target

    @property
    def commands(self) -> tuple[Command, ...]:
        """The template's own commands so far."""
        return tuple(self._commands[index] for index in self._owned)

    def build(self) -> Template:
        """The finished template."""
        commands, atomic = tuple(self._owned), frozenset(self._atomic)
        return Template(self.name, self.entry, self.exit, commands, self.parameters, atomic, self.function)


class ProgramBuilder:
    """A program under construction; new locations count from `first_location`."""

    def __init__(self, main: str = "main", first_location: int = 0) -> None:
        self.main = main
        self._fresh = count(first_location)
        self._cells: dict[str, Cell] = {}
        self._templates: dict[str, TemplateBuilder] = {}
        self._commands: list[Command] = []

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells declared so far, in order."""
        return tuple(self._cells.values())

    def has_cell(self, name: str) -> bool:
        return name in self._cells

    def has_template(self, name: str) -> bool:
        return name in self._templates

    def cell(self, cell: Cell) -> None:
        """Declares a cell. *Raises*: InternalError for a second one of that name."""
        if cell.name in self._cells:
            raise InternalError(f"cell {cell.name} is declared twice")
        self._cells[cell.name] = cell

    def template(
        self,
        name: str,
        entry: int | None = None,
        exit: int | None = None,
        parameters: tuple[str, ...] = (),
        function: str = "",
    ) -> TemplateBuilder:
        """Starts a template. *Raises*: InternalError for a second one of that name."""
        if name in self._templates:
            raise InternalError(f"template {name} is declared twice")
        entry = next(self._fresh) if entry is None else entry
        exit_location = next(self._fresh) if exit is None else exit
        builder = TemplateBuilder(name, entry, exit_location, parameters, function, self._commands, self._fresh)
        self._templates[name] = builder
        return builder

    def program(self) -> Program:
        """The finished program. It is not checked: see `wellformed`."""
        templates = {name: template.build() for name, template in self._templates.items()}
        return Program(dict(self._cells), templates, tuple(self._commands), self.main)
