"""Facts of the interference rules (`datalog/rules/schema.dl`) for a system and its graphs of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from datalog.relation import Row
from duet.interference.access import Access
from duet.interference.compress import BlockGraph, unsettled
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
    block = {location: numbers[graph.head(location)] for location in system.holds}
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


@dataclass(slots=True)
class _Collector:
    """Facts about packs, collected pack by pack; blocks and definitions are numbered in order of first use."""

    system: System
    pairs: PairFacts
    guards: _Classes = field(default_factory=_Classes)
    signatures: _Classes = field(default_factory=_Classes)
    definitions: dict[tuple[int, int], int] = field(default_factory=dict)
    members: list[tuple[int, ...]] = field(default_factory=list)
    relations: dict[str, list[Row]] = field(
        default_factory=lambda: {
            name: [] for name in ("vdef", "vblock", "vwriter", "vreader", "vsig", "outside", "wanted")
        }
    )

    def add(self, pack: int, graph: BlockGraph, access: Access, wanted: frozenset[int], *, reduce: bool) -> None:
        numbers = {head: len(self.members) + i for i, head in enumerate(graph.heads)}
        inhabitants: dict[int, list[int]] = {}
        for location in wanted:
            if location in self.system.holds:
                inhabitants.setdefault(graph.head(location), []).append(location)
        holds: dict[int, int] = {}
        for head, number in numbers.items():
            held = holds[number] = self.system.holds[head]
            self.members.append(tuple(inhabitants.get(head, ())))
            self.relations["vblock"].append((pack, self.pairs.block[head], number))
            self.relations["vsig"].append((number, self.signatures[held]))
            if not held & INSIDE:
                self.relations["outside"].append((number,))
            if head in inhabitants:
                self.relations["wanted"].append((number,))
        known = len(self.relations["vdef"])
        writers, readers = self._steps(pack, graph, access, numbers)
        if reduce:
            writers = _hindering(writers, holds, {row[3] for row in self.relations["vdef"][known:]})
        self.relations["vwriter"] += writers
        self.relations["vreader"] += readers

    def _steps(
        self, pack: int, graph: BlockGraph, access: Access, numbers: Mapping[int, int]
    ) -> tuple[list[Row], list[Row]]:
        """The steps of writers and of readers; the definitions go to the collection."""
        writers, readers = dict[Row, None](), dict[Row, None]()
        for move in graph.visible:
            step = source, target, k = numbers[graph.head(move.source)], numbers[move.target], self.guards[move.refused]
            if not move.follows and move.command in access.writes:
                v = self.definitions.setdefault((pack, move.command), len(self.definitions))
                self.relations["vdef"].append((v, pack, self.pairs.block[move.source], target, k))
            if source == target:
                continue
            if not move.follows and move.command not in access.overwrites:
                writers[step] = None
            if move.command not in access.kills:
                readers[step] = None
        return list(writers), list(readers)


def _hindering(writers: list[Row], holds: Mapping[int, int], starts: Iterable[int]) -> list[Row]:
    """The steps of writers that can make a difference to some reader."""
    successors: dict[int, list[int]] = {}
    for source, target, _ in writers:
        successors.setdefault(source, []).append(target)
    leaving = unsettled(successors, holds, starts)
    return [step for step in writers if step[0] in leaving]


def flow_facts(
    system: System,
    pairs: PairFacts,
    graphs: Mapping[int, BlockGraph],
    accesses: Mapping[int, Access],
    wanted: Mapping[int, frozenset[int]],
    *,
    reduce: bool,
) -> FlowFacts:
    """The facts that `may_reach.dl` reads beside those of `pairs`, for each pack that has a graph.

    With `reduce`, writers stay where it makes no difference to anyone that they do.
    """
    facts = _Collector(system, pairs)
    for pack, graph in graphs.items():
        facts.add(pack, graph, accesses[pack], wanted[pack], reduce=reduce)
    facts.relations["ven"] = _enabled(facts.guards, facts.signatures)
    return FlowFacts(tuple(facts.definitions), tuple(facts.members), facts.relations)
