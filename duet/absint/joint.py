"""Joint states: at each location, relations of a thread's locals with the globals that nobody else can write there.

*Source*: Owicki and Gries 1976, and Mine 2014 (relational thread-modular analysis) for the idea; none in the thesis,
whose packs are all local or all global, since a record of one thread's locals flows to no other thread.

There is an equation for the state of a thread at each location: the join of what the commands that lead there leave,
without what it says of globals that another thread can write while the thread is there (`Question.disturbed`). What
such globals are is known of each bundle by itself, as in Def. 3.3.3 of the thesis: the join of what the definitions
that flow to the location leave in the bundle. A definition takes its values from the state of the thread that makes it.

It holds in every execution, by induction on its length. A step of the thread itself leads from a state that is covered
to one that is: `post` sees to it, and the record of a bundle is as the last definition of one of its cells left it,
whose own state was covered; all flows that there are have been given. A step of another thread changes no local, and
no global of which the state says anything but what the flows say, and what holds all the more when the global grows
(or shrinks) where all that others do is to raise it (or to lower it). A thread begins with the globals as its starter
has them. One that has ended stays at its exit, so who has waited for it finds them as one of its states there says.

States are kept in cases (`duet.absint.cases`), which the values of flags, of small enumerations or of what decides when
a loop ends tell apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from domains.values.interval import TOP, ZERO, Interval
from duet.absint.cases import Cases, Splitting
from duet.absint.conditions import entails
from duet.absint.question import START, Memory, Question, Unstable
from duet.absint.state import Points, State, Value, weight
from duet.absint.thresholds import thresholds
from duet.absint.transfer import post
from duet.deadline import Deadline
from duet.fixpoint.chaotic import Mode, Strategy, solve
from duet.fixpoint.order import components
from duet.flow.effects import instruction_effects
from duet.plip.syntax import Atomic, Command, Compute, Formula, Join, Linear, Spawn, steps
from duet.plip.terms import evaluate, term_cells
from duet.plip.touched import reads

_STRATEGY = Strategy(delay=2, patience=20, descents=2)
_PATIENT, _HASTY = replace(_STRATEGY, patience=40), replace(_STRATEGY, patience=10)
_SMALL = 500
"""A larger system of equations drops bounds earlier, as each step takes longer there."""


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
        told = [self.question.told(command, state) for state in self.states[source]]
        return all(state is None or entails(self.question.space_at(source), state, condition) for state in told)

    def bounds(self, command: int, term: Linear) -> Interval:
        """Inclusive bounds of a term where a command is about to pass."""
        source = self.question.program.commands[command].source
        space = self.question.space_at(source)
        if not term_cells(term) <= space.packing.pack_of.keys():
            return TOP
        told = (self.question.told(command, state) for state in self.states[source])
        found = [space.term_bounds(state, term) for state in told if state is not None]
        return (min(lo for lo, _ in found), max(hi for _, hi in found)) if found else ZERO

    def kept(self, location: int) -> Sequence[State]:
        """The cases at a location, without what only flows say."""
        disturbed, unstable = self.question.disturbed, self.question.unstable
        return [
            {pack: disturbed(value, unstable(pack, location)) for pack, value in state.items()}
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
        own = {name: term for name, term in self.question.meanings.items() if term_cells(term) <= store.keys()}
        store = {**store, **{name: evaluate(term, store) for name, term in own.items()}}
        return any(Points(self.question.space_at(location), state).contain(store) for state in self.states[location])


def joint(question: Question, deadline: Deadline) -> Joint:
    """The joint states of a program. *Raises*: OutOfTime."""
    system = _System(question, deadline)
    successors = system.successors()
    strategy = _PATIENT if question.is_patient else _STRATEGY if len(successors) <= _SMALL else _HASTY
    solve(system, components(successors, system.rank()), successors, range(len(successors)), strategy)
    for splitting in (*question.splitting.values(), *question.bundle_splitting):
        splitting.memory.clear()
    first, last = len(system.places), len(system.places) + len(question.program.commands)
    cases = [tuple(found.values()) for found in system.values]
    arriving = {
        pair: [state[pair[0]] for state in states] for pair, states in zip(system.pairs, cases[last:], strict=True)
    }
    return Joint(question, dict(zip(system.places, cases, strict=False)), arriving, dict(enumerate(cases[first:last])))


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
        self._coarse: dict[int, int] = {}
        self._known: dict[Value, Value] = {}  # one object for all equal values
        self._made: Memory = {}
        self._initial: dict[int, Value] = {}  # by bundle
        self._left: dict[Hashable, tuple[State, State | None]] = {}
        self._entry = {template.entry: template for template in program.templates.values()}
        self._given = frozenset(
            cell
            for command in program.commands
            if isinstance(command.instruction, Spawn)
            for cell, _ in command.instruction.arguments
        )
        self._starters: dict[int, list[int]] = {entry: [] for entry in self._entry}
        for number, command in enumerate(program.commands):
            if isinstance(command.instruction, Spawn):
                self._starters[program.templates[command.instruction.template].entry].append(number)
        self._wanted: dict[int, list[tuple[int, int]]] = {}
        for number, (bundle, location) in enumerate(self.pairs):
            self._wanted.setdefault(location, []).append((bundle, self._last + number))
        self._weights = [self._weight(command) for command in program.commands]
        limits = dict(thresholds(program))
        for name, more in self.question.derived.limits.items() if self.question.derived else ():
            limits[name] = tuple(sorted({*limits[name], *more}))
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
        if self.question.is_patient:
            self._unite_limits()

    def _unite_limits(self) -> None:
        """Gives bundles of several cells, and the packs that they are in, the thresholds of all of these.

        How such cells are related is told by locals, which not every template has.
        """
        packing = self.question.packing
        for number, cells in enumerate(packing.bundles):
            pack_of = {name: packs.pack_of[cells[0]] for name, packs in packing.packings.items() if len(cells) > 1}
            inside = [(name, pack) for name, pack in pack_of.items() if pack in packing.tracked[name]]
            found = {limit for name, pack in inside for limit in self._limits[name][pack]}
            united = tuple(sorted(found.union(self._bundle_limits[number])))
            self._bundle_limits[number] = united
            for name, pack in inside:
                self._limits[name][pack] = united

    def _weight(self, command: Command) -> int:
        """Steps that a command takes in one case."""
        space, found = self.question.space_at(command.source), instruction_effects(command.instruction, frozenset())
        packs = space.packs_of((found.reads | found.writes) & space.packing.pack_of.keys())
        return sum(weight(space.packing.packs[pack]) for pack in packs)

    def successors(self) -> list[list[int]]:
        """The equations that use the value of each."""
        found: list[list[int]] = [[] for _ in self.values]
        for number, command in enumerate(self.question.program.commands):
            found[self._place[command.source]].append(self._first + number)
            found[self._first + number].append(self._place[command.target])
            for end in self.question.ends.get(number, ()):
                found[self._place[end]].append(self._first + number)
        for entry, numbers in self._starters.items():
            for number in numbers:
                found[self._first + number].append(self._place[entry])
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
        splitting, thresholds, states = self._evaluated(equation)
        self.deadline.spend(1 + len(states))
        old = self.values[equation]
        if mode not in (Mode.SET, Mode.LOWER):
            states = splitting.fresh(states, old)
        coarse = self._coarse.get(equation, 0)
        new = self._unique(splitting.of(states, coarse))
        result = self._unique(splitting.combined(old, new, mode, thresholds))
        while len(result) > splitting.most:
            self._coarse[equation] = coarse = coarse + 1
            result = self._unique(splitting.of(result.values(), coarse))
        if result == old:
            return False
        self.values[equation] = result
        return True

    def _unique(self, cases: Cases) -> Cases:
        known = self._known
        return {key: {pack: known.setdefault(v, v) for pack, v in state.items()} for key, state in cases.items()}

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
        splitting = question.splitting_at(location)
        incoming = question.program.incoming[location]
        states = [state for command in incoming for state in self.values[self._first + command].values()]
        if location in self._entry:
            states += self._started(location)
        forgotten = (
            {pack: found for pack in states[0] if (found := question.unstable(pack, location))} if states else {}
        )
        if forgotten:
            states = [
                state | {pack: self._forgotten(state[pack], found) for pack, found in forgotten.items()}
                for state in states
            ]
        for bundle, equation in self._wanted.get(location, ()):
            pack, _ = question.place(bundle, location)
            arriving = [question.widened(bundle, location, found[bundle]) for found in self.values[equation].values()]
            cases = splitting.of(states).values()
            met = [splitting.met(state, pack, found) for state in cases for found in arriving]
            states = [state for state in met if state is not None]
        return states

    def _forgotten(self, value: Value, unstable: Unstable) -> Value:
        key = (id(value), unstable)
        if key not in self._made:
            self._made[key] = value, self.question.disturbed(value, unstable)
        return self._made[key][1]

    def _started(self, entry: int) -> list[State]:
        """What a thread starts with: of globals, and of what it is given, what its starter knows of both together."""
        space, program = self.question.space_at(entry), self.question.program
        name = program.template_of[entry]
        first: State = {}
        for pack in self.question.packing.tracked[name]:
            unknown = tuple(
                position
                for position, cell in enumerate(space.packing.packs[pack])
                if program.cells[cell].template is None or cell in self._given
            )
            first[pack] = space.domain.forget(space.initial(pack), unknown)
        result = [first] if name == program.main else []
        for number in self._starters[entry]:
            source, told = program.commands[number].source, self.values[self._first + number].values()
            if not self._arguments(number):
                result += self._shared(entry, [first], source, told)
                continue
            for there in told:
                given = {pack: self._passed_on(number, entry, pack, value, there) for pack, value in first.items()}
                if not any(map(space.domain.is_bottom, given.values())):
                    result += self._shared(entry, [given], source, [there])
        return result

    def _arguments(self, number: int) -> Sequence[tuple[str, Linear]]:
        """What a command gives the thread that it starts."""
        instruction = self.question.program.commands[number].instruction
        assert isinstance(instruction, Spawn)
        return instruction.arguments

    def _passed_on(self, number: int, entry: int, pack: int, value: Value, there: State) -> Value:
        """What a thread starts with in a pack, with what its starter knows of what it gives and of globals there."""
        question, domain, source = self.question, self.question.domain, self.question.program.commands[number].source
        inner, outer = question.space_at(entry).packing, question.space_at(source).packing
        for bundle in (it for it in question.bundles_at(source) if it in question.bundles_at(entry)):
            (here, targets), (other, positions) = question.place(bundle, entry), question.place(bundle, source)
            if here != pack:
                continue
            mapping: list[int | None] = [None] * len(outer.packs[other])
            for position, target in zip(positions, targets, strict=True):
                mapping[position] = target
            known = there[other]
            for cell, term in self._arguments(number):
                if inner.pack_of.get(cell) == pack and all(outer.pack_of.get(it) == other for it, _ in term.terms):
                    known = domain.change_variables(known, tuple(range(len(mapping))), len(mapping) + 1)
                    terms = tuple((outer.position[it], factor) for it, factor in term.terms)
                    known = domain.assign(known, len(mapping), (terms, term.constant))
                    mapping.append(inner.position[cell])
            value = domain.meet(value, domain.change_variables(known, tuple(mapping), len(inner.packs[pack])))
        return value

    def _behind(self, number: int) -> list[State]:
        """What a command leaves in the tracked packs."""
        question, command = self.question, self.question.program.commands[number]
        space = question.space_at(command.source)
        result: list[State] = []
        splitting = question.splitting_at(command.source)
        is_parted = splitting.cells and any(isinstance(step, Compute) for step in steps(command.instruction))
        asked = sorted(reads(command.instruction)) if is_parted and isinstance(command.instruction, Atomic) else ()
        states = self.values[self._place[command.source]].values()
        for before in (part for state in states for part in splitting.parts(state, asked)):
            key = (number, *[id(value) for value in before.values()])
            if key not in self._left:
                self.deadline.spend(self._weights[number])
                state = question.told(number, before, self._made)
                if state is not None and not isinstance(command.instruction, Spawn | Join):
                    state = post(space, state, command.instruction)
                self._left[key] = before, None if state is None else {pack: state[pack] for pack in before}
            _, after = self._left[key]
            if after is not None:
                result.append(after)
        for end in question.ends.get(number, ()):
            result = self._shared(command.target, result, end, self.values[self._place[end]].values())
        return result

    def _shared(self, location: int, states: Sequence[State], other: int, told: Iterable[State]) -> list[State]:
        """States at a location with what another thread knows of globals that is at `other` then."""
        question, domain = self.question, self.question.domain
        bundles = [bundle for bundle in question.bundles_at(other) if bundle in question.bundles_at(location)]
        packs = [question.place(bundle, location)[0] for bundle in bundles]
        result: list[State] = []
        for known in dict.fromkeys(tuple(self._of_bundle(it, other, there) for it in bundles) for there in told):
            widened = [question.widened(it, location, value) for it, value in zip(bundles, known, strict=True)]
            for state in states:
                met = dict(state)
                for pack, value in zip(packs, widened, strict=True):
                    met[pack] = domain.meet(met[pack], value)
                if not any(domain.is_bottom(met[pack]) for pack in packs):
                    result.append(met)
        return result

    def _arriving(self, bundle: int, location: int) -> list[State]:
        """What may be in a bundle by the definitions that flow to a location, as states with no other pack."""
        question = self.question
        result: list[State] = []
        for command in question.sources[bundle, location]:
            if command == START:
                if bundle not in self._initial:
                    self._initial[bundle] = question.bundles.initial(bundle)
                result.append({bundle: self._initial[bundle]})
            else:
                source = question.program.commands[command].source
                states = self.values[self._first + command].values()
                result += [{bundle: self._of_bundle(bundle, source, state)} for state in states]
        return result

    def _of_bundle(self, bundle: int, location: int, state: State) -> Value:
        """What a state says of a bundle."""
        pack, _ = self.question.place(bundle, location)
        key = (bundle, pack, location, id(state[pack]))
        if key not in self._made:
            value = self.question.narrowed(bundle, location, state)
            self._made[key] = state[pack], self._known.setdefault(value, value)
        return self._made[key][1]
