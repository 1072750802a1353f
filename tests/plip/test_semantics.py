"""The explicit-state semantics on examples computed by hand."""

from __future__ import annotations

import pytest

from duet.plip.execute import Samples, Value, apply
from duet.plip.parser import parse_program
from duet.plip.semantics import Exploration, Limits, explore
from duet.plip.syntax import Operation


def _explore(text: str, threads: int = 3, states: int = 20_000, value: int = 50) -> Exploration:
    return explore(parse_program(text), Limits(threads, states, value), Samples((0, 1, 2), (0, 1)))


def _failing(exploration: Exploration) -> set[str]:
    return {check.expression for check in exploration.failures}


def _values(exploration: Exploration, cell: str, location: int) -> set[Value]:
    return {store[cell] for store in exploration.thread_stores(location)}


def _final(text: str, cell: str) -> set[Value]:
    """The values of a cell at the exit of main."""
    exploration = _explore(text)
    return _values(exploration, cell, exploration.program.templates["main"].exit)


def test_lost_update_of_two_threads() -> None:
    text = """
    global c = 0
    thread main { local r  spawn a spawn b join a join b }
    thread a { local t  t := c  c := t + 1 }
    thread b { local u  u := c  c := u + 1 }
    """
    assert _final(text, "c") == {1, 2}
    atomic = text.replace("t := c  c := t + 1", "c := c + 1").replace("u := c  c := u + 1", "c := c + 1")
    assert _final(atomic, "c") == {2}


def test_lock_gives_mutual_exclusion() -> None:
    body = "x := 1 x := 0 assert x == 0"
    text = (
        f"global m = 0 global x = 0 thread main {{ while (*) {{ spawn w }} }} thread w {{ acquire m {body} release m }}"
    )
    assert _failing(_explore(text)) == set()
    without = text.replace("acquire m", "").replace("release m", "")
    assert _failing(_explore(without)) == {"x == 0"}
    assert _failing(_explore(without, threads=2)) == set()


def test_nobody_moves_while_a_thread_is_inside_a_region() -> None:
    text = """
    global x = 0 global y = 0
    thread main { spawn w  atomic { x := 1 if (y == 0) { x := 2 } x := 0 } y := 1 }
    thread w { check x == 0 }
    """
    exploration = _explore(text)
    assert _failing(exploration) == set()
    entry = exploration.program.templates["w"].entry
    assert _values(exploration, "x", entry) == {0}
    assert _failing(_explore(text.replace("atomic {", "if (true) {"))) == {"x == 0"}


def test_atomic_block_passes_as_a_whole_or_not_at_all() -> None:
    assert _final("global x = 0 thread main { choose { atomic { x := 1 [x == 2] } } or { skip } }", "x") == {0}


def test_failed_assertion_stops_only_if_it_says_so() -> None:
    text = "global x = 0 thread main { assert x == 1  x := 2 }"
    stopped = _explore(text)
    assert _failing(stopped) == {"x == 1"}
    assert stopped.program.templates["main"].exit not in stopped.stores
    assert _final(text.replace("assert", "check"), "x") == {2}


def test_failure_comes_with_its_execution() -> None:
    exploration = _explore("global x = 0 thread main { x := 1 spawn w } thread w { assert x == 0 }")
    (execution,) = exploration.failures.values()
    assert execution == (0, 1, 2)


def test_join_waits_for_the_one_instance() -> None:
    text = "global x = 0 thread main { spawn w join w } thread w { x := 1 x := 2 }"
    assert _final(text, "x") == {2}


@pytest.mark.parametrize(
    "main",
    ["spawn w spawn w join w", "while (*) { spawn w } join w", "spawn v join w", "spawn w if (*) { spawn w } join w"],
)
def test_join_of_many_orders_nothing(main: str) -> None:
    text = f"global x = 0 thread main {{ {main} }} thread w {{ x := 1 }} thread v {{ spawn w spawn w }}"
    assert 0 in _final(text, "x")


def test_join_before_the_spawn_never_passes() -> None:
    assert _final("global x = 0 thread main { join w spawn w } thread w { x := 1 }", "x") == set()


def test_recursive_spawn_is_many() -> None:
    text = "global x = 0 thread main { spawn w join w } thread w { x := x + 1 if (*) { spawn w } }"
    exploration = _explore(text)
    assert _values(exploration, "x", exploration.program.templates["main"].exit) == {0, 1, 2}
    assert exploration.truncated


def test_spawn_hands_over_arguments_and_leaves_other_locals_open() -> None:
    exploration = _explore(
        "global x = 3 thread main { spawn w(p := x + 1) } thread w(p) { local q local r in 5..7 skip }"
    )
    entry = exploration.program.templates["w"].entry
    assert {(s["p"], s["q"], s["r"]) for s in exploration.thread_stores(entry)} == {(4, 0, 5), (4, 1, 5)}


def test_summary_cell_keeps_what_was_written() -> None:
    text = "summary s = 0 thread main { local t = 9  s := 4  t := s }"
    assert _final(text, "t") == {0, 4}
    assert _final(text, "s") == {frozenset((0, 4))}


def test_spawns_beyond_the_bound_start_nothing() -> None:
    text = "global x = 0 thread main { spawn w spawn w spawn w } thread w { x := x + 1 }"
    exploration = _explore(text, threads=3)
    assert exploration.truncated
    assert _values(exploration, "x", exploration.program.templates["main"].exit) == {0, 1, 2}
    assert not _explore(text, threads=4).truncated


def test_limits_truncate() -> None:
    text = "global x = 0 thread main { while (*) { x := x + 1 } }"
    assert _explore(text, states=10).truncated
    bounded = _explore(text, value=5)
    assert bounded.truncated
    assert _values(bounded, "x", bounded.program.templates["main"].entry) == set(range(6))


def test_havoc_takes_samples_of_its_range() -> None:
    assert _final("global x = 7 thread main { x := * in 1..9 }", "x") == {1, 2}
    assert _final("global x = 7 thread main { x := * in 5.. }", "x") == {5}
    assert _final("global x = 7 thread main { x := * in ..-5 }", "x") == {-5}


def test_table_lookup_outside_of_the_table_does_not_pass() -> None:
    assert _final("global x in 0..1 thread main { x := [7, 8][2 * x] }", "x") == {7}


@pytest.mark.parametrize(
    ("operation", "arguments", "result"),
    [
        (Operation.MUL, [-3, 4], -12),
        (Operation.DIV, [-7, 2], -3),
        (Operation.DIV, [7, -2], -3),
        (Operation.DIV, [-7, -2], 3),
        (Operation.DIV, [1, 0], None),
        (Operation.MOD, [-7, 2], -1),
        (Operation.MOD, [7, -2], 1),
        (Operation.MOD, [7, 0], None),
        (Operation.AND, [-1, 6], 6),
        (Operation.OR, [-8, 3], -5),
        (Operation.XOR, [5, -1], -6),
        (Operation.SHL, [-3, 2], -12),
        (Operation.SHL, [1, -1], None),
        (Operation.SHR, [-3, 1], -2),
        (Operation.SHR, [8, -1], None),
        (Operation.WRAP, [200, -128, 127], -56),
        (Operation.WRAP, [-1, 0, 255], 255),
        (Operation.WRAP, [5, 3, 3], 3),
    ],
)
def test_operations(operation: Operation, arguments: list[int], result: int | None) -> None:
    assert apply(operation, arguments) == result
