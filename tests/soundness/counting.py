"""Random programs in which a global is only ever added to: random programs with their writes of it replaced."""

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

COUNTER = "g"


def counting_program(seed: int) -> Program:
    """The program of a seed: `g` is added to, by way of locals, too, and most checks are about it."""
    rng = Random(seed)
    program = random_program(seed)
    commands = tuple(replace(c, instruction=_changed(rng, program, c)) for c in program.commands)
    return replace(program, commands=commands)


def _changed(rng: Random, program: Program, command: Command) -> Instruction:
    match command.instruction:
        case Assert() as found if rng.random() < 0.7:
            bound = constant(rng.choice((-1, 0, 0, 1, 1, 2, 2, 3, 4)))
            return replace(found, condition=compare(variable(COUNTER), rng.choice(COMPARISONS), bound))
        case Atomic() | Assign() | Compute() | Guard():
            local = f"{program.template_of[command.source]}.t"
            done = tuple(new for step in steps_of(command.instruction) for new in _additive(rng, local, step))
            return done[0] if len(done) == 1 else Atomic(done)
        case found:
            return Assign("h" if "h" in program.cells else COUNTER, linear({COUNTER: 1})) if _writes(found) else found


def _writes(instruction: Instruction) -> bool:
    return any(getattr(step, "target", "") == COUNTER for step in steps_of(instruction))


def _additive(rng: Random, local: str, step: Instruction) -> Iterator[Step]:
    """A step that adds to the counter in place of one that sets it, and of some others."""
    assert isinstance(step, Step)
    if not isinstance(step, Guard) and (step.target == COUNTER or (step.target == local and rng.random() < 0.2)):
        by = rng.choice((1, 1, 1, -1, 2))
        match rng.choice(("plain", "plain", "copied", "wrapped", "variable")):
            case "plain":
                yield Assign(COUNTER, linear({COUNTER: 1}, by))
            case "copied":
                yield Assign(local, linear({COUNTER: 1}, by))
                yield Assign(COUNTER, variable(local))
            case "wrapped":
                yield Assign(local, variable(COUNTER))
                bounds = (constant(rng.choice((-1, 0))), constant(rng.choice((1, 2, 3))))
                yield Compute(COUNTER, Operation.WRAP, (Linear(((local, 1),), by), *bounds))
            case _:
                yield Assign(COUNTER, linear({COUNTER: 1, local: rng.choice((1, -1))}))
    else:
        yield step
