"""Which addresses cells may hold, as far as it is known, and what the points-to rules are to find the rest from."""

from __future__ import annotations

from collections.abc import Set

from duet.frontend.ctypes.values import addresses
from duet.frontend.judgments.growth import Growing, Growth
from duet.frontend.judgments.points_to import Constraints, Shape


class Pointers:
    """Tables by the names of cells.

    - `holds`: the objects whose address a cell may hold;
    - `spots`: the constant addresses that are written to it, as objects and offsets in bytes; `vague`: cells to which
      addresses are written that are not constants;
    - `mixed`: cells for whole numbers as wide as the id of a thread or the number of a key, to which anything else was
      written than a constant or a copy of what another one holds: what it holds may be of any origin;
    - `wild`: places of dereferences where no object is known;
    - `constraints`: what this round says of pointers, see `points_to`.
    """

    def __init__(self, growth: Growth) -> None:
        self._growth = growth
        self.holds: dict[str, set[str]] = {}
        self.spots: dict[str, set[tuple[str, int]]] = {}
        self.vague = Growing(growth)
        self.mixed = Growing(growth)
        self.wild = Growing(growth)
        self.constraints = Constraints()
        self._inside: dict[str, set[str]] = {}
        self._cells: dict[str, list[str]] = {}
        self._held: dict[str, frozenset[str]] = {}

    def hold(self, cell: str, origins: frozenset[str], spots: frozenset[tuple[str, int]] | None = None) -> None:
        """Records that a cell may hold what has these origins, one of `spots` or null if those are given."""
        if self._growth.is_frozen or not origins:
            return
        if spots is None:
            self.vague.add(cell)
        else:
            known = self.spots.setdefault(cell, set())
            self._growth.count(not spots <= known)
            known |= spots
        self.constraints.include(cell, origins)
        self.held_too(cell, addresses(origins))

    def spot(self, cell: str) -> tuple[str, int] | None:
        """The only address but null that a cell may hold, as an object and an offset in bytes, if there is one."""
        found = self.spots.get(cell, set())
        return next(iter(found)) if len(found) == 1 and cell not in self.vague else None

    def held_too(self, cell: str, objects: frozenset[str]) -> None:
        """Records that a cell may hold the addresses of objects, as is known from elsewhere."""
        if self._growth.is_frozen or not objects:
            return
        known = self.holds.setdefault(cell, set())
        new = objects - known
        if not new:
            return
        if not self.spots.get(cell):
            self.vague.add(cell)
        ends = (*(place for place, letter in enumerate(cell) if letter in ".["), len(cell))
        for end in () if known else ends:
            self._cells.setdefault(cell[:end], []).append(cell)
        known |= new
        self._growth.count(len(new))
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
        return frozenset() if self._growth.is_frozen else self.constraints.load(address, shape)

    def stored(self, address: frozenset[str], shape: Shape, origins: frozenset[str]) -> None:
        """Records that what has some origins is written through a pointer."""
        if not self._growth.is_frozen:
            self.constraints.store(address, shape, origins)

    def called(self, site: str, pointer: frozenset[str], count: int) -> None:
        """Records a call of what a pointer points to, with some number of arguments."""
        if not self._growth.is_frozen:
            self.constraints.call(site, pointer, count)
