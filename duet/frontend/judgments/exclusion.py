"""Why no other thread can access some memory at the same time as this one, where no lock of its own cell says so.

**A lock at a known distance.** Where each of many objects has a lock in it, or an array of locks belongs to an array of
data, the locks share a summary cell, which does not say which of them is held. But in `lock(&p->lock); p->count++`, or
`lock(&locks[i]); table[i] = 0`, the address of the lock is a function of that of the memory. Two threads that access
the same memory, each with the lock that the same function gives, would have the same lock at once. *Requires*: only its
holder gives such a lock back, and nobody initialises it while it is held; else the behaviour of the program is
undefined.

**New objects.** Nobody else has the address of an object from its allocation until the thread first writes it, or
what may be it, to a cell that is not its own, in memory that others get to, or starts a thread. An address that goes
elsewhere has no named origin when it comes back (it is that of any memory, see `ANYTHING`), except from memory outside
of the program, from what the C library keeps, and from parts of objects without cells, such as members of unions:
objects that these may hold are not looked at.

**Objects handed over.** Where each thread of a template is given an object that was new in this sense until it started,
each has one of its own: another one is not given the same, as it is not new any more. So it is where the first thread
gives each an address behind all that it has given to such threads before, as `&tasks[i]` in a loop.

All three are decided by what is known of local cells on every path of the control flow graph. *Approximates*: under.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from duet.frontend.ctypes.origins import Origin, may_be_any
from duet.frontend.graph.events import Allocation, Events, Giving, Spot, Taking
from duet.frontend.graph.reach import by_source, following, known_on_all_ways, reached
from duet.plip.accesses import Access, Beyond, Bytes, HeldLock
from duet.plip.syntax import (
    Assert,
    Assign,
    Atomic,
    Command,
    Compute,
    Guard,
    Instruction,
    Join,
    Linear,
    Operation,
    Spawn,
    steps,
)
from duet.plip.terms import add, constant, scale, substitute, term_cells, variable
from duet.plip.touched import writes
from duet.records import dataclass

ASSUMED = (
    "a lock that is not told apart from others is given back by its holder only, and not initialised while it is held"
)
ANY_CELL = "<any>"
"""A cell that may be any one."""
MOST_FORMS = 4
"""In how many ways a term is written at a time."""
GIVEN = "<given>"
"""The owner of what each thread is given when it starts, as nobody else is."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What is known of cells: whether only the thread writes one, and the origins of the addresses that it may hold.

    `followed` are those whose values matter, see `sources`. What is no own cell may be in memory that no other thread
    `is_kept_from`: what is written there is shown to nobody, but may be read from there again. If it `is_presumed`,
    numbers that are converted are as they were.
    """

    is_own: Callable[[str], bool]
    held: Callable[[str], Collection[Origin]]
    followed: Container[str]
    is_kept_from: Callable[[str], bool] = lambda _: False
    is_presumed: bool = False

    def value(self, step: Instruction) -> Linear | None:
        """What a step gives its target, if that is known over the thread's own cells."""
        match step:
            case Assign(_, value):
                pass
            case Compute(_, Operation.WRAP, (value, *_)) if self.is_presumed:
                pass
            case _:
                return None
        return value if all(map(self.is_own, term_cells(value))) else None


