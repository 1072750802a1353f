"""Random programs whose calls share bodies, and what their steps do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from duet.plip.build import ProgramBuilder
from duet.plip.syntax import SKIP, TRUE, Assign, Atomic, Cell, Guard, Havoc, Instruction, Program, Spawn, Step
from duet.plip.terms import compare, constant, evaluate, satisfies, variable

BODIES, INSIDE = 2, 9
"""Bodies that calls share, and locations in each."""
CELLS = ("a", "b", "g")


def random_program(seed: int, entries: int = 1, with_other: bool = False) -> Program:
    """A program of a main body and others that it calls, some by way of others, some that may be left by jumps.

    Calls enter a body at one of its first `entries` locations; `with_other` thread that writes `g`, too.
    """
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
        before, behind = (step_of(rng) if rng.random() < 0.3 else None for _ in range(2))
        main.command(source, _together(before, Guard(TRUE, calls)), places[body][rng.randrange(entries)])
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
                main.command(at, SKIP if body and rng.random() < 0.8 else step_of(rng), at + 1)
    if rng.random() < 0.2:
        main.command(rng.choice(places[-1]), Guard(TRUE), rng.choice(places[rng.randrange(BODIES)]))
    if with_other:
        other = builder.template("other", entry=len(places) * INSIDE, exit=len(places) * INSIDE + 3)
        for at in range(3):
            guard = Guard(compare(variable("g"), rng.choice(("==", "!=")), constant(rng.randrange(2))))
            step = rng.choice((guard, Assign("g", constant(rng.randrange(3))), SKIP))
            other.command(other.entry + at, step, other.entry + at + 1)
        main.command(0, Spawn("other"), 1)
    program = builder.program()
    marked = (it.marked(str(number)) for number, it in enumerate(program.commands))
    return replace(program, commands=tuple(marked))


def step_of(rng: Random) -> Step:
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


def after_steps(store: Mapping[str, int], done: Sequence[Instruction]) -> list[dict[str, int]]:
    """What cells may hold behind some steps."""
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
