"""A call of a modelled function: its arguments as values and places, and ways to answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from duet.frontend.cells import gate, hidden, sharing, texts
from duet.frontend.cells.access import havoc_place
from duet.frontend.cells.callees import SOME, callees_of
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, number, snapshot
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import Description, Reads
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, FunctionAddress, functions
from duet.frontend.ctypes.types import (
    CHAR,
    INT,
    VA_LIST,
    VOID,
    VOID_POINTER,
    CType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Place,
    Temporary,
    Untracked,
    Value,
    constant_of,
    is_null,
    literal,
    of_term,
    type_of,
)
from duet.frontend.expressions import expr
from duet.frontend.expressions.places import pointed
from duet.frontend.form.tree import AddressOf, Expression, Of, Read
from duet.frontend.judgments.marks import Mark
from duet.frontend.models.crashing import crashes_at_null
from duet.frontend.source.nodes import Node
from duet.plip.syntax import SKIP, Guard, Havoc
from duet.plip.terms import compare, constant, variable

_OF_THREADS = ("pthread_", "thrd_", "tss_")
"""How the names of functions of threads begin."""
_STREAMS = frozenset(("__duet_file", "_IO_FILE"))
"""The structures behind FILE, in the bundled headers and in those of glibc."""
_FOLDERS = frozenset(("__duet_directory", "__dirstream"))
"""The structures behind DIR, likewise."""
_LOCALES = frozenset(("__locale_struct",))
"""The structure behind `locale_t`, which may also be LC_GLOBAL_LOCALE, a number."""
KEEPS_BUFFERS: Mark[str] = Mark("a stream has memory of the program as its buffer")
"""The mark of programs in which that may be: what uses a stream may touch all that streams lead to."""


def is_stream(kind: CType) -> bool:
    """Whether a type is that of `FILE *`: a stream is the library's own, and locked by each function that uses it.

    *Source*: C11 7.21.2 and 7.21.3; a buffer that the program gives to a stream is another matter (`KEEPS_BUFFERS`).
    """
    return _leads_to(kind, _STREAMS)


def is_handle(kind: CType) -> bool:
    """Whether a type is that of `FILE *`, `DIR *` or `locale_t`, which are asked for to be something that is open."""
    return _leads_to(kind, _STREAMS | _FOLDERS | _LOCALES)


def _leads_to(kind: CType, structures: frozenset[str]) -> bool:
    return isinstance(kind, PointerType) and isinstance(kind.target, StructType) and kind.target.key in structures


@dataclass(frozen=True, slots=True)
class Call:
    """A call by name; `kind` is the type of the function, where that is known.

    An argument is evaluated once, where a model first asks for it, which is in front of all ways to go on. Where some
    had to be evaluated before, `written` are the arguments as they stand there; none if that is not known.
    """

    name: str
    arguments: list[Expression]
    node: Node
    kind: FunctionType | None = None
    written: Sequence[Expression] = ()
    _settled: dict[int, Value] = field(default_factory=dict, init=False, compare=False, repr=False)
    _examined: set[int] = field(default_factory=set, init=False, compare=False, repr=False)

    def value(self, ctx: Context, position: int) -> Value:
        """An argument, settled; any value where it is missing."""
        if position >= len(self.arguments):
            return ctx.havoc(VOID_POINTER, UNKNOWN_POINTER)
        value = self.given(ctx, position)
        known = ctx.describe(self.name)
        reads = known.reads if known is not None else Reads.DEEP
        expected = self._expected(position) or type_of(value)
        is_own = known is not None and is_stream(expected) and not ctx.facts.is_known(KEEPS_BUFFERS)
        if not is_null(value) and not is_own:
            is_altered = known is not None and position in known.altered
            sharing.note_argument(ctx, reads, value, expected, self.node, is_altered)
        is_new = position not in self._examined
        self._examined.add(position)
        if known is not None and is_new and not (is_null(value) and self.takes_null(ctx, position)):
            value = self._settled[position] = self._followed(ctx, known, position, value)
        return value

    def evaluated(self) -> list[Value] | None:
        """The arguments, if the model has asked for all of them."""
        return list(self._settled.values()) if len(self._settled) == len(self.arguments) else None

    def _followed(self, ctx: Context, known: Description, position: int, value: Value) -> Value:
        """An argument, behind the checks of what is used there if nobody says more: a string, or one object."""
        argument = self.arguments[position].node
        kind = self._parameter(position, type_of(value))
        is_described = ctx.options.model != "linux"
        if not is_null(value):
            self._change_other_memory(ctx, kind or type_of(value), value)
        if is_null(value) and is_described and not self.crashes(ctx, position):
            if isinstance(kind, PointerType) and (known.asks_for(position) or position in known.texts):
                gate.missing(ctx, value, None, self.node, argument)
            return value
        if not isinstance(kind, PointerType) or kind == VA_LIST or not is_described:
            if position in known.texts:
                gate.text(ctx, value, None, self.node, argument)
            return value
        if known.asks_for(position):
            value = gate.there(ctx, value, self.node, argument)
        size = ctx.memory.types.size(kind.target)
        if position in known.texts or (kind.target == CHAR and known.reads_text(position)):
            gate.text(ctx, value, None, self.node, argument)
        elif (
            size is not None
            and size > 1
            and not (known.is_told(position) or is_handle(kind) or _is_all(ctx, value, size))
        ):
            gate.bytes_from(ctx, value, literal(size), Touch.EXAMINE, self.node, argument)
        return value

    def _change_other_memory(self, ctx: Context, kind: CType, value: Value) -> None:
        """Gives any values to what an object of the library's own lies in if that is memory of other types."""
        if not isinstance(kind, PointerType) or not isinstance(kind.target, OpaqueType):
            return
        place = pointed(ctx, value)
        for target in gate.choices(ctx, place, self.node) if isinstance(place, Indirect) else ():
            for part in target.clobbers:
                havoc_place(ctx, part)

    def argument_node(self, position: int) -> Node:
        """Where an argument stands; the call itself where it is missing."""
        return self.arguments[position].node if position < len(self.arguments) else self.node

    def takes_null(self, ctx: Context, position: int) -> bool:
        """Whether a null pointer has a meaning in place of an argument."""
        known = ctx.describe(self.name)
        return known is not None and position in known.may_be_null

    def crashes(self, ctx: Context, position: int) -> bool:
        """Whether the function does not come back from null at a position where that has no meaning."""
        if ctx.describe(self.name) is None:
            return True

        def constant(other: int) -> int | None:
            return constant_of(self.given(ctx, other)) if other < len(self.arguments) else None

        def is_filled(other: int) -> bool:
            return other < len(self.arguments) and bool(texts.known_text(ctx, self.given(ctx, other)))

        return crashes_at_null(self.name, position, constant, is_filled)

    def given(self, ctx: Context, position: int) -> Value:
        """An argument, settled, before the function looks at it. *Requires*: it is there."""
        if position in self._settled:
            return self._settled[position]
        with sharing.in_library(ctx, False), ctx.builder.guessing(False):
            value = self._passed(ctx, expr.rvalue(ctx, self.arguments[position]), position)
            if isinstance(value, Number | Address):
                value = snapshot(ctx, value)  # what the function writes may change what the argument was read from
            ctx.builder.flush()
        self._note_number(ctx, value)
        self._settled[position] = value
        return value

    def _note_number(self, ctx: Context, value: Value) -> None:
        """Records that the function may calculate with an argument, and say something of it in any way.

        Those whose models note themselves what they access say where addresses go, too. Other functions of threads do
        nothing else with the ids of these.
        """
        known = ctx.describe(self.name)
        if isinstance(type_of(value), PointerType) or (known is not None and known.reads is Reads.NOTHING):
            return
        hidden.take_apart_value(ctx, value, not self.name.startswith(_OF_THREADS))

    def _passed(self, ctx: Context, value: Value, position: int) -> Value:
        """An argument as the parameter has it; a number that becomes a `void *` still tells what it points to."""
        expected = self._expected(position)
        match expected:
            case IntType():
                return convert(ctx, value, expected, self.arguments[position].node)
            case PointerType(VoidType()) if isinstance(value, Number) and isinstance(value.type, PointerType):
                return value
            case PointerType():
                return convert(ctx, value, expected, self.arguments[position].node)
            case _:
                return value

    def _parameter(self, position: int, given: CType) -> CType | None:
        """The type of a parameter, or of what is given for it where there is no prototype."""
        has_prototype = self.kind is None or self.kind.parameters is not None
        return self._expected(position) if has_prototype else given

    def _expected(self, position: int) -> CType | None:
        """The type of a parameter; None where that is not known."""
        parameters = self.kind.parameters if self.kind is not None else None
        return parameters[position] if parameters is not None and position < len(parameters) else None

    def number(self, ctx: Context, position: int) -> Number:
        """An argument as a number that nothing changes."""
        found = snapshot(ctx, number(ctx, self.value(ctx, position)))
        assert isinstance(found, Number)
        return found

    def target(self, ctx: Context, position: int) -> Place:
        """What a pointer argument points to."""
        if position >= len(self.arguments):
            return Temporary(VOID)
        place = pointed(ctx, self.value(ctx, position))
        ctx.builder.flush()
        return place

    def place(self, ctx: Context, position: int) -> Place:
        """An argument that is an lvalue itself, of a macro-like model; `&x` means `x`.

        Where a function that is not understood mentions the model, it is a value that lies nowhere else.
        """
        match self.arguments[position]:
            case Read(place=form) | AddressOf(place=form):
                pass
            case value:
                form = Of(value.node, value.type, value)
        with sharing.in_library(ctx, False), ctx.builder.guessing(False):
            place = expr.place_of(ctx, form)
            ctx.builder.flush()
        return place

    def evaluate_all(self, ctx: Context) -> list[Value]:
        """All arguments, for their effects."""
        return self.evaluate_from(ctx, 0)

    def evaluate_from(self, ctx: Context, first: int) -> list[Value]:
        """The arguments from a position on, for their effects."""
        return [self.value(ctx, position) for position in range(first, len(self.arguments))]

    def functions(self, ctx: Context, position: int) -> tuple[str, ...]:
        """The keys of the functions that an argument may be (see `callees_of`), none for a null pointer."""
        return tuple(key for key, _ in self.choices(ctx, position))

    def handed(self, ctx: Context, position: int) -> tuple[str, ...]:
        """As `functions`, but an argument that nobody gives a function is null."""
        value = self.value(ctx, position)
        is_missing = isinstance(value, Number) and not functions(value.origins) and not value.origins & UNKNOWN_POINTER
        return () if is_missing else tuple(key for key, _ in self._choices(ctx, value, position))

    def choices(self, ctx: Context, position: int) -> list[tuple[str, Guard]]:
        """The keys of the functions that an argument may be, each with a step that passes where it may be that one."""
        return self._choices(ctx, self.value(ctx, position), position)

    def _choices(self, ctx: Context, value: Value, position: int) -> list[tuple[str, Guard]]:
        if isinstance(value, Address) and isinstance(value.place, FunctionPlace):
            return [(value.place.name, SKIP)]
        pointer = number(ctx, value)
        keys, _ = callees_of(ctx, pointer, self.node, None, f"argument {position} of ")
        if len(keys) == 1:
            return [(keys[0], SKIP)]
        base = {key: constant(ctx.memory.base(FunctionAddress(key), 1)) for key in keys if key != SOME}
        return [(key, Guard(compare(pointer.term, "==", base[key])) if key in base else SKIP) for key in keys]


