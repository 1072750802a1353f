"""Ids of threads: which may be the same, and which threads come late enough for that."""

from __future__ import annotations

import pytest

from duet.frontend.ctypes.origins import ObjectAddress, ThreadId
from duet.frontend.judgments.facts import Facts
from duet.frontend.judgments.identity import ENDED, LATE, late_threads, may_share_id
from duet.plip.parser import parse_program

ANY = "any thread"


def shares(ended: tuple[str, ...], late: tuple[str, ...], one: str = "a", other: str = "b") -> bool:
    facts = Facts()
    for mark, subjects in ((ENDED, ended), (LATE, late)):
        facts.mark(mark, *subjects)
        if ANY in subjects:
            facts.mark_any(mark)
    both = ThreadId(one), ThreadId(other)
    assert may_share_id(facts, *both) is may_share_id(facts, *reversed(both))
    return may_share_id(facts, *both)


@pytest.mark.parametrize(
    ("ended", "late", "expected"),
    [
        ((), (), False),
        (("a",), (), False),
        ((), ("b",), False),
        (("a",), ("b",), True),
        (("b",), ("a",), True),
        (("a",), ("a",), False),
        ((ANY,), ("b",), True),
        (("a",), (ANY,), True),
        (("c",), ("b",), False),
    ],
)
def test_an_id_is_used_again_for_a_thread_that_comes_later(
    ended: tuple[str, ...], late: tuple[str, ...], expected: bool
) -> None:
    assert shares(ended, late) is expected


def test_main_is_never_late() -> None:
    assert not shares(("a",), (ANY,), "a", "main")
    assert shares(("main",), (ANY,), "a", "main")


def test_a_thread_shares_no_id_with_itself_and_other_values_have_none() -> None:
    assert not shares((ANY,), (ANY,), "a", "a")
    facts = Facts()
    facts.mark_any(ENDED)
    facts.mark_any(LATE)
    assert not may_share_id(facts, ObjectAddress("object"), ThreadId("a"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("spawn a spawn b join a", {"c"}),
        ("spawn a join a spawn b", {"b", "c"}),
        ("while (*) { spawn a join a }", {"a", "c"}),
        ("spawn a spawn b", set()),
        ("choose { spawn a join a } or { spawn b }", {"c"}),
    ],
)
def test_threads_that_are_created_behind_a_join(body: str, expected: set[str]) -> None:
    """What another thread than the joining one creates, as `b` does, may always come behind the join."""
    threads = "thread a { skip } thread b { spawn c } thread c { skip } thread d { skip }"
    assert late_threads(parse_program(f"thread main {{ {body} }} {threads}")) == expected


def test_threads_that_are_created_while_another_one_joins() -> None:
    threads = "thread a { spawn c join c } thread b { spawn d } thread c { skip } thread d { skip }"
    assert late_threads(parse_program(f"thread main {{ spawn a spawn b }} {threads}")) == {"a", "b", "c", "d"}
