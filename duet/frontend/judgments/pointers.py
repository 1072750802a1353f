"""Which addresses cells may hold, as far as it is known, and what the points-to rules are to find the rest from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duet.frontend.ctypes.origins import (
    ANYWHERE,
    AT_START,
    NOTHING,
    OUTSIDE,
    START,
    UNKNOWN_POINTER,
    Elsewhere,
    Holder,
    Origin,
    Origins,
    Passed,
    UntrackedParts,
    addresses,
    all_distances,
    anywhere,
    distances,
    insides,
    is_moved,
    kept_marks,
    may_be_at_start,
    moved_to,
    objects,
    placed,
)
from duet.frontend.ctypes.types import CHAR, UCHAR, VOID, CType, is_byte, is_unsized
from duet.frontend.judgments.growth import Growing, Growth
from duet.frontend.judgments.numbered import Numbered
from duet.frontend.judgments.points_to import Constraints, Shape

_BYTES = (VOID, CHAR, UCHAR)
"""What any variable argument that is a pointer may be taken to lead to."""
_MANY = 8
"""Of pointers to more objects it is not known how far into each of them they lead."""
PATIENCE = 2
"""Rounds in which what is known of how far a pointer leads into its object may grow."""


class Pointers:
    """Tables by what holds addresses: the names of cells, and places that have none.

    - `holds`: the origins of the addresses that a cell may hold;
    - `spots`: the constant addresses that are written to it, as objects and offsets in bytes; `vague`: cells to which
      addresses are written that are not constants;
    - `mixed`: cells for whole numbers as wide as the id of a thread or the number of a key, to which anything else was
      written than a constant or a copy of what another one holds: what it holds may be of any origin;
    - `wild`: places of dereferences where no object is known;
    - `adrift`: the types of pointers of which something is unknown that were moved, and that are where nothing is
      tracked: an unknown pointer that comes from there may be one of them;
    - `parts`: the types, or the sizes, of the structures to which pointers were moved of which a check said that all of
      such a structure is there, and nothing of what is around it;
    - `leaked`: by object, how far behind its start pointers lead that are where nothing is tracked;
    - `paired`: by cell, how far behind the start of which object what is written to it leads; no object has the key
      "", too many have None;
    - `constraints`: what this round says of pointers, see `points_to`.
    """

    def __init__(self, growth: Growth) -> None:
        self._growth = growth
        self.holds: dict[Holder, set[Origin]] = {}
        self.spots: dict[Holder, set[tuple[str, int]]] = {}
        self.vague: Growing[Holder] = Growing(growth)
        self.mixed: Growing[str] = Growing(growth)
        self.wild: Growing[str] = Growing(growth)
        self.adrift: Growing[CType] = Growing(growth)
        self.parts: Growing[CType | int] = Growing(growth)
        self.leaked: dict[str, Growing[tuple[int, int]]] = {}
        self.paired: dict[str, set[tuple[str | None, tuple[int, int]]]] = {}
        self.constraints = Constraints()
        self.numbered = Numbered()
        self._inside: dict[str, int] = {}
        self._cells: dict[str, list[Holder]] = {}
        self._held: dict[Holder, Origins] = {}
        self._round = 0
        self._moving: dict[Holder, set[int]] = {}
        self._at_start: set[Holder] = set()
        """What may hold a pointer to the start of an object: only beside others is there a mark of that in `holds`."""
        self._told: set[tuple[Holder, Origins]] = set()
        """What this round has said of `vague` cells already; to say it again changes nothing."""
        self._lost: set[tuple[Origins, bool]] = set()
        """What this round has given to `lose` already."""

    def hold(self, cell: Holder, origins: Origins, spots: frozenset[tuple[str, int]] | None = None) -> None:
        """Records that a cell may hold what has these origins, one of `spots` or null if those are given."""
        if self._growth.is_frozen or not origins:
            return
        if spots is None:
            if (cell, origins) in self._told:
                return
            self._told.add((cell, origins))
            self.vague.add(cell)
        else:
            known = self.spots.setdefault(cell, set())
            self._growth.count(not spots <= known)
            known |= spots
        if isinstance(cell, str):
            self._pair(cell, origins)
        if isinstance(cell, Passed):
            found = moved_to(origins)
            self.adrift.add(*found, *(_BYTES if found else ()))
        elif not isinstance(cell, str):
            self.lose(origins)
        self.constraints.include(cell, origins)
        if objects(origins) and may_be_at_start(origins):
            self._at_start.add(cell)
        new = addresses(origins) | self._widened(cell, _kept_marks(cell, origins) - {AT_START})
        is_elsewhere = bool(distances(new) or distances(self.held(cell)))
        self.held_too(cell, new | {AT_START} if is_elsewhere and cell in self._at_start else new)

    def _pair(self, cell: str, origins: Origins) -> None:
        """Records how far into which objects a cell leads where what has these origins is written to it.

        It makes no difference as long as all of that is at the start.
        """
        keys: Sequence[str | None] = objects(origins) or ("",)
        found = self.paired.setdefault(cell, set())
        known = all_distances(origins)
        new = {(key, at) for key in (keys if len(keys) <= _MANY else (None,)) for at in known} - found
        found |= new
        self._growth.count(len(new) if any(at != START for _, at in found) else 0)

    def distances_in(self, cell: str, key: str) -> frozenset[tuple[int, int]] | None:
        """How far into an object a cell leads; None where that is not known by object.

        All that is written to it says so, once rounds add nothing: what the points-to rules find beyond that is no more
        than what they do not tell apart.
        """
        known = frozenset(self.paired.get(cell, ()))
        found = frozenset(at for of, at in known if of == key)
        is_known = found and not any(of is None for of, _ in known)
        return found if is_known and {at for _, at in known}.issuperset(distances(self.held(cell))) else None

    def is_awaited_in(self, cell: str, key: str) -> bool:
        """Whether nothing written to a cell so far leads into an object: only the points-to rules say that it may.

        Once rounds add nothing, these do not tell apart what is.
        """
        return all(of not in (None, key) for of, _ in self.paired.get(cell, ()))

    def begin_round(self) -> None:
        """Forgets what the round before said of pointers for the points-to rules."""
        self.constraints = Constraints()
        self._told.clear()
        self._lost.clear()
        self._round += 1

    def _widened(self, cell: Holder, found: Origins) -> Origins:
        """The marks of a pointer that a cell is to hold: of any distance where a loop adds one more in each round."""
        known = self.held(cell)
        if ANYWHERE in known:
            return found - insides(found)
        if insides(found) <= known:
            return found
        rounds = self._moving.setdefault(cell, set())
        rounds.add(self._round)
        return found if len(rounds) <= PATIENCE else anywhere(found)

    def lose(self, origins: Origins, are_bytes: bool = False) -> None:
        """Records that a value goes to where nothing is tracked: unknown pointers of its types may be moved ones then.

        Pointers to bytes only where the program itself puts them into memory (`are_bytes`): whatever a library or the
        kernel is called with, what it gives later as bytes is as long as what it is made.
        """
        if self._growth.is_frozen or (origins, are_bytes) in self._lost:
            return
        self._lost.add((origins, are_bytes))
        if found := distances(origins):
            for key in objects(origins):
                if key not in self.leaked:
                    self.leaked[key] = Growing(self._growth)
                self.leaked[key].add(*found)
        if origins & UNKNOWN_POINTER:
            self.adrift.add(
                *(kind for kind in moved_to(origins) if not is_unsized(kind) or (are_bytes and is_byte(kind)))
            )

    def spot(self, cell: str) -> tuple[str, int] | None:
        """The only address but null that a cell may hold, as an object and an offset in bytes, if there is one."""
        found = self.spots.get(cell, set())
        return next(iter(found)) if len(found) == 1 and cell not in self.vague else None

    def is_null(self, cell: str) -> bool:
        """Whether nothing was ever written to the cell of a pointer but null."""
        return cell not in self.vague and not self.spots.get(cell) and not self.holds.get(cell)

    def held_too(self, cell: Holder, found: Origins) -> None:
        """Records that a cell may hold addresses, as is known from elsewhere."""
        if self._growth.is_frozen or not found:
            return
        known = self.holds.setdefault(cell, set())
        new = found - known
        if not new:
            return
        if not self.spots.get(cell):
            self.vague.add(cell)
        parts = tuple(around(cell))
        for key in () if known else parts:
            self._cells.setdefault(key, []).append(cell)
        known |= new
        self._growth.count(len(new))
        self._held.pop(cell, None)
        added = self.numbered.bits(new)
        for key in parts:
            self._inside[key] = self._inside.get(key, 0) | added

    def cells_of(self, key: str) -> list[Holder]:
        """The cells and other parts of an object that may hold addresses."""
        return self._cells.get(key, [])

    def inside(self, key: str) -> int:
        """The origins of the addresses that an object may hold, as `numbered` bits."""
        return self._inside.get(key, 0)

    def held(self, cell: Holder) -> Origins:
        """The origins of the addresses that a cell may hold, with the mark of those that lead to a start."""
        found = self._held.get(cell)
        if found is None:
            found = self._held[cell] = placed(frozenset(self.holds.get(cell, ())))
        return found

    def kept_elsewhere(self) -> Origins:
        """The origins of addresses that may be where no command writes or reads them.

        That is in memory outside of the program, in the C library, or in parts of objects without cells, say of unions.
        """
        return NOTHING.union(*(self.holds[cell] for cell in self._unwritten()))

    def shown_unnoted(self) -> Origins:
        """As `kept_elsewhere`, but for what is passed among variable arguments, which `Events.shown` tells."""
        return NOTHING.union(*(self.holds[cell] for cell in self._unwritten() if not isinstance(cell, Passed)))

    def _unwritten(self) -> Iterator[Holder]:
        return (cell for cell in self.holds if isinstance(cell, Elsewhere | UntrackedParts))

    def loaded(self, address: Origins, shape: Shape) -> Origins:
        """The contents of what is read through a pointer, beside those of the cells that are known to be read."""
        return NOTHING if self._growth.is_frozen else self.constraints.load(address, shape)

    def stored(self, address: Origins, shape: Shape, origins: Origins) -> None:
        """Records that what has some origins is written through a pointer."""
        if not self._growth.is_frozen:
            self.constraints.store(address, shape, placed(origins))

    def called(self, site: str, pointer: Origins, count: int) -> None:
        """Records a call of what a pointer points to, with some number of arguments."""
        if not self._growth.is_frozen:
            self.constraints.call(site, pointer, count)


def around(cell: Holder) -> Iterable[str]:
    """What a cell is part of, by name: an object, and the structures and arrays in it around the cell, and itself."""
    if isinstance(cell, UntrackedParts):
        return around(cell.key)
    if not isinstance(cell, str):
        return ()
    return [*(cell[:place] for place, letter in enumerate(cell) if letter in ".["), cell]


def _kept_marks(cell: Holder, origins: Origins) -> Origins:
    """The marks of a moved pointer that what holds it keeps: in other memory it is its type that counts (`lose`)."""
    if isinstance(cell, str):
        return kept_marks(origins)
    return NOTHING if cell is OUTSIDE else frozenset(found for found in kept_marks(origins) if not is_moved(found))
