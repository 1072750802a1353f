"""The states from which one command of one thread leads into a cube, as cubes.

*Source*: thesis Def. 5.3.1 and Def. 5.3.2, with weakest preconditions for triples. *Approximates*: over; whatever a
literal cannot say is left open.

The thread that moves is one of the cube's that is where the command leads, or another one. The latter matters only if
it writes a global that the cube speaks of, or starts one of its threads: otherwise the state before is in the cube.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from duet.plip.multiplicity import many
from duet.plip.syntax import (
    Assert,
    Assign,
    Atom,
    Atomic,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Operation,
    Program,
    Spawn,
    steps,
)
from duet.plip.terms import compare, conjunction, constant, negate, scale, term_cells, variable
from duet.plip.touched import writes
from duet.verify.cube import Cube, made, of_thread, own, renumbered, term_of_thread, thread_of, ways
from duet.verify.integers import put, without

_MOST_CASES = 64
_LARGEST_TABLE = 16


@dataclass(frozen=True)
class Steps:
    """The commands of a program, and which templates have at most one instance."""

    program: Program

    @cached_property
    def ones(self) -> frozenset[str]:
        return frozenset(self.program.templates) - many(self.program)

    @cached_property
    def atomic(self) -> frozenset[int]:
        return frozenset(spot for template in self.program.templates.values() for spot in template.atomic)

    @cached_property
    def summaries(self) -> frozenset[str]:
        return frozenset(name for name, cell in self.program.cells.items() if cell.summary)

    @cached_property
    def written(self) -> tuple[frozenset[str], ...]:
        """The globals that each command writes."""
        return tuple(writes(command.instruction) & frozenset(self.program.globals) for command in self.program.commands)

    def failing(self, index: int) -> list[Cube]:
        """The states in which the check of a command is about to fail."""
        command = self.program.commands[index]
        assert isinstance(command.instruction, Assert)
        failed = of_thread(negate(command.instruction.condition), self.program.cells, 0)
        found = ways(failed)
        return _cubes((command.source,), [()] if found is None else found)

    def before(self, cube: Cube) -> Iterator[Cube]:
        """The cubes of states from which one command leads into a cube."""
        for place in sorted(set(cube.locations)):
            threads = [thread for thread, location in enumerate(cube.locations) if location == place]
            for index in self.program.incoming[place]:
                for thread in threads:
                    yield from self._by(cube, index, thread)
        spoken = {cell for literal in cube.literals for cell in term_cells(literal.term) if thread_of(cell) is None}
        entries = set(cube.locations)
        for index, command in enumerate(self.program.commands):
            spawn = command.instruction
            starts = isinstance(spawn, Spawn) and self.program.templates[spawn.template].entry in entries
            if starts or self.written[index] & spoken:
                template = self.program.template_of[command.source]
                if template in self.ones and any(self._template(place) == template for place in cube.locations):
                    continue  # the only instance is somewhere else
                yield from self._by(Cube((*cube.locations, command.target), cube.literals), index, len(cube.locations))

    def _template(self, location: int) -> str:
        return self.program.template_of[location]

    def _by(self, cube: Cube, index: int, actor: int) -> Iterator[Cube]:
        """The cubes before a command that a thread of the cube takes; it is where the command leads."""
        command = self.program.commands[index]
        others = [place for thread, place in enumerate(cube.locations) if thread != actor]
        if any(place in self.atomic for place in others):
            return
        places = tuple(command.source if thread == actor else place for thread, place in enumerate(cube.locations))
        match command.instruction:
            case Spawn():
                yield from self._started(cube, command, actor, places)
            case Join(template):
                yield from self._joined(cube, template, actor, places)
            case instruction:
                yield from _cubes(places, self._earlier(instruction, cube.literals, actor))

    def _joined(self, cube: Cube, template: str, actor: int, places: tuple[int, ...]) -> Iterator[Cube]:
        if template not in self.ones:
            yield from _cubes(places, [cube.literals])
            return
        end = self.program.templates[template].exit
        there = [place for thread, place in enumerate(places) if self._template(place) == template and thread != actor]
        if self._template(places[actor]) == template or any(place != end for place in there):
            return
        yield from _cubes(places if there else (*places, end), [cube.literals])

    def _started(self, cube: Cube, command: Command, actor: int, places: tuple[int, ...]) -> Iterator[Cube]:
        """Without one thread of the cube that is at the start of its template, or with all of them there before."""
        spawn = command.instruction
        assert isinstance(spawn, Spawn)
        entry = self.program.templates[spawn.template].entry
        its = [t for t, place in enumerate(places) if self._template(place) == spawn.template and t != actor]
        is_one = spawn.template in self.ones
        if not is_one or not its:
            yield from _cubes(places, [cube.literals])
        if is_one and any(places[thread] != entry for thread in its):
            return
        for child in its:
            if places[child] != entry:
                continue
            literals: Sequence[Atom] = cube.literals
            given = dict(spawn.arguments)
            for cell in self.program.cells.values():
                if cell.template != spawn.template or not _speak_of(literals, name := own(cell.name, child)):
                    continue
                if cell.name in given and not cell.summary:
                    literals = put(literals, name, term_of_thread(given[cell.name], self.program.cells, actor))
                else:
                    literals = without((*literals, *_between(name, cell.lo, cell.hi)), name)
            rest = [thread for thread in range(len(places)) if thread != child]
            number = {old: new for new, old in enumerate(rest)}
            left = [renumbered(literal, number) for literal in literals]
            yield from _cubes(tuple(places[thread] for thread in rest), [left])

    def _earlier(self, instruction: Instruction, literals: Sequence[Atom], actor: int) -> list[Sequence[Atom]]:
        """The literals in front of an instruction of a thread, in several cases."""
        found: list[Sequence[Atom]] = [literals]
        for step in reversed(steps(instruction)):
            found = [earlier for case in found for earlier in self._before_step(step, case, actor)]
            if len(found) > _MOST_CASES:
                return [_only_others(literals, actor, writes(instruction))]
        return found

    def _before_step(self, step: Instruction, literals: Sequence[Atom], actor: int) -> list[Sequence[Atom]]:
        cells = self.program.cells
        match step:
            case Guard(condition):
                return _under(literals, of_thread(condition, cells, actor))
            case Assert(condition, _, stops):
                return _under(literals, of_thread(condition, cells, actor)) if stops else [literals]
            case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
                name = target if cells[target].template is None else own(target, actor)
                return self._before_write(step, name, literals, actor) if _speak_of(literals, name) else [literals]
            case Atomic() | Spawn() | Join():
                raise AssertionError("not a step")

    def _before_write(
        self, step: Assign | Havoc | Compute | Lookup, name: str, literals: Sequence[Atom], actor: int
    ) -> list[Sequence[Atom]]:
        cells = self.program.cells
        match step:
            case Assign(target, value):
                if target in self.summaries or term_cells(value) & self.summaries:
                    return [without(literals, name)]
                return [put(literals, name, term_of_thread(value, cells, actor))]
            case Havoc(_, lo, hi):
                return [without((*literals, *_between(name, lo, hi)), name)]
            case Compute(_, operation, arguments):
                terms = [term_of_thread(argument, cells, actor) for argument in arguments]
                return _before_computed(operation, terms, name, literals)
            case Lookup(_, table, index):
                at = term_of_thread(index, cells, actor)
                if len(table) > _LARGEST_TABLE:
                    return [without((*literals, *_between(name, min(table), max(table))), name)]
                return [
                    case
                    for place, value in enumerate(table)
                    for case in _under(put(literals, name, constant(value)), compare(at, "==", constant(place)))
                ]


def _before_computed(
    operation: Operation, terms: Sequence[Linear], name: str, literals: Sequence[Atom]
) -> list[Sequence[Atom]]:
    """The literals in front of `name := operation(terms)`, exact for products with constants and in-range wraps."""
    match operation:
        case Operation.WRAP:
            value, low, high = terms
            inside = conjunction((compare(value, ">=", low), compare(value, "<=", high)))
            unchanged = _under(put(literals, name, value), inside)
            kept = without((*literals, *_between(name, low.constant, high.constant)), name)
            return [*unchanged, *_under(kept, negate(inside))]
        case Operation.MUL if not terms[0].terms or not terms[1].terms:
            left, right = terms if not terms[0].terms else (terms[1], terms[0])
            return [put(literals, name, scale(right, left.constant))]
        case Operation.MOD if not terms[1].terms and terms[1].constant != 0:
            most = abs(terms[1].constant) - 1
            return [without((*literals, *_between(name, -most, most)), name)]
        case _:
            return [without(literals, name)]


def _under(literals: Sequence[Atom], condition: Formula) -> list[Sequence[Atom]]:
    """The literals with a condition, in several cases; without it where these are too many."""
    found = ways(condition)
    return [literals] if found is None else [(*literals, *case) for case in found]


def _between(name: str, lo: int | None, hi: int | None) -> list[Atom]:
    found = [] if lo is None else [compare(variable(name), ">=", constant(lo))]
    found += [] if hi is None else [compare(variable(name), "<=", constant(hi))]
    return [literal for literal in found if isinstance(literal, Atom)]


def _speak_of(literals: Iterable[Atom], name: str) -> bool:
    return any(cell == name for literal in literals for cell, _ in literal.term.terms)


def _only_others(literals: Sequence[Atom], actor: int, written: frozenset[str]) -> Sequence[Atom]:
    """The literals that a command which writes some cells leaves alone."""
    names = written | {own(cell, actor) for cell in written}
    return [literal for literal in literals if not term_cells(literal.term) & names]


def _cubes(places: tuple[int, ...], found: Iterable[Sequence[Atom]]) -> list[Cube]:
    """The cubes that are not plainly empty."""
    return [cube for literals in found if (cube := made(places, literals)) is not None]
