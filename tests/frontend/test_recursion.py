"""Recursion: bodies that several calls share have one cell for a local of all activations."""

from __future__ import annotations

import pytest

from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import Budgets, FrontendOptions
from duet.plip.semantics import Limits, explore
from duet.result import Check

START = "#include <assert.h>\nint first = 1;\n"
PROGRAMS = {
    "a second call leads back, too": (
        "int g(int n);\n"
        "int use(int y, int r) { assert(y <= 0); return r; }\n"
        "int f(int n) { if (first) { first = 0; g(0); } return use(n, g(n)); }\n"
        "int g(int n) { if (n > 0) return f(n - 1); return 0; }\n"
        "int main(void) { f(1); }\n"
    ),
    "a body of another call leads back": (
        "int f(int n);\n"
        "int g(int n) { if (n > 0) return f(n - 1); return 0; }\n"
        "int f(int n) { int y = n; if (first) { first = 0; g(0); return 0; } g(n); assert(y <= 0); return 0; }\n"
        "int main(void) { f(1); f(1); }\n"
    ),
    "a literal": (
        "int f(int n) { int *p = (int[]){n}; if (n > 0) { f(n - 1); assert(*p <= 0); } return 0; }\n"
        "int main(void) { f(1); }\n"
    ),
    "a local declared behind the call": (
        "int f(int n) { int *p = 0; { again: if (p) { f(n - 1); assert(*p <= 0); return 0; } int y = n; p = &y;\n"
        "if (n > 0) goto again; } return 0; }\n"
        "int main(void) { f(1); }\n"
    ),
}


def failing(text: str, budgets: Budgets) -> set[Check]:
    """The checks that fail in some execution of a program after lowering."""
    options = FrontendOptions(budgets=budgets)
    program = lower(parse(START + text, "a.c", options), options).program
    return set(explore(program, Limits(threads=1, states=200_000)).failures)


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_that_fails_is_lost(name: str, is_shared: bool) -> None:
    assert failing(PROGRAMS[name], Budgets(inlined_commands=-1, small_commands=-1) if is_shared else Budgets())
