"""Facts about the whole program that lowering needs before it has seen all of it.

Lowering is repeated until a round adds no fact (they only grow), so the last round is consistent with all of them:
which objects have their address taken, what each cell may point to (flow-insensitive), and so on.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from math import gcd

from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import addresses
from duet.frontend.judgments.points_to import Constraints, Shape
from duet.plip.syntax import Linear
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Refusal:
    """A function that is not understood: the reason and its place, the identifiers in it with theirs.

    `calls` are the names that it may call.
    """

    name: str
    span: Span
    message: str
    cause: Span | None
    mentions: tuple[tuple[str, Span], ...]
    calls: frozenset[str]


@dataclass
class Facts:
    """Sets that only grow; `version` counts the growth.

    Functions and files:
    - `refused`: functions that are not understood;
    - `recursive`: functions on a cycle of calls;
    - `functions`: functions whose address is taken;
    - `many`: templates with any number of instances;
    - `apart`: tags of structs that several files define in different ways.

    Objects:
    - `addressed`: those whose address becomes a number; `bound`: those whose address a parameter stands for;
    - `moved`: those behind whose end a pointer may point;
    - `escaped`: local ones that another thread may reach; `reentrant`: local ones of recursive functions;
    - `untracked`: those that hold anything at any time;
    - `blurred`: arrays that are one summary cell;
    - `repeated`: heap objects that may stand for several allocations; `resized`: those that are reallocated;
    - `sizes`: the bytes of heap objects, None where that is not one known number; `least`: the fewest bytes of them;
    - `views`: by heap object, the types through which it is accessed;
    - `recast`: by object, the types to which a pointer to some part of it was converted from another pointer type or
      from an integer; `narrow`: by object, the size of the smallest type from which such a pointer was converted;
    - `steps`: by object, of how many bytes the distances by which pointers into it are moved are multiples, and
      whether such a distance is a constant.

    Cells and accesses:
    - `written`: scalars that are written, indices as `*`;
    - `holds`: by cell, the objects whose address it may hold;
    - `spots`: by cell, the constant addresses that are written to it, as objects and offsets in bytes; `vague`: cells
      to which addresses are written that are not constants;
    - `wild`: places of dereferences where no object is known;
    - `weak_locks`: locks that order nothing;
    - `marks`: by a word, what models record (see `mark`);
    - `constraints`: what this round says of pointers, see `points_to`.
    """

    addressed: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    escaped: set[str] = field(default_factory=set)
    reentrant: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    blurred: set[str] = field(default_factory=set)
    many: set[str] = field(default_factory=set)
    recursive: set[str] = field(default_factory=set)
    wild: set[str] = field(default_factory=set)
    marks: dict[str, set[str]] = field(default_factory=dict)
    weak_locks: set[str] = field(default_factory=set)
    repeated: set[str] = field(default_factory=set)
    resized: set[str] = field(default_factory=set)
    sizes: dict[str, int | None] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)
    narrow: dict[str, int] = field(default_factory=dict)
    spots: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    vague: set[str] = field(default_factory=set)
    holds: dict[str, set[str]] = field(default_factory=dict)
    views: dict[str, dict[CType, None]] = field(default_factory=dict)
    recast: dict[str, dict[CType, None]] = field(default_factory=dict)
    constraints: Constraints = field(default_factory=Constraints)
    refused: dict[str, Refusal] = field(default_factory=dict)
    apart: set[str] = field(default_factory=set)
    untracked: set[str] = field(default_factory=set)
    steps: dict[str, set[tuple[int, bool]]] = field(default_factory=dict)
    _inside: dict[str, set[str]] = field(default_factory=dict)
    _cells: dict[str, list[str]] = field(default_factory=dict)
    _held: dict[str, frozenset[str]] = field(default_factory=dict)
    version: int = 0
    is_frozen: bool = False

    def add(self, facts: set[str], *new: str) -> None:
        """Adds to one of the sets of this object."""
        if self.is_frozen:
            return
        for item in new:
            if item not in facts:
                facts.add(item)
                self.version += 1

    def mark(self, what: str, *subjects: str) -> None:
        """Records something that models of library functions need to know of the whole program."""
        self.add(self.marks.setdefault(what, set()), *subjects)

    def marked(self, what: str) -> frozenset[str]:
        """The subjects of which something was recorded."""
        return frozenset(self.marks.get(what, ()))

    def stepped(self, origins: frozenset[str], step: Linear) -> None:
        """Records that pointers to objects are moved by a number of bytes."""
        width = gcd(step.constant, *(factor for _, factor in step.terms))
        for origin in addresses(origins) if width else ():
            known = self.steps.setdefault(origin, set())
            if not self.is_frozen and (width, not step.terms) not in known:
                known.add((width, not step.terms))
                self.version += 1

    def refuse(self, key: str, refusal: Refusal) -> None:
        """Records that a function is not understood; also where facts are frozen, as the round cannot be the last."""
        if key not in self.refused:
            self.refused[key] = refusal
            self.version += 1

    def hold(self, cell: str, origins: frozenset[str], spots: frozenset[tuple[str, int]] | None = None) -> None:
        """Records that a cell may hold what has these origins, one of `spots` or null if those are given."""
        if self.is_frozen or not origins:
            return
        if spots is None:
            self.add(self.vague, cell)
        else:
            known = self.spots.setdefault(cell, set())
            self.version += not spots <= known
            known |= spots
        self.constraints.include(cell, origins)
        self.held_too(cell, addresses(origins))

    def spot(self, cell: str) -> tuple[str, int] | None:
        """The only address but null that a cell may hold, as an object and an offset in bytes, if there is one."""
        found = self.spots.get(cell, set())
        return next(iter(found)) if len(found) == 1 and cell not in self.vague else None

    def held_too(self, cell: str, objects: frozenset[str]) -> None:
        """Records that a cell may hold the addresses of objects, as is known from elsewhere."""
        if self.is_frozen or not objects:
            return
        known = self.holds.setdefault(cell, set())
        new = objects - known
        if not new:
            return
        if not self.spots.get(cell):
            self.add(self.vague, cell)
        ends = (*(place for place, letter in enumerate(cell) if letter in ".["), len(cell))
        for end in () if known else ends:
            self._cells.setdefault(cell[:end], []).append(cell)
        known |= new
        self.version += len(new)
        self._held.pop(cell, None)
        for end in ends:
            self._inside.setdefault(cell[:end], set()).update(new)

    def cells_of(self, key: str) -> list[str]:
        """The cells of an object that may hold addresses."""
        return self._cells.get(key, [])

    def inside(self, key: str) -> Set[str]:
        """The objects whose addresses the cells of an object may hold."""
        return self._inside.get(key, frozenset())

    def held(self, cell: str) -> frozenset[str]:
        """The objects whose address a cell may hold."""
        found = self._held.get(cell)
        if found is None:
            found = self._held[cell] = frozenset(self.holds.get(cell, ()))
        return found

    def kept_elsewhere(self) -> frozenset[str]:
        """The objects whose address may be where no cell is: in memory outside of the program, in the C library."""
        return frozenset().union(*(held for cell, held in self.holds.items() if cell.startswith("<")))

    def loaded(self, address: frozenset[str], shape: Shape) -> frozenset[str]:
        """The contents of what is read through a pointer, beside those of the cells that are known to be read."""
        return frozenset() if self.is_frozen else self.constraints.load(address, shape)

    def stored(self, address: frozenset[str], shape: Shape, origins: frozenset[str]) -> None:
        """Records that what has some origins is written through a pointer."""
        if not self.is_frozen:
            self.constraints.store(address, shape, origins)

    def called(self, site: str, pointer: frozenset[str], count: int) -> None:
        """Records a call of what a pointer points to, with some number of arguments."""
        if not self.is_frozen:
            self.constraints.call(site, pointer, count)

    def lower(self, table: dict[str, int], key: str, number: int) -> None:
        """Records a number of which the smallest counts."""
        if not self.is_frozen and table.get(key, number + 1) > number:
            table[key] = number
            self.version += 1

    def size(self, heap: str, size: int | None) -> None:
        """Records the size of a heap object."""
        if not self.is_frozen and self.sizes.setdefault(heap, size) != size:
            self.version += self.sizes[heap] is not None
            self.sizes[heap] = None

    def view(self, heap: str, kind: CType) -> None:
        """Records that a heap object is accessed as a type."""
        self._note(self.views, heap, kind)

    def convert(self, origins: frozenset[str], kind: CType) -> None:
        """Records that a pointer to objects becomes a pointer to another type."""
        for origin in addresses(origins):
            self._note(self.recast, origin, kind)

    def _note(self, table: dict[str, dict[CType, None]], key: str, kind: CType) -> None:
        kinds = table.setdefault(key, {})
        if kind not in kinds and not self.is_frozen:
            kinds[kind] = None
            self.version += 1
