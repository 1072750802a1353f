"""Meeting abstract states with formulas."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import assert_never

from domains.numeric import Constraint
from domains.values import arithmetic, number
from domains.values.number import Number
from duet.absint.state import Space, State, Value
from duet.plip.syntax import TRUE, And, Atom, Formula, Linear, Or, Relation
from duet.plip.terms import add, atom, conjunction, disjunction, formula_cells, negate, scale, term_cells

_PASSES = 3


def assume(space: Space, state: State, condition: Formula) -> State | None:
    """The states in which a condition holds, None where there are none; remembered by what is known of its cells.

    *Approximates*: over; a term over several packs tightens each of them by the bounds of the others.
    """
    met = space.memory.met
    if condition not in met:
        met[condition] = space.packs_of(formula_cells(condition)), {}
    packs, answers = met[condition]
    values = [state.get(pack) for pack in packs]
    key = tuple(map(id, values))
    if key not in answers:
        after = _assumed(space, {pack: state[pack] for pack in packs if pack in state}, condition)
        answers[key] = values, None if after is None else _changed(space, state, after)
    changed = answers[key][1]
    return state | changed if changed else None if changed is None else state


def _changed(space: Space, state: State, after: State) -> State:
    """The values of a state that are not those of another one."""
    unique = ((pack, space.unique(value)) for pack, value in after.items())
    return {pack: value for pack, value in unique if state.get(pack) is not value}


def _assumed(space: Space, state: State, condition: Formula) -> State | None:
    """As `assume`, of a state of the packs of the condition."""
    match condition:
        case Atom():
            return _assume_atom(space, state, condition)
        case And(parts):
            return _assume_all(space, state, parts)
        case Or(parts):
            arms = [arm for part in parts if (arm := assume(space, state, part)) is not None]
            if not arms:
                return None
            joined = arms[0]
            for arm in arms[1:]:
                joined = {pack: space.domain.join(value, arm[pack]) for pack, value in joined.items() if pack in arm}
            return joined
        case _:
            assert_never(condition)


def _assume_all(space: Space, state: State, parts: Sequence[Formula]) -> State | None:
    """The states in which all parts hold: each is met with what the others say, but where that would change nothing."""
    met: dict[int, State] = {}
    current = state
    for _ in range(_PASSES if len(parts) > 1 else 1):
        before = current
        for place, part in enumerate(parts):
            if place in met and _is_same(space, met[place], current, part):
                continue
            after = assume(space, current, part)
            if after is None:
                return None
            if after is current:
                met[place] = current
            else:
                met.pop(place, None)
            current = after
        if current == before:
            break
    return current


def _is_same(space: Space, old: State, new: State, condition: Formula) -> bool:
    """Whether two states have the same objects for all that a condition is about; may say no where they do."""
    if old is new or not isinstance(condition, Atom):
        return old is new
    packs = [space.packing.pack_of[cell] for cell, _ in condition.term.terms]
    return all(old.get(pack) is new.get(pack) for pack in packs)


def entails(space: Space, state: State, condition: Formula) -> bool:
    """Whether a condition certainly holds; may say no where it does."""
    if isinstance(condition, And):
        return all(entails(space, state, part) for part in condition.parts)
    return assume(space, state, negate(condition)) is None


def known_equal(space: Space, certain: Sequence[Atom], packs: Collection[int]) -> Formula:
    """What is certain of the cells of these packs, TRUE if nothing is."""
    known = tuple(one for one in certain if set(space.packs_of(cell for cell, _ in one.term.terms)) <= set(packs))
    return And(known) if known else TRUE


def simplified(condition: Formula, certain: Sequence[Atom]) -> Formula:
    """An equivalent of a condition where what is certain holds.

    Equal cells of one term are put together; a term of several cells is decided where its bounds do that.
    """
    match condition:
        case Atom(term, relation):
            equal = [found.term for found in certain if found.relation is Relation.EQ and len(found.term.terms) == 2]
            for equality in equal:
                (left, _), (right, _) = equality.terms
                factor = next((k for cell, k in term.terms if cell == left), 0)
                if factor and any(cell == right for cell, _ in term.terms):
                    term = add(term, equality, -factor * equality.terms[0][1])
            bounds = [found.term for found in certain if found.relation is Relation.LE and len(found.term.terms) > 1]
            answer = _answer(_of_bounded(term, equal, bounds), relation, bounds) if bounds else None
            return atom(term, relation) if answer is None else TRUE if answer else negate(TRUE)
        case And(parts):
            return conjunction(simplified(part, certain) for part in parts)
        case Or(parts):
            return disjunction(simplified(part, certain) for part in parts)
        case _:
            assert_never(condition)


def _of_bounded(term: Linear, equal: Sequence[Linear], bounds: Sequence[Linear]) -> Linear:
    """A term with the cells of bounded ones in the place of those that are equal to one."""
    bounded = frozenset().union(*map(term_cells, bounds))
    for equality in equal:
        for cell, k in equality.terms:
            factor = next((found for name, found in term.terms if name == cell), 0)
            if factor and cell not in bounded and term_cells(equality) - {cell} <= bounded:
                term = add(term, equality, -factor * k)
    return term


def _answer(term: Linear, relation: Relation, bounds: Sequence[Linear]) -> bool | None:
    """Whether a term relates to 0, by bounds of the same sum (each at most 0); None if they do not tell."""
    upper = [term.constant - bound.constant for bound in bounds if bound.terms == term.terms]
    lower = [term.constant + bound.constant for bound in bounds if scale(bound, -1).terms == term.terms]
    value = number.of_bounds(max(lower, default=-math.inf), min(upper, default=math.inf))
    if value is None or not term.terms:
        return None
    if relation is Relation.LE:
        return True if value.hi <= 0 else False if value.lo > 0 else None
    if not number.contains(value, 0):
        return relation is Relation.NE
    return relation is Relation.EQ if value == number.ZERO else None


def _assume_atom(space: Space, state: State, condition: Atom) -> State | None:
    term = condition.term
    if len(term.terms) == 1:
        return _assume_of_cell(space, state, condition)
    match condition.relation:
        case Relation.LE:
            return _at_most(space, state, term)
        case Relation.EQ:
            return _equal(space, state, term)
        case Relation.NE:
            return _unequal(space, state, term)
        case _:
            assert_never(condition.relation)


def _assume_of_cell(space: Space, state: State, condition: Atom) -> State | None:
    """The states in which `k * cell + constant` is as a condition says (as exact as numbers are)."""
    ((cell, k),), constant = condition.term.terms, condition.term.constant
    match condition.relation:
        case Relation.LE:
            bounds = (-math.inf, -constant // k) if k > 0 else (-(constant // k), math.inf)
            return _meet_number(space, state, cell, number.of_bounds(*bounds))
        case Relation.EQ:
            return _meet_number(space, state, cell, arithmetic.solve(k, number.constant(-constant)))
        case Relation.NE:
            return _exclude(space, state, space.packing.pack_of[cell], condition.term, 0)
        case _:
            assert_never(condition.relation)


def _shifted(term: Linear, offset: int) -> Linear:
    return Linear(term.terms, term.constant + offset)


def _at_most(space: Space, state: State, term: Linear) -> State | None:
    """The states in which `term <= 0`."""
    opposite = scale(_raised(space, state, term), -1)
    result = state
    for pack in space.packs_of(cell for cell, _ in term.terms):
        rest = space.term_bounds(result, _without(space, opposite, pack))[1]
        if isinstance(rest, float):
            continue
        met = _meet(space, result, pack, ((space.indexed(opposite, pack, rest), ">="),))
        if met is None:
            return None
        result = met
    return result


def _raised(space: Space, state: State, term: Linear) -> Linear:
    """A term and what it lacks of 0 at least where it is at most 0, by the steps that its cells go."""
    step, residue = 0, term.constant
    for cell, k in term.terms:
        known = space.number(state, cell)
        step, residue = math.gcd(step, k * known.modulus), residue + k * known.residue
        if step == 1:
            return term
    return _shifted(term, -residue % step) if step else term


def _equal(space: Space, state: State, term: Linear) -> State | None:
    """The states in which `term == 0`."""
    packs = space.packs_of(cell for cell, _ in term.terms)
    if len(packs) == 1:
        return _meet(space, state, packs[0], ((space.indexed(term, packs[0], term.constant), "=="),))
    current: State | None = state
    if len(packs) < len(term.terms):
        current = _at_most(space, state, term)
        current = None if current is None else _at_most(space, current, scale(term, -1))
    for cell, k in term.terms:
        if current is None:
            return None
        pack = space.packing.pack_of[cell]
        rest = _without(space, term, pack)
        if len(rest.terms) == len(term.terms) - 1:
            allowed = arithmetic.solve(-k, space.term_number(current, rest))
            current = _meet_number(space, current, cell, allowed)
    return current


def _unequal(space: Space, state: State, term: Linear) -> State | None:
    """The states in which `term != 0`."""
    value = space.term_number(state, term)
    if not number.contains(value, 0):
        return state
    current: State | None = state
    if value == number.ZERO:
        return None
    if value.lo == 0:  # 1 - term <= 0
        current = _at_most(space, state, _shifted(scale(term, -1), 1))
    elif value.hi == 0:  # term + 1 <= 0
        current = _at_most(space, state, _shifted(term, 1))
    for pack in space.packs_of(cell for cell, _ in term.terms):
        if current is None:
            return None
        rest = space.term_number(current, _without(space, term, pack))
        if not rest.modulus:
            current = _exclude(space, current, pack, term, rest.residue - term.constant)
    return current


def _without(space: Space, term: Linear, pack: int) -> Linear:
    """A term without its cells in a pack."""
    pack_of = space.packing.pack_of
    return Linear(tuple([part for part in term.terms if pack_of[part[0]] != pack]), term.constant)


def _meet(space: Space, state: State, pack: int, constraints: tuple[Constraint, ...]) -> State | None:
    return _kept(space, state, pack, space.made(space.domain.meet_constraints, _value(space, state, pack), constraints))


def _meet_number(space: Space, state: State, cell: str, allowed: Number | None) -> State | None:
    """The states in which a cell is a member of a number, None for no number at all."""
    if allowed is None:
        return None
    pack, position = space.packing.pack_of[cell], space.packing.position[cell]
    return _kept(
        space, state, pack, space.made(space.domain.meet_number, _value(space, state, pack), position, allowed)
    )


def _exclude(space: Space, state: State, pack: int, term: Linear, rest: int) -> State | None:
    """The states in which the part of a term in a pack, its constant and `rest` do not add up to 0."""
    excluded = space.indexed(term, pack, term.constant + rest)
    return _kept(space, state, pack, space.made(space.domain.exclude, _value(space, state, pack), excluded))


def _value(space: Space, state: State, pack: int) -> Value:
    value = state.get(pack)
    return space.domain.top(len(space.packing.packs[pack])) if value is None else value


def _kept(space: Space, state: State, pack: int, value: Value) -> State | None:
    """The state with a value of a pack: the same object where that is what it has."""
    if space.domain.is_bottom(value):
        return None
    return state if pack in state and state[pack] == value else state | {pack: value}
