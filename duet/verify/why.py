"""Why a check fails in an execution: the steps that gave the values it fails for, and what went between.

Followed back from the failing step by what each step reads and who wrote that last. Where a thread goes on from what it
read or tested before, and another one has written that since, this is said, too: most failures of concurrent programs
are of this kind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from duet.coarsen.words import instruction_words, label
from duet.plip.execute import Value
from duet.plip.syntax import Assert, Assign, Command, Compute, Guard, Havoc, Linear, Lookup, Program, Spawn, steps
from duet.plip.touched import reads, writes
from duet.result import Step
from duet.source import NOWHERE

Key: TypeAlias = tuple[str, str]  # a cell and its thread, "" for a global
_AT_FIRST = -1
_MOST = 12  # steps that are told
_MOST_CHANGES = 4


@dataclass(frozen=True, slots=True)
class _Read:
    key: Key
    value: Value
    writer: int  # the step that gave the value


@dataclass(frozen=True, slots=True)
class _Taken:
    thread: str
    command: Command
    reads: tuple[_Read, ...]
    writes: Mapping[Key, Value]


@dataclass(frozen=True, slots=True)
class _Gap:
    """A step that goes on from what its thread has read or tested, and who has written that since."""

    step: _Taken
    known: _Taken
    read: _Read
    other: _Taken
    test: str  # in words; empty for a read


@dataclass
class Trace:
    """The steps of an execution, in order; the last is the check that fails."""

    program: Program
    _taken: list[_Taken] = field(default_factory=list)
    _last: dict[Key, int] = field(default_factory=dict)
    _found: dict[tuple[int, str, int], bool] = field(default_factory=dict)  # by `_is_written`

    def take(self, thread: str, command: Command, before: Mapping[str, Value], after: Mapping[str, Value]) -> None:
        """Notes a step: the values of globals and of the thread's own cells before and behind it."""
        read: dict[str, _Read] = {}
        written: dict[Key, Value] = {}
        for step in steps(command.instruction):
            for cell in sorted(reads(step)):
                key = self._key(cell, thread)
                if key not in written:
                    read[cell] = _Read(key, before[cell], self._last.get(key, _AT_FIRST))
            if isinstance(step, Assign | Havoc | Compute | Lookup):
                written[self._key(step.target, thread)] = after[step.target]
        self._note(_Taken(thread, command, tuple(read.values()), written))

    def start(self, thread: str, command: Command, before: Mapping[str, Value], child: str) -> None:
        """Notes that a thread starts another one."""
        assert isinstance(command.instruction, Spawn)
        read = tuple(
            _Read(key, before[cell], self._last.get(key, _AT_FIRST))
            for cell in sorted(reads(command.instruction))
            for key in (self._key(cell, thread),)
        )
        self._note(_Taken(thread, command, read, {(cell, child): 0 for cell, _ in command.instruction.arguments}))

    def _note(self, step: _Taken) -> None:
        for key in step.writes:
            self._last[key] = len(self._taken)
        self._taken.append(step)

    def _key(self, cell: str, thread: str) -> Key:
        return cell, thread if self.program.cells[cell].template is not None else ""

    def why(self) -> tuple[Step, ...]:
        """The steps that make the last one fail, that one first, then those before, the nearest first."""
        found: list[Step] = []
        for index in self._sources(len(self._taken) - 1):
            found += self._told(index)
            found += self._overtaken(index)
        return tuple(dict.fromkeys(found))[:_MOST]

    def _sources(self, last: int) -> Iterator[int]:
        """A step and those that its values go back to, by number, the last first.

        Of one that depends on no value, such as a call that must not be reached, the test before it counts.
        """
        test = None if self._taken[last].reads else self._last_test(last)
        work = {last} if test is None else {last, test}
        while work:
            index = max(work)
            work.remove(index)
            yield index
            for read in self._taken[index].reads:
                work.update({read.writer, *self._left_out(read, index)} - {_AT_FIRST})

    def _left_out(self, read: _Read, index: int) -> Iterator[int]:
        """The last test by which the thread of a step got past a write of what the step reads, if there is one."""
        cell, thread = read.key[0], self._taken[index].thread
        for at in range(index - 1, read.writer, -1):
            step = self._taken[at]
            if step.thread == thread and isinstance(step.command.instruction, Guard) and step.reads:
                ways = (self.program.commands[number] for number in self.program.outgoing[step.command.source])
                end = self._taken[index].command.source
                if any(self._is_written(way.target, cell, end) for way in ways if way != step.command):
                    yield at
                    return

    def _is_written(self, start: int, cell: str, end: int) -> bool:
        """Whether a write of a cell is behind a location, and not only behind another one."""
        key = start, cell, end
        if key not in self._found:
            self._found[key] = self._next_write(start, cell, end) is not None
        return self._found[key]

    def _next_write(self, start: int, cell: str, end: int | None = None) -> Command | None:
        """The nearest write of a cell behind a location; None where there is none, or only behind another location."""
        seen, work = {start, end}, deque([start])
        while work:
            leaving = [self.program.commands[index] for index in self.program.outgoing[work.popleft()]]
            for command in leaving:
                if cell in writes(command.instruction):
                    return command
            new = dict.fromkeys(command.target for command in leaving if command.target not in seen)
            seen |= new.keys()
            work += new
        return None

    def _told(self, index: int) -> Iterator[Step]:
        """What a step did; nothing of one that only reads into a temporary, or hands on a value."""
        step = self._taken[index]
        instruction = step.command.instruction
        if isinstance(instruction, Assert):
            given, expression = self._values(step), instruction.check.expression
            yield self._step(step, f"{expression} does not hold: {given}" if given else f"{expression} is reached")
            return
        if isinstance(instruction, Guard):
            yield self._step(step, f"{instruction_words(self.program, instruction)} holds: {self._values(step)}")
        named = [(cell, value) for (cell, _), value in step.writes.items() if self._is_named(cell)]
        for cell, value in named if not isinstance(instruction, Spawn) else ():
            text = f"{self._name(cell)} is {_shown(value)}"
            if isinstance(instruction, Havoc):
                yield self._step(step, f"{text}, which may be any value here")
                continue
            text = f"{text}: {instruction_words(self.program, instruction)}"
            is_copy = isinstance(instruction, Assign) and _is_copy(instruction.value)
            given = "" if is_copy else self._values(step)
            yield self._step(step, f"{text}{f', where {given}' if given else ''}")

    def prevented_by(self) -> tuple[str, ...]:
        """Changes that keep the check from failing so.

        What must not come between two steps of a thread; else which of a thread's writes must be seen together, and
        what must come first.
        """
        sources = list(self._sources(len(self._taken) - 1))
        found = [self._kept_apart(gap) for index in sources for gap in self._gaps(index)]
        found = found or [text for index in sources for text in (*self._seen_whole(index), *self._set_before(index))]
        return tuple(dict.fromkeys(found))[:_MOST_CHANGES]

    def _kept_apart(self, gap: _Gap) -> str:
        first, last, line = (_line(step) for step in (gap.known, gap.step, gap.other))
        lines = f"between line {first} and line {last}" if first != last else f"in line {last}"
        who = f"nobody sets {self._name(gap.read.key[0])} while {gap.step.thread} is {lines}"
        return f"{who}: a lock held there and in line {line}, or one atomic step"

    def _seen_whole(self, index: int) -> Iterator[str]:
        """Where a step reads what another thread has written and may write again: that both are one step for it."""
        step = self._taken[index]
        for read in step.reads:
            if read.key[1] or read.writer == _AT_FIRST or self._taken[read.writer].thread == step.thread:
                continue
            other = self._taken[read.writer]
            again = self._next_write(other.command.target, read.key[0])
            if again is not None and again.span and again.span.line != _line(other):
                lines = f"between line {_line(other)} and line {again.span.line}"
                who = f"nobody reads {self._name(read.key[0])} while {other.thread} is {lines}"
                yield f"{who}: a lock held there and in line {_line(step)}"

    def _set_before(self, index: int) -> Iterator[str]:
        """Where a step reads what a global held at first: that another thread sets it before."""
        step = self._taken[index]
        for read in step.reads:
            cell, owner = read.key
            if owner or read.writer != _AT_FIRST or not self._is_named(cell):
                continue
            for command in self.program.commands:
                by = self.program.templates[self.program.template_of[command.source]].label
                if cell in writes(command.instruction) and command.span and by != step.thread.partition("#")[0]:
                    where = f"(line {command.span.line}, {by})"
                    yield f"{self._name(cell)} is set {where} before {step.thread} is in line {_line(step)}"

    def _overtaken(self, index: int) -> Iterator[Step]:
        """Where a thread goes on from what another one has written since it was read or tested."""
        for gap in self._gaps(index):
            name, thread, other = self._name(gap.read.key[0]), gap.step.thread, gap.other
            since = f"{other.thread} had set {name} to {_shown(other.writes[gap.read.key])} (line {_line(other)})"
            tested = f"had tested {gap.test} with" if gap.test else "went on from"
            known = f"{thread} {tested} {name} = {_shown(gap.read.value)} (line {_line(gap.known)})"
            yield self._step(gap.step, f"{known}; since then {since}")

    def _gaps(self, index: int) -> Iterator[_Gap]:
        """What another thread has written between a step and what it goes on from."""
        step = self._taken[index]
        if not any(map(self._is_named, (cell for cell, _ in step.writes))):
            return
        for before, test in self._known_by(index):
            for read in self._taken[before].reads:
                between = [] if read.key[1] else self._taken[before + 1 : index]
                others = [taken for taken in between if taken.thread != step.thread and read.key in taken.writes]
                if others:
                    yield _Gap(step, self._taken[before], read, others[-1], test)

    def _known_by(self, index: int) -> Iterator[tuple[int, str]]:
        """The earlier steps of the same thread that a step goes back to, and those of its last test with its words."""
        thread = self._taken[index].thread
        yield from ((at, "") for at in self._sources(index) if at != index and self._taken[at].thread == thread)
        test = self._last_test(index)
        if test is not None:
            words = instruction_words(self.program, self._taken[test].command.instruction)
            yield from ((source, words) for source in self._sources(test) if self._taken[source].thread == thread)

    def _last_test(self, index: int) -> int | None:
        """The last step of the same thread before one that passed since some cells had the right values."""
        for at in range(index - 1, -1, -1):
            step = self._taken[at]
            if step.thread == self._taken[index].thread and isinstance(step.command.instruction, Guard) and step.reads:
                return at
        return None

    def _values(self, step: _Taken) -> str:
        """The values that a step read, by the user's names."""
        found = {self._name(read.key[0]): _shown(read.value) for read in step.reads}
        return ", ".join(f"{name} = {value}" for name, value in found.items())

    def _is_named(self, cell: str) -> bool:
        """Whether a cell is one of the source, and no temporary."""
        return bool(self.program.cells[cell].label) or not (cell.startswith("$") or cell in self.program.copied)

    def _name(self, cell: str) -> str:
        found = label(self.program, cell)
        return "a value" if found.startswith("$") else found

    def _step(self, step: _Taken, text: str) -> Step:
        span = step.command.span or NOWHERE
        return Step(step.thread, span.file, span.line, text)


def _line(step: _Taken) -> int:
    return (step.command.span or NOWHERE).line


def _is_copy(term: Linear) -> bool:
    return not term.terms or (len(term.terms) == 1 and term.terms[0][1] == 1 and term.constant == 0)


def _shown(value: Value) -> str:
    return str(value) if isinstance(value, int) else f"one of {', '.join(map(str, sorted(value)))}"
