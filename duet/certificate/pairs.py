"""The data flows of a round of refinement: what one thread that runs once has done by the time another is somewhere.

A second implementation of `coarsen.tracked`. A reader and the lineage of threads that leads to a template
which runs once are followed together through all pairs of locations, with the definitions that the reader has left and
the writes that may be the last ones. Steps that contradict what has been certified before are not taken; z3 says which.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from duet.certificate.counts import NOTHING, Sums
from duet.certificate.flows import INITIAL, Definitions
from duet.certificate.judgments import Judgments, View
from duet.certificate.lives import over_after, pasts
from duet.certificate.threads import Threads
from duet.plip.syntax import Join, Spawn

STATES = 60_000
"""States of pairs for one template; where more are needed, it is left out."""
Bits: TypeAlias = int
Pair: TypeAlias = tuple[int, int]  # where the reader is, where the tracked lineage is
Place: TypeAlias = tuple[int, int]  # a pack and a location


class RefinedFlows:
    """The data flows of one round of refinement, as far as they are fewer than all; packs by number."""

    def __init__(self, known: Definitions, judgments: Judgments) -> None:
        self._written = known.written
        self._carried: dict[Place, frozenset[int]] = {}
        self._last: dict[Place, frozenset[int]] = {}
        self._unreached: set[int] = set()
        threads = Threads(judgments.program)
        for template in threads.once:
            if threads.chain(template):
                self._take(_Pairs(known, judgments, threads, template), judgments.program.template_of.keys())

    def _take(self, pairs: _Pairs, locations: Collection[int]) -> None:
        """Narrows the flows by what one tracked template tells."""
        found = pairs.arriving()
        if found is None:
            return
        self._unreached |= locations - found.keys()
        for bits, result in ((pairs.own, self._carried), (pairs.last, self._last)):
            for pack, numbers in bits.items():
                for location, held in found.items():
                    commands = frozenset(c for c, number in numbers.items() if held >> number & 1)
                    result[pack, location] = commands & result.get((pack, location), commands)

    def is_reached(self, location: int) -> bool:
        """Whether a thread may get to a location."""
        return location not in self._unreached

    def is_kept(self, pack: int, location: int, command: int) -> bool:
        """Whether the own definition of a pack by a command (or INITIAL) may still be there."""
        place = (pack, location)
        is_write = command == INITIAL or pack in self._written[command]
        if is_write and self.is_over(pack, location, command):
            return False
        return place not in self._carried or command in self._carried[place]

    def last(self, pack: int, location: int) -> Collection[int] | None:
        """Writes (or INITIAL) one of which is the last one of a pack there; None where nothing is known."""
        return self._last.get((pack, location))

    def is_over(self, pack: int, location: int, command: int) -> bool:
        """Whether a write is certainly not the last one of a pack there."""
        last = self._last.get((pack, location))
        return last is not None and command not in last


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of one lineage: the pair after it, what it does to the bits, and the views of both before it."""

    command: int
    after: Pair
    keep: Bits
    added: Bits
    own: View
    other: View
    sums: Sums


