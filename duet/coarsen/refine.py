"""Refinement: fewer data flows and stronger invariants from the fixpoint of coarsening.

*Source*: analysis.md section 9. Why it is sound: the annotation Phi of the fixpoint holds in every execution, so every
flow of an execution is feasible under Phi (thesis Cor. 3.4.5), and a graph of all flows that are feasible under Phi
represents the program; what is inductive for that graph holds in every execution too, and so does its meet with Phi.
Flows between threads are those of the interference analysis, computed afresh. A thread's own flow of a pack from `d` to
`l` stays only if, for every ONE template q, some pair of lineages can carry it: the reader's takes `d` and gets to `l`
without another definition, while the one that leads to q makes no strong write of the pack in between. Every execution
with this flow gives such a pair (the real positions of both threads), since each of its steps passes in a state that
satisfies Phi at both locations. A reader that is q itself is one thread with it, so nothing is demanded of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from domains.numeric import NumericDomain
from duet.absint.invariants import Invariants
from duet.absint.solve import Solution
from duet.absint.state import Value
from duet.coarsen.lineages import Lineages, Masks
from duet.flow.dfg import DataFlowGraph
from duet.flow.reaching import Initial, Merge, Node, OwnFlows

# Pairs of locations that one tracked lineage may give; a larger product is left out, which only loses precision.
PAIRS = 100_000
INITIAL = -1  # stands for the initial value among the commands that define a pack


def refined_graph(graph: DataFlowGraph, invariants: Invariants, limit: int = PAIRS) -> DataFlowGraph:
    """The sequential graph `graph` with only those own flows that `invariants` leave feasible; flows between threads as
    they are.

    *Requires*: the invariants hold in every execution.
    """
    lineages = Lineages(graph.program, invariants)
    carried: dict[tuple[int, int], frozenset[int]] = {}
    dead: set[int] = set()
    for template in lineages.ones:
        if not lineages.chain(template):
            continue
        packs = _overwritten(graph, lineages.chain(template))
        numbers = _numbers(graph, packs)
        found = lineages.arriving(template, _masks(graph, packs, numbers), limit)
        if found is None:
            continue
        dead.update(graph.program.template_of.keys() - found.keys())
        for pack in packs:
            for location in graph.wanted[pack]:
                if location in found:
                    commands = frozenset(c for c, bit in numbers[pack].items() if found[location] >> bit & 1)
                    key = (pack, location)
                    carried[key] = carried[key] & commands if key in carried else commands
    return _filtered(graph, carried, dead)


def met(old: Invariants, new: Invariants) -> tuple[Invariants, bool]:
    """What both annotations say, on the graph of the new one, and whether it says more than the old one alone."""
    slots: list[Value | None] = list(new.solution.slots)
    before = old.solution.slots
    domain = new.space.domain
    places: dict[tuple[int, int], int] = {}
    at: dict[tuple[int, int], int] = {}
    is_stronger = False
    for key, slot in new.solution.at.items():
        other = old.solution.at.get(key)
        if other is None:  # what the new one alone wants to know
            at[key] = slot
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


def _overwritten(graph: DataFlowGraph, templates: Iterable[str]) -> tuple[int, ...]:
    """The packs of globals that the templates write strongly."""
    program, pack_of = graph.program, graph.packing.pack_of
    found: set[int] = set()
    for name in templates:
        for command in program.templates[name].commands:
            found.update(pack_of[cell] for cell in _strong(graph, command))
    return tuple(sorted(found))


def _strong(graph: DataFlowGraph, command: int) -> Iterator[str]:
    """The globals that a command really writes, all of them."""
    cells = graph.program.cells
    return (cell for cell in graph.effects[command].writes if cells[cell].template is None and not cells[cell].summary)


def _numbers(graph: DataFlowGraph, packs: Iterable[int]) -> Mapping[int, Mapping[int, int]]:
    """For each pack a bit for each command that defines it, and one for its initial value."""
    chosen: dict[int, dict[int, int]] = {pack: {} for pack in packs}
    count = 0
    for pack in chosen:
        chosen[pack][INITIAL] = count
        count += 1
    for command, defines in enumerate(graph.defines):
        for pack in defines:
            if pack in chosen:
                chosen[pack][command] = count
                count += 1
    return chosen


def _masks(graph: DataFlowGraph, packs: Iterable[int], numbers: Mapping[int, Mapping[int, int]]) -> Masks:
    """What commands do to sets of those bits."""
    whole = {pack: sum(1 << bit for bit in numbers[pack].values()) for pack in packs}
    own: dict[int, tuple[int, int]] = {}
    other: dict[int, int] = {}
    for command, defines in enumerate(graph.defines):
        killed = added = overwritten = 0
        for pack, kills in defines.items():
            if pack in whole:
                killed |= whole[pack] if kills else 0
                added |= 1 << numbers[pack][command]
        for cell in _strong(graph, command):
            overwritten |= whole.get(graph.packing.pack_of[cell], 0)
        if added:
            own[command] = (~killed, added)
        if overwritten:
            other[command] = ~overwritten
    return Masks(sum(1 << bits[INITIAL] for bits in numbers.values()), own, other)


def _filtered(
    graph: DataFlowGraph, carried: Mapping[tuple[int, int], frozenset[int]], dead: Iterable[int]
) -> DataFlowGraph:
    """The graph with the own flows in `carried` for its keys, and with no flow of REACHABLE to dead locations."""
    own = graph.own
    nodes: list[Node] = list(own.nodes)
    at = dict(own.at)
    merges: dict[tuple[int, tuple[int, ...]], int] = {}
    initial: dict[int, list[int]] = defaultdict(list)
    for index, node in enumerate(own.nodes):
        if isinstance(node, Initial):
            initial[node.pack].append(index)

    def merge(pack: int, inputs: tuple[int, ...]) -> int:
        if (pack, inputs) not in merges:
            merges[pack, inputs] = len(nodes)
            nodes.append(Merge(pack, inputs))
        return merges[pack, inputs]

    for (pack, location), commands in carried.items():
        kept: list[int] = []
        is_less = False
        for source in graph.own_sources(pack, location):
            if isinstance(source, Initial):
                found = [index for index in initial[pack] if own.nodes[index] == source] if INITIAL in commands else []
            else:
                found = [own.defined[source.command, pack]] if source.command in commands else []
            kept.extend(found)
            is_less = is_less or not found
        if is_less:
            at[pack, location] = merge(pack, tuple(sorted(set(kept))))
    for location in dead:
        if (own.reachable, location) in at:
            at[own.reachable, location] = merge(own.reachable, ())
    return replace(graph, own=OwnFlows(tuple(nodes), at, own.defined, own.reachable))
