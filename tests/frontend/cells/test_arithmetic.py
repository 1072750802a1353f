"""C operators on values: ranges that hold, checks where they are asked for."""

from __future__ import annotations

from itertools import product

import pytest

from duet.frontend.cells.arithmetic import binary, incremented, unary
from duet.frontend.ctypes.origins import Content, Inside, ObjectAddress, shifted
from duet.frontend.ctypes.types import (
    DOUBLE,
    INT,
    LP64,
    UCHAR,
    UINT,
    ArrayType,
    PointerType,
)
from duet.frontend.ctypes.values import Address, Direct, Index, Number, Untracked, Value, literal
from duet.plip.syntax import Compute, Havoc, Operation
from duet.plip.terms import constant
from tests.frontend.cells.lowering import bounds_of, cell, checks, context, declared, emitted, node, pointer
from tests.frontend.pointing import to

NODE = node("a + b")


def result(operator: str, left: Value, right: Value) -> Number:
    found = binary(context(), operator, left, right, NODE)
    assert isinstance(found, Number)
    return found


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
def test_results_are_in_the_range_that_is_told(operator: str) -> None:
    ranges = ((0, 3), (-3, 2), (1, 1), (-4, -1), (2, 7))
    for (a, b), (c, d) in product(ranges, ranges):
        if operator in ("<<", ">>") and c < 0:
            continue
        found = result(operator, cell("x", INT, a, b), cell("y", INT, c, d))
        for x, y in product(range(a, b + 1), range(c, d + 1)):
            if operator in "/%" and y == 0:
                continue
            quotient = abs(x) // abs(y or 1) * (1 if (x < 0) == (y < 0) else -1)
            value = {"+": x + y, "-": x - y, "*": x * y, "/": quotient, "%": x - y * quotient, "&": x & y,
                     "|": x | y, "^": x ^ y, "<<": x << max(y, 0), ">>": x >> max(y, 0)}[operator]  # fmt: skip
            assert found.lo <= value <= found.hi, (operator, x, y, found)


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [("+", 2, 3, 5), ("-", 2, 3, -1), ("*", -2, 3, -6), ("/", -7, 2, -3), ("%", -7, 2, -1), ("&", 6, 3, 2),
     ("|", 6, 3, 7), ("^", 6, 3, 5), ("<<", 3, 2, 12), (">>", -5, 1, -3)],
)  # fmt: skip
def test_constants_are_folded(operator: str, left: int, right: int, expected: int) -> None:
    assert result(operator, literal(left), literal(right)).constant == expected


def test_signed_overflow_is_checked_and_unsigned_wraps() -> None:
    ctx = context("overflow")
    signed = binary(ctx, "+", cell("x"), literal(1), NODE)
    assert checks(ctx) == [("overflow", "x <= 2147483646")]
    assert isinstance(signed, Number)
    assert signed.hi == INT.hi
    unsigned = context("overflow")
    binary(unsigned, "+", cell("x", UINT), literal(1, UINT), NODE)
    assert checks(unsigned) == []
    assert emitted(unsigned) == ["$1 := wrap(x + 1, 0, 4294967295)"]


def test_each_operation_of_the_source_is_checked_once() -> None:
    ctx = context("overflow")
    binary(ctx, "+", cell("x", INT, 0, 5), literal(1), NODE)
    assert checks(ctx) == [("overflow", "true")]
    folded = context("overflow")
    binary(folded, "+", literal(1), literal(2), node("1 + 2"))
    assert checks(folded) == []


@pytest.mark.parametrize(
    ("divisor", "expected"),
    [(cell("y"), "y != 0"), (cell("y", INT, 1, 5), "true"), (literal(0), "false")],
)
def test_division_by_zero_is_checked(divisor: Number, expected: str) -> None:
    ctx = context("division-by-zero")
    binary(ctx, "/", cell("x"), divisor, node("x / y"))
    assert checks(ctx)[0] == ("division-by-zero", expected)
    assert ctx.builder.is_live is (expected != "false")


def test_the_one_quotient_that_overflows_is_checked() -> None:
    ctx = context("overflow")
    binary(ctx, "/", cell("x"), cell("y", INT, -1, -1), node("x / y"))
    assert any(name == "overflow" and "2147483648" in text for name, text in checks(ctx))
    fine = context("overflow")
    binary(fine, "/", cell("x"), cell("y", INT, 1, 9), node("x / y"))
    assert [name for name, _ in checks(fine)] == ["division-by-zero"]


@pytest.mark.parametrize(("count", "expected"), [((0, 31), []), ((0, 32), ["overflow"]), ((-1, 3), ["overflow"])])
def test_shift_counts_are_inside_of_the_width(count: tuple[int, int], expected: list[str]) -> None:
    ctx = context("overflow")
    binary(ctx, ">>", cell("x"), cell("y", INT, *count), NODE)
    assert [name for name, _ in checks(ctx)] == expected


