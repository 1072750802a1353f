"""Where heap objects come from."""

from __future__ import annotations

from itertools import count

from duet.frontend.graph.builder import Builder
from duet.frontend.graph.heap import Sites
from duet.plip.syntax import SKIP


def test_each_way_to_an_allocating_place_has_an_object_of_its_own() -> None:
    sites = Sites(most=2)
    first, second, third = (sites.key("a.c:3", "t", way) for way in ("f", "g", "h"))
    assert not first[1]
    assert not second[1]
    assert first[0] != second[0]
    assert third[1]
    assert sites.key("a.c:3", "t", "f") == first
    assert sites.key("a.c:3", "t", "i") == third
    assert sites.key("a.c:3", "u", "h") not in (first, second, third)
    assert not sites.key("a.c:4", "t", "h")[1]


def test_without_any_to_tell_apart_all_share_one() -> None:
    assert Sites(most=-1).key("a.c:3", "t", "") == ("heap a.c:3 t others", True)


def test_an_object_on_a_way_back_may_be_allocated_several_times() -> None:
    builder = Builder(count())
    sites = Sites(most=9)
    sites.note("t", "a.c:1:1", "once", builder.current)
    builder.emit(SKIP)
    sites.note("t", "a.c:1:1", "often", builder.current)
    builder.emit(SKIP)
    builder.edge(SKIP, builder.commands[0].target)
    assert sites.passed_again("t", builder) == ["often"]
    assert sites.passed_again("u", builder) == []


def test_objects_of_templates() -> None:
    sites = Sites(most=9)
    sites.note("t", "a.c:1:1", "a", 1)
    sites.note("t", "a.c:1:1", "b", 2)
    sites.note("u", "a.c:1:1", "c", 3)
    assert sites.allocated_in(["t", "v"]) == ["a", "b"]
    assert sites.allocated_in([]) == []
