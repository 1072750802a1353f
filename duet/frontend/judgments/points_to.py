"""What every cell may point to, by the points-to rules, from the constraints that one round of lowering collects.

A value carries the objects that it may be the address of and, as a *content* `=n`, each cell or value n that it came
from. So a pointer whose objects become known only later is resolved in the same round; without the rules each round of
lowering would find one more link of a chain of pointers. Nothing depends on the rules for
soundness: the last round of lowering, which finds every fact there already, checks what they gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from datalog import ruleset
from datalog.bitset import Bitset, bits
from datalog.engine import Engine
from datalog.relation import Row
from duet.frontend.ctypes.origins import content, contents, of_content
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Path, addresses

VALUE = "*"
"""Starts the names of values that are no cells."""
Shape: TypeAlias = tuple[CType, Path]
"""The type that a pointer has where it is followed, and the way from there to a scalar."""


@dataclass(slots=True)
class Numbers:
    """Numbers for things, in order of first use."""

    known: dict[object, int] = field(default_factory=dict)

    def __getitem__(self, item: object) -> int:
        return self.known.setdefault(item, len(self.known))


@dataclass(slots=True)
class Constraints:
    """The inclusion constraints of one round of lowering, by names of cells and values (see the rules)."""

    included: dict[str, set[frozenset[str]]] = field(default_factory=dict)
    loads: dict[tuple[str, str, Shape], None] = field(default_factory=dict)
    stores: dict[tuple[str, Shape, str], None] = field(default_factory=dict)
    calls: dict[tuple[str, str, int], None] = field(default_factory=dict)
    values: int = 0

    def include(self, node: str, origins: frozenset[str]) -> None:
        """A cell or value may be what has these origins."""
        self.included.setdefault(node, set()).add(origins)

    @property
    def objects(self) -> frozenset[str]:
        """The objects and functions whose address something may be."""
        return addresses(frozenset[str]().union(*(origins for found in self.included.values() for origins in found)))

    def load(self, address: frozenset[str], shape: Shape) -> frozenset[str]:
        """The contents that a value read through a pointer has, beside those of the cells known to be read."""
        pointers = contents(address)
        if not pointers:
            return frozenset()
        node = self._value()
        self.loads.update(dict.fromkeys((node, pointer, shape) for pointer in pointers))
        return frozenset((of_content(node),))

    def store(self, address: frozenset[str], shape: Shape, origins: frozenset[str]) -> None:
        """What has these origins is written through a pointer."""
        pointers = contents(address)
        if pointers and origins:
            node = self._value()
            self.include(node, origins)
            self.stores.update(dict.fromkeys((pointer, shape, node) for pointer in pointers))

    def call(self, site: str, pointer: frozenset[str], count: int) -> None:
        """A function is called through a pointer with some arguments."""
        self.calls.update(dict.fromkeys((site, found, count) for found in contents(pointer)))

    def _value(self) -> str:
        self.values += 1
        return f"{VALUE}{self.values}"


@dataclass(frozen=True, slots=True)
class Solution:
    """`cells` is what each cell may be the address of; `calls` are the functions that each call may be of."""

    cells: dict[str, frozenset[str]]
    calls: dict[str, frozenset[str]]


def solve(
    constraints: Constraints,
    parts: Iterable[tuple[str, Shape, str]],
    callables: Iterable[tuple[str, str]],
    engine: Engine,
) -> Solution:
    """The smallest solution of the constraints.

    `parts` are the cells that a pointer into an object means where it is followed as a shape; `callables` the
    functions that take the arguments of a call. *Raises*: `EngineFailure`.
    """
    nodes, objects, shapes, sites = Numbers(), Numbers(), Numbers(), Numbers()
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
        return Solution(_named(found.points, nodes, objects), _named(found.calls, sites, objects))
    rows = engine.run(ruleset.points_to(), facts, ("points", "calls"))
    return Solution(_named(_sets(rows["points"]), nodes, objects), _named(_sets(rows["calls"]), sites, objects))


def _inclusions(constraints: Constraints, nodes: Numbers, objects: Numbers) -> tuple[list[Row], list[Row]]:
    """The rows of `address` and of `copy`. Sets of addresses that many cells have are one node, which these include."""
    address: list[Row] = []
    copies: dict[Row, None] = {}
    sources: dict[frozenset[str], list[int]] = {}
    for node, found in constraints.included.items():
        target = nodes[node]
        for origins in found:
            if origins not in sources:
                sources[origins] = _sources(origins, address, nodes, objects)
            copies.update(((target, source), None) for source in sources[origins])
    return address, list(copies)


def _sources(origins: frozenset[str], address: list[Row], nodes: Numbers, objects: Numbers) -> list[int]:
    """The nodes that something with some origins includes; the addresses among these are a node of their own."""
    given = addresses(origins)
    found = [nodes[read] for origin in origins - given if (read := content(origin)) is not None]
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


def _named(found: Mapping[int, int], left: Numbers, right: Numbers) -> dict[str, frozenset[str]]:
    """What stands to the right of everything to the left that is a cell or a place, by names; bits give the numbers.

    Equal sets are one object: many cells hold what may be anywhere.
    """
    lefts = list(left.known)
    rights = [str(item) for item in right.known]
    sets: dict[int, frozenset[str]] = {}
    result: dict[str, frozenset[str]] = {}
    for a in sorted(found):
        name, row = lefts[a], found[a]
        if not row or not isinstance(name, str) or name.startswith(VALUE):
            continue
        if row not in sets:
            sets[row] = frozenset(rights[b] for b in bits(row))
        result[name] = sets[row]
    return result