@pytest.mark.parametrize("count", [literal(32), literal(-1), cell("y", INT, -9, -1), cell("y", INT, 40, 50)])
@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_a_shift_by_too_much_is_a_failing_check_or_any_value(operator: str, count: Number) -> None:
    checked = context("overflow")
    binary(checked, operator, cell("x"), count, NODE)
    assert [name for name, _ in checks(checked)] == ["overflow"]
    ctx = context()
    found = binary(ctx, operator, literal(1), count, NODE)
    assert ctx.builder.is_live, "what follows is reached: processors shift all the same"
    assert isinstance(found, Number)
    assert bounds_of(found) == (INT.lo, INT.hi)
    assert list(ctx.builder.doubts.values()) == ["the result of a shift by a count that is out of range is not defined"]


def test_a_shift_that_may_be_too_far_is_exact_where_it_is_not() -> None:
    ctx = context()
    binary(ctx, "<<", cell("x", INT, 0, 3), cell("y", INT, 0, 40), NODE)
    written = [command.instruction for command in ctx.builder.commands]
    assert any(isinstance(found, Havoc) for found in written)
    assert any(isinstance(found, Compute) and found.operation is Operation.SHL for found in written)


def test_floating_results_are_any() -> None:
    ctx = context()
    assert binary(ctx, "+", Untracked(DOUBLE), literal(1), NODE) == Untracked(DOUBLE)
    found = binary(ctx, "<", Untracked(DOUBLE), literal(1), NODE)
    assert isinstance(found, Number)
    assert bounds_of(found) == (INT.lo, INT.hi)
    assert [warning.code for warning in ctx.findings.warnings.values()] == ["float"]


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [("-", cell("x", INT, 1, 5), (-5, -1)), ("~", cell("x", INT, 1, 5), (-6, -2)), ("+", cell("x", UCHAR), (0, 255)),
     ("~", cell("x", UINT, 1, 5), (UINT.hi - 5, UINT.hi - 1))],
)  # fmt: skip
def test_unary_operators(operator: str, value: Number, expected: tuple[int, int]) -> None:
    found = unary(context(), operator, value, NODE)
    assert isinstance(found, Number)
    assert bounds_of(found) == expected


def test_negation_of_the_least_value_is_checked() -> None:
    ctx = context("overflow")
    unary(ctx, "-", cell("x"), NODE)
    assert checks(ctx) == [("overflow", f"x >= {INT.lo + 1}")]


def test_pointers_move_by_whole_elements() -> None:
    ctx = context()
    declared(ctx, "a", ArrayType(INT, 4))
    found = binary(ctx, "+", pointer("p", INT, "a"), cell("i", INT, 0, 3), NODE)
    assert isinstance(found, Number)
    assert dict(found.term.terms) == {"p": 1, "i": 4}
    assert found.origins == shifted(to("a")) | {Content(Inside((0, 4)))}
    assert ObjectAddress("a") in ctx.facts.layouts.moved
    assert (4, False) in ctx.facts.layouts.steps[ObjectAddress("a")]


def test_the_address_of_an_element_moves_to_another_one() -> None:
    ctx = context()
    of = declared(ctx, "a", ArrayType(INT, 4))
    first = Address(Direct(of, (Index(constant(0), 4),), INT), PointerType(INT))
    found = binary(ctx, "+", first, literal(3), NODE)
    assert isinstance(found, Address)
    assert isinstance(found.place, Direct)
    assert found.place.path == (Index(constant(3), 4),)
    assert ObjectAddress("a") not in ctx.facts.layouts.moved
    binary(ctx, "+", first, literal(4), NODE)
    assert ObjectAddress("a") in ctx.facts.layouts.moved


def test_differences_count_elements_of_one_object() -> None:
    ctx = context()
    declared(ctx, "a", ArrayType(INT, 4))
    declared(ctx, "b", ArrayType(INT, 4))
    same = binary(ctx, "-", pointer("p", INT, "a"), pointer("p", INT, "a"), NODE)
    assert isinstance(same, Number)
    assert (same.constant, same.type) == (0, LP64.long)
    other = binary(ctx, "-", pointer("p", INT, "a"), pointer("q", INT, "b"), NODE)
    assert isinstance(other, Number)
    assert bounds_of(other) == (LP64.long.lo, LP64.long.hi)


def test_counting_keeps_the_type() -> None:
    found = incremented(context(), cell("x", UCHAR, 0, 255), 1, NODE)
    assert isinstance(found, Number)
    assert (found.type, found.hi) == (UCHAR, 255)
