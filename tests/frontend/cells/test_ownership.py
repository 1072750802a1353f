"""What lowering notes for `exclusion`."""

from __future__ import annotations

import pytest

from duet.frontend.cells.ownership import (
    accesses_told,
    is_wanted,
    note_allocation,
    note_giving,
    note_taking,
    spot_of,
)
from duet.frontend.cells.sharing import note_place
from duet.frontend.ctypes.origins import ANYTHING, Elsewhere, ObjectAddress, Passed
from duet.frontend.ctypes.types import INT, ArrayType
from duet.frontend.ctypes.values import Direct, Index, Indirect, Temporary
from duet.frontend.graph.events import Spot
from duet.frontend.judgments.exclusion import argument_of
from duet.plip.accesses import AccessKind
from duet.plip.syntax import SKIP, Cell
from duet.plip.terms import add, constant, variable
from tests.frontend.cells.lowering import context, declared, node, pointer, struct, whole
from tests.frontend.pointing import to

RACE = "data-race"
PAIR = "struct S { int lock; int value; } x;"


def test_notes_are_for_races_that_are_asked_for() -> None:
    ctx = context(RACE)
    assert is_wanted(ctx)
    with ctx.scratch():
        assert not is_wanted(ctx)
    assert not is_wanted(context("deadlock"))


def test_a_spot_is_an_address_where_that_is_single() -> None:
    ctx = context(RACE)
    of = declared(ctx, "t", ArrayType(INT, 3))
    base = ctx.memory.base_term(of).term
    assert spot_of(ctx, Direct(of, (Index(constant(2), 3),), INT)) == Spot(add(base, constant(8)))
    assert spot_of(ctx, Direct(of, (Index(None, 3),), INT)) == Spot()
    assert spot_of(ctx, Temporary(INT)) == Spot()
    kind = struct(ctx, PAIR)
    through = Indirect(pointer("p", kind, "s"), kind, ("value",), INT)
    assert spot_of(ctx, through) == Spot(add(variable("p"), constant(4)), variable("p"))


def test_of_several_instances_no_address_is_known() -> None:
    ctx = context(RACE)
    of = declared(ctx, "heap", storage="heap")
    ctx.facts.objects.repeated.add("heap")
    assert spot_of(ctx, whole(of)) == Spot()


def test_locks_at_known_places_are_taken() -> None:
    ctx = context(RACE)
    kind = struct(ctx, PAIR)
    note_taking(ctx, Indirect(pointer("p", kind, "s"), kind, ("lock",), INT), is_shared=True)
    note_taking(ctx, Indirect(pointer("p", kind, ANYTHING), kind, ("lock",), INT), is_shared=False)
    note_taking(ctx, Temporary(INT), is_shared=False)
    (taking,) = [taking for found in ctx.builder.events.takings.values() for taking in found]
    assert (taking.address, taking.origins, taking.is_shared) == (variable("p"), to("s"), True)


def test_a_lock_that_each_thread_has_for_itself_excludes_nobody() -> None:
    ctx = context(RACE)
    of = declared(ctx, "l", storage="local")
    note_taking(ctx, whole(of), is_shared=False)
    ctx.facts.many.add("main")
    note_taking(ctx, whole(of), is_shared=False)
    assert sum(len(found) for found in ctx.builder.events.takings.values()) == 1


def test_a_lock_that_is_given_back_may_be_any() -> None:
    ctx = context(RACE)
    note_giving(ctx, whole(declared(ctx, "m")))
    note_giving(ctx)
    givings = [giving.origins for found in ctx.builder.events.givings.values() for giving in found]
    assert givings == [to("m"), frozenset()]


def test_new_objects_are_of_the_thread_alone() -> None:
    def is_private(*kept: Elsewhere) -> bool:
        ctx = context(RACE)
        ctx.memory.cells["p"] = Cell("p", "main")
        declared(ctx, "heap", storage="heap")
        note_allocation(ctx, ObjectAddress("heap"), variable("p"))
        note_place(ctx, Indirect(pointer("p", INT, "heap"), INT, (), INT), node("*p"), AccessKind.WRITE)
        for place in kept:
            ctx.facts.pointers.hold(place, to("heap"))
        return any(access.is_private for access in accesses_told(ctx, ctx.builder).values())

    assert is_private()
    assert not is_private(Elsewhere("library"))


@pytest.mark.parametrize(("shown", "expected"), [("other", True), ("heap", False)])
def test_new_objects_that_were_passed_among_variable_arguments(shown: str, expected: bool) -> None:
    ctx = context(RACE)
    ctx.memory.cells["p"] = Cell("p", "main")
    declared(ctx, "heap", storage="heap")
    note_allocation(ctx, ObjectAddress("heap"), variable("p"))
    ctx.facts.pointers.hold(Passed("log"), to("heap"))
    ctx.builder.note_showing(to(shown))
    ctx.builder.emit(SKIP)
    note_place(ctx, Indirect(pointer("p", INT, "heap"), INT, (), INT), node("*p"), AccessKind.WRITE)
    assert any(access.is_private for access in accesses_told(ctx, ctx.builder).values()) is expected


def test_the_argument_of_a_thread_has_a_cell() -> None:
    assert argument_of("worker") == "worker::argument"
