"""What a thread knows of private data at a registration: the value that it stored, in an object that it has made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from duet.frontend.ctypes.origins import ObjectAddress
from duet.frontend.graph.events import Allocation, Events, Registering, Storing
from duet.frontend.judgments.stored import Settled, settle
from duet.plip.syntax import SKIP, Assign, Atomic, Command, Guard, Instruction
from duet.plip.terms import add, compare, constant, variable

SLOT = ("thing", "data")
NEW, OWN, OTHER = variable("$new"), variable("own"), variable("other")
AT = add(OWN, constant(40))
STORE = Storing(SLOT, AT, OWN)
NOT_NULL = Guard(compare(OWN, "!=", constant(0)))
Edge = tuple[int, Instruction, int]
MADE: tuple[Edge, ...] = ((0, SKIP, 1), (1, Assign("own", NEW), 2), (0, Assign("own", constant(0)), 2))
STRAIGHT: tuple[Edge, ...] = (*MADE, (2, NOT_NULL, 3), (3, SKIP, 4), (4, SKIP, 5), (5, SKIP, 6))


def settled(edges: Sequence[Edge], stored: Mapping[int, Storing], address: int = 40) -> Settled:
    """What a thread shows that makes an object at 0 and registers one at 5."""
    commands = [Command(source, instruction, target, None) for source, instruction, target in edges]
    events = Events(
        allocations={1: [Allocation(ObjectAddress("new"), NEW)]},
        stored={place: [item] for place, item in stored.items()},
        registered={5: [Registering("table", SLOT, add(OWN, constant(address)), "$data")]},
    )
    following: dict[int, list[int]] = {}
    for source, _, target in edges:
        following.setdefault(source, []).append(target)
    return settle(commands, 0, events, lambda place: following.get(place, ()), lambda _: True)


KNOWN: Mapping[str, tuple[tuple[Edge, ...], Mapping[int, Storing]]] = {
    "in front": (STRAIGHT, {3: STORE}),
    "behind another value": (STRAIGHT, {3: Storing(SLOT, AT, OTHER), 4: STORE}),
    "beside another member": (STRAIGHT, {3: STORE, 4: Storing(SLOT, add(OWN, constant(80)), OTHER)}),
    "through another cell": (
        (*MADE, (2, Assign("other", OWN), 3), (3, SKIP, 4), (4, SKIP, 5), (5, SKIP, 6)),
        {3: Storing(SLOT, add(OTHER, constant(40)), OTHER)},
    ),
    "where another way does not pass": ((*STRAIGHT, (0, Assign("own", constant(0)), 7), (7, NOT_NULL, 5)), {3: STORE}),
}
UNKNOWN: Mapping[str, tuple[tuple[Edge, ...], Mapping[int, Storing], int]] = {
    "not at all": (STRAIGHT, {}, 40),
    "elsewhere": (STRAIGHT, {3: STORE}, 48),
    "and perhaps overwritten": (STRAIGHT, {3: STORE, 4: Storing(SLOT, OTHER, OWN)}, 40),
    "and overwritten by anything": (STRAIGHT, {3: STORE, 4: Storing(SLOT)}, 40),
    "for another object": ((*STRAIGHT[:-2], (4, Assign("own", OTHER), 5), (5, SKIP, 6)), {3: STORE}, 40),
    "in one way": ((*STRAIGHT, (2, SKIP, 5)), {3: STORE}, 40),
    "with a way that passes in one step": (
        (*STRAIGHT, (0, Assign("own", constant(0)), 7), (7, Atomic((Assign("own", NEW), NOT_NULL)), 5)),
        {3: STORE},
        40,
    ),
    "behind": ((*STRAIGHT, (6, SKIP, 7)), {3: STORE, 6: STORE}, 40),
    "in a loop": ((*STRAIGHT, (6, SKIP, 3)), {3: STORE}, 40),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_value_is_known(name: str) -> None:
    edges, stored = KNOWN[name]
    found = settled(edges, stored)
    assert found.values["$data"] in (OWN, OTHER, NEW)
    assert not found.tables
    assert not found.slots


@pytest.mark.parametrize("name", UNKNOWN)
def test_the_value_is_not_known(name: str) -> None:
    found = settled(*UNKNOWN[name])
    assert found.tables == {"table"}
    assert not found.values


def test_what_is_written_is_an_object_of_the_thread() -> None:
    assert settled(STRAIGHT, {3: STORE, 4: Storing(SLOT, OTHER, OWN)}).slots == {SLOT}
    assert settled(STRAIGHT, {3: STORE, 4: Storing(SLOT)}).slots == {SLOT}
    assert not settled(STRAIGHT, {3: STORE, 4: Storing(SLOT, is_own=True)}).slots
