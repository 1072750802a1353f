"""The state of one round of lowering, and what every part of it needs: temporaries, places, warnings, checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TypeAlias

from pycparser.c_generator import CGenerator

from duet.frontend.cells.declared import Declared
from duet.frontend.cells.findings import Findings
from duet.frontend.cells.memory import Memory
from duet.frontend.cells.temporaries import Temporaries
from duet.frontend.cells.thread import Frame, Gap, Outcome, Thread
from duet.frontend.cells.told import Reached, Table, Told
from duet.frontend.ctypes.library import Description, Library
from duet.frontend.ctypes.origins import NOTHING, Holder, Origins
from duet.frontend.ctypes.scope import Scope
from duet.frontend.ctypes.types import CType, DataModel, value_range
from duet.frontend.ctypes.values import Number, Value
from duet.frontend.form.bodies import Forms
from duet.frontend.form.control import Statement
from duet.frontend.form.tree import Call
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.heap import Sites
from duet.frontend.judgments.facts import Facts
from duet.frontend.source.nodes import Node
from duet.frontend.source.places import WrittenCall
from duet.options import FrontendOptions
from duet.plip.marks import Loss
from duet.plip.syntax import FALSE, MADE, SKIP, Cell, Formula, Havoc, Inside, Linear, Spawn
from duet.plip.terms import variable
from duet.result import Check
from duet.source import Span

_EXPANDED = re.compile(rf"\b{MADE}|\(\{{|\n")
"""What is in the text of an expression that macros made."""
_IS_SET = " != 0"
Handed: TypeAlias = Mapping[str, Sequence[Value | None]]
"""The first arguments that functions get from a library: values, or memory of its own."""


@dataclass
class Hooks:
    """Functions of the rooms above that this room calls, handed down so that no import leads back up."""

    statement: Callable[[Context, Statement], None]
    call: Callable[[Context, Call], list[Outcome]]
    thread: Callable[[Context, str, Value | None, Node, int], Spawn]
    handler: Callable[[Context, str, Node, Inside | None], Spawn | None]
    ending: Callable[[Context, str, Holder, Node], Spawn]
    beside: Callable[[Context, str, Node], Spawn | None]
    operation: Callable[[Context, str, Number | None, Number | None, Node], Spawn | None]
    run: Callable[[Context, str, Sequence[Value], Node], None]
    call_back: Callable[[Context, Sequence[str], Handed, Callable[[], None], Node, Origins, bool], None]


@dataclass
class Context:
    """One round of lowering. `builder`, `thread`, `scope` belong to the template being lowered.

    - `place_of`, `written_call`: where a node stands in the user's files, and the call that stands there;
    - `called`: the functions whose bodies were lowered; `unresolved`: dereferences of which no object is known yet;
    - `unreached`: what to record if something leads to locations to which nothing led when they were lowered;
    - `emitted`: how many commands the templates before this one have; `copied`: how many are in copies of loops that
      start no threads, but for the first copy of each;
    - `names`: how often a name was given to something new behind the same calls;
    - `told`, `reached`: what need not be noted, or looked for, again;
    - `tables`: initial values of earlier rounds, by the identities of their forms;
    - `fleeting`: nodes that move a pointer for one access only, or for none, see `duet.frontend.form.fleeting`;
      `followed`: those that do it for an access; `moves`: by the address that each gives, how far that is from where
      the pointer was;
    - `elsewhere`: once all templates are lowered, the objects that other threads than the first one access; None
      where that is not known.
    """

    options: FrontendOptions
    facts: Facts
    memory: Memory
    hooks: Hooks
    sites: Sites
    builder: Builder
    forms: Forms
    scope: Scope
    place_of: Callable[[object], Span]
    written_call: Callable[[object], WrittenCall | None]
    declared: Declared = field(default_factory=Declared)
    thread: Thread = field(default_factory=Thread)
    temporaries: Temporaries = field(default_factory=Temporaries)
    findings: Findings = field(default_factory=Findings)
    called: set[str] = field(default_factory=set)
    unresolved: set[str] = field(default_factory=set)
    unreached: list[tuple[Builder, int, Callable[[], None]]] = field(default_factory=list)
    names: dict[tuple[str, object], int] = field(default_factory=dict)
    told: Told = field(default_factory=Told)
    reached: Reached = field(default_factory=Reached)
    tables: dict[int, Table] = field(default_factory=dict)
    fleeting: set[Node] = field(default_factory=set)
    followed: set[Node] = field(default_factory=set)
    moves: dict[Linear, Linear] = field(default_factory=dict)
    emitted: int = 0
    copied: int = 0
    elsewhere: frozenset[str] | None = None

    @property
    def is_silent(self) -> bool:
        """Whether nothing of what is lowered now is kept, see `scratch`."""
        return self.facts.growth.is_frozen

    def site(self, node: Node, part: str = "") -> str:
        """A part of a node in this template and chain of calls."""
        calls = "/".join(frame.prefix for frame in self.thread.frames)
        return f"{part}{self.span(node)} {calls} {self.thread.template}"

    def is_settled(self, site: str) -> bool:
        """Whether nothing more will be known of a pointer that leads nowhere; else this round is not the last one."""
        if site not in self.facts.pointers.wild:
            self.if_reached(partial(self.unresolved.add, site))
            return False
        return True

    def lose(self, keys: frozenset[str]) -> None:
        """Records that nothing is known of some objects behind an access here, if anything leads here in the end."""
        if not self.is_silent:
            self.if_reached(partial(self.facts.objects.untracked.add_lost, *keys))

    def if_reached(self, record: Callable[[], None]) -> None:
        """Records something if anything leads here: a label may still be jumped to until the round ends."""
        if self.builder.is_live:
            record()
        else:
            self.unreached.append((self.builder, self.builder.current, record))

    def end_round(self) -> None:
        """Records what `if_reached` left open."""
        for builder, location, record in self.unreached:
            if location in builder.reached:
                record()

    @property
    def data(self) -> DataModel:
        """How large the types of C are."""
        return self.memory.types.data

    @property
    def library(self) -> Library:
        """What is known of the library's functions."""
        return self.forms.around.library

    def describe(self, name: str) -> Description | None:
        """What is known of a library function."""
        return self.library.describe(name)

    def wants(self, property_name: str) -> bool:
        """Whether checks of a property are asked for."""
        return property_name in self.options.properties

    def span(self, node: Node) -> Span:
        """The place of a node, or of the command being built where it has none."""
        coord = getattr(node, "coord", None)
        return self.place_of(coord) if coord is not None else (self.builder.span or self.place_of(None))

    def warn(self, node: Node, code: str, message: str, is_doubt: bool = True) -> None:
        """Adds a warning, once for each place and code; what is warned of stands for more than C does.

        Without `is_doubt` it does not here, but may elsewhere, where it is warned of again.
        """
        if is_doubt:
            self._doubt(code, message)
        if not self.is_silent:
            self.findings.warn(self.span(node), code, message)

    def warn_once(self, node: Node, code: str, subject: str, message: str) -> None:
        """Adds a warning, once for each subject."""
        self._doubt(code, message)
        if not self.is_silent and self.findings.is_first(code, subject):
            self.warn(node, code, message)

    def _doubt(self, code: str, message: str) -> None:
        if code != "unknown-function":  # its result is an input, and each thing that it may do has a mark of its own
            self.builder.doubt(message)

    def assume(self, text: str) -> None:
        """Adds to the assumptions of the report."""
        if not self.is_silent:
            self.findings.assumptions[text] = None

    def assume_at(self, node: Node, text: str) -> None:
        """Adds to the assumptions of the report one that is made at a place."""
        if not self.is_silent:
            self.findings.assume_at(self.span(node), text)

    def unique(self, name: str, is_static: bool = False) -> str:
        """The name, with a number if it is taken: unless it `is_static`, the one of earlier rounds by the same calls.

        What is known of cells is known by their names, so these should not be others' in the next round.
        """
        calls = () if is_static else (self.thread.template, self.thread.way, tuple(self.thread.copy))
        turn = self.names[name, calls] = self.names.get((name, calls), 0) + 1
        known = self.facts.names.setdefault(name, {})
        number = known.setdefault((calls, turn), len(known) + 1)
        return name if number == 1 else f"{name}#{number}"

    def temporary(self, kind: CType) -> str:
        """A new cell of the current template for an intermediate value."""
        name = self.temporaries.new(kind)
        # it is always written before it is read, so its initial value does not matter
        self.memory.cells[name] = Cell(name, self.thread.template, False, 0, 0, "", self.builder.span)
        if self.thread.frames:
            self.thread.frame.cells.append(name)
        return name

    def havoc(
        self,
        kind: CType,
        origins: Origins = NOTHING,
        is_given: bool = False,
        loss: Loss | None = None,
        low: int | None = None,
    ) -> Number:
        """Any value of a scalar type, if not less than `low`; an input of the program if `is_given`.

        Else `loss` is what was lost.
        """
        lo, hi = value_range(kind)
        lo = lo if low is None else low
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
        text = self._as_written(node, show(node) if expression is None else expression)
        function = self.thread.frames[-1].function.partition("@")[0] if self.thread.frames else ""
        check = Check(span.file, span.line, span.column, function, property_name, text)
        self.findings.checks.setdefault(check)
        return check

    def _as_written(self, node: Node, text: str) -> str:
        """The text of a check; where macros made what nobody wrote of it, that of the call that was written there."""
        if not _EXPANDED.search(text):
            return text
        call = self.written_call(getattr(node, "coord", None))
        if call is None:
            return text
        return f"a pointer in {call}{_IS_SET}" if text.endswith(_IS_SET) else str(call)

    def at_node(self, node: Node) -> _AtNode:
        """Gives commands the place of a node, in a `with` block."""
        return _AtNode(self, node)

    def open_gap(self, callee: Frame, is_return: bool) -> None:
        """Leaves room here for making locals unknown, before or behind a jump to a body that is there already.

        What is put there is decided when the template is complete, see `duet.frontend.bodies.recursion`.
        """
        self.builder.flush()
        self.thread.gaps.append(Gap(len(self.builder.commands), tuple(self.thread.frames), callee, is_return))
        self.builder.emit(SKIP)

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """Lowers something that no thread runs: nothing it does is kept."""
        builder, counter, is_frozen = self.builder, self.temporaries.counter, self.facts.growth.is_frozen
        cells, checks, gaps = dict(self.memory.cells), dict(self.findings.checks), list(self.thread.gaps)
        self.builder = Builder(iter(range(10**9)), span=builder.span)
        self.facts.growth.is_frozen = True
        try:
            yield
        finally:
            self.builder, self.temporaries.counter, self.facts.growth.is_frozen = builder, counter, is_frozen
            self.memory.cells, self.findings.checks, self.thread.gaps = cells, checks, gaps


class _AtNode:
    """As a generator would do it, but without its cost: nearly every node is lowered in such a block."""

    __slots__ = ("_before", "_ctx", "_node")

    def __init__(self, ctx: Context, node: Node) -> None:
        self._ctx, self._node = ctx, node
        self._before: Span | None = None

    def __enter__(self) -> None:
        self._before = self._ctx.builder.span
        coord = getattr(self._node, "coord", None)
        if coord is not None:
            self._ctx.builder.span = self._ctx.place_of(coord)

    def __exit__(self, *_: object) -> None:
        self._ctx.builder.span = self._before


@lru_cache(1 << 13)
def show(node: Node) -> str:
    """The text of an expression, written out from its tree: each round of lowering asks for it again."""
    text: str = CGenerator().visit(node)
    return text
