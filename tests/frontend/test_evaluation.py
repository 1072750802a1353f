"""What C evaluates is evaluated, and addresses say no more than C says of them: no false assertion is proved."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.errors import SourceError
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import DEFAULT_PROPERTIES, AnalysisOptions, FrontendOptions

START = "#include <assert.h>\n#include <stdint.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"
ANY = re.compile(r"\bN\b")
"""In these programs `N` is any number, and 7 where they are run."""
NULL = ("null-dereference",)
CRASHES = {
    "an element": "int a[8]; int main(void) { int i = N == 7 ? 1 : 2; int *p = N == 7 ? 0 : a; p[i] = 1; }\n",
    "an element that is known": "int a[8]; int main(void) { int *p = N == 7 ? 0 : a; p[3] = 1; }\n",
    "an element by arithmetic": "int a[8]; int main(void) { int *p = N == 7 ? 0 : a; *(p + 3) = 1; }\n",
    "an element of a member": (
        "struct S { int a, b[4]; } x; int main(void) { struct S *p = N == 7 ? 0 : &x; int *q = p->b + 1; *q = 1; }\n"
    ),
    "a member of an element": (
        "struct S { int a, b; } x[3]; int main(void) { struct S *p = N == 7 ? 0 : x; int i = N == 7; p[i].b = 1; }\n"
    ),
    "the address of a member": (
        "struct S { int a, b; } x; int main(void) { struct S *p = N == 7 ? 0 : &x; int *q = &p->b; *q = 1; }\n"
    ),
    "an array that is a member": (
        "struct S { int a, b[4]; } x; int main(void) { struct S *p = N == 7 ? 0 : &x; int *q = p->b; *q = 1; }\n"
    ),
    "an argument": (
        "struct S { int a, b; }; void f(struct S *p) { int *q = &p->b; *q = 1; } int main(void) { f(0); }\n"
    ),
    "a step": "int a[8]; int main(void) { int *p = N == 7 ? 0 : a; p++; *p = 1; }\n",
    "steps": "int a[8]; int main(void) { int *p = N == 7 ? 0 : a; p += 2; *p = 1; }\n",
    "a weak function": "extern int f(void) __attribute__((weak)); int main(void) { f(); }\n",
    "a weak variable": "extern int x __attribute__((weak)); int main(void) { x = 1; }\n",
    "an element of a pointer on the right": (
        "int a[8]; int main(void) { int *p = N == 7 ? 0 : a; int *q = 1 + p; *q = 1; }\n"
    ),
    "an element by a constant on the left": "int a[8]; int main(void) { int *p = N == 7 ? 0 : a; 1[p] = 1; }\n",
    "a small address": "int main(void) { *(int *)((char *)0 + 8) = 1; }\n",
}
FALSE = {
    "an assignment of what a call gives, which moves the pointer": (
        "struct S { int a; } x, y; int set(struct S **p) { *p = &y; return 1; }\n"
        "int main(void) { struct S *p = &x; struct S **q = &p; p->a = set(q); assert(x.a == 1 && y.a == 1); }\n"
    ),
    "an assignment of what a call gives, whose argument moves an index": (
        "int f(int n) { return n; } int main(void) { int a[3] = {0}, i = 0; a[i] = f((i = 2, 5)); assert(a[1]); }\n"
    ),
    "an assignment of what a call gives, in a function that is called again": (
        "struct S { int a; struct S *next; } s[3];\n"
        "int f(int n) { struct S *p = &s[n]; p->a = n ? f(n - 1) : 7; return p->a; }\n"
        "int main(void) { f(2); assert(s[2].a == 0); }\n"
    ),
    "an assignment of what a call gives, to what a parameter leads to": (
        "struct S { int a; } x, y, *g = &x; int h(void) { g = &y; return 1; } void f(struct S *p) { p->a = h(); }\n"
        "int main(void) { f(g); assert(y.a == 1); }\n"
    ),
    "an assignment of what a statement gives, which moves the pointer": (
        "int g(void) { return 1; } int main(void) { int a[2] = {0}, *p = a; *p = ({ int t = g(); p = a + 1; t; });\n"
        "p = a; assert(!a[0] && !a[1]); }\n"
    ),
    "a length with an effect": "int main(void) { int n = 2; int a[n++]; assert(n == 2); }\n",
    "a length that a function gives": (
        "int g; int next(void) { g++; return 3; } int main(void) { char b[next()]; assert(g == 0); }\n"
    ),
    "a length that is known and has an effect": "int main(void) { int n = 2; int a[(n++, 3)]; assert(n == 2); }\n",
    "the length of a parameter": (
        "int f(int n, int a[n++]) { return n; } int main(void) { int a[2]; assert(f(2, a) == 2); }\n"
    ),
    "the length of what a parameter points to": (
        "int f(int n, int (*a)[n++]) { return n; } int main(void) { int a[2][2]; assert(f(2, a) == 2); }\n"
    ),
    "the length of an old parameter": (
        "int f(n, a) int n; int (*a)[n++]; { return n; } int main(void) { int a[2][2]; assert(f(2, a) == 2); }\n"
    ),
    "the length in a size": "int main(void) { int n = 2; unsigned long k = sizeof(int[n++]); assert(n == 2); }\n",
    "the operand of a size": (
        "int main(void) { int n = 2, i = 0; int a[2][n]; unsigned long k = sizeof(a[i++]); assert(i == 0); }\n"
    ),
    "the length in a cast": "int main(void) { int n = 2; void *p = &n; p = (int(*)[n++])p; assert(n == 2); }\n",
    "the length in a typedef": "int main(void) { int n = 2; typedef int T[n++]; T a, b; assert(n == 2); }\n",
    "the length of a pointer that is chosen": (
        "int main(void) { int n = 2, a[9]; int(*p)[n++] = N ? &a : 0; if (p) assert(n == 2); }\n"
    ),
    "the length in a literal": "int main(void) { int n = 2; int(*p)[n] = (int(*[1])[n++]){0}[0]; assert(n == 2); }\n",
    "the length in a type of": (
        "int g; int next(void) { g++; return 3; } int main(void) { __typeof__(int[next()]) a, b; assert(g == 0); }\n"
    ),
    "a length of a parameter, not of something else": (
        "enum { n = 5 }; int f(int n, int (*a)[n]) { return (char *)(a + 1) - (char *)a; }\n"
        "int main(void) { int a[2][2]; assert(f(2, a) == 20); }\n"
    ),
    "a length in a structure": (
        "int main(void) { int n = 2; struct { char a[n]; char b; } s; assert((char *)&s.b - (char *)&s == 0); }\n"
    ),
    "a weak function": "extern int f(void) __attribute__((weak)); int main(void) { assert(f != 0); }\n",
    "a weak function as a condition": (
        "__attribute__((__weak__)) extern int f(void), g(void); int main(void) { if (!g) assert(0); }\n"
    ),
    "a weak function of a pragma": "extern int f(void);\n#pragma weak f\nint main(void) { assert(&f != 0); }\n",
    "a weak function that something holds": (
        "extern int f(void) __attribute__((weak)); int (*p)(void) = f; int main(void) { assert(p); }\n"
    ),
    "a weak variable": "extern int x __attribute__((weak)); int main(void) { assert(&x); }\n",
    "a weak array": "extern int x[3] __attribute__((weak)); int main(void) { int *p = x; assert(p); }\n",
    "a weak structure": (
        "__attribute__((weak)) extern struct S { int a, b; } x; int main(void) { struct S *p = &x; assert(p); }\n"
    ),
    "the number of what is freed": (
        "int main(void) { void *p = malloc(20); if (!p) return 0; uintptr_t u = (uintptr_t)p; free(p);"
        " p = malloc(20); if (p) assert((uintptr_t)p != u); }\n"
    ),
    "the numbers of locals": (
        "uintptr_t f(void) { int x = 1; return (uintptr_t)&x; }\n"
        "int main(void) { uintptr_t a = f(), b = f(); assert(a != b); }\n"
    ),
    "an address in a floating variable": (
        "int main(void) { int x = 1; double d = (uintptr_t)&x; *(int *)(uintptr_t)d = 2; assert(x == 1); }\n"
    ),
    "an address that is printed as a number": (
        'char b[30]; void put(int *p) { sprintf(b, "%s%ld", "", p); }\n'
        "int main(void) { int x = 1; put(&x); *(int *)atol(b) = 2; assert(x == 1); }\n"
    ),
    "an address and a constant": "int x = 1; int main(void) { assert(&x == (int *)4096); }\n",
    "an address and a constant that is held": (
        "int x = 1; int *q = (int *)4096; int main(void) { int *p = N ? q : q; assert(&x == p); }\n"
    ),
    "an address and a number": "int x; int main(void) { long n = N + 4089; assert(&x == (int *)n); }\n",
    "the end of an object": "int x, y; int main(void) { assert(&x + 1 != &y && &y + 1 != &x); }\n",
    "the end of an array": (
        "int x[2], y[2]; int main(void) { int i = N - 5, *p = x + i, *q = y + i; assert(p != y && q != x); }\n"
    ),
    "the order of objects": "int x, y; int main(void) { assert((&x < &y) == (N == 8)); assert(0); }\n",
    "the distance of objects": (
        "int x, y; int main(void) { long d = (char *)&y - (char *)&x; assert(d == 128 || d == 64 || d == -128); }\n"
    ),
    "the number of an object": "int x; int main(void) { assert((char *)&x - (char *)0 < 65536); }\n",
    "an address in a switch": (
        "int x; int main(void) { switch ((uintptr_t)&x) { case 4096: break; default: assert(0); } }\n"
    ),
    "the size of what is selected": "int x[4]; int main(void) { assert(sizeof(_Generic(0, int: x)) == 8); }\n",
    "the number of an object in a variable": (
        "int x; unsigned long g = (unsigned long)&x; int main(void) { assert(g == 4096); }\n"
    ),
    "the number of an object in an array": (
        "int x; int main(void) { unsigned long g[2] = {(unsigned long)&x, 0}; assert(g[0] == 4096); }\n"
    ),
    "the number of an object that is chosen": (
        "int x; int main(void) { unsigned long u = N ? (unsigned long)&x : 0; if (u != 4096) assert(0); }\n"
    ),
    "the number of an object as a counter": (
        "int x, a[9]; int main(void) { int n = 0; unsigned long u, i;"
        " for (u = (unsigned long)&x; u < 4099; u++) { a[u - 4096] = 1; n++; } assert(n == 3); }\n"
    ),
    "a pointer that is exchanged": (
        "int x, y; int *p = &x; int main(void) { int *o = __sync_val_compare_and_swap(&p, &y, 0); *o = 5;"
        " assert(x == 0); }\n"
    ),
    "a pointer that is exchanged for a constant": (
        "int x; int *p = &x; int main(void) { assert(__sync_bool_compare_and_swap(&p, (int *)4096, 0)); }\n"
    ),
    "rows of unknown length": (
        "int main(void) { int k = (N & 3) + 2; int m[3][k]; int(*p)[k] = m;"
        " assert((char *)(p + 1) - (char *)p == 1); }\n"
    ),
    "the address of a row": (
        "int main(void) { int k = (N & 3) + 2; int m[3][k]; assert((char *)(m + 1) - (char *)m == 1); }\n"
    ),
    "a step over a row": (
        "int main(void) { int k = (N & 3) + 2; int m[3][k]; int(*p)[k] = m; char *q = (char *)p; p++;"
        " assert((char *)p - q < 4); }\n"
    ),
    "elements without a size": ("struct E {} a[2]; int main(void) { assert((char *)(a + 1) - (char *)a == 1); }\n"),
    "a counter that the body declares again": (
        "int a[3]; int main(void) { int n = 0, i = 0;"
        " while (i < 3) { int i = 0; a[i] = n; n++; if (n > 5) break; i++; } assert(n < 5); }\n"
    ),
    "a step that the body declares again": (
        "int a[9]; int main(void) { const int s = 1; int n = 0, i = 0;"
        " while (i < 4) { const int s = 2; a[i] = n; n++; i += s; } assert(n == 4); }\n"
    ),
    "a step by a type that the body declares again": (
        "int a[9]; int main(void) { typedef char T; int n = 0, i = 0;"
        " while (i < 4) { typedef short T; a[i] = n; n++; i += sizeof(T); } assert(n == 4); }\n"
    ),
    "a choice of a pointer to void": (
        "int a[5] = {1, 2, 3, 4, 5}; int main(void) { assert(*(int *)((N ? (void *)a : a) + 4) == 5); }\n"
    ),
    "a choice of a pointer to void that comes second": (
        "int a[5] = {1, 2, 3, 4, 5}; int main(void) { assert(*(int *)((N ? a : (void *)a) + 4) == 5); }\n"
    ),
    "a choice of a null pointer that is not a constant": (
        "int a[5] = {1, 2, 3, 4, 5};"
        " int main(void) { int z = 0; assert(*(int *)((N ? a : (void *)(long)z) + 4) == 5); }\n"
    ),
}
UNDECIDED = {
    "what may fail beside a loop without end": (
        "int spin(void) { for (;;) ; return 1; } int no(void) { assert(0); return 1; }\n"
        "int main(void) { return spin() + no(); }\n"
    ),
    "what may fail beside a loop in statements": (
        "int no(void) { assert(0); return 1; } int main(void) { return ({ while (1) ; 1; }) + no(); }\n"
    ),
    "what may fail beside a function that calls itself": (
        "int f(int n) { return n ? f(n) : 0; } int no(void) { assert(0); return 1; }\n"
        "int main(void) { return f(1) + no(); }\n"
    ),
    "an assignment beside a loop without end": (
        "#include <pthread.h>\nint k; int spin(void) { again: goto again; return 1; }\n"
        "void *w(void *a) { assert(k == 0); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return spin() + (k = 1); }\n"
    ),
    "an argument beside a jump": (
        "int f(int a, int b) { return a + b; } int main(void) { int k = 0; f(({ if (N) goto out; 1; }), (k = 1, 2));"
        " return 0; out: assert(k == 0); }\n"
    ),
    "a pointer that is set beside a jump": (
        "int a = 1, b = 2; int f(int a, int b) { return a + b; } int main(void) { int *p = &a;"
        " f(({ if (N) goto out; 1; }), (p = &b, 2)); p = &a; return *p; out: assert(*p == 1); }\n"
    ),
    "a value beside a jump": (
        "int main(void) { int k = 0, a[2]; a[({ if (N) goto out; 1; })] = (k = 1, 2); return 0;"
        " out: assert(k == 0); }\n"
    ),
    "an argument beside what ends the program": (
        "int f(int a, int b) { return a + b; } int end(void) { exit(0); } int no(void) { assert(0); return 1; }\n"
        "int main(void) { f(end(), no()); }\n"
    ),
    "an address and a constant": "int x = 1; int main(void) { assert(&x != (int *)4096); }\n",
    "a constant that is held": (
        "int x = 1; int *q = (int *)4096; int main(void) { int *p = N ? q : q; assert(&x != p); }\n"
    ),
    "what is behind an address that is a constant": (
        "int x = 1; int main(void) { if (&x == (int *)4100) assert(0); }\n"
    ),
    "the end of an object": "int x, y; int main(void) { if (&x + 1 == &y) assert(0); }\n",
    "the end of another object": "int x, y; int main(void) { if (&y + 1 == &x) assert(0); }\n",
    "the order of objects": "int x, y; int main(void) { assert(&x < &y); }\n",
    "the order of objects, otherwise": "int x, y; int main(void) { assert(&x > &y); }\n",
    "the alignment of an object": "char x; int main(void) { assert((uintptr_t)&x % 8 == 0); }\n",
}
TRUE = {
    "addresses that are told apart": (
        "int x, y[3]; struct S { int a, b; } s; int main(void) { int *p = N ? &x : y, *q = y + 1, *r = 0; uintptr_t u;"
        " assert(p != q); assert(p != &s.a); assert(q == &y[1]); assert(&x != r); assert(&s.a + 1 == &s.b);"
        " assert(q - y == 1); assert(y < q); u = (uintptr_t)q; assert(u == (uintptr_t)&y[1]);"
        " assert(u != (uintptr_t)&x); assert(&x != (void *)-1); assert(main != 0); }\n"
    ),
    "the end of an array": (
        "int a[9], b; int main(void) { int *p, *q = &b;"
        " for (p = a; p != a + 9; p++) { assert(p != 0); assert(p < a + 9); } assert(q == &b); }\n"
    ),
    "weak symbols that are defined": (
        "int f(void) __attribute__((weak)); extern int x __attribute__((weak)); int f(void) { return x; } int x = 3;\n"
        "int main(void) { assert(f != 0); assert(&x != 0); assert(f() == 3); }\n"
    ),
    "lengths are evaluated once": (
        "int g; int next(void) { g++; return 3; } int f(int n, int a[n++]) { return n; }\n"
        "int main(void) { int n = 2; typedef int T[n++]; T a; int b[next()]; assert(n == 3); assert(g == 1);"
        " assert(f(2, b) == 3); assert(sizeof(int[n++]) > 0 || n == 4); assert(sizeof(n++) == 4); assert(n == 4); }\n"
    ),
    "a choice of a null pointer": (
        "int a[5] = {1, 2, 3, 4, 5}; int main(void) { assert(*((N == N ? a : (void *)0) + 4) == 5 || 1);"
        " assert(sizeof(*(N ? (void *)0 : a)) == 4); assert(sizeof(*(N ? (void *)a : a)) == 1); }\n"
    ),
    "a counted loop": (
        "int a[3]; int main(void) { int i = 0; while (i < 3) { int k = i; a[i] = k; i = i + 1; } assert(a[2] == 2); }\n"
    ),
}
FOLLOWED = {
    "a pointer that is tested": (
        "int a[8]; int main(void) { int *p = N ? 0 : a; int i = N ? 1 : 2; if (p) p[i] = p[0]; }\n"
    ),
    "an offset of nothing": "int a[8]; int main(void) { int *p = N ? 0 : a; int *q = p + 0; if (q) *q = 1; }\n",
    "an offset within a type": (
        "struct S { int a, b; } x; int main(void) { long n = (char *)&((struct S *)0)->b - (char *)0; x.b = n; }\n"
    ),
}
RACE = (
    "#include <pthread.h>\nint n; void *w(void *a) { int v[n + 1]; v[0] = 1; return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); n = 3; pthread_join(t, 0); }\n"
)
BEHIND = (
    "struct S { int a, b; }; int g(void) { return N; }\n"
    "int main(void) { for (;;) { struct S *p = malloc(sizeof *p); p->a = g(); p->b = 2; } }\n"
)
ALIASES = {
    "a name in assembler": 'int x; extern int y __asm__("x"); int main(void) { y = 1; assert(x == 0); }\n',
    "the name of a function": (
        'int x; extern int g(void) __asm__("f"); int f(void) { return ++x; } int main(void) { g(); assert(x == 0); }\n'
    ),
    "a pragma": "int x;\nextern int y;\n#pragma weak y = x\nint main(void) { y = 1; assert(x == 0); }\n",
}


def _written_out(text: str) -> str:
    return START + ANY.sub("__VERIFIER_nondet_int()", text)


def _statuses(text: str, properties: tuple[str, ...] = DEFAULT_PROPERTIES, domain: str = "auto") -> list[bool]:
    """Whether each check is proved; not those of what is not understood."""
    options = FrontendOptions(properties=properties)
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "a.c")
        source.write_text(_written_out(text))
        lowered = lower(parse(preprocess(str(source), options).text, str(source), options), options)
    analysis = analyse(lowered.program, AnalysisOptions(domain=domain))
    proved = [status.is_safe for status in analysis.statuses] + [False] * len(lowered.unknown)
    return proved + [not analysis.races] * ("data-race" in properties)


def _is_none_proved(text: str) -> bool:
    """Whether no check is proved, of which there are some."""
    proved = _statuses(text)
    assert proved
    return not any(proved)


def _run(text: str, directory: Path) -> int:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no gcc")
    source, program = directory / "a.c", directory / "a"
    source.write_text(_written_out(text) + "int __VERIFIER_nondet_int(void) { return 7; }\n")
    subprocess.run([compiler, "-w", "-O0", "-fwrapv", "-o", program, source], check=True)
    return subprocess.run([program], capture_output=True, check=False).returncode


@pytest.mark.parametrize("name", CRASHES)
def test_what_crashes_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not all(_statuses(CRASHES[name], NULL))
    assert _run(CRASHES[name], tmp_path) < 0


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_is_not_null_is_proved(name: str) -> None:
    assert all(_statuses(FOLLOWED[name], NULL))


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    assert _is_none_proved(FALSE[name])
    assert _run(FALSE[name], tmp_path) < 0


@pytest.mark.parametrize("name", ALIASES)
def test_symbols_that_stand_for_others_are_refused(name: str) -> None:
    with pytest.raises(SourceError):
        _statuses(ALIASES[name])


def test_what_is_accessed_is_known_behind_an_assignment_of_what_a_call_gives() -> None:
    assert sum(_statuses(BEHIND, ("array-bounds", "null-dereference"), "interval")) == 3


def test_the_length_of_an_array_is_read() -> None:
    assert not all(_statuses(RACE, ("data-race",)))


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_may_fail_is_not_proved(name: str) -> None:
    assert _is_none_proved(UNDECIDED[name])


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str) -> None:
    assert all(_statuses(TRUE[name]))
