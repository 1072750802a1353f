"""The program as two lineages of threads see it under an annotation: moves between locations that block each other.

*Source*: thesis Fig. 3.4 and section 3.6.2 with thread creation, joining and atomic regions (reading B). That a step
is blocked becomes a test of sets: a move cannot be taken while the other lineage is where one of the conditions in
`Move.refused` is known. Joining, atomic regions and what the first thread has not started yet are
pseudo-conditions of the same kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from duet.flow.effects import REACHABLE, Effects
from duet.interference.annotation import Annotation
from duet.interference.conditions import Conditions, negated
from duet.plip.lifetimes import awaited
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.prelude import preludes
from duet.plip.syntax import Program, Spawn
from duet.records import dataclass

# Pseudo-conditions, as bits of a set of conditions: "Phi is unsatisfiable here" and "inside an atomic region".
DEAD = 1
INSIDE = 2
_PSEUDO = 2


@dataclass(frozen=True, slots=True)
class Move:
    """A step of one lineage that Phi does not disable; with `follows` it goes on in the child of a `Spawn`.

    `refused` has bit c if the step cannot be taken where the other lineage knows condition c.
    """

    source: int
    target: int
    command: int
    refused: int
    follows: bool = False


@dataclass(frozen=True, slots=True)
class System:
    """`holds` has bit c at a location where condition c is known; its keys are the locations a lineage can be at.

    `starts` are the pairs at which a `Spawn` splits a lineage in two.
    """

    holds: Mapping[int, int]
    moves: tuple[Move, ...]
    starts: tuple[tuple[int, int], ...]

    def without(self, conditions: int) -> System:
        """The system with some conditions forgotten."""
        keep = ~conditions
        moves = (
            Move(m.source, m.target, m.command, m.refused & keep, m.follows) if m.refused & conditions else m
            for m in self.moves
        )
        return System({location: held & keep for location, held in self.holds.items()}, tuple(moves), self.starts)


def build_system(
    program: Program, command_effects: Sequence[Effects], annotation: Annotation, conditions: Conditions | None = None
) -> System:
    """The system of a program under an annotation, with every condition that can block something.

    `conditions` are those of the program, with what annotations of the same kind have said of them before.
    *Approximates*: exact for the judgments; where an instruction never refuses to pass, `refuses(s, c)` is read off
    `entails(src(s), not c)`.
    """
    edges = _lineage_edges(program, annotation)
    locations = dict.fromkeys((program.templates[program.main].entry, *(target for _, _, target, _ in edges)))
    conditions = conditions or Conditions.of(program)
    starts = {(program.commands[command].target, target): None for _, command, target, follows in edges if follows}
    # Where nothing is ever spawned there is nobody to refuse anything to.
    held = conditions.entailed(annotation, locations) if starts else dict.fromkeys(locations, 0)
    useful = 0
    for bits in held.values():
        useful |= bits
    joins = join_bits(program, len(conditions.atoms))
    started, unbegun = _unbegun(program, _PSEUDO + len(conditions.atoms) + len(joins)) if starts else ({}, {})
    ending = awaited(program)
    inside = frozenset().union(*(template.atomic for template in program.templates.values()))
    moves: list[Move] = []
    for source, command, target, follows in edges:
        if source in inside:
            refused = INSIDE
        else:
            is_guard = REACHABLE in command_effects[command].modifies
            known = negated(conditions.shared(annotation, source) if is_guard else held[source]) & useful
            if is_guard:
                known |= conditions.refused(annotation, command, useful)
            refused = known << _PSEUDO | DEAD | INSIDE
        for name in ending.get(command, ()):
            refused |= joins.get(name, 0)
        refused |= unbegun.get(target, 0)
        moves.append(Move(source, target, command, refused, follows))
    holds = {
        location: _held(program, annotation, location, held[location], joins, inside)
        | started.get(program.template_of[location], 0)
        for location in locations
    }
    return _without_idle(System(holds, tuple(moves), tuple(starts)))


def _lineage_edges(program: Program, annotation: Annotation) -> tuple[tuple[int, int, int, bool], ...]:
    """`(source, command, target, follows)` of all that a single lineage, which starts in main, can do."""
    entry = program.templates[program.main].entry
    seen, work = {entry}, [entry]
    edges: list[tuple[int, int, int, bool]] = []
    while work:
        location = work.pop()
        for index in program.outgoing[location]:
            if annotation.is_disabled(index):
                continue
            command = program.commands[index]
            targets = [(command.target, False)]
            if isinstance(command.instruction, Spawn):
                targets.append((program.templates[command.instruction.template].entry, True))
            for target, follows in targets:
                edges.append((location, index, target, follows))
                if target not in seen:
                    seen.add(target)
                    work.append(target)
    return tuple(edges)


def join_bits(program: Program, conditions: int) -> Mapping[str, int]:
    """The pseudo-condition "at a location of T other than its exit" for each template that is ONE."""
    many = multiplicities(program)
    ones = [name for name in program.templates if many[name] is Multiplicity.ONE]
    return {name: 1 << _PSEUDO + conditions + i for i, name in enumerate(ones)}


def _unbegun(program: Program, first: int) -> tuple[Mapping[str, int], Mapping[int, int]]:
    """The pseudo-conditions "a thread of one of some templates runs", from a bit on: where they are known, by template,
    and the locations where the first thread cannot be then.
    """
    started: dict[str, int] = {}
    unbegun: defaultdict[int, int] = defaultdict(int)
    for bit, (names, locations) in enumerate(preludes(program).items(), first):
        started.update(dict.fromkeys(names, 1 << bit))
        for location in locations:
            unbegun[location] |= 1 << bit
    return started, unbegun


def _held(
    program: Program,
    annotation: Annotation,
    location: int,
    known: int,
    joins: Mapping[str, int],
    inside: frozenset[int],
) -> int:
    held = known << _PSEUDO
    if annotation.is_bottom(location):
        held |= DEAD
    if location in inside:
        held |= INSIDE
    name = program.template_of[location]
    if location != program.templates[name].exit:
        held |= joins.get(name, 0)
    return held


def _without_idle(system: System) -> System:
    """The system without the conditions that are known nowhere or refuse nothing."""
    held = refused = 0
    for bits in system.holds.values():
        held |= bits
    for move in system.moves:
        refused |= move.refused
    return system.without((held | refused) & ~(held & refused))
