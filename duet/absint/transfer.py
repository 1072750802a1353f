"""Abstract post-states of instructions.

*Source*: the equations `C(s) = post(L(src s))` of thesis Def. 3.3.1. *Approximates*: over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import assert_never

from domains.numeric import LinExpr
from domains.values import arithmetic, number
from domains.values.number import Number
from duet.absint.conditions import assume
from duet.absint.state import Space, State, Value
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Compute,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Operation,
    Relation,
    Spawn,
    Step,
)
from duet.plip.terms import add, constant, scale, term_cells, variable

MOST_BITS = 64
"""Bits that numbers may be shifted by."""


def post(space: Space, state: State, instruction: Instruction) -> State | None:
    """The states after an instruction, None where it cannot pass.

    A spawn sets the packs of the child's parameters to what the child starts with.
    """
    match instruction:
        case Assign(target, value):
            return _assign(space, state, target, value)
        case Havoc(target, lo, hi):
            found = number.of_bounds(-math.inf if lo is None else lo, math.inf if hi is None else hi)
            return _set(space, state, target, found)
        case Compute():
            return _compute(space, state, instruction)
        case Lookup(target, table, index):
            return _lookup(space, state, target, table, space.term_number(state, index))
        case Guard(condition):
            return assume(space, state, condition)
        case Assert(condition, _, stops):
            return assume(space, state, condition) if stops else state
        case Spawn(_, arguments):
            return _spawn(space, state, arguments)
        case Join():
            return state
        case Atomic(steps):
            return after_section(space, state, steps)
        case _:
            assert_never(instruction)


def passes(space: Space, state: State, command: int) -> bool:
    """Whether a command of the program can pass in some of the states; remembered by the values of the state."""
    program, known = space.program, space.memory.passes
    key = (program.kinds[command], *[(pack, id(space.unique(value))) for pack, value in state.items()])
    found = known.get(key)
    if found is None:
        found = known[key] = post(space, state, program.commands[command].instruction) is not None
    return found


def after_section(space: Space, state: State, steps: tuple[Step, ...]) -> State | None:
    """The states after steps in order: of a summary cell, what they add to it; they may still read what was there."""
    added: State = {}
    for step in steps:
        after = post(space, state, step)
        if after is None:
            return None
        if not isinstance(step, Guard) and space.program.cells[step.target].summary:
            pack = space.packing.pack_of[step.target]
            new = after[pack]
            added[pack] = space.domain.join(added[pack], new) if pack in added else new
            if pack in state:
                after = after | {pack: space.domain.join(state[pack], new)}
        state = after
    return state | added


def _base(space: Space, state: State, target: str) -> tuple[int, int, Value]:
    """The pack and position of a cell that is about to be written, and the pack's value before.

    A write to a summary cell says only what is added to it, so nothing before matters.
    """
    pack, position = space.packing.pack_of[target], space.packing.position[target]
    value = None if space.program.cells[target].summary else state.get(pack)
    return pack, position, space.domain.top(len(space.packing.packs[pack])) if value is None else value


def _set(space: Space, state: State, target: str, found: Number | None) -> State | None:
    """Assigns any member of a number; None is an empty one."""
    if found is None:
        return None
    pack, position, value = _base(space, state, target)
    return state | {pack: space.domain.assign_number(value, position, found)}


def _assign(space: Space, state: State, target: str, term: Linear) -> State:
    pack, position, value = _base(space, state, target)
    pack_of = space.packing.pack_of
    others = tuple([part for part in term.terms if pack_of[part[0]] != pack])
    if not others:
        assigned = space.domain.assign(value, position, space.indexed(term, pack, term.constant))
        return state | {pack: assigned}
    if len(others) < len(term.terms):
        rest = space.term_number(state, Linear(others, term.constant))
        if not rest.modulus:
            own: LinExpr = space.indexed(term, pack, rest.residue)
            return state | {pack: space.domain.assign(value, position, own)}
    return state | {pack: space.domain.assign_number(value, position, space.term_number(state, term))}


def _compute(space: Space, state: State, instruction: Compute) -> State | None:
    target, arguments = instruction.target, instruction.arguments
    exact = _as_linear(space, state, instruction)
    if exact is not None:
        return _assign(space, state, target, exact)
    after = _set(space, state, target, _operate(instruction, [space.term_number(state, term) for term in arguments]))
    related = tuple(_related(space, state, instruction))
    return assume(space, after, And(related)) if after is not None and related else after


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
        case Operation.MOD if not arguments[1].terms and (divisor := arguments[1].constant) > 0:
            lo, hi = space.term_bounds(state, arguments[0])
            if not (lo >= 0 and isinstance(lo, int) and isinstance(hi, int) and lo // divisor == hi // divisor):
                return None
            return add(arguments[0], constant(-(lo // divisor) * divisor))
        case _:
            return None


def _related(space: Space, state: State, instruction: Compute) -> Iterator[Atom]:
    """What holds of the result of an operation and what it was made of, where one pack has both in it."""
    target, (value, second, *_) = instruction.target, instruction.arguments
    pack_of, cells = space.packing.pack_of, term_cells(value)
    if second.terms or not cells or target in cells or any(pack_of[cell] != pack_of[target] for cell in cells):
        return
    if any(space.program.cells[cell].summary for cell in (target, *cells)):
        return
    is_negative = space.term_bounds(state, value)[0] < 0
    match instruction.operation:
        case Operation.DIV if second.constant > 0 and not is_negative:
            divisor = second.constant
        case Operation.SHR if 0 <= second.constant < MOST_BITS:
            divisor = 1 << second.constant
        case Operation.MOD | Operation.AND if not is_negative and second.constant > 0:
            yield Atom(add(variable(target), value, -1), Relation.LE)
            return
        case _:
            return
    rest = add(value, variable(target), -divisor)
    yield Atom(scale(rest, -1), Relation.LE)
    yield Atom(add(rest, constant(1 - divisor)), Relation.LE)


def _operate(instruction: Compute, numbers: list[Number]) -> Number | None:
    """The number of an operation's results, None where it has none."""
    left, right = numbers[0], numbers[1]
    match instruction.operation:
        case Operation.MUL:
            return arithmetic.multiply(left, right)
        case Operation.DIV:
            return arithmetic.divide(left, right)
        case Operation.MOD:
            return arithmetic.remainder(left, right)
        case Operation.AND:
            return arithmetic.bit_and(left, right)
        case Operation.OR:
            return arithmetic.bit_or(left, right)
        case Operation.XOR:
            return arithmetic.bit_xor(left, right)
        case Operation.SHL:
            return arithmetic.shift_left(left, right)
        case Operation.SHR:
            return arithmetic.shift_right(left, right)
        case Operation.WRAP:
            return arithmetic.wrap(left, instruction.arguments[1].constant, instruction.arguments[2].constant)
        case _:
            assert_never(instruction.operation)


def _lookup(space: Space, state: State, target: str, table: tuple[int, ...], index: Number) -> State | None:
    """The join of the entries that the index can choose."""
    chosen = number.clip(index, 0, len(table) - 1)
    if chosen is None:
        return None
    places = chosen.members or range(int(chosen.lo), int(chosen.hi) + 1, chosen.modulus)
    return _set(space, state, target, number.of_members(table[place] for place in places))


def _spawn(space: Space, state: State, arguments: tuple[tuple[str, Linear], ...]) -> State:
    """What the child starts with in the packs of its parameters; its other cells there are as declared."""
    started: State = {}
    for cell, term in arguments:
        pack, position = space.packing.pack_of[cell], space.packing.position[cell]
        value = started.get(pack)
        if value is None:
            value = space.initial(pack)
        started[pack] = space.domain.assign_number(value, position, space.term_number(state, term))
    return state | started
