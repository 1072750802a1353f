"""Implications that the numeric domain does not see, asked of z3.

z3 appears in this module only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import z3

from domains.numeric import LinExpr
from domains.values.number import Number
from duet.absint.state import Space, State
from duet.plip.syntax import And, Atom, Formula, Linear, Or, Relation
from duet.plip.terms import formula_cells

_TIMEOUT_MS = 2000


def certainly_implies(space: Space, state: State, condition: Formula) -> bool:
    """Whether every point of a state satisfies a condition. *Approximates*: no when z3 does not answer in time.

    With one cell the domains are exact, so only conditions over several are asked.
    """
    cells = formula_cells(condition)
    if len(cells) < 2:
        return False
    solver = z3.SolverFor("QF_LIA")
    solver.set("timeout", _TIMEOUT_MS)
    names = {cell: z3.Int(cell) for pack in space.packs_of(cells) for cell in space.packing.packs[pack]}
    for pack in space.packs_of(cells):
        if pack in state:
            variables = [names[cell] for cell in space.packing.packs[pack]]
            for expression, relation in space.domain.constraints(state[pack]):
                value = _expression(expression, variables)
                solver.add(value >= 0 if relation == ">=" else value == 0)
            for cell in space.packing.packs[pack]:
                solver.add(_is_member(names[cell], space.number(state, cell)))
    solver.add(z3.Not(_formula(condition, names)))
    return bool(solver.check() == z3.unsat)


def _is_member(value: z3.ArithRef, found: Number) -> z3.BoolRef:
    """Whether a value is a member of a number; the bounds are among the constraints."""
    if found.members:
        return z3.Or(*(value == member for member in found.members))
    if found.modulus > 1:
        return (value - found.residue) % found.modulus == 0
    return z3.BoolVal(True)


def _expression(expression: LinExpr, variables: list[z3.ArithRef]) -> z3.ArithRef:
    terms, constant = expression
    return z3.IntVal(constant) + sum(k * variables[index] for index, k in terms)


def _term(term: Linear, names: Mapping[str, z3.ArithRef]) -> z3.ArithRef:
    return z3.IntVal(term.constant) + sum(k * names[cell] for cell, k in term.terms)


def _formula(condition: Formula, names: Mapping[str, z3.ArithRef]) -> z3.BoolRef:
    match condition:
        case Atom(term, relation):
            value = _term(term, names)
            match relation:
                case Relation.LE:
                    return value <= 0
                case Relation.EQ:
                    return value == 0
                case Relation.NE:
                    return value != 0
                case _:
                    assert_never(relation)
        case And(parts):
            return z3.And(*(_formula(part, names) for part in parts))
        case Or(parts):
            return z3.Or(*(_formula(part, names) for part in parts))
        case _:
            assert_never(condition)
