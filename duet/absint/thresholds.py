"""Widening thresholds: the numbers that bounds in a program are likely to stop at.

*Source*: analysis.md section 3: constants of the program and bounds of types, each with its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from duet.plip.syntax import (
    Assert,
    Assign,
    Atomic,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Program,
    Spawn,
)
from duet.plip.terms import atoms

_TYPE_BOUNDS = tuple(
    bound for bits in (8, 16, 32, 64) for bound in (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, 2**bits - 1)
)
_LIMIT = 400


def thresholds(program: Program) -> tuple[int, ...]:
    """The thresholds of a program, ascending; the smaller numbers are kept where there would be too many."""
    numbers = {0, *_TYPE_BOUNDS}
    for cell in program.cells.values():
        numbers.update(bound for bound in (cell.lo, cell.hi) if bound is not None)
    for command in program.commands:
        numbers.update(_numbers(command.instruction))
    near = {number + offset for number in numbers for offset in (-1, 0, 1)}
    return tuple(sorted(sorted(near, key=lambda number: (abs(number), number))[:_LIMIT]))


def _numbers(instruction: Instruction) -> Iterator[int]:
    match instruction:
        case Assign(_, value):
            yield value.constant
        case Havoc(_, lo, hi):
            yield from (bound for bound in (lo, hi) if bound is not None)
        case Compute(_, _, arguments):
            yield from (argument.constant for argument in arguments)
        case Lookup(_, table, _):
            yield from (min(table), max(table), len(table))
        case Guard(condition) | Assert(condition):
            yield from _of_formula(condition)
        case Spawn(_, arguments):
            yield from (value.constant for _, value in arguments)
        case Join():
            pass
        case Atomic(steps):
            for step in steps:
                yield from _numbers(step)
        case _:
            assert_never(instruction)


def _of_formula(condition: Formula) -> Iterator[int]:
    for atom in atoms(condition):
        yield from _of_term(atom.term)


def _of_term(term: Linear) -> Iterator[int]:
    yield term.constant
    yield -term.constant
