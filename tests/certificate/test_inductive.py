"""Cubes are checked apart from the search that finds them: proofs hold, changed ones are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from z3 import z3util

from duet.certificate.cubes import cube_layers
from duet.certificate.document import CubeLayer, Literal, Shape
from duet.certificate.inductive import Inductive
from duet.deadline import Deadline
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import Program
from tests.certificate.proofs import is_accepted, nothing_known
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES
from tests.verify.test_cubes import FAILS, PROVED, checks_of

NAMES = ("counter under a lock", "joined", "argument", "two locks")


def layer_of(program: Program) -> CubeLayer:
    (layer,) = cube_layers(program, (), checks_of(program), Deadline.after(20))
    return layer


@pytest.mark.parametrize("name", NAMES)
def test_a_proof_holds(name: str) -> None:
    program = parse_program(PROVED[name])
    assert is_accepted(program, layer_of(program), nothing_known(program))


@pytest.mark.parametrize("name", NAMES)
def test_cubes_for_another_program_are_refused(name: str) -> None:
    """The same cubes where the check fails: the locations and cells are those of the program, the steps are not."""
    program = parse_program(PROVED[name])
    layer = layer_of(program)
    for other in FAILS.values():
        failing = parse_program(other)
        moved = replace(layer, check=_named(failing))
        assert not is_accepted(failing, moved, nothing_known(failing))


def _named(program: Program) -> tuple[str, int, int, str, str, str]:
    (check,) = checks_of(program)
    return check.file, check.line, check.column, check.function, check.property_name, check.expression


def weaker(cube: Shape, random: Random) -> Shape:
    """A cube with one literal changed."""
    if not cube.literals:
        return replace(cube, locations=cube.locations[:-1] or (99_999,))
    position = random.randrange(len(cube.literals))
    old = cube.literals[position]
    new = random.choice([
        replace(old, constant=old.constant + random.choice((-2, -1, 1, 2))),
        replace(old, relation=random.choice(("<=", "==", "!="))),
        replace(old, terms=tuple((-factor, cell, thread) for factor, cell, thread in old.terms)),
    ])  # fmt: skip
    return replace(cube, literals=(*cube.literals[:position], new, *cube.literals[position + 1 :]))


def without(layer: CubeLayer, random: Random) -> CubeLayer:
    gone = random.randrange(len(layer.cubes))
    return replace(layer, cubes=layer.cubes[:gone] + layer.cubes[gone + 1 :])


def changed(layer: CubeLayer, random: Random) -> CubeLayer:
    at = random.randrange(len(layer.cubes))
    return replace(layer, cubes=(*layer.cubes[:at], weaker(layer.cubes[at], random), *layer.cubes[at + 1 :]))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("change", [without, changed])
def test_a_changed_proof_is_mostly_refused(name: str, change: Callable[[CubeLayer, Random], CubeLayer]) -> None:
    program = parse_program(PROVED[name])
    layer, known = layer_of(program), nothing_known(program)
    refused = sum(not is_accepted(program, change(layer, Random(seed)), known) for seed in range(6))
    assert refused >= 2


@pytest.mark.parametrize("seed", range(9000, 9016))
def test_nothing_that_fails_has_cubes(seed: int) -> None:
    """Whatever cubes there are: those that a search finds for other checks, all states, none."""
    program = random_program(seed)
    failing = explore(program, LIMITS, SAMPLES).failures
    layers = list(cube_layers(program, (), [c for c in checks_of(program) if c not in failing], Deadline.after(1.0)))
    for layer in layers:
        assert is_accepted(program, layer, nothing_known(program))
    places = sorted(program.template_of)
    found = Random(seed).sample(layers, min(2, len(layers)))
    shapes = [(), tuple(Shape((place,), ()) for place in places), *(layer.cubes for layer in found)]
    for check in sorted(failing)[:4]:
        named = check.file, check.line, check.column, check.function, check.property_name, check.expression
        for cubes in shapes:
            assert not is_accepted(program, CubeLayer(named, cubes), nothing_known(program))


def test_what_is_not_there_is_refused() -> None:
    program = parse_program(PROVED["counter under a lock"])
    layer = layer_of(program)
    wrong = (
        Shape((), ()),
        Shape((77_777,), ()),
        Shape((layer.cubes[0].locations[0],), (Literal(((1, "nobody", -1),), 0, "<="),)),
        Shape((layer.cubes[0].locations[0],), (Literal(((1, "x", 0),), 0, "<="),)),
        Shape((layer.cubes[0].locations[0],), (Literal(((1, "t", -1),), 0, "<="),)),
        Shape((layer.cubes[0].locations[0],), (Literal(((1, "x", -1),), 0, "<"),)),
    )
    for shape in wrong:
        assert not is_accepted(program, replace(layer, cubes=(*layer.cubes, shape)), nothing_known(program))


WRITTEN = "global g = 0 thread main { local a entry 0 exit 9 0: a := 0 -> 1 1: g := 1 -> 2 2: assert g == 0 -> 9 }"


def written() -> tuple[Program, CubeLayer]:
    """Cubes that hold of the same literal at each location, where a step in between makes it true."""
    program = parse_program(WRITTEN)
    literals = (Literal(((1, "g", -1),), 0, "!="),)
    return program, CubeLayer(_named(program), tuple(Shape((place,), literals) for place in (0, 1, 2)))


def test_a_step_that_writes_what_a_cube_speaks_of_is_looked_at() -> None:
    program, layer = written()
    assert Inductive(program, layer).run()


def test_all_that_a_step_reads_and_writes_is_its_own_threads() -> None:
    """Else cells of two threads would count as one."""
    program = parse_program(
        "global x = 0\nmain main\nthread main {\n  local a\n  local b\n  local c\n  local d\n  entry 0  exit 2\n"
        "  0: atomic { [a >= b]; c := x + a; d := mod(c, b); x := d; } -> 1\n"
        '  1: assert a <= x for 1:1 "assertion" "a" in "main" -> 2\n}\n'
    )
    layer = CubeLayer(_named(program), (Shape((1,), (Literal(((1, "d", 0),), 0, "<="),)),))
    (check, step) = [*Inductive(program, layer).failing(), *Inductive(program, layer).obligations()]
    names = {str(name) for part in (*step.premises, step.holds, check.holds) for name in z3util.get_vars(part)}
    assert names & {f"cell {cell} of 0" for cell in "abcd"} == {"cell a of 0", "cell b of 0"}
    assert not names & {f"cell {cell}" for cell in "abcd"}
