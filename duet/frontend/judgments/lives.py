"""What tells the analyses of the threads of a template: whether any is left, and how many have been started.

Where all have been joined (see `all_joined`), a lock: each thread of the template has a share of it as long as it runs,
and the first thread takes it for itself where all have ended, for good. Its shares have the form that
`duet.interference.shares` asks for. Where there is any number of threads, a token for each (`Starting`). In no
execution does anybody wait for either.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from duet.plip.syntax import Assign, Atomic, Cell, Command, Formula, Guard, Instruction, Spawn, Step
from duet.plip.terms import add, compare, conjunction, constant, variable


@dataclass(frozen=True, slots=True)
class Lives:
    """The lock that threads of a template have a share of as long as they run, and the first one takes for itself."""

    whole: Cell
    share: Cell
    taken: Cell

    @property
    def begun(self) -> Atomic:
        """The first step of each thread."""
        return self._changed(compare(variable(self.whole.name), ">=", constant(0)), self.share, 1)

    @property
    def over(self) -> Atomic:
        """The last one."""
        both = (compare(variable(cell.name), ">=", constant(1)) for cell in (self.share, self.whole))
        return self._changed(conjunction(both), self.share, -1)

    @property
    def none_left(self) -> Atomic:
        """The step of the first thread when all have been joined."""
        guard = Guard(compare(variable(self.whole.name), "==", constant(0)))
        # set rather than lowered by one: nobody is to count the threads
        return Atomic((guard, Assign(self.whole.name, constant(-1)), Assign(self.taken.name, constant(-1))))

    def _changed(self, condition: Formula, cell: Cell, by: int) -> Atomic:
        return Atomic((Guard(condition), self._more(self.whole, by), self._more(cell, by)))

    def _more(self, cell: Cell, by: int) -> Assign:
        return Assign(cell.name, add(variable(cell.name), constant(by)))


def lives(template: str, main: str) -> Lives:
    """The lock of a template, which is free at first."""
    name, label = f"threads {template}:running", f"threads of {template} that run"
    return Lives(
        Cell(name, None, False, 0, 0, label),
        Cell(f"{name}@{template}", template, False, 0, 0, f"this thread of {template} runs"),
        Cell(f"{name}@{main}", main, False, 0, 0, f"no thread of {template} runs"),
    )


def with_ends(
    commands: Iterable[Command], edges: Collection[tuple[int, int]], step: Instruction, fresh: Callable[[], int]
) -> list[Command]:
    """Commands with one more step at the end of each of some, which are given by their locations."""
    found: list[Command] = []
    for command in commands:
        if (command.source, command.target) in edges:
            between = fresh()
            found += [command.between(command.source, between), Command(between, step, command.target, command.span)]
        else:
            found.append(command)
    return found


def lived(
    commands: Sequence[Command], ends: tuple[int, int], first: Atomic, last: Atomic | None, fresh: Callable[[], int]
) -> list[Command]:
    """The commands of a thread between its first location and its last one, with a first step and a last one."""
    entry, end = ends
    moved = {entry: fresh()} if last is None else {entry: fresh(), end: fresh()}
    span = next((command.span for command in commands if command.source == entry), None)
    return [
        Command(entry, first, moved[entry], span),
        *(it.between(moved.get(it.source, it.source), moved.get(it.target, it.target)) for it in commands),
        *([Command(moved[end], last, end, span)] if last is not None else ()),
    ]


@dataclass(frozen=True, slots=True)
class Starting:
    """How many threads of a template have been started and have not taken their first step, in a global cell.

    Who starts one adds 1 before, and the thread takes 1 in its first step: it is there, as no other thread takes it. So
    what all threads add to something, one by one, together with what they take here, is what their starters add here:
    that bounds what any number of threads does by how many there are.
    """

    cell: Cell

    @property
    def added(self) -> Assign:
        """The step in front of each start."""
        return self._more(1)

    @property
    def taken(self) -> tuple[Step, ...]:
        """What is done in the first step of each thread."""
        return Guard(compare(variable(self.cell.name), ">=", constant(1))), self._more(-1)

    @property
    def none(self) -> Guard:
        """That all have taken it."""
        return Guard(compare(variable(self.cell.name), "==", constant(0)))

    def _more(self, by: int) -> Assign:
        return Assign(self.cell.name, add(variable(self.cell.name), constant(by)))


def starting(template: str) -> Starting:
    """The cell of a template, of which no thread has been started at first."""
    label = f"threads of {template} that are about to begin"
    return Starting(Cell(f"threads {template}:starting", None, False, 0, 0, label))


def with_starts(commands: Iterable[Command], of: Mapping[str, Starting], fresh: Callable[[], int]) -> list[Command]:
    """Commands with one more step in front of each start of a thread of some templates."""
    found: list[Command] = []
    for command in commands:
        start = command.instruction
        if isinstance(start, Spawn) and start.template in of:
            between = fresh()
            step = Command(command.source, of[start.template].added, between, command.span, command.accesses)
            found += [step, Command(between, start, command.target, command.span, (), command.approximates)]
        else:
            found.append(command)
    return found
