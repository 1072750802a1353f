"""Data flow graphs: the own flows of each thread and the flows between threads found so far.

*Source*: thesis Def. 3.2.1, with pack-labelled edges as in 3.6.1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from duet.flow.arriving import Arriving
from duet.flow.certain import NOTHING, Certain
from duet.flow.effects import Effects, effects
from duet.flow.packs import Packing
from duet.flow.reaching import Defined, Initial, Merge, OwnFlows, modified_packs, own_flows
from duet.plip.accesses import cells_of
from duet.plip.syntax import Atom, Program

Connected: TypeAlias = Mapping[int, tuple[frozenset[int], ...]]


@dataclass(frozen=True)
class DataFlowGraph:
    """A data flow graph of a program.

    `used[command]` are the packs whose values before a command its result depends on, `defines[command]` those it
    defines (mapped to whether it kills). `wanted[pack]` are the locations where a pack's value matters.
    `inter[pack, location]` are the commands of other threads whose write of the pack may be the last one there.
    `certain` is what holds besides, whatever the flows; `connected[location]` are the packs that it connects there.
    """

    program: Program
    packing: Packing
    effects: tuple[Effects, ...]
    used: tuple[tuple[int, ...], ...]
    defines: tuple[Mapping[int, bool], ...]
    wanted: Mapping[int, frozenset[int]]
    own: OwnFlows
    inter: Arriving
    certain: Certain = field(default_factory=dict)
    connected: Connected = field(default_factory=dict)

    @property
    def own_size(self) -> int:
        """How many edges the factored own flows have: merges' inputs and wanted values."""
        merged = sum(len(node.inputs) for node in self.own.nodes if isinstance(node, Merge))
        return merged + len(self.own.at)

    def packs_written(self, command: int) -> Mapping[int, bool]:
        """The packs of which a command really writes a cell, each with whether it overwrites all of one."""
        written: dict[int, bool] = {}
        for cell in sorted(self.effects[command].writes):
            pack = self.packing.pack_of[cell]
            written[pack] = written.get(pack, False) or not self.program.cells[cell].summary
        return written

    @property
    def without_flows(self) -> DataFlowGraph:
        """This graph without flows between threads."""
        return replace(self, inter=nothing_arrives(self.program, self.wanted))

    def with_flows(self, flows: Mapping[tuple[int, int], frozenset[int]]) -> DataFlowGraph:
        """This graph and more flows between threads; the same object when there is nothing new."""
        found = self.inter.united(flows)
        return self if found is self.inter else replace(self, inter=found)

    def own_sources(self, pack: int, location: int) -> Iterator[Initial | Defined]:
        """The definitions `u` with an own flow `u =>pack location`, each once."""
        return self.own.sources(pack, location)


def sequential_dfg(
    program: Program,
    packing: Packing,
    observed: Collection[int],
    everywhere: bool = False,
    certain: Certain = NOTHING,
    stopped: Collection[int] = (),
) -> DataFlowGraph:
    """The graph of the own flows alone [Alg. 1, SequentialDFG].

    Requires: `observed` are the packs with a cell in an observable condition; these are wanted at every location. With
    `everywhere`, all packs are wanted wherever they are in scope. Nothing flows along `stopped` commands, which never
    pass in any execution.
    """
    command_effects = effects(program)
    defines = tuple(modified_packs(program, effect, packing, index) for index, effect in enumerate(command_effects))
    connected = _connected(packing, certain)
    used = tuple(
        with_equals(_used_packs(program, packing, effect), connected.get(command.source, ()))
        for command, effect in zip(program.commands, command_effects, strict=True)
    )
    locations = _wanted(program, packing, observed, everywhere, used, connected)
    own = own_flows(program, command_effects, packing, locations, stopped)
    inter = nothing_arrives(program, locations)
    return DataFlowGraph(program, packing, command_effects, used, defines, locations, own, inter, certain, connected)


def nothing_arrives(program: Program, wanted: Mapping[int, Collection[int]]) -> Arriving:
    """No flows between threads, yet, to the locations where packs are wanted."""
    return Arriving(wanted, 1 + max(program.template_of, default=0))


def _wanted(
    program: Program,
    packing: Packing,
    observed: Collection[int],
    everywhere: bool,
    used: tuple[tuple[int, ...], ...],
    connected: Connected,
) -> Mapping[int, frozenset[int]]:
    """The locations where each pack is wanted, as in `sequential_dfg`; packs wanted at all of them share one set."""
    all_locations = frozenset(program.template_of)
    owned: dict[str, set[int]] = {name: set() for name in program.templates}
    for location, name in program.template_of.items():
        owned[name].add(location)
    scopes: dict[str | None, frozenset[int]] = {name: frozenset(found) for name, found in owned.items()}
    scopes[None] = all_locations
    wanted: dict[int, set[int]] = {pack: set() for pack in range(len(packing.packs))}
    for index, packs in enumerate(used):
        for pack in packs:
            wanted[pack].add(program.commands[index].source)
    for command in program.commands:
        for cell in cells_of(command.accesses):
            if cell in packing.pack_of:
                wanted[packing.pack_of[cell]].add(command.source)
    for location, found in connected.items():
        for pack in with_equals(tuple(observed), found):
            wanted[pack].add(location)
    locations = {pack: frozenset(found) for pack, found in wanted.items()}
    for pack in range(len(packing.packs)) if everywhere else observed:
        scope = scopes[program.cells[packing.packs[pack][0]].template]
        locations[pack] = scope if locations[pack] <= scope else scope | locations[pack]
    return {**locations, len(packing.packs): all_locations}


def _connected(packing: Packing, certain: Certain) -> Connected:
    """The packs that each equality at a location connects."""
    known: dict[tuple[Atom, ...], tuple[frozenset[int], ...]] = {}
    pack_of = packing.pack_of
    for atoms in certain.values():
        if atoms not in known:
            packs = (frozenset(pack_of[cell] for cell, _ in atom.term.terms) for atom in atoms)
            known[atoms] = tuple(dict.fromkeys(packs))
    return {location: known[atoms] for location, atoms in certain.items()}


def with_equals(packs: tuple[int, ...], connected: tuple[frozenset[int], ...]) -> tuple[int, ...]:
    """The packs, those that equalities connect with them, those connected with these, and so on."""
    if not connected:
        return packs
    found = set(packs)
    while more := set[int]().union(*(both for both in connected if not both.isdisjoint(found))) - found:
        found |= more
    return tuple(sorted(found))


def _used_packs(program: Program, packing: Packing, effect: Effects) -> tuple[int, ...]:
    """What is read, guarded, or only partly overwritten."""
    pack_of = packing.pack_of
    cells = effect.reads | {cell for cell in effect.modifies - effect.writes if cell in pack_of}
    packs = {pack_of[cell] for cell in cells}
    packs |= {
        pack_of[cell]
        for cell in effect.writes
        if len(packing.packs[pack_of[cell]]) > 1 and not program.cells[cell].summary
    }
    return tuple(sorted(packs))
