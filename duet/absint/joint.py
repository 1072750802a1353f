"""Joint states: at each location, relations of a thread's locals with the globals that nobody else can write there.

*Source*: Owicki and Gries 1976, and Mine 2014 (relational thread-modular analysis) for the idea; none in the thesis,
whose packs are all local or all global, since a record of one thread's locals flows to no other thread.

There is an equation for the state of a thread at each location: the join of what the commands that lead there leave,
without what it says of globals that another thread can write while the thread is there. What such globals are is known
of each group by itself, as in Def. 3.3.3 of the thesis: the join of what the definitions that flow to the location
leave in the group. A definition takes its values from the state of the thread that makes it.

It holds in every execution, by induction on its length. A step of the thread itself leads from a state that is covered
to one that is: `post` sees to it, and the record of a group is as the last definition of one of its cells left it,
whose own state was covered; all flows that there are have been given. A step of another thread changes no local, and
no global of which the state says anything but what the flows say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import TypeAlias

from domains.numeric import Constraint
from domains.valued import ValuedDomain
from domains.values.number import Number, contains
from duet.absint.conditions import entails
from duet.absint.invariants import satisfies
from duet.absint.state import Space, State, Value
from duet.absint.thresholds import thresholds
from duet.absint.transfer import post
from duet.deadline import Deadline
from duet.fixpoint.chaotic import Mode, Strategy, solve
from duet.fixpoint.order import components
from duet.flow.mixed import MixedPacking
from duet.flow.packs import Packing
from duet.plip.syntax import Formula, Join, Program, Spawn

START = -1
"""The definition of a group that the program starts with."""
Sources: TypeAlias = Mapping[tuple[int, int], Sequence[int]]
"""By group and location: the commands, and `START`, whose value of the group may be the one there."""


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier fixpoint says at the source of a command: numbers of cells, relations in packs of the template.

    None stands for a source that no thread gets to.
    """

    numbers: tuple[tuple[str, Number], ...] = ()
    relations: tuple[tuple[int, tuple[Constraint, ...]], ...] = ()


@dataclass(frozen=True)
class Question:
    """What joint states are asked for, of a program in packs.

    `sources` has the groups where they are wanted: at entries, and wherever a group becomes known anew. `is_stable`: no
    other thread can write the global while a thread is at the location. `known`: by command.
    """

    program: Program
    packing: MixedPacking
    domain: ValuedDomain[Value]
    sources: Sources
    is_stable: Callable[[str, int], bool]
    known: Sequence[Known | None]

    @cached_property
    def spaces(self) -> Mapping[str, Space]:
        """The packs of each template in the domain."""
        return {name: Space(self.program, packs, self.domain) for name, packs in self.packing.packings.items()}

    @cached_property
    def groups(self) -> Space:
        """The groups in the domain."""
        return Space(self.program, Packing(self.packing.groups), self.domain)

    def space_at(self, location: int) -> Space:
        """The packs of a location's template."""
        return self.spaces[self.program.template_of[location]]

    def place(self, group: int, location: int) -> tuple[int, tuple[int, ...]]:
        """The pack that a group is in at a location, and the position in it of each cell of the group."""
        packing = self.space_at(location).packing
        cells = self.packing.groups[group]
        return packing.pack_of[cells[0]], tuple([packing.position[cell] for cell in cells])

    def widened(self, group: int, location: int, value: Value) -> Value:
        """What a value of a group says of the pack that the group is in."""
        pack, positions = self.place(group, location)
        return self.domain.change_variables(value, positions, len(self.space_at(location).packing.packs[pack]))

    def narrowed(self, group: int, location: int, state: State) -> Value:
        """What a state at a location says of a group."""
        pack, positions = self.place(group, location)
        inverse: list[int | None] = [None] * len(self.space_at(location).packing.packs[pack])
        for index, position in enumerate(positions):
            inverse[position] = index
        return self.domain.change_variables(state[pack], tuple(inverse), len(positions))

    def unstable(self, pack: int, location: int) -> tuple[int, ...]:
        """The positions of the cells of a pack that another thread can write while a thread is at a location."""
        cells = self.space_at(location).packing.packs[pack]
        return tuple(
            position
            for position, cell in enumerate(cells)
            if self.program.cells[cell].template is None and not self.is_stable(cell, location)
        )


