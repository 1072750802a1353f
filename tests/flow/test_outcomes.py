"""Checks of several parts: which of them holds is told by cells that one part compares with a constant."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.absint.cases import Splitting
from duet.flow.outcomes import outcomes
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert
from tests.frontend.running import statuses

_C = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int left = 100, full, size;
static int take(int n) {
    int taken = 0;
    pthread_mutex_lock(&m);
    if (left >= n) { left -= n; taken = n; }
    pthread_mutex_unlock(&m);
    return taken;
}
static void *work(void *unused) {
    int n = __VERIFIER_nondet_int(), limit = __VERIFIER_nondet_int();
    if (n <= 0 || n > 9 || limit <= 0 || limit > 9) return 0;
    BODY
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    return 0;
}
"""
TRUE = {
    "all or nothing": "int got = take(n); assert(got == 0 || got == n);",
    "all or nothing, the other way round": "int got = take(n); assert(got == n || got == 0);",
    "a flag under a lock": (
        "pthread_mutex_lock(&m); if (full == 0) size = limit; full = full ? full : limit;"
        "assert(full == 0 || full == size); pthread_mutex_unlock(&m);"
    ),
}
FALSE = {
    "half": "int got = take(n); if (got > 4) got--; assert(got == 0 || got == n);",
    "of another thread": "left = take(n); assert(left == 0 || left == n);",
    "an error": "int got = take(n); if (limit == 7) got = -1; assert(got == 0 || got == n);",
    "without the lock": "if (full == 0) size = limit; full = full ? full : limit; assert(full == 0 || full == size);",
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_in_each_case_is_proved(name: str, tmp_path: Path) -> None:
    assert all(found.is_safe for found in statuses(tmp_path / "a.c", _C.replace("BODY", TRUE[name])))


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_in_one_is_not(name: str, tmp_path: Path) -> None:
    assert not any(found.is_safe for found in statuses(tmp_path / "a.c", _C.replace("BODY", FALSE[name])))


def test_a_case_that_is_dropped_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: states in which no cell has a value of a case of its own are gone."""
    apart = Splitting.of
    monkeypatch.setattr(
        Splitting,
        "of",
        lambda self, states, coarse=0: {
            key: state for key, state in apart(self, states, coarse).items() if not self.told or any(key)
        },
    )
    assert any(found.is_safe for found in statuses(tmp_path / "a.c", _C.replace("BODY", FALSE["an error"])))


def test_numbers_come_from_the_parts_of_checks_and_go_to_what_is_copied() -> None:
    text = "thread main { local a local b local c  b := *  a := b  assert a == 3 || a == c  assert c == 4 }"
    program = parse_program(text, "t.plip")
    checks = [index for index, item in enumerate(program.commands) if isinstance(item.instruction, Assert)]
    assert outcomes(program, checks) == {"a": {3}, "b": {3}}
    assert outcomes(program, checks[1:]) == {}
