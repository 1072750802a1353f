"""Which cell, constant table or nothing stands for a part of an object."""

from __future__ import annotations

import pytest

from duet.frontend.cells.context import Context
from duet.frontend.cells.located import BitsAt, CellAt, Initial, Nowhere, TableAt, key_of
from duet.frontend.ctypes.origins import ANYTHING, EXTERNAL
from duet.frontend.ctypes.types import CHAR, DOUBLE, INT, UCHAR, UINT, ArrayType, CType, OpaqueType, PointerType
from duet.frontend.ctypes.values import Direct, Index, Object, Path
from duet.plip.syntax import Linear
from duet.plip.terms import add, constant, scale, variable
from tests.frontend.cells.lowering import context, declared, struct, whole

I = variable("i")  # noqa: E741  # as in C
PAIR = "struct S { int a; int b[3]; } x;"


def located(ctx: Context, of: Object, *path: str | Index, kind: CType = INT) -> object:
    return ctx.memory.locate(Direct(of, path, kind))


def name_of(found: object) -> str:
    assert isinstance(found, CellAt)
    return found.name


def test_scalars_have_cells_with_their_initial_values() -> None:
    ctx = context()
    of = declared(ctx, "g", initial=Initial({(): 7}, {}))
    found = located(ctx, of)
    assert found == CellAt("g", INT, True, False, "g")
    assert (ctx.memory.cells["g"].lo, ctx.memory.cells["g"].hi) == (7, 7)
    local = declared(ctx, "l", storage="local")
    found = located(ctx, local)
    assert isinstance(found, CellAt)
    assert not found.is_shared
    assert ctx.memory.cells["l"].template == "main"
    assert (ctx.memory.cells["l"].lo, ctx.memory.cells["l"].hi) == (INT.lo, INT.hi)


def test_members_and_elements_have_cells_of_their_own() -> None:
    ctx = context()
    of = declared(ctx, "s", struct(ctx, PAIR))
    assert name_of(located(ctx, of, "a")) == "s.a"
    assert name_of(located(ctx, of, "b", Index(constant(2), 3))) == "s.b[2]"
    assert located(ctx, of, "missing") == Nowhere(INT)


@pytest.mark.parametrize("index", [Index(I, 3), Index(None, 3), Index(constant(3), 3), Index(constant(-1), 3)])
def test_an_unknown_or_wrong_index_means_all_elements(index: Index) -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3), initial=None)
    found = located(ctx, of, index)
    assert isinstance(found, CellAt)
    assert (found.name, found.is_summary) == ("t[*]", True)
    assert ctx.facts.objects.blurred == {"t"}
    assert name_of(located(ctx, of, Index(constant(1), 3))) == "t[*]"


def test_long_arrays_are_one_cell() -> None:
    ctx = context()
    length = ctx.options.budgets.array_cells + 1
    of = declared(ctx, "t", ArrayType(INT, length), initial=None)
    assert name_of(located(ctx, of, Index(constant(1), length))) == "t[*]"


def test_a_summary_holds_all_initial_values() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3), initial=Initial({(0,): -4, (2,): 9}, {}))
    ctx.facts.objects.written.add("t[*]")
    assert name_of(located(ctx, of, Index(I, 3))) == "t[*]"
    assert (ctx.memory.cells["t[*]"].lo, ctx.memory.cells["t[*]"].hi) == (-4, 9)


def test_what_nothing_writes_is_a_table() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(INT, 3), initial=Initial({(0,): 4, (2,): 9}, {}))
    assert located(ctx, of, Index(I, 3)) == TableAt((4, 0, 9), I, INT, frozenset())
    ctx.facts.objects.addressed.add("t")
    assert isinstance(located(ctx, of, Index(I, 3)), CellAt)


def test_tables_of_several_dimensions_have_one_index() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(ArrayType(INT, 2), 2), initial=Initial({(1, 0): 5}, {}))
    found = located(ctx, of, Index(I, 2), Index(variable("j"), 2))
    assert isinstance(found, TableAt)
    assert found.values == (0, 0, 5, 0)
    assert found.index == add(scale(I, 2), variable("j"))


