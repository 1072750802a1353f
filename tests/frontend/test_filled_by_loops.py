"""Arrays that a loop fills from the first element on, as far as a number says, are set as far as that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved

START = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int any(void); struct one { int id; pthread_t t; };
static int a[100], other[100]; static struct one *row[100]; int known[100];
static void *work(void *x) { return 0; }
static void *fills(void *x) { known[any() & 63] = 0; return 0; }
static void *clears(void *x) { for (int i = 0; i < 100; i++) a[i] = 0; return 0; }
static void fill(int *of, int count) { for (int i = 0; i < count; i++) of[i] = 1; }
static struct one *made(void) { struct one *m = malloc(sizeof *m); if (!m) exit(1); m->id = 0; return m; }
int main(void) {
  int n = any(), i, k, own[100]; int *heap = malloc(100 * sizeof *heap); pthread_t t;
  if (n < 0 || n > 100 || !heap) return 1;
"""
ALL = "for (k = 0; k < n; k++) assert(a[k] == 1);"
FILL = "for (i = 0; i < n; i++) {}[i] = 1;"
HOLDING = {
    "a static array": FILL.format("a") + ALL,
    "a global array": FILL.format("known") + "for (k = 0; k < n; k++) assert(known[k] == 1);",
    "an array of the function": FILL.format("own") + "for (k = 0; k < n; k++) assert(own[k] == 1);",
    "an array of the heap": FILL.format("heap") + "for (k = 0; k < n; k++) assert(heap[k] == 1);",
    "down": FILL.format("a") + "for (k = n - 1; k >= 0; k--) assert(a[k] == 1);",
    "some of them": FILL.format("a") + "for (k = 1; k + 1 < n; k++) assert(a[k] == 1);",
    "one of them": FILL.format("a") + "k = any(); if (k >= 0 && k < n) assert(a[k] == 1);",
    "a loop that ends early": "for (i = 0; i < n; i++) { if (any()) break; a[i] = 1; }"
    " for (k = 0; k < i; k++) assert(a[k] == 1);",
    "pointers": "for (i = 0; i < n; i++) row[i] = made(); for (k = 0; k < n; k++) assert(row[k] != 0);",
    "threads": "for (i = 0; i < n; i++) { row[i] = made(); pthread_create(&t, 0, work, row[i]); }"
    " for (k = 0; k < n; k++) assert(row[k] != 0);",
    "a parameter": "fill(a, n); " + ALL,
}
FAILING = {
    "one more": FILL.format("a") + "for (k = 0; k <= n && k < 100; k++) assert(a[k] == 1);",
    "another number": FILL.format("a") + "int m = any(); for (k = 0; k < m && k < 100; k++) assert(a[k] == 1);",
    "one less is filled": "for (i = 0; i + 1 < n; i++) a[i] = 1; " + ALL,
    "from the second on": "for (i = 1; i < n; i++) a[i] = 1; " + ALL,
    "every other": "for (i = 0; i < n; i += 2) a[i] = 1; " + ALL,
    "twice as fast": "for (i = 0; i < n; i++) { a[i] = 1; if (any()) i++; } " + ALL,
    "where a condition holds": "for (i = 0; i < n; i++) if (any()) a[i] = 1; " + ALL,
    "down, not to the end": "for (i = n - 1; i > 0; i--) a[i] = 1; " + ALL,
    "another array": FILL.format("other") + ALL,
    "one is changed": FILL.format("a") + "if (n > 3) a[any() & 3] = 0; " + ALL,
    "one is changed by its address": FILL.format("a") + "int *p = &a[any() & 3]; *p = 0; " + ALL,
    "another thread": "pthread_create(&t, 0, fills, 0);"
    + FILL.format("known")
    + "for (k = 0; k < n; k++) assert(known[k] == 1);",
    "another thread that clears all": "pthread_create(&t, 0, clears, 0);" + FILL.format("a") + ALL,
    "a loop that is left": "for (i = 0; i < n; i++) { if (any()) break; a[i] = 1; } " + ALL,
    "a number that grows": FILL.format("a") + "n++; for (k = 0; k < n && k < 100; k++) assert(a[k] == 1);",
    "an index that starts over": "for (i = 0; i < n; i++) { a[i] = 1; if (any()) i = -1; } a[0] = 0; " + ALL,
    "in the heap, one more": FILL.format("heap") + "for (k = 0; k <= n && k < 100; k++) assert(heap[k] == 1);",
    "of the function, one more": FILL.format("own") + "for (k = 0; k <= n && k < 100; k++) assert(own[k] == 1);",
    "of the function, again": "for (int r = 0; r < 2; r++) { int own2[100];"
    " if (!r) for (i = 0; i < n; i++) own2[i] = 1; else for (k = 0; k < n; k++) assert(own2[k] == 1); }",
    "pointers, one more": "for (i = 0; i < n; i++) row[i] = made();"
    " for (k = 0; k <= n && k < 100; k++) assert(row[k]);",
    "pointers that may be null": "for (i = 0; i < n; i++) row[i] = malloc(8); for (k = 0; k < n; k++) assert(row[k]);",
    "one that is freed": "for (i = 0; i < n; i++) row[i] = made(); if (n) { free(row[0]); row[0] = 0; }"
    " for (k = 0; k < n; k++) assert(row[k]);",
    "a parameter, less": "fill(a, n - 1); " + ALL,
    "a parameter, from the second on": "fill(a + 1, n - 1); " + ALL,
    "bytes": FILL.format("a") + "((char *)a)[any() & 7] = 0; " + ALL,
    "from outside": FILL.format("a") + "void give(int *); give(a); " + ALL,
}


@pytest.mark.parametrize("name", HOLDING)
def test_elements_that_were_set(name: str, tmp_path: Path) -> None:
    text = f"{START}{HOLDING[name]} return 0; }}\n"
    assert are_proved(tmp_path / "a.c", text, ("assertion",), "octagon")


@pytest.mark.parametrize("name", FAILING)
def test_elements_that_need_not_be_set(name: str, tmp_path: Path) -> None:
    text = f"{START}{FAILING[name]} return 0; }}\n"
    assert not are_proved(tmp_path / "a.c", text, ("assertion",), "octagon")
