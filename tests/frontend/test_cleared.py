"""Memory of which an unknown number of bytes is cleared, or whose elements are sorted: what pointers in it lead to.

Each program of `FAILING` fails when it runs.
"""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.bodies import compiled, decided, fails

START = """
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct pair { int first, second; };
struct slot { int number; short narrow; struct pair *to; struct pair *other; };
struct wide { uintptr_t number; struct pair *to; };
int any(void);
static struct pair one = {5, 6}, two = {7, 8}, apart = {9, 9};
static struct pair *row[9];
static struct slot slots[9] = {{1, 1, &one, &two}, {2, 2, &two, &one}, {3, 3, &one, &one}};
static int by_number(const void *a, const void *b) {
  return ((const struct slot *)a)->number < ((const struct slot *)b)->number ? 1 : -1;
}
static int by_size(const void *a, const void *b) { return *(const uintptr_t *)a < *(const uintptr_t *)b ? 1 : -1; }
static struct slot *made(int n) {
  struct slot *new = calloc(n, sizeof *new);
  if (!new) exit(0);
  for (int i = 0; i < n; i++) { new[i].number = i + 1; new[i].to = &one; new[i].other = &two; }
  return new;
}
static struct pair *taken(void) { return &apart; }
"""
PROVED = {
    "whole elements": (
        "int n = any() & 3; struct slot *s = made(9); memset(s, 0, n * sizeof *s);"
        " if (s[2].to) s[2].to->first = 1; assert(taken()->first == 9 && s[2].number >= 0);"
    ),
    "later elements": (
        "int n = any() & 3; struct slot *s = made(9); memset(s + 1, 0, n * sizeof *s);"
        " if (s[2].to == &one) s[2].to->first = 1; assert(taken()->first == 9);"
    ),
    "a difference that wraps": (
        "unsigned short n = any(); struct slot *s = made(9); memset(s, 0, sizeof *s * (n - 1));"
        " if (s->to) s->to->first = 1; assert(taken()->first == 9);"
    ),
    "elements that are sorted": (
        "struct slot *s = made(4); qsort(s, 4, sizeof *s, by_number); if (s->to) s->to->first = 1;"
        " assert(taken()->first == 9);"
    ),
    "a variable that is sorted": (
        "qsort(slots, 3, sizeof *slots, by_number); if (slots->to) slots->to->first = 1; assert(taken()->first == 9);"
    ),
}
FAILING = {
    "what was there": (
        "struct slot *s = made(9); memset(s + 1, 0, any() * sizeof *s); s[0].to->first = 1; assert(one.first == 5);"
    ),
    "what is 0": "struct slot *s = made(9); memset(s + 1, 0, any() * sizeof *s); assert(s[2].to);",
    "a number that is 0": "struct slot *s = made(9); memset(s, 0, any() * sizeof *s); assert(s[1].number == 2);",
    "a variable": "memset(slots, 0, any() * sizeof *slots); assert(slots[1].number == 2);",
    "a variable that is not cleared": "memset(slots + 2, 0, any() * sizeof *slots); assert(slots[1].number == 0);",
    "a part of a number": "int n = 0x0505; memset(&n, 0, any() - 6); assert(n == 0 || n == 0x0505);",
    "a part of a number of an element": (
        "struct slot *s = made(2); s->number = 0x0505; memset(s, 0, any() - 6);"
        " assert(s->number == 0 || s->number == 0x0505);"
    ),
    "what begins in the middle": (
        "struct slot *s = made(9); s[0].number = s[1].number = 0x050505; memset((char *)s + 1, 0, any() * 8);"
        " assert(s[0].number == 0 || s[0].number == 0x050505);"
    ),
    "a pointer to another part of its object": (
        "static _Alignas(256) struct pair many[40]; struct pair *p = &many[3]; memset(&p, 0, any() - 6);"
        " p->first = 4; assert(many[0].first == 0);"
    ),
    "a pointer in a structure": (
        "static _Alignas(256) struct { int first[4]; struct pair *to; struct pair many[30]; } all; all.to = &all.many[4];"
        " memset(&all.to, 0, any() - 6); all.to->second = 1; assert(all.first[1] == 0);"
    ),
    "what begins where a byte is found": (
        "struct slot *s = made(9); s->number = 0x050101; memset(memchr(s, 5, sizeof *s), 0, any() * 8);"
        " assert(s->number == 0 || s->number == 0x050101);"
    ),
    "bytes that are no 0": (
        "struct pair *p = &one, *q = 0; for (unsigned i = 0; i < sizeof p; i++)"
        " memset((char *)&q + i, ((char *)&p)[i], any() - 6); q->first = 1; assert(one.first == 5);"
    ),
    "elements that were sorted": (
        "struct slot *s = made(4); s[3].to = &apart; qsort(s, 4, sizeof *s, by_number); s->to->first = 1;"
        " assert(taken()->first == 9);"
    ),
    "elements of half the width": (
        "struct wide w[2] = {{(uintptr_t)&apart, 0}, {0, 0}}; qsort(w, 4, 8, by_size);"
        " for (int i = 0; i < 2; i++) if (w[i].to) w[i].to->first = 1;"
        " qsort(w, 2, 8, by_size); if (w[0].number) ((struct pair *)w[0].number)->first = 1; assert(taken()->first == 9);"
    ),
    "elements from the middle on": (
        "struct wide *w = calloc(3, sizeof *w); if (!w) exit(0); w[1].number = (uintptr_t)&apart; w[1].to = w[0].to = &one;"
        " w[0].number = w[2].number = 1; qsort((char *)w + 8, 2, sizeof *w, by_size); w[0].to = 0;"
        " qsort((struct wide *)((char *)w + 8), 1, sizeof *w, by_size); qsort(&w[0].to, 2, 8, by_size);"
        " w[0].to->first = 1; assert(taken()->first == 9 && one.first == 5);"
    ),
    "a row": "row[1] = &apart; memset(row + 2, 0, any() * sizeof *row); row[1]->first = 1; assert(apart.first == 9);",
}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_cleared_or_sorted_leads_to_nothing_else(name: str) -> None:
    found = decided(START, PROVED[name], "assertion")
    assert found
    assert all(check.is_safe for check in found)


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_is_not_proved(name: str) -> None:
    assert not decided(START, FAILING[name], "assertion")[-1].is_safe


def test_what_is_open_fails(tmp_path: Path) -> None:
    program = compiled(START, FAILING, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILING) if not fails(program, at)] == []
