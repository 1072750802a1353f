"""Reads and writes of places: each access to a shared cell is a command of its own."""

from __future__ import annotations

from duet.frontend.cells.access import (
    element_of,
    hand_over,
    havoc_any,
    havoc_place,
    inside,
    located,
    read,
    read_cell,
    spoil,
    unset,
    write,
)
from duet.frontend.cells.located import CellAt, Initial, Nowhere
from duet.frontend.ctypes.types import DOUBLE, INT, UCHAR, VOID_POINTER, ArrayType, PointerType
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Number, Temporary, Untracked, Whole, literal
from duet.plip.syntax import Cell
from duet.plip.terms import constant, variable
from tests.frontend.cells.lowering import cell, context, declared, emitted, node, pointer, struct, whole
from tests.frontend.pointing import start

NODE = node("x")


def test_a_shared_cell_is_read_as_late_as_possible() -> None:
    ctx = context()
    of = declared(ctx, "g", initial=None)
    found = read(ctx, whole(of), NODE)
    assert isinstance(found, Number)
    assert found.term == variable("$1")
    assert emitted(ctx) == []
    ctx.builder.flush()
    assert emitted(ctx) == ["$1 := g"]


def test_a_cell_of_the_thread_is_its_own_value() -> None:
    ctx = context()
    of = declared(ctx, "l", UCHAR, storage="local")
    assert read(ctx, whole(of), NODE) == cell("l", UCHAR)


def test_what_nothing_writes_is_a_constant() -> None:
    ctx = context()
    of = declared(ctx, "g", initial=Initial({(): 7}, {}))
    assert read(ctx, whole(of), NODE) == literal(7)


def test_known_values_are_not_read() -> None:
    ctx = context()
    ctx.thread.known["g"] = 5
    assert read_cell(ctx, CellAt("g", INT, True, False, "g")) == literal(5)


def test_arrays_become_the_address_of_their_first_element() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3))
    found = read(ctx, whole(of), NODE)
    assert found == Address(Direct(of, (Index(constant(0), 3),), INT), PointerType(INT))


def test_structures_and_floating_values() -> None:
    ctx = context()
    of = declared(ctx, "s", struct(ctx, "struct S { int a; } x;"))
    assert read(ctx, whole(of), NODE) == Whole(whole(of), of.type)
    assert read(ctx, whole(declared(ctx, "d", DOUBLE)), NODE) == Untracked(DOUBLE)


def test_entries_of_tables_are_looked_up() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3), initial=Initial({(1,): 5}, {}))
    found = read(ctx, Direct(of, (Index(variable("i"), 3),), INT), NODE)
    assert isinstance(found, Number)
    assert (found.lo, found.hi) == (0, 5)
    assert emitted(ctx) == ["$1 := [0, 5, 0][i]"]


def test_writes_are_converted_and_made_known() -> None:
    ctx = context()
    of = declared(ctx, "g", UCHAR)
    write(ctx, whole(of), literal(300), NODE)
    assert emitted(ctx) == ["g := 44"]
    assert ctx.facts.objects.written == {"g"}


def test_a_table_that_is_written_is_none_in_the_next_round() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3))
    write(ctx, Direct(of, (Index(variable("i"), 3),), INT), literal(1), NODE)
    assert ctx.facts.objects.written == {"t[*]"}
    assert emitted(ctx) == ["skip"]


def test_addresses_that_are_written_are_kept() -> None:
    ctx = context()
    target, of = declared(ctx, "a"), declared(ctx, "p", PointerType(INT))
    write(ctx, whole(of), Address(whole(target), PointerType(INT)), NODE)
    assert ctx.facts.pointers.held("p") == start("a")
    assert ctx.facts.pointers.spot("p") == ("a", 0)


def test_a_write_through_a_pointer_is_one_to_its_object() -> None:
    ctx = context()
    declared(ctx, "a", initial=None)
    write(ctx, Indirect(pointer("p", INT, "a"), INT, (), INT), literal(3), NODE)
    assert emitted(ctx) == ["a := 3", "skip"]


