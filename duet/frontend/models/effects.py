"""Effects of library functions as data: what they write behind their arguments, and what they return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from duet.frontend.cells import contracts, hidden, rereads, texts
from duet.frontend.cells.access import read
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import snapshot
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.records import record
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL, NOTHING, UNKNOWN_POINTER, Origins
from duet.frontend.ctypes.types import (
    ADDRESS,
    INT,
    VOID,
    VOID_POINTER,
    CType,
    PointerType,
    VoidType,
    is_scalar,
    value_range,
)
from duet.frontend.ctypes.values import Address, Number, Untracked, Value, is_null, literal, of_term, type_of
from duet.frontend.expressions.places import pointed
from duet.frontend.models.buffers import fill, touch
from duet.frontend.models.call import Call, answer, either, is_handle
from duet.frontend.models.strings import into, sought_length
from duet.plip.marks import MAY_GIVE_NULL, NULL_WITHOUT_ERROR, SELDOM_GIVES_NULL
from duet.plip.syntax import Havoc
from duet.plip.terms import compare, constant, disjunction, scale, variable

_TIMES = frozenset(["localtime", "gmtime", "localtime_r", "gmtime_r", "ctime", "ctime_r", "asctime", "asctime_r"])
POINTED, UNKNOWN_SIZE = -1, -2
"""Instead of an argument that counts bytes: one object of the type that is pointed to, or nobody knows how much."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """A number of bytes, times the arguments at some positions."""

    number: int
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ByValue:
    """As many bytes as belong to the value of the argument at a position; `most` for another one."""

    position: int
    sizes: tuple[tuple[int, int], ...]
    most: int

    def of(self, values: list[Value]) -> int:
        """The number of bytes in a call."""
        value = values[self.position] if self.position < len(values) else None
        known = value.constant if isinstance(value, Number) else None
        return next((size for number, size in self.sizes if number == known), self.most)


@dataclass(frozen=True, slots=True)
class Told:
    """As many bytes as the number that the argument at a position points to says before the call."""

    position: int


Amount: TypeAlias = int | Bytes | ByValue | Told
"""How much is read or written: an argument, or one of the above."""


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Any value of the type from `low` to the argument at `at_most`; a pointer is null or leads out of the program."""

    low: int | None = None
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class Codes:
    """One of some numbers and ranges."""

    codes: tuple[int | range, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument, or null where the function may fail."""

    position: int
    may_fail: bool = True


@dataclass(frozen=True, slots=True)
class Within:
    """A pointer to at least so many bytes at or behind what an argument points to, or null where it may fail.

    With `text` it leads into a string there, to what the argument at that position says, or to the end if it is -1.
    """

    position: int
    may_fail: bool = True
    least: int = 1
    text: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A string of the library, or null where the function may fail; one that `is_constant` no program modifies.

    One that `is_lent`, too; it is in a structure of the library, with which it goes.
    """

    may_fail: bool = True
    is_constant: bool = False
    is_lent: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A structure of the library of the type that the result leads to, or null."""


Returned: TypeAlias = AnyValue | Codes | Argument | Within | Text | Record


@dataclass(frozen=True, slots=True)
class Effect:
    """Which arguments point to what is written, and to what is read, each with how much, and the result.

    Pointers in what it writes lead to strings of the library, if it only `writes_texts` by pointers. One that
    `only_compares` gives what it reads to nobody: there may be bytes of addresses.
    """

    writes: tuple[tuple[int, Amount], ...] = ()
    returns: Returned = AnyValue()
    reads: tuple[tuple[int, Amount], ...] = ()
    writes_texts: bool = False
    only_compares: bool = False

    @property
    def told(self) -> frozenset[int]:
        """The arguments of which is said how much is used behind them."""
        return frozenset(position for position, _ in (*self.reads, *self.writes))

    @property
    def sized(self) -> frozenset[int]:
        """Those behind which there are as many bytes as another argument says, maybe none."""
        return frozenset(
            position
            for position, amount in (*self.reads, *self.writes)
            if (amount.positions if isinstance(amount, Bytes) else isinstance(amount, int) and amount >= 0)
        )

    def model(self, ctx: Context, call: Call) -> list[Outcome]:
        """Lowers a call of a function that has this effect."""
        values = call.evaluate_all(ctx)
        returns = AnyValue() if contracts.relays(ctx, call.name) else self.returns
        most = _limit(ctx, values, returns)
        told = {target: _told(ctx, call, values, amount) for target, amount in self.writes if isinstance(amount, Told)}
        for source, amount in self.reads:
            if source < len(values) and not (is_null(values[source]) and call.takes_null(ctx, source)):
                extent = _pointed_size(ctx, values[source]) if amount == POINTED else extent_of(values, amount)
                touch(ctx, values[source], extent, call, Touch.EXAMINE, source)
                if self.only_compares:
                    hidden.note_bytes(ctx, values[source])
                else:
                    hidden.take_apart(ctx, values[source])
        for target, amount in self.writes:
            if target < len(values):
                extent = told.get(target) or extent_of(values, amount)
                size = size_of(ctx, values[target]) if amount == POINTED else extent
                pointers = texts.of_library(ctx) if self.writes_texts else UNKNOWN_POINTER
                fill(ctx, values[target], size, call, position=target, pointers=pointers)
        self._note_others(ctx, call, values)
        outcomes = self._returned(ctx, call, values, returns, most)
        for location, value in outcomes[1:] if isinstance(result_type(call), PointerType) else ():
            if is_null(value):
                ctx.builder.doubts.setdefault(location, f"{call.name} {how_it_fails(call.name)}")
        return outcomes

    def _returned(
        self, ctx: Context, call: Call, values: Sequence[Value], returns: Returned, most: Number | None
    ) -> list[Outcome]:
        """What it gives, where."""
        match returns:
            case AnyValue(low):
                return any_result(ctx, result_type(call), low, most)
            case Codes(choices):
                ctx.builder.flush()
                only = choices[0] if len(choices) == 1 else None
                return answer(ctx, only) if isinstance(only, int) else either(ctx, *choices)
            case Argument(position, may_fail):
                if not may_fail:
                    return answer(ctx, values[position])
                ctx.builder.flush()
                found, failed = ctx.builder.fork(2)
                return [(found, values[position]), (failed, literal(0, VOID_POINTER))]
            case Text(may_fail, is_lent=True):
                return any_pointer(ctx, result_type(call), texts.of_structures(ctx), may_fail)
            case Text(may_fail, is_constant=True):
                return any_pointer(ctx, result_type(call), texts.of_messages(ctx), may_fail)
            case Text(may_fail):
                return any_text(ctx, result_type(call), may_fail)
            case Record():
                given = result_type(call)
                pointed = given.target if isinstance(given, PointerType) else VOID
                return any_pointer(ctx, given, record(ctx, pointed))
            case Within(position, may_fail, least, text):
                sought = values[text] if text is not None and 0 <= text < len(values) else None
                length = sought_length(ctx, sought) if sought is not None else None if text is None else 0
                return into(ctx, values[position], may_fail, least, length)
            case _:
                assert_never(returns)

    def _note_others(self, ctx: Context, call: Call, values: Sequence[Value]) -> None:
        """Notes that what arguments lead to that nothing is said of may be written, unless that is const."""
        silent = ctx.declared.read_only.get(call.name, frozenset()) | self.told
        for position, value in enumerate(values):
            is_told = position in silent or is_null(value) or is_handle(type_of(value))
            if not is_told and (
                isinstance(type_of(value), PointerType) or (isinstance(value, Number) and value.origins)
            ):
                rereads.note_write(ctx, value)


def how_it_fails(name: str) -> str:
    """What a mark says of a function of the library where it gives null.

    *Source*: dlerror(3): null if no errors have occurred since it was last called.
    """
    if name == "dlerror":
        return NULL_WITHOUT_ERROR
    return SELDOM_GIVES_NULL if name in _TIMES else MAY_GIVE_NULL


def effect(
    *writes: tuple[int, Amount],
    low: int | None = None,
    at_most: int | None = None,
    reads: tuple[tuple[int, Amount], ...] = (),
) -> Effect:
    """That of a function that writes behind some arguments and returns any value from `low` on."""
    return Effect(writes, AnyValue(low, at_most), reads)


def fills(*positions: int, low: int | None = None) -> Effect:
    """That of a function that writes one object of its type behind some arguments."""
    return Effect(tuple((position, POINTED) for position in positions), AnyValue(low))


def within(
    position: int,
    may_fail: bool = True,
    least: int = 1,
    reads: tuple[tuple[int, Amount], ...] = (),
    text: int | None = None,
) -> Effect:
    """That of a function that returns null, or a pointer to what an argument points to or to what is behind it.

    At least so many bytes of the object are there; see `Within`.
    """
    return Effect((), Within(position, may_fail, least, text), reads)


def gives_back(position: int, *writes: tuple[int, Amount]) -> Effect:
    """That of a function that writes behind arguments and returns the one at a position, or null."""
    return Effect(writes, Argument(position))


def codes(*found: int | range) -> Effect:
    """That of a function that changes nothing that is tracked, with what it may return (0 if nothing is said)."""
    return Effect((), Codes(found or (0,)))


ANY = effect()
TEXT = Effect((), Text())
"""That of a function that gives a string of the library, or null."""
ALWAYS_TEXT = Effect((), Text(may_fail=False))
MESSAGE = Effect((), Text(may_fail=False, is_constant=True))
RECORD = Effect((), Record())
"""That of a function that gives a structure of the library, or null."""
STATUS = effect(low=-1)
COUNT = effect(low=0)


def result_type(call: Call) -> CType:
    """The type of what a function returns, as it is declared."""
    return call.kind.result if call.kind is not None else INT


def _limit(ctx: Context, values: list[Value], returned: Returned) -> Number | None:
    """The argument that the result is at most, as it is before the call; None where that is no number."""
    place = returned.at_most if isinstance(returned, AnyValue) else None
    value = values[place] if place is not None and place < len(values) else None
    found = snapshot(ctx, value) if isinstance(value, Number) else None
    return found if isinstance(found, Number) else None


def extent_of(values: list[Value], amount: Amount) -> Number | None:
    """How many bytes an amount is; None where that is not known, or no linear term."""
    if isinstance(amount, Told):
        return None
    if isinstance(amount, ByValue):
        return literal(amount.of(values), ADDRESS)
    known, positions = (amount.number, amount.positions) if isinstance(amount, Bytes) else (1, (amount,))
    size = literal(known, ADDRESS)
    for place in positions:
        value = values[place] if 0 <= place < len(values) else None
        if not isinstance(value, Number):
            return None
        factor, term = (size.constant, value) if size.constant is not None else (value.constant, size)
        if factor is None:
            return None
        size = of_term(scale(term.term, factor), ADDRESS, term.lo * factor, term.hi * factor)
    return size


def _told(ctx: Context, call: Call, values: list[Value], amount: Told) -> Number | None:
    """The number behind an argument before the call; None where that is no variable by its address, or may be negative.

    *Source*: POSIX.1-2017, accept: on input, the length of what is there for the address, so no more is written.
    """
    pointer = values[amount.position] if amount.position < len(values) else None
    if not isinstance(pointer, Address):
        return None
    place = pointed(ctx, pointer)
    found = snapshot(ctx, read(ctx, place, call.node)) if is_scalar(place.type) else None
    return found if isinstance(found, Number) and found.lo >= 0 else None


def size_of(ctx: Context, value: Value) -> int | None:
    """The size of what a pointer to a variable points to; None for a `void *`, which does not tell."""
    target = value.type.target if isinstance(value.type, PointerType) else VOID
    return None if isinstance(target, VoidType) else ctx.memory.types.size(target)


def _pointed_size(ctx: Context, value: Value) -> Number | None:
    """The size of what a pointer points to as an amount."""
    size = size_of(ctx, value)
    return None if size is None else literal(size, ADDRESS)


def any_text(ctx: Context, kind: CType, may_fail: bool = True, more: Origins = NOTHING) -> list[Outcome]:
    """A string of the library, or what has other origins, or null where the function may fail."""
    return any_pointer(ctx, kind, texts.of_library(ctx) | more, may_fail)


def any_pointer(ctx: Context, kind: CType, origins: Origins, may_fail: bool = True) -> list[Outcome]:
    """A pointer with some origins, or null where the function may fail; any result if it is of another type."""
    if not isinstance(kind, PointerType):
        return any_result(ctx, kind)
    ctx.builder.flush()
    found, *failed = ctx.builder.fork(2 if may_fail else 1)
    ctx.builder.at(found)
    pointer = ctx.havoc(kind, origins, low=1)
    return [(ctx.builder.current, pointer), *((way, literal(0, kind)) for way in failed)]


def any_result(ctx: Context, kind: CType, low: int | None = None, most: Number | None = None) -> list[Outcome]:
    """Any result of a type between some bounds, of which a negative upper one bounds nothing.

    A pointer leads out of the program; or it is null, unless the lower bound is more than 0.
    """
    if isinstance(kind, PointerType):
        return any_pointer(ctx, kind, frozenset((EXTERNAL,)), low is None or low <= 0)
    if not is_scalar(kind):
        return answer(ctx, Untracked(kind))
    first, last = value_range(kind)
    first = first if low is None else max(first, low)
    limit = most.constant if most is not None else None
    last = last if limit is None or limit < 0 else min(last, limit)
    name = ctx.temporary(kind)
    ctx.builder.emit(Havoc(name, first, last), is_given=True)
    if most is not None and limit is None:
        is_less = compare(variable(name), "<=", most.term)
        ctx.builder.assume(is_less if most.lo >= 0 else disjunction((compare(most.term, "<", constant(0)), is_less)))
    return answer(ctx, of_term(variable(name), kind, first, last))
