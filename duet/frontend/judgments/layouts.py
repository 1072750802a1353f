"""How pointers into objects are moved and converted, and what is known of the sizes and types of heap objects."""

from __future__ import annotations

from math import gcd
from typing import TypeVar

from duet.frontend.ctypes.origins import NO_OBJECT, UNKNOWN_POINTER, Origin, Origins, addresses
from duet.frontend.ctypes.types import CType
from duet.frontend.judgments.growth import Growing, Growth
from duet.plip.syntax import Linear

K = TypeVar("K")


class Layouts:
    """Tables by the keys of objects, and by the origins of pointers.

    - `sizes`: the bytes of heap objects, None where that is not one known number; `least`: the fewest bytes of them;
    - `views`: by heap object, the types through which it is accessed;
    - `recast`: by origin, the types to which a pointer to some part of it was converted from another pointer type or
      from an integer; `narrow`: by object, the size of the smallest type from which such a pointer was converted;
    - `steps`: by origin, of how many bytes the distances by which pointers into it are moved are multiples, and
      whether such a distance is a constant;
    - `moved`: the origins of pointers that may point behind the end of an object; `astray`: those of them that may be
      at any distance from it, of pointers that lead to known objects only: no such pointer comes from any other;
    - `kept`: the origins of pointers that were moved, and that may be kept and followed elsewhere; `paces`: as `steps`,
      of pointers that lead to known objects only, and `placed`, those of them that are kept;
    - `open_ended`: by object, how far behind its start an array begins that goes on behind the end of its structure.
    """

    def __init__(self, growth: Growth) -> None:
        self._growth = growth
        self.sizes: dict[str, int | None] = {}
        self.least: dict[str, int] = {}
        self.narrow: dict[str, int] = {}
        self.views: dict[str, dict[CType, None]] = {}
        self.recast: dict[Origin, dict[CType, None]] = {}
        self.steps: dict[Origin, set[tuple[int, bool]]] = {}
        self.moved: Growing[Origin] = Growing(growth)
        self.astray: Growing[Origin] = Growing(growth)
        self.kept: Growing[Origin] = Growing(growth)
        self.paces: dict[Origin, set[tuple[int, bool]]] = {}
        self.placed: Growing[Origin] = Growing(growth)
        self.open_ended: dict[str, int] = {}

    def stray(self, origins: Origins) -> None:
        """Records that a pointer into objects may be moved out of them, to any distance."""
        found = addresses(origins) - NO_OBJECT
        self.moved.add(*found)
        if not origins & UNKNOWN_POINTER:
            self.astray.add(*found)

    def keep(self, origins: Origins) -> None:
        """Records that a pointer into objects was moved, and that it may be kept."""
        self.kept.add(*addresses(origins))
        if not origins & UNKNOWN_POINTER:
            self.placed.add(*addresses(origins))

    def stepped(self, origins: Origins, step: Linear) -> None:
        """Records that pointers to objects are moved by a number of bytes."""
        width = gcd(step.constant, *(factor for _, factor in step.terms))
        new = (width, not step.terms)
        for origin in addresses(origins) if width and not self._growth.is_frozen else ():
            tables = (self.steps,) if origins & UNKNOWN_POINTER else (self.steps, self.paces)
            missing = [known for table in tables if new not in (known := table.setdefault(origin, set()))]
            for known in missing:
                known.add(new)
            self._growth.count(bool(missing))

    def at_least(self, heap: str, size: int) -> None:
        """Records how many bytes a heap object has at least."""
        self._lower(self.least, heap, size)

    def opens(self, key: str, start: int) -> None:
        """Records where an array begins that goes on behind the end of its structure."""
        self._lower(self.open_ended, key, start)

    def narrowed(self, key: str, size: int) -> None:
        """Records the size of a type from which a pointer to an object was converted."""
        self._lower(self.narrow, key, size)

    def _lower(self, table: dict[str, int], key: str, number: int) -> None:
        if not self._growth.is_frozen and table.get(key, number + 1) > number:
            table[key] = number
            self._growth.count()

    def size(self, heap: str, size: int | None) -> None:
        """Records the size of a heap object."""
        if not self._growth.is_frozen and self.sizes.setdefault(heap, size) != size:
            self._growth.count(self.sizes[heap] is not None)
            self.sizes[heap] = None

    def view(self, heap: str, kind: CType) -> None:
        """Records that a heap object is accessed as a type."""
        self._note(self.views, heap, kind)

    def convert(self, origins: Origins, kind: CType) -> None:
        """Records that a pointer to objects becomes a pointer to another type."""
        for origin in addresses(origins):
            self._note(self.recast, origin, kind)

    def _note(self, table: dict[K, dict[CType, None]], key: K, kind: CType) -> None:
        kinds = table.setdefault(key, {})
        if kind not in kinds and not self._growth.is_frozen:
            kinds[kind] = None
            self._growth.count()
