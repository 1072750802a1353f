"""Which accesses conflict, which of them two threads make at once, and what is shown of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from duet.check.races import free_of_races, races, shared_cells, sites
from duet.check.shown_races import MOST_OF_OBJECT, MOST_RACES, Race, distinct
from duet.plip.accesses import ANY_MEMORY, Access, AccessKind, Call, HeldLock
from duet.plip.syntax import Program
from duet.source import Span
from tests.check.judged import APART, access, together, with_accesses

READ, WRITE = AccessKind.READ, AccessKind.WRITE
ONE, ONE_LOCKED, TWO, TWO_LOCKED = 4, 6, 10, 12


def pairs(by_line: Mapping[int, tuple[Access, ...]], text: str = APART, judged: bool = True) -> set[tuple[int, int]]:
    """The lines of the accesses that race."""
    program = with_accesses(text, by_line)
    found = sites(program)
    lines = [site.access.span.line if site.access.span else 0 for site in found]
    judges = (together(program),) if judged else ()
    return {(lines[one], lines[other]) for one, other in races(program, judges)}


def both(one: Access, other: Access) -> bool:
    """Whether two accesses of two threads that nothing keeps apart race."""
    return bool(pairs({ONE: (one,), TWO: (other,)}))


def test_sites_are_accesses_to_memory_once_for_each_location() -> None:
    read, lock = access(READ, "x"), access(AccessKind.LOCK, "m")
    program = with_accesses(APART, {ONE: (read, read, lock), TWO: (read,)})
    found = sites(program)
    assert [(site.template, site.access) for site in found] == [("one", read), ("two", read)]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (access(WRITE, "x"), access(WRITE, "x"), True),
        (access(WRITE, "x"), access(READ, "x"), True),
        (access(READ, "x"), access(READ, "x"), False),
        (access(WRITE, "x"), access(WRITE, "y"), False),
        (access(WRITE, "x", is_atomic=True), access(READ, "x", is_atomic=True), False),
        (access(WRITE, "x", is_atomic=True), access(READ, "x"), True),
        (access(WRITE, "s", ".a"), access(READ, "s", ".b"), False),
        (access(WRITE, "s", ".a"), access(READ, "s"), True),
        (access(WRITE, "t", "[1]"), access(READ, "t", "[2]"), False),
        (access(WRITE, "t", "[*]"), access(READ, "t", "[2]"), True),
        (access(WRITE, ANY_MEMORY, is_exposed=True), access(READ, "x", is_exposed=True), True),
        (access(WRITE, ANY_MEMORY, is_exposed=True), access(READ, "x"), False),
        (access(WRITE, ANY_MEMORY, is_exposed=True), access(READ, ANY_MEMORY, is_exposed=True), True),
        (access(WRITE, "x", owner="o"), access(WRITE, "x", owner="o"), False),
        (access(WRITE, "x", is_private=True), access(WRITE, "x"), False),
    ],
)
def test_accesses_conflict_on_one_memory_location_with_a_write(one: Access, other: Access, expected: bool) -> None:
    assert both(one, other) is expected
    assert both(other, one) is expected


def test_a_lock_beside_the_memory_excludes_unless_both_only_read_under_it() -> None:
    def locked(kind: AccessKind, is_shared: bool, offset: int = 8) -> Access:
        return access(kind, "x", locks=frozenset({HeldLock(is_shared, Fraction(1), Fraction(offset))}))

    assert not both(locked(WRITE, False), locked(READ, True))
    assert both(locked(WRITE, True), locked(READ, True))
    assert both(locked(WRITE, False), locked(READ, False, offset=16))


def test_a_lock_of_its_own_cell_excludes_by_coreachability() -> None:
    write = (access(WRITE, "y"),)
    assert pairs({ONE_LOCKED: write, TWO_LOCKED: write}) == set()
    assert pairs({ONE_LOCKED: write, TWO_LOCKED: write}, judged=False)
    assert pairs({ONE_LOCKED: write, TWO: write})


@pytest.mark.parametrize(("start", "expected"), [("spawn w", False), ("spawn w  spawn w", True)])
def test_a_thread_that_runs_once_does_not_race_with_itself(start: str, expected: bool) -> None:
    text = f"global x = 0 thread main {{ {start} }}\nthread w {{\n  x := 1\n}}"
    assert bool(pairs({3: (access(WRITE, "x", line=3),)}, text)) is expected


def test_what_is_before_the_start_or_behind_the_join_is_apart() -> None:
    text = "global x = 0 thread main {\nx := 1\nspawn w\nx := 2\njoin w\nx := 3\n}\nthread w {\nx := 4\n}"
    accesses = {line: (access(WRITE, "x", line=line),) for line in (2, 4, 6, 9)}
    assert pairs(accesses, text) == {(4, 9)}


def racing(by_line: Mapping[int, tuple[Access, ...]], text: str = APART) -> tuple[Program, set[str], set[str]]:
    """The program with the labels of its shared cells, and of those of them that are free of races."""
    program = with_accesses(text, by_line)
    found = sites(program)
    cells = shared_cells(program)
    free = free_of_races(cells, found, races(program, (together(program),)))
    return program, {cell.label for cell in cells}, {cell.label for cell in free}


def test_cells_are_free_of_races_one_by_one() -> None:
    x, y = access(WRITE, "x"), access(WRITE, "y")
    _, cells, free = racing({ONE: (x,), TWO: (x,), ONE_LOCKED: (y,), TWO_LOCKED: (y,)})
    assert cells == {"x", "y"}
    assert free == {"y"}


def test_a_race_on_a_part_is_one_on_the_whole_and_the_other_way_round() -> None:
    part, other, whole = access(WRITE, "s", ".a"), access(WRITE, "s", ".b"), access(WRITE, "s")
    inside = {ONE_LOCKED: (whole, other), TWO_LOCKED: (part, other)}
    assert racing(inside)[2] == {"s", "s.a", "s.b"}
    assert racing({ONE: (part,), TWO: (part,), **inside})[2] == {"s.b"}


def test_elements_of_an_array_are_one_cell() -> None:
    first, any_one = access(WRITE, "t", "[0]"), access(WRITE, "t", "[*]")
    assert racing({ONE: (first,), TWO: (any_one,)})[1] == {"t[*]"}


def test_unknown_pointers_leave_no_exposed_memory_free() -> None:
    wild = access(WRITE, ANY_MEMORY, is_exposed=True)
    exposed, hidden = access(WRITE, "x", is_exposed=True), access(WRITE, "y")
    found = racing({ONE: (wild,), TWO: (wild,), ONE_LOCKED: (exposed, hidden), TWO_LOCKED: (exposed, hidden)})
    assert {"x", "y"} <= found[1]
    assert found[2] == {"y"}


def test_memory_that_unknown_pointers_do_not_race_on_is_free_beside_some_that_they_do() -> None:
    wild = access(WRITE, ANY_MEMORY, is_exposed=True)
    one, other = access(WRITE, "x", is_exposed=True), access(WRITE, "y", is_exposed=True)
    found = racing({ONE_LOCKED: (wild,), TWO: (one,), TWO_LOCKED: (other,)})
    assert found[1] == {ANY_MEMORY, "x", "y"}
    assert found[2] == {"y"}


def test_races_are_told_once_for_each_pair_of_lines_a_write_first() -> None:
    read, write = access(READ, "x", line=ONE), access(WRITE, "x", line=TWO)
    program = with_accesses(APART, {ONE: (read,), TWO: (write,)})
    found = sites(program)
    (race,) = distinct(found, races(program, (together(program),)))
    assert (race.label, race.count, race.others) == ("x", 1, 0)
    assert [found[index].access for index in race.pair] == [write, read]


def distinct_races(by_line: Mapping[int, tuple[Access, ...]]) -> tuple[Race, ...]:
    """The shown races of accesses at lines."""
    program = with_accesses(APART, by_line)
    return distinct(sites(program), races(program, (together(program),)))


def told(by_line: Mapping[int, tuple[Access, ...]]) -> tuple[set[int], list[int]]:
    """The lines that the shown races name, and how many pairs each of these says are left out."""
    program = with_accesses(APART, by_line)
    found = sites(program)
    shown = distinct(found, races(program, (together(program),)))
    spans = (found[index].access.span for race in shown for index in (*race.pair, *race.also))
    return {span.line for span in spans if span is not None}, [race.others for race in shown]


def test_few_pairs_of_lines_are_all_told() -> None:
    writes = tuple(access(WRITE, "x", line=100 + i) for i in range(MOST_RACES))
    lines, others = told({ONE: writes, TWO: (access(READ, "x", line=TWO),)})
    assert lines == {TWO, *range(100, 100 + MOST_RACES)}
    assert others == [0] * MOST_RACES


def test_many_pairs_of_lines_are_told_as_one_with_the_other_lines() -> None:
    count = MOST_RACES
    writes = tuple(access(WRITE, "x", line=100 + i) for i in range(count))
    lines, others = told({ONE: writes, TWO: writes})
    assert lines == set(range(100, 100 + count))
    assert others == [count * (count + 1) // 2 - 1]


def test_of_many_pairs_of_lines_one_is_told_that_is_certain_and_of_the_program_itself() -> None:
    unknown = tuple(replace(access(WRITE, "x", line=100 + i), unknown="f") for i in range(MOST_RACES))
    known = access(WRITE, "x", line=50), replace(access(WRITE, "x", line=51), is_certain=True)
    program = with_accesses(APART, {ONE: (*unknown, *known), TWO: (access(READ, "x", line=TWO),)})
    found = sites(program)
    (race,) = distinct(found, races(program, (together(program),)))
    spans = [found[index].access.span for index in race.pair]
    assert [span.line for span in spans if span is not None] == [51, TWO]
    assert len(race.also) == MOST_RACES + 1


def test_an_object_with_very_many_races_has_one_for_each_of_its_parts() -> None:
    parts = [f".m{number}" for number in range(MOST_OF_OBJECT // MOST_RACES + 1)]
    writes = [
        access(WRITE, "x", part, line=1000 * at + n) for at, part in enumerate(parts, 1) for n in range(MOST_RACES)
    ]
    reads = tuple(access(READ, "x", part, line=at) for at, part in enumerate(parts, 1))
    _, others = told({ONE: tuple(writes[:MOST_OF_OBJECT]), TWO: reads})
    assert others == [0] * MOST_OF_OBJECT
    lines, others = told({ONE: tuple(writes), TWO: reads})
    assert lines == {place for at in range(1, len(parts) + 1) for place in (at, 1000 * at)}
    assert others == [MOST_RACES - 1] * len(parts)


def test_very_many_accesses_of_unknown_memory_are_told_once_for_each_function() -> None:
    places = [("a.c", "f")] * MOST_OF_OBJECT + [("a.c", "g")] * 2 + [("b.c", "f")]
    wild = [
        replace(access(WRITE, ANY_MEMORY, line=100 + at, is_exposed=True), stack=(Call(name, Span(file, 100 + at, 1)),))
        for at, (file, name) in enumerate(places)
    ]
    known = access(READ, "x", line=TWO, is_exposed=True)
    found = distinct_races({ONE: tuple(wild), TWO: (known,)})
    assert len(found) == 3
    assert {race.others for race in found} == {len(wild) - 3}
    assert len(distinct_races({ONE: tuple(wild[:MOST_OF_OBJECT]), TWO: (known,)})) == MOST_OF_OBJECT


def test_an_access_to_many_objects_is_told_once() -> None:
    names = ("a", "b", "c", "d")
    anywhere = tuple(access(WRITE, name, line=50) for name in names)
    others = tuple(access(READ, name, line=60 + at) for at, name in enumerate(names))
    program = with_accesses(APART, {ONE: anywhere, TWO: others})
    found = sites(program)
    (race,) = distinct(found, races(program, (together(program),)))
    assert (race.label, race.count, race.others) == ("any of 4 objects", 1, 3)
    assert race.one_of is not None
    assert race.one_of.line == 50


def test_accesses_to_few_objects_or_at_several_places_are_told_by_object() -> None:
    few = tuple(access(WRITE, name, line=50) for name in ("a", "b", "c"))
    assert len(told({ONE: few, TWO: tuple(replace(one, kind=READ) for one in few)})[1]) == 3
    names = ("a", "b", "c", "d")
    certain = tuple(access(WRITE, name, line=50, is_certain=True) for name in names)
    assert len(told({ONE: certain, TWO: tuple(replace(one, kind=READ) for one in certain)})[1]) == 4


def test_each_line_of_an_access_to_many_objects_is_told() -> None:
    names = ("a", "b", "c", "d")
    one = tuple(access(WRITE, name, line=line) for name in names for line in (50, 51))
    other = tuple(access(READ, name, line=60) for name in names)
    lines, others = told({ONE: one, TWO: other})
    assert lines == {50, 51, 60}
    assert others == [0, 0]


@pytest.mark.parametrize(("count", "expected"), [(3, ["s.a", "s.b", "s.c"]), (4, ["s"])])
def test_two_lines_that_race_on_many_parts_of_an_object_race_on_it(count: int, expected: list[str]) -> None:
    parts = tuple(access(WRITE, "s", f".{name}", line=50) for name in "abcd"[:count])
    program = with_accesses(APART, {ONE: parts, TWO: (access(READ, "s", line=60),)})
    found = sites(program)
    shown = distinct(found, races(program, (together(program),)))
    assert [(race.label, race.count) for race in shown] == [(name, count // len(expected)) for name in expected]
