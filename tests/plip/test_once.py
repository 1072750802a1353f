"""What is found out about a program once."""

from __future__ import annotations

from dataclasses import replace

from duet.plip.once import once
from duet.plip.parser import parse_program
from duet.plip.syntax import Program

asked: list[int] = []


@once
def _size(program: Program) -> int:
    asked.append(len(program.commands))
    return len(program.commands)


def test_each_program_is_looked_at_once() -> None:
    asked.clear()
    program = parse_program("global x = 0 thread main { x := 1 x := 2 }")
    shorter = replace(program, commands=program.commands[:1])
    assert [_size(program), _size(program), _size(shorter), _size(program)] == [2, 2, 1, 2]
    assert asked == [2, 1]
    assert program == replace(program)
