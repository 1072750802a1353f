"""Atomic operations on whole structures: only what their first argument leads to is accessed atomically."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import open_races

START = """#include <pthread.h>
struct pair { int first, second; };
static struct pair shared, other;
"""
REST = """
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    return 0;
}
"""
ATOMIC = (
    "__atomic_load(&shared, &seen, 5);",
    "__atomic_store(&shared, &own, 5); __atomic_load(&shared, &seen, 5);",
    "__atomic_exchange(&shared, &own, &seen, 5); __atomic_load(&shared, &seen, 5);",
    "__atomic_compare_exchange(&shared, &seen, &own, 0, 5, 5); __atomic_store(&shared, &own, 5);",
)
NOT_ATOMIC = (
    "__atomic_load(&shared, &other, 5);",
    "__atomic_store(&shared, &other, 5); __atomic_store(&other, &own, 5);",
    "__atomic_exchange(&shared, &own, &other, 5);",
    "__atomic_exchange(&shared, &other, &seen, 5); __atomic_store(&other, &own, 5);",
    "__atomic_compare_exchange(&shared, &other, &own, 0, 5, 5);",
    "__atomic_compare_exchange(&shared, &seen, &other, 0, 5, 5); __atomic_store(&other, &own, 5);",
)


@pytest.mark.parametrize("steps", [*ATOMIC, *NOT_ATOMIC])
def test_what_is_atomic(steps: str, tmp_path: Path) -> None:
    work = f"void *work(void *unused) {{ struct pair own = {{1, 2}}, seen = {{0, 0}}; {steps} return 0; }}"
    races = open_races(tmp_path / "a.c", f"{START}{work}{REST}")
    assert (not races) == (steps in ATOMIC)
    assert all("other" in race and "shared" not in race for race in races)
