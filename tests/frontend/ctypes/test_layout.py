"""The parts of types, by the type of an access."""

from __future__ import annotations

from duet.frontend.ctypes.layout import Layout, Layouts, Member
from duet.frontend.ctypes.types import (
    CHAR,
    INT,
    LP64,
    UINT,
    VOID,
    ArrayType,
    PointerType,
    StructType,
)
from duet.frontend.ctypes.values import Index

NODE = StructType("node", False)
NODE_LAYOUT = Layout(
    (Member("value", INT, 0), Member("next", PointerType(NODE), 8), Member("counts", ArrayType(UINT, 4), 16)), 32, 8
)


def layouts() -> Layouts:
    found = Layouts(LP64)
    found.layouts["node"] = NODE_LAYOUT
    return found


def test_parts_of_a_structure() -> None:
    known = layouts()
    assert known.parts(NODE, INT) == ((("value",), INT), (("counts", Index(None, 4)), UINT))
    assert known.parts(NODE, PointerType(CHAR)) == ((("next",), PointerType(NODE)),)
    assert known.parts(NODE, CHAR) == ()
    assert known.parts(NODE, NODE) == (((), NODE),)
    assert [path for path, _ in known.parts(NODE, VOID)] == [("value",), ("next",), ("counts", Index(None, 4))]


def test_parts_of_arrays_of_structures() -> None:
    assert layouts().parts(ArrayType(NODE, 3), INT)[0] == ((Index(None, 3), "value"), INT)


def test_what_has_no_members_yet_has_parts_when_it_gets_them() -> None:
    known = Layouts(LP64)
    assert known.parts(NODE, INT) == ()
    known.layouts["node"] = NODE_LAYOUT
    assert len(known.parts(NODE, INT)) == 2
