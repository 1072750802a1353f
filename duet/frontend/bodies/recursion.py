"""Calls of a function whose body is there already: what the locals of its callers hold behind them.

A body that several calls share has one cell for a local of all its activations. Where a call may lead back into a body
that is being executed, the locals of that activation should come back as they were; here they hold anything behind it.
Calls are jumps to bodies, so this is decided when a template is complete, by the graph of its bodies: with an edge from
each body to those inlined in it, and one for each jump. A jump from body X to body Q makes unknown the locals of the
bodies around X, from the outermost that Q can lead to on. That is enough: on the way from an activation of P to a
nested one, all bodies up to the first jump are inlined in P, so that jump is from inside of P and leads to P; its
return comes after all that the nested activation does. Only locals that are read later are made unknown. The result of
the body that is called is kept: it is written by each of its returns, and read by the calls behind them only.
*Approximates*: over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import filterfalse, pairwise
from operator import or_

import networkx as nx

from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Frame, Gap
from duet.frontend.ctypes.types import value_range
from duet.plip.syntax import Command, Havoc, Instruction, together
from duet.plip.touched import reads, writes


def close_gaps(ctx: Context) -> None:
    """Makes unknown what the jumps of a template, complete now, may change; notes which functions and locals recur.

    So do those of calls that were taken to be never made, if something leads there now: it did not when they were met.
    """
    for place, functions in ctx.thread.unreached:
        if place in ctx.builder.reached:
            ctx.facts.recursive.add(*functions)
    ctx.thread.unreached = []
    gaps, ctx.thread.gaps = ctx.thread.gaps, []
    found = list(zip(gaps, _nested(gaps), strict=True))
    frames = dict.fromkeys(frame for _, inner in found for frame in inner)
    if not frames:
        return
    ctx.facts.recursive.add(*(frame.function for frame in frames))
    names = dict.fromkeys(name for frame in frames for name in frame.cells)
    ctx.facts.objects.reentrant.add(*(name for name in names if not name.startswith("$")))
    cells = _cells_of_objects(ctx)
    havocs = [item for name in names for item in _havocs(ctx, name, cells.get(name, ()))]
    bits = _Bits(havocs)
    owned = {name: bits.of(item.target for item in _havocs(ctx, name, cells.get(name, ()))) for name in names}
    whole = {frame: _union(owned[name] for name in frame.cells) for frame in frames}
    places = bits.of(item.target for item in havocs if item.target.endswith("&"))
    lost: dict[int, int] = {}
    for gap, inner in found:
        result = owned.get(gap.callee.value.key, 0) if gap.callee.value is not None else 0
        lost[gap.place] = _union(whole[frame] for frame in inner) & ~result & (-1 if gap.is_return else places)
    live = _live(ctx.builder.commands, lost, bits)
    ctx.builder.refill({place: _forgetting(ctx, bits.chosen(lost[place] & live[place])) for place in lost})


def _forgetting(ctx: Context, havocs: list[Havoc]) -> list[Instruction]:
    """The commands that make cells unknown. What only the thread itself has is one step, as nobody else can see it."""

    def is_own(item: Havoc) -> bool:
        cell = ctx.memory.cells.get(item.target)
        return cell is not None and cell.is_own

    own = list(filter(is_own, havocs))
    return [*([together(own)] if own else ()), *filterfalse(is_own, havocs)]


def _nested(gaps: list[Gap]) -> Iterator[tuple[Frame, ...]]:
    """For each jump the bodies around it in which there may be an activation that it leads into again."""
    ways = {(*gap.stack, gap.callee) for gap in gaps}
    graph: nx.DiGraph[Frame] = nx.DiGraph(list({step for way in ways for step in pairwise(way)}))
    graph.add_nodes_from(gap.callee for gap in gaps)
    component = {frame: i for i, part in enumerate(nx.strongly_connected_components(graph)) for frame in part}
    for gap in gaps:
        around = (n for n, frame in enumerate(gap.stack) if component[frame] == component[gap.callee])
        yield gap.stack[next(around, len(gap.stack)) :]


def _cells_of_objects(ctx: Context) -> Mapping[str, list[str]]:
    """The cells of each object."""
    result: dict[str, list[str]] = defaultdict(list)
    for name, place in ctx.memory.places.items():
        if name in ctx.memory.cells:
            result[place.object.key].append(name)
    return result


def _havocs(ctx: Context, name: str, cells: Iterable[str]) -> Iterator[Havoc]:
    """What makes a local unknown, by the name of a temporary or of an object.

    An object with several instances has cells to which writes only add, so that they hold those of all activations;
    but another instance lies elsewhere. What a pointer may point to is known for all activations in one.
    """
    if name.startswith("$"):
        yield Havoc(name, *ctx.temporaries.ranges[name])
    elif not ctx.memory.is_multiple(ctx.memory.objects[name]):
        for cell in cells:
            yield Havoc(cell, *value_range(ctx.memory.places[cell].type))
    elif (address := ctx.memory.cells.get(f"{name}&")) is not None:
        yield Havoc(address.name, address.lo, address.hi)


def _live(commands: list[Command], lost: Mapping[int, int], bits: _Bits) -> Mapping[int, int]:
    """For each gap the cells that may be read behind it before they are written."""
    steps = [
        (item.source, item.target, bits.of(reads(item.instruction)), bits.of(writes(item.instruction)))
        for item in commands
    ]
    for place, names in lost.items():
        source, target, _, _ = steps[place]
        steps[place] = source, target, 0, names
    incoming: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    live: dict[int, int] = defaultdict(int)
    for source, target, read, written in steps:
        incoming[target].append((source, read, ~written))
        live[source] |= read
    work = list(incoming)
    waiting = set(work)
    while work:
        place = work.pop()
        waiting.discard(place)
        behind = live[place]
        for source, read, kept in incoming[place]:
            after = live[source] | (behind & kept) | read
            if after != live[source]:
                live[source] = after
                if source not in waiting:
                    waiting.add(source)
                    work.append(source)
    return {place: live[commands[place].target] for place in lost}


class _Bits:
    """Sets of cells as numbers with a bit for each, in the order of what makes them unknown."""

    def __init__(self, havocs: list[Havoc]) -> None:
        self.havocs = havocs
        self.bits = {item.target: 1 << number for number, item in enumerate(havocs)}

    def of(self, names: Iterable[str]) -> int:
        """The set of those of some cells that have a bit."""
        return _union(self.bits[name] for name in names if name in self.bits)

    def chosen(self, names: int) -> list[Havoc]:
        """What makes the cells of a set unknown."""
        found = []
        while names:
            lowest = names & -names
            found.append(self.havocs[lowest.bit_length() - 1])
            names ^= lowest
        return found


def _union(parts: Iterable[int]) -> int:
    return reduce(or_, parts, 0)
