"""When a program is large."""

from __future__ import annotations

from functools import partial

from duet.frontend.cells.context import Context
from duet.frontend.cells.size import are_too_many, begun, extent, is_large, is_shared, is_small, note_size
from duet.frontend.cells.thread import Frame
from duet.frontend.ctypes.types import INT
from duet.options import Budgets
from duet.plip.syntax import SKIP
from tests.frontend.cells.lowering import context


def sized(commands: int, emitted: int = 0, **budgets: int) -> Context:
    ctx = context(budgets=Budgets(**budgets))
    ctx.emitted = emitted
    for _ in range(commands):
        ctx.builder.emit(SKIP)
    return ctx


def called(ctx: Context, function: str, commands: int, shareable: int = 0) -> None:
    note_size(ctx, Frame(function, INT, function, shareable=shareable), commands)


def test_a_program_is_large_beyond_its_budget_for_good() -> None:
    assert not is_large(sized(3, emitted=2, program_commands=5))
    ctx = sized(3, emitted=3, program_commands=5)
    assert extent(ctx.facts) == (False, False, False)
    assert is_large(ctx)
    assert extent(ctx.facts) == (False, True, False)
    ctx.emitted = 0
    assert is_large(ctx)
    ctx.facts = begun(ctx.facts)
    assert is_large(ctx)


def test_nothing_is_found_out_where_nothing_is_to_be_added() -> None:
    ctx = sized(6, program_commands=5)
    ctx.facts.growth.is_frozen = True
    assert is_large(ctx)
    assert not is_large(sized(5, program_commands=5))


def test_large_programs_share_bodies_earlier() -> None:
    few = {"inlined_commands": 4, "inlined_commands_if_large": 1}
    assert not is_shared(sized(4, **few))
    assert is_shared(sized(5, **few))
    assert is_shared(sized(2, program_commands=0, **few))
    assert not is_shared(sized(1, program_commands=0, **few))


def test_a_function_is_small_by_the_most_commands_that_a_call_of_it_took() -> None:
    ctx = sized(0, small_commands=3)
    assert not is_small(ctx, "f")
    called(ctx, "f", 3)
    assert is_small(ctx, "f")
    called(ctx, "f", 4)
    called(ctx, "f", 2)
    assert not is_small(ctx, "f")


def test_calls_that_share_a_body_do_not_count() -> None:
    ctx = sized(0, small_commands=3)
    outer = Frame("outer", INT, "outer")
    ctx.thread.frames.append(outer)
    called(ctx, "inner", 5, shareable=3)
    assert is_small(ctx, "inner")
    assert outer.shareable == 3
    called(ctx, "long", 7, shareable=1)
    assert not is_small(ctx, "long")
    assert outer.shareable == 10
    ctx.thread.frames.pop()
    note_size(ctx, outer, 13)
    assert is_small(ctx, "outer")


def test_only_in_large_programs_an_access_may_mean_too_many_objects() -> None:
    assert not are_too_many(sized(1, targets_if_large=1), "ab")
    too_many = partial(are_too_many, objects="ab")
    assert too_many(sized(1, targets_if_large=1, program_commands=0))
    assert not too_many(sized(1, targets_if_large=2, program_commands=0))


def test_huge_programs_share_bodies_still_earlier_for_good() -> None:
    few = {"program_commands": 0, "inlined_commands_if_large": 3, "huge_commands": 9, "inlined_commands_if_huge": 1}
    assert not is_shared(sized(3, emitted=6, **few))
    ctx = sized(3, emitted=7, **few)
    assert is_shared(ctx)
    ctx.emitted = 0
    assert is_shared(ctx)
    assert not is_shared(sized(1, emitted=20, **few))
