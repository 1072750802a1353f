"""What a thread may have at its locations, on any way there."""

from __future__ import annotations

import pytest

from duet.certificate.locks import Held, behind, locks_in, may_be_same
from duet.plip.accesses import UNKNOWN_LOCK, AccessKind
from tests.check.judged import access, with_accesses

LOCK, RELOCK, UNLOCK = AccessKind.LOCK, AccessKind.RELOCK, AccessKind.UNLOCK
NAMES = "abcdef"


def held_at_end(names: str, is_loop: bool = False) -> tuple[int, frozenset[str]]:
    """How many states there are behind locks that are taken or not, and the locks in them."""
    lines = [f"choose {{\nx := {i}\n}} or {{ }}" for i in range(len(names))]
    body = "\n".join(lines)
    text = f"global x = 0 thread main {{ {'while (*) {' if is_loop else ''}\n{body}\n{'}' if is_loop else ''} }}"
    program = with_accesses(text, {3 + 3 * i: (access(LOCK, name),) for i, name in enumerate(names)})
    assert sum(bool(command.accesses) for command in program.commands) == len(names)
    found = Held(program, "main", lambda _: False).at[program.templates["main"].exit]
    return len(found), frozenset(name for name, _ in locks_in(found))


def test_each_way_has_a_state_until_they_are_too_many() -> None:
    assert held_at_end("abc") == (8, frozenset("abc"))
    assert held_at_end(NAMES) == (1, frozenset(NAMES))


def test_locks_that_are_taken_again_and_again_come_to_an_end() -> None:
    assert held_at_end("abcd", is_loop=True)[1] == frozenset("abcd")


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [((LOCK,), 1), ((LOCK, UNLOCK), 0), ((RELOCK, RELOCK, UNLOCK), 1), ((UNLOCK,), 0), ((UNLOCK, LOCK), 1)],
)
def test_locks_are_counted(kinds: tuple[AccessKind, ...], expected: int) -> None:
    state: tuple[tuple[tuple[str, tuple[str, ...]], int], ...] = ()
    for kind in kinds:
        state = behind(state, access(kind, "a"))
    assert dict(state).get(("a", ()), 0) == expected


def test_unknown_locks_may_be_any_and_are_given_back_by_nobody() -> None:
    taken = behind((), access(LOCK, UNKNOWN_LOCK))
    assert behind(taken, access(UNLOCK, UNKNOWN_LOCK)) == taken
    assert may_be_same((UNKNOWN_LOCK, ()), ("a", (".m",)))
    assert may_be_same(("a", ("[*]",)), ("a", ("[1]", ".m")))
    assert not may_be_same(("a", ("[0]",)), ("a", ("[1]",)))


def test_commands_that_never_pass_and_ways_that_mean_nothing_are_left_out() -> None:
    text = "global x = 0 thread main {\nx := 1\nx := 2\n}"
    program = with_accesses(text, {2: (access(UNLOCK, "a"),), 3: (access(LOCK, "b"),)})
    end = program.templates["main"].exit
    assert locks_in(Held(program, "main", lambda _: False).at[end]) == {("b", ())}
    assert end not in Held(program, "main", lambda _: True).at
    assert end not in Held(program, "main", lambda _: False, frozenset()).at
    assert end in Held(program, "main", lambda _: False, frozenset({("a", ())})).at
