"""Printer of the text form of PLIP, which `parser` reads back.

`parse_program(print_program(p)) == normal_form(p)` for every well-formed program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from duet.plip.syntax import (
    TRUE,
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
    Lookup,
    Or,
    Program,
    Spawn,
    Template,
)
from duet.plip.terms import atom, show_formula, show_term
from duet.plip.tokens import quote, quote_name
from duet.source import Span


def normal_form(program: Program) -> Program:
    """The program as its text says it, with the same behaviour, locations and names.

    Cells: globals first, then the local ones template by template. Commands: template by template. Formulas: no `And`
    or `Or` of one part; atoms folded and turned around as `terms.atom` does. No spawn argument, check or place changes.
    """
    owners = [None, *program.templates]
    cells = sorted(program.cells.values(), key=lambda cell: owners.index(cell.template))
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    for name, template in program.templates.items():
        first = len(commands)
        commands.extend(_normal_command(program.commands[index]) for index in template.commands)
        templates[name] = replace(template, commands=tuple(range(first, len(commands))))
    return Program({cell.name: cell for cell in cells}, templates, tuple(commands), program.main)


def _normal_command(command: Command) -> Command:
    instruction = command.instruction
    match instruction:
        case Guard(condition):
            instruction = Guard(_normal_formula(condition))
        case Assert(condition, check, stops):
            instruction = Assert(_normal_formula(condition), check, stops)
        case Atomic(steps):
            parts = (Guard(_normal_formula(step.condition)) if isinstance(step, Guard) else step for step in steps)
            instruction = Atomic(tuple(parts))
        case _:
            pass
    return replace(command, instruction=instruction)


def _normal_formula(formula: Formula) -> Formula:
    match formula:
        case Atom(term, relation):
            return atom(term, relation)
        case And((only,)) | Or((only,)):
            return _normal_formula(only)
        case And(parts):
            return And(tuple(_normal_formula(part) for part in parts))
        case Or(parts):
            return Or(tuple(_normal_formula(part) for part in parts))
        case _:
            assert_never(formula)


def print_program(program: Program, spans: bool = True) -> str:
    """The text of a program; without `spans` the places of cells and commands are left out."""
    program = normal_form(program)
    source = _main_source(program) if spans else ""
    lines = [f"source {quote(source)}"] if source else []
    places = _Places(source, spans)
    lines += [_cell("global ", cell, places) for cell in program.cells.values() if cell.template is None]
    lines.append(f"main {quote_name(program.main)}")
    for template in program.templates.values():
        lines += ["", *_template(program, template, places)]
    return "\n".join(lines) + "\n"


class _Places:
    """Prints places: the line and column alone in the file `source`."""

    def __init__(self, source: str, spans: bool) -> None:
        self._source = source
        self._spans = spans

    def point(self, file: str, line: int, column: int) -> str:
        return f"{line}:{column}" if file == self._source and file else f"{quote(file)}:{line}:{column}"

    def suffix(self, span: Span | None) -> str:
        if not self._spans:
            return ""
        return f" at {self.point(span.file, span.line, span.column)}" if span else " at ?"


def _main_source(program: Program) -> str:
    """The file that most commands come from."""
    files = Counter(command.span.file for command in program.commands if command.span)
    return min(files, key=lambda file: (-files[file], file), default="")


def _cell(keyword: str, cell: Cell, places: _Places) -> str:
    words = f"{keyword}{'summary ' if cell.summary else ''}{quote_name(cell.name)}"
    if cell.lo is not None and cell.lo == cell.hi:
        words += f" = {cell.lo}"
    elif cell.template is None or (cell.lo, cell.hi) != (None, None):
        words += f" in {_bounds(cell.lo, cell.hi)}"
    if cell.label:
        words += f" label {quote(cell.label)}"
    return words + places.suffix(cell.span)


def _bounds(lo: int | None, hi: int | None) -> str:
    return f"{'' if lo is None else lo}..{'' if hi is None else hi}"


def _template(program: Program, template: Template, places: _Places) -> list[str]:
    header = f"thread {quote_name(template.name)}"
    if template.parameters:
        header += f"({', '.join(map(quote_name, template.parameters))})"
    if template.function:
        header += f" function {quote(template.function)}"
    lines = [f"{header} {{"]
    lines += [_cell("  local ", cell, places) for cell in program.cells.values() if cell.template == template.name]
    lines.append(f"  entry {template.entry}  exit {template.exit}")
    if template.atomic:
        lines.append(f"  atomic at {', '.join(map(str, sorted(template.atomic)))}")
    for index in template.commands:
        command = program.commands[index]
        text = show_instruction(command.instruction, places.point)
        mark = f" approximates {quote(command.approximates)}" if command.approximates else ""
        lines.append(f"  {command.source}: {text} -> {command.target}{mark}{places.suffix(command.span)}")
    return [*lines, "}"]


def _full_place(file: str, line: int, column: int) -> str:
    return f"{quote(file)}:{line}:{column}"


def show_instruction(instruction: Instruction, place: Callable[[str, int, int], str] = _full_place) -> str:
    """One instruction in the text form; `place` prints where a check stands."""
    match instruction:
        case Assert(condition, check, stops):
            text = f"{'assert' if stops else 'check'} {show_formula(condition, quote_name)}"
            point = place(check.file, check.line, check.column)
            return (
                f"{text} for {point} {quote(check.property_name)} {quote(check.expression)} in {quote(check.function)}"
            )
        case Spawn(template, arguments):
            given = ", ".join(f"{quote_name(cell)} := {show_term(value, quote_name)}" for cell, value in arguments)
            return f"spawn {quote_name(template)}" + (f"({given})" if given else "")
        case Join(template):
            return f"join {quote_name(template)}"
        case Atomic(steps):
            return f"atomic {{ {' '.join(f'{show_instruction(step)};' for step in steps)} }}"
        case Guard():
            return "skip" if instruction.condition == TRUE else f"[{show_formula(instruction.condition, quote_name)}]"
        case Assign() | Havoc() | Compute() | Lookup():
            return f"{quote_name(instruction.target)} := {_right_side(instruction)}"
        case _:
            assert_never(instruction)


def _right_side(instruction: Assign | Havoc | Compute | Lookup) -> str:
    match instruction:
        case Assign(_, value):
            return show_term(value, quote_name)
        case Havoc(_, lo, hi):
            return "*" if lo is None and hi is None else f"* in {_bounds(lo, hi)}"
        case Compute(_, operation, arguments):
            return f"{operation.name.lower()}({', '.join(show_term(argument, quote_name) for argument in arguments)})"
        case Lookup(_, table, index):
            return f"[{', '.join(map(str, table))}][{show_term(index, quote_name)}]"
        case _:
            assert_never(instruction)
