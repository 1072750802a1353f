"""Cubes on top of layers: what these say is used where it holds, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from z3 import BoolVal

from duet.certificate.cubes import cube_layers
from duet.certificate.document import CubeLayer, Literal, Phrase, Shape
from duet.certificate.established import GLOBAL, Established
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.meeting import Meeting
from duet.certificate.reduced import reduced
from duet.coarsen.analysis import analyse
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import Assign, Atom, Linear, Program, Relation
from duet.verify.cube import made, own
from duet.verify.explore import reached
from duet.verify.room import Bounds
from duet.verify.samples import samples_of
from duet.verify.tables import Tables
from tests.certificate.proofs import checks_of, is_accepted, known_of, nothing_known
from tests.certificate.test_inductive import changed, without
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES

BAKERY = (
    "global n = 0 global k = 0 global c = 0 thread main { spawn p spawn q } "
    "thread p { while (*) { n := k + 1 atomic { [k == 0 || n <= k] } c := 1 assert c == 1 c := 0 n := 0 } } "
    "thread q { while (*) { k := n + 1 atomic { [n == 0 || k < n] } c := 2 c := 0 k := 0 } }"
)


def layers_of(program: Program, seconds: float = 10.0) -> list[CubeLayer]:
    fixpoints = analyse(program, AnalysisOptions(domain="interval", engine="bitset"), everywhere=True).fixpoints
    return list(cube_layers(program, fixpoints, checks_of(program), Deadline.after(seconds)))


def is_true(program: Program, layer: CubeLayer, known: Established) -> bool:
    """Whether no state of few threads is in a cube, and the check fails in none."""
    small = reduced(program, layer, known)
    (check,) = (
        check for check in checks_of(program) if check.line == layer.check[1] and check.column == layer.check[2]
    )
    seen = reached(small, check, samples_of(small), Bounds(threads=3, states=4000), Deadline.after(5.0))
    if seen is None:
        return False
    tables = Tables(small, 3)
    tables.add(seen)
    cubes = (made(shape.locations, map(_atom, shape.literals)) for shape in layer.cubes)
    return not any(cube is not None and len(cube.locations) <= 3 and tables.holds(cube) for cube in cubes)


def _atom(literal: Literal) -> Atom:
    terms = ((cell if thread == GLOBAL else own(cell, thread), factor) for factor, cell, thread in literal.terms)
    return Atom(Linear(tuple(sorted(terms)), literal.constant), Relation(literal.relation))


def test_what_layers_say_is_a_premise() -> None:
    program = parse_program(BAKERY)
    (layer,) = layers_of(program)
    known = known_of(program)
    assert layer.merged
    assert is_accepted(program, layer, known)
    assert is_true(program, layer, known)
    assert not is_accepted(program, layer, nothing_known(program))


@pytest.mark.parametrize("seed", range(40))
def test_a_changed_proof_is_refused_or_still_one(seed: int) -> None:
    program = parse_program(BAKERY)
    (layer,) = layers_of(program)
    known, random = known_of(program), Random(seed)
    new = random.choice((without, changed))(layer, random)
    assert not is_accepted(program, new, known) or is_true(program, new, known)


@pytest.mark.parametrize("seed", range(7000, 7024))
def test_random_programs(seed: int) -> None:
    """Proofs are accepted; changed ones are refused or still proofs; of what fails there are none."""
    program = random_program(seed)
    failing = explore(program, LIMITS, SAMPLES).failures
    known, random = known_of(program), Random(seed)
    for layer in layers_of(program, 2.0):
        assert is_accepted(program, layer, known)
        new = random.choice((without, changed))(layer, random) if layer.cubes else layer
        assert not is_accepted(program, new, known) or is_true(program, new, known)
        for check in failing:
            named = check.file, check.line, check.column, check.function, check.property_name, check.expression
            assert not is_accepted(program, replace(layer, check=named), known)


INSIDE = """
global x = 0
thread main { local a entry 0 exit 9 atomic at 2, 3, 4
  0: spawn other -> 1  1: x := 1 -> 2  2: join other -> 3  3: assert x == 0 -> 4  4: x := 0 -> 9 }
