"""Questions to an annotation: what holds at a location, what a command refuses.

Implements `duet.interference.annotation.Annotation` on the values that `duet.absint.solve` found.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from domains.values.number import ANY, Number
from duet.absint.conditions import assume, entails, known_equal, simplified
from duet.absint.solve import Solution
from duet.absint.state import Points, Space, State
from duet.absint.transfer import passes
from duet.flow.dfg import DataFlowGraph, with_equals
from duet.flow.table import NONE
from duet.plip.syntax import Atom, Formula, Linear
from duet.plip.terms import formula_cells, term_cells


class Invariants:
    """`Phi` of one round of coarsening; every answer is cached.

    *Approximates*: a yes is certain under the annotation, a no may be imprecision.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.space: Space = solution.space
        self.graph: DataFlowGraph = solution.graph
        self._bottom: dict[int, bool] = {}
        self._disabled: dict[int, bool] = {}
        # The same few conditions are asked about everywhere: they are told apart by identity, since hashing them is
        # slow, and kept here, so that no other condition gets the identity of one that is gone.
        self._questions: dict[int, tuple[Formula, tuple[int, ...]]] = {}
        self._answers: dict[tuple[int, tuple[int, ...]], bool] = {}
        self._contradicts: dict[tuple[int, tuple[int, ...]], bool] = {}
        self._packs: dict[frozenset[str], tuple[int, ...]] = {}
        self._numbers: dict[int, int] = {NONE: -1}
        self._wider: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
        self._equalities: dict[int, int] = {}
        self._points: dict[int, Points] = {}

    @cached_property
    def _everywhere(self) -> tuple[int, ...]:
        """The packs wanted at every location, without REACHABLE."""
        wanted, count = self.graph.wanted, len(self.graph.program.template_of)
        return tuple(pack for pack in range(self.graph.own.reachable) if len(wanted[pack]) == count)

    @cached_property
    def _elsewhere(self) -> Mapping[int, Sequence[int]]:
        """The other packs that are wanted at each location."""
        found: dict[int, list[int]] = {location: [] for location in self.graph.program.template_of}
        everywhere = {*self._everywhere, self.graph.own.reachable}
        for pack, locations in self.graph.wanted.items():
            for location in locations if pack not in everywhere else ():
                found[location].append(pack)
        return found

    @cached_property
    def _stopped(self) -> frozenset[int]:
        """The locations where REACHABLE, or a pack that is wanted everywhere, has no value."""
        bottoms = {NONE, *(slot for slot, value in enumerate(self.solution.slots) if value is None)}
        found: set[int] = set()
        for pack in (self.graph.own.reachable, *self._everywhere):
            row = self.solution.at.rows[pack]
            if isinstance(row, dict) or not bottoms.isdisjoint(row):
                found.update(location for location in self.graph.program.template_of if row[location] in bottoms)
        return frozenset(found)

    def is_bottom(self, location: int) -> bool:
        """Whether no thread is ever at a location."""
        answer = self._bottom.get(location)
        if answer is None:
            answer = location in self._stopped or any(
                self.solution.value(pack, location) is None for pack in self._elsewhere[location]
            )
            if not answer and location in self.graph.certain:
                values = self._values(location, (self.graph.own.reachable, *self._packs_at(location)))
                answer = self._certain(location, values) is None
            self._bottom[location] = answer
        return answer

    def _packs_at(self, location: int) -> list[int]:
        """The packs wanted at a location, without REACHABLE."""
        return sorted((*self._everywhere, *self._elsewhere[location]))

    def state(self, location: int, packs: Iterable[int] | None = None) -> State:
        """What is known at a location of packs (all that are wanted there, by default). *Requires*: not bottom."""
        chosen = self._packs_at(location) if packs is None else packs
        if location not in self.graph.certain:
            return self._values(location, chosen)
        wider = with_equals(tuple(chosen), self.graph.connected[location])
        values = self._values(location, wider)
        return self._certain(location, values) or values

    def _values(self, location: int, packs: Iterable[int]) -> State:
        rows, slots = self.solution.at.rows, self.solution.slots
        return {pack: slots[slot] for pack in packs if (slot := rows[pack][location]) != NONE}

    def _certain(self, location: int, values: State) -> State | None:
        """The values after the equalities that hold at a location, None where they contradict each other."""
        certain, known = self.graph.certain[location], self.space.memory.certain
        key = (id(certain), *[(pack, id(self.space.unique(value))) for pack, value in values.items()])
        if key not in known:
            met = assume(self.space, values, known_equal(self.space, certain, values.keys()))
            known[key] = certain, met
        found = known[key][1]
        return None if found is None else found.copy()

    def entails(self, location: int, condition: Formula) -> bool:
        """Whether a condition over wanted cells certainly holds at a location."""
        if self.is_bottom(location):
            return True
        packs = self._packs_of(condition)
        key = (id(condition), self._look(packs, location))
        if key not in self._answers:
            asked = simplified(condition, self.graph.certain.get(location, ()))
            self._answers[key] = entails(self.space, self.state(location, packs), asked)
        return self._answers[key]

    def number(self, location: int, term: Linear) -> Number:
        """What is known of a term over wanted cells at a location, where a thread is there."""
        if not term_cells(term) <= self.space.packing.pack_of.keys() or self.is_bottom(location):
            return ANY
        return self.space.term_number(self.state(location, self._packs_with(term_cells(term))), term)

    def admits(self, location: int, store: Mapping[str, int]) -> bool:
        """Whether the annotation at a location allows a thread store; cells that nothing is known of are free."""
        if self.is_bottom(location):
            return False
        if location not in self._points:
            self._points[location] = Points(self.space, self.state(location))
        return self._points[location].contain(store)

    def is_disabled(self, command: int) -> bool:
        """Whether a command can never pass."""
        answer = self._disabled.get(command)
        if answer is None:
            found = self.graph.program.commands[command]
            answer = self.is_bottom(found.source)
            if not answer:
                answer = not passes(self.space, self.state(found.source, self.graph.used[command]), command)
            self._disabled[command] = answer
        return answer

    def refuses(self, command: int, atom: Atom) -> bool:
        """Whether a command can never pass where an atom over observed cells holds."""
        if self.is_disabled(command):
            return True
        found = self.graph.program.commands[command]
        packs = self._packs_of(atom)
        key = (id(atom), self._look(packs, found.source))
        if key not in self._contradicts:
            met = assume(self.space, self.state(found.source, packs), atom)
            self._contradicts[key] = met is None
        if self._contradicts[key]:
            return True
        used = self.graph.used[command]
        if not set(packs) & set(used):
            return False
        before = assume(self.space, self.state(found.source, sorted({*packs, *used})), atom)
        return before is None or not passes(self.space, before, command)

    def outlooks(self, locations: Collection[int], cells: frozenset[str]) -> Sequence[Hashable]:
        """What `entails` depends on at each of some locations. *Requires*: none is bottom.

        Where it is the same, so are the answers for atoms over these cells.
        """
        packs, certain, known = self._packs_with(cells), self.graph.certain, dict[Hashable, Hashable]()
        rows = [self.solution.at.rows[pack] for pack in packs]
        slots_at: Callable[[int], Hashable] = (
            rows[0].__getitem__ if len(rows) == 1 else lambda location: tuple([row[location] for row in rows])
        )
        found: list[Hashable] = []
        for location in locations:
            if location in certain:
                found.append(self._look(packs, location))
            else:
                slots = slots_at(location)
                if slots not in known:
                    known[slots] = self._look(packs, location)
                found.append(known[slots])
        return found

    def stance(self, command: int, cells: frozenset[str]) -> Hashable:
        """What `refuses` depends on: where it is the same, so are the answers for atoms over these cells."""
        if self.is_disabled(command):
            return None
        program = self.graph.program
        source, packs, used = program.commands[command].source, self._packs_with(cells), self.graph.used[command]
        if set(packs).isdisjoint(used):
            return self._look(packs, source)
        return program.kinds[command], used, self._look(tuple(sorted({*packs, *used})), source)

    def _packs_of(self, condition: Formula) -> tuple[int, ...]:
        known = self._questions.get(id(condition))
        if known is None:
            known = self._questions[id(condition)] = (condition, self._packs_with(formula_cells(condition)))
        return known[1]

    def _packs_with(self, cells: frozenset[str]) -> tuple[int, ...]:
        if cells not in self._packs:
            self._packs[cells] = self.space.packs_of(cells)
        return self._packs[cells]

    def _look(self, packs: tuple[int, ...], location: int) -> tuple[int, ...]:
        """What is known of packs at a location, as numbers; last of the equalities there, if there are any."""
        certain = self.graph.certain.get(location)
        if certain is None:
            return self._numbers_at(packs, location)
        if location not in self._equalities:
            self._equalities[location] = self.space.number_of(certain)
        equalities = self._equalities[location]
        if (packs, equalities) not in self._wider:
            self._wider[packs, equalities] = with_equals(packs, self.graph.connected[location])
        return (*self._numbers_at(self._wider[packs, equalities], location), equalities)

    def _numbers_at(self, packs: tuple[int, ...], location: int) -> tuple[int, ...]:
        rows, known = self.solution.at.rows, self._numbers
        slots = [rows[pack][location] for pack in packs]
        return tuple([known[slot] if slot in known else self._numbered(slot) for slot in slots])

    def _numbered(self, slot: int) -> int:
        assert slot != NONE
        number = self._numbers[slot] = self.space.number_of(self.solution.slots[slot])
        return number
