"""Ticket locks: who has drawn the number that is served is alone, which a ghost says that analyses know as a lock.

    mine = next++ (at once); while (serving != mine) ; ...; serving = mine + 1;

`next` and `serving` are globals that begin with one value. Each thread draws a number only when it has no other one;
`next` changes in no other way. `serving` is only changed by a thread that has seen that its number is served, to the
number behind it; then the thread has no number any more. So the numbers that are out are those from `serving` on to
`next`, each once, and no more than there are threads. Of templates of one thread each these are counted; threads of
which there is any number have none when they end, so those that run count, and of these no machine has more than
`THREADS`. Where these are fewer than there are numbers, one of two threads with a number is not served, and who is
served stays so until it changes `serving`. Where numbers start over, the number behind the last one may also be one
that nobody has (`serving = mine + 1` of a signed number, which C leaves undefined there): then nobody is served again.

The ghost becomes 1 in the step that sees that a number is served, which passes only where it is 0, and 0 in the step
that changes `serving`. By the above it is 0 wherever the former passes, so all executions are those of before.

*Source*: for the lock, Reed and Kanodia 1979 (sequencers). *Approximates*: what is drawn, seen and served is followed
on every path of the control flow graph; a program in which anything else becomes of the two cells stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.plip.multiplicity import many
from duet.plip.syntax import (
    And,
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
    steps,
)
from duet.plip.terms import compare, constant, variable
from duet.plip.touched import reads, writes

THREADS = 1 << 22
"""Threads that run at a time. *Source*: `PID_MAX_LIMIT` of Linux, include/linux/threads.h."""
BOUNDED = f"at most {THREADS} threads run at a time, as on Linux (numbers of ticket locks and references start over)"
"""What is assumed of a lock whose numbers end, or of a count that does, if there is any number of threads."""
Range = tuple[int, int] | None
"""The numbers that a counter has, inclusive, which follow each other around; None for all integers."""


class Phase(Enum):
    """What a thread has to do with numbers."""

    IDLE = "it has none"
    WAITING = "it has one"
    SERVED = "it has the one that is served"


@dataclass(frozen=True, slots=True)
class _Known:
    """What a thread knows: its phase, if that is certain, and what own cells hold.

    That is its number (`mine`), the number behind that (`later`), the one that was served at some time since it has
    drawn (`seen`).
    """

    phase: Phase | None = Phase.IDLE
    mine: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()

    def common(self, other: _Known) -> _Known:
        if self.phase is not other.phase:
            return _Known(None)
        return _Known(self.phase, self.mine & other.mine, self.later & other.later, self.seen & other.seen)


def with_served(program: Program) -> tuple[Program, bool]:
    """The program with a ghost for each of its ticket locks; it has the same executions.

    With that, whether it has so only if no more than `THREADS` threads run at a time.
    """
    is_bounded = False
    for lock in list(_candidates(program)):
        told = lock.applied(program)
        is_bounded |= told is not program and lock.is_bounded
        program = told
    return program, is_bounded


def _candidates(program: Program) -> Iterator[_Lock]:
    """The pairs of counters that may be those of a ticket lock."""
    counters = {
        name: cell.lo
        for name, cell in program.cells.items()
        if cell.template is None and not cell.summary and cell.lo is not None and cell.lo == cell.hi
    }
    instructions = [command.instruction for command in program.commands]
    for cell in {target for item in instructions for step in steps(item) for target in _written_otherwise(step)}:
        counters.pop(cell, None)
    drawn = {target: limits for item in instructions for target, limits in _raised(item) if target in counters}
    written = frozenset(cell for item in instructions for cell in writes(item))
    compared = {cell for item in instructions for cell in _compared(item) if cell in written}
    for draw in sorted(drawn):
        for serving in sorted(compared & counters.keys() - {draw}):
            if counters[draw] == counters[serving]:
                yield _Lock(draw, serving, drawn[draw])


def _written_otherwise(step: Instruction) -> frozenset[str]:
    """The cells to which a step writes neither a copy nor the number behind one: they count no numbers."""
    match step:
        case Assign(_, Linear(((_, 1),), 0 | 1)) | Compute(_, Operation.WRAP, (Linear(((_, 1),), 1), *_)):
            return frozenset()
        case _:
            return writes(step)


def _raised(instruction: Instruction) -> Iterator[tuple[str, Range]]:
    """The cells that an instruction reads and writes, with the limits of what it computes."""
    found = steps(instruction)
    limits = next((_limits(step) for step in found if isinstance(step, Compute) and _limits(step)), None)
    if isinstance(instruction, Atomic):
        yield from ((cell, limits) for cell in sorted(writes(instruction) & reads(instruction)))


def _compared(instruction: Instruction) -> Iterator[str]:
    """The cells that guards or copies of an instruction look at."""
    for step in steps(instruction):
        if isinstance(step, Guard | Assign):
            yield from reads(step)


def _limits(step: Compute) -> Range:
    """The range that a computation wraps its result to."""
    if step.operation is not Operation.WRAP or any(argument.terms for argument in step.arguments[1:]):
        return None
    return step.arguments[1].constant, step.arguments[2].constant


@dataclass
class _Lock:
    """A pair of counters, and the range of both; what is found of them."""

    draw: str
    serving: str
    limits: Range
    is_refused: bool = False
    is_for_many: bool = False
    """Whether there may be any number of threads with a number."""
    changed: dict[int, bool] = field(default_factory=dict)
    """Whether a command takes the ghost or gives it back."""

    def applied(self, program: Program) -> Program:
        """The program with the ghost, or as it was."""
        several = many(program)
        users = {
            program.template_of[command.source]
            for command in program.commands
            if not writes(command.instruction).isdisjoint((self.draw, self.serving))
        }
        self.is_for_many = not several.isdisjoint(users)
        for name in sorted(users):
            self.is_refused |= program.templates[name].interrupts
            if self.is_refused:
                return program
            self._follow(program, name, ends_idle=name in several)
        is_served = True in self.changed.values()
        threads = len(users) + (THREADS if self.is_for_many else 0)
        return self._with_ghost(program) if is_served and self._is_wide(threads, program) else program

    @property
    def is_bounded(self) -> bool:
        """Whether the lock is one only if there are no more than `THREADS` threads at a time."""
        return self.is_for_many and self.limits is not None

    def _is_wide(self, threads: int, program: Program) -> bool:
        """Whether nothing speaks against the lock, and as many threads never have all numbers."""
        lo, hi = self.limits or (None, None)
        first = program.cells[self.draw].lo
        is_inside = lo is None or hi is None or (first is not None and lo <= first <= hi and hi - lo > threads)
        return is_inside and not self.is_refused

    def _follow(self, program: Program, name: str, *, ends_idle: bool) -> None:
        """Goes through the threads of a template, which with `ends_idle` have to have no number when they end."""
        template = program.templates[name]
        own = frozenset(cell for cell, found in program.cells.items() if found.template == name and not found.summary)
        outgoing = by_source(program.commands[index] for index in template.commands)

        def behind(location: int, known: _Known) -> Iterator[tuple[int, _Known]]:
            for command in outgoing[location]:
                yield command.target, _Run(self, own, known).behind(command.instruction)

        found = known_on_all_ways(template.entry, _Known(), behind, following(outgoing))
        ends = (known for location, known in found.items() if not outgoing[location])
        self.is_refused |= ends_idle and any(known.phase is not Phase.IDLE for known in ends)
        for index in template.commands:
            command = program.commands[index]
            known = found.get(command.source)
            if known is None:
                continue
            run = _Run(self, own, known)
            after = run.behind(command.instruction)
            self.is_refused |= run.is_refused
            if Phase.SERVED in (known.phase, after.phase) and after.phase is not known.phase:
                self.changed[index] = after.phase is Phase.SERVED

    def _with_ghost(self, program: Program) -> Program:
        name = f"{self.serving} serves"
        commands = list(program.commands)
        for index, is_taken in self.changed.items():
            command = commands[index]
            taking = (Guard(compare(variable(name), "==", constant(0))), Assign(name, constant(1)))
            more = taking if is_taken else (Assign(name, constant(0)),)
            commands[index] = replace(command, instruction=Atomic((*_plain(command), *more)))
        place = program.cells[self.serving]
        ghost = Cell(
            name, None, False, 0, 0, f"whether {place.label or place.name} is the number of a thread", place.span
        )
        return replace(program, cells={**program.cells, name: ghost}, commands=tuple(commands))


def _plain(command: Command) -> Iterable[Assign]:
    return steps(command.instruction)  # type: ignore[return-value]  # what changes phases consists of steps


class _Source(Enum):
    """What a step writes of the one cell that it reads."""

    COPY = "its number"
    NEXT = "the next number, in the range of the lock"
    BEHIND = "the number behind it, of all integers: the next one, or one that nobody has"


class _Run:
    """One instruction of a thread, step by step.

    `old` are cells that hold what it has found in the counter of numbers, and `raised` those with the number behind.
    """

    def __init__(self, lock: _Lock, own: frozenset[str], known: _Known) -> None:
        self.lock = lock
        self.own = own
        self.known = known
        self.old: frozenset[str] = frozenset()
        self.raised: frozenset[str] = frozenset()
        self.is_drawn = False
        self.is_refused = False

    def behind(self, instruction: Instruction) -> _Known:
        """What is known behind an instruction."""
        for step in steps(instruction):
            if isinstance(step, Guard):
                self._seen(step.condition)
            else:
                for target in sorted(writes(step)):
                    self._written(step, target)
        if self.is_drawn:
            self.known = replace(self.known, mine=self.known.mine | self.old)
        return self.known

    def _seen(self, condition: Formula) -> None:
        match condition:
            case And(parts):
                for part in parts:
                    self._seen(part)
            case Atom(Linear(((one, k), (other, j)), 0), Relation.EQ) if k == -j and self.known.phase is Phase.WAITING:
                served = self.known.seen | {self.lock.serving}
                mine = self.old if self.is_drawn else self.known.mine
                if (one in mine and other in served) or (other in mine and one in served):
                    equal = self.known.mine.union({one, other} & self.own)
                    self.known = replace(self.known, phase=Phase.SERVED, mine=equal)

    def _written(self, step: Instruction, target: str) -> None:
        """Follows a write to a cell."""
        source, what = self._source(step)
        if target == self.lock.draw:
            self._draw(source, what)
        elif target == self.lock.serving:
            self._serve(source, what)
        elif target in self.own:
            self._kept(source, what, target)

    def _source(self, step: Instruction) -> tuple[str | None, _Source]:
        """The cell that a step copies, or of which it takes the next number; None for anything else."""
        match step:
            case Assign(_, Linear(((cell, 1),), 0)):
                return cell, _Source.COPY
            case Assign(_, Linear(((cell, 1),), 1)):
                return cell, _Source.NEXT if self.lock.limits is None else _Source.BEHIND
            case Compute(_, _, (Linear(((cell, 1),), 1), *_)) if self.lock.limits and self.lock.limits == _limits(step):
                return cell, _Source.NEXT
        return None, _Source.COPY

    def _draw(self, source: str | None, what: _Source) -> None:
        is_raised = source in self.raised if what is _Source.COPY else what is _Source.NEXT and self._is_old(source)
        if self.is_drawn or not is_raised or self.known.phase is not Phase.IDLE:
            self.is_refused = True
        self.is_drawn = True
        self.known = _Known(Phase.WAITING)

    def _serve(self, source: str | None, what: _Source) -> None:
        is_later = source in self.known.later if what is _Source.COPY else self._is_mine(source)
        if self.is_drawn or not is_later or self.known.phase is not Phase.SERVED:
            self.is_refused = True
        self.known = _Known()

    def _kept(self, source: str | None, what: _Source, target: str) -> None:
        """Follows what an own cell holds from now on."""
        is_copy = source is not None and what is _Source.COPY
        known, rest = self.known, frozenset((target,))
        is_old = is_copy and self._is_old(source)
        is_raised = source in self.raised if is_copy else what is _Source.NEXT and self._is_old(source)
        is_mine = is_copy and self._is_mine(source)
        is_later = source in known.later if is_copy else what is not _Source.COPY and self._is_mine(source)
        is_seen = is_copy and (source == self.lock.serving or source in known.seen) and known.phase is not None
        self.old = self.old | rest if is_old else self.old - rest
        self.raised = self.raised | rest if is_raised else self.raised - rest
        self.known = replace(
            known,
            mine=known.mine | rest if is_mine else known.mine - rest,
            later=known.later | rest if is_later else known.later - rest,
            seen=known.seen | rest if is_seen else known.seen - rest,
        )

    def _is_old(self, cell: str | None) -> bool:
        """Whether a cell holds what the instruction has found in the counter of numbers."""
        return cell in self.old or (cell == self.lock.draw and not self.is_drawn)

    def _is_mine(self, cell: str | None) -> bool:
        """Whether a cell holds the number of the thread."""
        return cell in self.known.mine or (cell == self.lock.serving and self.known.phase is Phase.SERVED)
