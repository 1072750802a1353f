"""Joint states: at each location, relations of a thread's locals with the globals that nobody else can write there.

*Source*: Owicki and Gries 1976, and Mine 2014 (relational thread-modular analysis) for the idea; none in the thesis,
whose packs are all local or all global, since a record of one thread's locals flows to no other thread.

There is an equation for the state of a thread at each location: the join of what the commands that lead there leave,
without what it says of globals that another thread can write while the thread is there. What such globals are is known
of each bundle by itself, as in Def. 3.3.3 of the thesis: the join of what the definitions that flow to the location
leave in the bundle. A definition takes its values from the state of the thread that makes it.

It holds in every execution, by induction on its length. A step of the thread itself leads from a state that is covered
to one that is: `post` sees to it, and the record of a bundle is as the last definition of one of its cells left it,
whose own state was covered; all flows that there are have been given. A step of another thread changes no local, and
no global of which the state says anything but what the flows say.

States are kept in cases (`duet.absint.cases`), which the values of flags and of small enumerations tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from domains.numeric import Constraint
from domains.valued import ValuedDomain
from domains.values.number import Number, contains
from duet.absint.cases import MOST, Cases, Splitting
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
"""The definition of a bundle that the program starts with."""
Sources: TypeAlias = Mapping[tuple[int, int], Sequence[int]]
"""By bundle and location: the commands, and `START`, whose value of the bundle may be the one there."""

_STRATEGY = Strategy(delay=2, patience=10, descents=2)


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

    `sources` has the bundles where they are wanted: at entries, and wherever a bundle becomes known anew. `is_stable`:
    no other thread can write the global while a thread is at the location. `known`: by command. `splits`: the cells
    whose values tell cases apart.
    """

    program: Program
    packing: MixedPacking
    domain: ValuedDomain[Value]
    sources: Sources
    is_stable: Callable[[str, int], bool]
    known: Sequence[Known | None]
    splits: Collection[str] = ()

    @cached_property
    def spaces(self) -> Mapping[str, Space]:
        """The packs of each template in the domain."""
        return {name: Space(self.program, packs, self.domain) for name, packs in self.packing.packings.items()}

    @cached_property
    def bundles(self) -> Space:
        """The bundles in the domain."""
        return Space(self.program, Packing(self.packing.bundles), self.domain)

    @cached_property
    def splitting(self) -> Mapping[str, Splitting]:
        """How the states of each template are told apart."""
        return {
            name: Splitting(space, tuple(cell for cell in sorted(self.splits) if cell in space.packing.pack_of))
            for name, space in self.spaces.items()
        }

    @cached_property
    def bundle_splitting(self) -> Sequence[Splitting]:
        """How what is known of each bundle is told apart."""
        return [
            Splitting(self.bundles, tuple(cell for cell in sorted(self.splits) if cell in bundle))
            for bundle in self.packing.bundles
        ]

    def splitting_at(self, location: int) -> Splitting:
        """How the states at a location are told apart."""
        return self.splitting[self.program.template_of[location]]

    def space_at(self, location: int) -> Space:
        """The packs of a location's template."""
        return self.spaces[self.program.template_of[location]]

    def place(self, bundle: int, location: int) -> tuple[int, tuple[int, ...]]:
        """The pack that a bundle is in at a location, and the position in it of each cell of the bundle."""
        packing = self.space_at(location).packing
        cells = self.packing.bundles[bundle]
        return packing.pack_of[cells[0]], tuple([packing.position[cell] for cell in cells])

    def widened(self, bundle: int, location: int, value: Value) -> Value:
        """What a value of a bundle says of the pack that the bundle is in."""
        pack, positions = self.place(bundle, location)
        return self.domain.change_variables(value, positions, len(self.space_at(location).packing.packs[pack]))

    def narrowed(self, bundle: int, location: int, state: State) -> Value:
        """What a state at a location says of a bundle."""
        pack, positions = self.place(bundle, location)
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
    """A solution: cases at locations (none where no thread is) and behind commands, and what arrives in bundles."""

    question: Question
    states: Mapping[int, Sequence[State]]
    arriving: Mapping[tuple[int, int], Sequence[Value]]
    behind: Mapping[int, Sequence[State]]

    def is_bottom(self, location: int) -> bool:
        """Whether no thread is ever at a location."""
        return not self.states[location]

    def entails(self, command: int, condition: Formula) -> bool:
        """Whether a condition certainly holds where a command is about to pass."""
        source = self.question.program.commands[command].source
        told = [_told(self.question, command, state) for state in self.states[source]]
        return all(state is None or entails(self.question.space_at(source), state, condition) for state in told)

    def kept(self, location: int) -> Sequence[State]:
        """The cases at a location, without what only flows say."""
        forget, unstable = self.question.domain.forget, self.question.unstable
        return [
            {pack: forget(value, unstable(pack, location)) for pack, value in state.items()}
            for state in self.states[location]
        ]

    def definitions(self) -> Mapping[tuple[int, int], Sequence[Value]]:
        """What is known of bundles behind the commands that their values come from, by command and bundle."""
        question = self.question
        return {
            (command, bundle): [
                question.narrowed(bundle, question.program.commands[command].source, state)
                for state in self.behind[command]
            ]
            for (bundle, _), sources in question.sources.items()
            for command in sources
            if command != START
        }

    def admits(self, location: int, store: Mapping[str, int]) -> bool:
        """Whether one of the cases at a location allows a thread store."""
        return any(_admits(self.question.space_at(location), state, store) for state in self.states[location])


