"""How pointers are moved and converted, and what is known of heap objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duet.frontend.ctypes.origins import Content, ObjectAddress
from duet.frontend.ctypes.types import CHAR, INT
from duet.frontend.judgments.growth import Growth
from duet.frontend.judgments.layouts import Layouts
from duet.plip.terms import add, constant, scale, variable
from tests.frontend.pointing import to

OBJECT = to("x")
ADDITIONS: dict[str, Callable[[Layouts], None]] = {
    "a step": lambda layouts: layouts.stepped(OBJECT, constant(4)),
    "a smaller size": lambda layouts: layouts.at_least("x", 4),
    "a smaller type": lambda layouts: layouts.narrowed("x", 4),
    "a view": lambda layouts: layouts.view("heap", INT),
    "a conversion": lambda layouts: layouts.convert(OBJECT, INT),
}


@pytest.mark.parametrize("name", ADDITIONS)
def test_what_is_new_counts_and_what_is_known_does_not(name: str) -> None:
    growth = Growth()
    layouts = Layouts(growth)
    ADDITIONS[name](layouts)
    assert growth.version == 1
    ADDITIONS[name](layouts)
    assert growth.version == 1


@pytest.mark.parametrize("name", ADDITIONS)
def test_frozen_tables_stay_as_they_are(name: str) -> None:
    growth = Growth(is_frozen=True)
    ADDITIONS[name](Layouts(growth))
    assert growth.version == 0


def test_steps_are_told_by_what_divides_them() -> None:
    layouts = Layouts(Growth())
    layouts.stepped(to("x") | {Content("c")}, add(scale(variable("i"), 8), constant(4)))
    layouts.stepped(OBJECT, constant(0))
    assert layouts.steps == {ObjectAddress("x"): {(4, False)}}
    layouts.stepped(OBJECT, constant(4))
    assert layouts.steps[ObjectAddress("x")] == {(4, False), (4, True)}


def test_of_numbers_the_smallest_counts() -> None:
    layouts = Layouts(Growth())
    layouts.at_least("x", 8)
    layouts.at_least("x", 9)
    assert layouts.least == {"x": 8}
    layouts.at_least("x", 4)
    layouts.narrowed("x", 2)
    assert (layouts.least, layouts.narrow) == ({"x": 4}, {"x": 2})


def test_two_sizes_are_no_known_one() -> None:
    growth = Growth()
    layouts = Layouts(growth)
    layouts.size("heap", 8)
    layouts.size("heap", 8)
    assert (layouts.sizes, growth.version) == ({"heap": 8}, 0)
    layouts.size("heap", 9)
    assert (layouts.sizes, growth.version) == ({"heap": None}, 1)
    layouts.size("heap", 8)
    assert (layouts.sizes, growth.version) == ({"heap": None}, 1)


def test_types_of_accesses_are_kept_in_order() -> None:
    layouts = Layouts(Growth())
    layouts.view("heap", CHAR)
    layouts.view("heap", INT)
    layouts.view("heap", CHAR)
    assert list(layouts.views["heap"]) == [CHAR, INT]
    layouts.convert(to("x") | {Content("c")}, INT)
    assert list(layouts.recast) == [ObjectAddress("x")]
