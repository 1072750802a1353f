"""Why a data flow between two threads was added: a shortest derivation of it, for reports.

*Source*: the judgments of thesis Fig. 3.4 on locations, not blocks, searched best first. What is still ahead of the
two lineages if nothing blocks them is a lower bound of the length, which keeps the search near the witness.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from duet.flow.effects import Effects
from duet.flow.packs import Packing
from duet.interference.access import Access, accesses
from duet.interference.system import INSIDE, Move, System
from duet.plip.syntax import Program

BUDGET = 30_000
"""The most states that one flow is searched in; what is found takes fewer, and what is not found takes all."""
TOTAL = 200_000
"""The most for all flows of one annotation: each check of a large program would ask for some."""
KEPT = 64
"""For how many goals the distances of all locations are kept."""
_UNREACHED = 1 << 40


ALONE, APART, WRITTEN = range(3)
"""Before the lineages split; before the write; after it."""
_State: TypeAlias = tuple[int, int, int]
"""The phase, and where the writer and the reader are; the same place while they are not split."""
_Step: TypeAlias = tuple[int, int]
"""The lineage that takes a step, and its command: 1 writes, 2 reads, 0 is both before they split."""


class Explanations:
    """Derivations of flows under one annotation, that of `system`."""

    def __init__(self, program: Program, command_effects: Sequence[Effects], packing: Packing, system: System) -> None:
        self._program = program
        self._system = system
        self._accesses = accesses(program, command_effects, packing)
        self._leaving: dict[int, list[Move]] = defaultdict(list)
        self._entering: dict[int, list[Move]] = defaultdict(list)
        for move in system.moves:
            self._leaving[move.source].append(move)
            self._entering[move.target].append(move)
        self._to = lru_cache(KEPT)(self._distances)  # flows to one place follow each other
        self._known: dict[tuple[int, int, int], tuple[tuple[int, int], ...] | None] = {}
        self._left = TOTAL

    def of(self, flow: tuple[int, int, int]) -> tuple[tuple[int, int], ...] | None:
        """A shortest derivation of `flow`, a definition, pack and location: pairs of lineage and command, in order.

        Lineage 1 writes and lineage 2 reads; what happens before thread creation splits them is done by the one that
        goes on as the parent. None if there is no derivation or none is found within `BUDGET` states, or within
        what is left of those of all flows.
        """
        if flow not in self._known:
            self._known[flow] = self._searched(flow, min(BUDGET, self._left))
        return self._known[flow]

    def _searched(self, flow: tuple[int, int, int], budget: int) -> tuple[tuple[int, int], ...] | None:
        definition, pack, location = flow
        access = self._accesses.get(pack)
        if not budget or access is None or definition not in access.writes or location not in self._system.holds:
            return None
        origin = self._program.commands[definition].source
        ahead = _Ahead(self._to(origin), self._to(location), self._to(location, access.kills))
        search = _Search(self._program, self._system, self._leaving, access, (definition, location), ahead)
        found = search.run(budget)
        self._left -= search.looked_at
        return found

    def _distances(self, goal: int, without: frozenset[int] = frozenset()) -> Mapping[int, int]:
        """How many moves each location is from `goal`, if nothing blocks; `without` are commands that are not used."""
        found, work = {goal: 0}, deque((goal,))
        while work:
            location = work.popleft()
            for move in self._entering.get(location, ()):
                if move.source not in found and move.command not in without:
                    found[move.source] = found[location] + 1
                    work.append(move.source)
        return found


@dataclass(frozen=True, slots=True)
class _Ahead:
    """How far each location is from the write, from the reading, and from this with what was written still there."""

    write: Mapping[int, int]
    read: Mapping[int, int]
    read_alive: Mapping[int, int]

    def of(self, state: _State) -> int:
        """A lower bound of the steps that are still to come; `_UNREACHED` or more if the goal is out of reach."""
        phase, writer, reader = state
        if phase == WRITTEN:
            return self.read_alive.get(reader, _UNREACHED)
        write, read = self.write.get(writer, _UNREACHED), self.read.get(reader, _UNREACHED)
        return write + 1 + read if phase == APART else max(write, read)


class _Search:
    """The search for one flow."""

    def __init__(
        self,
        program: Program,
        system: System,
        leaving: Mapping[int, Sequence[Move]],
        access: Access,
        goal: tuple[int, int],
        ahead: _Ahead,
    ) -> None:
        self._program = program
        self._holds = system.holds
        self._out = leaving
        self._access = access
        self._definition, self._location = goal
        self._ahead = ahead.of
        self.looked_at = 0
        """How many states were looked at."""

    def run(self, budget: int) -> tuple[tuple[int, int], ...] | None:
        entry = self._program.templates[self._program.main].entry
        start = (ALONE, entry, entry)
        before: dict[_State, tuple[_State, _Step] | None] = {start: None}
        length = {start: 0}
        queue = [(self._ahead(start), 0, start)]
        done: set[_State] = set()
        while queue and self.looked_at < budget:
            _, _, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            self.looked_at += 1
            phase, writer, reader = state
            if phase == WRITTEN and reader == self._location and not self._is_inside(writer):
                return _trace(state, before)
            far = length[state] + 1
            for step, following in self._following(state):
                if far < length.get(following, _UNREACHED) and (ahead := self._ahead(following)) < _UNREACHED:
                    length[following] = far
                    before[following] = (state, step)
                    # of equals, the one that is further on first
                    heapq.heappush(queue, (far + ahead, -far, following))
        return None

    def _is_inside(self, location: int) -> bool:
        return bool(self._holds[location] & INSIDE)

    def _following(self, state: _State) -> Iterator[tuple[_Step, _State]]:
        phase, writer, reader = state
        if phase == ALONE:
            return self._alone(writer)
        return self._apart(writer, reader) if phase == APART else self._written(writer, reader)

    def _alone(self, location: int) -> Iterator[tuple[_Step, _State]]:
        for move in self._out.get(location, ()):
            yield (0, move.command), (ALONE, move.target, move.target)
            if move.follows:
                parent = self._program.commands[move.command].target
                yield (1, move.command), (APART, parent, move.target)
                yield (2, move.command), (APART, move.target, parent)

    def _apart(self, writer: int, reader: int) -> Iterator[tuple[_Step, _State]]:
        for move in self._enabled(writer, reader):
            yield (1, move.command), (APART, move.target, reader)
            if move.command == self._definition and not move.follows:
                yield (1, move.command), (WRITTEN, move.target, reader)
        for move in self._enabled(reader, writer):
            yield (2, move.command), (APART, writer, move.target)

    def _written(self, writer: int, reader: int) -> Iterator[tuple[_Step, _State]]:
        for move in self._enabled(writer, reader):
            if not move.follows and move.command not in self._access.overwrites:
                yield (1, move.command), (WRITTEN, move.target, reader)
        for move in self._enabled(reader, writer):
            if move.command not in self._access.kills:
                yield (2, move.command), (WRITTEN, writer, move.target)

    def _enabled(self, location: int, other: int) -> list[Move]:
        known = self._holds[other]
        return [move for move in self._out.get(location, ()) if not move.refused & known]


def _trace(state: _State, before: Mapping[_State, tuple[_State, _Step] | None]) -> tuple[tuple[int, int], ...]:
    """The steps to `state`; those of both lineages are the parent's, who takes the first step that is not."""
    steps: list[_Step] = []
    link = before[state]
    while link is not None:
        steps.append(link[1])
        link = before[link[0]]
    parent = next((lineage for lineage, _ in reversed(steps) if lineage), 1)
    return tuple((lineage or parent, command) for lineage, command in reversed(steps))
