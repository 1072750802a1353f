"""Which locations two lineages of threads can be at together, and what one can see of the other's writes.

*Source*: thesis Fig. 3.4 with thread creation, joining and atomic regions (see `plip.regions`). The rules are
those of `datalog/rules`, written a second time as operations on sets of locations, without blocks or reductions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from duet.certificate.lives import over_after, pasts
from duet.plip.semantics import runs_once
from duet.plip.syntax import Program, Spawn

Bits = int  # a set of locations by number, or of conditions

# What refuses steps besides conditions, as the first bits: that nobody is ever there, that the other lineage is inside
# of an atomic region; then, for each template that runs once, that it is there and has not ended.
_DEAD, _INSIDE, _PSEUDO = 1, 2, 2


class Judge(Protocol):
    """What is known at locations."""

    def is_dead(self, location: int) -> bool:
        """Whether no thread is ever at a location."""
        ...

    def is_stopped(self, command: int) -> bool:
        """Whether a command never passes."""
        ...

    def known(self, location: int) -> Bits:
        """The observable conditions that hold at a location."""
        ...

    def refused(self, command: int, useful: Bits) -> Bits:
        """The conditions of `useful` that contradict what holds before a command or its passing."""
        ...


@dataclass(frozen=True, slots=True)
class Move:
    """A step of a lineage, by numbers of locations; not where the other lineage is in `blocked`."""

    source: int
    target: int
    command: int
    blocked: Bits
    refused: Bits
    follows: bool


@dataclass(frozen=True, slots=True)
class _Edge:
    source: int
    target: int
    command: int
    follows: bool


class Meeting:
    """Two lineages under an annotation."""

    def __init__(self, program: Program, judge: Judge) -> None:
        self._program = program
        edges = _edges(program, judge)
        entry = program.templates[program.main].entry
        places = dict.fromkeys((entry, *(edge.target for edge in edges)))
        self.number: Mapping[int, int] = {location: index for index, location in enumerate(places)}
        inside = frozenset().union(*(template.atomic for template in program.templates.values()))
        self.outside = [location not in inside for location in places]
        self._kinds, self.moves = self._judged(edges, tuple(places), inside, judge)
        self._leaving: list[list[Move]] = [[] for _ in places]
        for move in self.moves:
            self._leaving[move.source].append(move)
        self._order = _postorder([[move.target for move in moves] for moves in self._leaving])
        self._closures: dict[tuple[int, frozenset[int]], list[Bits]] = {}
        self.together = self._meetings()

    def _judged(
        self, edges: Sequence[_Edge], places: Sequence[int], inside: Collection[int], judge: Judge
    ) -> tuple[list[Bits], tuple[Move, ...]]:
        """The conditions at each location that refuse some move, and the moves."""
        ones = [name for name in self._program.templates if runs_once(self._program, name)]
        known = [judge.known(location) for location in places]
        useful = _union(known)
        over = {
            index: _union(1 << _PSEUDO + ones.index(name) for name in names if name in ones)
            for index, names in over_after(self._program, pasts(self._program)).items()
        }
        refusals = [self._refusal(edge, inside, len(ones), judge, useful) | over.get(edge.command, 0) for edge in edges]
        relevant = _union(refusals)
        kinds: list[Bits] = []
        of_kind: dict[Bits, Bits] = {}
        for index, (location, bits) in enumerate(zip(places, known, strict=True)):
            held = bits << _PSEUDO + len(ones)
            held |= (_DEAD if judge.is_dead(location) else 0) | (_INSIDE if location in inside else 0)
            name = self._program.template_of[location]
            if name in ones and location != self._program.templates[name].exit:
                held |= 1 << _PSEUDO + ones.index(name)
            kinds.append(held & relevant)
            of_kind[kinds[-1]] = of_kind.get(kinds[-1], 0) | 1 << index
        blocked = {
            refused: _union(bits for kind, bits in of_kind.items() if kind & refused) for refused in set(refusals)
        }
        number = self.number
        return kinds, tuple(
            Move(number[edge.source], number[edge.target], edge.command, blocked[refused], refused, edge.follows)
            for edge, refused in zip(edges, refusals, strict=True)
        )

    @staticmethod
    def _refusal(edge: _Edge, inside: Collection[int], ones: int, judge: Judge, useful: Bits) -> Bits:
        """What the other lineage must not know for a step, nor be: inside of an atomic region, in any case."""
        refused = _INSIDE
        if edge.source not in inside:
            refused |= _DEAD | judge.refused(edge.command, useful) << _PSEUDO + ones
        return refused

    def _meetings(self) -> list[Bits]:
        """For each location those that another lineage can be at meanwhile."""
        seeds: dict[int, Bits] = {}
        for move in self.moves:
            if move.follows:
                parent = self.number.get(self._program.commands[move.command].target)
                if parent is not None:
                    seeds[parent] = seeds.get(parent, 0) | 1 << move.target
                    seeds[move.target] = seeds.get(move.target, 0) | 1 << parent
        found = self._explored(seeds, lambda _: True, frozenset())
        return [found.get(index, 0) for index in range(len(self.number))]

    def seen(self, writes: Collection[int], ends: Collection[int], kills: frozenset[int]) -> Bits:
        """The locations at which another thread may see the values of some writes of a pack.

        `ends` are the commands that overwrite the pack, `kills` those that end it for the reader.
        """
        seeds: dict[int, Bits] = {}
        for move in self.moves:
            if move.command in writes and not move.follows:
                seeds[move.target] = seeds.get(move.target, 0) | self.together[move.source] & ~move.blocked
        found = self._explored(seeds, lambda move: not move.follows and move.command not in ends, kills)
        return _union(bits for index, bits in found.items() if self.outside[index])

    def disturbed(self, writes: Collection[int]) -> Bits:
        """The locations at which a thread may be while another one takes some commands."""
        return _union(self.together[move.source] & ~move.blocked for move in self.moves if move.command in writes)

    def _explored(
        self, seeds: Mapping[int, Bits], may_step: Callable[[Move], bool], kills: frozenset[int]
    ) -> Mapping[int, Bits]:
        """The pairs that follow from some: the first lineage takes the moves that it may, the other all but kills."""
        found: dict[int, Bits] = {}
        pending = dict(seeds)
        work = deque(pending)
        while work:
            index = work.popleft()
            new = pending.pop(index, 0) & ~found.get(index, 0)
            if not new:
                continue
            row = found[index] = found.get(index, 0) | self._closed(new, self._closure(self._kinds[index], kills))
            for move in self._leaving[index]:
                if may_step(move):
                    more = row & ~move.blocked & ~found.get(move.target, 0)
                    if more:
                        pending[move.target] = pending.get(move.target, 0) | more
                        work.append(move.target)
        return found

    @staticmethod
    def _closed(bits: Bits, closure: Sequence[Bits]) -> Bits:
        result = 0
        while bits:
            reach = closure[(bits & -bits).bit_length() - 1]
            result |= reach
            bits &= ~reach
        return result

    def _closure(self, kind: Bits, kills: frozenset[int]) -> list[Bits]:
        """Where a lineage can get to from each location while the other stays where `kind` is known."""
        key = (kind, kills)
        if key not in self._closures:
            after = [
                [move.target for move in moves if not move.refused & kind and move.command not in kills]
                for moves in self._leaving
            ]
            reach = [1 << index for index in range(len(after))]
            changed = True
            while changed:
                changed = False
                for index in self._order:
                    bits = reach[index]
                    for target in after[index]:
                        bits |= reach[target]
                    if bits != reach[index]:
                        reach[index] = bits
                        changed = True
            self._closures[key] = reach
        return self._closures[key]


def _edges(program: Program, judge: Judge) -> tuple[_Edge, ...]:
    """All that a lineage that starts in main can do."""
    entry = program.templates[program.main].entry
    seen, work = {entry}, [entry]
    edges: list[_Edge] = []
    while work:
        location = work.pop()
        for index in program.outgoing[location]:
            if judge.is_stopped(index):
                continue
            command = program.commands[index]
            edges.append(_Edge(location, command.target, index, False))
            if isinstance(command.instruction, Spawn):
                child = program.templates[command.instruction.template].entry
                edges.append(_Edge(location, child, index, True))
        for edge in edges[::-1]:
            if edge.source != location:
                break
            if edge.target not in seen:
                seen.add(edge.target)
                work.append(edge.target)
    return tuple(edges)


def _postorder(after: Sequence[Sequence[int]]) -> list[int]:
    """The places, each behind its successors where there is no cycle."""
    order: list[int] = []
    seen: set[int] = set()
    for root in range(len(after)):
        stack = [] if root in seen else [(root, iter(after[root]))]
        seen.add(root)
        while stack:
            place, rest = stack[-1]
            following = next((target for target in rest if target not in seen), None)
            if following is None:
                order.append(place)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(after[following])))
    return order


def _union(sets: Iterable[Bits]) -> Bits:
    result = 0
    for bits in sets:
        result |= bits
    return result
