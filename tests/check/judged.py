"""Small programs with invariants that hold, and accesses put to their commands by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from duet.check.races import Together
from duet.coarsen.analysis import analyse
from duet.coarsen.results import Fixpoint
from duet.options import AnalysisOptions
from duet.plip.accesses import Access, AccessKind, Call
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from duet.source import Span

FILE = "t.plip"
APART = """global m = 0 global x = 0 global y = 0
thread main { spawn one  spawn two }
thread one {
  x := 1
  acquire m
  y := 1
  release m
}
thread two {
  x := 2
  acquire m
  y := 2
  release m
}
"""
"""Two threads, each of which writes one cell under a lock and one without."""


def fixpoint(program: Program, domain: str = "interval") -> Fixpoint:
    """The first fixpoint of a program, with invariants of every cell everywhere."""
    return analyse(program, AnalysisOptions(domain=domain, engine="bitset"), everywhere=True).fixpoints[0]


def access(kind: AccessKind, name: str, *path: str, line: int = 1, **others: object) -> Access:
    """An access to a part of an object by the function of that line."""
    stack = (Call(f"f{line}", Span(FILE, line, 1)),)
    plain = Access(kind, name, path, name + "".join(path), False, stack)
    return replace(plain, **others)  # type: ignore[arg-type]


def with_accesses(text: str, by_line: Mapping[int, tuple[Access, ...]]) -> Program:
    """A program whose commands on some lines of its text make these accesses."""
    program = parse_program(text, FILE)
    commands = []
    for command in program.commands:
        line = command.span.line if command.span is not None else 0
        commands.append(replace(command, accesses=by_line.get(line, ())))
    return replace(program, commands=tuple(commands))


def together(program: Program) -> Together:
    """Which locations two threads can be at together."""
    return fixpoint(program).together
