"""Conditions where something is certain: by definition, on all stores of a few small numbers."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from duet.absint.conditions import simplified
from duet.plip.syntax import TRUE, Atom, Linear, Relation
from duet.plip.terms import linear, satisfies, show_formula

CELLS = ("a", "b", "c")
STORES = [dict(zip(CELLS, values, strict=True)) for values in product(range(-2, 3), repeat=len(CELLS))]
SUM = linear({"a": 1, "b": 1}, -4)


def at_most(term: Linear) -> Atom:
    return Atom(term, Relation.LE)


def test_bounds_of_a_sum_decide_what_is_asked_of_it() -> None:
    both = (at_most(SUM), at_most(linear({"a": -1, "b": -1}, 4)))
    assert simplified(Atom(SUM, Relation.EQ), both) == TRUE
    assert show_formula(simplified(Atom(SUM, Relation.NE), both)) == "false"
    assert simplified(Atom(SUM, Relation.EQ), both[:1]) == Atom(SUM, Relation.EQ)


def test_so_they_do_for_what_is_equal_to_a_cell_of_it() -> None:
    equal = Atom(linear({"a": 1, "c": -1}, 1), Relation.EQ)  # c is a + 1
    copied = linear({"b": 1, "c": 1}, -5)
    assert simplified(at_most(copied), (equal, at_most(SUM))) == TRUE
    smaller = at_most(linear({"b": 1, "c": 1}, -4))
    assert simplified(smaller, (equal, at_most(SUM))) != TRUE


@pytest.mark.parametrize("seed", range(4))
def test_nothing_changes_where_it_is_certain(seed: int) -> None:
    rng = Random(seed)

    def some(relation: Relation, cells: int) -> Atom:
        return Atom(
            linear({cell: rng.choice((-1, 1)) for cell in rng.sample(CELLS, cells)}, rng.randint(-3, 3)), relation
        )

    for _ in range(60):
        certain = [some(Relation.LE, rng.choice((2, 3))) for _ in range(rng.randint(1, 3))]
        certain += [some(Relation.EQ, 2) for _ in range(rng.randint(0, 2))]
        asked = some(rng.choice(list(Relation)), rng.choice((1, 2, 3)))
        found = simplified(asked, certain)
        for store in STORES:
            if all(satisfies(it, store) for it in certain):
                assert satisfies(found, store) == satisfies(asked, store)
