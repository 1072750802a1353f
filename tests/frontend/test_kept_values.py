"""Values that are used after what they were read from has changed, and atomic operations on what has no cell of its type.

Each of these programs aborts when it is compiled and run; each check of a true one holds and is proved.
"""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions
from tests.frontend.running import are_proved

START = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
MAIN = "int main(int argc, char **argv) {"
ONCE = "void f(void) { }"
FALSE = {
    "increment behind a pointer": f"{MAIN} int x = 5; int *p = &x; int r = (*p)++; assert(r != 5); }}",
    "decrement of a member": f"struct s {{ int a; }}; {MAIN} struct s v = {{3}}, *p = &v; assert(p->a-- != 3); }}",
    "an index that is incremented": f"struct s {{ int top, b[4]; }}; {MAIN} struct s v = {{0}}, *p = &v; p->b[p->top++] = 7; assert(v.b[0] != 7); }}",
    "what an iterator pointed to": f"{MAIN} int b[2] = {{1, 2}}, *p = b, **q = &p; assert(*(*q)++ != 1); }}",
    "a condition": f"{MAIN} int x = 0, *p = &x; if ((*p)++) ; else assert(0); }}",
    "a thread of its own": "int total; void *w(void *q) { int s = 0, *p = &s; total += (*p)++; return 0; }"
    f"{MAIN} pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); assert(total == 1); }}",
    "a parameter and its address": f"static int f(int a, int *p) {{ *p = 7; return a; }} {MAIN} int x = 1; assert(f(x, &x) == 7); }}",
    "the address first": f"static int f(int *p, int a) {{ *p = 7; return a; }} {MAIN} int x = 1; assert(f(&x, -x) == -7); }}",
    "a pointer and its address": "struct n { struct n *next; int v; }; static int f(struct n *n, struct n **h) { *h = n->next; return n->v; }"
    f"{MAIN} struct n a = {{0, 1}}, b = {{&a, 2}}, *h = &b; assert(f(h, &h) != 2); }}",
    "a loop that changes its limit": f"static void f(int n, int *o) {{ for (int i = 0; i < n; i++) *o += i; }} {MAIN} int n = 3; f(n, &n); assert(n == 3); }}",
    "an element by a changed index": f"static int f(int *q, int *i) {{ *i = 2; return *q; }} {MAIN} int i = 1, b[4] = {{1, 2, 3, 4}}; assert(f(&b[i], &i) == 3); }}",
    "through another function": f"static int g(int a, int *p) {{ *p = 7; return a; }} static int f(int a, int *p) {{ return g(a, p); }} {MAIN} int x = 1; assert(f(x, &x) == 7); }}",
    "a member and the whole": f"struct s {{ int a; }}; static int f(int a, struct s *p) {{ p->a = 7; return a; }} {MAIN} struct s v = {{1}}; assert(f(v.a, &v) == 7); }}",
    "a variable of the thread": f"_Thread_local int t = 1; int f(int n) {{ t = 5; return n; }} {MAIN} assert(f(t) == 5); }}",
    "an old definition": f"char b[4]; void set(c) char *c; {{ c[1] = 5; }} {MAIN} set((void *)b); assert(b[1] == 0); }}",
    "swapping an element": f"int locks[4]; {MAIN} int k = argc & 3; __sync_bool_compare_and_swap(&locks[k], 0, 1); assert(locks[k] == 0); }}",
    "setting an element": f"int locks[4]; {MAIN} int k = argc & 3; __sync_lock_test_and_set(&locks[k], 1); assert(locks[k] == 0); }}",
    "swapping two members": f"struct {{ short a, b; }} s; {MAIN} __sync_bool_compare_and_swap((int *)&s, 0, 0x20001); assert(s.a == 0); }}",
    "setting two members": f"struct {{ short a, b; }} s; {MAIN} __sync_lock_test_and_set((int *)&s, 0x20001); assert(s.a == 0); }}",
    "swapping a structure": f"struct s {{ short a, b; }} s, e, n = {{1, 2}}; {MAIN} __atomic_compare_exchange(&s, &e, &n, 0, 5, 5); assert(s.a == 0); }}",
    "exchanging a structure": f"struct s {{ short a, b; }} s, e, n = {{1, 2}}; {MAIN} __atomic_exchange(&s, &n, &e, 5); assert(s.a == 0); }}",
    "swapping as unsigned": f"int x = -1; {MAIN} assert(!__sync_bool_compare_and_swap((unsigned *)&x, 0xffffffffu, 7u)); }}",
    "exchanging as unsigned": f"int x = -1; {MAIN} __atomic_exchange_n((unsigned *)&x, 3u, 5); assert(x == -1); }}",
    "a flag that is one byte": f"{MAIN} int i = 0x100; assert(__atomic_test_and_set(&i, 5)); }}",
    "what the library keeps in a number": f"{ONCE} pthread_once_t o[100]; {MAIN} int i = argc % 50; pthread_once(&o[i], f); assert(o[i] == 0); }}",
    "what it keeps in a member": f"{ONCE} struct {{ int n; pthread_once_t o; }} s[40], *p; {MAIN} p = &s[argc % 30]; int was = p->o; pthread_once(&p->o, f); assert(p->o == was); }}",
    "what it keeps there, copied": f"{ONCE} struct {{ int n; pthread_once_t o; }} s[40], t; {MAIN} int i = argc % 30; pthread_once(&s[i].o, f); t = s[i]; assert(t.o == 0); }}",
    "what it keeps there, in a union": f"{ONCE} union {{ pthread_once_t o; long n; }} s[40]; {MAIN} int i = argc % 30; pthread_once(&s[i].o, f); assert(s[i].n == 0); }}",
    "what it keeps in a spinlock": f"pthread_spinlock_t l; {MAIN} pthread_spin_init(&l, 0); int was = l; pthread_spin_lock(&l); assert(l == was); }}",
    "a lock of another thread in a union": "union { pthread_mutex_t m; long n[5]; } s[40]; void *w(void *p) { pthread_mutex_lock(p); return 0; }"
    f"{MAIN} int i = argc % 30; long was = s[i].n[0]; pthread_t t; pthread_create(&t, 0, w, &s[i]); pthread_join(t, 0); assert(s[i].n[0] == was); }}",
    "a lock in an array of numbers": f"long g[600]; {MAIN} long *q = &g[argc % 100], was = *q; pthread_mutex_init((pthread_mutex_t *)q, 0); pthread_mutex_lock((pthread_mutex_t *)q); assert(*q == was); }}",
    "a lock in an array of bytes": f"char g[600]; {MAIN} pthread_mutex_lock((pthread_mutex_t *)&g[16]); assert(g[16] == 0 || g[17] != 0); }}",
    "a lock in an array of a structure": f"struct {{ int a; char b[64]; }} s; {MAIN} pthread_mutex_lock((pthread_mutex_t *)(s.b + 4)); assert(s.b[4] == 0); }}",
    "a semaphore in memory of numbers": f"#include <semaphore.h>\nint g[16]; {MAIN} sem_init((sem_t *)g, 0, 5); assert(g[0] == 0); }}",
    "a byte is cleared": f"{MAIN} int i = 0x101; __atomic_clear(&i, 5); assert(i == 0); }}",
}
TRUE = {
    "increment behind a pointer": f"{MAIN} int x = 5, *p = &x; int r = (*p)++; assert(r == 5); assert(x == 6); }}",
    "increment in front": f"{MAIN} int x = 5, *p = &x; assert(++*p == 6); }}",
    "a parameter and its address": f"static int f(int a, int *p) {{ *p = 7; return a; }} {MAIN} int x = 1; assert(f(x, &x) == 1); assert(x == 7); }}",
    "a variable of the thread": f"_Thread_local int t = 1; int f(int n) {{ t = 5; return n; }} {MAIN} assert(f(t) == 1); }}",
    "swapping an element": f"int locks[4]; {MAIN} int k = argc & 3; assert(__sync_bool_compare_and_swap(&locks[k], 0, 1)); }}",
    "swapping as unsigned": f"int x = -1; {MAIN} assert(__sync_bool_compare_and_swap((unsigned *)&x, 0xffffffffu, 7u)); assert(x == 7); }}",
    "exchanging as unsigned": f"int x = -1; {MAIN} assert(__atomic_exchange_n((unsigned *)&x, 3u, 5) == -1u); assert(x == 3); }}",
    "beside what the library keeps": f"{ONCE} struct {{ int n; pthread_once_t o; }} s[40], *p; {MAIN} p = &s[argc % 30]; int was = p->n; pthread_once(&p->o, f); assert(p->n == was); }}",
    "beside a lock of its own type": f"struct {{ int n; pthread_mutex_t m; }} s[4], *p; {MAIN} p = &s[argc & 3]; p->n = 3; pthread_mutex_lock(&p->m); assert(p->n == 3); }}",
    "a flag": f"{MAIN} char c = 0; assert(!__atomic_test_and_set(&c, 5)); assert(c == 1); }}",
}
RACES = {
    "memset": "memset((void *)&x, 0, sizeof x);",
    "memcpy": "int y; memcpy(&y, (void *)&x, sizeof y);",
    "as an ordinary integer": "*(int *)&x = 0;",
    "through a pointer": "int *p = (int *)&x; *p = 0;",
    "read by the library": 'scanf("%d", (int *)&x);',
    "initialised again": "atomic_init(&x, 0);",
}
NO_RACES = {
    "assigned": "x = 2;",
    "added to": "x += 2; x++;",
    "an argument": 'printf("%d", x);',
    "loaded and stored": "atomic_store(&x, atomic_load(&x) + 1);",
    "swapped": "int e = 1; atomic_compare_exchange_weak(&x, &e, 2);",
    "by another function": "atexit(handler); set(&x);",
}
HANDLED = {
    "a number": "_Thread_local int t; void h(int s) { t++; } # int was = t; raise(10); assert(t == was);",
    "an element": "_Thread_local int t[100]; void h(int s) { t[3]++; } # int was = t[3]; raise(10); assert(t[3] == was);",
    "a pointer": "int x; _Thread_local int *t = &x; void h(int s) { t = 0; } # if (t) { raise(10); assert(t != 0); }",
    "a member": "struct { int n, *p; } x; _Thread_local struct { int n, *p; } t; void h(int s) { t.p = 0; } # t.p = &x.n; raise(10); assert(t.p != 0);",
    "by what a handler calls": "_Thread_local int t; void set(void) { t++; } void h(int s) { set(); } # int was = t; raise(10); assert(t == was);",
}


