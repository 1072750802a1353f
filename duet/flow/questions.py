"""What checks ask: what each asserts, or, where that is nothing, what leads there.

`if (count != n) reach_error();` asks what `assert(count == n);` asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from duet.plip.syntax import Assert, Command, Formula, Program
from duet.plip.syntax import guards as conditions
from duet.plip.terms import formula_cells

Question: TypeAlias = tuple[int, Formula]
"""A location, and what is asked there."""


def questions(program: Program, check: int) -> Iterator[Question]:
    """What a check asks: its condition, or the last ones by which a thread gets there, if it has none.

    *Approximates*: either way; it decides only about precision and time.
    """
    command = program.commands[check]
    if not isinstance(command.instruction, Assert):
        return
    if formula_cells(command.instruction.condition):
        yield command.source, command.instruction.condition
        return
    work, seen = [command.source], {command.source}
    while work:
        for before in (program.commands[index] for index in program.incoming[work.pop()]):
            asked = _asked(before)
            yield from ((before.source, condition) for condition in asked)
            if not asked and before.source not in seen:
                seen.add(before.source)
                work.append(before.source)


def _asked(command: Command) -> list[Formula]:
    return [condition for condition in conditions(command.instruction) if formula_cells(condition)]
