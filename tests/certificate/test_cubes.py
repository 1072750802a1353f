"""Cubes for certificates are over the program's own locations and cells."""

from __future__ import annotations

from duet.certificate.cubes import cube_layers
from duet.deadline import Deadline
from duet.plip.parser import parse_program
from tests.verify.test_cubes import FAILS, PROVED, checks_of


def test_cubes_are_over_the_program_as_it_is() -> None:
    program = parse_program(PROVED["counter under a lock"])
    (layer,) = cube_layers(program, (), checks_of(program), Deadline.after(10))
    assert {place for cube in layer.cubes for place in cube.locations} <= program.template_of.keys()
    cells = {(cell, thread) for cube in layer.cubes for literal in cube.literals for _, cell, thread in literal.terms}
    assert cells
    assert all((program.cells[cell].template is None) == (thread == -1) for cell, thread in cells)


def test_what_is_not_proved_has_no_layer() -> None:
    program = parse_program(FAILS["no lock"])
    assert not list(cube_layers(program, (), checks_of(program), Deadline.after(1)))
