"""Which cells instructions read and write, and which computations may have no result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from duet.plip.syntax import (
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
    Operation,
    Spawn,
)
from duet.plip.terms import formula_cells, term_cells

PARTIAL = frozenset((Operation.DIV, Operation.MOD, Operation.SHL, Operation.SHR))
"""Operations without a result for some arguments, so that they can refuse to pass like a guard."""


def reads(instruction: Instruction) -> frozenset[str]:
    """The cells that an instruction reads, in guards too."""
    match instruction:
        case Assign(_, value):
            return term_cells(value)
        case Compute(_, _, arguments):
            return frozenset().union(*map(term_cells, arguments))
        case Lookup(_, _, index):
            return term_cells(index)
        case Guard(condition) | Assert(condition):
            return formula_cells(condition)
        case Spawn(_, arguments):
            return frozenset().union(*(term_cells(value) for _, value in arguments))
        case Atomic(steps):
            return frozenset().union(*map(reads, steps))
        case Havoc() | Join():
            return frozenset()
        case _:
            assert_never(instruction)


def writes(instruction: Instruction) -> frozenset[str]:
    """The cells that an instruction writes; those of a spawn are the parameters of the new thread."""
    match instruction:
        case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
            return frozenset((target,))
        case Atomic(steps):
            return frozenset().union(*map(writes, steps))
        case Spawn(_, arguments):
            return frozenset(target for target, _ in arguments)
        case Guard() | Assert() | Join():
            return frozenset()
        case _:
            assert_never(instruction)


def touched(commands: Iterable[Command]) -> frozenset[str]:
    """The cells that commands read or write."""
    return frozenset().union(*(reads(item.instruction) | writes(item.instruction) for item in commands))
