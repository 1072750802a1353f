"""What holds in each function by itself (`duet.frontend.each`) holds in the whole program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from duet.coarsen.early import look
from duet.deadline import Deadline
from duet.frontend import each
from duet.frontend.each import each_function
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import ParsedUnit, parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.syntax import Assert, Program
from duet.result import Check
from tests.c.annotations import AnnotatedProgram, Expected, bundled, name
from tests.soundness.c_oracle import Seen
from tests.soundness.c_soak import Report, concurrent, judged, layouts, pointers, sequential

HEAD = """
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
"""
FAILING = {
    "an argument": "void f(int a) { assert(a == 1); } int main(void) { f(1); f(2); return 0; }",
    "what is given": "int g(void) { return 2; } int main(void) { assert(g() == 1); return 0; }",
    "a structure that is given": """struct s { int a; }; struct s g(void) { struct s s = {2}; return s; }
        int main(void) { struct s s = g(); assert(s.a == 1); return 0; }""",
    "a global": "int g; void f(void) { assert(g == 0); } int main(void) { g = 1; f(); return 0; }",
    "a constant that is changed": """static int g = 3; void f(void) { g++; } int main(void) { f(); assert(g ==
        3); return 0; }""",
    "a thread-local variable": """_Thread_local int t; void f(void) { assert(t == 0); } int main(void) { t = 1;
        f(); return 0; }""",
    "a static variable": """int f(void) { static int n; return n++; } int main(void) { f(); assert(f() == 0);
        return 0; }""",
    "its own static variable": """void f(void) { static int n; assert(n == 0); n++; } int main(void) { f();
        f(); return 0; }""",
    "a member behind an argument": """struct s { int a; }; void f(struct s *p) { if (p) assert(p->a == 0); }
        int main(void) { struct s s = {1}; f(&s); return 0; }""",
    "a local whose address is passed": """void set(int *p) { *p = 1; }
        int main(void) { int x = 0; set(&x); assert(x == 0); return 0; }""",
    "an element": """void set(int *p) { p[1] = 1; } int main(void) { int a[2] = {0}; set(a); assert(a[1] == 0);
        return 0; }""",
    "a member": """struct s { int a, b; }; void set(int *p) { p[1] = 1; }
        int main(void) { struct s s = {0, 0}; set(&s.a); assert(s.b == 0); return 0; }""",
    "a local in a structure": """struct s { int *p; }; void set(struct s s) { *s.p = 1; }
        int main(void) { int x = 0; struct s s = {&x}; set(s); assert(x == 0); return 0; }""",
    "a local in an integer": """void set(unsigned long p) { *(int *)p = 1; }
        int main(void) { int x = 0; set((unsigned long)&x); assert(x == 0); return 0; }""",
    "a local that is kept": """int *kept; void keep(int *p) { kept = p; } void change(void) { if (kept) *kept = 1; }
        int main(void) { int x = 0; keep(&x); change(); assert(x == 0); return 0; }""",
    "a local that is kept by itself": """int *kept; void change(void) { if (kept) *kept = 1; }
        int main(void) { int x = 0; kept = &x; change(); assert(x == 0); return 0; }""",
    "a local that is kept later": """int *kept; void change(void) { if (kept) *kept = 1; }
        int main(void) { int x = 0; for (int i = 0; i < 3; i++) { change(); assert(x == 0); kept = &x; } return
        0; }""",
    "a pointer that is kept": """int *kept; void change(void) { if (kept) *kept = 1; }
        int main(void) { int x = 0, *p = &x; memcpy(&kept, &p, sizeof p); change(); assert(x == 0); return 0; }""",
    "another activation": """void f(int *p) { int x = 0; if (p) { *p = 1; return; } f(&x); assert(x == 0); }
        int main(void) { f(0); return 0; }""",
    "a pointer to a function": """void set(int *p) { *p = 1; } void (*h)(int *) = set;
        int main(void) { int x = 0; h(&x); assert(x == 0); return 0; }""",
    "a callback": """int *kept; int order(const void *a, const void *b) { (void)a; (void)b; *kept = 1; return 0; }
        int main(void) { int x = 0, a[2] = {1, 2}; kept = &x; qsort(a, 2, sizeof *a, order); assert(x == 0);
        return 0; }""",
    "a pointer that a callee changes": """struct s { int a; }; void drop(struct s **p) { *p = 0; }
        int main(void) { struct s s, *p = &s; drop(&p); p->a = 1; return 0; }""",
    "an array that is smaller": """void shrink(char **p) { free(*p); *p = malloc(1); }
        int main(void) { char *p = malloc(4); if (p) { shrink(&p); if (p) p[3] = 1; free(p); } return 0; }""",
    "an array of a caller": "void f(int *a) { if (a) a[3] = 1; } int main(void) { int a[2]; f(a); return 0; }",
    "a string of a caller": """void f(char *s) { char b[4]; if (s) strcpy(b, s); }
        int main(void) { f("longer"); return 0; }""",
    "an access by a macro": """
        #define TWICE(q) { int *p = malloc(4); if (p) *p = 1; } { int *p = (q); if (p) *p = 1; }
        void f(int *q) { TWICE(q) }
        int main(void) { f(malloc(1)); return 0; }""",
    "an access by a macro, seen otherwise": """struct s { int a; }; struct t { int a, b; };
        #define TWICE(q) { struct t t; char *c = (char *)&t; struct t *p = (void *)c; p->b = 1; } \\
            { struct t *p = (void *)(q); p->b = 1; }
        void f(struct s *q) { TWICE(q) }
        int main(void) { struct s s; f(&s); return 0; }""",
    "bytes of what an argument leads to": """struct s { int a[4]; };
        void f(struct s *q, unsigned n) { if (n <= sizeof *q) memset(q, 0, n); }
        int main(void) { f(malloc(1), 16); return 0; }""",
    "bytes of what a global leads to": """struct s { int a[4]; } *g;
        void f(unsigned n) { char z[16] = {0}; if (n <= 16 && g) memcpy(g, z, n); }
        int main(void) { g = malloc(1); f(16); return 0; }""",
    "bytes of what is given": """struct s { int a[4]; } *g(void) { return malloc(1); }
        void f(unsigned n) { char z[16] = {0}; if (n <= 16) memcpy(g(), z, n); }
        int main(void) { f(16); return 0; }""",
    "bytes of what a structure leads to": """struct s { int a[4]; }; struct h { struct s *p; };
        void f(struct h h, unsigned n) { if (n <= 16) memset(h.p, 0, n); }
        int main(void) { struct h h = {malloc(1)}; f(h, 16); return 0; }""",
    "elements that are read": """#include <stdio.h>
        void f(int *q, unsigned n, FILE *in) { if (n <= 1) fread(q, 4, n, in); }
        int main(void) { f(malloc(1), 1, stdin); return 0; }""",
    "an argument that is null": "void f(int *p) { *p = 1; } int main(void) { f(0); return 0; }",
    "a variable argument": """int f(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l);
        return x; }
        int main(void) { assert(f(1, 2) == 1); return 0; }""",
    "a variable argument inside": """void f(int n, ...) { va_list l; va_start(l, n); assert(va_arg(l, int) ==
        1); va_end(l); }
        int main(void) { f(1, 1); f(1, 2); return 0; }""",
    "a thread": """void *run(void *p) { *(int *)p = 1; return 0; }
        int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, run, &x); pthread_join(t, 0); assert(x
        == 0); return 0; }""",
    "a thread that a callee starts": """void *run(void *p) { *(int *)p = 1; return 0; } pthread_t t;
        void start(int *p) { pthread_create(&t, 0, run, p); }
        int main(void) { int x = 0; start(&x); assert(x == 0); return 0; }""",
    "the argument of a thread": """void *run(void *p) { assert(p == 0); return 0; }
        int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, run, &x); pthread_join(t, 0); return 0; }""",
    "a handler": """volatile sig_atomic_t seen; void h(int n) { (void)n; seen = 1; }
        int main(void) { signal(SIGINT, h); raise(SIGINT); assert(seen == 0); return 0; }""",
    "a lock that a caller has": """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void f(void) { assert(pthread_mutex_trylock(&m) == 0); }
        int main(void) { pthread_mutex_lock(&m); f(); return 0; }""",
    "a lock that a callee takes": """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void f(void) { pthread_mutex_lock(&m); }
        int main(void) { f(); assert(pthread_mutex_trylock(&m) == 0); return 0; }""",
    "data of a thread": """pthread_key_t key; int x; void f(void) { assert(pthread_getspecific(key) == 0); }
        int main(void) { pthread_key_create(&key, 0); pthread_setspecific(key, &x); f(); return 0; }""",
    "errno": """void f(void) { assert(errno == 0); } int main(void) { errno = 3; f(); return 0; }""",
    "what cleans up": """void set(int **p) { **p = 1; }
        int main(void) { int x = 0; { int *p __attribute__((cleanup(set))) = &x; } assert(x == 0); return 0; }""",
    "what runs before main": """int g; __attribute__((constructor)) void before(void) { g = 1; }
        int main(void) { assert(g == 0); return 0; }""",
    "main, again": "int main(int n, char **v) { assert(n != 7); return n < 9 && n > 0 ? main(n + 1, v) : 0; }",
    "once": """pthread_once_t o = PTHREAD_ONCE_INIT; int g; void first(void) { g = 1; }
        int main(void) { pthread_once(&o, first); assert(g == 0); return 0; }""",
}
"""Programs in which something fails: no check of what stands there may be all that is proved."""
HOLDING = {
    "a local": "void g(void) {} int main(void) { int x = 1; g(); assert(x == 1); return 0; }",
    "a loop": "int main(void) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i; return 0; }",
    "a pointer that is tested": """struct s { int a; }; int f(struct s *p) { return p ? p->a : 0; } int
        main(void) { return f(0); }""",
    "a local array": "void g(char *p) { (void)p; } int main(void) { char a[4]; g(a); a[3] = 1; return a[0]; }",
}


OF_BOUNDS = {
    *("an array that is smaller", "an array of a caller", "a string of a caller", "a loop", "a local array"),
    *("an access by a macro", "an access by a macro, seen otherwise", "elements that are read"),
    *(
        f"bytes of what {what}"
        for what in ("an argument leads to", "a global leads to", "a structure leads to", "is given")
    ),
}
"""The others are about what they assert, or else about null pointers."""


def _written(text: str, tmp_path: Path, properties: tuple[str, ...]) -> tuple[ParsedUnit, FrontendOptions]:
    path = tmp_path / "a.c"
    path.write_text(HEAD + text)
    options = FrontendOptions(properties=properties)
    return parse(preprocess(str(path), options).text, str(path), options), options


@contextmanager
def _any_size() -> Iterator[None]:
    with patch.object(each, "LEAST_LINES", 0):
        yield


def _checks(program: Program) -> set[Check]:
    return {one.check for command in program.commands if isinstance(one := command.instruction, Assert)}


def _decided(program: Program) -> set[Check]:
    return {one.check for one in look(program, AnalysisOptions(), Deadline()).decided}


def _is_proved(title: str, text: str, tmp_path: Path) -> bool:
    """Whether all is proved that is asked, and something is."""
    kind = "assertion" if "assert(" in text else "array-bounds" if title in OF_BOUNDS else "null-dereference"
    unit, options = _written(text, tmp_path, (kind,))
    with _any_size():
        program = each_function((unit,), options)
    assert program is not None
    return bool(_checks(program)) and _checks(program) <= _decided(program)


@pytest.mark.parametrize("title", FAILING)
def test_what_fails_is_not_proved(title: str, tmp_path: Path) -> None:
    assert not _is_proved(title, FAILING[title], tmp_path)


@pytest.mark.parametrize("title", HOLDING)
def test_what_others_cannot_change_is_proved(title: str, tmp_path: Path) -> None:
    assert _is_proved(title, HOLDING[title], tmp_path)


def _kept_across_calls(patch_: pytest.MonkeyPatch) -> None:
    patch_.setattr("duet.frontend.models.anything.reached_by_called", lambda _: [])


def _as_it_begins(patch_: pytest.MonkeyPatch) -> None:
    """What is not automatic is what it is where a thread begins: in memory, and as models keep it."""
    patch_.setattr("duet.frontend.cells.memory.is_anything", lambda *_: False)
    patch_.setattr(each, "opened", lambda program, *_: program)


DEFECTS = {"kept across calls": _kept_across_calls, "as it begins": _as_it_begins}


@pytest.mark.parametrize("defect", DEFECTS)
def test_seeded_defects_are_caught(defect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DEFECTS[defect](monkeypatch)
    assert any(_is_proved(title, text, tmp_path) for title, text in FAILING.items())


JUMPING = """#include <setjmp.h>
    jmp_buf b; void g(void) { longjmp(b, 1); }
    void f(int n) { int x = 1; g(); assert(x == 1); }
    int main(void) { int x = 0; if (setjmp(b)) { assert(x == 0); return 0; } x = 1; g(); return 0; }"""


def test_a_function_that_others_lead_back_into_is_left_alone(tmp_path: Path) -> None:
    unit, options = _written(JUMPING, tmp_path, ("assertion",))
    with _any_size():
        program = each_function((unit,), options)
    assert program is not None
    assert {check.function for check in _checks(program)} == {"f", "main"}
    assert {check.function for check in _decided(program)} == {"f"}


def test_a_small_program_is_left_alone(tmp_path: Path) -> None:
    unit, options = _written(HOLDING["a local"], tmp_path, ("assertion",))
    assert each_function((unit,), options) is None


def _properties(program: AnnotatedProgram) -> tuple[str, ...]:
    return tuple((program.option("properties") or "assertion,unreach-call").split(","))


@pytest.mark.parametrize("program", [one for one in bundled() if one.option("model") is None], ids=name)
def test_bundled_programs(program: AnnotatedProgram) -> None:
    options = FrontendOptions(
        properties=_properties(program), system_headers=program.option("system-headers") is not None
    )
    unit = parse(preprocess(str(program.path), options).text, str(program.path), options)
    with _any_size():
        found = each_function((unit,), options)
    if found is None:
        return
    checks, decided = _checks(found), _decided(found)
    proved = {check.line for check in checks} - {check.line for check in checks - decided}
    assert proved.isdisjoint(program.lines(Expected.UNSAFE))


def _by_itself(unit: ParsedUnit, options: FrontendOptions) -> Lowered:
    whole = lower(unit, options)
    with _any_size():
        program = each_function((unit,), options)
    return whole if program is None else replace(whole, program=program, checks=tuple(sorted(_checks(program))))


@pytest.mark.parametrize("make", [sequential, layouts, pointers, concurrent])
def test_random_programs(make: Callable[..., list[tuple[int, str, Seen]]], tmp_path: Path) -> None:
    found: Report = judged(make(range(60_300, 60_308), tmp_path), tmp_path, lowering=_by_itself)
    assert found.wrong == ()
    assert found.failing
