"""Local decisions right after a read, as one atomic step with it.

`t := flag; [t != 0]` tells less than `[flag != 0]`: between the two, others may write `flag`. But no other thread sees
when a thread looks at its own cells, so in every execution such steps can be moved to right behind the read (Lipton,
Reduction: a method of proving properties of parallel programs, 1975). What is reached at the locations that stay, and
how, is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from duet.plip.graphs import strong_components
from duet.plip.syntax import (
    Assign,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Operation,
    Or,
    Program,
    Template,
    steps,
)
from duet.plip.terms import formula_cells, negate, term_cells

_TOTAL = frozenset((Operation.MUL, Operation.AND, Operation.OR, Operation.XOR, Operation.WRAP))


def with_local_decisions(program: Program) -> Program:
    """The program with the locations atomic at which a thread goes on by what it has just read.

    `merge_regions` makes single commands of them. The same states are reached at the other locations.
    """
    templates = {
        name: replace(template, atomic=template.atomic | _decisions(program, template))
        for name, template in program.templates.items()
    }
    return replace(program, templates=templates)


def _decisions(program: Program, template: Template) -> frozenset[int]:
    """The locations behind reads of globals from which local steps lead on in every case, and come to an end."""
    outgoing = {program.commands[index].source for index in template.commands}
    candidates = {
        location
        for location in outgoing - template.atomic - {template.entry, template.exit}
        if _is_local(program, [program.commands[index] for index in program.outgoing[location]])
    }

    def following(location: int) -> list[int]:
        targets = (program.commands[index].target for index in program.outgoing[location])
        return [target for target in targets if target in candidates]

    cycles = [part for part in strong_components(candidates, following) if len(part) > 1]
    candidates = candidates.difference(*cycles)
    pending = sorted(candidates)
    while pending:  # what depends on a location that is not one is looked at again
        location = pending.pop()
        if location in candidates and not _is_entered(program, location, candidates):
            pending.extend(following(location))
            candidates.remove(location)
    return frozenset(candidates)


def _is_entered(program: Program, location: int, inside: set[int]) -> bool:
    """Whether only reads of globals lead to a location, or one step from a location inside."""
    commands = [program.commands[index] for index in program.incoming[location]]
    if len(commands) == 1 and commands[0].source in inside:
        return True
    return bool(commands) and all(
        command.source != location and command.source not in inside and _fetches(program, command.instruction)
        for command in commands
    )


def _fetches(program: Program, instruction: Instruction) -> bool:
    """Whether an instruction puts what it reads of a global into a local."""
    return any(
        isinstance(step, Assign)
        and program.cells[step.target].template is not None
        and any(program.cells[cell].template is None for cell in term_cells(step.value))
        for step in steps(instruction)
    )


def _is_local(program: Program, commands: Sequence[Command]) -> bool:
    """Whether no other thread sees any of the commands that leave a location, and one of them can always be taken."""
    cells = {cell for command in commands for cell in _cells(command.instruction)}
    if None in cells or any(command.accesses for command in commands):
        return False
    if any(program.cells[cell].template is None for cell in cells if cell is not None):
        return False
    guards = [command.instruction.condition for command in commands if isinstance(command.instruction, Guard)]
    return bool(commands) and (len(guards) < len(commands) or _is_exhaustive(guards))


def _is_exhaustive(guards: Sequence[Formula]) -> bool:
    """Whether one guard is the negation of the others together."""
    for guard in guards:
        opposite = negate(guard)
        parts = opposite.parts if isinstance(opposite, Or) else (opposite,)
        if frozenset(parts) == frozenset(other for other in guards if other is not guard):
            return True
    return False


def _cells(instruction: Instruction) -> Iterator[str | None]:
    """The cells that a step has to do with; None if it may get stuck or is no step."""
    match instruction:
        case Guard(condition):
            yield from formula_cells(condition)
        case Assign(target, value):
            yield from (target, *term_cells(value))
        case Havoc(target):
            yield target
        case Compute(target, operation, arguments) if operation in _TOTAL:
            yield from (target, *(cell for argument in arguments for cell in term_cells(argument)))
        case _:
            yield None
