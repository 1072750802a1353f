"""mmap, shmat and sbrk: where they fail they give (void *)-1, never null; what mmap gives is an object if it is new."""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read

START = """
#define _GNU_SOURCE
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>
#define NEW(n) mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
struct box { int a, b; char *text; };
static char *kept;
int main(int n, char **v) {
"""
FINE = {
    "an object of so many bytes": "char *p = NEW(64); if (p == MAP_FAILED) return 1; p[63] = 1;",
    "of zeros": "struct box *p = NEW(sizeof *p); if (p == MAP_FAILED) return 1; p->a = 1; assert(p->b == 0);",
    "it is never null": "char *p = NEW(64); assert(p);",
    "of a length": "int *p = NEW(n * sizeof *p); if (n < 1 || p == MAP_FAILED) return 1; for (int i = 0; i < n; i++) p[i] = i;",
    "some of them": "char *a[2]; for (int i = 0; i < 2; i++) if ((a[i] = NEW(8)) == MAP_FAILED) abort(); a[1][7] = 1;",
}
FOUND = {
    "no test": ("char *p = NEW(64); *p = 1;", "p != MAP_FAILED"),
    "a test for null": ("char *p = NEW(64); if (!p) return 1; *p = 1;", "p != MAP_FAILED"),
    "one that is kept": ("kept = NEW(64); kept[2] = 1;", "kept != MAP_FAILED"),
    "a member": ("struct box *p = NEW(sizeof *p); p->b = 1;", "p != MAP_FAILED"),
    "in a member that is copied": (
        "struct box b, c; b.text = NEW(8); memcpy(&c, &b, sizeof b); *c.text = 1;",
        "c.text != MAP_FAILED",
    ),
    "it is moved before the test": (
        "char *p = NEW(64), *q = p + 4; if (p == MAP_FAILED) return 1; *q = 1;",
        "p != MAP_FAILED",
    ),
    "it is given to a function": ("memset(NEW(64), 0, 64);", "mmap(0, 64,"),
    "by way of a number": ("uintptr_t p = (uintptr_t)NEW(64); char *q = (char *)p; *q = 1;", "q != MAP_FAILED"),
    "of a file": ("char *p = mmap(0, 8, PROT_READ, MAP_PRIVATE, n, 0); return *p;", "p != MAP_FAILED"),
    "shmat": ("char *p = shmat(n, 0, 0); if (p) *p = 1;", "p != (void *)-1"),
    "sbrk": ("char *p = sbrk(64); if (p) *p = 1;", "p != (void *)-1"),
    "where it grows in its place": (
        "int *p = NEW(8); if (p == MAP_FAILED) return 1; p[0] = 5; int *q = mremap(p, 8, 16, 0); if (q == MAP_FAILED) return 1;\n"
        "q[0] = 6; assert(p[0] == 5);",
        "p[0] == 5",
    ),
    "where a segment comes in its place": (
        "int *p = NEW(8); if (p == MAP_FAILED) return 1; p[0] = 5; shmat(n, p, SHM_REMAP); assert(p[0] == 5);",
        "p[0] == 5",
    ),
    "behind its end": ("char *p = NEW(64); if (p != MAP_FAILED) p[64] = 1;", "p[64]"),
    "it is freed": ("char *p = NEW(64); if (p != MAP_FAILED) free(p);", "p can be given back"),
    "shared twice": (
        "int *p = mmap(0, 8, 3, MAP_SHARED, n, 0), *q = mmap(0, 8, 3, MAP_SHARED, n, 0);\n"
        "if (p == MAP_FAILED || q == MAP_FAILED) return 1; *q = 0; *p = 1; assert(*q == 0);",
        "*q == 0",
    ),
    "what is in a file": (
        "int *p = mmap(0, 8, 3, MAP_PRIVATE, n, 0); if (p == MAP_FAILED) return 1; assert(*p == 0);",
        "*p == 0",
    ),
    "at the same place": (
        "int *p = NEW(4096); if (p == MAP_FAILED) return 1;\n"
        "int *q = mmap(p, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); if (q == MAP_FAILED || !q) return 1;\n"
        "*p = 1; *q = 5; assert(*p == 1);",
        "*p == 1",
    ),
}


def open_checks(folder: Path, body: str) -> list[str]:
    path = folder / "a.c"
    path.write_text(f"{START}{body}\nreturn 0; }}\n", encoding="utf-8")
    properties = ("assertion", "array-bounds", "null-dereference", "use-after-free")
    found = read((str(path),), FrontendOptions(properties=properties), Clock())
    decided = assertions(analyse(found.program, AnalysisOptions(domain="octagon")), found.checks)
    assert decided
    return [one.check.expression for one in decided if not one.status.is_safe]


@pytest.mark.parametrize("case", FINE)
def test_what_is_new_is_an_object_behind_the_test(tmp_path: Path, case: str) -> None:
    assert not open_checks(tmp_path, FINE[case])


@pytest.mark.parametrize("case", FOUND)
def test_what_is_wrong_is_found(tmp_path: Path, case: str) -> None:
    body, expected = FOUND[case]
    assert any(expected in text for text in open_checks(tmp_path, body))
