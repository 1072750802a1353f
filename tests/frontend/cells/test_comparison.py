"""Comparisons say what C says of values and addresses."""

from __future__ import annotations

from itertools import product

import pytest

from duet.frontend.cells.comparison import COMPARISONS, comparison, is_related, note_moved, objects
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.origins import ANYTHING, ObjectAddress
from duet.frontend.ctypes.types import INT, LP64, UINT, ArrayType, CType, PointerType
from duet.frontend.ctypes.values import Address, Direct, Index, Number, Truth, Value, literal
from duet.plip.syntax import Formula
from duet.plip.terms import compare, constant, formula_cells, negate, satisfies, variable
from tests.frontend.cells.lowering import cell, context, declared, pointer
from tests.frontend.pointing import to

IS_ONE = compare(variable("x"), "==", constant(1))


def formula(value: Value) -> Formula | bool:
    if isinstance(value, Truth):
        return value.formula
    assert isinstance(value, Number)
    return bool(value.constant)


def holds(value: Value, **cells: int) -> bool:
    found = formula(value)
    return found if isinstance(found, bool) else satisfies(found, cells)


@pytest.mark.parametrize("operator", sorted(COMPARISONS))
def test_numbers_are_compared(operator: str) -> None:
    found = comparison(context(), operator, cell("x"), cell("y"))
    for x, y in product((-1, 0, 1), (-1, 0, 1)):
        expected = {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}[operator]
        assert holds(found, x=x, y=y) is expected


@pytest.mark.parametrize("operator", sorted(COMPARISONS))
def test_ranges_decide_where_they_can(operator: str) -> None:
    low, high = cell("x", INT, 0, 4), cell("y", INT, 5, 9)
    assert formula(comparison(context(), operator, low, high)) is (operator in ("<", "<=", "!="))
    assert formula(comparison(context(), operator, high, low)) is (operator in (">", ">=", "!="))
    touching = comparison(context(), operator, low, cell("y", INT, 4, 9))
    assert isinstance(formula(touching), bool) is (operator in ("<=", ">"))


@pytest.mark.parametrize("operator", sorted(COMPARISONS))
def test_a_negative_number_is_large_beside_an_unsigned_one(operator: str) -> None:
    found = comparison(context(), operator, cell("x"), literal(5, LP64.ulong))
    for x in (-1, 0, 4, 5, 6):
        y = x % (1 << 64)
        expected = {"<": y < 5, "<=": y <= 5, ">": y > 5, ">=": y >= 5, "==": y == 5, "!=": y != 5}[operator]
        assert holds(found, x=x) is expected


def test_comparisons_of_truth_values_are_formulas() -> None:
    assert comparison(context(), "==", Truth(IS_ONE), literal(1)) == Truth(IS_ONE)
    assert comparison(context(), "==", Truth(IS_ONE), literal(0)) == Truth(negate(IS_ONE))
    assert comparison(context(), "!=", Truth(IS_ONE), literal(0)) == Truth(IS_ONE)


def two(ctx: Context, kind: CType = INT) -> tuple[Number, Number]:
    declared(ctx, "a", kind)
    declared(ctx, "b", kind)
    return pointer("p", kind, "a"), pointer("q", kind, "b")


def test_objects_have_different_addresses() -> None:
    ctx = context()
    p, q = two(ctx)
    found = formula(comparison(ctx, "==", p, q))
    assert not isinstance(found, bool)
    assert formula_cells(found) == {"p", "q"}


def test_one_object_may_begin_where_another_one_ends() -> None:
    ctx = context()
    p, q = two(ctx)
    ctx.facts.layouts.moved.add(ObjectAddress("a"))
    found = formula(comparison(ctx, "==", p, q))
    assert not isinstance(found, bool)
    assert any(name.startswith("$") for name in formula_cells(found))


def test_an_order_of_objects_is_any() -> None:
    ctx = context()
    p, q = two(ctx)
    found = formula(comparison(ctx, "<", p, q))
    assert not isinstance(found, bool)
    assert formula_cells(found).isdisjoint({"p", "q"})
    same = formula(comparison(ctx, "<", p, pointer("r", INT, "a")))
    assert not isinstance(same, bool)
    assert formula_cells(same) == {"p", "r"}


def test_objects_that_are_compared_get_addresses_in_the_order_of_their_keys() -> None:
    ctx = context()
    keys = [f"o{number}" for number in range(6)]
    for key in keys:
        declared(ctx, key, ArrayType(INT, 2))
        ctx.facts.layouts.moved.add(ObjectAddress(key))
    comparison(ctx, "==", pointer("p", INT, *keys[:3]), pointer("q", INT, *keys[3:]))
    assert [origin.key for origin in ctx.memory.bases] == ["o0", "o3", "o4", "o5", "o1", "o2"]


def test_a_pointer_is_compared_with_null_as_it_is() -> None:
    p = cell("p", PointerType(INT), None, None, "a", ANYTHING)
    found = comparison(context(), "!=", p, literal(0))
    assert holds(found, p=1)
    assert not holds(found, p=0)


def test_an_integer_that_was_an_address_says_nothing_of_order() -> None:
    found = formula(comparison(context(), "<", cell("x", LP64.long, None, None, "a"), cell("y", LP64.long)))
    assert not isinstance(found, bool)
    assert "x" not in formula_cells(found)


def test_related_pointers_and_their_objects() -> None:
    p, q = pointer("p", INT, "a", ANYTHING), pointer("q", INT, "b")
    assert objects(p) == to("a")
    assert not is_related(p, q)
    assert is_related(p, pointer("r", INT, "a"))
    assert is_related(q, q)
    assert is_related(cell("x", UINT), cell("y", UINT))


@pytest.mark.parametrize(("index", "expected"), [(0, False), (3, False), (4, True), (-1, True), (None, True)])
def test_pointers_behind_the_last_element_are_noted(index: int | None, expected: bool) -> None:
    ctx = context()
    of = declared(ctx, "a", ArrayType(INT, 4))
    step = Index(variable("i") if index is None else constant(index), 4)
    note_moved(ctx, Address(Direct(of, (step,), INT), PointerType(INT)), has_check=False)
    assert (ObjectAddress("a") in ctx.facts.layouts.moved) is expected
