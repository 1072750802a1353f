"""Sums of globals that change by little however often single cells of them do.

*Source*: invariants of the places of Petri nets (Lautenbach 1975), where a token that is taken here is put there; those
that hold but for what a thread has in its hands are found by the ways that its control can take. If `count + vacant`
never gets larger and `vacant` never is negative, `count` is bounded.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from duet.plip.graphs import postorder
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Linear, Program
from duet.plip.terms import add, constant, linear, scale, variable

TERMS = 4
"""Terms that are to be bounded."""
CELLS = 7
"""Cells that may be in such a sum besides."""
MORE = 3
"""Those of them in one sum."""
EACH = 3
"""Sums that bound a term from one side."""
FAR = 16
"""What a thread may have in its hands; more counts as any number."""
Changes: TypeAlias = Mapping[int, Linear | None]
"""What commands add, None for nothing that is known."""
Range: TypeAlias = tuple[float, float]


def sums(
    program: Program, changes: Mapping[str, Changes], asked: Sequence[Linear], tokens: Collection[str]
) -> tuple[Linear, ...]:
    """Sums of `tokens`, and of these with a term that is `asked` for or its opposite, which have an upper bound.

    `changes` are what each command adds to some globals, and `tokens` those of them that are never negative, so that a
    sum with more of them says more of the rest if it is bounded by less. *Approximates*: either way; it decides only
    about precision and time.
    """
    ways = _Ways(program, changes)
    cells = sorted(tokens, key=lambda cell: (-len(changes[cell]), cell))[:CELLS]
    sides = [side for term in asked[:TERMS] for side in (term, scale(term, -1))]
    found = (it for side in (constant(0), *sides) for it in _bounding(side, cells, ways))
    return tuple(dict.fromkeys(found))


def settled(program: Program, changes: Mapping[str, Changes], asked: Collection[str]) -> tuple[Linear, ...]:
    """Sums and differences of two globals, one of them `asked` for, to which threads that end have added one number.

    Of each alone they may have added several. First come those to which a round of a loop adds nothing. The other
    arguments are those of `sums`. *Approximates*: either way.
    """
    ways = _Ways(program, changes)
    cells = sorted(changes, key=lambda cell: (cell not in asked, -len(changes[cell]), cell))[:CELLS]
    found = [
        linear({one: 1, other: k})
        for one, other in combinations(cells, 2)
        if not {one, other}.isdisjoint(asked)
        for k in (1, -1)
        if ways.is_settled(linear({one: 1, other: k})) and not ways.is_known(variable(one))
    ]
    return tuple(sorted(found, key=lambda term: not ways.is_kept(term))[:TERMS])


def _bounding(side: Linear, cells: Sequence[str], ways: _Ways) -> Iterator[Linear]:
    """The sums with a term that bound it best: with each cell they have a smaller bound than without it."""
    most: dict[tuple[str, ...], float] = {}
    best: list[tuple[float, Linear]] = []
    inside = {cell for cell, _ in side.terms}
    others = [cell for cell in cells if cell not in inside]
    for size in range(MORE + 1):
        for chosen in combinations(others, size):
            term = add(side, linear(dict.fromkeys(chosen, 1)))
            if not term.terms:
                continue
            smaller = [most[part] for part in combinations(chosen, size - 1) if part in most] if size else []
            most[chosen] = bound = min([ways.most(term), *smaller])
            if bound < min(smaller, default=math.inf) and len(term.terms) > 1:
                best.append((bound, term))
    yield from (term for _, term in sorted(best, key=lambda it: (it[0], len(it[1].terms)))[:EACH])


@dataclass(frozen=True)
class _Ways:
    """What threads have added along the ways that their control can take."""

    program: Program
    changes: Mapping[str, Changes]

    @cached_property
    def _multiplicities(self) -> Mapping[str, Multiplicity]:
        return multiplicities(self.program)

    def most(self, term: Linear) -> float:
        """What all threads together may have added to a sum at any time, at most."""
        many, steps = self._multiplicities, self._steps(term)
        total = 0.0
        for name in self._owners(steps):
            most = self._most_of_one(name, steps)
            total += most if many[name] is Multiplicity.ONE or most <= 0 else math.inf
        return total

    def is_settled(self, term: Linear) -> bool:
        """Whether whatever way they take, all threads but the first add one number to a sum to the end or in a round.

        A round is one through a loop.
        """
        return all(lo == hi for (lo, hi), _ in self._of_others(term))

    def is_kept(self, term: Linear) -> bool:
        """Whether they add nothing to a sum in any round that they go."""
        return not any(any(round_) for _, round_ in self._of_others(term))

    def is_known(self, term: Linear) -> bool:
        """Whether they add one number to a sum in whatever rounds they go."""
        return all(lo == hi and not any(round_) for (lo, hi), round_ in self._of_others(term))

    def _of_others(self, term: Linear) -> Iterator[tuple[Range, Range]]:
        """What threads of other templates than the first one may have added at their ends and in rounds."""
        steps = self._steps(term)
        for name in sorted(self._owners(steps) - {self.program.main}):
            yield from self._added_by_rounds(name, steps)

    def _steps(self, term: Linear) -> Mapping[int, Range]:
        """What commands add to a sum."""
        steps: dict[int, Range] = {}
        for cell, k in term.terms:
            for index, by in self.changes[cell].items():
                lo, hi = steps.get(index, (0.0, 0.0))
                more = (-math.inf, math.inf) if by is None or by.terms else (by.constant * k, by.constant * k)
                steps[index] = lo + more[0], hi + more[1]
        return steps

    def _owners(self, steps: Mapping[int, Range]) -> set[str]:
        """The templates whose threads add something."""
        return {self.program.template_of[self.program.commands[index].source] for index in steps}

    def _added_by_rounds(self, name: str, steps: Mapping[int, Range]) -> Iterator[tuple[Range, Range]]:
        """What one thread of a template may have added at its end, and where rounds end, with each loop taken once.

        With it goes what the round has added.
        """
        template = self.program.templates[name]
        order = postorder([template.entry], self._following)
        place = {location: number for number, location in enumerate(order)}
        at: dict[int, Range] = {template.entry: (0.0, 0.0)}
        for location in reversed(order):
            lo, hi = at[location]
            is_last = location == template.exit
            for index in self.program.outgoing[location]:
                target, by = self.program.commands[index].target, steps.get(index, (0.0, 0.0))
                after = lo + by[0], hi + by[1]
                if place[target] < place[location]:
                    at[target] = _hull(at[target], after) if target in at else after
                else:
                    before = at[target]
                    yield after, (after[0] - before[0], after[1] - before[1])
            if is_last:
                yield at[location], (0.0, 0.0)

    def _following(self, location: int) -> Iterator[int]:
        return (self.program.commands[index].target for index in self.program.outgoing[location])

    def _most_of_one(self, name: str, steps: Mapping[int, Range]) -> float:
        """What one thread of a template may have added at any time, at most."""
        behind: dict[int, float] = {}
        work = [(self.program.templates[name].entry, 0.0)]
        while work:
            location, before = work.pop()
            for index in self._next[location]:
                high = before + steps.get(index, (0.0, 0.0))[1]
                now = high if high <= FAR else math.inf
                if now > behind.get(index, -math.inf):
                    behind[index] = now
                    work.append((self.program.commands[index].target, now))
        return max((0.0, *behind.values()))

    @cached_property
    def _next(self) -> Mapping[int, tuple[int, ...]]:
        """The commands that change something and come first on the ways from each location."""
        changing = sorted(frozenset(index for changed in self.changes.values() for index in changed))
        bits = {index: 1 << place for place, index in enumerate(changing)}
        commands, outgoing = self.program.commands, self.program.outgoing
        order = postorder(outgoing, self._following)
        found = dict.fromkeys(order, 0)
        has_changed = True
        while has_changed:
            has_changed = False
            for location in order:
                met = 0
                for index in outgoing[location]:
                    met |= bits.get(index) or found[commands[index].target]
                if met != found[location]:
                    found[location] = met
                    has_changed = True
        known = {met: tuple(index for index in changing if met & bits[index]) for met in found.values()}
        return {location: known[met] for location, met in found.items()}


def _hull(left: Range, right: Range) -> Range:
    return min(left[0], right[0]), max(left[1], right[1])
