"""Pointers that were never moved lead to known distances behind the starts of their objects, also of each thread's own.

Each program of `FAILING` fails when it runs, with sanitizers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.bodies import compiled, decided, fails

START = """
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int any(void);
struct box { char *text; int n; };
struct pair { char small[4]; char large[64]; int n; };
static struct box *shared;
static char get(char *p, int n) { return p[n]; }
static char first(char *p) { return p[0]; }
static char *same(char *p) { return any() ? p : 0; }
static int sum(struct pair *p) { return p->n + p->large[5]; }
static void *work(void *q) {
  char bytes[64], few[8]; struct pair pair; struct box own = {bytes, any()}, *b = &own; int n = any();
  memset(bytes, 0, sizeof bytes); memset(few, 0, sizeof few); memset(&pair, 0, sizeof pair); (void)q; (void)b; (void)n;
  if (shared) { shared->text = bytes; shared->text = few; shared->text = pair.large; }
  @
  return 0;
}
static void run(void) {
  shared = malloc(sizeof *shared);
  for (int i = 0; i < any(); i++) { pthread_t t; if (pthread_create(&t, 0, work, 0)) abort(); pthread_join(t, 0); }
}
"""
PROVED = {
    "an index": "if (n >= 0 && n < 64) get(bytes, n);",
    "the start": "first(bytes); first(few); first(pair.large);",
    "a result": "char *p = same(bytes); if (p && n >= 0 && n < 64) get(p, n);",
    "a structure": "sum(&pair);",
}
FAILING = {
    "an index that is too large": "if (n >= 0) get(bytes, n + 57);",
    "an index that is negative": "get(bytes, n - 8);",
    "one of two": "char *p = n & 1 ? few : bytes; get(p, n + 1);",
    "what was moved": "get(bytes + 8, n + 49);",
    "what was moved back": "get(bytes - n + 7, 64);",
    "moved in a loop": "char *p = bytes; for (int i = 0; i < n; i++) p++; get(p, 57);",
    "moved as a number": "uintptr_t u = (uintptr_t)few; u += n; get((char *)u, 1);",
    "a member": "get(pair.large + n, 64);",
    "a larger type": "sum((struct pair *)few);",
    "an element": "get(&few[n], 1);",
    "kept elsewhere": "own.text = few + n; b->n = 1; get(b->text, b->n);",
    "bytes of a pointer": "char *p = few + 7, *r; memcpy(&r, &p, sizeof r); get(r, 1);",
}


def _program(body: str) -> str:
    return START.replace("@", body)


@pytest.mark.parametrize("name", PROVED)
def test_what_is_inside_of_all_objects_is_proved(name: str) -> None:
    found = decided(_program(PROVED[name]), "run();", "array-bounds")
    assert found
    assert all(check.is_safe for check in found)


@pytest.mark.parametrize("name", FAILING)
def test_what_may_be_outside_is_open(name: str) -> None:
    assert not all(check.is_safe for check in decided(_program(FAILING[name]), "run();", "array-bounds"))


@pytest.mark.parametrize("name", FAILING)
def test_it_is_outside(name: str, tmp_path: Path) -> None:
    program = compiled(_program(FAILING[name]), {name: "run();"}, tmp_path)
    assert program is None or fails(program, 0)
