"""What bounds decide is so for every value."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from duet.plip.syntax import Atom, Linear, Relation
from duet.plip.terms import satisfies
from duet.verify.bounds import Bounds


def literals() -> st.SearchStrategy[Atom]:
    terms = st.sampled_from(((("x", 1),), (("x", -1),), (("x", 1), ("y", -1)), (("x", -1), ("y", 1)), (("y", 2),)))
    return st.builds(Atom, st.builds(Linear, terms, st.integers(-3, 3)), st.sampled_from([*Relation]))


@given(st.lists(literals(), max_size=4), literals())
def test_what_is_decided_is_so(known: list[Atom], asked: Atom) -> None:
    decided = Bounds.of(known).decides(asked)
    if decided is None:
        return
    for x, y in product(range(-6, 7), repeat=2):
        store = {"x": x, "y": y}
        if all(satisfies(literal, store) for literal in known):
            assert satisfies(asked, store) == decided


def test_what_is_seen() -> None:
    x_is_2, x_at_least_1 = Atom(Linear((("x", 1),), -2), Relation.EQ), Atom(Linear((("x", -1),), 1), Relation.LE)
    x_not_2 = Atom(Linear((("x", 1),), -2), Relation.NE)
    assert Bounds.of([x_is_2]).left_of([x_at_least_1]) == ()
    assert Bounds.of([x_is_2]).left_of([x_at_least_1, x_not_2]) is None
    assert Bounds.of([x_at_least_1]).left_of([x_at_least_1, x_not_2]) == (x_not_2,)
    assert Bounds.of([x_not_2]).decides(x_is_2) is False
