"""Whether a cube is inside of the union of others, and whether it holds in any state: questions to z3.

*Source*: thesis Def. 5.3.8 (covering by injective renaming of threads), with a union for one: by the rule of
conjunction of proof spaces. z3 appears in this module only, within `duet.verify`.
*Approximates*: what z3 does not answer in time is not covered, and may hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, permutations, product

import z3

from duet.plip.syntax import Atom, Relation
from duet.verify.bounds import Bounds
from duet.verify.cube import Cube, renumbered

_TIMEOUT_MS = 500
_MOST_INSTANCES = 600


def instances(cube: Cube, other: Cube) -> Iterator[tuple[Atom, ...]]:
    """The literals of a cube for each way to take threads of another one for its own, different ones for different."""
    if cube.locations == other.locations and len(set(cube.locations)) == len(cube.locations):
        yield cube.literals
        return
    places: dict[int, list[int]] = defaultdict(list)
    for thread, place in enumerate(other.locations):
        places[place].append(thread)
    wanted: dict[int, list[int]] = defaultdict(list)
    for thread, place in enumerate(cube.locations):
        wanted[place].append(thread)
    choices = [permutations(places.get(place, ()), len(threads)) for place, threads in wanted.items()]
    for chosen in product(*choices):
        number = {
            thread: taken
            for threads, found in zip(wanted.values(), chosen, strict=True)
            for thread, taken in zip(threads, found, strict=True)
        }
        yield tuple(renumbered(literal, number) for literal in cube.literals)


@dataclass
class Union:
    """The cubes visited so far, and how many questions z3 was asked."""

    cubes: list[Cube] = field(default_factory=list)
    queries: int = 0
    _solver: z3.Solver = field(default_factory=z3.SimpleSolver)
    _variables: dict[str, z3.ArithRef] = field(default_factory=dict)
    _formulas: dict[Atom, z3.BoolRef] = field(default_factory=dict)
    _excluded: dict[tuple[Atom, ...], z3.BoolRef] = field(default_factory=dict)

    def add(self, cube: Cube) -> None:
        self.cubes.append(cube)

    def covers(self, cube: Cube, known: Iterable[Atom], besides: Iterable[Cube] = ()) -> bool:
        """Whether every state in a cube in which some more literals hold is in the union; so if there is none.

        The union may be taken with some cubes `besides`.
        """
        literals = (*cube.literals, *known)
        mine = Bounds.of(literals)
        left: dict[tuple[Atom, ...], None] = {}
        for visited in self._candidates(cube, besides):
            for instance in islice(instances(visited, cube), _MOST_INSTANCES):
                rest = mine.left_of(instance)
                if rest == ():
                    return True
                if rest is not None and len(left) < _MOST_INSTANCES:
                    left[rest] = None
        return self._is_empty(literals, left)

    def _candidates(self, cube: Cube, besides: Iterable[Cube]) -> Iterator[Cube]:
        places = set(cube.locations)
        for visited in chain(self.cubes, besides):
            if len(visited.locations) <= len(cube.locations) and places.issuperset(visited.locations):
                yield visited

    def is_possible(self, literals: Iterable[Atom]) -> bool:
        """Whether literals can hold together."""
        return not self._is_empty(tuple(literals), ())

    def _is_empty(self, literals: Iterable[Atom], excluded: Iterable[tuple[Atom, ...]]) -> bool:
        self.queries += 1
        solver = self._solver
        solver.set("timeout", _TIMEOUT_MS)
        solver.push()
        try:
            solver.add(*(self._formula(literal) for literal in literals))
            solver.add(*(self._outside(instance) for instance in excluded))
            return bool(solver.check() == z3.unsat)
        finally:
            solver.pop()

    def _outside(self, instance: tuple[Atom, ...]) -> z3.BoolRef:
        if instance not in self._excluded:
            self._excluded[instance] = z3.Not(z3.And(*(self._formula(literal) for literal in instance)))
        return self._excluded[instance]

    def _formula(self, literal: Atom) -> z3.BoolRef:
        if literal not in self._formulas:
            value = z3.IntVal(literal.term.constant) + sum(k * self._variable(c) for c, k in literal.term.terms)
            forms: Mapping[Relation, z3.BoolRef] = {
                Relation.LE: value <= 0,
                Relation.EQ: value == 0,
                Relation.NE: value != 0,
            }
            self._formulas[literal] = forms[literal.relation]
        return self._formulas[literal]

    def _variable(self, name: str) -> z3.ArithRef:
        if name not in self._variables:
            self._variables[name] = z3.Int(name)
        return self._variables[name]
