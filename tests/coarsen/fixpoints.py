"""Fixpoints of programs that are given as texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.resources import Resources, choose_engine
from duet.coarsen.results import Analysis, Fixpoint
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.plip.accesses import Access, AccessKind, Call
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert, Program
from duet.result import Check, Status
from duet.source import Span

PATH = "t.plip"
LOCKED = """global m = 0 global x = 0
thread main { while (*) { spawn w } }
thread w { acquire m  x := 1  x := 0  assert x == 0  release m }
"""
JOINED = """global x = 0
thread main { local r  spawn w  join w  r := x  check r == 2 }
thread w { x := 1  x := 2 }
"""


def analysed(text: str, domain: str = "interval", refine: bool = True, everywhere: bool = False) -> Analysis:
    options = AnalysisOptions(domain=domain, engine="bitset", refine=refine)
    return analyse(parse_program(text, PATH), options, everywhere)


def fixpoint(text: str, refine: bool = False, everywhere: bool = True) -> Fixpoint:
    """The first fixpoint of a text, with invariants of every cell everywhere."""
    return analysed(text, refine=refine, everywhere=everywhere).fixpoints[0]


def resources(everywhere: bool = True) -> Resources:
    return Resources(choose_engine("bitset"), Clock(), Deadline(), everywhere)


def statuses(analysis: Analysis) -> list[Status]:
    """The verdicts in the order of the text."""
    return [analysis.status_of(check) for check in sorted(analysis.fixpoints[0].verdicts)]


def at(program: Program, cell: str, value: int) -> int:
    """The command `cell := value`."""
    return next(
        index
        for index, c in enumerate(program.commands)
        if getattr(c.instruction, "target", None) == cell
        and getattr(getattr(c.instruction, "value", None), "constant", None) == value
    )


def check_of(program: Program, expression: str) -> Check:
    return next(
        c.instruction.check
        for c in program.commands
        if isinstance(c.instruction, Assert) and c.instruction.check.expression == expression
    )


def with_accesses(program: Program, by_line: Mapping[int, Sequence[tuple[AccessKind, str]]]) -> Program:
    """A program whose commands on some lines access objects, or locks."""
    commands = []
    for command in program.commands:
        found = by_line.get(command.span.line) if command.span is not None else None
        if found is None:
            commands.append(command)
            continue
        owner = program.templates[program.template_of[command.source]].label
        stack = (Call(owner, Span("a.c", command.span.line, 1)),)  # type: ignore[union-attr]
        made = tuple(Access(kind, name, (), name, False, stack) for kind, name in found)
        commands.append(replace(command, accesses=made))
    return replace(program, commands=tuple(commands))
