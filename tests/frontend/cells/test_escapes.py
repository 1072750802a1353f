"""What writes make known to the rest of the program."""

from __future__ import annotations

import pytest

from duet.frontend.cells.escapes import (
    contents,
    escape,
    held_by,
    known_outside,
    note_table_write,
    note_write,
    publish,
    put_outside,
    reachable,
    reachable_inside,
)
from duet.frontend.cells.foreign import KEPT
from duet.frontend.cells.located import CellAt, Initial
from duet.frontend.ctypes.origins import ANYTHING, EXTERNAL, OUTSIDE, FunctionAddress, ObjectAddress
from duet.frontend.ctypes.types import INT, ArrayType, PointerType
from duet.frontend.ctypes.values import Direct, Index
from duet.plip.terms import variable
from tests.frontend.cells.lowering import context, declared, whole
from tests.frontend.pointing import start, to

LOCAL = to("l")


def test_a_write_makes_a_cell_written_and_tells_what_it_holds() -> None:
    ctx = context()
    kind = PointerType(INT)
    of = declared(ctx, "p", kind)
    declared(ctx, "l", storage="local")
    note_write(ctx, CellAt("p", kind, True, False, "p"), whole(of), LOCAL)
    assert ctx.facts.objects.written == {"p"}
    assert ctx.facts.pointers.held("p") == start("l")
    assert ctx.facts.objects.escaped == {"l"}
    assert ctx.facts.pointers.spot("p") is None


@pytest.mark.parametrize(("storage", "expected"), [("global", {"l"}), ("heap", {"l"}), ("local", set())])
def test_an_address_escapes_into_what_others_reach(storage: str, expected: set[str]) -> None:
    ctx = context()
    declared(ctx, "l", storage="local")
    escape(ctx, declared(ctx, "into", storage=storage), LOCAL)
    assert ctx.facts.objects.escaped == expected


def test_what_is_defined_elsewhere_is_memory_outside() -> None:
    ctx = context()
    declared(ctx, "l", storage="local")
    escape(ctx, declared(ctx, "into", initial=None), LOCAL)
    assert ctx.facts.pointers.held(OUTSIDE) == start("l")
    assert ctx.facts.pointers.held(KEPT) == start("l")
    assert ObjectAddress("l") in known_outside(ctx)


def test_only_objects_of_threads_escape() -> None:
    ctx = context()
    declared(ctx, "g")
    declared(ctx, "t", storage="thread")
    publish(ctx, to("g", "t", "unheard of"))
    assert ctx.facts.objects.escaped == {"t"}
    put_outside(ctx, to("g"))
    assert ctx.facts.objects.escaped == {"t", "g"}


def test_reached_is_what_pointers_lead_to() -> None:
    ctx = context()
    declared(ctx, "a", PointerType(INT), initial=Initial({}, {(): to("b")}))
    declared(ctx, "b")
    declared(ctx, "c")
    ctx.facts.pointers.hold("b", to("c"))
    assert reachable(ctx, start("a")) == start("a", "b", "c")
    assert contents(ctx, "a") == start("b")
    assert held_by(ctx, "b") == [start("c")]
    assert reachable(ctx, start("c")) == start("c")


def test_from_anything_all_is_reached_whose_address_is_taken() -> None:
    ctx = context()
    ctx.facts.objects.addressed.add("a")
    ctx.facts.functions.add("f")
    assert reachable(ctx, frozenset({ANYTHING})) == start("a") | {ANYTHING, FunctionAddress("f")}


def test_from_memory_outside_all_is_reached_that_was_put_there() -> None:
    ctx = context()
    declared(ctx, "a", PointerType(INT))
    ctx.facts.pointers.hold("a", to("b"))
    put_outside(ctx, to("a"))
    assert reachable(ctx, frozenset({EXTERNAL})) == start("a", "b") | {EXTERNAL}


def test_where_pointers_lead_out_of_the_program_is_left_out() -> None:
    ctx = context()
    ctx.facts.pointers.hold("a.x", to("b"))
    ctx.facts.pointers.hold("a.y", to("c") | {EXTERNAL})
    ctx.facts.pointers.hold("d", to("e"))
    put_outside(ctx, to("d"))
    assert reachable_inside(ctx, [start("a")]) == start("a", "b", "c")
    assert reachable_inside(ctx, [start("a") | {ANYTHING}]) == start("a", "b", "c")


def test_a_table_that_is_written_is_noted_without_its_indices() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3))
    note_table_write(ctx, Direct(of, (Index(variable("i"), 3),), INT))
    assert ctx.facts.objects.written == {"t[*]"}
