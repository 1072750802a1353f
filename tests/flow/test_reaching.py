"""Own flows: the factored graph has exactly the textbook reaching definitions, spawn edges included."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

import pytest

from duet.flow import reaching
from duet.flow.dfg import sequential_dfg
from duet.flow.effects import effects
from duet.flow.packs import singletons
from duet.flow.reaching import Defined, Initial, modified_packs, own_flows
from duet.plip.build import ProgramBuilder
from duet.plip.parser import parse_program
from duet.plip.syntax import SKIP, Assign, Cell, Guard, Instruction, Program, Spawn
from duet.plip.terms import compare, constant, variable

Source: TypeAlias = int | str  # a command, or "init"
LOCATIONS = 6


def _random_program(seed: int) -> Program:
    random = Random(seed)
    builder = ProgramBuilder()
    for name in ("g", "h"):
        builder.cell(Cell(name, lo=0, hi=0))
    builder.cell(Cell("a", summary=True, lo=0, hi=0))
    for thread in ("main", "worker"):
        builder.cell(Cell(f"{thread}.t", template=thread))
    for thread, first in (("main", 0), ("worker", LOCATIONS)):
        parameters = ("worker.t",) if thread == "worker" else ()
        template = builder.template(thread, entry=first, exit=first + LOCATIONS - 1, parameters=parameters)
        for _ in range(random.randrange(4, 12)):
            source, target = (first + random.randrange(LOCATIONS) for _ in range(2))
            template.command(source, _random_instruction(random, f"{thread}.t"), target)
    return builder.program()


def _random_instruction(random: Random, local: str) -> Instruction:
    choices: list[Instruction] = [
        SKIP,
        Assign("g", variable("h")),
        Assign("h", constant(1)),
        Assign("a", constant(2)),
        Assign(local, variable("g")),
        Guard(compare(variable("g"), "==", constant(0))),
        Guard(compare(variable("g"), "<=", variable(local))),
        Spawn("worker", (("worker.t", variable("g")),)),
    ]
    return random.choice(choices)


def _textbook(program: Program, pack: int, is_local_to: str | None) -> tuple[set[int], dict[int, set[Source]]]:
    """Reaching definitions by naive iteration over sets."""
    packing = singletons(program)
    found = effects(program)
    defines = [modified_packs(program, found[i], packing, i) for i in range(len(program.commands))]
    reach: dict[int, set[Source]] = {location: set() for location in program.template_of}
    live = {program.templates[program.main].entry}
    if is_local_to in (None, program.main):
        reach[program.templates[program.main].entry].add("init")
    while True:
        before = (len(live), sum(map(len, reach.values())))
        for index, command in enumerate(program.commands):
            if command.source not in live:
                continue
            live.add(command.target)
            out = set(reach[command.source])
            spawn = isinstance(command.instruction, Spawn)
            if pack in defines[index] and not (spawn and is_local_to is not None):
                out = {index} if defines[index][pack] else out | {index}
            reach[command.target] |= out
            if isinstance(command.instruction, Spawn):
                entry = program.templates["worker"].entry
                live.add(entry)
                if is_local_to is None:
                    reach[entry] |= reach[command.source]
                elif is_local_to == "worker":
                    reach[entry] |= {index} if pack in defines[index] else {"init"}
        if before == (len(live), sum(map(len, reach.values()))):
            return live, reach


@pytest.mark.parametrize("many", [1, reaching.MANY])
@pytest.mark.parametrize("seed", range(150))
def test_own_flows_are_the_reaching_definitions(seed: int, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "MANY", many)
    program = _random_program(seed)
    packing = singletons(program)
    graph = sequential_dfg(program, packing, (), everywhere=True)
    for pack, (cell,) in enumerate(packing.packs):
        owner = program.cells[cell].template
        live, expected = _textbook(program, pack, owner)
        for location in graph.wanted[pack] & live:
            got: set[Source] = set()
            for source in graph.own_sources(pack, location):
                match source:
                    case Initial():
                        got.add("init")
                    case Defined(command) if program.commands[command].source in live:
                        got.add(command)
                    case Defined():
                        pass  # in code that no thread gets to: its value is bottom
            assert got == expected[location], (cell, location)


def test_a_spawn_passes_the_parents_definitions_on() -> None:
    builder = ProgramBuilder()
    builder.cell(Cell("g", lo=0, hi=0))
    main = builder.template("main", entry=0, exit=2)
    main.command(0, Assign("g", constant(1)), 1)
    main.command(1, Spawn("worker"), 2)
    builder.template("worker", entry=3, exit=4).command(3, Assign("g", variable("g")), 4)
    program = builder.program()
    graph = sequential_dfg(program, singletons(program), ())
    assert list(graph.own_sources(0, 3)) == [Defined(0, 0)]


def test_what_few_locations_ask_for_is_the_same_however_far_the_definition_is() -> None:
    """Two locals, each read far behind where it was written, one of them where ways meet; nodes are made once."""
    far = "z := 1 " * 40
    locals_ = "local x local y local z"
    program = parse_program(
        f"thread main {{ {locals_} x := 1 choose {{ y := 1 }} or {{ y := 2 }} {far} z := x + y {far} z := x + y }}"
    )
    packing = singletons(program)
    found = effects(program)
    places = [program.commands[i].source for i, effect in enumerate(found) if effect.reads == {"x", "y"}]
    flows = own_flows(program, found, packing, {packing.pack_of[name]: places for name in "xy"})
    for name, written in (("x", 1), ("y", 2)):
        pack = packing.pack_of[name]
        assert len({flows.at[pack, location] for location in places}) == 1
        assert [len(list(flows.sources(pack, location))) for location in places] == [written, written]