@pytest.mark.parametrize(
    "members",
    ["int a; float b;", "int a; void *b;", "int a; char b[100];"],
    ids=["floating", "pointers", "long arrays"],
)
def test_some_unions_and_floating_values_have_no_cell(members: str) -> None:
    ctx = context()
    of = declared(ctx, "u", struct(ctx, f"union U {{ {members} }} x;"))
    assert located(ctx, of, "a") == Nowhere(INT)
    assert isinstance(located(ctx, declared(ctx, "d", DOUBLE), kind=DOUBLE), Nowhere)
    assert ctx.memory.has_union(ArrayType(of.type, 2))
    assert not ctx.memory.has_union(struct(ctx, PAIR))


def test_the_largest_scalars_of_a_union_have_cells() -> None:
    ctx = context()
    kind = struct(ctx, "union U { short a; struct { char low, high; } b; unsigned c; unsigned char d[4]; } x;")
    of = declared(ctx, "u", kind)
    largest = located(ctx, of, "c", kind=UINT)
    assert isinstance(largest, CellAt)
    assert largest.name == "u.c"
    assert located(ctx, of, "b", "high", kind=CHAR) == BitsAt(largest, 8, CHAR)
    assert located(ctx, of, "d", Index(constant(3), 4), kind=UCHAR) == BitsAt(largest, 24, UCHAR)
    assert [path for path, _ in ctx.memory.scalars(kind)] == [("c",)]
    assert not ctx.memory.has_union(kind)


def test_an_index_that_is_not_known_leaves_a_union_without_cells() -> None:
    ctx = context()
    of = declared(ctx, "u", struct(ctx, "union U { int a; char b[4]; } x;"))
    assert located(ctx, of, "b", Index(I, 4), kind=CHAR) == Nowhere(CHAR)
    assert located(ctx, of, "a") == Nowhere(INT)


def test_initial_values_of_unions_are_those_of_the_scalars_with_cells() -> None:
    ctx = context()
    kind = struct(ctx, "union U { struct { char low, high; } b; short c; } x;")
    found = ctx.memory.overlaps.settled(kind, Initial({("b", "low"): 1, ("b", "high"): -1}, {}))
    assert found == Initial({("c",): -255}, {})  # 0xff01
    assert ctx.memory.overlaps.settled(kind, Initial({("b", "low"): 1, ("c",): 2}, {})) is None


def test_untracked_objects_hold_anything() -> None:
    ctx = context()
    of = declared(ctx, "g")
    ctx.facts.objects.untracked.add("g")
    assert located(ctx, of) == Nowhere(INT)


def test_objects_with_several_instances_are_summaries() -> None:
    ctx = context()
    heap = declared(ctx, "heap", storage="heap")
    assert not ctx.memory.is_multiple(heap)
    ctx.facts.objects.repeated.add("heap")
    assert ctx.memory.is_multiple(heap)
    found = located(ctx, heap)
    assert isinstance(found, CellAt)
    assert found.is_summary
    local = declared(ctx, "l", storage="local")
    ctx.facts.objects.escaped.add("l")
    assert not ctx.memory.is_multiple(local)
    ctx.facts.many.add("main")
    assert ctx.memory.is_multiple(local)
    assert ctx.memory.is_shared(local)


def test_pointers_of_others_may_lead_anywhere() -> None:
    ctx = context()
    of = declared(ctx, "p", PointerType(INT), initial=None)
    located(ctx, of, kind=of.type)
    assert ctx.facts.pointers.held("p") == {ANYTHING, EXTERNAL}
    library = declared(ctx, "environ", PointerType(INT), initial=None)
    located(ctx, library, kind=library.type)
    assert ctx.facts.pointers.held("environ") == {EXTERNAL}


def test_what_is_never_written_keeps_its_initial_value() -> None:
    ctx = context()
    of = declared(ctx, "g", initial=Initial({(): 7}, {}))
    cell = located(ctx, of)
    assert isinstance(cell, CellAt)
    assert ctx.memory.unwritten(whole(of), cell) == 7
    ctx.facts.objects.written.add("g")
    assert ctx.memory.unwritten(whole(of), cell) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), constant(0)),
        (("b",), constant(4)),
        (("b", Index(constant(2), 3)), constant(12)),
        (("b", Index(I, 3)), add(constant(4), I, 4)),
        (("b", Index(None, 3)), constant(4)),
    ],
)
def test_offsets_are_in_bytes(path: Path, expected: Linear) -> None:
    ctx = context()
    assert ctx.memory.offset(struct(ctx, PAIR), path) == expected


