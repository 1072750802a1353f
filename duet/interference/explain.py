"""Why a data flow between two threads was added: a shortest derivation of it, for reports.

*Source*: the judgments of thesis Fig. 3.4 on locations, not blocks, searched best first. What is still ahead of the
two lineages if nothing blocks them is a lower bound of the length, which keeps the search near the witness.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from duet.flow.effects import Effects
from duet.flow.packs import Packing
from duet.interference.access import Access, accesses
from duet.interference.annotation import Annotation
from duet.interference.system import INSIDE, Move, System, build_system
from duet.plip.syntax import Program

BUDGET = 200_000
_UNREACHED = 1 << 40


class _Phase(IntEnum):
    """Before the lineages split; before the write; after it."""

    ALONE = 0
    APART = 1
    WRITTEN = 2


@dataclass(frozen=True, slots=True, order=True)
class _State:
    """Where the writer and the reader are; the same place while they are not split."""

    phase: _Phase
    writer: int
    reader: int


# The lineage that takes a step: 1 writes, 2 reads, 0 is both before they split.
_Step = tuple[int, int]


def explain(
    program: Program,
    command_effects: Sequence[Effects],
    packing: Packing,
    annotation: Annotation,
    flow: tuple[int, int, int],
    *,
    system: System | None = None,
    budget: int = BUDGET,
) -> tuple[tuple[int, int], ...] | None:
    """A shortest derivation of `flow`, a definition, pack and location: pairs of lineage and command, in order.

    Lineage 1 writes and lineage 2 reads; what happens before thread creation splits them is done by the one that
    goes on as the parent. None if there is no derivation or none is found within `budget` states.
    `system` saves building it again for the next flow under the same annotation.
    """
    definition, pack, location = flow
    system = system or build_system(program, command_effects, annotation)
    access = accesses(program, command_effects, packing).get(pack)
    if access is None or definition not in access.writes or location not in system.holds:
        return None
    return _Search(program, system, access, definition, location).run(budget)


class _Search:
    """The search for one flow."""

    def __init__(self, program: Program, system: System, access: Access, definition: int, location: int) -> None:
        self._program = program
        self._holds = system.holds
        self._access = access
        self._definition = definition
        self._location = location
        self._out: dict[int, list[Move]] = defaultdict(list)
        for move in system.moves:
            self._out[move.source].append(move)
        origin = program.commands[definition].source
        self._to_write = _distances(system.moves, origin)
        self._to_read = _distances(system.moves, location)
        self._to_read_alive = _distances((m for m in system.moves if m.command not in access.kills), location)

    def run(self, budget: int) -> tuple[tuple[int, int], ...] | None:
        entry = self._program.templates[self._program.main].entry
        start = _State(_Phase.ALONE, entry, entry)
        before: dict[_State, tuple[_State, _Step] | None] = {start: None}
        length = {start: 0}
        queue = [(self._ahead(start), 0, start)]
        done: set[_State] = set()
        while queue and len(done) < budget:
            _, _, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            if state.phase is _Phase.WRITTEN and state.reader == self._location and not self._is_inside(state.writer):
                return _trace(state, before)
            for step, following in self._following(state):
                far, ahead = length[state] + 1, self._ahead(following)
                if ahead < _UNREACHED and far < length.get(following, _UNREACHED):
                    length[following] = far
                    before[following] = (state, step)
                    # of equals, the one that is further on first
                    heapq.heappush(queue, (far + ahead, -far, following))
        return None

    def _is_inside(self, location: int) -> bool:
        return bool(self._holds[location] & INSIDE)

    def _ahead(self, state: _State) -> int:
        """A lower bound of the steps that are still to come; `_UNREACHED` or more if the goal is out of reach."""
        if state.phase is _Phase.WRITTEN:
            return self._to_read_alive.get(state.reader, _UNREACHED)
        write = self._to_write.get(state.writer, _UNREACHED)
        read = self._to_read.get(state.reader, _UNREACHED)
        return max(write, read) if state.phase is _Phase.ALONE else write + 1 + read

    def _following(self, state: _State) -> Iterator[tuple[_Step, _State]]:
        match state.phase:
            case _Phase.ALONE:
                yield from self._alone(state.writer)
            case _Phase.APART:
                yield from self._apart(state)
            case _Phase.WRITTEN:
                yield from self._written(state)

    def _alone(self, location: int) -> Iterator[tuple[_Step, _State]]:
        for move in self._out[location]:
            yield (0, move.command), _State(_Phase.ALONE, move.target, move.target)
            if move.follows:
                parent = self._program.commands[move.command].target
                yield (1, move.command), _State(_Phase.APART, parent, move.target)
                yield (2, move.command), _State(_Phase.APART, move.target, parent)

    def _apart(self, state: _State) -> Iterator[tuple[_Step, _State]]:
        for move in self._enabled(state.writer, state.reader):
            yield (1, move.command), _State(_Phase.APART, move.target, state.reader)
            if move.command == self._definition and not move.follows:
                yield (1, move.command), _State(_Phase.WRITTEN, move.target, state.reader)
        for move in self._enabled(state.reader, state.writer):
            yield (2, move.command), _State(_Phase.APART, state.writer, move.target)

    def _written(self, state: _State) -> Iterator[tuple[_Step, _State]]:
        for move in self._enabled(state.writer, state.reader):
            if not move.follows and move.command not in self._access.overwrites:
                yield (1, move.command), _State(_Phase.WRITTEN, move.target, state.reader)
        for move in self._enabled(state.reader, state.writer):
            if move.command not in self._access.kills:
                yield (2, move.command), _State(_Phase.WRITTEN, state.writer, move.target)

    def _enabled(self, location: int, other: int) -> list[Move]:
        known = self._holds[other]
        return [move for move in self._out[location] if not move.refused & known]


def _distances(moves: Iterable[Move], goal: int) -> Mapping[int, int]:
    """How many moves each location is from `goal`, if nothing blocks."""
    sources: dict[int, list[int]] = defaultdict(list)
    for move in moves:
        sources[move.target].append(move.source)
    found, work = {goal: 0}, deque((goal,))
    while work:
        location = work.popleft()
        for source in sources[location]:
            if source not in found:
                found[source] = found[location] + 1
                work.append(source)
    return found


def _trace(state: _State, before: Mapping[_State, tuple[_State, _Step] | None]) -> tuple[tuple[int, int], ...]:
    """The steps to `state`; those of both lineages are the parent's, who takes the first step that is not."""
    steps: list[_Step] = []
    link = before[state]
    while link is not None:
        steps.append(link[1])
        link = before[link[0]]
    parent = next((lineage for lineage, _ in reversed(steps) if lineage), 1)
    return tuple((lineage or parent, command) for lineage, command in reversed(steps))
