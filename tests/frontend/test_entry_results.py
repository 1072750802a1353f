"""What an entry returns is known outside of the program: the arguments of others may lead to it."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions

START = """
void assert(int); void *malloc(unsigned long);
struct whole { int a, b; } s; struct result { int *p; }; union any { int *p; long n; };
static int x, *made;
void set(int *p) { *p = 1; }
"""
RETURNED = {
    "an address": "int *get(void) { return &x; } void check(void) { assert(x == 0); }",
    "a number": "long get(void) { return (long)&x; } void check(void) { assert(x == 0); }",
    "in a structure": "struct result get(void) { return (struct result){&x}; } void check(void) { assert(x == 0); }",
    "in a union": "union any get(void) { union any u; u.p = &x; return u; } void check(void) { assert(x == 0); }",
    "a member": "int *get(void) { return &s.b; } void check(void) { assert(s.b == 0); }",
    "a new object": (
        "int *get(void) { int *p = malloc(4); if (p) *p = 0; made = p; return p; }"
        " void check(void) { int *p = made; if (p) assert(*p == 0); }"
    ),
}


def _is_proved(text: str) -> bool:
    options = FrontendOptions(entries=("get", "set", "check"))
    program = lower(parse(START + text, "a.c", options), options).program
    return all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


@pytest.mark.parametrize("name", RETURNED)
def test_what_is_returned_may_be_changed(name: str) -> None:
    assert not _is_proved(RETURNED[name])


def test_what_is_not_returned_stays() -> None:
    assert _is_proved("int get(void) { return x; } void check(void) { assert(x == 0); }")
