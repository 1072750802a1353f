"""Pointers to the bytes of a structure, inside of another, that begins with an array of bytes: all of it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read
from tests.frontend.running import fails

PROGRAM = """#include <assert.h>
#include <string.h>
#include <stdio.h>
#include <unistd.h>
struct entry { char name[40]; char more[40]; int value; };
struct table { int size; struct entry entry; struct entry row[3]; };
static struct table table;
static char zero[sizeof(struct entry)];
static void clear(char *at, unsigned count) { while (count--) *at++ = 0; }
static void wipe(void *at, unsigned count) { char *p = at; for (unsigned i = 0; i < count; i++) p[i] = 0; }
int main(int argc, char **argv) {
    unsigned n = argc > 1 ? sizeof(struct entry) - 1 : sizeof(struct entry);
    struct table *t = &table, own = {0};
    char *p = (char *)&table.entry;
    table.entry.value = 7;
    @WRITE@
    assert(table.entry.value == 7);
    return 0;
}
"""
WRITES = {
    "by a function": "clear(p, n);",
    "by one with a pointer to nothing": "wipe(&table.entry, n);",
    "in a loop": "for (unsigned i = 0; i < n; i++) p[i] = 0;",
    "between pointers": "for (char *q = p; q < p + n; q++) *q = 0;",
    "by the library": "memset(p, 0, n);",
    "copied": "memcpy(p, zero, n);",
    "moved": "memmove(p, zero, n);",
    "by a pointer to nothing": "void *v = &t->entry; memset(v, 0, n);",
    "read": 'FILE *f = fopen("/dev/zero", "r"); if (f) fread(p, 1, n, f); else return 0;',
    "from further in": "p += 40; clear(p, n - 40);",
    "from a member of the other one": "char *q = (char *)&table; clear(q + 4, n);",
    "by way of a number": "clear((char *)(unsigned long)&table.entry, n);",
    "as other bytes": "unsigned char *q = (unsigned char *)p; for (unsigned i = 0; i < n; i++) q[i] = 0;",
    "of a copy in an array": "t->row[1] = t->entry; clear((char *)&t->row[1], n); t->entry = t->row[1];",
    "of one's own": "own.entry = t->entry; clear((char *)&own.entry, n); t->entry = own.entry;",
}


@pytest.mark.parametrize("way", WRITES)
def test_what_lies_behind_the_array_is_written(way: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM.replace("@WRITE@", WRITES[way]), encoding="utf-8")
    found = read((str(tmp_path / "a.c"),), FrontendOptions(properties=("assertion", "array-bounds")), Clock())
    decided = assertions(analyse(found.program, AnalysisOptions()), found.checks)
    assert [one.status.is_safe for one in decided if one.check.property_name == "assertion"] == [False]


@pytest.mark.slow
@pytest.mark.parametrize("way", WRITES)
def test_such_a_program_fails(way: str, tmp_path: Path) -> None:
    text = PROGRAM.replace("@WRITE@", WRITES[way])
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert fails(tmp_path / "a.c", "")
