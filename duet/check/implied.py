"""The accesses of PLIP programs that say nothing of a source: those that their instructions make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from duet.flow.effects import instruction_effects
from duet.plip.accesses import Access, AccessKind, Call
from duet.plip.syntax import Atomic, Command, Program


def with_accesses(program: Program) -> Program:
    """The program with the accesses of its instructions to global cells; those of `atomic` steps are atomic."""
    summaries = frozenset(name for name, cell in program.cells.items() if cell.summary)
    inside = frozenset().union(*(template.atomic for template in program.templates.values()))
    commands = tuple(
        replace(command, accesses=tuple(_accesses(program, command, summaries, inside))) for command in program.commands
    )
    return replace(program, commands=commands)


def _accesses(
    program: Program, command: Command, summaries: frozenset[str], inside: frozenset[int]
) -> Iterator[Access]:
    effect = instruction_effects(command.instruction, summaries)
    is_atomic = isinstance(command.instruction, Atomic) or command.source in inside
    template = program.templates[program.template_of[command.source]]
    stack = (Call(template.label, command.span),)
    for cell in sorted(effect.reads | effect.writes):
        if cell in program.cells and program.cells[cell].template is None:
            kind = AccessKind.WRITE if cell in effect.writes else AccessKind.READ
            label, place = program.cells[cell].label or cell, program.cells[cell].span
            yield Access(kind, cell, (), label, is_atomic, stack, "", place)