class _Pairs:
    """A reader, and the lineage that leads to one template."""

    def __init__(self, known: Definitions, judgments: Judgments, threads: Threads, template: str) -> None:
        self.known = known
        self.judgments = judgments
        self.threads = threads
        self.program = judgments.program
        self.template = template
        self.chain = threads.chain(template)
        self.later = threads.later(template)
        self.inside = frozenset().union(*(found.atomic for found in self.program.templates.values()))
        self._pasts = pasts(self.program)
        self._over = over_after(self.program, self._pasts)
        self._number()
        self._masks: dict[tuple[int, bool], tuple[Bits, Bits]] = {}
        self._steps_of: dict[Pair, tuple[_Step, ...]] = {}
        self._thirds: dict[Pair, Bits] = {}
        self._stopped: dict[tuple[int, View, View, Sums, tuple[tuple[int, Bits], ...]], bool] = {}
        self._beside_of: dict[tuple[View, bool], Bits] = {}
        self._bystanders: dict[tuple[str, bool], frozenset[int]] = {}

    def _number(self) -> None:
        """Gives numbers to the definitions of packs that the chain overwrites or that guards are about."""
        shared = frozenset(self.judgments.shared)
        chain = [c for name in self.chain for c in self.program.templates[name].commands]
        overwritten = shared.intersection(pack for c in chain for pack in self.known.written[c])
        commands = range(len(self.program.commands))
        guarded = shared.intersection(pack for c in commands for pack in self.judgments.used(c))
        free = 0
        self.own: dict[int, dict[int, int]] = {}
        self.last: dict[int, dict[int, int]] = {}
        for packs, tables, result in (
            (overwritten, self.known.defines, self.own),
            (overwritten | guarded, self.known.written, self.last),
        ):
            for pack in sorted(packs):
                names = [INITIAL, *(c for c in commands if pack in tables[c])]
                result[pack] = {command: free + place for place, command in enumerate(names)}
                free += len(names)
        self._of_own = {pack: _bits(numbers.values()) for pack, numbers in self.own.items()}
        self._of_last = {pack: _bits(numbers.values()) for pack, numbers in self.last.items()}
        self._split = sum(self._of_last[pack] for pack in guarded)
        self._initial = _bits(numbers[INITIAL] for table in (self.own, self.last) for numbers in table.values())
        self._writes = {
            c: _bits(self.last[pack][c] for pack in found if pack in self.last)
            for c, found in enumerate(self.known.written)
            if any(pack in self.last for pack in found)
        }

    def _mask(self, command: int, is_reader: bool) -> tuple[Bits, Bits]:
        """The bits that a command keeps, and those that it adds."""
        key = (command, is_reader)
        if key in self._masks:
            return self._masks[key]
        ended, added = 0, self._writes.get(command, 0)
        for pack in self.known.written[command]:
            ended |= self._of_last.get(pack, 0)
            if not is_reader:
                ended |= self._of_own.get(pack, 0)
        if is_reader:
            for pack, kills in self.known.defines[command].items():
                if pack in self.own:
                    ended |= self._of_own[pack] if kills else 0
                    added |= 1 << self.own[pack][command]
        self._masks[key] = (~ended, added)
        return self._masks[key]

    def arriving(self) -> Mapping[int, Bits] | None:
        """The bits at each location that the reader gets to; None if that takes too many states."""
        for split in dict.fromkeys((self._split, 0)):
            found = self._explored(split)
            if found is not None:
                result: dict[int, Bits] = {}
                for (reader, other), held in found:
                    if other == reader or other not in self.inside:
                        result[reader] = result.get(reader, 0) | held
                return result
        return None

    def _explored(self, split: Bits) -> list[tuple[Pair, Bits]] | None:
        entry = self.program.templates[self.program.main].entry
        start = (entry, entry)
        held = self._initial | self._third(start)
        known: dict[tuple[Pair, Bits], Bits] = {(start, held & split): held}
        work = deque(known)
        while work:
            state = work.popleft()
            pair, held = state[0], known[state]
            if pair not in self._steps_of:
                self._steps_of[pair] = tuple(self._steps(pair))
            for step in self._steps_of[pair]:
                if self._is_stopped(step, held):
                    continue
                now = held & step.keep | step.added
                target = (step.after, now & split)
                before = known.get(target)
                if before is None or now & ~before:
                    known[target] = now | (before or 0)
                    work.append(target)
                    if len(known) > STATES:
                        return None
        return [(pair, held) for (pair, _), held in known.items()]

    def _is_stopped(self, step: _Step, held: Bits) -> bool:
        """Whether the values of the last writes do not let a step pass."""
        packs = [pack for pack in self.judgments.used(step.command) if pack in self.last]
        if not packs:
            return False
        last = tuple((pack, held & self._of_last[pack]) for pack in packs)
        key = (step.command, step.own, step.other, step.sums, last)
        if key not in self._stopped:
            writes = tuple((pack, self._last_writes(pack, bits)) for pack, bits in last)
            self._stopped[key] = self.judgments.is_refused(step.command, step.own, step.other, writes, step.sums)
        return self._stopped[key]

    def _last_writes(self, pack: int, held: Bits) -> frozenset[int]:
        """The writes of a pack (or INITIAL) one of which is the last one."""
        return frozenset(command for command, number in self.last[pack].items() if held >> number & 1)

    def _steps(self, pair: Pair) -> Iterator[_Step]:
        reader, other = pair
        for command in self.program.outgoing[reader]:
            yield from self._step(command, other, other, self._moved(command, other), True)
        if reader != other:
            for command in self.program.outgoing[other]:
                yield from self._step(command, reader, other, [(reader, self._followed(command))], False)

    def _step(
        self, command: int, beside: int, tracked: int, targets: Iterable[Pair], is_reader: bool
    ) -> Iterator[_Step]:
        source, is_begun = self.program.commands[command].source, self._is_begun(tracked)
        if not self._may_join(command, beside, is_begun):
            return
        own = other = self._view(source, is_begun)
        if source != beside and source not in self.inside:
            if beside in self.inside:
                return
            other = self._view(beside, is_begun)
        sums = self._sums(source, beside, is_begun) if self.judgments.are_counted(command) else NOTHING
        if self.judgments.is_refused(command, own, other, sums=sums):
            return
        keep, added = self._mask(command, is_reader)
        for after in targets:
            if self._may_be(after):
                yield _Step(command, after, keep, added | self._third(after), own, other, sums)

    def _moved(self, command: int, other: int) -> Iterator[Pair]:
        """The pairs after a command of the reader, who is the tracked thread, too, if both are at one location."""
        found = self.program.commands[command]
        is_joint = found.source == other
        tracked = self._followed(command) if is_joint else other
        instruction = found.instruction
        if not isinstance(instruction, Spawn):
            yield found.target, tracked
        elif is_joint or instruction.template not in self.chain:  # only the tracked thread starts one of its chain
            yield found.target, tracked
            yield self.program.templates[instruction.template].entry, tracked

    def _followed(self, command: int) -> int:
        """Where the tracked lineage is after a command of its own."""
        found = self.program.commands[command]
        if isinstance(found.instruction, Spawn) and found.instruction.template in self.chain:
            return self.program.templates[found.instruction.template].entry
        return found.target

    def _may_join(self, command: int, beside: int, is_begun: bool) -> bool:
        """Whether a thread that a command joins, if it does, may be at its exit, and those be over that are then."""
        instruction = self.program.commands[command].instruction
        if not isinstance(instruction, Join) or instruction.template not in self.threads.once:
            return True
        if instruction.template in self.later and not is_begun:
            return False
        there = self.program.template_of[beside]
        return there not in self._over.get(command, ()) or beside == self.program.templates[there].exit

    def _is_begun(self, tracked: int) -> bool:
        return self.program.template_of[tracked] == self.template

    def _view(self, location: int, is_begun: bool) -> View:
        return self.judgments.view(location, frozenset() if is_begun else self.later)

    def _sums(self, location: int, place: int, is_begun: bool) -> Sums:
        """What the parts of all threads say of globals while two are at different locations."""
        return self.judgments.sums(location, place, frozenset() if is_begun else self.later)

    def _may_be(self, pair: Pair) -> bool:
        """Whether two threads may be at a pair of locations, for all that is known."""
        reader, other = pair
        is_dead = self.judgments.knowledge.is_dead
        if is_dead(reader) or is_dead(other):
            return False
        is_begun = self._is_begun(other)
        if not is_begun and self.program.template_of[reader] in self.later:
            return False
        if reader != other and (reader in self.inside or other in self.inside):
            return True
        views = self._view(reader, is_begun), self._view(other, is_begun)
        if not self.judgments.agree(*views):
            return False
        if not self.judgments.are_counted_together(reader, other):
            return True
        return self.judgments.add_up(*views, self._sums(reader, other, is_begun))

    # What others may write meanwhile

    def _third(self, pair: Pair) -> Bits:
        """What threads in neither lineage may add while both are at a pair of locations."""
        if pair not in self._thirds:
            self._thirds[pair] = self._written_by_third(pair)
        return self._thirds[pair]

    def _written_by_third(self, pair: Pair) -> Bits:
        reader, other = pair
        if reader in self.inside or other in self.inside:
            return 0
        is_begun = self._is_begun(other)
        key = (self.program.template_of[reader], is_begun)
        if key not in self._bystanders:
            self._bystanders[key] = self.threads.bystanders(self.template, *key)
        running = self._running(reader) & self._running(other)
        owner, commands = self.program.template_of, self.program.commands
        possible = _union(
            bits
            for c, bits in self._writes.items()
            if c in self._bystanders[key] and owner[commands[c].source] in running
        )
        if not possible:
            return 0
        return possible & self._beside(reader, is_begun) & self._beside(other, is_begun)

    def _running(self, location: int) -> frozenset[str]:
        """The templates of which threads may run, other than those that one at a location has yet to start."""
        running = self.threads.running(location)
        return running & self._pasts[location].loose if location in self._pasts else running

    def _beside(self, location: int, is_begun: bool) -> Bits:
        """What some thread may write while another one is at a location."""
        key = (self._view(location, is_begun), is_begun)
        if key not in self._beside_of:
            self._beside_of[key] = _union(
                bits for c, bits in self._writes.items() if self._can_write(c, key[0], is_begun)
            )
        return self._beside_of[key]

    def _can_write(self, command: int, other: View, is_begun: bool) -> bool:
        source = self.program.commands[command].source
        if source in self.inside:
            return not self.judgments.knowledge.is_stopped(command)
        own = self._view(source, is_begun)
        return self.judgments.agree(own, other) and not self.judgments.is_refused(command, own, other)


def _bits(numbers: Iterable[int]) -> Bits:
    return _union(1 << number for number in numbers)


def _union(sets: Iterable[Bits]) -> Bits:
    result = 0
    for bits in sets:
        result |= bits
    return result
