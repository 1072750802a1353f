"""What the octagon and the numbers of a product tell each other."""

from __future__ import annotations

from domains.linear import linear
from domains.numbers import NumbersDomain
from domains.octagon import OctagonDomain
from domains.product import Pair, Product
from domains.values.number import Number, of_members

DOMAIN = Product(OctagonDomain())


def _flags() -> Number:
    found = of_members([0, 42])
    assert found is not None
    return found


def test_a_gap_tightens_the_other_cell() -> None:
    value = DOMAIN.assign(DOMAIN.assign_number(DOMAIN.top(2), 0, _flags()), 1, linear([(0, 1)], 1))  # y := x + 1
    met = DOMAIN.meet_constraints(value, ((linear([(1, 1)], -2), ">="),))  # y >= 2
    assert DOMAIN.bound(met, 0) == (42, 42)
    assert DOMAIN.bound(met, 1) == (43, 43)


def test_a_relation_makes_a_set_smaller() -> None:
    value = DOMAIN.assign_number(DOMAIN.top(2), 0, _flags())
    value = DOMAIN.meet_constraints(value, ((linear([(0, -1), (1, 1)], -1), ">="), (linear([(1, -1)], 20), ">=")))
    assert DOMAIN.number(value, 0).members == (0,)  # x < y <= 20
    assert DOMAIN.is_bottom(DOMAIN.meet_constraints(value, ((linear([(0, 1)], -3), "=="),)))


def test_an_excluded_value_shows_in_the_octagon() -> None:
    value = DOMAIN.assign(DOMAIN.assign_number(DOMAIN.top(2), 0, _flags()), 1, linear([(0, 1)]))  # y := x
    met = DOMAIN.exclude(value, linear([(0, 1)]))
    assert DOMAIN.bound(met, 1) == (42, 42)


def test_one_variable_has_no_relations() -> None:
    value = DOMAIN.assign_interval(DOMAIN.top(1), 0, 3, 99)
    assert isinstance(value, Pair)
    assert value.relations is None
    larger = DOMAIN.change_variables(value, (1,), 2)
    assert DOMAIN.bound(larger, 1) == (3, 99)
    assert DOMAIN.bound_linear(larger, linear([(1, 2)])) == (6, 198)


def test_numbers_know_what_intervals_do_not() -> None:
    numbers = NumbersDomain()
    value = numbers.assign_number(numbers.top(1), 0, _flags())
    assert numbers.is_bottom(numbers.meet_constraints(value, ((linear([(0, 1)], -1), "=="),)))
    assert numbers.constraints(value) == ((linear([(0, 1)]), ">="), (linear([(0, -1)], 42), ">="))