@dataclass(frozen=True, slots=True)
class Known:
    """Own cells with terms that they are equal to, locks that the thread holds, objects whose address only it has.

    Instead of the address of a new object there may be null.

    `given` are addresses in an object that no other thread was given when it started. Of own cells that are followed
    only those `near` new objects may hold something of the addresses of these; ANY_CELL does if that is a constant.
    What threads of templates were given that may have been `started` is above none of the `lasts` of a template.
    """

    equal: frozenset[tuple[str, Linear]] = frozenset()
    locks: frozenset[Taking] = frozenset()
    new: frozenset[Allocation] = frozenset()
    given: frozenset[Linear] = frozenset()
    near: frozenset[tuple[Origin, str]] = frozenset()
    started: frozenset[str] = frozenset()
    lasts: frozenset[tuple[str, Linear]] = frozenset()

    def common(self, other: Known) -> Known:
        new = self.new if self.new == other.new else self._new_in_both(other)
        near, started, lasts = self.near | other.near, self.started | other.started, self._common_lasts(other)
        given = self.given & other.given
        return Known(self.equal & other.equal, self.locks & other.locks, new, given, near, started, lasts)

    def _common_lasts(self, other: Known) -> frozenset[tuple[str, Linear]]:
        """The lasts that are none too low on the other way; only those of this one where threads were started on it."""
        first = ((name, last) for name, last in other.lasts if name not in self.started)
        return frozenset((*(it for it in self.lasts if it in other.lasts or other._over(*it) >= 0), *first))

    def is_ungiven(self, template: str, address: Linear) -> bool:
        """Whether no thread of a template was given an address, or one behind it, as far as is known."""
        return self._over(template, address) > 0

    def _over(self, template: str, address: Linear) -> float:
        """How far an address is above all that threads of a template were given; infinite if there are none."""
        if template not in self.started:
            return math.inf
        distances = (self.resolved(add(address, last, -1)) for name, last in self.lasts if name == template)
        return max((distance.constant for distance in distances if not distance.terms), default=-1)

    def beyond(self, address: Linear, is_plain: bool = False) -> frozenset[Beyond]:
        """How an address is beyond what threads of templates were given; if it `is_plain`, as both are written."""
        found: set[Beyond] = set()
        for name, last in self.lasts:
            factors = dict(last.terms)
            for cell, k in address.terms:
                factor = k // factors[cell] if cell in factors and k % factors[cell] == 0 else 0 if is_plain else 1
                distance = add(address, last, -factor)
                distance = distance if is_plain else self.resolved(distance)
                if factor > 0 and not distance.terms:
                    found.add(Beyond(name, factor, distance.constant))
        return frozenset(found)

    def after_starting(self, template: str, arguments: Sequence[Linear]) -> Known:
        """Behind the start of a thread of a template, which is given an address if there is one argument."""
        lasts = {(name, last) for name, last in self.lasts if name != template}
        for value in arguments if len(arguments) == 1 else ():
            if self.is_ungiven(template, value):
                lasts.update((template, form) for form in self._forms(value))
        return replace(self, new=frozenset(), started=self.started | {template}, lasts=frozenset(lasts))

    def distance(self, template: str, value: Linear) -> int:
        """By how much an address that a thread is given is higher than those before, 0 if that is not known."""
        over = self._over(template, value)
        return 1 if over == math.inf else max(int(over), 0)

    def _new_in_both(self, other: Known) -> frozenset[Allocation]:
        """The objects that are new on both ways, or on one where a cell that leads to it is null on the other."""
        both = self.new & other.new
        found = {made.origin: made for made in sorted(both, key=str)}
        for side in (self, other):
            for made in sorted(side.new - both, key=str):
                for cell in side._names(made.address) if made.origin not in found else ():
                    if self._leads_to(cell, made.origin) and other._leads_to(cell, made.origin):
                        found[made.origin] = Allocation(made.origin, variable(cell))
                        break
        return both.union(found.values())

    def _names(self, address: Linear) -> list[str]:
        """The cells that hold an address, as far as is known."""
        held = {cell for cell, term in self.equal if term == address}
        return sorted(held.union(cell for cell in term_cells(address) if variable(cell) == address))

    def _leads_to(self, cell: str, origin: Origin) -> bool:
        """Whether a cell holds the address of the new object of an origin, or is null where there is none."""
        value = self.resolved(variable(cell))
        alike = [self.resolved(made.address) for made in self.new if made.origin == origin]
        return value in alike if alike else value == constant(0)

    def after_taking(self, taking: Taking) -> Known:
        """With a lock, which has its number, or the lowest free one if another one has that, if locks are numbered.

        If the thread may have had it before, it is one of those with such origins, if there are any: which one is meant
        is not known any more.
        """
        if taking.slot is None:
            return replace(self, locks=self.locks | {taking})
        alike = frozenset(held for held in self.locks if not held.origins.isdisjoint(taking.origins))
        if taking.is_again and alike:
            return replace(self, locks=self.locks - alike)
        used = {held.slot for held in self.locks}
        slot = next(number for number in (taking.slot, *range(len(used) + 1)) if number not in used)
        numbered = replace(taking, slot=slot, is_fixed=not taking.address.terms, is_again=False)
        return replace(self, locks=self.locks | {numbered})

    def after_giving(self, given: Collection[Giving]) -> Known:
        """Without locks that may be given back."""
        if not given or not self.locks:
            return self
        kept = (taking for taking in self.locks if not any(giving.may_be(taking) for giving in given))
        return replace(self, locks=frozenset(kept))

    def after_writing(self, target: str) -> Known:
        """What is left when an own cell is written: what it was equal to takes its place."""
        values = {cell: term for cell, term in self.equal if cell == target}
        equal = ((cell, substitute(term, values)) for cell, term in self.equal if cell != target)
        locks = (replace(taking, address=substitute(taking.address, values)) for taking in self.locks)
        new = (replace(made, address=substitute(made.address, values)) for made in self.new)
        given = (substitute(address, values) for address in self.given)
        return Known(
            frozenset((cell, term) for cell, term in equal if target not in term_cells(term)),
            frozenset(taking for taking in locks if target not in term_cells(taking.address)),
            frozenset(made for made in new if target not in term_cells(made.address)),
            frozenset(address for address in given if target not in term_cells(address)),
            self.near,
            self.started,
            frozenset(
                (name, last)
                for name, last in ((name, substitute(last, values)) for name, last in self.lasts)
                if target not in term_cells(last)
            ),
        )

    def after_adding(self, target: str, value: Linear) -> Known:
        """As `after_writing`, where a cell gets what it had and something else: the lasts over it stay."""
        is_asked = any(target in term_cells(last) for _, last in self.lasts)
        forms = self._forms(value) if is_asked else ()
        form = next((it for it in forms if dict(it.terms).get(target) == 1), None)
        if form is None:
            return self.after_writing(target)
        before = {target: add(scale(variable(target), 2), form, -1)}
        lasts = frozenset((name, substitute(last, before)) for name, last in self.lasts)
        return replace(self.after_writing(target), lasts=lasts)

    def after_making(self, made: Collection[Allocation]) -> Known:
        """With some new objects; what cells hold from before is not their addresses."""
        if not made:
            return self
        origins = {item.origin for item in made} - {item.origin for item in self.new}
        near = {(origin, cell) for origin, cell in self.near if origin not in origins}
        for item in made:
            resolved = self.resolved(item.address)
            parts = term_cells(item.address) | term_cells(resolved) | (frozenset() if resolved.terms else {ANY_CELL})
            near.update((item.origin, cell) for cell in parts)
            near.update(
                (item.origin, cell)
                for cell, term in self.equal
                if not parts.isdisjoint(term_cells(term) | term_cells(self.resolved(term)))
            )
        return replace(self, new=self.new.union(made), near=frozenset(near))

    def with_near(self, target: str, origins: Collection[Origin]) -> Known:
        """Where a cell gets what has something of the addresses of some new objects, and of no other ones."""
        near = frozenset(found for found in self.near if found[1] != target)
        return replace(self, near=near.union((origin, target) for origin in origins))

    def resolved(self, term: Linear) -> Linear:
        """The term over cells of which no value is known; a cell is never equal to a term in which it is itself."""
        values = dict(self.equal)
        while not values.keys().isdisjoint(term_cells(term)):
            term = substitute(term, values)
        return term

    def new_at(self, address: Linear) -> frozenset[Allocation]:
        """The new objects at an address, or at the negative of a term: where that is null they are not there."""
        both = address, scale(address, -1)
        return frozenset(
            made for made in self.new if any(self.resolved(add(made.address, one, -1)) == constant(0) for one in both)
        )

    def _forms(self, term: Linear) -> list[Linear]:
        """The term with cells that it is made of by what these are equal to, one after the other."""
        found = [term]
        for cell, value in sorted(self.equal, key=str) if term.terms else ():
            found += [substitute(form, {cell: value}) for form in found if cell in term_cells(form)][:MOST_FORMS]
        return found if found[-1] == term else [*found, *self._forms(found[-1])]

    def named(self, term: Linear) -> Linear:
        """The term over cells that the source names, where temporaries have a value over these."""
        return substitute(term, {cell: value for cell, value in self.equal if cell.startswith("$")})

    def is_beside(self, pointer: Linear, address: Linear) -> bool:
        """Whether two addresses have a known distance, so that pointers there are into one object."""
        return not self.resolved(add(pointer, address, -1)).terms


