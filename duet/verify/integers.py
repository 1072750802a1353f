"""Conjunctions of linear literals over integers: tight literals, and what is left of them without a variable."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from duet.plip.syntax import FALSE, Atom, Formula, Linear, Relation
from duet.plip.terms import add, atom, holds, scale, substitute, variable

_MOST = 200  # literals that eliminating a variable may lead to


def tightened(literal: Atom) -> Atom | bool:
    """The literal divided by what its coefficients have in common; a truth value where it is one.

    Of `<=` the constant is rounded, which leaves the same integers.
    """
    terms, constant = literal.term.terms, literal.term.constant
    if not terms:
        return holds(constant, literal.relation)
    factor = gcd(*(k for _, k in terms))
    if factor != 1:
        if literal.relation is not Relation.LE and constant % factor:
            return literal.relation is Relation.NE
        constant = -((-constant) // factor)
        terms = tuple((cell, k // factor) for cell, k in terms)
    found = atom(Linear(terms, constant), literal.relation)
    assert isinstance(found, Atom)
    return found


def without(literals: Iterable[Atom], name: str) -> tuple[Atom, ...]:
    """Literals that hold for some value of a variable, without it.

    *Approximates*: over; exact where an equality has it with coefficient 1, or where all bounds of it have. A literal
    `!=` with it is lost. (Fourier and Motzkin.)
    """
    kept: list[Atom] = []
    bounds: list[Atom] = []
    for literal in literals:
        (bounds if any(cell == name for cell, _ in literal.term.terms) else kept).append(literal)
    for literal in bounds:
        value = dict(solutions(literal)).get(name)
        if value is not None:
            others = (other for other in bounds if other is not literal)
            return (*kept, *put(others, name, value))
    highs: list[tuple[int, Linear]] = []  # k * name <= -rest
    lows: list[tuple[int, Linear]] = []
    for literal in bounds:
        if literal.relation is Relation.NE:
            continue
        for sign in (1, -1) if literal.relation is Relation.EQ else (1,):
            term = scale(literal.term, sign)
            factor = sign * _factor(literal, name)
            rest = add(term, variable(name), -factor)
            (highs if factor > 0 else lows).append((abs(factor), rest))
    if len(highs) * len(lows) > _MOST:
        return tuple(kept)
    for high, above in highs:
        for low, below in lows:
            found = atom(add(scale(above, low), scale(below, high)), Relation.LE)
            kept += [found] if isinstance(found, Atom) else falsity(found)
    return tuple(kept)


def solutions(literal: Atom) -> list[tuple[str, Linear]]:
    """The variables that an equality gives a value as a term over the others; none for other literals."""
    if literal.relation is not Relation.EQ:
        return []
    return [
        (name, scale(add(literal.term, variable(name), -factor), -factor))
        for name, factor in literal.term.terms
        if abs(factor) == 1
    ]


def put(literals: Iterable[Atom], name: str, value: Linear) -> list[Atom]:
    """The literals with a term for a variable."""
    result: list[Atom] = []
    for literal in literals:
        found = atom(substitute(literal.term, {name: value}), literal.relation)
        result += [found] if isinstance(found, Atom) else falsity(found)
    return result


def falsity(formula: Formula) -> list[Atom]:
    """A truth value as literals: none for true, one that never holds for false."""
    return [Atom(Linear((), 1), Relation.EQ)] if formula == FALSE else []


def _factor(literal: Atom, name: str) -> int:
    return next(k for cell, k in literal.term.terms if cell == name)
