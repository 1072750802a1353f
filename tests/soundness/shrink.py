"""Greedy shrinking of a PLIP program that shows a defect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from duet.plip.syntax import SKIP, And, Assert, Atomic, Command, Guard, Instruction, Or, Program, Spawn, Template
from duet.plip.terms import formula_cells, term_cells
from duet.plip.wellformed import violations


def shrink(program: Program, is_failing: Callable[[Program], bool], attempts: int = 2000) -> Program:
    """A program, as small as greedy deletion makes it, on which `is_failing` still holds."""
    is_smaller = True
    while is_smaller and attempts > 0:
        is_smaller = False
        for candidate in _candidates(program):
            attempts -= 1
            if not violations(candidate) and is_failing(candidate):
                program, is_smaller = candidate, True
                break
            if attempts <= 0:
                break
    return program


def _candidates(program: Program) -> Iterator[Program]:
    """Programs that are smaller in some measure: templates, commands, then instructions and cells."""
    for name in program.templates:
        if name != program.main:
            yield _without_template(program, name)
    for index in range(len(program.commands)):
        yield _tidied(_without_command(program, index))
    for index in range(len(program.commands)):
        yield from _contracted(program, index)
    for index, command in enumerate(program.commands):
        for instruction in _simpler(command):
            yield _replaced(program, index, replace(command, instruction=instruction))
    for name, template in program.templates.items():
        if template.atomic:
            yield replace(program, templates={**program.templates, name: replace(template, atomic=frozenset())})
    yield from _without_cells(program)


def _without_template(program: Program, name: str) -> Program:
    """Without a template and everything that names it."""
    gone = set(program.templates[name].commands)
    commands = [
        replace(c, instruction=SKIP) if getattr(c.instruction, "template", None) == name else c
        for c in program.commands
    ]
    templates = {other: template for other, template in program.templates.items() if other != name}
    cells = {cell.name: cell for cell in program.cells.values() if cell.template != name}
    return _kept(Program(cells, templates, tuple(commands), program.main), gone)


def _kept(program: Program, gone: set[int]) -> Program:
    """The program without some commands, renumbered."""
    kept = [index for index in range(len(program.commands)) if index not in gone]
    number = {old: new for new, old in enumerate(kept)}
    templates = {
        name: replace(template, commands=tuple(number[index] for index in template.commands if index in number))
        for name, template in program.templates.items()
    }
    return Program(program.cells, templates, tuple(program.commands[index] for index in kept), program.main)


def _without_command(program: Program, index: int) -> Program:
    return _kept(program, {index})


def _tidied(program: Program) -> Program:
    """Without the commands that no path from an entry reaches, and atomic locations that are gone."""
    outgoing: dict[int, list[Command]] = {}
    for command in program.commands:
        outgoing.setdefault(command.source, []).append(command)
    pending = [template.entry for template in program.templates.values()]
    seen = set(pending)
    while pending:
        for command in outgoing.get(pending.pop(), ()):
            if command.target not in seen:
                seen.add(command.target)
                pending.append(command.target)
    program = _kept(program, {i for i, command in enumerate(program.commands) if command.source not in seen})
    templates = {name: _shrunk_region(template, seen) for name, template in program.templates.items()}
    return replace(program, templates=templates)


def _shrunk_region(template: Template, seen: set[int]) -> Template:
    return replace(template, atomic=template.atomic & seen)


def _contracted(program: Program, index: int) -> Iterator[Program]:
    """A command removed and its two ends made one location."""
    command = program.commands[index]
    owner = next(template for template in program.templates.values() if index in template.commands)
    old, new = command.target, command.source
    if old == owner.exit:
        old, new = new, old
    if old in (owner.exit, owner.entry) and new in (owner.exit, owner.entry):
        return
    commands = tuple(
        replace(c, source=new if c.source == old else c.source, target=new if c.target == old else c.target)
        for c in program.commands
    )
    template = replace(
        owner,
        entry=new if owner.entry == old else owner.entry,
        atomic=frozenset(owner.atomic - {old}),
    )
    templates = {**program.templates, owner.name: template}
    yield _without_command(Program(program.cells, templates, commands, program.main), index)


def _simpler(command: Command) -> Iterator[Instruction]:
    match command.instruction:
        case Atomic(steps):
            if len(steps) == 1:
                yield steps[0]
            for skipped in range(len(steps)):
                yield Atomic(steps[:skipped] + steps[skipped + 1 :])
        case Guard(And(parts)) | Guard(Or(parts)):
            for part in parts:
                yield Guard(part)
        case Spawn(template, arguments) if arguments:
            yield Spawn(template)
        case _:
            pass
    if command.instruction != SKIP:
        yield SKIP


def _replaced(program: Program, index: int, command: Command) -> Program:
    commands = (*program.commands[:index], command, *program.commands[index + 1 :])
    return replace(program, commands=commands)


def _without_cells(program: Program) -> Iterator[Program]:
    """Without one cell that nothing names."""
    used = {name for command in program.commands for name in _cells(command.instruction)}
    for name in program.cells:
        if name not in used:
            cells = {other: cell for other, cell in program.cells.items() if other != name}
            templates = {
                key: replace(template, parameters=tuple(p for p in template.parameters if p != name))
                for key, template in program.templates.items()
            }
            yield replace(program, cells=cells, templates=templates)


def _cells(instruction: object) -> Iterator[str]:
    match instruction:
        case Atomic(steps):
            for step in steps:
                yield from _cells(step)
        case Guard(condition) | Assert(condition):
            yield from formula_cells(condition)
        case Spawn(_, arguments):
            for target, value in arguments:
                yield target
                yield from term_cells(value)
        case _:
            for field in ("target", "value", "index"):
                found = getattr(instruction, field, None)
                yield from (found,) if isinstance(found, str) else () if found is None else term_cells(found)
            for argument in getattr(instruction, "arguments", ()):
                yield from term_cells(argument)
