"""Sums that a test compares and that are assigned behind it: one cell holds what both add up.

    if (used + n <= room) used += n;

Most domains know no relations of three cells. Here the sum has a cell of its own, which is set in the step that tests
it: the test and what is assigned are relations of two cells then. What the test read of a global is read anew where
something is added to it. Where both are the same the cell is assigned; where they are not, a thread adds as before.
Each execution goes one of the two ways, and ends up where it did: the analyses are left to find out which way that is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import TypeAlias

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.plip.syntax import (
    FALSE,
    Assign,
    Atom,
    Cell,
    Command,
    Formula,
    Guard,
    Instruction,
    Linear,
    Program,
    Step,
    Template,
    steps,
    together,
)
from duet.plip.terms import add, atoms, compare, conjunction, linear, map_atoms, negate, term_cells, variable
from duet.plip.touched import writes

MOST = 6
"""Sums of a template that have cells."""
_Parts: TypeAlias = Mapping[str, tuple[str, int]]
"""The cells of a term with their factors, by what these are copies of."""


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum that a test compares and the cell that holds it: a term over cells of the thread and `copies` of globals.

    Its `parts` are the cells of the term with their factors, by what they are copies of.
    """

    cell: str
    copies: Mapping[str, str]
    parts: _Parts

    @property
    def term(self) -> Linear:
        return linear(dict(self.parts.values()))

    def set(self) -> Iterator[Step]:
        """The steps that compute it."""
        for copy, of in self.copies.items():
            yield Assign(copy, variable(of))
        yield Assign(self.cell, self.term)


@dataclass(frozen=True, slots=True)
class _Held:
    """The cells that hold their sums."""

    cells: frozenset[str] = frozenset()

    def common(self, other: _Held) -> _Held:
        return _Held(self.cells & other.cells)


def summed(program: Program) -> Program:
    """The program with cells for sums that tests compare and that are assigned behind them."""
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    cells = dict(program.cells)
    for name, template in program.templates.items():
        own = [program.commands[index] for index in template.commands]
        found = _Template(name, own, template.entry, program.cells).summed(cells)
        templates[name] = replace(template, commands=tuple(range(len(commands), len(commands) + len(found))))
        commands += found
    return replace(program, cells=cells, templates=templates, commands=tuple(commands))


