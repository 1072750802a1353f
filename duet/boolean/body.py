"""What a thread of a Boolean program runs, as commands: statements in order, called functions in the place of calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from duet.boolean.formulas import Formulas, either_value
from duet.boolean.sections import Sections, inside
from duet.boolean.syntax import (
    Assert,
    Assign,
    Assume,
    Atomic,
    Block,
    BooleanProgram,
    Call,
    EndThread,
    Enforce,
    Expression,
    Forget,
    Function,
    Goto,
    If,
    Kind,
    Name,
    Not,
    Return,
    Skip,
    Start,
    Statement,
    While,
    names_in,
    own_names,
    show,
)
from duet.errors import SourceError, Unsupported
from duet.plip import syntax as plip
from duet.plip.build import ProgramBuilder, TemplateBuilder
from duet.plip.syntax import SKIP, Cell, Guard, Instruction, Spawn, Step, together
from duet.plip.terms import conjunction, variable
from duet.result import Check
from duet.source import Span

_MOST = 50_000
"""Commands of a program; calls are inlined, so that it may grow without bounds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a thread starts: at the begin of a function, or at a label in it."""

    function: str
    label: str | None

    @property
    def template(self) -> str:
        return self.function if self.label is None else f"{self.function} at {self.label}"


@dataclass
class _Frame:
    """A function that runs: the cells of its variables, where its labels are and where it returns to, with what."""

    function: Function
    cells: Mapping[str, str]
    after: int
    results: tuple[str, ...] = ()
    labels: dict[str, int] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)
    jumps: list[tuple[str, Span]] = field(default_factory=list)


class Body:
    """Builds the template of one entry."""

    def __init__(self, builder: ProgramBuilder, program: BooleanProgram, entry: Entry, is_parameterized: bool) -> None:
        self._builder, self._program, self._entry = builder, program, entry
        self._is_parameterized = is_parameterized
        function = program.functions[entry.function]
        names = [name.name for name in own_names(function)] if entry.label is not None else _parameters(function)
        parameters = tuple(_own_cell(entry, name) for name in names)
        self._template: TemplateBuilder = builder.template(entry.template, None, None, parameters, entry.function)
        self._here = self._template.entry
        self._span = function.span
        self._frames: list[_Frame] = []
        self._started: list[Entry] = []
        self._count = 0
        self._begins: set[int] = set()
        self._ends: set[int] = set()
        self._enforced: list[Expression] = []
        self._first: tuple[Step, ...] = ()  # what is enforced of the statement that begins

    def build(self, inputs: Sequence[str] = ()) -> list[Entry]:
        """Adds the template, which first gives some cells either value; the entries of the threads that it starts."""
        function = self._program.functions[self._entry.function]
        cells = {name.name: _own_cell(self._entry, name.name) for name in own_names(function)}
        self._declare(function, cells)
        for cell in inputs:
            self._emit(either_value(cell))
        given = set(cells) if self._entry.label is not None else set(_parameters(function))
        for name, cell in cells.items():
            if name not in given:
                self._emit(either_value(cell))
        frame = _Frame(function, cells, self._template.exit)
        self._frames.append(frame)
        if self._entry.label is not None:
            self._go_to(frame, (self._entry.label,), function.span)
        self._run(frame)
        self._template.command(self._here, SKIP, self._template.exit, self._span)
        sections = Sections(frozenset(self._begins), frozenset(self._ends))
        for place in inside(self._template, sections):
            self._template.mark_atomic(place)
        return self._started

    def _declare(self, function: Function, cells: Mapping[str, str]) -> None:
        for name in own_names(function):
            if self._builder.has_cell(cells[name.name]):
                raise SourceError(f"{name.name} is declared twice in {function.name}", name.span)
            self._builder.cell(Cell(cells[name.name], self._entry.template, False, 0, 0, name.name, name.span))

    def _fresh(self) -> str:
        """A new cell for a value in between."""
        self._count += 1
        name = f"${self._count}@{self._entry.template}"
        self._builder.cell(Cell(name, self._entry.template, False, 0, 0))
        return name

    def _resolve(self, name: Name) -> str:
        if name.is_next:
            raise SourceError(f"'{name.name} has a meaning behind 'constrain' only", name.span)
        return self._cell(name)

    def _cell(self, name: Name) -> str:
        cells = self._frames[-1].cells
        if name.name in cells:
            return cells[name.name]
        if any(name.name == other.name for other in self._program.variables):
            return name.name
        if name.name.endswith("$"):
            raise Unsupported(f"{name.name}: variables of other threads are not supported", name.span)
        raise SourceError(f"no variable {name.name} is declared", name.span)

    def _formulas(self) -> Formulas:
        return Formulas(self._resolve, self._fresh)

    def _emit(self, instruction: Instruction) -> None:
        self._here = self._template.then(self._here, instruction, self._span)
        if len(self._template.commands) > _MOST:
            raise Unsupported("the program is too large where calls are replaced by what is called", self._span)

    def _steps(self, steps: Sequence[Step]) -> None:
        """Takes steps as one, with what is enforced in front of the first of a statement."""
        first, self._first = self._first, ()
        self._emit(together((*first, *steps)))

    def _edge(self, steps: Sequence[Step], target: int) -> None:
        self._template.command(self._here, together(steps), target, self._span)

    def _jump(self, target: int) -> None:
        self._edge((), target)
        self._here = self._template.location()

    def _run(self, frame: _Frame) -> None:
        """The body of a function, up to where it returns."""
        self._block(frame.function.body)
        self._jump(frame.after)
        for label, span in frame.jumps:
            if label not in frame.placed:
                raise SourceError(f"no label {label} in {frame.function.name}", span)
        self._here = frame.after

    def _block(self, block: Block) -> None:
        depth = len(self._enforced)
        for statement in block:
            self._statement(statement)
        del self._enforced[depth:]

    def _statement(self, statement: Statement) -> None:
        frame = self._frames[-1]
        for label in statement.labels:
            if label in frame.placed:
                raise SourceError(f"label {label} is there twice", statement.span)
            frame.placed.add(label)
            self._jump_here(frame.labels.setdefault(label, self._template.location()))
        self._span = statement.span
        self._first = self._demanded()
        self._kind(statement.kind)
        self._first = ()

    def _jump_here(self, location: int) -> None:
        self._edge((), location)
        self._here = location

    def _demanded(self) -> tuple[Step, ...]:
        """The steps that pass where all that is enforced holds."""
        return self._passing(self._enforced) if self._enforced else ()

    def _passing(self, conditions: Sequence[Expression]) -> tuple[Step, ...]:
        """The steps that pass where some conditions hold."""
        formulas = self._formulas()
        guard = Guard(conjunction([formulas.of(condition) for condition in conditions]))
        return (*formulas.steps, guard)

    def _demand(self) -> None:
        """Goes on where all that is enforced holds, in one step with what comes next, which can always be taken."""
        if self._first:
            self._steps(())
            self._template.mark_atomic(self._here)

    def _kind(self, kind: Kind) -> None:
        match kind:
            case Skip():
                self._steps(())
            case Assign(targets, values, constraint):
                self._assign([self._resolve(target) for target in targets], values, constraint)
            case Call():
                self._call(kind)
            case Start(what):
                self._start(what)
            case EndThread():
                self._steps(())
                self._jump(self._template.exit)
            case Goto(labels):
                self._steps(())
                self._go_to(self._frames[-1], labels, self._span)
            case Return(values):
                self._return(values)
            case Assume(condition):
                self._steps(self._passing((condition,)))
            case Assert(condition):
                self._assert(condition)
            case Enforce(condition):
                self._enforced.append(condition)
                self._first = self._demanded()
                self._steps(())
            case Forget(names):
                self._steps([either_value(self._resolve(name)) for name in names])
            case If(condition, yes, no):
                self._if(condition, yes, no)
            case While(condition, body):
                self._while(condition, body)
            case Atomic(is_begin):
                self._steps(())
                (self._begins if is_begin else self._ends).add(self._here)
            case _:
                assert_never(kind)

    def _assert(self, condition: Expression) -> None:
        """A check that holds for every value of `*`."""
        self._demand()
        formulas, span = self._formulas(), self._span
        holds = formulas.of(condition)
        if formulas.steps:
            self._steps(formulas.steps)
        function = self._frames[-1].function.name
        check = Check(span.file, span.line, span.column, function, "assertion", show(condition))
        self._emit(plip.Assert(holds, check))

    def _assign(
        self,
        cells: Sequence[str],
        values: Sequence[Expression],
        constraint: Expression | None = None,
    ) -> None:
        """Gives cells values, all at once: they go to cells in between first."""
        if len(set(cells)) < len(cells):
            raise SourceError("a variable is assigned twice in one statement", self._span)
        formulas = self._formulas()
        if len(cells) == 1 and constraint is None and cells[0] not in map(self._cell, names_in(values[0])):
            formulas.give(cells[0], values[0])
            self._steps(formulas.steps)
            return
        later: dict[str, str] = {}
        for cell, value in zip(cells, values, strict=True):
            later[cell] = self._fresh()
            formulas.give(later[cell], value)
        if constraint is not None:
            formulas.resolve = lambda name: _behind(later, self._cell(name), name.is_next)
            formulas.steps.append(Guard(formulas.of(constraint)))
        self._steps([*formulas.steps, *(plip.Assign(cell, variable(value)) for cell, value in later.items())])

    def _callee(self, call: Call) -> Function:
        function = self._program.functions.get(call.function)
        if function is None:
            raise SourceError(f"no function {call.function} is defined", self._span)
        if len(call.arguments) != len(function.parameters):
            message = f"{call.function} takes {len(function.parameters)} arguments, not {len(call.arguments)}"
            raise SourceError(message, self._span)
        return function

    def _call(self, call: Call) -> None:
        function = self._callee(call)
        if call.targets and len(call.targets) != function.width:
            message = f"{call.function} returns {function.width} values, not {len(call.targets)}"
            raise SourceError(message, self._span)
        if any(frame.function is function for frame in self._frames):
            raise Unsupported(f"{call.function} calls itself: recursion is not supported", self._span)
        self._steps(())
        self._count += 1
        cells = {name.name: f"{self._entry.template}::{self._count}::{name.name}" for name in own_names(function)}
        self._declare(function, cells)
        results = tuple(self._fresh() for _ in range(function.width))
        self._assign([cells[name] for name in _parameters(function)], call.arguments)
        given = set(_parameters(function))
        unset = [*(cell for name, cell in cells.items() if name not in given), *results]
        if unset:
            self._steps([either_value(cell) for cell in unset])
        span, enforced, self._enforced = self._span, self._enforced, []
        frame = _Frame(function, cells, self._template.location(), results)
        self._frames.append(frame)
        self._run(frame)
        self._frames.pop()
        self._span, self._enforced = span, enforced
        if call.targets:
            found = [self._resolve(target) for target in call.targets]
            self._steps([plip.Assign(cell, variable(value)) for cell, value in zip(found, results, strict=True)])

    def _return(self, values: Sequence[Expression]) -> None:
        frame = self._frames[-1]
        if len(values) != frame.function.width:
            message = f"{frame.function.name} returns {frame.function.width} values, not {len(values)}"
            raise SourceError(message, self._span)
        self._assign(frame.results, values)
        self._jump(frame.after)

    def _start(self, what: Call | str) -> None:
        """Starts a thread; any number of them, if that is asked for."""
        self._demand()
        if isinstance(what, str):
            if len(self._frames) > 1:
                raise Unsupported("a thread is started at a label of a function that is called", self._span)
            frame = self._frames[0]
            entry = Entry(frame.function.name, what)
            frame.jumps.append((what, self._span))
            given = [(_own_cell(entry, name), variable(cell)) for name, cell in frame.cells.items()]
        else:
            function = self._callee(what)
            entry = Entry(function.name, None)
            values = [self._fresh() for _ in what.arguments]
            if values:
                self._assign(values, what.arguments)
            cells = [_own_cell(entry, name) for name in _parameters(function)]
            given = [(cell, variable(value)) for cell, value in zip(cells, values, strict=True)]
        self._started.append(entry)
        spawn = Spawn(entry.template, tuple(sorted(given)))
        if self._is_parameterized:
            self._template.command(self._here, spawn, self._here, self._span)
        self._emit(spawn)

    def _go_to(self, frame: _Frame, labels: Iterable[str], span: Span) -> None:
        for label in labels:
            frame.jumps.append((label, span))
            self._edge((), frame.labels.setdefault(label, self._template.location()))
        self._here = self._template.location()

    def _if(self, condition: Expression, yes: Block, no: Block) -> None:
        after = self._template.location()
        there, other = self._branch(condition)
        for start, block in ((there, yes), (other, no)):
            self._here = start
            self._block(block)
            self._edge((), after)
        self._here = after

    def _while(self, condition: Expression, body: Block) -> None:
        head = self._template.location()
        self._jump_here(head)
        there, after = self._branch(condition)
        self._here = there
        self._block(body)
        self._edge((), head)
        self._here = after

    def _branch(self, condition: Expression) -> tuple[int, int]:
        """Where the condition holds, and where not; both for some value of `*`."""
        first, self._first = self._first, ()
        ways = []
        for wanted in (condition, Not(condition)):
            ways.append(self._template.location())
            self._edge((*first, *self._passing((wanted,))), ways[-1])
        return ways[0], ways[1]


def _behind(later: Mapping[str, str], cell: str, is_next: bool) -> str:
    return later.get(cell, cell) if is_next else cell


def _own_cell(entry: Entry, name: str) -> str:
    return f"{entry.template}::{name}"


def _parameters(function: Function) -> list[str]:
    return [name.name for name in function.parameters]
