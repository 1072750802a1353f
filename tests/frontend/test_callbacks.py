"""Unknown code calls what it is given any number of times, in any order, and changes in between what it may reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.race_evidence import race_assertions
from duet.frontend import callbacks
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.syntax import Program

START = (
    "#include <assert.h>\nextern void run(void (*)(void), void (*)(void));\nextern void visit(void (*)(void), int *);\n"
)
FALSE = {
    "the second one first": (
        "int a; void f(void) { assert(a == 0); } void g(void) { a = 1; } int main(void) { run(f, g); }\n"
    ),
    "one of them again": "int a; void f(void) { assert(a == 0); a = 1; } int main(void) { run(f, 0); }\n",
    "a change between two calls": (
        "int a, n; void f(void) { if (n > 0) assert(a <= 1); n = 1; a = 1; } int main(void) { visit(f, &a); }\n"
    ),
    "a change behind the last call": (
        "int a, n; void f(void) { a = 1; n = 1; } int main(void) { visit(f, &a); if (n > 0) assert(a <= 1); }\n"
    ),
    "what the argument leads to": (
        "int a; void f(int *p) { if (p) *p = 2; } void g(int *p) { assert(a == 0); }\n"
        "extern void keep(void (*)(int *), void (*)(int *), int *); int main(void) { keep(f, g, &a); }\n"
    ),
    "a number that is an address": (
        "int a; void f(unsigned long p) { if (p) *(int *)p = 2; } void g(int *p) { assert(a == 0); }\n"
        "extern void keep(void (*)(unsigned long), void (*)(int *), unsigned long);\n"
        "int main(void) { keep(f, g, (unsigned long)&a); }\n"
    ),
    "at any time later": (
        "int a, b; void f(void) { b = 1; a = 1; b = 0; } void g(void) { assert(b == 0); }\n"
        "int main(void) { run(f, g); }\n"
    ),
    "beside the function that gave it away": (
        "int a; void f(void) { a = 1; } void g(void) { }\nint main(void) { run(f, g); a = 0; assert(a == 0); }\n"
    ),
    "called by what is called": (
        "int a; void g(void); void f(void) { assert(a == 0); run(g, f); } void g(void) { a = 1; }\n"
        "int main(void) { run(g, f); }\n"
    ),
}
UNIONS = """
union u { void (*f)(void); long l; };
struct s { int a; union u u; };
extern void keep(struct s *);
extern void *memcpy(void *, const void *, unsigned long);
int a;
void on(void) { a = 1; }
void put(struct s *p) { p->u.f = on; }
"""
FALSE |= {
    f"a function in a union, {name}": f"{UNIONS}int main(void) {{ struct s s, t; {body} assert(a == 0); }}\n"
    for name, body in {
        "written": "s.u.f = on; keep(&s);",
        "written through a pointer": "put(&s); keep(&s);",
        "initialised": "struct s i = {1, {on}}; keep(&i);",
        "initialised for good": "static struct s i = {1, {on}}; keep(&i);",
        "copied": "s.u.f = on; t = s; keep(&t);",
        "copied through a pointer": "s.u.f = on; struct s *p = &s, *q = &t; *q = *p; keep(&t);",
        "copied by the library": "s.u.f = on; memcpy(&t, &s, sizeof s); keep(&t);",
    }.items()
}
TRUE = {
    "nothing else is changed": "int a, b; void f(void) { b = 1; } int main(void) { visit(f, &a); assert(b <= 1); }\n",
    "called twice": (
        "int a; void f(void) { a = 1; } void g(void) { assert(a <= 1); }\n"
        "int main(void) { run(f, g); run(f, g); assert(a >= 0); }\n"
    ),
}


INLINED, SHARED = Budgets(), Budgets(inlined_commands=-1, small_commands=-1, callback_small_commands=-1)
TOGETHER = Budgets(program_commands=-1, handlers_if_large=-1)
each = pytest.mark.parametrize("budgets", [INLINED, SHARED, TOGETHER], ids=["inlined", "shared", "together"])


def _program(text: str, budgets: Budgets, start: str = START) -> Program:
    options = FrontendOptions(budgets=budgets)
    return lower(parse(start + text, "a.c", options), options).program


@each
@pytest.mark.parametrize("name", FALSE)
def test_what_may_fail_is_not_proved(name: str, budgets: Budgets) -> None:
    assert not any(status.is_safe for status in analyse(_program(FALSE[name], budgets), AnalysisOptions()).statuses)


@each
@pytest.mark.parametrize("name", TRUE)
def test_what_cannot_fail_is_proved(name: str, budgets: Budgets) -> None:
    assert all(status.is_safe for status in analyse(_program(TRUE[name], budgets), AnalysisOptions()).statuses)


LIBRARY = """
struct hooks { int n; void (*f)(void); union { void (*g)(void); long l; } u; };
extern void keep(struct hooks *), tick(int);
"""
KEPT = {
    "a function": "struct hooks h = {1, on}; keep(&h); a = 0; tick(1);",
    "a function that is put there later": "static struct hooks h; keep(&h); h.f = on; a = 0; tick(1);",
    "a function in a union": "static struct hooks h; h.u.g = on; keep(&h); a = 0; tick(1);",
    "a function behind a pointer": "static struct hooks h, *p = &h; void (*f)(void) = on; p->f = f; keep(p); a = 0;",
}


@pytest.mark.parametrize("name", KEPT)
def test_a_library_calls_later_what_it_finds_where_it_may_write(name: str, tmp_path: Path) -> None:
    (tmp_path / "usr" / "include").mkdir(parents=True)
    (tmp_path / "usr" / "include" / "hooks.h").write_text(LIBRARY, encoding="utf-8")
    source = tmp_path / "a.c"
    start = "#include <assert.h>\n#include <hooks.h>\nint a; void on(void) { a = 1; }\n"
    source.write_text(f"{start}int main(void) {{ {KEPT[name]} assert(a == 0); }}\n", encoding="utf-8")
    options = FrontendOptions(include_dirs=(str(tmp_path / "usr" / "include"),))
    program = lower(parse(preprocess(str(source), options).text, "a.c", options), options).program
    assert not any(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


def test_beyond_the_budget_a_call_costs_little() -> None:
    body = "int a[9]; void f(void) { for (int i = 0; i < 9; i++) a[i] += i; } int main(void) { %s }\n"

    def cost(budgets: Budgets) -> int:
        one, many = (len(_program(body % ("run(f, f); " * count), budgets).commands) for count in (2, 30))
        return (many - one) // 28

    assert cost(SHARED) < 8 < cost(INLINED)


def test_what_runs_at_any_time_in_a_large_program_is_one_template() -> None:
    body = "int a; void f%d(void) { %s } "
    text = "".join(body % (i, "a++; " * 40) for i in range(10))
    calls = "".join(f"run(f{i}, f{i}); " for i in range(10))
    declared = '# 1 "/usr/include/run.h"\nextern void run(void (*)(void), void (*)(void));\n# 1 "a.c"\n'
    apart, together = (
        _program(f"{text} int main(void) {{ {calls} }}\n", budgets, declared).templates
        for budgets in (Budgets(), Budgets(program_commands=500))
    )
    assert len(apart) == 11
    assert set(together) == {"main", "any callback"}


def test_they_have_the_locks_that_they_take() -> None:
    """Two handlers, one with a lock: their writes are protected from those of main, or not, as they are apart."""
    text = """#include <pthread.h>
    extern void run(void (*)(void), void (*)(void));
    int a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void f(void) { pthread_mutex_lock(&m); a = 1; pthread_mutex_unlock(&m); } void g(void) { b = 1; }
    int main(void) { run(f, g); pthread_mutex_lock(&m); a = 2; pthread_mutex_unlock(&m); b = 2; }
    """
    options = FrontendOptions(properties=("data-race",), budgets=TOGETHER)
    found = race_assertions(analyse(lower(parse(text, "a.c", options), options).program, AnalysisOptions()), "a.c")
    assert {one.check.expression: one.status.is_safe for one in found} == {
        "no race on a": True,
        "no race on b with g": False,
        "no race on b with main": False,
    }


def test_it_is_noticed_when_one_of_them_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    one_of = callbacks._one_of
    monkeypatch.setattr(callbacks, "_one_of", lambda ctx, calls: one_of(ctx, calls[1:]))
    monkeypatch.setattr("duet.frontend.bodies.callees._any_number_of_times", lambda *_: None)
    program = _program(FALSE["at any time later"], TOGETHER)
    assert any(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)