@dataclass(frozen=True)
class _Template:
    """The commands of a template, which begins at `entry`, and the cells of the program."""

    name: str
    commands: Sequence[Command]
    entry: int
    cells: Mapping[str, Cell]

    def summed(self, cells: dict[str, Cell]) -> list[Command]:
        """The commands with cells for sums; adds these cells."""
        if not self._tested:
            return list(self.commands)
        held = self._held()
        used: dict[str, _Sum] = {}
        for command in self.commands:
            state = held.get(command.source, _Held())
            for step in steps(command.instruction):
                if (one := self._assigned(step, state)) is not None:
                    used[one.cell] = one
                state = self._after(state, step)
        kept = dict(list(used.items())[:MOST])
        for name in (name for one in kept.values() for name in (one.cell, *one.copies)):
            cells[name] = Cell(name, self.name, lo=0, hi=0)
        return [part for it in self.commands for part in self._followed(it, held.get(it.source, _Held()), kept)]

    @cached_property
    def _origins(self) -> Mapping[str, str]:
        """The globals that cells of the thread are copies of, whenever they are set."""
        made: defaultdict[str, set[str]] = defaultdict(set)
        for command in self.commands:
            for step in steps(command.instruction):
                for target in writes(step):
                    match step:
                        case Assign(_, Linear(((source, 1),), 0)) if self.cells[source].template is None:
                            made[target].add(source)
                        case _:
                            made[target].add("")
        return {cell: min(found) for cell, found in made.items() if len(found) == 1 and min(found)}

    @cached_property
    def _sums(self) -> Sequence[Mapping[str, int]]:
        """The sums of two cells or more that something is set to: factors by what is added up."""
        found: dict[frozenset[tuple[str, int]], Mapping[str, int]] = {}
        for command in self.commands:
            for step in steps(command.instruction):
                if isinstance(step, Assign) and (factors := self._factors(step.value)):
                    found.setdefault(frozenset(factors.items()), factors)
        return list(found.values())

    @cached_property
    def _tested(self) -> Mapping[Linear, _Sum]:
        """The sums that are parts of what tests compare, by their terms there."""
        found: dict[Linear, _Sum] = {}
        for command in self.commands if self._sums else ():
            for step in steps(command.instruction):
                for part in atoms(step.condition) if isinstance(step, Guard) else ():
                    if (term := self._part(part)) is not None and term not in found:
                        found[term] = self._new(term, f"$+{self.name}:{len(found)}")
        return found

    def _new(self, term: Linear, name: str) -> _Sum:
        """The sum for a term of a test."""
        copies = {cell: f"{name} {cell}" for cell in term_cells(term) if self.cells[cell].template is None}
        parts = {of: (copies.get(cell, cell), factor) for of, (cell, factor) in self._parts(term).items()}
        return _Sum(name, {copy: cell for cell, copy in copies.items()}, parts)

    def _parts(self, term: Linear) -> _Parts:
        return {self._origins.get(cell, cell): (cell, factor) for cell, factor in term.terms}

    def _factors(self, term: Linear) -> Mapping[str, int] | None:
        """What is added up, with factors; None where that is less than two cells, or two copies of one."""
        parts = self._parts(term)
        return {of: k for of, (_, k) in parts.items()} if 1 < len(parts) == len(term.terms) else None

    def _part(self, part: Atom) -> Linear | None:
        """The sum among what an atom compares that something is set to somewhere."""
        compared = self._parts(part.term)
        if not 2 < len(compared) == len(part.term.terms):
            return None
        for factors in self._sums:
            ratios = {compared[of][1] * k if of in compared else 0 for of, k in factors.items()}
            is_alike = all(abs(k) == 1 for k in factors.values()) and ratios in ({1}, {-1})
            if is_alike and len(factors) < len(compared):
                return linear({compared[of][0]: k for of, k in factors.items()})
        return None

    def _sum(self, part: Atom) -> _Sum | None:
        term = self._part(part)
        return None if term is None else self._tested[term]

    def _compared(self, step: Instruction) -> Sequence[_Sum]:
        """The sums that a step compares."""
        found = (self._sum(part) for part in atoms(step.condition)) if isinstance(step, Guard) else ()
        return [one for one in found if one is not None]

    def _held(self) -> Mapping[int, _Held]:
        """The cells that hold their sums at each location."""
        outgoing = by_source(self.commands)

        def behind(location: int, state: _Held) -> Iterator[tuple[int, _Held]]:
            for command in outgoing[location]:
                yield command.target, reduce(self._after, steps(command.instruction), state)

        return known_on_all_ways(self.entry, _Held(), behind, following(outgoing))

    def _after(self, held: _Held, step: Instruction) -> _Held:
        """The cells that hold their sums behind a step."""
        written = writes(step)
        lost = {one.cell for one in self._tested.values() if not written.isdisjoint(term_cells(one.term))}
        return _Held(held.cells - lost | {one.cell for one in self._compared(step)})

    def _assigned(self, step: Instruction, held: _Held) -> _Sum | None:
        """The sum that a step sets something to, if a cell holds it."""
        factors = self._factors(step.value) if isinstance(step, Assign) else None
        for one in self._tested.values() if factors else ():
            if one.cell in held.cells and {of: k for of, (_, k) in one.parts.items()} == factors:
                return one
        return None

    def _followed(self, command: Command, held: _Held, kept: Mapping[str, _Sum]) -> Iterator[Command]:
        """A command with steps that set the cells, and with these in the place of sums."""
        ways: list[tuple[Step, ...]] = [()]
        for step in steps(command.instruction):
            one = self._assigned(step, _Held(held.cells & kept.keys()))
            if isinstance(step, Assign) and one is not None and len(ways) == 1:
                made = list(self._ways(step, one))
            elif isinstance(step, Guard):
                sums = [of for of in self._compared(step) if of.cell in kept]
                set_before = tuple(dict.fromkeys(it for of in sums for it in of.set()))
                made = [(*set_before, Guard(map_atoms(step.condition, self._over(kept))))]
            elif isinstance(step, Step):
                made = [(step,)]
            else:
                yield command  # it is alone, and neither sets nor tests anything
                return
            ways = [(*way, *more) for way in ways for more in made]
            held = self._after(held, step)
        for way in ways:
            yield replace(command, instruction=together(way))

    def _over(self, kept: Mapping[str, _Sum]) -> Callable[[Atom], Formula]:
        """Atoms over the cells that hold their sums."""

        def changed(part: Atom) -> Formula:
            term, one = self._part(part), self._sum(part)
            if term is None or one is None or one.cell not in kept:
                return part
            cell, factor = term.terms[0]
            sign = dict(part.term.terms)[cell] * factor
            return replace(part, term=add(add(part.term, term, -sign), variable(one.cell), sign))

        return changed

    def _ways(self, step: Assign, one: _Sum) -> Iterator[tuple[Step, ...]]:
        """A step that sets something to a sum: to its cell where that was made of the same values."""
        here = self._parts(step.value)
        same = conjunction(compare(variable(here[of][0]), "==", variable(cell)) for of, (cell, _) in one.parts.items())
        other = negate(same)
        held = Assign(step.target, add(variable(one.cell), Linear((), step.value.constant)))
        yield (held,) if other == FALSE else (Guard(same), held)
        if other != FALSE:
            yield Guard(other), step
