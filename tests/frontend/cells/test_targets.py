"""Which parts of which objects an access through a pointer may mean."""

from __future__ import annotations

import pytest

from duet.frontend.cells.context import Context
from duet.frontend.cells.heap import heap_object
from duet.frontend.cells.targets import (
    Target,
    candidates,
    elements,
    outside,
    pointed_cells,
    shape_of,
    spots_of,
    targets,
)
from duet.frontend.ctypes.origins import ANYTHING, AT_START, EXTERNAL, OUTSIDE, Content, Inside, Origin
from duet.frontend.ctypes.types import CHAR, DOUBLE, INT, VOID, ArrayType, CType, PointerType
from duet.frontend.ctypes.values import Direct, Index, Indirect, Temporary, literal
from duet.plip.syntax import TRUE
from duet.plip.terms import constant, satisfies, variable
from tests.frontend.cells.lowering import cell, context, declared, node, pointer, struct

NODE = node("*p")


def meant(ctx: Context, kind: CType, *origins: str | Origin) -> list[Target]:
    return targets(ctx, Indirect(pointer("p", kind, *origins), kind, (), kind), NODE)


def named(found: list[Target]) -> list[str]:
    """The objects of targets, `?` for memory that is not tracked."""
    return [target.place.object.key if isinstance(target.place, Direct) else "?" for target in found]


def test_one_known_object_needs_no_guard() -> None:
    ctx = context()
    declared(ctx, "a")
    (found,) = meant(ctx, INT, "a")
    assert (found.guard, found.place) == (TRUE, Direct(ctx.memory.objects["a"], (), INT))


def test_several_objects_are_told_apart_by_their_addresses() -> None:
    ctx = context()
    of, other = declared(ctx, "a"), declared(ctx, "b")
    found = meant(ctx, INT, "a", "b")
    assert named(found) == ["a", "b"]
    bases = [ctx.memory.base_term(it).term.constant for it in (of, other)]
    assert [[satisfies(target.guard, {"p": base}) for base in bases] for target in found] == [
        [True, False],
        [False, True],
    ]


def test_parts_of_the_type_are_meant() -> None:
    ctx = context()
    declared(ctx, "s", struct(ctx, "struct S { int a; char c; int b; } x;"))
    found = meant(ctx, INT, "s", AT_START, Content(Inside((8, 0))))
    assert [target.place.path for target in found if isinstance(target.place, Direct)] == [("a",), ("b",)]


@pytest.mark.parametrize(("marks", "path"), [((), "a"), ((Content(Inside((8, 0))),), "b")])
def test_a_part_is_meant_that_is_as_far_behind_the_start_as_the_pointer(marks: tuple[Origin, ...], path: str) -> None:
    ctx = context()
    declared(ctx, "s", struct(ctx, "struct S { int a; char c; int b; } x;"))
    (found,) = meant(ctx, INT, "s", *marks)
    assert isinstance(found.place, Direct)
    assert found.place.path == (path,)


def test_others_may_have_moved_a_pointer_that_they_were_given() -> None:
    ctx = context()
    of = declared(ctx, "s", struct(ctx, "struct S { int a; char c; int b; } x;"))
    ctx.facts.pointers.hold(OUTSIDE, of.origins)
    found = meant(ctx, INT, "s")
    assert [target.place.path for target in found if isinstance(target.place, Direct)] == [("a",), ("b",)]


def test_an_access_of_another_type_clobbers_what_lies_there() -> None:
    ctx = context()
    declared(ctx, "a")
    found = meant(ctx, DOUBLE, "a")
    assert all(isinstance(target.place, Temporary) for target in found)
    assert [part.object.key for target in found for part in target.clobbers] == ["a"]


def test_a_pointer_that_may_lead_outside_may_mean_nothing_tracked() -> None:
    ctx = context()
    declared(ctx, "a")
    found = meant(ctx, INT, "a", EXTERNAL)
    assert named(found) == ["a", "?"]
    assert found[1].origins == outside(ctx)


def test_a_pointer_to_anything_means_all_whose_address_is_taken() -> None:
    ctx = context()
    declared(ctx, "a")
    declared(ctx, "b")
    declared(ctx, '"text"', ArrayType(CHAR, 5))
    ctx.facts.objects.addressed.add("a", '"text"')
    assert named(meant(ctx, INT, ANYTHING)) == ["a", "?"]
    assert [warning.code for warning in ctx.findings.warnings.values()] == ["unresolved-pointer"]


def test_a_pointer_without_origin_means_nothing_until_it_stays_so() -> None:
    ctx = context()
    place = Indirect(pointer("p", INT), INT, (), INT)
    assert candidates(ctx, place, NODE) == ([], None)
    (site,) = ctx.unresolved
    ctx.facts.pointers.wild.add(site)
    declared(ctx, "a")
    ctx.facts.objects.addressed.add("a")
    objects, elsewhere = candidates(ctx, place, NODE)
    assert [of.key for of in objects] == ["a"]
    assert elsewhere == frozenset({ANYTHING, EXTERNAL})


def test_untracked_objects_may_hold_pointers_to_anything() -> None:
    ctx = context()
    declared(ctx, "a")
    ctx.facts.objects.untracked.add("a")
    assert candidates(ctx, Indirect(pointer("p", INT, "a"), INT, (), INT), NODE) == (
        [],
        frozenset({ANYTHING, EXTERNAL}),
    )


def test_an_index_may_choose_each_element() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3), initial=None)
    found = elements(ctx, Target(TRUE, Direct(of, (Index(variable("i"), 3),), INT)))
    chosen = [[i for i in range(-1, 5) if satisfies(target.guard, {"i": i})] for target in found]
    assert chosen == [[-1, 0], [1], [2, 3, 4]]
    known = Target(TRUE, Direct(of, (Index(constant(1), 3),), INT))
    assert elements(ctx, known) == [known]


def test_many_elements_are_not_told_apart() -> None:
    ctx = context()
    length = ctx.options.budgets.indexed_elements + 1
    of = declared(ctx, "t", ArrayType(INT, length), initial=None)
    target = Target(TRUE, Direct(of, (Index(variable("i"), length),), INT))
    assert elements(ctx, target) == [target]


def test_constant_addresses_are_spots() -> None:
    ctx = context()
    of = declared(ctx, "a")
    base = ctx.memory.base_term(of).term.constant
    kind = PointerType(INT)
    one = cell("p", kind, None, None, "a")
    assert spots_of(ctx, one) is None
    ctx.temporaries.constants["p"] = frozenset({0, base})
    assert spots_of(ctx, one) == frozenset({("a", 0)})
    assert spots_of(ctx, literal(0, kind)) == frozenset()


def test_the_shape_of_an_access_forgets_its_indices() -> None:
    kind = ArrayType(INT, 3)
    place = Indirect(pointer("p", kind, "t"), kind, (Index(variable("i"), 3),), INT)
    assert shape_of(place) == (kind, (Index(None, 3),))


def test_cells_that_a_pointer_may_mean_have_names() -> None:
    ctx = context()
    of = declared(ctx, "s", struct(ctx, "struct S { int a; char c; int b; } x;"))
    assert pointed_cells(ctx, of, (INT, ())) == ["s.a", "s.b"]


def test_heap_objects_have_the_type_by_which_they_are_accessed() -> None:
    ctx = context()
    of = declared(ctx, "heap", VOID, storage="heap")
    ctx.facts.layouts.size("heap", 12)
    ctx.facts.layouts.view("heap", INT)
    found = heap_object(ctx, of)
    assert found is not None
    assert found.type == ArrayType(INT, 3)
