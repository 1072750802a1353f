"""Meeting abstract states with formulas."""

from __future__ import annotations

import math
from typing import assert_never

from domains.numeric import Bound, Constraint
from duet.absint.state import Space, State, plus
from duet.plip.syntax import And, Atom, Formula, Linear, Or, Relation
from duet.plip.terms import negate, scale

_PASSES = 3


def assume(space: Space, state: State, condition: Formula) -> State | None:
    """The states in which a condition holds, None where there are none.

    *Approximates*: over; a term over several packs tightens each of them by the bounds of the others.
    """
    match condition:
        case Atom():
            return _assume_atom(space, state, condition)
        case And(parts):
            current: State | None = state
            for _ in range(_PASSES if len(parts) > 1 else 1):
                before = current
                for part in parts:
                    if current is None:
                        return None
                    current = assume(space, current, part)
                if current == before:
                    break
            return current
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


def entails(space: Space, state: State, condition: Formula) -> bool:
    """Whether a condition certainly holds; may say no where it does."""
    if isinstance(condition, And):
        return all(entails(space, state, part) for part in condition.parts)
    return assume(space, state, negate(condition)) is None


def _assume_atom(space: Space, state: State, condition: Atom) -> State | None:
    match condition.relation:
        case Relation.LE:
            return _at_most(space, state, condition.term)
        case Relation.EQ:
            return _equal(space, state, condition.term)
        case Relation.NE:
            lo, hi = space.term_bounds(state, condition.term)
            if lo == hi == 0:
                return None
            if lo == 0:  # 1 - term <= 0
                return _at_most(space, state, _shifted(scale(condition.term, -1), 1))
            if hi == 0:  # term + 1 <= 0
                return _at_most(space, state, _shifted(condition.term, 1))
            return state
        case _:
            assert_never(condition.relation)


def _shifted(term: Linear, offset: int) -> Linear:
    return Linear(term.terms, term.constant + offset)


def _at_most(space: Space, state: State, term: Linear) -> State | None:
    """The states in which `term <= 0`."""
    opposite = scale(term, -1)
    result = state
    for pack in space.packs_of(cell for cell, _ in term.terms):
        rest = _rest_upper(space, result, opposite, pack)
        if isinstance(rest, float):
            continue
        met = _meet(space, result, pack, ((space.indexed(opposite, pack, rest), ">="),))
        if met is None:
            return None
        result = met
    return result


def _equal(space: Space, state: State, term: Linear) -> State | None:
    """The states in which `term == 0`."""
    packs = space.packs_of(cell for cell, _ in term.terms)
    if len(packs) == 1:
        return _meet(space, state, packs[0], ((space.indexed(term, packs[0], term.constant), "=="),))
    current = _at_most(space, state, term)
    return None if current is None else _at_most(space, current, scale(term, -1))


def _rest_upper(space: Space, state: State, term: Linear, pack: int) -> Bound:
    """The upper bound of a term without its cells in a pack."""
    upper: Bound = term.constant
    for other in space.packs_of(cell for cell, _ in term.terms):
        if other != pack:
            value = state.get(other)
            if value is None:
                return math.inf
            upper = plus(upper, space.domain.bound_linear(value, space.indexed(term, other, 0))[1])
    return upper


def _meet(space: Space, state: State, pack: int, constraints: tuple[Constraint, ...]) -> State | None:
    domain = space.domain
    value = state.get(pack)
    if value is None:
        value = domain.top(len(space.packing.packs[pack]))
    met = domain.meet_constraints(value, constraints)
    if domain.is_bottom(met):
        return None
    return state | {pack: met}
