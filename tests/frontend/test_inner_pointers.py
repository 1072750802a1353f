"""Pointers to parts of structures that become pointers to whole ones: what they lead to is not where those begin.

Each program of `WRONG` fails when it runs. The bundled program `pointers/container` goes from a part to what is around it.
"""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from duet.frontend.cells import arithmetic, convert
from duet.frontend.cells import distances as by_object
from duet.frontend.ctypes.origins import NOTHING, addresses
from duet.frontend.judgments import pointers
from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct box { int a, b, c, d; struct box *next; };
struct link { struct link *next; int key; };
struct item { int value, other; long more; struct link link; int last; };
struct text { int more; char last[12]; };
static struct box global;
static void *kept;
static struct box *box(void) { struct box *new = calloc(1, sizeof *new); if (!new) exit(0); return new; }
static struct item *item(void) { struct item *new = calloc(1, sizeof *new); if (!new) exit(0); return new; }
static void write(void *p) { ((struct box *)p)->a = 9; }
"""
WRONG = {
    "a variable": "struct box *p = box(); int *q = &p->b; struct box *m = (struct box *)q; m->a = 9; assert(p->b == 0);",
    "a pointer to void": "struct box *p = box(); void *q = &p->b; struct box *m = q; m->a = 9; assert(p->b == 0);",
    "a global": "kept = &global.b; struct box *m = kept; m->a = 9; assert(global.b == 0);",
    "a number": "uintptr_t n = (uintptr_t)&global.b; struct box *m = (struct box *)n; m->a = 9; assert(global.b == 0);",
    "a union": "struct box *p = box(); union { int *i; struct box *m; } u; u.i = &p->b; u.m->a = 9; assert(p->b == 0);",
    "bytes": "struct box *p = box(), *m; int *q = &p->b; memcpy(&m, &q, sizeof q); m->a = 9; assert(p->b == 0);",
    "bytes that are moved": "struct box *p = box(); struct box *m = (struct box *)((char *)p + 8); m->a = 9; assert(p->c == 0);",
    "bytes of one of many": (
        "for (int i = 0; i < 9; i++) { struct box *p = box(); struct box *m = (struct box *)((char *)p + 8); m->a = 9; assert(p->c == 0); }"
    ),
    "a number that is moved": (
        "for (int i = 0; i < 9; i++) { struct box *p = box(); uintptr_t n = (uintptr_t)p; n += 4; ((struct box *)n)->a = 9; assert(p->b == 0); }"
    ),
    "a step of another type": (
        "for (int i = 0; i < 9; i++) { struct box *p = box(); long *q = (long *)p; q++; ((struct box *)q)->a = 9; assert(p->c == 0); }"
    ),
    "an argument": "struct box *p = box(); write(&p->c); assert(p->c == 0);",
    "a read": "struct box *p = box(); p->a = 1; p->b = 7; struct box *m = (struct box *)&p->b; assert(m->a == 1);",
    "objects of a list": (
        "struct box *all = 0; for (int i = 0; i < 9; i++) { struct box *p = box(); p->next = all; all = p; }\n"
        "for (struct box *p = all; p; p = p->next) write(&p->b);\n"
        "for (struct box *p = all; p; p = p->next) assert(p->b == 0);"
    ),
    "links without what is in front of them": (
        "struct link *all = 0; for (int i = 0; i < 9; i++) { struct item *p = item(); p->link.next = all; all = &p->link; }\n"
        "for (struct link *q = all; q; q = q->next) ((struct item *)q)->other = 1;\n"
        "for (struct link *q = all; q; q = q->next) assert(q->key == 0);"
    ),
    "too little in front of a link": (
        "for (int i = 0; i < 9; i++) { struct item *p = item(); struct link *q = &p->link;\n"
        "((struct item *)((char *)q - 8))->more = 1; assert(p->link.next == 0); }"
    ),
    "a loop over bytes": (
        "struct box *p = box(); char *q = (char *)p; for (int i = 0; i < 3; i++) q += 4;\n"
        "((struct box *)q)->a = 9; assert(p->d == 0);"
    ),
    "a loop that leaves its array": (
        "struct text *t = calloc(2, sizeof *t); if (!t) exit(0); char *q = t->last; for (int i = 0; i < 3; i++) q += 4;\n"
        "*q = 9; assert(t[1].more == 0);"
    ),
}
RIGHT = {
    "a loop over an array": (
        "struct text *t = calloc(1, sizeof *t); if (!t) exit(0); char bytes[12]; char *q = bytes;\n"
        "for (int i = 0; i < 3; i++) { *q = 9; q += 4; } assert(t->more == 0);"
    ),
    "a part as such": "for (int i = 0; i < 9; i++) { struct item *p = item(); void *q = &p->link; ((struct link *)q)->key = 1; assert(p->last == 0); }",
    "the first part": "for (int i = 0; i < 9; i++) { struct item *p = item(); int *q = &p->value; ((struct item *)q)->last = 1; assert(p->link.key == 0); }",
}


def _proved(body: str) -> list[bool]:
    found = [check.is_safe for check in decided(START, body, "assertion")]
    assert found
    return found


@pytest.mark.parametrize("name", WRONG)
def test_what_begins_elsewhere_is_not_proved(name: str) -> None:
    assert not any(_proved(WRONG[name]))


@pytest.mark.parametrize("name", RIGHT)
def test_what_begins_there_is_proved(name: str) -> None:
    assert all(_proved(RIGHT[name]))


DEFECTS: Mapping[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "a part is where its structure is": (
        lambda patch: patch.setattr(convert, "part_of", lambda origins, _: origins),
        "a variable",
    ),
    "cells forget how far it is": (
        lambda patch: patch.setattr(pointers, "kept_marks", lambda _: NOTHING),
        "a global",
    ),
    "bytes in front count for nothing": (
        lambda patch: patch.setattr(arithmetic, "stepped", lambda origins, *_: addresses(origins)),
        "too little in front of a link",
    ),
    "any distance is one of bytes": (
        lambda patch: patch.setattr(by_object, "is_part", lambda *_, **__: True),
        "a loop that leaves its array",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    defect, way = DEFECTS[name]
    defect(monkeypatch)
    assert all(_proved(WRONG[way]))


def test_a_loop_takes_no_round_for_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[None] = []
    begin_round = pointers.Pointers.begin_round

    def counted(known: pointers.Pointers) -> None:
        rounds.append(None)
        begin_round(known)

    monkeypatch.setattr(pointers.Pointers, "begin_round", counted)
    _proved(WRONG["a loop over bytes"])
    assert len(rounds) <= 6