def safe(text: str, properties: tuple[str, ...] = ("assertion",)) -> list[bool]:
    """For each check of a program whether it is proved or unreachable."""
    options = FrontendOptions(properties=properties)
    analysis = analyse(lower(parse(text, "a.c", options), options).program, AnalysisOptions())
    if properties == ("data-race",):
        return [not analysis.races]
    return [status.is_safe for status in analysis.statuses]


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str) -> None:
    assert not any(safe(START + FALSE[name]))


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc not found: nothing can be run")
def test_it_really_fails(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(START + FALSE[name], encoding="utf-8")
    subprocess.run(["gcc", "-w", "-fwrapv", "-pthread", "a.c", "-o", "a"], cwd=tmp_path, check=True)
    assert subprocess.run(["./a"], cwd=tmp_path, capture_output=True).returncode == -6


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str) -> None:
    assert all(safe(START + TRUE[name]))


def _handled(name: str) -> str:
    before, _, body = HANDLED[name].partition("#")
    return f"{START}#include <signal.h>\n{before}\n{MAIN} signal(10, h);{body} }}\n"


@pytest.mark.parametrize("name", HANDLED)
def test_a_handler_changes_what_the_thread_has_that_it_interrupts(name: str, tmp_path: Path) -> None:
    assert safe(_handled(name), ("assertion", "data-race")) == [False]
    (tmp_path / "a.c").write_text(_handled(name), encoding="utf-8")
    if (compiler := shutil.which("gcc")) is not None:
        subprocess.run([compiler, "-w", "-pthread", "a.c", "-o", "a"], cwd=tmp_path, check=True)
        assert subprocess.run(["./a"], cwd=tmp_path, capture_output=True).returncode == -6


