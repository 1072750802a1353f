"""Recursion: bodies that several calls share have one cell for a local of all activations."""

from __future__ import annotations

import pytest

from duet.frontend.bodies import recursion
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import Budgets, FrontendOptions
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Havoc, steps, together
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
    "a call that only a later jump leads to": (
        "int f(int n) { int r = 1; if (0) { again: r = f(n - 1); assert(r != 0); return r; }\n"
        "if (n > 0) goto again; return n; }\n"
        "int main(void) { f(2); }\n"
    ),
    "a call at the end of a loop": (
        "int f(int n) { int r = 1; for (int i = 0; i < n; r = f(n - 1), i++) assert(r != 0); return n; }\n"
        "int main(void) { f(2); }\n"
    ),
    "the calls around it": (
        "int depth;\n"
        "int f(int n) { depth++; if (n > 0) f(n - 1); assert(depth < 4); depth--; return 0; }\n"
        "int main(void) { f(3); }\n"
    ),
    "more calls than are told apart": (
        "int f(int n) { if (n < 20) f(n + 1); assert(n < 20); return 0; }\nint main(void) { f(0); }\n"
    ),
    "the same constant again": (
        "int f(int n) { if (first) { first = 0; f(n); } else assert(n != 3); return 0; }\nint main(void) { f(3); }\n"
    ),
    "constants that come back": (
        "int twice = 2;\n"
        "int g(int n);\n"
        "int f(int n) { if (twice-- > 0) g(1 - n); else assert(n != 0); return 0; }\n"
        "int g(int n) { return f(n); }\n"
        "int main(void) { f(0); }\n"
    ),
    "two locals of one activation": (
        "int f(int n) { int x = n + 1, y = n + 2; if (n > 0) f(n - 1); if (x == 3) assert(y != 4); return 0; }\n"
        "int main(void) { f(2); }\n"
    ),
}
TOLD_APART = {
    "one way": "int f(int n) { int y = n; if (n > 0) f(n - 1); assert(y == n); return 0; }\nint main(void) { f(4); }\n",
    "a result": "int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }\nint main(void) { assert(f(5) == 120); }\n",
    "each other": (
        "int g(int n);\n"
        "int f(int n) { return n == 0 ? 1 : g(n - 1); }\n"
        "int g(int n) { return n == 0 ? 0 : f(n - 1); }\n"
        "int main(void) { assert(f(4)); assert(!f(3)); }\n"
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


@pytest.mark.parametrize("name", TOLD_APART)
def test_calls_that_constants_tell_apart_are_those_that_c_makes(name: str) -> None:
    lowered = lower(parse(START + TOLD_APART[name], "a.c", FrontendOptions()), FrontendOptions())
    assert "recursion" not in {warning.code for warning in lowered.warnings}
    assert not failing(TOLD_APART[name], Budgets())


def test_the_tests_notice_calls_that_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recursion, "close_gaps", lambda _: None)
    assert not failing(PROGRAMS["a call that only a later jump leads to"], Budgets())


def test_what_a_nested_call_may_change_of_its_own_thread_is_one_step() -> None:
    options = FrontendOptions(budgets=Budgets(inlined_commands=-1, small_commands=-1))
    program = lower(parse(START + PROGRAMS["two locals of one activation"], "a.c", options), options).program
    unknown = [{step.target for step in steps(it.instruction) if isinstance(step, Havoc)} for it in program.commands]
    assert any({"f::x", "f::y"} <= names for names in unknown)


def test_the_tests_notice_a_local_that_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recursion, "together", lambda parts: together(parts[:1]))
    budgets = Budgets(inlined_commands=-1, small_commands=-1)
    assert not failing(PROGRAMS["two locals of one activation"], budgets)
