"""Pointers that are moved, kept in some way, and followed later: what is behind the end is never proved.

A pointer that was not moved leads to the start of what was allocated, in whatever way it was kept, also where another
one to the same memory was moved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from duet.frontend.cells import convert
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.judgments import pointers
from tests.frontend.bodies import decided

START = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern int any(void);
struct slot { int owner, other; };
struct holder { struct slot *at; int n; struct slot slot; };
struct node { struct slot *at; struct node *next; };
union view { struct slot *at; uintptr_t number; char bytes[8]; };
struct slot table[4], *known, *_Atomic shared;
struct holder held[3];
pthread_key_t key;
static struct slot *made(void) { struct slot *new = calloc(4, sizeof *new); if (!new) exit(0); return new; }
static struct slot *same(struct slot *p) { return p; }
static void put(struct slot **to, struct slot *p) { *to = p; }
static struct holder in(struct slot *p) { struct holder h = {p, 1}; return h; }
static struct slot *of(struct holder h) { return h.at; }
static void *use(void *p) { ((struct slot *)p)->owner = 1; return p; }
static void *give(void *p) { return p; }
static int ends(const void *k, const void *p) { (*(struct slot *const *)p)->owner = 1; return 0; }
static struct slot *again(struct slot *p, int n) { return n ? again(p, n - 1) : p; }
"""
WAYS = {
    "a local": "struct slot *p = @; p->owner = 1;",
    "a global": "known = @; known->owner = 1;",
    "an atomic object": "atomic_store(&shared, @); atomic_load(&shared)->owner = 1;",
    "an exchange": "struct slot *p = atomic_exchange(&shared, @); p = atomic_exchange(&shared, 0); p->owner = 1;",
    "a structure": "struct holder h = {@, 1}, k; k = h; k.at->owner = 1;",
    "a structure by value": "of(in(@))->owner = 1;",
    "bytes of a structure": "struct holder h = {@, 1}, k; memcpy(&k, &h, sizeof k); k.at->owner = 1;",
    "an element": "int i = any() & 1; held[i].at = @; if (held[1].at) held[1].at->owner = 1;",
    "elements that are moved": "held[0].at = @; memmove(held + 1, held, 2 * sizeof *held); held[1].at->owner = 1;",
    "a union": "union view v; v.at = @; union view w = v; w.at->owner = 1;",
    "a number": "uintptr_t n = (uintptr_t)@; ((struct slot *)n)->owner = 1;",
    "bytes": "struct slot *p = @, *q; char b[8]; memcpy(b, &p, 8); memcpy(&q, b, 8); q->owner = 1;",
    "a result": "same(@)->owner = 1;",
    "a result of recursion": "again(@, any() & 3)->owner = 1;",
    "a parameter that is written through": "struct slot *p; put(&p, @); p->owner = 1;",
    "a node": "struct node *n = malloc(sizeof *n); if (n) { n->at = @; n->next = n; n->next->at->owner = 1; }",
    "nodes": (
        "struct node *first = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); if (!n) return 0;"
        " n->at = @; n->next = first; first = n; } first->next->at->owner = 1;"
    ),
    "one of two": "struct slot *p = any() ? base : @; p->owner = 1;",
    "a pointer to nothing known": "void *p = @; struct slot *q = p; q->owner = 1;",
    "a pointer to bytes": "char *p = (char *)@; ((struct slot *)p)->owner = 1;",
    "an argument of a thread": "pthread_t t; pthread_create(&t, 0, use, @); pthread_join(t, 0);",
    "a result of a thread": "pthread_t t; void *p; pthread_create(&t, 0, give, @); pthread_join(t, &p); use(p);",
    "data of a thread": "pthread_key_create(&key, 0); pthread_setspecific(key, @); use(pthread_getspecific(key));",
    "a comparison": "struct slot *t[1] = {@}; bsearch(t, t, 1, sizeof *t, ends);",
    "a compound literal": "struct holder *h = &(struct holder){@, 1}; h->at->owner = 1;",
    "a static local": "static struct slot *p; p = @; p->owner = 1;",
}
BASES = {
    "a table": "struct slot *base = table;",
    "one object": "struct slot *base = made();",
    "one of several objects": "struct slot *base = made(), *more = made(); more->owner = 1;",
}


def program(base: str, way: str, moved: str) -> str:
    return BASES[base] + " " + WAYS[way].replace("@", moved)


SAMPLE = {"a global", "bytes of a structure", "a union", "a result of recursion", "nodes", "a result of a thread"}
"""Ways that are always tried with each kind of memory; the others with one, and with all of them by `--slow`."""
TRIED = [
    pytest.param(base, way, marks=[] if base == "one of several objects" or way in SAMPLE else [pytest.mark.slow])
    for base in BASES
    for way in WAYS
]


@pytest.mark.parametrize(("base", "way"), TRIED)
def test_what_is_behind_the_end_is_not_proved(base: str, way: str) -> None:
    assert not all(
        check.is_safe for check in decided(START, program(base, way, "(base + (any() & 4))"), "array-bounds")
    )


UNKNOWN = {
    "a number",
    "bytes",
    "a result of a thread",
    "data of a thread",
    "elements that are moved",
    "a union",
    "nodes",
    "a comparison",
}
"""Ways by which it is no longer known where the pointer leads, or one of the others."""


@pytest.mark.parametrize("way", [way for way in WAYS if way not in UNKNOWN])
def test_what_was_not_moved_is_proved(way: str) -> None:
    text = program("one of several objects", way, "base")
    found = decided(START, f"{text} known = base + 3; known++;", "array-bounds")
    assert all(check.is_safe for check in found)


ELEMENT = "(any() ? &table[any() & 4] : &held[2].slot)"
DEFECTS: Mapping[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "cells forget that a pointer was moved": (
        lambda patch: patch.setattr(pointers, "kept_marks", lambda _: NOTHING),
        "a global",
    ),
    "the address of an element is that of the first": (
        lambda patch: patch.setattr(convert, "shifted", lambda origins: origins),
        "a structure",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    defect, way = DEFECTS[name]
    defect(monkeypatch)
    assert all(
        check.is_safe for check in decided(START, program("one of several objects", way, ELEMENT), "array-bounds")
    )
