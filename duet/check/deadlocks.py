"""Deadlocks: threads that wait in a circle, each for a lock that the next one has, or for the next one to end.

*Approximates*: over, for waiting of these kinds: mutexes, spinlocks, reader/writer locks and joining. A circle is one
of places: each thread waits at one for what the next may have at the next, and neighbours can be there together
(coreachability). What a thread may have is followed along its own control flow; readers count like writers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import networkx as nx

from duet.check.races import Together
from duet.interference.annotation import Annotation
from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.syntax import Command, Program, Template

Lock: TypeAlias = tuple[str, tuple[str, ...]]
"""The object and path of a lock."""
Held: TypeAlias = tuple[tuple[Lock, int], ...]
"""Locks that a thread has, in order, and how often; FOREVER for one that is never taken to be given back."""

FOREVER = 3
_MOST = 32
WAITING = (AccessKind.LOCK, AccessKind.RELOCK, AccessKind.JOIN)


@dataclass(frozen=True, slots=True)
class Wait:
    """A place where a thread may wait, with the locks that it may have there, and their names.

    `interrupted` are the locks that threads may have that it interrupts.
    """

    location: int
    template: str
    access: Access
    held: tuple[Lock, ...]
    labels: tuple[str, ...]
    interrupted: frozenset[Lock] = frozenset()

    @property
    def is_for_lock(self) -> bool:
        """Whether a lock is waited for, not a thread."""
        return self.access.kind is not AccessKind.JOIN

    @property
    def is_self_made(self) -> bool:
        """Whether the thread may wait for what it has itself."""
        locks = (*self.held, *self.interrupted)
        return self.access.kind is AccessKind.LOCK and any(_same(lock_of(self.access), lock) for lock in locks)


def lock_of(access: Access) -> Lock:
    """The lock that an operation is about."""
    return access.object, access.path


def _same(one: Lock, other: Lock) -> bool:
    """Whether two names may mean the same lock."""
    if UNKNOWN_LOCK in (one[0], other[0]):
        return True
    return one[0] == other[0] and all(a == b or "[*]" in (a, b) for a, b in zip(one[1], other[1], strict=False))


def _labels(program: Program) -> Mapping[Lock, str]:
    """The names of locks for reports."""
    accesses = (access for command in program.commands for access in command.accesses)
    return {lock_of(a): a.label for a in accesses if not a.is_memory and a.kind is not AccessKind.JOIN}


def waits(program: Program, together: Together) -> tuple[Wait, ...]:
    """The places where threads wait, with what they may have there, in the order of commands."""
    labels = _labels(program)
    had = {name: _held_before(program, it, together.annotation) for name, it in program.templates.items()}
    found: dict[Wait, None] = {}
    for template in program.templates.values():
        before = had[template.name]
        for index in template.commands:
            command = program.commands[index]
            if command.source not in before:
                continue
            here = _waits_at(command, template.name, before[command.source], labels)
            if template.interrupts:
                here = (replace(wait, interrupted=_had_beside(wait.location, had.values(), together)) for wait in here)
            found.update(dict.fromkeys(here))
    return tuple(found)


def _had_beside(location: int, had: Iterable[Mapping[int, frozenset[Held]]], together: Together) -> frozenset[Lock]:
    """The locks that a thread may have while another one is at a location."""
    return frozenset(
        lock
        for before in had
        for place, states in before.items()
        if any(states) and together(location, place)
        for held in states
        for lock, _ in held
    )


def usually_held(program: Program, annotation: Annotation) -> Mapping[int, tuple[str, ...]]:
    """The names of the locks that a thread has at a location on every way there, for reports.

    *Approximates*: over; an operation that is refused counts as done.
    """
    labels = _labels(program)
    result: dict[int, tuple[str, ...]] = {}
    for template in program.templates.values():
        for location, states in _held_before(program, template, annotation).items():
            common = frozenset.intersection(*(frozenset(lock for lock, _ in held) for held in states))
            result[location] = tuple(sorted(labels[lock] for lock in common))
    return result


def _waits_at(command: Command, template: str, held: frozenset[Held], labels: Mapping[Lock, str]) -> Iterator[Wait]:
    for access in command.accesses:
        if access.kind in WAITING:
            locks = tuple(sorted({lock for one in held for lock, _ in one}))
            yield Wait(command.source, template, access, locks, tuple(labels[lock] for lock in locks))
        held = frozenset(_after(one, access) for one in held)


def _held_before(program: Program, template: Template, annotation: Annotation) -> Mapping[int, frozenset[Held]]:
    """What a thread may have at each location that it can reach."""
    result: dict[int, frozenset[Held]] = {template.entry: frozenset(((),))}
    work = [template.entry]
    while work:
        location = work.pop()
        for index in program.outgoing[location]:
            command = program.commands[index]
            if annotation.is_disabled(index):
                continue
            after = frozenset(_behind(one, command.accesses) for one in result[location])
            known = result.get(command.target, frozenset())
            merged = _bounded(known | after)
            if merged != known:
                result[command.target] = merged
                work.append(command.target)
    return result


def _behind(held: Held, accesses: Iterable[Access]) -> Held:
    for access in accesses:
        held = _after(held, access)
    return held


def _after(held: Held, access: Access) -> Held:
    """What a thread has behind one operation."""
    lock = lock_of(access)
    counts = dict(held)
    match access.kind:
        case AccessKind.LOCK | AccessKind.RELOCK | AccessKind.TAKE:
            counts[lock] = min(counts.get(lock, 0) + 1, FOREVER)
        case AccessKind.UNLOCK if lock[0] != UNKNOWN_LOCK and counts.get(lock, FOREVER) < FOREVER:
            counts[lock] -= 1
        case _:
            return held
    return tuple(sorted((key, count) for key, count in counts.items() if count))


def _bounded(states: frozenset[Held]) -> frozenset[Held]:
    """The states, or, where there are too many of them, the one in which all that is had is had for good."""
    if len(states) <= _MOST:
        return states
    return frozenset((tuple(sorted({(lock, FOREVER) for held in states for lock, _ in held})),))


@dataclass(frozen=True)
class Waiting:
    """The places where threads wait, and who may wait for whom in a circle, by index of `places`.

    An edge to itself is another thread at the same place.
    """

    places: tuple[Wait, ...]
    circles: nx.DiGraph[int]

    @property
    def is_free(self) -> bool:
        """Whether there is no deadlock."""
        return not self.circles.edges and not any(wait.is_self_made for wait in self.places)


def waiting(program: Program, together: Together) -> Waiting:
    """Where threads of a program wait for each other."""
    found = waits(program, together)
    return Waiting(found, _circles(found, together))


def _circles(found: Sequence[Wait], together: Together) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(found)))
    for one, wait in enumerate(found):
        for other, holder in enumerate(found):
            if blocks(wait, holder) and together(wait.location, holder.location):
                graph.add_edge(one, other)
    for component in list(nx.strongly_connected_components(graph)):
        outside = [(a, b) for a in component for b in graph.successors(a) if b not in component]
        graph.remove_edges_from(outside)
    return graph


def blocks(wait: Wait, holder: Wait) -> bool:
    """Whether one thread may wait for what another one, at its own place of waiting, has or is."""
    if not wait.is_for_lock:
        return wait.access.object in (holder.template, UNKNOWN_LOCK)
    return any(_same(lock_of(wait.access), lock) for lock in holder.held)


def circle_through(graph: nx.DiGraph[int], wait: int) -> tuple[int, ...]:
    """A shortest circle from a place of waiting back to it, without its end; empty if there is none."""
    if graph.has_edge(wait, wait):
        return (wait,)
    following = [after for after in sorted(graph.successors(wait)) if nx.has_path(graph, after, wait)]
    ways = [nx.shortest_path(graph, after, wait) for after in following]
    return (wait, *min(ways, key=len)[:-1]) if ways else ()
