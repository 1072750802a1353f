"""Explicit states of few threads: which checks fail, with the moves that lead there.

Breadth-first as far as time and room for states allow; then executions in which a thread goes on as long as it can and
is interrupted seldom, at first never; then random ones. Nothing follows from what is not found; what is found is an
execution of PLIP, and `verify.schedule` says whether it is one of the source.
*Source*: Musuvathi and Qadeer, Iterative context bounding, PLDI 2007, for the second.

A thread of a template that is `MANY` leaves the state at its exit. Own cells that are not live hold 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from random import Random
from typing import NamedTuple, TypeAlias

from duet.deadline import Deadline
from duet.plip.execute import (
    Samples,
    Store,
    Value,
    compile_term,
)
from duet.plip.live import live_cells
from duet.plip.multiplicity import many
from duet.plip.syntax import Cell, Program, Spawn
from duet.result import Check
from duet.verify.actions import Action, Actions
from duet.verify.room import Bounds, Room
from duet.verify.samples import inputs

_BREADTH, _SWITCHES = 0.4, 0.5  # parts of the time left, the second one for few threads and for crowds each
_INTERRUPTIONS = 3  # of threads that could go on
_CROWD = 64  # threads of a template at one time, where few of them are interrupted
Thread: TypeAlias = tuple[int, Store]  # location, own cells
State: TypeAlias = tuple[Store, tuple[Thread, ...]]  # global cells; threads in order
_VECTORS = 256  # combinations of initial values that are tried
_PERIOD = 256  # moves between two looks at the clock
_MOST_RESULTS = 1_024  # of one command in one state


class Move(NamedTuple):
    """A command that a thread takes: where it is then, with what, what is in the globals, the thread that it starts."""

    before: Thread
    command: int
    globals: Store
    after: Thread
    child: Thread | None


@dataclass(frozen=True, slots=True)
class Path:
    """An execution so far: the last move, and those before it; none at the start."""

    state: State
    last: Move | None = None
    before: Path | None = None

    def told(self) -> tuple[State, tuple[Move, ...]]:
        """The state at first, and the moves."""
        moves: list[Move] = []
        path = self
        while path.before is not None and path.last is not None:
            moves.append(path.last)
            path = path.before
        return path.state, tuple(reversed(moves))


@dataclass(frozen=True, slots=True)
class Execution:
    """The state at first, moves, and the command whose check fails next, in the thread `failing`."""

    start: State
    moves: tuple[Move, ...]
    failing: Thread
    command: int


@dataclass(frozen=True, slots=True)
class Explored:
    """Executions in which checks fail, and the bound on states that was met before all were seen, in words; or none.

    `states` is how many were seen in breadth.
    """

    executions: Mapping[Check, Execution]
    met: str
    states: int


def explore(
    program: Program, checks: Collection[Check], samples: Samples, bounds: Bounds, deadline: Deadline
) -> Explored:
    """An execution for each check that was found to fail. *Requires*: the program is well-formed."""
    explorer = _Explorer(program, frozenset(checks), samples, bounds, deadline)
    return Explored(explorer.run(), explorer.room.met, explorer.room.taken)


def reached(
    program: Program, check: Check, samples: Samples, bounds: Bounds, deadline: Deadline
) -> tuple[State, ...] | None:
    """States that executions meet, in breadth; None where a check fails in one of them."""
    explorer = _Explorer(program, frozenset((check,)), samples, bounds, deadline)
    explorer.search()
    return None if explorer.found else tuple(explorer.parents)


class _Explorer:
    def __init__(
        self, program: Program, checks: frozenset[Check], samples: Samples, bounds: Bounds, deadline: Deadline
    ) -> None:
        self._program, self._checks, self._samples, self._bounds = program, checks, samples, bounds
        self._deadline, self._random = deadline, Random(bounds.seed)
        self.room = Room(bounds)
        self._live = live_cells(program)
        self._own = {name: [] for name in program.templates}  # type: dict[str, list[Cell]]
        for cell in program.cells.values():
            if cell.template is not None:
                self._own[cell.template].append(cell)
        self._dead = {location: self._dead_slots(location) for location in program.template_of}
        self._atomic = frozenset(spot for template in program.templates.values() for spot in template.atomic)
        self._many = many(program)
        self._gone = frozenset(program.templates[name].exit for name in self._many)
        self._summaries = frozenset(name for name, cell in program.cells.items() if cell.summary)
        self._actions = Actions(program, checks, samples, bounds.is_exact)
        self._inputs = inputs(program)
        self._width = len(program.globals)
        self._tests = list(self._actions.tests())
        self._key = _order if self._summaries else None
        self.parents: dict[State, tuple[State, Move] | None] = {}
        self._starts: list[State] = []
        self.found: dict[Check, Execution] = {}
        self._is_crowded = False  # whether a thread was not started since too many were there

    def run(self) -> Mapping[Check, Execution]:
        self._start()
        whole, self._deadline = self._deadline, self._deadline.share(_BREADTH)
        is_all = self._breadth()
        self._deadline = whole
        if not self._is_open() or (is_all and not self._is_crowded):
            return self.found
        self.parents.clear()
        self._deadline = whole.share(_SWITCHES)
        self._switches()
        if self._is_crowded:
            few, self._bounds = self._bounds, replace(self._bounds, threads=_CROWD)
            self._deadline = whole.share(_SWITCHES)
            self._switches()
            self._bounds = few
        self._deadline = whole
        self._walks()
        return self.found

    def search(self) -> None:
        """Searches in breadth."""
        self._start()
        self._breadth()

    def _start(self) -> None:
        found: dict[State, None] = {}
        for state in self._initial():
            if state not in found:
                if found and not self.room.take(*state):
                    break
                found[state] = None
        self._starts = list(found)

    def _is_open(self) -> bool:
        return len(self.found) < len(self._checks) and self._deadline.left > 0

    def _breadth(self) -> bool:
        """Whether all states were seen."""
        frontier = self._starts
        self.parents = dict.fromkeys(frontier)
        moved = 0
        while frontier:
            following: list[State] = []
            for state in frontier:
                if not self._is_open():
                    return False
                for after, move in self._moves(state, lambda here: self._trace(here)):
                    moved += 1
                    if moved % _PERIOD == 0 and not self._is_open():
                        return False
                    if after not in self.parents:
                        if not self.room.take(*after):
                            return False
                        self.parents[after] = (state, move)
                        following.append(after)
            frontier = following
        return not self.room.met

    def _switches(self) -> None:
        """Executions with few interruptions: those with one more begin anywhere on the way of others.

        First where a check fails as soon as a thread gets there.
        """
        level = [Path(state) for state in self._starts]
        seen: set[tuple[State, Thread | None]] = set()
        for _ in range(_INTERRUPTIONS + 1):
            self._random.shuffle(level)
            level.sort(key=lambda path: self._is_close(path.state))  # the last ones are taken first
            level = self._uninterrupted(level, seen)

    def _uninterrupted(self, level: list[Path], seen: set[tuple[State, Thread | None]]) -> list[Path]:
        """Lets other threads go on behind executions, as far as there is room; where these may be interrupted next."""
        room = Room(replace(self._bounds, states=self._bounds.states // (_INTERRUPTIONS + 1)))
        interrupted: list[Path] = []
        work: list[Path] = []
        while (work or level) and self._is_open():
            if not work:
                path = level.pop()
                work += self._followed(path, [thread for thread in path.state[1] if thread != _moved(path)])
                continue
            path = work.pop()
            if (path.state, _moved(path)) in seen:
                continue
            if not room.take(*path.state):
                break
            seen.add((path.state, _moved(path)))
            found = self._followed(path, path.state[1] if self._is_close(path.state) else [_moved(path)])
            same = [after for after in found if after.last is not None and after.last.before == _moved(path)]
            work += same or found or self._followed(path, path.state[1])
            interrupted += [path] if same else []
        return interrupted

    def _followed(self, path: Path, threads: Collection[Thread | None]) -> list[Path]:
        """An execution with one more move of one of some threads, the last one first."""
        moves = self._moves(path.state, lambda _: path.told(), threads)
        return [Path(after, move, path) for after, move in moves][::-1]

    def _is_close(self, state: State) -> bool:
        """Whether the globals are such that an open check fails, as far as they decide that."""
        return any(check not in self.found and not test(state[0]) for check, test in self._tests)

    def _walks(self) -> None:
        while self._starts and self._is_open():
            state = start = self._random.choice(self._starts)
            taken: list[Move] = []
            for _ in range(self._bounds.steps):
                moves = list(self._moves(state, lambda _: (start, tuple(taken))))  # noqa: B023  # used at once
                if not moves:
                    break
                state, move = self._random.choice(moves)
                taken.append(move)

    def _trace(self, state: State) -> tuple[State, tuple[Move, ...]]:
        moves: list[Move] = []
        step = self.parents[state]
        while step is not None:
            state, move = step
            moves.append(move)
            step = self.parents[state]
        return state, tuple(reversed(moves))

    def _moves(
        self, state: State, trace: object, only: Collection[Thread | None] | None = None, command: int | None = None
    ) -> Iterator[tuple[State, Move]]:
        """What may happen next, and what then is; only by some threads, or by a command, where these are given."""
        shared, threads = state
        inside = [thread for thread in threads if thread[0] in self._atomic]
        for thread in dict.fromkeys(inside or threads):
            if only is not None and thread not in only:
                continue
            position = threads.index(thread)
            others = threads[:position] + threads[position + 1 :]
            before = shared + thread[1]
            for action in self._actions.at(thread[0], before):
                if action.test is not None and action.check not in self.found and not action.test(before):
                    start, moves = trace(state)  # type: ignore[operator]
                    assert action.check is not None
                    self.found[action.check] = Execution(start, moves, thread, action.command)
                if command not in (None, action.command) or (
                    action.joins and not self._has_ended(action.joins, others)
                ):
                    continue
                for store in islice(action.run(before), _MOST_RESULTS):
                    after = (action.target, self._without_dead(action.target, store[self._width :]))
                    for child in self._children(action, before, others):
                        move = Move(thread, action.command, store[: self._width], after, child)
                        left = [*others, *([] if after[0] in self._gone else [after])]
                        left += [] if child is None or child[0] in self._gone else [child]
                        yield (move.globals, tuple(sorted(left, key=self._key))), move

    def _has_ended(self, template: str, others: tuple[Thread, ...]) -> bool:
        end = self._program.templates[template].exit
        return any(thread[0] == end for thread in others)

    def _children(self, action: Action, before: Store, others: tuple[Thread, ...]) -> Iterator[Thread | None]:
        """The threads that a command may start: one of them, or None where it starts none."""
        if not action.spawns:
            yield None
            return
        name = action.spawns
        running = sum(self._program.template_of[thread[0]] == name for thread in others)
        if name in self._many and running >= self._bounds.threads:
            self._is_crowded = True
            return
        spawn = self._program.commands[action.command].instruction
        assert isinstance(spawn, Spawn)
        slots = self._actions.slots(self._program.template_of[self._program.commands[action.command].source])
        given = {cell: compile_term(value, slots)(before) for cell, value in spawn.arguments}
        entry = self._program.templates[name].entry
        for own in self._vectors(self._own[name], given, entry):
            yield entry, own

    def _initial(self) -> Iterator[State]:
        program = self._program
        main = program.templates[program.main]
        shared = [program.cells[name] for name in program.globals]
        for values in self._vectors(shared, {}, None):
            for own in self._vectors(self._own[program.main], {}, main.entry):
                yield values, ((main.entry, own),)

    def _vectors(self, cells: list[Cell], given: Mapping[str, int], entry: int | None) -> list[Store]:
        """Initial values of cells; those that are not live at `entry` are 0."""
        choices: list[tuple[Value, ...]] = []
        total = 1
        for cell in cells:
            values: tuple[int, ...]
            if cell.name in given:
                values = (given[cell.name],)
            elif entry is not None and cell.name not in self._live[entry]:
                values = (0,)
            else:
                values = self._samples.of_range(self._samples.initial, cell.lo, cell.hi)
                if self._bounds.is_exact and cell.name not in self._inputs:
                    values = values[:1]  # what nobody has set is read by no such step
            choices.append((frozenset(values),) if cell.summary else values)
            total *= len(choices[-1])
        if total <= _VECTORS:
            return list(product(*choices))
        first = tuple(values[0] for values in choices)
        more = (tuple(self._random.choice(values) for values in choices) for _ in range(_VECTORS))
        return list(dict.fromkeys([first, *islice(more, _VECTORS - 1)]))

    def _dead_slots(self, location: int) -> tuple[int, ...]:
        own = self._own[self._program.template_of[location]]
        return tuple(
            slot for slot, cell in enumerate(own) if cell.name not in self._live[location] and not cell.summary
        )

    def _without_dead(self, location: int, own: Store) -> Store:
        dead = self._dead[location]
        if not dead or not any(own[slot] for slot in dead):
            return own
        changed = list(own)
        for slot in dead:
            changed[slot] = 0
        return tuple(changed)


def _moved(path: Path) -> Thread | None:
    """The thread that moved last, as it is now; None at the start."""
    return None if path.last is None else path.last.after


def _order(thread: Thread) -> tuple[int, str]:
    """A total order of threads, also of those with sets in their stores."""
    return thread[0], repr([sorted(value) if isinstance(value, frozenset) else value for value in thread[1]])
