"""What becomes of the objects of a program: whose address is taken, who can reach them, how many there are of each."""

from __future__ import annotations

from collections.abc import Collection

from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Path
from duet.frontend.judgments.growth import Growing, Growth


class Untracked(Growing[str]):
    """Objects that hold anything at any time; `lost` are those of which nobody knows where pointers in them lead.

    Those that do `always` may have been changed before any location at which it is noted that they are.
    """

    def __init__(self, growth: Growth) -> None:
        super().__init__(growth)
        self.lost: Growing[str] = Growing(growth)
        self.always: Growing[str] = Growing(growth)

    def add(self, *new: str) -> None:
        """Adds what nothing is known of, from the start."""
        self.add_lost(*new)
        self.always.add(*new)

    def add_lost(self, *new: str) -> None:
        """Adds what nothing is known of any more, once a location was reached of which it is noted."""
        super().add(*new)
        self.lost.add(*new)

    def add_changed(self, *new: str) -> None:
        """Adds what others change; the pointers that they may write there are noted."""
        super().add(*new)
        self.always.add(*new)


class Objects:
    """Sets of the keys of objects.

    - `addressed`: those whose address becomes a number; `bound`: those whose address a parameter stands for;
    - `escaped`: local ones that another thread may reach; `reentrant`: local ones of recursive functions;
    - `handed_on`: those of the heap that another thread may reach than the one that has allocated them;
    - `open`: local ones whose keys stand for confined ones (`form/confined.py`) and for others in different rounds;
    - `repeated`: heap objects that may stand for several allocations; `resized`: those that are reallocated;
    - `released`: those that are given back (`cells/lifetimes.py`);
    - `untracked`: those that hold anything at any time;
    - `blurred`: arrays that are one summary cell; `sparse`: those of which few elements have cells of their own;
    - `unset`: cells of members of such allocations that somebody may read before they are set (`settled`);
    - `lent`: members of which a library has the address, as an object, a path in it and a type (`models/lent.py`);
    - `written`: scalars that are written, indices as `*`.
    """

    def __init__(self, growth: Growth) -> None:
        self.addressed: Growing[str] = Growing(growth)
        self.bound: Growing[str] = Growing(growth)
        self.escaped: Growing[str] = Growing(growth)
        self.handed_on: Growing[str] = Growing(growth)
        self.open: Growing[str] = Growing(growth)
        self.reentrant: Growing[str] = Growing(growth)
        self.repeated: Growing[str] = Growing(growth)
        self.resized: Growing[str] = Growing(growth)
        self.released: Growing[str] = Growing(growth)
        self.untracked = Untracked(growth)
        self.blurred: Growing[str] = Growing(growth)
        self.sparse: Growing[str] = Growing(growth)
        self.unset: Growing[str] = Growing(growth)
        self.lent: Growing[tuple[str, Path, CType]] = Growing(growth)
        self.written: Growing[str] = Growing(growth)

    def lost_of(self, kind: str) -> Collection[str]:
        """The objects of a kind of which nobody knows where pointers in them lead; in the heap others may see other
        types in what is changed by others.
        """
        return self.untracked if kind == "heap" else self.untracked.lost
