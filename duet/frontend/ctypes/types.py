"""C types of the LP64 model: widths, ranges, promotions, usual arithmetic conversions."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class VoidType:
    """`void`."""

    size: int = 1  # as GNU C has it for arithmetic


@dataclass(frozen=True, slots=True)
class IntType:
    """An integer type of `width` value bits (sign included), stored in `size` bytes. `rank` orders conversions."""

    name: str
    width: int
    signed: bool
    size: int
    rank: int
    atomic: bool = False

    @property
    def lo(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def hi(self) -> int:
        return (1 << (self.width - (1 if self.signed else 0))) - 1


@dataclass(frozen=True, slots=True)
class FloatType:
    """A real or complex floating type: values are never tracked."""

    name: str
    size: int

    @property
    def is_complex(self) -> bool:
        return self.name.endswith("_Complex")


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """A library object (mutex, semaphore, ...): one integer cell that only its operations touch."""

    name: str
    size: int
    align: int


@dataclass(frozen=True, slots=True)
class PointerType:
    """A pointer; its value is an address, 0 for null."""

    target: CType
    atomic: bool = False

    @property
    def size(self) -> int:
        return 8


@dataclass(frozen=True, slots=True)
class ArrayType:
    """`length` elements; None when that is not a constant.

    Then `extent` is the expression for it, if there is one, until lowering knows what it is or that nobody does.
    """

    element: CType
    length: int | None
    extent: object = None


@dataclass(frozen=True, slots=True)
class StructType:
    """A struct or union, known by a key; `TypeTable` has its members."""

    key: str
    is_union: bool = False

    @property
    def tag(self) -> str:
        """The name that the program gives it; the key also tells where, if several have that name."""
        return self.key.partition("@")[0]


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A function; `parameters` is None without a prototype."""

    result: CType
    parameters: tuple[CType, ...] | None
    variadic: bool = False


CType: TypeAlias = VoidType | IntType | FloatType | OpaqueType | PointerType | ArrayType | StructType | FunctionType
VOID = VoidType()
BOOL = IntType("_Bool", 1, False, 1, 0)
CHAR = IntType("char", 8, True, 1, 1)
SCHAR = IntType("signed char", 8, True, 1, 1)
UCHAR = IntType("unsigned char", 8, False, 1, 1)
SHORT = IntType("short", 16, True, 2, 2)
USHORT = IntType("unsigned short", 16, False, 2, 2)
INT = IntType("int", 32, True, 4, 3)
UINT = IntType("unsigned int", 32, False, 4, 3)
LONG = IntType("long", 64, True, 8, 4)
ULONG = IntType("unsigned long", 64, False, 8, 4)
LLONG = IntType("long long", 64, True, 8, 5)
ULLONG = IntType("unsigned long long", 64, False, 8, 5)
INT128 = IntType("__int128", 128, True, 16, 6)
UINT128 = IntType("unsigned __int128", 128, False, 16, 6)
_FLOATS = {
    "float": FloatType("float", 4),
    "double": FloatType("double", 8),
    "long double": FloatType("long double", 16),
}
FLOAT, DOUBLE, LDOUBLE = _FLOATS.values()
CHAR_POINTER = PointerType(CHAR)
VOID_POINTER = PointerType(VOID)
VA_LIST = PointerType(StructType("__duet_va_list"))
"""A list of variable arguments: an array of one structure for compilers, so a pointer only as a parameter."""
ADDRESS_LIMIT = (1 << 64) - 1
"""The largest address a pointer holds."""

_UNSIGNED = {t.name: u for t, u in ((SHORT, USHORT), (INT, UINT), (LONG, ULONG), (LLONG, ULLONG), (INT128, UINT128))}


BASIC_WORDS = frozenset(
    ("void", "_Bool", "char", "short", "int", "long", "__int128", "signed", "unsigned", "float", "double", "_Complex")
)
"""The specifier keywords that `basic_type` knows."""


def basic_type(names: list[str]) -> CType:
    """The type that a list of specifier keywords names."""
    words = [name for name in names if name not in ("signed", "unsigned", "int", "_Complex")]
    signed, unsigned = "signed" in names, "unsigned" in names
    if "void" in words:
        return VOID
    if "float" in words or "double" in words or "_Complex" in names:
        real = _FLOATS["float" if "float" in words else "long double" if "long" in words else "double"]
        return _complex(real) if "_Complex" in names else real
    if "_Bool" in words:
        return BOOL
    if "char" in words:
        return UCHAR if unsigned else SCHAR if signed else CHAR
    base = INT
    if "short" in words:
        base = SHORT
    elif "__int128" in words:
        base = INT128
    elif "long" in words:
        base = LLONG if words.count("long") > 1 else LONG
    return _UNSIGNED[base.name] if unsigned else base


