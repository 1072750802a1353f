"""What joining one of many threads gives: a pointer that leads where such threads have ended with, and nowhere else."""

from __future__ import annotations

import pytest

from duet.frontend.ctypes import origins
from duet.frontend.models import threads
from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
extern int any(void);
int zero, one, kept = 5, *hidden;
static void *gives(void *p) { (void)p; return any() ? &zero : &one; }
static void *leaves(void *p) { if (any()) pthread_exit(&zero); return p; }
static void *adds(void *p) { hidden = &kept; return (void *)((uintptr_t)&kept); }
static void *short_one(void *p) { (void)p; hidden = &kept; return (void *)(uintptr_t)(unsigned)any(); }
static int result(void) { return any(); }
"""
TWO = "pthread_t t[9]; for (int i = 0; i < 9; i++) if (pthread_create(&t[i], 0, {}, {})) return 0;"
JOIN = "int *r = 0; for (int i = 0; i < 9; i++) { void *p; pthread_join(t[i], &p); if (p != (void *)-1) r = p; }"
PROVED = {
    "others are not written": TWO.format("gives", 0) + JOIN + " if (r) *r = 1; assert(kept == 5);",
    "also where they exit": TWO.format("leaves", "&one") + JOIN + " if (r) *r = 1; assert(kept == 5);",
}
OPEN = {
    "what it gives": TWO.format("gives", 0) + JOIN + " if (r) *r = 1; assert(zero == 0);",
    "what it exits with": TWO.format("leaves", "&kept") + JOIN + " if (r) *r = 1; assert(zero == 0);",
    "what it was given": TWO.format("leaves", "&kept") + JOIN + " if (r) *r = 1; assert(kept == 5);",
    "what was a number": TWO.format("adds", 0) + JOIN + " if (r) *r = 1; assert(kept == 5);",
    "a number with less bytes": TWO.format("short_one", 0) + JOIN + " if (r) *r = 1; assert(kept == 5);",
    "a function of another type": (
        TWO.format("(void *(*)(void *))result", 0) + JOIN + " hidden = &kept; if (r) *r = 1; assert(kept == 5);"
    ),
    "one of another template": (
        TWO.format("gives", 0)
        + " pthread_create(&t[any() & 7], 0, leaves, &kept);"
        + JOIN
        + " if (r) *r = 1; assert(kept == 5);"
    ),
    "an id that nobody knows": (
        TWO.format("leaves", "&kept")
        + " pthread_t id = (pthread_t)any(); void *p = 0; pthread_join(id, &p); int *r = p; if (r) *r = 1;"
        " assert(kept == 5);"
    ),
}


def is_proved(body: str) -> bool:
    found = decided(START, body, "assertion")
    assert found
    return all(check.is_safe for check in found)


@pytest.mark.parametrize("name", PROVED)
def test_it_leads_nowhere_else(name: str) -> None:
    assert is_proved(PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_it_leads_where_they_end(name: str) -> None:
    assert not is_proved(OPEN[name])


def test_a_defect_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    told = origins.threads
    monkeypatch.setattr(threads, "threads", lambda found: told(found)[:1])
    assert is_proved(OPEN["one of another template"])
