"""Calls that share one copy of a function and ask what it gives: what it did where it failed is another matter.

There are so many functions that ways are no longer told apart by what is asked of their results.
"""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.bodies import inline
from duet.frontend.cells.thread import Sign
from duet.frontend.ctypes.types import CType
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions

SHARED = Budgets(inlined_commands=-1, small_commands=-1, callback_small_commands=-1)
OPTIONS = FrontendOptions(properties=("null-dereference",), budgets=SHARED)
MANY = 14
START = "extern int any(void);\nint kept;\nstruct c { int x; } one, two;\n"
SET = "if (any()) return -1; if (any() && any()) { any(); return -2; } P = c; return 0;"
RESTARTED = "if (any()) return -1; if (any()) { if (N(c)) return -3; } P = &one; return 0;"
HOLDS = {
    "negative where it fails": ("int", SET, "N(&one) < 0"),
    "not zero": ("int", SET, "N(&one)"),
    "not zero, kept": ("int", SET, "(kept = N(&one)) != 0"),
    "a pointer": ("struct c *", "if (any()) return 0; if (any()) return 0; P = c; return c;", "!N(&one)"),
    "a count": (
        "int",
        "if (any()) return -1; P = c; if (any()) return 3; if (any()) return 4; return 0;",
        "N(&one) < 0",
    ),
    "a truth value": ("_Bool", "if (any()) return 0; P = c; return 1;", "!N(&one)"),
    "a size": ("unsigned long", "if (any()) return 0; P = c; return 7;", "N(&one) == 0"),
    "through a call of itself": ("int", RESTARTED, "N(&one)"),
}
FAILS = {
    "asked the wrong way": ("int", SET, "N(&one) == 0"),
    "asked of positive numbers only": ("int", SET, "N(&one) > 0"),
    "not asked": ("int", SET, "(N(&one), 0)"),
    "of the other call": ("int", SET, "kept < 0"),
    "zero where it fails": ("int", "if (any()) return 0; P = c; if (any()) return 1; return 0;", "N(&one) < 0"),
    "a pointer of a failing call": ("struct c *", "if (any()) return c; P = c; return c;", "!N(&one)"),
    "forgotten behind": ("int", "if (any()) return -1; P = c; if (any()) P = 0; return 0;", "N(&one) < 0"),
    "forgotten by a call of itself": ("int", "if (any()) return -1; P = c; if (any()) { N(0); } return 0;", "N(&one)"),
    "a size that is one less": ("unsigned long", "if (any()) return 0ul - 1; P = c; return 7;", "N(&one) == 0"),
    "a variable": ("int", "int r = any(); if (r < -1) return r; P = c; return r;", "N(&one) != 0 && any()"),
}


def _are_safe(case: tuple[str, str, str]) -> set[bool]:
    kind, body, asked = case
    functions, calls = "", ""
    for number in range(MANY):
        told = body.replace("P", f"p{number}").replace("N", f"f{number}")
        functions += f"struct c *p{number}; {kind} f{number}(struct c *c) {{ {told} }}\n"
        calls += f"  if ({asked.replace('N', f'f{number}')}) return 1;\n  p{number}->x = 1;\n"
    again = "".join(f"  f{number}(&two);\n" for number in range(MANY))
    text = f"{START}{functions}int main(void) {{\n{calls}{again}}}\n"
    program = lower(parse(text, "t.c", OPTIONS), OPTIONS).program
    found = analyse(program, AnalysisOptions(domain="interval"))
    return {found.status_of(check).is_safe for check in found.fixpoints[0].verdicts if check.function == "main"}


@pytest.mark.parametrize("name", HOLDS)
def test_what_was_done_where_a_call_succeeded_is_known(name: str) -> None:
    assert _are_safe(HOLDS[name]) == {True}


@pytest.mark.parametrize("name", FAILS)
def test_what_was_done_where_a_call_failed_is_known_too(name: str) -> None:
    assert False in _are_safe(FAILS[name])


MOVED = """#include <assert.h>
int kept[2];
int *got(int found) { return found ? kept : 0; }
int *moved(int *p) { return (int *)((char *)p - 4); }
int main(void) { if (moved(got(0))) assert(0); }
"""


def test_null_that_is_moved_to_the_front_is_a_result_that_is_not_null() -> None:
    options = FrontendOptions(properties=("assertion",), budgets=SHARED)
    program = lower(parse(MOVED, "t.c", options), options).program
    found = analyse(program, AnalysisOptions(domain="interval"))
    assert [found.status_of(check).is_safe for check in found.fixpoints[0].verdicts] == [False]


def _one(kind: CType) -> tuple[Sign, ...]:
    """A seeded defect: results are not told apart."""
    del kind
    return (Sign.ANY,)


def test_the_defect_that_results_are_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "signs", _one)
    assert False in _are_safe(HOLDS["not zero"])


def test_functions_that_never_return_have_results() -> None:
    text = """
extern void exit(int);
extern int any(void);
struct c { int x; };
struct c *gone(void) { exit(1); }
int ends(void) { for (;;) any(); }
int main(void) { if (any()) gone()->x = ends(); if (ends() < 0) gone()->x = 1; return 0; }
"""
    found = lower(parse(text, "t.c", OPTIONS), OPTIONS)
    assert found.understood.is_whole
