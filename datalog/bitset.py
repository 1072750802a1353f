"""The judgments of the interference rules computed directly, with rows of relations as bits of Python numbers.

A second implementation of `rules/coreachable.dl` and `rules/may_reach.dl` that reads no rules, so that an engine and
this module check each other. It is also fast and needs no other program.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from datalog.engine import EngineFailure
from datalog.relation import Facts, Relations, Row, checked
from datalog.syntax import Rules, restricted

_JUDGMENTS = ("coreach", "meets", "flow")


@dataclass(frozen=True, slots=True)
class Bitset:
    """The embedded evaluator; it knows the interference judgments only."""

    @property
    def name(self) -> str:
        return "bitset"

    def version(self) -> str:
        return ""

    def run(self, rules: Rules, facts: Facts, outputs: Sequence[str], timeout: float | None = None) -> Relations:
        if not set(_JUDGMENTS).issuperset(outputs):
            raise EngineFailure(f"the bitset engine computes only {', '.join(_JUDGMENTS)}")
        given = checked(restricted(rules, outputs), facts)
        deadline = None if timeout is None else time.monotonic() + timeout
        coreach = coreachable(given, deadline)
        results: dict[str, frozenset[Row]] = {}
        for output in outputs:
            if output == "coreach":
                results[output] = frozenset((a, b) for a, row in coreach.items() for b in bits(row))
            elif output == "meets":
                results[output] = _meets(given, coreach)
            else:
                results[output] = _flows(given, coreach, deadline)
        return results


def bits(row: int) -> Iterator[int]:
    """The positions of the bits of `row`, ascending."""
    text = bin(row)[:1:-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)


def coreachable(facts: Facts, deadline: float | None = None) -> Mapping[int, int]:
    """`coreach(a, b)` as bit b of the number for a.

    *Source*: Fig. 3.4, as a worklist of new pairs; `pending[a]` are the bits of row a that no step has seen yet.
    """
    enabled = _enabled(facts["cen"], facts["csig"])
    steps = _successors(facts["cstep"])
    rows: dict[int, int] = defaultdict(int)
    pending: dict[int, int] = defaultdict(int)

    def add(a: int, new: int) -> None:
        new &= ~rows[a]
        if not new:
            return
        rows[a] |= new
        pending[a] |= new
        mirrored = 1 << a
        for b in bits(new):
            if not rows[b] & mirrored:
                rows[b] |= mirrored
                pending[b] |= mirrored

    for a, b in facts["cstart"]:
        add(a, 1 << b)
    while pending:
        _check(deadline)
        source, new = pending.popitem()
        for target, k in steps.get(source, ()):
            add(target, new & enabled.get(k, 0))
    return rows


def _check(deadline: float | None) -> None:
    if deadline is not None and time.monotonic() > deadline:
        raise EngineFailure("the bitset engine ran out of time", timed_out=True)


def _enabled(
    allowed: Iterable[Row], signatures: Iterable[Row], place: Mapping[int, int] | None = None
) -> dict[int, int]:
    """The blocks beside which a step of each guard class can be taken; bit `place[b]` (or b itself) is block b."""
    blocks: dict[int, int] = defaultdict(int)
    for block, t in signatures:
        if place is None:
            blocks[t] |= 1 << block
        elif block in place:
            blocks[t] |= 1 << place[block]
    result: dict[int, int] = defaultdict(int)
    for k, t in allowed:
        result[k] |= blocks.get(t, 0)
    return result


def _successors(steps: Iterable[Row]) -> dict[int, list[tuple[int, int]]]:
    """`(target, guard class)` of the steps from each block."""
    result: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for source, target, k in steps:
        result[source].append((target, k))
    return result


def _meets(facts: Facts, coreach: Mapping[int, int]) -> frozenset[Row]:
    beside: dict[int, int] = defaultdict(int)
    for block, c in facts["refusing"]:
        beside[c] |= coreach.get(block, 0)
    return frozenset((c,) for block, c in facts["holding"] if beside[c] >> block & 1)


@dataclass(slots=True)
class _Pack:
    """What concerns one pack; bit i of its rows is its i-th block.

    `outer[i]` is the block of the graph for pairs that contains block i, `reached` remembers the closures of readers.
    """

    outer: list[int]
    enabled: dict[int, int]
    signature: list[int]
    readers: list[list[tuple[int, int]]]
    writers: list[list[tuple[int, int]]]
    outside: int
    wanted: int
    reached: dict[int, list[int]] = field(default_factory=dict)
    closed: dict[tuple[int, int], int] = field(default_factory=dict)


def _flows(facts: Facts, coreach: Mapping[int, int], deadline: float | None) -> frozenset[Row]:
    definitions: dict[int, dict[Row, list[int]]] = defaultdict(lambda: defaultdict(list))
    for v, x, source, target, k in facts["vdef"]:
        definitions[x][(source, target, k)].append(v)
    blocks: dict[int, list[Row]] = defaultdict(list)
    for x, outer, block in facts["vblock"]:
        blocks[x].append((outer, block))
    tables = _Tables(facts)
    found: set[Row] = set()
    for x, classes in sorted(definitions.items()):
        numbers = [block for _, block in blocks[x]]
        place = {block: i for i, block in enumerate(numbers)}
        pack = tables.pack(blocks[x], place)
        starts: dict[int, int] = {}
        for (source, target, k), names in classes.items():
            _check(deadline)
            if source not in starts:
                row = coreach.get(source, 0)
                starts[source] = sum(1 << i for i, outer in enumerate(pack.outer) if row >> outer & 1)
            reached = _reached_by(pack, place[target], starts[source] & pack.enabled.get(k, 0)) & pack.wanted
            found.update((v, numbers[i]) for i in bits(reached) for v in names)
    return frozenset(found)


@dataclass(slots=True)
class _Tables:
    """The facts about all packs, indexed once."""

    facts: Facts
    allowed: dict[int, list[int]] = field(init=False)
    signature: dict[int, int] = field(init=False)
    readers: dict[int, list[tuple[int, int]]] = field(init=False)
    writers: dict[int, list[tuple[int, int]]] = field(init=False)
    outside: frozenset[int] = field(init=False)
    wanted: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self.allowed = defaultdict(list)
        for k, t in self.facts["ven"]:
            self.allowed[t].append(k)
        self.signature = {row[0]: row[1] for row in self.facts["vsig"]}
        self.readers = _successors(self.facts["vreader"])
        self.writers = _successors(self.facts["vwriter"])
        self.outside = frozenset(block for (block,) in self.facts["outside"])
        self.wanted = frozenset(block for (block,) in self.facts["wanted"])

    def pack(self, blocks: Sequence[Row], place: Mapping[int, int]) -> _Pack:
        signature = [self.signature[block] for _, block in blocks]
        by_signature: dict[int, int] = defaultdict(int)
        for i, t in enumerate(signature):
            by_signature[t] |= 1 << i
        enabled: dict[int, int] = defaultdict(int)
        for t, row in by_signature.items():
            for k in self.allowed.get(t, ()):
                enabled[k] |= row

        def local(steps: Mapping[int, list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
            return [[(place[target], k) for target, k in steps.get(block, ())] for _, block in blocks]

        def row_of(members: frozenset[int]) -> int:
            return sum(1 << i for i, (_, block) in enumerate(blocks) if block in members)

        return _Pack(
            [outer for outer, _ in blocks],
            enabled,
            signature,
            local(self.readers),
            local(self.writers),
            row_of(self.outside),
            row_of(self.wanted),
        )


def _reached_by(pack: _Pack, target: int, start: int) -> int:
    """The blocks where a reader may see a definition that leads its writer to `target` beside readers at `start`."""
    rows: dict[int, int] = {}
    work = [(target, start)]
    seen = 0
    while work:
        at, new = work.pop()
        old = rows.get(at, 0)
        if not new & ~old:
            continue
        row = rows[at] = _closed(pack, pack.signature[at], old | new)
        if pack.outside >> at & 1:
            seen |= row
        for successor, k in pack.writers[at]:
            work.append((successor, row & pack.enabled.get(k, 0)))
    return seen


def _closed(pack: _Pack, t: int, row: int) -> int:
    """`row` with all that readers can reach from it while the writer stays at a block of signature t."""
    known = pack.closed.get((t, row))
    if known is not None:
        return known
    if t not in pack.reached:
        pack.reached[t] = _reachable(pack, t)
    reached, result, rest = pack.reached[t], 0, row
    while rest:
        result |= reached[rest.bit_length() - 1]
        rest &= ~result
    pack.closed[(t, row)] = result
    return result


def _reachable(pack: _Pack, t: int) -> list[int]:
    """For each block, the blocks that a reader there can reach while the writer stays at a block of signature t."""
    mask = next(1 << i for i, found in enumerate(pack.signature) if found == t)
    successors = [[target for target, k in steps if pack.enabled.get(k, 0) & mask] for steps in pack.readers]
    result = [1 << i for i in range(len(successors))]
    order = _postorder(successors)
    changed = True
    while changed:
        changed = False
        for i in order:
            row = result[i]
            for target in successors[i]:
                row |= result[target]
            if row != result[i]:
                result[i] = row
                changed = True
    return result


def _postorder(successors: Sequence[Sequence[int]]) -> list[int]:
    """All nodes, each after its successors where there is no cycle."""
    order: list[int] = []
    seen = [False] * len(successors)
    for root in range(len(successors)):
        if seen[root]:
            continue
        seen[root] = True
        stack = [(root, iter(successors[root]))]
        while stack:
            node, rest = stack[-1]
            following = next((target for target in rest if not seen[target]), None)
            if following is None:
                order.append(node)
                stack.pop()
            else:
                seen[following] = True
                stack.append((following, iter(successors[following])))
    return order
