"""Parts of words: ghosts that hold some bits of a cell, so that what is known of these is not lost in the number.

    while (fetch_or(&head, 1) & 1) ;      a lock in the lowest bit of a word
    flags |= READY;  if (flags & READY)   a flag among others
    s.whole = s.level << 8 | s.kind       members of a union

Numeric domains know of `head` that it lies in some range, and nothing of its lowest bit. Where a step takes bits out of
a cell, these have a ghost of their own, which each step that writes the cell sets to what they are then: bits of what
it copies, of constants, of numbers that are put side by side. Where that cannot be said, the ghost becomes any number
of as many bits. What is taken out is then equal to the ghost, and a guard says so; one that says that the cell is a
constant says it of the ghosts, too. For every execution of before there is one in which each ghost is always what it
stands for: there, the guards are no conditions. And each execution of the program with ghosts is one of before.

Bits are those of the infinite two's complement: part `(low, size)` of v is `floor(v / 2**low) mod 2**size`.

*Approximates*: a program in which too many parts would be followed stays as it is. So does a cell of which nothing
is ever put together or changed by bits: what its own value says of them is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import networkx as nx

from duet.frontend.judgments.word_bits import Bits, size_of, step_bits, term_bits, word_bits
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
    Havoc,
    Instruction,
    Linear,
    Lookup,
    Operation,
    Program,
    Relation,
    Spawn,
    Step,
    steps,
    together,
)
from duet.plip.terms import (
    add,
    compare,
    conjunction,
    constant,
    formula_cells,
    map_atoms,
    scale,
    substitute,
    term_cells,
    variable,
)
from duet.plip.touched import reads, writes

MOST = 160
"""Ghosts of a program beyond which it stays as it is."""
COMMANDS = 3_000
"""Commands of a program beyond which it stays as it is."""
ROUNDS = 8
"""So often parts are divided where others end."""
_TAKING = (Operation.AND, Operation.SHR, Operation.DIV, Operation.MOD, Operation.WRAP)
_BY_BITS = (Operation.AND, Operation.OR, Operation.XOR)


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """`size` bits of a cell from bit `low` on."""

    cell: str
    low: int
    size: int

    @property
    def ghost(self) -> str:
        return f"{self.cell}:bits {self.low}+{self.size}"


Definition: TypeAlias = Assign | Havoc | Compute | Lookup


def with_word_parts(program: Program) -> Program:
    """The program with ghosts for parts of cells; the same executions."""
    if len(program.commands) > COMMANDS or not _has_bits(program):
        return program
    words = _Words(program, word_bits(program))
    for _ in range(ROUNDS):
        before = words.count
        taken = _taken(program, words)
        wanted = _wanted(words, taken)
        if words.count == before:
            break
    else:
        return program
    if not wanted or len(wanted) > MOST:
        return program
    cells = {**program.cells, **{part.ghost: _ghost(words, part) for part in sorted(wanted)}}
    parts: dict[str, list[Part]] = defaultdict(list)
    for part in sorted(wanted):
        parts[part.cell].append(part)
    rewriter = _Rewriter(words, parts, {step: term for step, term in taken.items() if _parts_in(term, words) <= wanted})
    commands = _read_only({part.ghost for part in wanted}, [rewriter.rewritten(it) for it in program.commands])
    left = frozenset().union(*(reads(it.instruction) | writes(it.instruction) for it in commands))
    return replace(program, cells={k: v for k, v in cells.items() if k in program.cells or k in left}, commands=commands)


def _read_only(ghosts: set[str], commands: Sequence[Command]) -> tuple[Command, ...]:
    """The commands without those ghosts that nothing reads."""
    found = tuple(commands)
    while unread := ghosts - frozenset().union(*(reads(command.instruction) for command in found)):
        ghosts = ghosts - unread
        found = tuple(_without(unread, command) for command in found)
    return found


def _without(ghosts: set[str], command: Command) -> Command:
    if ghosts.isdisjoint(writes(command.instruction)):
        return command
    kept: list[Step] = [step for step in steps(command.instruction) if ghosts.isdisjoint(writes(step))]  # type: ignore[misc]
    return replace(command, instruction=together(kept))


def _has_bits(program: Program) -> bool:
    """Whether a step of the program takes bits of a number by itself."""
    return any(
        isinstance(step, Compute) and step.operation in _TAKING and step.operation is not Operation.WRAP
        for command in program.commands
        for step in steps(command.instruction)
    )


@dataclass(slots=True)
class _Words:
    """What parts of numbers are, as terms over cells and ghosts; `asked` are the ghosts that terms were made of."""

    program: Program
    bits: Bits
    definitions: Mapping[str, Sequence[Definition]] = field(init=False)
    ghosts: dict[str, Part] = field(default_factory=dict)
    ends: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Where parts of a cell that were asked for begin and end: larger ones are put together from those in between."""

    def __post_init__(self) -> None:
        found: dict[str, list[Definition]] = defaultdict(list)
        for command in self.program.commands:
            for step in steps(command.instruction):
                if isinstance(step, Definition):
                    found[step.target].append(step)
        self.definitions = found

    def part(self, part: Part) -> Linear | None:
        """A part of a cell: the cell itself where it has no other bits, or else a ghost. None for a summary."""
        if self.program.cells[part.cell].summary:
            return None
        size, low = part.size, part.low
        known = size_of(self.bits[part.cell])
        if not self.bits[part.cell] >> low & ((1 << size) - 1):
            return constant(0)
        if known is not None:
            size = min(size, known - low)
            if low == 0 and size == known:
                return variable(part.cell)
        ends = self.ends[part.cell]
        ends |= {low, low + size}
        result, first = constant(0), low
        for end in sorted(ends):
            if first < end <= low + size:
                found = Part(part.cell, first, end - first)
                self.ghosts[found.ghost] = found
                result, first = add(result, variable(found.ghost), 1 << (first - low)), end
        return result

    @property
    def count(self) -> int:
        """How many ends of parts were asked for."""
        return sum(map(len, self.ends.values()))

    def written(self, step: Definition, low: int, size: int) -> Linear | None:
        """A part of what a step writes, in the state before it; None where that is no term."""
        match step:
            case Assign(_, value):
                return self.of_term(value, low, size)
            case Compute(_, operation, arguments):
                return self._computed(operation, arguments, low, size)
            case _:
                return None

    def of_term(self, term: Linear, low: int, size: int) -> Linear | None:
        """A part of a sum: of numbers side by side, of which each begins where the one before has ended."""
        end = low + size
        terms = [(cell, factor) for cell, factor in term.terms if factor % (1 << end)]
        left = term.constant % (1 << end)
        if any(factor < 0 or factor & (factor - 1) for _, factor in terms):
            return None
        result, covered = constant(0), 0
        places = sorted((factor.bit_length() - 1, cell) for cell, factor in terms)
        for index, (place, cell) in enumerate(places):
            following = places[index + 1][0] if index + 1 < len(places) else None
            known = size_of(self.bits[cell])
            if following is not None and (known is None or place + known > following):
                return None
            until = end if following is None else place + (known or 0)
            bits = (1 << max(place, until)) - (1 << place)
            if left & bits:
                return None
            covered |= bits
            first, last = max(place, low), min(until, end)
            if first < last:
                piece = self.part(Part(cell, first - place, last - first))
                if piece is None:
                    return None
                result = add(result, piece, 1 << (first - low))
        return add(result, constant(left >> low))

    def _computed(self, operation: Operation, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        if operation is Operation.WRAP:
            return self._wrapped(given, low, size)
        if operation in _BY_BITS:
            return self._by_bits(operation, given, low, size)
        value, second = given
        if second.terms:
            return None
        by = second.constant
        if operation is Operation.SHR:
            return self.of_term(value, low + by, size) if 0 <= by else None
        if operation is Operation.SHL:
            return self.of_term(scale(value, 1 << by), low, size) if 0 <= by < 128 else None
        is_power = by > 0 and by & (by - 1) == 0
        if not is_power or term_bits(value, self.bits) < 0:  # truncates towards zero
            return None
        bits = by.bit_length() - 1
        if operation is Operation.DIV:
            return self.of_term(value, low + bits, size)
        return self._up_to(value, low, size, bits) if operation is Operation.MOD else None

    def _wrapped(self, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        value, least, most = given
        if least.terms or most.terms:
            return None
        count = most.constant - least.constant + 1
        bits = count.bit_length() - 1
        if count != 1 << bits or (least.constant != 0 and low + size > bits):
            return None
        return self._up_to(value, low, size, bits)

    def _up_to(self, value: Linear, low: int, size: int, bits: int) -> Linear | None:
        """A part of what is left of a number where bits from `bits` on are cleared."""
        return constant(0) if low >= bits else self.of_term(value, low, min(size, bits - low))

    def _by_bits(self, operation: Operation, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        """A part of two numbers that are put together bit by bit: where one of them is constant, or has no bits."""
        result = constant(0)
        for first, last in _runs([self._known(term) for term in given], low, low + size):
            piece = self._piece(operation, given, first, last - first)
            if piece is None:
                return None
            result = add(result, piece, 1 << (first - low))
        return result

    def _known(self, term: Linear) -> int:
        """A constant, or the bits that a term may have."""
        return term_bits(term, self.bits)

    def _piece(self, operation: Operation, given: tuple[Linear, ...], low: int, size: int) -> Linear | None:
        """The same for bits that are all the same in what is constant."""
        ones = (1 << size) - 1
        for value, other in (given, given[::-1]):
            is_set = bool(self._known(other) >> low & ones)
            if is_set and other.terms:
                continue
            if is_set and operation is Operation.OR:
                return constant(ones)
            if not is_set and operation is Operation.AND:
                return constant(0)
            piece = self.of_term(value, low, size)
            is_turned = is_set and operation is Operation.XOR
            return add(constant(ones), piece, -1) if is_turned and piece is not None else piece
        return None


def _runs(masks: Sequence[int], low: int, end: int) -> Iterator[tuple[int, int]]:
    """The bits from `low` to `end` by whether they are set in each of some masks, as long as that is the same."""
    first = low
    for place in range(low + 1, end + 1):
        if place == end or any((mask >> place & 1) != (mask >> first & 1) for mask in masks):
            yield first, place
            first = place


def _taken(program: Program, words: _Words) -> dict[Compute, Linear]:
    """What steps take out of cells: each with the term over ghosts that it is equal to."""
    used = _used(program)
    found: dict[Compute, Linear] = {}
    for command in program.commands:
        for step in steps(command.instruction):
            if not isinstance(step, Compute) or step.operation not in _TAKING or not _is_of_a_cell(step):
                continue
            if step.target not in used or program.cells[step.target].template is None:
                continue
            size = size_of(step_bits(step, words.bits))
            term = words.written(step, 0, size) if size else None
            if term is not None and step.target not in term_cells(step.arguments[0]) and _parts_in(term, words):
                found[step] = term
    return found


def _used(program: Program) -> frozenset[str]:
    """The cells that something is decided by or calculated from, if not only one value is put into another cell."""
    copies: nx.DiGraph[str] = nx.DiGraph()
    used: set[str] = set()
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, Linear(((source, 1),), 0)):
                    if program.cells[target].template is not None:
                        copies.add_edge(target, source)
                case Spawn():
                    pass
                case Compute(_, operation) if operation in (*_TAKING, *_BY_BITS) and _is_of_a_cell(step):
                    pass
                case _:
                    used |= reads(step)
    return frozenset(used).union(*(nx.descendants(copies, cell) for cell in used if cell in copies))


def _is_of_a_cell(step: Compute) -> bool:
    """Whether a step calculates with a cell as it is, and with constants."""
    found = [argument for argument in step.arguments if argument.terms]
    return len(found) == 1 and len(found[0].terms) == 1 and found[0].terms[0][1] == 1 and not found[0].constant


def _parts_in(term: Linear, words: _Words) -> frozenset[Part]:
    return frozenset(words.ghosts[cell] for cell in term_cells(term) if cell in words.ghosts)


def _wanted(words: _Words, taken: Mapping[Compute, Linear]) -> frozenset[Part]:
    """The parts that are taken out, and those that these are made of, if bits are put together on the way."""
    made: nx.DiGraph[Part] = nx.DiGraph()
    joining: set[Part] = set()
    seen: set[Part] = set()
    roots = [(step.target, _parts_in(term, words)) for step, term in taken.items()]
    pending = sorted(frozenset().union(*(group for _, group in roots)))
    read: dict[Part, set[str]] = defaultdict(set)
    while pending:
        part = pending.pop()
        if part in seen:
            continue
        seen.add(part)
        made.add_node(part)
        if len(seen) > 4 * MOST:
            return frozenset()
        for step in words.definitions.get(part.cell, ()):
            term = words.written(step, part.low, part.size)
            if term is None:
                continue
            if not (isinstance(step, Assign) and len(step.value.terms) <= 1 and not step.value.constant):
                joining.add(part)
            read[part] |= term_cells(term)
            for source in sorted(_parts_in(term, words)):
                pending.append(source)
                made.add_edge(part, source)
    reached = [(target, group.union(*(nx.descendants(made, part) for part in group))) for target, group in roots]
    wanted = frozenset().union(*(group for _, group in reached if not joining.isdisjoint(group)))
    while True:  # what is put in is taken out of another number, maybe
        cells = frozenset().union(*(read[part] for part in wanted))
        more = wanted.union(*(group for target, group in reached if target in cells))
        if more == wanted:
            return wanted
        wanted = more


def _ghost(words: _Words, part: Part) -> Cell:
    """The cell of a ghost. Of a parameter nothing is known where its thread begins: it is set then."""
    cell = words.program.cells[part.cell]
    low, high = 0, (1 << part.size) - 1
    is_given = any(part.cell in template.parameters for template in words.program.templates.values())
    if cell.lo is not None and cell.lo == cell.hi and not is_given:
        low = high = cell.lo >> part.low & high
    label = f"bits {part.low} to {part.low + part.size - 1} of {cell.label or cell.name}"
    return Cell(part.ghost, cell.template, lo=low, hi=high, label=label, span=cell.span)


@dataclass(frozen=True, slots=True)
class _Rewriter:
    """Puts ghosts into commands."""

    words: _Words
    parts: Mapping[str, Sequence[Part]]
    taken: Mapping[Compute, Linear]

    def rewritten(self, command: Command) -> Command:
        """The command with what it does to ghosts."""
        match command.instruction:
            case Guard(_, call) if call:
                return command
            case Atomic(parts):
                found = self._together(_hoisted(parts, self.taken))
            case Assign() | Havoc() | Compute() | Lookup() | Guard():
                found = self._together((command.instruction,))
            case _:
                return command
        if tuple(found) == steps(command.instruction):
            return command
        return replace(command, instruction=together(self._forwarded(found)))

    def _forwarded(self, done: Sequence[Step]) -> list[Step]:
        """The steps with the ghosts of what was just copied for those of the copies."""
        known: dict[str, Linear] = {}
        result: list[Step] = []
        for step in done:
            match step:
                case Guard(condition):
                    changed: Step = replace(step, condition=map_atoms(condition, lambda part: _substituted(part, known)))
                case Assign(target, value) if target in self.words.ghosts:
                    changed = Assign(target, substitute(value, known))
                case _:
                    changed = step
            if isinstance(changed, Assign) and changed.value == variable(changed.target):
                continue
            result.append(changed)
            for target in writes(changed):
                known = {ghost: term for ghost, term in known.items() if ghost != target and target not in term_cells(term)}
            if isinstance(changed, Assign) and changed.target in self.words.ghosts:
                if changed.target not in term_cells(changed.value):
                    known[changed.target] = changed.value
        return result

    def _together(self, done: Sequence[Step]) -> list[Step]:
        result: list[Step] = []
        for index, step in enumerate(done):
            if isinstance(step, Guard):
                result.append(replace(step, condition=map_atoms(step.condition, self._told)))
                continue
            result.extend(self._set(step))
            result.append(step)
            term = self.taken.get(step) if isinstance(step, Compute) else None
            if term is not None and (len(term.terms) == 1 or step.operation is Operation.AND):
                result.append(Guard(compare(variable(step.target), "==", term)))
                result.extend(self._foreseen(step.target, term, done[index + 1 :]))
        return result

    def _told(self, part: Atom) -> Formula:
        """That a cell is a constant, said of its parts, too."""
        match part:
            case Atom(Linear(((cell, 1),), value), Relation.EQ) if cell in self.parts:
                more = [
                    compare(variable(p.ghost), "==", constant(-value >> p.low & ((1 << p.size) - 1)))
                    for p in self.parts[cell]
                ]
                return conjunction((part, *more))
            case _:
                return part

    def _set(self, step: Definition) -> Iterator[Step]:
        """The steps in front of one that writes a cell, which set its ghosts to what they are behind it."""
        ghosts = self.parts.get(step.target, ())
        terms = {part.ghost: self.words.written(step, part.low, part.size) for part in ghosts}
        own = {part.ghost for part in ghosts}
        before: nx.DiGraph[str] = nx.DiGraph()
        before.add_nodes_from(sorted(own))
        for ghost, term in terms.items():
            before.add_edges_from((ghost, other) for other in term_cells(term or constant(0)) & own if other != ghost)
        sizes = {part.ghost: part.size for part in ghosts}
        if not nx.is_directed_acyclic_graph(before):
            yield from (Havoc(ghost, 0, (1 << sizes[ghost]) - 1) for ghost in sorted(own))
            return
        for ghost in nx.lexicographical_topological_sort(before):
            term = terms[ghost]
            if term is None or not self._is_kept(term):
                yield Havoc(ghost, 0, (1 << sizes[ghost]) - 1)
            elif term != variable(ghost):
                yield Assign(ghost, term)

    def _is_kept(self, term: Linear) -> bool:
        """Whether all ghosts of a term are there."""
        return all(cell in self.words.program.cells or self._has(cell) for cell in term_cells(term))

    def _has(self, ghost: str) -> bool:
        part = self.words.ghosts[ghost]
        return part in self.parts.get(part.cell, ())

    def _foreseen(self, target: str, term: Linear, later: Sequence[Step]) -> Iterator[Step]:
        """What later guards of the same step say of what was taken out: said here, where the ghosts are as they were."""
        for step in later:
            if isinstance(step, Guard) and formula_cells(step.condition) == {target}:
                yield Guard(map_atoms(step.condition, lambda part: _substituted(part, {target: term})))
            if target in writes(step):
                return


def _substituted(part: Atom, known: Mapping[str, Linear]) -> Formula:
    return compare(substitute(part.term, known), str(part.relation), constant(0))


def _hoisted(done: Sequence[Step], taken: Mapping[Compute, Linear]) -> Sequence[Step]:
    """The steps with those that take bits out moved up to where their number is read: nothing comes in between."""
    ordered: list[Step] = []
    for step in done:
        place = len(ordered)
        if isinstance(step, Compute) and step in taken:
            while place and _commute(step, ordered[place - 1]):
                place -= 1
        ordered.insert(place, step)
    return ordered


def _commute(step: Compute, before: Step) -> bool:
    """Whether a step may come before another one: neither may stop there, and neither touches what the other writes."""
    if isinstance(before, Guard):
        return False
    return step.target not in reads(before) | writes(before) and writes(before).isdisjoint(reads(step))
