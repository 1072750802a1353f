"""Ghost variables that say which locks are taken, and what may hold of variables while a lock is free.

Nothing here has to be right, as in `duet.witness.candidates`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from duet.frontend.source.ghosts import Locking
from duet.frontend.source.invariants import Place
from duet.options import Ghost, GhostUpdate, Invariant
from duet.witness.document import Said

_MOST = 60
"""Invariants about what holds while a lock is free."""


@dataclass(frozen=True, slots=True)
class Locks:
    """The statements of a file that take locks and give them back, and a ghost for each lock."""

    lockings: Sequence[Locking]
    names: dict[str, str]

    def said(self) -> Said:
        """The ghosts: 1 while a thread has the lock."""
        ghosts = tuple(Ghost(name, "int", "0") for name in self.names.values())
        updates = (
            GhostUpdate(one.span.file, one.span.line, one.span.column, self.names[one.lock], str(int(one.is_taken)))
            for one in self.lockings
        )
        return Said((), ghosts, tuple(updates))

    def releases(self, variables: frozenset[str]) -> list[Place]:
        """Where locks are given back, with the variables that are known everywhere in the file."""
        return [Place("", one.span, False, variables) for one in self.lockings if not one.is_taken]

    def guarded(self, found: Iterable[Invariant], places: Sequence[Place]) -> Iterator[Invariant]:
        """At the loops of a file: what holds wherever a lock is given back, or else the lock is taken."""
        known: dict[tuple[int, int], set[str]] = {}
        for item in found:
            known.setdefault((item.line, item.column), set()).add(item.expression)
        for lock, ghost in self.names.items():
            there = [one.span for one in self.lockings if one.lock == lock and not one.is_taken]
            kept = set.intersection(*(known.get((at.line, at.column), set()) for at in there)) if there else set()
            for text in sorted(kept)[:_MOST]:
                for place in (place for place in places if place.is_of_loop):
                    at = place.span
                    if text not in known.get((at.line, at.column), ()):
                        yield Invariant(at.file, at.line, at.column, True, f"{ghost} == 1 || {text}")


def locks_of(lockings: Sequence[Locking], words: frozenset[str]) -> Locks:
    """The locks of a file, with ghosts whose names are none of its words."""
    names: dict[str, str] = {}
    for one in lockings:
        name = f"{one.lock}_locked"
        while name in words:
            name += "_"
        names[one.lock] = name
    return Locks(lockings, names)
