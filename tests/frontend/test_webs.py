"""Pointers that are several variables in one are told apart, and one variable stays one.

Each program of `FAILING` fails when it runs.
"""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.bodies import compiled, decided, fails

START = """
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
struct near { struct near *next; int number; };
struct far { int *to; struct far *next; };
int any(void);
static int one = 1, two = 2, *kept = &two;
static struct near first, second = {&first, 5};
static jmp_buf back;
static int *give(int *p) { return p; }
static int *none(void) { return 0; }
"""
PROVED = {
    "two uses": "int *p = &one; *p = 3; p = &two; *p = 4; assert(one == 3);",
    "two loops": (
        "int *p; for (p = &one; p; p = none()) *p = 3; for (p = &two; p; p = none()) *p = 4; assert(one == 3 || one == 1);"
    ),
    "behind a jump": (
        "int *p; if (any()) p = &one; else goto other; *p = 3; goto end; other: p = &two; *p = 4; end: assert(one < 4);"
    ),
    "in a switch": (
        "int *p = 0; switch (any() & 1) { case 0: p = &one; *p = 3; break; default: p = &two; *p = 4; } assert(one < 4);"
    ),
    "in a condition": "int *p; if ((p = give(&one))) *p = 3; if ((p = give(&two))) *p = 4; assert(one == 3 || one == 1);",
    "behind a return": "int *p = &one; if (any() == 3) { *p = 3; return 0; } p = &two; *p = 4; assert(one == 1);",
}
FAILING = {
    "one of two": "int *p = &one; if (any()) p = &two; *p = 4; assert(two == 2);",
    "the one before": "int *p = &one; if (!any()) p = &two; *p = 4; assert(one == 1);",
    "once round a loop": "int *p = &one; for (int i = 0; i < 2; i++) { *p = 4; p = &two; } assert(two == 2);",
    "at the end of a loop": "int *p = &one; while (any()) { p = &two; break; } *p = 4; assert(two == 2);",
    "by way of continue": (
        "int *p = &one; for (int i = 0; i < 3; i++, *p = 4) { if (i == 1) { p = &two; continue; } } assert(two == 2);"
    ),
    "a late test": "int *p = &one, i = 0; do { if (i) *p = 4; p = &two; } while (i++ < 1); assert(two == 2);",
    "a jump back": "int *p = &one, i = 0; again: *p = 4; p = &two; if (!i++) goto again; assert(two == 2);",
    "a jump into a block": (
        "int *p = &one; if (any()) { p = &two; goto in; } if (!any()) { in: *p = 4; } assert(two == 2);"
    ),
    "a case that goes on": (
        "int *p = &one; switch (any()) { case 7: p = &two; case 1: *p = 4; break; default: p = &one; } assert(two == 2);"
    ),
    "no case": "int *p = &two; switch (any()) { case 1: p = &one; } *p = 4; assert(two == 2);",
    "a case in a loop": (
        "int *p = &one, n = 2; switch (n) { do { case 1: *p = 4; case 2: p = &two; } while (n--); } assert(two == 2);"
    ),
    "a choice": "int *p = &one; any() ? (p = &two) : 0; *p = 4; assert(two == 2);",
    "a condition that is not evaluated": "int *p = &two; if (!any() && (p = &one)) any(); *p = 4; assert(two == 2);",
    "two conditions": "int *p = &two; if (!any() || (p = &one)) *p = 4; p = &two; *p = 4; assert(one == 1);",
    "a step": "int a[2] = {1, 2}, *p = a; p++; *p = 4; p = &one; *p = 4; assert(a[1] == 2);",
    "a step in a loop": "int a[2] = {1, 2}; int *p; for (p = a; p < a + 2; p++) *p = 4; p = &one; assert(a[1] == 2);",
    "more than one assignment": "int *p = &two, *q; q = (p = &one, p = &two); *p = 4; assert(two == 2);",
    "an assigned value": "int *p = &one, *q; q = p = &two; *q = 4; p = &one; assert(two == 2);",
    "its address": "int *p = &one, **q = &p; *q = &two; *p = 4; p = &one; assert(two == 2);",
    "statements as an expression": "int *p = &one; int n = ({ p = &two; 1; }); *p = n + 3; p = &one; assert(two == 2);",
    "a label as a value": (
        "void *to = &&end; int *p = &one; p = &two; goto *to; p = &one; end: *p = 4; assert(two == 2);"
    ),
    "a jump out of a function": (
        "int *volatile *q = 0; int *p = &one; (void)q; if (!setjmp(back)) { p = &two; *p = 2; longjmp(back, 1); }"
        " p = give(p); *p = 4; assert(one == 1 && two == 2);"
    ),
    "a list": (
        "struct near *p = &second; for (int i = 0; i < 2 && p; i++) { p->number = 4; p = p->next; } p = &second;"
        " assert(first.number == 0);"
    ),
    "null at first": "int *p = 0; for (int i = 0; i < 2; i++) { if (p) assert(p == &one); p = &two; } p = &one;",
    "what is not set": "int *p; for (int i = 0; i < 2; i++) { if (i) *p = 4; p = &two; } p = &one; *p = 1; assert(two == 2);",
}


@pytest.mark.parametrize("name", PROVED)
def test_uses_are_told_apart(name: str) -> None:
    found = decided(START, PROVED[name], "assertion")
    assert found
    assert all(check.is_safe for check in found)


@pytest.mark.parametrize("name", FAILING)
def test_what_reaches_a_use_is_kept(name: str) -> None:
    assert not all(check.is_safe for check in decided(START, FAILING[name], "assertion"))


def test_what_is_open_fails(tmp_path: Path) -> None:
    program = compiled(START, FAILING, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(FAILING) if not fails(program, at)] == []


def test_a_switch_still_has_its_labels() -> None:
    body = (
        "int *p = &one; switch (any()) { case 1: p = &two; *p = 3; break; case 7: p = &one; *p = 4; break; }"
        " assert(two != 3); assert(one != 4);"
    )
    assert not any(check.is_safe for check in decided(START, body, "assertion"))
