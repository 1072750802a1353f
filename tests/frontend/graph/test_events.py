"""What a thread does to locks and new objects, beside the graph."""

from __future__ import annotations

import pytest

from duet.frontend.ctypes.origins import ObjectAddress
from duet.frontend.graph.events import Allocation, Events, Giving, Spot, Taking
from duet.plip.terms import variable
from tests.frontend.pointing import to

TAKEN = Taking(variable("p"), to("a", "b"), is_shared=False)


@pytest.mark.parametrize(("origins", "expected"), [((), True), (("a",), True), (("c", "b"), True), (("c",), False)])
def test_a_lock_that_is_given_back_may_be_one_that_was_taken(origins: tuple[str, ...], expected: bool) -> None:
    assert Giving(to(*origins)).may_be(TAKEN) is expected


def test_addresses_are_those_of_locks_and_new_objects() -> None:
    events = Events()
    assert list(events.addresses) == []
    events.takings[3] = [TAKEN]
    events.allocations[5] = [
        Allocation(ObjectAddress("heap"), variable("q")),
        Allocation(ObjectAddress("heap"), variable("r")),
    ]
    events.givings[7] = [Giving(frozenset())]
    assert list(events.addresses) == [variable("p"), variable("q"), variable("r")]


def test_nothing_is_known_of_a_spot_by_default() -> None:
    assert (Spot().begin, Spot().pointer) == (None, None)
