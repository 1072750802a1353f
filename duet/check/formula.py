"""Implications that the numeric domain does not see, asked of z3.

z3 appears in this module only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, assert_never

from domains.numeric import LinExpr
from domains.values.number import Number, bounds, constant, contains
from duet import lazy
from duet.absint.conditions import assume
from duet.absint.state import Points, Space, State
from duet.plip.syntax import And, Atom, Formula, Linear, Or, Relation
from duet.plip.terms import formula_cells, negate, satisfies, term_cells

if TYPE_CHECKING:
    import z3
else:
    z3 = lazy.module("z3")

_TIMEOUT_MS = 2000
_POINTS = 64  # of ends of numbers, tried first: z3 takes as long to start as some hundred of them


def certainly_implies(space: Space, state: State, condition: Formula, certain: Sequence[Atom] = ()) -> bool:
    """Whether every point of a state satisfies a condition. *Approximates*: no when z3 does not answer in time.

    Points are those where all that is `certain` holds. *Requires*: the state has all that is known of the cells of the
    condition and of what is certain.
    """
    cells = formula_cells(condition)
    if _fails_somewhere(space, state, condition, cells, certain) or _fails_at_an_end(space, state, condition, certain):
        return False
    cells = cells.union(*(term_cells(one.term) for one in certain))
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
    solver.add(z3.Not(_formula(condition, names)), *(_formula(one, names) for one in certain))
    return bool(solver.check() == z3.unsat)


def _fails_somewhere(
    space: Space, state: State, condition: Formula, cells: Collection[str], certain: Sequence[Atom]
) -> bool:
    """Whether one of the first few points, made of ends of numbers, is one of the state and fails the condition."""
    packs = [pack for pack in space.packs_of(cells) if pack in state]
    known = {cell for pack in packs for cell in space.packing.packs[pack]}
    names = [*sorted(known.difference(cells)), *sorted(cells)]  # the last ones vary most
    choices = [_ends(space.number(state, cell)) if cell in known else [0] for cell in names]
    points = Points(space, {pack: state[pack] for pack in packs})
    tried = (dict(zip(names, values, strict=True)) for values in islice(product(*choices), _POINTS))
    return any(not satisfies(condition, point) and points.contain(point) and _agrees(certain, point) for point in tried)


def _fails_at_an_end(space: Space, state: State, condition: Formula, certain: Sequence[Atom]) -> bool:
    """Whether a condition fails at a point at the end of where one of its parts may fail, as far as is known."""
    points, free = Points(space, state), dict.fromkeys(formula_cells(condition), 0)
    for part in condition.parts if isinstance(condition, And) else (condition,):
        failing = assume(space, state, negate(part))
        corners = (None if failing is None else _corner(space, failing, is_least) for is_least in (True, False))
        for point in (free | corner for corner in corners if corner is not None):
            if not satisfies(condition, point) and points.contain(point) and _agrees(certain, point):
                return True
    return False


def _corner(space: Space, state: State, is_least: bool) -> dict[str, int] | None:
    """A point of a state: one cell after the other has an end of what is left for it. None where nothing is left."""
    point: dict[str, int] = {}
    for pack, value in state.items():
        for position, cell in enumerate(space.packing.packs[pack]):
            point[cell] = _end(space.domain.number(value, position), is_least)
            value = space.domain.meet_number(value, position, constant(point[cell]))
            if space.domain.is_bottom(value):
                return None
    return point


def _end(found: Number, is_least: bool) -> int:
    """The least or the greatest member of a number, the other one where there is none, any if there is neither."""
    first, second = (found.lo, found.hi) if is_least else (found.hi, found.lo)
    return first if isinstance(first, int) else second if isinstance(second, int) else found.residue


def _agrees(certain: Sequence[Atom], point: Mapping[str, int]) -> bool:
    """Whether a point may satisfy all atoms: those over other cells, too, are taken to exclude it."""
    return all(term_cells(one.term) <= point.keys() and satisfies(one, point) for one in certain)


def _ends(found: Number) -> list[int]:
    """Members of a number: its bounds, and small ones."""
    tried = dict.fromkeys((*bounds(found), 0, 1, -1))
    return [value for value in tried if isinstance(value, int) and contains(found, value)]


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
