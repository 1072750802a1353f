"""Which locks two threads are found to make of flags."""

from __future__ import annotations

import pytest

from duet.frontend.judgments.taking_turns import _flags, _Two, with_turns
from duet.plip.parser import parse_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Program

PETERSON = """global a = 0 global b = 0 global turn = 0 global x = 0
thread main { spawn one  spawn two }
thread one { a := 1  turn := 1  while (b == 1 && turn == 1) { }  x := x + 1  a := 0 }
thread two { b := 1  turn := 0  while (a == 1 && turn == 0) { }  x := x + 2  b := 0 }
"""


def told(text: str) -> Program | None:
    """The program with its ghosts, None if it has none."""
    program = parse_program(text, "t.plip")
    found = with_turns(program)
    return None if found is program else found


def test_who_is_inside_is_told_by_a_ghost() -> None:
    program = told(PETERSON)
    assert program is not None
    (ghost,) = [name for name in program.globals if name.startswith("<turns")]
    found = explore(program, Limits())
    inside = {dict(store)[ghost] for place in found.stores for store in found.thread_stores(place)}
    assert inside == {0, 1}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("turn := 1  ", ""),  # both may come in
        ("a := 1  turn := 1", "turn := 1  a := 1"),
        ("x := x + 2", "b := 0  x := x + 2"),
        ("spawn two }", "spawn two  turn := 1 }"),  # somebody else sets it
        ("spawn two }", "spawn two  spawn one }"),  # there are more of them
        ("turn := 1", "turn := x"),  # no flag
        ("global turn = 0", "global turn in 0..1"),
        ("x := x + 2", "spawn three"),
    ],
)
def test_what_is_no_lock(old: str, new: str) -> None:
    assert told(PETERSON.replace(old, new, 1) + "thread three { }") is None


@pytest.mark.parametrize("body", ["x := x + 1", "assert x >= 0  x := 1"])
def test_a_lock_of_one_flag_is_found_elsewhere(body: str) -> None:
    take = "atomic { [a == 0]; a := 1 }  b := 1"
    text = "global a = 0 global b = 0 global x = 0 thread main { spawn one  spawn two }"
    assert (
        told(f"{text} thread one {{ {take}  {body}  a := 0  b := 0 }} thread two {{ {take}  {body}  a := 0 }}") is None
    )


def test_flags_begin_with_what_the_first_thread_sets_before() -> None:
    program = parse_program(PETERSON.replace("{ spawn one", "{ turn := 1  a := 0  spawn one"), "t.plip")
    two = _Two(program, "one", "two", _flags(program))
    assert [two._first(flag) for flag in ("a", "b", "turn")] == [{0}, {0}, {0, 1}]
    assert with_turns(program) is not program
