"""What lowering knows of an expression: lvalues (places) and rvalues (values), with ranges and pointer origins."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from duet.frontend.ctypes.origins import (
    NO_OBJECT,
    NOTHING,
    ObjectAddress,
    Origins,
    addresses,
    start_of,
)
from duet.frontend.ctypes.types import BOOL, INT, CType, PointerType, value_range
from duet.plip.syntax import FALSE, TRUE, Formula, Linear
from duet.plip.terms import compare, constant
from duet.records import dataclass
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Object:
    """Storage: a variable, a string, a heap allocation site.

    `key` is unique and starts the names of its cells. `kind` is "global", "local" (of `template`), "thread"
    (thread-local) or "heap". Initial values stand in `duet.frontend.cells.memory`.
    """

    key: str
    type: CType
    kind: str
    template: str | None = None
    label: str = ""
    span: Span | None = None
    is_const: bool = False
    is_volatile: bool = False

    @property
    def origin(self) -> ObjectAddress:
        """The origin of a pointer to a part of it."""
        return ObjectAddress(self.key)

    @property
    def origins(self) -> Origins:
        """The origins of a pointer to where it starts."""
        return start_of(self.key)

    @property
    def is_string(self) -> bool:
        """Whether it is a string literal, or stands for several ones."""
        return self.key.startswith('"')


@dataclass(frozen=True, slots=True)
class Index:
    """A step into an array of `length` elements; `term` is None for all of them at once.

    `is_checked`: there was a check that it is inside of the array, see `duet.frontend.cells.gate`.
    `is_rest`: it is none of the few elements of a long array that have cells of their own (`cells/elements.py`).
    """

    term: Linear | None
    length: int | None
    is_checked: bool = False
    is_rest: bool = False

    @property
    def constant(self) -> int | None:
        return self.term.constant if self.term is not None and not self.term.terms else None


Path: TypeAlias = tuple[str | Index, ...]


@dataclass(frozen=True, slots=True)
class Direct:
    """The part of a known object that a path leads to; where `bit` is not None, some bytes of it from that bit on."""

    object: Object
    path: Path
    type: CType
    bit: int | None = None


@dataclass(frozen=True, slots=True)
class Indirect:
    """What lies at the end of `path` from a `base` object that an address points to.

    `is_checked`: there was a check that such an object is there, as for indices.
    """

    address: Number
    base: CType
    path: Path
    type: CType
    is_checked: bool = False


@dataclass(frozen=True, slots=True)
class FunctionPlace:
    """A function."""

    name: str
    type: CType


@dataclass(frozen=True, slots=True)
class Temporary:
    """An rvalue where a place is needed, or memory that is not tracked: a read gives any value of the type."""

    type: CType


Place: TypeAlias = Direct | Indirect | FunctionPlace | Temporary


@dataclass(frozen=True, slots=True)
class Number:
    """A scalar: a term over cells that stay as they are until it is used. `lo`, `hi` bound it, inclusive."""

    term: Linear
    type: CType
    lo: int
    hi: int
    origins: Origins = NOTHING

    @property
    def constant(self) -> int | None:
        return None if self.term.terms else self.term.constant


@dataclass(frozen=True, slots=True)
class Truth:
    """The integer that is 1 where `formula` holds, else 0; an `int` unless it was converted."""

    formula: Formula
    type: CType = INT


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a place, not yet a number."""

    place: Place
    type: CType


@dataclass(frozen=True, slots=True)
class Whole:
    """A struct or union, by where it lies."""

    place: Place
    type: CType


@dataclass(frozen=True, slots=True)
class Untracked:
    """A value that is never tracked: of a floating type, or void."""

    type: CType


Value: TypeAlias = Number | Truth | Address | Whole | Untracked


def literal(value: int, kind: CType = INT) -> Number:
    """The constant `value` of a type."""
    return Number(constant(value), kind, value, value)


def of_term(term: Linear, kind: CType, lo: int, hi: int, origins: Origins = NOTHING) -> Number:
    """The value of a term in `[lo, hi]`; a constant term has its own bounds."""
    if not term.terms:
        return Number(term, kind, term.constant, term.constant, origins)
    return Number(term, kind, lo, hi, origins)


def in_type(term: Linear, kind: CType, origins: Origins = NOTHING) -> Number:
    """The value of a term somewhere in the range of its type."""
    lo, hi = value_range(kind)
    return of_term(term, kind, lo, hi, origins)


def retyped(value: Value, kind: CType) -> Value:
    """The same value seen as another type that holds it."""
    return replace(value, type=kind)


def base_of(pointer: Value) -> Value:
    """The pointer whose target a pointer is to a part of; itself if it is to no part, or to one of an object."""
    match pointer:
        case Address(Indirect(address)):
            return address
        case _:
            return pointer


def type_of(value: Value) -> CType:
    """The C type of a value."""
    return value.type


def truth(value: Number) -> Formula:
    """The formula that a number is not zero."""
    if value.lo > 0 or value.hi < 0:
        return TRUE
    if value.lo == value.hi == 0:
        return FALSE
    return compare(value.term, "!=", constant(0))


def constant_of(value: Value) -> int | None:
    """The constant that a value is; None also for the address of something, which is nowhere in particular."""
    if not isinstance(value, Number) or addresses(value.origins) - NO_OBJECT:
        return None
    return value.constant


def is_plain(step: str | Index) -> bool:
    """Whether a step of a path is a member, or a constant index of an element that is there."""
    if not isinstance(step, Index):
        return True
    return step.constant is not None and step.length is not None and 0 <= step.constant < step.length


def is_null(value: Value) -> bool:
    """Whether a value is the constant 0."""
    return isinstance(value, Number) and value.constant == 0


def pointee(kind: CType) -> CType | None:
    """What a pointer type points to; None for other types."""
    return kind.target if isinstance(kind, PointerType) else None


def is_flag(value: Number) -> bool:
    """Whether a number is 0 or 1."""
    return (value.lo >= 0 and value.hi <= 1) or value.type == BOOL
