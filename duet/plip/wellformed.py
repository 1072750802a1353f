"""Whether a PLIP program meets what `syntax` and section 1 of the design require of every producer.

That the entry of an atomic region is no loop head cannot be seen in the graph (a loop around the region looks the
same): producers must see to it, as `structured` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from duet.errors import InternalError
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Operation,
    Or,
    Program,
    Spawn,
    Template,
)
from duet.plip.tokens import quote_name
from duet.source import Span

_STEPS = (Assign, Havoc, Compute, Lookup, Guard)


@dataclass(frozen=True, slots=True)
class Violation:
    """One requirement that a program does not meet."""

    message: str
    span: Span | None = None

    def __str__(self) -> str:
        return f"{self.span}: {self.message}" if self.span else self.message


def violations(program: Program) -> tuple[Violation, ...]:
    """All requirements that the program does not meet; none for a well-formed one."""
    return (*_declarations(program), *_graph(program), *_commands(program))


def check_wellformed(program: Program) -> None:
    """Nothing. *Raises*: InternalError that lists the violations (at most ten), if there are any."""
    found = violations(program)
    if found:
        raise InternalError("the PLIP program is not well-formed: " + "; ".join(map(str, found[:10])))


def _declarations(program: Program) -> Iterator[Violation]:
    if program.main not in program.templates:
        yield Violation(f"there is no template {program.main} to start with")
    for name, cell in program.cells.items():
        if name != cell.name:
            yield Violation(f"cell {cell.name} is listed as {name}", cell.span)
        if cell.template is not None and cell.template not in program.templates:
            yield Violation(f"cell {name} is local to {cell.template}, which does not exist", cell.span)
        if "<" in name or ">" in name:
            yield Violation(f"cell {name}: angle brackets are kept for pseudo-cells", cell.span)
        if cell.lo is not None and cell.hi is not None and cell.lo > cell.hi:
            yield Violation(f"cell {name} has no initial value", cell.span)
    for name, template in program.templates.items():
        if name != template.name:
            yield Violation(f"template {template.name} is listed as {name}")
        for parameter in template.parameters:
            if parameter not in program.cells or program.cells[parameter].template != name:
                yield Violation(f"parameter {parameter} of {name} is not a cell local to it")
        if len(set(template.parameters)) != len(template.parameters):
            yield Violation(f"{name} has a parameter twice")


def _locations(program: Program, template: Template) -> Iterator[int]:
    yield template.entry
    yield template.exit
    for index in template.commands:
        if 0 <= index < len(program.commands):
            command = program.commands[index]
            yield command.source
            yield command.target


def _graph(program: Program) -> Iterator[Violation]:
    """Commands and locations each belong to one template; atomic regions leave out entry and exit."""
    owner: dict[int, str] = {}
    listed: dict[int, str] = {}
    for name, template in program.templates.items():
        for index in template.commands:
            if not 0 <= index < len(program.commands):
                yield Violation(f"{name} lists command {index}, which does not exist")
            elif index in listed:
                yield Violation(
                    f"command {index} is listed by {listed[index]} and {name}", program.commands[index].span
                )
            listed[index] = name
        for location in _locations(program, template):
            if owner.setdefault(location, name) != name:
                yield Violation(f"location {location} is in {owner[location]} and in {name}")
                owner[location] = name
        if template.entry in template.atomic or template.exit in template.atomic:
            yield Violation(f"the entry or exit of {name} is in an atomic region")
        for location in sorted(template.atomic - set(_locations(program, template))):
            yield Violation(f"location {location} of an atomic region is not in {name}")
    for index, command in enumerate(program.commands):
        if index not in listed:
            yield Violation(f"command {index} is in no template", command.span)


def _commands(program: Program) -> Iterator[Violation]:
    for template in program.templates.values():
        for index in template.commands:
            if 0 <= index < len(program.commands):
                command = program.commands[index]
                yield from _Checker(program, template.name, command).instruction(command.instruction)


@dataclass(frozen=True, slots=True)
class _Checker:
    """Checks one command of a template."""

    program: Program
    template: str
    command: Command

    def _violation(self, message: str) -> Violation:
        return Violation(message, self.command.span)

    def instruction(self, instruction: Instruction) -> Iterator[Violation]:
        match instruction:
            case Assign() | Havoc() | Compute() | Lookup():
                yield from self._write(instruction)
            case Guard(condition) | Assert(condition):
                yield from self._formula(condition)
            case Spawn():
                yield from self._spawn(instruction)
            case Join(callee):
                if callee not in self.program.templates:
                    yield self._violation(f"joins {callee}, which does not exist")
            case Atomic(steps):
                for step in steps:
                    if isinstance(step, _STEPS):
                        yield from self.instruction(step)
                    else:
                        yield self._violation(f"{type(step).__name__} is no step of an atomic block")
            case _:
                assert_never(instruction)

    def _write(self, instruction: Assign | Havoc | Compute | Lookup) -> Iterator[Violation]:
        yield from self._cell(instruction.target)
        match instruction:
            case Assign(_, value):
                yield from self._term(value, is_read=True)
            case Havoc(target, lo, hi):
                if lo is not None and hi is not None and lo > hi:
                    yield self._violation(f"{target} := * in an empty range")
            case Compute():
                yield from self._compute(instruction)
            case Lookup(_, _, index):
                yield from self._term(index)
            case _:
                assert_never(instruction)

    def _compute(self, instruction: Compute) -> Iterator[Violation]:
        arity = 3 if instruction.operation is Operation.WRAP else 2
        if len(instruction.arguments) != arity:
            yield self._violation(f"{instruction.operation} takes {arity} arguments")
        elif instruction.operation is Operation.WRAP:
            _, lo, hi = instruction.arguments
            if lo.terms or hi.terms or lo.constant > hi.constant:
                yield self._violation("the range of wrap is not one of constants, low before high")
        for argument in instruction.arguments:
            yield from self._term(argument)

    def _spawn(self, instruction: Spawn) -> Iterator[Violation]:
        if instruction.template not in self.program.templates:
            yield self._violation(f"spawns {instruction.template}, which does not exist")
        targets = [target for target, _ in instruction.arguments]
        if len(set(targets)) != len(targets):
            yield self._violation("a spawn gives one cell two values")
        for target, value in instruction.arguments:
            cell = self.program.cells.get(target)
            if cell is None or cell.template != instruction.template:
                yield self._violation(f"spawn argument {quote_name(target)} is not local to {instruction.template}")
            yield from self._term(value)

    def _formula(self, formula: Formula) -> Iterator[Violation]:
        match formula:
            case Atom(term):
                yield from self._term(term)
            case And(parts) | Or(parts):
                for part in parts:
                    yield from self._formula(part)
            case _:
                assert_never(formula)

    def _term(self, term: Linear, is_read: bool = False) -> Iterator[Violation]:
        """`is_read`: the term is the whole right side of an assignment, where a summary cell may stand alone."""
        names = [name for name, _ in term.terms]
        if names != sorted(set(names)) or any(k == 0 for _, k in term.terms):
            yield self._violation(f"the term over {', '.join(names)} is not sorted or has a coefficient 0")
        for name, k in term.terms:
            cell = self.program.cells.get(name)
            yield from self._cell(name)
            is_alone = is_read and len(term.terms) == 1 and k == 1 and term.constant == 0
            if cell is not None and cell.summary and not is_alone:
                yield self._violation(f"summary cell {quote_name(name)} is read otherwise than by t := {name}")

    def _cell(self, name: str) -> Iterator[Violation]:
        cell: Cell | None = self.program.cells.get(name)
        if cell is None:
            yield self._violation(f"cell {quote_name(name)} is not declared")
        elif cell.template not in (None, self.template):
            yield self._violation(f"cell {quote_name(name)} of {cell.template} is used in {self.template}")
