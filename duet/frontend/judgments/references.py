"""Counts of references: who gives back the last one is alone with what it was a reference to.

    user: use(o); if (atomic_fetch_sub(&o->count, 1) == 1) { use(o); free(o); }

A counter is one of references if threads have as many of them, together, as it is away from its target, where the last
one is given back. One thread sets it while it has all of them, or it begins somewhere; who starts a thread may hand
references to it, as many as that one gives back; and in each step that changes the counter by some number, the thread
has as many references before, or one at least where it takes more. Then

1. while anybody has a reference the counter is not at its target, and is away from it by what one has at least;
2. nobody changes it once it is there: that takes a reference. So one thread takes it there, once;
3. a thread that finds that what it left behind, when it changed the counter last, is the target, is that thread, and
   from then on nobody else has a reference.

The ghosts are those of a lock for readers and writers (see `duet.interference.shares`): a thread has it as a reader
where it certainly has a reference, and as a writer once it has found 3. By the above nobody ever waits for it, so all
executions are those of before.

How many references a thread has is followed on every path. What an own cell holds is known as long as nobody else
changes the counter: inside of one step, or under a lock that all have who change it. A cell that is 0 until somebody
has found 3 (as the one that says whether a lock is destroyed) is 0 for who has a reference. All of it holds by one
induction over the steps of all threads. A counter that wraps stays inside of its range, as there are no more
references than its threads have; of any number of threads, which then have none when they end, at most `THREADS` run.

*Source*: none for the ghosts; counting permissions are those of Bornat, Calcagno, O'Hearn and Parkinson 2005.
*Approximates*: a program in which anything else becomes of a counter stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from duet.frontend.graph.reach import by_source, following, known_on_all_ways, reached
from duet.frontend.judgments.first_comers import lock_taken
from duet.frontend.judgments.reference_steps import (
    ANY,
    BEGIN,
    NEEDS,
    Known,
    Run,
    Tried,
    bounds,
    copy_of,
    is_plain,
    is_zero,
)
from duet.frontend.judgments.tickets import THREADS
from duet.plip.graphs import strong_components
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    Guard,
    Instruction,
    Program,
    Spawn,
    steps,
)
from duet.plip.terms import constant, formula_cells
from duet.plip.touched import touched, writes
from duet.records import dataclass

_COUNTING = 8
"""Cells by which a thread may share out references in loops; where more are asked for, the loops do other things."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was shown of a counter: where threads know what, and which commands find that they gave back the last one.

    The counter is `target` and `sign` times the number of references. `quiet` cells are 0 while there are any.
    """

    counter: str
    target: int
    sign: int
    known: Mapping[str, Mapping[int, Known]]
    finding: frozenset[int]
    quiet: frozenset[str]
    is_bounded: bool


def counted(program: Program) -> Iterator[str]:
    """The cells that may be counters of references: threads change them by a number, and ask what they have left."""
    changed: defaultdict[str, set[str]] = defaultdict(set)
    made: defaultdict[str, set[str]] = defaultdict(set)
    asked: set[str] = set()
    for command in program.commands:
        for step in steps(command.instruction):
            if isinstance(step, Guard):
                asked |= {cell for cell, _, _ in bounds(step.condition)}
            copied = copy_of(step)
            for cell in writes(step) if copied is not None else ():
                made[copied[0]].add(cell)  # type: ignore[index]  # there is one
                if is_plain(program, cell, None):
                    changed[cell].add(program.template_of[command.source])
    several = many(program)
    for cell, users in changed.items():
        copies = set(reached([cell], lambda it: made[it])) if len(users) > 1 or users & several else set[str]()
        if not asked.isdisjoint(copies) and any(cell in made[of] for of in copies):
            yield cell


def touching(program: Program) -> Mapping[str, Collection[int]]:
    """The commands that read or write each cell."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for index, command in enumerate(program.commands):
        for cell in touched((command,)):
            found[cell].append(index)
    return found


def found_references(program: Program, counter: str, using: Mapping[str, Collection[int]]) -> Iterator[Found]:
    """What is shown of a counter, for each way it may go and each target, by the commands that use each cell."""
    for sign in (1, -1):
        search = _Search(program, counter, sign, using)
        if search.hands_over():
            for target in sorted(search.targets):
                found = search.judged(target)
                if found is not None:
                    yield found


