"""A thread that has a lock and takes it again waits for itself, however it took it; not once it has given it back."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <pthread.h>
#include <threads.h>
pthread_mutex_t mutex; pthread_spinlock_t spin; pthread_rwlock_t lock; mtx_t c11;
struct timespec limit;
"""
MUTEX, SPIN, LOCK, C11 = (
    "pthread_mutex_{}(&mutex)",
    "pthread_spin_{}(&spin)",
    "pthread_rwlock_{}(&lock)",
    "mtx_{}(&c11)",
)
FIRST = {
    MUTEX: ("lock", "trylock", "timedlock"),
    SPIN: ("lock", "trylock"),
    LOCK: ("rdlock", "wrlock", "tryrdlock", "trywrlock", "timedrdlock", "timedwrlock"),
    C11: ("lock", "trylock", "timedlock"),
}
AGAIN = {MUTEX: ("lock",), SPIN: ("lock",), LOCK: ("rdlock", "wrlock"), C11: ("lock",)}

CASES = [(lock, first, again) for lock, firsts in FIRST.items() for first in firsts for again in AGAIN[lock]]


def call(lock: str, name: str) -> str:
    text = lock.format(name)
    return text.replace(")", ", &limit)") if name.startswith("timed") else text


def waits(lock: str, first: str, between: str, again: str) -> list[bool]:
    """Whether what takes a lock again is safe, for each check of it."""
    found = decided(START, f"if ({call(lock, first)}) return 1; {between}\n{call(lock, again)};", "deadlock")
    return [item.is_safe for item in found if item.line == START.count("\n") + 4]


@pytest.mark.parametrize(("lock", "first", "again"), CASES)
def test_a_lock_that_is_held_is_waited_for(lock: str, first: str, again: str) -> None:
    found = waits(lock, first, "", again)
    assert found
    assert not any(found)


@pytest.mark.parametrize("lock", FIRST)
def test_a_lock_that_was_given_back_is_not(lock: str) -> None:
    for again in AGAIN[lock]:
        found = waits(lock, again, f"{lock.format('unlock')};", again)
        assert found
        assert all(found)