def sources(commands: Iterable[Command], terms: Iterable[Linear]) -> frozenset[str]:
    """The cells of some terms, and those that they are made of: nothing else is asked of what is known."""
    made: dict[str, set[str]] = defaultdict(set)
    for command in commands:
        for step in steps(command.instruction):
            if isinstance(step, Assign):
                made[step.target] |= term_cells(step.value)
            elif isinstance(step, Compute) and step.operation is Operation.WRAP:
                made[step.target] |= term_cells(step.arguments[0])
    return frozenset(reached((cell for term in terms for cell in term_cells(term)), lambda cell: made.get(cell, ())))


def copies(commands: Iterable[Command], terms: Iterable[Linear]) -> frozenset[str]:
    """The cells of some terms, and those whose values are made of them."""
    made: dict[str, set[str]] = defaultdict(set)
    for command in commands:
        for step in steps(command.instruction):
            if isinstance(step, Assign):
                for cell in term_cells(step.value):
                    made[cell].add(step.target)
    return frozenset(reached((cell for term in terms for cell in term_cells(term)), lambda cell: made.get(cell, ())))


def told(
    known: Mapping[int, Known],
    accesses: Mapping[int, Mapping[Access, Spot]],
    is_own: Callable[[str], bool],
) -> Mapping[tuple[int, Access], Access]:
    """The accesses, by location, that others cannot make in some circumstances, with what is known of that."""
    found: dict[tuple[int, Access], Access] = {}
    for location, noted in accesses.items():
        here = known.get(location, Known())
        for access, spot in noted.items():
            pointer = spot.pointer
            locks = frozenset(lock for lock, _ in held_locks(here, spot))
            more = replace(access, locks=locks, bytes=_bytes(access, spot, here, is_own))
            if pointer is not None and any(
                new.origin.key == access.object and here.is_beside(pointer, new.address) for new in here.new
            ):
                more = replace(more, is_private=True)
            if pointer is not None and any(here.is_beside(pointer, address) for address in here.given):
                more = replace(more, owner=GIVEN)
            if more != access:
                found[location, access] = more
    return found


