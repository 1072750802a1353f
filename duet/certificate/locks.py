"""Which locks a thread may have at its locations, followed along its own commands, whatever calls they are in.

*Approximates*: over. A lock that is given back in other words than it was taken counts as kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.syntax import Program

Lock: TypeAlias = tuple[str, tuple[str, ...]]
"""The object and the path of a lock."""
State: TypeAlias = tuple[tuple[Lock, int], ...]
"""Locks that a thread has, in order, and how often."""

FOR_LOCKS = (AccessKind.LOCK, AccessKind.RELOCK, AccessKind.PRESUME)
_TAKING = (AccessKind.LOCK, AccessKind.RELOCK, AccessKind.TAKE)
_FOR_GOOD = 5  # times that a lock is held, from which on it is never given back
_MOST = 32  # states at one location; where there are more, all locks in them are had for good


def lock_of(access: Access) -> Lock:
    """The lock, or what else is waited for, that an operation is about."""
    return access.object, access.path


def may_be_same(one: Lock, other: Lock) -> bool:
    """Whether two names may mean one lock, or a part of another one."""
    if UNKNOWN_LOCK in (one[0], other[0]):
        return True
    return one[0] == other[0] and all(a == b or "[*]" in (a, b) for a, b in zip(one[1], other[1], strict=False))


def locks_in(states: Iterable[State]) -> frozenset[Lock]:
    """The locks that a thread has in some of its states."""
    return frozenset(lock for state in states for lock, _ in state)


def behind(state: State, access: Access) -> State:
    """What a thread has behind an operation."""
    lock, counts = lock_of(access), dict(state)
    if access.kind in _TAKING:
        counts[lock] = min(counts.get(lock, 0) + 1, _FOR_GOOD)
    elif access.kind is AccessKind.UNLOCK and lock[0] != UNKNOWN_LOCK and 0 < counts.get(lock, 0) < _FOR_GOOD:
        counts[lock] -= 1
    else:
        return state
    return tuple(sorted((name, count) for name, count in counts.items() if count))


class Held:
    """What threads of a template may have at the locations that they can get to; commands that are stopped never pass.

    With the locks of `recursive` mutexes given, ways are left out on which a thread gives back another lock that it
    does not have: that means nothing (POSIX).
    """

    def __init__(
        self,
        program: Program,
        template: str,
        is_stopped: Callable[[int], bool],
        recursive: frozenset[Lock] | None = None,
    ) -> None:
        self._program, self._recursive = program, recursive
        self.at: dict[int, frozenset[State]] = {}
        self._given_up: set[int] = set()
        work = [entry := program.templates[template].entry]
        self._add(entry, frozenset(((),)))
        while work:
            location = work.pop()
            for index in program.outgoing[location]:
                command = program.commands[index]
                if not is_stopped(index) and self._add(command.target, self._behind(location, command.accesses)):
                    work.append(command.target)

    def _behind(self, location: int, accesses: tuple[Access, ...]) -> frozenset[State]:
        states = self.at[location]
        for access in accesses:
            if access.kind is AccessKind.UNLOCK and self._recursive is not None:
                states = frozenset(state for state in states if self._may_give(state, lock_of(access)))
            states = frozenset(behind(state, access) for state in states)
        return states

    def _may_give(self, state: State, lock: Lock) -> bool:
        return lock in (self._recursive or ()) or any(may_be_same(lock, mine) for mine, _ in state)

    def _add(self, location: int, states: frozenset[State]) -> bool:
        """Whether a thread may have more at a location with these states."""
        before = self.at.get(location)
        found = states | (before or frozenset())
        if location in self._given_up or len(found) > _MOST:
            self._given_up.add(location)
            found = frozenset((tuple((lock, _FOR_GOOD) for lock in sorted(locks_in(found))),))
        if found == before or (before is None and not found):
            return False
        self.at[location] = found
        return True


def all_held(
    program: Program, is_stopped: Callable[[int], bool], recursive: frozenset[Lock] | None = None
) -> Mapping[str, Mapping[int, frozenset[State]]]:
    """What threads may have at locations, by template."""
    return {name: Held(program, name, is_stopped, recursive).at for name in program.templates}
