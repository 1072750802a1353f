"""Which locks a thread has while it accesses memory, where the lock's address follows from the address accessed.

A lock in each object of many, or one of an array beside another array, has no cell that would tell it from its like.
But in `lock(&p->lock); p->count++`, or `lock(&locks[i]); table[i] = 0`, the address of the lock is a function of that
of the memory. Two threads that access the same memory, each with the lock that the same function gives, would have the
same lock at once. So they do not race (see `duet.plip.accesses.Access.excludes`).

*Requires*: only its holder gives such a lock back, and nobody initialises it while it is held; else the behaviour of
the program is undefined. *Approximates*: what is said holds along every path of the control flow graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from duet.frontend.compact import writes
from duet.plip.accesses import Access, HeldLock
from duet.plip.syntax import Assert, Assign, Command, Guard, Join, Linear, steps
from duet.plip.terms import add, scale, substitute, term_cells

ASSUMED = (
    "a lock that is not told apart from others is given back by its holder only, and not initialised while it is held"
)


@dataclass(frozen=True, slots=True)
class Taking:
    """A lock at an address is taken, to read only if it `is_shared`; `origins` are the objects it may be in."""

    address: Linear
    origins: frozenset[str]
    is_shared: bool


@dataclass(frozen=True, slots=True)
class Giving:
    """A lock in one of some objects may be given back, any lock without `origins`."""

    origins: frozenset[str]

    def may_be(self, taking: Taking) -> bool:
        return not self.origins or not self.origins.isdisjoint(taking.origins)


Addresses: TypeAlias = Mapping[int, Mapping[Access, Linear | None]]
"""By location what is accessed there and at which address, a term over cells; None if that is not known."""
Known: TypeAlias = tuple[frozenset[tuple[str, Linear]], frozenset[Taking]]
"""Local cells with terms that they are equal to, and the locks that the thread has."""


def held_locks(
    commands: Sequence[Command],
    entry: int,
    takings: Mapping[int, Iterable[Taking]],
    givings: Mapping[int, Iterable[Giving]],
    accesses: Addresses,
    is_own: Callable[[str], bool],
) -> Mapping[tuple[int, Access], frozenset[HeldLock]]:
    """The locks that the thread has at accesses, by location and access, where there are any.

    A lock is taken before the thread leaves a location of `takings`, and given back as it comes to one of `givings`.
    `is_own` tells the cells that nobody but the thread changes, and it only by writing them.
    """
    known = _known(commands, entry, takings, givings, is_own)
    found: dict[tuple[int, Access], frozenset[HeldLock]] = {}
    for location, noted in accesses.items():
        equal, takes = known.get(location, (frozenset(), frozenset()))
        for access, address in noted.items():
            if address is None or not takes:
                continue
            values = dict(equal)
            at = _resolved(address, values)
            locks = (_lock(_resolved(taking.address, values), taking.is_shared, at) for taking in takes)
            near = frozenset(lock for lock in locks if lock is not None)
            if near:
                found[location, access] = near
    return found


def _known(
    commands: Sequence[Command],
    entry: int,
    takings: Mapping[int, Iterable[Taking]],
    givings: Mapping[int, Iterable[Giving]],
    is_own: Callable[[str], bool],
) -> Mapping[int, Known]:
    """What is known on every path to each location, with what is given back there no longer held."""
    outgoing: dict[int, list[Command]] = defaultdict(list)
    for command in commands:
        outgoing[command.source].append(command)

    def arrived(location: int, known: Known) -> Known:
        equal, takes = known
        given = givings.get(location, ())
        return equal, frozenset(taking for taking in takes if not any(giving.may_be(taking) for giving in given))

    found = {entry: arrived(entry, (frozenset(), frozenset()))}
    work = [entry]
    while work:
        location = work.pop()
        equal, takes = found[location]
        given = givings.get(location, ())
        taken = (
            taking
            for taking in takings.get(location, ())
            if not any(giving.may_be(taking) for giving in given) and all(map(is_own, term_cells(taking.address)))
        )
        leaving = equal, takes.union(taken)
        for command in outgoing[location]:
            after = arrived(command.target, _passed(command, leaving, is_own))
            before = found.get(command.target)
            both = after if before is None else (before[0] & after[0], before[1] & after[1])
            if both != before:
                found[command.target] = both
                work.append(command.target)
    return found


def _passed(command: Command, known: Known, is_own: Callable[[str], bool]) -> Known:
    for step in steps(command.instruction):
        match step:
            case Guard() | Assert() | Join():
                pass
            case Assign(target, value):
                equal, takes = _without(known, target)
                if is_own(target) and all(cell != target and is_own(cell) for cell in term_cells(value)):
                    equal |= {(target, value)}
                known = equal, takes
            case _:
                for target in writes(step):
                    known = _without(known, target)
    return known


def _without(known: Known, target: str) -> Known:
    """What is still known when a cell is written: what it was equal to takes its place."""
    equal, takes = known
    values = {cell: term for cell, term in equal if cell == target}
    kept = ((cell, substitute(term, values)) for cell, term in equal if cell != target)
    moved = (replace(taking, address=substitute(taking.address, values)) for taking in takes)
    return (
        frozenset((cell, term) for cell, term in kept if target not in term_cells(term)),
        frozenset(taking for taking in moved if target not in term_cells(taking.address)),
    )


def _resolved(term: Linear, values: Mapping[str, Linear]) -> Linear:
    """The term over cells of which no value is known; a cell is never equal to a term in which it is itself."""
    while not values.keys().isdisjoint(term_cells(term)):
        term = substitute(term, values)
    return term


def _lock(lock: Linear, is_shared: bool, accessed: Linear) -> HeldLock | None:
    """A lock as a function of the address that is accessed; None if it is no linear one."""
    if not accessed.terms:
        return None if lock.terms else HeldLock(is_shared, Fraction(0), Fraction(lock.constant), accessed.constant)
    cell, k = accessed.terms[0]
    factor = Fraction(dict(lock.terms).get(cell, 0), k)
    rest = add(scale(lock, factor.denominator), accessed, -factor.numerator)
    return None if rest.terms else HeldLock(is_shared, factor, Fraction(rest.constant, factor.denominator))