def _bytes(access: Access, spot: Spot, here: Known, is_own: Callable[[str], bool]) -> Bytes | None:
    """What is accessed of an object with elements, if that is known over the thread's own cells."""
    begin = spot.begin
    if begin is None or spot.size is None or not any(step.startswith("[") for step in access.path):
        return None
    if not all(map(is_own, term_cells(begin))):
        return None
    return Bytes(begin.terms, begin.constant, spot.size, here.beyond(begin))


def beyond_given(access: Access, here: Known, templates: Collection[str]) -> Access:
    """An access with how far it is beyond what threads of some templates have been given, if `here` is known."""
    if access.bytes is None:
        return access
    begin = Linear(access.bytes.terms, access.bytes.constant)
    more = {it for it in here.beyond(begin, is_plain=True) if it.template in templates}
    return replace(access, bytes=replace(access.bytes, beyond=access.bytes.beyond | more))


def given_to_several(known: Mapping[int, Known], commands: Iterable[Command], events: Events, cells: Cells) -> set[str]:
    """The templates that are started here with an argument that other threads may know, or with any."""
    found: set[str] = set()
    for command in commands:
        if isinstance(command.instruction, Spawn) and command.source in known:
            here = leaving(known[command.source], command.source, events, cells)
            value = _given(command.instruction)
            if value is None or not any(here.is_beside(value, new.address) for new in here.new):
                found.add(command.instruction.template)
    return found


