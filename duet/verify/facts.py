"""What the analysis with data flow graphs knows of a cube, to leave out cubes that no execution meets.

Its invariants hold at a thread's location while no thread is inside of an atomic region, or for the one that is inside.
They are asked only of a state from which a thread of the cube moves on: then no other thread is inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from duet.coarsen.results import Fixpoint
from duet.plip.syntax import Atom, Cell, Linear, Relation
from duet.plip.terms import atom, linear
from duet.verify.cube import Cube, own


@dataclass(frozen=True)
class Facts:
    """Fixpoints that hold in every execution, for a program whose locations and cells are among theirs."""

    fixpoints: Sequence[Fixpoint]
    cells: Mapping[str, Cell]
    atomic: frozenset[int]
    _known: dict[int, tuple[Atom, ...]] = field(default_factory=dict)
    _pairs: dict[tuple[int, int], bool] = field(default_factory=dict)

    def excludes(self, cube: Cube) -> bool:
        """Whether threads are never at the locations of a cube together, one of them about to move."""
        inside = [place for place in cube.locations if place in self.atomic]
        alone = inside or cube.locations
        if any(fixpoint.invariants.is_bottom(place) for place in alone for fixpoint in self.fixpoints):
            return True
        return not inside and not all(self.together(*pair) for pair in combinations(cube.locations, 2))

    def of(self, cube: Cube) -> list[Atom]:
        """Literals that hold where a cube does and one of its threads is about to move."""
        inside = [place for place in cube.locations if place in self.atomic]
        found: list[Atom] = []
        for thread, place in enumerate(cube.locations):
            if not inside or place in inside:
                for literal in self.at(place):
                    terms = {
                        cell if self.cells[cell].template is None else own(cell, thread): k
                        for cell, k in literal.term.terms
                    }
                    renamed = atom(linear(terms, literal.term.constant), literal.relation)
                    found += [renamed] if isinstance(renamed, Atom) else []
        return found

    def together(self, left: int, right: int) -> bool:
        """Whether two threads may be at two locations at once, while no thread is inside of an atomic region."""
        pair = min(left, right), max(left, right)
        if pair not in self._pairs:
            self._pairs[pair] = all(
                fixpoint.together(left, right) and fixpoint.together(right, left) for fixpoint in self.fixpoints
            )
        return self._pairs[pair]

    def at(self, location: int) -> tuple[Atom, ...]:
        """Literals that hold for a thread at a location while no other thread is inside of an atomic region."""
        if location not in self._known:
            found: dict[Atom, None] = {}
            for fixpoint in self.fixpoints:
                invariants = fixpoint.invariants
                packing, domain = invariants.space.packing, invariants.space.domain
                for pack, value in invariants.state(location).items():
                    names = packing.packs[pack]
                    for (terms, constant), relation in domain.constraints(value):
                        sign = -1 if relation == ">=" else 1  # the domain writes `expression >= 0`
                        term = linear({names[index]: sign * k for index, k in terms}, sign * constant)
                        literal = atom(term, Relation.LE if relation == ">=" else Relation.EQ)
                        if isinstance(literal, Atom) and _is_over(literal.term, self.cells):
                            found[literal] = None
            self._known[location] = tuple(found)
        return self._known[location]


def _is_over(term: Linear, cells: Mapping[str, Cell]) -> bool:
    return all(cell in cells and not cells[cell].summary for cell, _ in term.terms)
