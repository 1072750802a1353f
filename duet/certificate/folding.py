"""Whether a program can do whatever another one can, thread by thread and step by step: a simulation.

A certificate gives the folded program as text, and says which of its templates, locations and cells those of the
program are, and which values threads of a template have in cells besides. Here is decided that each execution of the
program is one of the folded program under this reading; how it was found does not matter, and nothing is shared with
`plip.folded`. A check of the program then never fails if what it becomes never does.

- Main starts as main, each cell with a value that it may start with. Globals stay what they are, or become part of one
  that stands for several: who reads that may get the value of each, and a write leaves those of the others there.
- Each command has one between the locations that its own are read as, with the same instruction, once cells have their
  other names and those besides their values, which nothing but a spawn sets.
- A thread keeps others from moving only where it does so in the program.
- Where the program waits for a thread, the folded program may go on at once; it waits only for a template of which one
  thread runs in both, and that no other template is read as.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from duet.certificate.document import Fold
from duet.certificate.reduced import Refusal
from duet.errors import SourceError
from duet.plip.parser import parse_program
from duet.plip.semantics import runs_once
from duet.plip.syntax import (
    SKIP,
    Assert,
    Assign,
    Atomic,
    Cell,
    Command,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Program,
    Spawn,
    Template,
)
from duet.plip.terms import atom, constant, map_atoms, substitute, variable
from duet.plip.touched import writes
from duet.plip.wellformed import violations


@dataclass(frozen=True)
class Unfolded:
    """The folded program; for each command of the program one that does the same, and for each location its own."""

    program: Program
    commands: tuple[int, ...]
    places: Mapping[int, int]


def unfolded(program: Program, fold: Fold) -> Unfolded:
    """The folded program of a certificate. *Raises*: Refusal where the program might do what that cannot."""
    try:
        other = parse_program(fold.program, "<certificate>")
    except (SourceError, RecursionError) as error:
        raise Refusal("the folded program", f"is none: {error}") from error
    if wrong := violations(other):
        raise Refusal("the folded program", str(wrong[0]))
    return _Simulation(program, other, fold).run()


class _Simulation:
    """A program, another one, and how the first is read as the second."""

    def __init__(self, program: Program, other: Program, fold: Fold) -> None:
        self._program, self._other, self._fold = program, other, fold
        self._owns: dict[str, set[str]] = {name: set() for name in other.templates}
        for cell in other.cells.values():
            if cell.template is not None:
                self._owns[cell.template].add(cell.name)
        self._names = {name: self._cell(name) for name in program.cells}
        self._terms = {name: variable(other) for name, other in self._names.items()}

    def run(self) -> Unfolded:
        """As `unfolded` has it."""
        if self._template(self._program.main) != self._other.main or self._values(self._program.main):
            raise Refusal(self._program.main, "does not start as main does")
        if {self._cell(name) for name in self._program.globals} != set(self._other.globals):
            raise Refusal("the folded program", "has other globals")
        for name in self._program.globals:
            cell, other = self._program.cells[name], self._other.cells[self._cell(name)]
            if other.name != name and not other.summary:
                raise Refusal(f"cell {name}", "is another global")
            if not _may_start_as(replace(cell, summary=other.summary) if other.name != name else cell, other):
                raise Refusal(f"cell {name}", "may start with another value")
        for template in self._program.templates.values():
            self._check_template(template)
        given = frozenset(cell for name in self._program.templates for cell in self._values(name))
        for command in self._other.commands:
            if not isinstance(command.instruction, Spawn) and (written := writes(command.instruction) & given):
                raise Refusal(f"cell {min(written)}", "is written by a thread")
        places = {place: self._place(place) for place in self._program.template_of}
        return Unfolded(self._other, tuple(map(self._image, range(len(self._program.commands)))), places)

    def _template(self, name: str) -> str:
        return self._fold.templates.get(name, name)

    def _place(self, place: int) -> int:
        return self._fold.places.get(place, place)

    def _cell(self, name: str) -> str:
        return self._fold.cells.get(name, name)

    def _values(self, template: str) -> Mapping[str, int]:
        return self._fold.values.get(template, {})

    def _check_template(self, template: Template) -> None:
        """Locations and cells of a template are those of what it is read as, one by one."""
        program, other = self._program, self._other
        whole = other.templates.get(self._template(template.name))
        if whole is None or whole.interrupts != template.interrupts:
            raise Refusal(template.name, "is no template of the folded program")
        if (self._place(template.entry), self._place(template.exit)) != (whole.entry, whole.exit):
            raise Refusal(template.name, "starts or ends somewhere else")
        for place in (place for place, owner in program.template_of.items() if owner == template.name):
            if other.template_of.get(self._place(place)) != whole.name:
                raise Refusal(f"location {place}", "is no location of the folded template")
            if self._place(place) in whole.atomic and place not in template.atomic:
                raise Refusal(f"location {place}", "lets other threads move")
        own = [cell for cell in program.cells.values() if cell.template == template.name]
        names = [*(self._cell(cell.name) for cell in own), *self._values(template.name)]
        if len(set(names)) != len(names) or set(names) != self._owns[whole.name]:
            raise Refusal(template.name, "has other cells")
        for cell in own:
            if not _may_start_as(cell, other.cells[self._cell(cell.name)]):
                raise Refusal(f"cell {cell.name}", "may start with another value")

    def _image(self, index: int) -> int:
        """A command of the folded program that does what one of the program does."""
        command = self._program.commands[index]
        template = self._program.template_of[command.source]
        for found in self._other.outgoing.get(self._place(command.source), ()):
            image = self._other.commands[found]
            if image.target == self._place(command.target) and self._is_same(command, image, template):
                return found
        raise Refusal(f"command {index}", "has nothing in the folded program that does the same")

    def _is_same(self, command: Command, image: Command, template: str) -> bool:
        values = {cell: constant(value) for cell, value in self._values(template).items()}
        mine, other = command.instruction, image.instruction
        match mine, other:
            case Join(awaited), _:
                return other == SKIP or (other == Join(self._template(awaited)) and self._may_await(awaited))
            case Spawn(started, arguments), Spawn(begun, given):
                wanted = {self._cell(cell): substitute(value, self._terms) for cell, value in arguments}
                wanted |= {cell: constant(value) for cell, value in self._values(started).items()}
                is_same = wanted == {cell: substitute(value, values) for cell, value in given}
                return begun == self._template(started) and is_same
            case (Spawn(), _) | (_, Spawn() | Join()):
                return False
            case _:
                return _with(mine, self._terms, self._names) == _with(other, values, {})

    def _may_await(self, template: str) -> bool:
        """Whether the folded program may wait for what a template is read as where the program waits for it."""
        whole = self._template(template)
        if not runs_once(self._other, whole):
            return True  # nobody waits there
        is_only = sum(self._template(name) == whole for name in self._program.templates) == 1
        return is_only and runs_once(self._program, template)


def _may_start_as(cell: Cell, other: Cell) -> bool:
    """Whether a cell may start with every value that another one may start with, and is read and written as it is."""
    is_low = other.lo is None or (cell.lo is not None and cell.lo >= other.lo)
    is_high = other.hi is None or (cell.hi is not None and cell.hi <= other.hi)
    return is_low and is_high and cell.summary == other.summary and (cell.template is None) == (other.template is None)


def _with(instruction: Instruction, values: Mapping[str, Linear], targets: Mapping[str, str]) -> Instruction:
    """An instruction with terms for some of the cells that it reads, and names for those that it writes."""
    match instruction:
        case Assign(target, value):
            return Assign(targets.get(target, target), substitute(value, values))
        case Havoc(target, lo, hi):
            return Havoc(targets.get(target, target), lo, hi)
        case Compute(target, operation, arguments):
            return Compute(targets.get(target, target), operation, tuple(substitute(a, values) for a in arguments))
        case Lookup(target, table, index):
            return Lookup(targets.get(target, target), table, substitute(index, values))
        case Guard(condition):
            return Guard(map_atoms(condition, lambda a: atom(substitute(a.term, values), a.relation)))
        case Assert(condition, check, stops):
            return Assert(map_atoms(condition, lambda a: atom(substitute(a.term, values), a.relation)), check, stops)
        case Atomic(steps):
            return Atomic(tuple(_with(step, values, targets) for step in steps))  # type: ignore[misc]  # stay steps
        case Spawn() | Join():
            raise AssertionError("these are about threads")
        case _:
            assert_never(instruction)
