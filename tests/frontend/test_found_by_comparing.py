"""A local whose address a thread finds out by comparing or subtracting is no more its own: others may have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved, fails

START = """#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static uintptr_t n; static struct { int *q; } s;
static int same(char *a, int *b) { return a == (char *)b; }
static void *run(void *a) { *(int *)n = 5; return 0; }
int main(void) { pthread_t t; int r = 0, x = 1, *p = &x;
  uintptr_t low = (uintptr_t)__builtin_frame_address(0) - 4096;
"""
END = " pthread_create(&t, 0, run, 0); pthread_join(t, 0); assert(x == 1); return 0; }\n"
FOUND = {
    "by order": "for (int i = 47; i >= 0; i--) if ((char *)(n + (1ul << i)) <= (char *)&x) n += 1ul << i;",
    "if it is the same": "for (n = low; (int *)n != &x; n++);",
    "by a function": "for (n = low; !same((char *)n, p); n++);",
    "as a value": "n = low; while (!r) r = (int *)++n == &x;",
    "moved": "for (n = low; (char *)n - 64 != (char *)p - 64; n++);",
    "by an element": "char *b = (char *)&t - 4096; long i = 0;"
    " for (; &b[i] != (char *)&x; i++); n = (uintptr_t)&t - 4096 + i;",
    "by how far another one is moved": "char *b = (char *)&t - 4096; long i = 0;"
    " for (; b != (char *)p; b++, i++); n = (uintptr_t)&t - 4096 + i;",
    "by order of what is moved": "char *b = (char *)&t - 4096; long i = 0;"
    " for (; b < (char *)p; b++, i++); n = (uintptr_t)&t - 4096 + i;",
    "by its distance": "n = (uintptr_t)&t + ((char *)&x - (char *)&t);",
    "by its distance from a number": "n = low; n += (char *)p - (char *)n;",
    "by its distance from null": "n = (uintptr_t)((char *)&x - (char *)s.q);",
    "by the distance of some": "int y[2], *a = y, *b = p; if (!p) { a = p; b = y; } n = (uintptr_t)y + 4 * (b - a);",
    "by a cell": "for (n = low; s.q = (int *)n, s.q != p; n++);",
}


@pytest.mark.parametrize("name", FOUND)
def test_others_may_have_it_then(name: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", START + FOUND[name] + END, ("assertion",), "interval")


@pytest.mark.parametrize("name", FOUND)
def test_what_fails_does(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(START + FOUND[name] + END, encoding="utf-8")
    assert fails(tmp_path / "a.c", "int other;\n")
