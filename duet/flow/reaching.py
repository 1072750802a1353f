"""Sequential reaching definitions: which definition gives a pack its value at a location, by the thread itself.

*Source*: SequentialDFG of thesis Alg. 1, with spawn edges, guards as definitions and a pseudo-pack REACHABLE for
locations.

Instead of one edge per (definition, location) the graph is kept factored, as in static single assignment form: where
several definitions meet there is a `Merge` node, so that its size stays near linear. A path through merges from a
`Defined` or `Initial` node to the node at `(pack, location)` is one data flow `u =>pack location`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias, assert_never

import networkx as nx

from duet.flow.effects import REACHABLE, Effects
from duet.flow.packs import Packing
from duet.flow.returns import Return, kept, returns
from duet.flow.table import Table
from duet.plip.live import live_cells
from duet.plip.syntax import Program, Spawn, Template
from duet.records import dataclass

Vertex: TypeAlias = int
"""A location by its number, a command as `_vertex` says, or `ROOT`."""
ROOT: Vertex = -1
MANY, _FEW = 64, 16
"""Where so many commands lead, it is asked which values there are in front of them, not what each of them has."""


@dataclass(frozen=True, slots=True)
class Initial:
    """The initial value of a pack, for threads of a template."""

    pack: int
    template: str


@dataclass(frozen=True, slots=True)
class Defined:
    """The value that a command gives a pack (for a spawn: the child's parameters)."""

    command: int
    pack: int


@dataclass(frozen=True, slots=True)
class Merge:
    """Any of the inputs, values of the pack; no input at all is the value of code that never runs."""

    pack: int
    inputs: tuple[int, ...]


Node: TypeAlias = Initial | Defined | Merge


@dataclass(frozen=True, slots=True)
class OwnFlows:
    """The factored sequential data flow graph.

    `nodes` are known by index; `at[pack, location]` is the node that gives the pack's own value there, for the pairs
    that were asked for and can be reached in the control flow graph; `defined[command, pack]` the node of a definition.
    The pack `reachable` (one more than the last of the packing) is the pseudo-pack REACHABLE. `bounds[pack, location]`
    is a node whose values include the pack's value there, whichever thread gave it.
    """

    nodes: tuple[Node, ...]
    at: Table
    defined: Mapping[tuple[int, int], int]
    reachable: int
    bounds: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def sources(self, pack: int, location: int) -> Iterator[Initial | Defined]:
        """The definitions `u` with an own flow `u =>pack location`, each once."""
        start = self.at.get((pack, location))
        if start is None:
            return
        seen = {start}
        work = [start]
        while work:
            node = self.nodes[work.pop()]
            match node:
                case Initial() | Defined():
                    yield node
                case Merge(_, inputs):
                    work.extend(found for found in reversed(inputs) if found not in seen)
                    seen.update(inputs)
                case _:
                    assert_never(node)


def own_flows(
    program: Program,
    command_effects: tuple[Effects, ...],
    packing: Packing,
    wanted: Mapping[int, Collection[int]],
    stopped: Collection[int] = (),
) -> OwnFlows:
    """The own flows of every pack at the locations wanted for it, along commands that are not `stopped`.

    *Shape*: `wanted` maps packs (REACHABLE's too) to locations; a local pack only to locations of its template.
    """
    builder = _Builder(program, command_effects, packing, stopped)
    at = Table(wanted)
    in_order = {id(locations): sorted(locations) for locations in {id(it): it for it in wanted.values()}.values()}
    for pack, locations in wanted.items():
        row = at.rows[pack]
        for location in in_order[id(locations)]:
            if (node := builder.value_at(pack, location)) is not None:
                row[location] = node
    for pair in sorted(builder.sites.all_definitions()):
        builder.definition(*pair)
    builder.finish()
    return OwnFlows(tuple(builder.nodes), at, builder.defined, len(packing.packs))


def modified_packs(program: Program, effect: Effects, packing: Packing, command: int) -> dict[int, bool]:
    """The packs that a command defines, each with whether it kills what was there.

    A spawn defines the packs of the child's parameters, for the child.
    """
    pack_of = packing.pack_of
    result: dict[int, bool] = {}
    for cell in sorted(effect.modifies):
        pack = len(packing.packs) if cell == REACHABLE else pack_of[cell]
        result[pack] = result.get(pack, False) or cell in effect.kills
    instruction = program.commands[command].instruction
    if isinstance(instruction, Spawn):
        result.update((pack_of[cell], True) for cell, _ in instruction.arguments)
    return result


class _Sites:
    """Where each pack is defined, per template."""

    def __init__(self, program: Program, command_effects: tuple[Effects, ...], packing: Packing) -> None:
        self.defines: list[dict[int, bool]] = []
        self.by_pack: dict[tuple[str, int], list[int]] = {}
        self.spawns: dict[str, list[int]] = {name: [] for name in program.templates}
        self.parameters: dict[int, set[int]] = {}
        owner = program.template_of
        for index, command in enumerate(program.commands):
            defined = modified_packs(program, command_effects[index], packing, index)
            self.defines.append(defined)
            for pack in defined:
                self.by_pack.setdefault((owner[command.source], pack), []).append(index)
            if isinstance(command.instruction, Spawn):
                self.spawns[command.instruction.template].append(index)
                self.parameters[index] = {packing.pack_of[cell] for cell, _ in command.instruction.arguments}

    def all_definitions(self) -> Iterable[tuple[int, int]]:
        return ((index, pack) for index, defined in enumerate(self.defines) for pack in defined)


class _Flow:
    """The control flow graph of one template with its dominators; commands and locations are both vertices."""

    def __init__(self, program: Program, template: Template, stopped: Collection[int]) -> None:
        graph: nx.DiGraph[Vertex] = nx.DiGraph()
        graph.add_edge(ROOT, template.entry)
        for index in (found for found in template.commands if found not in stopped):
            command = program.commands[index]
            graph.add_edge(command.source, _vertex(index))
            graph.add_edge(_vertex(index), command.target)
        self.dominator: dict[Vertex, Vertex | None] = dict(nx.immediate_dominators(graph, ROOT))
        self.dominator[ROOT] = None
        self.frontier = self._frontier(graph)
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

    def _frontier(self, graph: nx.DiGraph[Vertex]) -> Mapping[Vertex, set[Vertex]]:
        """The dominance frontier of each vertex that has one.

        *Source*: K. D. Cooper et al., "A simple, fast dominance algorithm", 2001, from the dominators that are known.
        """
        frontier: dict[Vertex, set[Vertex]] = {}
        for vertex, above in self.dominator.items():
            before = [runner for runner in graph.pred[vertex] if runner in self.dominator]
            for runner in before if len(graph.pred[vertex]) > 1 else ():
                at: Vertex | None = runner
                while at is not None and at != above and vertex not in (reached := frontier.setdefault(at, set())):
                    reached.add(vertex)
                    at = self.dominator[at]
        return frontier

    def values(self, definitions: Iterable[int]) -> _Values:
        """The values of a pack that some commands define."""
        makers = self.merges(definitions).union(map(_vertex, definitions))
        found = _Values([0], [ROOT])
        around = [ROOT]
        for vertex in sorted(makers & self.place.keys(), key=self.place.__getitem__):
            while self.end[around[-1]] <= self.place[vertex]:
                found.add(self.end[around.pop()], around[-1])
            found.add(self.place[vertex], vertex)
            around.append(vertex)
        while len(around) > 1:
            found.add(self.end[around.pop()], around[-1])
        return found

    def merges(self, definitions: Iterable[int]) -> set[Vertex]:
        """The locations where different definitions can meet: the iterated dominance frontier."""
        found: set[Vertex] = set()
        work: list[Vertex] = [_vertex(index) for index in definitions]
        while work:
            for vertex in self.frontier.get(work.pop(), ()):
                if vertex not in found:
                    found.add(vertex)
                    work.append(vertex)
        return found


def _vertex(command: int) -> Vertex:
    """The vertex of a command, and the command of such a vertex."""
    return -2 - command


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of one pack in one template.

    `makers[i]` makes the value of the vertices from number `starts[i]` on, see `_Flow.place`; `nodes` are those that
    were asked for.
    """

    starts: list[int]
    makers: list[Vertex]
    nodes: dict[Vertex, int] = field(default_factory=dict)

    def add(self, start: int, maker: Vertex) -> None:
        """Lets a vertex make the values from a number on, which is no smaller than those before."""
        self.starts.append(start)
        self.makers.append(maker)

    def maker(self, number: int) -> Vertex:
        """What makes the value of a vertex, by its number."""
        return self.makers[bisect_right(self.starts, number) - 1]


class _Builder:
    """Builds nodes on demand; merges are filled from a work list, so that nothing recurses."""

    def __init__(
        self,
        program: Program,
        command_effects: tuple[Effects, ...],
        packing: Packing,
        stopped: Collection[int],
    ) -> None:
        self.program = program
        self.packing = packing
        self.sites = _Sites(program, command_effects, packing)
        self.flows = {name: _Flow(program, template, stopped) for name, template in program.templates.items()}
        self.nodes: list[Node] = []
        self.defined: dict[tuple[int, int], int] = {}
        self._values: dict[tuple[str, int], _Values] = {}
        self._many: dict[int, list[int]] = {}
        self._roots: dict[tuple[str, int], int] = {}
        self._after: dict[tuple[int, int], int] = {}
        self._unfilled: list[tuple[int, int, str, int]] = []  # (node, pack, template, location)
        self._entries: list[tuple[int, int, str]] = []  # (node, pack, template)
        self._weak: list[tuple[int, int, int]] = []  # (node, pack, command)
        calls = returns(program)
        self._calls = {call.back: call.call for call in calls}
        self._kept = self._kept_by(calls)
        """The commands that come back from calls of bodies that do not define a pack, by pack."""
        self._returned: list[tuple[int, int, int]] = []  # (node, pack, command that calls)

    def _kept_by(self, calls: Collection[Return]) -> Mapping[int, Collection[int]]:
        places = sorted({self.program.commands[call.back].target for call in calls})
        cells = live_cells(self.program, places) if places else {}
        live = {place: {self.packing.pack_of[cell] for cell in found} for place, found in cells.items()}
        by_pack: dict[int, set[int]] = {}
        for back, packs in kept(self.program, calls, self.sites.defines, live).items():
            for pack in packs:
                by_pack.setdefault(pack, set()).add(back)
        return by_pack

    def value_at(self, pack: int, location: int) -> int | None:
        """The node of a pack's own value at a location; None where control cannot get to."""
        template = self.program.template_of[location]
        number = self.flows[template].place.get(location)
        if number is None:
            return None
        values = self._values_of(template, pack)
        return self._made_by(values.maker(number), pack, template, values)

    def _made_by(self, maker: Vertex, pack: int, template: str, values: _Values) -> int:
        """The node of the value of a pack that a vertex makes."""
        if maker == ROOT:
            return self._root(pack, template)
        node = values.nodes.get(maker)
        if node is None:
            node = values.nodes[maker] = self._node_made_at(pack, template, maker)
        return node

    def _node_made_at(self, pack: int, template: str, vertex: Vertex) -> int:
        if vertex < ROOT:
            return self._after_command(pack, _vertex(vertex))
        node = self._add(Merge(pack, ()))
        self._unfilled.append((node, pack, template, vertex))
        return node

    def _values_of(self, template: str, pack: int) -> _Values:
        key = (template, pack)
        if key not in self._values:
            definitions = [c for c in self.sites.by_pack.get(key, ()) if self._own_definition(c, pack)]
            definitions += (c for c in sorted(self._kept.get(pack, ())) if _vertex(c) in self.flows[template].place)
            self._values[key] = self.flows[template].values(definitions)
        return self._values[key]

    def _own_definition(self, command: int, pack: int) -> bool:
        """Whether a command defines a pack for its own thread (a spawn's parameters are the child's)."""
        return pack in self.sites.defines[command] and pack not in self.sites.parameters.get(command, ())

    def definition(self, command: int, pack: int) -> int:
        """The node of a definition."""
        if (command, pack) not in self.defined:
            self.defined[command, pack] = self._add(Defined(command, pack))
        return self.defined[command, pack]

    def _after_command(self, pack: int, command: int) -> int:
        """The node of a pack's value after a command that defines it; a weak one keeps what was there.

        Behind a call of a body that does not define it that is what was there before.
        """
        is_kept = command in self._kept.get(pack, ())
        if not is_kept and self.sites.defines[command][pack]:
            return self.definition(command, pack)
        if (pack, command) not in self._after:
            node = self._after[pack, command] = self._add(Merge(pack, ()))
            if is_kept:
                self._returned.append((node, pack, self._calls[command]))
            else:
                self._weak.append((node, pack, command))
        return self._after[pack, command]

    def _initial(self, pack: int, template: str) -> int:
        node = self._add(Merge(pack, ()))
        self._entries.append((node, pack, template))
        return node

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def finish(self) -> None:
        """Fills every merge that was asked for, and those that these ask for."""
        while self._unfilled or self._entries or self._weak or self._returned:
            while self._returned:
                node, pack, call = self._returned.pop()
                self.nodes[node] = Merge(pack, tuple(self._behind(pack, call)))
            while self._weak:
                node, pack, command = self._weak.pop()
                self.nodes[node] = Merge(pack, (self.definition(command, pack), self._before(pack, command)))
            while self._unfilled:
                node, pack, template, location = self._unfilled.pop()
                self.nodes[node] = self._merge(pack, tuple(self._inputs(pack, template, location)))
            while self._entries:
                node, pack, template = self._entries.pop()
                self.nodes[node] = self._merge(pack, tuple(self._entry_inputs(pack, template)))

    def _merge(self, pack: int, inputs: tuple[int, ...]) -> Merge:
        """A merge of some inputs; of many by way of others, so that a new value of one is joined with few of them."""
        while len(inputs) > MANY:
            parts = [inputs[start : start + _FEW] for start in range(0, len(inputs), _FEW)]
            inputs = tuple(self._add(Merge(pack, part)) for part in parts)
        return Merge(pack, inputs)

    def _inputs(self, pack: int, template: str, location: int) -> Iterable[int]:
        flow = self.flows[template]
        if location == self.program.templates[template].entry:
            yield self._root(pack, template)
        incoming: Sequence[int] = self.program.incoming[location]
        if len(incoming) >= MANY:
            yield from self._in_front_of_many(pack, template, location)
            incoming = [command for command in incoming if self.sites.defines[command] or command in self._calls]
        for command in incoming:
            if _vertex(command) not in flow.dominator:
                continue
            if command in self._kept.get(pack, ()):
                yield self._after_command(pack, command)
            else:
                yield from self._behind(pack, command)

    def _behind(self, pack: int, command: int) -> Iterable[int]:
        """The node of a pack's value behind a command, none if control cannot get to it."""
        if self._own_definition(command, pack):
            yield self._after_command(pack, command)
        elif (node := self.value_at(pack, self.program.commands[command].source)) is not None:
            yield node

    def _in_front_of_many(self, pack: int, template: str, location: int) -> Iterable[int]:
        """The values of a pack in front of the commands to a location that define nothing.

        Where jumps lead from everywhere there are many of these, and few values.
        """
        if location not in self._many:
            commands = [
                command
                for command in self.program.incoming[location]
                if not self.sites.defines[command] and command not in self._calls
            ]
            place = self.flows[template].place
            self._many[location] = sorted(place[_vertex(found)] for found in commands if _vertex(found) in place)
        numbers, values = self._many[location], self._values_of(template, pack)
        ends = (*values.starts[1:], len(self.flows[template].place))
        makers = (
            maker
            for start, end, maker in zip(values.starts, ends, values.makers, strict=True)
            if bisect_left(numbers, start) < bisect_left(numbers, end)
        )
        yield from (self._made_by(maker, pack, template, values) for maker in dict.fromkeys(makers))

    def _before(self, pack: int, command: int) -> int:
        """The node of a pack's value before a command that control can get to."""
        node = self.value_at(pack, self.program.commands[command].source)
        assert node is not None
        return node

    def _root(self, pack: int, template: str) -> int:
        key = (template, pack)
        if key not in self._roots:
            self._roots[key] = self._initial(pack, template)
        return self._roots[key]

    def _entry_inputs(self, pack: int, template: str) -> Iterable[int]:
        """A thread starts from the initial values (main), the parent's definitions (globals), or its parameters."""
        spawns = self.sites.spawns[template]
        is_local = pack < len(self.packing.packs) and self._is_local(pack)
        if template == self.program.main or (is_local and not spawns):
            yield self._add(Initial(pack, template))
        for command in spawns:
            before = self.value_at(len(self.packing.packs), self.program.commands[command].source)
            if before is None:
                continue  # control cannot get to the spawn
            if not is_local:
                yield self._before(pack, command)
            elif pack in self.sites.parameters[command]:
                yield self.definition(command, pack)
            else:
                yield self._add(Initial(pack, template))

    def _is_local(self, pack: int) -> bool:
        return self.program.cells[self.packing.packs[pack][0]].template is not None
