"""Conversions between C types, and values as numbers and conditions."""

from __future__ import annotations

import pytest

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import (
    condition_of,
    convert,
    fit,
    is_address,
    merged,
    negated,
    number,
    snapshot,
    squeezed,
    unplaced,
)
from duet.frontend.ctypes.origins import EXTERNAL, UNKNOWN_POINTER, FunctionAddress, may_be_any
from duet.frontend.ctypes.types import (
    BOOL,
    CHAR,
    CHAR_POINTER,
    DOUBLE,
    INT,
    LP64,
    UCHAR,
    UINT,
    VOID,
    VOID_POINTER,
    CType,
    IntType,
    PointerType,
)
from duet.frontend.ctypes.values import Address, FunctionPlace, Number, Truth, Untracked, Value, literal
from duet.plip.syntax import FALSE, TRUE
from duet.plip.terms import add, compare, constant, negate, variable
from tests.frontend.cells.lowering import bounds_of, cell, context, declared, emitted, node, whole
from tests.frontend.pointing import start, to

IS_ONE = compare(variable("x"), "==", constant(1))
NODE = node("x")


def converted(value: Value, kind: CType, ctx: Context | None = None) -> Value:
    return convert(ctx or context(), value, kind, NODE)


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [(300, UCHAR, 44), (200, CHAR, -56), (-1, UINT, UINT.hi), (-1, LP64.ulong, LP64.ulong.hi), (1 << 32, INT, 0),
     (7, BOOL, 1), (0, BOOL, 0), (5, LP64.long, 5)],
)  # fmt: skip
def test_constants_wrap_into_the_type(value: int, kind: IntType, expected: int) -> None:
    found = converted(literal(value), kind)
    assert isinstance(found, Number)
    assert (found.constant, found.type) == (expected, kind)


def test_values_that_fit_stay_and_others_wrap() -> None:
    ctx = context()
    assert fit(ctx, cell("x", INT, 0, 9), UCHAR).term == variable("x")
    assert emitted(ctx) == []
    assert bounds_of(fit(ctx, cell("x", INT, 0, 256), UCHAR)) == (0, 255)
    assert emitted(ctx) == ["$1 := wrap(x, 0, 255)"]


def test_a_part_of_an_address_is_any_value() -> None:
    ctx = context()
    found = fit(ctx, cell("p", VOID_POINTER, None, None, "a"), INT)
    assert (bounds_of(found), found.origins) == ((INT.lo, INT.hi), to("a"))
    assert any(text.startswith("$1 := *") for text in emitted(ctx))
    assert "$1 := wrap(p, -2147483648, 2147483647)" in emitted(ctx)  # where that is in no object


def test_truth_values_are_conditions() -> None:
    assert converted(Truth(IS_ONE), BOOL) == Truth(IS_ONE, BOOL)
    assert converted(Truth(IS_ONE), LP64.long) == Truth(IS_ONE, LP64.long)
    assert condition_of(context(), Truth(IS_ONE)) == IS_ONE
    assert condition_of(context(), literal(3)) == TRUE
    assert condition_of(context(), cell("x")) == compare(variable("x"), "!=", constant(0))
    assert negated(TRUE) == literal(0)
    assert negated(FALSE) == literal(1)
    assert negated(IS_ONE) == Truth(negate(IS_ONE))


def test_a_condition_becomes_a_flag() -> None:
    ctx = context()
    found = number(ctx, Truth(IS_ONE))
    assert bounds_of(found) == (0, 1)
    assert set(emitted(ctx)) == {"[x == 1]", "[x != 1]", "$1 := 1", "$1 := 0"}
    assert number(context(), Truth(TRUE)) == literal(1)


def test_addresses_of_objects_and_functions_have_origins() -> None:
    ctx = context()
    of = declared(ctx, "a")
    found = number(ctx, Address(whole(of), PointerType(INT)))
    assert found.constant
    assert found.origins == start("a")
    assert "a" in ctx.facts.objects.addressed
    called = number(ctx, Address(FunctionPlace("f", INT), PointerType(INT)))
    assert called.origins == frozenset((FunctionAddress("f"),))
    assert ctx.facts.functions == {"f"}
    assert condition_of(ctx, Address(whole(of), PointerType(INT))) == TRUE


def test_an_integer_that_becomes_a_pointer_may_lead_anywhere() -> None:
    found = converted(cell("x", LP64.long), VOID_POINTER)
    assert isinstance(found, Number)
    assert may_be_any(found.origins)
    assert EXTERNAL in found.origins
    null = converted(literal(0), VOID_POINTER)
    assert isinstance(null, Number)
    assert null.origins == frozenset()
    other = converted(cell("p", CHAR_POINTER, None, None, "a"), VOID_POINTER)
    assert isinstance(other, Number)
    assert other.origins == to("a")


def test_floating_values_become_any_integer() -> None:
    ctx = context()
    found = converted(Untracked(DOUBLE), INT, ctx)
    assert isinstance(found, Number)
    assert bounds_of(found) == (INT.lo, INT.hi)
    assert [warning.code for warning in ctx.findings.warnings.values()] == ["float"]
    assert converted(literal(1), DOUBLE) == Untracked(DOUBLE)
    assert converted(literal(1), VOID) == Untracked(VOID)


def test_addresses_are_nowhere_in_particular() -> None:
    address = cell("x", LP64.long, None, None, "a")
    assert is_address(context(), address)
    assert not is_address(context(), cell("p", VOID_POINTER, None, None, "a"))
    assert not is_address(context(), cell("x", LP64.long, None, None, *UNKNOWN_POINTER))
    assert unplaced(context(), address).term != address.term
    assert unplaced(context(), cell("x")) == cell("x")


def test_a_snapshot_outlives_later_writes() -> None:
    ctx = context()
    found = snapshot(ctx, cell("x"))
    assert isinstance(found, Number)
    assert found.term == variable("$1")
    assert emitted(ctx) == ["$1 := x"]
    assert ctx.temporaries.sources == {"$1": "x"}
    assert snapshot(ctx, found) == found
    snapshot(ctx, Number(add(variable("x"), constant(1)), INT, 0, 9))
    assert "$2" not in ctx.temporaries.sources


def outcomes(ctx: Context, *values: Value) -> list[tuple[int, Value]]:
    ways = ctx.builder.fork(len(values))
    return list(zip(ways, values, strict=True))


def test_outcomes_are_merged_in_one_cell() -> None:
    ctx = context()
    found = merged(ctx, outcomes(ctx, literal(3), literal(7)), INT)
    assert isinstance(found, Number)
    assert bounds_of(found) == (3, 7)
    assert ctx.temporaries.constants == {"$1": {3, 7}}
    assert ctx.builder.is_live


def test_equal_outcomes_need_no_cell() -> None:
    ctx = context()
    assert merged(ctx, outcomes(ctx, literal(3), literal(3)), INT) == literal(3)
    assert ctx.temporaries.counter == 0
    assert merged(ctx, [(ctx.builder.current, literal(4))], INT) == literal(4)


def test_without_outcomes_nothing_goes_on() -> None:
    ctx = context()
    merged(ctx, [], INT)
    assert not ctx.builder.is_live


def test_outcomes_are_squeezed_by_their_constants() -> None:
    ctx = context()
    found = squeezed(ctx, outcomes(ctx, literal(1), cell("x"), literal(1), cell("y"), literal(2)), INT)
    constants = [value.constant for _, value in found if isinstance(value, Number)]
    assert constants == [1, 2, None]
