"""Numbers that go around, counted on: `head - tail` says more of two counters than each of them does.

    if (head - tail == N) return; slots[head % N] = x; head++;        if (head == tail) return; ... tail++;

Indices of rings are often unsigned numbers that are raised for ever. Each of them takes all values of its type; what
bounds the number of elements is that one is never far in front of the other. So such counters go on without starting
over here: a cell holds some number that is congruent to the one in C, modulo the size of the type `M`.

*Counters* are globals that wrap around modulo `M` and get their values from themselves; with them go the cells on the
way, and copies. All that is written to one of them is such a number, a sum that wraps around, or a constant of the
type, and all that is asked of one is the same for congruent numbers: sums and differences that wrap around modulo a
divisor of `M`, remainders by one, whether two are equal, or one a constant. What an assertion asks is asked of the
numbers in C. Counters stay as they are if anything else is made of them, or if no two of them are ever compared.

Each step is replaced by one that does the same to the numbers in C, so that the executions are those of before.
*Source*: none; a number that wraps around is a class of integers. *Approximates*: nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, product

import networkx as nx

from duet.plip.renamed import renamed
from duet.plip.syntax import (
    FALSE,
    TRUE,
    And,
    Assert,
    Assign,
    Atom,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Linear,
    Operation,
    Program,
    Relation,
    Step,
    Template,
    steps,
    together,
)
from duet.plip.terms import atom, atoms, constant, formula_cells, map_atoms, substitute, term_cells, variable
from duet.plip.touched import reads, writes

SIZES = (1 << 8, 1 << 16, 1 << 32, 1 << 64)
"""What unsigned numbers are congruent modulo."""
EQUALITIES = 2
"""So many equalities of counters in one command are told apart by whether the counters are equal without wrapping."""
_MARK = "counted on"
Way = tuple[Step, ...]


def with_counting_on(program: Program, sizes: Iterable[int] = SIZES) -> Program:
    """The program in which counters that are compared go on where they would start over; it has the same executions."""
    wrapped = {_size_of(step) for command in program.commands for step in steps(command.instruction)}
    for size in sizes:
        counters = _Numbers(program, size).counters() if size in wrapped else None
        if counters:
            program = _Counted(program, size, counters).told()
    return program


def _size_of(step: Instruction) -> int | None:
    """The size of the unsigned numbers that a step wraps one around to; None for anything else."""
    match step:
        case Compute(_, Operation.WRAP, (_, Linear((), 0), Linear((), hi))):
            return hi + 1
        case _:
            return None


def _copied(step: Instruction) -> str | None:
    """The cell that a step copies, if it does nothing else."""
    match step:
        case Assign(_, Linear(((cell, 1),), 0)):
            return cell
        case _:
            return None


def _modulus(step: Compute) -> int | None:
    """Modulo what a step computes a number that is the same for congruent ones; None for other operations."""
    match step:
        case Compute(_, Operation.WRAP, (_, Linear((), lo), Linear((), hi))):
            return hi - lo + 1
        case Compute(_, Operation.AND, (Linear((), mask), _) | (_, Linear((), mask))):
            return mask + 1 if mask > 0 and not mask & (mask + 1) else None
        case Compute(_, Operation.MOD, (Linear(((_, 1),), 0), Linear((), divisor))) if divisor > 1:
            return divisor
        case _:
            return None


def _is_equality(part: Atom, numbers: frozenset[str], size: int) -> bool:
    """Whether an atom asks whether two of some numbers are equal, or one is equal to a constant of the type."""
    if part.relation is Relation.LE or not term_cells(part.term) <= numbers:
        return False
    match part.term:
        case Linear(((_, 1), (_, -1)) | ((_, -1), (_, 1)), 0):
            return True
        case Linear(((_, 1 | -1 as k),), offset):
            return 0 <= -k * offset < size
        case _:
            return False


def _settled(condition: Formula, numbers: frozenset[str], size: int) -> Formula:
    """A condition without what holds of all numbers of a type, or of none."""

    def told(part: Atom) -> Formula:
        match part:
            case Atom(Linear(((cell, k),), offset), Relation.LE) if cell in numbers:
                ends = (offset, k * (size - 1) + offset)
                return TRUE if max(ends) <= 0 else FALSE if min(ends) > 0 else part
            case _:
                return part

    return map_atoms(condition, told)


def _told(program: Program) -> Iterator[str]:
    """The cells of which more is said than what commands do with them."""
    for template in program.templates.values():
        yield from template.parameters
        yield from template.apart.made if template.apart is not None else ()
    for command in program.commands:
        for access in command.accesses:
            yield from (cell for cell, _ in access.bytes.terms) if access.bytes is not None else ()


class _Numbers:
    """The cells of a program that hold numbers modulo a size, by what is written to them and asked of them."""

    def __init__(self, program: Program, size: int) -> None:
        self.program = program
        self.size = size
        self.steps = [step for command in program.commands for step in steps(command.instruction)]
        self.written: defaultdict[str, list[Instruction]] = defaultdict(list)
        for step in self.steps:
            for cell in writes(step):
                self.written[cell].append(step)

    def counters(self) -> frozenset[str]:
        """The cells that are to count on, none where this tells nothing."""
        numbers = self._whole()
        while True:
            cores = self._cores(numbers)
            found = self._with_copies(cores, numbers)
            spoilt = {cell for step in self.steps for cell in self._spoilt(step, found)}
            if not spoilt:
                break
            numbers -= spoilt
        return frozenset(self._compared(cores, found))

    def _whole(self) -> frozenset[str]:
        """The cells to which nothing is written but numbers of the type, and of which nothing else is said."""
        told = set(_told(self.program))
        found = {
            name
            for name, cell in self.program.cells.items()
            if name in self.written and name not in told and not cell.summary and self._is_inside(cell.lo, cell.hi)
        }
        while True:
            left = {name for name in found if all(self._is_number(step, found) for step in self.written[name])}
            if left == found:
                return frozenset(found)
            found = left

    def _is_inside(self, lo: int | None, hi: int | None) -> bool:
        return lo is not None and hi is not None and lo >= 0 and hi < self.size

    def _is_number(self, step: Instruction, numbers: set[str]) -> bool:
        """Whether what a step writes is a number of the type, or congruent to one."""
        match step:
            case Assign(_, Linear((), value)):
                return self._is_inside(value, value)
            case Assign():
                return _copied(step) in numbers
            case Havoc(_, lo, hi):
                return self._is_inside(lo, hi)
            case Compute(_, Operation.WRAP, (_, Linear((), lo), Linear((), hi))):
                return self._is_inside(lo, hi)
            case _:
                return False

    def _sources(self, step: Instruction, numbers: frozenset[str]) -> frozenset[str]:
        """The numbers from which a step computes one."""
        copied = _copied(step) if isinstance(step, Assign) else None
        if copied is not None:
            return frozenset((copied,)) & numbers
        if isinstance(step, Compute) and _size_of(step) == self.size:
            return term_cells(step.arguments[0]) & numbers
        return frozenset()

    def _graph(self, numbers: frozenset[str]) -> nx.DiGraph[str]:
        """Which numbers are computed from which."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(sorted(numbers))
        for cell in sorted(numbers):
            for step in self.written[cell]:
                graph.add_edges_from((source, cell) for source in sorted(self._sources(step, numbers)))
        return graph

    def _cores(self, numbers: frozenset[str]) -> list[frozenset[str]]:
        """The sets of numbers that are computed from themselves and wrap around, a global among them."""
        graph = self._graph(numbers)
        found = []
        for part in nx.strongly_connected_components(graph):
            is_cyclic = len(part) > 1 or any(graph.has_edge(cell, cell) for cell in part)
            is_shared = any(self.program.cells[cell].template is None for cell in part)
            counts = (step for cell in part for step in self.written[cell] if isinstance(step, Compute))
            wraps = any(_size_of(step) == self.size and not part.isdisjoint(reads(step)) for step in counts)
            if is_cyclic and is_shared and wraps:
                found.append(frozenset(part))
        return sorted(found, key=sorted)

    def _with_copies(self, cores: Sequence[frozenset[str]], numbers: frozenset[str]) -> frozenset[str]:
        """The counters with the cells that copy one, give or take a constant."""
        found = set[str]().union(*cores)
        while True:
            more = {cell for cell in numbers - found if any(self._copied(step) in found for step in self.written[cell])}
            if not more:
                return frozenset(found)
            found |= more

    def _copied(self, step: Instruction) -> str | None:
        """The cell that a step copies, give or take a constant."""
        match step:
            case Compute(_, Operation.WRAP, (Linear(((cell, 1),)), *_)) if _size_of(step) == self.size:
                return cell
            case _:
                return _copied(step)

    def _spoilt(self, step: Instruction, found: frozenset[str]) -> Iterator[str]:
        """The counters of which a step makes something else."""
        match step:
            case Assign(_, value):
                is_told = not term_cells(value) & found or _copied(step) is not None
                yield from () if is_told else term_cells(value) & found
            case Compute() if self._is_told(step, found):
                return
            case Guard(given, 0):
                condition = _settled(given, found, self.size)
                parts = condition.parts if isinstance(condition, And) else (condition,)
                asked = [part for part in parts if not formula_cells(part).isdisjoint(found)]
                for part in asked:
                    if not (isinstance(part, Atom) and _is_equality(part, found, self.size)):
                        yield from formula_cells(part) & found
                if len(asked) > EQUALITIES:
                    yield from formula_cells(condition) & found
            case Assert():
                return
            case _:
                yield from reads(step) & found

    def _is_told(self, step: Compute, found: frozenset[str]) -> bool:
        """Whether a step computes something that is the same for congruent numbers."""
        if reads(step).isdisjoint(found):
            return True
        modulus = _modulus(step)
        return modulus is not None and self.size % modulus == 0

    def _compared(self, cores: Sequence[frozenset[str]], found: frozenset[str]) -> frozenset[str]:
        """The counters that are compared with other ones, and their copies."""
        graph = self._graph(found)
        below = {cell: nx.ancestors(graph, cell) | {cell} for cell in found}
        met: set[int] = set()
        for step in self.steps:
            for one, other in self._pairs(step, found):
                left, right = (
                    {number for number, core in enumerate(cores) if not core.isdisjoint(below[cell])}
                    for cell in (one, other)
                )
                if left and right and left != right:
                    met |= left | right
        told = set[str]().union(*(core for number, core in enumerate(cores) if number in met))
        return self._with_copies([frozenset(told)], found) if told else frozenset()

    def _pairs(self, step: Instruction, found: frozenset[str]) -> Iterator[tuple[str, str]]:
        """The counters that a step takes from each other, or compares."""
        terms: Iterable[Linear] = ()
        match step:
            case Compute(_, Operation.WRAP, (term, *_)):
                terms = (term,)
            case Guard(condition):
                terms = (part.term for part in atoms(condition))
            case _:
                return
        for term in terms:
            told = [(cell, k) for cell, k in term.terms if cell in found]
            yield from ((one, other) for one, k in told for other, j in told if k == -j == 1)


