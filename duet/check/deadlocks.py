"""Deadlocks: threads that wait in a circle, each for a lock that the next one has, its end, or that it wakes others.

*Approximates*: over. A circle is one of places: each thread waits at one for what the next may have, or would only do
later, at the next, and neighbours can be there together (coreachability). What a thread may have is followed along its
own control flow; readers count like writers. Who waits for a condition, a semaphore or others at a barrier waits for
all that may still wake it; a semaphore that threads only post after they waited for it is a lock. What threads wait for
that nobody can give any more, as who had it has ended, or as nobody ever wakes, is a deadlock without a circle.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import networkx as nx

from duet.check.held import CHANGING, Held, Lock, after, held_before, lock_of, same_lock, surely
from duet.check.races import Together
from duet.interference.annotation import Annotation
from duet.plip.accesses import FOR_LOCKS, UNKNOWN_LOCK, WAITING, Access, AccessKind
from duet.plip.graphs import control_graph
from duet.plip.multiplicity import many
from duet.plip.syntax import Command, Program, Spawn


@dataclass(frozen=True, slots=True)
class Wait:
    """A place where a thread may wait, with the locks that it may have there, and their names.

    A thread that `interrupts` keeps the one that it runs inside of from going on; `interrupted` are the locks that such
    a one may have. `forever` says why nobody may ever give what is waited for, if that is so.
    """

    location: int
    template: str
    access: Access
    held: tuple[Lock, ...]
    labels: tuple[str, ...]
    interrupts: bool = False
    interrupted: frozenset[Lock] = frozenset()
    forever: str = ""

    @property
    def is_for_lock(self) -> bool:
        """Whether a lock is waited for."""
        return self.access.kind in FOR_LOCKS

    @property
    def is_for_end(self) -> bool:
        """Whether the end of a thread is waited for."""
        return self.access.kind is AccessKind.JOIN

    @property
    def is_self_made(self) -> bool:
        """Whether the thread may wait for what it has itself."""
        locks = (*self.held, *self.interrupted)
        return self.access.kind is AccessKind.LOCK and any(same_lock(lock_of(self.access), lock) for lock in locks)


def is_asked(access: Access) -> bool:
    """Whether there is a check of an operation: it waits for a lock or for the end of a thread."""
    return access.kind in FOR_LOCKS or access.kind is AccessKind.JOIN


def _labels(program: Program) -> Mapping[Lock, str]:
    """The names of locks for reports."""
    accesses = (access for command in program.commands for access in command.accesses)
    return {lock_of(a): a.label for a in accesses if a.kind in (*CHANGING, AccessKind.PRESUME)}


def waits(program: Program, together: Together) -> tuple[Wait, ...]:
    """The places where threads wait, with what they may have there, in the order of commands."""
    labels = _labels(program)
    had = {name: held_before(program, it, together.annotation) for name, it in program.templates.items()}
    posted = _posted(program)
    kept = _kept(program, together.annotation)
    several = many(program)
    by_kind = _had_by_kind(had.values(), together) if any(it.interrupts for it in program.templates.values()) else ()
    found: dict[Wait, None] = {}
    for template in program.templates.values():
        before = had[template.name]
        others = {lock: who for lock, who in kept.items() if who != {template.name} or template.name in several}
        for index in template.commands:
            command = program.commands[index]
            if command.source not in before:
                continue
            here = _waits_at(command, template.name, before[command.source], labels)
            if template.interrupts:
                here = (
                    replace(it, interrupts=True, interrupted=_had_beside(it.location, by_kind, together)) for it in here
                )
            found.update(dict.fromkeys(replace(wait, forever=_forever(wait, program, others, posted)) for wait in here))
    return tuple(found)


def _posted(program: Program) -> frozenset[Lock]:
    """What somebody posts, or comes to."""
    given = (AccessKind.POST, AccessKind.MEET)
    accesses = (access for command in program.commands for access in command.accesses)
    return frozenset(lock_of(access) for access in accesses if access.kind in given)


def _kept(program: Program, annotation: Annotation) -> Mapping[Lock, frozenset[str]]:
    """The locks that threads may still have when they end, with the templates of those; main ends all by returning.

    A way on which a thread gives back a plain lock that it does not have means nothing (POSIX), so it is none of these.
    """
    kept: dict[Lock, set[str]] = {}
    accesses = (access for command in program.commands for access in command.accesses)
    told = frozenset(lock_of(access) for access in accesses if access.kind is AccessKind.RELOCK)
    for name, template in program.templates.items():
        before = held_before(program, template, annotation, told)
        unknown = [found for _, found in _made(program, name, AccessKind.UNLOCK) if found.object == UNKNOWN_LOCK]
        is_cancelled = bool(_made(program, name, AccessKind.CANCEL))
        ends = list(before) if is_cancelled else [place for place, _ in _made(program, name, AccessKind.END)]
        if name != program.main:
            ends.append(template.exit)
        for lock, _ in (lock for place in ends for held in before.get(place, ()) for lock in held):
            if lock[0] != UNKNOWN_LOCK or not unknown:  # to give back one of that kind gives back what was taken
                kept.setdefault(lock, set()).add(name)
    return {lock: frozenset(names) for lock, names in kept.items()}


def _made(program: Program, name: str, kind: AccessKind) -> list[tuple[int, Access]]:
    """The accesses of a kind that a template makes, each with its location."""
    commands = (program.commands[index] for index in program.templates[name].commands)
    return [(command.source, access) for command in commands for access in command.accesses if access.kind is kind]


def _forever(wait: Wait, program: Program, kept: Mapping[Lock, frozenset[str]], posted: frozenset[Lock]) -> str:
    """Why nobody may ever give what is waited for; empty where somebody can."""
    awaited = lock_of(wait.access)
    if wait.is_for_lock:
        last = sorted(name for lock, names in kept.items() if same_lock(awaited, lock) for name in names)
        return f"{program.templates[last[0]].label} may end without giving it back" if last else ""
    if wait.is_for_end or any(same_lock(awaited, lock) for lock in posted):
        return ""
    return f"nobody wakes who waits for {wait.access.label}"


def _had_by_kind(
    had: Iterable[Mapping[int, frozenset[Held]]], together: Together
) -> Sequence[tuple[int, frozenset[Lock]]]:
    """A location for each kind of those where threads may have locks, and the locks at all of the kind."""
    found: dict[Hashable, tuple[int, set[Lock]]] = {}
    for before in had:
        for place, states in before.items():
            if any(states):
                _, locks = found.setdefault(together.kind(place), (place, set()))
                locks.update(lock for held in states for lock, _ in held)
    return [(place, frozenset(locks)) for place, locks in found.values()]


def _had_beside(location: int, by_kind: Iterable[tuple[int, frozenset[Lock]]], together: Together) -> frozenset[Lock]:
    """The locks that a thread may have while another one is at a location."""
    return frozenset[Lock]().union(*(locks for place, locks in by_kind if together(location, place)))


def usually_held(program: Program, annotation: Annotation) -> Mapping[int, tuple[str, ...]]:
    """The names of the locks that a thread has at a location on every way there, for reports.

    *Approximates*: over; an operation that is refused counts as done.
    """
    labels = _labels(program)
    result: dict[int, tuple[str, ...]] = {}
    for template in program.templates.values():
        for location, states in held_before(program, template, annotation).items():
            common = frozenset.intersection(*map(surely, states))
            result[location] = tuple(sorted(labels[lock] for lock in common))
    return result


def _waits_at(command: Command, template: str, held: frozenset[Held], labels: Mapping[Lock, str]) -> Iterator[Wait]:
    for access in command.accesses:
        if access.kind in WAITING:
            locks = tuple(sorted({lock for one in held for lock, _ in one}))
            yield Wait(command.source, template, access, locks, tuple(labels[lock] for lock in locks))
        held = frozenset(after(one, access) for one in held)


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
        asked = [index for index, wait in enumerate(self.places) if is_asked(wait.access)]
        is_stuck = any(self.places[index].is_self_made or self.places[index].forever for index in asked)
        return not is_stuck and not any(self.circles.degree(index) for index in asked)


def waiting(program: Program, together: Together) -> Waiting:
    """Where threads of a program wait for each other."""
    found = waits(program, together)
    graph = _blocked(program, found, together)
    found = _held_up(found, graph)
    for component in list(nx.strongly_connected_components(graph)):
        is_presumed = all(found[index].access.kind is AccessKind.PRESUME for index in component)
        outside = [(a, b) for a in component for b in graph.successors(a) if is_presumed or b not in component]
        graph.remove_edges_from(outside)
    return Waiting(found, graph)


def _held_up(found: Sequence[Wait], graph: nx.DiGraph[int]) -> tuple[Wait, ...]:
    """The places, with the reason why nobody may ever give what is waited for if others wait for ever themselves."""
    why: dict[int, str] = {}
    for stuck, wait in enumerate(found):
        if wait.forever:
            for index in nx.ancestors(graph, stuck):
                why.setdefault(index, wait.forever)
    return tuple(replace(wait, forever=wait.forever or why.get(index, "")) for index, wait in enumerate(found))


def _blocked(program: Program, found: Sequence[Wait], together: Together) -> nx.DiGraph[int]:
    """Who may wait for whom."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(found)))
    coming = _coming(program, found)
    for one, wait in enumerate(found):
        for other, holder in enumerate(found):
            if _is_for_wake(wait):
                blocked = holder.interrupts or holder.location in coming[_event(wait)]
            else:
                blocked = blocks(wait, holder)
            if blocked and not _is_meeting(wait, holder) and together(wait.location, holder.location):
                graph.add_edge(one, other)
    return graph


