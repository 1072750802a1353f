"""What the first thread does before it starts any other one, round by round and with the values that there are.

    for (i = 0; i < SIZE; i++) unused[depth++] = i;
    ... pthread_create(...) ...

Until then nobody else changes anything, so as long as values are known there is one way through the thread. What it
does on that way to a variable becomes a constant, and loops on it become copies of their rounds: `depth` is set to
`SIZE`, as far as whoever is started later can tell, and not raised by a number of rounds that has to be found out.

*Approximates*: exact. The way ends where more than one command may pass, where a thread is started, where a body is
called that several calls share, or after `MOST` commands; loops in which it ends stay loops.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise

from duet.frontend.graph.reach import by_source, following, reached
from duet.plip.execute import apply
from duet.plip.graphs import strong_components
from duet.plip.returns import call_of
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Or,
    Program,
    Spawn,
    Template,
    steps,
)
from duet.plip.terms import constant, evaluate, formula_cells, satisfies, term_cells
from duet.plip.touched import writes

MOST = 256
"""Commands on the way: more copies cost more than they tell."""


def begun(program: Program) -> Program:
    """The program with what is known of how it begins, if there are loops in that."""
    template = program.templates[program.main]
    started = {it.instruction.template for it in program.commands if isinstance(it.instruction, Spawn)}
    if not started or program.main in started:
        return program
    own = [program.commands[index] for index in template.commands]
    cyclic = _cyclic(template, own)
    way = _Way(program.cells, by_source(own)).follow(template.entry)
    while way and way[-1].target in cyclic:
        way.pop()
    if all(command.source not in cyclic for command in way):
        return program
    changed = _changed(own, way, cyclic, max(program.template_of, default=0) + 1, template)
    return program if changed is None else _with(program, *changed)


def _cyclic(template: Template, own: Sequence[Command]) -> frozenset[int]:
    """The locations that a thread may come back to."""
    successors = following(by_source(own))
    again = {command.source for command in own if command.source == command.target}
    found = strong_components(reached([template.entry], successors), successors)
    return frozenset(again).union(*(component for component in found if len(component) > 1))


@dataclass
class _Way:
    """The way of the first thread, as far as there is only one."""

    cells: Mapping[str, Cell]
    outgoing: Mapping[int, Sequence[Command]]

    def follow(self, location: int) -> list[Command]:
        """The commands on the way from a location at which all cells are as at first, with what is known of values."""
        values = {name: it.lo for name, it in self.cells.items() if it.lo is not None and self._is_known(it)}
        found: list[Command] = []
        while len(found) < MOST:
            ways = [(command, after) for command in self.outgoing[location] if (after := self._after(command, values))]
            if len(ways) != 1 or not _is_followed(ways[0][0].instruction):
                break
            command, (instruction, values) = ways[0]
            found.append(replace(command, instruction=instruction))
            location = command.target
        return found

    def _is_known(self, cell: Cell) -> bool:
        return cell.lo == cell.hi and not cell.summary

    def _after(self, command: Command, values: Mapping[str, int]) -> tuple[Instruction, dict[str, int]] | None:
        """A command with constants for what is known, and what is known behind it; None if it certainly stops."""
        known, done = dict(values), list[Instruction]()
        for step in steps(command.instruction):
            if isinstance(step, Guard) and not _may_hold(step.condition, known):
                return None
            value = _value(step, known)
            for cell in writes(step):
                known.pop(cell, None)
                if value is not None and not self.cells[cell].summary:
                    known[cell] = value
            is_told = isinstance(step, Assign | Compute | Lookup) and not step.target.startswith("$")
            done.append(Assign(step.target, constant(value)) if is_told and value is not None else step)  # type: ignore[union-attr]
        is_one = isinstance(command.instruction, Atomic)
        return (Atomic(tuple(done)) if is_one else done[0]), known  # type: ignore[arg-type]  # steps stay steps


def _is_followed(instruction: Instruction) -> bool:
    return not isinstance(instruction, Spawn | Join) and not call_of(instruction)


def _may_hold(condition: Formula, values: Mapping[str, int]) -> bool:
    """Whether a condition may hold, as far as values are known."""
    match condition:
        case And(parts):
            return all(_may_hold(part, values) for part in parts)
        case Or(parts):
            return any(_may_hold(part, values) for part in parts)
        case _:
            return not formula_cells(condition) <= values.keys() or satisfies(condition, values)


def _value(step: Instruction, values: Mapping[str, int]) -> int | None:
    """What a step writes, where that is known."""
    match step:
        case Assign(_, value):
            return _evaluated(value, values)
        case Havoc(_, int(lo), int(hi)) if lo == hi:
            return lo
        case Compute(_, operation, arguments):
            found = [_evaluated(argument, values) for argument in arguments]
            told = [number for number in found if number is not None]
            return apply(operation, told) if len(told) == len(found) else None
        case Lookup(_, table, index):
            place = _evaluated(index, values)
            return table[place] if place is not None and 0 <= place < len(table) else None
        case _:
            return None


def _evaluated(term: Linear, values: Mapping[str, int]) -> int | None:
    return evaluate(term, values) if term_cells(term) <= values.keys() else None


def _changed(
    own: Sequence[Command], way: Sequence[Command], cyclic: Container[int], fresh: int, template: Template
) -> tuple[list[Command], Template] | None:
    """The commands of the first thread with its way as it is known; None if that loses what is not a plain step."""
    numbers = count(fresh)
    places = [way[0].source, *(command.target for command in way)]
    names = [next(numbers) if place in cyclic else place for place in places]
    left = {place for place, name in zip(places, names, strict=True) if place == name and place != places[-1]}
    path = [command.between(*ends) for command, ends in zip(way, pairwise(names), strict=True)]
    kept = [*path, *(command for command in own if command.source not in left)]
    seen = set(reached([names[0]], following(by_source(kept))))
    found = [command for command in kept if command.source in seen]
    if any(not _is_followed(it.instruction) for it in kept if it.source not in seen):
        return None
    told = set(_checks(found))
    found += [it for it in own if isinstance(it.instruction, Assert) and it.instruction.check not in told]
    atomic = {name for place, name in zip(places, names, strict=True) if place in template.atomic}
    return found, replace(template, entry=names[0], atomic=template.atomic | atomic)


def _checks(commands: Iterable[Command]) -> Iterator[object]:
    return (command.instruction.check for command in commands if isinstance(command.instruction, Assert))


def _with(program: Program, own: Sequence[Command], template: Template) -> Program:
    """The program with other commands of the first thread."""
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    for name, other in program.templates.items():
        found = own if name == template.name else [program.commands[index] for index in other.commands]
        kept = template if name == template.name else other
        templates[name] = replace(kept, commands=tuple(range(len(commands), len(commands) + len(found))))
        commands += found
    return replace(program, templates=templates, commands=tuple(commands))
