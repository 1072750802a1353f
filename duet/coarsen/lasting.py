"""Which definitions can be the last ones of a pack, as bits that two lineages of threads carry along.

There are two kinds of sets. The reader's own flows: definitions by its lineage, guards included, that the tracked
lineage has not overwritten since; they are the edges of a data flow graph. And the last writes: real writes by either
lineage after which neither has written again; a guard changes no value, so it ends none. The value of a pack at a
location is what its last write gave it, and that write is in this set or was made by a third thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from duet.absint.state import State, Value
from duet.coarsen.lineages import Lineages
from duet.coarsen.tracked import Mask, Tracked
from duet.flow.dfg import DataFlowGraph

INITIAL = -1
"""Stands for the initial value among the commands that define a pack."""


class Writes:
    """The bits of one graph for one tracked lineage.

    `own[pack]` and `last[pack]` map commands (or INITIAL) to bits: of the reader's own flows, for packs that the
    tracked lineage overwrites, and of the last writes, for these and for those that guards are about.
    """

    def __init__(self, graph: DataFlowGraph, lineages: Lineages, tracked: Tracked) -> None:
        self.graph = graph
        self.lineages = lineages
        self.tracked = tracked
        overwritten = {pack for name in tracked.chain for pack in self._overwritten(name)}
        packs = (overwritten | lineages.guarded) & lineages.common
        self._free = 0
        self.own: Mapping[int, Mapping[int, int]] = {
            pack: self._numbered(lineages.definers[pack]) for pack in sorted(overwritten & packs)
        }
        self.last: Mapping[int, Mapping[int, int]] = {
            pack: self._numbered(lineages.writers.get(pack, ())) for pack in sorted(packs)
        }
        self.initial = sum(1 << bits[INITIAL] for bits in (*self.own.values(), *self.last.values()))
        self._own_bits = {pack: _union(bits.values()) for pack, bits in self.own.items()}
        self._last_bits = {pack: _union(bits.values()) for pack, bits in self.last.items()}
        self.split = reduce(or_, (self._last_bits[pack] for pack in lineages.guarded if pack in self.last), 0)
        """The last writes of packs that guards are about: flags, turns and locks."""
        self.writes: Mapping[int, int] = {
            command: _union(self.last[pack][command] for pack in found if pack in self.last)
            for command, found in enumerate(lineages.written)
            if any(pack in self.last for pack in found)
        }
        self.by_reader: Mapping[int, Mask] = dict(self._masks(by_reader=True))
        self.by_tracked: Mapping[int, Mask] = dict(self._masks(by_reader=False))
        self._by_template = {name: self._added(template.commands) for name, template in graph.program.templates.items()}
        self._decoded: dict[int, frozenset[int]] = {0: frozenset()}
        self._values: dict[tuple[int, int], Value | None] = {}
        self._passing: dict[tuple[int, int], tuple[State, bool]] = {}

    def _numbered(self, commands: Iterable[int]) -> dict[int, int]:
        bits = {command: self._free + place for place, command in enumerate((INITIAL, *commands))}
        self._free += len(bits)
        return bits

    def _overwritten(self, template: str) -> Iterator[int]:
        for command in self.graph.program.templates[template].commands:
            for pack, is_strong in self.lineages.written[command].items():
                if is_strong:
                    yield pack

    def _added(self, commands: Iterable[int]) -> int:
        return reduce(or_, (self.writes[command] for command in commands if command in self.writes), 0)

    def _masks(self, by_reader: bool) -> Iterator[tuple[int, Mask]]:
        for command, defines in enumerate(self.graph.defines):
            killed = added = 0
            for pack, is_strong in self.lineages.written[command].items():
                if pack in self.last:
                    killed |= self._last_bits[pack] if is_strong else 0
                    added |= 1 << self.last[pack][command]
                if is_strong and not by_reader:
                    killed |= self._own_bits.get(pack, 0)
            for pack, kills in defines.items():
                if by_reader and pack in self.own:
                    killed |= self._own_bits[pack] if kills else 0
                    added |= 1 << self.own[pack][command]
            if killed or added:
                yield command, (~killed, added)

    def _about(self, command: int) -> list[int]:
        """The packs of which the last writes may refuse a command."""
        used = self.lineages.invariants.graph.used[command] if self.lineages.guards[command] else ()
        return [pack for pack in used if pack in self.last]

    def asked(self, command: int) -> int:
        """The last writes that may refuse a command."""
        return reduce(or_, (self._last_bits[pack] for pack in self._about(command)), 0)

    def passes(self, command: int, state: State, held: int) -> bool:
        """Whether the values of the last writes, `held` of those asked, let a command pass in a state."""
        known = self._passing.get((id(state), held))
        if known is None:
            # The state, which is of one command, is kept with the answer, so that no other one gets its identity.
            known = self._passing[id(state), held] = (state, self._can_pass(command, state, held))
        return known[1]

    def _can_pass(self, command: int, state: State, held: int) -> bool:
        domain = self.lineages.invariants.space.domain
        narrowed = dict(state)
        for pack in self._about(command):
            if pack in state:
                value = self._value(pack, held & self._last_bits[pack])
                if value is None:
                    return False
                narrowed[pack] = domain.meet(state[pack], value)
                if domain.is_bottom(narrowed[pack]):
                    return False
        return self.lineages.passes(command, narrowed)

    def _value(self, pack: int, bits: int) -> Value | None:
        """The join of the values that writes give a pack; None if there is none."""
        if (pack, bits) not in self._values:
            invariants = self.lineages.invariants
            initial = invariants.space.initial(pack)
            values = [
                initial if command == INITIAL else invariants.solution.definition(command, pack)
                for command, bit in self.last[pack].items()
                if bits >> bit & 1
            ]
            known = {id(value): value for value in values if value is not None}
            self._values[pack, bits] = reduce(invariants.space.domain.join, known.values()) if known else None
        return self._values[pack, bits]

    def own_flows(self, held: int, pack: int) -> frozenset[int]:
        """The commands (or INITIAL) among the reader's own flows of a pack."""
        return self._commands(self.own[pack], held & self._own_bits[pack])

    def last_writes(self, held: int, pack: int) -> frozenset[int]:
        """The commands (or INITIAL) that can be a pack's last writes."""
        return self._commands(self.last[pack], held & self._last_bits[pack])

    def _commands(self, bits: Mapping[int, int], held: int) -> frozenset[int]:
        """The commands with a bit that is held; bits tell packs apart, and all held ones are among these."""
        if held not in self._decoded:
            self._decoded[held] = frozenset(command for command, bit in bits.items() if held >> bit & 1)
        return self._decoded[held]

    def third(self, reader: str, is_begun: bool) -> Mapping[str, int]:
        """What threads in neither lineage may add, by template.

        The one instance of an ancestor counts once both lineages have left it: what it can still do after the spawns
        that lead away from it.
        """
        found: dict[str, int] = {}
        ones = self.lineages.ones
        for name, added in self._by_template.items():
            is_followed = name == self.tracked.template or (name == reader and name in ones)
            if not added or is_followed or (not is_begun and name in self.tracked.later):
                continue
            is_passed = name in self.tracked.chain or self._leads_all(name, reader)
            found[name] = self._added(self.after_leaving(name, reader)) if name in ones and is_passed else added
        return found

    def _leads_all(self, name: str, reader: str) -> bool:
        """Whether every lineage of a template passes through another template."""
        return reader not in self.lineages.before(name)

    def after_leaving(self, name: str, reader: str) -> Iterator[int]:
        """The commands of a template that can follow its spawns towards the tracked template or the reader's."""
        program = self.graph.program
        left = self.lineages.after_spawns(name, self.tracked.template) | self.lineages.after_spawns(name, reader)
        return (index for index in program.templates[name].commands if program.commands[index].source in left)


def _union(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)
