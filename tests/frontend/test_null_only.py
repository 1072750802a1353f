"""Pointers that are never anything but null: what is done through them is never done, and touches nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.judgments.pointers import Pointers
from tests.frontend.bodies import compiled, decided, fails

START = """
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
int any(void);
int value = 5, *taken = &value, *never, *later, **to_later = &later;
struct node first, second = {1, &first};
uintptr_t number;
int *volatile seen;
_Atomic(int *) shared;
union { int *p; uintptr_t n; char bytes[8]; } view;
static void set(int *p) { if (p) *p = 1; }
static void clear(int *p, int n) { if (p) memset(p, 1, n); }
static int *give(int *p) { return p; }
static void *work(void *p) { later = p; return p; }
"""
PROVED = {
    "a parameter": "set(0); assert(*taken == 5);",
    "a parameter for bytes": "clear(0, any()); assert(*taken == 5);",
    "a global": "if (never) *never = 1; never = 0; assert(*taken == 5);",
    "a result": "int *p = give(0); if (p) *p = 1; assert(*taken == 5);",
    "a copy of another one": "int *p = never, *q = p; set(q); assert(*taken == 5);",
}
FAILING = {
    "a parameter of one of two calls": "set(0); set(taken); assert(*taken == 5);",
    "one that is set later": "for (int i = 0; i < 2; i++) { set(later); later = taken; } assert(*taken == 5);",
    "by way of a pointer": "*to_later = taken; set(later); assert(*taken == 5);",
    "as bytes": "memcpy(&later, &taken, sizeof later); set(later); assert(*taken == 5);",
    "byte by byte": (
        "for (unsigned i = 0; i < sizeof later; i++) ((char *)&later)[i] = ((char *)&taken)[i];"
        " set(later); assert(*taken == 5);"
    ),
    "as a number": "number = (uintptr_t)taken; set((int *)number); assert(*taken == 5);",
    "a number in a variable": "number = (uintptr_t)taken; int *p = (int *)number; set(p); assert(*taken == 5);",
    "an atomic one": "shared = taken; set(shared); assert(*taken == 5);",
    "a member": "second.next = 0; second.next = &second; second.next->value = 2; assert(second.value == 1);",
    "a member at first": "second.next->value = 1; assert(first.value == 0);",
    "a union": "view.p = 0; view.n = (uintptr_t)taken; set(view.p); assert(*taken == 5);",
    "an exchange": "__atomic_store_n(&later, taken, __ATOMIC_SEQ_CST); set(later); assert(*taken == 5);",
    "a comparison": (
        "int *no = 0; __atomic_compare_exchange_n(&later, &no, taken, 0, 5, 5); set(later); assert(*taken == 5);"
    ),
    "another thread": (
        "pthread_t t; if (pthread_create(&t, 0, work, taken)) abort(); pthread_join(t, 0); set(later);"
        " assert(*taken == 5);"
    ),
    "the argument of a thread": (
        "pthread_t t; void *p = 0; if (pthread_create(&t, 0, work, (void *)8)) abort(); pthread_join(t, &p);"
        " assert(p == 0);"
    ),
    "a number that is no address": "later = (int *)8; assert(later == 0);",
    "an error": "static int *e = (int *)-1; assert(e == 0);",
    "moved from null": "char *p = 0; p += 8; assert(p == 0);",
    "moved down from null": "char *p = (char *)later, *q = p - 8; if (!p) assert(q == 0);",
    "moved from null by any number": "int by = any(); char *p = (char *)later, *q = p - by - 1; assert(p || !q);",
    "an array": "int *a[2] = {0}; a[any() & 1] = taken; set(a[1]); assert(*taken == 5);",
}  # fmt: skip


def is_proved(body: str) -> bool:
    found = decided(START, body, "assertion")
    assert found
    return all(check.is_safe for check in found)


@pytest.mark.parametrize("name", PROVED)
def test_nothing_is_done_through_null(name: str) -> None:
    assert is_proved(PROVED[name])


@pytest.mark.parametrize("name", FAILING)
def test_others_are_followed(name: str) -> None:
    assert not is_proved(FAILING[name])


def test_a_defect_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pointers, "is_null", lambda self, cell: not self.spots.get(cell))
    assert is_proved(FAILING["a number in a variable"])


def test_what_is_open_fails(tmp_path: Path) -> None:
    program = compiled(START, FAILING, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILING) if not fails(program, at)] == []