def given_in_turn(
    known: Mapping[int, Known], commands: Iterable[Command], events: Events, cells: Cells
) -> Mapping[str, int]:
    """The templates whose threads are given addresses here of which none was given to one before.

    With that, by how much each one is higher than those before at least.
    """
    found: dict[str, int] = {}
    for command in commands:
        if isinstance(command.instruction, Atomic):
            found.update((step.template, 0) for step in steps(command.instruction) if isinstance(step, Spawn))
        elif isinstance(command.instruction, Spawn) and command.source in known:
            here = leaving(known[command.source], command.source, events, cells)
            name, value = command.instruction.template, _given(command.instruction)
            apart = here.distance(name, value) if value is not None and _is_over(value, cells) else 0
            found[name] = min(found.get(name, apart), apart)
    return {name: apart for name, apart in found.items() if apart}


def _given(start: Spawn) -> Linear | None:
    """What a thread is given for its first parameter, which may be anything without that."""
    return next((value for cell, value in start.arguments if cell == argument_of(start.template)), None)


def argument_of(template: str) -> str:
    """The cell of the argument of the threads of a template."""
    return f"{template}::argument"


def known_by(
    commands: Sequence[Command], entry: int, argument: str | None, events: Events, cells: Cells
) -> Mapping[int, Known]:
    """What is known on every path to each location, after what is given back there.

    `argument` is the cell of the thread's argument, if that is the address of an object of its own.
    """
    outgoing = by_source(commands)

    def behind(location: int, known: Known) -> Iterator[tuple[int, Known]]:
        here = leaving(known, location, events, cells)
        for command in outgoing[location]:
            yield command.target, _behind(command, here, events, cells)

    first = Known(given=frozenset((variable(argument),)) if argument is not None else frozenset())
    return known_on_all_ways(entry, first, behind, following(outgoing))


def _behind(command: Command, here: Known, events: Events, cells: Cells) -> Known:
    """What is known behind a command, where that is known in front of it."""
    return passed(command.instruction, here, cells).after_giving(events.givings.get(command.target, ()))


def ordered(known: Mapping[int, Known], commands: Iterable[Command], events: Events, cells: Cells) -> Events:
    """The events with numbers for locks that ways take in different orders, so that they have the same on all of them.

    `known` is what is known with the numbers that they have, by which some are lost where such ways meet.
    """
    arriving: dict[int, list[frozenset[Taking]]] = defaultdict(list)
    for command in commands:
        if command.source in known:
            here = leaving(known[command.source], command.source, events, cells)
            held = _behind(command, here, events, cells).locks if here.locks else here.locks
            arriving[command.target].append(frozenset(replace(taking, slot=0) for taking in held))
    lost = {
        taking.address
        for location, found in arriving.items()
        for taking in frozenset.intersection(*found) - {replace(held, slot=0) for held in known[location].locks}
    }
    numbers = {address: number for number, address in enumerate(sorted(lost, key=str))}

    def numbered(location: int, taking: Taking) -> Taking:
        address = known[location].named(taking.address) if location in known else taking.address
        return replace(taking, slot=numbers.get(address, taking.slot))

    if not lost:
        return events
    takings = {location: [numbered(location, it) for it in found] for location, found in events.takings.items()}
    return replace(events, takings=takings)


