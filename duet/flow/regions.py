"""Parts of the control flow graph in which values flow: the code of a template, or that of a body that calls share.

In a body's own region nobody has come in yet: what is seen at its end was defined in it. There a call leads at once to
behind it. Commands and locations are both vertices.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

from duet.plip.graphs import dominators
from duet.plip.returns import Level
from duet.plip.syntax import Program, Template
from duet.records import dataclass

Vertex: TypeAlias = int
"""A location by its number, a command as `vertex_of` says, or `ROOT`."""
ROOT: Vertex = -1


def vertex_of(command: int) -> Vertex:
    """The vertex of a command, and the command of such a vertex."""
    return -2 - command


def template_edges(program: Program, template: Template, stopped: Collection[int]) -> Iterator[tuple[Vertex, Vertex]]:
    """The edges of a template, along commands that are not `stopped`."""
    yield ROOT, template.entry
    for index in template.commands:
        if index not in stopped:
            yield program.commands[index].source, vertex_of(index)
            yield vertex_of(index), program.commands[index].target


def level_edges(
    program: Program, entry: int, level: Level, stopped: Collection[int]
) -> Iterator[tuple[Vertex, Vertex]]:
    """The edges of a body that calls share, likewise: a call leads to the commands that come back from it."""
    yield ROOT, entry
    for index in (found for found in level.commands if found not in stopped):
        yield program.commands[index].source, vertex_of(index)
        for back in level.made.get(index, (index,)):
            if back != index:
                yield vertex_of(index), vertex_of(back)
            yield vertex_of(back), program.commands[back].target


class Region:
    """The edges between the vertices of a region, with its dominators."""

    def __init__(self, edges: Iterable[tuple[Vertex, Vertex]]) -> None:
        after: dict[Vertex, dict[Vertex, None]] = defaultdict(dict)
        before: dict[Vertex, dict[Vertex, None]] = defaultdict(dict)
        for source, target in edges:
            after[source][target] = before[target][source] = None
        self.dominator: dict[Vertex, Vertex | None] = {ROOT: None}
        self.dominator |= dominators(ROOT, after.__getitem__, before.__getitem__)
        self.frontier = self._frontier(before)
        below: dict[Vertex, list[Vertex]] = {}
        for vertex, above in self.dominator.items():
            if above is not None:
                below.setdefault(above, []).append(vertex)
        self.place: dict[Vertex, int] = {}
        """Numbers of the vertices: those that one dominates follow it, up to its `end`."""
        self.end: dict[Vertex, int] = {}
        stack = [ROOT]
        while stack:
            vertex = stack.pop()
            if vertex in self.place:
                self.end[vertex] = len(self.place)
            else:
                self.place[vertex] = len(self.place)
                stack += (vertex, *below.get(vertex, ()))

    def _frontier(self, predecessors: Mapping[Vertex, Collection[Vertex]]) -> Mapping[Vertex, set[Vertex]]:
        """The dominance frontier of each vertex that has one.

        *Source*: K. D. Cooper et al., "A simple, fast dominance algorithm", 2001, from the dominators that are known.
        """
        frontier: dict[Vertex, set[Vertex]] = {}
        for vertex, above in self.dominator.items():
            before = predecessors[vertex] if above is not None else ()
            for runner in before if len(before) > 1 else ():
                if runner not in self.dominator:
                    continue
                at: Vertex | None = runner
                while at is not None and at != above and vertex not in (reached := frontier.setdefault(at, set())):
                    reached.add(vertex)
                    at = self.dominator[at]
        return frontier

    def values(self, definitions: Iterable[int]) -> Values:
        """The values of a pack that some commands define."""
        place, end = self.place, self.end
        starts, makers, around = [0], [ROOT], [ROOT]
        made_at = self.merges(definitions).union(map(vertex_of, definitions)) & place.keys()
        for vertex in sorted(made_at, key=place.__getitem__):
            start = place[vertex]
            while (last := end[around[-1]]) <= start:
                around.pop()
                starts.append(last)
                makers.append(around[-1])
            starts.append(start)
            makers.append(vertex)
            around.append(vertex)
        while len(around) > 1:
            starts.append(end[around.pop()])
            makers.append(around[-1])
        return Values(starts, makers)

    def merges(self, definitions: Iterable[int]) -> set[Vertex]:
        """The locations where different definitions can meet: the iterated dominance frontier."""
        found: set[Vertex] = set()
        work: list[Vertex] = [vertex_of(index) for index in definitions]
        while work:
            for vertex in self.frontier.get(work.pop(), ()):
                if vertex not in found:
                    found.add(vertex)
                    work.append(vertex)
        return found


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one pack in one region.

    `makers[i]` makes the value of the vertices from number `starts[i]` on, see `Region.place`; `nodes` are those that
    were asked for.
    """

    starts: list[int]
    makers: list[Vertex]
    nodes: dict[Vertex, int] = field(default_factory=dict)

    def maker(self, number: int) -> Vertex:
        """What makes the value of a vertex, by its number."""
        return self.makers[bisect_right(self.starts, number) - 1]
