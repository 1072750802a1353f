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
