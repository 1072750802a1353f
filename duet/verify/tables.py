"""The states that an exploration of few threads has seen, asked whether a cube holds in one of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from duet.plip.execute import Store, compile_formula
from duet.plip.multiplicity import many
from duet.plip.syntax import And, Program
from duet.plip.terms import term_cells
from duet.verify.cube import Cube, own
from duet.verify.explore import State

_MOST_KEPT = 1_000_000  # stores that are kept for later questions


@dataclass
class Tables:
    """States by the locations of their threads, and for tuples of locations the stores of threads seen there.

    `threads` of a template that is `MANY` is the most that was explored: of more than those nothing is known.
    """

    program: Program
    threads: int
    states: dict[tuple[int, ...], list[State]] = field(default_factory=lambda: defaultdict(list))
    seen: set[int] = field(default_factory=set)
    many: frozenset[str] = field(init=False)
    _stores: dict[tuple[int, ...], list[tuple[Store, ...]]] = field(default_factory=dict)
    _kept: int = 0
    _chosen: dict[tuple[tuple[int, ...], tuple[str, ...]], tuple[Store, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.many = many(self.program)

    def add(self, states: Sequence[State]) -> None:
        """Puts states with the others."""
        for state in states:
            places = tuple(sorted(place for place, _ in state[1]))
            self.states[places].append(state)
            self.seen.update(places)

    def may_judge(self, cube: Cube) -> bool:
        """Whether not to have seen a cube means anything: few enough threads, at locations that were seen."""
        counts = Counter(self.program.template_of[place] for place in cube.locations)
        return self.seen.issuperset(cube.locations) and all(
            count < self.threads for template, count in counts.items() if template in self.many
        )

    def holds(self, cube: Cube) -> bool:
        """Whether a cube holds in a state that was seen."""
        names = tuple(sorted({cell for literal in cube.literals for cell in term_cells(literal.term)}))
        test = compile_formula(And(cube.literals), {name: slot for slot, name in enumerate(names)})
        return any(map(test, self._values(cube.locations, names)))

    def least(self, locations: tuple[int, ...], name: str, factor: int) -> int | None:
        """The least value seen of a name in literals times a factor; None if nothing was seen there."""
        values = (store[0] for store in self._values(locations, (name,)))
        return min((factor * value for value in values if isinstance(value, int)), default=None)

    def _values(self, locations: tuple[int, ...], names: tuple[str, ...]) -> tuple[Store, ...]:
        """The values of some names in the states with threads at locations, each once."""
        if (locations, names) not in self._chosen:
            where = self._where(locations)
            wanted = [where[name] for name in names]
            found = dict.fromkeys(tuple(parts[part][slot] for part, slot in wanted) for parts in self._at(locations))
            self._chosen[locations, names] = tuple(found)
        return self._chosen[locations, names]

    def _where(self, locations: tuple[int, ...]) -> dict[str, tuple[int, int]]:
        """In which part of what `_at` gives each name is, and where there."""
        found = {name: (0, slot) for slot, name in enumerate(self.program.globals)}
        for thread, place in enumerate(locations):
            template = self.program.template_of[place]
            cells = (name for name, cell in self.program.cells.items() if cell.template == template)
            found.update({own(name, thread): (thread + 1, slot) for slot, name in enumerate(cells)})
        return found

    def _at(self, locations: tuple[int, ...]) -> list[tuple[Store, ...]]:
        """The globals and the own cells of threads seen at locations together, one after the other."""
        if locations not in self._stores:
            wanted = Counter(locations)
            found: dict[tuple[Store, ...], None] = {}
            for places, states in self.states.items():
                if not wanted - Counter(places):
                    found.update((parts, None) for state in states for parts in _chosen(state, locations))
            if self._kept > _MOST_KEPT:
                self._stores.clear()
                self._kept = 0
            self._kept += len(found)
            self._stores[locations] = list(found)
        return self._stores[locations]


def _chosen(state: State, locations: tuple[int, ...]) -> Iterator[tuple[Store, ...]]:
    """The stores for each way to take different threads of a state for those of a cube."""
    shared, threads = state
    options = [[i for i, (place, _) in enumerate(threads) if place == wanted] for wanted in locations]
    for choice in product(*options):
        if len(set(choice)) == len(choice):
            yield (shared, *(threads[index][1] for index in choice))
