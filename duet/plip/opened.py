"""A program of which little is known but some cells: all others hold anything."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never, cast

from duet.plip.syntax import (
    FALSE,
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
    Linear,
    Lookup,
    Program,
    Spawn,
    Step,
)
from duet.plip.terms import term_cells
from duet.plip.touched import reads


def opened(program: Program, kept: Collection[str]) -> Program:
    """The program in which all cells but those that are `kept` hold anything, whenever they are read.

    Its executions are those of the program, and more. A check that reads other cells cannot be proved.
    """
    commands = [replace(it, instruction=_without_others(it.instruction, kept)) for it in program.commands]
    left_out = {cell for it in program.commands for cell, value in _arguments(it) if not _is_told(value, kept)}
    cells = {name: replace(it, lo=None, hi=None) if name in left_out else it for name, it in program.cells.items()}
    return replace(program, cells=cells, commands=tuple(commands))


def _arguments(command: Command) -> tuple[tuple[str, Linear], ...]:
    return command.instruction.arguments if isinstance(command.instruction, Spawn) else ()


def _is_told(value: Linear, kept: Collection[str]) -> bool:
    return all(cell in kept for cell in term_cells(value))


def _without_others(instruction: Instruction, kept: Collection[str]) -> Instruction:
    """An instruction that reads kept cells only, and can do whatever the instruction can; a check then stops nobody."""
    is_told = all(cell in kept for cell in reads(instruction))
    match instruction:
        case Atomic(steps):
            return Atomic(tuple(cast(Step, _without_others(step, kept)) for step in steps))
        case Assert() if not is_told:
            return replace(instruction, condition=FALSE, stops=False)
        case Spawn(template, arguments):
            return Spawn(template, tuple((cell, value) for cell, value in arguments if _is_told(value, kept)))
        case Assign(target) | Compute(target) | Lookup(target) if not is_told:
            return Havoc(target)
        case Assert() | Assign() | Compute() | Lookup() | Havoc():
            return instruction
        case Guard() if is_told:
            return instruction
        case Guard() | Join():
            return SKIP
        case _:
            assert_never(instruction)