@dataclass(frozen=True)
class Joint:
    """A solution: the state at each location (None where no thread is), and what flows are known to leave in groups."""

    question: Question
    states: Mapping[int, State | None]
    arriving: Mapping[tuple[int, int], Value | None]
    behind: Mapping[int, State | None]

    def is_bottom(self, location: int) -> bool:
        """Whether no thread is ever at a location."""
        return self.states[location] is None

    def entails(self, command: int, condition: Formula) -> bool:
        """Whether a condition certainly holds where a command is about to pass."""
        source = self.question.program.commands[command].source
        state = _told(self.question, command, self.states[source])
        return state is None or entails(self.question.space_at(source), state, condition)

    def kept(self, pack: int, location: int) -> Value:
        """What is known of a pack at a location but for what only flows say."""
        state = self.states[location]
        assert state is not None
        return self.question.domain.forget(state[pack], self.question.unstable(pack, location))

    def definitions(self) -> Mapping[tuple[int, int], Value | None]:
        """What is known of groups behind the commands that their value comes from somewhere; None for nothing."""
        question = self.question
        found: dict[tuple[int, int], Value | None] = {}
        for (group, _), sources in question.sources.items():
            for command in sources:
                if command != START and (command, group) not in found:
                    state = self.behind[command]
                    source = question.program.commands[command].source
                    found[command, group] = None if state is None else question.narrowed(group, source, state)
        return found

    def admits(self, location: int, store: Mapping[str, int]) -> bool:
        """Whether the state at a location allows a thread store."""
        state = self.states[location]
        if state is None:
            return False
        space = self.question.space_at(location)
        return all(
            all(satisfies(found, [store[cell] for cell in cells]) for found in space.domain.constraints(value))
            and all(contains(space.domain.number(value, v), store[cell]) for v, cell in enumerate(cells))
            for pack, value in state.items()
            for cells in (space.packing.packs[pack],)
        )


def joint(question: Question, deadline: Deadline, strategy: Strategy | None = None) -> Joint:
    """The joint states of a program. *Raises*: OutOfTime."""
    system = _System(question, deadline)
    successors = system.successors()
    order = components(successors, system.rank())
    solve(system, order, successors, range(len(successors)), strategy or Strategy(delay=2, patience=10, descents=2))
    first = len(system.places)
    last = first + len(question.program.commands)
    return Joint(
        question,
        dict(zip(system.places, system.values, strict=False)),
        {
            pair: None if found is None else found[0]
            for pair, found in zip(system.pairs, system.values[last:], strict=True)
        },
        dict(enumerate(system.values[first:last])),
    )


def _told(question: Question, command: int, state: State | None) -> State | None:
    """A state at the source of a command with what is known there besides; other packs that it uses have numbers."""
    known = question.known[command]
    if state is None or known is None:
        return None
    space = question.space_at(question.program.commands[command].source)
    domain = space.domain
    told = dict(state)
    for cell, found in known.numbers:
        pack = space.packing.pack_of[cell]
        value = told[pack] if pack in told else domain.top(len(space.packing.packs[pack]))
        told[pack] = domain.meet_number(value, space.packing.position[cell], found)
    for pack, constraints in known.relations:
        if pack in told:
            told[pack] = domain.meet_constraints(told[pack], constraints)
    return None if any(domain.is_bottom(value) for value in told.values()) else told


