"""What comes back from bodies that calls share: the definitions of executions that come back to who has called them."""

from __future__ import annotations

from random import Random

import pytest

from duet.flow import reaching, returned
from duet.flow.dfg import sequential_dfg
from duet.flow.effects import effects
from duet.flow.packs import singletons
from duet.flow.reaching import Defined, Initial, modified_packs
from duet.plip import returns
from duet.plip.build import ProgramBuilder
from duet.plip.syntax import SKIP, And, Assign, Atomic, Cell, Guard, Program, Step, steps
from duet.plip.terms import constant, variable

BODIES, INSIDE, DEPTH = 3, 4, 4
"""Bodies that calls share, locations in each, and calls at most that an execution is in."""
ALWAYS = And(())


def _random_program(
    seed: int, with_recursion: bool = False, with_jumps: bool = False, with_more: bool = False, entries: int = 1
) -> Program:
    """A program of a main body and others that it calls, in each of which ways meet.

    Calls enter a body at one of its first `entries` locations.
    `with_more` some commands that come back do something in front of that.
    """
    random = Random(seed)
    builder = ProgramBuilder()
    for name in ("g", "h"):
        builder.cell(Cell(name, lo=0, hi=0))
    builder.cell(Cell("a", summary=True, lo=0, hi=0))
    places = [range(start, start + INSIDE) for start in range(0, (BODIES + 1) * INSIDE, INSIDE)]
    main = builder.template("main", entry=0, exit=INSIDE - 1)
    calls = 0

    def call(source: int, body: int, target: int) -> None:
        nonlocal calls
        calls += 1
        main.command(source, Guard(ALWAYS, calls), places[body][random.randrange(entries)])
        back = Guard(ALWAYS, -calls)
        does_more = with_more and random.random() < 0.2
        main.command(places[body][-1], Atomic((_random_instruction(random), back)) if does_more else back, target)

    for body, inside in enumerate(places):
        for at in inside[:-1]:
            main.command(at, _random_instruction(random), at + 1)
        callees = [n for n in range(1, BODIES + 1) if n > body or (with_recursion and body)]
        for _ in range(random.randrange(4)):
            source, target = random.choice(inside[:-1]), random.choice(inside)
            if random.random() < 0.5 or not callees:
                main.command(source, _random_instruction(random), target)
            else:
                call(source, random.choice(callees), target)
        if body:
            call(random.choice(places[0][:-1]), body, random.choice(places[0]))
    if with_jumps:
        source, target = random.choice(places[-1]), random.choice(places[random.randrange(BODIES)])
        main.command(source, SKIP, target)
    return builder.program()


def _random_instruction(random: Random) -> Step:
    choices: list[Step] = [SKIP, SKIP, Assign("g", constant(1)), Assign("h", variable("g")), Assign("a", constant(2))]
    return random.choice(choices)


def _executed(program: Program, pack: int) -> dict[int, set[int]]:
    """By location, the last definitions of a pack in executions that are in a few calls at most; -1 the initial one."""
    packing, found = singletons(program), effects(program)
    defines = [modified_packs(program, effect, packing, at) for at, effect in enumerate(found)]
    start: tuple[int, tuple[int, ...], int] = (0, (), -1)
    seen, work = {start}, [start]
    while work:
        location, calls, last = work.pop()
        for index in program.outgoing[location]:
            command = program.commands[index]
            mark = next((step.call for step in steps(command.instruction) if isinstance(step, Guard) and step.call), 0)
            if mark < 0 and (not calls or calls[-1] != -mark):
                # out of a body by a jump: behind a call further out
                if -mark not in calls:
                    continue
                inner = calls[: len(calls) - 1 - calls[::-1].index(-mark)]
            else:
                inner = calls[:-1] if mark < 0 else (*calls, mark) if mark else calls
            ends = [last]
            if pack in defines[index]:
                ends = [index] if defines[index][pack] else [index, last]
            for end in ends if len(inner) <= DEPTH else ():
                state = (command.target, inner, end)
                if state not in seen:
                    seen.add(state)
                    work.append(state)
    reach: dict[int, set[int]] = {}
    for location, _, last in seen:
        reach.setdefault(location, set()).add(last)
    return reach


def _flows(program: Program, pack: int, locations: set[int]) -> dict[int, set[int]]:
    graph = sequential_dfg(program, singletons(program), (), everywhere=True)
    return {at: {_number(source) for source in graph.own_sources(pack, at)} for at in locations}


def _number(source: Initial | Defined) -> int:
    return source.command if isinstance(source, Defined) else -1


@pytest.mark.parametrize(("many", "entries"), [(1, 1), (reaching.MANY, 1), (reaching.MANY, 2)])
@pytest.mark.parametrize("seed", range(200))
def test_definitions_are_those_of_executions_that_come_back_to_who_has_called(
    seed: int, many: int, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reaching, "MANY", many)
    program = _random_program(seed, entries=entries)
    for pack in range(len(program.cells)):
        expected = _executed(program, pack)
        found = _flows(program, pack, set(expected))
        assert all(found[at] >= definitions for at, definitions in expected.items())
        assert entries > 1 or found == expected  # bodies that are entered in several places are kept apart in part only


@pytest.mark.parametrize("with_jumps", [False, True])
@pytest.mark.parametrize("seed", range(200))
def test_no_definition_is_lost(seed: int, with_jumps: bool) -> None:
    assert _lost(_random_program(seed, True, with_jumps, with_more=True, entries=1 + seed % 2)) == {}


def _lost(program: Program) -> dict[tuple[int, int], list[int]]:
    """By pack and location the definitions of executions that are none of the flows."""
    lost: dict[tuple[int, int], list[int]] = {}
    for pack in range(len(program.cells)):
        expected = _executed(program, pack)
        found = _flows(program, pack, set(expected))
        lost.update({(pack, at): sorted(expected[at] - found[at]) for at in expected if not expected[at] <= found[at]})
    return lost


def test_calls_further_out_that_are_forgotten_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(returns, "_inside", lambda *given: {entry: frozenset((entry,)) for entry in given[3]})
    assert any(_lost(_random_program(seed, True, True, entries=2)) for seed in range(200))


@pytest.mark.parametrize("rule", ["is_passing", "is_changed"])
def test_definitions_that_do_not_come_back_are_noticed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(returned.Returned, rule, lambda *_: False)
    for seed in range(20):
        program = _random_program(seed)
        for pack in range(len(program.cells)):
            expected = _executed(program, pack)
            found = _flows(program, pack, set(expected))
            if any(expected[at] - found[at] for at in expected):
                return
    pytest.fail("no definition is missed")
