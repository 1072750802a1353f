"""PLIP, the intermediate language: linear terms, formulas, instructions, templates, programs.

*Source*: thesis Fig. 2.4 and 2.5, extended with checks, thread creation and joining, nonlinear operations,
constant tables, summary cells and atomic regions.

A cell is known by its name alone (a string, unique in the program); what it is stands in `Program.cells`.
Locations are integers, unique in the program. A command is known by its index in `Program.commands`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from duet.plip.accesses import Access
from duet.records import dataclass
from duet.result import Check
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Linear:
    """`sum(k * cell) + constant`. *Requires*: terms sorted by cell name, no coefficient 0 (see `build`)."""

    terms: tuple[tuple[str, int], ...]
    constant: int = 0


class Relation(StrEnum):
    """How the term of an atom relates to 0."""

    LE = "<="
    EQ = "=="
    NE = "!="


@dataclass(frozen=True, slots=True)
class Atom:
    """`term relation 0`."""

    term: Linear
    relation: Relation


@dataclass(frozen=True, slots=True)
class And:
    """All of `parts`; no part at all is `true`."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Any of `parts`; no part at all is `false`."""

    parts: tuple[Formula, ...]


Formula: TypeAlias = Atom | And | Or
TRUE = And(())
FALSE = Or(())


class Operation(StrEnum):
    """Operations outside linear arithmetic, on mathematical integers.

    DIV and MOD truncate towards zero as in C; SHL is `a * 2**b`, SHR is `floor(a / 2**b)`; AND, OR and XOR act on
    the infinite two's complement. WRAP(a, lo, hi) is the value congruent to `a` modulo `hi - lo + 1` in
    `[lo, hi]`. There is no result, so the thread cannot go on, for a division by 0 and for a negative shift count.
    """

    MUL = "*"
    DIV = "/"
    MOD = "%"
    AND = "&"
    OR = "|"
    XOR = "^"
    SHL = "<<"
    SHR = ">>"
    WRAP = "wrap"


@dataclass(frozen=True, slots=True)
class Assign:
    """`target := value`."""

    target: str
    value: Linear


@dataclass(frozen=True, slots=True)
class Havoc:
    """`target := *`, any integer in the inclusive range; None is no bound on that side."""

    target: str
    lo: int | None = None
    hi: int | None = None


