"""Ways told apart by what was found out: no execution is lost, also where there are too many for copies of them all."""

from __future__ import annotations

from itertools import count

import pytest

from duet.frontend.graph.apart import MOST, Questions, told_apart
from duet.frontend.graph.reach import by_source, reached
from duet.plip.syntax import Command, Guard
from duet.plip.terms import compare, constant, variable
from tests.frontend.bodies import decided


@pytest.mark.parametrize("length", [1, 2, MOST, 3 * MOST, 9 * MOST])
def test_every_way_goes_on_to_the_end(length: int) -> None:
    commands = [
        Command(place, Guard(compare(variable("ghost"), relation, constant(place % length))), place + 1)
        for place in range(2 * length)
        for relation in ("==", "!=")
    ]
    told, _ = told_apart(commands, 0, frozenset(), Questions(frozenset(("ghost",))), count(2 * length + 1))
    outgoing = by_source(told)
    found = set(reached([0], lambda place: [command.target for command in outgoing[place]]))
    assert {place for place in found if not outgoing[place]} == {2 * length}


START = """
#include <assert.h>
#include <stdio.h>
#include <string.h>
int any(void);
"""
BODY = """
char b[16]; strtok(strcpy(b, ",,"), ","); if (any()) assert(b[1] != 48);
int n = sprintf(b, "%x", -1); if (any()) assert(n != 8);
n = sprintf(b, "%hhd", 300); if (any()) assert(n != 2);
memset(b, 300, 2); if (any()) assert(b != 0);
"""


def test_what_follows_many_writes_to_an_array_is_reached() -> None:
    found = decided(START, BODY, "assertion", domain="interval")
    assert [check.status for check in found[:3]] == ["unproved"] * 3
    assert found[3].status == "proved"
