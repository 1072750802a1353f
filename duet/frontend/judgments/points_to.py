"""What every cell may point to, by the points-to rules, from the constraints that one round of lowering collects.

A value carries the objects that it may be the address of and, as a *content* `=n`, each cell or value n that it came
from. So a pointer whose objects become known only later is resolved in the same round; without the rules each round of
lowering would find one more link of a chain of pointers. Nothing depends on the rules for
soundness: the last round of lowering, which finds every fact there already, checks what they gave.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from datalog import ruleset
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
    found = engine.run(ruleset.points_to(), facts, ("points", "calls"))
    return Solution(_named(found["points"], nodes, objects), _named(found["calls"], sites, objects))


def _inclusions(constraints: Constraints, nodes: Numbers, objects: Numbers) -> tuple[list[Row], list[Row]]:
    """The rows of `address` and of `copy`. Sets of addresses that many cells have are one node, which these include."""
    address: list[Row] = []
    copies: dict[Row, None] = {}
    for node, found in constraints.included.items():
        target = nodes[node]
        for origins in found:
            for origin in origins:
                if (read := content(origin)) is not None:
                    copies[target, nodes[read]] = None
            given = addresses(origins)
            if len(given) <= 1:
                address += [(target, objects[origin]) for origin in given]
                continue
            if given not in nodes.known:
                of_set = nodes[given]
                address += [(of_set, objects[origin]) for origin in given]
            copies[target, nodes[given]] = None
    return address, list(copies)


def _named(rows: Iterable[Row], left: Numbers, right: Numbers) -> dict[str, frozenset[str]]:
    """Rows of two columns as names: everything that stands to the right of something that is a cell or a place."""
    lefts = [item if isinstance(item, str) and not item.startswith(VALUE) else "" for item in left.known]
    rights = [str(item) for item in right.known]
    found: dict[int, list[int]] = {}
    for a, b in rows:
        if lefts[a]:
            found.setdefault(a, []).append(b)
    return {lefts[a]: frozenset(rights[b] for b in found[a]) for a in sorted(found)}