def _admits(space: Space, state: State, store: Mapping[str, int]) -> bool:
    return all(
        all(satisfies(found, [store[cell] for cell in cells]) for found in space.domain.constraints(value))
        and all(contains(space.domain.number(value, v), store[cell]) for v, cell in enumerate(cells))
        for pack, value in state.items()
        for cells in (space.packing.packs[pack],)
    )


def joint(question: Question, deadline: Deadline) -> Joint:
    """The joint states of a program. *Raises*: OutOfTime."""
    system = _System(question, deadline)
    successors = system.successors()
    solve(system, components(successors, system.rank()), successors, range(len(successors)), _STRATEGY)
    first, last = len(system.places), len(system.places) + len(question.program.commands)
    cases = [tuple(found.values()) for found in system.values]
    arriving = {
        pair: [state[pair[0]] for state in states] for pair, states in zip(system.pairs, cases[last:], strict=True)
    }
    return Joint(question, dict(zip(system.places, cases, strict=False)), arriving, dict(enumerate(cases[first:last])))


def _told(question: Question, command: int, state: State) -> State | None:
    """A state at the source of a command with what is known there besides; other packs that it uses have numbers."""
    known = question.known[command]
    if known is None:
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
    """The equations: of the state at each location, behind each command, and of bundles where they are wanted."""

    question: Question
    deadline: Deadline
    places: Sequence[int] = field(init=False)
    pairs: Sequence[tuple[int, int]] = field(init=False)
    values: list[Cases] = field(init=False)

    def __post_init__(self) -> None:
        program = self.question.program
        self.places = tuple(program.template_of)
        self.pairs = tuple(self.question.sources)
        self._place = {location: number for number, location in enumerate(self.places)}
        self._first = len(self.places)
        self._last = self._first + len(program.commands)
        self.values = [{}] * (self._last + len(self.pairs))
        self._whole: set[int] = set()
        self._narrowed: dict[tuple[int, int, int], tuple[Value, Value]] = {}
        self._entry = {template.entry: template for template in program.templates.values()}
        self._given = frozenset(
            cell
            for command in program.commands
            if isinstance(command.instruction, Spawn)
            for cell, _ in command.instruction.arguments
        )
        self._wanted: dict[int, list[tuple[int, int]]] = {}
        for number, (bundle, location) in enumerate(self.pairs):
            self._wanted.setdefault(location, []).append((bundle, self._last + number))
        limits = thresholds(program)
        self._limits = {
            name: {
                index: tuple(sorted({n for cell in pack for n in limits[cell]}))
                for index, pack in enumerate(packing.packs)
            }
            for name, packing in self.question.packing.packings.items()
        }
        self._bundle_limits = {
            index: tuple(sorted({n for cell in bundle for n in limits[cell]}))
            for index, bundle in enumerate(self.question.packing.bundles)
        }

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
        splitting, thresholds, states = self._evaluated(equation)
        new = splitting.of(states, equation in self._whole)
        old = self.values[equation]
        result = splitting.combined(old, new, mode, thresholds)
        if len(result) > MOST:
            self._whole.add(equation)
            result = splitting.of(result.values(), is_whole=True)
        if result == old:
            return False
        self.values[equation] = result
        return True

    def _evaluated(self, equation: int) -> tuple[Splitting, Mapping[int, tuple[int, ...]], list[State]]:
        """How the value of an equation is told apart, its thresholds by pack, and its states."""
        question = self.question
        if equation >= self._last:
            bundle, location = self.pairs[equation - self._last]
            return question.bundle_splitting[bundle], self._bundle_limits, self._arriving(bundle, location)
        if equation >= self._first:
            command = equation - self._first
            location = question.program.commands[command].source
            states = self._behind(command)
        else:
            location = self.places[equation]
            states = self._at(location)
        return question.splitting_at(location), self._limits[question.program.template_of[location]], states

    def _at(self, location: int) -> list[State]:
        """What a thread can be like at a location."""
        question = self.question
        domain, splitting = question.domain, question.splitting_at(location)
        incoming = question.program.incoming[location]
        states = [state for command in incoming for state in self.values[self._first + command].values()]
        if location in self._entry:
            states.append(self._started(location))
        forgotten = (
            {pack: found for pack in states[0] if (found := question.unstable(pack, location))} if states else {}
        )
        if forgotten:
            states = [
                state | {pack: domain.forget(state[pack], found) for pack, found in forgotten.items()}
                for state in states
            ]
        for bundle, equation in self._wanted.get(location, ()):
            pack, _ = question.place(bundle, location)
            arriving = [question.widened(bundle, location, found[bundle]) for found in self.values[equation].values()]
            cases = splitting.of(states).values()
            met = [state | {pack: domain.meet(state[pack], found)} for state in cases for found in arriving]
            states = [state for state in met if not domain.is_bottom(state[pack])]
        return states

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

    def _behind(self, number: int) -> list[State]:
        """What a command leaves in the tracked packs."""
        command = self.question.program.commands[number]
        space = self.question.space_at(command.source)
        result: list[State] = []
        for before in self.values[self._place[command.source]].values():
            state = _told(self.question, number, before)
            if state is not None and not isinstance(command.instruction, Spawn | Join):
                state = post(space, state, command.instruction)
            if state is not None:
                result.append({pack: state[pack] for pack in before})
        return result

    def _arriving(self, bundle: int, location: int) -> list[State]:
        """What may be in a bundle by the definitions that flow to a location, as states with no other pack."""
        question = self.question
        result: list[State] = []
        for command in question.sources[bundle, location]:
            if command == START:
                result.append({bundle: question.bundles.initial(bundle)})
            else:
                source = question.program.commands[command].source
                states = self.values[self._first + command].values()
                result += [{bundle: self._of_bundle(bundle, source, state)} for state in states]
        return result

    def _of_bundle(self, bundle: int, location: int, state: State) -> Value:
        """What a state says of a bundle, found once for each value of the pack."""
        pack, _ = self.question.place(bundle, location)
        key = (bundle, pack, id(state[pack]))
        known = self._narrowed.get(key)
        if known is None or known[0] is not state[pack]:
            known = self._narrowed[key] = (state[pack], self.question.narrowed(bundle, location, state))
        return known[1]
