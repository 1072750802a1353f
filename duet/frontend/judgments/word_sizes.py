"""How many bits the values of cells have, where they are never negative: one answer for the whole program."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, assert_never

from duet.plip.syntax import Assign, Cell, Compute, Guard, Havoc, Linear, Lookup, Operation, Program, Spawn, Step, steps
from duet.plip.touched import reads

LARGEST = 64
"""Bits beyond which a number counts as one of which nothing is known."""
Sizes: TypeAlias = Mapping[str, int | None]
"""Each value of the cell is in `[0, 2**bits)`; None where it may be negative or larger than any word."""


def word_sizes(program: Program) -> Sizes:
    """The bits of each cell. *Approximates*: over; flows of values are those of the commands, in any order."""
    found: dict[str, int | None] = {name: _initial(cell) for name, cell in program.cells.items()}
    readers: dict[str, list[_Definition]] = defaultdict(list)
    pending: deque[_Definition] = deque()
    for definition in _definitions(program):
        pending.append(definition)
        for cell in definition[1]:
            readers[cell].append(definition)
    while pending:
        target, _, size = pending.popleft()
        before = found[target]
        after = _larger(before, size(found))
        if after != before:
            found[target] = after
            pending.extend(readers[target])
    return found


_Definition: TypeAlias = tuple[str, frozenset[str], Callable[[Sizes], int | None]]


def _definitions(program: Program) -> Iterator[_Definition]:
    """Each cell that something is written to, the cells that are read for it, and the bits that it has then."""
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Spawn(_, arguments):
                    for target, term in arguments:
                        assigned = Assign(target, term)
                        yield target, reads(assigned), lambda sizes, given=assigned: step_size(given, sizes)
                case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
                    yield target, reads(step), lambda sizes, given=step: step_size(given, sizes)
                case _:
                    pass


def _initial(cell: Cell) -> int | None:
    return None if cell.lo is None or cell.hi is None or cell.lo < 0 else _size(cell.hi)


def step_size(step: Step, sizes: Sizes) -> int | None:
    """The bits of what a step writes."""
    match step:
        case Assign(_, value):
            return term_size(value, sizes)
        case Havoc(_, lo, hi):
            return None if lo is None or hi is None or lo < 0 else _size(hi)
        case Lookup(_, table):
            return None if min(table, default=0) < 0 else _size(max(table, default=0))
        case Compute(_, operation, arguments):
            return _computed(operation, arguments, sizes)
        case Guard():
            return 0
        case _:
            assert_never(step)


def term_size(term: Linear, sizes: Sizes) -> int | None:
    """The bits of a sum."""
    most = term.constant
    for cell, factor in term.terms:
        size = sizes[cell]
        if size is None or factor < 0:
            return None
        most += factor * ((1 << size) - 1)
    return None if term.constant < 0 else _size(most)


def _computed(operation: Operation, arguments: tuple[Linear, ...], sizes: Sizes) -> int | None:
    first = term_size(arguments[0], sizes)
    if operation is Operation.WRAP:
        low, high = arguments[1], arguments[2]
        if low.terms or high.terms or low.constant < 0:
            return None
        limit = _size(high.constant)
        return limit if first is None or limit is None else min(first, limit) if low.constant == 0 else limit
    second = term_size(arguments[1], sizes)
    if operation is Operation.AND:
        known = [size for size in (first, second) if size is not None]
        return min(known, default=None)  # of a number that is not negative no more bits are left
    if first is None or second is None:
        return None
    by = arguments[1].constant if not arguments[1].terms else None
    match operation:
        case Operation.OR | Operation.XOR:
            return max(first, second)
        case Operation.DIV:
            return first
        case Operation.MOD:
            return min(first, second if by is None else _bits(by - 1))
        case Operation.SHR:
            return first if by is None else max(0, first - by)
        case Operation.SHL:
            return None if by is None else _within(max(0, first + by))
        case Operation.MUL:
            return _within(first + second)
        case _:
            assert_never(operation)


def _size(most: int) -> int | None:
    return _within(_bits(most))


def _bits(most: int) -> int:
    return max(most, 0).bit_length()


def _within(size: int) -> int | None:
    return size if size <= LARGEST else None


def _larger(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)
