"""Random programs in which globals are only ever added to: random programs with their writes of these replaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from duet.plip.syntax import (
    Assert,
    Assign,
    Atomic,
    Command,
    Compute,
    Guard,
    Instruction,
    Linear,
    Operation,
    Program,
    Step,
)
from duet.plip.syntax import steps as steps_of
from duet.plip.terms import compare, constant, linear, variable
from tests.soundness.generate import COMPARISONS, random_program

COUNTER, OTHER = "g", "h"


def counting_program(seed: int) -> Program:
    """The program of a seed: `g` is added to, by way of locals, too, and most checks are about it."""
    rng = Random(seed)
    program = random_program(seed)
    commands = tuple(replace(c, instruction=_changed(rng, program, c, COUNTER)) for c in program.commands)
    return replace(program, commands=commands)


def summing_program(seed: int) -> Program:
    """The program of a seed: `g` and `h` are added to, often one what the other loses, and checks are about both."""
    rng = Random(seed)
    program = random_program(seed)
    if OTHER not in program.globals or program.cells[OTHER].summary:
        return counting_program(seed)
    commands = list(program.commands)
    for counter in (COUNTER, OTHER):
        commands = [replace(c, instruction=_changed(rng, program, c, counter)) for c in commands]
    return replace(program, commands=tuple(replace(c, instruction=_paired(rng, c.instruction)) for c in commands))


def _paired(rng: Random, instruction: Instruction) -> Instruction:
    """A check about both counters, or a step that takes from one what it gives to the other, now and then."""
    match instruction:
        case Assert():
            term = linear({COUNTER: 1, OTHER: rng.choice((1, 1, -1))})
            return replace(
                instruction, condition=compare(term, rng.choice(COMPARISONS), constant(rng.choice((-1, 0, 0, 1, 2))))
            )
        case Assign(target, Linear(((source, 1),), by)) if target == source == COUNTER and rng.random() < 0.5:
            return Atomic((instruction, Assign(OTHER, linear({OTHER: 1}, -by))))
        case _:
            return instruction


def _changed(rng: Random, program: Program, command: Command, counter: str) -> Instruction:
    match command.instruction:
        case Assert() as found if rng.random() < 0.7:
            bound = constant(rng.choice((-1, 0, 0, 1, 1, 2, 2, 3, 4)))
            return replace(found, condition=compare(variable(counter), rng.choice(COMPARISONS), bound))
        case Atomic() | Assign() | Compute() | Guard():
            local = f"{program.template_of[command.source]}.t"
            done = tuple(new for step in steps_of(command.instruction) for new in _additive(rng, local, step, counter))
            return done[0] if len(done) == 1 else Atomic(done)
        case found:
            rest = next((name for name in ("h", "k") if name in program.cells and name != counter), counter)
            return Assign(rest, linear({counter: 1})) if _writes(found, counter) else found


def _writes(instruction: Instruction, counter: str) -> bool:
    return any(getattr(step, "target", "") == counter for step in steps_of(instruction))


def _additive(rng: Random, local: str, step: Instruction, counter: str) -> Iterator[Step]:
    """A step that adds to the counter in place of one that sets it, and of some others."""
    assert isinstance(step, Step)
    if not isinstance(step, Guard) and (step.target == counter or (step.target == local and rng.random() < 0.2)):
        by = rng.choice((1, 1, 1, -1, 2))
        match rng.choice(("plain", "plain", "copied", "wrapped", "variable")):
            case "plain":
                yield Assign(counter, linear({counter: 1}, by))
            case "copied":
                yield Assign(local, linear({counter: 1}, by))
                yield Assign(counter, variable(local))
            case "wrapped":
                yield Assign(local, variable(counter))
                bounds = (constant(rng.choice((-1, 0))), constant(rng.choice((1, 2, 3))))
                yield Compute(counter, Operation.WRAP, (Linear(((local, 1),), by), *bounds))
            case _:
                yield Assign(counter, linear({counter: 1, local: rng.choice((1, -1))}))
    else:
        yield step
