"""What every cell may point to, by the points-to rules, from the constraints that one round of lowering collects.

A value carries the addresses that it may be and, as `Content`, each cell or value that it came from. So a pointer whose
objects become known only later is resolved in the same round; without the rules each round of lowering would find one
more link of a chain of pointers. Nothing depends on the rules for soundness: the last round of lowering, which finds
every fact there already, checks what they gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from datalog import ruleset
from datalog.bitset import Bitset, bits
from datalog.engine import Engine
from datalog.relation import Row
from duet.frontend.ctypes.origins import (
    NOTHING,
    Content,
    Elsewhere,
    Failed,
    Holder,
    Inside,
    Moved,
    Origin,
    Origins,
    Passing,
    UntrackedParts,
    addresses,
    contents,
)
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Path

Shape: TypeAlias = tuple[CType, Path]
"""The type that a pointer has where it is followed, and the way from there to a scalar."""


L = TypeVar("L")
T = TypeVar("T")


@dataclass(slots=True)
class Numbers(Generic[T]):
    """Numbers for things, in order of first use."""

    known: dict[T, int] = field(default_factory=dict)

    def __getitem__(self, item: T) -> int:
        return self.known.setdefault(item, len(self.known))


@dataclass(slots=True)
class Constraints:
    """The inclusion constraints of one round of lowering, by cells and values (see the rules)."""

    included: dict[Holder, set[Origins]] = field(default_factory=dict)
    loads: dict[tuple[Holder, Holder, Shape], None] = field(default_factory=dict)
    stores: dict[tuple[Holder, Shape, Holder], None] = field(default_factory=dict)
    calls: dict[tuple[str, Holder, int], None] = field(default_factory=dict)
    values: int = 0

    def include(self, node: Holder, origins: Origins) -> None:
        """A cell or value may be what has these origins."""
        self.included.setdefault(node, set()).add(origins)

    @property
    def addresses(self) -> Origins:
        """The origins of the addresses that something may be."""
        return addresses(NOTHING.union(*(origins for found in self.included.values() for origins in found)))

    def load(self, address: Origins, shape: Shape) -> Origins:
        """The contents that a value read through a pointer has, beside those of the cells known to be read."""
        pointers = contents(address)
        if not pointers:
            return frozenset()
        node = self._value()
        self.loads.update(dict.fromkeys((node, pointer, shape) for pointer in pointers))
        return frozenset((Content(node),))

    def store(self, address: Origins, shape: Shape, origins: Origins) -> None:
        """What has these origins is written through a pointer."""
        pointers = contents(address)
        if pointers and origins:
            node = self._value()
            self.include(node, origins)
            self.stores.update(dict.fromkeys((pointer, shape, node) for pointer in pointers))

    def call(self, site: str, pointer: Origins, count: int) -> None:
        """A function is called through a pointer with some arguments."""
        self.calls.update(dict.fromkeys((site, found, count) for found in contents(pointer)))

    def _value(self) -> Passing:
        self.values += 1
        return Passing(self.values)


@dataclass(frozen=True, slots=True)
class Solution:
    """`cells` is what each cell may be the address of; `calls` are the functions that each call may be of."""

    cells: Mapping[str | Elsewhere | UntrackedParts, Origins]
    calls: Mapping[str, Origins]


def solve(
    constraints: Constraints,
    parts: Iterable[tuple[Origin, Shape, str]],
    callables: Iterable[tuple[str, Origin]],
    engine: Engine,
) -> Solution:
    """The smallest solution of the constraints.

    `parts` are the cells that a pointer into an object means where it is followed as a shape; `callables` the
    functions that take the arguments of a call. *Raises*: `EngineFailure`.
    """
    nodes: Numbers[Holder | Origins] = Numbers()
    objects: Numbers[Origin] = Numbers()
    shapes: Numbers[Shape] = Numbers()
    sites: Numbers[str] = Numbers()
    address, copies = _inclusions(constraints, nodes, objects)
    facts: dict[str, list[Row]] = {
        "address": address,
        "copy": copies,
        "load": [(nodes[d], nodes[p], shapes[k]) for d, p, k in constraints.loads],
        "store": [(nodes[p], shapes[k], nodes[s]) for p, k, s in constraints.stores],
        "part": [(objects[h], shapes[k], nodes[c]) for h, k, c in parts],
        "indirect": [(sites[i], nodes[p]) for i, p, _ in constraints.calls],
        "callable": [(sites[i], objects[f]) for i, f in callables],
    }
    if isinstance(engine, Bitset):
        found = engine.points_to(ruleset.points_to(), facts)
        points, calls = found.points, found.calls
    else:
        rows = engine.run(ruleset.points_to(), facts, ("points", "calls"))
        points, calls = _sets(rows["points"]), _sets(rows["calls"])
    cells = {
        node: origins
        for node, origins in _named(points, nodes, objects).items()
        if not isinstance(node, frozenset | Passing | Moved | Inside | Failed)
    }
    return Solution(cells, _named(calls, sites, objects))


def _inclusions(
    constraints: Constraints, nodes: Numbers[Holder | Origins], objects: Numbers[Origin]
) -> tuple[list[Row], list[Row]]:
    """The rows of `address` and of `copy`. Sets of addresses that many cells have are one node, which these include."""
    address: list[Row] = []
    copies: dict[Row, None] = {}
    sources: dict[Origins, list[int]] = {}
    for node, found in constraints.included.items():
        target = nodes[node]
        for origins in found:
            if origins not in sources:
                sources[origins] = _sources(origins, address, nodes, objects)
            copies.update(((target, source), None) for source in sources[origins])
    return address, list(copies)


def _sources(
    origins: Origins, address: list[Row], nodes: Numbers[Holder | Origins], objects: Numbers[Origin]
) -> list[int]:
    """The nodes that something with some origins includes; the addresses among these are a node of their own."""
    given = addresses(origins)
    found = [nodes[origin.key] for origin in origins if isinstance(origin, Content)]
    if given:
        if given not in nodes.known:
            of_set = nodes[given]
            address += [(of_set, objects[origin]) for origin in given]
        found.append(nodes[given])
    return found


def _sets(rows: Iterable[Row]) -> Mapping[int, int]:
    """Rows of two columns: by the left one, the right ones as bits of a number."""
    found: dict[int, int] = {}
    for a, b in rows:
        found[a] = found.get(a, 0) | 1 << b
    return found


def _named(found: Mapping[int, int], left: Numbers[L], right: Numbers[Origin]) -> dict[L, Origins]:
    """What stands to the right of everything to the left; bits give the numbers.

    Equal sets are one object: many cells hold what may be anywhere.
    """
    lefts, rights = list(left.known), list(right.known)
    sets: dict[int, Origins] = {}
    result: dict[L, Origins] = {}
    for a in sorted(found):
        row = found[a]
        if not row:
            continue
        if row not in sets:
            sets[row] = frozenset(rights[b] for b in bits(row))
        result[lefts[a]] = sets[row]
    return result
