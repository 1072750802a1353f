"""What accesses behind others through the same pointer need no check for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import pytest

from duet.frontend.graph import insides
from duet.frontend.graph.alone import Own
from duet.frontend.graph.insides import Noted, Stretch, without_repeated
from duet.frontend.graph.returns import SharedCall
from duet.plip.syntax import (
    SKIP,
    TRUE,
    Assert,
    Assign,
    Atomic,
    Command,
    Formula,
    Guard,
    Havoc,
    Instruction,
)
from duet.plip.terms import add, compare, conjunction, constant, disjunction, variable
from duet.result import Check

OPEN = compare(variable("u"), "==", constant(1))
OWN = Own(frozenset("pq"))


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
    found = without_repeated(commands, 0, Noted(checked), OWN, ())
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
        ([at("p", 0, 8), Assign("q", variable("shared")), at("q", 0, 8)], False),
        ([Assign("q", variable("p")), at("q", 0, 8), at("p", 0, 8)], True),
        ([Assign("q", add(variable("p"), constant(4))), at("q", 0, 8), at("p", 4, 12)], True),
        ([Assign("q", add(variable("p"), constant(4))), at("q", 0, 8), at("p", 0, 8)], False),
        ([Assign("q", variable("p")), Havoc("p", 0, 9), at("q", 0, 8), at("p", 0, 8)], False),
        ([Assign("q", variable("p")), Havoc("q", 0, 9), at("q", 0, 8), at("p", 0, 8)], False),
        ([Assign("q", variable("shared")), at("q", 0, 8), at("shared", 0, 8)], False),
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


NOT_NULL = compare(variable("p"), "!=", constant(0))


@pytest.mark.parametrize(
    ("step", "is_known"),
    [
        (Guard(NOT_NULL), True),
        (Guard(compare(variable("p"), ">=", constant(1))), True),
        (Guard(conjunction((compare(variable("p"), ">", constant(0)), OPEN))), True),
        (Guard(compare(variable("p"), ">=", constant(0))), False),
        (Guard(compare(variable("p"), "<=", constant(9))), False),
        (Guard(disjunction((NOT_NULL, OPEN))), False),
        (Guard(compare(variable("q"), "!=", constant(0))), False),
        (Assert(NOT_NULL, Check("a.c", 1, 1, "main", "null-dereference", "p")), True),
        (Assert(NOT_NULL, Check("a.c", 1, 1, "main", "null-dereference", "p"), stops=False), False),
        (Havoc("p", 1, 9), True),
        (Havoc("p", 0, 9), False),
        (Assign("p", constant(4096)), True),
        (Assign("p", constant(0)), False),
        (Assign("p", variable("q")), False),
    ],
)
def test_what_is_not_null_stays_so_until_it_is_written(step: Instruction, is_known: bool) -> None:
    last = Assert(NOT_NULL, Check("a.c", 2, 1, "main", "null-dereference", "p"))
    assert conditions([step, last])[-1] == (TRUE if is_known else NOT_NULL)
    assert conditions([step, Havoc("u", 0, 1), last])[-1] == (TRUE if is_known else NOT_NULL)
    assert conditions([step, Havoc("p", 0, 9), last])[-1] == NOT_NULL
    copied: list[Instruction] = [step, Assign("q", variable("p")), Assign("p", constant(0)), Assign("p", variable("q"))]
    assert conditions([*copied, last])[-1] == (TRUE if is_known else NOT_NULL)
    moved = Assign("p", add(variable("p"), constant(-1)))
    assert conditions([step, moved, last])[-1] == NOT_NULL


@pytest.mark.parametrize("written", ["u", "p"])
def test_what_a_shared_body_leaves_alone_is_known_behind_each_call(written: str) -> None:
    """Two calls of the body 6 to 7, of which the second one knows less, with a check behind each."""
    checked = dict.fromkeys((0, 3, 8), Stretch("p", 0, 8))
    steps: list[tuple[int, Instruction, int]] = [
        (0, check(), 1),
        (1, SKIP, 6),
        (2, SKIP, 3),
        (3, check(), 4),
        (4, Havoc("p", 0, 9), 5),
        (5, SKIP, 6),
        (6, Havoc(written, 0, 1), 7),
        (7, SKIP, 2),
        (7, SKIP, 8),
        (8, check(), 9),
    ]
    commands = [Command(source, step, target, None) for source, step, target in steps]
    calls = [SharedCall(1, 6, 7, 2), SharedCall(5, 6, 7, 8)]
    found = without_repeated(commands, 0, Noted(checked), OWN, calls)
    expected = [OPEN, TRUE if written == "u" else OPEN, OPEN]
    assert [item.instruction.condition for item in found if isinstance(item.instruction, Assert)] == expected


def test_a_loop_that_moves_a_pointer_is_not_followed_for_each_byte() -> None:
    steps: list[Instruction | tuple[Stretch, bool]] = [
        at("p", 0, 10**9),
        Assign("p", add(variable("p"), constant(1))),
        at("p", 0, 1),
    ]
    assert conditions(steps, more=[(2, 1)]) == [OPEN, OPEN]


def test_a_shared_body_knows_what_all_its_calls_know_of_what_it_mentions() -> None:
    """Two calls of the body 6 to 7, which checks `q` once more, while only behind the calls `p` is asked for."""
    stretches = {0: Stretch("p", 0, 8), 1: Stretch("q", 0, 8), 6: Stretch("q", 0, 8), 8: Stretch("p", 0, 8)}
    steps: list[tuple[int, Instruction, int]] = [
        (0, check(), 1),
        (1, check(), 2),
        (2, SKIP, 6),
        (3, SKIP, 4),
        (4, SKIP, 6),
        (6, check(), 7),
        (7, SKIP, 3),
        (7, SKIP, 8),
        (8, check(), 9),
    ]
    calls = [SharedCall(2, 6, 7, 3), SharedCall(4, 6, 7, 8)]

    def conditions(steps: Sequence[tuple[int, Instruction, int]]) -> list[Formula]:
        commands = [Command(source, step, target, None) for source, step, target in steps]
        found = without_repeated(commands, 0, Noted(stretches), OWN, calls)
        return [item.instruction.condition for item in found if isinstance(item.instruction, Assert)]

    assert conditions(steps) == [OPEN, OPEN, TRUE, TRUE]
    one_writes = [(3, Havoc("q", 0, 9), 4) if source == 3 else (source, step, to) for source, step, to in steps]
    assert conditions(one_writes) == [OPEN, OPEN, OPEN, TRUE]


def test_pointers_that_were_null_are_forgotten_with_what_was_known_behind_them() -> None:
    """Else what is known goes on to change, and each way is followed again for each of them."""
    one = insides._Known({"p": (0, 8)}, nulls=frozenset("q"))
    other = insides._Known({"q": (0, 4)}, nulls=frozenset("r"))
    assert one.common(other).unless_null == frozenset("q")
    assert one.common(other).common(insides._Known()) == insides._Known()


def test_copies_whose_originals_nobody_checks_still_tell_of_them() -> None:
    """`q` is checked, and a copy of `p`, of which only a guard says something; what is written in between counts."""
    steps: list[Instruction | tuple[Stretch, bool]] = [
        Guard(compare(variable("p"), "!=", constant(0))),
        Assign("q", variable("p")),
        Assert(compare(variable("q"), "!=", constant(0)), Check("a.c", 1, 1, "main", "null-dereference", "q")),
    ]
    asked = compare(variable("q"), "!=", constant(0))
    assert conditions(steps) == [TRUE]
    assert conditions([steps[0], Havoc("p", 0, 9), *steps[1:]]) == [asked]


def test_much_that_no_check_asks_for_does_not_crowd_out_what_is_asked() -> None:
    """Facts of many temporaries, and a check behind a read of `p` that comes first in the order of locations."""
    names = [f"$t{number}" for number in range(60)]
    own = Own(frozenset({"$p", *names}))
    known = [Guard(compare(variable(name), "!=", constant(0))) for name in ("$p", *names)]
    check = Assert(compare(variable("$p"), "!=", constant(0)), Check("a.c", 1, 1, "main", "null-dereference", "p"))
    commands = [Command(place + 1, step, place + 2, None) for place, step in enumerate(known)]
    commands += [Command(len(known) + 1, SKIP, 0, None), Command(0, check, 99, None)]
    found = without_repeated(commands, 1, Noted(), own, ())
    assert [item.instruction.condition for item in found if isinstance(item.instruction, Assert)] == [TRUE]


IF_NULL, IF_THERE = (Guard(compare(variable("p"), relation, constant(0))) for relation in ("==", "!="))
LATE = 9
"""Where the check lies that is asked about."""


def is_late_decided(*edges: tuple[int, Instruction, int]) -> bool:
    """Whether the check at `LATE` holds, of the same bytes as the one at 2, which one of some ways leads by."""
    commands = [Command(source, instruction, target, None) for source, instruction, target in edges]
    commands += [Command(2, check(), 3, None), Command(LATE, check(), LATE + 1, None)]
    stretch = Stretch("p", 0, 8)
    found = without_repeated(commands, 0, Noted({2: stretch, LATE: stretch}), OWN, ())
    return found[-1].instruction.condition == TRUE if isinstance(found[-1].instruction, Assert) else False


FOLLOWED = ((0, IF_THERE, 2), (0, IF_NULL, 3))
"""`if (p) p->a = 1;`, which ends at 3."""


@pytest.mark.parametrize(
    ("edges", "is_known"),
    [
        ([*FOLLOWED, (3, IF_THERE, LATE)], True),
        ([*FOLLOWED, (3, SKIP, LATE)], False),
        ([*FOLLOWED, (3, IF_NULL, LATE)], False),
        ([(0, IF_THERE, 2), (0, SKIP, 3), (3, IF_THERE, LATE)], False),
        ([*FOLLOWED, (3, Havoc("p", 0, 99), 4), (4, IF_THERE, LATE)], False),
        ([*FOLLOWED, (3, Assign("q", variable("p")), 4), (4, IF_THERE, LATE)], True),
        ([*FOLLOWED, (0, Havoc("u", 0, 1), 3), (3, IF_THERE, LATE)], False),
        ([(0, SKIP, 2), (0, Assign("p", constant(0)), 3), (3, IF_THERE, LATE)], True),
        ([(0, SKIP, 2), (0, Assign("p", constant(4096)), 3), (3, IF_THERE, LATE)], False),
    ],
)
def test_what_holds_unless_a_pointer_is_null(edges: Sequence[tuple[int, Instruction, int]], is_known: bool) -> None:
    """On a way on which a pointer is null nothing has to be known behind it, as long as that is asked for again."""
    assert is_late_decided(*edges) is is_known


def test_a_copy_that_is_moved_from_null() -> None:
    """What is so many bytes behind null is not null, and leads nowhere."""
    moved = Assign("q", add(variable("p"), constant(-8)))
    commands = [
        Command(0, IF_THERE, 2, None),
        Command(0, IF_NULL, 3, None),
        Command(2, check(), 3, None),
        Command(3, moved, 4, None),
        Command(4, Guard(compare(variable("q"), "!=", constant(0))), 5, None),
        Command(5, check(), 6, None),
    ]
    noted = Noted({2: Stretch("p", 0, 8), 5: Stretch("q", 8, 16)})
    found = without_repeated(commands, 0, noted, OWN, ())[-1].instruction
    assert isinstance(found, Assert)
    assert found.condition == OPEN


def test_a_way_that_nothing_takes() -> None:
    """Behind a check that a pointer is not null no way leads on where it is; the other pointer is set on all others."""
    ways = [(0, IF_THERE, 1), (1, SKIP, 2), (3, IF_NULL, LATE), (3, IF_THERE, 4), (4, SKIP, LATE)]
    assert is_late_decided(*ways)
    assert not is_late_decided((0, SKIP, 1), *ways[1:3], (1, SKIP, LATE), *ways[3:])


def test_facts_of_null_pointers_are_kept_with_their_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the check would hold where the pointer may be null."""
    monkeypatch.setattr(insides._Known, "holds_of", lambda *_: True)
    assert is_late_decided(*FOLLOWED, (3, SKIP, LATE))
