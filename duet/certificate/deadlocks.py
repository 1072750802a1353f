"""Where threads never wait in a circle: what a claim on deadlocks means and needs.

*Source*: `docs/properties.md`. What threads wait for, and which locks they may have meanwhile, is found here from all
operations that the commands of the program carry, not from the certificate. A circle is one of places where threads
wait, each for what the next one may have, or would only do later, and may be at together with the one before.
*Approximates*: over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from duet.certificate.established import Established
from duet.certificate.locks import FOR_LOCKS, Lock, State, all_held, behind, lock_of, locks_in, may_be_same
from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.graphs import strong_components
from duet.plip.semantics import runs_once
from duet.plip.syntax import Program, Spawn
from duet.result import Check
from duet.source import Span

PROPERTY = "deadlock"
NO_WAIT = "no lock and no thread is waited for"
_WAITING = (*FOR_LOCKS, AccessKind.JOIN, AccessKind.AWAIT, AccessKind.MEET)


@dataclass(frozen=True, slots=True)
class Wait:
    """A place where a thread may wait, with the locks that it may have there.

    Where it runs inside of another thread, that has those that are `interrupted`, and does not go on either.
    """

    location: int
    template: str
    access: Access
    held: frozenset[Lock]
    interrupts: bool
    interrupted: frozenset[Lock]

    @property
    def is_for_lock(self) -> bool:
        """Whether a lock is waited for."""
        return self.access.kind in FOR_LOCKS

    @property
    def is_for_end(self) -> bool:
        """Whether the end of a thread is waited for."""
        return self.access.kind is AccessKind.JOIN

    @property
    def awaited(self) -> Lock:
        """What is waited for."""
        return lock_of(self.access)

    def __str__(self) -> str:
        return f"{self.template} at {self.access.span} for {self.access.label}"


class Deadlocks:
    """The checks on deadlocks of a program, and what is known of the places that they are about.

    `file` is where the program begins: checks are there that have no other place.
    """

    def __init__(self, program: Program, file: str) -> None:
        self._program, self._file = program, file
        self._once = frozenset(name for name in program.templates if runs_once(program, name))

    @cached_property
    def checks(self) -> frozenset[Check]:
        """A check for each place in the source that waits for a lock or the end of a thread; one if there is none."""
        accesses = (access for command in self._program.commands for access in command.accesses)
        found = frozenset(self._check(access) for access in accesses if _is_asked(access))
        return found or frozenset((self._nothing,))

    def _check(self, access: Access) -> Check:
        place = access.span or Span(self._file, 1, 1)
        function = access.stack[-1].function if access.stack else ""
        what = "the end of a thread" if access.kind is AccessKind.JOIN else access.label
        return Check(place.file, place.line, place.column, function, PROPERTY, f"no deadlock on {what}")

    def failing(self, known: Established) -> Mapping[Check, str]:
        """The checks that may fail for all that is known of the program, each with the reason."""
        found = _Waiting(self._program, self._once, known)
        return {
            self._check(wait.access): reason
            for number, wait in enumerate(found.places)
            if _is_asked(wait.access) and known.is_reached(wait.location) and (reason := found.reason(number))
        }

    def unreached(self, known: Established) -> frozenset[Check]:
        """The checks that no thread comes to."""
        commands = (command for command in self._program.commands if known.is_reached(command.source))
        reached = (self._check(access) for command in commands for access in command.accesses if _is_asked(access))
        return self.checks - frozenset(reached) - {self._nothing}

    @property
    def _nothing(self) -> Check:
        return Check(self._file, 1, 1, "", PROPERTY, NO_WAIT)


def _is_asked(access: Access) -> bool:
    return access.kind in FOR_LOCKS or access.kind is AccessKind.JOIN


class _Waiting:
    """Where threads of a program wait, for whom, and why for good."""

    def __init__(self, program: Program, once: frozenset[str], known: Established) -> None:
        self._program, self._once, self._known = program, once, known
        self._held = all_held(program, known.is_stopped)
        self.places = tuple(dict.fromkeys(self._waits()))
        self._after = [self._blockers(wait) for wait in self.places]
        self._stuck = self._never_given()
        components = strong_components(range(len(self.places)), lambda number: self._after[number])
        self._component = {number: members for members in components for number in members}

    def reason(self, number: int) -> str:
        """Why a thread may wait for ever at a place, empty if it does not."""
        wait = self.places[number]
        if wait.access.kind is AccessKind.LOCK and _has(wait, wait.awaited):
            return f"{wait}, which it may have itself"
        members = self._component[number]
        if any(self.places[other].access.kind is not AccessKind.PRESUME for other in members):
            circle = [other for other in self._after[number] if other in members]
            if circle:
                return f"{wait}, and so may, in a circle, {self.places[min(circle)]}"
        return f"{wait}, {self._stuck[number]}" if number in self._stuck else ""

    def _waits(self) -> Iterator[Wait]:
        for name, template in self._program.templates.items():
            for command in (self._program.commands[index] for index in template.commands):
                states = self._held[name].get(command.source)
                if states is None or not any(access.kind in _WAITING for access in command.accesses):
                    continue
                interrupted = self._beside(command.source) if template.interrupts else frozenset()
                for access in command.accesses:
                    if access.kind in _WAITING:
                        held = locks_in(states)
                        yield Wait(command.source, name, access, held, template.interrupts, interrupted)
                    states = frozenset(behind(state, access) for state in states)

    def _beside(self, location: int) -> frozenset[Lock]:
        """The locks that other threads may have while one is at a location."""
        found = (
            (place, locks)
            for held in self._held.values()
            for place, states in held.items()
            if (locks := locks_in(states))
        )
        return frozenset[Lock]().union(*(locks for place, locks in found if self._known.are_together(location, place)))

    # Who waits for whom

    def _blockers(self, wait: Wait) -> Sequence[int]:
        """The places where a thread may be that a waiting one waits for."""
        self._known.check_time()
        coming = self._coming(wait)
        return [
            number
            for number, holder in enumerate(self.places)
            if self._may_block(wait, holder, coming) and self._known.are_together(wait.location, holder.location)
        ]

    def _may_block(self, wait: Wait, holder: Wait, coming: frozenset[int]) -> bool:
        if wait.is_for_lock:
            return _has(holder, wait.awaited)
        if wait.is_for_end:
            return holder.interrupts or wait.access.object in (holder.template, UNKNOWN_LOCK)
        return holder.interrupts or holder.location in coming

    def _coming(self, wait: Wait) -> frozenset[int]:
        """From where a thread may come to where it wakes who waits there, or to where it starts one that may."""
        if wait.is_for_lock or wait.is_for_end:
            return frozenset()
        kind = AccessKind.MEET if wait.access.kind is AccessKind.MEET else AccessKind.POST
        if (kind, wait.awaited) not in self._coming_of:
            found = {place for place, access in self._made((kind,)) if may_be_same(lock_of(access), wait.awaited)}
            work = list(found)
            while work:
                new = self._leading.get(work.pop(), set()) - found
                found |= new
                work += new
            self._coming_of[kind, wait.awaited] = frozenset(found)
        return self._coming_of[kind, wait.awaited]

    @cached_property
    def _coming_of(self) -> dict[tuple[AccessKind, Lock], frozenset[int]]:
        return {}

    @cached_property
    def _leading(self) -> Mapping[int, set[int]]:
        """For each location, those from which a step of a thread, or the start of one, leads there."""
        found: dict[int, set[int]] = {}
        for command in self._program.commands:
            found.setdefault(command.target, set()).add(command.source)
            if isinstance(command.instruction, Spawn):
                entry = self._program.templates[command.instruction.template].entry
                found.setdefault(entry, set()).add(command.source)
        return found

    def _made(self, kinds: Sequence[AccessKind], name: str = "") -> list[tuple[int, Access]]:
        """The operations of some kinds of all threads, or of those of a template, with their locations."""
        return [
            (command.source, access)
            for command in self._program.commands
            for access in command.accesses
            if access.kind in kinds and name in ("", self._program.template_of[command.source])
        ]

    # What nobody gives any more

    def _never_given(self) -> Mapping[int, str]:
        """Why what is waited for at a place may never be given: nobody can, or who could waits for such a thing."""
        kept, posted = self._kept(), [lock_of(access) for _, access in self._made((AccessKind.POST, AccessKind.MEET))]
        found: dict[int, str] = {}
        for number, wait in enumerate(self.places):
            if wait.is_for_lock:
                names = sorted(name for lock, name in kept if may_be_same(wait.awaited, lock))
                others = [name for name in names if name != wait.template or name not in self._once]
                found.update({number: f"with which {others[0]} may end"} if others else {})
            elif not wait.is_for_end and not any(may_be_same(wait.awaited, lock) for lock in posted):
                found[number] = "which nobody gives"
        work = list(found)
        while work:
            stuck = work.pop()
            for number, after in enumerate(self._after):
                if number not in found and stuck in after:
                    found[number] = f"which {self.places[stuck]} may keep"
                    work.append(number)
        return found

    def _kept(self) -> frozenset[tuple[Lock, str]]:
        """The locks that threads may still have when they end, with the templates of these."""
        recursive = frozenset(lock_of(access) for _, access in self._made((AccessKind.RELOCK,)))
        held = all_held(self._program, self._known.is_stopped, recursive)
        return frozenset(chain.from_iterable(self._kept_by(name, held[name]) for name in held))

    def _kept_by(self, name: str, held: Mapping[int, frozenset[State]]) -> Iterator[tuple[Lock, str]]:
        ends: Iterable[int] = [place for place, _ in self._made((AccessKind.END,), name)]
        if self._made((AccessKind.CANCEL,), name):
            ends = held
        elif name != self._program.main:
            ends = [*ends, self._program.templates[name].exit]
        is_any_given = any(access.object == UNKNOWN_LOCK for _, access in self._made((AccessKind.UNLOCK,), name))
        for lock in frozenset[Lock]().union(*(locks_in(held.get(place, frozenset())) for place in ends)):
            if lock[0] != UNKNOWN_LOCK or not is_any_given:  # giving back one of that kind gives back what was taken
                yield lock, name


def _has(holder: Wait, lock: Lock) -> bool:
    """Whether a thread, or one that it runs inside of, may have a lock."""
    return any(may_be_same(lock, mine) for mine in (*holder.held, *holder.interrupted))
