"""Which locks a thread may have at the locations of its code, followed along its own control flow.

*Approximates*: over. Behind a call of a body that calls share, a thread has what it may have there when it came to the
body with what it had at this call; bodies that may call themselves, or are left by jumps, come back to all calls.

*Source*: M. Sharir and A. Pnueli, "Two approaches to interprocedural data flow analysis", 1981, the functional
approach.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

from duet.interference.annotation import Annotation
from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.once import once
from duet.plip.returns import call_of, levels, single, within
from duet.plip.syntax import Command, Program, Template

Lock: TypeAlias = tuple[str, tuple[str, ...]]
"""The object and path of a lock."""
Held: TypeAlias = tuple[tuple[Lock, int], ...]
"""Locks that a thread has, in order, and how often; FOREVER for one that is never taken to be given back."""
_Context: TypeAlias = tuple[int, Held | None] | None
"""A body, by its entry, with what a thread had when it came there, None for anything; None outside of bodies."""
_Call: TypeAlias = tuple[_Context, int]
"""The calls with a number that lead to a context."""

FOREVER = 5
_MOST = 32
_CONTEXTS = 8
CHANGING = (AccessKind.LOCK, AccessKind.RELOCK, AccessKind.TAKE, AccessKind.UNLOCK)


def lock_of(access: Access) -> Lock:
    """The lock that an operation is about."""
    return access.object, access.path


def same_lock(one: Lock, other: Lock) -> bool:
    """Whether two names may mean the same lock."""
    if UNKNOWN_LOCK in (one[0], other[0]):
        return True
    return one[0] == other[0] and all(a == b or "[*]" in (a, b) for a, b in zip(one[1], other[1], strict=False))


def held_before(
    program: Program, template: Template, annotation: Annotation | None = None, told: frozenset[Lock] | None = None
) -> Mapping[int, frozenset[Held]]:
    """What a thread may have at each location that it can reach, by the annotation or by its control flow alone.

    With the locks `told` that tell who has them, other locks are only ever given back by who has them.
    """
    return _Ways(program, annotation, told).from_(template.entry)


def given_unheld(program: Program, annotation: Annotation | None = None) -> Iterator[Access]:
    """The operations that give back a lock that the thread may not have, as far as the locks it has are known."""
    for template in program.templates.values():
        commands = [program.commands[index] for index in template.commands]
        giving = [(it, access) for it in commands for access in it.accesses if access.kind is AccessKind.UNLOCK]
        before = held_before(program, template, annotation) if giving else {}
        for command, access in giving:
            if any(lock_of(access) not in surely(held) for held in before.get(command.source, ())):
                yield access


class _Ways:
    """What a thread may have at locations, by the contexts in which it is there.

    Of what a thread has when it comes to a body that is what its operations may be about; the rest stays as it is until
    the thread comes back, and is kept with the call.
    """

    def __init__(self, program: Program, annotation: Annotation | None, told: frozenset[Lock] | None) -> None:
        self._program, self._annotation, self._told = program, annotation, told
        self._entered, self._operated, self._back = _bodies(program)
        self._bounded = cache(_bounded)
        self._split = cache(self._divided)
        self._found: dict[tuple[int, _Context], frozenset[Held]] = {}
        self._work: list[tuple[int, _Context]] = []
        self._contexts: dict[int, set[Held]] = defaultdict(set)
        self._callers: dict[_Call, dict[tuple[_Context, Held], None]] = defaultdict(dict)
        """From where calls were made, each with what was kept there."""
        self._behind: dict[tuple[_Context, int], frozenset[Held]] = defaultdict(frozenset)
        """What a thread may have behind commands that come back from a context, without what was kept."""

    def from_(self, entry: int) -> Mapping[int, frozenset[Held]]:
        """By locations, all that a thread that begins at an entry may have."""
        self._add(entry, None, frozenset(((),)))
        while self._work:
            location, context = self._work.pop()
            for index in self._program.outgoing[location]:
                if self._annotation is None or not self._annotation.is_disabled(index):
                    self._step(index, context, self._found[location, context])
        rest = self._rest()
        joined = cache(lambda states, kept: self._bounded(frozenset(_both(a, b) for a in states for b in kept)))
        result: dict[int, frozenset[Held]] = defaultdict(frozenset)
        for (location, context), states in self._found.items():
            result[location] |= joined(states, rest[context])
        return dict(result)

    def _step(self, index: int, context: _Context, before: frozenset[Held]) -> None:
        """Goes on behind a command: in a body that it calls, or behind all calls that it may come back to."""
        command, behind = self._program.commands[index], before
        if command.accesses and any(access.kind in CHANGING for access in command.accesses):
            possible = (one for one in before if self._told is None or _may_do(one, command.accesses, self._told))
            behind = frozenset(_behind(one, command.accesses) for one in possible)
        number = call_of(command.instruction)
        if abs(number) not in self._entered:
            self._add(command.target, context, behind)
        elif number > 0:
            for held in behind:
                told, kept = self._split(self._entered[number], held)
                inside = self._inside(self._entered[number], told)
                callers = self._callers[inside, number]
                if (context, kept) not in callers:
                    callers[context, kept] = None
                    for back in self._back[number]:
                        self._come_back(inside, back, context, kept)
                self._add(command.target, inside, frozenset((told,)))
        elif not behind <= self._behind[context, index]:
            self._behind[context, index] |= behind
            for outside, kept in tuple(self._callers[context, -number]):
                self._come_back(context, index, outside, kept)

    def _come_back(self, inside: _Context, back: int, outside: _Context, kept: Held) -> None:
        """Goes on behind a command that comes back to a call that was made with what is kept."""
        states = frozenset(_both(held, kept) for held in self._behind[inside, back])
        self._add(self._program.commands[back].target, outside, states)

    def _divided(self, entry: int, held: Held) -> tuple[Held, Held]:
        """Of what a thread has when it comes to a body, that which operations there may be about, and the rest."""
        are = [any(same_lock(lock, other) for other in self._operated[entry]) for lock, _ in held]
        told = tuple(one for one, is_told in zip(held, are, strict=True) if is_told)
        return told, tuple(one for one, is_told in zip(held, are, strict=True) if not is_told)

    def _inside(self, entry: int, held: Held) -> _Context:
        """The context of a body to which a thread comes with some locks; one for all others where there are many."""
        known = self._contexts[entry]
        if held not in known and len(known) >= _CONTEXTS:
            return entry, None
        known.add(held)
        return entry, held

    def _add(self, location: int, context: _Context, states: frozenset[Held]) -> None:
        place = location, context
        known = self._found.get(place, frozenset())
        if states <= known:
            return
        merged = self._bounded(known | states)
        if merged != known:
            self._found[place] = merged
            self._work.append(place)

    def _rest(self) -> Mapping[_Context, frozenset[Held]]:
        """By contexts, what was kept with the calls that a thread has made."""
        found: dict[_Context, frozenset[Held]] = defaultdict(frozenset)
        found[None] = frozenset(((),))
        made: dict[_Context, list[tuple[_Context, Held]]] = defaultdict(list)
        for (context, _), callers in self._callers.items():
            for outside, kept in callers:
                made[outside].append((context, kept))
        work: list[_Context] = [None]
        while work:
            outside = work.pop()
            for context, kept in made[outside]:
                merged = self._bounded(found[context] | {_both(held, kept) for held in found[outside]})
                if merged != found[context]:
                    found[context] = merged
                    work.append(context)
        return found


@once
def _bodies(program: Program) -> tuple[Mapping[int, int], Mapping[int, frozenset[Lock]], Mapping[int, list[int]]]:
    """The calls of which it is known what their bodies do until they come back, with their entries.

    And by entries, which locks operations there are about; and by calls, the commands that come back.
    """
    calls = single(program)
    known = levels(program) if calls else {}
    entered = {number: entry for number, entry in calls.items() if entry in known}
    back: dict[int, list[int]] = defaultdict(list)
    for index, command in enumerate(program.commands):
        if (number := -call_of(command.instruction)) in entered:
            back[number].append(index)
    return entered, within(program, _operated) if entered else {}, back


def _operated(commands: Iterable[Command]) -> frozenset[Lock]:
    accesses = (access for command in commands for access in command.accesses)
    return frozenset(lock_of(access) for access in accesses if access.kind in CHANGING)


def _both(one: Held, other: Held) -> Held:
    """What a thread has that has either, which have no lock in common."""
    return tuple(sorted({**dict(other), **dict(one)}.items())) if other else one


def _behind(held: Held, accesses: Iterable[Access]) -> Held:
    for access in accesses:
        held = after(held, access)
    return held


def _may_do(held: Held, accesses: Iterable[Access], told: frozenset[Lock]) -> bool:
    """Whether a thread may have each lock that it gives back."""
    for access in accesses:
        lock = lock_of(access)
        if access.kind is AccessKind.UNLOCK and lock not in told and not any(same_lock(lock, mine) for mine, _ in held):
            return False
        held = after(held, access)
    return True


def after(held: Held, access: Access) -> Held:
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
    """The states, or, where there are too many of them, the one in which all that is had is had for good.

    Behind such a state those that have no other locks are left out: else they would come back, and so would it.
    """
    lasting = [frozenset(held) for held in states if held and all(count == FOREVER for _, count in held)]
    told = states
    if lasting:
        told = frozenset(held for held in states if not any(_for_good(held) <= it != frozenset(held) for it in lasting))
    if len(told) <= _MOST:
        return told
    return frozenset((tuple(sorted(frozenset[tuple[Lock, int]]().union(*map(_for_good, told)))),))


def surely(held: Held) -> frozenset[Lock]:
    """The locks that a thread has for sure; what is had for good stands for states of which some may have none."""
    return frozenset(lock for lock, count in held if count < FOREVER)


def _for_good(held: Held) -> frozenset[tuple[Lock, int]]:
    return frozenset((lock, FOREVER) for lock, _ in held)
