"""The builder of PLIP programs."""

from __future__ import annotations

import doctest

import pytest

from duet.errors import InternalError
from duet.plip import build
from duet.plip.build import ProgramBuilder
from duet.plip.syntax import SKIP, Assign, Cell
from duet.plip.terms import constant
from duet.plip.wellformed import violations


def test_the_example_of_the_docstring() -> None:
    result = doctest.testmod(build, extraglobs={"SKIP": SKIP})
    assert result.attempted > 0
    assert result.failed == 0


def test_templates_share_the_numbering_of_commands_and_locations() -> None:
    builder = ProgramBuilder(main="first", first_location=10)
    builder.cell(Cell("g", lo=0, hi=0))
    first, second = builder.template("first"), builder.template("second", function="f")
    inside = first.location(atomic=True)
    first.command(first.entry, Assign("g", constant(1)), inside)
    second.command(second.entry, SKIP, second.exit)
    first.command(inside, SKIP, first.exit)
    program = builder.program()
    assert violations(program) == ()
    assert program.templates["first"].commands == (0, 2)
    assert program.templates["first"].atomic == {inside}
    assert program.templates["second"].commands == (1,)
    assert sorted(program.template_of) == [10, 11, 12, 13, 14]
    assert first.commands == (program.commands[0], program.commands[2])


def test_names_are_taken_once() -> None:
    builder = ProgramBuilder()
    builder.cell(Cell("g"))
    builder.template("main")
    with pytest.raises(InternalError, match="cell g"):
        builder.cell(Cell("g"))
    with pytest.raises(InternalError, match="template main"):
        builder.template("main")
