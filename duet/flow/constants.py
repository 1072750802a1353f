"""Guards over globals alone where they compare a global with a local that is a known constant.

`expected = 0; while (!compare_exchange(&lock, &expected, 1)) ...` takes a lock by `[lock - expected == 0]`. Threads
block each other through conditions over globals (`duet.interference.conditions`), and this one is none unless it reads
`[lock == 0]`. Nobody but the thread can change its local, so in every reachable state either guard lets the same pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

import networkx as nx

from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Atomic,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Program,
    Relation,
    Step,
    Template,
)
from duet.plip.terms import atom, atoms, evaluate, linear, map_atoms, term_cells

Constants: TypeAlias = dict[str, int]


def with_constants(program: Program) -> Program:
    """The program with constants for locals in the guards that compare them with globals.

    Commands, locations and cells keep their names; in every reachable state each command does what it did.
    """
    commands = list(program.commands)
    for template in program.templates.values():
        compared = {cell for index in template.commands for cell in _compared(program, commands[index].instruction)}
        if compared:
            rewriter = _Rewriter(program, _sources(program, template, compared))
            known = rewriter.known(template)
            for index in template.commands:
                command = commands[index]
                if command.source in known:
                    _, instruction = rewriter.passed(command.instruction, known[command.source])
                    commands[index] = replace(command, instruction=instruction)
    return replace(program, commands=tuple(commands))


def known_constants(program: Program) -> Mapping[int, Constants]:
    """The locals that `with_constants` knows to be constants at each location, where guards compare any."""
    found: dict[int, Constants] = {}
    for template in program.templates.values():
        compared = {cell for c in template.commands for cell in _compared(program, program.commands[c].instruction)}
        if compared:
            found |= _Rewriter(program, _sources(program, template, compared)).known(template)
    return found


def _compared(program: Program, instruction: Instruction) -> Iterator[str]:
    """The locals that guards compare with globals."""
    for step in _steps(instruction):
        if isinstance(step, Guard):
            for found in atoms(step.condition):
                owned = [name for name, _ in found.term.terms if program.cells[name].template is not None]
                if len(owned) < len(found.term.terms):
                    yield from owned


def _sources(program: Program, template: Template, cells: Iterable[str]) -> frozenset[str]:
    """Some locals with those that they may be copies of."""
    copied: nx.DiGraph[str] = nx.DiGraph()
    copied.add_nodes_from(cells)
    for index in template.commands:
        for step in _steps(program.commands[index].instruction):
            if isinstance(step, Assign):
                copied.add_edges_from((step.target, cell) for cell, _ in step.value.terms)
    found = frozenset(cells).union(*(nx.descendants(copied, cell) for cell in cells))
    known = (program.cells[cell] for cell in found)
    return frozenset(cell.name for cell in known if cell.template is not None and not cell.summary)


def _steps(instruction: Instruction) -> tuple[Instruction, ...]:
    return instruction.steps if isinstance(instruction, Atomic) else (instruction,)


@dataclass(frozen=True, slots=True)
class _Rewriter:
    """Follows the values of some locals of one template."""

    program: Program
    locals: frozenset[str]

    def known(self, template: Template) -> Mapping[int, Constants]:
        """Which locals are which constants at each location that control can get to, along every path."""
        known: dict[int, Constants] = {template.entry: {}}
        work = [template.entry]
        while work:
            location = work.pop()
            for index in self.program.outgoing[location]:
                command = self.program.commands[index]
                after, _ = self.passed(command.instruction, known[location])
                before = known.get(command.target)
                both = after if before is None else dict(before.items() & after.items())
                if both != before:
                    known[command.target] = both
                    work.append(command.target)
        return known

    def passed(self, instruction: Instruction, known: Constants) -> tuple[Constants, Instruction]:
        """What is known after an instruction, and the instruction with what is known before it."""
        match instruction:
            case Guard(condition):
                found = {cell: value for cell, value in _equal(condition) if cell in self.locals}
                return known | found, Guard(map_atoms(condition, lambda part: self._over_globals(part, known)))
            case Assign(target, value) if target in self.locals and known.keys() >= term_cells(value):
                return {**known, target: evaluate(value, known)}, instruction
            case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
                return _without(known, target), instruction
            case Atomic(steps):
                done: list[Step] = []
                for step in steps:
                    known, changed = self.passed(step, known)
                    done.append(cast(Step, changed))
                return known, Atomic(tuple(done))
            case _:
                return known, instruction

    def _over_globals(self, part: Atom, known: Constants) -> Formula:
        if all(self.program.cells[cell].template is not None for cell, _ in part.term.terms):
            return part
        left = {cell: k for cell, k in part.term.terms if cell not in known}
        value = sum(k * known[cell] for cell, k in part.term.terms if cell in known)
        return atom(linear(left, part.term.constant + value), part.relation)


def _without(known: Constants, target: str) -> Constants:
    return {cell: value for cell, value in known.items() if cell != target}


def _equal(condition: Formula) -> Iterator[tuple[str, int]]:
    """The cells that a condition says are constants."""
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Atom(Linear(((cell, 1),), value), Relation.EQ):
                yield cell, -value
            case _:
                pass
