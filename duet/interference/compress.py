"""Exact reductions: blocks of locations that the judgments cannot tell apart, and writers that may as well stay.

A move p -> l is *silent* if the same conditions are known at p and l, it touches nothing that the judgment is about,
and what refuses it refuses every move that enters the block's head: then a lineage that has just entered the block can
go on to l at once, whatever the other one does, and the judgments hold for all locations of the block or for none.
A location whose incoming moves are all silent and come from one block joins that block; any other is a head.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from duet.interference.access import Access
from duet.interference.system import Move, System
from duet.plip.graphs import postorder

# After so many corrections of the assumption that back edges are silent, they all count as visible.
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class BlockGraph:
    """A partition of the locations: a block is known by its head, and `heads` are in a fixed order.

    `visible` are the moves into heads; all others stay in their block. The block of a location is found in two
    steps, so that graphs that differ in a few blocks share the rest: `split[part[location]]`, else
    `whole[location]`.
    """

    heads: tuple[int, ...]
    visible: tuple[Move, ...]
    whole: Mapping[int, int]
    part: Mapping[int, int] = field(default_factory=dict)
    split: Mapping[int, int] = field(default_factory=dict)

    def head(self, location: int) -> int:
        """The head of the block that contains a location."""
        if self.split:
            found = self.split.get(self.part[location])
            if found is not None:
                return found
        return self.whole[location]


def unreduced(system: System) -> BlockGraph:
    """The faithful graph: every location is its own block."""
    return BlockGraph(tuple(system.holds), system.moves, {location: location for location in system.holds})


def pair_graph(system: System) -> BlockGraph:
    """The graph of blocks for coreachable pairs."""
    flow = _Flow.of(system)
    whole = flow.partition(flow.order, flow.entries)
    heads = tuple(location for location in flow.order if whole[location] == location)
    return BlockGraph(heads, tuple(move for head in heads for move in flow.into[head]), whole)


def pack_graphs(system: System, base: BlockGraph, accesses: Mapping[int, Access]) -> Mapping[int, BlockGraph]:
    """The graph of blocks for each pack, in which its writes and what kills it are visible too.

    Each is `base`, the graph for pairs, with some blocks split. To split fast, the parts between moves that are
    visible for any pack are found first, and then put together again for each pack.
    """
    flow = _Flow.of(system)
    whole = base.whole
    targets = {move.command: move.target for move in system.moves if not move.follows}
    touched = {
        pack: {targets[command] for command in access.writes | access.kills if command in targets}
        for pack, access in accesses.items()
    }
    forced = set(whole.values()).union(*touched.values())
    part = flow.partition(flow.order, forced)
    parts = flow.quotient(part)
    inside: dict[int, list[int]] = defaultdict(list)
    for head in parts.order:
        inside[whole[head]].append(head)
    return {pack: _split(base, parts, part, inside, places) for pack, places in touched.items()}


def _split(
    base: BlockGraph,
    parts: _Flow,
    part: Mapping[int, int],
    inside: Mapping[int, Sequence[int]],
    places: Set[int],
) -> BlockGraph:
    """`base` with its blocks split where one of `places`, targets of visible moves, is not a head."""
    broken: dict[int, set[int]] = {}
    for place in sorted(places):
        block = base.whole[place]
        if block != place:
            broken.setdefault(block, {block}).add(place)
    split: dict[int, int] = {}
    for block, heads in broken.items():
        split |= parts.partition(inside[block], heads)
    new = [head for head, found in split.items() if head == found and base.whole[head] != head]
    visible = base.visible + tuple(move for head in new for move in parts.into[head])
    return BlockGraph(base.heads + tuple(new), visible, base.whole, part, split)


@dataclass(frozen=True, slots=True)
class _Flow:
    """The moves of a system, or of its quotient by blocks, ready for making blocks.

    `order` is a reverse postorder; `into` are the moves into each node, with `origin` the node that a move leaves.
    `granted` is what is known to refuse nothing just after the node is entered: the conditions that refuse every move
    into it, none for a node that thread creation enters. `needed` is what refuses some move inside the node.
    """

    order: tuple[int, ...]
    entries: Set[int]
    into: Mapping[int, Sequence[Move]]
    origin: Mapping[int, int]
    holds: Mapping[int, int]
    granted: Mapping[int, int]
    needed: Mapping[int, int]

    @staticmethod
    def of(system: System) -> _Flow:
        into: dict[int, list[Move]] = {location: [] for location in system.holds}
        for move in system.moves:
            into[move.target].append(move)
        entries = {location for pair in system.starts for location in pair}
        granted = dict.fromkeys(system.holds, -1)
        for move in system.moves:
            granted[move.target] &= move.refused
        granted.update(dict.fromkeys(entries, 0))
        same = {location: location for location in system.holds}
        order = _reverse_postorder(system)
        return _Flow(order, entries, into, same, system.holds, granted, dict.fromkeys(order, 0))

    def quotient(self, part: Mapping[int, int]) -> _Flow:
        """The flow between the blocks of a partition."""
        needed = dict.fromkeys(part.values(), 0)
        for location, moves in self.into.items():
            if part[location] != location:
                for move in moves:
                    needed[part[location]] |= move.refused
        order = tuple(location for location in self.order if part[location] == location)
        return _Flow(order, self.entries, self.into, part, self.holds, self.granted, needed)

    def partition(self, order: Sequence[int], forced: Iterable[int]) -> dict[int, int]:
        """The head of each node in `order`; the nodes of `forced` are heads.

        *Requires*: moves into nodes of `order` that are not forced leave nodes of `order`.
        """
        heads = set(forced)
        for _ in range(_ROUNDS):
            head, assumed = self._attempt(order, heads)
            wrong = {node for node, move in assumed if not self._is_silent(move, node, head[node], head)}
            if not wrong:
                return head
            heads |= wrong
        return self._attempt(order, heads | self._entered_from_later(order))[0]

    def _entered_from_later(self, order: Sequence[int]) -> set[int]:
        """The nodes with a move from a node that is not before them; without these nothing is assumed."""
        seen: set[int] = set()
        found: set[int] = set()
        for node in order:
            if any(self.origin[move.source] not in seen for move in self.into[node]):
                found.add(node)
            seen.add(node)
        return found

    def _attempt(self, order: Sequence[int], forced: Set[int]) -> tuple[dict[int, int], list[tuple[int, Move]]]:
        """Heads under the assumption that moves from later nodes are silent, and these moves."""
        head: dict[int, int] = {}
        assumed: list[tuple[int, Move]] = []
        for node in order:
            joined = node
            if node not in forced:
                early: list[Move] = []
                late: list[Move] = []
                for move in self.into[node]:
                    (early if self.origin[move.source] in head else late).append(move)
                if early:
                    first = head[self.origin[early[0].source]]
                    if all(self._is_silent(move, node, first, head) for move in early):
                        joined = first
                        assumed += [(node, move) for move in late]
            head[node] = joined
        return head, assumed

    def _is_silent(self, move: Move, node: int, joined: int, head: Mapping[int, int]) -> bool:
        """Whether a move into `node` may stay inside the block of `joined`."""
        return (
            head[self.origin[move.source]] == joined
            and self.holds[node] == self.holds[joined]
            and not (move.refused | self.needed[node]) & ~self.granted[joined]
        )


def _reverse_postorder(system: System) -> tuple[int, ...]:
    """The locations, each before its successors where there is no cycle."""
    successors: dict[int, list[int]] = {location: [] for location in system.holds}
    for move in system.moves:
        successors[move.source].append(move.target)
    return tuple(reversed(postorder(system.holds, successors.__getitem__)))


def unsettled(successors: Mapping[int, Sequence[int]], holds: Mapping[int, int], starts: Iterable[int]) -> set[int]:
    """The blocks that a writer from one of `starts` needs to leave, as far as it needs to come.

    A writer may as well stay where the conditions that it knows are known wherever it can still go without writing:
    there it hinders the reader least. *Requires*: joining and atomic regions are among the conditions in `holds`, or a
    writer would be kept from its exit, where another thread waits for it, or inside its region, where nothing is seen.
    """
    order: list[int] = []
    lasting: dict[int, int] = {}
    work = sorted(set(starts), reverse=True)
    while work:
        block = work.pop()
        if block not in lasting:
            lasting[block] = holds[block]
            order.append(block)
            if holds[block]:  # where nothing is known there is nothing to lose
                work.extend(successors.get(block, ()))
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            known = lasting[block]
            for target in successors.get(block, ()) if known else ():
                known &= lasting[target]
            if known != lasting[block]:
                lasting[block] = known
                changed = True
    return {block for block in order if lasting[block] != holds[block]}
