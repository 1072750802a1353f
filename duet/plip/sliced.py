"""What some checks of a program can depend on: the steps that write other cells are gone.

The commands stay, with their numbers; only the instructions are smaller. A check fails in the slice iff it fails in the
program, by the same commands: no guard, and nothing else that can keep a thread from going on, is left out.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

from duet.plip.marks import kept
from duet.plip.syntax import (
    SKIP,
    Assert,
    Assign,
    Atomic,
    Command,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Lookup,
    Program,
    Spawn,
    Step,
    steps,
)
from duet.plip.terms import term_cells
from duet.plip.touched import PARTIAL, reads
from duet.result import Check


def sliced(program: Program, checks: Collection[Check]) -> Program:
    """The program as far as some checks depend on it; other checks that stop are guards, the rest does nothing."""
    commands = [replace(c, instruction=_without_others(c.instruction, checks), accesses=()) for c in program.commands]
    needed = _needed(commands)
    cells = {name: cell for name, cell in program.cells.items() if name in needed}
    return replace(program, cells=cells, commands=tuple(_smaller(command, needed, program) for command in commands))


def _without_others(instruction: Instruction, checks: Collection[Check]) -> Instruction:
    if isinstance(instruction, Assert) and instruction.check not in checks:
        return Guard(instruction.condition) if instruction.stops else SKIP
    return instruction


def _needed(commands: Collection[Command]) -> frozenset[str]:
    """The cells that decide whether steps pass, and those that give these their values."""
    found: set[str] = set()
    sources: dict[str, set[str]] = {}
    for command in commands:
        for step in steps(command.instruction):
            match step:
                case Guard() | Assert():
                    found |= reads(step)
                case Assign(target) | Compute(target) | Lookup(target):
                    sources.setdefault(target, set()).update(reads(step))
                    found |= reads(step) | {target} if _may_stop(step) else frozenset()
                case Spawn(_, arguments):
                    for target, value in arguments:
                        sources.setdefault(target, set()).update(term_cells(value))
                case Havoc() | Join() | Atomic():  # steps are in no further ones
                    pass
                case _:
                    assert_never(step)
    work = list(found)
    while work:
        more = sources.get(work.pop(), set()) - found
        found |= more
        work += more
    return frozenset(found)


def _may_stop(step: Assign | Compute | Lookup) -> bool:
    """Whether a computation may have no result."""
    return isinstance(step, Lookup) or (isinstance(step, Compute) and step.operation in PARTIAL)


def _smaller(command: Command, needed: frozenset[str], program: Program) -> Command:
    instruction = _kept(command.instruction, needed)
    if instruction == command.instruction:
        return command
    return replace(
        command, instruction=instruction, approximates=kept(command.approximates, instruction, program.cells)
    )


def _kept(instruction: Instruction, needed: frozenset[str]) -> Instruction:
    """An instruction without the steps that write cells that are not needed."""
    match instruction:
        case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
            return instruction if target in needed else SKIP
        case Spawn(template, arguments):
            return Spawn(template, tuple((cell, value) for cell, value in arguments if cell in needed))
        case Atomic(parts):
            left: list[Step] = [part for part in parts if part == _kept(part, needed) and part != SKIP]
            return SKIP if not left else left[0] if len(left) == 1 else Atomic(tuple(left))
        case Guard() | Assert() | Join():
            return instruction
