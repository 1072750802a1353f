"""Explicit-state semantics of PLIP: all interleavings of a bounded number of threads, the oracle of soundness tests.

*Approximates*: under. Everything reported as reached or failing really is; what is not found may exist with more
threads, other values (see `execute.Samples`) or more states.

A thread store is recorded while the thread may move, that is while no other thread is inside of an atomic region. A
thread that fails an assertion that stops ends the execution. Joining a template of which at most one instance runs
waits until that instance is at its exit; any other join passes.

What runs at most once is decided here, apart from `multiplicity`, so that each can show a mistake in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias, assert_never

from duet.plip.execute import (
    Run,
    Samples,
    Store,
    Test,
    Value,
    compile_formula,
    compile_step,
    compile_steps,
    compile_term,
    initial_stores,
)
from duet.plip.syntax import Assert, Assign, Atomic, Cell, Compute, Guard, Havoc, Join, Lookup, Program, Spawn
from duet.result import Check

State: TypeAlias = tuple[int, tuple[int, ...]]  # global store, sorted threads; both by number


@dataclass(frozen=True, slots=True)
class Limits:
    """How far to explore: `threads` instances in all (further spawns start nothing), `states`, absolute `value`s."""

    threads: int = 3
    states: int = 20_000
    value: int = 1 << 64


@dataclass(frozen=True, slots=True)
class Exploration:
    """What an exploration found.

    `stores` maps each reached location to the thread stores there, in the order of `cells_at`; `reached` are the checks
    that some thread arrived at, `failures` those that failed, each with the commands of an execution that ends there.
    `together` are the locations of two threads in one state, the smaller one first. `truncated` tells that a limit cut
    something off.
    """

    program: Program
    stores: Mapping[int, frozenset[Store]]
    reached: frozenset[Check]
    failures: Mapping[Check, tuple[int, ...]]
    states: int
    truncated: bool
    together: frozenset[tuple[int, int]] = frozenset()

    def cells_at(self, location: int) -> tuple[str, ...]:
        """The names of the cells in a thread store there: the globals, then the template's own."""
        return cells_in_scope(self.program, self.program.template_of[location])

    def thread_stores(self, location: int) -> Iterator[dict[str, Value]]:
        """The thread stores at a location by cell."""
        names = self.cells_at(location)
        for store in self.stores.get(location, frozenset()):
            yield dict(zip(names, store, strict=True))


def cells_in_scope(program: Program, template: str) -> tuple[str, ...]:
    """The global cells, then the cells local to a template, in order."""
    return (*program.globals, *(name for name, cell in program.cells.items() if cell.template == template))


def explore(program: Program, limits: Limits | None = None, samples: Samples | None = None) -> Exploration:
    """What executions of a well-formed program reach, within limits."""
    return _Explorer(program, limits or Limits(), samples or Samples()).run()


class _Move(NamedTuple):
    """A transition of one thread: `children` are the threads that it may start, one of them; `joins` a template."""

    command: int
    globals: int
    thread: int
    children: tuple[int, ...]
    joins: str


@dataclass(frozen=True, slots=True)
class _Action:
    """A compiled command."""

    command: int
    target: int
    run: Run
    check: Check | None = None
    test: Test | None = None
    spawns: Run | None = None
    child_entry: int = 0
    joins: str = ""


