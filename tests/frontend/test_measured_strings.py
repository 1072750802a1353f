"""Behind `strlen` so many bytes, and the end, are inside of the object: of that string, and no more than these."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct entry { char name[16]; int number; };
static char *text(int size) {
  char *made = malloc(size);
  if (!made || read(0, made, size - 1) < 0) exit(1);
  made[size - 1] = 0;
  return made;
}
static void *room(unsigned long size) { void *made = malloc(size); if (!made) exit(1); return made; }
"""
PROVED = {
    "with its end": "char *s = text(8); size_t n = strlen(s) + 1; char *p = room(n); memcpy(p, s, n);",
    "without": "char *s = text(8); size_t n = strlen(s); char *p = room(n + 1); memcpy(p, s, n); p[n] = 0;",
    "the rest": "char *s = text(8) + 2; size_t n = strlen(s); memmove(s, s + 1, n);",
    "less than the object": "char *s = text(8), all[8]; size_t n = strlen(s); memcpy(all, s, n + 1);",
}
OPEN = {
    "of another one": "char *s = text(8), *t = text(9), *p = room(64); size_t n = strlen(t); memcpy(p, s, n + 1);",
    "behind the end": "char *s = text(8); size_t n = strlen(s); char *p = room(64); memcpy(p, s, n + 2);",
    "too little room": "char *s = text(8); size_t n = strlen(s); char *p = room(n); memcpy(p, s, n + 1);",
    "of a shorter one": "char *s = text(8), all[7]; size_t n = strlen(s); memcpy(all, s, n + 1);",
    "of what it was": "char *s = text(16); size_t n = strlen(s); s = text(8); char *p = room(64); memcpy(p, s, n + 1);",
    "from further on": "char *s = text(8); size_t n = strlen(s); char *p = room(64); memcpy(p, s + 1, n + 1);",
    "of a member": "struct entry *e = room(sizeof *e); size_t n = strlen(e->name); char *p = room(64);"
    " memcpy(p, e->name, n + 6);",
}


def _is_proved(body: str) -> bool:
    """Whether all copies stay in their objects."""
    found = [it for it in decided(START, body, "array-bounds") if it.expression.startswith("mem")]
    return all(it.is_safe for it in found)


@pytest.mark.parametrize("name", PROVED)
def test_a_string_is_in_its_object(name: str) -> None:
    assert _is_proved(PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_nothing_else_is_known_by_that(name: str) -> None:
    assert not _is_proved(OPEN[name])
