"""What flows between threads in small programs, one for each rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from datalog.bitset import Bitset
from datalog.souffle import Souffle
from domains.values.number import ANY, Number
from duet.errors import EngineError, ResourceLimit
from duet.flow.effects import effects
from duet.flow.packs import Packing, singletons
from duet.interference.conditions import observable_conditions, observed_packs
from duet.interference.solve import feasible_flows
from duet.plip.syntax import (
    SKIP,
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Program,
    Relation,
    Spawn,
    Template,
)
from duet.plip.terms import conjunction, constant, holds, negate_atom, variable
from duet.result import Check

Edge = tuple[int, Instruction, int]


def equal(cell: str, value: int) -> Atom:
    return Atom(Linear(((cell, 1),), -value), Relation.EQ)


def write(cell: str, value: int = 1) -> Assign:
    return Assign(cell, constant(value))


def take(lock: str) -> Atomic:
    return Atomic((Guard(equal(lock, 0)), write(lock)))


@dataclass(frozen=True)
class Constants:
    """An annotation that knows constant values of cells at some locations."""

    program: Program
    values: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    bottoms: frozenset[int] = frozenset()

    def is_bottom(self, location: int) -> bool:
        return location in self.bottoms

    def is_disabled(self, command: int) -> bool:
        return self.program.commands[command].source in self.bottoms

    def entails(self, location: int, atom: Atom) -> bool:
        known = self.values.get(location, {})
        ((cell, factor),) = atom.term.terms
        return cell in known and holds(factor * known[cell] + atom.term.constant, atom.relation)

    def refuses(self, command: int, atom: Atom) -> bool:
        instruction = self.program.commands[command].instruction
        first = instruction.steps[0] if isinstance(instruction, Atomic) else instruction
        is_own = isinstance(first, Guard) and first.condition == negate_atom(atom)
        opposite = negate_atom(atom)
        assert isinstance(opposite, Atom)
        return is_own or self.entails(self.program.commands[command].source, opposite)

    def number(self, _location: int, _term: Linear) -> Number:
        return ANY

    def outlooks(self, locations: Collection[int], _cells: frozenset[str]) -> Sequence[int]:
        return tuple(locations)

    def stance(self, command: int, _cells: frozenset[str]) -> int:
        return command


def program(
    atomic: Iterable[int] = (), cells: Iterable[str] = ("x", "y", "m"), summary: str = "a", **bodies: list[Edge]
) -> Program:
    """A program whose templates start at the source of their first command and end at the last target."""
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    for name, body in bodies.items():
        mine = tuple(range(len(commands), len(commands) + len(body)))
        commands += [Command(*edge) for edge in body]
        inside = frozenset(atomic) & {at for source, _, target in body for at in (source, target)}
        templates[name] = Template(name, body[0][0], body[-1][2], mine, atomic=inside)
    found = {name: Cell(name) for name in cells} | {summary: Cell(summary, summary=True)}
    found["t"] = Cell("t", template="main")
    return Program(found, templates, tuple(commands), "main")


def readers(
    source: Program, writer: int, annotation: Constants | None = None, packing: Packing | None = None
) -> set[int]:
    """Where the pack written by the command at a location may be seen by another thread."""
    packing = packing or singletons(source)
    definition = next(i for i, command in enumerate(source.commands) if command.source == writer)
    (cell,) = effects(source)[definition].writes
    everywhere = dict.fromkeys(range(len(packing.packs)), frozenset(source.template_of))
    found = [
        feasible_flows(
            source, effects(source), packing, everywhere, annotation or Constants(source), Bitset(), reduce=reduce
        )
        for reduce in (True, False)
    ]
    assert found[0].inter == found[1].inter
    pack = packing.pack_of[cell]
    return {at for (x, at), commands in found[0].inter.items() if x == pack and definition in commands}


MUTEX: list[Edge] = [(10, take("m"), 11), (11, write("x", 1), 12), (12, write("x", 0), 13), (13, write("m", 0), 14)]
CLIENTS: list[Edge] = [(0, Spawn("client"), 0), (0, SKIP, 1)]
HELD = {11: {"m": 1}, 12: {"m": 1}, 13: {"m": 1}}


def test_figure_3_5() -> None:
    """Fig. 3.5: `x := 1` cannot be seen inside the lock, since whoever is there keeps all others out of it."""
    source = program(main=CLIENTS, client=MUTEX)
    assert {11, 12} <= readers(source, 11)
    annotation = Constants(source, HELD)
    assert not readers(source, 11, annotation) & {11, 12, 13}
    assert readers(source, 11, annotation) == {0, 1, 10, 14}
    assert readers(source, 12, annotation) == {0, 1, 10, 11, 14}


def test_many_threads_interfere_with_themselves() -> None:
    source = program(main=CLIENTS, client=[(10, write("x"), 11), (11, SKIP, 12)])
    assert {10, 11} <= readers(source, 10)


def test_a_single_thread_does_not_interfere_with_itself() -> None:
    source = program(main=[(0, Spawn("only"), 1), (1, SKIP, 2)], only=[(10, write("x"), 11), (11, SKIP, 12)])
    assert readers(source, 10) == {1, 2}


def test_nothing_flows_before_threads_are_created() -> None:
    source = program(main=[(0, write("x"), 1), (1, Spawn("child"), 2), (2, SKIP, 3)], child=[(10, SKIP, 11)])
    assert readers(source, 0) == set()


def test_two_children_of_one_parent_interfere() -> None:
    source = program(
        main=[(0, Spawn("left"), 1), (1, Spawn("right"), 2)],
        left=[(10, write("x"), 11)],
        right=[(20, SKIP, 21)],
    )
    assert readers(source, 10) == {1, 2, 20, 21}


def test_a_reader_goes_on_in_its_child() -> None:
    """What the parent may have seen when it creates a thread, the thread starts with."""
    source = program(
        main=[(0, Spawn("writer"), 1), (1, Spawn("parent"), 2)],
        writer=[(10, write("x"), 11)],
        parent=[(20, SKIP, 21), (21, Spawn("child"), 22)],
        child=[(30, Guard(equal("y", 0)), 31), (31, Guard(equal("x", 0)), 32)],
    )
    assert {30, 31} <= readers(source, 10)


def test_a_write_of_the_reader_ends_what_it_saw() -> None:
    source = program(
        main=[(0, Spawn("writer"), 1), (1, SKIP, 2)],
        writer=[(10, write("x"), 11)],
    )
    assert readers(source, 10) == {1, 2}
    killed = program(main=[(0, Spawn("w"), 1), (1, write("x", 2), 2), (2, SKIP, 3)], w=[(10, write("x"), 11)])
    assert readers(killed, 10) == {1, 2, 3}
    # after the join nothing is left to write, so the parent's own write lasts
    joined = program(
        main=[(0, Spawn("w"), 1), (1, Join("w"), 2), (2, write("x", 2), 3), (3, SKIP, 4)], w=[(10, write("x"), 11)]
    )
    assert readers(joined, 10) == {1, 2}


def test_joining_orders_only_single_threads() -> None:
    once = program(main=[(0, Spawn("w"), 1), (1, Join("w"), 2)], w=[(10, SKIP, 11), (11, write("x"), 12)])
    command_effects, packing = effects(once), singletons(once)
    flows = feasible_flows(once, command_effects, packing, {}, Constants(once), Bitset())
    assert flows.coreachable(1, 11)
    assert not flows.coreachable(2, 11)
    assert flows.coreachable(2, 12)
    twice = program(main=[(0, Spawn("w"), 0), (0, Join("w"), 2)], w=[(10, SKIP, 11), (11, write("x"), 12)])
    assert feasible_flows(twice, command_effects, packing, {}, Constants(twice), Bitset()).coreachable(2, 11)


def test_guards_end_a_flow_for_their_own_thread_only() -> None:
    body: list[Edge] = [(10, write("x"), 11), (11, Guard(equal("x", 1)), 12)]
    source = program(main=[(0, Spawn("w"), 1), (1, Guard(equal("x", 1)), 2), (2, SKIP, 3)], w=body)
    assert readers(source, 10) == {1, 2, 3}  # the write may come after main's guard
    ordered = program(main=[(0, Spawn("w"), 1), (1, Join("w"), 2), (2, Guard(equal("x", 1)), 3), (3, SKIP, 4)], w=body)
    assert readers(ordered, 10) == {1, 2}


def test_weak_writes_end_nothing() -> None:
    body: list[Edge] = [(10, write("a"), 11), (11, write("a", 2), 12)]
    source = program(main=[(0, Spawn("w"), 1), (1, Join("w"), 2), (2, write("a", 3), 3), (3, SKIP, 4)], w=body)
    assert readers(source, 10) == {1, 2, 3, 4}


def test_nothing_is_seen_of_the_inside_of_a_region() -> None:
    body: list[Edge] = [(10, SKIP, 11), (11, write("x"), 12), (12, write("x", 0), 13), (13, SKIP, 14)]
    source = program(atomic=(11, 12, 13), main=[(0, Spawn("w"), 1), (1, SKIP, 2)], w=body)
    assert readers(source, 11) == set()
    assert readers(source, 12) == {1, 2}


def test_a_step_inside_a_region_is_not_blocked() -> None:
    """The other thread's invariant speaks of what it can see, and it sees nothing of a region until it is left."""
    body: list[Edge] = [(10, SKIP, 11), (11, Guard(equal("m", 0)), 12), (12, write("x"), 13), (13, SKIP, 14)]
    inside = program(atomic=(11, 12, 13), main=[(0, Spawn("w"), 1)], w=body)
    values = {1: {"m": 1}}
    assert readers(inside, 12, Constants(inside, values)) == {1}
    outside = program(main=[(0, Spawn("w"), 1)], w=body)
    assert readers(outside, 12, Constants(outside, values)) == set()


