"""What one thread that runs at most once must have done by the time another thread is somewhere.

*Source*: analysis.md section 9. Two lineages of threads are followed together: the reader's, any, and the tracked one,
which leads from main to a template q that is ONE. All ancestors of such a template are ONE and the chain of them is
unique, so that the tracked lineage is the thread in this chain that was started last; it goes into the child at each
spawn of the chain. Both lineages are one thread until a spawn separates them. Since every template of the chain has
one instance at most, both are at the same location exactly while they are one thread.

A pair of locations is dropped where the invariants contradict each other: both hold of the same globals, if no thread is
inside an atomic region.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from duet.absint.invariants import Invariants
from duet.absint.state import State, Value
from duet.absint.transfer import post
from duet.flow.effects import REACHABLE
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Join, Program, Spawn

Pair: TypeAlias = tuple[int, int]  # where the reader is, where the tracked lineage is
Mask: TypeAlias = tuple[int, int]  # the definitions to keep and those to add, as sets of bits


@dataclass(frozen=True, slots=True)
class Masks:
    """What commands do to a set of the reader's definitions: `own` by the reader, `other` by the tracked lineage."""

    initial: int
    own: Mapping[int, Mask]
    other: Mapping[int, int]


class Lineages:
    """Pairs of lineages under an invariant.

    *Approximates*: over. A step is left out only where the invariants at both locations together exclude it.
    """

    def __init__(self, program: Program, invariants: Invariants) -> None:
        self.program = program
        self.invariants = invariants
        self.inside = frozenset().union(*(template.atomic for template in program.templates.values()))
        self._met: dict[tuple[int, int], Value | None] = {}
        self._agreeing: dict[Pair, bool] = {}
        self._passing: dict[tuple[int, tuple[int | None, ...]], bool] = {}

    @cached_property
    def ones(self) -> tuple[str, ...]:
        """The templates with one instance at most."""
        many = multiplicities(self.program)
        return tuple(name for name in self.program.templates if many[name] is Multiplicity.ONE)

    def chain(self, template: str) -> tuple[str, ...]:
        """The ancestors of a ONE template from main on, itself last; nothing if it is never spawned."""
        chain = [template]
        while chain[-1] != self.program.main:
            parents = self._parents.get(chain[-1], ())
            if len(parents) != 1:
                return ()
            chain.append(parents[0])
        return tuple(reversed(chain))

    @cached_property
    def _parents(self) -> Mapping[str, Sequence[str]]:
        parents: dict[str, list[str]] = {}
        for command in self.program.commands:
            if isinstance(command.instruction, Spawn):
                owner = self.program.template_of[command.source]
                parents.setdefault(command.instruction.template, []).append(owner)
        return parents

    def arriving(self, template: str, masks: Masks, limit: int) -> Mapping[int, int] | None:
        """The reader's definitions that can be its last ones at each location, with no later write by the lineage.

        A location without an entry is never reached. None if there are more than `limit` pairs of locations.
        """
        chain = frozenset(self.chain(template))
        entry = self.program.templates[self.program.main].entry
        known: dict[Pair, int] = {(entry, entry): masks.initial}
        steps: dict[Pair, tuple[tuple[Pair, int, int], ...]] = {}
        work = deque(known)
        waiting = set(known)
        while work:
            pair = work.popleft()
            waiting.discard(pair)
            if pair not in steps:
                if len(steps) >= limit:
                    return None
                steps[pair] = tuple(self._steps(pair, chain, masks))
            held = known[pair]
            for target, keep, added in steps[pair]:
                now = held & keep | added
                before = known.get(target)
                if before is None or now & ~before:
                    known[target] = now if before is None else now | before
                    if target not in waiting:
                        waiting.add(target)
                        work.append(target)
        result: dict[int, int] = {}
        for (reader, other), held in known.items():
            if other == reader or other not in self.inside:
                result[reader] = result.get(reader, 0) | held
        return result

    def _steps(self, pair: Pair, chain: frozenset[str], masks: Masks) -> Iterator[tuple[Pair, int, int]]:
        """The pairs after one step, with what the step does to the definitions."""
        reader, other = pair
        if reader == other:
            for command in self.program.outgoing[reader]:
                if not self.invariants.is_disabled(command):
                    keep, added = masks.own.get(command, (-1, 0))
                    for after in self._together(command, chain):
                        if self._agree(after):
                            yield after, keep, added
            return
        if other not in self.inside:
            for command in self.program.outgoing[reader]:
                if self._passes(command, other):
                    keep, added = masks.own.get(command, (-1, 0))
                    for location in self._alone(command, chain):
                        if self._agree((location, other)):
                            yield (location, other), keep, added
        if reader not in self.inside:
            for command in self.program.outgoing[other]:
                if self._passes(command, reader):
                    after = (reader, self._tracked(command, chain))
                    if self._agree(after):
                        yield after, masks.other.get(command, -1), 0

    def _together(self, command: int, chain: frozenset[str]) -> Iterator[Pair]:
        """Where both lineages, one thread so far, can be after a command of it."""
        found = self.program.commands[command]
        instruction = found.instruction
        if not isinstance(instruction, Spawn):
            yield found.target, found.target
            return
        child = self.program.templates[instruction.template].entry
        tracked = child if instruction.template in chain else found.target
        yield found.target, tracked
        yield child, tracked

    def _alone(self, command: int, chain: frozenset[str]) -> Iterator[int]:
        """Where the reader can be after a command of its own; it never spawns a template of the chain by itself."""
        found = self.program.commands[command]
        instruction = found.instruction
        if not isinstance(instruction, Spawn):
            yield found.target
        elif instruction.template not in chain:
            yield found.target
            yield self.program.templates[instruction.template].entry

    def _tracked(self, command: int, chain: frozenset[str]) -> int:
        """Where the tracked lineage is after a command of its own."""
        found = self.program.commands[command]
        instruction = found.instruction
        if isinstance(instruction, Spawn) and instruction.template in chain:
            return self.program.templates[instruction.template].entry
        return found.target

    def _passes(self, command: int, other: int) -> bool:
        """Whether a command may pass while another thread is at a location."""
        if self.invariants.is_disabled(command):
            return False
        found = self.program.commands[command]
        if isinstance(found.instruction, Join):
            joined = found.instruction.template
            is_there = joined in self.ones and self.program.template_of[other] == joined
            return not is_there or other == self.program.templates[joined].exit
        graph = self.invariants.graph
        if found.source in self.inside or REACHABLE not in graph.effects[command].modifies:
            return True
        at = self.invariants.solution.at
        shared = tuple(at.get((pack, other)) if pack in self._shared else None for pack in graph.used[command])
        key = (command, shared)
        if key not in self._passing:
            self._passing[key] = self._post_exists(command, shared)
        return self._passing[key]

    def _post_exists(self, command: int, shared: tuple[int | None, ...]) -> bool:
        found = self.program.commands[command]
        used = self.invariants.graph.used[command]
        state: State = self.invariants.state(found.source, used)
        at = self.invariants.solution.at
        for pack, slot in zip(used, shared, strict=True):
            own = at.get((pack, found.source))
            if slot is None or own is None:
                continue
            value = self._meet(own, slot)
            if value is None:
                return False
            state[pack] = value
        return post(self.invariants.space, state, found.instruction) is not None

    def _agree(self, pair: Pair) -> bool:
        """Whether two threads may be at a pair of locations at the same time, for all that is known of the globals."""
        reader, other = pair
        if self.invariants.is_bottom(reader) or self.invariants.is_bottom(other):
            return False
        if reader == other or reader in self.inside or other in self.inside:
            return True
        key = (self._view[reader], self._view[other])
        if key not in self._agreeing:
            left, right = self._views[key[0]], self._views[key[1]]
            self._agreeing[key] = self._agreeing[key[1], key[0]] = all(
                own is None or slot is None or self._meet(own, slot) is not None
                for own, slot in zip(left, right, strict=True)
            )
        return self._agreeing[key]

    def _meet(self, left: int, right: int) -> Value | None:
        """The meet of two slots of one pack, None for bottom."""
        key = (left, right)
        if key not in self._met:
            domain, slots = self.invariants.space.domain, self.invariants.solution.slots
            first, second = slots[left], slots[right]
            value = None if first is None or second is None else domain.meet(first, second)
            self._met[key] = None if value is None or domain.is_bottom(value) else value
        return self._met[key]

    @cached_property
    def _shared(self) -> Mapping[int, None]:
        """The packs of which both threads see the same values: globals that are not summaries."""
        cells, packs = self.program.cells, self.invariants.space.packing.packs
        return {
            index: None
            for index, pack in enumerate(packs)
            if all(cells[cell].template is None and not cells[cell].summary for cell in pack)
        }

    @cached_property
    def _view(self) -> Mapping[int, int]:
        """The number of what is known of the globals at each location."""
        numbers: dict[tuple[int | None, ...], int] = {}
        at = self.invariants.solution.at
        return {
            location: numbers.setdefault(tuple([at.get((pack, location)) for pack in self._shared]), len(numbers))
            for location in self.program.template_of
        }

    @cached_property
    def _views(self) -> tuple[tuple[int | None, ...], ...]:
        """The slots of the shared packs, by number of `_view`."""
        at = self.invariants.solution.at
        found = {
            number: tuple([at.get((pack, location)) for pack in self._shared])
            for location, number in self._view.items()
        }
        return tuple(found[number] for number in range(len(found)))
