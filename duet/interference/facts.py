"""Facts of the interference rules (`datalog/rules/schema.dl`) for a system and its graphs of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from datalog.relation import Row
from duet.interference.access import Access
from duet.interference.compress import BlockGraph, unsettled
from duet.interference.system import INSIDE, System

_FLOW_RELATIONS = ("vdef", "vblock", "vwriter", "vreader", "vsig", "outside", "wanted")


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
    """The facts about definitions.

    `definitions[v]` is `(pack, commands)`: commands that no reader can tell apart are one definition.
    `members[b]` are the wanted locations in block b.
    """

    definitions: tuple[tuple[int, tuple[int, ...]], ...]
    members: tuple[tuple[int, ...], ...]
    relations: Mapping[str, list[Row]]


@dataclass(slots=True)
class _Steps:
    """What the visible moves of a pack's graph are to it: `writes` are `(command, source location, target, k)`."""

    writes: list[tuple[int, int, int, int]] = field(default_factory=list)
    writers: dict[Row, None] = field(default_factory=dict)
    readers: dict[Row, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Collector:
    """Facts about packs, collected pack by pack; blocks and definitions are numbered in order of first use."""

    system: System
    pairs: PairFacts
    guards: _Classes = field(default_factory=_Classes)
    signatures: _Classes = field(default_factory=_Classes)
    definitions: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    members: list[tuple[int, ...]] = field(default_factory=list)
    relations: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in _FLOW_RELATIONS})

    def add(self, pack: int, graph: BlockGraph, access: Access, wanted: frozenset[int], *, reduce: bool) -> None:
        numbers = {head: len(self.members) + i for i, head in enumerate(graph.heads)}
        holds = {number: self.system.holds[head] for head, number in numbers.items()}
        inhabitants: dict[int, list[int]] = {number: [] for number in holds}
        for location in wanted:
            if location in self.system.holds:
                inhabitants[numbers[graph.head(location)]].append(location)
        self.members += [tuple(found) for found in inhabitants.values()]
        asked = {number for number, found in inhabitants.items() if found}
        steps = self._steps(graph, access, numbers)
        audience = _leading_to(asked, steps.readers) if reduce else set(holds)
        arrivals = {target for _, _, target, _ in steps.writes}
        writers = _hindering(steps.writers, holds, arrivals) if reduce else list(steps.writers)
        places = _places(writers, holds, sorted(arrivals)) if reduce else {number: number for number in holds}
        self._define(pack, steps, places)
        stages = set(places.values()) | {source for source, _, _ in writers}
        known = audience | stages
        self.relations["vwriter"] += dict.fromkeys((source, places[target], k) for source, target, k in writers)
        self.relations["vreader"] += [step for step in steps.readers if step[1] in audience]
        self.relations["vblock"] += [(pack, self.pairs.block[h], b) for h, b in numbers.items() if b in audience]
        self.relations["vsig"] += [(b, self.signatures[held]) for b, held in holds.items() if b in known]
        self.relations["outside"] += [(b,) for b in sorted(stages) if not holds[b] & INSIDE]
        self.relations["wanted"] += [(b,) for b in sorted(asked)]

    def _steps(self, graph: BlockGraph, access: Access, numbers: Mapping[int, int]) -> _Steps:
        found = _Steps()
        for move in graph.visible:
            step = source, target, k = numbers[graph.head(move.source)], numbers[move.target], self.guards[move.refused]
            if not move.follows and move.command in access.writes:
                found.writes.append((move.command, move.source, target, k))
            if source != target and not move.follows and move.command not in access.overwrites:
                found.writers[step] = None
            if source != target and move.command not in access.kills:
                found.readers[step] = None
        return found

    def _define(self, pack: int, steps: _Steps, places: Mapping[int, int]) -> None:
        """Writes from one block for pairs to one place, refused by the same, are one definition."""
        classes: dict[Row, list[int]] = {}
        for command, source, target, k in steps.writes:
            classes.setdefault((self.pairs.block[source], places[target], k), []).append(command)
        for (source, target, k), commands in classes.items():
            self.relations["vdef"].append((len(self.definitions), pack, source, target, k))
            self.definitions.append((pack, tuple(commands)))


def _leading_to(asked: Set[int], steps: Iterable[Row]) -> set[int]:
    """The blocks from which a reader can come to a block of `asked`; what it sees elsewhere is of no interest."""
    before: dict[int, list[int]] = {}
    for source, target, _ in steps:
        before.setdefault(target, []).append(source)
    found, work = set(asked), list(asked)
    while work:
        for source in before.get(work.pop(), ()):
            if source not in found:
                found.add(source)
                work.append(source)
    return found


def _hindering(writers: Iterable[Row], holds: Mapping[int, int], starts: Iterable[int]) -> list[Row]:
    """The steps of writers that can make a difference to some reader."""
    successors: dict[int, list[int]] = {}
    for source, target, _ in writers:
        successors.setdefault(source, []).append(target)
    leaving = unsettled(successors, holds, starts)
    return [step for step in writers if step[0] in leaving]


def _places(writers: Iterable[Row], holds: Mapping[int, int], starts: Iterable[int]) -> Mapping[int, int]:
    """Where a writer that comes to a block may as well be, given the steps that it needs to take.

    At a block that it need not leave only the conditions known there matter, so one such block stands for all.
    """
    leaving = {source for source, _, _ in writers}
    same: dict[int, int] = {}
    arriving = dict.fromkeys((*starts, *(target for _, target, _ in writers)))
    return {block: block if block in leaving else same.setdefault(holds[block], block) for block in arriving}


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