def test_contradictions_at_the_target_of_a_step_do_not_count() -> None:
    """A flow may be what makes two invariants agree in the next round."""
    unguarded = program(main=[(0, Spawn("w"), 1), (1, SKIP, 2)], w=[(10, write("x"), 11)])
    assert readers(unguarded, 10, Constants(unguarded, {2: {"m": 0}, 11: {"m": 1}})) == {1, 2}


def test_a_thread_at_an_unreachable_location_blocks() -> None:
    source = program(main=[(0, Spawn("w"), 1), (1, SKIP, 2)], w=[(10, write("x"), 11)])
    assert readers(source, 10) == {1, 2}
    assert readers(source, 10, Constants(source, bottoms=frozenset((1,)))) == set()


def test_packs_flow_as_one_record() -> None:
    """A write of one cell of a pack carries the others with it, and a later write of another one ends it."""
    body: list[Edge] = [(10, write("x"), 11), (11, write("y"), 12)]
    source = program(main=[(0, Spawn("w"), 1), (1, Join("w"), 2)], w=body)
    alone = Packing((("x",), ("y",), ("m",), ("a",), ("t",)))
    together = Packing((("x", "y"), ("m",), ("a",), ("t",)))
    assert readers(source, 10, packing=alone) == {1, 2}
    assert readers(source, 10, packing=together) == {1}


