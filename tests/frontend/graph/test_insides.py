"""What accesses behind others through the same pointer need no check for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import pytest

from duet.frontend.graph.insides import Stretch, without_repeated
from duet.plip.syntax import TRUE, Assert, Assign, Atomic, Cell, Command, Formula, Havoc, Instruction
from duet.plip.terms import add, compare, constant, variable
from duet.result import Check

OPEN = compare(variable("u"), "==", constant(1))
CELLS = {
    "p": Cell("p", "main"),
    "q": Cell("q", "main"),
    "shared": Cell("shared"),
    "several": Cell("several", "main", summary=True),
}


Row: TypeAlias = "Sequence[Instruction | tuple[Stretch, bool]]"
"""Checks of stretches, with whether they stop, and other steps."""


def check(stops: bool = True) -> Assert:
    return Assert(OPEN, Check("a.c", 1, 1, "main", "array-bounds", "p->a"), stops)


def conditions(steps: Row, more: Sequence[tuple[int, int]] = ()) -> list[Formula]:
    """The conditions of the checks in a row, with `more` ways between its places."""
    commands, checked = [], {}
    for place, step in enumerate(steps):
        if isinstance(step, tuple):
            checked[place] = step[0]
        commands.append(Command(place, check(step[1]) if isinstance(step, tuple) else step, place + 1, None))
    commands += [Command(source, Havoc("u", 0, 1), target, None) for source, target in more]
    found = without_repeated(commands, 0, checked, CELLS)
    return [command.instruction.condition for command in found if isinstance(command.instruction, Assert)]


def at(cell: str, first: int, end: int, stops: bool = True) -> tuple[Stretch, bool]:
    return Stretch(cell, first, end), stops


@pytest.mark.parametrize(
    ("steps", "is_known"),
    [
        ([at("p", 0, 8), at("p", 0, 8)], True),
        ([at("p", 0, 8), at("p", 4, 8)], True),
        ([at("p", 0, 8), at("p", 4, 9)], False),
        ([at("p", 4, 8), at("p", 0, 8)], False),
        ([at("p", 0, 8, stops=False), at("p", 0, 8)], False),
        ([at("p", 0, 8), at("q", 0, 8)], False),
        ([at("p", 0, 8), Assign("q", variable("p")), at("q", 0, 8)], True),
        ([at("p", 0, 8), Assign("q", add(variable("p"), constant(4))), at("q", -4, 4)], True),
        ([at("p", 0, 8), Assign("q", add(variable("p"), constant(4))), at("q", 0, 8)], False),
        ([at("p", 0, 8), Assign("p", add(variable("p"), constant(4))), at("p", -4, 4)], True),
        ([at("p", 0, 8), Assign("q", add(variable("p"), variable("p"))), at("q", 0, 8)], False),
        ([at("p", 0, 8), Havoc("p", 0, 9), at("p", 0, 8)], False),
        ([at("p", 0, 8), Atomic((Assign("p", variable("q")),)), at("p", 0, 8)], False),
        ([at("shared", 0, 8), at("shared", 0, 8)], False),
        ([at("several", 0, 8), at("several", 0, 8)], False),
    ],
)
def test_a_check_behind_another_one(steps: Row, is_known: bool) -> None:
    assert conditions(steps)[-1] == (TRUE if is_known else OPEN)


def test_checks_on_some_ways_only_tell_nothing() -> None:
    row: Row = [Havoc("u", 0, 1), at("p", 0, 8), Havoc("u", 0, 1), at("p", 0, 8)]
    assert conditions(row) == [OPEN, TRUE]
    assert conditions(row, [(0, 2)]) == [OPEN, OPEN]
    assert conditions(row, [(4, 2)]) == [OPEN, TRUE]
    assert conditions([at("p", 0, 4), *row[2:]], [(4, 0)]) == [OPEN, OPEN]


def test_a_loop_that_moves_a_pointer_is_not_followed_for_each_byte() -> None:
    steps = [at("p", 0, 10**9), Assign("p", add(variable("p"), constant(1))), at("p", 0, 1)]
    assert conditions(steps, more=[(2, 1)]) == [OPEN, OPEN]
