"""Arrays that are sorted, or looked through: elements change places, and hold nothing that no element held before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.bodies import compiled, decided, fails

START = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
struct s { int key; int *to; double weight; };
struct rows { int a[2]; int b[2]; };
struct list { int n; int a[4]; };
struct locked { pthread_mutex_t m; int key; };
union either { int n; float f; };
static int one = 1, two = 2, other = 5, seen, calls, sorted[2] = {2, 1};
static struct s pairs[2] = {{2, &two, 1}, {1, &one, 2}};
static char names[2][4] = {"b", "a"};
static int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_key(const void *a, const void *b) { return ((const struct s *)a)->key - ((const struct s *)b)->key; }
static int by_name(const void *a, const void *b) { return memcmp(b, a, 4); }
static int by_target(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }
static int by_address(const void *a, const void *b) { long l = *(long *)a, r = *(long *)b; return (l < r) - (l > r); }
static int looking(const void *a, const void *b) { if (*(int *)a == 1 || *(int *)b == 1) seen = 1; return by(a, b); }
static int counting(const void *a, const void *b) { calls++; return by(a, b); }
static int changing(const void *a, const void *b) { int r = by(a, b); *(int *)a = *(int *)b = 2; return r; }
static int telling(const void *a, const void *b, void *c) { *(int *)c = 1; return by(a, b); }
static int beyond(const void *a, const void *b) { return ((int *)a)[4] - *(int *)b; }
static void sort(struct list *l) { qsort(l->a, l->n, sizeof *l->a, by); }
"""
NUMBERS = "int n[4] = {4, 3, 2, 1};"
FAILING = {
    "where an element was": f"{NUMBERS} qsort(n, 4, sizeof *n, by); assert(n[0] == 4);",
    "all of them": "int n[3] = {3, 1, 2}; qsort(n, 3, 4, by); assert(n[0] != 1 || n[1] != 2 || n[2] != 3);",
    "none of them": f"{NUMBERS} qsort(n, 0, sizeof *n, by); assert(n[0] != 4);",
    "none behind the end": f"{NUMBERS} calls = 1; qsort(n + 4, 0, sizeof *n, counting); assert(calls != 1);",
    "perhaps none": f"{NUMBERS} int k = one - 1; qsort(n, k, sizeof *n, by); assert(k != 0);",
    "from the second on": f"{NUMBERS} qsort(n + 1, 3, sizeof *n, by); assert(n[3] == 1);",
    "from a moved pointer on": f"{NUMBERS} int *p = n; p += two - 1; qsort(p, 3, 4, by); assert(n[3] == 1);",
    "one of two arrays": f"{NUMBERS} int m[4] = {{0}}, *p = two ? n : m; qsort(p, 4, 4, by); assert(n[3] == 1);",
    "pointers": "int *p[2] = {&two, &one}; qsort(p, 2, sizeof *p, by_target); *p[0] = 7; assert(one == 1);",
    "a pointer that is null": "int *p[2] = {&one, 0}; qsort(p, 2, sizeof *p, by_address); *p[1] = 1;",
    "structures": "qsort(pairs, 2, sizeof *pairs, by_key); *pairs[0].to = 7; assert(one == 1);",
    "on the heap": "int *n = malloc(8); if (n) { n[0] = 2; n[1] = 1; qsort(n, 2, 4, by); assert(n[0] == 2); }",
    "without a type": f"{NUMBERS} void *p = n; qsort(p, 4, 4, by); assert(n[3] == 1);",
    "as bytes": f"{NUMBERS} char *p = (char *)n; qsort(p, 4, 4, by); assert(n[3] == 1);",
    "as larger ones": "_Alignas(8) int n[4] = {1, 2, 9, 9}; qsort((long *)n, 2, 8, by_address); assert(n[1] == 2);",
    "a matrix as a row": "int m[2][2] = {{4, 3}, {2, 1}}; qsort(m, 4, sizeof(int), by); assert(m[1][1] == 1);",
    "rows": "int m[2][2] = {{4, 3}, {2, 1}}; qsort(m, 2, sizeof *m, by); assert(m[0][1] == 3);",
    "behind a member": "static struct rows v = {{4, 3}, {2, 1}}; qsort(v.a, 4, sizeof(int), by); assert(v.b[1] == 1);",
    "a member": "struct list v = {4, {4, 3, 2, 1}}; sort(&v); assert(v.a[3] == 1);",
    "a union": "union either v[2] = {{2}, {1}}; qsort(v, 2, sizeof *v, by); assert(v[0].n == 2);",
    "addresses in numbers": (
        "long v[2] = {1, (long)&one}; qsort(v, 2, sizeof *v, by_address); *(int *)v[0] = 7; assert(one == 1);"
    ),
    "pointers as numbers": (
        "int *v[2] = {0, &one}; qsort((long *)v, 2, 8, by_address); if (v[0]) *v[0] = 7; assert(one == 1);"
    ),
    "the end of a string": (
        'memcpy(names[1], "b", 2); memcpy(names[0], "aaaa", 4); qsort(names, 2, 4, by_name); seen = strlen(names[1]);'
    ),
    "what is compared meanwhile": "qsort(sorted, 2, sizeof *sorted, looking); assert(!seen);",
    "how often it is compared": "qsort(sorted, 2, sizeof *sorted, counting); assert(!calls);",
    "what comparing changes": "qsort(sorted, 2, sizeof *sorted, changing); assert(sorted[0] == 1 || sorted[1] == 1);",
    "what comparing is given": f"{NUMBERS} int k = 0; qsort_r(n, 4, sizeof *n, telling, &k); assert(!k);",
    "with what is given": f"{NUMBERS} int k = 0; qsort_r(n, 4, sizeof *n, telling, &k); assert(n[0] == 4);",
    "more than there are": f"{NUMBERS} qsort(n, 3 + two, sizeof *n, by);",
    "larger ones than there are": f"{NUMBERS} qsort(n, 4, 8, by);",
    "compared beyond the end": f"{NUMBERS} qsort(n, 4, sizeof *n, beyond);",
    "found": "int n[3] = {1, 2, 3}, k = 2, *p = bsearch(&k, n, 3, sizeof *n, by); assert(!p);",
    "not found": "int n[3] = {1, 2, 3}, k = 7, *p = bsearch(&k, n, 3, sizeof *n, by); *p = 9;",
    "written where it is found": (
        "int n[3] = {1, 2, 3}, k = 2, *p = bsearch(&k, n, 3, sizeof *n, by); if (p) *p = 9; assert(n[1] == 2);"
    ),
    "the key that is compared": "int n[3] = {1, 2, 3}, k = 1; bsearch(&k, n, 3, sizeof *n, looking); assert(!seen);",
    "a key that comparing changes": "int n[3] = {1, 2, 3}, k = 1; bsearch(&k, n, 3, 4, changing); assert(k == 1);",
}  # fmt: skip
PROVED = {
    "values": f"{NUMBERS} qsort(n, 4, sizeof *n, by); for (int i = 0; i < 4; i++) assert(1 <= n[i] && n[i] <= 4);",
    "pointers": "qsort(pairs, 2, sizeof *pairs, by_key); *pairs[0].to = 7; assert(other == 5 && pairs[1].key <= 2);",
    "on the heap": (
        "int **p = malloc(2 * sizeof *p); if (!p) return 0; p[0] = &two; p[1] = &one;"
        " qsort(p, 2, sizeof *p, by_target); *p[1] = 3; assert(other == 5);"
    ),
    "with what is given": "int n[2] = {2, 1}, k = 0; qsort_r(n, 2, sizeof *n, telling, &k); assert(n[0] < 3 && k < 2);",
    "some of them": f"{NUMBERS} qsort(n + 2, 2, sizeof *n, by); assert(n[0] == 4 && n[2] <= 2);",
    "a member": "struct rows v = {{4, 3}, {2, 1}}; qsort(v.a, 2, sizeof(int), by); assert(v.b[1] == 1);",
    "what is found": f"{NUMBERS} int k = 2, *p = bsearch(&k, n, 4, sizeof *n, by); if (p) assert(1 <= *p && *p <= 4);",
}  # fmt: skip
PROPERTIES = ("assertion", "array-bounds", "null-dereference")


def is_proved(body: str) -> bool:
    found = decided(START, body, *PROPERTIES)
    assert found
    return all(check.is_safe for check in found)


@pytest.mark.parametrize("name", PROVED)
def test_elements_hold_what_some_element_held(name: str) -> None:
    assert is_proved(PROVED[name])


@pytest.mark.parametrize("name", FAILING)
def test_they_change_places(name: str) -> None:
    assert not is_proved(FAILING[name])


def test_what_is_open_fails(tmp_path: Path) -> None:
    program = compiled(START, FAILING, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILING) if not fails(program, at)] == []
