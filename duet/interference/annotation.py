"""What the interference analysis asks of the invariants known so far.

The abstract interpreter implements this protocol; the analysis never meets a numeric domain.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Protocol

from domains.values.number import Number
from duet.plip.syntax import Atom, Linear


class Annotation(Protocol):
    """A thread-state annotation Phi (Def. 3.4.1), through its observable conditions (section 3.6.2).

    Every question may be answered `False` where the truth is not seen: that only adds flows.
    """

    def is_bottom(self, location: int) -> bool:
        """Whether Phi(location) is unsatisfiable."""
        ...

    def entails(self, location: int, atom: Atom) -> bool:
        """Whether Phi(location) entails `atom`, which is over globals that are not summaries."""
        ...

    def number(self, location: int, term: Linear) -> Number:
        """What is known of a term at a location."""
        ...

    def refuses(self, command: int, atom: Atom) -> bool:
        """Whether `atom`, Phi at the source of the command and its formula contradict each other."""
        ...

    def is_disabled(self, command: int) -> bool:
        """Whether Phi at the source of the command and its formula contradict each other."""
        ...

    def outlooks(self, locations: Collection[int], cells: frozenset[str]) -> Sequence[Hashable]:
        """What `entails` depends on at each of some locations, where Phi is satisfiable.

        Where it is the same, so are the answers for atoms over these cells.
        """
        ...

    def stance(self, command: int, cells: frozenset[str]) -> Hashable:
        """What `refuses` depends on: where it is the same, so are the answers for atoms over these cells."""
        ...
