"""The state of one round of lowering, and what every part of it needs: temporaries, places, warnings, checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from pycparser.c_generator import CGenerator

from duet import result
from duet.frontend.cells.memory import Memory
from duet.frontend.ctypes.library import Description
from duet.frontend.ctypes.scope import Bound, Definition, Local, Scope
from duet.frontend.ctypes.types import CType, FunctionType, value_range
from duet.frontend.ctypes.values import Number, Object, Value
from duet.frontend.form.bodies import Forms
from duet.frontend.form.control import Body, Case, Statement
from duet.frontend.form.tree import Call
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.heap import Sites
from duet.frontend.judgments.facts import Facts
from duet.frontend.source.nodes import Node
from duet.options import FrontendOptions
from duet.plip.marks import Loss
from duet.plip.syntax import FALSE, Cell, Formula, Havoc, Spawn
from duet.plip.terms import variable
from duet.result import Check
from duet.source import Span

Outcome: TypeAlias = tuple[int, Value]
"""A location, and the value an expression has there."""


_MOST = 20
"""The most places of an assumption that are told."""


@dataclass(eq=False)
class Frame:
    """An inlined call: where its jumps lead, and the outcomes of its returns."""

    function: str
    result: CType
    prefix: str
    labels: dict[str, int] = field(default_factory=dict)
    breaks: list[int] = field(default_factory=list)
    continues: list[int] = field(default_factory=list)
    switches: list[dict[Case, int]] = field(default_factory=list)
    returns: list[Outcome] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    loops: int = 0
    entry: int | None = None
    parameters: tuple[Object, ...] = ()
    locals: dict[Local, Object | Bound] = field(default_factory=dict)
    body: Body | None = None
    hub: int | None = None
    value: Object | None = None
    call: Span | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A step of a jump to a body that is there already, at which locals may have to be made unknown, see `recursion`.

    `place` is the number of its command, `stack` are the bodies around it.
    """

    place: int
    stack: tuple[Frame, ...]
    callee: Frame
    is_return: bool


@dataclass
class Hooks:
    """Functions of the rooms above that this room calls, handed down so that no import leads back up."""

    statement: Callable[[Context, Statement], None]
    call: Callable[[Context, Call], list[Outcome]]
    thread: Callable[[Context, str, Value | None, Node], Spawn]
    handler: Callable[[Context, str, Node], Spawn | None]
    ending: Callable[[Context, str, str, Node], Spawn]
    beside: Callable[[Context, str, Node], Spawn | None]
    run: Callable[[Context, str, Sequence[Value], Node], None]
    call_back: Callable[[Context, Sequence[str], Callable[[], None], Node, frozenset[str], bool], None]