def _is_all(ctx: Context, value: Value, size: int) -> bool:
    """Whether a pointer is the address of a variable, or of a part of one, that has so many bytes."""
    place = value.place if isinstance(value, Address) else None
    if not isinstance(place, Direct) or not all(map(_is_there, place.path)):
        return False
    return size <= (ctx.memory.types.size(place.type) or 0)


def _is_there(step: str | Index) -> bool:
    """Whether a step is to a member, or to an element that the array certainly has."""
    if isinstance(step, str):
        return True
    return step.constant is not None and step.length is not None and 0 <= step.constant < step.length


Model: TypeAlias = Callable[[Context, Call], list[Outcome]]
"""Lowers a call of a modelled function; its outcomes, where each has its value."""


def answer(ctx: Context, value: Value | int) -> list[Outcome]:
    """The single outcome here."""
    ctx.builder.flush()
    return [(ctx.builder.current, literal(value) if isinstance(value, int) else value)]


def done(ctx: Context) -> list[Outcome]:
    """The single outcome of a function without a value."""
    return answer(ctx, Untracked(VOID))


def never(ctx: Context) -> list[Outcome]:
    """The outcome of a function that does not return."""
    ctx.builder.dead()
    return done(ctx)


ERRORS = range(1, 134)
"""The error numbers of Linux."""


def either(ctx: Context, *values: int | range) -> list[Outcome]:
    """Any of several results, each an outcome of its own, as are those of a range."""
    found: list[Outcome] = []
    for way, value in zip(ctx.builder.fork(len(values), is_given=True), values, strict=True):
        if isinstance(value, int):
            found.append((way, literal(value)))
            continue
        ctx.builder.at(way)
        name = ctx.temporary(INT)
        ctx.builder.emit(Havoc(name, value[0], value[-1]), is_given=True)
        found.append((ctx.builder.current, of_term(variable(name), INT, value[0], value[-1])))
    return found
