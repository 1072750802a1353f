"""What is known of the values of expressions."""

from __future__ import annotations

import pytest

from duet.frontend.ctypes.types import BOOL, CHAR, INT, LP64, VOID_POINTER, PointerType
from duet.frontend.ctypes.values import (
    Index,
    Number,
    Truth,
    Untracked,
    in_type,
    is_flag,
    is_null,
    literal,
    of_term,
    pointee,
    retyped,
    truth,
    type_of,
)
from duet.plip.syntax import FALSE, TRUE
from duet.plip.terms import compare, constant, variable
from tests.frontend.pointing import to

T = variable("t")


def test_constants_are_their_own_bounds() -> None:
    assert literal(7) == Number(constant(7), INT, 7, 7)
    assert literal(7).constant == 7
    assert of_term(constant(7), INT, 0, 9) == literal(7)
    assert of_term(T, INT, 0, 9) == Number(T, INT, 0, 9)
    assert of_term(T, INT, 0, 9).constant is None
    assert in_type(T, CHAR) == Number(T, CHAR, -128, 127)


def test_origins_are_kept() -> None:
    origins = to("x")
    assert of_term(constant(7), INT, 0, 9, origins).origins == origins
    assert in_type(T, VOID_POINTER, origins).origins == origins


@pytest.mark.parametrize(
    ("lo", "hi", "expected"),
    [
        (1, 9, TRUE),
        (-9, -1, TRUE),
        (0, 0, FALSE),
        (0, 9, compare(T, "!=", constant(0))),
        (-9, 0, compare(T, "!=", constant(0))),
    ],
)
def test_a_number_is_true_where_it_is_not_zero(lo: int, hi: int, expected: object) -> None:
    assert truth(Number(T, INT, lo, hi)) == expected


@pytest.mark.parametrize(("lo", "hi", "expected"), [(0, 1, True), (0, 2, False), (-1, 1, False), (1, 1, True)])
def test_flags_are_0_or_1(lo: int, hi: int, expected: bool) -> None:
    assert is_flag(Number(T, INT, lo, hi)) is expected


def test_truth_values_are_flags() -> None:
    assert is_flag(Number(T, BOOL, 0, 255))


def test_only_the_constant_0_is_null() -> None:
    assert is_null(literal(0))
    assert not is_null(literal(1))
    assert not is_null(Number(T, INT, 0, 0))
    assert not is_null(Truth(FALSE))


def test_an_index_is_constant_where_its_term_is() -> None:
    assert Index(constant(3), 4).constant == 3
    assert Index(T, 4).constant is None
    assert Index(None, 4).constant is None


def test_types_of_values() -> None:
    assert type_of(retyped(literal(7), LP64.long)) == LP64.long
    assert retyped(Untracked(INT), LP64.long) == Untracked(LP64.long)
    assert pointee(PointerType(CHAR)) == CHAR
    assert pointee(CHAR) is None
