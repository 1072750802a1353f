"""The judgments of the rules computed directly, with rows of relations as bits of Python numbers.

A second implementation of `rules/coreachable.dl` and `rules/may_reach.dl` that reads no rules, so that an engine and
this module check each other. It is also fast and needs no other program. For `rules/points_to.dl` see `inclusion`.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from datalog.engine import EngineFailure
from datalog.inclusion import calls, points_to
from datalog.relation import Facts, Relations, Row, checked
from datalog.syntax import Rules, restricted

_JUDGMENTS = ("coreach", "meets", "flow")
_POINTING = ("points", "calls")
# Turning pairs around one by one takes about this many times as long as a place of the whole square.
_DENSE = 20


@dataclass(frozen=True, slots=True)
class Pointing:
    """What pointers point to: by node, and by call, the objects as bits of a number."""

    points: Mapping[int, int]
    calls: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Bitset:
    """The embedded evaluator; it knows the judgments of interference and of pointers only."""

    @property
    def name(self) -> str:
        return "bitset"

    def version(self) -> str:
        return ""

    def run(self, rules: Rules, facts: Facts, outputs: Sequence[str], timeout: float | None = None) -> Relations:
        is_pointing = set(_POINTING).issuperset(outputs)
        if not is_pointing and not set(_JUDGMENTS).issuperset(outputs):
            known = (*_JUDGMENTS, *_POINTING)
            raise EngineFailure(f"the bitset engine computes only {', '.join(known)}, each kind by itself")
        given = checked(restricted(rules, outputs), facts)
        deadline = None if timeout is None else time.monotonic() + timeout
        if is_pointing:
            return _pointing(given, outputs, deadline)
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

    def points_to(self, rules: Rules, facts: Facts, timeout: float | None = None) -> Pointing:
        """As `run` for `points` and `calls`, as sets: rows would be millions where pointers are not known."""
        given = checked(restricted(rules, _POINTING), facts)
        points = points_to(given, None if timeout is None else time.monotonic() + timeout)
        found: dict[int, int] = defaultdict(int)
        for site, function in calls(given, points):
            found[site] |= 1 << function
        return Pointing(points, found)


def _pointing(facts: Facts, outputs: Sequence[str], deadline: float | None) -> Relations:
    found = points_to(facts, deadline)
    results: dict[str, frozenset[Row]] = {}
    for output in outputs:
        if output == "points":
            results[output] = frozenset((node, of) for node, row in found.items() for of in bits(row))
        else:
            results[output] = calls(facts, found)
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

    *Source*: Fig. 3.4, in rounds: all steps of one lineage, then the pairs found are turned around. `pending[a]` are
    the bits of row a that no step has seen yet, `fresh[a]` those that are not turned around yet.
    """
    enabled = _beside(facts["cen"], facts["csig"])
    steps = _successors(facts["cstep"])
    rows: dict[int, int] = defaultdict(int)
    pending: dict[int, int] = {}
    fresh: dict[int, int] = defaultdict(int)
    for a, b in facts["cstart"]:
        fresh[a] |= 1 << b
        rows[a] |= 1 << b
        pending[a] = rows[a]
    while pending or fresh:
        while pending:
            _check(deadline)
            # blocks are numbered along the program, so going upwards visits most of them once
            for source in sorted(pending):
                new = pending.pop(source)
                for target, k in steps.get(source, ()):
                    added = new & enabled[k] & ~rows[target]
                    if added:
                        rows[target] |= added
                        fresh[target] |= added
                        pending[target] = pending.get(target, 0) | added
        turned, fresh = _turned(fresh), defaultdict(int)
        for b, new in turned.items():
            added = new & ~rows[b]
            if added:
                rows[b] |= added
                pending[b] = added
    return rows


def _turned(rows: Mapping[int, int]) -> dict[int, int]:
    """The pairs turned around: bit a of row b for bit b of row a."""
    result: dict[int, int] = defaultdict(int)
    size = 1 + max(max(row.bit_length() - 1, a) for a, row in rows.items()) if rows else 0
    if _DENSE * sum(row.bit_count() for row in rows.values()) < size * size:
        for a, row in rows.items():
            for b in bits(row):
                result[b] |= 1 << a
    else:
        # as a square of characters, highest first in both directions
        lines = [bin(rows.get(a, 0))[2:].zfill(size) for a in range(size - 1, -1, -1)]
        for place, column in enumerate(zip(*lines, strict=True)):
            row = int("".join(column), 2)
            if row:
                result[size - 1 - place] = row
    return result


def _check(deadline: float | None) -> None:
    if deadline is not None and time.monotonic() > deadline:
        raise EngineFailure("the bitset engine ran out of time", timed_out=True)


def _beside(allowed: Iterable[Row], signatures: Iterable[Row]) -> Mapping[int, int]:
    """The blocks beside which a step of each guard class can be taken."""
    blocks: dict[int, int] = defaultdict(int)
    for block, t in signatures:
        blocks[t] |= 1 << block
    result: dict[int, int] = defaultdict(int)
    for k, t in allowed:
        result[k] |= blocks.get(t, 0)
    return result


def _successors(steps: Iterable[Row]) -> Mapping[int, list[tuple[int, int]]]:
    """`(target, guard class)` of the steps from each block."""
    result: dict[int, list[tuple[int, int]]] = {}
    for source, target, k in steps:
        result.setdefault(source, []).append((target, k))
    return result


