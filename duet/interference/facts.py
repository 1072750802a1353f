"""Facts of the interference rules (`datalog/rules/schema.dl`) for a system and its graphs of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from datalog.relation import Row
from duet.interference.access import Access
from duet.interference.compress import BlockGraph
from duet.interference.system import INSIDE, System


@dataclass(slots=True)
class _Classes:
    """Numbers for sets of conditions, in order of first use."""

    numbers: dict[int, int] = field(default_factory=dict)

    def __getitem__(self, conditions: int) -> int:
        return self.numbers.setdefault(conditions, len(self.numbers))


def _enabled(guards: _Classes, signatures: _Classes) -> list[Row]:
    """Which guard classes can run beside which signatures: those that share no condition."""
    return [
        (k, t) for refused, k in guards.numbers.items() for held, t in signatures.numbers.items() if not refused & held
    ]


@dataclass(frozen=True, slots=True)
class PairFacts:
    """The facts about pairs; `block` numbers the block of each location."""

    block: Mapping[int, int]
    relations: Mapping[str, list[Row]]


def pair_facts(system: System, graph: BlockGraph) -> PairFacts:
    """The facts that `coreachable.dl` reads, and the block numbers that they use."""
    numbers = {head: i for i, head in enumerate(graph.heads)}
    block = {location: numbers[graph.head_of[location]] for location in system.holds}
    guards, signatures = _Classes(), _Classes()
    steps = dict.fromkeys(
        (block[move.source], block[move.target], guards[move.refused])
        for move in system.moves
        if move.target in numbers and block[move.source] != block[move.target]
    )
    refused = [0] * len(numbers)
    for move in system.moves:
        refused[block[move.source]] |= move.refused
    held = [system.holds[head] for head in graph.heads]
    relations: dict[str, list[Row]] = {
        "cstart": [(block[a], block[b]) for a, b in system.starts],
        "cstep": list(steps),
        "csig": [(b, signatures[known]) for b, known in enumerate(held)],
        "refusing": [(b, c) for b, known in enumerate(refused) for c in _members(known)],
        "holding": [(b, c) for b, known in enumerate(held) for c in _members(known)],
    }
    relations["cen"] = _enabled(guards, signatures)
    return PairFacts(block, relations)


def _members(conditions: int) -> Iterable[int]:
    while conditions:
        low = conditions & -conditions
        yield low.bit_length() - 1
        conditions ^= low


@dataclass(frozen=True, slots=True)
class FlowFacts:
    """The facts about definitions; `definitions[v]` is `(pack, command)`, `members[b]` the wanted locations in b."""

    definitions: tuple[tuple[int, int], ...]
    members: tuple[tuple[int, ...], ...]
    relations: Mapping[str, list[Row]]


def flow_facts(
    system: System,
    pairs: PairFacts,
    graphs: Mapping[int, BlockGraph],
    accesses: Mapping[int, Access],
    wanted: Mapping[int, frozenset[int]],
) -> FlowFacts:
    """The facts that `may_reach.dl` reads beside those of `pairs`, for each pack that has a graph."""
    names = ("vdef", "vblock", "vwriter", "vreader", "vsig", "outside", "wanted")
    relations: dict[str, list[Row]] = {name: [] for name in names}
    guards, signatures = _Classes(), _Classes()
    definitions: dict[tuple[int, int], int] = {}
    members: list[tuple[int, ...]] = []
    for pack, graph in graphs.items():
        first = len(members)
        numbers = {head: first + i for i, head in enumerate(graph.heads)}
        inhabitants: dict[int, list[int]] = {head: [] for head in graph.heads}
        for location in wanted[pack]:
            if location in system.holds:
                inhabitants[graph.head_of[location]].append(location)
        for head, number in numbers.items():
            held = system.holds[head]
            members.append(tuple(inhabitants[head]))
            relations["vblock"].append((pack, pairs.block[head], number))
            relations["vsig"].append((number, signatures[held]))
            if not held & INSIDE:
                relations["outside"].append((number,))
            if inhabitants[head]:
                relations["wanted"].append((number,))
        access = accesses[pack]
        writer, reader = dict[Row, None](), dict[Row, None]()
        for move in graph.visible:
            source, target = numbers[graph.head_of[move.source]], numbers[move.target]
            k = guards[move.refused]
            if not move.follows and move.command in access.writes:
                v = definitions.setdefault((pack, move.command), len(definitions))
                relations["vdef"].append((v, pack, pairs.block[move.source], target, k))
            if source != target and not move.follows and move.command not in access.overwrites:
                writer[(source, target, k)] = None
            if source != target and move.command not in access.kills:
                reader[(source, target, k)] = None
        relations["vwriter"] += writer
        relations["vreader"] += reader
    relations["ven"] = _enabled(guards, signatures)
    return FlowFacts(tuple(definitions), tuple(members), relations)