class _Search(Tried):
    """What the threads of a program show of a counter whose references are `sign` times it, less some number."""

    def __init__(self, program: Program, counter: str, sign: int, using: Mapping[str, Collection[int]]) -> None:
        super().__init__(program, counter, sign)
        self.using = using
        self.targets: set[int] = set()
        self.several = many(program)
        self._writers: defaultdict[str, set[str]] = defaultdict(set)
        for command in program.commands:
            for cell in writes(command.instruction):
                self._writers[cell].add(program.template_of[command.source])
        self._starters = {
            name: {
                step.template
                for index in template.commands
                for step in steps(program.commands[index].instruction)
                if isinstance(step, Spawn)
            }
            for name, template in program.templates.items()
        }
        first = self._setters()
        self.first = next(iter(first), program.main)
        self.is_refused = len(first) > 1 or not self.several.isdisjoint((self.first, program.main))
        self.is_refused |= any(program.templates[name].interrupts for name in self._writers[counter])
        self._tried = self._locks(), self._quiet()
        self.locks, self.quiet = self._tried
        self.guards = self.locks
        self.limits: list[tuple[int, int, int, int]] = []
        self.takes_more = False
        self.concerned = self._concerned()

    def _concerned(self) -> frozenset[int]:
        """The commands that may do more than go on, as far as the counter, locks and quiet cells are concerned."""
        commands = self.program.commands

        def copies(cell: str) -> Iterator[str]:
            for index in self.using.get(cell, ()):
                for step in steps(commands[index].instruction):
                    copied = copy_of(step)
                    yield from writes(step) if copied is not None and copied[0] == cell else ()

        cells = {*reached([self.counter], copies), *self.locks, *self.quiet}
        starting = (
            index
            for name in self._starters
            if self._starters[name]
            for index in self.program.templates[name].commands
            if any(isinstance(step, Spawn) for step in steps(commands[index].instruction))
        )
        return frozenset(index for cell in cells for index in self.using.get(cell, ())).union(starting)

    def _locks(self) -> frozenset[str]:
        """The globals that all who change the counter take as locks, but for who sets it."""
        users: defaultdict[str, set[str]] = defaultdict(set)
        for command in self.program.commands:
            lock = lock_taken(command)
            if lock is not None and is_plain(self.program, lock, None):
                users[lock].add(self.program.template_of[command.source])
        changing = self._writers[self.counter] - {self.first}
        return frozenset(lock for lock, by in users.items() if lock != self.counter and changing <= by)

    def _quiet(self) -> frozenset[str]:
        """The globals that are 0 at first, and that nobody sets to anything else but who may change the counter."""
        loud: set[str] = {self.counter}
        quiet: set[str] = set()
        for command in self.program.commands:
            for step in steps(command.instruction):
                for cell in () if is_zero(step) else writes(step):
                    is_own = self.program.template_of[command.source] in self._writers[self.counter]
                    (quiet if is_own and is_plain(self.program, cell, None) else loud).add(cell)
        cells = self.program.cells
        return frozenset(cell for cell in quiet - loud if cells[cell].lo == cells[cell].hi == 0)

    def _setters(self) -> Collection[str]:
        """The templates that write what is no number more or less to the counter."""
        return {
            self.program.template_of[command.source]
            for command in self.program.commands
            for step in steps(command.instruction)
            if self.counter in writes(step) and copy_of(step) is None
        }

    def hands_over(self) -> bool:
        """Whether it is known how many references each thread needs at first; the targets are those asked for."""
        names = [name for name in self.program.templates if name != self.first]
        for _ in range(len(names) + 1):
            needs = dict(self.needs)
            for name in filter(self._is_looked_at, names):
                if self.is_refused:
                    return False
                walk = _Walk(self, name, BEGIN)
                walk.judge()
                needs[name] = BEGIN - walk.lowest
                self.is_refused = walk.is_refused or needs[name] > NEEDS
            if needs == self.needs:
                _Walk(self, self.first, BEGIN).judge()
                return not self.is_refused and not (self.program.main != self.first and needs[self.program.main])
            self.needs = needs
        return False

    def hands_to(self, step: Instruction) -> bool:
        """Whether a step starts a thread that is given references."""
        return isinstance(step, Spawn) and self.needs[step.template] > 0

    def _is_looked_at(self, name: str) -> bool:
        """Whether threads of a template may change the counter, or how many references they have."""
        starts = self._starters[name]
        return name in self._writers[self.counter] or any(self.needs[other] for other in starts)

    def judged(self, target: int) -> Found | None:
        """What is shown if the counter has some target."""
        self.target = target
        self.locks, self.quiet = self._tried
        self.guards = self.locks
        for _ in range(2 * (len(self.locks) + len(self.quiet)) + 2):
            self.limits, self.takes_more = [], False
            before = self.locks, self.guards, self.quiet
            walks = {name: _Walk(self, name, self.needs[name]) for name in self._followed()}
            for walk in walks.values():
                walk.judge()
            self.guards &= self.locks
            if any(walk.is_refused for walk in walks.values()):
                return None
            if before == (self.locks, self.guards, self.quiet):
                return self._found(walks)
        return None

    def note(self, run: Run, held: frozenset[str]) -> None:
        """Notes what a command makes of the counter, and of what is taken for a lock, or quiet, while that is tried."""
        self.takes_more |= run.takes_more
        self.limits += run.limits
        self.locks -= run.spoiled
        self.quiet -= run.loud
        self.guards &= self.locks & held if run.is_changing else self.locks

    def _followed(self) -> Iterator[str]:
        """The templates that have to be looked at: of the counter, and of what its locks rest on."""
        for name in self.program.templates:
            if self._is_looked_at(name) or name == self.first or any(name in self._writers[it] for it in self.locks):
                yield name

    def _found(self, walks: Mapping[str, _Walk]) -> Found | None:
        assert self.target is not None
        finding = frozenset(index for walk in walks.values() for index in walk.finding)
        most = max(known.hi for known in walks[self.first].known.values())
        is_bounded = False
        if self.takes_more and self.limits:
            most, is_bounded = self._sum(walks)
        if not finding or not self._is_inside(most):
            return None
        known = {name: walk.known for name, walk in walks.items()}
        return Found(self.counter, self.target, self.sign, known, finding, self.quiet, is_bounded)

    def _sum(self, walks: Mapping[str, _Walk]) -> tuple[int, bool]:
        """How many references there are at most, and whether that is so of `THREADS` threads only."""
        most, is_bounded = 0, False
        for name, walk in walks.items():
            highest = max(known.hi for known in walk.known.values())
            if name in self.several and highest:
                is_bounded = True
                at_end = walk.known.get(self.program.templates[name].exit)
                highest = highest * THREADS if at_end is None or not at_end.hi else ANY
            most += highest
        return most, is_bounded

    def _is_inside(self, most: int) -> bool:
        """Whether what was computed with the counter always is inside of its range, with so many references."""
        return all(
            lo <= min(one, other) and max(one, other) <= hi
            for lo, hi, more, least in self.limits
            for one, other in [(self.at(least) + more, self.at(max(most, least)) + more)]
        )