@dataclass
class _Counted:
    """A program in which some counters go on; `names` are those of its `own` cells that do, by the ones before."""

    program: Program
    size: int
    counters: frozenset[str]
    names: Mapping[str, str] = field(init=False)
    own: frozenset[str] = field(init=False)
    differences: dict[str, Cell] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = {cell: f"{cell} {_MARK}" for cell in sorted(self.counters)}
        self.own = frozenset(self.names.values())

    def told(self) -> Program:
        """The program."""
        locations = count(1 + max(self.program.template_of))
        commands: list[Command] = []
        templates: dict[str, Template] = {}
        for name, template in self.program.templates.items():
            first, inside = len(commands), set(template.atomic)
            for index in template.commands:
                commands += self._commands(name, self.program.commands[index], locations, inside)
            indices = tuple(range(first, len(commands)))
            templates[name] = replace(template, commands=indices, atomic=frozenset(inside))
        cells = {name: cell for name, cell in self.program.cells.items() if name not in self.counters}
        for cell, name in self.names.items():
            found = self.program.cells[cell]
            cells[name] = replace(found, name=name, label=f"{found.label or cell} ({_MARK})")
        return replace(self.program, cells={**cells, **self.differences}, templates=templates, commands=tuple(commands))

    def _commands(
        self, template: str, command: Command, locations: Iterator[int], inside: set[int]
    ) -> Iterator[Command]:
        """What takes the place of a command; new locations are inside of what nobody else moves in."""
        instruction = command.instruction
        if (reads(instruction) | writes(instruction)).isdisjoint(self.counters):
            yield command
            return
        if isinstance(instruction, Assert):
            condition, first = self._asserted(template, instruction.condition)
            place = next(locations)
            inside.add(place)
            yield replace(command, target=place, instruction=together(first))
            asserting = replace(instruction, condition=condition)
            yield replace(command, source=place, instruction=asserting, accesses=())
            return
        parts: list[Step] = list(steps(instruction))  # type: ignore[arg-type]  # no other instruction reads a counter
        for way in product(*(list(self._ways(template, step)) for step in parts)):
            yield replace(command, instruction=together([step for part in way for step in part]))

    def _ways(self, template: str, step: Step) -> Iterator[Way]:
        """What a step does to the cells that count on."""
        is_told = bool(reads(step) & self.counters)
        if isinstance(step, Guard):
            step = replace(step, condition=_settled(step.condition, self.counters, self.size))
        new: Step = renamed(step, self.names)  # type: ignore[assignment]  # a step stays one
        match new:
            case Guard(condition) if is_told:
                yield from self._asked(template, condition)
            case Assign(target, value) if is_told and target not in self.own:
                yield (self._wrapped(target, value),)
            case Compute(target, _, (value, *_)) if is_told and target in self.own and _size_of(step) == self.size:
                yield (Assign(target, value),)
            case Compute(target, Operation.MOD, (value, Linear((), divisor))) if is_told:
                yield (Compute(target, Operation.AND, (value, constant(divisor - 1))),)
            case _:
                yield (new,)

    def _wrapped(self, target: str, value: Linear) -> Compute:
        return Compute(target, Operation.WRAP, (value, constant(0), constant(self.size - 1)))

    def _asked(self, template: str, condition: Formula) -> Iterator[Way]:
        """What a condition on counters asks of cells that count on: equal ones, or ones that differ by rounds."""
        parts = condition.parts if isinstance(condition, And) else (condition,)
        ways: list[list[Way]] = []
        for part in parts:
            if not isinstance(part, Atom) or formula_cells(part).isdisjoint(self.own):
                ways.append([(Guard(part),)])
                continue
            difference = self._difference(template)
            rounds = (self._wrapped(difference, part.term), Guard(atom(variable(difference), part.relation)))
            apart = Guard(atom(part.term, Relation.NE))
            ways.append([(Guard(part),), (apart, *rounds)] if part.relation is Relation.EQ else [(apart, *rounds)])
        for way in product(*ways):
            yield tuple(step for part in way for step in part)

    def _difference(self, template: str, name: str = "difference") -> str:
        """A cell of a template for a number in C."""
        cell = f"${template} {name} {self.size}"
        self.differences[cell] = Cell(cell, template, False, 0, 0)
        return cell

    def _asserted(self, template: str, condition: Formula) -> tuple[Formula, list[Step]]:
        """What an assertion says of cells that hold the numbers in C, and the steps that set these."""
        found: dict[Linear, str] = {}

        def number(term: Linear) -> Linear:
            if term not in found:
                found[term] = self._difference(template, f"number {len(found)}")
            return variable(found[term])

        def told(part: Atom) -> Formula:
            if term_cells(part.term).isdisjoint(self.counters):
                return part
            if _is_equality(part, self.counters, self.size):
                return atom(number(part.term), part.relation)
            return atom(
                substitute(part.term, {cell: number(variable(cell)) for cell in term_cells(part.term) & self.counters}),
                part.relation,
            )

        result = map_atoms(condition, told)
        first = [self._wrapped(cell, term) for term, cell in found.items()]
        return result, [renamed(step, self.names) for step in first]  # type: ignore[misc]  # steps stay steps
