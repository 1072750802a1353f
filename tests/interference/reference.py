"""The judgments of the interference analysis, tuple by tuple, and random instances of it.

Written from the rules alone, with none of the machinery of `duet.interference`: pairs and triples in sets, every rule
applied until nothing new comes out.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from domains.values.number import ANY, Number
from duet.flow.effects import Effects, effects
from duet.flow.packs import Packing
from duet.interference.conditions import observable_conditions
from duet.plip.lifetimes import awaited
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import (
    SKIP,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Guard,
    Instruction,
    Join,
    Linear,
    Program,
    Relation,
    Spawn,
    Template,
)
from duet.plip.terms import constant, negate_atom, variable


@dataclass(frozen=True, slots=True)
class Table:
    """An annotation given as sets: nothing relates one answer to another, except as the protocol promises."""

    bottoms: frozenset[int]
    known: frozenset[tuple[int, Atom]]
    refused: frozenset[tuple[int, Atom]]
    disabled: frozenset[int]

    def is_bottom(self, location: int) -> bool:
        return location in self.bottoms

    def entails(self, location: int, atom: Atom) -> bool:
        return (location, atom) in self.known

    def refuses(self, command: int, atom: Atom) -> bool:
        return (command, atom) in self.refused

    def is_disabled(self, command: int) -> bool:
        return command in self.disabled

    def number(self, _location: int, _term: Linear) -> Number:
        return ANY

    def outlooks(self, locations: Collection[int], _cells: frozenset[str]) -> Sequence[int]:
        return tuple(locations)

    def stance(self, command: int, _cells: frozenset[str]) -> int:
        return command


@dataclass(frozen=True, slots=True)
class Instance:
    program: Program
    packing: Packing
    annotation: Table

    @property
    def everywhere(self) -> dict[int, frozenset[int]]:
        """Every pack wanted at every location."""
        return dict.fromkeys(range(len(self.packing.packs)), frozenset(self.program.template_of))


class Reference:
    """All derivable judgments of an instance."""

    def __init__(self, instance: Instance) -> None:
        self.program, self.annotation = instance.program, instance.annotation
        self.packing = instance.packing
        self.conditions = observable_conditions(self.program)
        self.effects = effects(self.program)
        self.many = multiplicities(self.program)
        self.awaited = awaited(self.program)
        self.inside = {at for template in self.program.templates.values() for at in template.atomic}
        self.coreach = self._coreachable()
        self.flows = set(self._flows())

    def blocked(self, other: int, command: int) -> bool:
        """Whether a thread at `other` keeps the command from happening."""
        source, owner = self.program.commands[command].source, self.program.template_of[other]
        if other in self.inside:
            return True
        is_over = owner in self.awaited.get(command, ()) and self.many[owner] is Multiplicity.ONE
        if is_over and other != self.program.templates[owner].exit:
            return True
        if source in self.inside:
            return False
        return self.annotation.is_bottom(other) or any(
            self.annotation.entails(other, c) and self.annotation.refuses(command, c) for c in self.conditions
        )

    def enabled(self) -> Iterator[tuple[int, Command]]:
        for index, command in enumerate(self.program.commands):
            if not self.annotation.is_disabled(index):
                yield index, command

    def child(self, command: Command) -> int | None:
        match command.instruction:
            case Spawn(template):
                return self.program.templates[template].entry
            case _:
                return None

    def _coreachable(self) -> set[tuple[int, int]]:
        alone = {self.program.templates[self.program.main].entry}
        while True:
            more = set(alone)
            for _, command in self.enabled():
                if command.source in alone:
                    more |= {command.target}
                    if (entry := self.child(command)) is not None:
                        more |= {entry}
            if more == alone:
                break
            alone = more
        pairs: set[tuple[int, int]] = set()
        while True:
            more_pairs = set(pairs) | {(b, a) for a, b in pairs}
            for index, command in self.enabled():
                entry = self.child(command)
                if entry is not None and command.source in alone:
                    more_pairs.add((command.target, entry))
                for a, b in pairs:
                    if a == command.source and not self.blocked(b, index):
                        more_pairs.add((command.target, b))
                        if entry is not None:
                            more_pairs.add((entry, b))
            if more_pairs == pairs:
                return pairs
            pairs = more_pairs

    def _flows(self) -> Iterator[tuple[int, int, int]]:
        """`(command, pack, location)`."""
        for pack, cells in enumerate(self.packing.packs):
            if any(self.program.cells[cell].template is not None for cell in cells):
                continue
            is_weak = any(self.program.cells[cell].summary for cell in cells)
            for d, command in self.enabled():
                if not self.effects[d].writes & set(cells):
                    continue
                start = {(command.target, b) for a, b in self.coreach if a == command.source and not self.blocked(b, d)}
                for a, b in self._may_reach(start, set(cells), is_weak):
                    if a not in self.inside:
                        yield d, pack, b

    def _may_reach(self, start: set[tuple[int, int]], cells: set[str], is_weak: bool) -> set[tuple[int, int]]:
        found, work = set(start), list(start)
        while work:
            a, b = work.pop()
            following: set[tuple[int, int]] = set()
            for index, command in self.enabled():
                is_written = bool(self.effects[index].writes & cells)
                if command.source == a and not self.blocked(b, index) and (is_weak or not is_written):
                    following.add((command.target, b))
                if command.source == b and not self.blocked(a, index) and not self.effects[index].kills & cells:
                    following.add((a, command.target))
                    if (entry := self.child(command)) is not None:
                        following.add((a, entry))
            work += following - found
            found |= following
        return found


GLOBALS = ("x", "y", "z", "a")  # `a` is a summary cell


def _instruction(rng: random.Random, names: list[str]) -> Instruction:
    cell = rng.choice(GLOBALS[:3])
    condition = Atom(Linear(((cell, 1),), -rng.randrange(2)), rng.choice(list(Relation)))
    write = Assign(rng.choice(GLOBALS), constant(1))
    match rng.randrange(12):
        case 0 | 1:
            return SKIP
        case 2 | 3 | 4:
            return write
        case 5 | 6:
            return Guard(condition)
        case 7:
            return Atomic((Guard(condition), write))
        case 8 | 9 if len(names) > 1:
            return Spawn(rng.choice(names[1:]))
        case 10 if len(names) > 1:
            return Join(rng.choice(names))
        case _:
            return Assign("t", variable("a"))


def random_instance(seed: int) -> Instance:
    """A small program with everything in it that the rules know, and an annotation that need not fit it."""
    rng = random.Random(seed)
    names = ["main", "first", "second"][: rng.randint(2, 3)]
    commands: list[Command] = []
    templates: dict[str, Template] = {}
    at = 0
    for name in names:
        here = list(range(at, at := at + rng.randint(3, 7)))
        mine: list[int] = []
        edges = list(pairwise(here))
        edges += [(rng.choice(here[:-1]), rng.choice(here)) for _ in range(rng.randint(0, 2))]
        for place, (source, target) in enumerate(edges):
            mine.append(len(commands))
            instruction = Spawn(names[1]) if name == "main" and place == 0 else _instruction(rng, names)
            commands.append(Command(source, instruction, target))
        low = rng.randint(1, len(here) - 1)
        atomic = frozenset(here[low : low + rng.randint(1, 2)]) - {here[-1]} if rng.random() < 0.4 else frozenset()
        templates[name] = Template(name, here[0], here[-1], tuple(mine), atomic=atomic)
    cells = {name: Cell(name, summary=name == "a") for name in GLOBALS}
    cells["t"] = Cell("t", template="main")
    program = Program(cells, templates, tuple(commands), "main")
    packs = rng.choice(((("x",), ("y",), ("z",)), (("x", "y"), ("z",))))
    return Instance(program, Packing((*packs, ("a",), ("t",))), _table(rng, program))


def _table(rng: random.Random, program: Program) -> Table:
    conditions = observable_conditions(program)
    rate, locations = rng.choice((0.05, 0.2, 0.4)), sorted(program.template_of)
    # neighbours often know the same, or there would be no blocks of more than one location
    known: dict[int, frozenset[Atom]] = {}
    for at in locations:
        if at - 1 in known and rng.random() < 0.6:
            known[at] = known[at - 1]
        else:
            known[at] = frozenset(c for c in conditions if rng.random() < rate)
    refused: set[tuple[int, Atom]] = set()
    for (index, command), c in product(enumerate(program.commands), conditions):
        can_refuse = isinstance(command.instruction, Guard | Atomic) and command.instruction != SKIP
        if negate_atom(c) in known[command.source] if not can_refuse else rng.random() < rate:
            refused.add((index, c))
    bottoms = frozenset(at for at in locations if rng.random() < 0.03)
    disabled = frozenset(
        index for index, command in enumerate(program.commands) if command.source in bottoms or rng.random() < 0.04
    )
    pairs = frozenset((at, c) for at, found in known.items() for c in found)
    return Table(bottoms, pairs, frozenset(refused), disabled)


def instance_effects(instance: Instance) -> tuple[Effects, ...]:
    return effects(instance.program)