def _coming(program: Program, found: Sequence[Wait]) -> Mapping[tuple[AccessKind, Lock], frozenset[int]]:
    """For each event that is waited for, the locations from which a thread may come to where it wakes others.

    Or to where it starts one that may come there.
    """
    events = dict.fromkeys(_event(wait) for wait in found if _is_for_wake(wait))
    control = control_graph(program) if events else nx.DiGraph()
    for command in program.commands if events else ():
        if isinstance(command.instruction, Spawn):
            control.add_edge(command.source, program.templates[command.instruction.template].entry)
    result: dict[tuple[AccessKind, Lock], frozenset[int]] = {}
    for kind, lock in events:
        waking = AccessKind.MEET if kind is AccessKind.MEET else AccessKind.POST
        made = [
            place
            for name in program.templates
            for place, it in _made(program, name, waking)
            if same_lock(lock_of(it), lock)
        ]
        result[kind, lock] = frozenset(made).union(*(nx.ancestors(control, place) for place in made))
    return result


def _is_for_wake(wait: Wait) -> bool:
    return not wait.is_for_lock and not wait.is_for_end


def _event(wait: Wait) -> tuple[AccessKind, Lock]:
    return wait.access.kind, lock_of(wait.access)


def _is_meeting(wait: Wait, other: Wait) -> bool:
    """Whether both wait at one barrier."""
    return wait.access.kind is AccessKind.MEET and _event(wait) == _event(other)


def blocks(wait: Wait, holder: Wait) -> bool:
    """Whether one thread may wait for what another one, where it waits, or who that interrupts has or is."""
    if wait.is_for_end:
        return holder.interrupts or wait.access.object in (holder.template, UNKNOWN_LOCK)
    return any(same_lock(lock_of(wait.access), lock) for lock in (*holder.held, *holder.interrupted))


def circle_through(graph: nx.DiGraph[int], wait: int) -> tuple[int, ...]:
    """A shortest circle from a place of waiting back to it, without its end; empty if there is none."""
    if graph.has_edge(wait, wait):
        return (wait,)
    following = [after for after in sorted(graph.successors(wait)) if nx.has_path(graph, after, wait)]
    ways = [nx.shortest_path(graph, after, wait) for after in following]
    return (wait, *min(ways, key=len)[:-1]) if ways else ()
