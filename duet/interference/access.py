"""Which commands write and kill each pack of global cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from duet.flow.effects import Effects
from duet.flow.packs import Packing
from duet.plip.syntax import Program


@dataclass(frozen=True, slots=True)
class Access:
    """What a pack's record goes through, as sets of commands.

    `writes`: a cell is really written, so others can see it. `overwrites`: the writes that end what was there before
    (all but the weak ones). `kills`: what ends it in the reader's own flow, its guards included.
    """

    writes: frozenset[int]
    overwrites: frozenset[int]
    kills: frozenset[int]


def accesses(program: Program, command_effects: Sequence[Effects], packing: Packing) -> Mapping[int, Access]:
    """The accesses of every pack of global cells, by index of the pack."""
    pack_of = {cell: packing.pack_of[cell] for cell in program.globals if cell in packing.pack_of}
    writes: dict[int, set[int]] = defaultdict(set)
    kills: dict[int, set[int]] = defaultdict(set)
    for command, effect in enumerate(command_effects):
        for cells, commands in ((effect.writes, writes), (effect.kills, kills)):
            for cell in cells:
                if cell in pack_of:
                    commands[pack_of[cell]].add(command)
    result: dict[int, Access] = {}
    for index, pack in enumerate(packing.packs):
        if all(program.cells[cell].template is None for cell in pack):
            written = frozenset(writes[index])
            is_weak = any(program.cells[cell].summary for cell in pack)
            result[index] = Access(written, frozenset() if is_weak else written, frozenset(kills[index]))
    return result
