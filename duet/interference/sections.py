"""Critical sections as the interference analysis sees them: where a thread keeps others from writing what they write.

A cell is in a section where no other thread can write it although there are places, in the same code, where others
can. Mutexes, the writer's side of a reader/writer lock, locks made by hand and atomic regions are all found alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from duet.flow.effects import Effects
from duet.interference.stable import Stability
from duet.plip.syntax import Program


class Sections:
    """Where the globals of a program are protected, as far as the flows of a fixpoint show it."""

    def __init__(self, program: Program, effects: Sequence[Effects], stability: Stability) -> None:
        self._program = program
        self._stability = stability
        self._writes: dict[str, set[int]] = {}
        self._reads: dict[str, set[int]] = {}
        self._protected: dict[str, bool] = {}
        self._sections_of: dict[str, frozenset[tuple[int, ...]]] = {}
        plain = frozenset(name for name in program.globals if not program.cells[name].summary)
        for command, effect in zip(program.commands, effects, strict=True):
            if stability.is_reached(command.source):
                for cell in effect.writes & plain:
                    self._writes.setdefault(cell, set()).add(command.source)
                for cell in effect.reads & plain:
                    self._reads.setdefault(cell, set()).add(command.source)

    @cached_property
    def _locations(self) -> Mapping[str, Sequence[int]]:
        """The locations of each template, without those that are like another one."""
        found: dict[str, list[int]] = {}
        for location in self._stability.places:
            found.setdefault(self._program.template_of[location], []).append(location)
        return found

    def is_inside(self, cell: str, location: int) -> bool:
        """Whether a thread at a location keeps others from writing a global cell that sections protect."""
        return self._stability.is_stable(cell, location) and self._is_protected(cell)

    def protected(self, concerned: Iterable[str]) -> Iterator[tuple[str, ...]]:
        """For each cell the others that are protected together with it: each is stable where the other one is written.

        Nobody sees one of them changed and the other not, except for the thread that changes them. Those that the same
        sections protect come first: one that only one thread writes may be in the way of what others may write.
        """
        shared = [cell for cell in concerned if cell in self._writes and self._is_protected(cell)]
        if shared:
            every = [*shared, *sorted(c for c in self._writes if c not in shared and self._is_protected(c))]
            groups = {
                cell: [c for c in every if c != cell and self._is_kept(c, cell) and self._is_kept(cell, c)]
                for cell in shared
            }
            for cell, found in groups.items():
                alike = [c for c in found if not self._sections(cell).isdisjoint(self._sections(c))]
                if alike:
                    yield (cell, *alike)
            for cell, found in groups.items():
                if found:
                    yield (cell, *found)

    def are_apart(self, one: str, other: str) -> bool:
        """Whether one of two cells is protected, but not where the other one is written."""
        return any(
            self._is_protected(cell) and not self._is_kept(cell, written)
            for cell, written in ((one, other), (other, one))
        )

    def published(self, concerned: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Cells that are protected, with each cell that is stable wherever they are written and written where they are.

        Others may see the second one changed and the first one not yet.
        """
        for cell in concerned:
            if cell in self._writes and self._is_protected(cell):
                others = (other for other in sorted(self._writes) if other != cell and self._is_kept(other, cell))
                for other in others:
                    told = [self._stability.is_stable(cell, location) for location in self._writes[other]]
                    if any(told) and not all(told):
                        yield cell, other

    def kept(self, cell: str) -> Iterator[int]:
        """Where a cell is used and stable."""
        used = self._writes.get(cell, set()) | self._reads.get(cell, set())
        yield from (location for location in sorted(used) if self._stability.is_stable(cell, location))

    def _is_protected(self, cell: str) -> bool:
        """Whether a template uses a cell where nobody else can write it, and has other places where somebody can."""
        if cell not in self._protected:
            used = self._writes.get(cell, set()) | self._reads.get(cell, set())
            templates = {self._program.template_of[at] for at in used if self._stability.is_stable(cell, at)}
            self._protected[cell] = any(
                not self._stability.is_stable(cell, location)
                for name in templates
                for location in self._locations[name]
            )
        return self._protected[cell]

    def _sections(self, cell: str) -> frozenset[tuple[int, ...]]:
        """Where a cell is stable, for each template that uses it there, if it is not stable everywhere."""
        if cell not in self._sections_of:
            used = {self._program.template_of[at] for at in self.kept(cell)}
            found = set[tuple[int, ...]]()
            for locations in (self._locations[name] for name in used):
                inside = tuple(at for at in locations if self._stability.is_stable(cell, at))
                if len(inside) < len(locations):
                    found.add(inside)
            self._sections_of[cell] = frozenset(found)
        return self._sections_of[cell]

    def _is_kept(self, cell: str, other: str) -> bool:
        """Whether a cell is stable wherever the other one is written."""
        return all(self._stability.is_stable(cell, location) for location in self._writes.get(other, ()))
