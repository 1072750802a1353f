"""Iterative coarsening: invariants and data flows between threads, in turn, until no flow is new.

*Source*: thesis Alg. 1 and Thm. 3.5.1; several configurations may be united as in analysis.md section 7.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from datalog.engine import Engine, EngineFailure
from datalog.registry import choose
from domains.registry import DomainName, NumericName, NumericUnavailable
from domains.registry import domain as numeric_domain
from domains.valued import ValuedDomain
from duet.absint.invariants import Invariants
from duet.absint.solve import Solver
from duet.absint.state import Space, Value
from duet.absint.thresholds import thresholds
from duet.check.assertions import Verdict, combined, decide
from duet.check.deadlocks import Waiting, waiting
from duet.check.races import Races, Together, races
from duet.coarsen.counting import Counting, counting
from duet.coarsen.refine import met, refined_graph
from duet.coarsen.relations import certain_equalities, exposed, relational
from duet.coarsen.telling import is_telling
from duet.deadline import Deadline, OutOfTime
from duet.errors import EngineError, UsageError
from duet.flow.certain import NOTHING, Certain, both
from duet.flow.dfg import DataFlowGraph, sequential_dfg
from duet.flow.guards import over_globals
from duet.flow.packs import related, singletons
from duet.interference.conditions import observed_packs
from duet.interference.solve import Flows, feasible_flows
from duet.options import AnalysisOptions
from duet.plip.syntax import Program, Spawn
from duet.result import Check, Status

REFINEMENTS = 4
"""More rounds of refinement than were ever seen to help."""


CONFIGURATIONS: Mapping[str, tuple[str, ...]] = {
    "interval": ("interval", "copies", "counting"),
    "octagon": ("packs", "octagon", "counting"),
    "auto": ("interval", "copies", "counting", "octagon"),
}
"""What each choice of a domain runs, in order of cost."""
SHARES: Mapping[str, float] = {
    "interval": 1.0,
    "packs": 1.0,
    "copies": 0.3,
    "counting": 0.3,
    "octagon": 0.7,
    "refinement": 0.5,
}
"""The part of the time still left that a configuration may take after others, and its refinement."""
_DOMAINS: Mapping[str, str] = {"interval": "interval", "copies": "interval", "packs": "octagon", "octagon": "octagon"}
_NEVER = Deadline()


@dataclass(frozen=True)
class Inductive:
    """An annotation that is inductive for a graph; the flows of the graph represent the program.

    With `is_refined` its flows are those that the annotations before it left feasible.
    """

    graph: DataFlowGraph
    invariants: Invariants
    is_refined: bool = False


@dataclass(frozen=True)
class Fixpoint:
    """What coarsening ended with under one configuration.

    `graph` represents the program and `invariants` hold in every execution. They are inductive for it, or the meet of
    what is inductive for it with earlier ones after `refinements` rounds of refinement. `steps` are those annotations.
    """

    domain: str
    graph: DataFlowGraph
    invariants: Invariants
    flows: Flows
    rounds: int
    verdicts: Mapping[Check, Verdict]
    refinements: int = 0
    steps: tuple[Inductive, ...] = ()

    @property
    def open_checks(self) -> frozenset[int]:
        """The commands whose checks are not proved."""
        copies = (copy for verdict in self.verdicts.values() for copy in verdict.copies)
        return frozenset(copy.command for copy in copies if not copy.status.is_safe)

    @property
    def is_safe(self) -> bool:
        """Whether every check is proved or unreachable, and threads do not get into each other's way."""
        return _are_safe(self.verdicts) and not self.has_conflicts

    @cached_property
    def races(self) -> Races:
        """The accesses that may race, of those that the program carries."""
        return races(self.graph.program, (self.together,))

    @cached_property
    def waiting(self) -> Waiting:
        """Where threads may wait for each other, for what the program carries of that."""
        return waiting(self.graph.program, self.together)

    @property
    def has_conflicts(self) -> bool:
        """Whether there may be races or deadlocks."""
        return bool(self.races) or not self.waiting.is_free

    @cached_property
    def together(self) -> Together:
        """Which locations two threads can be at together."""
        return Together(self.graph.program, self.flows, self.invariants)


