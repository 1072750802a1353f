"""Locks that two threads make of several flags: a ghost says that at most one of them is inside.

    mine = 1; turn = other; while (yours && turn == other) ; ...; mine = 0;

Where two threads, each the only one of its template, can be at the same time is found by following them step by step,
with the values of the flags that nobody else changes; whatever else a step depends on may be so or not. *Flags* are
globals that begin with a constant and are only ever set to a few. Where two threads touch the same memory, and can
never do so at the same time, the locations of one that exclude the access of the other are the sections of a lock,
and the other way round. The ghost becomes 1 in the step into a section, which passes only where it is 0, and 0 in the
step out of it. It is 0 wherever the former passes, as no thread is in its section while the other one is, so all
executions are those of before.

What a single flag shows, a mutex among these, the analysis of data flows finds by itself. *Source*: G. L. Peterson,
"Myths about the mutual exclusion problem", 1981, for such a lock. *Approximates*: where threads can be, over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeAlias

from duet.frontend.graph.reach import reached
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Formula,
    Guard,
    Instruction,
    Or,
    Program,
    Spawn,
    Step,
    steps,
)
from duet.plip.terms import compare, constant, evaluate, holds, term_cells, variable
from duet.plip.touched import reads, writes

THREADS = 6
"""So many threads may set flags and ask for others."""
VALUES = 4
"""So many values a flag may have."""
FLAGS = 6
"""So many flags two threads may have in common."""
COMMANDS = 400
"""So many commands a thread may have."""
STATES = 60_000
"""So many states are looked at."""
LOCKS = 3
"""So many locks two threads may make of flags."""
Pair: TypeAlias = tuple[int, int]
Values: TypeAlias = tuple[int, ...]


def with_turns(program: Program) -> Program:
    """The program with a ghost for each lock that two threads make of several flags; it has the same executions."""
    flags = _flags(program)
    if len(flags) < 2:
        return program
    single = sorted(program.templates.keys() - many(program))
    fit = [name for name in single if _is_fit(program, name, flags)]
    for one, other in combinations(fit, 2) if len(fit) <= THREADS else ():
        program = _Two(program, one, other, flags).told()
    return program


def _flags(program: Program) -> Mapping[str, frozenset[int]]:
    """The flags, with the values that they have."""
    found = {
        name: {cell.lo}
        for name, cell in program.cells.items()
        if cell.template is None and not cell.summary and cell.lo is not None and cell.lo == cell.hi
    }
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, value) if target in found and not value.terms:
                    found[target].add(value.constant)
                case _:
                    for cell in writes(step):
                        found.pop(cell, None)
    return {name: frozenset(values) for name, values in found.items() if 1 < len(values) <= VALUES}


def _is_fit(program: Program, name: str, flags: Mapping[str, object]) -> bool:
    """Whether a template is small, sets a flag and asks for another one."""
    template = program.templates[name]
    if template.interrupts or len(template.commands) > COMMANDS:
        return False
    own = [program.commands[index].instruction for index in template.commands]
    asked = {cell for it in own for step in steps(it) if isinstance(step, Guard) for cell in reads(step)}
    read = {cell for it in own for cell in reads(it)} & flags.keys()
    written = {cell for it in own for cell in writes(it)} & flags.keys()
    return bool(written) and len(read) > 1 and bool(asked)


@dataclass(frozen=True, slots=True)
class _Two:
    """Two templates of one thread each, in a program with flags."""

    program: Program
    one: str
    other: str
    flags: Mapping[str, frozenset[int]]

    def told(self) -> Program:
        """The program with ghosts for what these two make of flags."""
        flags = self._shared()
        if not 2 <= len(flags) <= FLAGS:
            return self.program
        open_pairs = self._conflicts(flags)
        for flag in flags:
            open_pairs &= self._together((flag,)) if open_pairs else set()
        if not open_pairs:
            return self.program
        together = self._together(flags)
        left, program, locks = sorted(open_pairs - together), self.program, 0
        while left and locks < LOCKS:
            here, there = left[0]
            sections = self._sections(together, here)
            found = self._with_ghost(program, sections, locks) if there in sections[1] else None
            if found is not None:
                program, locks = found, locks + 1
            left = [pair for pair in left[1:] if pair[0] not in sections[0] or pair[1] not in sections[1]]
        return program

    def _commands(self, name: str) -> Iterator[Command]:
        return (self.program.commands[index] for index in self.program.templates[name].commands)

    def _shared(self) -> tuple[str, ...]:
        """The flags that both look at or set, and nobody else sets but the first thread before it starts others."""
        touched = [
            {cell for it in self._commands(name) for cell in reads(it.instruction) | writes(it.instruction)}
            for name in (self.one, self.other)
        ]
        alone = _alone(self.program)
        elsewhere = {
            cell
            for it in self.program.commands
            if self.program.template_of[it.source] not in (self.one, self.other) and it.source not in alone
            for cell in writes(it.instruction)
        }
        return tuple(sorted((self.flags.keys() & touched[0] & touched[1]) - elsewhere))

    def _conflicts(self, flags: Iterable[str]) -> set[Pair]:
        """The locations where both touch the same memory, other than flags, one of them to write it."""
        told = [self._touching(name, frozenset(flags)) for name in (self.one, self.other)]
        return {
            (here, there)
            for here, there in product(*told)
            if told[0][here][1] & told[1][there][0] or told[0][here][0] & told[1][there][1]
        }

    def _touching(self, name: str, flags: Set[str]) -> Mapping[int, tuple[frozenset[str], frozenset[str]]]:
        """The globals that a thread touches, and writes, at each location where it does."""
        shared = frozenset(self.program.globals) - flags
        found: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
        for it in self._commands(name):
            written = writes(it.instruction) & shared
            touched = (reads(it.instruction) & shared) | written
            if touched:
                before = found.get(it.source, (frozenset(), frozenset()))
                found[it.source] = before[0] | touched, before[1] | written
        return found

    def _together(self, flags: tuple[str, ...]) -> set[Pair]:
        """The pairs of locations where both can be at the same time, all of them if there are too many states."""
        moves = [
            self._moves(name, flags, [sorted(self.flags[flag]) for flag in flags]) for name in (self.one, self.other)
        ]
        start = product(*(self._first(flag) for flag in flags))
        entries = self.program.templates[self.one].entry, self.program.templates[self.other].entry
        work = [(*entries, values) for values in start]
        seen = set(work)
        while work:
            here, there, values = work.pop()
            after = [(target, there, new) for target, new in moves[0].get((here, values), ())]
            after += [(here, target, new) for target, new in moves[1].get((there, values), ())]
            for state in after:
                if state not in seen:
                    seen.add(state)
                    work.append(state)
            if len(seen) > STATES:
                return set(product(self._locations(self.one), self._locations(self.other)))
        return {(here, there) for here, there, _ in seen}

    def _locations(self, name: str) -> frozenset[int]:
        return frozenset(place for place, owner in self.program.template_of.items() if owner == name)

    def _first(self, flag: str) -> frozenset[int]:
        """What a flag may be when the two start: its initial value, or what the first thread has set before."""
        alone = () if self.program.main in (self.one, self.other) else _alone(self.program)
        set_first = {
            step.value.constant
            for command in self.program.commands
            if command.source in alone
            for step in steps(command.instruction)
            if isinstance(step, Assign) and step.target == flag
        }
        first = self.program.cells[flag].lo
        assert first is not None
        return frozenset({first, *set_first})

    def _moves(
        self, name: str, flags: tuple[str, ...], values: list[list[int]]
    ) -> Mapping[tuple[int, Values], list[tuple[int, Values]]]:
        """Where a thread may go from a location under some values of flags, with those behind the step."""
        found: dict[tuple[int, Values], list[tuple[int, Values]]] = {}
        for command in self._commands(name):
            done = steps(command.instruction)
            for before in product(*values):
                known = dict(zip(flags, before, strict=True))
                if _passes(done, known):
                    after = tuple(known[flag] for flag in flags)
                    found.setdefault((command.source, before), []).append((command.target, after))
        return found

    def _sections(self, together: Set[Pair], here: int) -> tuple[frozenset[int], frozenset[int]]:
        """The locations of the one thread, `here` among them, and those of the other that exclude each other."""
        theirs = frozenset(there for there in self._locations(self.other) if (here, there) not in together)
        ours = frozenset(
            place for place in self._locations(self.one) if all((place, there) not in together for there in theirs)
        )
        return ours, theirs

    def _with_ghost(
        self, program: Program, sections: tuple[frozenset[int], frozenset[int]], number: int
    ) -> Program | None:
        """The program with a ghost for two sections; None where a step into or out of one does not stand alone."""
        ghost = f"<turns of {self.one} and {self.other} {number}>"
        taking = (Guard(compare(variable(ghost), "==", constant(0))), Assign(ghost, constant(1)))
        commands = list(program.commands)
        for name, inside in zip((self.one, self.other), sections, strict=True):
            template = program.templates[name]
            if template.entry in inside or template.exit in inside:
                return None
            for index in template.commands:
                command = commands[index]
                if (command.source in inside) == (command.target in inside):
                    continue
                own = _plain(command.instruction)
                if own is None:
                    return None
                more = taking if command.target in inside else (Assign(ghost, constant(0)),)
                commands[index] = replace(command, instruction=Atomic((*own, *more)))
        label = f"whether {program.templates[self.one].label} or {program.templates[self.other].label} is inside"
        cell = Cell(ghost, None, lo=0, hi=0, label=label)
        return replace(program, cells={**program.cells, ghost: cell}, commands=tuple(commands))


def _plain(instruction: Instruction) -> tuple[Step, ...] | None:
    """The steps of an instruction that may be a part of another one; None for those that may not."""
    found = tuple(step for step in steps(instruction) if isinstance(step, Step))
    has_call = any(isinstance(step, Guard) and step.call for step in found)
    return None if has_call or len(found) != len(steps(instruction)) else found


def _alone(program: Program) -> frozenset[int]:
    """The locations of the first thread before it starts another one."""
    spawned = [command for command in program.commands if isinstance(command.instruction, Spawn)]
    if any(isinstance(it.instruction, Spawn) and it.instruction.template == program.main for it in spawned):
        return frozenset()
    behind = set(
        reached(
            [it.target for it in spawned if program.template_of[it.source] == program.main],
            lambda place: (program.commands[index].target for index in program.outgoing[place]),
        )
    )
    return frozenset(place for place, owner in program.template_of.items() if owner == program.main) - behind


def _passes(done: Iterable[Instruction], known: dict[str, int]) -> bool:
    """Whether steps may all pass under known values, which are those behind them then."""
    for step in done:
        match step:
            case Guard(condition) if _is_false(condition, known):
                return False
            case Assign(target, value) if term_cells(value) <= known.keys():
                known[target] = evaluate(value, known)
            case _:
                for cell in writes(step):
                    known.pop(cell, None)
    return True


def _is_false(condition: Formula, known: Mapping[str, int]) -> bool:
    """Whether a condition is certainly false under known values."""
    match condition:
        case And(parts):
            return any(_is_false(part, known) for part in parts)
        case Or(parts):
            return all(_is_false(part, known) for part in parts)
        case Atom(term, relation):
            return term_cells(term) <= known.keys() and not holds(evaluate(term, known), relation)
        case _:
            return False