def test_a_handler_leaves_other_variables_of_threads_alone() -> None:
    text = "_Thread_local int t, other; void h(int s) { other++; }"
    body = "signal(10, h); t = argc; raise(10); assert(t == argc);"
    assert safe(f"{START}#include <signal.h>\n{text} {MAIN} {body} }}\n", ("assertion", "data-race")) == [True]


@pytest.mark.parametrize("kind", ["struct", "union"])
def test_what_threads_do_to_locks_is_seen_in_unions(kind: str, tmp_path: Path) -> None:
    text = (
        f"{START}{kind} {{ pthread_mutex_t m; long n[5]; }} s[40];\n"
        f"void *w(void *p) {{ pthread_mutex_lock(p); return 0; }}\n{MAIN} int i = argc % 30; pthread_t t;\n"
        "pthread_create(&t, 0, w, &s[i]); long was = s[i].n[0]; assert(s[i].n[0] == was); }\n"
    )
    assert are_proved(tmp_path / "a.c", text, ("assertion", "data-race"), "interval") == (kind == "struct")


@pytest.mark.parametrize("name", [*RACES, *NO_RACES])
def test_only_atomic_operations_are_atomic(name: str) -> None:
    body = {**RACES, **NO_RACES}[name]
    text = (
        f"{START}#include <stdio.h>\n#include <string.h>\natomic_int x;\nvoid handler(void) {{ x = 5; }}\n"
        "void set(atomic_int *p) { *p = 3; }\nvoid *other(void *u) { x = 1; return 0; }\n"
        f"{MAIN} pthread_t t; pthread_create(&t, 0, other, 0); {body} pthread_join(t, 0); }}\n"
    )
    assert safe(text, ("data-race",)) == [name in NO_RACES]
