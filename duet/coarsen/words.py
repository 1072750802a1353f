"""Commands, values and invariants in the words of the user's source."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import assert_never

from domains.numeric import Bound, Constraint
from domains.values.number import Number
from duet.absint.state import Space, State, Value
from duet.plip.syntax import (
    MADE,
    SKIP,
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
    Program,
    Relation,
    Spawn,
)
from duet.plip.terms import show_atom, show_formula, show_term

# How many copies of copies a name is followed through.
_COPIES = 4
WIDTHS = (8, 16, 32, 64)
PAGE = 4096
TYPE_BOUNDS = frozenset(
    [(0, (1 << width) - 1) for width in WIDTHS] + [(-(1 << width - 1), (1 << width - 1) - 1) for width in WIDTHS]
)
"""The bounds that types have: to say them says nothing."""


def label(program: Program, cell: str) -> str:
    """The user's name of a cell; of what it copies, for a temporary; other temporaries keep their own."""
    source = cell
    for _ in range(_COPIES):
        if source not in program.copied:
            break
        source = program.copied[source]
    return program.cells[source].label.removeprefix(MADE) or cell


def instruction_words(program: Program, instruction: Instruction) -> str:
    """An instruction with the user's names."""

    def name(cell: str) -> str:
        found = label(program, cell)
        return "a value" if found.startswith("$") and found[1:].isdigit() else found

    match instruction:
        case Assign(target, value):
            left, right = name(target), show_term(value, name)
            return f"read {right}" if left == right else f"{left} := {right}"
        case Havoc(target, lo, hi):
            return f"{name(target)} := any value{_between(lo, hi)}"
        case Compute(target, operation, arguments):
            shown = [show_term(argument, name) for argument in arguments]
            right = f" {operation} ".join(shown) if len(shown) == 2 else f"{shown[0]} in {shown[1]}..{shown[2]}"
            return f"{name(target)} := {right}"
        case Lookup(target, _, index):
            return f"{name(target)} := table[{show_term(index, name)}]"
        case Guard(condition):
            return "skip" if instruction == SKIP else f"[{show_formula(condition, name)}]"
        case Assert(condition):
            return f"assert {show_formula(condition, name)}"
        case Spawn(template):
            return f"start {program.templates[template].label}"
        case Join(template):
            return f"join {program.templates[template].label}"
        case Atomic(steps):
            return f"atomic {{ {'; '.join(instruction_words(program, step) for step in steps)} }}"
        case _:
            assert_never(instruction)


def _between(lo: int | None, hi: int | None) -> str:
    if (lo is None and hi is None) or (lo, hi) in TYPE_BOUNDS:
        return ""
    return f" in {'' if lo is None else lo}..{'' if hi is None else hi}"


def value_words(space: Space, value: Value | None, cell: str) -> str:
    """What a value of its pack tells of a cell: `3`, `0..1`, `0 or 42`, `3.. in steps of 4`, `any`."""
    if value is None:
        return "none"
    found = space.domain.number(value, space.packing.position[cell])
    if found.modulus == 0:
        return str(found.residue)
    if has_gaps(found):
        return " or ".join(map(str, found.members))
    if found.modulus == 1 and found.lo == -math.inf and found.hi == math.inf:
        return "any"
    if found.modulus % PAGE == 0 and found.residue == 0 and found.lo >= 0:  # so are addresses of objects
        return "an address" if found.lo > 0 else "null or an address"
    between = f"{'' if found.lo == -math.inf else found.lo}..{'' if found.hi == math.inf else found.hi}"
    return between if found.modulus == 1 else f"{between} ({found.residue} modulo {found.modulus})"


def has_gaps(found: Number) -> bool:
    """Whether a number is a set that is not all integers between its bounds."""
    return len(found.members) > 1 and found.hi - found.lo >= len(found.members)


def invariant_words(space: Space, state: State, cells: Iterable[str]) -> str:
    """What a state says of cells: bounds, and relations between them; `true` for nothing."""
    chosen = sorted(set(cells))
    parts = [part for cell in chosen if (part := _bounds_words(space, state, cell))]
    for pack in space.packs_of(chosen):
        if pack in state:
            parts += _relation_words(space, pack, space.domain.constraints(state[pack]), frozenset(chosen))
    return " && ".join(parts) if parts else "true"


def _bounds_words(space: Space, state: State, cell: str) -> str:
    found = space.number(state, cell)
    lo, hi = found.lo, found.hi
    name = label(space.program, cell)
    if lo == hi:
        return f"{name} == {lo}"
    if has_gaps(found):
        return f"{name} in {{{', '.join(map(str, found.members))}}}"
    left = "" if lo == -math.inf else f"{_number(lo)} <= "
    right = "" if hi == math.inf else f" <= {_number(hi)}"
    parts = []
    if left or right:
        parts.append(
            f"{left}{name}{right}" if left and right else (f"{name} >= {_number(lo)}" if left else f"{name}{right}")
        )
    if found.modulus > 1:
        parts.append(f"{name} mod {found.modulus} == {found.residue}")
    return " && ".join(parts)


def _number(bound: Bound) -> str:
    return str(bound)


def _relation_words(
    space: Space, pack: int, constraints: tuple[Constraint, ...], chosen: frozenset[str]
) -> Iterable[str]:
    cells = space.packing.packs[pack]
    for (terms, constant), relation in constraints:
        if len(terms) < 2 or not {cells[index] for index, _ in terms} <= chosen:
            continue
        # The domain writes `expression >= 0`; atoms are `term <= 0`.
        sign = -1 if relation == ">=" else 1
        term = Linear(tuple(sorted((cells[index], sign * k) for index, k in terms)), sign * constant)
        yield show_atom(
            Atom(term, Relation.LE if relation == ">=" else Relation.EQ), lambda cell: label(space.program, cell)
        )
