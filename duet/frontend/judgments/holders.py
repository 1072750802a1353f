"""Who has references, told the analyses: ghosts that are those of a lock for readers and writers.

A thread takes it as a reader where it begins to have references (see `duet.frontend.judgments.references`), gives it
back in the step with which it may have none, and takes it as a writer, for good, when it has found that it gave back
the last one. What reads the counter while the thread has references passes only where the counter says so, as it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from duet.frontend.judgments.references import Found, counted, found_references, touching
from duet.plip.syntax import (
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Formula,
    Guard,
    Instruction,
    Linear,
    Program,
    Step,
    Template,
)
from duet.plip.syntax import steps as steps_of
from duet.plip.terms import add, compare, constant, formula_cells, map_atoms, scale, substitute, variable
from duet.plip.terms import atom as rebuilt
from duet.plip.touched import reads, writes


def with_references(program: Program) -> tuple[Program, bool]:
    """The program with ghosts for each of its counts of references; it has the same executions.

    With that, whether it has so only if no more than `THREADS` threads run at a time.
    """
    is_bounded = False
    counters = list(counted(program))
    using = touching(program) if counters else {}
    for counter in counters:
        found = next(found_references(program, counter, using), None)
        if found is not None:
            program = _Ghosts(program, found).applied()
            using = touching(program)
            is_bounded |= found.is_bounded
    return program, is_bounded


@dataclass
class _Ghosts:
    """The lock of a counter, and the commands that the program has with it."""

    program: Program
    found: Found

    def __post_init__(self) -> None:
        self.whole = f"{self.found.counter}:holders"
        self._last = max(self.program.template_of)

    def applied(self) -> Program:
        commands: list[Command] = []
        templates: dict[str, Template] = {}
        place = self.program.cells[self.found.counter]
        label = place.label or place.name
        cells = {**self.program.cells, self.whole: Cell(self.whole, None, False, 0, 0, f"holders of {label}")}
        for name, template in self.program.templates.items():
            first = len(commands)
            atomic = set(template.atomic)
            if name in self.found.known:
                own = self._own(name)
                cells[own] = Cell(own, name, False, 0, 0, f"this thread of {name} holds {label}")
                commands += self._told(template, atomic)
            else:
                commands += (self.program.commands[index] for index in template.commands)
            inside = frozenset(atomic)
            templates[name] = replace(template, commands=tuple(range(first, len(commands))), atomic=inside)
        return Program(cells, templates, tuple(commands), self.program.main)

    def _own(self, template: str) -> str:
        return f"{self.whole}@{template}"

    def _fresh(self) -> int:
        self._last += 1
        return self._last

    def _told(self, template: Template, atomic: set[int]) -> Iterator[Command]:
        """The commands of a template."""
        entry, known = template.entry, self.found.known[template.name]
        begun = entry
        if known[entry].lo:
            begun = self._fresh()
            span = next((it.span for it in map(self.program.commands.__getitem__, template.commands)), None)
            yield Command(entry, Atomic(self._taken(template.name)), begun, span)
        moved = {entry: begun}
        for index in template.commands:
            for command in self._with_ghosts(index, template.name, atomic):
                source, target = (moved.get(it, it) for it in (command.source, command.target))
                yield command.between(source, target)

    def _with_ghosts(self, index: int, name: str, atomic: set[int]) -> Iterator[Command]:
        """A command with what its thread takes and gives back with it."""
        command, known = self.program.commands[index], self.found.known[name]
        before = known.get(command.source)
        if before is None:
            yield command
            return
        zeros = {cell: constant(0) for cell in before.zeros(self.found.quiet)}
        instruction = _with_values(command.instruction, zeros)
        command = replace(command, instruction=instruction) if instruction != command.instruction else command
        has, keeps = bool(before.lo), command.target in known and bool(known[command.target].lo)
        facts = self._facts(before.lo) if has and self.found.counter in reads(command.instruction) else ()
        given = self._given(name) if has and not keeps else ()
        taken = self._taken(name) if keeps and not has else ()
        end = self._fresh() if index in self.found.finding else command.target
        if _is_step(command.instruction):
            more = (*facts, *steps_of(command.instruction), *given, *taken)
            instruction = Atomic(more) if facts or given or taken else command.instruction  # type: ignore[arg-type]
            yield replace(command, instruction=instruction, target=end)
        elif given or (facts and isinstance(command.instruction, Assert)):
            between = self._fresh()
            if isinstance(command.instruction, Assert):
                atomic.add(between)
            yield Command(command.source, Atomic((*facts, *given)), between, command.span, command.accesses)
            yield command.between(between, end)
        else:
            yield command
        if end != command.target:
            if command.target in atomic:
                atomic.add(end)
            yield Command(end, Atomic(self._alone(name)), command.target, command.span)

    def _facts(self, references: int) -> tuple[Step, ...]:
        """That the counter is away from its target by so many references at least."""
        away = scale(add(variable(self.found.counter), constant(-self.found.target)), self.found.sign)
        return (Guard(compare(away, ">=", constant(references))),)

    def _taken(self, name: str) -> tuple[Step, ...]:
        own = self._own(name)
        return (Guard(compare(variable(self.whole), ">=", constant(0))), _more(self.whole, 1), _more(own, 1))

    def _given(self, name: str) -> tuple[Step, ...]:
        own = self._own(name)
        return (Guard(compare(variable(own), ">=", constant(1))), _more(self.whole, -1), _more(own, -1))

    def _alone(self, name: str) -> tuple[Step, ...]:
        none = Guard(compare(variable(self.whole), "==", constant(0)))
        there = Guard(compare(variable(self.found.counter), "==", constant(self.found.target)))
        return (none, there, _more(self.whole, -1), Assign(self._own(name), constant(-1)))


def _with_values(instruction: Instruction, values: Mapping[str, Linear]) -> Instruction:
    """An instruction where some cells that it reads have known values."""
    match instruction:
        case Atomic(parts) if values:
            told: list[Step] = []
            for part in parts:
                told.append(_with_values(part, values))  # type: ignore[arg-type]  # it is a step as before
                values = {cell: value for cell, value in values.items() if cell not in writes(part)}
            return Atomic(tuple(told))
        case Guard(condition) | Assert(condition) if not formula_cells(condition).isdisjoint(values):
            return replace(instruction, condition=map_atoms(condition, partial(_atom_with, values)))
        case _:
            return instruction


def _atom_with(values: Mapping[str, Linear], atom: Atom) -> Formula:
    return rebuilt(substitute(atom.term, values), atom.relation)


def _is_step(instruction: Instruction) -> bool:
    """Whether an instruction may be part of an atomic one."""
    return isinstance(instruction, Step | Atomic) and not (isinstance(instruction, Guard) and instruction.call)


def _more(cell: str, by: int) -> Assign:
    return Assign(cell, add(variable(cell), constant(by)))
