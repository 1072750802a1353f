"""Guards over globals alone, where a guard is on what its thread has just read of them or on a known constant.

Threads block each other through conditions over globals (`duet.interference.conditions`), so `t := flag; [t != 0]` in
one atomic step has to say `[flag != 0]`, too. `expected = 0; while (!compare_exchange(&lock, &expected, 1)) ...` takes
a lock by `[lock - expected == 0]`, which has to say `[lock == 0]`. Nobody but the thread can change its locals, and
nobody else moves during an atomic step, so in every reachable state the longer guard lets pass what the shorter did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

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
    steps,
)
from duet.plip.terms import (
    add,
    atom,
    conjunction,
    constant,
    formula_cells,
    map_atoms,
    substitute,
    term_cells,
    variable,
)

Facts: TypeAlias = dict[str, Linear]
"""What locals are equal to: terms over globals during an atomic step, constants between commands."""


def over_globals(program: Program) -> Program:
    """The program with guards over globals added to those on locals that are known to be equal to such terms.

    Commands, locations and cells keep their names; in every reachable state each command does what it did.
    """
    commands = list(program.commands)
    for template, rewriter in _rewriters(program):
        known = rewriter.known(template)
        for index in template.commands:
            command = commands[index]
            if command.source in known:
                _, instruction = rewriter.passed(_hoisted(command.instruction), known[command.source])
                commands[index] = replace(command, instruction=instruction)
    return replace(program, commands=tuple(commands))


def known_constants(program: Program) -> Mapping[int, Mapping[str, int]]:
    """The constants that `over_globals` knows locals to be at each location of the templates that it rewrites."""
    return {
        location: {cell: term.constant for cell, term in facts.items()}
        for template, rewriter in _rewriters(program)
        for location, facts in rewriter.known(template).items()
    }


def _rewriters(program: Program) -> Iterator[tuple[Template, _Rewriter]]:
    """The templates with guards on locals that may have to do with globals."""
    for template in program.templates.values():
        guarded = {cell for c in template.commands for cell in _guarded(program, program.commands[c].instruction)}
        if guarded:
            yield template, _Rewriter(program, _sources(program, template, guarded))


def _guarded(program: Program, instruction: Instruction) -> Iterator[str]:
    """The locals of guards that may have to do with globals: they compare them, or read them in the same step."""
    done = steps(instruction)
    fetches = any(isinstance(step, Assign) and _globals(program, term_cells(step.value)) for step in done)
    for step in done:
        if isinstance(step, Guard):
            cells = formula_cells(step.condition)
            if fetches or _globals(program, cells):
                yield from (cell for cell in cells if program.cells[cell].template is not None)


def _globals(program: Program, cells: Iterable[str]) -> list[str]:
    found = (program.cells[cell] for cell in cells)
    return [cell.name for cell in found if cell.template is None and not cell.summary]


def _sources(program: Program, template: Template, cells: Iterable[str]) -> frozenset[str]:
    """Some locals with those that they may be copies of."""
    copied: nx.DiGraph[str] = nx.DiGraph()
    copied.add_nodes_from(cells)
    for index in template.commands:
        for step in steps(program.commands[index].instruction):
            if isinstance(step, Assign):
                copied.add_edges_from((step.target, cell) for cell, _ in step.value.terms)
    found = frozenset(cells).union(*(nx.descendants(copied, cell) for cell in cells))
    known = (program.cells[cell] for cell in found)
    return frozenset(cell.name for cell in known if cell.is_own)


def _hoisted(instruction: Instruction) -> Instruction:
    """The same with each guard in front of the steps that write none of its cells: there it says more of globals."""
    if not isinstance(instruction, Atomic):
        return instruction
    ordered: list[Step] = []
    for step in instruction.steps:
        place = len(ordered)
        if isinstance(step, Guard):
            cells = formula_cells(step.condition)
            while place and not _writes(ordered[place - 1], cells):
                place -= 1
        ordered.insert(place, step)
    return Atomic(tuple(ordered))


def _writes(step: Step, cells: frozenset[str]) -> bool:
    """Whether a step writes one of the cells; guards keep their order."""
    return isinstance(step, Guard) or step.target in cells


@dataclass(frozen=True, slots=True)
class _Rewriter:
    """Follows the values of some locals of one template."""

    program: Program
    locals: frozenset[str]

    def known(self, template: Template) -> Mapping[int, Facts]:
        """Which locals are which constants at each location that control can get to, along every path."""
        known: dict[int, Facts] = {template.entry: {}}
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

    def passed(self, instruction: Instruction, known: Facts) -> tuple[Facts, Instruction]:
        """What is known after an instruction, and the instruction with what is known before it."""
        match instruction:
            case Atomic(parts):
                done: list[Step] = []
                for step in parts:
                    known, changed = self._passed(step, known)
                    done.append(changed)
                return _constants(known), Atomic(tuple(done))
            case Assign() | Havoc() | Compute() | Lookup() | Guard():
                known, changed = self._passed(instruction, known)
                return _constants(known), changed
            case _:
                return known, instruction

    def _passed(self, step: Step, known: Facts) -> tuple[Facts, Step]:
        match step:
            case Guard(condition):
                more = map_atoms(condition, lambda part: self._over_globals(part, known))
                found = {cell: value for cell, value in _equal(condition) if cell in self.locals}
                step = step if more == condition else replace(step, condition=conjunction((condition, more)))
                return known | found, step
            case Assign(target, value):
                return self._assigned(known, target, value), step
            case Havoc(target) | Compute(target) | Lookup(target):
                return _without(known, target), step

    def _assigned(self, known: Facts, target: str, value: Linear) -> Facts:
        term = substitute(value, known)
        if target in self.locals:
            left = _without(known, target)
            is_known = len(_globals(self.program, term_cells(term))) == len(term.terms)
            return {**left, target: term} if is_known else left
        grown = add(value, variable(target), -1)
        if grown.terms or self.program.cells[target].summary:
            return _without(known, target)
        # what was equal to a term over the old value is equal to one over the new value less what has been added
        by = constant(-grown.constant)
        return {cell: add(fact, by, dict(fact.terms).get(target, 0)) for cell, fact in known.items()}

    def _over_globals(self, part: Atom, known: Facts) -> Formula:
        if all(self.program.cells[cell].template is not None for cell, _ in part.term.terms) and all(
            not known[cell].terms for cell, _ in part.term.terms if cell in known
        ):
            return part
        return atom(substitute(part.term, known), part.relation)


def _without(known: Facts, target: str) -> Facts:
    return {cell: term for cell, term in known.items() if cell != target and target not in term_cells(term)}


def _constants(known: Facts) -> Facts:
    """What other threads cannot change."""
    return {cell: term for cell, term in known.items() if not term.terms}


def _equal(condition: Formula) -> Iterator[tuple[str, Linear]]:
    """The cells that a condition says are constants."""
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Atom(Linear(((cell, 1),), value), Relation.EQ):
                yield cell, constant(-value)
            case _:
                pass
