"""What is known of a thread's own cells, contributions among them: in one state of each location, or in cases.

What a thread has added often depends on what it has found: it holds a place of a pool where its index is not negative.
Cases keep such values apart (`duet.absint.joint`), told apart by what the thread has added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from domains.valued import ValuedDomain
from domains.values import number
from domains.values.number import Number
from duet.absint.conditions import assume
from duet.absint.invariants import Invariants
from duet.absint.joint import Joint, joint
from duet.absint.question import Known, Question
from duet.absint.state import Value, weight
from duet.deadline import Deadline
from duet.flow.effects import effects
from duet.flow.mixed import MixedPacking
from duet.flow.packs import Packing
from duet.plip.syntax import Formula, Linear, Program

CASES = 16
"""Cases of one place."""


@dataclass(frozen=True)
class Plain:
    """As the invariants of a graph know it. *Approximates*: over."""

    invariants: Invariants

    def is_bottom(self, location: int) -> bool:
        """Whether no thread is ever at a location."""
        return self.invariants.is_bottom(location)

    def number(self, location: int, term: Linear) -> Number:
        """What is known of a term over cells of one thread that is at a location. *Requires*: not bottom."""
        space = self.invariants.space
        return space.term_number(self.invariants.state(location, space.packs_of(_cells(term))), term)

    def kept(self, command: int, term: Linear, known: Formula) -> Number | None:
        """What a term is where a command is about to pass and something is known besides; None if it never is."""
        space, location = self.invariants.space, self.invariants.graph.program.commands[command].source
        found = assume(space, self.invariants.state(location), known)
        return None if found is None else space.term_number(found, term)


@dataclass(frozen=True)
class Told:
    """In cases, as several solutions know it that tell threads apart by other cells; answers are those of `Plain`."""

    solutions: Sequence[Joint]

    def is_bottom(self, location: int) -> bool:
        return any(found.is_bottom(location) for found in self.solutions)

    def number(self, location: int, term: Linear) -> Number:
        known = [_of_cases(found, location, term) for found in self.solutions]
        return reduce(_met, known)

    def kept(self, command: int, term: Linear, known: Formula) -> Number | None:
        told = [_passing(found, command, term, known) for found in self.solutions]
        passing = [found for found in told if found is not None]
        return reduce(_met, passing) if len(passing) == len(told) else None


Parts: TypeAlias = Plain | Told


def _met(left: Number, right: Number) -> Number:
    """What two true answers say together."""
    found = number.meet(left, right)
    return left if found is None else found


def _of_cases(found: Joint, location: int, term: Linear) -> Number:
    space = found.question.space_at(location)
    return reduce(number.join, (space.term_number(state, term) for state in found.states[location]))


def _passing(found: Joint, command: int, term: Linear, known: Formula) -> Number | None:
    """As `Parts.kept`, by one solution."""
    location = found.question.program.commands[command].source
    space = found.question.space_at(location)
    told = (found.question.told(command, state) for state in found.states[location])
    met = (assume(space, state, known) for state in told if state is not None)
    values = [space.term_number(state, term) for state in met if state is not None]
    return reduce(number.join, values) if values else None


def _cells(term: Linear) -> list[str]:
    return [cell for cell, _ in term.terms]


def told_apart(
    program: Program,
    base: Invariants,
    packing: Packing,
    splits: Sequence[Collection[str]],
    domain: ValuedDomain[Value],
    deadline: Deadline,
) -> Told:
    """The cases of threads, told apart by the values of some of their own cells: first by these, then by others.

    `program` has the commands and locations of that of `base`, whose invariants hold in every execution; of its globals
    only what these say is known. *Raises*: OutOfTime.
    """
    owner = {pack: program.cells[cells[0]].template for pack, cells in enumerate(packing.packs)}
    shared = tuple((cell,) for cell in program.globals)
    packings: dict[str, Packing] = {}
    tracked: dict[str, tuple[int, ...]] = {}
    for name in program.templates:
        own = [cells for pack, cells in enumerate(packing.packs) if owner[pack] == name]
        packings[name] = Packing((*own, *shared))
        tracked[name] = tuple(
            index for index, cells in enumerate(own) if not any(program.cells[cell].summary for cell in cells)
        )
    size = {name: sum(weight(packings[name].packs[pack]) for pack in found) for name, found in tracked.items()}
    deadline.demand(
        2 * len(splits) * sum(size[name] for name in program.template_of.values())
    )  # nothing is known after one pass
    mixed = MixedPacking((), packings, tracked)
    known = _known(program, base, packings)

    def by(cells: Collection[str]) -> Question:
        return Question(program, mixed, domain, {}, lambda _cell, _location: False, known, tuple(cells), CASES)

    return Told([joint(by(cells), deadline) for cells in splits])


def _known(program: Program, base: Invariants, packings: Mapping[str, Packing]) -> list[Sequence[Known] | None]:
    """What is known where each command passes, by pack of its template; None if it never does."""
    space, at = base.space, base.solution.at
    found: list[Sequence[Known] | None] = []
    for index, effect in enumerate(effects(program)):
        location = program.commands[index].source
        if base.is_disabled(index):
            found.append(None)
            continue
        packing = packings[program.template_of[location]]
        cells = sorted((effect.reads | effect.modifies) & packing.pack_of.keys() & space.packing.pack_of.keys())
        used = [pack for pack in space.packs_of(cells) if (pack, location) in at]
        state = base.state(location, used)
        numbers: dict[int, list[tuple[int, Number]]] = defaultdict(list)
        for cell in cells:
            if space.packing.pack_of[cell] in state:
                numbers[packing.pack_of[cell]].append((packing.position[cell], space.number(state, cell)))
        found.append(tuple(Known(pack, tuple(told)) for pack, told in sorted(numbers.items())))
    return found
