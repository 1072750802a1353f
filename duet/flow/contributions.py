"""Programs with a ghost for what each thread has added to a global.

A thread's contribution to `x` is the sum of what its own commands have changed `x` by, so `x` is always its initial
value plus the contributions of all threads, of those that have ended, too. As an auxiliary variable (*Source*: Owicki,
Gries: An axiomatic proof technique for parallel programs, 1976) it is local to its thread: no other can change it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import networkx as nx

from duet.flow.effects import effects
from duet.flow.forward import Answer, certain_copies
from duet.plip.graphs import control_graph
from duet.plip.syntax import (
    Assign,
    Atomic,
    Cell,
    Command,
    Compute,
    Havoc,
    Linear,
    Lookup,
    Operation,
    Program,
    Spawn,
    Step,
    steps,
)
from duet.plip.terms import add, substitute, term_cells, variable

Values: TypeAlias = dict[str, Linear | None]
"""Cells by what they are equal to, as terms over the values before a command; None if that is not known."""


@dataclass(frozen=True, slots=True)
class Wrap:
    """A wrap that was taken to leave its argument as it is: `term` before `command` has to be in `[lo, hi]`."""

    command: int
    term: Linear
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Contributions:
    """A program with ghosts: `ghosts[cell][template]` is the local cell that holds the contribution to a global.

    Where there is none, threads of the template never change the global. It is the sum of its initial value and of all
    contributions in every execution whose `wraps` leave their arguments as they are.
    """

    program: Program
    ghosts: Mapping[str, Mapping[str, str]]
    wraps: Mapping[str, tuple[Wrap, ...]]


@dataclass(frozen=True, slots=True)
class _Change:
    """What a command adds to a global, as a term over cells that it reads, if its wraps change nothing."""

    by: Linear
    wraps: tuple[Wrap, ...]


def with_contributions(program: Program, is_stable: Answer) -> Contributions | None:
    """The program with ghosts for the globals that other threads than the first one add something to.

    Left out are globals that are set, rather than added to, where there may be other threads, and summaries. Commands
    and locations keep their names, and each command does what it did to the cells that were there. None: no ghost.
    *Requires*: `is_stable` as in `duet.flow.equalities`.
    """
    found = _Changes(program, is_stable)
    changes = {cell: changed for cell in program.globals if (changed := found.of(cell))}
    if not changes:
        return None
    added: dict[str, Cell] = {}
    ghosts: dict[str, dict[str, str]] = {cell: {} for cell in changes}
    told: dict[int, list[Step]] = {}
    for cell, changed in changes.items():
        for index, change in changed.items():
            template = program.template_of[program.commands[index].source]
            ghost = ghosts[cell].setdefault(template, f"<{cell} by {template}>")
            added.setdefault(ghost, Cell(ghost, template, lo=0, hi=0))
            told.setdefault(index, []).append(Assign(ghost, add(variable(ghost), change.by)))
    commands = tuple(
        replace(command, instruction=Atomic((*told[index], *_steps(command)))) if index in told else command
        for index, command in enumerate(program.commands)
    )
    wraps = {
        cell: tuple(wrap for change in changed.values() for wrap in change.wraps) for cell, changed in changes.items()
    }
    return Contributions(replace(program, cells={**program.cells, **added}, commands=commands), ghosts, wraps)


def _steps(command: Command) -> tuple[Step, ...]:
    """The steps of a command that writes a cell."""
    return tuple(step for step in steps(command.instruction) if isinstance(step, Step))


class _Changes:
    """What the commands of a program add to globals."""

    def __init__(self, program: Program, is_stable: Answer) -> None:
        self._program = program
        self._effects = effects(program)
        self._writers: dict[str, list[int]] = {name: [] for name in program.cells}
        for index, effect in enumerate(self._effects):
            for cell in effect.writes:
                self._writers[cell].append(index)
        self._copies = {name: certain_copies(program, found, is_stable) for name, found in program.templates.items()}
        self._first = _alone(program)

    def of(self, cell: str) -> Mapping[int, _Change] | None:
        """What each command that writes a cell adds to it; None for cells that get no ghost."""
        program = self._program
        owners = {program.template_of[program.commands[index].source] for index in self._writers[cell]}
        if program.cells[cell].summary or not owners - {program.main}:
            return None
        found: dict[int, _Change] = {}
        for index in self._writers[cell]:
            change = self._change(index, cell)
            if change is None:
                return None
            found[index] = change
        return found

    def _change(self, index: int, cell: str) -> _Change | None:
        command = self._program.commands[index]
        values: Values = {name: None for name in self._effects[index].reads if self._program.cells[name].summary}
        values.update(self._equal(command.source, cell))
        wraps: list[Wrap] = []
        for step in steps(command.instruction):
            match step:
                case Assign(target, value):
                    values[target] = None if self._program.cells[target].summary else _substituted(value, values)
                case Compute(target, Operation.WRAP, (argument, Linear((), lo), Linear((), hi))):
                    term = _substituted(argument, values)
                    is_about = term is not None and any(name == cell for name, _ in term.terms)
                    if term is not None and is_about:
                        wraps.append(Wrap(index, term, lo, hi))
                    values[target] = term if is_about else None
                case Havoc(target) | Compute(target) | Lookup(target):
                    values[target] = None
                case _:
                    pass
        after = values.get(cell, variable(cell))
        if after is None:
            return None
        by = add(after, variable(cell), -1)
        is_known = cell not in term_cells(by) or command.source in self._first
        return _Change(by, tuple(wraps)) if is_known and term_cells(by) <= self._effects[index].reads | {cell} else None

    def _equal(self, location: int, cell: str) -> Values:
        """The locals that are certainly a copy of a cell at a location, by what they are."""
        copies, facts = self._copies[self._program.template_of[location]]
        found = copies.equal_to(facts[location], cell) if location in facts else ()
        return {name: add(variable(cell), Linear((), by)) for name, by in found}


def _substituted(term: Linear, values: Values) -> Linear | None:
    """A term over the values before a command, None if that is not known."""
    known = {cell: value for cell, value in values.items() if value is not None}
    is_known = all(cell in known or cell not in values for cell in term_cells(term))
    return substitute(term, known) if is_known else None


def _alone(program: Program) -> Collection[int]:
    """The locations of the first thread that it can be at only while there is no other one."""
    main = program.templates[program.main]
    spawned = [c for c in program.commands if isinstance(c.instruction, Spawn)]
    if any(c.instruction.template == program.main for c in spawned if isinstance(c.instruction, Spawn)):
        return ()
    graph = control_graph(program, main.commands)
    graph.add_node(main.entry)
    after = {c.target for c in spawned if c.target in graph}
    return graph.nodes - after.union(*(nx.descendants(graph, location) for location in after))
