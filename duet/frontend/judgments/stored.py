"""What private data certainly is when something is registered, and whether anything can change it from then on.

Decided for each thread on the paths of its control flow graph. Only what a thread has allocated itself counts: no other
thread has it in hand before, and every thread that writes private data is held to the same. *Approximates*: under.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duet.frontend.graph.events import Events, Lasting, Registering, Storing
from duet.frontend.graph.reach import by_source, following, known_on_all_ways, reached
from duet.frontend.judgments.exclusion import Known, copies, sources
from duet.plip.syntax import FALSE, Assign, Command, Formula, Instruction, Linear, guards, steps
from duet.plip.terms import add, atom, constant, map_atoms, substitute, term_cells, variable
from duet.plip.touched import writes

POINTER = 8
"""The bytes of a pointer."""
ROOM = 65536
"""Addresses behind the start of an object of the heap, of which there is one, that no other object has."""
Slot = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _State:
    """What is known on every path: cells with their values, cells with null or the start of an own new object.

    `bases` are the starts of own new objects of which there is one, `stored` the values of private data at some
    addresses, each in all the terms that are known for them.
    """

    known: Known = field(default_factory=Known)
    made: frozenset[str] = frozenset()
    bases: frozenset[int] = frozenset()
    stored: frozenset[tuple[Slot, Linear, Linear]] = frozenset()

    def common(self, other: _State) -> _State:
        return _State(
            self.known.common(other.known), self.made & other.made, self.bases & other.bases, self.stored & other.stored
        )

    def is_made(self, address: Linear) -> bool:
        """Whether an address is that of a part of an object that this thread has allocated."""
        if not address.terms:
            return any(0 <= address.constant - base < ROOM for base in self.bases)
        starts = (self.known.resolved(variable(cell)) for cell in self.made)
        return any(start.terms and not add(address, start, -1).terms for start in starts)

    def after_storing(self, storing: Storing, is_own: Callable[[Linear], bool]) -> _State:
        """What is known behind a write of private data."""
        if storing.address is None:
            return replace(self, stored=frozenset(item for item in self.stored if item[0] != storing.slot))
        at = self.known.resolved(storing.address)
        kept = {item for item in self.stored if item[0] != storing.slot or self._are_apart(item[1], at)}
        for address in filter(is_own, self._terms(storing.address)):
            values = self._terms(storing.value) if storing.value is not None else ()
            kept.update((storing.slot, address, value) for value in filter(is_own, values))
        return replace(self, stored=frozenset(kept))

    def value_at(self, slot: Slot, address: Linear) -> Linear | None:
        """The private data at an address; None where it is not known. Cells that the source names are in conditions."""
        at = self.known.resolved(address)
        found = (value for kind, place, value in self.stored if kind == slot and self.known.resolved(place) == at)
        return min(found, default=None, key=lambda value: (any(cell[0] == "$" for cell, _ in value.terms), str(value)))

    def _terms(self, term: Linear) -> Iterator[Linear]:
        """A term, and those that it is equal to as it is resolved step by step."""
        values = dict(self.known.equal)
        yield term
        while not values.keys().isdisjoint(term_cells(term)):
            term = substitute(term, values)
            yield term

    def _are_apart(self, one: Linear, other: Linear) -> bool:
        """Whether two addresses are certainly those of different pointers."""
        distance = add(self.known.resolved(one), other, -1)
        return not distance.terms and abs(distance.constant) >= POINTER

    def may_pass(self, condition: Formula) -> bool:
        """Whether what is known lets a condition hold."""
        return map_atoms(condition, lambda item: atom(self.known.resolved(item.term), item.relation)) != FALSE

    def after_writing(self, target: str, value: Linear | None) -> _State:
        """What is known when a cell of the thread is written, with a value over such cells if that is known."""
        is_made = value is not None and (value == constant(0) or self._starts(value))
        made = self.made - {target} | (frozenset((target,)) if is_made else frozenset())
        known = self.known.after_writing(target)
        if value is not None and target not in term_cells(value):
            known = replace(known, equal=known.equal | {(target, value)})
        stored = (item for item in self.stored if target not in {*term_cells(item[1]), *term_cells(item[2])})
        return _State(known, made, self.bases, frozenset(stored))

    def _starts(self, value: Linear) -> bool:
        return (not value.terms and value.constant in self.bases) or (
            len(value.terms) == 1 and value.terms[0][1] == 1 and value.constant == 0 and value.terms[0][0] in self.made
        )


@dataclass(frozen=True, slots=True)
class Settled:
    """What a thread shows: the values of temporaries of registrations, tables and slots of which nothing is known."""

    values: Mapping[str, Linear] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()
    slots: frozenset[Slot] = frozenset()


def settle(
    commands: Sequence[Command],
    entry: int,
    events: Events,
    successors: Callable[[int], Iterable[int]],
    is_own: Callable[[str], bool],
) -> Settled:
    """What is known of the registrations of a thread, and whether its other writes leave those of others alone."""
    values: dict[str, Linear] = {}
    tables: set[str] = set()
    slots: set[Slot] = set()
    paths = _Paths(commands, events, is_own)

    def meanwhile(place: int) -> Iterable[int]:
        return () if place in events.closed else successors(place)

    found = paths.states(entry, _State())
    for location, registered in events.registered.items():
        later = set(reached(meanwhile(location), meanwhile))
        changed = {item.slot for place, stored in events.stored.items() if place in later for item in stored}
        for item in registered:
            value = _value(item, found.get(location))
            if item.slot in changed or (item.address is not None and value is None):
                tables.add(item.table)
            elif value is not None:
                values[item.temporary] = value
    for location, lasting in events.lasting.items():
        if location in found:
            tables.update(item.table for item in lasting if _outlasts(item, location, found[location], paths))
    for location, stored in events.stored.items():
        state = found.get(location, _State())
        for storing in stored:
            at = storing.address
            if not storing.is_own and (at is None or not state.is_made(state.known.resolved(at))):
                slots.add(storing.slot)
    return Settled(values, frozenset(tables), frozenset(slots))


def _value(item: Registering, state: _State | None) -> Linear | None:
    """The private data of what is registered, where that is in memory and known."""
    if item.address is None or state is None:
        return None
    is_made = state.is_made(state.known.resolved(item.address))
    return state.value_at(item.slot, item.address) if is_made else None


def _outlasts(item: Lasting, location: int, state: _State, paths: _Paths) -> bool:
    """Whether what was registered at a location may still be there when the life cycle ends that the thread is."""
    if item.what is None:
        return True
    ends = {place for place, ended in paths.events.ended.items() if (item.end, item.what) in ended}
    known = {(cell, constant(0)) for cell, _ in item.result.terms if item.result == variable(cell)}
    start = replace(state, known=replace(state.known, equal=state.known.equal | known))
    return any(not paths.outgoing[place] for place in paths.states(location, start, ends))


class _Paths:
    """The paths of a thread, and what is known on them."""

    def __init__(self, commands: Sequence[Command], events: Events, is_own: Callable[[str], bool]) -> None:
        self.events = events
        self._is_own = is_own
        asked = [term for items in events.stored.values() for item in items for term in (item.address, item.value)]
        asked += [item.address for items in events.registered.values() for item in items]
        results = [item.result for items in events.lasting.values() for item in items]
        self._followed = sources(commands, [*(term for term in asked if term is not None), *events.addresses])
        self._followed |= copies(commands, results)
        self.outgoing = by_source(commands)

    def states(self, start: int, first: _State, ends: Container[int] = ()) -> Mapping[int, _State]:
        """What is known at each location that a path leads to from a start, where something is known; up to ends."""

        def behind(location: int, state: _State) -> Iterator[tuple[int, _State]]:
            leaving = self._leaving(state, location)
            for command in self.outgoing[location] if location not in ends else ():
                after: _State | None = leaving
                for step in steps(command.instruction):
                    after = self._behind(after, step) if after is not None else None
                if after is not None:
                    yield command.target, after

        return known_on_all_ways(start, first, behind, following(self.outgoing))

    def _leaving(self, state: _State, location: int) -> _State:
        """What is known behind what happens at a location."""
        new = [allocation.address for allocation in self.events.allocations.get(location, ())]
        made = {cell for address in new for cell, _ in address.terms}
        bases = {address.constant for address in new if not address.terms}
        state = replace(state, made=state.made | made, bases=state.bases | bases)
        for storing in self.events.stored.get(location, ()):
            state = state.after_storing(storing, self._is_over)
        return state

    def _is_over(self, term: Linear) -> bool:
        """Whether a term is over cells of the thread."""
        return all(map(self._is_own, term_cells(term)))

    def _behind(self, state: _State, step: Instruction) -> _State | None:
        """What is known behind a step; None where it does not pass."""
        if not all(map(state.may_pass, guards(step))):
            return None
        value = step.value if isinstance(step, Assign) and self._is_over(step.value) else None
        for target in writes(step):
            if target in self._followed and self._is_own(target):
                state = state.after_writing(target, value)
        return state
