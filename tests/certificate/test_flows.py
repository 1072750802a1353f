"""What commands touch, and which definitions reach a location by the thread itself."""

from __future__ import annotations

import pytest

from duet.certificate.flows import INITIAL, REACHED, OwnFlows, Touched, definitions, touched
from duet.plip.parser import parse_program
from duet.plip.syntax import Instruction, Program, Spawn


def program(body: str, others: str = "") -> Program:
    return parse_program(f"global x = 0 global y = 0 global z = 0 summary a = 0 thread main {{ {body} }} {others}")


def first(text: str, others: str = "") -> Instruction:
    return program(text, others).commands[0].instruction


@pytest.mark.parametrize(
    ("text", "reads", "writes", "guards", "may_refuse"),
    [
        ("x := y + z", "yz", "x", "", False),
        ("x := *", "", "x", "", False),
        ("x := mul(y, z)", "yz", "x", "", False),
        ("x := div(y, z)", "yz", "x", "", True),
        ("x := shl(y, z)", "yz", "x", "", True),
        ("x := and(y, z)", "yz", "x", "", False),
        ("x := [1, 2][y]", "y", "x", "", True),
        ("[x == y]", "", "", "xy", True),
        ("skip", "", "", "", False),
        ("assert x == 0", "", "", "x", True),
        ("check x == 0", "x", "", "", False),
        ("atomic { [x == 0] y := z }", "z", "y", "x", True),
    ],
)
def test_what_an_instruction_touches(text: str, reads: str, writes: str, guards: str, may_refuse: bool) -> None:
    expected = Touched(frozenset(reads), frozenset(writes), frozenset(guards), may_refuse)
    assert touched(first(text)) == expected


def test_a_spawn_reads_what_it_gives() -> None:
    found = touched(first("spawn w(p := x + 1)", "thread w(p) { skip }"))
    assert found.reads == {"x"}
    assert found.writes == set()
    assert touched(first("join w", "thread w { skip }")).reads == frozenset()


def packs_of(source: Program, *together: str) -> tuple[tuple[str, ...], ...]:
    rest = [(cell,) for cell in source.cells if cell not in together]
    return (together, *rest) if together else tuple(rest)


def flows(source: Program, *together: str) -> tuple[OwnFlows, dict[str, int]]:
    known = definitions(source, packs_of(source, *together))
    return OwnFlows(source, known), dict(known.pack_of)


def where(source: Program, text: str) -> int:
    """The location before the command that writes a cell, `x := 1` being that of x and 1."""
    cell, value = text.split(" := ")
    return next(
        c.source
        for c in source.commands
        if getattr(c.instruction, "target", None) == cell
        and getattr(getattr(c.instruction, "value", None), "constant", None) == int(value)
    )


def reaching(source: Program, cell: str, before: str, *together: str) -> set[object]:
    """The instructions whose definition of a cell reaches the command `before`, or INITIAL."""
    found, pack_of = flows(source, *together)
    commands = found.sources(pack_of[cell], where(source, before))
    return {c if c == INITIAL else getattr(source.commands[c].instruction, "value", "guard") for c in commands}


def constants(found: set[object]) -> set[object]:
    return {getattr(one, "constant", one) for one in found}


def test_a_write_ends_what_was_before_it() -> None:
    source = program("x := 1  x := 2  z := 9")
    assert constants(reaching(source, "x", "z := 9")) == {2}
    assert constants(reaching(source, "x", "x := 1")) == {INITIAL}


def test_on_two_ways_two_definitions_arrive() -> None:
    source = program("choose { x := 1 } or { x := 2 } z := 9")
    assert constants(reaching(source, "x", "z := 9")) == {1, 2}
    looped = program("while (*) { x := 1 } z := 9")
    assert constants(reaching(looped, "x", "z := 9")) == {1, INITIAL}


def test_a_guard_defines_what_it_is_about_for_its_own_thread() -> None:
    source = program("x := 1  [x == 1]  z := 9")
    assert reaching(source, "x", "z := 9") == {"guard"}


def test_cells_of_one_pack_are_defined_together() -> None:
    source = program("x := 1  y := 2  z := 9")
    assert constants(reaching(source, "x", "z := 9", "x", "y")) == {2}
    assert constants(reaching(source, "x", "z := 9")) == {1}


def test_a_write_to_a_summary_cell_ends_nothing() -> None:
    source = program("a := 1  a := 2  z := 9")
    assert constants(reaching(source, "a", "z := 9")) == {INITIAL, 1, 2}


def test_a_child_starts_with_its_parents_globals_and_what_it_is_given() -> None:
    source = program("x := 1  spawn w(p := 3)", "thread w(p) { local q  z := 9 }")
    assert constants(reaching(source, "x", "z := 9")) == {1}
    assert constants(reaching(source, "q", "z := 9")) == {INITIAL}
    found, pack_of = flows(source)
    (given,) = found.sources(pack_of["p"], source.templates["w"].entry)
    assert isinstance(source.commands[given].instruction, Spawn)


def test_what_control_does_not_get_to_is_not_reached() -> None:
    source = program("x := 1", "thread w { z := 9 }")
    found, pack_of = flows(source)
    assert source.templates["w"].entry not in set(found.reached)
    assert list(found.sources(pack_of["x"], source.templates["w"].entry)) == []
    assert source.templates["main"].exit in set(found.reached)


def test_what_may_refuse_defines_that_control_gets_on() -> None:
    source = program("x := 1  [x == 1]  z := 9")
    found, _ = flows(source)
    (guard,) = found.sources(REACHED, where(source, "z := 9"))
    assert source.commands[guard].instruction == program("[x == 1]").commands[0].instruction
    assert list(found.sources(REACHED, where(source, "x := 1"))) == [INITIAL]