@dataclass
class _System:
    """The equations: of the state at each location, behind each command, and of each pair of a group and a location."""

    question: Question
    deadline: Deadline
    places: Sequence[int] = field(init=False)
    pairs: Sequence[tuple[int, int]] = field(init=False)
    values: list[State | None] = field(init=False)

    def __post_init__(self) -> None:
        program = self.question.program
        self.places = tuple(program.template_of)
        self.pairs = tuple(self.question.sources)
        self._place = {location: number for number, location in enumerate(self.places)}
        self._first = len(self.places)
        self._last = self._first + len(program.commands)
        self.values = [None] * (self._last + len(self.pairs))
        self._entry = {template.entry: template for template in program.templates.values()}
        self._given = frozenset(
            cell
            for command in program.commands
            if isinstance(command.instruction, Spawn)
            for cell, _ in command.instruction.arguments
        )
        self._wanted: dict[int, list[tuple[int, int]]] = {}
        for number, (group, location) in enumerate(self.pairs):
            self._wanted.setdefault(location, []).append((group, self._last + number))
        limits = thresholds(program)
        self._limits = {
            name: [tuple(sorted({n for cell in pack for n in limits[cell]})) for pack in packing.packs]
            for name, packing in self.question.packing.packings.items()
        }
        self._group_limits = [
            tuple(sorted({n for cell in group for n in limits[cell]})) for group in self.question.packing.groups
        ]

    def successors(self) -> list[list[int]]:
        """The equations that use the value of each."""
        found: list[list[int]] = [[] for _ in self.values]
        for number, command in enumerate(self.question.program.commands):
            found[self._place[command.source]].append(self._first + number)
            found[self._first + number].append(self._place[command.target])
        for number, pair in enumerate(self.pairs):
            found[self._last + number].append(self._place[pair[1]])
            for source in self.question.sources[pair]:
                if source != START:
                    found[self._first + source].append(self._last + number)
        return found

    def rank(self) -> list[int]:
        """How late a cycle head each equation would be: locations where ways meet first, commands last."""
        incoming = self.question.program.incoming
        size = len(self.values)
        return [
            number + (0 if number < self._first and len(incoming[self.places[number]]) > 1 else size)
            if number < self._first
            else number + size * (2 if number >= self._last else 3)
            for number in range(size)
        ]

    def update(self, equation: int, mode: Mode) -> bool:
        self.deadline.check()
        if equation < self._first:
            new = self._at(self.places[equation])
        elif equation < self._last:
            new = self._behind(equation - self._first)
        else:
            new = self._arriving(*self.pairs[equation - self._last])
        old = self.values[equation]
        if old is None or new is None:
            result = new if mode is Mode.SET or old is None else (None if mode is Mode.LOWER else old)
            if mode is Mode.LOWER and old is None:
                result = None
        else:
            result = self._combined(equation, old, new, mode)
        if result is old or result == old:
            return False
        self.values[equation] = result
        return True

    def _at(self, location: int) -> State | None:
        """What a thread can be like at a location."""
        question = self.question
        space = question.space_at(location)
        behind = [self.values[self._first + command] for command in question.program.incoming[location]]
        states = [state for state in behind if state is not None]
        if location in self._entry:
            states.append(self._started(location))
        if not states:
            return None
        state = reduce(lambda left, right: _joined(space, left, right), states)
        for pack, value in state.items():
            unstable = question.unstable(pack, location)
            if unstable:
                state = state | {pack: space.domain.forget(value, unstable)}
        for group, equation in self._wanted.get(location, ()):
            arriving = self.values[equation]
            if arriving is None:
                return None
            pack, _ = question.place(group, location)
            met = space.domain.meet(state[pack], question.widened(group, location, arriving[0]))
            if space.domain.is_bottom(met):
                return None
            state = state | {pack: met}
        return state

    def _started(self, entry: int) -> State:
        """What a thread starts with: of globals and of what it is given, nothing is known here."""
        space, cells = self.question.space_at(entry), self.question.program.cells
        name = self.question.program.template_of[entry]
        state: State = {}
        for pack in self.question.packing.tracked[name]:
            unknown = tuple(
                position
                for position, cell in enumerate(space.packing.packs[pack])
                if cells[cell].template is None or cell in self._given
            )
            state[pack] = space.domain.forget(space.initial(pack), unknown)
        return state

    def _behind(self, number: int) -> State | None:
        """What a command leaves in the tracked packs."""
        command = self.question.program.commands[number]
        before = self.values[self._place[command.source]]
        state = _told(self.question, number, before)
        if state is None or before is None:
            return None
        space = self.question.space_at(command.source)
        if not isinstance(command.instruction, Spawn | Join):
            after = post(space, state, command.instruction)
            if after is None:
                return None
            state = after
        return {pack: state[pack] for pack in before}

    def _arriving(self, group: int, location: int) -> State | None:
        """What may be in a group by the definitions that flow to a location; the only pack of this state is 0."""
        question = self.question
        result: Value | None = None
        for command in question.sources[group, location]:
            if command == START:
                value = question.groups.initial(group)
            else:
                state = self.values[self._first + command]
                if state is None:
                    continue
                value = question.narrowed(group, question.program.commands[command].source, state)
            result = value if result is None else question.domain.join(result, value)
        return None if result is None else {0: result}

    def _combined(self, equation: int, old: State, new: State, mode: Mode) -> State:
        """An old and a new value of an equation, pack by pack."""
        if mode is Mode.SET:
            return new
        return {pack: self._grown(equation, pack, value, new[pack], mode) for pack, value in old.items()}

    def _grown(self, equation: int, pack: int, old: Value, new: Value, mode: Mode) -> Value:
        domain = self.question.domain
        if mode is Mode.LOWER:
            return new if domain.leq(new, old) else old
        if new is old or domain.leq(new, old):
            return old
        grown = domain.join(old, new)
        if mode is Mode.JOIN:
            return grown
        return domain.widen(old, grown, self._thresholds(equation, pack) if mode is Mode.WIDEN else ())

    def _thresholds(self, equation: int, pack: int) -> tuple[int, ...]:
        if equation >= self._last:
            return self._group_limits[self.pairs[equation - self._last][0]]
        program = self.question.program
        if equation < self._first:
            location = self.places[equation]
        else:
            location = program.commands[equation - self._first].source
        return self._limits[program.template_of[location]][pack]


def _joined(space: Space, left: State, right: State) -> State:
    if left is right:
        return left
    return {
        pack: value if value is right[pack] else space.domain.join(value, right[pack]) for pack, value in left.items()
    }
