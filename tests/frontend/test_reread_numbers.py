"""Numbers that are read of memory again: what was read or written there before, unless it may have changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from duet.options import Budgets
from tests.frontend.test_rereads import proved

START = """
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int any(void); extern void change(void *);
struct bits { unsigned a : 12, b : 12; unsigned char c, d; } __attribute__((packed));
struct node {
  int n, m; short s; _Bool is; struct node *next; int list[4]; float f;
  union { int i; unsigned u; char c[4]; float g; }; struct bits bits; volatile int v; _Atomic int at;
};
static struct node *first, *second; static int numbers[16]; static char letters[16]; static jmp_buf env;
static struct node *pick(void) { struct node *s = any() ? first : second; if (!s) exit(1); return s; }
static struct node *maybe(void) { return any() ? pick() : 0; }
static void set(struct node *p) { p->n = any(); }
static int deep(struct node *p, int k) { int x = k; if (k > 0) deep(p, k - 1); p->n = k; return x; }
"""
SAME = {
    "what was read": "int x = p->n; assert(p->n == x);",
    "what was written": "p->n = k; assert(p->n == k);",
    "a constant": "p->n = 3; assert(p->n == 3);",
    "a sum": "p->n = k / 2 + 1; assert(p->n == k / 2 + 1);",
    "one less": "if (p->n > 0) { p->n--; assert(p->n >= 0); }",
    "what a condition says": "if (p->n != k) return; p->m = 1; assert(p->n == k);",
    "on both ways": "if (p->n != k) p->n = k; assert(p->n == k);",
    "is not null": "if (p->n == 0) p->n = 1; assert(p->n != 0);",
    "found in a list": "while (o && o->n != k) o = o->next; if (o) assert(o->n == k);",
    "found, or made": (
        "while (o && o->n != k) o = o->next; if (!o) { o = pick(); o->n = k; o->next = 0; } assert(o->n == k);"
    ),
    "an element": "int i = any() & 15; numbers[i] = k; assert(numbers[i] == k);",
    "an element by a remainder": "unsigned i = any(); numbers[i % 16] = k; assert(numbers[i % 16] == k);",
    "an element beside": "int i = any() & 7; numbers[i] = k; numbers[i + 1] = 0; assert(numbers[i] == k);",
    "a truth value": "p->is = any(); p->n = 0; if (p->is) assert(p->is);",
}
CHANGED = {
    "itself": "int x = p->n; p->n = any(); assert(p->n == x);",
    "by another pointer": "p->n = k; q->n = any(); assert(p->n == k);",
    "by one to the member": "int *m = &q->n; p->n = k; *m = any(); assert(p->n == k);",
    "as bytes": "char *c = (char *)q; p->n = k; c[any() & 3] = 7; assert(p->n == k);",
    "as a short number": "short *c = (short *)q; p->n = k; c[1] = 7; assert(p->n == k);",
    "from behind": "struct node *r = q + 1; p->n = k; r[-1].n = 0; assert(p->n == k);",
    "the number": "p->n = k; k = any(); assert(p->n == k);",
    "a part of the sum": "int x = any() & 7; p->n = k + x; x = any() & 7; assert(p->n == k + x);",
    "the pointer": "p->n = k; p = q; assert(p->n == k);",
    "the pointer, back and forth": "p->n = k; p++; p--; p = q; assert(p->n == k);",
    "the index": "int i = any() & 15; numbers[i] = k; i = (i + 1) & 15; assert(numbers[i] == k);",
    "another element": "int i = any() & 15; numbers[i] = k; numbers[any() & 15] = 0; assert(numbers[i] == k);",
    "another remainder": "unsigned i = any(); numbers[i % 16] = k; i += 5; assert(numbers[i % 16] == k);",
    "the same remainder of another": (
        "unsigned i = any(); numbers[i % 16] = k; numbers[(i + 16) % 16] = 0; assert(numbers[i % 16] == k);"
    ),
    "by the library": "p->n = k; memset(q, 1, sizeof *q); assert(p->n == k);",
    "copied over": "p->n = k; memcpy(p, q, sizeof *p); assert(p->n == k);",
    "read of a file": "p->n = k; read(0, q, sizeof *q); assert(p->n == k);",
    "a structure": "p->n = k; *p = *q; assert(p->n == k);",
    "a function": "p->n = k; set(q); assert(p->n == k);",
    "a function that recurs": "p->n = k; deep(q, 2); assert(p->n == k);",
    "code that is not there": "p->n = k; change(q); assert(p->n == k);",
    "an atomic operation": "p->n = k; __sync_fetch_and_add(&q->n, 1); assert(p->n == k);",
    "an exchange": "int x = any(); p->n = k; __atomic_exchange(&q->n, &x, &x, 5); assert(p->n == k);",
    "in a union": "p->i = k; p->c[1] = any(); assert(p->i == k);",
    "a float in a union": "p->i = k; p->g = 1; assert(p->i == k);",
    "as unsigned": "p->i = -1; assert(p->u == -1 + (k & 0L));",
    "a short number": "p->s = k; assert(p->s == k);",
    "a part of it": "p->n = k; assert(*(short *)&p->n == k);",
    "bits": "p->bits.a = k; assert(p->bits.a == k);",
    "other bits": "p->bits.a = 5; p->bits.b = any(); assert(p->bits.b == 5);",
    "bits over bytes": "unsigned char *c = (unsigned char *)p; c[offsetof(struct node, bits) + 2] = 0;"
    " p->bits.b = 4095; assert(c[offsetof(struct node, bits) + 2] == 0);",
    "a truth value of any number": "p->is = k; assert(p->is == k);",
    "only on one way": "if (any()) p->n = k; assert(p->n == k);",
    "on two ways": "if (any()) p->n = k; else p->n = k + 1; assert(p->n == k);",
    "next time round": "for (int i = 0; i < 3; i++) { if (i) assert(p->n == k); p->n = k; q->n = 0; }",
    "a jump": "p->n = k; if (setjmp(env) == 0) { q->n = 0; longjmp(env, 1); } assert(p->n == k);",
    "given back": "struct node *x = malloc(sizeof *x); if (x) { p->next = x; x->n = k; free(x); x = malloc(sizeof *x);"
    " if (x) { p->next = x; assert(p->next->n == k); } }",
    "moved": "struct node *x = malloc(sizeof *x); if (x) { x->n = k; x = realloc(x, 4); if (x) { set(x); p->next = x;"
    " assert(p->next->n == k); } }",
    "another in the list": "while (o && o->n != k) o = o->next; if (o) { o = o->next; if (o) assert(o->n == k); }",
    "the list's end was null": "struct node *r = q; if (o) r = o, o->n = k; assert(r->n == k);",
    "null at first": "if (o) o->n = k; o = pick(); assert(o->n == k);",
    "equal on the way without": (
        "struct node *r = pick(), *t = pick(); if (o) { if (!o->next) return; r = o->next; t = o->next; }"
        " r->n = 1; t->n = 2; assert(r->n == 2);"
    ),
    "an index that is null": (
        "int i = any() & 7; if (i) { letters[i] = 3; } letters[0] = 1; if (any()) i = 0; assert(letters[i] == 3);"
    ),
    "what a condition said once": "if (p->n == k) { q->n = 0; assert(p->n == k); }",
    "what a condition does not say": "if (p->n >= k) assert(p->n == k);",
    "not null once": "if (p->n == 0) p->n = 1; q->n = 0; assert(p->n != 0);",
    "less than nothing": "p->n--; assert(p->n >= 0);",
}
MAIN = """
int main(void) {
  while (any()) {
    struct node *s = calloc(1, sizeof *s); if (!s) exit(1);
    s->n = any(); s->next = any() ? first : second;
    if (any()) first = s; else second = s;
  }
  %s
}
"""
LOCKED = "pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);"
OTHERS = {
    "nobody": ("", "", True),
    "under the lock": ("", LOCKED % "shared->n = any();", True),
    "another member": ("", LOCKED % "shared->m = 1;", True),
    "no lock": ("", "shared->n = any();", False),
    "another lock": ("", "pthread_mutex_lock(&k); shared->n = any(); pthread_mutex_unlock(&k);", False),
    "a lock too short": ("", LOCKED % "" + "shared->n = any();", False),
    "given back in between": (
        "pthread_mutex_unlock(&m); pthread_mutex_lock(&m);",
        LOCKED % "shared->n = any();",
        False,
    ),
    "waited for": ("pthread_cond_wait(&c, &m);", LOCKED % "shared->n = any();", False),
    "atomically": ("", "__sync_fetch_and_add(&shared->n, 1);", False),
    "by the library": ("", "memset(shared, 1, 4);", False),
    "as bytes": ("", "((char *)shared)[0] = 1;", False),
    "by an address in it": ("", "int *a = &shared->m; a[-1] = 1;", False),
}
THREADS = """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct node *shared, *old;
static void *reader(void *of) {
  pthread_mutex_lock(&m);
  struct node *p = any() ? shared : old;
  int x = p->n; %s assert(p->n == x);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *other(void *of) { %s return 0; }
int main(void) {
  pthread_t x, y;
  do { old = shared; shared = calloc(1, sizeof *shared); if (!shared) return 1; } while (any() || !old);
  pthread_create(&x, 0, reader, 0); pthread_create(&y, 0, other, 0);
}
"""


SMALL = replace(Budgets(), program_commands=100_000)
ALL = [
    {"a control": SAME["on both ways"], **dict(list(CHANGED.items())[at : at + 8])} for at in range(0, len(CHANGED), 8)
]


@pytest.mark.parametrize("cases", [SAME, *ALL])
def test_numbers_are_there_until_something_else_may_be_written(cases: Mapping[str, str], tmp_path: Path) -> None:
    parameters = "struct node *p, struct node *q, struct node *o, int k"
    functions = [f"static void f{at}({parameters}) {{ {it} }}" for at, it in enumerate(cases.values())]
    calls = "".join(f"if (any()) f{at}(pick(), pick(), maybe(), any());\n" for at in range(len(cases)))
    text = "\n".join((START, *functions, MAIN % calls))
    found = proved(text, tmp_path / "a.c", SMALL, properties=("assertion",))
    assert {name for at, name in enumerate(cases) if found[f"f{at}"]} == {*SAME, "a control"} & set(cases)


@pytest.mark.parametrize("name", OTHERS)
def test_other_threads_may_write_numbers(name: str, tmp_path: Path) -> None:
    between, other, is_same = OTHERS[name]
    found = proved(START + THREADS % (between, other), tmp_path / "a.c", properties=("assertion",))
    assert found["reader"] == is_same


ITSELF = """
#include <assert.h>
extern int any(void); static int numbers[16];
static int *into(int z, int *k) { return z & 1 ? numbers + (z & 15) : k; }
static void same(void) { int k = 3; int *p = into(any(), &k), l = k; *p = l + 1; assert(*p == l + 1); }
static void number(void) { int k = 3; int *p = into(any(), &k); *p = k + 1; assert(*p == k + 1); }
static void sum(void) { int k = 3, j = any(); int *p = into(any(), &k); *p = k + j; int y = *p; assert(y == k + j); }
static void pointer(void) {
  static void *other; void *p = numbers, **r = any() ? &other : &p; *r = (char *)p + 4; assert(*r == (char *)p + 4);
}
int main(void) { same(); number(); sum(); pointer(); }
"""


def test_a_number_may_be_written_over_by_the_store_of_it(tmp_path: Path) -> None:
    found = proved(ITSELF, tmp_path / "a.c", properties=("assertion",))
    assert found == {"same": True, "number": False, "sum": False, "pointer": False}
