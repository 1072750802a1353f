"""A first look at a program, in time that is nearly linear: locals at each location, shared cells once for all.

What a thread reads from a cell that others may write is whatever anybody ever writes there; nobody asks who comes when.
The flows of Alg. 1 of the thesis are among these, so what holds here holds in every execution. Locals are kept only
where they may be read later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from domains.valued import ValuedDomain
from duet.absint.state import Space, State, Value
from duet.absint.thresholds import thresholds
from duet.absint.transfer import post
from duet.deadline import Deadline
from duet.fixpoint.chaotic import Mode, Strategy, solve
from duet.fixpoint.order import Component, postorder
from duet.flow.effects import effects
from duet.flow.packs import singletons
from duet.plip.live import live_cells
from duet.plip.syntax import Program, Spawn

_STRATEGY = Strategy(delay=1, patience=4, descents=1)


@dataclass(frozen=True, slots=True)
class Direct:
    """What holds: at each location of locals that are read later, None where no thread is; of shared cells."""

    space: Space
    locals: Mapping[int, State | None]
    shared: State

    def state(self, location: int) -> State | None:
        """What is known of a thread at a location, None where there is none."""
        found = self.locals[location]
        return None if found is None else self.shared | found


def direct(program: Program, domain: ValuedDomain[Value], deadline: Deadline) -> Direct:
    """The solution that is found with each cell by itself. *Raises*: OutOfTime."""
    system = System(program, Space(program, singletons(program), domain), deadline)
    successors = system.successors()
    solve(system, (system.order(successors),), successors, range(len(successors)), _STRATEGY)
    return Direct(system.space, dict(zip(system.places, system.values, strict=False)), system.shared())


class System:
    """The equations: one for each location, then one for each command, then one for each shared cell.

    The value of a command is what it changes: locals, also those that a guard narrows, shared cells that it writes,
    parameters of the threads that it starts. That of a shared cell has its pack only.
    """

    def __init__(self, program: Program, space: Space, deadline: Deadline) -> None:
        self.program, self.space, self.deadline = program, space, deadline
        pack_of = space.packing.pack_of
        main = program.templates[program.main].entry
        self.places = [main, *sorted(program.template_of.keys() - {main})]
        self._place = {location: number for number, location in enumerate(self.places)}
        self._first = len(self.places)
        self._packs = [pack_of[name] for name, cell in program.cells.items() if cell.template is None]
        self._of_pack = {pack: self._first + len(program.commands) + n for n, pack in enumerate(self._packs)}
        self.values: list[State | None] = [None] * (self._first + len(program.commands) + len(self._packs))
        found = effects(program)
        self._read = [self._shared_among(item.reads) for item in found]
        self._written = [self._shared_among(item.writes) for item in found]
        self._touched = [self._own_among(item.reads | item.writes) for item in found]
        self._writers = _by_target(self._written)
        self._summaries = {pack_of[name] for name, cell in program.cells.items() if cell.summary}
        self._starts = _starts(program)
        self._own = {
            template.entry: [pack_of[name] for name, cell in program.cells.items() if cell.template == template.name]
            for template in program.templates.values()
        }
        meeting = {location for location, arriving in program.incoming.items() if len(arriving) != 1}
        live = live_cells(program, meeting | self._own.keys())
        self._live = {location: frozenset(pack_of[name] for name in cells) for location, cells in live.items()}
        limits = thresholds(program)
        self._limits = {pack_of[name]: limits[name] for name in program.cells}

    def _shared_among(self, cells: Iterable[str]) -> list[int]:
        """The packs of the shared ones among some cells."""
        pack_of = self.space.packing.pack_of
        return sorted(pack_of[name] for name in cells if name in pack_of and pack_of[name] in self._of_pack)

    def _own_among(self, cells: Iterable[str]) -> list[int]:
        """The packs of the others."""
        pack_of = self.space.packing.pack_of
        return sorted(pack_of[name] for name in cells if name in pack_of and pack_of[name] not in self._of_pack)

    def shared(self) -> State:
        """What is known of shared cells."""
        return reduce(lambda left, right: left | right, map(self.shared_value, self._packs), {})

    def successors(self) -> list[list[int]]:
        """The equations that use the value of each."""
        found: list[list[int]] = [[] for _ in self.values]
        for number, command in enumerate(self.program.commands):
            equation = self._first + number
            found[self._place[command.source]] += [equation, self._place[command.target]]
            found[equation].append(self._place[command.target])
            for pack in self._read[number]:
                found[self._of_pack[pack]].append(equation)
            found[equation].extend(self._of_pack[pack] for pack in self._written[number])
        for entry, starting in self._starts.items():
            for number in starting:
                found[self._first + number].append(self._place[entry])
        return found

    def order(self, successors: Sequence[Sequence[int]]) -> Component:
        """All equations along the program, shared cells last: what is written to them counts when all else is done."""
        last = self._first + len(self.program.commands)
        along = postorder([0], lambda equation: [found for found in successors[equation] if found < last])
        members = (*reversed(along), *range(last, len(successors)))
        place = {equation: number for number, equation in enumerate(members)}
        backwards = (
            target
            for number, equation in enumerate(members)
            for target in successors[equation]
            if place.get(target, len(members)) <= number
        )
        return Component(members, frozenset(backwards) | frozenset(members[len(along) :]))

    def update(self, equation: int, mode: Mode) -> bool:
        self.deadline.check()
        behind = equation - self._first - len(self.program.commands)
        if equation < self._first:
            new = self._at(self.places[equation])
        elif behind < 0:
            new = self._after(equation - self._first)
        else:
            new = self.shared_value(self._packs[behind])
        old = self.values[equation]
        result = new if old is None or new is None else self._combined(old, new, mode)
        if result == old or (old is None and mode is Mode.LOWER):
            return False
        if new is None and mode not in (Mode.SET, Mode.LOWER):
            return False
        self.values[equation] = result
        return True

    def _at(self, location: int) -> State | None:
        """What arrives at a location; where ways meet, only what is read later."""
        arriving = self.program.incoming[location]
        if len(arriving) == 1 and location not in self._own:
            return self._behind(arriving[0])
        live = self._live[location]
        states = [_kept(state, live) for number in arriving if (state := self._behind(number)) is not None]
        if location in self._own:
            states += self.starting_states(location, live)
        return self._join(states)

    def _behind(self, number: int) -> State | None:
        """What is known of locals behind a command."""
        before = self.values[self._place[self.program.commands[number].source]]
        changed = self.values[self._first + number]
        if before is None or changed is None:
            return None
        own = {pack: value for pack, value in changed.items() if pack >= 0 and pack not in self._of_pack}
        return before | own if own else before

    def starting_states(self, entry: int, live: frozenset[int]) -> list[State]:
        """What threads of a template start with."""
        initial = {pack: self.space.initial(pack) for pack in self._own[entry] if pack in live}
        first = [initial] if entry == self.places[0] else []
        given = [self.values[self._first + number] for number in self._starts.get(entry, ())]
        return first + [
            initial | {pack: state[_given(pack)] for pack in initial if _given(pack) in state}
            for state in given
            if state is not None
        ]

    def _after(self, number: int) -> State | None:
        """What a command changes, or narrows."""
        command = self.program.commands[number]
        state = self.values[self._place[command.source]]
        if state is None:
            return None
        own = {pack: state[pack] for pack in self._touched[number] if pack in state}
        before = own | self._known(self._read[number])
        after = post(self.space, before, command.instruction)
        if after is None:
            return None
        if isinstance(command.instruction, Spawn):
            packs = [self.space.packing.pack_of[cell] for cell, _ in command.instruction.arguments]
            return {_given(pack): after[pack] for pack in packs}
        written = self._written[number]
        return {
            pack: self.with_written(pack, before, value)
            for pack, value in after.items()
            if pack in written or (pack not in self._of_pack and value is not before.get(pack))
        }

    def with_written(self, pack: int, before: State, value: Value) -> Value:
        """The value of a pack behind a command: writes only add to a summary cell of a thread."""
        if pack not in self._summaries or pack in self._of_pack:
            return value
        return self.space.domain.join(before[pack], value) if pack in before else self.space.domain.top(1)

    def _known(self, packs: Iterable[int]) -> State:
        """What is known by now of shared cells."""
        return {pack: (self.values[self._of_pack[pack]] or {}).get(pack, self.space.initial(pack)) for pack in packs}

    def shared_value(self, pack: int) -> State:
        """What anybody writes to a shared cell, or it holds at first."""
        written = [self.values[self._first + number] for number in self._writers[pack]]
        values = [state.get(pack, self.space.domain.top(1)) for state in written if state is not None]
        return {pack: reduce(self.space.domain.join, values, self.space.initial(pack))}

    def _join(self, states: Sequence[State]) -> State | None:
        if not states:
            return None
        first, *others = states
        for other in others:
            first = {
                pack: value if value is other[pack] else self.space.domain.join(value, other[pack])
                for pack, value in first.items()
                if pack in other
            }
        return first

    def _combined(self, old: State, new: State, mode: Mode) -> State:
        """An old and a new value of an equation, pack by pack; what is known of no more is dropped."""
        if mode is Mode.SET:
            return new
        if mode is Mode.LOWER:
            return new | {p: v for p, v in old.items() if p in new and not self.space.domain.leq(new[p], v)}
        return {pack: self._grown(pack, value, new[pack], mode) for pack, value in old.items() if pack in new}

    def _grown(self, pack: int, old: Value, new: Value, mode: Mode) -> Value:
        domain = self.space.domain
        if new is old or domain.leq(new, old):
            return old
        joined = domain.join(old, new)
        if mode is Mode.JOIN:
            return joined
        limits = self._limits[pack if pack >= 0 else _given(pack)] if mode is Mode.WIDEN else ()
        return domain.widen(old, joined, limits)


def _given(pack: int) -> int:
    """The key, in what a spawn leaves, of what the new thread has in a pack: the old one may have the same packs."""
    return -1 - pack


def _kept(state: State, packs: Container[int]) -> State:
    """What a state says of some packs."""
    return {pack: value for pack, value in state.items() if pack in packs}


def _by_target(written: Sequence[Iterable[int]]) -> Mapping[int, list[int]]:
    """The commands that write each pack."""
    found: dict[int, list[int]] = defaultdict(list)
    for number, packs in enumerate(written):
        for pack in packs:
            found[pack].append(number)
    return found


def _starts(program: Program) -> Mapping[int, list[int]]:
    """The commands that start threads of a template, by its entry."""
    found: dict[int, list[int]] = defaultdict(list)
    for number, command in enumerate(program.commands):
        if isinstance(command.instruction, Spawn):
            found[program.templates[command.instruction.template].entry].append(number)
    return found
