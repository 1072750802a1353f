"""How many bytes objects have."""

from __future__ import annotations

import pytest

from duet.frontend.cells.extent import Extent, exact_size, is_nothing, least_size
from duet.frontend.ctypes.types import INT, ArrayType
from duet.frontend.ctypes.values import literal
from tests.frontend.cells.lowering import cell, context, declared


def test_declared_objects_have_the_size_of_their_type() -> None:
    ctx = context()
    of, unknown = declared(ctx, "t", ArrayType(INT, 3)), declared(ctx, "u", ArrayType(INT, None))
    assert (exact_size(ctx.memory, of), least_size(ctx.memory, of)) == (12, 12)
    assert (exact_size(ctx.memory, unknown), least_size(ctx.memory, unknown)) == (None, 0)


def test_allocated_objects_have_what_was_asked_for() -> None:
    ctx = context()
    of = declared(ctx, "heap", storage="heap")
    assert (exact_size(ctx.memory, of), least_size(ctx.memory, of)) == (None, 0)
    ctx.facts.layouts.at_least("heap", 8)
    assert (exact_size(ctx.memory, of), least_size(ctx.memory, of)) == (None, 8)
    ctx.facts.layouts.size("heap", 16)
    assert (exact_size(ctx.memory, of), least_size(ctx.memory, of)) == (16, 16)


@pytest.mark.parametrize(
    ("extent", "expected"), [(None, False), (literal(0), True), (literal(1), False), (cell("x", INT, 0, 0), False)]
)
def test_only_a_known_0_is_nothing(extent: Extent, expected: bool) -> None:
    assert is_nothing(extent) is expected