def test_objects_lie_apart() -> None:
    ctx = context()
    first, second = declared(ctx, "a", ArrayType(CHAR, 100)), declared(ctx, "b")
    one, other = (ctx.memory.address(whole(of)) for of in (first, second))
    assert one is not None
    assert other is not None
    assert one.term.constant + 100 < other.term.constant
    assert ctx.memory.address(whole(first)) == one
    assert ctx.facts.objects.addressed == {"a", "b"}
    assert ctx.memory.spots(frozenset((one.term.constant + 8, 0)), one.origins) == frozenset({("a", 8)})
    assert ctx.memory.spots(frozenset((8,)), frozenset()) is None


def test_scalars_of_a_type() -> None:
    ctx = context()
    kind = struct(ctx, PAIR)
    assert [path for path, _ in ctx.memory.scalars(kind)] == [("a",), ("b", Index(None, 3))]
    assert len(ctx.memory.scalars(kind, is_each=True)) == 4


def test_one_index_may_choose_among_elements() -> None:
    ctx = context()
    of = declared(ctx, "t", ArrayType(ArrayType(INT, 2), 2), initial=None)
    assert ctx.memory.choosing(Direct(of, (Index(constant(1), 2), Index(I, 2)), INT)) == (1, "t[1]")
    assert ctx.memory.choosing(Direct(of, (Index(I, 2), Index(I, 2)), INT)) is None
    assert ctx.memory.choosing(Direct(of, (Index(constant(1), 2), Index(constant(0), 2)), INT)) is None


def test_a_lock_is_its_first_scalar() -> None:
    ctx = context()
    of = declared(ctx, "m", struct(ctx, "struct M { int held; int owner; } x;"))
    assert ctx.memory.lock_part(whole(of)).path == ("held",)
    assert list(ctx.memory.locks) == ["m.held"]
    opaque = declared(ctx, "o", OpaqueType("lock_t", 40, 8))
    assert ctx.memory.lock_part(whole(opaque)).path == ()


def test_objects_of_an_earlier_round_are_known() -> None:
    earlier, later = context(), context()
    declared(earlier, "a")
    declared(later, "b")
    later.memory.recall(earlier.memory)
    assert list(later.memory.objects) == ["b", "a"]


def test_code_elsewhere_changes_what_is_no_constant_and_no_lock() -> None:
    ctx = context()
    declared(ctx, "g")
    declared(ctx, "c", is_const=True)
    declared(ctx, "o", OpaqueType("lock_t", 40, 8))
    assert [ctx.memory.is_changed_elsewhere(key) for key in "gco"] == [True, False, False]


def test_paths_are_keys_of_initial_values() -> None:
    assert key_of(("a", Index(constant(2), 3), Index(I, 3))) == ("a", 2, 0)


def test_what_an_unknown_pointer_may_mean_grows() -> None:
    ctx = context()
    declared(ctx, "b")
    declared(ctx, "a")
    declared(ctx, '"text"')
    assert ctx.memory.at_any_address(frozenset(), "main") == []
    ctx.facts.objects.addressed.add("b", '"text"', "gone")
    assert ctx.memory.at_any_address(frozenset(), "main") == ["b"]
    assert ctx.memory.at_any_address(frozenset({"a"}), "main") == ["a", "b"]
    assert ctx.memory.at_any_address(frozenset(), "main") == ["b"]
    declared(ctx, "gone")
    assert ctx.memory.at_any_address(frozenset(), "main") == ["b", "gone"]


def test_what_only_another_thread_has_no_unknown_pointer_means() -> None:
    ctx = context()
    local = Object("work::x", INT, "local", "work", "x")
    ctx.memory.declare(local, None)
    ctx.memory.confine(local, is_confined=True)
    ctx.facts.objects.addressed.add(local.key)
    assert ctx.memory.at_any_address(frozenset(), "work") == [local.key]
    assert ctx.memory.at_any_address(frozenset(), "main") == []
    ctx.memory.confine(local, is_confined=False)  # another one has its key in the next round
    assert ctx.memory.at_any_address(frozenset(), "main") == [local.key]
    ctx.memory.confine(local, is_confined=True)
    assert not ctx.memory.is_confined(local)
