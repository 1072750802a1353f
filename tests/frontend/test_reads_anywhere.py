"""In a large program a read through a pointer of which nothing is known leaves memory what it is; a write does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import Budgets, FrontendOptions
from duet.result import Status
from tests.frontend.running import statuses

OPTIONS = FrontendOptions(budgets=Budgets(program_commands=-1))
START = """#include <assert.h>
#include <string.h>
typedef unsigned long word;
struct s { int a, b; } one = {1, 2}, other = {3, 4}, *known = &one;
word token;
int x = 1, y = 2, *mine = &x, out;
int main(void) { token = (word)&x ^ 5; int *p = (int *)(token ^ 5); struct s *q = (struct s *)(token ^ 4);
"""
TRUE = {
    "a scalar": "out = *p; assert(x == 1);",
    "a structure": "other = *q; assert(x == 1);",
    "bytes": "out = ((char *)p)[2]; assert(one.a == 1);",
    "twice": "out = *p + *p; assert(x == 1 && one.b == 2);",
}
FALSE = {
    "what is read is not known": "assert(*p == 1); assert(out == *p);",
    "a scalar": "*p = 2; assert(x == 1);",
    "read and written": "(*p)++; assert(x == 1);",
    "changed": "*p |= 2; assert(x == 1);",
    "in one step": "__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); assert(x == 1);",
    "a structure": "*q = other; assert(x == 1);",
    "a part of one": "q->b = 5; assert(x == 1);",
    "bytes": "((char *)p)[0] = 5; assert(x == 1);",
    "bytes that are copied": "memcpy(p, &y, sizeof y); assert(x == 1);",
    "behind a read": "out = *p; *p = 2; out = *p; assert(x == 1);",
    "by a pointer that is read there": "int *r = *(int **)q; *r = 2; assert(x == 1);",
}


@pytest.mark.parametrize("name", TRUE)
def test_reading_changes_nothing(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path / "a.c", f"{START}{TRUE[name]} return 0; }}", OPTIONS) == (Status.PROVED,)


@pytest.mark.parametrize("name", FALSE)
def test_writing_changes_anything(tmp_path: Path, name: str) -> None:
    assert Status.PROVED not in statuses(tmp_path / "a.c", f"{START}{FALSE[name]} return 0; }}", OPTIONS)


MANY = """#include <assert.h>
#include <stdlib.h>
struct node { int *to; struct node *next; void *any; };
int x = 1, y = 2, z = 3, *taken = &z;
struct node a, b, c, d, e, f, g, h;
int any(void);
static struct node *one(void) {
  switch (any()) {
  case 0: return &a; case 1: return &b; case 2: return &c; case 3: return &d;
  case 4: return &e; case 5: return &f; case 6: return &g; default: return &h;
  }
}
int main(void) { a.to = &x; b.to = &y; h.next = &b; struct node *p = one();
"""
KNOWN = {
    "what none of many leads to": "if (p->to) *p->to = 5; assert(*taken == 3);",
    "by way of another one": "if (p->next && p->next->to) *p->next->to = 5; assert(*taken == 3);",
    "numbers that are read": "int *q = p->to; if (q) *q += 1; assert(z == 3);",
}
REACHED = {
    "one of them": "if (p->to) *p->to = 5; assert(y == 2);",
    "another one": "if (p->to) *p->to = 5; assert(x == 1);",
    "one that is set later": "int *q = p->to; h.to = &z; p = one(); if (p->to) *p->to = 5; assert(*taken == 3);",
    "one that is set through it": "p->to = taken; p = one(); if (p->to) *p->to = 5; assert(*taken == 3);",
    "by way of another one": "if (p->next && p->next->to) *p->next->to = 5; assert(y == 2);",
    "another type": (
        "d.any = &a; struct node *q = p->any; if (q) q->to = taken; if (a.to) *a.to = 5; assert(*taken == 3);"
    ),
    "a number as such": "assert(p->to == 0);",
    "a part of one": (
        "d.any = &b.next; struct node **q = p->any; if (q) *q = &c; c.to = taken;"
        " if (b.next && b.next->to) *b.next->to = 5; assert(*taken == 3);"
    ),
    "bytes of one": ("((unsigned long *)&c)[0] = (unsigned long)taken; if (p->to) *p->to = 5; assert(*taken == 3);"),
}


@pytest.mark.parametrize("name", KNOWN)
def test_one_of_many_objects_leads_where_these_do(tmp_path: Path, name: str) -> None:
    assert statuses(tmp_path / "a.c", f"{MANY}{KNOWN[name]} return 0; }}", OPTIONS) == (Status.PROVED,)


@pytest.mark.parametrize("name", REACHED)
def test_one_of_many_objects_leads_to_all_that_these_do(tmp_path: Path, name: str) -> None:
    assert Status.PROVED not in statuses(tmp_path / "a.c", f"{MANY}{REACHED[name]} return 0; }}", OPTIONS)
