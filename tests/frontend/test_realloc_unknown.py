"""`realloc` of what may be any object: the others keep what is known of them, and the result is a new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import FrontendOptions
from duet.result import Status
from tests.frontend.running import statuses

START = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct s { int *p; int n; };
extern void *some(void);
int x = 1;
"""
TRUE = {
    "other objects keep their size": (
        "array-bounds",
        "int main(void) { char *a = malloc(8), *u = realloc(some(), 100); if (!a || !u) return 0; a[7] = 1; }",
    ),
    "the new one has the size that was asked for": (
        "array-bounds",
        "int main(void) { char *u = realloc(some(), 100); if (!u) return 0; u[99] = 1; }",
    ),
}
FALSE = {
    "the new one ends there": (
        "array-bounds",
        "int main(void) { char *u = realloc(some(), 100); if (!u) return 0; u[100] = 1; }",
    ),
    "it may fail": (
        "null-dereference",
        "int main(void) { char *u = realloc(some(), 100); u[0] = 1; }",
    ),
    "it holds what the old one held": (
        "assertion",
        "int main(void) { char *u = realloc(some(), 100); if (!u) return 0; assert(u[0] == 0); }",
    ),
    "pointers in it lead where they led": (
        "assertion",
        "int main(void) { struct s *u = realloc(some(), sizeof *u); if (!u || !u->p) return 0; *u->p = 5;"
        " assert(x == 1); } int *known = &x;",
    ),
    "it may be where the old one was": (
        "assertion",
        "int main(void) { char *o = some(); char *u = realloc(o, 100); if (!u || !o) return 0; assert(u != o); }",
    ),
    "or where one of the program's was": (
        "assertion",
        "extern void give(void *); int main(void) { char *a = malloc(4); give(a); char *u = realloc(some(), 100);"
        " if (!u || !a) return 0; assert(u != a); }",
    ),
    "so may those of the same place": (
        "assertion",
        "int main(void) { struct s *u = realloc(some(), sizeof *u), *v = 0; for (int i = 0; i < 2; i++) {"
        " struct s *w = realloc(some(), sizeof *w); if (!w) return 0; if (i == 0) { w->n = 1; v = w; }"
        " else { assert(w->n == 1); } } }",
    ),
    "the old one is gone": (
        "use-after-free",
        "int main(void) { char *o = some(); if (!o) return 0; char *u = realloc(o, 100); if (!u) return 0; o[0] = 1; }",
    ),
    "so is one of the program's": (
        "use-after-free",
        "extern void give(void *); int main(void) { char *a = malloc(4); if (!a) return 0; give(a);"
        " char *u = realloc(some(), 100); if (!u) return 0; a[0] = 1; }",
    ),
    "the next one may be of fewer bytes": (
        "array-bounds",
        "extern int n(void); int main(void) { char *u = some(); for (int i = 100; i > 50; i--) { u = realloc(u, i);"
        " if (!u) return 0; u[98] = 1; } }",
    ),
}


@pytest.mark.parametrize(("name", "body"), TRUE.values(), ids=TRUE.keys())
def test_others_stay_as_they_are(name: str, body: str, tmp_path: Path) -> None:
    assert Status.UNPROVED not in statuses(tmp_path / "a.c", START + body, FrontendOptions(properties=(name,)))


@pytest.mark.parametrize(("name", "body"), FALSE.values(), ids=FALSE.keys())
def test_what_may_fail_is_open(name: str, body: str, tmp_path: Path) -> None:
    assert Status.UNPROVED in statuses(tmp_path / "a.c", START + body, FrontendOptions(properties=(name,)))
