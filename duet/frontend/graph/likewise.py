"""Guards on a local of the other locals that hold the same value, too.

    p = head;
    if (!head) return;
    while (p->next) p = p->next;

What a guard says of one of two copies holds of the other one. Data flow follows each by itself, so each is told.
Nothing changes in what a command does, as the values are equal whenever it runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Self

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.plip.live import live_cells
from duet.plip.syntax import Assign, Atomic, Cell, Command, Guard, Instruction, Linear, Program, Step, steps
from duet.plip.terms import conjunction, formula_cells, rename_formula
from duet.plip.touched import writes


@dataclass(frozen=True, slots=True)
class Copies:
    """`of` gives for each local that is equal to others the first name among these."""

    of: Mapping[str, str]

    def common(self, other: Self) -> Self:
        """Those that both know to be equal."""
        if self.of is other.of:
            return self
        groups: dict[tuple[str, str], list[str]] = {}
        for cell, name in self.of.items():
            if (also := other.of.get(cell)) is not None:
                groups.setdefault((name, also), []).append(cell)
        return type(self)({cell: min(group) for group in groups.values() if len(group) > 1 for cell in group})

    def without(self, cell: str) -> Self:
        """Those that are known once a local holds another value."""
        if cell not in self.of:
            return self
        left = self.like(cell)
        others = {other: name for other, name in self.of.items() if other != cell and other not in left}
        return type(self)({**others, **dict.fromkeys(left, min(left))} if len(left) > 1 else others)

    def copied(self, target: str, source: str) -> Self:
        """Those that are known once a local is set to another one."""
        if target == source:
            return self
        left = self.without(target)
        alike = {target, source, *left.like(source)}
        return type(self)({**left.of, **dict.fromkeys(alike, min(alike))})

    def like(self, cell: str) -> list[str]:
        """The other locals that hold the value of one."""
        name = self.of.get(cell)
        return [] if name is None else [other for other, of in self.of.items() if of == name and other != cell]


def told_likewise(program: Program) -> Program:
    """The program with guards that ask of all copies that matter behind them what they ask of one."""
    known: dict[int, Copies] = {}
    for template in program.templates.values():
        known |= _known([program.commands[index] for index in template.commands], template.entry, program.cells)
    live = live_cells(program, {it.target for it in program.commands if _may_be_told(it, known)})
    found = list(program.commands)
    for index, command in enumerate(program.commands):
        if _may_be_told(command, known):
            told = _told(command.instruction, known[command.source], program.cells, live[command.target])
            found[index] = command if told == command.instruction else replace(command, instruction=told)
    return replace(program, commands=tuple(found))


def _may_be_told(command: Command, known: Mapping[int, Copies]) -> bool:
    """Whether there may be copies where a command is, or in the midst of it."""
    state = known.get(command.source)
    return state is not None and (bool(state.of) or isinstance(command.instruction, Atomic))


def _known(commands: Sequence[Command], entry: int, cells: Mapping[str, Cell]) -> Mapping[int, Copies]:
    """The copies at each location of a template."""
    outgoing = by_source(commands)

    def behind(location: int, state: Copies) -> Iterator[tuple[int, Copies]]:
        for command in outgoing[location]:
            after = state
            for step in steps(command.instruction):
                after = _after(step, after, cells)
            yield command.target, after

    return known_on_all_ways(entry, Copies({}), behind, following(outgoing))


def _after(step: Instruction, state: Copies, cells: Mapping[str, Cell]) -> Copies:
    match step:
        case Assign(target, Linear(((source, 1),), 0)) if cells[target].is_own and cells[source].is_own:
            return state.copied(target, source)
        case _:
            return reduce(Copies.without, writes(step), state)


def _told(instruction: Instruction, state: Copies, cells: Mapping[str, Cell], live: Collection[str]) -> Instruction:
    match instruction:
        case Guard():
            return _of_all(instruction, state, live)
        case Atomic(parts):
            found: list[Step] = []
            for step in parts:
                found.append(_of_all(step, state, live) if isinstance(step, Guard) else step)
                state = _after(step, state, cells)
            return Atomic(tuple(found))
        case _:
            return instruction


def _of_all(guard: Guard, state: Copies, live: Collection[str]) -> Guard:
    """A guard on a cell, and on the copies of it that are read later."""
    asked = formula_cells(guard.condition)
    if len(asked) != 1:
        return guard
    (cell,) = asked
    others = [other for other in sorted(state.like(cell)) if other in live]
    copies = (rename_formula(guard.condition, partial(_renamed, other)) for other in others)
    return replace(guard, condition=conjunction((guard.condition, *copies))) if others else guard


def _renamed(name: str, _: str) -> str:
    return name
