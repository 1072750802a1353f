"""Which commands of other threads may write a pack last, by pack and location; each set of commands is kept once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping

from duet.flow.table import NONE, Row, Table


class Arriving(MutableMapping[tuple[int, int], frozenset[int]]):
    """Sets of commands by pack and location, each kept once; copies share what is kept.

    `places` are the locations where there may be some, by pack, and `size` is more than any location.
    """

    __slots__ = ("_number_of", "_numbers", "_sets", "_unions")

    def __init__(self, places: Mapping[int, Collection[int]], size: int) -> None:
        self._numbers = Table(places, size)
        self._sets: list[frozenset[int]] = []
        self._number_of: dict[frozenset[int], int] = {}
        self._unions: dict[tuple[int, int], int] = {}

    def copy(self) -> Arriving:
        """The same sets, which may be changed without changing these."""
        made = Arriving({}, 0)
        made._numbers = self._numbers.copy()
        made._sets, made._number_of, made._unions = self._sets, self._number_of, self._unions
        return made

    def put(self, pack: int, locations: Iterable[int], commands: frozenset[int]) -> None:
        """The commands arrive at some locations."""
        number = self._number(commands)
        for location in locations:
            self._numbers[pack, location] = number

    def united(self, more: Mapping[tuple[int, int], frozenset[int]]) -> Arriving:
        """These and more; this one if there is nothing new."""
        result, own = self, self._numbers
        for (pack, location), number in self._numbered(more):
            before = own.rows[pack][location]
            if number == before:
                continue
            after = number if before == NONE else self._union(before, number)
            if after != before and (self._sets[number] or before != NONE):
                if result is self:
                    result = self.copy()
                    own = result._numbers
                own[pack, location] = after
        return result

    def _numbered(self, more: Mapping[tuple[int, int], frozenset[int]]) -> Iterator[tuple[tuple[int, int], int]]:
        """What arrives at some places, by the numbers that sets have here."""
        if not isinstance(more, Arriving):
            return ((key, self._number(commands)) for key, commands in more.items())
        numbers = [self._number(commands) for commands in more._sets]
        return ((key, numbers[number]) for key, number in more._numbers.entries())

    def _union(self, one: int, other: int) -> int:
        if (one, other) not in self._unions:
            self._unions[one, other] = self._number(self._sets[one] | self._sets[other])
        return self._unions[one, other]

    def _number(self, commands: frozenset[int]) -> int:
        number = self._number_of.setdefault(commands, len(self._sets))
        if number == len(self._sets):
            self._sets.append(commands)
        return number

    def row(self, pack: int) -> Row:
        """By location a number of what arrives there, the same one for the same commands; `NONE` for nothing."""
        return self._numbers.rows[pack]

    def entries(self) -> Iterator[tuple[tuple[int, int], frozenset[int]]]:
        """As `items`, in less time."""
        return ((key, self._sets[number]) for key, number in self._numbers.entries())

    def __getitem__(self, key: tuple[int, int]) -> frozenset[int]:
        return self._sets[self._numbers[key]]

    def __setitem__(self, key: tuple[int, int], commands: frozenset[int]) -> None:
        self._numbers[key] = self._number(commands)

    def __delitem__(self, key: tuple[int, int]) -> None:
        del self._numbers[key]

    def __contains__(self, key: object) -> bool:
        return key in self._numbers

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)