def enumeration_type(values: Collection[int], is_packed: bool) -> IntType:
    """The type that compilers for LP64 choose: unsigned where no value is negative, at least an `int` unless packed."""
    least, greatest = min(values, default=0), max(values, default=0)
    small: tuple[IntType, ...] = (SCHAR, SHORT) if least < 0 else (UCHAR, USHORT)
    kinds = (INT, LONG) if least < 0 else (UINT, ULONG)
    fitting = (kind for kind in (*small, *kinds) if kind.lo <= least and greatest <= kind.hi)
    return next((kind for kind in fitting if is_packed or kind in kinds), kinds[-1])


def first_holding(value: int, kinds: tuple[CType, ...]) -> IntType:
    """The first of several types that holds a value."""
    fitting = (kind for kind in kinds if isinstance(kind, IntType) and kind.lo <= value <= kind.hi)
    return next(fitting, ULONG)


def value_range(kind: CType) -> tuple[int, int]:
    """The least and the greatest value of a scalar type, inclusive."""
    match kind:
        case IntType():
            return kind.lo, kind.hi
        case PointerType():
            return 0, ADDRESS_LIMIT
        case OpaqueType():
            return -(1 << 31), (1 << 31) - 1
        case _:
            return 0, 0


def is_scalar(kind: CType) -> bool:
    """Whether values of the type are tracked in one cell."""
    return isinstance(kind, IntType | PointerType | OpaqueType)


def is_byte(kind: CType) -> bool:
    """Whether a type is an integer of one byte: any flavour of `char`, `_Bool` too."""
    return isinstance(kind, IntType) and kind.size == 1


def is_unsized(kind: CType) -> bool:
    """Whether a pointer to the type says nothing of how many bytes there are: one to bytes, or to void."""
    return isinstance(kind, VoidType) or is_byte(kind)


def promote(kind: CType) -> IntType:
    """The type after integer promotion; pointers count as unsigned long."""
    if not isinstance(kind, IntType):
        return ULONG
    if kind.rank < INT.rank or kind.width < INT.width:
        return INT
    if kind.width == INT.width:
        return INT if kind.signed else UINT  # also of a bit-field of a wider type
    if kind.atomic:
        return plain(kind)
    return kind


def plain(kind: IntType) -> IntType:
    """The type without `_Atomic`."""
    return IntType(kind.name, kind.width, kind.signed, kind.size, kind.rank)


def common_type(left: CType, right: CType) -> IntType:
    """The usual arithmetic conversions on integers (C11 6.3.1.8).

    A bit-field that is wider than `int` has a type of its width, as GNU C has it: a wider type wins over it.
    """
    a, b = promote(left), promote(right)
    if a.width != b.width:
        return max(a, b, key=lambda kind: kind.width)
    if a.signed == b.signed:
        return max(a, b, key=lambda kind: kind.rank)
    unsigned, signed = (b, a) if a.signed else (a, b)
    is_standard = signed.width == _UNSIGNED[signed.name].width
    return _UNSIGNED[signed.name] if is_standard and signed.rank > unsigned.rank else unsigned


def common_float(left: CType, right: CType) -> FloatType:
    """The usual arithmetic conversions where an operand is floating: the wider real type, complex where one is."""
    floats = [kind for kind in (left, right) if isinstance(kind, FloatType)]
    real = max((_FLOATS[kind.name.removesuffix(" _Complex")] for kind in floats), key=lambda kind: kind.size)
    return _complex(real) if any(kind.is_complex for kind in floats) else real


def _complex(real: FloatType) -> FloatType:
    return FloatType(f"{real.name} _Complex", 2 * real.size)


def decay(kind: CType) -> CType:
    """The type of an rvalue: arrays and functions become pointers."""
    match kind:
        case ArrayType(element):
            return PointerType(element)
        case FunctionType():
            return PointerType(kind)
        case _:
            return kind


def is_variable(kind: CType) -> bool:
    """Whether the length of an array in a type, or in what it points to, has to be evaluated."""
    match kind:
        case ArrayType():
            return kind.extent is not None or is_variable(kind.element)
        case PointerType():
            return is_variable(kind.target)
        case _:
            return False


def measured(kind: CType, length: Callable[[object], int | None]) -> CType:
    """A type with the lengths of its arrays that have to be evaluated; None where nobody knows them."""
    if not is_variable(kind):
        return kind
    match kind:
        case ArrayType(element, known, extent):
            found = known if extent is None else length(extent)
            return ArrayType(measured(element, length), found if found is None or found >= 0 else None)
        case PointerType():
            return replace(kind, target=measured(kind.target, length))
        case _:
            return kind


def unmeasured(kind: CType) -> CType:
    """A type without the lengths that have to be evaluated."""
    return measured(kind, lambda _: None)


def is_layout_compatible(left: CType, right: CType) -> bool:
    """Whether an access of one type to an object of the other reads its value, up to signedness."""
    match left, right:
        case IntType(), IntType():
            return left.size == right.size and left.width == right.width
        case PointerType(), PointerType():
            return True
        case (PointerType(), IntType(size=8, width=64)) | (IntType(size=8, width=64), PointerType()):
            return True
        case _:
            return left == right