class _Explorer:
    def __init__(self, program: Program, limits: Limits, samples: Samples) -> None:
        self._program, self._limits, self._samples = program, limits, samples
        self._width = len(program.globals)
        self._summaries = frozenset(name for name, cell in program.cells.items() if cell.summary)
        self._atomic = frozenset(spot for template in program.templates.values() for spot in template.atomic)
        self._unique = frozenset(name for name in program.templates if runs_once(program, name))
        self._actions = {location: self._compile(location) for location in program.template_of}
        self._global_stores: list[Store] = []
        self._global_number: dict[Store, int] = {}
        self._threads: list[tuple[int, Store]] = []
        self._thread_number: dict[tuple[int, Store], int] = {}
        self._moves: dict[tuple[int, int], tuple[_Move, ...]] = {}
        self._failed: dict[Check, tuple[State, int]] = {}
        self._reached: set[Check] = set()
        self._failures_of: dict[tuple[int, int], list[tuple[Check, int]]] = {}
        self._parents: dict[State, tuple[State, int] | None] = {}
        self._truncated = False

    def run(self) -> Exploration:
        """Breadth-first search, so that the executions of failures are short."""
        frontier = self._initial()
        while frontier:
            following: list[State] = []
            for state in frontier:
                if len(self._parents) > self._limits.states:
                    self._truncated = True
                    return self._result()
                self._expand(state, following)
            frontier = following
        return self._result()

    def _result(self) -> Exploration:
        stores: dict[int, set[Store]] = {}
        for shared, thread in self._moves:
            location, own = self._threads[thread]
            stores.setdefault(location, set()).add(self._global_stores[shared] + own)
        return Exploration(
            self._program,
            {location: frozenset(found) for location, found in stores.items()},
            frozenset(self._reached),
            {check: (*self._trace(state), command) for check, (state, command) in self._failed.items()},
            len(self._parents),
            self._truncated,
            self._together(),
        )

    def _together(self) -> frozenset[tuple[int, int]]:
        pairs = {pair for _, threads in self._parents for pair in combinations(threads, 2)}
        places = ((self._threads[one][0], self._threads[other][0]) for one, other in pairs)
        return frozenset((min(pair), max(pair)) for pair in places)

    def _trace(self, state: State) -> tuple[int, ...]:
        """The commands of the execution that first reached a state."""
        commands: list[int] = []
        step = self._parents[state]
        while step is not None:
            before, command = step
            commands.append(command)
            step = self._parents[before]
        return tuple(reversed(commands))

    def _initial(self) -> list[State]:
        program = self._program
        main = program.templates[program.main]
        shared = initial_stores((program.cells[name] for name in program.globals), self._samples)
        states: list[State] = []
        for store in shared:
            for own in initial_stores(self._locals(program.main), self._samples):
                state = (self._intern_globals(store), (self._intern_thread(main.entry, own),))
                if state not in self._parents:
                    self._parents[state] = None
                    states.append(state)
        return states

    def _locals(self, template: str) -> Iterator[Cell]:
        return (cell for cell in self._program.cells.values() if cell.template == template)

    def _intern_globals(self, store: Store) -> int:
        number = self._global_number.setdefault(store, len(self._global_stores))
        if number == len(self._global_stores):
            self._global_stores.append(store)
        return number

    def _intern_thread(self, location: int, own: Store) -> int:
        thread = (location, own)
        number = self._thread_number.setdefault(thread, len(self._threads))
        if number == len(self._threads):
            self._threads.append(thread)
        return number

    def _expand(self, state: State, following: list[State]) -> None:
        shared, threads = state
        inside = [thread for thread in threads if self._threads[thread][0] in self._atomic]
        for thread in dict.fromkeys(inside or threads):
            key = (shared, thread)
            moves = self._moves.get(key)
            if moves is None:
                moves = self._moves[key] = tuple(self._moves_of(shared, thread))
            for check, command in self._failures_of.get(key, ()):
                self._failed.setdefault(check, (state, command))
            position = threads.index(thread)
            others = threads[:position] + threads[position + 1 :]
            for move in moves:
                if not move.joins or self._is_joinable(move.joins, others):
                    self._step(state, move, others, following)

    def _step(self, state: State, move: _Move, others: tuple[int, ...], following: list[State]) -> None:
        started: tuple[tuple[int, ...], ...] = ((),)
        if move.children:
            if len(others) + 1 < self._limits.threads:
                started = tuple((child,) for child in move.children)
            else:
                self._truncated = True
        for child in started:
            after = (move.globals, tuple(sorted((*others, move.thread, *child))))
            if after not in self._parents:
                self._parents[after] = (state, move.command)
                following.append(after)

    def _is_joinable(self, template: str, others: tuple[int, ...]) -> bool:
        end = self._program.templates[template].exit
        return any(self._threads[thread][0] == end for thread in others)

    def _moves_of(self, shared: int, thread: int) -> Iterator[_Move]:
        location, own = self._threads[thread]
        before = self._global_stores[shared] + own
        for action in self._actions[location]:
            if action.check is not None and action.test is not None:
                self._reached.add(action.check)
                if not action.test(before):
                    self._failures_of.setdefault((shared, thread), []).append((action.check, action.command))
            children: tuple[int, ...] = ()
            if action.spawns is not None:
                children = tuple(self._intern_thread(action.child_entry, child) for child in action.spawns(before))
            for after in action.run(before):
                if not self._is_within_bounds(after):
                    self._truncated = True
                    continue
                number = self._intern_thread(action.target, after[self._width :])
                yield _Move(action.command, self._intern_globals(after[: self._width]), number, children, action.joins)

    def _is_within_bounds(self, store: Store) -> bool:
        limit = self._limits.value
        for value in store:
            if isinstance(value, int):
                if not -limit <= value <= limit:
                    return False
            elif any(not -limit <= element <= limit for element in value):
                return False
        return True

    def _compile(self, location: int) -> tuple[_Action, ...]:
        template = self._program.template_of[location]
        slots = {name: slot for slot, name in enumerate(cells_in_scope(self._program, template))}
        return tuple(self._compile_command(index, slots) for index in self._program.outgoing[location])

    def _compile_command(self, index: int, slots: Mapping[str, int]) -> _Action:
        command = self._program.commands[index]
        instruction, target = command.instruction, command.target
        match instruction:
            case Assign() | Havoc() | Compute() | Lookup() | Guard():
                return _Action(index, target, compile_step(instruction, slots, self._summaries, self._samples))
            case Atomic(steps):
                runs = [compile_step(step, slots, self._summaries, self._samples) for step in steps]
                return _Action(index, target, compile_steps(runs))
            case Assert(condition, check, stops):
                test = compile_formula(condition, slots)
                return _Action(index, target, _passing(test) if stops else _stay, check, test)
            case Spawn(template):
                entry = self._program.templates[template].entry
                return _Action(index, target, _stay, spawns=self._spawn(instruction, slots), child_entry=entry)
            case Join(template):
                return _Action(index, target, _stay, joins=template if template in self._unique else "")
            case _:
                assert_never(instruction)

    def _spawn(self, spawn: Spawn, slots: Mapping[str, int]) -> Run:
        """The local stores with which a child may start."""
        given = {cell: compile_term(value, slots) for cell, value in spawn.arguments}
        cells = tuple(self._locals(spawn.template))
        free = initial_stores((cell for cell in cells if cell.name not in given), self._samples)

        def start(store: Store) -> Iterator[Store]:
            values = {cell: evaluate(store) for cell, evaluate in given.items()}
            for choice in free:
                rest = iter(choice)
                yield tuple(_started(cell, values) if cell.name in values else next(rest) for cell in cells)

        return start


def runs_once(program: Program, template: str, ancestors: frozenset[str] = frozenset()) -> bool:
    """Whether at most one instance of a template can run; `ancestors` are those that it is spawned through."""
    sites = [
        (owner, program.commands[index])
        for owner in program.templates.values()
        for index in owner.commands
        if isinstance(spawn := program.commands[index].instruction, Spawn) and spawn.template == template
    ]
    if template == program.main or not sites:
        return not sites
    if len(sites) > 1 or template in ancestors:
        return False
    owner, command = sites[0]
    pending, seen = [command.target], set[int]()
    while pending:
        location = pending.pop()
        if location == command.source:
            return False
        if location not in seen:
            seen.add(location)
            pending.extend(program.commands[index].target for index in program.outgoing[location])
    return runs_once(program, owner.name, ancestors | {template})


def _started(cell: Cell, values: Mapping[str, int]) -> Value:
    return frozenset((values[cell.name],)) if cell.summary else values[cell.name]


def _stay(store: Store) -> tuple[Store, ...]:
    return (store,)


def _passing(test: Test) -> Run:
    return lambda store: (store,) if test(store) else ()
