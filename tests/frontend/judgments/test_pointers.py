"""Which addresses cells hold, as constants and as objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duet.frontend.ctypes.origins import Content, Elsewhere
from duet.frontend.judgments.growth import Growth
from duet.frontend.judgments.pointers import Pointers
from tests.frontend.pointing import start, to

OBJECT = to("x")
ADDITIONS: dict[str, Callable[[Pointers], None]] = {
    "what is written": lambda pointers: pointers.hold("c", OBJECT),
    "a spot": lambda pointers: pointers.hold("c", OBJECT, frozenset({("x", 0)})),
    "what is known from elsewhere": lambda pointers: pointers.held_too("c", OBJECT),
}


@pytest.mark.parametrize("name", ADDITIONS)
def test_what_is_new_counts_and_what_is_known_does_not(name: str) -> None:
    growth = Growth()
    pointers = Pointers(growth)
    ADDITIONS[name](pointers)
    grown = growth.version
    assert grown > 0
    ADDITIONS[name](pointers)
    assert growth.version == grown


@pytest.mark.parametrize("name", ADDITIONS)
def test_frozen_tables_stay_as_they_are(name: str) -> None:
    growth = Growth(is_frozen=True)
    pointers = Pointers(growth)
    ADDITIONS[name](pointers)
    assert (growth.version, pointers.held("c")) == (0, frozenset())


def test_a_cell_with_one_constant_address_has_a_spot() -> None:
    pointers = Pointers(Growth())
    pointers.hold("c", OBJECT, frozenset({("x", 8)}))
    assert pointers.spot("c") == ("x", 8)
    pointers.hold("c", OBJECT, frozenset())
    assert pointers.spot("c") == ("x", 8)
    pointers.hold("c", OBJECT, frozenset({("x", 12)}))
    assert pointers.spot("c") is None


def test_other_writes_leave_no_spot() -> None:
    pointers = Pointers(Growth())
    pointers.hold("c", OBJECT, frozenset({("x", 8)}))
    pointers.hold("c", OBJECT)
    assert pointers.spot("c") is None
    assert pointers.spot("d") is None


def test_what_cells_of_an_object_hold() -> None:
    pointers = Pointers(Growth())
    pointers.hold("s.next", to("x"))
    pointers.hold("s.list[0]", to("y") | {Content("c")})
    assert pointers.held("s.next") == start("x")
    assert pointers.numbered.named(pointers.inside("s")) == to("x", "y")
    assert pointers.numbered.named(pointers.inside("s.list")) == to("y")
    assert pointers.cells_of("s") == ["s.next", "s.list[0]"]
    assert pointers.held("s.other") == frozenset()
    pointers.hold("s.next", to("z"))
    assert pointers.held("s.next") == start("x", "z")
    assert pointers.cells_of("s") == ["s.next", "s.list[0]"]
    assert pointers.numbered.named(pointers.inside("s")) == to("x", "y", "z")


def test_addresses_may_be_where_no_cell_is() -> None:
    pointers = Pointers(Growth())
    pointers.hold(Elsewhere("library"), OBJECT)
    pointers.hold("c", to("y"))
    assert pointers.kept_elsewhere() == to("x")
