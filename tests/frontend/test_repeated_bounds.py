"""`array-bounds` behind another access through the same pointer: what that had checked holds, and nothing else does.

Lines marked SAFE are behind accesses of the same bytes; of all others a program may make the check fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import FrontendOptions
from tests.frontend.running import decided

OPTIONS = FrontendOptions(properties=("array-bounds",))
START = """
typedef unsigned long size_t;
void *memcpy(void *to, const void *from, size_t n);
void *malloc(size_t n);
struct s { int a; int b; long c; long d; };
struct tail { int n; int last[4]; };
struct outer { int n; struct tail inner; };
union u { int n; struct s s; };
struct bits { char first; unsigned low : 4; };
extern struct s *get(void);
extern int any(void);
void follow(struct s *inner) {
  inner->c = 1; // SAFE where it is called behind the same access
}
struct s *shared;
"""
PROGRAMS = {
    "the same again": """
  p->c = 1;
  p->c = 2; // SAFE""",
    "a copy": """
  p->c = 1;
  struct s *q = p;
  q->c = 2; // SAFE
  q = get();
  q->c = 3;""",
    "between": """
  p->a = 1;
  p->d = 1;
  p->c = 1; // SAFE""",
    "in front of it, where the pointer may not be at the start": """
  p->c = 1;
  p->a = 1;""",
    "behind it": """
  p->a = 1;
  p->b = 1;""",
    "in front of it and behind it, in memory of some size": """
  struct s *q = malloc(any());
  if (!q) return 1;
  q->b = 1;
  q->a = 1;
  q->c = 1;""",
    "an array at the end, which may be shorter": """
  struct tail *q = (struct tail *)p;
  q->n = 1;
  q->last[0] = 1;
  q->last[1] = 1;
  q->n = 2; // SAFE
  struct outer *r = (struct outer *)get();
  r->n = 1;
  r->inner.n = 1;
  r->inner.last[0] = 1;
  r->inner.last[1] = 1;""",
    "a member of a union, which may be the only one": """
  union u *q = (union u *)p;
  q->n = 1;
  q->s.a = 1; // SAFE, the same bytes
  q->s.d = 1;""",
    "on one way only": """
  if (any()) p->c = 1;
  p->c = 2;""",
    "on both ways": """
  if (any()) p->c = 1; else p->c = 2;
  p->c = 3; // SAFE""",
    "another pointer since": """
  p->c = 1;
  p = get();
  p->c = 2;""",
    "another pointer since, on one way": """
  p->c = 1;
  if (any()) p = get();
  p->c = 2;""",
    "another pointer by its address": """
  struct s **q = &p;
  p->c = 1;
  *q = get();
  p->c = 2;""",
    "another pointer as bytes": """
  struct s *q = get();
  p->c = 1;
  memcpy(&p, &q, sizeof p); // SAFE, inside of both pointers
  p->c = 2;""",
    "another pointer by code that is not there": """
  extern void change(struct s **);
  p->c = 1;
  change(&p);
  p->c = 2;""",
    "moved": """
  p->b = 1;
  p = (struct s *)((char *)p + 4);
  p->a = 1; // SAFE
  p->b = 1;""",
    "moved in a loop": """
  for (int i = 0; i < any(); i++) {
    p->a = 1;
    p++;
  }""",
    "a loop": """
  while (any()) {
    p->a = 1;
  }
  p->a = 2;""",
    "behind a loop that begins with it": """
  do {
    p->a = 1;
  } while (any());
  p->a = 2; // SAFE""",
    "a pointer that others write": """
  shared = p;
  shared->c = 1;
  shared->c = 2;""",
    "a bit-field has less bytes than its type": """
  struct bits *q = (struct bits *)p;
  q->low = 1;
  ((struct s *)q)->a = 1;""",
    "a function that is called": """
  p->c = 1;
  follow(p);
  p->c = 2; // SAFE""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_what_was_checked_holds(tmp_path: Path, name: str) -> None:
    text = f"{START}int main(void) {{\n  struct s *p = get();{PROGRAMS[name]}\n  return 0;\n}}\n"
    found = decided(tmp_path, text, OPTIONS)
    assert {line: "SAFE" in text.splitlines()[line - 1] for line in found} == found
