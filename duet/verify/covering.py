"""Whether a cube is inside of the union of others, and whether it holds in any state: questions to z3.

*Source*: thesis Def. 5.3.8 (covering by injective renaming of threads), with a union for one: by the rule of
conjunction of proof spaces. z3 appears in this module only, within `duet.verify`.
*Approximates*: what z3 does not answer in time is not covered, and may hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

import z3

from duet.plip.syntax import Atom, Relation
from duet.verify.cube import Cube, renumbered

_TIMEOUT_MS = 500
_MOST_INSTANCES = 600


def instances(cube: Cube, other: Cube) -> Iterator[tuple[Atom, ...]]:
    """The literals of a cube for each way to take threads of another one for its own, different ones for different."""
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
    """The cubes visited so far."""

    cubes: list[Cube] = field(default_factory=list)
    _variables: dict[str, z3.ArithRef] = field(default_factory=dict)
    _formulas: dict[Atom, z3.BoolRef] = field(default_factory=dict)

    def add(self, cube: Cube) -> None:
        self.cubes.append(cube)

    def covers(self, cube: Cube, known: Iterable[Atom]) -> bool:
        """Whether every state in a cube in which some more literals hold is in the union; so if there is none."""
        mine = set(cube.literals)
        found = []
        for visited in self._candidates(cube):
            for literals in instances(visited, cube):
                if mine.issuperset(literals):
                    return True
                found.append(literals)
                if len(found) > _MOST_INSTANCES:
                    break
        return self._is_empty((*cube.literals, *known), found)

    def _candidates(self, cube: Cube) -> Iterator[Cube]:
        places = set(cube.locations)
        for visited in self.cubes:
            if len(visited.locations) <= len(cube.locations) and places.issuperset(visited.locations):
                yield visited

    def is_possible(self, literals: Iterable[Atom]) -> bool:
        """Whether literals can hold together."""
        return not self._is_empty(tuple(literals), ())

    def _is_empty(self, literals: Sequence[Atom], excluded: Iterable[Sequence[Atom]]) -> bool:
        solver = z3.SolverFor("QF_LIA")
        solver.set("timeout", _TIMEOUT_MS)
        solver.add(*(self._formula(literal) for literal in literals))
        for instance in excluded:
            solver.add(z3.Not(z3.And(*(self._formula(literal) for literal in instance))))
        return bool(solver.check() == z3.unsat)

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