@dataclass
class Context:
    """One round of lowering. `builder`, `template`, `scope`, `frames` belong to the template being lowered.

    `endings` is what a thread does that ends here, the last one first, with the template that it belongs to.
    """

    options: FrontendOptions
    facts: Facts
    memory: Memory
    hooks: Hooks
    sites: Sites
    builder: Builder
    forms: Forms
    scope: Scope  # of the file that is lowered
    place_of: Callable[[object], Span]
    argument_text: Callable[[object], str | None]
    functions: dict[str, Definition] = field(default_factory=dict)
    template: str = "main"
    frames: list[Frame] = field(default_factory=list)
    statics: dict[Local, Object] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    warnings: dict[tuple[str, int, int, str], result.Warning] = field(default_factory=dict)
    warned: set[str] = field(default_factory=set)
    checks: dict[Check, None] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    assumptions: dict[str, None] = field(default_factory=dict)
    assumed_at: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    ignored: Node | None = None  # the expression being lowered whose value nobody uses
    called: set[str] = field(default_factory=set)
    library: set[str] = field(default_factory=set)  # functions and objects that headers of the system declare
    shared_frames: dict[str, Frame] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)
    unresolved: set[str] = field(default_factory=set)
    endings: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # by temporary, the cell that it was read from
    constants: dict[str, frozenset[int]] = field(default_factory=dict)  # by temporary, all values that it may have
    counter: int = 0
    emitted: int = 0
    files: list[Scope] = field(default_factory=list)
    declared: dict[str, FunctionType] = field(default_factory=dict)
    signatures: dict[str, FunctionType] = field(default_factory=dict)
    weak: frozenset[str] = frozenset()  # names that may be of weak symbols
    elsewhere: set[str] = field(default_factory=set)  # objects that are declared and not defined
    linked: set[str] = field(default_factory=set)  # objects with external linkage
    silent: int = 0
    running: list[str] = field(default_factory=list)  # the library functions called through pointers
    is_atomic: bool = False
    is_in_library: bool = False
    copies: int = 1  # of the statement being lowered, see `unroll`
    copy: list[int] = field(default_factory=list)  # the numbers of the copies that it stands in
    weights: dict[str, int] = field(default_factory=dict)  # by function, the size of its text with what it calls
    mentioned: dict[str, frozenset[str]] = field(default_factory=dict)  # by function, the names in it

    @property
    def frame(self) -> Frame:
        """The call being lowered."""
        return self.frames[-1]

    def describe(self, name: str) -> Description | None:
        """What is known of a library function."""
        return self.forms.around.describe(name)

    def wants(self, property_name: str) -> bool:
        """Whether checks of a property are asked for."""
        return property_name in self.options.properties

    def span(self, node: Node) -> Span:
        """The place of a node, or of the command being built where it has none."""
        coord = getattr(node, "coord", None)
        return self.place_of(coord) if coord is not None else (self.builder.span or self.place_of(None))

    def warn(self, node: Node, code: str, message: str) -> None:
        """Adds a warning, once for each place and code; what is warned of stands for more than C does."""
        self._doubt(code, message)
        if self.silent:
            return
        span = self.span(node)
        self.warnings.setdefault(
            (span.file, span.line, span.column, code), result.Warning(span.file, span.line, span.column, code, message)
        )

    def warn_once(self, node: Node, code: str, subject: str, message: str) -> None:
        """Adds a warning, once for each subject."""
        self._doubt(code, message)
        if not self.silent and f"{code}:{subject}" not in self.warned:
            self.warned.add(f"{code}:{subject}")
            self.warn(node, code, message)

    def _doubt(self, code: str, message: str) -> None:
        if code != "unknown-function":  # its result is an input, and each thing that it may do has a mark of its own
            self.builder.doubt(message)

    def assume(self, text: str) -> None:
        """Adds to the assumptions of the report."""
        if not self.silent:
            self.assumptions[text] = None

    def assume_at(self, node: Node, text: str) -> None:
        """Adds to the assumptions of the report one that is made at a place."""
        if self.silent:
            return
        span = self.span(node)
        places = self.assumed_at.setdefault(text, set())
        self.assumptions.pop(_with_places(text, places), None)
        places.add((span.file, span.line))
        self.assumptions[_with_places(text, places)] = None

    def unique(self, name: str) -> str:
        """The name, with a number if it is taken."""
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return name if count == 0 else f"{name}#{count + 1}"

    def temporary(self, kind: CType) -> str:
        """A new cell of the current template for an intermediate value."""
        self.counter += 1
        name = f"${self.counter}"
        # it is always written before it is read, so its initial value does not matter
        self.memory.cells[name] = Cell(name, self.template, False, 0, 0, "", self.builder.span)
        self.ranges[name] = value_range(kind)
        if self.frames:
            self.frame.cells.append(name)
        return name

    def havoc(
        self, kind: CType, origins: frozenset[str] = frozenset(), is_given: bool = False, loss: Loss | None = None
    ) -> Number:
        """Any value of a scalar type; an input of the program if `is_given`, else `loss` is what was lost."""
        lo, hi = value_range(kind)
        name = self.temporary(kind)
        self.builder.emit(Havoc(name, lo, hi), is_given, loss)
        return Number(variable(name), kind, lo, hi, origins)

    def check(
        self, node: Node, property_name: str, condition: Formula, expression: str | None = None, stops: bool = True
    ) -> None:
        """Emits a copy of the check of a property at a node."""
        check = self.identity(node, property_name, expression)
        self.builder.check(condition, check, stops)
        if stops and condition == FALSE:
            self.builder.dead()

    def identity(self, node: Node, property_name: str, expression: str | None = None) -> Check:
        """The check of a property at a node, made known for the report."""
        span = self.span(node)
        text = expression if expression is not None else show(node)
        function = self.frames[-1].function.partition("@")[0] if self.frames else ""
        check = Check(span.file, span.line, span.column, function, property_name, text)
        self.checks.setdefault(check)
        return check

    @contextmanager
    def at_node(self, node: Node) -> Iterator[None]:
        """Gives commands the place of a node."""
        before = self.builder.span
        if getattr(node, "coord", None) is not None:
            self.builder.span = self.place_of(node.coord)
        try:
            yield
        finally:
            self.builder.span = before

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """Lowers something that no thread runs: nothing it does is kept."""
        builder, counter, facts_frozen = self.builder, self.counter, self.facts.is_frozen
        cells, checks, gaps = dict(self.memory.cells), dict(self.checks), list(self.gaps)
        self.builder = Builder(iter(range(10**9)), span=builder.span)
        self.facts.is_frozen = True
        self.silent += 1
        try:
            yield
        finally:
            self.builder, self.counter, self.facts.is_frozen = builder, counter, facts_frozen
            self.memory.cells, self.checks, self.gaps = cells, checks, gaps
            self.silent -= 1


def _with_places(text: str, places: set[tuple[str, int]]) -> str:
    """An assumption, with the first of the places where it is made."""
    told = [f"{file}:{line}" for file, line in sorted(places)]
    more = f" and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return f"{text}: {', '.join(told[:_MOST])}{more}"


def show(node: Node) -> str:
    """The text of an expression, written out from its tree."""
    text: str = CGenerator().visit(node)
    return text
