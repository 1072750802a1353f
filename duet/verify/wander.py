"""States that executions of few threads meet, far from the start as well as near: what guesses are tested with.

First in breadth; then along random executions in which a thread goes on for a while. Nothing follows from a state that
is not among them.
"""

from __future__ import annotations

from duet.deadline import Deadline
from duet.plip.execute import Samples
from duet.plip.syntax import Program
from duet.result import Check
from duet.verify.explore import Move, State, Thread, _Explorer
from duet.verify.room import Bounds

_AT_FIRST = 0.25  # of the states, those in breadth
_STEPS = 200  # of an execution
_IN_VAIN = 50  # executions one after the other that meet no new state
_STAYS = 0.9  # how likely a thread that has moved moves next


def wander(
    program: Program, check: Check, samples: Samples, bounds: Bounds, deadline: Deadline
) -> tuple[State, ...] | None:
    """States that executions meet, at most about as many as `bounds` say; None where a check fails in one of them."""
    return _Wanderer(program, frozenset((check,)), samples, bounds, deadline).states()


class _Wanderer(_Explorer):
    def states(self) -> tuple[State, ...] | None:
        self._start()
        self._end = self._program.templates[self._program.main].exit
        seen: dict[State, None] = dict.fromkeys(self._starts)
        frontier = self._starts
        while frontier and len(seen) < self._bounds.states * _AT_FIRST and self._goes_on():
            following: list[State] = []
            for state in frontier:
                if not self._goes_on():
                    break
                for after, _ in self._moves(state, _untold):
                    if self._is_new(after, seen):
                        following.append(after)
            frontier = following
        in_vain = 0
        while frontier and self._goes_on() and in_vain < _IN_VAIN:
            before = len(seen)
            self._walk(self._random.choice(self._starts), seen)
            in_vain = in_vain + 1 if len(seen) == before else 0
        return None if self.found else tuple(seen)

    def _goes_on(self) -> bool:
        return not self.room.met and self._is_open()

    def _is_new(self, state: State, seen: dict[State, None]) -> bool:
        """Whether a state was not seen, and there is room to keep it; then it is kept."""
        if state in seen or not self.room.take(*state):
            return False
        seen[state] = None
        return True

    def _walk(self, state: State, seen: dict[State, None]) -> None:
        """One execution, in which mostly the thread that has moved moves on, and main does not end early."""
        last: Thread | None = None
        for _ in range(_STEPS):
            possible = list(self._moves(state, _untold))
            moves = [(after, move) for after, move in possible if move.after[0] != self._end] or possible
            same = [(after, move) for after, move in moves if move.before == last]
            if not moves:
                return
            state, taken = self._random.choice(same if same and self._random.random() < _STAYS else moves)
            last = taken.after
            self._is_new(state, seen)


def _untold(state: State) -> tuple[State, tuple[Move, ...]]:
    """How a state was reached, for whom does not ask."""
    return state, ()
