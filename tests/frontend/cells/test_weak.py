"""Symbols that may not be there."""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.located import Initial
from duet.frontend.cells.weak import perhaps_missing
from duet.frontend.ctypes.origins import FunctionAddress
from duet.frontend.ctypes.types import INT, FunctionType
from duet.frontend.ctypes.values import FunctionPlace, Indirect, Place
from tests.frontend.cells.lowering import ZERO, context, declared, emitted, whole
from tests.frontend.pointing import start


def of_object(ctx: Context, initial: Initial | None, storage: str = "global") -> Place:
    return perhaps_missing(ctx, "x", whole(declared(ctx, "x", storage=storage, initial=initial)))


def test_other_symbols_are_there() -> None:
    ctx = context()
    assert of_object(ctx, None) == whole(ctx.memory.objects["x"])


def test_a_weak_object_that_is_defined_is_there() -> None:
    ctx = context()
    ctx.declared.weak = {"x": frozenset({0})}
    assert of_object(ctx, ZERO) == whole(ctx.memory.objects["x"])
    assert of_object(ctx, None, "local") == whole(ctx.memory.objects["x"])


def test_a_weak_object_that_nobody_defines_is_behind_a_pointer_that_may_be_null() -> None:
    ctx = context()
    ctx.declared.weak = {"x": frozenset({0})}
    found = of_object(ctx, None)
    assert isinstance(found, Indirect)
    assert (found.address.lo, found.address.origins) == (0, start("x"))
    assert emitted(ctx)[-1].startswith("$1 := * in 0..")


def test_weak_functions_too() -> None:
    ctx = context()
    ctx.declared.weak = {"f": frozenset({0})}
    place = FunctionPlace("f", FunctionType(INT, ()))
    found = perhaps_missing(ctx, "f", place)
    assert isinstance(found, Indirect)
    assert found.address.origins == frozenset((FunctionAddress("f"),))
    assert perhaps_missing(ctx, "g", place) == place
