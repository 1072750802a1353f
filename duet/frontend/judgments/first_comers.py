"""Which places allocate at most once in all executions: only who comes first finds a pointer null, or a latch open.

    lock(m); if (!g) { p = malloc(...); ...; g = p; } unlock(m);

A place does if there are a global cell `g` and a lock `m` so that in every thread

1. whoever comes to the place holds `m`, has seen since then that `g` is null, and has not come there before without
   having written `g` meanwhile;
2. who has come there holds `m` until it writes `g`;
3. whatever is written to `g` is not null;
4. `m` is taken as `atomic{[m = 0]; m := k}` for some k that is not 0, and else only its holder writes it.

Then it is passed once. Say it is passed twice. By 4 nobody holds `m` together with another, so by 1 the two passes are
in sections of `m` one of which is over when the other begins, or in one section. When the first section ends, or when
the same thread comes there again, `g` was written by 2 or 1, and is not null by 3, nor ever will be. So the thread
cannot have seen behind that that it is null; and what it had seen before the write does not count any more.

So is a place to which a thread only comes, each time, having closed a latch since it started or was there before: a
global cell `f` that is closed as `atomic{[f = 0]; f := k}`, and to which nothing is ever written but constants that are
not 0. It is closed once in an execution. (`pthread_once` does so, or who tests and sets a flag.)

All of it is decided by what is known on every path of the control flow graphs, and of what has been allocated by what
may be so on some path. *Approximates*: under.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Cell,
    Command,
    Formula,
    Guard,
    Havoc,
    Linear,
    Program,
    Relation,
    steps,
)
from duet.plip.terms import constant, variable
from duet.plip.touched import writes
from duet.records import dataclass

Places: TypeAlias = Mapping[str, Collection[int]]
"""The locations of the allocations of each place."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a thread knows: locks that it holds, own cells with what they copy of a global, globals that are null.

    Copies and null globals are those of the current section: nothing was taken or given back since they were read.
    `nonzero` are own cells. `open` are places with globals that the thread may not have written since it came there.
    """

    held: frozenset[str] = frozenset()
    copies: frozenset[tuple[str, str]] = frozenset()
    null: frozenset[str] = frozenset()
    nonzero: frozenset[str] = frozenset()
    open: frozenset[tuple[str, str]] = frozenset()

    def common(self, other: Known) -> Known:
        return Known(
            self.held & other.held,
            self.copies & other.copies,
            self.null & other.null,
            self.nonzero & other.nonzero,
            self.open | other.open,
        )

    def in_new_section(self, held: frozenset[str]) -> Known:
        return replace(self, held=held, copies=frozenset(), null=frozenset())

    def is_nonzero(self, term: Linear) -> bool:
        """Whether a term is known not to be 0."""
        if not term.terms:
            return term.constant != 0
        return len(term.terms) == 1 and not term.constant and term.terms[0][0] in self.nonzero

    def after_own(self, target: str, copied: frozenset[str], is_nonzero: bool) -> Known:
        """With a new value of an own cell."""
        copies = frozenset((cell, of) for cell, of in self.copies if cell != target)
        nonzero = self.nonzero | {target} if is_nonzero else self.nonzero - {target}
        return replace(self, copies=copies.union((target, of) for of in copied), nonzero=nonzero)

    def after_global(self, target: str) -> Known:
        """With a new value of a global."""
        return replace(
            self,
            copies=frozenset((cell, of) for cell, of in self.copies if of != target),
            null=self.null - {target},
            open=frozenset((place, of) for place, of in self.open if of != target),
        )


def passed_once(program: Program, places: Places) -> frozenset[str]:
    """The places that are passed at most once, whatever threads do."""
    latched = _passed_behind_latches(program, places)
    places = {place: locations for place, locations in places.items() if place not in latched}
    return latched | _passed_by_who_finds_null(program, places)


@dataclass(frozen=True, slots=True)
class _Closed:
    """For each place the latches that a thread has closed since it last came there, or was started."""

    latches: frozenset[tuple[str, str]] = frozenset()

    def common(self, other: _Closed) -> _Closed:
        return _Closed(self.latches & other.latches)


def _passed_behind_latches(program: Program, places: Places) -> frozenset[str]:
    """The places to which all ways lead through one latch, each time."""
    latches = _latches(program) if places else frozenset[str]()
    serving = {(place, latch) for place in places for latch in latches}
    passed: defaultdict[int, set[str]] = defaultdict(set)
    for place, locations in places.items():
        for location in locations:
            passed[location].add(place)
    for template in program.templates.values() if serving else ():
        outgoing = by_source(program.commands[index] for index in template.commands)

        def behind(
            location: int, closed: _Closed, outgoing: Mapping[int, list[Command]] = outgoing
        ) -> Iterator[tuple[int, _Closed]]:
            left = frozenset(pair for pair in closed.latches if pair[0] not in passed.get(location, ()))
            for command in outgoing[location]:
                latch = lock_taken(command)
                new = frozenset((place, latch) for place in places if latch in latches)
                yield command.target, _Closed(left | new)

        for location, closed in known_on_all_ways(template.entry, _Closed(), behind, following(outgoing)).items():
            here = passed.get(location, ())
            serving -= {pair for pair in serving if pair[0] in here and pair not in closed.latches}
    return frozenset(place for place, _ in serving)


def _latches(program: Program) -> frozenset[str]:
    """The globals that somebody takes, and to which nothing is written but constants that are not 0."""
    taken: set[str] = set()
    others: set[str] = set()
    for command in program.commands:
        taken.update(filter(None, (lock_taken(command),)))
        for step in steps(command.instruction):
            is_closing = isinstance(step, Assign) and not step.value.terms and step.value.constant != 0
            others.update(() if is_closing else writes(step))
    return frozenset(cell for cell in taken - others if _is_global(program.cells.get(cell)))


def _passed_by_who_finds_null(program: Program, places: Places) -> frozenset[str]:
    """The places that only who finds a pointer null comes to, holding a lock."""
    locks, pointers = _locks(program), _pointers(program)
    if not (places and locks and pointers):
        return frozenset()
    bare = _passed_without_lock(program, locks)
    guarded = {place: locations for place, locations in places.items() if bare.isdisjoint(locations)}
    if not guarded:
        return frozenset()
    found = Search(program, guarded, locks, pointers)
    for name in program.templates:
        found.follow(name)
    return found.result()


def _passed_without_lock(program: Program, locks: frozenset[str]) -> frozenset[int]:
    """The locations to which a way leads on which a thread holds no lock in the end."""
    bare: set[int] = set()
    for template in program.templates.values():
        outgoing = by_source(program.commands[index] for index in template.commands)

        def behind(
            location: int, known: Known, outgoing: Mapping[int, list[Command]] = outgoing
        ) -> Iterator[tuple[int, Known]]:
            for command in outgoing[location]:
                given = locks.intersection(writes(command.instruction))
                taken = locks.intersection(filter(None, (lock_taken(command),)) if given else ())
                yield command.target, Known(known.held - given | taken) if given else known

        found = known_on_all_ways(template.entry, Known(), behind, following(outgoing))
        bare.update(location for location, known in found.items() if not known.held)
    return frozenset(bare)


def _locks(program: Program) -> frozenset[str]:
    """The cells that are only written by who takes what is free, and by who may give it back."""
    taken: set[str] = set()
    others: set[str] = set()
    for command in program.commands:
        lock = lock_taken(command)
        for step in steps(command.instruction):
            is_giving = isinstance(step, Assign) and step.value == constant(0)
            others.update(cell for cell in writes(step) if cell != lock and not is_giving)
        if lock is not None:
            taken.add(lock)
    return frozenset(cell for cell in taken - others if _is_global(program.cells.get(cell)))


def lock_taken(command: Command) -> str | None:
    """The cell that an instruction takes as a lock: it finds 0 there and writes another constant, nothing else."""
    found = steps(command.instruction)
    written = [cell for step in found for cell in writes(step)]
    free = {cell for step in found if isinstance(step, Guard) for cell in zeros(step.condition)}
    set_to = (s.target for s in found if isinstance(s, Assign) and s.value.constant and not s.value.terms)
    return next((cell for cell in set_to if cell in free and written.count(cell) == 1), None)


def _pointers(program: Program) -> frozenset[str]:
    """The globals to which nothing is written but constants that are not 0 and what own cells hold."""
    found = {name for name, cell in program.cells.items() if _is_global(cell)}
    for command in program.commands:
        for step in steps(command.instruction):
            if not isinstance(step, Assign) or step.value == constant(0):
                found -= writes(step)
    return frozenset(found)


def _is_global(cell: Cell | None) -> bool:
    return cell is not None and cell.template is None and not cell.summary


def zeros(condition: Formula) -> Iterator[str]:
    """The cells that are 0 where a condition holds, as far as it says so directly."""
    match condition:
        case And(parts):
            for part in parts:
                yield from zeros(part)
        case Atom(Linear(((cell, k),), 0), Relation.EQ) if k:
            yield cell


def others(condition: Formula) -> Iterator[str]:
    """The cells that are not 0 where a condition holds, as far as it says so directly."""
    match condition:
        case And(parts):
            for part in parts:
                yield from others(part)
        case Atom(Linear(((cell, k),), 0), Relation.NE) if k:
            yield cell


class Search:
    """What the threads of a program show of places: the locks and pointers that do not serve."""

    def __init__(self, program: Program, places: Places, locks: frozenset[str], pointers: frozenset[str]) -> None:
        self.program = program
        self.locks = set(locks)
        self.pointers = set(pointers)
        self.serving = {place: {(lock, of) for lock in locks for of in pointers} for place in places}
        self.places: dict[int, list[str]] = defaultdict(list)
        for place, locations in places.items():
            for location in locations:
                self.places[location].append(place)

    def result(self) -> frozenset[str]:
        """The places for which a lock and a pointer are left."""
        left = {(lock, of) for lock in self.locks for of in self.pointers}
        return frozenset(place for place, pairs in self.serving.items() if pairs & left)

    def follow(self, name: str) -> None:
        """Goes through the threads of a template."""
        template = self.program.templates[name]
        outgoing = by_source(self.program.commands[index] for index in template.commands)

        def behind(location: int, known: Known) -> Iterator[tuple[int, Known]]:
            leaving = self._leaving(location, known)
            for command in outgoing[location]:
                yield command.target, self._behind(name, command, leaving)

        found = known_on_all_ways(template.entry, Known(), behind, following(outgoing))
        for location, known in found.items():
            self._judge(name, location, known, outgoing[location])

    def _leaving(self, location: int, known: Known) -> Known:
        """What is known behind the allocations at a location."""
        came = {(place, of) for place in self.places.get(location, ()) for of in self.pointers}
        return replace(known, open=known.open | came) if came else known

    def _judge(self, name: str, location: int, known: Known, commands: list[Command]) -> None:
        """Leaves out what does not serve by what is known at a location."""
        for place in self.places.get(location, ()):
            seen = {of for of in known.null if (place, of) not in known.open}
            self.serving[place] &= {(lock, of) for lock in known.held for of in seen}
        leaving = self._leaving(location, known)
        for place, of in leaving.open:
            self.serving[place] -= {(lock, of) for lock in self.locks - leaving.held}
        for command in commands:
            lock, here = lock_taken(command), leaving
            for step in steps(command.instruction):
                for target in writes(step):
                    if target in self.locks and target != lock and target not in leaving.held:
                        self.locks.discard(target)
                    if target in self.pointers and not (isinstance(step, Assign) and here.is_nonzero(step.value)):
                        self.pointers.discard(target)
                here = self._after(name, step, here)

    def _behind(self, name: str, command: Command, known: Known) -> Known:
        """What is known behind a command."""
        for step in steps(command.instruction):
            known = self._after(name, step, known)
        lock = lock_taken(command)
        return known.in_new_section(known.held | {lock}) if lock in self.locks else known

    def _after(self, name: str, step: object, known: Known) -> Known:
        """What is known behind a step, but for a lock that it takes."""
        if isinstance(step, Guard):
            null = {of for cell in zeros(step.condition) for of in self._copied(cell, known)}
            nonzero = {cell for cell in others(step.condition) if self._is_own(name, cell)}
            return replace(known, null=known.null | null, nonzero=known.nonzero | nonzero)
        for target in writes(step):  # type: ignore[arg-type]  # parts of instructions are instructions
            known = self._written(name, step, target, known)
        return known

    def _written(self, name: str, step: object, target: str, known: Known) -> Known:
        """What is known behind a step that writes a cell."""
        if target in self.locks:
            return known.in_new_section(known.held - {target})
        if target in self.pointers:
            return known.after_global(target)
        if not self._is_own(name, target):
            return known
        return known.after_own(target, *self.value(step, known))

    def value(self, step: object, known: Known) -> tuple[frozenset[str], bool]:
        """The globals of which a step writes what was read in this section, and whether it is not 0."""
        match step:
            case Assign(_, value):
                single = value.terms[0][0] if len(value.terms) == 1 and value == variable(value.terms[0][0]) else None
                copied = frozenset(self._copied(single, known)) if single is not None else frozenset[str]()
                return copied, known.is_nonzero(value)
            case Havoc(_, lo, hi):
                return frozenset(), (lo or 0) > 0 or (hi or 0) < 0
            case _:
                return frozenset(), False

    def _copied(self, cell: str, known: Known) -> Iterator[str]:
        """The globals of which a cell holds what was read in this section."""
        if cell in self.pointers:
            yield cell
        yield from (of for copy, of in known.copies if copy == cell)

    def _is_own(self, name: str, cell: str) -> bool:
        found = self.program.cells.get(cell)
        return found is not None and found.template == name and not found.summary