class _Walk:
    """What the threads of a template know of a counter where they are, and what their commands make of it."""

    def __init__(self, search: _Search, name: str, first: int) -> None:
        self.search = search
        self.name = name
        self.template = search.program.templates[name]
        self.outgoing = by_source(search.program.commands[index] for index in self.template.commands)
        self.lowest = BEGIN
        self.finding: set[int] = set()
        self.is_refused = False
        self.counting = self._counting() if name == search.first else frozenset[str]()
        counting = {index for cell in self.counting for index in search.using.get(cell, ())}
        commands = search.program.commands
        self.concerned = {id(commands[index]) for index in search.concerned | counting}
        start = self._first(first)
        self.known = known_on_all_ways(self.template.entry, start, self._ways, following(self.outgoing))

    def _run(self, known: Known) -> Run:
        return Run(self.search, self.template, self.counting, known)

    def _counting(self) -> frozenset[str]:
        """The own cells that are looked at in loops which start threads that have references."""
        program, commands = self.search.program, [self.search.program.commands[i] for i in self.template.commands]
        starting = {it.source for it in commands if any(map(self.search.hands_to, steps(it.instruction)))}
        following_ = following(self.outgoing)
        parts = strong_components(list(self.outgoing), following_) if starting else ()
        inside = {it for part in parts if len(part) > 1 and not starting.isdisjoint(part) for it in part}
        asked = (
            formula_cells(step.condition)
            for command in commands
            if command.source in inside
            for step in steps(command.instruction)
            if isinstance(step, Guard)
        )
        found = frozenset(cell for cells in asked for cell in cells if is_plain(program, cell, self.name))
        return found if len(found) <= _COUNTING else frozenset()

    def _first(self, references: int) -> Known:
        search, copies = self.search, frozenset(((self.search.counter, 0),))
        is_main = self.name == search.program.main
        if self.name != search.first:
            most = references if search.target is not None else ANY
            return Known(references, most, is_alone=is_main, copies=copies)
        cell = search.program.cells[search.counter]
        known = Known(0, 0, True, False, is_main, copies=copies)
        return (
            search.set_to(known, constant(cell.lo)) if is_main and cell.lo is not None and cell.lo == cell.hi else known
        )

    def _ways(self, location: int, known: Known) -> Iterator[tuple[int, Known]]:
        for command in self.outgoing[location]:
            after = (
                self._run(known).behind(command)
                if id(command) in self.concerned
                else self.search.elsewhere(known, command, self.template)
            )
            if after is not None:
                yield command.target, after

    def judge(self) -> None:
        """Notes what the commands make of the counter, by what is known in front of them in the end."""
        for index in self.template.commands:
            command = self.search.program.commands[index]
            known = self.known.get(command.source)
            if known is None:
                continue
            if id(command) not in self.concerned:
                self.lowest = min(self.lowest, known.lo)
                continue
            run = self._run(known)
            if run.behind(command) is None:
                continue
            self.is_refused |= run.is_refused
            self.lowest = min(self.lowest, run.lowest)
            self.search.targets |= run.targets
            if self.search.target is not None:
                self.search.note(run, known.held)
            if run.is_finding:
                self.finding.add(index)
