"""C types in two data models: widths, ranges, promotions, usual arithmetic conversions."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from duet.records import dataclass


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
    """A pointer; its value is an address, 0 for null. How many bytes it takes is up to the data model."""

    target: CType
    atomic: bool = False


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
LLONG = IntType("long long", 64, True, 8, 5)
ULLONG = IntType("unsigned long long", 64, False, 8, 5)
INT128 = IntType("__int128", 128, True, 16, 6)
UINT128 = IntType("unsigned __int128", 128, False, 16, 6)
FLOAT, DOUBLE = FloatType("float", 4), FloatType("double", 8)
QUAD = FloatType("_Float128", 16)
_HALF = FloatType("_Float16", 2)
CHAR_POINTER = PointerType(CHAR)
VOID_POINTER = PointerType(VOID)
VA_LIST = PointerType(StructType("__duet_va_list"))
"""A list of variable arguments: an array of one structure for compilers, so a pointer only as a parameter."""
ADDRESS = IntType("unsigned long", 64, False, 8, 4)
"""The integers that stand for addresses. Objects lie at made-up ones, which have room here in every data model."""
OFFSET = IntType("long", 64, True, 8, 4)
"""The distances between them."""


@dataclass(frozen=True, slots=True)
class DataModel:
    """What compilers for one kind of machine choose, as GCC for Linux on x86 does. *Units*: bytes.

    - `pointer`: the size of a pointer; `word`: the integer of that size, as `uintptr_t` is;
    - `most_align`: the alignment in structures that no scalar exceeds, unless it is atomic;
    - `list_size`: the size of a `va_list`;
    - `wide`: the signed and the unsigned type of enumerations that an `int` does not hold;
    - `has_int128`: whether there is an integer of 128 bits.
    """

    name: str
    pointer: int
    long: IntType
    ulong: IntType
    size: IntType
    distance: IntType
    word: IntType
    wchar: IntType
    long_double: FloatType
    wide: tuple[IntType, IntType]
    most_align: int
    list_size: int
    has_int128: bool

    def align(self, size: int, is_atomic: bool = False) -> int:
        """The alignment of a scalar of a size in a structure."""
        return size if is_atomic else min(size & -size, self.most_align)

    def is_pointer_sized(self, kind: IntType) -> bool:
        """Whether an integer may be the whole of an address: in no other type of this size is one found again."""
        return kind.size == self.pointer == ADDRESS.size and kind.width == 8 * kind.size


LP64 = DataModel(
    "LP64",
    pointer=8,
    long=OFFSET,
    ulong=ADDRESS,
    size=ADDRESS,
    distance=OFFSET,
    word=ADDRESS,
    wchar=INT,
    long_double=FloatType("long double", 16),
    wide=(OFFSET, ADDRESS),
    most_align=16,
    list_size=24,
    has_int128=True,
)
ILP32 = DataModel(
    "ILP32",
    pointer=4,
    long=IntType("long", 32, True, 4, 4),
    ulong=IntType("unsigned long", 32, False, 4, 4),
    size=UINT,
    distance=INT,
    word=UINT,
    wchar=IntType("long", 32, True, 4, 4),
    long_double=FloatType("long double", 12),
    wide=(LLONG, ULLONG),
    most_align=4,
    list_size=4,
    has_int128=False,
)
_DATA_MODELS = {model.name: model for model in (LP64, ILP32)}


def data_model(name: str) -> DataModel:
    """The data model of a name among `duet.options.DATA_MODELS`."""
    return _DATA_MODELS[name]


BASIC_WORDS = frozenset(
    ("void", "_Bool", "char", "short", "int", "long", "__int128", "signed", "unsigned", "float", "double", "_Complex")
)
"""The specifier keywords that `basic_type` knows."""


def basic_type(names: list[str], data: DataModel) -> CType | None:
    """The type that a list of specifier keywords names; None for one that the data model has not."""
    words = [name for name in names if name not in ("signed", "unsigned", "int", "_Complex")]
    signed, unsigned = "signed" in names, "unsigned" in names
    if "void" in words:
        return VOID
    if "float" in words or "double" in words or names == ["_Complex"]:
        real = FLOAT if "float" in words else data.long_double if "long" in words else DOUBLE
        real = _HALF if "short" in words else real
        real = _beside(real) if signed else _beside(real, is_extended=True) if unsigned else real
        return _complex(real) if "_Complex" in names else real
    if "_Complex" in names:
        return None  # complex integers of GNU C
    if "_Bool" in words:
        return BOOL
    if "char" in words:
        return UCHAR if unsigned else SCHAR if signed else CHAR
    base = INT
    if "short" in words:
        base = SHORT
    elif "__int128" in words:
        if not data.has_int128:
            return None
        base = INT128
    elif "long" in words:
        base = LLONG if words.count("long") > 1 else data.long
    return _unsigned(base) if unsigned else base


def _unsigned(kind: IntType) -> IntType:
    """The unsigned type that corresponds to a signed one."""
    return replace(kind, name=f"unsigned {kind.name}", signed=False)


def enumeration_type(values: Collection[int], is_packed: bool, data: DataModel) -> IntType:
    """The type that compilers choose: unsigned where no value is negative, at least an `int` unless packed."""
    least, greatest = min(values, default=0), max(values, default=0)
    small: tuple[IntType, ...] = (SCHAR, SHORT) if least < 0 else (UCHAR, USHORT)
    kinds = (INT, data.wide[0]) if least < 0 else (UINT, data.wide[1])
    fitting = (kind for kind in (*small, *kinds) if kind.lo <= least and greatest <= kind.hi)
    return next((kind for kind in fitting if is_packed or kind in kinds), kinds[-1])


Choice: TypeAlias = Callable[[DataModel], CType | None]
"""Which type it is in a data model; None where there is none."""


def words(text: str) -> Choice:
    """The type that specifier keywords name."""
    return partial(basic_type, text.split())


def chosen(kind: CType | Choice | None, data: DataModel) -> CType | None:
    """A type as it is in a data model."""
    return kind(data) if callable(kind) else kind


def first_holding(value: int, kinds: tuple[CType, ...]) -> IntType | None:
    """The first of several types that holds a value; None where none does."""
    fitting = (kind for kind in kinds if isinstance(kind, IntType) and kind.lo <= value <= kind.hi)
    return next(fitting, None)


def value_range(kind: CType) -> tuple[int, int]:
    """The least and the greatest value of a scalar type, inclusive; any of a type that is not tracked."""
    match kind:
        case IntType():
            return kind.lo, kind.hi
        case PointerType():
            return ADDRESS.lo, ADDRESS.hi
        case OpaqueType():
            return -(1 << 31), (1 << 31) - 1
        case _:
            return -(1 << 63), ADDRESS.hi


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
    """The type after integer promotion; pointers count as the integers that stand for addresses."""
    if not isinstance(kind, IntType):
        return ADDRESS
    if kind.rank < INT.rank or kind.width < INT.width:
        return INT
    if kind.width == INT.width and (kind.rank == INT.rank or kind.size > INT.size):
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
    is_standard = signed.width == 8 * signed.size
    return _unsigned(signed) if is_standard and signed.rank > unsigned.rank else unsigned


def common_float(left: CType, right: CType) -> FloatType:
    """The usual arithmetic conversions where an operand is floating: the wider real type, complex where one is."""
    floats = [kind for kind in (left, right) if isinstance(kind, FloatType)]
    real = max(map(_real, floats), key=_float_rank)
    return _complex(real) if any(kind.is_complex for kind in floats) else real


def _float_rank(kind: FloatType) -> tuple[int, bool, bool]:
    """By size; those of C come before others of their size that end with an x, and behind the rest (C23 6.3.1.8)."""
    is_beside = kind.name.startswith("_Float")
    return kind.size, is_beside and not kind.name.endswith("x"), not is_beside


def _real(kind: FloatType) -> FloatType:
    return FloatType(kind.name.removesuffix(" _Complex"), kind.size // 2) if kind.is_complex else kind


def _beside(real: FloatType, is_extended: bool = False) -> FloatType:
    """The type that compilers have beside a real one, of its size, which is another one: `_Float64` of `double`."""
    if real.name == "long double":
        return replace(real, name="_Float64x") if is_extended else QUAD
    if real == _HALF:
        return replace(real, name="__bf16") if is_extended else real
    return replace(real, name="_Float32x" if is_extended else f"_Float{8 * real.size}")


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


def are_elements_alike(left: CType, right: CType) -> bool:
    """Whether two types are the same but for the numbers of elements of arrays."""
    if isinstance(left, ArrayType) and isinstance(right, ArrayType):
        return left.element == right.element
    return left == right


def is_layout_compatible(left: CType, right: CType, data: DataModel) -> bool:
    """Whether an access of one type to an object of the other reads its value, up to signedness."""
    match left, right:
        case IntType(), IntType():
            return left.size == right.size and left.width == right.width
        case PointerType(), PointerType():
            return True
        case (PointerType(), IntType() as kind) | (IntType() as kind, PointerType()):
            return data.is_pointer_sized(kind)
        case _:
            return left == right
