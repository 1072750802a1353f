"""Arrays of no or one element that end an allocated structure: GNU C lets them have as many as there is room for."""

from __future__ import annotations

import pytest

from duet.frontend.cells import gate
from tests.frontend.bodies import decided

START = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct text { int length; char bytes[1]; };
struct row { int count; int cells[0]; };
struct outer { int kind; struct { int one; int last[1]; } inner; };
struct open { long kind; int cells[]; };
struct named { char name[4]; int count; struct { int at; char c; } parts[]; };
union either { struct open cells; char bytes[1]; };
struct front { int first[1]; int second; };
union named_bytes { int n; unsigned char bytes[0]; } word; struct tagged { char tag; union named_bytes word; } tags[2];
struct text fixed;
static struct open set = {1, {2, 3, 4}};
struct letters { char kind; char bytes[]; } letters = {1, "hello"};
"""
TEXT = "struct text *p = malloc(sizeof *p + 10); if (!p) return 1;"
OPEN = "struct open *p = malloc(sizeof *p + 12); if (!p) return 1; p->kind = 1;"
ROW = "struct row *p = malloc(sizeof *p + 12); if (!p) return 1;"
OUTER = "struct outer *p = malloc(sizeof *p + 12); if (!p) return 1;"
FALSE = {
    "of one": f"{TEXT} p->bytes[5] = 'x'; assert(p->bytes[5] != 'x');",
    "of none": f"{ROW} p->cells[2] = 7; assert(p->cells[2] != 7);",
    "by a variable": f"{ROW} for (int i = 0; i < 3; i++) p->cells[i] = i; assert(p->cells[2] != 2);",
    "by a pointer to it": f"{ROW} int *q = &p->cells[1]; *q = 4; assert(p->cells[1] != 4);",
    "of a structure inside": f"{OUTER} p->inner.last[3] = 9; assert(p->inner.last[3] != 9);",
    "a string": f'{TEXT} strcpy(p->bytes, "hello"); assert(strlen(p->bytes) != 5);',
    "by a pointer that is moved": f"{ROW} p->count = 1; int *q = p->cells; *++q = 4; assert(p->cells[1] != 4);",
    "by a moved pointer, of no length": f"{OPEN} int *q = p->cells; q[2] = 4; assert(p->cells[2] != 4);",
    "by a moved pointer, of one": f'{TEXT} char *q = p->bytes; strcpy(q, "hello"); assert(p->bytes[1] != 101);',
    "as large as two": f"{OPEN.replace('12', '16')} int *q = p->cells + 4; q[-1] = 4; assert(p->cells[3] != 4);",
    "of a size that is not known": f"{OPEN.replace('12', 'rand() % 9 + 8')} int *q = p->cells; q[1] = 4; assert(0);",
    "of structures": """struct named *p = malloc(sizeof *p + 24); if (!p) return 1; p->count = 2; p->parts[1].at = 5;
        char *q = &p->parts[0].c; q += 8; *q = 3; assert(p->parts[1].c != 3);""",
    "in a union": """union either *p = malloc(sizeof *p + 24); if (!p) return 1; p->cells.kind = 2;
        int *q = p->cells.cells; q++; *q = 3; assert(p->cells.cells[1] != 3);""",
    "with initial values, by a pointer": "int *q = set.cells; q[2] = 5; assert(set.cells[2] != 5);",
    "with initial values, moved": "char *q = letters.bytes; q++; *q++ = 7; *q = 8; assert(letters.bytes[2] != 8);",
    "with initial values, for the library": "memset(letters.bytes, 3, 5); assert(letters.bytes[4] != 3);",
    "of none in a union": "word.bytes[1] = 1; assert(word.n != 256);",
    "of none in a union in an array": "int i = rand() & 3; tags[1].word.bytes[i] = 2; assert(tags[1].word.n != 512);",
    "of none in a union, by a pointer": """union named_bytes w = {0}, *p = &w; p->bytes[0] = 3;
        unsigned char *b = p->bytes; b[3] = 0; assert(w.n != 3);""",
    "what comes behind": f"{TEXT} p->bytes[3] = 1; assert(0);",
}
OUTSIDE = {
    "of a variable": "int i = fixed.length + 1; fixed.bytes[i] = 1;",
    "behind what was allocated": f"{OPEN} int *q = p->cells; q += 3; *q = 1;",
    "in front of them": f"{OPEN} int *q = p->cells; for (int i = 0; i < 2; i++) q--; *q = 1;",
    "behind initial values": "int *q = set.cells; q[3] = 1;",
    "behind initial values, for the library": "memset(letters.bytes, 1, 7);",
    "not at the end": "struct front *p = malloc(sizeof *p); if (!p) return 1; int i = 1; p->first[i] = 1;",
}
INSIDE = {
    "the first element": f"{TEXT} p->bytes[0] = 1;",
    "by a pointer that is moved": f"{OPEN} int *q = p->cells; q[2] = 4;",
    "the last one": f"{OPEN} int *q = p->cells + 3; while (q > p->cells) *--q = 4;",
}


def safe(body: str, subject: str) -> list[bool]:
    return [item.is_safe for item in decided(START, body, "assertion", "array-bounds") if item.subject == subject]


@pytest.mark.parametrize("name", FALSE)
def test_what_is_behind_the_first_element_is_there(name: str) -> None:
    assert safe(FALSE[name], "assertion") == [False]


@pytest.mark.parametrize("name", OUTSIDE)
def test_other_arrays_end_where_they_say(name: str) -> None:
    assert not all(safe(OUTSIDE[name], "array-bounds"))
    is_known = "initial" not in name
    assert safe(f"{OUTSIDE[name]} assert(0);", "assertion") == [is_known]


@pytest.mark.parametrize("name", INSIDE)
def test_what_is_inside_is_proved(name: str) -> None:
    assert all(safe(INSIDE[name], "array-bounds"))


def test_the_defect_that_they_end_where_they_say_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "may_go_on", lambda *_: False)
    assert safe(FALSE["of none"], "assertion") == [True]
    assert safe(FALSE["what comes behind"], "assertion") == [True]
