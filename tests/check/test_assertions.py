"""Verdicts on checks: of one copy by the invariant there, of a check by those of all its copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from duet.check.assertions import Copy, Verdict, combined, decide
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert, Program
from duet.result import Status
from tests.check.judged import fixpoint

PROVED, UNPROVED, UNREACHABLE = Status.PROVED, Status.UNPROVED, Status.UNREACHABLE


def statuses(program: Program) -> list[Status]:
    return [verdict.status for verdict in decide(program, fixpoint(program).invariants).values()]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x := 1  check x == 1", PROVED),
        ("x := 1  check x <= 0", UNPROVED),
        ("x := 1  [x == 2]  check x == 2", UNREACHABLE),
        ("x := *  check x == 0", UNPROVED),
        ("x := * in 0..3  y := * in 0..3  check x + y <= 6", PROVED),
        ("x := * in 0..3  y := * in 0..3  check x + y <= 5", UNPROVED),
    ],
)
def test_a_check_is_decided_by_what_holds_where_it_is(body: str, expected: Status) -> None:
    assert statuses(parse_program(f"thread main {{ local x local y {body} }}")) == [expected]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ((), UNREACHABLE),
        ((UNREACHABLE, UNREACHABLE), UNREACHABLE),
        ((UNREACHABLE, PROVED), PROVED),
        ((PROVED, Status.UNKNOWN, UNREACHABLE), Status.UNKNOWN),
        ((PROVED, UNPROVED, Status.UNKNOWN), UNPROVED),
        ((UNPROVED, Status.REFUTED, PROVED), Status.REFUTED),
    ],
)
def test_the_worst_copy_decides(found: Sequence[Status], expected: Status) -> None:
    assert combined(found) is expected
    assert combined(reversed(found)) is expected


def test_a_check_with_two_copies_is_proved_only_if_both_are() -> None:
    program = parse_program("thread main { local x  x := 1  check x == 1  x := 2  check x == 1 }")
    first = next(c.instruction for c in program.commands if isinstance(c.instruction, Assert))
    commands = tuple(
        replace(c, instruction=first) if isinstance(c.instruction, Assert) else c for c in program.commands
    )
    shared = replace(program, commands=commands)
    (verdict,) = decide(shared, fixpoint(shared).invariants).values()
    assert verdict.status is UNPROVED
    assert [copy.status for copy in verdict.copies] == [PROVED, UNPROVED]
    assert [isinstance(shared.commands[copy.command].instruction, Assert) for copy in verdict.copies] == [True, True]


def test_the_copy_to_show_is_unsafe_or_else_runs() -> None:
    dead, safe, bad = Copy(1, UNREACHABLE), Copy(2, PROVED), Copy(3, UNPROVED)
    assert Verdict(UNPROVED, (dead, safe, bad)).witness == bad
    assert Verdict(PROVED, (dead, safe)).witness == safe
    assert Verdict(UNREACHABLE, (dead,)).witness == dead
    assert Verdict(UNREACHABLE, ()).witness is None
