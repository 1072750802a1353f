"""Which definitions can be the last ones of a pack, as bits."""

from __future__ import annotations

from duet.coarsen.lasting import INITIAL, Writes
from duet.coarsen.lineages import Lineages
from duet.coarsen.tracked import Tracked
from tests.coarsen.fixpoints import at, fixpoint

TEXT = """global x = 0 global y = 0
thread main { local r  x := 4  spawn w  y := 3  [x == 5]  r := 1 }
thread w { x := 5  x := 6 }
"""
FOUND = fixpoint(TEXT)
PROGRAM = FOUND.graph.program
X, Y = (FOUND.graph.packing.pack_of[cell] for cell in "xy")
MINE, OTHERS, LAST = (at(PROGRAM, "x", value) for value in (4, 5, 6))


def writes(template: str = "w") -> Writes:
    lineages = Lineages(PROGRAM, FOUND.invariants)
    return Writes(FOUND.graph, lineages, Tracked(lineages, template))


def after(found: Writes, command: int, held: int, by_reader: bool) -> int:
    keep, added = (found.by_reader if by_reader else found.by_tracked).get(command, (-1, 0))
    return held & keep | added


def test_in_the_beginning_there_are_initial_values() -> None:
    found = writes()
    assert found.last_writes(found.initial, X) == {INITIAL}
    assert found.own_flows(found.initial, X) == {INITIAL}


def test_bits_are_of_one_definition_of_one_pack() -> None:
    found = writes()
    bits = [bit for table in (*found.own.values(), *found.last.values()) for bit in table.values()]
    assert len(bits) == len(set(bits))
    assert X in found.last


def test_a_write_of_the_reader_is_its_own_flow_and_the_last() -> None:
    found = writes()
    held = after(found, MINE, found.initial, by_reader=True)
    assert found.last_writes(held, X) == {MINE}
    assert found.own_flows(held, X) == {MINE}


def test_a_write_of_the_tracked_lineage_ends_own_flows_and_is_the_last() -> None:
    found = writes()
    held = after(found, OTHERS, after(found, MINE, found.initial, by_reader=True), by_reader=False)
    assert found.last_writes(held, X) == {OTHERS}
    assert found.own_flows(held, X) == frozenset()


def test_guards_ask_for_the_last_writes() -> None:
    found = writes()
    guard = next(i for i, c in enumerate(PROGRAM.commands) if c.target == PROGRAM.commands[at(PROGRAM, "r", 1)].source)
    asked = found.asked(guard)
    assert asked
    assert found.asked(MINE) == 0
    state = FOUND.invariants.state(PROGRAM.commands[guard].source)
    first = after(found, OTHERS, found.initial, by_reader=False)
    assert found.passes(guard, state, first & asked)
    assert not found.passes(guard, state, after(found, LAST, first, by_reader=False) & asked)


def test_third_threads_are_in_neither_lineage() -> None:
    text = TEXT.replace("spawn w", "spawn v  spawn w") + "thread v { x := 7 }"
    found = fixpoint(text)
    lineages = Lineages(found.graph.program, found.invariants)
    known = Writes(found.graph, lineages, Tracked(lineages, "w"))
    third = known.third("main", is_begun=True)
    assert "v" in third
    assert "w" not in third
    assert "v" in known.third("main", is_begun=False)
    assert "v" not in known.third("v", is_begun=True)
