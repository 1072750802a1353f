"""Accesses to shared memory and lock operations, noted as the source has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.frontend.cells.sharing import (
    atomically,
    attach,
    canonical,
    in_library,
    note_join,
    note_lock,
    note_place,
    note_pointed,
    note_released,
    note_unknown,
    stack_of,
    wants_locks,
)
from duet.frontend.cells.targets import is_wild
from duet.frontend.cells.thread import Frame
from duet.frontend.ctypes.origins import ANYTHING, EXTERNAL
from duet.frontend.ctypes.types import INT, ArrayType, CType, OpaqueType, PointerType
from duet.frontend.ctypes.values import Direct, Index, Indirect, Path
from duet.plip.accesses import ANY_MEMORY, OUTSIDE_MEMORY, Access, AccessKind
from duet.plip.syntax import Assign
from duet.plip.terms import constant, variable
from tests.frontend.cells.lowering import HERE, context, declared, node, noted, pointer, struct, whole
from tests.frontend.pointing import to

NODE = node("x")
READ, WRITE = AccessKind.READ, AccessKind.WRITE
RACE = "data-race"


def objects(found: list[Access]) -> list[tuple[str, tuple[str, ...]]]:
    return [(access.object, access.path) for access in found]


def test_accesses_to_what_others_reach_are_noted() -> None:
    ctx = context(RACE)
    for of in (declared(ctx, "g"), declared(ctx, "l", storage="local"), declared(ctx, "c", is_const=True)):
        note_place(ctx, whole(of), NODE, READ)
    (found,) = noted(ctx)
    assert (found.kind, found.object, found.is_atomic, found.is_exposed) == (READ, "g", False, False)
    assert found.span == HERE


@pytest.mark.parametrize("properties", [(), ("overflow",), ("deadlock",)])
def test_nothing_is_noted_unless_asked_for(properties: tuple[str, ...]) -> None:
    ctx = context(*properties)
    note_place(ctx, whole(declared(ctx, "g")), NODE, READ)
    assert noted(ctx) == []
    assert wants_locks(ctx) is ("deadlock" in properties)


def test_own_objects_of_a_thread_that_escape_have_an_owner_where_they_are_named() -> None:
    ctx = context(RACE)
    of = declared(ctx, "l", storage="local")
    ctx.facts.objects.escaped.add("l")
    note_place(ctx, whole(of), NODE, WRITE)
    note_place(ctx, Indirect(pointer("p", INT, "l"), INT, (), INT), NODE, WRITE)
    assert [access.owner for access in noted(ctx)] == ["main", ""]


def test_atomic_are_atomic_types_and_operations() -> None:
    ctx = context(RACE)
    atomic = declared(ctx, "a", replace(INT, atomic=True))
    plain = declared(ctx, "g")
    note_place(ctx, whole(atomic), NODE, READ)
    with in_library(ctx):
        note_place(ctx, whole(atomic), NODE, WRITE)
    with atomically(ctx):
        note_place(ctx, whole(plain), NODE, READ)
    note_place(ctx, whole(plain), NODE, WRITE)
    assert [access.is_atomic for access in noted(ctx)] == [True, False, True, False]


@pytest.mark.parametrize(
    ("declaration", "path", "expected"),
    [
        ("struct S { int a; int b; } x;", ("b",), (".b",)),
        ("struct S { int a : 3; int b : 4; int c; } x;", ("b",), (".a/b",)),
        ("struct S { int a : 3; int c; int b : 4; } x;", ("b",), (".b",)),
        ("union U { int a; char b; } x;", ("b",), ()),
        ("struct S { int a[3]; } x;", ("a", Index(constant(2), 3)), (".a", "[2]")),
        ("struct S { int a[3]; } x;", ("a", Index(variable("i"), 3)), (".a", "[*]")),
    ],
)
def test_paths_lead_to_memory_locations(declaration: str, path: Path, expected: tuple[str, ...]) -> None:
    ctx = context()
    of = declared(ctx, "s", struct(ctx, declaration))
    assert canonical(ctx.memory.types, of, path)[0] == expected


def test_library_objects_are_touched_by_their_operations_alone() -> None:
    ctx = context(RACE)
    of = declared(ctx, "m", OpaqueType("lock_t", 40, 8))
    note_place(ctx, whole(of), NODE, WRITE)
    assert noted(ctx) == []
    note_lock(ctx, of, (), NODE, AccessKind.LOCK, None)
    assert [access.kind for access in noted(ctx)] == [AccessKind.LOCK]


def test_a_pointer_means_its_objects_or_any_memory() -> None:
    ctx = context(RACE)
    declared(ctx, "a")
    note_pointed(ctx, to("a") | {EXTERNAL}, NODE, WRITE)
    note_pointed(ctx, to("a") | {ANYTHING}, NODE, READ)
    assert objects(noted(ctx)) == [(OUTSIDE_MEMORY, ()), ("a", ()), (ANY_MEMORY, ())]
    assert is_wild(ctx, frozenset())
    assert is_wild(ctx, to("unheard of"))
    assert not is_wild(ctx, to("a"))


def test_objects_that_are_given_back_are_written() -> None:
    ctx = context(RACE)
    declared(ctx, "heap", storage="heap")
    declared(ctx, "g")
    note_released(ctx, pointer("p", INT, "heap", "g"), NODE)
    assert [(access.object, access.kind) for access in noted(ctx)] == [("heap", WRITE)]


def test_unknown_code_may_write_what_it_reaches() -> None:
    ctx = context(RACE)
    declared(ctx, "a")
    declared(ctx, "c", is_const=True)
    note_unknown(ctx, to("a", "c"), NODE, "f")
    assert [(access.object, access.kind) for access in noted(ctx)] == [("a", WRITE)]
    assert [giving.origins for found in ctx.builder.events.givings.values() for giving in found] == [frozenset()]


def test_joins_are_noted_by_template() -> None:
    ctx = context("deadlock")
    note_join(ctx, ["one", "two"], NODE)
    assert [(access.kind, access.object) for access in noted(ctx)] == [
        (AccessKind.JOIN, "one"),
        (AccessKind.JOIN, "two"),
    ]


def test_a_stack_begins_with_the_function_of_the_thread() -> None:
    ctx = context()
    there = HERE.__class__("a.c", 9, 1)
    ctx.thread.frames.append(Frame("f", INT, "f", call=there))
    assert [(call.function, call.span) for call in stack_of(ctx, HERE)] == [("main", there), ("f", HERE)]


def test_what_instructions_touch_without_a_note_is_added() -> None:
    ctx = context(RACE)
    of = declared(ctx, "g", initial=None)
    ctx.memory.locate(whole(of))
    note_place(ctx, whole(of), NODE, WRITE)
    ctx.builder.emit(Assign("g", constant(1)))
    ctx.builder.emit(Assign("g", constant(2)))
    kinds = [[access.kind for access in c.accesses] for c in attach(ctx, ctx.builder, frozenset(), "main", {})]
    assert kinds == [[WRITE], [WRITE]]
    assert all(not access.is_atomic for c in attach(ctx, ctx.builder, frozenset(), "main", {}) for access in c.accesses)


def test_accesses_in_an_atomic_region_are_atomic_and_the_last_ones_have_a_command() -> None:
    ctx = context(RACE)
    of = declared(ctx, "g", initial=None)
    note_place(ctx, whole(of), NODE, READ)
    place = ctx.builder.current
    (command,) = attach(ctx, ctx.builder, frozenset({place}), "main", {})
    assert (command.source, command.target) == (place, place)
    assert command.accesses[0].is_atomic


def test_elements_are_told_in_words() -> None:
    ctx = context(RACE)
    kind: CType = ArrayType(PointerType(INT), 3)
    of = declared(ctx, "t", kind, label="table")
    note_place(ctx, Direct(of, (Index(constant(2), 3),), PointerType(INT)), NODE, READ)
    assert [access.label for access in noted(ctx)] == ["table[2]"]
