"""Instructions with other names for cells, or with other terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, assert_never

from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Or,
    Spawn,
)
from duet.plip.terms import rename_term

_Terms: TypeAlias = Callable[[Linear], Linear]


def renamed(instruction: Instruction, names: Mapping[str, str]) -> Instruction:
    """An instruction that starts and awaits no thread, with other names for cells; terms keep their sign."""

    def name(cell: str) -> str:
        return names.get(cell, cell)

    match instruction:
        case Assign(target, value):
            return Assign(name(target), rename_term(value, name))
        case Havoc(target, lo, hi):
            return Havoc(name(target), lo, hi)
        case Compute(target, operation, arguments):
            return Compute(name(target), operation, tuple(rename_term(one, name) for one in arguments))
        case Lookup(target, table, index):
            return Lookup(name(target), table, rename_term(index, name))
        case Guard(condition, call):
            return Guard(_formula(condition, lambda term: rename_term(term, name)), call)
        case Assert(condition, check, stops):
            return Assert(_formula(condition, lambda term: rename_term(term, name)), check, stops)
        case Atomic(parts):
            return Atomic(tuple(renamed(part, names) for part in parts))  # type: ignore[misc]  # steps stay steps
        case Spawn() | Join():
            raise AssertionError("these are about templates, too")
        case _:
            assert_never(instruction)


def with_terms(instruction: Instruction, change: _Terms) -> Instruction:
    """An instruction with the terms changed that may have any constant: of assignments, conditions and arguments."""
    match instruction:
        case Assign(target, value):
            return Assign(target, change(value))
        case Guard(condition):
            return Guard(_formula(condition, change))
        case Assert(condition, check, stops):
            return Assert(_formula(condition, change), check, stops)
        case Spawn(template, arguments):
            return Spawn(template, tuple((cell, change(value)) for cell, value in arguments))
        case Atomic(parts):
            return Atomic(tuple(with_terms(part, change) for part in parts))  # type: ignore[misc]  # steps stay steps
        case Havoc() | Compute() | Lookup() | Join():
            return instruction
        case _:
            assert_never(instruction)


def _formula(formula: Formula, change: _Terms) -> Formula:
    match formula:
        case Atom(term, relation):
            return Atom(change(term), relation)
        case And(parts):
            return And(tuple(_formula(part, change) for part in parts))
        case Or(parts):
            return Or(tuple(_formula(part, change) for part in parts))
        case _:
            assert_never(formula)
