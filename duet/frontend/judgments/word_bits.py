"""Which bits the values of cells may have: one answer for the whole program.

Bits are those of the infinite two's complement: `-1` says that all may be set, and a number below 0 that the value may
be one. A value is never larger than its bits where these are not below 0.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias, assert_never

from duet.plip.syntax import Assign, Compute, Guard, Havoc, Linear, Lookup, Operation, Program, Spawn, Step, steps
from duet.plip.touched import reads

LARGEST = 64
"""Bits beyond which a number counts as one of which nothing is known."""
ALL = -1
Bits: TypeAlias = Mapping[str, int]
"""What bits each value of a cell is made of."""


def word_bits(program: Program) -> Bits:
    """The bits of each cell. *Approximates*: over; flows of values are those of the commands, in any order."""
    found = {name: _between(cell.lo, cell.hi) for name, cell in program.cells.items()}
    readers: dict[str, list[_Definition]] = defaultdict(list)
    pending: deque[_Definition] = deque()
    for definition in _definitions(program):
        pending.append(definition)
        for cell in definition[1]:
            readers[cell].append(definition)
    while pending:
        target, _, bits = pending.popleft()
        after = _within(found[target] | bits(found))
        if after != found[target]:
            found[target] = after
            pending.extend(readers[target])
    return found


def size_of(bits: int) -> int | None:
    """How many bits numbers have of which no others are set; None where they may be below 0."""
    return None if bits < 0 else bits.bit_length()


_Definition: TypeAlias = tuple[str, frozenset[str], Callable[[Bits], int]]


def _definitions(program: Program) -> Iterator[_Definition]:
    """Each cell that something is written to, the cells that are read for it, and the bits that it has then."""
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Spawn(_, arguments):
                    for target, term in arguments:
                        yield target, reads(Assign(target, term)), partial(term_bits, term)
                case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
                    yield target, reads(step), partial(step_bits, step)
                case _:
                    pass


def step_bits(step: Step, bits: Bits) -> int:
    """The bits of what a step writes."""
    match step:
        case Assign(_, value):
            return term_bits(value, bits)
        case Havoc(_, lo, hi):
            return _between(lo, hi)
        case Lookup(_, table):
            return _between(min(table, default=0), max(table, default=0))
        case Compute(_, operation, arguments):
            return _within(_computed(operation, arguments, bits))
        case Guard():
            return 0
        case _:
            assert_never(step)


def term_bits(term: Linear, bits: Bits) -> int:
    """The bits of a sum: those of its parts, if no two of these have one in common, as nothing is carried then."""
    found, most, is_apart = term.constant, term.constant, True
    for cell, factor in term.terms:
        if bits[cell] < 0 or factor < 0:
            is_simple = len(term.terms) == 1 and factor == 1 and not term.constant
            return bits[cell] if is_simple else ALL
        more = bits[cell] * factor
        is_apart = is_apart and factor & (factor - 1) == 0 and not found & more
        found, most = found | more, most + more
    if not term.terms:
        return _within(term.constant)
    return ALL if term.constant < 0 else _within(found if is_apart else _up_to(most))


def _computed(operation: Operation, arguments: tuple[Linear, ...], bits: Bits) -> int:
    first, second = (term_bits(argument, bits) for argument in arguments[:2])
    by = arguments[1].constant if not arguments[1].terms else None
    match operation:
        case Operation.WRAP:
            return _wrapped(first, arguments[1:])
        case Operation.AND:
            return first & second
        case Operation.OR | Operation.XOR:
            return first | second
        case Operation.SHR:
            return first >> max(by, 0) if by is not None else ALL if first < 0 else _up_to(first)
        case Operation.SHL:
            return ALL if by is None or by > LARGEST else first << max(by, 0)
        case Operation.DIV | Operation.MOD | Operation.MUL if first < 0 or second < 0:
            return ALL
        case Operation.DIV:
            return first >> by.bit_length() - 1 if by and by & (by - 1) == 0 else _up_to(first)
        case Operation.MOD:
            return first & (by - 1) if by and by & (by - 1) == 0 else _up_to(min(first, second))
        case Operation.MUL:
            return _up_to(first * second)
        case _:
            assert_never(operation)


def _wrapped(bits: int, limits: tuple[Linear, ...]) -> int:
    low, high = limits
    if low.terms or high.terms:
        return ALL
    if low.constant <= 0 <= bits <= high.constant:
        return bits
    is_word = low.constant == 0 and high.constant & (high.constant + 1) == 0
    return bits & high.constant if is_word else _between(low.constant, high.constant)


def _between(lo: int | None, hi: int | None) -> int:
    """The bits of numbers in a range."""
    if lo is None or hi is None:
        return ALL
    return _within(lo) if lo == hi else ALL if lo < 0 else _within(_up_to(hi))


def _up_to(most: int) -> int:
    """The bits of numbers from 0 to one."""
    return (1 << most.bit_length()) - 1


def _within(bits: int) -> int:
    return bits if bits.bit_length() <= LARGEST else ALL
