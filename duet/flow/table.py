"""Numbers by pack and location: most packs of a large program have one at every location.

So these have a row of numbers, in a hundredth of the memory that a dictionary of pairs takes, and the others a
dictionary of their own. Copies share rows until one of them is changed.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, MutableMapping, Sequence
from typing import TypeAlias

NONE = -1
"""Stands in rows where there is no number."""
_DENSE = 8
"""A pack has a row if it has numbers at one of so many locations, or more."""


def is_dense(places: Collection[int], size: int) -> bool:
    """Whether numbers at some places, which are less than `size`, take less memory as an array."""
    return len(places) * _DENSE >= size


class Few(dict[int, int]):
    """A row with few numbers."""

    def __missing__(self, location: int) -> int:
        return NONE


Row: TypeAlias = "array[int] | Few"


def row_of(size: int) -> array[int]:
    """A row of so many places without numbers."""
    return array("i", (NONE,)) * size


class Table(MutableMapping[tuple[int, int], int]):
    """Numbers, which are not negative, by pack and location; in this order where they are listed.

    `rows[pack][location]` is a number, or `NONE`, for packs and locations up to the largest of the `places` by pack
    that it is made for, and locations below `size`.
    """

    __slots__ = ("_own", "rows")

    def __init__(self, places: Mapping[int, Collection[int]], size: int = 0) -> None:
        distinct = {id(found): found for found in places.values() if found}
        size = max(size, 1 + max(map(max, distinct.values()), default=NONE))
        self.rows: list[Row] = [Few() for _ in range(1 + max(places, default=NONE))]
        for pack, found in places.items():
            if is_dense(found, size):
                self.rows[pack] = row_of(size)
        self._own = set(range(len(self.rows)))

    def copy(self) -> Table:
        """The same numbers, which may be changed without changing these."""
        made = Table({})
        made.rows = list(self.rows)
        self._own.clear()
        return made

    def renumbered(self, new: Sequence[int]) -> None:
        """Puts the new number for each one."""
        numbers = [*new, NONE]  # in the place that `NONE` has as an index
        for pack, row in enumerate(self.rows):
            self.rows[pack] = (
                Few(zip(row, map(numbers.__getitem__, row.values()), strict=True))
                if isinstance(row, Few)
                else array("i", map(numbers.__getitem__, row))
            )
        self._own = set(range(len(self.rows)))

    def get(self, key: tuple[int, int], default: int | None = None) -> int | None:  # type: ignore[override]
        """The number of a pack at a location."""
        pack, location = key
        try:
            found = self.rows[pack][location]
        except IndexError:
            return default
        return default if found == NONE else found

    def __getitem__(self, key: tuple[int, int]) -> int:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and self.get(key) is not None

    def __setitem__(self, key: tuple[int, int], number: int) -> None:
        pack, location = key
        if pack not in self._own:
            row = self.rows[pack]
            self.rows[pack] = Few(row) if isinstance(row, Few) else row[:]
            self._own.add(pack)
        self.rows[pack][location] = number

    def __delitem__(self, key: tuple[int, int]) -> None:
        self[key] = NONE

    def entries(self) -> Iterator[tuple[tuple[int, int], int]]:
        """As `items`, in less time."""
        for pack, row in enumerate(self.rows):
            found = sorted(row.items()) if isinstance(row, Few) else enumerate(row)
            yield from (((pack, location), number) for location, number in found if number != NONE)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return (key for key, _ in self.entries())

    def __len__(self) -> int:
        return sum(
            sum(number != NONE for number in (row.values() if isinstance(row, Few) else row)) for row in self.rows
        )
