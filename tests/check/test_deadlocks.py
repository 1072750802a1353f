"""Where threads wait, what they may have there, and who waits for whom in a circle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import networkx as nx
import pytest

from duet.check.deadlocks import Waiting, circle_through, usually_held, waiting, waits
from duet.check.held import FOREVER, _bounded, lock_of
from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.syntax import Program
from tests.check.judged import access, fixpoint, together, with_accesses

LOCK, RELOCK, TAKE, UNLOCK, JOIN, AWAIT, POST, MEET, END = (
    AccessKind.LOCK,
    AccessKind.RELOCK,
    AccessKind.TAKE,
    AccessKind.UNLOCK,
    AccessKind.JOIN,
    AccessKind.AWAIT,
    AccessKind.POST,
    AccessKind.MEET,
    AccessKind.END,
)


START = "spawn one  spawn two"


def program(
    one: tuple[Access, ...], two: tuple[Access, ...] = (), start: str = START, gives_back: bool = True
) -> Program:
    """Two threads that make accesses, one step each, and give back at their ends what they took."""
    bodies = ["\n".join(f"x := {i}" for i in range(len(body) + 1)) for body in (one, two)]
    text = f"global x = 0 thread main {{ {start} }} thread one {{\n{bodies[0]}\n}}\nthread two {{\n{bodies[1]}\n}}"
    behind = len(one) + 4
    by_line: dict[int, tuple[Access, ...]] = {2 + i: (found,) for i, found in enumerate(one)}
    by_line |= {behind + 1 + i: (found,) for i, found in enumerate(two)}
    if gives_back:
        by_line |= {2 + len(one): given_back(one), behind + 1 + len(two): given_back(two)}
    return with_accesses(text, by_line)


def given_back(made: tuple[Access, ...]) -> tuple[Access, ...]:
    return tuple(replace(found, kind=UNLOCK) for found in made if found.kind in (LOCK, RELOCK, TAKE))


def judged(
    one: tuple[Access, ...], two: tuple[Access, ...] = (), start: str = START, gives_back: bool = True
) -> Waiting:
    found = program(one, two, start, gives_back)
    return waiting(found, together(found))


A, B = access(LOCK, "a"), access(LOCK, "b")


def test_locks_taken_crosswise_are_a_circle() -> None:
    assert not judged((A, B), (B, A)).is_free
    assert judged((A, B), (A, B)).is_free


def test_a_circle_needs_two_threads_at_once() -> None:
    assert not judged((A, B), (B, A)).is_free
    assert judged((A, B), (B, A), start="spawn one  join one  spawn two").is_free


def test_a_lock_that_was_given_back_is_not_held() -> None:
    back = access(UNLOCK, "a")
    assert judged((A, back, B), (B, A)).is_free


def test_a_lock_taken_twice_is_held_until_it_is_given_back_twice() -> None:
    again, back = access(RELOCK, "a"), access(UNLOCK, "a")
    assert not judged((again, again, back, B), (B, A)).is_free
    assert judged((again, again, back, back, B), (B, A)).is_free


def test_a_lock_taken_more_often_than_is_counted_is_held_for_good() -> None:
    again, back = access(RELOCK, "a"), access(UNLOCK, "a")
    for times, is_free in ((FOREVER - 1, True), (FOREVER, False)):
        assert judged((*[again] * times, *[back] * times, B), (B, A)).is_free is is_free


def test_giving_back_an_unknown_lock_gives_back_none() -> None:
    assert not judged((A, access(UNLOCK, UNKNOWN_LOCK), B), (B, A)).is_free


def test_an_unknown_lock_may_be_any() -> None:
    assert not judged((A, access(LOCK, UNKNOWN_LOCK)), (B, A)).is_free


def test_any_element_may_be_the_same_lock() -> None:
    def element(step: str) -> Access:
        return access(LOCK, "t", step)

    assert not judged((element("[0]"), B), (B, element("[*]"))).is_free
    assert judged((element("[0]"), B), (B, element("[1]"))).is_free


def test_what_is_taken_without_waiting_is_held_but_not_waited_for() -> None:
    taken = access(TAKE, "a")
    assert not judged((taken, B), (B, A)).is_free
    assert judged((A, access(TAKE, "b")), (B, access(TAKE, "a"))).is_free


@pytest.mark.parametrize(("second", "is_free"), [(LOCK, False), (RELOCK, True), (TAKE, True)])
def test_a_thread_waits_for_itself_where_it_locks_again(second: AccessKind, is_free: bool) -> None:
    assert judged((A, access(second, "a"))).is_free is is_free


def test_joining_a_thread_waits_for_whatever_it_waits_for() -> None:
    join_two, join_one = access(JOIN, "two"), access(JOIN, "one")
    assert not judged((join_two,), (join_one,)).is_free
    assert not judged((A, join_two), (A,)).is_free
    assert judged((join_two,), (A,)).is_free
    assert not judged((access(JOIN, UNKNOWN_LOCK),), (join_one,)).is_free


def test_a_lock_that_an_ended_thread_has_is_waited_for_forever() -> None:
    assert not judged((A,), (A,), gives_back=False).is_free
    assert judged((A,), (B,), gives_back=False).is_free  # nobody else wants it
    assert not judged((A,), start="spawn one spawn one", gives_back=False).is_free
    assert not judged((A, access(LOCK, UNKNOWN_LOCK)), (B,), gives_back=False).is_free
    back = access(UNLOCK, UNKNOWN_LOCK)
    assert judged((access(LOCK, UNKNOWN_LOCK), back), (B, access(UNLOCK, "b")), gives_back=False).is_free


def main_first(*made: Access) -> Waiting:
    """Main makes accesses and ends; another thread takes a lock."""
    body = "\n".join(f"x := {i}" for i in range(len(made) + 1))
    text = f"global x = 0 thread main {{ spawn one\n{body}\n}}\nthread one {{\nx := 1\nx := 2\n}}"
    behind = len(made) + 5
    found = with_accesses(
        text, {2 + i: (it,) for i, it in enumerate(made)} | {behind: (A,), behind + 1: (access(UNLOCK, "a"),)}
    )
    assert any(command.accesses == (A,) for command in found.commands if command.source != 2)
    return waiting(found, together(found))


def test_where_main_returns_all_threads_end() -> None:
    assert main_first(A).is_free
    assert not main_first(A, access(END, UNKNOWN_LOCK)).is_free


WAKE, WAKEN = access(AWAIT, "c"), access(POST, "c")


def test_who_waits_for_a_wake_up_waits_for_those_who_would_still_give_it() -> None:
    assert not judged((A, WAKE), (A, WAKEN)).is_free
    assert not judged((A, WAKE), (A, B, access(UNLOCK, "b"), WAKEN)).is_free
    assert judged((A, WAKE), (WAKEN, A)).is_free
    assert judged((WAKE,), (A, WAKEN)).is_free  # nothing is held meanwhile
    assert not judged((A, WAKE), (A, access(POST, UNKNOWN_LOCK))).is_free
    assert not judged((A, WAKE), (A, access(POST, "d"))).is_free  # nobody wakes it


def test_who_waits_for_a_wake_up_waits_for_those_who_would_start_who_gives_it() -> None:
    def is_free(before: str, behind: str) -> bool:
        lines = (
            f"global x = 0 thread main {{ spawn one {before}",
            *("x := 1", behind, "x := 2 } thread one {"),
            *("x := 3", "x := 4", "x := 5 } thread two {"),
            "x := 6 }",
        )
        gives = access(UNLOCK, "a")
        made = with_accesses("\n".join(lines), {2: (A,), 4: (gives,), 5: (A,), 6: (WAKE,), 7: (gives,), 8: (WAKEN,)})
        return waiting(made, together(made)).is_free

    assert is_free("spawn two", "")
    assert not is_free("", "spawn two")


def test_who_waits_for_an_end_waits_for_what_that_waits_for() -> None:
    assert not judged((WAKE,), (access(JOIN, "one"), WAKEN)).is_free
    assert not judged((WAKE,), (access(JOIN, "one"),)).is_free
    assert judged((WAKE,), (WAKEN, access(JOIN, "one"))).is_free


def test_circles_of_wake_ups_alone_are_not_looked_for() -> None:
    other, others = access(AWAIT, "d"), access(POST, "d")
    assert judged((WAKE, others), (other, WAKEN)).is_free


def test_those_who_meet_do_not_wait_for_each_other() -> None:
    meet = access(MEET, "b")
    assert judged((meet, meet), (meet, meet)).is_free
    assert not judged((A, meet), (A, meet)).is_free
    assert judged((A, access(UNLOCK, "a"), meet), (A, access(UNLOCK, "a"), meet), gives_back=False).is_free


def test_places_tell_what_is_held_there() -> None:
    found = program((A, B))
    first, second = waits(found, together(found))
    assert (lock_of(first.access), first.held, first.template) == (("a", ()), (), "one")
    assert second.held == (("a", ()),)
    assert second.labels == ("a",)
    assert second.is_for_lock
    assert not second.is_self_made


def held_by_line() -> dict[int, tuple[str, ...]]:
    """What is told of the locks that a thread has at each line of a program that has one lock or two."""
    text = """global x = 0 thread main {
choose {
x := 1
} or {
x := 2
}
x := 3
x := 4
}"""
    marked = with_accesses(text, {3: (A, B), 5: (A,), 7: (access(UNLOCK, "a"),)})
    held = usually_held(marked, fixpoint(marked).invariants)
    return {c.span.line: held[c.source] for c in marked.commands if c.span is not None and c.source in held}


def test_usually_held_is_what_is_held_on_every_way() -> None:
    by_line = held_by_line()
    assert by_line[7] == ("a",)
    assert by_line[8] == ()


def test_what_may_be_held_where_there_are_too_many_ways_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet.check.held._MOST", 1)
    assert held_by_line()[7] == ()


def test_a_handler_keeps_who_it_interrupts_from_giving_anything() -> None:
    found = program((A, B), (A,), "spawn one  spawn two  spawn one")
    handler = replace(found.templates["two"], interrupts=True)
    interrupted = replace(found, templates={**found.templates, "two": handler})
    assert not _in_circles(found, "b")
    assert _in_circles(interrupted, "b")  # another one has b where the handler, which waits for a, interrupts it


@pytest.mark.parametrize("interrupts", [False, True])
def test_the_end_of_a_thread_waits_for_what_interrupts_it(interrupts: bool) -> None:
    found = program((A, access(JOIN, "three")), (A,))
    handler = replace(found.templates["two"], interrupts=interrupts)
    assert _in_circles(replace(found, templates={**found.templates, "two": handler}), "three") == interrupts


def _in_circles(found: Program, name: str) -> bool:
    """Whether the place that waits for something is in a circle."""
    what = waiting(found, together(found))
    return any(what.circles.degree(i) for i, it in enumerate(what.places) if it.access.object == name)


def circle(edges: Mapping[int, list[int]], start: int) -> tuple[int, ...]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(edges)
    graph.add_edges_from((a, b) for a, found in edges.items() for b in found)
    return circle_through(graph, start)


def test_a_shortest_circle_is_told_from_its_start() -> None:
    assert circle({0: [1, 3], 1: [2], 2: [0], 3: [0]}, 0) == (0, 3)
    assert circle({0: [1], 1: [2], 2: [0]}, 1) == (1, 2, 0)
    assert circle({0: [0, 1], 1: [0]}, 0) == (0,)
    assert circle({0: [1], 1: [], 2: []}, 0) == ()


def test_what_is_had_for_good_stays_so_when_less_comes_behind_it() -> None:
    """Else the states of a location grow and shrink for ever: no step may take a state away that it does not cover."""
    one = [(f"m{number}", ()) for number in range(6)]
    several = frozenset(tuple((lock, 1) for at, lock in enumerate(one) if mask >> at & 1) for mask in range(64))
    known = _bounded(several)
    assert known == {tuple((lock, FOREVER) for lock in one)}
    for held in several:
        assert _bounded(known | {held}) == known
    other = ((("other", ()), 1),)
    assert _bounded(known | {other}) == known | {other}
    assert _bounded(frozenset(((), other))) == {(), other}
