"""Where rings go on: ghosts of indices that start over, which count on instead.

    tail = (tail + 1) % N;      if (++head == N) head = 0;      slots[ticket & (N - 1)]

An index of an array of `N` elements that starts over says less than the number of steps it has made. So a cell that
becomes such an index has a ghost, its position, that is congruent to it modulo `N`: it changes in the step in which
the cell does, by as much as the cell does before it starts over, and is set to the value of the cell where nothing is
known of that. Cells that never start over are their own positions.

The ghosts change nothing in what the program does. What they are guesses at how far indices have got; only that they
are congruent is for certain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import gcd
from typing import TypeAlias

from duet.frontend.graph.reach import reached
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Instruction,
    Linear,
    Operation,
    Program,
    Relation,
    Spawn,
    Step,
    steps,
)
from duet.plip.terms import (
    add,
    atom,
    compare,
    conjunction,
    constant,
    disjunction,
    negate,
    substitute,
    term_cells,
    variable,
)
from duet.plip.touched import writes

_MODULO = " modulo "
Way: TypeAlias = tuple[Step, ...]
MOST_WAYS = 6
"""Ways of one command to tell apart how positions go on; of more, positions start over instead."""


@dataclass(frozen=True)
class Positions:
    """The positions of indices of arrays of `count` elements, by their cells.

    Those in `rounds` start over at the count. A position is congruent to its cell modulo a multiple of that, too, by
    `moduli`; 0 where both are equal.
    """

    count: int
    ghosts: Mapping[str, str]
    rounds: frozenset[str]
    moduli: Mapping[str, int]

    def of(self, index: Linear) -> Linear:
        """A term that is congruent to an index."""
        return substitute(index, {cell: variable(ghost) for cell, ghost in self.ghosts.items()})

    def cells(self, cells: Mapping[str, Cell]) -> dict[str, Cell]:
        """The ghosts, which begin as their cells do."""
        return {
            ghost: replace(cells[cell], name=ghost, label=f"position of {cells[cell].label or cell}")
            for cell, ghost in self.ghosts.items()
        }

    def followed(self, command: Command) -> Iterator[Command]:
        """A command with the ghosts of what it writes and compares, as several ones where these tell ways apart."""
        instruction = command.instruction
        if isinstance(instruction, Assert):
            yield replace(command, instruction=replace(instruction, condition=self._asked(instruction.condition)))
            return
        if not isinstance(instruction, Atomic | Assign | Compute | Guard) and writes(instruction).isdisjoint(
            self.ghosts
        ):
            yield command
            return
        parts: list[Step] = list(steps(instruction))  # type: ignore[arg-type]  # these are or consist of steps
        ways = [list(self._ways(step)) for step in parts]
        found = list(product(*ways))
        if len(found) > MOST_WAYS:
            found = [tuple(self._starting_over(step) for step in parts)]
        for way in found:
            told = tuple(step for part in way for step in part)
            yield command if told == tuple(parts) else replace(command, instruction=Atomic(told))

    def _is_told(self, value: Linear) -> bool:
        """Whether a value is computed from one that has a position."""
        return not self.ghosts.keys().isdisjoint(term_cells(value))

    def _starting_over(self, step: Step) -> Way:
        """A step behind which the position of what it writes is what that is then."""
        more = (Assign(self.ghosts[cell], variable(cell)) for cell in sorted(writes(step)) if cell in self.ghosts)
        return (step, *more)

    def _ways(self, step: Step) -> Iterator[Way]:
        """What a step does, with the positions of what it writes."""
        match step:
            case Guard(condition):
                yield from self._compared(step, condition)
            case Assign(target, value) if target in self.ghosts and self._is_told(value):
                yield (Assign(self.ghosts[target], self.of(value)), step)
            case Assign(target, value) if target in self.ghosts and not value.terms:
                yield from self._set(step, target, value)
            case Compute(target, Operation.WRAP, (value, lo, hi)) if target in self.ghosts and self._is_told(value):
                moved = (Assign(self.ghosts[target], self.of(value)), step)
                if (hi.constant - lo.constant + 1) % self.count == 0:
                    yield moved
                else:
                    fits = conjunction((compare(value, ">=", lo), compare(value, "<=", hi)))
                    yield (Guard(fits), *moved)
                    yield (Guard(negate(fits)), *self._starting_over(step))
            case Compute(target) if target in self.ghosts and (taken := taken_modulo(step, self.count)) is not None:
                yield (Assign(self.ghosts[target], self.of(taken)), step)
            case _:
                yield self._starting_over(step)

    def _set(self, step: Step, target: str, value: Linear) -> Iterator[Way]:
        """A cell is set to a constant: one that was `count` more starts over, which does not change its position."""
        if target not in self.rounds:
            yield self._starting_over(step)
            return
        round_on = compare(variable(target), "==", add(value, constant(self.count)))
        yield (Guard(round_on), step)
        yield (Guard(negate(round_on)), step, Assign(self.ghosts[target], value))

    def _compared(self, step: Guard, condition: Formula) -> Iterator[Way]:
        """Two cells that differ have different positions, if they are less than what these are congruent modulo."""
        unequal = [
            part
            for part in (condition.parts if isinstance(condition, And) else (condition,))
            if isinstance(part, Atom) and (pair := compared(part)) and not self.ghosts.keys().isdisjoint(pair)
        ]
        inside = self._inside(unequal[0].term) if len(unequal) == 1 else None
        if inside is None:
            yield (step,)
            return
        yield (step, Guard(inside), Guard(atom(self.of(unequal[0].term), Relation.NE)))
        yield (step, Guard(negate(inside)))

    def _asked(self, condition: Formula) -> Formula:
        """What a check asks: two cells that have one position are equal, if they are less than as in `_compared`."""
        pair = alike(condition)
        inside = self._inside(condition.term) if pair and isinstance(condition, Atom) else None
        if inside is None or not isinstance(condition, Atom) or self.ghosts.keys().isdisjoint(pair):
            return condition
        same = conjunction((inside, atom(self.of(condition.term), Relation.EQ)))
        return disjunction((condition, same))

    def _inside(self, term: Linear) -> Formula | None:
        """That the cells of a term are less than what their positions are congruent modulo; None if that is nothing."""
        modulus = gcd(*(self.moduli.get(cell, 0) for cell, _ in term.terms))
        if not modulus:
            return None
        ends = ((">=", constant(0)), ("<", constant(modulus)))
        return conjunction(compare(variable(cell), *end) for cell, _ in term.terms for end in ends)


def begun_alike(program: Program) -> Program:
    """The program in which positions begin with what their cells begin with."""
    cells = {
        name: replace(cell, lo=of.lo, hi=of.hi) if (of := program.cells.get(_cell_of(name))) is not None else cell
        for name, cell in program.cells.items()
    }
    return replace(program, cells=cells)


def _cell_of(ghost: str) -> str:
    """The cell of which another one has the position, none for what is no position."""
    return ghost.rpartition(_MODULO)[0]


def compared(part: Formula) -> tuple[str, ...]:
    """Two cells that a condition says to be unequal, if it does."""
    match part:
        case Atom(Linear(((one, 1), (other, -1)), 0), Relation.NE):
            return (one, other)
        case _:
            return ()


def alike(condition: Formula) -> tuple[str, ...]:
    """Two cells that a condition says to be equal, if it says nothing else."""
    match condition:
        case Atom(Linear(((one, 1), (other, -1)), 0), Relation.EQ):
            return (one, other)
        case _:
            return ()


def taken_modulo(step: Step, count: int) -> Linear | None:
    """The value to which the result of a step is congruent modulo a count, if it is taken modulo a multiple of that."""
    match step:
        case Compute(_, Operation.MOD, (value, Linear((), divisor))) if divisor and divisor % count == 0:
            return value
        case Compute(_, Operation.AND, (Linear((), mask), value) | (value, Linear((), mask))):
            return value if mask >= 0 and mask & (mask + 1) == 0 and (mask + 1) % count == 0 else None
        case _:
            return None


def positions(
    commands: Iterable[Command], cells: Mapping[str, Cell], count: int, indices: Iterable[str]
) -> Positions | None:
    """The positions of the cells that some indices come from; None where none of them starts over."""
    made = _Made(count, cells)
    for command in commands:
        made.look_at(command.instruction)
    sources = set(reached(made.compared.union(indices), lambda cell: made.sources[cell]))
    of_indices = set(reached(indices, lambda cell: made.sources[cell]))
    rounds = {cell for cell in of_indices if made.starts_over(cell)}
    divided = reached(of_indices & made.modulo, lambda cell: made.sources[cell])
    seeds = rounds | (of_indices & made.modulo) | set(filter(made.runs_freely, divided))
    moved = set(reached(seeds, lambda cell: made.successors[cell])) & sources
    fitting = {cell for cell in moved if _is_fitting(cells[cell])} - made.passed
    if not seeds & fitting:
        return None
    ghosts = {cell: f"{cell}{_MODULO}{count}" for cell in sorted(fitting)}
    return Positions(count, ghosts, frozenset(rounds & fitting), made.congruent(rounds & fitting))


def counters(commands: Iterable[Command], cells: Mapping[str, Cell], indices: Iterable[str]) -> frozenset[str]:
    """The cells that some indices come from and that are computed from themselves."""
    made = _Made(1, cells)
    for command in commands:
        made.look_at(command.instruction)
    found = reached(indices, lambda cell: made.sources[cell])
    return frozenset(cell for cell in found if cell in made.around(cell))


def _is_fitting(cell: Cell) -> bool:
    return not cell.summary and cell.lo is not None and cell.lo == cell.hi


@dataclass
class _Made:
    """Where cells get their values from: their `sources`, and which are taken modulo a count.

    `moduli` has the greatest common divisors of all that cells are taken modulo, `wrapped` those that wrap around.
    `lowered` are those that something is taken from, `fixed` those that are set to a constant, `asked` those that
    conditions compare with the count, `compared` with each other. Those that are `passed` are set where threads begin.
    """

    count: int
    cells: Mapping[str, Cell]
    sources: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    successors: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    modulo: set[str] = field(default_factory=set)
    moduli: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    wrapped: set[str] = field(default_factory=set)
    lowered: set[str] = field(default_factory=set)
    fixed: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    compared: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)

    def look_at(self, instruction: Instruction) -> None:
        if isinstance(instruction, Spawn):
            self.passed |= writes(instruction)
        for step in steps(instruction):
            match step:
                case Assign(target, value):
                    self._comes_from(target, value)
                case Compute(target, Operation.WRAP, (value, lo, hi)):
                    size = hi.constant - lo.constant + 1
                    if size % self.count == 0:
                        self.wrapped.add(target)
                        self.moduli[target] = gcd(self.moduli[target], size)
                    self._comes_from(target, value)
                case Compute(target) if (taken := taken_modulo(step, self.count)) is not None:
                    self.modulo.add(target)
                    self.moduli[target] = self.count
                    self._comes_from(target, taken)
                case Guard(condition):
                    for part in condition.parts if isinstance(condition, And) else (condition,):
                        self._look_at_condition(part)
                case Assert(condition):
                    self.compared.update(alike(condition))
                case _:
                    continue

    def _comes_from(self, target: str, value: Linear) -> None:
        if not value.terms:
            self.fixed.add(target)
        for cell, factor in value.terms:
            self.sources[target].add(cell)
            self.successors[cell].add(target)
            if factor < 0 or value.constant < 0:
                self.lowered.add(target)

    def _look_at_condition(self, part: Formula) -> None:
        self.compared.update(compared(part))
        match part:
            case Atom(Linear(((cell, 1 | -1),), end)) if abs(end) in (self.count, self.count - 1):
                self.asked.add(cell)
            case _:
                return

    def congruent(self, rounds: Iterable[str]) -> Mapping[str, int]:
        """Modulo what positions are congruent to their cells, where `rounds` start over at the count."""
        found = {**self.moduli, **dict.fromkeys(rounds, self.count)}
        work = list(found)
        while work:
            cell = work.pop()
            for other in self.successors[cell]:
                if (both := gcd(found.get(other, 0), found[cell])) != found.get(other, 0):
                    found[other] = both
                    work.append(other)
        return found

    def around(self, cell: str) -> set[str]:
        """The cells that one is computed from, and that are computed from it."""
        onwards = set(reached(self.successors[cell], lambda it: self.successors[it]))
        return onwards & set(reached(self.sources[cell], lambda it: self.sources[it]))

    def runs_freely(self, cell: str) -> bool:
        """Whether a cell counts, and wraps around at a multiple of the count."""
        around = self.around(cell)
        return cell in around and not around.isdisjoint(self.wrapped)

    def starts_over(self, cell: str) -> bool:
        """Whether a shared cell only ever grows until it has come to the count, and is set to a constant then."""
        if cell not in self.fixed:
            return False
        around = self.around(cell)
        is_shared = any(self.cells[it].template is None for it in around)
        return is_shared and around.isdisjoint(self.lowered) and not self.asked.isdisjoint((cell, *around))
