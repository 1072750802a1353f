"""Fewer data flows and stronger invariants from a fixpoint."""

from __future__ import annotations

from duet.absint.invariants import Invariants
from duet.absint.solve import Solver
from duet.absint.thresholds import thresholds
from duet.coarsen.refine import met, refined_graph
from duet.coarsen.results import Fixpoint
from duet.flow.reaching import Defined
from tests.coarsen.fixpoints import JOINED, at, fixpoint

OWN = "global x = 0 thread main { local r  x := 5  spawn w  join w  r := x  check r == 1 } thread w { x := 1 }"


def own_values(found: Fixpoint, is_refined: bool) -> set[int]:
    """The values that own definitions of x give where it is read behind the join."""
    program = found.graph.program
    graph = refined_graph(found.graph, found.invariants) if is_refined else found.graph
    place = next(c.source for c in program.commands if getattr(c.instruction, "target", None) == "r")
    pack = graph.packing.pack_of["x"]
    commands = [source.command for source in graph.own_sources(pack, place) if isinstance(source, Defined)]
    return {value for value in (1, 5) if at(program, "x", value) in commands}


def test_an_own_flow_stays_only_where_the_other_thread_lets_it() -> None:
    found = fixpoint(OWN)
    assert own_values(found, is_refined=False) == {5}
    assert own_values(found, is_refined=True) == set()


def test_a_lineage_that_takes_too_many_states_is_left_out() -> None:
    found = fixpoint(OWN)
    assert refined_graph(found.graph, found.invariants, limit=2).own == found.graph.own
    assert refined_graph(found.graph, found.invariants).own != found.graph.own


def test_both_annotations_together_say_what_either_does() -> None:
    found = fixpoint(JOINED)
    graph = refined_graph(found.graph, found.invariants)
    new = Invariants(Solver(found.invariants.space, thresholds(graph.program)).solve(graph))
    both, is_stronger = met(found.invariants, new)
    assert is_stronger
    place = next(c.source for c in graph.program.commands if getattr(c.instruction, "target", None) == "r")
    space = both.space
    known = [space.number(state.state(place), "x") for state in (found.invariants, both)]
    assert [(number.lo, number.hi) for number in known] == [(0, 2), (2, 2)]
    again, is_stronger = met(both, new)
    assert not is_stronger
    assert space.number(again.state(place), "x") == known[1]
