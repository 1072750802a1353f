"""Which members of elements are only written under locks of their own, and what else accesses them.

Where the address of a held lock follows from that of what is accessed (`exclusion`), the lock is its own. Whoever
writes without it has to be the first thread before it has started another one or when all others have ended, or the
one that has just allocated the object, and must not have such a lock then.

What each thread of a template is given when it starts, as no other one is (`exclusion`), is as good as a lock that it
has until it ends.

Of other members there are those of objects that only the thread knows which has allocated them: whatever is done
elsewhere, is done to other objects.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from networkx.utils import UnionFind

from duet.frontend.ctypes.origins import Origins
from duet.frontend.graph.events import Element, Events, Taking
from duet.frontend.judgments.exclusion import Cells, Known, held_locks
from duet.plip.accesses import HeldLock
from duet.plip.syntax import Assign, Cell, Command, Compute, Havoc, Linear, Lookup
from duet.plip.terms import add, constant, term_cells, variable
from duet.plip.touched import reads, writes

_Function: TypeAlias = tuple[Fraction, Fraction]
"""Where the lock of a member is: `factor * address + offset`."""


NEW = "*new*"
"""The kind of families of members of new objects; no template has this name."""
FIRST = "main"
"""The template of the first thread."""


def left(cell: str) -> str:
    """The cell for the values of a summary cell with which locks are given back, if it needs another one for these."""
    return f"{cell}:left"


@dataclass(frozen=True)
class Thread:
    """What is known of a template: `alone` are locations where no other thread was started yet, or all have ended.

    Its threads may be given addresses `in_turn`, see `given_in_turn`, instead of new objects.
    """

    name: str
    commands: Sequence[Command]
    entry: int
    exit: int
    known: Mapping[int, Known]
    events: Events
    cells: Cells
    alone: frozenset[int]
    in_turn: bool = False

    def element(self, command: Command) -> Element | None:
        """Where the member is that a command accesses, if it does nothing else."""
        found = self.events.elements.get(command.target)
        match command.instruction:
            case Assign(_, value) if found is not None and value == variable(found.cell):
                return found
            case Assign(target) | Havoc(target) | Compute(target) | Lookup(target) if found is not None:
                return found if target == found.cell else None
            case _:
                return None

    def locks(self, command: Command, element: Element) -> list[tuple[HeldLock, Taking]]:
        """The locks that the thread has where it accesses a member, each with where it is relative to that."""
        here = self.known.get(command.source)
        return list(held_locks(here, element.spot)) if here is not None else []

    def lock_of(self, command: Command, element: Element, function: _Function) -> Linear | None:
        """Where the lock is that a function gives of a member that a command accesses, over cells of the thread."""
        here, (factor, offset) = self.known.get(command.source), function
        if here is None or element.spot.begin is None or factor.denominator > 1 or offset.denominator > 1:
            return None
        begin = here.resolved(element.spot.begin)
        if not all(map(self.cells.is_own, term_cells(begin))):
            return None
        return add(constant(int(offset)), begin, int(factor))

    def is_alone_with(self, location: int, lock: Linear) -> bool:
        """Whether no other thread can access the element of a lock while this one is at a location."""
        here = self.known.get(location)
        return location in self.alone or (here is not None and any(here.is_beside(lock, it.address) for it in here.new))

    def is_ungiven(self, location: int, address: Linear, kind: str) -> bool:
        """Whether the first thread is at a location and has given no thread of a template an address, if that is one.

        `kind` is that of a family.
        """
        here = self.known.get(location)
        return kind not in ("", NEW) and self.name == FIRST and here is not None and here.is_ungiven(kind, address)

    def has_fixed(self, command: Command, lock: Fraction, is_write: bool) -> bool:
        """Whether the thread has the lock at a constant address where a command is, and had it by that address."""
        here = self.known.get(command.source)
        return here is not None and any(
            taking.is_fixed and not taking.address.terms and taking.address.constant == lock
            for taking in here.locks
            if not (is_write and taking.is_shared)
        )

    def distance(self, command: Command, element: Element) -> Fraction | None:
        """How far from the beginning of a new object a member is that a command accesses there."""
        here, (begin, pointer) = self.known.get(command.source), (element.spot.begin, element.spot.pointer)
        if here is None or begin is None or pointer is None:
            return None
        for new in here.new:
            if new.origin.key == element.object and here.is_beside(pointer, new.address):
                found = here.resolved(add(begin, new.address, -1))
                return None if found.terms else Fraction(found.constant)
        return None

    def is_quiet(self, command: Command, element: Element | None, origins: Origins) -> bool:
        """Whether no other thread can access an element where a command does, nor has this one a lock with origins."""
        here = self.known.get(command.source)
        if here is None:  # nothing leads there
            return True
        if any(not origins.isdisjoint(taking.origins) for taking in here.locks):
            return False
        if command.source in self.alone:
            return True
        pointer = element.spot.pointer if element is not None else None
        return (
            element is not None
            and pointer is not None
            and any(new.origin.key == element.object and here.is_beside(pointer, new.address) for new in here.new)
        )


@dataclass(frozen=True)
class Family:
    """Cells that one access may mean, each the same member of another object, with the function of their locks.

    `locks` are the places of the locks of those that are no summary cells, in order, with these. `inside` are the
    accesses with that lock, by template and command, with its number; `outside` are the cells that are read by others.
    `quiet` are the accesses to an element that nobody else knows, with where its lock is; `is_told` if nobody writes
    but in one of these ways.

    Of a `kind` that is NEW, these are accesses to new objects, with where such an object is, and nothing is known of
    others; else it is the template whose threads are given addresses in turn, if these are as good as locks.
    """

    cells: tuple[str, ...]
    locks: tuple[tuple[Fraction, str], ...]
    inside: Mapping[tuple[str, int], int]
    outside: frozenset[str]
    quiet: Mapping[tuple[str, int], Linear]
    is_told: bool
    kind: str = ""

    @property
    def name(self) -> str:
        return self.cells[0]

    @property
    def summaries(self) -> list[str]:
        """The summary cells among its cells."""
        others = {cell for _, cell in self.locks}
        return [cell for cell in self.cells if cell not in others]

    @property
    def places(self) -> tuple[Fraction, ...]:
        """Where the locks of those are that are no summary cells."""
        return tuple(lock for lock, _ in self.locks)

    def left(self, cell: str) -> str:
        """The cell for the values of one with which locks are given back."""
        return left(cell) if cell in self.outside else cell


def families_of(
    threads: Sequence[Thread], cells: Mapping[str, Cell], addresses: Callable[[str], int | None]
) -> Iterator[Family]:
    """The cells that are written under locks of their own only."""
    alike: UnionFind[str] = UnionFind()
    for thread in threads:
        meant: dict[int, str] = {}
        for element in thread.events.elements.values():
            if cells[element.cell].template is None:
                alike.union(meant.setdefault(element.access, element.cell), element.cell)
    touching: dict[str, list[tuple[Thread, int]]] = defaultdict(list)
    for thread in threads:
        for index, command in enumerate(thread.commands):
            for cell in reads(command.instruction) | writes(command.instruction):
                if cell in alike.parents:
                    touching[cell].append((thread, index))
    for group in sorted(map(sorted, alike.to_sets())):
        places = {cell: addresses(cell) for cell in group if not cells[cell].summary}
        own = {cell: place for cell, place in places.items() if place is not None}
        if len(own) == len(places):
            family = _family(tuple(group), {cell: touching[cell] for cell in group}, own)
            if family is not None:
                yield family


def _family(
    group: tuple[str, ...], touching: Mapping[str, Sequence[tuple[Thread, int]]], own: Mapping[str, int]
) -> Family | None:
    """What is known of some cells, if whoever writes one has its lock, or is alone with the object.

    `own` are the addresses of those that are no summary cells.
    """
    locked = {
        (thread.name, index): thread.locks(thread.commands[index], element)
        for cell, found in touching.items()
        for thread, index in found
        if (element := thread.element(thread.commands[index])) is not None and element.cell == cell
    }
    functions = {
        (lock.factor, lock.offset, taking.is_given)
        for found in locked.values()
        for lock, taking in found
        if lock.factor
    }
    results = (
        _with_function(group, touching, own, locked, (factor, offset), is_given)
        for factor, offset, is_given in sorted(functions)
        if not (is_given and own)
    )
    return next((found for found in results if found is not None), None) or _new(group, touching)


def _new(group: tuple[str, ...], touching: Mapping[str, Sequence[tuple[Thread, int]]]) -> Family | None:
    """Some cells as those of new objects, if a thread that accesses one does so again."""
    found: dict[Fraction, dict[tuple[str, int], Linear]] = defaultdict(dict)
    for cell, touched in touching.items():
        for thread, index in touched:
            command = thread.commands[index]
            element = thread.element(command)
            if element is None or element.cell != cell:
                return None
            distance = thread.distance(command, element)
            if distance is not None and (at := thread.lock_of(command, element, (Fraction(1), -distance))) is not None:
                found[distance][thread.name, index] = at
    quiet = max(found.values(), key=len, default={})
    is_worth_it = len({name for name, _ in quiet}) < len(quiet)
    return Family(group, (), {}, frozenset(), quiet, is_told=True, kind=NEW) if is_worth_it else None


def _with_function(
    group: tuple[str, ...],
    touching: Mapping[str, Sequence[tuple[Thread, int]]],
    own: Mapping[str, int],
    locked: Mapping[tuple[str, int], Sequence[tuple[HeldLock, Taking]]],
    function: _Function,
    is_given: bool,
) -> Family | None:
    """As `_family`, with the lock that a function gives, or with what threads are given in its place."""
    wanted, (factor, offset) = HeldLock(False, *function), function
    locks = {cell: factor * place + offset for cell, place in own.items()}
    under = {
        at: [taking for lock, taking in found if wanted.excludes(lock) and taking.is_given == is_given]
        for at, found in locked.items()
    }
    origins: Origins = frozenset().union(*(taking.origins for found in under.values() for taking in found))
    in_turn = {thread.name: thread.in_turn for found in touching.values() for thread, _ in found}
    holders = {name for (name, _), found in under.items() if found}
    kind = next((name for name in sorted(holders) if is_given and in_turn[name]), "")
    if kind and len(holders) > 1:
        return None  # one of another template may be given the same
    inside: dict[tuple[str, int], int] = {}
    outside: set[str] = set()
    quiet: dict[tuple[str, int], Linear] = {}
    is_read, is_told = False, True
    for cell, found in touching.items():
        for thread, index in found:
            command = thread.commands[index]
            element = thread.element(command)
            held = under[thread.name, index] if element is not None and element.cell == cell else []
            is_write = cell in writes(command.instruction)
            if cell in locks and thread.has_fixed(command, locks[cell], is_write):
                continue  # the lock and the cell are told apart from others as they are
            if len(held) == 1 and held[0].slot is not None and not (is_write and held[0].is_shared):
                inside[thread.name, index] = held[0].slot
                is_read = is_read or not is_write
                continue
            at = thread.lock_of(command, element, function) if element is not None and element.cell == cell else None
            is_ungiven = at is not None and thread.is_ungiven(command.source, at, kind)
            if not is_ungiven and not thread.is_quiet(command, element, origins):
                if is_write:
                    return None
                outside.add(cell)
            elif at is not None:
                quiet[thread.name, index] = at
            else:
                is_told = is_told and not is_write
    by_lock = tuple(sorted((lock, cell) for cell, lock in locks.items()))
    told = is_told and not by_lock
    return Family(group, by_lock, inside, frozenset(outside), quiet, told, kind) if is_read else None
