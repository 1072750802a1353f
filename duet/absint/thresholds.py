"""Widening thresholds: the numbers that the bounds of a cell are likely to stop at.

They are constants of the program and bounds of types, each with its neighbours; of the constants only those that
may have to do with the cell, since a bound that creeps from one threshold to the next visits each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from networkx.utils import UnionFind

from domains.values.number import MAX_MEMBERS
from duet.absint.invariants import Invariants
from duet.flow.table import NONE, Few
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
    Operation,
    Program,
    Spawn,
    steps,
)
from duet.plip.terms import atoms, term_cells

_TYPE_BOUNDS = tuple(
    bound for bits in (8, 16, 32, 64) for bound in (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, 2**bits - 1)
)
_LIMIT = 60
_FLAGS = 3
"""Of so many flags in a number all combinations are thresholds: sets of values grow by these."""
_BITWISE = (Operation.AND, Operation.OR, Operation.XOR)

# Cells that have to do with each other, and numbers that have to do with them.
_Relation = tuple[frozenset[str], tuple[int, ...]]


def thresholds(program: Program) -> Mapping[str, tuple[int, ...]]:
    """The thresholds of each cell, ascending; the smaller numbers are kept where there would be too many.

    Cells have to do with each other if one is copied to the other, give or take a constant, or they are compared.
    """
    related = UnionFind(program.cells)
    found = [relation for command in program.commands for relation in _relations(command.instruction)]
    for cells, _ in found:
        related.union(*cells)
    numbers: dict[str, set[int]] = {}
    for name, cell in program.cells.items():
        numbers.setdefault(related[name], set()).update(b for b in (cell.lo, cell.hi) if b is not None)
    flags: dict[str, set[int]] = {}
    for cells, constants in found:
        numbers[related[next(iter(cells))]].update(constants)
    for name, constant in _flags(program):
        flags.setdefault(related[name], set()).add(constant)
    for root, set_bits in flags.items():
        numbers[root].update(_combined(set_bits) if len(set_bits) <= _FLAGS else ())
    chosen = {root: _chosen(constants) for root, constants in numbers.items()}
    return {name: chosen[related[name]] for name in program.cells}


def reached(program: Program, known: Invariants) -> Mapping[str, tuple[int, ...]]:
    """The thresholds of each cell where an annotation is known: what bounds and small sets of the cell stop at there.

    They are fewer, so that less is visited again and again, and no execution needs wider ones.
    """
    solution, space = known.solution, known.space
    numbers: dict[str, set[int]] = {name: {-1, 0, 1} for name in program.cells}
    for row, cells in zip(solution.at.rows, space.packing.packs, strict=False):
        slots = set(row.values() if isinstance(row, Few) else row) - {NONE}
        values = {id(value): value for slot in slots if (value := solution.slots[slot]) is not None}
        for position, cell in enumerate(cells):
            found = [space.domain.number(value, position) for value in values.values()]
            ends = (end for it in found for end in it.members or (it.lo, it.hi))
            numbers[cell].update(end for end in ends if isinstance(end, int))
    return {name: tuple(sorted(found)) for name, found in numbers.items()}


def _flags(program: Program) -> Iterator[tuple[str, int]]:
    """Cells that have some bits set in them, with these."""
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Compute(target, Operation.OR, (Linear(), Linear((), int(constant)))) if constant > 0:
                    yield target, constant
                case _:
                    continue


def _combined(constants: set[int]) -> set[int]:
    """The numbers that have the bits of some of others."""
    found = {0}
    for constant in constants:
        found |= {number | constant for number in found}
    return found


def _chosen(numbers: set[int]) -> tuple[int, ...]:
    near = {number + offset for number in numbers for offset in (-1, 0, 1)}
    small = sorted(near, key=lambda number: (abs(number), number))[:_LIMIT]
    return tuple(sorted({*small, *_TYPE_BOUNDS, -1, 0, 1}))


def _relations(instruction: Instruction) -> Iterator[_Relation]:
    match instruction:
        case Assign(target, value):
            copied = term_cells(value) if len(value.terms) <= 1 else frozenset()
            yield copied | {target}, (value.constant,)
        case Havoc(target, lo, hi):
            yield frozenset((target,)), tuple(bound for bound in (lo, hi) if bound is not None)
        case Compute(target, operation, arguments):
            copied = frozenset(
                cell for it in arguments if operation in _BITWISE and len(it.terms) <= 1 for cell in term_cells(it)
            )
            yield copied | {target}, tuple(argument.constant for argument in arguments)
        case Lookup(target, table, index):
            entries = set(table)
            yield frozenset((target,)), tuple(entries) if len(entries) <= MAX_MEMBERS else (min(table), max(table))
            if index.terms:
                yield term_cells(index), (len(table),)
        case Guard(condition) | Assert(condition):
            yield from _of_formula(condition)
        case Spawn(_, arguments):
            for parameter, value in arguments:
                yield frozenset((parameter,)), (value.constant,)
        case Join():
            pass
        case Atomic(steps):
            for step in steps:
                yield from _relations(step)
        case _:
            assert_never(instruction)


def _of_formula(condition: Formula) -> Iterator[_Relation]:
    for atom in atoms(condition):
        yield term_cells(atom.term), _of_term(atom.term)


def _of_term(term: Linear) -> tuple[int, ...]:
    """The constants of a comparison, also divided by the coefficient of its only cell."""
    constants = (term.constant, -term.constant)
    if len(term.terms) != 1 or abs(term.terms[0][1]) == 1:
        return constants
    factor = abs(term.terms[0][1])
    return (*constants, term.constant // factor, -(term.constant // factor))
