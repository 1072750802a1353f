"""`setjmp` and `longjmp`: what may happen behind a jump out of functions, and what may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import Unsupported
from duet.frontend.models import jumps
from duet.options import Budgets, FrontendOptions
from tests.frontend.running import fails, statuses

START = (
    "#include <assert.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include <stdlib.h>\n"
    "static jmp_buf env; static int x, y; static int one(void) { return 1; }\n"
    "static void back(int n) { x = n; longjmp(env, n); }\n"
)
HANDLER = "\n#include <signal.h>\nstatic void h(int s) { longjmp(env, 1); } int main(void) { signal(2, h);"
FALSE = {
    "it comes back": "int main(void) { if (setjmp(env)) assert(0); back(1); }",
    "what was done stays done": "int main(void) { if (setjmp(env) == 0) back(2); assert(x == 0); }",
    "what follows is not done": (
        "static void f(void) { back(1); y = 1; } int main(void) { if (!setjmp(env)) f(); assert(y == 1); }"
    ),
    "0 becomes 1": "int main(void) { int r = setjmp(env); if (r == 0) longjmp(env, 0); assert(r != 1); }",
    "a number that is given": "int main(void) { int r = setjmp(env); if (r == 0) longjmp(env, -7); assert(r != -7); }",
    "through several functions": (
        "static void f(int n) { if (n == 2) back(n); } static void g(int n) { f(n); f(n + 1); y = 1; }\n"
        "int main(void) { if (setjmp(env)) assert(y == 1); else g(1); }"
    ),
    "twice": ("int main(void) { volatile int n = 0; setjmp(env); n++; if (n < 3) back(1); assert(n < 3); }"),
    "a local that is volatile": (
        "int main(void) { volatile int n = 0; if (setjmp(env)) assert(n == 0); else { n = 1; back(1); } }"
    ),
    "a local that changes": (
        "int main(void) { int n = 0, *p = &n; if (setjmp(env)) assert(n == 0); else { *p = 1; back(1); } }"
    ),
    "a counter of a loop": (
        "int main(void) { volatile int i; for (i = 0; i < 3; i++) { if (i == 0 && setjmp(env)) assert(i == 0);\n"
        "if (i == 1 && x == 0) back(1); } }"
    ),
    "a counter that is copied": (
        "int main(void) { int i; for (i = 0; i < 2; i++) { if (i == 0 && setjmp(env)) { assert(x == 0); exit(0); }\n"
        "if (i == 1) back(1); } }"
    ),
    "a counter that chooses elements": (
        "static int a[2]; int main(void) { int i; for (i = 0; i < 2; i++) { a[i] = 1;\n"
        "if (i == 0 && setjmp(env)) { assert(i == 0); exit(0); } if (i == 1) back(1); } }"
    ),
    "a local that is known to be a constant": (
        "int main(void) { volatile int n = one(); if (n == 1 && setjmp(env)) { assert(n == 1); exit(0); }\n"
        "n = 5; back(1); }"
    ),
    "what stands before it, again": (
        "int main(void) { volatile int n = 0; setjmp(env); assert(n == 0); n = 1; if (y++ == 0) back(1); }"
    ),
    "a switch": "int main(void) { switch (setjmp(env)) { case 0: back(3); break; case 3: assert(x != 3); } }",
    "an inner one": (
        "static jmp_buf other; static void f(void) { if (setjmp(other) == 0) longjmp(other, 1); y++; back(1); }\n"
        "int main(void) { if (setjmp(env)) assert(y == 0); else f(); }"
    ),
    "a pointer to it": (
        "static void f(jmp_buf *e) { y = 1; longjmp(*e, 1); }\n"
        "int main(void) { jmp_buf e; if (setjmp(e)) assert(y == 0); else f(&e); }"
    ),
    "from a function that the library calls": (
        "static int order(const void *a, const void *b) { y = 1; longjmp(env, 1); return 0; } static int a[2];\n"
        "int main(void) { if (setjmp(env)) assert(y == 0); else qsort(a, 2, sizeof *a, order); }"
    ),
    "a lock that is still held": (
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void f(void) { pthread_mutex_lock(&m); back(1); pthread_mutex_unlock(&m); }\n"
        "int main(void) { if (!setjmp(env)) f(); assert(pthread_mutex_trylock(&m) == 0); }"
    ),
    "an object for each time": (
        "static int *first; int main(void) { volatile int n = 0; setjmp(env);\n"
        "int *p = malloc(4); if (!p) abort(); *p = n; if (n++ == 0) { first = p; back(1); } assert(*first == 1); }"
    ),
    "threads for each time": (
        "static void *w(void *a) { __atomic_fetch_add(&y, 1, 5); return 0; } static pthread_t t[2];\n"
        "int main(void) { volatile int n = 0; setjmp(env); pthread_create(&t[n], 0, w, 0); if (n++ == 0) back(1);\n"
        "pthread_join(t[0], 0); pthread_join(t[1], 0); assert(y <= 1); }"
    ),
    "in a thread": (
        "static _Thread_local jmp_buf own; static void f(void) { longjmp(own, 1); }\n"
        "static void *w(void *a) { if (setjmp(own)) { x = 1; return 0; } f(); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); assert(x == 0); }"
    ),
    "out of recursion": (
        "static void f(volatile int n) { volatile int m = n; if (n == 2 && setjmp(env)) { assert(m != 2); return; }\n"
        "if (n) f(n - 1); else back(1); } int main(void) { f(2); }"
    ),
    "out of recursion, and what an inner call has stored": (
        "static void f(int n) { int m = n * 2; if (n == 2 && setjmp(env)) { assert(m != 4); return; }\n"
        "if (n) f(n - 1); else back(1); } int main(void) { f(2); }"
    ),
    "of a handler": f"{HANDLER} if (setjmp(env)) assert(x == 0); else {{ x = 1; raise(2); }} }}",
    "of a handler, and what follows is not done": f"{HANDLER} if (!setjmp(env)) {{ raise(2); y = 1; }} assert(y); }}",
    "of a handler, between two writes": (
        f"{HANDLER} if (setjmp(env)) assert(x == y); else {{ x = 1; raise(2); y = 1; }} }}"
    ),
    "of a handler, while a lock is held": (
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        f"{HANDLER} if (!setjmp(env)) {{ pthread_mutex_lock(&m); raise(2); pthread_mutex_unlock(&m); }}\n"
        "assert(pthread_mutex_trylock(&m) == 0); }"
    ),
    "of a handler that jumps for itself, too": (
        "#include <signal.h>\nstatic void h(int s) { jmp_buf e; if (!setjmp(e)) longjmp(e, 1); x = 1; back(1); }\n"
        "int main(void) { signal(2, h); if (setjmp(env)) assert(x == 0); else raise(2); }"
    ),
    "of a handler, before others start": (
        f"static void *w(void *a) {{ x = 2; return 0; }} {HANDLER} pthread_t t; setjmp(env); assert(x == 0);\n"
        "if (y++) return 0; pthread_create(&t, 0, w, 0); pthread_join(t, 0); raise(2); }"
    ),
    "of a handler that takes a lock, which the thread gives back": (
        "#include <signal.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void *w(void *a) { pthread_mutex_lock(&m); y++; y--; pthread_mutex_unlock(&m); return 0; }\n"
        "static void k(void) { pthread_mutex_lock(&m); } static void h(int s) { k(); longjmp(env, 1); }\n"
        "int main(void) { pthread_t t; if (!setjmp(env)) { signal(2, h); raise(2); }\n"
        "x = 1; pthread_mutex_unlock(&m); pthread_create(&t, 0, w, 0); pthread_join(t, 0);\n"
        "pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m); }"
    ),
    "of a handler that takes a lock, so that another thread writes inside of a section": (
        "#include <signal.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void *w(void *a) { pthread_mutex_lock(&m); if (y == 0) { y = 1; y = 0; }\n"
        "pthread_mutex_unlock(&m); return 0; }\n"
        "static void h(int s) { if (pthread_mutex_trylock(&m) == 0) longjmp(env, 1); }\n"
        "int main(void) { pthread_t t; signal(2, h); if (setjmp(env)) { x++; pthread_mutex_unlock(&m); }\n"
        "else raise(2); pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); assert(x == 0); y = 2; assert(y == 2);\n"
        "pthread_mutex_unlock(&m); pthread_join(t, 0); }"
    ),
    "a check that comes too late": (
        "static int a[2]; static void need(int n) { if (n > 1) longjmp(env, 1); }\n"
        "int main(void) { volatile int n = 5; if (setjmp(env) == 0) need(n); assert(n < 2); a[0] = 1; }"
    ),
}
TRUE = {
    "with the type that glibc has": (
        "struct __jmp_buf_tag { long __kept[25]; }; extern int __sigsetjmp(struct __jmp_buf_tag own[1], int mask);\n"
        "static struct __jmp_buf_tag own[1]; int main(void) { if (__sigsetjmp(own, 0)) x = 2; else assert(x == 0); }"
    ),
    "no other way back": "int main(void) { if (setjmp(env)) { assert(x == 4); exit(0); } back(4); }",
    "0 at first": "int main(void) { if (setjmp(env) == 0) { assert(x == 0); exit(0); } }",
    "it does not return": "int main(void) { if (setjmp(env) == 0) { back(1); y = 1; } assert(y == 0); }",
    "a local that stays": "int main(void) { int n = one(); if (setjmp(env)) assert(n == 1); else back(1); }",
    "a volatile one": (
        "int main(void) { volatile int n = 0; if (setjmp(env)) assert(n <= 2); else { n = 2; back(1); } }"
    ),
    "a check that is made": (
        "static void need(int n) { if (n > 1) longjmp(env, 1); }\n"
        "int main(void) { int n = rand(); if (setjmp(env) == 0) { need(n); assert(n < 2); } }"
    ),
    "no jump": "int main(void) { x = 1; if (setjmp(env)) x = 2; assert(x == 1); }",
}
REFUSED = {
    "declared with a type of its own": (
        "int _setjmp(long *state); static long own[30];\n"
        "int main(void) { if (_setjmp(own)) { assert(x == 0); exit(0); } x = 1; back(1); }"
    ),
    "of a handler out of an atomic section": (
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
        f"{HANDLER} if (!setjmp(env)) {{ __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); }} }}"
    ),
    "at exit": (
        "static void h(void) { longjmp(env, 1); } int main(void) { if (!setjmp(env)) { atexit(h); exit(0); } }"
    ),
    "out of an atomic section": (
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
        "int main(void) { if (!setjmp(env)) { __VERIFIER_atomic_begin(); longjmp(env, 1); } }"
    ),
    "of code that is not there out of an atomic section": (
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void away(void);\n"
        "int main(void) { if (!setjmp(env)) { __VERIFIER_atomic_begin(); away(); __VERIFIER_atomic_end(); } }"
    ),
    "with a context of its own": "int getcontext(void *c); int setcontext(const void *c);\n"
    "int main(void) { long c[200]; getcontext(&c); setcontext(&c); }",
    "with the arguments of another call": "void take(int *p) { *p = 1; }\n"
    "void pass(int *p) { __builtin_apply((void (*)())take, __builtin_apply_args(), 64); }\n"
    "int main(void) { int x = 0; pass(&x); }",
    "back from a function by a builtin": (
        "int f(void) { __builtin_return(__builtin_apply_args()); } int main(void) { f(); }"
    ),
}
MAIN = "static jmp_buf env2; int main(void) { if (setjmp(env2)) assert(x == 0); else { x = 1;"
UNKNOWN = {
    f"void away(jmp_buf e); {MAIN} away(env2); }} }}": "void away(jmp_buf e) { longjmp(e, 1); }",
    f"void away(void (*)(void)); static void h(void) {{ back(1); }} {MAIN} away(h); }} }}".replace("env2", "env"): (
        "void away(void (*f)(void)) { f(); }"
    ),
    f"#include <signal.h>\nvoid keep(jmp_buf e), away(void); static void h(int s) {{ away(); }}\n"
    f"{MAIN} keep(env2); signal(2, h); raise(2); }} }}": (
        "static jmp_buf *k; void keep(jmp_buf e) { k = (jmp_buf *)e; } void away(void) { longjmp(*k, 1); }"
    ),
}
SHARED = FrontendOptions(budgets=Budgets(inlined_commands=-1, small_commands=-1, callback_small_commands=-1))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


@pytest.mark.parametrize("name", FALSE)
def test_what_a_jump_may_do_is_done(name: str, source: Path) -> None:
    assert not all(status.is_safe for status in statuses(source, f"{START}{FALSE[name]}\n"))
    assert fails(source, "")
    assert not all(status.is_safe for status in statuses(source, f"{START}{FALSE[name]}\n", SHARED))


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str, source: Path) -> None:
    assert all(status.is_safe for status in statuses(source, f"{START}{TRUE[name]}\n"))


@pytest.mark.parametrize("name", REFUSED)
def test_other_jumps_are_refused_with_their_place(name: str, source: Path) -> None:
    with pytest.raises(Unsupported) as error:
        statuses(source, f"{START}{REFUSED[name]}\nint used(void) {{ assert(x == 0); return 0; }}\n")
    assert error.value.span is not None
    assert error.value.span.line > 6


@pytest.mark.parametrize("declared", ["int setjmp(long *);", "int setjmp();", ""])
def test_what_only_has_the_name_may_jump_all_the_same(declared: str, source: Path) -> None:
    text = f"#include <assert.h>\n{declared}\nstatic long env[30]; static int x;\n"
    text += "int main(void) { if (setjmp(env)) assert(x == 0); else { x = 1; longjmp(env, 1); } }\n"
    with pytest.raises(Unsupported, match="has not the type"):
        statuses(source, text)


@pytest.mark.parametrize("text", UNKNOWN)
def test_code_that_is_not_there_may_jump(text: str, source: Path) -> None:
    assert not any(status.is_safe for status in statuses(source, f"{START}{text}\n"))
    assert fails(source, f"#include <setjmp.h>\n{UNKNOWN[text]}\n")


def test_a_local_that_c_leaves_indeterminate_is_unknown(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{START}int main(void) {{ int n = 0; if (setjmp(env)) assert(n == 1); else {{ n = 1; back(1); }} }}\n"
    assert not any(status.is_safe for status in statuses(source, text))
    monkeypatch.setattr(jumps, "_forget", lambda *_: None)
    assert all(status.is_safe for status in statuses(source, text))


def _no_jumps(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(jumps, "connect", lambda *_: None)


def _no_jumps_of_handlers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(jumps, "_check_handler", lambda *_: None)


DEFECTS = {
    "no jumps": ("what stands before it, again", _no_jumps),
    "no jumps of handlers": ("of a handler, before others start", _no_jumps_of_handlers),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(name: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, seed = DEFECTS[name]
    seed(monkeypatch)
    assert all(status.is_safe for status in statuses(source, f"{START}{FALSE[case]}\n"))
