"""Lowered programs are made small without a change of what they do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from duet.frontend.graph import compact
from duet.frontend.graph.compact import compacted
from duet.frontend.graph.exact import marks_moved
from duet.plip.accesses import Access, AccessKind
from duet.plip.marks import ANY_WAY
from duet.plip.parser import parse_program
from duet.plip.syntax import SKIP, Assign, Atomic, Command, Compute, Havoc, Instruction, Lookup, Operation
from duet.plip.terms import add, constant, variable
from duet.plip.touched import reads, touched, writes

A, B = Assign("a", constant(1)), Assign("b", constant(2))
READ = Access(AccessKind.READ, "x", (), "x", False, ())
Edge = tuple[int, Instruction, int]


def small(*edges: Edge, atomic: tuple[int, ...] = (), noted: int | None = None) -> list[Edge]:
    """The commands of a template from 0 to 9; `noted` is the one that makes an access."""
    commands = [Command(*edge, accesses=(READ,) if i == noted else ()) for i, edge in enumerate(edges)]
    found, _ = compacted(commands, 0, 9, frozenset(atomic))
    return [(command.source, command.instruction, command.target) for command in found]


def test_what_nothing_reaches_is_dropped() -> None:
    assert small((0, A, 9), (5, B, 9)) == [(0, A, 9)]


def test_steps_that_do_nothing_are_dropped() -> None:
    assert small((0, SKIP, 1), (1, A, 2), (2, SKIP, 9)) == [(0, A, 9)]
    assert small((0, A, 1), (1, SKIP, 2), (2, SKIP, 3), (3, B, 9)) == [(0, A, 3), (3, B, 9)]


def test_steps_with_an_access_are_kept() -> None:
    assert (0, SKIP, 1) in small((0, SKIP, 1), (1, A, 9), noted=0)


def test_a_choice_stays_a_choice() -> None:
    edges: tuple[Edge, ...] = ((0, SKIP, 1), (0, SKIP, 2), (1, A, 9), (2, B, 9))
    assert small(*edges) == [(0, A, 9), (0, B, 9)]
    joined = small((0, A, 1), (1, SKIP, 2), (1, SKIP, 3), (2, B, 3), (3, A, 9))
    assert {(i, t) for s, i, t in joined if s == 1} >= {(B, 3), (SKIP, 3)}


def test_a_loop_that_does_nothing_is_dropped() -> None:
    assert small((0, A, 1), (1, SKIP, 1), (1, B, 9)) == [(0, A, 1), (1, B, 9)]


def test_writes_to_temporaries_that_nothing_reads_are_dropped() -> None:
    for dead in (
        Assign("$t", variable("g")),
        Havoc("$t"),
        Compute("$t", Operation.MUL, (variable("a"), variable("b"))),
    ):
        assert small((0, dead, 1), (1, A, 9)) == [(0, A, 9)]
    assert len(small((0, Havoc("$t"), 1), (1, Assign("b", variable("$t")), 9))) == 2
    assert len(small((0, Havoc("t"), 1), (1, A, 9))) == 2


def test_what_only_dead_temporaries_read_is_dead() -> None:
    chain = [(n, Assign(f"$t{n}", variable(f"$t{n - 1}" if n else "g")), n + 1) for n in range(5)]
    assert small(*chain, (5, A, 9)) == [(0, A, 9)]
    assert len(small(*chain, (5, Assign("b", variable("$t4")), 9))) == 6
    counter = Assign("$t", add(variable("$t"), constant(1)))
    assert small((0, counter, 0), (0, A, 9)) == [(0, A, 9)]
    partial = Compute("$u", Operation.DIV, (variable("a"), variable("$t")))
    assert len(small((0, counter, 1), (1, partial, 9))) == 2


def test_chains_of_dead_temporaries_are_dropped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Instruction] = []

    def counted(instruction: Instruction) -> frozenset[str]:
        asked.append(instruction)
        return reads(instruction)

    monkeypatch.setattr(compact, "reads", counted)
    small(*((n, Assign(f"$t{n}", variable(f"$t{n + 1}")), n + 1) for n in range(200)), (200, A, 9))
    assert len(asked) <= 201


def test_a_chain_of_guessed_choices_is_one_choice_after_few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    passes: list[int] = []

    def counted(commands: Sequence[Command], entry: int, exit_location: int) -> list[Command]:
        passes.append(len(commands))
        return marks_moved(commands, entry, exit_location)

    monkeypatch.setattr(compact, "marks_moved", counted)
    edges: list[Command] = []
    for n in range(0, 200, 4):  # n: a write behind one way, the next choice behind the other one
        edges += [Command(n, SKIP, n + 1, approximates=ANY_WAY), Command(n, SKIP, n + 4, approximates=ANY_WAY)]
        edges += [Command(n + 1, Assign(f"x{n}", constant(1)), n + 2), Command(n + 2, SKIP, 200)]
    found, _ = compacted(edges, 0, 200, frozenset())
    assert {(command.source, command.target, command.approximates) for command in found} == {(0, 200, ANY_WAY)}
    assert len(found) == 51
    assert len(passes) <= 4


@pytest.mark.parametrize(
    "partial",
    [
        Compute("$t", Operation.DIV, (variable("a"), variable("b"))),
        Compute("$t", Operation.MOD, (variable("a"), variable("b"))),
        Compute("$t", Operation.SHL, (variable("a"), variable("b"))),
        Compute("$t", Operation.SHR, (variable("a"), variable("b"))),
        Lookup("$t", (1, 2), variable("a")),
    ],
)
def test_what_may_not_pass_is_kept(partial: Instruction) -> None:
    assert small((0, partial, 1), (1, A, 9)) == [(0, partial, 1), (1, A, 9)]


def test_a_straight_atomic_region_is_one_step() -> None:
    assert small((0, A, 1), (1, B, 2), (2, A, 9), atomic=(1, 2)) == [(0, Atomic((A, B, A)), 9)]
    assert small((0, A, 1), (1, B, 2), (2, A, 9), atomic=(2,)) == [(0, A, 1), (1, Atomic((B, A)), 9)]


def test_the_first_step_of_an_atomic_region_starts_outside() -> None:
    edges: tuple[Edge, ...] = ((0, SKIP, 1), (1, A, 2), (1, B, 3), (2, SKIP, 9), (3, SKIP, 9))
    found = small(*edges, atomic=(1, 2, 3))
    assert {source for source, _, _ in found} <= {0}
    assert {instruction for _, instruction, _ in found} == {A, B}


def test_an_atomic_region_with_branches_keeps_its_locations() -> None:
    commands = [Command(0, A, 1), Command(1, A, 2), Command(1, B, 2), Command(2, A, 9)]
    _, atomic = compacted(commands, 0, 9, frozenset({1, 2, 7}))
    assert atomic == {1, 2}


def test_accesses_of_a_region_are_those_of_all_its_steps() -> None:
    commands = [Command(0, A, 1), Command(1, B, 9, accesses=(READ,))]
    (command,), _ = compacted(commands, 0, 9, frozenset({1}))
    assert command.accesses == (READ,)


@pytest.mark.parametrize(
    ("text", "read", "written"),
    [
        ("x := y + z", "yz", "x"),
        ("x := *", "", "x"),
        ("x := mul(y, z)", "yz", "x"),
        ("x := [1, 2][y]", "y", "x"),
        ("[x == y]", "xy", ""),
        ("assert x == 0", "x", ""),
        ("atomic { [x == 0] y := z }", "xz", "y"),
        ("spawn w(p := x)", "x", "p"),
        ("join w", "", ""),
    ],
)
def test_what_instructions_read_and_write(text: str, read: str, written: str) -> None:
    head = "global x = 0 global y = 0 global z = 0 thread w(p) { skip }"
    program = parse_program(f"{head} thread main {{ {text} }}")
    command = program.commands[program.templates["main"].commands[0]]
    assert reads(command.instruction) == set(read)
    assert writes(command.instruction) == set(written)
    assert touched((command,)) == set(read) | set(written)
