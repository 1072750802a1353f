"""What coarsening hands on: the fixpoint of a configuration, and the united fixpoints of all that ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from duet.absint.invariants import Invariants
from duet.absint.joint import Joint
from duet.check.assertions import Verdict, combined
from duet.check.deadlocks import Waiting, waiting
from duet.check.races import Races, Together, races
from duet.coarsen.counting import Counting
from duet.flow.dfg import DataFlowGraph
from duet.interference.explain import Explanations
from duet.interference.solve import Flows
from duet.plip.syntax import Program
from duet.result import Check, Status


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
    """What coarsening ended with under the configuration `name`.

    `graph` represents the program and `invariants` hold in every execution. They are inductive for it, or the meet of
    what is inductive for it with earlier ones after `refinements` rounds of refinement. `steps` are those annotations;
    there are none where no annotation shows the data flows. What is `counted` bounds the steps; where threads
    `are_followed`, what two of them have counted narrowed them, too. `joint` is what is known besides of locals and
    globals together.
    """

    name: str
    graph: DataFlowGraph
    invariants: Invariants
    flows: Flows
    rounds: int
    verdicts: Mapping[Check, Verdict]
    refinements: int = 0
    steps: tuple[Inductive, ...] = ()
    joint: Joint | None = None
    counted: Counting | None = None
    are_followed: bool = False

    def admits(self, location: int, store: Mapping[str, int]) -> bool:
        """Whether all that is known at a location allows a thread store."""
        return self.invariants.admits(location, store) and (self.joint is None or self.joint.admits(location, store))

    @property
    def is_shown(self) -> bool:
        """Whether a certificate can show what it says."""
        return bool(self.steps) or self.joint is not None

    @property
    def open_checks(self) -> frozenset[int]:
        """The commands whose checks are not proved."""
        copies = (copy for verdict in self.verdicts.values() for copy in verdict.copies)
        return frozenset(copy.command for copy in copies if not copy.status.is_safe)

    @property
    def is_proved(self) -> bool:
        """Whether every check is proved or unreachable."""
        return all(verdict.status.is_safe for verdict in self.verdicts.values())

    @property
    def has_conflicts(self) -> bool:
        """Whether there may be races or deadlocks."""
        return bool(self.races) or not self.waiting.is_free

    @cached_property
    def races(self) -> Races:
        """The accesses that may race, of those that the program carries."""
        return races(self.graph.program, (self.together,))

    @cached_property
    def waiting(self) -> Waiting:
        """Where threads may wait for each other, for what the program carries of that."""
        return waiting(self.graph.program, self.together)

    @cached_property
    def together(self) -> Together:
        """Which locations two threads can be at together."""
        return Together(self.graph.program, self.flows, self.invariants)

    @cached_property
    def explanations(self) -> Explanations:
        """Why flows between threads were added."""
        graph = self.graph
        return Explanations(graph.program, graph.effects, graph.packing, self.flows.system)


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
            "flows_inter": sum(len(commands) for graph in graphs for _, commands in graph.inter.entries()),
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

    @property
    def is_proved(self) -> bool:
        """Whether every check is proved or unreachable."""
        return all(status.is_safe for status in self.statuses)

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
        return all(fixpoint.admits(location, store) for fixpoint in self.fixpoints)


def _strength(status: Status) -> int:
    return {Status.UNREACHABLE: 0, Status.PROVED: 1}.get(status, 2)