thread other { skip  assert x == 0 }
"""


def test_what_holds_outside_of_regions_is_not_used_inside() -> None:
    """Whoever has ended knows that `x` is 0, but not while another thread is inside of the region."""
    program = parse_program(INSIDE)
    known = known_of(program)
    end = program.templates["other"].exit
    literals = (Literal(((1, "x", GLOBAL),), 0, "!="),)
    check = next(check for check in checks_of(program) if check.function == "main")
    named = check.file, check.line, check.column, check.function, check.property_name, check.expression
    layer = CubeLayer(named, (Shape((3,), literals),))
    assert known.at(end, 1, 0)
    assert not known.at(end, 1, 2)
    assert not is_accepted(program, layer, known)


def test_without_regard_to_regions_a_failure_would_be_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Established.at
    monkeypatch.setattr(Established, "at", lambda self, location, thread, _: right(self, location, thread, location))
    with pytest.raises(AssertionError):
        test_what_holds_outside_of_regions_is_not_used_inside()


APART = """global x = 0  global z = 0  thread main { spawn v  spawn w }  thread v { z := 1 }
    thread w { entry 50 exit 53 atomic at 51 50: x := 7 -> 51 51: z := 2 -> 52 52: z := 3 -> 53 }"""


def place(program: Program, mark: int) -> int:
    """The location in front of `z := mark`."""
    return next(
        c.source
        for c in program.commands
        if isinstance(c.instruction, Assign) and (c.instruction.target, c.instruction.value.constant) == ("z", mark)
    )


def said(program: Program, facts: Mapping[int, str], dead: tuple[int, ...] = ()) -> Established:
    knowledge = Knowledge(program, Prover(program))
    statements = {place(program, mark): [Phrase(text)] for mark, text in facts.items()}
    knowledge.add(statements, [place(program, mark) for mark in dead])
    return Established(program, knowledge, Meeting(program, knowledge))


def test_nobody_is_at_dead_locations() -> None:
    program = parse_program(APART)
    outside, inside, behind = (place(program, mark) for mark in (1, 2, 3))
    assert inside in program.templates["w"].atomic
    assert said(program, {}).are_together(outside, inside)
    assert said(program, {}).are_together(outside, behind)
    assert not said(program, {}, (1,)).are_together(outside, behind)
    assert not said(program, {}, (2,)).are_together(outside, inside)
    assert not said(program, {}, (3,)).is_reached(behind)


def test_a_thread_that_begins_inside_of_a_region_may_be_where_nobody_is_outside() -> None:
    """What is known where it waits is only known when the region has ended."""
    text = """global z = 0  thread main { spawn w }  thread v { z := 1 }
        thread w { entry 50 exit 53 atomic at 51, 52 50: z := 7 -> 51 51: spawn v -> 52 52: z := 3 -> 53 }"""
    program = parse_program(text)
    assert said(program, {}, (1,)).are_together(place(program, 1), place(program, 3))
    assert not said(program, {}, (3,)).are_together(place(program, 1), place(program, 3))


def test_what_is_known_outside_of_a_region_says_nothing_while_another_thread_is_inside() -> None:
    program = parse_program(APART)
    outside, inside, behind = (place(program, mark) for mark in (1, 2, 3))
    known = said(program, {1: "x == 0", 2: "x == 7", 3: "x >= 1"})
    assert known.are_together(outside, inside)
    assert not known.follows((inside, outside), BoolVal(False))
    assert not known.follows((outside, inside), BoolVal(False))
    assert not known.are_together(outside, behind)
    assert known.follows((outside, behind), BoolVal(False))
    assert known.kind(outside) != known.kind(inside)
