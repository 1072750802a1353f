"""Iterative coarsening: invariants and data flows between threads, in turn, until no flow is new.

*Source*: thesis Alg. 1 and Thm. 3.5.1.
"""

from __future__ import annotations

import time
from dataclasses import replace

from duet.absint.invariants import Invariants
from duet.absint.solve import Solver
from duet.absint.state import Space
from duet.absint.thresholds import reached, thresholds
from duet.check.assertions import decide
from duet.coarsen.resources import Resources
from duet.coarsen.results import Fixpoint, Inductive
from duet.flow.certain import NOTHING, Certain
from duet.flow.dfg import DataFlowGraph, sequential_dfg
from duet.interference.conditions import Conditions, observed_packs
from duet.interference.solve import Flows, feasible_flows

STEPS = 10
"""Steps that it takes for each command to find the flows between threads, as measured."""


def coarsen(space: Space, name: str, resources: Resources, certain: Certain = NOTHING) -> Fixpoint:
    """The least annotation and graph that Alg. 1 finds, as the fixpoint of the configuration `name`.

    The graph only grows (widening makes annotations non-monotone, so nothing is taken out), and only a round that adds
    nothing ends the loop; an annotation from an earlier round holds for nothing. `certain` are equalities that hold in
    every execution. *Raises*: OutOfTime.
    """
    clock, deadline = resources.clock, resources.deadline
    graph = own_graph(space, resources, certain)
    solver = Solver(space, thresholds(space.program), deadline=deadline)
    flows: Flows | None = None
    rounds, needed = 0, 0.0
    while True:
        rounds += 1
        with clock.stage("invariants"):
            invariants = Invariants(solver.solve(graph))
        deadline.check(needed)
        start = time.monotonic()
        flows = feasible(graph, invariants, resources, flows)
        needed = time.monotonic() - start  # the next one will not take less
        larger = graph.with_flows(flows.inter)
        if larger is graph:
            break
        graph = larger
    with clock.stage("check"):
        verdicts = decide(space.program, invariants)
    return Fixpoint(name, graph, invariants, flows, rounds, verdicts, steps=(Inductive(graph, invariants),))


def begun_at(base: Fixpoint, space: Space, name: str, resources: Resources, certain: Certain = NOTHING) -> Fixpoint:
    """The annotation of a graph with all flows that an earlier fixpoint, in another space, leaves feasible.

    As `coarsen`, which may find fewer flows, but in one round instead of several: what is inductive for a graph of all
    flows that are feasible in executions holds in these. *Requires*: the program of the space has the locations of that
    of `base`, and its commands do the same in every state that is reached. *Raises*: OutOfTime.
    """
    own = own_graph(space, resources, certain)
    # answers of the earlier annotation are by numbers of its own space
    flows = replace(feasible(own, base.invariants, resources, None), conditions=Conditions.of(space.program))
    graph = own.with_flows(flows.inter)
    with resources.clock.stage("invariants"):
        limits = reached(space.program, base.invariants)
        invariants = Invariants(Solver(space, limits, deadline=resources.deadline).solve(graph))
    with resources.clock.stage("check"):
        verdicts = decide(space.program, invariants)
    return Fixpoint(name, graph, invariants, flows, 1, verdicts)


def feasible(graph: DataFlowGraph, invariants: Invariants, resources: Resources, before: Flows | None) -> Flows:
    """The flows between threads that are feasible under invariants of the graph's program. *Raises*: OutOfTime."""
    resources.deadline.spend(STEPS * len(graph.program.commands))
    with resources.clock.stage("interference"):
        return feasible_flows(
            graph.program, graph.effects, graph.packing, graph.wanted, invariants, resources.engine, before=before
        )


def own_graph(space: Space, resources: Resources, certain: Certain = NOTHING) -> DataFlowGraph:
    """The sequential data flow graph of a program in its packs."""
    program, packing = space.program, space.packing
    with resources.clock.stage("flows"):
        return sequential_dfg(program, packing, observed_packs(program, packing), resources.everywhere, certain)
