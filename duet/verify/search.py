"""Backward search over cubes: a check is proved if no execution leads from the start to its failure.

*Source*: thesis Alg. 5 and Prop. 5.3.17, over cubes with covering by unions.

Soundness. Take an execution that fails, and go back from its failure. The state in which the check is about to fail is
in one of the first cubes. If a state is in the union of what was visited, so is the one before it: either the thread
that moved is one that `Steps.before` looks at, then the cube of the state before was visited, covered by the union, or
left out since no execution meets it (`Facts`), which this one does; or the state before is in the same cube. So the
first state is in a cube, too; but a cube in which an execution may start ends the search without a proof. Nothing rests
on guesses: they are treated as any other cube, and a cube that is not covered by what was guessed for it is visited.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from duet.deadline import Deadline
from duet.plip.syntax import Assert, Atom, Program
from duet.plip.terms import compare, constant, variable
from duet.result import Check
from duet.verify.before import Steps
from duet.verify.covering import Union
from duet.verify.cube import Cube, own
from duet.verify.facts import Facts
from duet.verify.guess import candidates, parts, simplest
from duet.verify.tables import Tables

_MOST_THREADS = 4
_MOST_CUBES = 100_000  # that are met on the way, so that the search has an end without a limit on time, too
_MOST_GUESSES = 16  # of which the one is taken that leaves least to be shown


@dataclass(frozen=True, slots=True)
class Proof:
    """The cubes that an execution would have to pass to fail a check; none can be entered from the start.

    `queries` is how many questions to z3 it took to find them.
    """

    check: Check
    cubes: tuple[Cube, ...]
    queries: int = 0


def proof(
    program: Program, check: Check, facts: Facts, deadline: Deadline, tables: Tables | None = None
) -> Proof | None:
    """A proof that a check never fails; None if none was found. *Requires*: the program is well-formed.

    With `tables` the search goes on from larger cubes that no state in them is in. Where an execution may start in what
    leads there, the guess nearest to the start is given up and the search begins anew.
    """
    search = _Search(program, check, facts, deadline, tables)
    while deadline.left > 0:
        found = search.run()
        if isinstance(found, Proof) or found is None:
            return found
        search.blamed.add(found)
    return None


@dataclass
class _Search:
    program: Program
    check: Check
    facts: Facts
    deadline: Deadline
    tables: Tables | None = None
    blamed: set[Cube] = field(default_factory=set)
    visited: Union = field(default_factory=Union)
    _work: list[tuple[int, int, int, Cube]] = field(default_factory=list)
    _seen: set[Cube] = field(default_factory=set)
    _parent: dict[Cube, Cube] = field(default_factory=dict)
    _guessed: set[Cube] = field(default_factory=set)
    _steps: Steps = field(init=False)
    _before: dict[Cube, tuple[Cube, ...]] = field(default_factory=dict)
    _candidates: dict[Cube, list[Cube]] = field(default_factory=dict)
    _larger: dict[Cube, tuple[Cube, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._steps = Steps(self.program)

    def run(self) -> Proof | Cube | None:
        """A proof, the guess to give up, or None where there is no proof or no time."""
        for kept in (self.visited.cubes, self._work, self._seen, self._parent, self._guessed):
            kept.clear()
        for index, command in enumerate(self.program.commands):
            if isinstance(command.instruction, Assert) and command.instruction.check == self.check:
                self._later(self._steps.failing(index), None)
        while self._work:
            if self.deadline.left <= 0 or len(self._seen) > _MOST_CUBES:
                return None
            *_, cube = heappop(self._work)
            if self.visited.covers(cube, self.facts.of(cube)):
                continue
            if len(cube.locations) > _MOST_THREADS or self._is_initial(cube):
                return self._culprit(cube)
            for found in self._guess(cube):
                if found != cube:
                    if self._is_initial(found):
                        return found
                    self._guessed.add(found)
                    if cube in self._parent:
                        self._parent.setdefault(found, self._parent[cube])
                self._visit(found)
            if not self.visited.covers(cube, ()):
                self._visit(cube)
        return Proof(self.check, tuple(self.visited.cubes), self.visited.queries)

    def _visit(self, cube: Cube) -> None:
        self.visited.add(cube)
        self._later(self._predecessors(cube), cube)

    def _guess(self, cube: Cube) -> tuple[Cube, ...]:
        """Cubes of whose union a cube is part: larger ones that may be out of reach, or itself."""
        if self.tables is None:
            return (cube,)
        if cube not in self._larger or not self.blamed.isdisjoint(self._larger[cube]):
            if cube not in self._candidates:
                self._candidates[cube] = candidates(cube, self.tables, self._is_initial)
            left = [larger for larger in self._candidates[cube] if larger not in self.blamed]
            best = min(simplest(left, _MOST_GUESSES), key=self._open_before, default=cube)
            split = parts(cube, self.tables) if best == cube else ()
            self._larger[cube] = split if split and self.blamed.isdisjoint(split) else (best,)
        return self._larger[cube]

    def _open_before(self, guess: Cube) -> int:
        """How much a guess leaves to be shown: the predecessors that are not covered, larger ones counted more."""
        count = 0
        for cube in self._predecessors(guess):
            if not self.facts.excludes(cube) and not self.visited.covers(cube, self.facts.of(cube), (guess,)):
                count += 3 if len(cube.locations) > len(guess.locations) else 1
        return count

    def _predecessors(self, cube: Cube) -> tuple[Cube, ...]:
        if cube not in self._before:
            self._before[cube] = tuple(self._steps.before(cube))
        return self._before[cube]

    def _culprit(self, cube: Cube) -> Cube | None:
        """The guess nearest to a cube on the way to the failure; None if there is none."""
        passed: set[Cube] = set()
        at: Cube | None = cube
        while at is not None and at not in passed:
            if at in self._guessed and at not in self.blamed:
                return at
            passed.add(at)
            at = self._parent.get(at)
        return None

    def _later(self, cubes: Iterable[Cube], after: Cube | None) -> None:
        for cube in cubes:
            if cube not in self._seen and not self.facts.excludes(cube):
                self._seen.add(cube)
                if after is not None:
                    self._parent.setdefault(cube, after)
                heappush(self._work, (len(cube.locations), len(cube.literals), len(self._seen), cube))

    def _is_initial(self, cube: Cube) -> bool:
        """Whether an execution may start in a cube."""
        entry = self.program.templates[self.program.main].entry
        if cube.locations not in ((), (entry,)):
            return False
        return self.visited.is_possible((*cube.literals, *self._initial()))

    def _initial(self) -> list[Atom]:
        """The bounds of the initial values of the globals and of the cells of main."""
        found: list[Atom] = []
        for cell in self.program.cells.values():
            if cell.summary or cell.template not in (None, self.program.main):
                continue
            term = variable(cell.name if cell.template is None else own(cell.name, 0))
            bounds = [] if cell.lo is None else [compare(term, ">=", constant(cell.lo))]
            bounds += [] if cell.hi is None else [compare(term, "<=", constant(cell.hi))]
            found += [bound for bound in bounds if isinstance(bound, Atom)]
        return found