def _meets(facts: Facts, coreach: Mapping[int, int]) -> frozenset[Row]:
    beside: dict[int, int] = defaultdict(int)
    for block, c in facts["refusing"]:
        beside[c] |= coreach.get(block, 0)
    return frozenset((c,) for block, c in facts["holding"] if beside[c] >> block & 1)


def _flows(facts: Facts, coreach: Mapping[int, int], deadline: float | None) -> frozenset[Row]:
    definitions: dict[int, dict[Row, list[int]]] = {}
    for v, x, source, target, k in facts["vdef"]:
        definitions.setdefault(x, {}).setdefault((source, target, k), []).append(v)
    blocks: dict[int, list[Row]] = {}
    for x, outer, block in facts["vblock"]:
        blocks.setdefault(x, []).append((outer, block))
    tables = _Tables.of(facts)
    found: list[Row] = []
    for x, classes in sorted(definitions.items()):
        if x in blocks:
            readers = _Readers(tables, [row[1] for row in blocks[x]])
            wanted = readers.row(tables.wanted)
            places = [row[0] for row in blocks[x]]
            starts: dict[int, int] = {}
            for (source, target, k), names in sorted(classes.items()):
                _check(deadline)
                if source not in starts:
                    starts[source] = _spread(coreach.get(source, 0), places)
                seen = readers.seen(target, starts[source] & readers.beside[k]) & wanted
                members = [readers.blocks[i] for i in bits(seen)]
                for v in names:
                    found += [(v, block) for block in members]
    return frozenset(found)


def _spread(row: int, positions: Sequence[int]) -> int:
    """The number whose bit i is bit `positions[i]` of `row`."""
    text = bin(row)[:1:-1].ljust(max(positions) + 1, "0")
    return int("".join([text[position] for position in reversed(positions)]), 2)


@dataclass(frozen=True, slots=True)
class _Tables:
    """The facts about packs, indexed; `allowed[t]` are the guard classes that can run beside signature t."""

    allowed: Mapping[int, frozenset[int]]
    signature: Mapping[int, int]
    readers: Mapping[int, list[tuple[int, int]]]
    writers: Mapping[int, list[tuple[int, int]]]
    outside: frozenset[int]
    wanted: frozenset[int]

    @staticmethod
    def of(facts: Facts) -> _Tables:
        allowed: dict[int, set[int]] = defaultdict(set)
        for k, t in facts["ven"]:
            allowed[t].add(k)
        return _Tables(
            defaultdict(frozenset, {t: frozenset(found) for t, found in allowed.items()}),
            {row[0]: row[1] for row in facts["vsig"]},
            _successors(facts["vreader"]),
            _successors(facts["vwriter"]),
            frozenset(row[0] for row in facts["outside"]),
            frozenset(row[0] for row in facts["wanted"]),
        )


class _Readers:
    """The blocks of one pack where readers can be; bit i of a row is the i-th of them.

    `beside[k]` are those beside which a writer's step of guard class k can be taken. What readers can reach is
    remembered by the writer's signature.
    """

    def __init__(self, tables: _Tables, blocks: Sequence[int]) -> None:
        self._tables = tables
        self.blocks = blocks
        place = {block: i for i, block in enumerate(blocks)}
        self._steps = [[(place[target], k) for target, k in tables.readers.get(block, ())] for block in blocks]
        known: dict[int, int] = defaultdict(int)
        for i, block in enumerate(blocks):
            known[tables.signature[block]] |= 1 << i
        self.beside: dict[int, int] = defaultdict(int)
        for t, row in known.items():
            for k in tables.allowed[t]:
                self.beside[k] |= row
        self._closed: dict[tuple[int, int], int] = {}

    def row(self, members: Set[int]) -> int:
        """The row of some blocks."""
        return int("".join(["1" if block in members else "0" for block in reversed(self.blocks)]), 2)

    def seen(self, target: int, start: int) -> int:
        """Where readers may see a definition that leads its writer to `target` beside readers at `start`."""
        rows: dict[int, int] = {}
        work = [(target, start)]
        seen = 0
        while work:
            at, new = work.pop()
            old = rows.get(at, 0)
            if not new & ~old:
                continue
            row = rows[at] = self._from(self._tables.signature[at], old | new)
            if at in self._tables.outside:
                seen |= row
            work += [(successor, row & self.beside[k]) for successor, k in self._tables.writers.get(at, ())]
        return seen

    def _from(self, t: int, row: int) -> int:
        """`row` with all that readers can reach from it while the writer stays at a block of signature t."""
        known = self._closed.get((t, row))
        if known is None:
            known = self._closed[(t, row)] = _reached(self._steps, self._tables.allowed[t], row)
        return known


def _reached(steps: Sequence[Sequence[tuple[int, int]]], allowed: Set[int], row: int) -> int:
    """`row` with all that its bits lead to, by the steps `(successor, guard class)` of allowed classes."""
    work = list(bits(row))
    found = set(work)
    while work:
        new = [target for target, k in steps[work.pop()] if target not in found and k in allowed]
        found.update(new)
        work += new
    digits = bytearray(b"0") * len(steps)
    for i in found:
        digits[-1 - i] = ord("1")
    return int(digits, 2)
