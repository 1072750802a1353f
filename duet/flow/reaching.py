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
from dataclasses import field, replace
from itertools import groupby
from typing import TypeAlias, assert_never

from duet.flow.effects import REACHABLE, Effects
from duet.flow.packs import Packing
from duet.flow.regions import ROOT, Region, Values, Vertex, level_edges, template_edges, vertex_of
from duet.flow.returned import Returned
from duet.flow.table import Row, Table
from duet.flow.united import united
from duet.plip.syntax import Program, Spawn
from duet.records import dataclass

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


@dataclass(frozen=True, slots=True)
class Both:
    """The first of the inputs, values of the pack, where both are values of code that runs."""

    pack: int
    inputs: tuple[int, int]


Node: TypeAlias = Initial | Defined | Merge | Both
Code: TypeAlias = str | int
"""A template by its name, or a body that calls share by its entry."""


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
                case Both(_, (first, _)):
                    work += [] if first in seen else [first]
                    seen.add(first)
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
    distinct = {id(locations): locations for locations in wanted.values()}
    places = {number: builder.places(sorted(locations)) for number, locations in distinct.items()}
    for pack, locations in wanted.items():
        for code, numbers in places[id(locations)]:
            builder.fill(at.rows[pack], pack, code, numbers)
    for pair in sorted(builder.sites.all_definitions()):
        builder.definition(*pair)
    builder.finish()
    return _united(OwnFlows(tuple(builder.nodes), at, builder.defined, len(packing.packs)))