@dataclass
class Clock:
    """Seconds spent per stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time of the block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(frozen=True)
class Analysis:
    """The united result of the configurations that ran, in order, and the seconds spent per stage."""

    program: Program
    fixpoints: tuple[Fixpoint, ...]
    seconds: Mapping[str, float]

    @property
    def stats(self) -> Mapping[str, int]:
        """Counts over all configurations (sums, but the program's own sizes)."""
        graphs = [fixpoint.graph for fixpoint in self.fixpoints]
        return {
            "locations": len(self.program.template_of),
            "commands": len(self.program.commands),
            "globals": len(self.program.globals),
            "templates": len(self.program.templates),
            "flows_intra": sum(graph.own_size for graph in graphs),
            "flows_inter": sum(len(commands) for graph in graphs for commands in graph.inter.values()),
            "rounds": sum(fixpoint.rounds for fixpoint in self.fixpoints),
            "refinements": sum(fixpoint.refinements for fixpoint in self.fixpoints),
        }

    @cached_property
    def races(self) -> Races:
        """The accesses that may race: a pair does not if any configuration says so."""
        return races(self.program, [fixpoint.together for fixpoint in self.fixpoints])

    @property
    def statuses(self) -> tuple[Status, ...]:
        """The verdict on every check."""
        return tuple(self.status_of(check) for check in self.fixpoints[0].verdicts)

    def best(self, check: Check) -> Fixpoint:
        """The first fixpoint that decides a check, else the first."""
        for fixpoint in self.fixpoints:
            if fixpoint.verdicts[check].status.is_safe:
                return fixpoint
        return self.fixpoints[0]

    def status_of(self, check: Check) -> Status:
        """The verdict on a check: a check is safe if any configuration says so, each being sound by itself.

        Copies are united one by one, since different configurations may prove different copies.
        """
        found = [fixpoint.verdicts[check].copies for fixpoint in self.fixpoints]
        best = [min((copy.status for copy in copies), key=_strength) for copies in zip(*found, strict=True)]
        return combined(best)

    def admits(self, location: int, store: Mapping[str, int]) -> bool:
        """Whether every invariant at a location allows a thread store (for a summary cell, any one of its values)."""
        return all(fixpoint.invariants.admits(location, store) for fixpoint in self.fixpoints)


def _are_safe(verdicts: Mapping[Check, Verdict]) -> bool:
    return all(verdict.status.is_safe for verdict in verdicts.values())


def _strength(status: Status) -> int:
    return {Status.UNREACHABLE: 0, Status.PROVED: 1}.get(status, 2)


def analyse(program: Program, options: AnalysisOptions, everywhere: bool = False) -> Analysis:
    """The fixpoints of the configurations that `options.domain` asks for.

    In order of cost: `interval`; `copies`, which are intervals with the equalities that the first fixpoint makes
    certain; `counting`, with bounds of what threads add up to; `packs`, octagons over the packs of the program as it
    is; `octagon`, with the relations that the fixpoint before makes possible. A configuration runs if something is left
    to prove and it knows more than those before it, for races and deadlocks `copies` at most. With `everywhere`,
    invariants are computed for every cell at every location instead of where they matter.

    *Units*: `options.timeout` in seconds. The first configuration may take as long as it needs; those after it have to
    give up after their share of what is left then, since what has been proved stands without them.
    """
    program = over_globals(program)
    runner = _Runner(program, options, choose_engine(options.engine), everywhere, Deadline.after(options.timeout))
    fixpoints: list[Fixpoint] = []
    for name in CONFIGURATIONS[options.domain]:
        is_proved = fixpoints and all(verdict.is_safe for verdict in Analysis(program, tuple(fixpoints), {}).statuses)
        if is_proved and (name != "copies" or not fixpoints[-1].has_conflicts):
            break
        with suppress(OutOfTime):
            found = runner.run(name, fixpoints)
            fixpoints += () if found is None else (found,)
    return Analysis(program, tuple(fixpoints), runner.clock.seconds)


@dataclass(frozen=True)
class _Runner:
    """Runs one configuration after the other."""

    program: Program
    options: AnalysisOptions
    engine: Engine
    everywhere: bool
    deadline: Deadline
    clock: Clock = field(default_factory=Clock)

    def run(self, name: str, before: Sequence[Fixpoint]) -> Fixpoint | None:
        """The fixpoint of a configuration, None if it knows no more than those before. *Raises*: OutOfTime."""
        limit = self.deadline.share(SHARES[name]) if before else Deadline()
        if not before:
            return self._refined(self._coarsened(self._first(name), _DOMAINS[name], limit))
        base = next(found for found in reversed(before) if found.domain != "counting")
        if name == "counting":
            return self._counted(base, limit)
        open_checks = frozenset.intersection(*(found.open_checks for found in before))
        with self.clock.stage("relations"):
            certain = certain_equalities(base.graph, base.flows)
            target, packing = self.program, base.graph.packing
            if name == "octagon":
                target, packing = relational(base.graph, base.flows, open_checks, self.options.pack_limit)
            elif base.has_conflicts:
                target = exposed(base.graph, base.flows)
        if name == "copies" and target.commands == self.program.commands:
            return (
                self._taken_up(base, name, limit, certain)
                if is_telling(base.invariants, certain, open_checks)
                else None
            )
        if packing == base.graph.packing and target.commands == self.program.commands:
            return None
        space = Space(target, packing, choose_domain(_DOMAINS[name], self.options.numeric))
        return self._refined(self._coarsened(space, name, limit, certain))

    def _counted(self, base: Fixpoint, limit: Deadline) -> Fixpoint | None:
        """The fixpoint with bounds of what threads count together; certificates do not cover these."""
        relations = self.options.pack_limit if self.options.domain != "interval" else 1
        domain = choose_domain("octagon" if relations > 1 else "interval", self.options.numeric)
        with self.clock.stage("counting"):
            found = counting(base.invariants, base.flows, base.together, domain, relations, limit)
            bounds = found.bounds() if found else {}
        if not bounds:
            return None
        certain = both(base.graph.certain, bounds)
        return replace(self._taken_up(base, "counting", limit, certain, found), steps=())

    def _taken_up(
        self, base: Fixpoint, name: str, limit: Deadline, certain: Certain, counted: Counting | None = None
    ) -> Fixpoint:
        """The fixpoint with what is certain besides, from where an earlier one is if that may be refined."""
        if self.options.refine:
            return refine(base, self.engine, self.clock, self.everywhere, limit, certain, name, counted)
        return self._coarsened(base.invariants.space, name, limit, certain)

    def _first(self, name: str) -> Space:
        packing = related(self.program, self.options.pack_limit) if name == "packs" else singletons(self.program)
        return Space(self.program, packing, choose_domain(_DOMAINS[name], self.options.numeric))

    def _coarsened(self, space: Space, name: str, limit: Deadline, certain: Certain | None = None) -> Fixpoint:
        return coarsen(space, self.engine, name, self.clock, self.everywhere, certain or {}, limit)

    def _refined(self, fixpoint: Fixpoint) -> Fixpoint:
        """The fixpoint after refinement, if that is asked for and there is time."""
        if self.options.refine:
            with suppress(OutOfTime):
                return refine(
                    fixpoint, self.engine, self.clock, self.everywhere, self.deadline.share(SHARES["refinement"])
                )
        return fixpoint


def choose_engine(name: str) -> Engine:
    """The Datalog engine of that name. *Raises*: EngineError if it is not there."""
    try:
        return choose(name)
    except EngineFailure as failure:
        raise EngineError(failure.message, failure.command, failure.stderr) from failure


def choose_domain(name: str, numeric: str) -> ValuedDomain[Value]:
    """The numeric domain of that name in that library. *Raises*: UsageError if the library is not there."""
    try:
        return numeric_domain(cast(DomainName, name), cast(NumericName, numeric))
    except NumericUnavailable as missing:
        raise UsageError(f"error: {missing}") from missing


def coarsen(
    space: Space,
    engine: Engine,
    name: str,
    clock: Clock,
    everywhere: bool = False,
    certain: Certain = NOTHING,
    deadline: Deadline = _NEVER,
) -> Fixpoint:
    """The least annotation and graph that Alg. 1 finds.

    The graph only grows (widening makes annotations non-monotone, so nothing is taken out), and only a round that adds
    nothing ends the loop; an annotation from an earlier round holds for nothing. `certain` are equalities that hold in
    every execution. *Raises*: OutOfTime.
    """
    program = space.program
    graph = own_graph(space, clock, everywhere, certain)
    solver = Solver(space, thresholds(program), deadline=deadline)
    flows: Flows | None = None
    rounds, needed = 0, 0.0
    while True:
        rounds += 1
        with clock.stage("invariants"):
            invariants = Invariants(solver.solve(graph))
        deadline.check(needed)
        start = time.monotonic()
        with clock.stage("interference"):
            flows = _flows(graph, invariants, engine, flows)
        needed = time.monotonic() - start  # the next one will not take less
        larger = graph.with_flows(flows.inter)
        if larger is graph:
            break
        graph = larger
    with clock.stage("check"):
        verdicts = decide(program, invariants)
    return Fixpoint(name, graph, invariants, flows, rounds, verdicts, steps=(Inductive(graph, invariants),))


def refine(
    fixpoint: Fixpoint,
    engine: Engine,
    clock: Clock,
    everywhere: bool = False,
    deadline: Deadline = _NEVER,
    certain: Certain | None = None,
    name: str = "",
    counted: Counting | None = None,
) -> Fixpoint:
    """The fixpoint after refinement [analysis.md section 9].

    The same if every check is safe already and the invariants are not wanted everywhere, or if there is one thread
    only. `certain` is what holds in every execution besides: with it, it is the configuration `name`, which takes up
    the fixpoint where it is, since whatever holds in every execution narrows the flows and the invariants alike. So
    does what is `counted`. The flows may be those of weaker invariants if all checks became safe.
    *Raises*: OutOfTime.
    """
    invariants, flows, rounds = fixpoint.invariants, fixpoint.flows, 0
    has_threads = any(isinstance(command.instruction, Spawn) for command in fixpoint.graph.program.commands)
    if certain is None and (not has_threads or (fixpoint.is_safe and not everywhere)):
        return fixpoint
    space = invariants.space
    program, graph = space.program, fixpoint.graph
    own = replace(graph, inter={}) if certain is None else own_graph(space, clock, everywhere, certain)
    if certain is not None:  # more is wanted, so there may be flows that were not asked for
        with clock.stage("interference"):
            flows = _flows(own, invariants, engine, flows)
    steps = fixpoint.steps if certain is None else ()
    is_stronger, verdicts = True, fixpoint.verdicts
    while is_stronger and rounds < REFINEMENTS:
        rounds += 1
        deadline.check()
        with clock.stage("refinement"):
            graph = refined_graph(own.with_flows(flows.inter), invariants, counted)
            found = Invariants(Solver(space, thresholds(program), deadline=deadline).solve(graph))
            steps = (*steps, Inductive(graph, found, is_refined=True))
            invariants, is_stronger = met(invariants, found)
        with clock.stage("check"):
            verdicts = decide(program, invariants)
        if not everywhere and _are_safe(verdicts) and not fixpoint.has_conflicts:
            break  # nothing is left to prove
        if is_stronger:
            with clock.stage("interference"):
                flows = _flows(graph, invariants, engine, flows)
    if certain is None:
        return Fixpoint(fixpoint.domain, graph, invariants, flows, fixpoint.rounds, verdicts, rounds, steps)
    return Fixpoint(name, graph, invariants, flows, 0, verdicts, rounds, steps)


def _flows(graph: DataFlowGraph, invariants: Invariants, engine: Engine, before: Flows | None) -> Flows:
    """The flows between threads that are feasible under invariants of the graph's program."""
    return feasible_flows(graph.program, graph.effects, graph.packing, graph.wanted, invariants, engine, before=before)


def own_graph(space: Space, clock: Clock, everywhere: bool = False, certain: Certain = NOTHING) -> DataFlowGraph:
    """The sequential data flow graph of a program in its packs."""
    program, packing = space.program, space.packing
    with clock.stage("flows"):
        return sequential_dfg(program, packing, observed_packs(program, packing), everywhere, certain)