def test_local_packs_do_not_flow() -> None:
    source = program(main=[(0, Spawn("w"), 1), (1, write("t"), 2)], w=[(10, SKIP, 11)])
    assert readers(source, 1) == set()


def test_conditions_come_from_guards_and_checks_over_globals() -> None:
    check = Check("a.c", 1, 1, "f", "assertion", "x == 5")
    mixed = Atom(Linear((("t", 1), ("x", -1))), Relation.LE)
    both: Formula = conjunction((equal("y", 3), Atom(Linear((("a", 1),)), Relation.LE)))
    source = program(
        main=[
            (0, take("m"), 1),
            (1, Assert(equal("x", 5), check), 2),
            (2, Assert(equal("x", 7), check, stops=False), 3),
            (3, Guard(mixed), 4),
            (4, Guard(both), 5),
            (5, Havoc("x"), 6),
        ]
    )
    positive = (equal("m", 0), equal("x", 5), equal("y", 3))
    assert observable_conditions(source) == tuple(c for atom in positive for c in (atom, negate_atom(atom)))
    packing = singletons(source)
    assert observed_packs(source, packing) == {packing.pack_of[cell] for cell in ("m", "x", "y")}


def _script(folder: Path, body: str) -> str:
    path = folder / "souffle"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_engine_trouble_is_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory) -> None:
    source = program(main=CLIENTS, client=MUTEX)
    missing = Souffle(str(tmp_path_factory.mktemp("empty") / "souffle"))
    with pytest.raises(EngineError, match="cannot start souffle"):
        feasible_flows(source, effects(source), singletons(source), {}, Constants(source), missing)

    slow = Souffle(_script(tmp_path_factory.mktemp("slow"), "sleep 60"))
    with pytest.raises(ResourceLimit, match="did not end within"):
        feasible_flows(source, effects(source), singletons(source), {}, Constants(source), slow, timeout=0.3)


def test_size_of_the_facts_grows_with_the_visible_moves_only() -> None:
    """A thousand local steps between two writes make no more blocks than one."""

    def sizes(steps: int) -> tuple[int, int]:
        local: list[Edge] = [(100 + i, Assign("t", variable("t")), 101 + i) for i in range(steps)]
        body: list[Edge] = [(10, write("x"), 100), *local, (100 + steps, write("x", 2), 11)]
        source = program(main=[(0, Spawn("w"), 0), (0, SKIP, 1)], w=body)
        wanted = {singletons(source).pack_of["x"]: frozenset((1,))}
        flows = feasible_flows(source, effects(source), singletons(source), wanted, Constants(source), Bitset())
        return flows.stats["blocks"], flows.stats["pack_blocks"]

    assert sizes(1000) == sizes(1)
