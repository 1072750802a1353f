"""Rounds of refinement: a narrower graph and stronger invariants, in turn, while that helps.

`duet.coarsen.refine` has the argument.
"""

from __future__ import annotations

from dataclasses import replace

from duet.absint.invariants import Invariants
from duet.absint.solve import Solver
from duet.absint.thresholds import thresholds
from duet.check.assertions import decide
from duet.coarsen.counting import Counting
from duet.coarsen.loop import feasible, own_graph
from duet.coarsen.refine import met, refined_graph
from duet.coarsen.resources import Resources
from duet.coarsen.results import Fixpoint, Inductive
from duet.flow.certain import Certain
from duet.plip.syntax import Spawn

REFINEMENTS = 4
"""More rounds of refinement than were ever seen to help."""


def refined(fixpoint: Fixpoint, resources: Resources, is_large: bool = False) -> Fixpoint:
    """The fixpoint after refinement.

    The same if there is one thread only, or if nothing is left to prove and the invariants are not wanted everywhere.
    The flows may be those of weaker invariants if all checks became safe. If the program `is_large`, a round has to
    prove something or to exclude a flow for another one to follow. *Raises*: OutOfTime.
    """
    has_threads = any(isinstance(command.instruction, Spawn) for command in fixpoint.graph.program.commands)
    if not has_threads or (not resources.everywhere and fixpoint.is_proved and not fixpoint.has_conflicts):
        return fixpoint
    return _narrowed(fixpoint, replace(fixpoint, graph=fixpoint.graph.without_flows), resources, is_large=is_large)


def taken_up(
    base: Fixpoint, name: str, resources: Resources, certain: Certain, counted: Counting | None = None
) -> Fixpoint:
    """The fixpoint of the configuration `name`, which starts where an earlier one is.

    Whatever holds in every execution narrows its flows and its invariants alike: so does what is `certain`, and what
    is `counted`. Flows are as in `refined`. *Raises*: OutOfTime.
    """
    own = own_graph(base.invariants.space, resources, certain)
    flows = feasible(own, base.invariants, resources, base.flows)  # more is wanted now, so there may be more flows
    start = replace(base, name=name, graph=own, flows=flows, rounds=0, refinements=0, steps=())
    return _narrowed(base, start, resources, counted)


def _narrowed(
    base: Fixpoint, start: Fixpoint, resources: Resources, counted: Counting | None = None, is_large: bool = False
) -> Fixpoint:
    """What is left after rounds of refinement from `start`, whose graph has own flows only and whose conflicts are
    those of `base`; `is_large` as for `refined`.
    """
    own, space, clock = start.graph, start.invariants.space, resources.clock
    found, is_stronger = start, True
    while is_stronger and found.refinements < REFINEMENTS:
        resources.deadline.check()
        with clock.stage("refinement"):
            flows = own.with_flows(found.flows.inter)
            graph = refined_graph(flows, found.invariants, counted, deadline=resources.deadline)
            solver = Solver(space, thresholds(space.program), deadline=resources.deadline)
            inductive = Inductive(graph, Invariants(solver.solve(graph)), is_refined=True)
            invariants, is_stronger = met(found.invariants, inductive.invariants)
        with clock.stage("check"):
            verdicts = decide(space.program, invariants)
        before = found
        found = replace(
            found,
            graph=graph,
            invariants=invariants,
            verdicts=verdicts,
            refinements=found.refinements + 1,
            steps=(*found.steps, inductive),
        )
        if not resources.everywhere and found.is_proved and not base.has_conflicts:
            break  # nothing is left to prove
        if is_stronger:
            found = replace(found, flows=feasible(graph, invariants, resources, found.flows))
            if is_large and found.open_checks == before.open_checks and found.flows.inter == before.flows.inter:
                break
    return found