def _united(flows: OwnFlows) -> OwnFlows:
    """The flows without merges of one value, which that is instead."""
    nodes = flows.nodes
    same = united({number: node.inputs for number, node in enumerate(nodes) if isinstance(node, Merge)})
    left = {old: new for new, old in enumerate(it for it in range(len(nodes)) if same(it) == it)}
    new = [left[same(number)] for number in range(len(nodes))]

    def renumbered(node: Node) -> Node:
        match node:
            case Merge(pack, inputs):
                return Merge(pack, tuple(dict.fromkeys(new[number] for number in inputs)))
            case Both(pack, (first, second)):
                return Both(pack, (new[first], new[second]))
            case Initial() | Defined():
                return node

    flows.at.renumbered(new)
    defined = {key: new[number] for key, number in flows.defined.items()}
    return replace(flows, nodes=tuple(renumbered(nodes[old]) for old in left), defined=defined)


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
        self.own: list[dict[int, bool]] = []
        """As `defines`, without what a spawn defines for the child."""
        self.writes = [{packing.pack_of[cell] for cell in effect.writes} for effect in command_effects]
        """The packs that each command really writes."""
        owner = program.template_of
        for index, command in enumerate(program.commands):
            defined = modified_packs(program, command_effects[index], packing, index)
            self.defines.append(defined)
            for pack in defined:
                self.by_pack.setdefault((owner[command.source], pack), []).append(index)
            if isinstance(command.instruction, Spawn):
                self.spawns[command.instruction.template].append(index)
                self.parameters[index] = {packing.pack_of[cell] for cell, _ in command.instruction.arguments}
            given = self.parameters.get(index, ())
            self.own.append({pack: kills for pack, kills in defined.items() if pack not in given} if given else defined)

    def all_definitions(self) -> Iterable[tuple[int, int]]:
        return ((index, pack) for index, defined in enumerate(self.defines) for pack in defined)


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
        self.stopped = stopped
        self.nodes: list[Node] = []
        self.defined: dict[tuple[int, int], int] = {}
        self._returned = Returned(program, packing, self.sites.own, self.sites.writes)
        self._regions: dict[Code, Region] = {}
        self._values: dict[tuple[Code, int], Values] = {}
        self._many: dict[tuple[Code, int], list[int]] = {}
        self._roots: dict[tuple[Code, int], int] = {}
        self._after: dict[tuple[Code, int, int], int] = {}
        self._unfilled: list[tuple[int, int, Code, int]] = []  # (node, pack, code, location)
        self._entries: list[tuple[int, int, str]] = []  # (node, pack, template)
        self._weak: list[tuple[int, int, Code, int]] = []  # (node, pack, code, command)
        self._back: list[tuple[int, int, Code, int]] = []  # (node, pack, code, command that comes back)

    def region(self, code: Code) -> Region:
        """The region of a template, or of a body by its entry."""
        if code not in self._regions:
            program = self.program
            edges = (
                template_edges(program, program.templates[code], self.stopped)
                if isinstance(code, str)
                else level_edges(program, code, self._returned.levels[code], self.stopped)
            )
            self._regions[code] = Region(edges)
        return self._regions[code]

    def places(self, locations: Iterable[int]) -> list[tuple[str, list[tuple[int, int]]]]:
        """Those of some locations that control can get to, with their numbers in the regions of their templates."""
        found: list[tuple[str, list[tuple[int, int]]]] = []
        for template, there in groupby(locations, self.program.template_of.__getitem__):
            place = self.region(template).place
            found.append((template, [(location, place[location]) for location in there if location in place]))
        return [(template, there) for template, there in found if there]

    def fill(self, row: Row, pack: int, template: str, places: Iterable[tuple[int, int]]) -> None:
        """Puts the nodes of a pack's own values at some `places` of a template in their row."""
        values = self._values_of(template, pack)
        starts, makers, nodes = values.starts, values.makers, values.nodes
        for location, number in places:
            maker = makers[bisect_right(starts, number) - 1]
            node = nodes.get(maker)
            row[location] = self._made_by(maker, pack, template, values) if node is None else node

    def value_at(self, pack: int, location: int, code: Code = "") -> int | None:
        """The node of a pack's own value at a location, in its template or some code; None where control cannot get to.

        In a body's own code that is what is defined there.
        """
        code = code or self.program.template_of[location]
        number = self.region(code).place.get(location)
        if number is None:
            return None
        values = self._values_of(code, pack)
        return self._made_by(values.maker(number), pack, code, values)

    def _made_by(self, maker: Vertex, pack: int, code: Code, values: Values) -> int:
        """The node of the value of a pack that a vertex makes."""
        if maker == ROOT:
            return self._root(pack, code)
        node = values.nodes.get(maker)
        if node is None:
            node = values.nodes[maker] = self._node_made_at(pack, code, maker)
        return node

    def _node_made_at(self, pack: int, code: Code, vertex: Vertex) -> int:
        if vertex < ROOT:
            return self._after_command(pack, code, vertex_of(vertex))
        node = self._add(Merge(pack, ()))
        self._unfilled.append((node, pack, code, vertex))
        return node

    def _values_of(self, code: Code, pack: int) -> Values:
        if (code, pack) not in self._values:
            self._values[code, pack] = self.region(code).values(self._makers(code, pack))
        return self._values[code, pack]

    def _makers(self, code: Code, pack: int) -> list[int]:
        """The commands behind which a pack's own value may be another one than in front of them."""
        if not isinstance(code, str):
            return self._returned.makers(pack, code)
        definitions = [c for c in self.sites.by_pack.get((code, pack), ()) if self._own_definition(c, pack)]
        if definitions:
            place = self.region(code).place
            definitions += (c for c in sorted(self._returned.told_apart(pack)) if vertex_of(c) in place)
        return definitions

    def _own_definition(self, command: int, pack: int, code: Code = "") -> bool:
        """Whether a command defines a pack for its own thread, in some code (a spawn's parameters are the child's)."""
        return pack in self.sites.own[command] if isinstance(code, str) else self._returned.is_definition(command, pack)

    def definition(self, command: int, pack: int) -> int:
        """The node of a definition."""
        if (command, pack) not in self.defined:
            self.defined[command, pack] = self._add(Defined(command, pack))
        return self.defined[command, pack]

    def _after_command(self, pack: int, code: Code, command: int) -> int:
        """The node of a pack's value behind a command that defines it, or that comes back from a call.

        A weak definition keeps what was there.
        """
        is_own = self._own_definition(command, pack, code)
        if is_own and self.sites.defines[command][pack]:
            return self.definition(command, pack)
        key = (code, pack, command)
        if key not in self._after:
            node = self._after[key] = self._add(Merge(pack, ()))
            (self._weak if is_own else self._back).append((node, pack, code, command))
        return self._after[key]

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def finish(self) -> None:
        """Fills every merge that was asked for, and those that these ask for."""
        while self._unfilled or self._entries or self._weak or self._back:
            while self._back:
                node, pack, code, command = self._back.pop()
                self.nodes[node] = self._coming_back(pack, code, command)
            while self._weak:
                node, pack, code, command = self._weak.pop()
                self.nodes[node] = Merge(pack, (self.definition(command, pack), self._before(pack, command, code)))
            while self._unfilled:
                node, pack, code, location = self._unfilled.pop()
                self.nodes[node] = self._merge(pack, tuple(self._inputs(pack, code, location)))
            while self._entries:
                node, pack, template = self._entries.pop()
                self.nodes[node] = self._merge(pack, tuple(self._entry_inputs(pack, template)))

    def _merge(self, pack: int, inputs: tuple[int, ...]) -> Merge:
        """A merge of some inputs; of many by way of others, so that a new value of one is joined with few of them."""
        while len(inputs) > MANY:
            parts = [inputs[start : start + _FEW] for start in range(0, len(inputs), _FEW)]
            inputs = tuple(self._add(Merge(pack, part)) for part in parts)
        return Merge(pack, inputs)

    def _inputs(self, pack: int, code: Code, location: int) -> Iterable[int]:
        if isinstance(code, str) and location == self.program.templates[code].entry:
            yield self._root(pack, code)
        place = self.region(code).place
        incoming: Sequence[int] = self.program.incoming[location]
        if len(incoming) >= MANY:
            yield from self._in_front_of_many(pack, code, location)
            incoming = [command for command in incoming if not self._is_plain(command)]
        for command in incoming:
            if vertex_of(command) in place:
                yield from self._behind(pack, code, command)

    def _is_plain(self, command: int) -> bool:
        """Whether all packs are behind a command what they were in front of it."""
        return not self.sites.defines[command] and not self._returned.comes_back(command)

    def _behind(self, pack: int, code: Code, command: int) -> Iterable[int]:
        """The node of a pack's value behind a command, none if control cannot get to it."""
        if self._own_definition(command, pack, code) or self._returned.tells(pack, code, command):
            yield self._after_command(pack, code, command)
        elif self._returned.is_from_call(code, command):
            yield from self._behind(pack, code, self._returned.call_of[command])
        elif (node := self.value_at(pack, self.program.commands[command].source, code)) is not None:
            yield node

    def _coming_back(self, pack: int, code: Code, back: int) -> Node:
        """The node of a pack's value behind a command that comes back from a call, and does not define it.

        Who comes back has made the call, and has got to the end of the body, where guards say what the value is.
        """
        inputs = tuple(self._returned_by(pack, code, back))
        is_narrowed = isinstance(code, str) and self._returned.is_narrowed(pack, back)
        if pack < len(self.packing.packs) and not is_narrowed:
            return Merge(pack, inputs)
        at_end = self.value_at(pack, self.program.commands[back].source)
        return Merge(pack, ()) if at_end is None or not inputs else Both(pack, (at_end, self._add(Merge(pack, inputs))))

    def _returned_by(self, pack: int, code: Code, back: int) -> Iterable[int]:
        """The nodes of which the value is one, but for whether the end of the body is reached."""
        returned, at_end = self._returned, self.program.commands[back].source
        if pack == len(self.packing.packs):
            yield from self._behind(pack, code, returned.call_of[back])
        elif returned.is_known(back):
            if returned.is_changed(pack, back):
                yield from _there(self.value_at(pack, at_end, returned.entry(back)))
            if returned.is_passing(pack, back):
                yield from self._behind(pack, code, returned.call_of[back])
        elif back in returned.call_of and not returned.is_changed(pack, back):
            yield from self._behind(pack, code, returned.call_of[back])
        else:
            yield from _there(self.value_at(pack, at_end))

    def _in_front_of_many(self, pack: int, code: Code, location: int) -> Iterable[int]:
        """The values of a pack in front of the commands to a location that define nothing.

        Where jumps lead from everywhere there are many of these, and few values.
        """
        place = self.region(code).place
        key = (code, location)
        if key not in self._many:
            plain = map(vertex_of, filter(self._is_plain, self.program.incoming[location]))
            self._many[key] = sorted(place[found] for found in plain if found in place)
        numbers, values = self._many[key], self._values_of(code, pack)
        ends = (*values.starts[1:], len(place))
        makers = (
            maker
            for start, end, maker in zip(values.starts, ends, values.makers, strict=True)
            if bisect_left(numbers, start) < bisect_left(numbers, end)
        )
        yield from (self._made_by(maker, pack, code, values) for maker in dict.fromkeys(makers))

    def _before(self, pack: int, command: int, code: Code = "") -> int:
        """The node of a pack's value before a command that control can get to.

        That of one that comes back to some code is the one where the body ends, whoever has called it.
        """
        is_back = bool(code) and self._returned.is_from_call(code, command)
        node = self.value_at(pack, self.program.commands[command].source, "" if is_back else code)
        assert node is not None
        return node

    def _root(self, pack: int, code: Code) -> int:
        """The node of a pack's value where some code begins; nothing has got into a body from there."""
        key = (code, pack)
        if key not in self._roots:
            node = self._roots[key] = self._add(Merge(pack, ()))
            if isinstance(code, str):
                self._entries.append((node, pack, code))
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


def _there(node: int | None) -> Iterable[int]:
    return () if node is None else (node,)
