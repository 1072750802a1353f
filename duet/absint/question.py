"""What joint states are asked for: a program in packs of locals and globals, and what is known of it already."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from domains.numeric import Constraint, LinExpr
from domains.valued import ValuedDomain
from domains.values.number import Number
from duet.absint.cases import MOST, Splitting
from duet.absint.state import Space, State, Value
from duet.flow.derived import Derived
from duet.flow.mixed import MixedPacking
from duet.flow.packs import Packing
from duet.plip.syntax import Linear, Program

START = -1
"""The definition of a bundle that the program starts with."""
Sources: TypeAlias = Mapping[tuple[int, int], Sequence[int]]
"""By bundle and location: the commands, and `START`, whose value of the bundle may be the one there."""
Memory: TypeAlias = dict[Hashable, tuple[Value, Value]]
"""What was made of values, by their identity among others, hence each with the value that it was made of."""
Unstable: TypeAlias = tuple[tuple[int, int], ...]
"""Positions of cells that others may write: with 1 if they only raise the cell, -1 if they only lower it, or 0."""


def _any_way(_cell: str, _location: int) -> int:
    return 0


def _sides(terms: tuple[tuple[int, int], ...], constant: int, relation: str) -> tuple[LinExpr, ...]:
    """The expressions that are not negative where a constraint holds."""
    expression = (terms, constant)
    if relation == ">=":
        return (expression,)
    return expression, (tuple((position, -k) for position, k in terms), -constant)


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier fixpoint says of a pack of the template at the source of a command.

    Numbers of variables and relations of several, by their positions in the pack.
    """

    pack: int
    numbers: tuple[tuple[int, Number], ...] = ()
    relations: tuple[Constraint, ...] = ()


