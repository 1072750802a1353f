"""Verdicts on deadlocks with their evidence."""

from __future__ import annotations

from duet.coarsen.analysis import analyse
from duet.coarsen.deadlock_evidence import deadlock_assertions, deadlock_checks
from duet.options import AnalysisOptions
from duet.plip.accesses import AccessKind
from duet.plip.parser import parse_program
from duet.result import Assertion, CauseKind, Status
from tests.coarsen.fixpoints import with_accesses

TEXT = """global x = 0
thread main { spawn one  spawn two }
thread one {
  x := 1
  x := 2
  x := 3
}
thread two {
  x := 4
  x := 5
  x := 6
}
"""
LOCK = AccessKind.LOCK


def verdicts(by_line: dict[int, tuple[AccessKind, str]], text: str = TEXT) -> list[Assertion]:
    """The verdicts where locks are taken on some lines; each thread gives them back in its last line."""
    made = {line: [found] for line, found in by_line.items()}
    for last in (6, 11):
        made.setdefault(last, []).extend((AccessKind.UNLOCK, name) for _, name in by_line.values())
    program = with_accesses(parse_program(text, "t.plip"), made)
    analysis = analyse(program, AnalysisOptions(domain="interval", engine="bitset"))
    found = deadlock_assertions(analysis, "a.c")
    assert {assertion.check for assertion in found} == set(deadlock_checks(program, "a.c"))
    return list(found)


def test_a_circle_is_told_with_all_that_wait() -> None:
    found = verdicts({4: (LOCK, "a"), 5: (LOCK, "b"), 9: (LOCK, "b"), 10: (LOCK, "a")})
    assert [(item.check.line, item.status) for item in found] == [
        (4, Status.PROVED),
        (5, Status.UNPROVED),
        (9, Status.PROVED),
        (10, Status.UNPROVED),
    ]
    assert found[1].threads == ("one", "two")
    assert found[1].reason == ("one waits for b in one (a.c:5) holding a; two waits for a in two (a.c:10) holding b")


def test_a_thread_may_wait_for_itself() -> None:
    _, second = verdicts({4: (LOCK, "a"), 5: (LOCK, "a")})
    assert second.status is Status.UNPROVED
    assert second.reason.endswith("which it may have itself")


def test_another_instance_may_wait_at_the_same_place() -> None:
    found = verdicts({4: (LOCK, "t"), 5: (LOCK, "?")}, TEXT.replace("spawn two", "spawn one"))
    assert any(item.status is Status.UNPROVED for item in found)


def test_waiting_for_the_end_of_a_thread() -> None:
    (found,) = verdicts({4: (AccessKind.JOIN, "two")})
    assert (found.status, found.check.expression) == (Status.PROVED, "no deadlock on the end of a thread")
    circle = verdicts({4: (AccessKind.JOIN, "two"), 9: (AccessKind.JOIN, "one")})
    assert [item.status for item in circle] == [Status.UNPROVED, Status.UNPROVED]


def test_where_no_thread_waits_there_is_one_check() -> None:
    (found,) = verdicts({})
    assert (found.status, found.check.line, found.check.file) == (Status.PROVED, 1, "a.c")


def test_a_place_that_no_thread_gets_to_is_unreachable() -> None:
    text = TEXT.replace("  x := 1\n", "  [x == 77] x := 1\n")
    found = verdicts({5: (LOCK, "a")}, text)
    assert [item.status for item in found] == [Status.UNREACHABLE]


def test_locks_that_are_not_told_apart_are_what_is_lost() -> None:
    _, named = verdicts({4: (LOCK, "a"), 5: (LOCK, "a")})
    _, merged = verdicts({4: (LOCK, "(memory from a.c:1)"), 5: (LOCK, "(memory from a.c:1)")})
    assert named.cause is not None
    assert named.cause.kind is CauseKind.WRITE
    assert merged.cause is not None
    assert merged.cause.kind is CauseKind.LOST
    assert merged.cause.text == "which of the locks in memory from a.c:1 is meant is not known"


def test_all_circles_with_a_lock_that_may_be_any_hang_on_one_cause() -> None:
    found = verdicts({4: (LOCK, "a"), 5: (LOCK, "?"), 9: (LOCK, "?"), 10: (LOCK, "b")})
    causes = {item.cause for item in found if item.status is Status.UNPROVED}
    assert [(cause.kind, cause.file, cause.line) for cause in causes if cause] == [(CauseKind.LOST, "a.c", 5)]
    assert sum(item.status is Status.UNPROVED for item in found) > 1
