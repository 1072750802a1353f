"""How many of some things a thread has at least, by cells of its own: what it shares out in loops that count.

    count = n; for (i = 0; i < n; i++) start(worker);

Something is known as inequalities of linear terms over own cells: the number of things is a term at least (`True`), or
0 is (`False`). Those of the loop above are that the thread has `n - i` at least, and that `i - n` is 0 at most.
*Approximates*: two of them are added up once, and what holds where ways meet is what holds on each of them as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from duet.plip.syntax import And, Atom, Formula, Linear, Relation
from duet.plip.terms import add, constant, scale, substitute, term_cells, variable

Inequalities: TypeAlias = frozenset[tuple[bool, Linear]]
NOTHING: Inequalities = frozenset()
_MOST = 24
"""Inequalities that are kept."""
_FAR = 1 << 40
"""Constants that are kept where an inequality becomes weaker."""


def common(before: Inequalities, after: Inequalities) -> Inequalities:
    """What both say. *Approximates*: under, so that repeating it ends."""
    behind = {(of, term.terms): term.constant for of, term in after}

    def kept() -> Iterator[tuple[bool, Linear]]:
        for of, term in before:
            least = behind.get((of, term.terms), -_FAR)
            weaker = term.constant if least >= term.constant else _rounded(least)
            if weaker > -_FAR:
                yield of, Linear(term.terms, weaker)

    return frozenset(kept())


def _rounded(number: int) -> int:
    """The next number that is not higher and 0 or a power of 2, or the negative of one: there are few of these."""
    return -(1 << (-number - 1).bit_length()) if number < 0 else (1 << number.bit_length()) >> 1


def with_more(known: Inequalities, amount: int) -> Inequalities:
    """With so many things more, or less."""
    return frozenset((of, add(term, constant(amount)) if of else term) for of, term in known)


def assigned(known: Inequalities, cell: str, value: Linear | None, least: int) -> Inequalities:
    """When an own cell gets a value, None for any, while there are so many things at least."""
    if value is not None and cell in term_cells(value):
        is_moved = value.terms == ((cell, 1),)
        before = add(variable(cell), constant(-value.constant))
        return frozenset((of, substitute(term, {cell: before})) for of, term in known) if is_moved else NOTHING
    kept = frozenset(it for it in known if cell not in term_cells(it[1]))
    if value is None:
        return kept
    away = add(variable(cell), value, -1)  # this is 0 now
    told = kept | {(True, constant(least))} if least else kept
    new = [(False, away), (False, scale(away, -1))]
    new += [(of, add(term, away, by)) for of, term in sorted(told, key=str) for by in (1, -1)]
    return kept.union(new[: max(_MOST - len(kept), 0)])


def told(known: Inequalities, condition: Formula) -> Inequalities:
    """Where a condition holds."""
    return known.union(list(_said(condition))[: max(_MOST - len(known), 0)])


def _said(condition: Formula) -> Iterator[tuple[bool, Linear]]:
    match condition:
        case And(parts):
            for part in parts:
                yield from _said(part)
        case Atom(term, Relation.LE | Relation.EQ as relation):
            yield False, term
            if relation is Relation.EQ:
                yield False, scale(term, -1)
        case _:
            return


def least(known: Inequalities) -> int:
    """How many things there are at least."""
    zeros = [constant(0), *(term for of, term in known if not of)]
    sums = (add(term, zero) for of, term in known if of for zero in zeros)
    return max((found.constant for found in sums if not found.terms), default=0)


def most(known: Inequalities, term: Linear) -> int | None:
    """What a term is at most."""
    sums = (add(scale(zero, -1), term) for of, zero in known if not of)
    return min((found.constant for found in sums if not found.terms), default=None if term.terms else term.constant)
