"""Memory that others write only while they hold a lock: what its holder has read there stays so until it gives it back.

A cell is a lock if threads only ever set it from 0 to something else, in one step, or, while they hold it, to 0 again:
who has done the one and not yet the other holds it, and is alone with that. Before the first thread has started another
one it may set it to 0 as well. That is a fact about the steps of the program, whatever the cell is to C; handlers,
destructors and whoever else runs beside are threads here. Objects that are new do not count: nobody else has their
addresses (`exclusion`).

*Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from duet.frontend.graph.reach import by_source, known_on_all_ways
from duet.frontend.graph.rereads import Region
from duet.frontend.graph.returns import Crossing, Returns
from duet.plip.syntax import And, Assign, Atom, Cell, Command, Guard, Instruction, Linear, Relation, steps
from duet.plip.touched import writes


@dataclass(frozen=True, slots=True)
class _Held:
    """The locks that a thread holds."""

    locks: frozenset[str] = frozenset()

    def common(self, other: _Held) -> _Held:
        return _Held(self.locks & other.locks)

    def and_kept(self, before: _Held, written: Set[str]) -> _Held:
        return _Held(self.locks | (before.locks - written))


@dataclass(frozen=True, slots=True)
class Course:
    """What a template does: its commands from an entry on, and calls of bodies that are shared.

    `changed` are the regions that may be written at a location, by all but steps on new objects; `handed` are the keys
    of objects that may be written anywhere. At locations where the thread is `alone` there are no others.
    """

    commands: Sequence[Command]
    entry: int
    calls: Sequence[Crossing]
    changed: Mapping[int, Sequence[Region]]
    handed: Collection[str]
    alone: frozenset[int]

    def held(self, locks: frozenset[str], commands: Sequence[Command] | None = None) -> Mapping[int, frozenset[str]]:
        """The locks among some that are held at each location, here or in other commands of the template."""
        commands = self.commands if commands is None else commands
        returns = Returns(commands, self.calls)

        def behind(location: int, known: _Held) -> Iterator[tuple[int, _Held]]:
            for command in returns.outgoing[location]:
                changed = writes(command.instruction) & locks
                taken = frozenset(lock for lock in changed if _takes(command.instruction, lock))
                yield command.target, _Held(known.locks - changed | taken)

        found = known_on_all_ways(self.entry, _Held(), behind, returns.successors, returns.behind)
        return {location: known.locks for location, known in found.items()}


@dataclass(frozen=True, slots=True)
class Guards:
    """For one template: the locks that it holds, by location, and those under which others write objects, by key.

    What others may write that has no key, they write under locks `anywhere`.
    """

    held: Mapping[int, frozenset[str]] = field(default_factory=dict)
    locks: frozenset[str] = frozenset()
    anywhere: frozenset[str] = frozenset()
    by_key: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def is_kept(self, location: int, around: frozenset[str]) -> bool:
        """Whether no other thread writes to some objects as long as this one holds what it holds at a location."""
        held = self.held.get(location, frozenset()) & self.anywhere
        return bool(held.intersection(*(self.by_key.get(key, self.locks) for key in around)))

    def gives(self, instruction: Instruction) -> bool:
        """Whether an instruction may give a lock back."""
        return any(not _takes(instruction, lock) for lock in writes(instruction) & self.locks)


def guards(
    courses: Mapping[str, Course], cells: Mapping[str, Cell], several: Collection[str]
) -> Callable[[str, Sequence[Command]], Guards]:
    """What guards memory, by template with its commands; `several` have more than one instance."""
    locks = locks_of(courses, cells)
    under = {name: _under(course, course.held(locks), locks) for name, course in courses.items()} if locks else {}

    def guarding(name: str, commands: Sequence[Command]) -> Guards:
        if not locks:
            return Guards()
        others = [found for other, found in under.items() if other != name or name in several]
        by_key: dict[str, frozenset[str]] = {}
        for _, found in others:
            for key, held in found.items():
                by_key[key] = by_key.get(key, locks) & held
        anywhere = locks.intersection(*(held for held, _ in others))
        return Guards(courses[name].held(locks, commands), locks, anywhere, by_key)

    return guarding


def _under(
    course: Course, held: Mapping[int, frozenset[str]], locks: frozenset[str]
) -> tuple[frozenset[str], Mapping[str, frozenset[str]]]:
    """The locks that a thread has wherever it writes what has no key, and those for what has one.

    What is noted at a location is written there or by a step that leaves it.
    """
    outgoing = by_source(course.commands)
    anywhere = locks
    by_key: dict[str, frozenset[str]] = dict.fromkeys(course.handed, frozenset())
    for location, regions in course.changed.items():
        if location in course.alone or location not in held:
            continue
        here = held[location].intersection(*(held.get(it.target, frozenset()) for it in outgoing[location]))
        for region in regions:
            for key in region.around or ():
                by_key[key] = by_key.get(key, locks) & here
            anywhere &= here if region.around is None else anywhere
    return anywhere, by_key


def locks_of(courses: Mapping[str, Course], cells: Mapping[str, Cell]) -> frozenset[str]:
    """The cells that are locks."""
    written: defaultdict[str, list[tuple[Course, Command]]] = defaultdict(list)
    for course in courses.values():
        for command in course.commands:
            for name in writes(command.instruction):
                if cells[name].template is None and not cells[name].summary:
                    written[name].append((course, command))
    found = frozenset(
        name
        for name, those in written.items()
        if any(_takes(it.instruction, name) for _, it in those)
        and all(_takes(it.instruction, name) or _sets(it.instruction, name) == [0] for _, it in those)
    )
    lent: set[str] = set()
    for course in courses.values():
        held = course.held(found)
        for command in course.commands:
            given = (name for name in writes(command.instruction) & found if not _takes(command.instruction, name))
            if command.source not in course.alone:
                lent.update(name for name in given if name not in held.get(command.source, {name}))
    return found - lent


def _sets(instruction: Instruction, name: str) -> list[int | None]:
    """What an instruction sets a cell to, one after the other; None where that is no constant."""
    found: list[int | None] = []
    for step in steps(instruction):
        if name in writes(step):
            is_constant = isinstance(step, Assign) and not step.value.terms
            found.append(step.value.constant if is_constant and isinstance(step, Assign) else None)
    return found


def _takes(instruction: Instruction, name: str) -> bool:
    """Whether an instruction sets a cell from 0 to another constant, and nothing else."""
    if not (len(values := _sets(instruction, name)) == 1 and values[0]):
        return False
    for step in steps(instruction):
        if name in writes(step):
            return False
        if isinstance(step, Guard) and name in set(_zero(step)):
            return True
    return False


def _zero(step: Guard) -> Iterator[str]:
    """The cells that a guard says to be 0."""
    condition = step.condition
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Atom(Linear(((cell, _),), 0), Relation.EQ):
                yield cell
            case _:
                continue