def test_a_write_through_a_pointer_to_several_objects_is_a_choice() -> None:
    ctx = context()
    declared(ctx, "a", initial=None)
    declared(ctx, "b", initial=None)
    write(ctx, Indirect(pointer("p", INT, "a", "b"), INT, (), INT), literal(3), NODE)
    assert {"a := 3", "b := 3"} <= set(emitted(ctx))
    assert sum(text.startswith("[p ") for text in emitted(ctx)) == 2


def test_structures_are_copied_scalar_by_scalar() -> None:
    ctx = context()
    kind = struct(ctx, "struct S { int a; int b; } x;")
    one, other = declared(ctx, "s", kind, initial=None), declared(ctx, "t", kind, initial=None)
    write(ctx, whole(one), Whole(whole(other), kind), NODE)
    assert [text for text in emitted(ctx) if text.startswith("s.")] == ["s.a := $1", "s.b := $2"]


def test_any_value_is_given_to_each_scalar() -> None:
    ctx = context()
    of = declared(ctx, "s", struct(ctx, "struct S { int a; int b[2]; } x;"), initial=None)
    havoc_place(ctx, whole(of))
    assert [text.partition(" ")[0].strip('"') for text in emitted(ctx)] == ["s.a", "s.b[*]"]
    ctx.facts.objects.untracked.add("s")
    havoc_place(ctx, whole(of))
    assert len(emitted(ctx)) == 2


def test_whatever_a_place_may_mean_gets_any_value() -> None:
    ctx = context()
    declared(ctx, "a", initial=None)
    havoc_any(ctx, Indirect(pointer("p", INT, "a"), INT, (), INT), NODE)
    assert any(text.startswith("a := *") for text in emitted(ctx))


def test_a_spoilt_object_may_also_stay_as_it_is() -> None:
    ctx = context()
    declared(ctx, "a", initial=None)
    spoil(ctx, pointer("p", INT, "a"), frozenset(), NODE)
    assert any(text.startswith("a := *") for text in emitted(ctx))
    assert emitted(ctx).count("skip") >= 2
    constant_ = declared(ctx, "c", initial=None, is_const=True)
    spoil(ctx, pointer("q", INT, constant_.key), frozenset(), NODE)
    assert not any(text.startswith("c := *") for text in emitted(ctx))


def test_a_scalar_comes_into_being_with_any_value() -> None:
    ctx = context()
    unset(ctx, whole(declared(ctx, "l", UCHAR, storage="local")))
    assert emitted(ctx) == ["l := * in 0..255"]


def test_what_threads_hand_over_may_be_reached_by_others() -> None:
    ctx = context()
    ctx.memory.cells["handed"] = Cell("handed")
    of = declared(ctx, "l", storage="local")
    hand_over(ctx, "handed", Address(whole(of), VOID_POINTER))
    assert ctx.facts.pointers.held("handed") == start("l")
    assert ctx.facts.objects.escaped == {"l"}


def test_parts_of_places() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3))
    step = Index(constant(1), 3)
    assert element_of(whole(of), step, INT) == Direct(of, (step,), INT)
    through = Indirect(pointer("p", of.type, "t"), of.type, (), of.type)
    assert inside(through, step, INT) == Indirect(through.address, of.type, (step,), INT)
    assert inside(Temporary(of.type), "m", INT) == Temporary(INT)


def test_locals_of_other_templates_have_escaped() -> None:
    ctx = context()
    of = declared(ctx, "l", storage="local")
    located(ctx, whole(of))
    assert ctx.facts.objects.escaped == set()
    ctx.thread.template = "worker"
    located(ctx, whole(of))
    assert ctx.facts.objects.escaped == {"l"}
    assert located(ctx, Temporary(INT)) == Nowhere(INT)
