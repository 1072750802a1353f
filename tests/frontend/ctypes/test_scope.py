"""What names and tags mean where they stand."""

from __future__ import annotations

from duet.frontend.ctypes.scope import Enumerator, Scope, TypeName
from duet.frontend.ctypes.types import INT, LP64, StructType

OUTER = Scope(names={"a": Enumerator(1), "b": Enumerator(2)}, tags={"S": StructType("S")}, file="a.c")


def test_an_inner_name_hides_an_outer_one() -> None:
    inner = Scope(OUTER, names={"a": TypeName(LP64.long)})
    assert inner.find("a") == TypeName(LP64.long)
    assert inner.find("b") == Enumerator(2, INT)
    assert OUTER.find("a") == Enumerator(1)
    assert inner.find("c") is None


def test_tags_are_apart_from_names() -> None:
    inner = Scope(OUTER, tags={"T": StructType("T")})
    assert inner.find_tag("S") == StructType("S")
    assert inner.find_tag("a") is None
    assert inner.find("S") is None
    assert OUTER.find_tag("T") is None


def test_tags_among_parameters_are_those_of_the_scope_around() -> None:
    scope = Scope(OUTER)
    parameters = scope.of_parameters()
    parameters.tags["T"] = StructType("T")
    parameters.names["a"] = Enumerator(3)
    assert scope.find_tag("T") == StructType("T")
    assert scope.find("a") == Enumerator(1)
    assert OUTER.of_parameters().file == "a.c"
