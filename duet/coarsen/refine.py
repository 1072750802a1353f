"""Refinement: fewer data flows and stronger invariants from the fixpoint of coarsening.

Why it is sound: the annotation Phi of the fixpoint holds in every execution, so every
flow of an execution is feasible under Phi (thesis Cor. 3.4.5), and a graph of all flows that are feasible under Phi
represents the program; what is inductive for that graph holds in every execution too, and so does its meet with Phi.
Flows between threads are those of the interference analysis, computed afresh. A thread's own flow of a pack from `d` to
`l` stays only if, for every ONE template q, some pair of lineages can carry it: the reader's takes `d` and gets to `l`
without another definition, while the one that leads to q makes no strong write of the pack in between. Every execution
with this flow gives such a pair (the real positions of both threads), since each of its steps passes in a state that
satisfies Phi at both locations. A reader that is q itself is one thread with it, so nothing is demanded of it.

The pairs also carry the last writes (`duet.coarsen.lasting`). The value of a pack at a location is what its last write
gave it, so it is bounded by the join of the values of all writes that can be the last. A guard in between is a
definition of its own in a data flow graph, but changes no value, so the last write is still known. A write that cannot
be the last one flows nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from domains.numeric import NumericDomain
from duet.absint.invariants import Invariants
from duet.absint.solve import Solution
from duet.absint.state import Value
from duet.coarsen.counting import Counting
from duet.coarsen.lasting import INITIAL, Writes
from duet.coarsen.lineages import Lineages
from duet.coarsen.tracked import Tracked
from duet.deadline import NO_DEADLINE, Deadline
from duet.flow.dfg import DataFlowGraph
from duet.flow.reaching import Defined, Initial, Merge, Node, OwnFlows

# States that all tracked lineages may take together; a lineage that needs more than its share is left out, which only
# loses precision.
STATES = 20_000
STEPS = 10
"""Steps that a pair of locations of two lineages takes."""
Place: TypeAlias = tuple[int, int]  # a pack and a location


def refined_graph(
    graph: DataFlowGraph,
    invariants: Invariants,
    counted: Counting | None = None,
    limit: int = STATES,
    deadline: Deadline = NO_DEADLINE,
) -> DataFlowGraph:
    """The graph with only those of its flows that two lineages leave feasible, and with bounds.

    *Requires*: the invariants and what is `counted` hold in every execution; `graph` has the own flows of the program,
    and those between threads that are feasible under the invariants. *Raises*: OutOfTime.
    """
    program = graph.program
    lineages = Lineages(program, invariants, counted)
    carried: dict[Place, frozenset[int]] = {}
    last: dict[Place, frozenset[int]] = {}
    dead: set[int] = set()
    spawned = [tracked for name in lineages.ones if (tracked := Tracked(lineages, name)).chain]
    for tracked in spawned:
        writes = Writes(graph, lineages, tracked)
        found = tracked.arriving(writes, limit // len(spawned))
        deadline.spend(STEPS * tracked.size)
        if found is None:
            continue
        dead.update(program.template_of.keys() - found.keys())
        for packs, flows, sets in ((writes.own, writes.own_flows, carried), (writes.last, writes.last_writes, last)):
            for pack in packs:
                for location in graph.wanted[pack]:
                    if location in found:
                        commands = flows(found[location], pack)
                        key = (pack, location)
                        sets[key] = sets[key] & commands if key in sets else commands
    return _filtered(graph, lineages.written, carried, last, dead)


def met(old: Invariants, new: Invariants) -> tuple[Invariants, bool]:
    """What both annotations say, on the graph of the new one, and whether it says more than the old one alone."""
    slots: list[Value | None] = list(new.solution.slots)
    before = old.solution.slots
    domain = new.space.domain
    places: dict[tuple[int, int], int] = {}
    at = new.solution.at.copy()
    is_stronger = False
    for key, slot in new.solution.at.entries():
        other = old.solution.at.get(key)
        if other is None:  # what the new one alone wants to know
            continue
        place = places.get((other, slot))
        if place is None:
            value = _meet(domain, before[other], slots[slot])
            is_stronger = is_stronger or (value != before[other])
            place = places[other, slot] = len(slots)
            slots.append(value)
        at[key] = place
    return Invariants(Solution(new.space, new.graph, at, tuple(slots))), is_stronger


def _meet(domain: NumericDomain[Value], left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None:
        return None
    if left is right or isinstance(left, bool):  # REACHABLE has no other value
        return left
    if domain.leq(left, right):
        return left
    value = domain.meet(left, right)
    return None if domain.is_bottom(value) else value


def _command(source: Initial | Defined) -> int:
    return source.command if isinstance(source, Defined) else INITIAL


def _kept(
    sources: frozenset[int],
    pack: int,
    written: Sequence[Mapping[int, bool]],
    carried: frozenset[int] | None,
    last: frozenset[int] | None,
) -> frozenset[int]:
    """The sources of a pack at a place without those that are not carried there and writes that are not the last."""
    kept = sources if carried is None else sources & carried
    if last is None:
        return kept
    return frozenset(c for c in kept if c in last or (c != INITIAL and pack not in written[c]))


def _filtered(
    graph: DataFlowGraph,
    written: Sequence[Mapping[int, bool]],
    carried: Mapping[Place, frozenset[int]],
    last: Mapping[Place, frozenset[int]],
    dead: Iterable[int],
) -> DataFlowGraph:
    """The graph with the own flows `carried`, bounded by the writes `last`, and no flow of REACHABLE to `dead`.

    `written` are the packs that each command really writes.
    """
    own = graph.own
    nodes: list[Node] = list(own.nodes)
    merges: dict[tuple[int, tuple[int, ...]], int] = {}
    initial: dict[int, list[int]] = defaultdict(list)
    for index, node in enumerate(own.nodes):
        if isinstance(node, Initial):
            initial[node.pack].append(index)

    def merge(pack: int, commands: Iterable[int]) -> int:
        found = {index for c in commands for index in (initial[pack] if c == INITIAL else (own.defined[c, pack],))}
        inputs = tuple(sorted(found))
        if (pack, inputs) not in merges:
            merges[pack, inputs] = len(nodes)
            nodes.append(Merge(pack, inputs))
        return merges[pack, inputs]

    at = own.at.copy()
    sources_of: dict[int | None, frozenset[int]] = {}
    narrowed: dict[tuple[int | None, frozenset[int] | None, frozenset[int] | None], int | None] = {}
    for place in carried.keys() | last.keys():
        start = own.at.get(place)
        key = (start, carried.get(place), last.get(place))
        if key not in narrowed:
            if start not in sources_of:
                sources_of[start] = frozenset(_command(source) for source in graph.own_sources(*place))
            sources = sources_of[start]
            kept = _kept(sources, place[0], written, key[1], key[2])
            narrowed[key] = None if kept == sources else merge(place[0], kept)
        value = narrowed[key]
        if value is not None:
            at[place] = value
    for location in dead:
        if (own.reachable, location) in at:
            at[own.reachable, location] = merge(own.reachable, ())
    anywhere: dict[int, frozenset[int]] = defaultdict(frozenset)
    for (pack, _), commands in last.items():
        anywhere[pack] |= commands
    bounds = {key: merge(key[0], found) for key, found in last.items() if key in at and found != anywhere[key[0]]}
    inter = graph.inter.copy()
    for place, commands in last.items():
        if place in inter:
            inter[place] &= commands
    return replace(graph, own=OwnFlows(tuple(nodes), at, own.defined, own.reachable, bounds), inter=inter)
