"""C types of the LP64 model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.frontend.ctypes.types import (
    ADDRESS,
    BASIC_WORDS,
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LLONG,
    LP64,
    QUAD,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    UINT128,
    ULLONG,
    USHORT,
    VOID,
    VOID_POINTER,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    basic_type,
    common_float,
    common_type,
    decay,
    enumeration_type,
    first_holding,
    is_layout_compatible,
    is_scalar,
    plain,
    promote,
    value_range,
)
from duet.frontend.source.words import FLOATS

BITS_3 = replace(INT, width=3)
BITS_40 = replace(LP64.ulong, width=40)
COMPLEX = FloatType("double _Complex", 16)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("void", VOID),
        ("_Bool", BOOL),
        ("char", CHAR),
        ("signed char", SCHAR),
        ("char unsigned", UCHAR),
        ("short", SHORT),
        ("unsigned short int", USHORT),
        ("int", INT),
        ("signed", INT),
        ("unsigned", UINT),
        ("long int", LP64.long),
        ("long unsigned", LP64.ulong),
        ("long long", LLONG),
        ("long unsigned long int", ULLONG),
        ("__int128", INT128),
        ("unsigned __int128", UINT128),
        ("float", FLOAT),
        ("double", DOUBLE),
        ("long double", LP64.long_double),
        ("double _Complex", COMPLEX),
        ("_Complex", COMPLEX),
        ("float _Complex", FloatType("float _Complex", 8)),
        (FLOATS["_Float16"], FloatType("_Float16", 2)),
        (FLOATS["__bf16"], FloatType("__bf16", 2)),
        (FLOATS["_Float32"], FloatType("_Float32", 4)),
        (FLOATS["_Float64"], FloatType("_Float64", 8)),
        (FLOATS["_Float32x"], FloatType("_Float32x", 8)),
        (FLOATS["_Float64x"], FloatType("_Float64x", 16)),
        (FLOATS["__float128"], QUAD),
        (f"_Complex {FLOATS['_Float32']}", FloatType("_Float32 _Complex", 8)),
    ],
)
def test_specifiers_name_a_type_in_any_order(words: str, expected: CType) -> None:
    assert basic_type(words.split(), LP64) == expected
    assert basic_type(words.split()[::-1], LP64) == expected
    assert set(words.split()) <= BASIC_WORDS


@pytest.mark.parametrize("words", ["int _Complex", "_Complex long", "unsigned char _Complex", "__int128 _Complex"])
def test_complex_integers_are_refused(words: str) -> None:
    assert basic_type(words.split(), LP64) is None


def test_ranges_are_inclusive() -> None:
    assert value_range(CHAR) == (-128, 127)
    assert value_range(UCHAR) == (0, 255)
    assert value_range(BOOL) == (0, 1)
    assert value_range(BITS_3) == (-4, 3)
    assert value_range(VOID_POINTER) == (0, ADDRESS.hi)
    assert value_range(OpaqueType("m", 40, 8)) == value_range(INT)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (BOOL, INT),
        (CHAR, INT),
        (USHORT, INT),
        (INT, INT),
        (UINT, UINT),
        (LP64.long, LP64.long),
        (BITS_3, INT),
        (replace(UINT, width=3), INT),
        (replace(LP64.ulong, width=3), INT),
        (replace(LP64.ulong, width=32), UINT),
        (replace(LP64.long, width=32), INT),
        (BITS_40, BITS_40),
        (replace(LP64.long, atomic=True), LP64.long),
        (VOID_POINTER, LP64.ulong),
    ],
)
def test_small_types_are_promoted(kind: CType, expected: IntType) -> None:
    assert promote(kind) == expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (CHAR, SHORT, INT),
        (INT, UINT, UINT),
        (UINT, LP64.long, LP64.long),
        (LP64.long, LP64.ulong, LP64.ulong),
        (LP64.long, LLONG, LLONG),
        (LP64.ulong, LLONG, ULLONG),
        (LP64.long, ULLONG, ULLONG),
        (INT128, ULLONG, INT128),
        (BITS_40, INT, BITS_40),
        (BITS_40, LP64.long, LP64.long),
    ],
)
def test_two_integers_have_a_common_type(left: IntType, right: IntType, expected: IntType) -> None:
    assert common_type(left, right) == expected
    assert common_type(right, left) == expected


def test_two_floating_operands_have_the_wider_type() -> None:
    assert common_float(FLOAT, DOUBLE) == DOUBLE
    assert common_float(INT, FLOAT) == FLOAT
    assert common_float(LP64.long_double, COMPLEX) == FloatType("long double _Complex", 32)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("_Float16", FLOAT, "float"),
        ("_Float32", FLOAT, "_Float32"),
        ("_Float64", DOUBLE, "_Float64"),
        ("_Float32x", DOUBLE, "double"),
        ("_Float64x", LP64.long_double, "long double"),
        ("_Float128", LP64.long_double, "_Float128"),
        ("_Float32", DOUBLE, "double"),
    ],
)
def test_types_beside_those_of_c_are_others(left: str, right: FloatType, expected: str) -> None:
    given = basic_type(FLOATS[left].split(), LP64)
    assert isinstance(given, FloatType)
    assert given != right
    assert common_float(given, right).name == common_float(right, given).name == expected


@pytest.mark.parametrize(
    ("values", "is_packed", "expected"),
    [
        ((), False, UINT),
        ((0, 5), False, UINT),
        ((-1, 5), False, INT),
        ((0, 1 << 31), False, UINT),
        ((-1, 1 << 31), False, LP64.long),
        ((0, 1 << 32), False, LP64.ulong),
        ((0, 255), True, UCHAR),
        ((0, 256), True, USHORT),
        ((-1, 127), True, SCHAR),
        ((-1, 128), True, SHORT),
    ],
)
def test_an_enumeration_has_the_first_type_that_holds_its_values(
    values: tuple[int, ...], is_packed: bool, expected: IntType
) -> None:
    assert enumeration_type(values, is_packed, LP64) == expected


def test_the_first_type_that_holds_a_value() -> None:
    assert first_holding(INT.hi, (INT, LP64.long)) == INT
    assert first_holding(INT.hi + 1, (INT, LP64.long)) == LP64.long
    assert first_holding(3, (DOUBLE, LP64.long)) == LP64.long
    assert first_holding(LP64.long.hi + 1, (INT, LP64.long)) is None


def test_arrays_and_functions_become_pointers() -> None:
    function = FunctionType(INT, ())
    assert decay(ArrayType(INT, 3)) == PointerType(INT)
    assert decay(function) == PointerType(function)
    assert decay(INT) == INT


def test_scalars_have_a_cell() -> None:
    kinds: list[CType] = [INT, VOID_POINTER, OpaqueType("m", 40, 8), DOUBLE, ArrayType(INT, 1), StructType("S"), VOID]
    assert [is_scalar(kind) for kind in kinds] == [True, True, True, False, False, False, False]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (INT, UINT, True),
        (INT, LP64.long, False),
        (INT, BITS_3, False),
        (PointerType(INT), VOID_POINTER, True),
        (PointerType(INT), LP64.ulong, True),
        (LP64.long, VOID_POINTER, True),
        (INT, VOID_POINTER, False),
        (FLOAT, INT, False),
        (StructType("S"), StructType("S"), True),
        (StructType("S"), StructType("T"), False),
    ],
)
def test_which_accesses_read_a_value_as_it_is(left: CType, right: CType, expected: bool) -> None:
    assert is_layout_compatible(left, right, LP64) is expected
    assert is_layout_compatible(right, left, LP64) is expected


def test_atomic_types_have_a_plain_one() -> None:
    assert plain(replace(INT, atomic=True)) == INT
