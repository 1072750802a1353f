"""What a thread has decided is known behind calls of shared bodies; nothing else changes for who comes back there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest

from duet.frontend.graph import decided as module
from duet.frontend.graph.decided import decided
from duet.plip import returns
from duet.plip.build import ProgramBuilder
from duet.plip.returns import call_of
from duet.plip.syntax import SKIP, TRUE, Assign, Atomic, Cell, Guard, Havoc, Instruction, Program, Step, steps
from duet.plip.terms import compare, constant, evaluate, satisfies, variable

BODIES, INSIDE, DEPTH = 2, 9, 3
"""Bodies that calls share, locations in each, and calls at most that an execution is in."""
RECENT = 8
"""Commands of an execution that are compared."""
COUNT = 150
ENOUGH = 400  # programs in which a seeded defect must show
KEPT = (4371, 6263)  # programs whose calls come back with a value in a body that is called
CELLS = ("a", "b", "g")


def _random_program(seed: int) -> Program:
    """A program of a main body and others that it calls, some by way of others, some that may be left by jumps."""
    rng = Random(seed)
    builder = ProgramBuilder()
    builder.cell(Cell("g", lo=0, hi=0))
    places = [range(start, start + INSIDE) for start in range(0, (BODIES + 1) * INSIDE, INSIDE)]
    main = builder.template("main", entry=0, exit=INSIDE - 1)
    for name in ("a", "b"):
        builder.cell(Cell(name, "main", lo=0, hi=0))
    calls, is_recursive = 0, rng.random() < 0.2

    def call(source: int, body: int, target: int) -> None:
        nonlocal calls
        calls += 1
        before, behind = (_step(rng) if rng.random() < 0.3 else None for _ in range(2))
        main.command(source, _together(before, Guard(TRUE, calls)), places[body][0])
        if rng.random() < 0.95:
            main.command(places[body][-1], _together(Guard(TRUE, -calls), behind), target)

    for body, inside in enumerate(places):
        for at in inside[:-1]:
            if rng.random() < (0.1 if body else 0.5):
                cell, value = rng.choice(CELLS), rng.randrange(2)
                main.command(at, Guard(compare(variable(cell), "==", constant(value))), at + 1)
                main.command(
                    at, Guard(compare(variable(cell), "!=", constant(value))), rng.choice(inside[at % INSIDE :])
                )
            elif (body < BODIES or is_recursive) and rng.random() < 0.6:
                call(at, rng.randrange(1 if is_recursive else body + 1, BODIES + 1), at + 1)
            else:
                main.command(at, SKIP if body and rng.random() < 0.8 else _step(rng), at + 1)
    if rng.random() < 0.2:
        main.command(rng.choice(places[-1]), Guard(TRUE), rng.choice(places[rng.randrange(BODIES)]))
    program = builder.program()
    marked = (it.marked(str(number)) for number, it in enumerate(program.commands))
    return replace(program, commands=tuple(marked))


def _step(rng: Random) -> Step:
    target, source = rng.choice(CELLS), rng.choice(CELLS)
    return rng.choice(
        (
            Assign(target, constant(rng.randrange(3))),
            Assign(target, variable(source)),
            Havoc(target, 0, rng.randint(1, 2)),
        )
    )


def _together(*parts: Step | None) -> Atomic:
    return Atomic(tuple(part for part in parts if part is not None))


def _executed(program: Program) -> tuple[set[object], bool]:
    """By their marks, the last few commands of executions that come back where they called, with what cells hold behind
    them, and whether these are all executions.
    """
    start = (program.templates["main"].entry, (), dict.fromkeys(CELLS, 0), ())
    work: list[tuple[int, tuple[int, ...], dict[str, int], tuple[str, ...]]] = [start]
    seen, found, is_whole = set[object](), set[object](), True
    while work:
        place, calls, store, last = work.pop()
        for index in program.outgoing[place]:
            command = program.commands[index]
            number = call_of(command.instruction)
            if number < 0 and -number not in calls:
                continue
            inner: tuple[int, ...] = (*calls, number) if number > 0 else calls
            if number < 0:  # out of a body by a jump: behind a call further out
                inner = calls[: len(calls) - 1 - calls[::-1].index(-number)]
            if len(inner) > DEPTH:
                is_whole = False
                continue
            behind = (*last, command.approximates)[-RECENT:]
            for after in _after(store, steps(command.instruction)):
                found.add((behind, *after.values()))
                state = (command.target, inner, behind, *after.values())
                if state not in seen:
                    seen.add(state)
                    work.append((command.target, inner, after, behind))
    return found, is_whole


def _after(store: Mapping[str, int], done: Sequence[Instruction]) -> list[dict[str, int]]:
    found = [dict(store)]
    for step in done:
        match step:
            case Guard(condition):
                found = [it for it in found if satisfies(condition, it)]
            case Assign(target, value):
                found = [it | {target: evaluate(value, it)} for it in found]
            case Havoc(target, int(lo), int(hi)):
                found = [it | {target: value} for it in found for value in range(lo, hi + 1)]
            case _:
                raise AssertionError(step)
    return found


def _differs(seed: int) -> bool | None:
    """Whether a program ends otherwise with ways told apart; None where they are not."""
    program = _random_program(seed)
    other = decided(program)
    return None if other.commands == program.commands else _executed(program) != _executed(other)


def test_executions_that_come_back_where_they_called_are_the_same() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 4


TOUCHED = module.Calls.touched
DEFECTS = {
    "bodies-touch-nothing": (module.Calls, "touched", lambda *_: frozenset()),
    "bodies-leave-a-cell-alone": (module.Calls, "touched", lambda self, number: TOUCHED(self, number) - {"b"}),
    "what-comes-back-touches-nothing": (returns, "chain", lambda inside, *_: inside),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    with patch.object(*DEFECTS[name]):
        assert any(_differs(seed) for seed in (*KEPT, *range(ENOUGH)))
