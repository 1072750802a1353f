"""Sets of origins as bits of numbers: what is reached through many objects is united in few operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from datalog.bitset import bits
from duet.frontend.ctypes.origins import Origin, Origins


class Numbered:
    """Numbers of origins, in the order in which they are met; `origins` by number."""

    def __init__(self) -> None:
        self.origins: list[Origin] = []
        self._bit: dict[Origin, int] = {}
        self.named: Callable[[int], Origins] = lru_cache(1 << 8)(self._named)

    def bits(self, origins: Iterable[Origin]) -> int:
        """A set with the bit of each of its members."""
        found = 0
        for origin in origins:
            bit = self._bit.get(origin)
            if bit is None:
                bit = self._bit[origin] = 1 << len(self.origins)
                self.origins.append(origin)
            found |= bit
        return found

    def _named(self, found: int) -> Origins:
        """The set with some bits. Equal ones are mostly one object, so that what is known of it is found at once."""
        return frozenset(self.origins[number] for number in bits(found))