@dataclass(frozen=True, slots=True)
class Compute:
    """`target := operation(arguments)`."""

    target: str
    operation: Operation
    arguments: tuple[Linear, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """`target := table[index]`, a constant table; an index outside of it has no result (the thread stops)."""

    target: str
    table: tuple[int, ...]
    index: Linear


@dataclass(frozen=True, slots=True)
class Guard:
    """`[condition]`: passes only where the condition holds. `Guard(TRUE)` is the instruction that does nothing.

    With a `call` it enters a body that several calls share, by the number of the call; the way back behind that call
    has the same number below 0. A thread comes back only behind the last call that it has made and not come back from.
    """

    condition: Formula
    call: int = 0


@dataclass(frozen=True, slots=True)
class Assert:
    """A copy of `check`: `condition` must hold here.

    With `stops`, the execution ends where it fails (later code is analysed as if it had held); without, the
    thread goes on either way.
    """

    condition: Formula
    check: Check
    stops: bool = True


@dataclass(frozen=True, slots=True)
class Spawn:
    """Starts an instance of a template; `arguments` give values to cells local to it, all in one step."""

    template: str
    arguments: tuple[tuple[str, Linear], ...] = ()


@dataclass(frozen=True, slots=True)
class Join:
    """Waits until the one instance of a template is at its exit.

    *Requires*: emitted only where the joined thread is known to be the instance of that template. For a template
    that is `MANY` the instruction orders nothing.
    """

    template: str


@dataclass(frozen=True, slots=True)
class Atomic:
    """`atomic{...}`: the steps happen as one; it passes only if every step does."""

    steps: tuple[Step, ...]


Step: TypeAlias = Assign | Havoc | Compute | Lookup | Guard
Instruction: TypeAlias = Step | Assert | Spawn | Join | Atomic
SKIP = Guard(TRUE)
MADE = "__duet_"
"""Starts the names of what is not in the source: models and harnesses have made it."""
ANY_CALLBACK = "any callback"
"""The function of the template for all that unknown code calls; no function of C has such a name."""
ANY_THREAD = "any thread"
"""The function of the template for all functions that are started as threads, in a very large program."""
WHETHER = "whether "
"""Starts the labels of cells that are 1 where something is known of an object, as `whether line ends`."""


def guards(instruction: Instruction) -> list[Formula]:
    """The conditions without which an instruction does not pass: of guards, and of a check that stops."""
    return [
        step.condition
        for step in steps(instruction)
        if isinstance(step, Guard) or (isinstance(step, Assert) and step.stops)
    ]


def steps(instruction: Instruction) -> tuple[Instruction, ...]:
    """What an instruction does, one after the other."""
    return instruction.steps if isinstance(instruction, Atomic) else (instruction,)


def together(parts: Sequence[Step]) -> Instruction:
    """The instruction that does some steps, one after the other; see `steps`."""
    return SKIP if not parts else parts[0] if len(parts) == 1 else Atomic(tuple(parts))


@dataclass(frozen=True, slots=True)
class Command:
    """`(source, instruction, target)`, at a place in the user's source.

    `accesses` are those that the thread is about to make at `source` (empty unless they are asked for).
    `approximates` says in what the command stands for more than the source does; it is empty where the command does
    just that. It changes nothing in what the command does here, but an execution through it may be none of the source.
    """

    source: int
    instruction: Instruction
    target: int
    span: Span | None = None
    accesses: tuple[Access, ...] = ()
    approximates: str = ""

    def between(self, source: int, target: int) -> Command:
        """The command between other locations."""
        if source == self.source and target == self.target:
            return self
        return Command(source, self.instruction, target, self.span, self.accesses, self.approximates)

    def marked(self, approximates: str) -> Command:
        """The command with another mark."""
        if approximates == self.approximates:
            return self
        return Command(self.source, self.instruction, self.target, self.span, self.accesses, approximates)


@dataclass(frozen=True, slots=True)
class Cell:
    """One memory cell of mathematical integers.

    `template` is None for a global, else the template that each has its own copy of it. A `summary` cell
    stands for many concrete cells: read one value of the set it holds, write adds to the set (weak update). It occurs
    only as the whole right side of `t := a` and as the target of a write.
    `lo`, `hi` bound the initial value, inclusive, None for no bound: a C global that is zero-initialised has 0, 0;
    a local cell that nobody has set may hold anything.
    `label` is the name for reports ("count", "dev.state"), `span` its declaration.
    """

    name: str
    template: str | None = None
    summary: bool = False
    lo: int | None = None
    hi: int | None = None
    label: str = ""
    span: Span | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is one cell of each thread, and of no other."""
        return self.template is not None and not self.summary


class Inside(StrEnum):
    """How a function comes to run inside of a thread of the program, whichever it is."""

    SIGNAL = "signal"
    """At any time, as the handler of a signal."""
    EXIT = "exit"
    """Where the thread ends the process: as what it has left to do then."""


@dataclass(frozen=True, slots=True)
class Content:
    """What threads read of a cell for many elements is `(factor * argument + constant) / times`."""

    cell: str
    times: int
    factor: int
    constant: int


@dataclass(frozen=True, slots=True)
class Apart:
    """The arguments of any two threads differ `by` so much at least, and where they lead to is what `contents` say.

    That is so if the first thread, which starts them, converts no number that it gives `made` cells to another one.
    """

    by: int
    made: frozenset[str]
    contents: frozenset[Content] = frozenset()


@dataclass(frozen=True, slots=True)
class Template:
    """What the threads of one kind run.

    `commands` index into `Program.commands`. While a thread is at a location in `atomic` no other thread moves;
    neither `entry` nor `exit` is in it. `function` names the C function, `parameters` the cells set by `Spawn`.
    A thread that `interrupts` runs inside of another one, which goes on when it has ended. Where it is known what
    it runs `inside` of, that is a thread of the program, whichever it is; else it may be one that the program does not
    show. It may be known that the arguments of its threads are `apart`.
    """

    name: str
    entry: int
    exit: int
    commands: tuple[int, ...]
    parameters: tuple[str, ...] = ()
    atomic: frozenset[int] = frozenset()
    function: str = ""
    interrupts: bool = False
    inside: Inside | None = None
    apart: Apart | None = None

    @property
    def label(self) -> str:
        """The name for reports: `life of fops` for `__duet_life_of_fops`, which is made by a model."""
        name = self.function or self.name
        return name.removeprefix(MADE).replace("_of_", " of ", 1) if name.startswith(MADE) else name


@dataclass(frozen=True)
class Program:
    """A PLIP program: `main` runs first, everything else by `Spawn`.

    `cells` maps names to cells, `templates` names to templates, both in a fixed order.
    """

    cells: Mapping[str, Cell]
    templates: Mapping[str, Template]
    commands: tuple[Command, ...]
    main: str

    @cached_property
    def template_of(self) -> Mapping[int, str]:
        """The template of each location."""
        owner: dict[int, str] = {}
        for template in self.templates.values():
            owner[template.entry] = owner[template.exit] = template.name
            for index in template.commands:
                command = self.commands[index]
                owner[command.source] = owner[command.target] = template.name
        return owner

    @cached_property
    def outgoing(self) -> Mapping[int, tuple[int, ...]]:
        """The commands that leave each location, in order."""
        out: dict[int, list[int]] = {location: [] for location in self.template_of}
        for index, command in enumerate(self.commands):
            out[command.source].append(index)
        return {location: tuple(indices) for location, indices in out.items()}

    @cached_property
    def incoming(self) -> Mapping[int, tuple[int, ...]]:
        """The commands that enter each location, in order."""
        into: dict[int, list[int]] = {location: [] for location in self.template_of}
        for index, command in enumerate(self.commands):
            into[command.target].append(index)
        return {location: tuple(indices) for location, indices in into.items()}

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """A number for each command, the same for equal instructions."""
        numbers: dict[Instruction, int] = {}
        return tuple(numbers.setdefault(command.instruction, len(numbers)) for command in self.commands)

    @cached_property
    def found(self) -> dict[str, object]:
        """What has been found out about the program, see `duet.plip.once`."""
        return {}

    @cached_property
    def globals(self) -> tuple[str, ...]:
        """The names of the global cells, in order."""
        return tuple(name for name, cell in self.cells.items() if cell.template is None)

    @cached_property
    def copied(self) -> Mapping[str, str]:
        """For each cell without a label that only ever takes a copy of one other cell: that cell."""
        sources: dict[str, set[str | None]] = {}
        for command in self.commands:
            for step in steps(command.instruction):
                match step:
                    case Assign(target, Linear(((source, 1),), 0)):
                        sources.setdefault(target, set()).add(source)
                    case Assign(target) | Havoc(target) | Compute(target) | Lookup(target):
                        sources.setdefault(target, set()).add(None)
                    case _:
                        pass
        return {
            target: only
            for target, found in sources.items()
            if len(found) == 1 and (only := next(iter(found))) is not None and not self.cells[target].label
        }
