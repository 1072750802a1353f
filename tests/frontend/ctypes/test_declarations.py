"""Types from declarations, and the layout that compilers choose for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from pycparser import CParser, c_ast

from duet.errors import SourceError, Unsupported
from duet.frontend.ctypes.declarations import TypeTable, is_const
from duet.frontend.ctypes.scope import Enumerator, Scope, TypeName
from duet.frontend.ctypes.types import (
    CHAR,
    INT,
    LP64,
    UINT,
    VA_LIST,
    VOID,
    ArrayType,
    CType,
    DataModel,
    FloatType,
    FunctionType,
    OpaqueType,
    PointerType,
    StructType,
)
from duet.frontend.source.nodes import Node
from duet.source import Span


class Read:
    """A text of declarations, read in one file scope."""

    def __init__(
        self, text: str, opaque: frozenset[str] = frozenset(), apart: set[str] | None = None, data: DataModel = LP64
    ) -> None:
        self.scope = Scope(file="a.c")
        self.types = TypeTable(
            self._constant, lambda *_: INT, lambda _: Span("a.c", 1, 1), opaque, lambda _: True, data, apart
        )
        self.items = CParser().parse(text, "a.c").ext
        self.kinds: dict[str, CType] = {}
        for item in self.items:
            if isinstance(item, c_ast.Typedef):
                self.types.typedef(item.name, item, self.scope)
            elif isinstance(item, c_ast.StaticAssert):
                self.types.assertion(item, self.scope)
            else:
                self.kinds[item.name] = self.types.read(item, self.scope)

    def _constant(self, node: Node, scope: Scope) -> int | None:
        match node:
            case c_ast.Constant():
                return int(node.value)
            case c_ast.UnaryOp(op="-"):
                return -(self._constant(node.expr, scope) or 0)
            case c_ast.ID():
                symbol = scope.find(node.name)
                return symbol.value if isinstance(symbol, Enumerator) else None
            case _:
                return None

    def offsets(self, name: str) -> Mapping[str, int]:
        kind = self.kinds[name]
        assert isinstance(kind, StructType)
        return {member.name: member.offset for member in self.types.members(kind)}

    def size(self, name: str) -> tuple[int | None, int]:
        return self.types.size(self.kinds[name]), self.types.align(self.kinds[name])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int x;", INT),
        ("int *x;", PointerType(INT)),
        ("char *x[3];", ArrayType(PointerType(CHAR), 3)),
        ("char (*x)[3];", PointerType(ArrayType(CHAR, 3))),
        ("int x[];", ArrayType(INT, None)),
        ("int x[n];", ArrayType(INT, None)),
        ("int x();", FunctionType(INT, None)),
        ("int x(void);", FunctionType(INT, ())),
        ("int x(char, int a[3], int f(void));",
         FunctionType(INT, (CHAR, PointerType(INT), PointerType(FunctionType(INT, ()))))),
        ("void x(int, ...);", FunctionType(VOID, (INT,), variadic=True)),
        ("_Atomic int x;", replace(INT, atomic=True)),
        ("int *_Atomic x;", PointerType(INT, atomic=True)),
        ("struct S *x;", PointerType(StructType("S"))),
        ("union U x;", StructType("U", is_union=True)),
        ("enum E { A, B } x;", UINT),
        ("enum E { A = -1 } x;", INT),
    ],
)  # fmt: skip
def test_types_are_read_inside_out(text: str, expected: CType) -> None:
    assert Read(text).kinds["x"] == expected


def test_typedef_names_stand_for_their_types() -> None:
    found = Read("typedef int T; T *x; typedef const int C; typedef enum { A } E;")
    assert found.kinds["x"] == PointerType(INT)
    names = found.scope.names
    assert names["T"] == TypeName(INT)
    assert names["C"] == TypeName(INT, is_plain=False)
    assert names["E"] == TypeName(UINT, is_plain=False)


def test_library_objects_are_opaque_unless_the_program_spells_them_out() -> None:
    opaque = frozenset({"lock_t"})
    library = "typedef union { char __size[40]; long __align; } lock_t; lock_t x;"
    assert Read(library, opaque).kinds["x"] == OpaqueType("lock_t", 40, 8)
    assert isinstance(Read(library).kinds["x"], StructType)
    assert isinstance(Read("typedef struct { int held; } lock_t; lock_t x;", opaque).kinds["x"], StructType)


def test_unknown_types_are_not_modelled() -> None:
    text = "typedef int T; T x;"
    found = Read(text)
    (_, item) = found.items
    with pytest.raises(Unsupported, match="type 'T' is not modelled"):
        found.types.read(item, Scope())


def test_members_are_aligned_and_the_end_is_padded() -> None:
    found = Read("struct S { char a; long b; short c; char d[3]; } x;")
    assert found.offsets("x") == {"a": 0, "b": 8, "c": 16, "d": 18}
    assert found.size("x") == (24, 8)


def test_members_of_a_union_begin_together() -> None:
    found = Read("union U { char a; long b; char c[9]; } x;")
    assert found.offsets("x") == {"a": 0, "b": 0, "c": 0}
    assert found.size("x") == (16, 8)


def test_bit_fields_share_a_unit_while_they_fit() -> None:
    found = Read("struct S { int a : 3; int b : 29; int c : 1; int : 0; int d : 1; } x;")
    assert found.offsets("x") == {"a": 0, "b": 0, "c": 4, "d": 8}
    assert found.size("x") == (12, 4)
    kind = found.kinds["x"]
    assert isinstance(kind, StructType)
    first = found.types.members(kind)[0]
    assert (first.type, first.is_bits) == (replace(INT, width=3), True)
    crossing = Read("struct S { int a : 30; int b : 3; } x;")
    assert crossing.offsets("x") == {"a": 0, "b": 4}


def test_members_are_found_through_anonymous_structs() -> None:
    found = Read("struct S { int a; struct { int b; union { int c; char d; }; }; } x;")
    kind = found.kinds["x"]
    assert isinstance(kind, StructType)
    assert found.types.member(kind, "a") == (("a",), INT)
    way, type_ = found.types.member(kind, "d") or ((), VOID)
    assert (len(way), way[-1], type_) == (3, "d", CHAR)
    assert found.types.member(kind, "e") is None
    assert found.types.member(kind, way[0]) is None
    assert found.types.offset(kind, way[0]) == 4


def test_incomplete_types_have_no_size() -> None:
    found = Read("struct S *p; int x[]; struct T { int n; char rest[]; } t;")
    assert found.types.size(StructType("S")) is None
    assert found.types.members(StructType("S")) == ()
    assert found.size("x") == (None, 4)
    assert found.size("t") == (4, 4)


@pytest.mark.parametrize(
    ("kind", "size", "align"),
    [
        (VOID, 1, 1),
        (FunctionType(INT, ()), 1, 1),
        (VA_LIST, 24, 8),
        (FloatType("long double", 16), 16, 16),
        (FloatType("double _Complex", 16), 16, 8),
        (OpaqueType("m", 40, 8), 40, 8),
        (ArrayType(ArrayType(INT, 3), 2), 24, 4),
        (PointerType(VOID), 8, 8),
    ],
)
def test_sizes_and_alignments(kind: CType, size: int, align: int) -> None:
    types = Read("int x;").types
    assert (types.size(kind), types.align(kind)) == (size, align)


def test_alignment_may_be_given() -> None:
    found = Read("struct S { char a; _Alignas(16) char b; _Alignas(long) char c; } x;")
    assert found.offsets("x") == {"a": 0, "b": 16, "c": 24}
    assert found.size("x") == (32, 16)


def test_enumerators_count_on_and_keep_their_types() -> None:
    found = Read("enum E { A, B = 5, C, D = B } x; enum F { BIG = 4294967296, SMALL = 1 } y;")
    names = found.scope.names
    assert [names[name] for name in "ABCD"] == [Enumerator(value) for value in (0, 5, 6, 5)]
    assert names["SMALL"] == Enumerator(1, INT)
    assert isinstance(names["BIG"], Enumerator)
    assert names["BIG"].type.size == 8


def test_values_of_enumerators_are_constants() -> None:
    with pytest.raises(Unsupported, match="'A' is no constant"):
        Read("enum E { A = n } x;")


def test_structs_of_one_tag_that_say_the_same_are_one_type() -> None:
    text = "struct S { int a; };"
    found = Read(f"{text} struct S x;")
    other = CParser().parse(f"{text} struct S y;", "b.c").ext
    scope = Scope(file="b.c")
    assert [found.types.read(item, scope) for item in other][1] == found.kinds["x"]
    assert found.types.apart == set()


def test_structs_of_one_tag_that_differ_are_told_apart() -> None:
    found = Read("struct S { int a; }; struct S x;")
    other = CParser().parse("struct S { long a; }; struct S y;", "b.c").ext
    scope = Scope(file="b.c")
    kind = [found.types.read(item, scope) for item in other][1]
    assert kind != found.kinds["x"]
    assert found.types.size(kind) == 8
    assert found.types.apart == {"S"}
    assert Read("struct S { int a; } x;", apart={"S"}).kinds["x"] == StructType("S@a.c")


def test_static_assertions_are_checked() -> None:
    Read('_Static_assert(1, "fine"); _Static_assert(n, "no constant");')
    with pytest.raises(SourceError, match="static assertion failed"):
        Read('_Static_assert(0, "wrong");')


def test_arrays_of_variable_length_are_no_members() -> None:
    with pytest.raises(Unsupported, match="variable length"):
        Read("struct S { int a[n]; } x;")


@pytest.mark.parametrize("member", ["int", "enum { A, B }", "enum E { A }", "const int"])
def test_what_declares_nothing_is_no_member(member: str) -> None:
    found = Read(f"struct S {{ {member}; char c; }} x;")
    kind = found.kinds["x"]
    assert isinstance(kind, StructType)
    assert [item.name for item in found.types.members(kind)] == ["c"]
    assert found.types.size(kind) == 1


@pytest.mark.parametrize("member", ["struct T { int a; }", "struct R", "R", "const R", "union U { int a; }"])
def test_whether_a_structure_with_a_tag_is_a_member_is_a_matter_of_options(member: str) -> None:
    with pytest.raises(Unsupported, match="without a name"):
        Read(f"typedef struct R {{ int a; }} R; struct S {{ {member}; int b; }} x;")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const int x;", True),
        ("int x;", False),
        ("const int x[3][2];", True),
        ("int *const x;", True),
        ("const int *x;", False),
    ],
)
def test_const_objects(text: str, expected: bool) -> None:
    (item,) = Read(text).items
    assert is_const(item.type) is expected


def test_what_members_define_is_there_in_each_scope_that_reads_them() -> None:
    read = Read("struct S { enum E { A = 3, B } kind; struct T { union U { int n; } of; } in; }; int other;")
    again = Scope(file="a.c")
    read.types.read(read.items[0], again)
    assert again.find("B") == read.scope.find("B") == Enumerator(4, INT)
    assert {tag: again.find_tag(tag) for tag in "STU"} == {tag: read.scope.find_tag(tag) for tag in "STU"}
    assert isinstance(again.find("enum E"), TypeName)
