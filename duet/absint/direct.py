"""A first look at a program, in time that is nearly linear: locals by their definitions, shared cells once for all.

What a thread reads from a cell that others may write is whatever anybody ever writes there; nobody asks who comes when.
The flows of Alg. 1 of the thesis are among these, so what holds here holds in every execution. Locals are in static
single assignment form (`duet.flow.ssa`): nothing is kept, or worked out again, at locations that do not touch them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from domains.valued import ValuedDomain
from duet.absint.state import Space, State, Value
from duet.absint.thresholds import thresholds
from duet.absint.transfer import post
from duet.deadline import Deadline
from duet.fixpoint.chaotic import Mode, Strategy, solve
from duet.fixpoint.order import Component
from duet.flow.effects import effects
from duet.flow.packs import singletons
from duet.flow.ssa import Join, single_assignment
from duet.plip.graphs import postorder
from duet.plip.live import live_cells
from duet.plip.returns import returns
from duet.plip.syntax import Program, Spawn

_STRATEGY = Strategy(delay=1, patience=4, descents=1)
_MANY = 64
"""Where more definitions meet, they wait until all else is done: each new value of one would have all looked at."""


@dataclass(frozen=True, slots=True)
class Direct:
    """What holds: of the locals that a command uses where it starts, None where no thread is; of shared cells.

    `reached` are the locations where threads are.
    """

    space: Space
    before: Sequence[State | None]
    shared: State
    reached: frozenset[int]

    def state(self, location: int) -> State | None:
        """What is known at a location of shared cells and of the locals that commands from there use.

        None where no thread is.
        """
        if location not in self.reached:
            return None
        known = [self.before[number] or {} for number in self.space.program.outgoing[location]]
        return reduce(lambda left, right: left | right, known, self.shared)


def direct(program: Program, domain: ValuedDomain[Value], deadline: Deadline) -> Direct:
    """The solution that is found with each cell by itself. *Raises*: OutOfTime."""
    system = System(program, Space(program, singletons(program), domain), deadline)
    successors = system.successors()
    solve(system, (system.order(successors),), successors, range(len(successors)), _STRATEGY)
    before = [system.locals_before(number) for number in range(len(program.commands))]
    return Direct(system.space, before, system.shared(), frozenset(filter(system.is_reached, program.template_of)))


class System:
    """The equations: one for each location where ways meet, each join, each command, each shared cell, and some ways.

    The value of a location says only whether a thread gets there, and so does that of ways that bring one definition to
    a join: where jumps meet, thousands of ways bring few definitions of each cell. That of a command is what it
    changes: locals, also those that a guard narrows, shared cells that it writes, parameters of the threads that it
    starts. Those of a join and of a shared cell have its pack only.
    """

    def __init__(self, program: Program, space: Space, deadline: Deadline) -> None:
        self.program, self.space, self.deadline = program, space, deadline
        pack_of = space.packing.pack_of
        self._packs = [pack_of[name] for name, cell in program.cells.items() if cell.template is None]
        shared = frozenset(self._packs)
        found = effects(program)
        self._read = [_numbers(item.reads, pack_of) & shared for item in found]
        self._written = [_numbers(item.writes, pack_of) & shared for item in found]
        self._writers = _by_target(self._written)
        summaries = {name for name, cell in program.cells.items() if cell.summary}
        self._summaries = _numbers(summaries, pack_of) - shared
        self._defined = [_numbers(item.modifies, pack_of) - shared for item in found]
        used = [_numbers(item.reads | (item.writes & summaries), pack_of) - shared for item in found]
        self._starts = _starts(program)
        self._entries = {template.entry for template in program.templates.values()}
        self.main = program.templates[program.main].entry
        meeting = {location for location, arriving in program.incoming.items() if len(arriving) != 1}
        self.places = sorted(meeting | self._entries)
        self._place = {location: number for number, location in enumerate(self.places)}
        calls = returns(program)
        behind = {*self.places, *(program.commands[call.back].target for call in calls)}
        live = {at: _numbers(cells, pack_of) for at, cells in live_cells(program, sorted(behind)).items()}
        definitions = single_assignment(program, used, self._defined, live, calls)
        self._joins, self._seen = definitions.joins, definitions.seen
        self._joined = len(self.places)
        self._first = self._joined + len(self._joins)
        last = self._first + len(program.commands)
        self._of_pack = {pack: last + number for number, pack in enumerate(self._packs)}
        self._passing = last + len(self._packs)
        self._ways: dict[tuple[int, ...], int] = {}
        self._brought = [self._by_definition(number, join) for number, join in enumerate(self._joins)]
        self._commands = list(self._ways)
        self.values: list[State | None] = [None] * (self._passing + len(self._ways))
        limits = thresholds(program)
        self._limits = {pack_of[name]: limits[name] for name in program.cells}

    def is_reached(self, location: int) -> bool:
        """Whether a thread gets to a location, as far as is known by now."""
        return self.values[self._gate(location)] is not None

    def _gate(self, location: int) -> int:
        """The equation that says whether a thread gets to a location: its own, or that of the one command before."""
        place = self._place.get(location)
        return self._first + self.program.incoming[location][0] if place is None else place

    def _definition(self, number: int) -> int:
        """The equation of a definition, see `duet.flow.ssa`."""
        return self._first + number if number >= 0 else self._joined + ~number

    def _by_definition(self, number: int, join: Join) -> list[tuple[int | None, int]]:
        """The definitions that are brought to a join, each with the equation that says whether one of its ways is gone.

        What it brings back to itself adds nothing.
        """
        ways: dict[int | None, list[int]] = {}
        for command, brought in join.inputs:
            if brought != ~number:
                ways.setdefault(brought, []).append(command)
        return [(brought, self._way(tuple(commands))) for brought, commands in ways.items()]

    def _way(self, commands: tuple[int, ...]) -> int:
        if len(commands) == 1:
            return self._first + commands[0]
        return self._passing + self._ways.setdefault(commands, len(self._ways))

    def shared(self) -> State:
        """What is known of shared cells."""
        return {pack: value for own in self._packs for pack, value in self.shared_value(own).items()}

    def successors(self) -> list[list[int]]:
        """The equations that use the value of each."""
        found: list[list[int]] = [[] for _ in self.values]
        for number, command in enumerate(self.program.commands):
            equation = self._first + number
            needed = {self._gate(command.source), *(self._of_pack[pack] for pack in self._read[number])}
            needed |= {self._definition(seen) for seen in self._seen[number].values() if seen is not None}
            for other in needed:
                found[other].append(equation)
            if command.target in self._place:
                found[equation].append(self._place[command.target])
            found[equation].extend(self._of_pack[pack] for pack in self._written[number])
        for number, join in enumerate(self._joins):
            needed = {way for _, way in self._brought[number]}
            needed |= {self._definition(brought) for brought, _ in self._brought[number] if brought is not None}
            needed |= {self._first + command for command in self._starts.get(join.location, ())}
            for other in needed:
                found[other].append(self._joined + number)
        for commands, way in self._ways.items():
            for other in commands:
                found[self._first + other].append(self._passing + way)
        for entry, starting in self._starts.items():
            for number in starting:
                found[self._first + number].append(self._place[entry])
        return found

    def order(self, successors: Sequence[Sequence[int]]) -> Component:
        """All equations along the program, shared cells last: what is written to them counts when all else is done.

        In front of them is where very many definitions meet, as behind jumps from everywhere.
        """
        along = self._along()
        rank = {location: number for number, location in enumerate(along)}
        steps = [
            *((rank[location], 0, number) for number, location in enumerate(self.places) if location in rank),
            *(
                (rank[location], 0, self._passing + n)
                for commands, n in self._ways.items()
                if (location := self.program.commands[commands[0]].target) in rank
            ),
            *(
                (rank[join.location] if len(self._brought[n]) <= _MANY else len(rank), 1, self._joined + n)
                for n, join in enumerate(self._joins)
                if join.location in rank
            ),
            *(
                (rank[item.source], 2, self._first + n)
                for n, item in enumerate(self.program.commands)
                if item.source in rank
            ),
        ]
        last = self._first + len(self.program.commands)
        members = (*(equation for _, _, equation in sorted(steps)), *range(last, self._passing))
        place = {equation: number for number, equation in enumerate(members)}
        backwards = (
            target
            for number, equation in enumerate(members)
            for target in successors[equation]
            if place.get(target, len(members)) <= number
        )
        return Component(members, frozenset(backwards) | frozenset(members[len(steps) :]))

    def _along(self) -> list[int]:
        """The locations that main leads to, also by the threads that it starts, each before those behind it."""

        def following(location: int) -> Iterable[int]:
            for number in self.program.outgoing[location]:
                command = self.program.commands[number]
                yield command.target
                if isinstance(command.instruction, Spawn):
                    yield self.program.templates[command.instruction.template].entry

        return list(reversed(postorder([self.main], following)))

    def update(self, equation: int, mode: Mode) -> bool:
        self.deadline.check()
        command = equation - self._first
        if equation < self._joined:
            new = self._arriving(self.places[equation])
        elif equation >= self._passing:
            new = {} if self._is_passed(self._commands[equation - self._passing]) else None
        elif command < 0:
            new = self._meeting(equation - self._joined)
        elif command < len(self.program.commands):
            new = self._after(command)
        else:
            new = self.shared_value(self._packs[command - len(self.program.commands)])
        old = self.values[equation]
        result = new if old is None or new is None else self._combined(old, new, mode)
        if result == old or (old is None and mode is Mode.LOWER):
            return False
        if new is None and mode not in (Mode.SET, Mode.LOWER):
            return False
        self.values[equation] = result
        return True

    def _arriving(self, location: int) -> State | None:
        """Whether anybody arrives at a location: nothing is known then, else None."""
        is_passed = self._is_passed(self.program.incoming[location])
        return {} if is_passed or self.starting_states(location, ()) else None

    def _is_passed(self, commands: Iterable[int]) -> bool:
        """Whether a thread gets behind one of some commands."""
        return any(self.values[self._first + number] is not None for number in commands)

    def _meeting(self, number: int) -> State | None:
        """What is known of a cell where its definitions meet."""
        join = self._joins[number]
        found = self.starting_states(join.location, (join.cell,))
        for brought, way in self._brought[number]:
            if self.values[way] is not None:
                state = {} if brought is None else self.values[self._definition(brought)]
                found += [] if state is None else [state]
        if not found:
            return None
        values = [state[join.cell] for state in found if join.cell in state]
        return {join.cell: reduce(self.space.domain.join, values)} if len(values) == len(found) else {}

    def locals_before(self, number: int) -> State | None:
        """What is known of the locals that a command uses, where it starts; None where no thread is."""
        if not self.is_reached(self.program.commands[number].source):
            return None
        known: State = {}
        for pack, seen in self._seen[number].items():
            state = {} if seen is None else self.values[self._definition(seen)]
            if state is None:
                return None
            if pack in state:
                known[pack] = state[pack]
        return known

    def starting_states(self, location: int, packs: Iterable[int]) -> list[State]:
        """What threads that start at a location start with, of some of their packs."""
        if location not in self._entries:
            return []
        initial = {pack: self.space.initial(pack) for pack in packs}
        first = [initial] if location == self.main else []
        given = [self.values[self._first + number] for number in self._starts.get(location, ())]
        return first + [
            initial | {pack: state[_given(pack)] for pack in initial if _given(pack) in state}
            for state in given
            if state is not None
        ]

    def _after(self, number: int) -> State | None:
        """What a command changes, or narrows."""
        command = self.program.commands[number]
        own = self.locals_before(number)
        if own is None:
            return None
        before = own | self._known(self._read[number])
        after = post(self.space, before, command.instruction)
        if after is None:
            return None
        if isinstance(command.instruction, Spawn):
            packs = [self.space.packing.pack_of[cell] for cell, _ in command.instruction.arguments]
            return {_given(pack): after[pack] for pack in packs}
        changed = self._written[number] | self._defined[number]
        return {pack: self.with_written(pack, before, value) for pack, value in after.items() if pack in changed}

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


def _numbers(cells: Iterable[str], pack_of: Mapping[str, int]) -> frozenset[int]:
    """The packs of some cells."""
    return frozenset(pack_of[name] for name in cells if name in pack_of)


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
