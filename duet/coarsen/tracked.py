"""What one thread that runs at most once must have done by the time another thread is somewhere.

Two lineages of threads are followed together: the reader's, any, and the tracked one,
which leads from main to a template q that is ONE. All ancestors of such a template are ONE and the chain of them is
unique, so that the tracked lineage is the thread in this chain that was started last; it goes into the child at each
spawn of the chain. Both lineages are one thread until a spawn separates them. Since every template of the chain has
one instance at most, both are at the same location exactly while they are one thread.

A pair of locations is dropped where the invariants contradict each other: both hold of the same globals, if no thread
is inside an atomic region. As long as the tracked lineage has not come to q, nothing that only q leads to has happened,
so that flows from there do not count in the invariants.

With each pair goes a set of definitions (`Definitions`): which writes of the globals can be the last ones by then. A
command is also blocked where none of the values that these give lets it pass. Third threads may write at any time, as
far as the invariants of all three agree. A global that is a sum of what threads have added (`duet.coarsen.counting`)
must be consistent with what both threads have added where they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from operator import or_
from typing import Protocol, TypeAlias

import networkx as nx

from duet.absint.state import State
from duet.coarsen.lineages import Lineages
from duet.plip.syntax import Join, Spawn

Pair: TypeAlias = tuple[int, int]  # where the reader is, where the tracked lineage is
Mask: TypeAlias = tuple[int, int]  # the bits to keep and those to add


@dataclass(frozen=True, slots=True)
class Step:
    """A command of one lineage with the pair after it and what it does to the bits, third threads' writes included.

    If the bits in `asked` may refuse it, `needs` is what is known of the packs that it uses, apart from these.
    """

    command: int
    after: Pair
    keep: int
    added: int
    asked: int
    needs: State


class Definitions(Protocol):
    """Sets of definitions as bits, and what steps of either lineage do to them."""

    initial: int
    split: int
    by_reader: Mapping[int, Mask]
    by_tracked: Mapping[int, Mask]
    writes: Mapping[int, int]  # what each write adds

    def asked(self, command: int) -> int:
        """The definitions that may refuse a command."""
        ...

    def third(self, reader: str, is_begun: bool) -> Mapping[str, int]:
        """What threads in neither lineage may add, by template, with the reader in some template."""
        ...

    def passes(self, command: int, state: State, held: int) -> bool:
        """Whether the values of the definitions let a command pass in a state."""
        ...


class Tracked:
    """The pairs of which one lineage leads to a template that is ONE.

    *Approximates*: over. A step is left out only where what is known of both threads excludes it.
    """

    def __init__(self, lineages: Lineages, template: str) -> None:
        self.lineages = lineages
        self.program = lineages.program
        self.template = template
        main = self.program.main
        has_path = template in lineages.ones and nx.has_path(lineages.spawns, main, template)
        self.chain: tuple[str, ...] = tuple(nx.shortest_path(lineages.spawns, main, template)) if has_path else ()
        """The ancestors of the template from main on, itself last; nothing if it is never spawned."""
        self.later = frozenset(self.program.templates.keys() - lineages.before(template))
        """What only the template leads to."""
        self._owner = owner = self.program.template_of
        self._excluded = frozenset(
            index for index, command in enumerate(self.program.commands) if owner[command.source] in self.later
        )
        self._head: Mapping[int, int] = {}
        self._members: Mapping[int, Sequence[int]] = {}
        self._leaving: Mapping[int, tuple[int, ...]] = {}
        self._kept_steps: dict[Pair, tuple[Step, ...]] = {}
        self._kept_entered: dict[Pair, int | None] = {}
        self._kept_views: dict[tuple[int, bool], int] = {}
        self._kept_third: dict[tuple[str, bool], tuple[tuple[int, int], ...]] = {}
        self._kept_possible: dict[tuple[str, bool, int], int] = {}
        self._kept_beside: dict[tuple[int, bool], int] = {}

    @property
    def size(self) -> int:
        """How many pairs of locations were looked at so far."""
        return len(self._kept_steps)

    def arriving(self, definitions: Definitions, limit: int) -> Mapping[int, int] | None:
        """The definitions at each location of the reader, joined over the places of the tracked lineage.

        A location without an entry is never reached. None if that takes more than `limit` states. Sets of definitions
        are kept apart where they differ in `definitions.split`, if that stays within the limit, else joined per pair.
        """
        self._head = self._blocks(definitions)
        members: dict[int, list[int]] = defaultdict(list)
        for location, head in self._head.items():
            members[head].append(location)
        self._members = members
        self._leaving = self._visible()
        found = self._explored(definitions, definitions.split, limit)
        if found is None and definitions.split:
            found = self._explored(definitions, 0, limit)
        if found is None:
            return None
        result: dict[int, int] = {}
        for (reader, other), held in found:
            if other == reader or other not in self.lineages.inside:
                result[reader] = result.get(reader, 0) | held
        return {location: result[head] for location, head in self._head.items() if head in result}

    def _blocks(self, definitions: Definitions) -> Mapping[int, int]:
        """The head of the block of each location.

        The locations of a block are entered through its head, and the commands between them have nothing to do with the
        definitions or with other threads, who cannot tell these locations apart.
        """
        head: dict[int, int] = {}
        bounds = {at for template in self.program.templates.values() for at in (template.entry, template.exit)}
        for location in self.lineages.order:
            head[location] = location
            incoming = self.program.incoming[location]
            sources = {head.get(self.program.commands[command].source, -1) for command in incoming}
            if len(sources) == 1 and location not in bounds:
                (block,) = sources
                is_silent = all(self._is_silent(command, definitions) for command in incoming)
                if block >= 0 and is_silent and self._looks(block) == self._looks(location):
                    head[location] = block
        return head

    def _is_silent(self, command: int, definitions: Definitions) -> bool:
        """Whether a command only has to do with cells of its own thread."""
        if command in definitions.by_reader or command in definitions.by_tracked:
            return False
        if isinstance(self.program.commands[command].instruction, Spawn | Join):
            return False
        return not definitions.asked(command)

    def _looks(self, location: int) -> tuple[object, ...]:
        """What other threads can tell of a thread at a location."""
        return (
            self._view(location, True),
            self._view(location, False),
            self.lineages.beside(location),
            location in self.lineages.inside,
            self.lineages.invariants.is_bottom(location),
        )

    def _visible(self) -> Mapping[int, tuple[int, ...]]:
        """The commands that leave each block or go back to its head."""
        leaving: dict[int, list[int]] = {head: [] for head in self._head.values()}
        for index, command in enumerate(self.program.commands):
            source, target = self._head.get(command.source), self._head.get(command.target)
            if source is not None and (source != target or command.target == target):
                leaving[source].append(index)
        return {head: tuple(commands) for head, commands in leaving.items()}

    def _explored(self, definitions: Definitions, split: int, limit: int) -> list[tuple[Pair, int]] | None:
        entry = self.program.templates[self.program.main].entry
        start = (entry, entry)
        initial = definitions.initial | self.by_third(start, definitions)
        known: dict[tuple[Pair, int], int] = {(start, initial & split): initial}
        rank = self.lineages.order
        work = [(0, start, initial & split)]
        waiting = set(known)
        while work:
            _, pair, kept = heappop(work)
            waiting.discard((pair, kept))
            if pair not in self._kept_steps:
                self._kept_steps[pair] = tuple(self._steps(pair, definitions))
            held = known[pair, kept]
            for step in self._kept_steps[pair]:
                if step.asked and not definitions.passes(step.command, step.needs, held & step.asked):
                    continue
                now = held & step.keep | step.added
                after = step.after
                target = (after, now & split)
                before = known.get(target)
                if before is None or now & ~before:
                    known[target] = now if before is None else now | before
                    if len(known) > limit:
                        return None
                    if target not in waiting:
                        waiting.add(target)
                        heappush(work, (rank[after[0]] + rank[after[1]], *target))
        return [(pair, held) for (pair, _), held in known.items()]

    def _steps(self, pair: Pair, definitions: Definitions) -> Iterator[Step]:
        """The steps from a pair that the invariants leave possible."""
        reader, other = pair
        for command in self._leaving[reader]:
            yield from self._step(command, other, self.is_begun(other), self._moved(command, other), definitions)
        if reader != other:
            for command in self._leaving[other]:
                after = (reader, self._followed(command))
                yield from self._step(command, reader, self.is_begun(other), (after,), definitions, is_tracked=True)

    def _step(
        self,
        command: int,
        beside: int,
        is_begun: bool,
        targets: Iterable[Pair],
        definitions: Definitions,
        is_tracked: bool = False,
    ) -> Iterator[Step]:
        """The steps that a command makes while the other lineage stays where it is."""
        state = self._state(command, beside, is_begun)
        if state is None:
            return
        masks = definitions.by_tracked if is_tracked else definitions.by_reader
        keep, added = masks.get(command, (-1, 0))
        asked = definitions.asked(command)
        for after in targets:
            third = self._entered(after, definitions)
            if third is not None:
                yield Step(command, after, keep, added | third, asked, state)

    def _entered(self, pair: Pair, definitions: Definitions) -> int | None:
        """What third threads may add at a pair, None if two threads cannot be there."""
        if pair not in self._kept_entered:
            self._kept_entered[pair] = self.by_third(pair, definitions) if self._agree(pair) else None
        return self._kept_entered[pair]

    def _moved(self, command: int, other: int) -> Iterator[Pair]:
        """The pairs after a command of the reader, which is the tracked lineage too if it is at the same location."""
        found = self.program.commands[command]
        instruction = found.instruction
        is_joint = self._head[found.source] == other
        tracked = self._followed(command) if is_joint else other
        if not isinstance(instruction, Spawn):
            yield self._head[found.target], tracked
        elif is_joint or instruction.template not in self.chain:
            # Only the tracked lineage ever spawns a template of its chain.
            yield self._head[found.target], tracked
            yield self.program.templates[instruction.template].entry, tracked

    def _followed(self, command: int) -> int:
        """Where the tracked lineage is after a command of its own."""
        found = self.program.commands[command]
        instruction = found.instruction
        if isinstance(instruction, Spawn) and instruction.template in self.chain:
            return self.program.templates[instruction.template].entry
        return self._head[found.target]

    def _state(self, command: int, other: int, is_begun: bool) -> State | None:
        """What is known of the packs that a command uses while another lineage is at `other`; None if it is blocked."""
        found = self.program.commands[command]
        if isinstance(found.instruction, Join) and not self._may_join(command, other, is_begun):
            return None
        view = self._view(found.source, is_begun)
        if self._head[found.source] == other:
            return self.lineages.state(command, view, view)
        # inside of a region of its own: where the other one stands counts, and not what it knows there
        is_inside = found.source in self.lineages.inside
        if other in self.lineages.inside and not is_inside:
            return None
        state = self.lineages.state(command, view, view if is_inside else self._view(other, is_begun))
        absent = frozenset() if is_begun else self.later
        return None if state is None else self.lineages.counted(command, state, self._members[other], absent)

    def by_third(self, pair: Pair, definitions: Definitions) -> int:
        """What third threads may add while both lineages stay where they are."""
        reader, other = pair
        inside = self.lineages.inside
        if reader in inside or other in inside:
            return 0
        is_begun = self.is_begun(other)
        running = self.lineages.beside(reader) & self.lineages.beside(other)
        possible = self._possible(self._owner[reader], is_begun, running, definitions)
        if not possible:
            return 0
        left, right = self._view(reader, is_begun), self._view(other, is_begun)
        return possible & self._beside(left, is_begun, definitions) & self._beside(right, is_begun, definitions)

    def _possible(self, reader: str, is_begun: bool, running: int, definitions: Definitions) -> int:
        """What threads of some templates may add if they are in neither lineage."""
        key = (reader, is_begun, running)
        if key not in self._kept_possible:
            if key[:2] not in self._kept_third:
                third = definitions.third(reader, is_begun)
                self._kept_third[key[:2]] = tuple(
                    (1 << place, third[name]) for place, name in enumerate(self.program.templates) if third.get(name)
                )
            chosen = (added for place, added in self._kept_third[key[:2]] if running & place)
            self._kept_possible[key] = reduce(or_, chosen, 0)
        return self._kept_possible[key]

    def _beside(self, view: int, is_begun: bool, definitions: Definitions) -> int:
        """What a thread may add while another one has a view."""
        key = (view, is_begun)
        if key not in self._kept_beside:
            chosen = (added for c, added in definitions.writes.items() if self._can_write(c, view, is_begun))
            self._kept_beside[key] = reduce(or_, chosen, 0)
        return self._kept_beside[key]

    def _can_write(self, command: int, other: int, is_begun: bool) -> bool:
        """Whether a thread can take a command while another one has a view."""
        if self.lineages.invariants.is_disabled(command):
            return False
        source = self.program.commands[command].source
        if source in self.lineages.inside:
            return True
        view = self._view(source, is_begun)
        return self.lineages.agree(view, other) and self.lineages.state(command, view, other) is not None

    def _may_join(self, command: int, other: int, is_begun: bool) -> bool:
        """Whether a command that joins may pass while a lineage is at `other`: nobody runs there who is over then."""
        joined = self.program.commands[command].instruction
        over = self.lineages.awaited.get(command, frozenset())
        if isinstance(joined, Join) and joined.template in over & self.later and not is_begun:
            return False
        owner = self._owner[other]
        return owner not in over or other == self.program.templates[owner].exit

    def _agree(self, pair: Pair) -> bool:
        """Whether two threads may be at a pair of locations at the same time, for all that is known of the globals."""
        reader, other = pair
        invariants, inside = self.lineages.invariants, self.lineages.inside
        if invariants.is_bottom(reader) or invariants.is_bottom(other):
            return False
        is_begun = self.is_begun(other)
        if not is_begun and self._owner[reader] in self.later:
            return False
        if reader != other and (reader in inside or other in inside):
            return True
        mine, theirs = self._view(reader, is_begun), self._view(other, is_begun)
        if not self.lineages.agree(mine, theirs):
            return False
        absent = frozenset[str]() if is_begun else self.later
        return self.lineages.adds_up(self._members[reader], mine, self._members[other], theirs, absent)

    def is_begun(self, tracked: int) -> bool:
        """Whether the tracked lineage, at a location, has come to its template."""
        return self._owner[tracked] == self.template

    def _view(self, location: int, is_begun: bool) -> int:
        key = (location, is_begun)
        if key not in self._kept_views:
            excluded = frozenset[int]() if is_begun else self._excluded
            self._kept_views[key] = self.lineages.view(location, excluded)
        return self._kept_views[key]
