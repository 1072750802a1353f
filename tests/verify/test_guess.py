"""Guesses are larger than the cube that they are for; parts are so together."""

from __future__ import annotations

from itertools import product
from unittest.mock import Mock

from hypothesis import given, settings
from hypothesis import strategies as st

from duet.plip.parser import parse_program
from duet.plip.syntax import Atom, Linear, Relation
from duet.plip.terms import satisfies
from duet.verify.covering import instances
from duet.verify.cube import Cube, made, own
from duet.verify.guess import candidates, parts, simplest
from duet.verify.tables import Tables

PROGRAM = parse_program("global g = 0 thread main { while (*) { spawn w } } thread w { local t t := g g := t + 1 }")
PLACE = PROGRAM.templates["w"].entry
NAMES = ("g", own("t", 0), own("t", 1))
RANGE = range(-2, 3)


def cubes() -> st.SearchStrategy[Cube | None]:
    factors = st.tuples(*[st.integers(-1, 1)] * len(NAMES)).filter(any)
    terms = factors.map(lambda found: tuple((n, k) for n, k in zip(NAMES, found, strict=True) if k))
    atoms = st.builds(Atom, st.builds(Linear, terms, st.integers(-2, 2)), st.sampled_from([*Relation]))
    return st.lists(atoms, min_size=1, max_size=4).map(lambda found: made((PLACE, PLACE), found))


def blind() -> Mock:
    """Nothing was seen, and everything may be judged."""
    return Mock(Tables, **{"may_judge.return_value": True, "holds.return_value": False, "least.return_value": 1})


def is_in(cube: Cube, values: dict[str, int]) -> bool:
    """Whether two threads with these values are in a cube, with whatever threads of it."""
    state = Cube((PLACE, PLACE), ())
    return any(all(satisfies(literal, values) for literal in found) for found in instances(cube, state))


@settings(max_examples=60, deadline=None)
@given(cubes())
def test_each_candidate_is_larger(cube: Cube | None) -> None:
    if cube is None:
        return
    found = candidates(cube, blind(), lambda _: False)[:60]
    for values in product(RANGE, repeat=len(NAMES)):
        store = dict(zip(NAMES, values, strict=True))
        if all(satisfies(literal, store) for literal in cube.literals):
            assert all(is_in(candidate, store) for candidate in found)
            pieces = parts(cube, blind())
            assert not pieces or any(is_in(piece, store) for piece in pieces)


def test_the_simplest_are_not_in_each_other() -> None:
    one, small = Cube((PLACE,), ()), Cube((PLACE, PLACE), ())
    assert simplest([one, small], 5) == [one]
    assert simplest([small, one], 1) == [small]
