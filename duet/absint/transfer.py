"""Abstract post-states of instructions.

*Source*: the equations `C(s) = post(L(src s))` of thesis Def. 3.3.1. *Approximates*: over.
"""

from __future__ import annotations

import math
from typing import assert_never

from domains.numeric import LinExpr
from domains.values import bits, interval
from duet.absint.conditions import assume
from duet.absint.state import Interval, Space, State, Value
from duet.plip.syntax import (
    Assert,
    Assign,
    Atomic,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Operation,
    Spawn,
)
from duet.plip.terms import scale


def post(space: Space, state: State, instruction: Instruction) -> State | None:
    """The states after an instruction, None where it cannot pass.

    A spawn sets the packs of the child's parameters to what the child starts with.
    """
    match instruction:
        case Assign(target, value):
            return _assign(space, state, target, value)
        case Havoc(target, lo, hi):
            return _set(space, state, target, (-math.inf if lo is None else lo, math.inf if hi is None else hi))
        case Compute():
            return _compute(space, state, instruction)
        case Lookup(target, table, index):
            return _lookup(space, state, target, table, space.term_bounds(state, index))
        case Guard(condition):
            return assume(space, state, condition)
        case Assert(condition, _, stops):
            return assume(space, state, condition) if stops else state
        case Spawn(_, arguments):
            return _spawn(space, state, arguments)
        case Join():
            return state
        case Atomic(steps):
            current: State | None = state
            for step in steps:
                if current is None:
                    return None
                current = post(space, current, step)
            return current
        case _:
            assert_never(instruction)


def _base(space: Space, state: State, target: str) -> tuple[int, int, Value]:
    """The pack and position of a cell that is about to be written, and the pack's value before.

    A write to a summary cell says only what is added to it, so nothing before matters.
    """
    pack, position = space.packing.pack_of[target], space.packing.position[target]
    value = None if space.program.cells[target].summary else state.get(pack)
    return pack, position, space.domain.top(len(space.packing.packs[pack])) if value is None else value


def _set(space: Space, state: State, target: str, bounds: Interval | None) -> State | None:
    """Assigns an interval; None is an empty one."""
    if bounds is None:
        return None
    pack, position, value = _base(space, state, target)
    return state | {pack: space.domain.assign_interval(value, position, *bounds)}


def _assign(space: Space, state: State, target: str, term: Linear) -> State:
    pack, position, value = _base(space, state, target)
    others = [cell for cell, _ in term.terms if space.packing.pack_of[cell] != pack]
    if not others:
        assigned = space.domain.assign(value, position, space.indexed(term, pack, term.constant))
        return state | {pack: assigned}
    rest = space.term_bounds(state, Linear(tuple(part for part in term.terms if part[0] in others), term.constant))
    if rest[0] == rest[1] and isinstance(rest[0], int):
        own: LinExpr = space.indexed(term, pack, rest[0])
        return state | {pack: space.domain.assign(value, position, own)}
    lo, hi = space.term_bounds(state, term)
    return state | {pack: space.domain.assign_interval(value, position, lo, hi)}


def _compute(space: Space, state: State, instruction: Compute) -> State | None:
    target, arguments = instruction.target, instruction.arguments
    exact = _as_linear(space, state, instruction)
    if exact is not None:
        return _assign(space, state, target, exact)
    bounds = [space.term_bounds(state, argument) for argument in arguments]
    return _set(space, state, target, _operate(instruction.operation, bounds))


def _as_linear(space: Space, state: State, instruction: Compute) -> Linear | None:
    """The term that a nonlinear operation is equal to in these states, if one is seen."""
    arguments = instruction.arguments
    match instruction.operation:
        case Operation.MUL:
            left, right = arguments
            if not left.terms:
                return scale(right, left.constant)
            return scale(left, right.constant) if not right.terms else None
        case Operation.WRAP:
            lo, hi = space.term_bounds(state, arguments[0])
            fits = arguments[1].constant <= lo and hi <= arguments[2].constant
            return arguments[0] if fits else None
        case _:
            return None


def _operate(operation: Operation, bounds: list[Interval]) -> Interval | None:
    """The interval of an operation's results, None where it has none."""
    left, right = bounds[0], bounds[1]
    match operation:
        case Operation.MUL:
            return interval.multiply(left, right)
        case Operation.DIV:
            return None if right == (0, 0) else interval.divide(left, right)
        case Operation.MOD:
            return None if right == (0, 0) else interval.remainder(left, right)
        case Operation.AND:
            return bits.bit_and(left, right)
        case Operation.OR:
            return bits.bit_or(left, right)
        case Operation.XOR:
            return bits.bit_xor(left, right)
        case Operation.SHL | Operation.SHR:
            count = interval.meet(right, (0, math.inf))
            shift = interval.shift_left if operation is Operation.SHL else interval.shift_right
            return None if count is None else shift(left, count)
        case Operation.WRAP:
            lo, hi = bounds[1][0], bounds[2][1]
            assert isinstance(lo, int)
            assert isinstance(hi, int)
            return interval.wrap(left, lo, hi)
        case _:
            assert_never(operation)


def _lookup(space: Space, state: State, target: str, table: tuple[int, ...], index: Interval) -> State | None:
    """The join of the entries in the index range."""
    first = max(0, index[0])
    last = min(len(table) - 1, index[1])
    if first > last:
        return None
    entries = table[int(first) : int(last) + 1]
    return _set(space, state, target, (min(entries), max(entries)))


def _spawn(space: Space, state: State, arguments: tuple[tuple[str, Linear], ...]) -> State:
    """What the child starts with in the packs of its parameters; its other cells there are as declared."""
    started: State = {}
    for cell, term in arguments:
        pack, position = space.packing.pack_of[cell], space.packing.position[cell]
        value = started.get(pack)
        if value is None:
            value = space.initial(pack)
        lo, hi = space.term_bounds(state, term)
        started[pack] = space.domain.assign_interval(value, position, lo, hi)
    return state | started
