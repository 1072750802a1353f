"""The configuration whose packs have locals and globals in them: joint states on top of an earlier fixpoint."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from domains.numeric import Constraint
from domains.valued import ValuedDomain
from domains.values.interval import TOP, ZERO, Interval
from domains.values.number import Number
from duet.absint.cases import FEW, MOST
from duet.absint.invariants import Invariants
from duet.absint.joint import Joint, joint
from duet.absint.question import START, Known, Question, Sources
from duet.absint.state import Value, weight
from duet.check.assertions import Copy, Verdict, combined
from duet.coarsen.configurations import Configuration
from duet.coarsen.drift import Drift, met
from duet.coarsen.relations import changed_at_once, concerned, met_by_copies
from duet.coarsen.resources import Resources
from duet.coarsen.results import Fixpoint
from duet.flow.derived import Derived, derived
from duet.flow.effects import Effects, effects
from duet.flow.flags import computed_from, flags
from duet.flow.forward import substituted
from duet.flow.iterations import MOST as MOST_ITERATIONS
from duet.flow.iterations import iterations
from duet.flow.mixed import MixedPacking, mixed
from duet.flow.outcomes import outcomes
from duet.flow.packs import Packing, related
from duet.flow.reaching import Defined, own_flows
from duet.interference.sections import Sections
from duet.interference.solve import feasible_flows
from duet.interference.stable import Stability
from duet.plip.lifetimes import ended_behind
from duet.plip.syntax import Assert, Assign, Atom, Formula, Linear, Program, Relation, steps
from duet.plip.terms import term_cells
from duet.result import Check, Status

LARGER = 4
"""By how many cells a pack of locals and globals may be larger than one of globals alone."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What joint states stand on: earlier fixpoints, the last of which is refined, and what the program relates.

    In its program globals stand for their copies, and ghosts for expressions. `cells` are those that `open_checks` are
    concerned with, `together` and `protected` sets of such that have to be in one pack. `plain` is the program without
    ghosts.
    """

    fixpoint: Fixpoint
    earlier: Sequence[Fixpoint]
    open_checks: Collection[int]
    stability: Stability
    plain: Program
    derived: Derived
    effects: tuple[Effects, ...]
    cells: tuple[str, ...]
    sections: Sections
    together: tuple[tuple[str, ...], ...]
    protected: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(before: Sequence[Fixpoint], open_checks: Collection[int]) -> Ground:
        """What joint states for some checks stand on, the same for every way to tell states apart.

        *Requires*: the invariants and flows of `before` hold in every execution.
        """
        base = before[-1]
        stability = Stability(base.flows, base.graph.effects)
        plain = substituted(base.graph.program, stability.is_stable)
        told = derived(plain, open_checks, tuple(concerned(plain, frozenset(open_checks))), stability.is_stable)
        cells = tuple(concerned(told.program, frozenset(open_checks)))
        sections = Sections(base.graph.program, base.graph.effects, stability)
        expressions = ((name, *sorted(term_cells(term))) for name, term in told.meanings.items())
        shared = (cells for cells in expressions if told.program.cells[cells[0]].template is None)
        together = (*_published(base, sections, cells), *shared, *changed_at_once(told.program, cells))
        protected = tuple(sections.protected(cells))
        found = effects(told.program)
        return Ground(base, before, open_checks, stability, plain, told, found, cells, sections, together, protected)

    def met(self) -> tuple[tuple[str, ...], ...]:
        """Sets of globals that threads know by copies, of which open checks are concerned with some."""
        wanted = (*self.cells, *concerned(self.plain, frozenset(self.open_checks), are_wrapped=True))
        return tuple(met_by_copies(self.plain, wanted, self.stability.is_stable))

    def is_of(self, before: Sequence[Fixpoint], open_checks: Collection[int]) -> bool:
        """Whether joint states for some checks on top of some fixpoints stand on this."""
        is_same = len(before) == len(self.earlier) and all(map(operator.is_, before, self.earlier))
        return is_same and open_checks == self.open_checks

    @property
    def program(self) -> Program:
        """The program with ghosts for expressions."""
        return self.derived.program

    def is_stable(self, cell: str, location: int) -> bool:
        """Whether no other thread can change a global, or what a ghost stands for, while a thread is at a location."""
        term = self.derived.meanings.get(cell)
        cells = (cell,) if term is None else term_cells(term)
        return all(self.stability.is_stable(found, location) for found in cells)

    def bounds(self, command: int, term: Linear) -> Interval:
        """What the fixpoints say of a term where a command is about to pass."""
        source = self.program.commands[command].source
        return reduce(met, (_bounds(found.invariants, source, term) for found in self.earlier), TOP)


def joined(
    ground: Ground, configuration: Configuration, domain: ValuedDomain[Value], limit: int, resources: Resources
) -> Fixpoint | None:
    """The last fixpoint with what joint states prove of open checks besides; None where there is nothing to relate.

    Where the configuration has cases, states are told apart by the values of flags, where it has iterations by those
    of cells that decide whether loops end, where it has outcomes by those that open checks of several parts ask for;
    None where there are none. Where it has ends, globals that threads know by copies are related; None where there are
    none.
    *Raises*: OutOfTime, also where the packs at all locations are more than there are steps for.
    """
    base, program, stability, told = ground.fixpoint, ground.program, ground.stability, ground.derived
    open_checks, cells, together, protected = ground.open_checks, ground.cells, ground.together, ground.protected
    limit += len(told.meanings)
    asked = outcomes(program, open_checks) if configuration.has_outcomes else {}
    splits, besides = (asked, tuple(asked)) if asked else _splits(ground, configuration, cells, (*together, *protected))
    if configuration.is_told_apart and not splits:
        return None
    met = ground.met() if configuration.has_ends else ()
    if configuration.has_ends and not met:
        return None
    together = (*met, *together)
    packs = related(program, limit, together, protected=protected, are_apart=ground.sections.are_apart)
    is_alone = configuration.has_iterations or (configuration.has_cases and not set(besides).isdisjoint(cells))
    packing = mixed(program, open_checks, packs, limit + LARGER, besides, is_alone, bool(met))
    if packing is None:
        return None
    resources.deadline.demand(2 * _steps(program, packing))  # nothing is known after one pass
    sources = _sources(ground, packing, resources)
    known = tuple(_known(ground, packing, index) for index in range(len(program.commands)))
    most = MOST_ITERATIONS if configuration.has_iterations else MOST
    drift = Drift(program, stability, ground.bounds)
    ends = {i: [program.templates[name].exit for name in names] for i, names in ended_behind(program).items()}
    question = Question(
        program, packing, domain, sources, ground.is_stable, known, splits, most, asked, told, drift.of, ends, bool(met)
    )
    states = joint(question, resources.deadline)
    verdicts = _verdicts(base, states)
    better = drift.informed(states.bounds)
    if better is not None and not all(verdict.status.is_safe for verdict in verdicts.values()):
        states = joint(replace(question, drift=better.of), resources.deadline)
        verdicts = _verdicts(base, states)
    return replace(base, name=configuration.name, verdicts=verdicts, steps=(), joint=states)


def _published(base: Fixpoint, sections: Sections, cells: Collection[str]) -> Iterator[tuple[str, str]]:
    """Cells with the flags that tell whether they have their values: these have several where the cells are stable.

    So has the state of what is made once: nobody has begun, somebody is at it, it is there. What two values can tell,
    a mutex, is held wherever what it protects is stable.
    """
    program, space, at = base.graph.program, base.invariants.space, base.invariants.solution.at
    assigned = (step for command in program.commands for step in steps(command.instruction) if isinstance(step, Assign))
    values: dict[str, set[int | None]] = defaultdict(set)
    for step in assigned:
        if not step.value.terms:
            values[step.target].add(step.value.constant)
    for cell, flag in sections.published(cells):
        pack = space.packing.pack_of[flag]
        states = (base.invariants.state(place, [pack]) for place in sections.kept(cell) if (pack, place) in at)
        if len(values[flag] | {program.cells[flag].lo}) > 2 and len({space.number(it, flag) for it in states}) > 1:
            yield cell, flag


def _steps(program: Program, packing: MixedPacking) -> int:
    """Steps to look at every tracked pack at each location once."""
    of_template = {
        name: sum(weight(packing.packings[name].packs[pack]) for pack in tracked)
        for name, tracked in packing.tracked.items()
    }
    return sum(of_template[name] for name in program.template_of.values())


def _bounds(invariants: Invariants, location: int, term: Linear) -> Interval:
    """What invariants say of a term at a location."""
    space, at = invariants.space, invariants.solution.at
    if not term_cells(term) <= space.packing.pack_of.keys():
        return TOP
    if invariants.is_bottom(location):
        return ZERO
    wanted = [pack for pack in space.packs_of(term_cells(term)) if (pack, location) in at]
    return space.term_bounds(invariants.state(location, wanted), term)


def _splits(
    base: Ground, configuration: Configuration, cells: Collection[str], together: Sequence[tuple[str, ...]]
) -> tuple[Collection[str], Collection[str]]:
    """The cells whose values tell cases apart, and those that are to be tracked for these."""
    if configuration.has_cases:
        found = flags(base.program, cells, together, tuple(_of_few_values(base.fixpoint.invariants)))
        return found, (*found, *sorted(computed_from(base.program, found)))
    if not configuration.has_iterations:
        return (), ()
    invariants = base.fixpoint.invariants
    space, at = invariants.space, invariants.solution.at

    def is_within(cell: str, location: int, width: int) -> bool:
        if invariants.is_bottom(location) or (space.packing.pack_of[cell], location) not in at:
            return False
        number = space.number(invariants.state(location, [space.packing.pack_of[cell]]), cell)
        return number.hi - number.lo <= width

    told = iterations(base.program, cells, is_within)
    return told.splits, (*told.splits, *sorted(told.moved))


def _of_few_values(invariants: Invariants) -> Iterator[str]:
    """The locals that are known to hold one of at most `FEW` numbers somewhere."""
    graph, space = invariants.graph, invariants.space
    for name, cell in graph.program.cells.items():
        places = [] if cell.template is None or cell.summary else graph.wanted[graph.packing.pack_of[name]]
        known = (
            space.number(invariants.state(location, space.packs_of((name,))), name)
            for location in places
            if not invariants.is_bottom(location)
        )
        if any(1 < len(number.members) <= FEW for number in known):
            yield name


def _sources(base: Ground, packing: MixedPacking, resources: Resources) -> Sources:
    """The definitions of each bundle that may flow to each location where it becomes known."""
    program = base.program
    rest = sorted(program.cells.keys() - {cell for bundle in packing.bundles for cell in bundle})
    packs = Packing((*packing.bundles, *((cell,) for cell in rest)))
    wanted = {bundle: frozenset(_wanted(base, packing, bundle)) for bundle in range(len(packing.bundles))}
    own = own_flows(program, base.effects, packs, wanted)
    invariants = base.fixpoint.invariants
    inter = feasible_flows(program, base.effects, packs, wanted, invariants, resources.engine).inter
    found: dict[tuple[int, int], list[int]] = {}
    for bundle, locations in wanted.items():
        for location in sorted(locations):
            nodes = own.sources(bundle, location)
            commands = {node.command if isinstance(node, Defined) else START for node in nodes}
            found[bundle, location] = sorted(commands | inter.get((bundle, location), frozenset()))
    return found


def _wanted(base: Ground, packing: MixedPacking, bundle: int) -> Iterator[int]:
    """The locations where flows have to say what a bundle is: it is not stable and used, or was not stable before."""
    cells, program = packing.bundles[bundle], base.program
    unstable: dict[int, bool] = {}

    def is_unstable(location: int) -> bool:
        if location not in unstable:
            unstable[location] = not all(base.is_stable(cell, location) for cell in cells)
        return unstable[location]

    def is_used(command: int) -> bool:
        effect = base.effects[command]
        return not (effect.reads | effect.modifies).isdisjoint(cells)

    for name, template in program.templates.items():
        if packing.packings[name].pack_of[cells[0]] not in packing.tracked[name]:
            continue
        for location in (found for found, owner in program.template_of.items() if owner == name):
            before = [program.commands[command].source for command in program.incoming[location]]
            if location == template.entry or (
                any(is_used(command) for command in program.outgoing[location])
                if is_unstable(location)
                else any(map(is_unstable, before))
            ):
                yield location


def _known(base: Ground, packing: MixedPacking, command: int) -> Sequence[Known] | None:
    """What the fixpoints know of the cells of a command where it passes, by pack; None if it never does.

    Of globals that it does not touch nothing is told: what other threads write arrives where they are used (`_wanted`).
    """
    invariants = base.fixpoint.invariants
    location = base.program.commands[command].source
    if any(found.invariants.is_bottom(location) for found in base.earlier):
        return None
    space, at = invariants.space, invariants.solution.at
    packs = packing.packings[base.program.template_of[location]]
    effect = base.effects[command]
    cells = sorted((effect.reads | effect.modifies) & packs.pack_of.keys() & space.packing.pack_of.keys())
    used = [pack for pack in space.packs_of(cells) if (pack, location) in at]
    state = invariants.state(location, used)
    numbers: dict[int, list[tuple[int, Number]]] = defaultdict(list)
    for cell in cells:
        for number in dict.fromkeys(_numbers(base.earlier, cell, location)):
            numbers[packs.pack_of[cell]].append((packs.position[cell], number))
    relations: dict[int, tuple[Constraint, ...]] = {}
    for pack in used:
        names = space.packing.packs[pack]
        for (terms, constant), relation in space.domain.constraints(state[pack]):
            found = {packs.pack_of[names[v]] for v, _ in terms}
            if len(terms) > 1 and len(found) == 1:
                moved = tuple(sorted((packs.position[names[v]], k) for v, k in terms))
                (there,) = found
                relations[there] = (*relations.get(there, ()), ((moved, constant), relation))
    certain = (atom for found in base.earlier for atom in found.graph.certain.get(location, ()))
    for atom in dict.fromkeys(it for it in certain if len(it.term.terms) > 1 and it.relation is not Relation.NE):
        together = {packs.pack_of.get(cell, -1) for cell in term_cells(atom.term)}
        shared = {cell for cell in term_cells(atom.term) if base.program.cells[cell].template is None}
        if len(together) == 1 and -1 not in together and shared.issubset(cells):
            (pack,) = together
            relations[pack] = (*relations.get(pack, ()), _constraint(atom, packs.position))
    return tuple(
        Known(pack, tuple(numbers.get(pack, ())), relations.get(pack, ())) for pack in sorted({*numbers, *relations})
    )


def _constraint(atom: Atom, position: Mapping[str, int]) -> Constraint:
    """An atom over cells of one pack, `<=` or `==`, as a domain takes it."""
    sign = 1 if atom.relation is Relation.EQ else -1
    terms = tuple(sorted((position[cell], sign * k) for cell, k in atom.term.terms))
    return (terms, sign * atom.term.constant), "==" if atom.relation is Relation.EQ else ">="


def _numbers(earlier: Sequence[Fixpoint], cell: str, location: int) -> Iterator[Number]:
    """What each of some fixpoints knows of a cell at a location."""
    for fixpoint in earlier:
        space, at = fixpoint.invariants.space, fixpoint.invariants.solution.at
        pack = space.packing.pack_of.get(cell)
        if pack is not None and (pack, location) in at:
            yield space.number(fixpoint.invariants.state(location, [pack]), cell)


def _verdicts(base: Fixpoint, states: Joint) -> Mapping[Check, Verdict]:
    """The verdicts of a fixpoint, better where joint states say so."""
    found: dict[Check, Verdict] = {}
    for check, verdict in base.verdicts.items():
        copies = tuple(copy if copy.status.is_safe else _decided(base, states, copy) for copy in verdict.copies)
        found[check] = Verdict(combined(copy.status for copy in copies), copies)
    return found


def _decided(base: Fixpoint, states: Joint, copy: Copy) -> Copy:
    if states.is_bottom(base.graph.program.commands[copy.command].source):
        return replace(copy, status=Status.UNREACHABLE)
    is_proved = any(states.entails(copy.command, condition) for condition in _conditions(base, states, copy.command))
    return replace(copy, status=Status.PROVED) if is_proved else copy


def _conditions(base: Fixpoint, states: Joint, command: int) -> Iterator[Formula]:
    """What a check asserts, over globals for their copies and as it was."""
    for program in (states.question.program, base.graph.program):
        instruction = program.commands[command].instruction
        assert isinstance(instruction, Assert)
        yield instruction.condition