@dataclass(frozen=True)
class Question:
    """What joint states are asked for, of a program in packs.

    `sources` has the bundles where they are wanted: at entries, and wherever a bundle becomes known anew. `is_stable`:
    no other thread can write the global while a thread is at the location. `known`: by command, None where no thread
    gets to its source. `splits`: the cells whose values tell cases apart, of those in `outcomes` only some, and `most`:
    how many of one place. `derived`:
    the expressions that some cells of `program` stand for, and their thresholds. `drift`: 1 if other threads only raise
    the global while a thread is at the location, -1 if they only lower it, or 0. `ends`: for commands that wait for a
    thread, the exits that some threads are at for good behind it. If it `is_patient`, bounds of what bundles relate are
    looked for for longer, also at numbers that only locals are compared with.
    """

    program: Program
    packing: MixedPacking
    domain: ValuedDomain[Value]
    sources: Sources
    is_stable: Callable[[str, int], bool]
    known: Sequence[Sequence[Known] | None]
    splits: Collection[str] = ()
    most: int = MOST
    outcomes: Mapping[str, Collection[int]] = field(default_factory=dict)
    derived: Derived | None = None
    drift: Callable[[str, int], int] = _any_way
    ends: Mapping[int, Sequence[int]] = field(default_factory=dict)
    is_patient: bool = False

    @property
    def meanings(self) -> Mapping[str, Linear]:
        """The expressions that some cells stand for."""
        return self.derived.meanings if self.derived else {}

    @cached_property
    def spaces(self) -> Mapping[str, Space]:
        """The packs of each template in the domain."""
        return {name: Space(self.program, packs, self.domain) for name, packs in self.packing.packings.items()}

    @cached_property
    def bundles(self) -> Space:
        """The bundles in the domain."""
        return Space(self.program, Packing(self.packing.bundles), self.domain)

    @cached_property
    def splitting(self) -> Mapping[str, Splitting]:
        """How the states of each template are told apart."""
        return {name: self._splitting(space, space.packing.pack_of) for name, space in self.spaces.items()}

    @cached_property
    def bundle_splitting(self) -> Sequence[Splitting]:
        """How what is known of each bundle is told apart."""
        return [self._splitting(self.bundles, bundle) for bundle in self.packing.bundles]

    def _splitting(self, space: Space, cells: Container[str]) -> Splitting:
        """How states over some packs are told apart, by some cells."""
        return Splitting(space, tuple(cell for cell in sorted(self.splits) if cell in cells), self.most, self.outcomes)

    def splitting_at(self, location: int) -> Splitting:
        """How the states at a location are told apart."""
        return self.splitting[self.program.template_of[location]]

    def space_at(self, location: int) -> Space:
        """The packs of a location's template."""
        return self.spaces[self.program.template_of[location]]

    def place(self, bundle: int, location: int) -> tuple[int, tuple[int, ...]]:
        """The pack that a bundle is in at a location, and the position in it of each cell of the bundle."""
        packing = self.space_at(location).packing
        cells = self.packing.bundles[bundle]
        return packing.pack_of[cells[0]], tuple([packing.position[cell] for cell in cells])

    def bundles_at(self, location: int) -> Sequence[int]:
        """The bundles of which something is to be known at a location."""
        name = self.program.template_of[location]
        packing, tracked = self.packing.packings[name], self.packing.tracked[name]
        return [number for number, cells in enumerate(self.packing.bundles) if packing.pack_of[cells[0]] in tracked]

    def widened(self, bundle: int, location: int, value: Value) -> Value:
        """What a value of a bundle says of the pack that the bundle is in."""
        pack, positions = self.place(bundle, location)
        return self.domain.change_variables(value, positions, len(self.space_at(location).packing.packs[pack]))

    def narrowed(self, bundle: int, location: int, state: State) -> Value:
        """What a state at a location says of a bundle."""
        pack, positions = self.place(bundle, location)
        inverse: list[int | None] = [None] * len(self.space_at(location).packing.packs[pack])
        for index, position in enumerate(positions):
            inverse[position] = index
        return self.domain.change_variables(state[pack], tuple(inverse), len(positions))

    def disturbed(self, value: Value, unstable: Unstable) -> Value:
        """What is left of a value of a pack when other threads have written its unstable cells.

        Of the relations those stay that hold all the more for what others may make of the cells.
        """
        rest = self.domain.forget(value, tuple(position for position, _ in unstable))
        drift = dict(unstable)
        if not any(drift.values()) or self.domain.is_bottom(value):
            return rest
        kept: tuple[Constraint, ...] = tuple(
            (expression, ">=")
            for (terms, constant), relation in self.domain.constraints(value)
            for expression in _sides(terms, constant, relation)
            if all(drift.get(position, k) * k > 0 for position, k in expression[0])
            and any(position in drift for position, _ in terms)
        )
        return self.domain.meet_constraints(rest, kept) if kept else rest

    def unstable(self, pack: int, location: int) -> Unstable:
        """The positions of the cells of a pack that another thread can write while a thread is at a location."""
        cells = self.space_at(location).packing.packs[pack]
        return tuple(
            (position, self.drift(cell, location))
            for position, cell in enumerate(cells)
            if self.program.cells[cell].template is None and not self.is_stable(cell, location)
        )

    def told(self, command: int, state: State, memory: Memory | None = None) -> State | None:
        """A state at the source of a command with what is known there; other packs that it uses have numbers.

        What was made of the same values before is in `memory`, and goes there.
        """
        known = self.known[command]
        if known is None:
            return None
        domain, told = self.domain, dict(state)
        for number, found in enumerate(known):
            before = told.get(found.pack)
            if before is None and not found.numbers:
                continue
            key = (command, number, id(before))
            if memory is not None and key in memory:
                _, after = memory[key]
            else:
                size = len(self.space_at(self.program.commands[command].source).packing.packs[found.pack])
                after = domain.top(size) if before is None else before
                for position, one in found.numbers:
                    after = domain.meet_number(after, position, one)
                after = domain.meet_constraints(after, found.relations) if found.relations else after
                if memory is not None:
                    memory[key] = before, after
            if domain.is_bottom(after):
                return None
            told[found.pack] = after
        return told
