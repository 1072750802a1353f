"""Parts of words: ghosts that hold some bits of a cell, so that what is known of these is not lost in the number.

    while (fetch_or(&head, 1) & 1) ;      a lock in the lowest bit of a word
    flags |= READY;  if (flags & READY)   a flag among others
    s.whole = s.level << 8 | s.kind       members of a union

Numeric domains know of `head` that it lies in some range, and nothing of its lowest bit. Where a step takes bits out of
a cell, these have a ghost of their own, which each step that writes the cell sets to what they are then: bits of what
it copies, of constants, of numbers that are put side by side, or the lowest ones of a sum. Where that cannot be said,
the ghost becomes any number of as many bits. What is taken out is then equal to the ghost, and a guard says so; one
that says that the cell is a constant says it of the ghosts, too. For every execution of before there is one in which
each ghost is always what it stands for: there, the guards are no conditions. And each execution of the program with
ghosts is one of before.

*Approximates*: a program in which too many parts would be followed stays as it is. So does a cell of which nothing
is ever put together or changed by bits: what its own value says of them is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import networkx as nx

from duet.frontend.judgments.word_bits import size_of, step_bits, word_bits
from duet.frontend.judgments.word_terms import BY_BITS, Definition, Part, Words, parts_in
from duet.plip.syntax import (
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
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
    atoms,
    compare,
    conjunction,
    constant,
    formula_cells,
    map_atoms,
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


def with_word_parts(program: Program) -> Program:
    """The program with ghosts for parts of cells; the same executions."""
    if len(program.commands) > COMMANDS or not _has_bits(program):
        return program
    words = Words(program, word_bits(program))
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
    rewriter = _Rewriter(words, parts, {step: term for step, term in taken.items() if parts_in(term, words) <= wanted})
    commands = _read_only({part.ghost for part in wanted}, [rewriter.rewritten(it) for it in program.commands])
    left = frozenset().union(*(reads(it.instruction) | writes(it.instruction) for it in commands))
    return replace(
        program, cells={k: v for k, v in cells.items() if k in program.cells or k in left}, commands=commands
    )


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


def _taken(program: Program, words: Words) -> dict[Compute, Linear]:
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
            if term is not None and step.target not in term_cells(step.arguments[0]) and parts_in(term, words):
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
                case Compute(_, operation) if operation in (*_TAKING, *BY_BITS) and _is_of_a_cell(step):
                    pass
                case _:
                    used |= reads(step)
    return frozenset(used).union(*(nx.descendants(copies, cell) for cell in used if cell in copies))


def _is_of_a_cell(step: Compute) -> bool:
    """Whether a step calculates with a cell as it is, and with constants."""
    found = [argument for argument in step.arguments if argument.terms]
    return len(found) == 1 and len(found[0].terms) == 1 and found[0].terms[0][1] == 1 and not found[0].constant


def _wanted(words: Words, taken: Mapping[Compute, Linear]) -> frozenset[Part]:
    """The parts that are taken out, and those that these are made of, if bits are put together on the way."""
    made: nx.DiGraph[Part] = nx.DiGraph()
    joining: set[Part] = set()
    seen: set[Part] = set()
    roots = [(step.target, parts_in(term, words)) for step, term in taken.items()]
    pending = sorted(frozenset().union(*(group for _, group in roots)))
    read: dict[Part, set[str]] = defaultdict(set)
    equal = _compared(words.program)
    while pending:
        part = pending.pop()
        if part in seen:
            continue
        seen.add(part)
        made.add_node(part)
        if len(seen) > 4 * MOST:
            return frozenset()
        for other in sorted(equal[part.cell]):
            for source in sorted(parts_in(words.of_term(variable(other), part.low, part.size) or constant(0), words)):
                pending.append(source)
                made.add_edge(part, source)
        for step in words.definitions.get(part.cell, ()):
            term = words.written(step, part.low, part.size)
            if term is None:
                continue
            if not (isinstance(step, Assign) and len(step.value.terms) <= 1 and not step.value.constant):
                joining.add(part)
            read[part] |= term_cells(term)
            for source in sorted(parts_in(term, words)):
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


def _compared(program: Program) -> Mapping[str, set[str]]:
    """The cells that guards say are equal to each cell."""
    found: dict[str, set[str]] = defaultdict(set)
    for command in program.commands:
        for step in steps(command.instruction):
            for part in atoms(step.condition) if isinstance(step, Guard) else ():
                for cell, other in _equal(part):
                    found[cell].add(other)
    return found


def _equal(part: Atom) -> Iterator[tuple[str, str]]:
    """The cells that an atom says are equal, in both orders."""
    match part:
        case Atom(Linear(((one, factor), (other, opposite)), 0), Relation.EQ) if {factor, opposite} == {1, -1}:
            yield from ((one, other), (other, one))
        case _:
            return


def _ghost(words: Words, part: Part) -> Cell:
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

    words: Words
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
            changed = self._with_copied(step, known)
            if isinstance(changed, Assign) and changed.value == variable(changed.target):
                continue
            result.append(changed)
            for target in writes(changed):
                known = {it: term for it, term in known.items() if it != target and target not in term_cells(term)}
            if isinstance(changed, Assign) and changed.target in self.words.ghosts:
                known |= {changed.target: changed.value} if changed.target not in term_cells(changed.value) else {}
        return result

    def _with_copied(self, step: Step, known: Mapping[str, Linear]) -> Step:
        match step:
            case Guard(condition):
                return replace(step, condition=map_atoms(condition, lambda part: _substituted(part, known)))
            case Assign(target, value) if target in self.words.ghosts:
                return Assign(target, substitute(value, known))
            case _:
                return step

    def _together(self, done: Sequence[Step]) -> list[Step]:
        result: list[Step] = []
        for index, step in enumerate(done):
            if isinstance(step, Guard):
                result.append(replace(step, condition=map_atoms(step.condition, self._told)))
                continue
            result.extend(self._set(step))
            result.append(step)
            if isinstance(step, Compute) and self._is_told(step):
                term = self.taken[step]
                result.append(Guard(compare(variable(step.target), "==", term)))
                result.extend(self._foreseen(step.target, term, done[index + 1 :]))
        return result

    def _is_told(self, step: Compute) -> bool:
        """Whether a guard says what was taken out: sums of parts cost more than they prove, but for those of masks."""
        return step in self.taken and (len(self.taken[step].terms) == 1 or step.operation is Operation.AND)

    def _told(self, part: Atom) -> Formula:
        """That a cell is a constant, or is another one, said of its parts, too."""
        match part:
            case Atom(Linear(((cell, 1),), value), Relation.EQ):
                found = [(cell, constant(-value))]
            case _:
                found = [(cell, variable(other)) for cell, other in _equal(part)]
        more: dict[Formula, None] = {}
        for cell, term in found:
            for p in self.parts.get(cell, ()):
                known = self.words.of_term(term, p.low, p.size)
                if known is not None and self._is_kept(known):
                    more[compare(variable(p.ghost), "==", known)] = None
        return conjunction((part, *more))

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
                yield self._lowest(step, self.words.ghosts[ghost]) or Havoc(ghost, 0, (1 << sizes[ghost]) - 1)
            elif term != variable(ghost):
                yield Assign(ghost, term)

    def _lowest(self, step: Definition, part: Part) -> Compute | None:
        """What sets the ghost of the lowest bits to those of a sum: they follow from the lowest bits of its terms."""
        value = self.words.wrapped_sum(step, part.size) if part.low == 0 else None
        if value is None:
            return None
        lowest = {cell: Part(cell, 0, part.size).ghost for cell in term_cells(value)}
        kept = {cell: variable(it) for cell, it in lowest.items() if it in self.words.ghosts and self._has(it)}
        limits = constant(0), constant((1 << part.size) - 1)
        return Compute(part.ghost, Operation.WRAP, (substitute(value, kept), *limits))

    def _is_kept(self, term: Linear) -> bool:
        """Whether all ghosts of a term are there."""
        return all(cell in self.words.program.cells or self._has(cell) for cell in term_cells(term))

    def _has(self, ghost: str) -> bool:
        part = self.words.ghosts[ghost]
        return part in self.parts.get(part.cell, ())

    def _foreseen(self, target: str, term: Linear, later: Sequence[Step]) -> Iterator[Step]:
        """What later guards of the step say of what was taken out: said here, where the ghosts are as they were."""
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
