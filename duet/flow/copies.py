"""Sets of facts about copies, as bits of numbers, so that what an instruction leaves alone costs nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from duet.plip.syntax import Linear

# `(local, term)`: the local is equal to the term, which is over globals alone.
Fact: TypeAlias = tuple[str, Linear]
Facts: TypeAlias = int
"""A set of facts: bit i stands for the i-th one of a `Copies`."""


@dataclass(frozen=True, slots=True)
class Copies:
    """The facts that there are, each with its number.

    `about` are the facts of each local, `over` those whose term has a global.
    """

    facts: list[Fact] = field(default_factory=list)
    about: dict[str, Facts] = field(default_factory=lambda: defaultdict(int))
    over: dict[str, Facts] = field(default_factory=lambda: defaultdict(int))
    _numbers: dict[Fact, int] = field(default_factory=dict)

    def set_of(self, facts: Iterable[Fact]) -> Facts:
        """The set of some facts."""
        result = 0
        for fact in facts:
            number = self._numbers.get(fact)
            if number is None:
                number = self._numbers[fact] = len(self.facts)
                self.facts.append(fact)
                self.about[fact[0]] |= 1 << number
                for cell, _ in fact[1].terms:
                    self.over[cell] |= 1 << number
            result |= 1 << number
        return result

    def members(self, facts: Facts) -> Iterator[Fact]:
        """The facts of a set."""
        while facts:
            low = facts & -facts
            yield self.facts[low.bit_length() - 1]
            facts ^= low

    def of(self, facts: Facts, locals_: Iterable[str]) -> Iterator[Fact]:
        """Those facts of a set that are about some locals."""
        asked = 0
        for name in locals_:
            asked |= self.about.get(name, 0)
        return self.members(facts & asked)

    def touched(self, cell: str) -> Facts:
        """All facts that a cell occurs in."""
        return self.about.get(cell, 0) | self.over.get(cell, 0)

    def without(self, facts: Facts, is_lost: Callable[[str], bool]) -> Facts:
        """A set without the facts over globals that are lost."""
        is_small = facts.bit_count() < len(self.over)
        cells = {cell for _, term in self.members(facts) for cell, _ in term.terms} if is_small else self.over
        for cell in cells:
            if facts & self.over[cell] and is_lost(cell):
                facts &= ~self.over[cell]
        return facts

    def equal_to(self, facts: Facts, cell: str) -> list[tuple[str, int]]:
        """The locals that are a global plus a constant, in order."""
        found = self.members(facts & self.over.get(cell, 0))
        return sorted((local, term.constant) for local, term in found if _is_plain(term))

    def equals_of(self, facts: Facts, local: str) -> list[tuple[str, int]]:
        """The globals, each with a constant, that a local is equal to the sum of, in order."""
        found = self.members(facts & self.about.get(local, 0))
        return sorted((term.terms[0][0], term.constant) for _, term in found if _is_plain(term))


def _is_plain(term: Linear) -> bool:
    return len(term.terms) == 1 and term.terms[0][1] == 1
