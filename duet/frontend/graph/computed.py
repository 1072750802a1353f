"""What was computed before, of the same numbers, and is still held is not computed again.

    while (s % 2) s = next();
    assert(s % 2 == 0);

A remainder or a product is no linear relation: what a test says of it is lost where it is computed anew. Here the
second one is a copy of the first one, if on every way a local holds that since, and the locals that it is made of are
as they were. Nothing changes in what a command does. *Requires*: operations have one result, or none (`Operation`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Self, TypeAlias

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.plip.syntax import Assign, Cell, Command, Compute, Instruction, Linear, Operation, Program, steps
from duet.plip.terms import term_cells, variable
from duet.plip.touched import reads, writes

_Computed: TypeAlias = tuple[Operation, tuple[Linear, ...]]


@dataclass(frozen=True, slots=True)
class _Known:
    """The local that holds what has been computed."""

    held: Mapping[_Computed, str]

    def common(self, other: Self) -> Self:
        return type(self)({key: cell for key, cell in self.held.items() if other.held.get(key) == cell})

    def behind(self, step: Instruction, cells: Mapping[str, Cell]) -> Self:
        """What is known once a step has been done."""
        after = reduce(type(self)._without, writes(step), self)
        if not isinstance(step, Compute) or not _is_stable(step, cells):
            return after
        return type(self)({**after.held, (step.operation, step.arguments): step.target})

    def _without(self, cell: str) -> Self:
        held = self.held.items()
        left = {key: of for key, of in held if of != cell and all(cell not in term_cells(term) for term in key[1])}
        return self if len(left) == len(held) else type(self)(left)


def computed_once(program: Program) -> Program:
    """The program with copies of locals in the place of what is computed again."""
    found = list(program.commands)
    for template in program.templates.values():
        own = [program.commands[index] for index in template.commands]
        known = _known(own, template.entry, program.cells) if _may_come_again(own) else {}
        for index in template.commands:
            command = found[index]
            if isinstance(command.instruction, Compute) and command.source in known:
                key = command.instruction.operation, command.instruction.arguments
                if (held := known[command.source].held.get(key)) is not None:
                    copy = Assign(command.instruction.target, variable(held))
                    found[index] = replace(command, instruction=copy)
    return replace(program, commands=tuple(found))


def _known(commands: Sequence[Command], entry: int, cells: Mapping[str, Cell]) -> Mapping[int, _Known]:
    """What is known at each location of a template."""
    outgoing = by_source(commands)

    def behind(location: int, state: _Known) -> Iterator[tuple[int, _Known]]:
        for command in outgoing[location]:
            after = state
            for step in steps(command.instruction):
                after = after.behind(step, cells)
            yield command.target, after

    return known_on_all_ways(entry, _Known({}), behind, following(outgoing))


def _may_come_again(commands: Sequence[Command]) -> bool:
    """Whether two steps compute the same of the same cells."""
    every = (step for command in commands for step in steps(command.instruction) if isinstance(step, Compute))
    return any(count > 1 for count in Counter((step.operation, step.arguments) for step in every).values())


def _is_stable(step: Compute, cells: Mapping[str, Cell]) -> bool:
    """Whether only the thread itself changes what a step computes, and what it is made of."""
    read = reads(step)
    return step.target not in read and all(cells[cell].is_own for cell in (step.target, *read))