def leaving(known: Known, location: int, events: Events, cells: Cells) -> Known:
    """What is known behind what happens at a location."""
    if not any(location in it for it in (events.takings, events.allocations, events.givings, events.shown)):
        return known
    found = (replace(item, address=known.named(item.address)) for item in events.takings.get(location, ()))
    behind = known
    for item in found:
        behind = behind.after_taking(item) if _is_over(item.address, cells) else behind
    behind = behind.after_making([it for it in events.allocations.get(location, ()) if _is_over(it.address, cells)])
    return _without(behind, events.shown.get(location, ())).after_giving(events.givings.get(location, ()))


def _is_over(term: Linear, cells: Cells) -> bool:
    return all(cells.is_own(cell) for cell in term_cells(term))


def passed(instruction: Instruction, known: Known, cells: Cells) -> Known:
    """What is known behind an instruction."""
    for step in steps(instruction):
        match step:
            case Guard() | Assert() | Join():
                continue
            case Spawn(template, arguments):
                known = known.after_starting(template, [value for _, value in arguments])
                continue
            case _:
                targets: Iterable[str] = writes(step)
        for target in targets:
            if not cells.is_own(target):
                if cells.is_kept_from(target):
                    continue
                shown = {it.origin for it in known.new}.intersection(cells.held(target)) if known.new else ()
                known = _without(known, _near(step, known, shown, cells)) if shown else known
                continue
            if target not in cells.followed:
                continue
            origins = _near(step, known, {item.origin for item in known.new}, cells) if known.new else ()
            value = cells.value(step)
            known = known.after_adding(target, constant(0) if value is None else value).with_near(target, origins)
            if value is not None and target not in term_cells(value):
                known = replace(known, equal=known.equal | {(target, value)})
    return known


def _near(step: Instruction, known: Known, origins: Collection[Origin], cells: Cells) -> Collection[Origin]:
    """The new objects with some origins that what a step writes may have something of the addresses of.

    What is read from cells that are not the thread's own has not, where others get there: nothing was written there
    that has.
    """
    if not isinstance(step, Assign):
        return origins
    own = [cell for cell in term_cells(step.value) if cells.is_own(cell)]
    if any(cell not in cells.followed for cell in own):
        return origins
    kept = [cells.held(cell) for cell in term_cells(step.value) if not cells.is_own(cell) and cells.is_kept_from(cell)]
    if any(map(may_be_any, kept)):
        return origins
    again = {origin for origin in origins if any(origin in held for held in kept)}
    return again | {origin for origin in origins if any((origin, cell) in known.near for cell in (*own, ANY_CELL))}


def _without(known: Known, shown: Collection[Origin]) -> Known:
    """What is known without objects that may be known to others."""
    kept = frozenset(new for new in known.new if new.origin not in shown)
    return known if len(kept) == len(known.new) else replace(known, new=kept)


def held_locks(here: Known, spot: Spot) -> Iterator[tuple[HeldLock, Taking]]:
    """The locks that the thread has at a place relative to what it accesses."""
    if spot.begin is None:
        return
    begin = here.resolved(spot.begin)
    for taking in here.locks:
        lock = _lock(here.resolved(taking.address), taking.is_shared, begin)
        if lock is not None:
            yield lock, taking


def _lock(lock: Linear, is_shared: bool, accessed: Linear) -> HeldLock | None:
    """A lock as a function of the address that is accessed; None if it is no linear one."""
    if not accessed.terms:
        return None if lock.terms else HeldLock(is_shared, Fraction(0), Fraction(lock.constant), accessed.constant)
    cell, k = accessed.terms[0]
    factor = Fraction(dict(lock.terms).get(cell, 0), k)
    rest = add(scale(lock, factor.denominator), accessed, -factor.numerator)
    return None if rest.terms else HeldLock(is_shared, factor, Fraction(rest.constant, factor.denominator))
