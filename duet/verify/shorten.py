"""An execution in which a check fails, with fewer moves: what threads did that has no part in it is left out.

Moves are left out and the rest is taken again: those of a whole thread, what a thread did last, and what it did between
two visits of a location. What is left fails the same check, or it is not kept.
*Source*: Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, TSE 2002, for the idea.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from duet.deadline import Deadline
from duet.plip.execute import Samples, Store
from duet.plip.syntax import Program
from duet.result import Check
from duet.verify.explore import Execution, Move, State, Thread, _Explorer
from duet.verify.room import Bounds

_LONGEST = 600  # moves of an execution that is made shorter


class _Taken(NamedTuple):
    """A move by the number of its thread in the order of starts, main being 0."""

    thread: int
    move: Move


def shortened(
    program: Program, check: Check, execution: Execution, samples: Samples, bounds: Bounds, deadline: Deadline
) -> Execution:
    """An execution in which the same check fails, of no more moves."""
    if len(execution.moves) > _LONGEST:
        return execution
    again = _Again(program, frozenset((check,)), samples, replace(bounds, threads=_LONGEST), deadline)
    while (found := _shorter(again, execution)) is not None:
        execution = found
    return execution


def _shorter(again: _Again, execution: Execution) -> Execution | None:
    """An execution with fewer moves; None where none is found."""
    taken = list(_numbered(execution))
    for left_out in _candidates(taken):
        if again.is_late:
            return None
        found = again.take(execution.start, taken, left_out)
        if found is not None and len(found.moves) < len(execution.moves):
            return found
    return None


def _numbered(execution: Execution) -> Iterator[_Taken]:
    """The moves with the numbers of their threads; of equal threads that of the first."""
    threads: list[Thread | None] = [execution.start[1][0]]
    for move in execution.moves:
        number = threads.index(move.before)
        threads[number] = move.after
        if move.child is not None:
            threads.append(move.child)
        yield _Taken(number, move)


def _candidates(taken: list[_Taken]) -> Iterator[frozenset[int]]:
    """Sets of moves that may have no part in it: whole threads, the youngest first, then parts, large ones first."""
    of_thread: dict[int, list[int]] = {}
    for position, one in enumerate(taken):
        of_thread.setdefault(one.thread, []).append(position)
    yield from (frozenset(of_thread[number]) for number in sorted(of_thread, reverse=True))
    found: list[frozenset[int]] = []
    for positions in of_thread.values():
        found += (frozenset(positions[first:]) for first in range(1, len(positions)))
        where = [taken[position].move.before[0] for position in positions]
        for last in range(1, len(positions)):
            found += (frozenset(positions[first:last]) for first in range(last) if where[first] == where[last])
    yield from sorted(found, key=lambda positions: (-len(positions), sorted(positions)))


class _Again(_Explorer):
    """Takes the moves of executions again."""

    @property
    def is_late(self) -> bool:
        return self._deadline.left <= 0

    def take(self, start: State, taken: Sequence[_Taken], left_out: Collection[int]) -> Execution | None:
        """The execution without some moves; None where one cannot be taken, or no check fails."""
        self.found.clear()
        state, moves, started = start, list[Move](), 0
        threads: dict[int, Thread] = {0: start[1][0]}
        for position, (number, like) in enumerate(taken):
            started += like.child is not None
            if position in left_out:
                continue
            step = self._like(start, state, moves, threads[number], like) if number in threads else None
            if step is None or self.found:
                break
            state, move = step
            moves.append(move)
            threads[number] = move.after
            if move.child is not None:
                threads[started] = move.child
        else:
            for _ in self._moves(state, lambda _: (start, tuple(moves))):
                pass
        return next(iter(self.found.values()), None)

    def _like(
        self, start: State, state: State, moves: Sequence[Move], thread: Thread, like: Move
    ) -> tuple[State, Move] | None:
        """The same command taken by a thread, with what it chose as far as it may; None where it cannot be taken."""
        found = self._moves(state, lambda _: (start, tuple(moves)), (thread,), like.command)
        return max(found, key=lambda one: _agreement(one[1], like), default=None)


def _agreement(move: Move, like: Move) -> int:
    """In how many cells two results of one command are equal."""
    of_child = 0 if move.child is None or like.child is None else _equal(move.child[1], like.child[1])
    return _equal(move.globals, like.globals) + _equal(move.after[1], like.after[1]) + of_child


def _equal(ours: Store, theirs: Store) -> int:
    return sum(a == b for a, b in zip(ours, theirs, strict=True))
