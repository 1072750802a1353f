"""All functions that are started as threads share one template where templates of their own are too much code."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.race_evidence import race_assertions
from duet.frontend import program as programs
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.syntax import Program

APART, SHARED = Budgets(), Budgets(template_commands=-1)
START = "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int a, b;\n"
FALSE = {
    "one of them": (
        "void *f(void *p) { a = 1; return 0; } void *g(void *p) { assert(a == 0); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }\n"
    ),
    "the last one": (
        "void *f(void *p) { return 0; } void *g(void *p) { a = 1; return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); assert(a == 0); }\n"
    ),
    "its own argument": (
        "void *f(void *p) { assert(*(int *)p == 3); return 0; } void *g(void *p) { *(int *)p = 4; return 0; }\n"
        "int main(void) { pthread_t t; static int n = 3, k; pthread_create(&t, 0, g, &k);\n"
        "  pthread_create(&t, 0, f, &n); pthread_create(&t, 0, f, &k); }\n"
    ),
    "another argument each time": (
        "void *f(void *p) { assert((long)p < 2); return 0; } void *g(void *p) { return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); for (long i = 0; i < 3; i++)\n"
        "  pthread_create(&t, 0, f, (void *)i); }\n"
    ),
    "started by another one": (
        "void *g(void *p) { a = 1; return 0; }\n"
        "void *f(void *p) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; } void *h(void *p) { return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, h, 0); assert(a == 0); }\n"
    ),
    "what it returns": (
        "int x, y; void *f(void *p) { return &x; } void *g(void *p) { return &y; }\n"
        "int main(void) { pthread_t t, u; void *r; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);\n"
        "  pthread_join(u, &r); if (r) *(int *)r = 1; assert(y == 0); }\n"
    ),
    "a thread of another function is joined": (
        "void *f(void *p) { a = 1; return 0; } void *g(void *p) { b = 1; return 0; }\n"
        "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);\n"
        "  pthread_join(u, 0); assert(a == 0); }\n"
    ),
    "names that end in numbers": (
        "void *g(void *p) { a = *(int *)p; return 0; } void *g1(void *p) { return 0; }\n"
        "int main(void) { pthread_t t; static int n = 1, k; pthread_create(&t, 0, g, &n);\n"
        "  pthread_create(&t, 0, g1, &k); assert(a == 0); }\n"
    ),
    "a function and its callers": (
        "void set(int n) { a = n; } void *f(void *p) { set(1); return 0; } void *g(void *p) { set(2); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); assert(a < 2); }\n"
    ),
    "with an argument, and without": (
        "void *f(void *p) { if (p) a = *(int *)p; return 0; } void *g(void *p) { return 0; }\n"
        "int main(void) { pthread_t t; static int n = 1; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, &n);\n"
        "  pthread_create(&t, 0, g, 0); assert(a == 0); }\n"
    ),
}
TRUE = {
    "each has its own argument": (
        "void *f(void *p) { assert(*(int *)p == 3); return 0; }\n"
        "void *g(void *p) { assert(*(char *)p == 4); return 0; }\n"
        "int main(void) { pthread_t t; static int n = 3; static char k = 4; pthread_create(&t, 0, f, &n);\n"
        "  pthread_create(&t, 0, g, &k); }\n"
    ),
    "numbers": (
        "void *f(void *p) { assert((long)p < 3); return 0; } void *g(void *p) { assert((long)p == 7); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, g, (void *)7); for (long i = 0; i < 3; i++)\n"
        "  pthread_create(&t, 0, f, (void *)i); }\n"
    ),
    "locks": (
        "void set(int n) { pthread_mutex_lock(&m); a = n; assert(a == n); a = 0; pthread_mutex_unlock(&m); }\n"
        "void *f(void *p) { set(1); return 0; } void *g(void *p) { set(2); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }\n"
    ),
}
both = pytest.mark.parametrize("budgets", [APART, SHARED], ids=["apart", "together"])


def _program(text: str, options: FrontendOptions) -> Program:
    return lower(parse(START + text, "a.c", options), options).program


@both
@pytest.mark.parametrize("name", FALSE)
def test_what_may_fail_is_not_proved(name: str, budgets: Budgets) -> None:
    program = _program(FALSE[name], FrontendOptions(budgets=budgets))
    assert not all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


@both
@pytest.mark.parametrize("name", TRUE)
def test_what_cannot_fail_is_proved(name: str, budgets: Budgets) -> None:
    program = _program(TRUE[name], FrontendOptions(budgets=budgets))
    assert all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


def test_races_are_between_the_functions() -> None:
    text = """void *f(void *p) { a = 1; return 0; }
    void *g(void *p) { pthread_mutex_lock(&m); b++; pthread_mutex_unlock(&m); a = 2; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }
    """
    options = FrontendOptions(properties=("data-race",), budgets=SHARED)
    found = race_assertions(analyse(_program(text, options), AnalysisOptions()), "a.c")
    assert {one.check.expression: one.status.is_safe for one in found if "on b" in one.check.expression} == {
        "no race on b": True
    }
    assert any(not one.status.is_safe for one in found if "on a" in one.check.expression)


LIBRARY = """
static int n; static void put(int k) { pthread_mutex_lock(&m); n = k; assert(n == k); pthread_mutex_unlock(&m); }
void first(void) { put(1); } void second(int k) { put(k); } void third(int *p) { if (p) put(*p); }
void fourth(void) { assert(b == 0); } void fifth(void) { b = 1; }
"""


@both
def test_entries_of_a_library_are_one_template(budgets: Budgets) -> None:
    program = _program(LIBRARY, FrontendOptions(parameterized=True, entries=("all",), budgets=budgets))
    assert len(program.templates) == (6 if budgets is APART else 2)
    statuses = [status.is_safe for status in analyse(program, AnalysisOptions()).statuses]
    assert set(statuses) == {True, False}
    assert statuses.count(False) == 1


def test_a_function_that_is_forgotten_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = programs._all_started
    monkeypatch.setattr(programs, "_all_started", lambda ctx: found(ctx)[:-1] or found(ctx))
    program = _program(FALSE["the last one"], FrontendOptions(budgets=SHARED))
    assert all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)
