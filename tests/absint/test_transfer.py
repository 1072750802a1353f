"""Abstract post-states contain the concrete ones, in both domains and for single-cell and larger packs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.numbers import NumbersDomain
from domains.numeric import Constraint
from domains.octagon import OctagonDomain, OctagonValue
from domains.product import Product, ProductValue
from domains.values.number import contains
from duet.absint import transfer
from duet.absint.conditions import assume, entails
from duet.absint.state import Space, State
from duet.absint.transfer import post
from duet.flow.packs import Packing
from duet.plip.build import ProgramBuilder
from duet.plip.execute import Samples, Store, compile_formula, compile_step
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Cell,
    Compute,
    Formula,
    Guard,
    Havoc,
    Linear,
    Lookup,
    Operation,
    Or,
    Program,
    Step,
)
from duet.plip.terms import add, compare, constant, linear

CELLS = ("a", "b", "c", "d")
SLOTS = {cell: index for index, cell in enumerate(CELLS)}
Point = tuple[int, int, int, int]


def _program() -> Program:
    builder = ProgramBuilder()
    for name in CELLS:
        builder.cell(Cell(name, lo=0, hi=0))
    builder.template("main", entry=0, exit=0)
    return builder.program()


SPACES = {
    "interval": Space(_program(), Packing((("a",), ("b",), ("c",), ("d",))), NumbersDomain()),
    "octagon": Space(_program(), Packing((("a", "b", "c"), ("d",))), Product(OctagonDomain())),
}
NUMBERS = st.integers(-9, 9)
POINTS = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=4)
TERMS = st.builds(linear, st.dictionaries(st.sampled_from(CELLS), st.integers(-2, 2), max_size=3), NUMBERS)
ATOMS: st.SearchStrategy[Formula] = st.builds(
    compare, TERMS, st.sampled_from(("<=", "<", ">=", ">", "==", "!=")), TERMS
)
FORMULAS: st.SearchStrategy[Formula] = st.one_of(
    ATOMS,
    st.builds(lambda parts: And(tuple(parts)), st.lists(ATOMS, max_size=3)),
    st.builds(lambda parts: Or(tuple(parts)), st.lists(ATOMS, max_size=3)),
)
TARGETS = st.sampled_from(CELLS)


def _wrap(target: str, term: Linear, bits: int, is_signed: bool) -> Step:
    lo = -(2 ** (bits - 1)) if is_signed else 0
    return Compute(target, Operation.WRAP, (term, constant(lo), constant(lo + 2**bits - 1)))


BINARY = [operation for operation in Operation if operation is not Operation.WRAP]
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(Assign, TARGETS, TERMS),
    st.builds(Havoc, TARGETS, st.integers(-3, 0), st.integers(1, 3)),
    st.builds(Compute, TARGETS, st.sampled_from(BINARY), st.tuples(TERMS, TERMS)),
    st.builds(_wrap, TARGETS, TERMS, st.integers(1, 4), st.booleans()),
    st.builds(Compute, TARGETS, st.sampled_from(BINARY), st.tuples(TERMS, NUMBERS.map(constant))),
    st.builds(Lookup, TARGETS, st.just((5, -1, 7)), TERMS),
    st.builds(Guard, FORMULAS),
)


def _state(space: Space, points: list[Point]) -> State:
    """The least state with all points: the join of the points, as assignments to the unknown."""
    state: State | None = None
    for point in points:
        single: State = {}
        for pack, cells in enumerate(space.packing.packs):
            value = space.domain.top(len(cells))
            for position, cell in enumerate(cells):
                value = space.domain.assign(value, position, ((), point[SLOTS[cell]]))
            single[pack] = value
        state = (
            single if state is None else {pack: space.domain.join(value, single[pack]) for pack, value in state.items()}
        )
    assert state is not None
    return state


def _admits(space: Space, state: State, point: Store) -> bool:
    for pack, found in state.items():
        values = [value for cell in space.packing.packs[pack] if isinstance(value := point[SLOTS[cell]], int)]
        for (terms, offset), relation in space.domain.constraints(found):
            total = offset + sum(k * values[index] for index, k in terms)
            if total < 0 or (relation == "==" and total != 0):
                return False
        for index, value in enumerate(values):
            if not contains(space.domain.number(found, index), value):
                return False
    return True


@pytest.mark.parametrize("name", SPACES)
@given(points=POINTS, step=STEPS)
def test_post_contains_every_concrete_result(name: str, points: list[Point], step: Step) -> None:
    space = SPACES[name]
    after = post(space, _state(space, points), step)
    run = compile_step(step, SLOTS, frozenset(), Samples(havoc=(-3, 0, 1, 3)))
    for point in points:
        for result in run(point):
            assert after is not None, (point, result)
            assert _admits(space, after, result), (point, result, after)


@pytest.mark.parametrize("name", SPACES)
@given(points=POINTS, condition=FORMULAS)
def test_entailment_is_true_of_every_point(name: str, points: list[Point], condition: Formula) -> None:
    space = SPACES[name]
    holds = compile_formula(condition, SLOTS)
    if entails(space, _state(space, points), condition):
        assert all(holds(point) for point in points)


@pytest.mark.parametrize("name", SPACES)
@given(point=st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), condition=FORMULAS)
def test_a_single_point_is_decided_exactly(name: str, point: Point, condition: Formula) -> None:
    """Intervals of one point know every cell, so both answers must be exact there."""
    space = SPACES[name]
    state = _state(space, [point])
    holds = compile_formula(condition, SLOTS)(point)
    assert entails(space, state, condition) == holds
    assert (assume(space, state, condition) is None) == (not holds)


OF_CONSTANTS = (Operation.DIV, Operation.MOD, Operation.SHR, Operation.AND)


def _lost(points: list[Point], by: range) -> list[object]:
    """What is computed of one cell and a constant and is not in the abstract result."""
    space, lost = SPACES["octagon"], list[object]()
    for operation in OF_CONSTANTS:
        for number in by:
            step = Compute("b", operation, (linear({"a": 1, "c": 1}, 1), constant(number)))
            after = post(space, _state(space, points), step)
            run = compile_step(step, SLOTS, frozenset(), Samples(havoc=(0,)))
            found = [(point, result) for point in points for result in run(point)]
            lost += [it for it in found if after is None or not _admits(space, after, it[1])]
    return lost


RANGES: list[list[Point]] = [[(a, 0, c, 0) for a in range(lo, lo + 9) for c in (0, 3)] for lo in (-9, -3, 0, 5)]


@pytest.mark.parametrize("points", RANGES)
def test_what_is_made_of_a_cell_and_a_constant_is_related_to_it(points: list[Point]) -> None:
    assert not _lost(points, range(-3, 9))


def _closer(*given: Any) -> Iterator[Atom]:
    """Wrong: all relations are closer by one."""
    for part in RELATED(*given):
        yield replace(part, term=add(part.term, constant(1)))


def _of_any_sign(space: Space, state: State, instruction: Compute) -> Iterator[Atom]:
    """Wrong: negative numbers are divided as others are."""
    above = {pack: space.domain.top(len(cells)) for pack, cells in enumerate(space.packing.packs)}
    positive = assume(space, above, compare(instruction.arguments[0], ">=", constant(0)))
    return iter(RELATED(space, positive, instruction))


RELATED: Any = transfer._related


@pytest.mark.parametrize("wrong", [_closer, _of_any_sign])
def test_defects_of_relations_are_noticed(wrong: object) -> None:
    with patch(f"{transfer.__name__}._related", wrong):
        assert any(_lost(points, range(-3, 9)) for points in RANGES)


def test_relations_of_what_is_computed() -> None:
    space = SPACES["octagon"]
    state = _state(space, [(a, 0, 0, 0) for a in (0, 17)])
    half = post(space, state, Compute("b", Operation.DIV, (linear({"a": 1}), constant(2)))) or {}
    assert entails(space, half, compare(linear({"b": 1}), "<=", linear({"a": 1})))
    assert not entails(space, half, compare(linear({"b": 1}), "<", linear({"a": 1})))
    rest = post(space, state, Compute("b", Operation.MOD, (linear({"a": 1}), constant(5)))) or {}
    assert entails(space, rest, compare(linear({"b": 1}), "<=", linear({"a": 1})))
    whole = post(space, state, Compute("b", Operation.MOD, (linear({"a": 1}), constant(18)))) or {}
    assert entails(space, whole, compare(linear({"b": 1}), "==", linear({"a": 1})))
    round_ = post(space, state, Compute("b", Operation.MOD, (linear({"a": 1}, 18), constant(18)))) or {}
    assert entails(space, round_, compare(linear({"b": 1}), "==", linear({"a": 1})))


def test_a_guard_between_packs_tightens_both_sides() -> None:
    space = SPACES["interval"]
    state = _state(space, [(0, 0, 0, 0)])
    state = post(space, state, Havoc("a", 0, 19)) or {}
    state = post(space, state, Havoc("b", 5, 17)) or {}
    met = assume(space, state, compare(linear({"a": 1}), ">=", linear({"b": 1}, 4)))
    assert met is not None
    assert space.bounds(met, "a") == (9, 19)
    assert space.bounds(met, "b") == (5, 15)


def test_gaps_and_congruences_pass_between_packs() -> None:
    space = SPACES["interval"]
    state = _state(space, [(0, 1, 7, 0), (42, 2, 7, 0)])
    equal = assume(space, state, compare(linear({"a": 1}), "==", linear({"b": 21})))
    assert equal is not None
    assert (space.number(equal, "a").members, space.number(equal, "b").members) == ((42,), (2,))
    assert assume(space, state, compare(linear({"a": 1}), "==", linear({"b": 1}, 9))) is None
    unequal = assume(space, state, compare(linear({"a": 1}), "!=", linear({"c": 6})))
    assert unequal is not None
    assert space.number(unequal, "a").members == (0,)
    even = post(space, post(space, state, Havoc("d")) or {}, Assign("b", linear({"d": 2}))) or {}
    assert assume(space, even, compare(linear({"b": 1}), "==", linear({"c": 1}))) is None
    assert assume(space, even, compare(linear({"b": 1}), "==", linear({"d": 4}, 1))) is None


def test_the_domain_is_asked_once_of_equal_values() -> None:
    asked: list[object] = []

    class Counting(Product[OctagonValue]):
        def meet_constraints(
            self, a: ProductValue[OctagonValue], constraints: tuple[Constraint, ...]
        ) -> ProductValue[OctagonValue]:
            asked.append((a, constraints))
            return super().meet_constraints(a, constraints)

    space = Space(_program(), Packing((("a", "b", "c"), ("d",))), Counting(OctagonDomain()))
    equal = And(
        (compare(linear({"a": 1}), "==", linear({"b": 1})), compare(linear({"b": 1}), "==", linear({"c": 1}, 1)))
    )
    found = [assume(space, {0: space.domain.top(3)}, equal) for _ in range(2)]
    assert found[0] == found[1]
    assert len(asked) == len(set(asked)) > 1
    space.memory.clear()
    assert assume(space, {0: space.domain.top(3)}, equal) == found[0]


def test_what_is_remembered_is_of_no_other_value_that_is_where_one_was() -> None:
    space = Space(_program(), Packing((("a",), ("b",), ("c",), ("d",))), NumbersDomain())
    unequal = compare(linear({"a": 1}), "!=", linear({"b": 1}))
    rng = Random(0)
    for number in range(500):
        is_same = rng.random() < 0.5
        state = {
            pack: space.domain.assign_interval(space.domain.top(1), 0, value, value)
            for pack, value in enumerate((number, number + (not is_same)))
        }
        assert (assume(space, state, unequal) is None) == is_same
        del state
