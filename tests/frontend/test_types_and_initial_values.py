"""What types, sizes, literals and initialisers mean: what fails when run is never proved, what is exact is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.result import Status

START = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define N __VERIFIER_nondet_int()
#define claim(e) if (N) assert(e)
"""
"""What follows a claim does not rely on it."""
RUN = """
#include <stdio.h>
int __VERIFIER_nondet_int(void) { return 7; }
static int failed, claimed;
#define N __VERIFIER_nondet_int()
#define claim(e) (failed += !(e), claimed++)
"""
"""For the run: claims are counted, and main ends by printing the counts."""
POINT = """
struct P { int x, y; };
struct R { struct P p; int z; };
"""
WRONG = {
    "a constant that is jumped over": """
        int main(void) { int n = N; if (n) goto late; int x = 5; late: claim(x == 5); }
    """,
    "a constant that a switch jumps over": """
        int f(int n) { switch (n) { int x = 5; case 7: return x; } return 0; }
        int main(void) { claim(f(N) == 5); }
    """,
    "a function that a variable hides": """
        int f(int a) { return a + 1; }
        int g(int f) { { int f(int); return f(2); } }
        int main(void) { claim(g(0) != 3); }
    """,
    "a structure that is declared anew in a block": """
        int main(void) { struct P; struct P *p = 0; struct P { char c[12]; }; claim(sizeof *p == 8); }
    """,
    "behind a member that is designated in an element": """
        struct P g[3] = {3, 4, 5, [1].x = 7, 6};
        int main(void) { int n = N; struct P a[3] = {[1].x = n, n + 1}; claim(g[1].y == 0); claim(a[1].y == 0); }
    """,
    "override of a range by no constant": """
        int main(void) { int n = N, a[4] = {[0 ... 3] = 1, [2] = n}; claim(a[2] == 1); }
    """,
    "override of a member by no constant": """
        int main(void) { int n = N; struct { int x; } s = {.x = 1, .x = n}; claim(s.x == 1); }
    """,
    "override in a compound literal": """
        int main(void) { int n = N, *p = (int[2]){[0] = 3, [0] = n}; claim(p[0] == 3); }
    """,
    "override of a static structure": """
        struct P a[3] = {[0 ... 2] = {1, 2}, [1] = {.y = 7}};
        int main(void) { claim(a[1].x == 1); }
    """,
    "override of a local structure": """
        int main(void) {
            int n = N;
            struct P a[3] = {[0 ... 2] = {1, 2}, [1] = {.y = 7}}, b[2] = {[0 ... 1] = {n, n}, [1] = {.y = 7}};
            claim(a[1].x == 1); claim(b[1].x == n); }
    """,
    "override of a string": """
        char g[2][4] = {[0 ... 1] = "abc", [1] = "x"};
        int main(void) {
            char s[2][4] = {[0 ... 1] = "abc", [1] = "x"};
            claim(g[1][2] == 'c'); claim(s[1][2] == 'c'); }
    """,
    "override in a whole structure": """
        struct R g = {.p = (struct P){1, 2}, .p.x = 3};
        int main(void) {
            struct P q = {10, 20};
            struct R r = {.p = q, .p.x = 1}, s = {.p = (struct P){1, 2}, .p.x = 3};
            claim(r.p.x == 10); claim(r.p.y == 20); claim(s.p.y == 2); claim(g.p.y == 0); claim(g.p.x == 1); }
    """,
    "overridden effects": """
        int main(void) { int k = 0, a[1] = {[0] = ++k, [0] = 2}; (void)a; claim(k == 1); }
    """,
    "wide bit-fields": """
        struct { unsigned long d : 40; long e : 40; } s;
        int main(void) {
            s.d = 5; s.e = -1;
            claim((s.d > 0x10000000000)); claim(s.d + s.e != 4); claim(s.e > 0u); claim(sizeof(+s.d) != 8);
            s.d = -1; claim(s.d + 1 != 0); }
    """,
    "pointers and bit-fields": """
        struct { unsigned long d : 40, e : 24; } s;
        struct __attribute__((packed)) { char c; int b : 32; } t;
        int main(void) {
            *(void **)&s = (void *)-1L; t.b = 1;
            claim(s.e == 0); claim(*(int *)&t == 1); }
    """,
    "enumerators outside int": """
        enum { H = 0x100000000LL, L = 1 };
        enum { BIG = 0x80000000u, SAME = BIG + BIG };
        enum { NEGATIVE = -1, WIDE = 0x80000000u };
        int main(void) {
            claim(H > -1); claim(sizeof H != 8); claim(BIG > -1); claim(SAME != 0);
            claim(WIDE < -1); claim(sizeof L == 8); claim(sizeof WIDE == 4); }
    """,
    "types of constants": """
        int main(void) {
            claim(-9223372036854775808 > 0); claim(sizeof 9223372036854775808 == 8);
            claim(_Generic(1LL, long: 1, default: 2) == 1); }
    """,
    "floating types": """
        int main(void) {
            float f = 1; int n = N;
            claim(sizeof(1 ? 1.0f : 2.0f) != 4); claim(sizeof(n ? 1 : 1.0L) != 16); claim(sizeof(n ? f : 1) != 4);
            claim(sizeof(-1.0L) != 16); claim(sizeof(__builtin_fabsf(f)) != 4); claim(sizeof(0x1p3f) != 4); }
    """,
    "packed enumerations": """
        enum __attribute__((packed)) E { E0, E1 };
        enum F { F0, F1 = 300 } __attribute__((__packed__));
        int main(void) {
            enum E e = 300; enum F f = 70000;
            claim(e == 300); claim(sizeof e == 4); claim(f == 70000); claim(sizeof f != 2); }
    """,
    "packing": """
        #pragma pack(push, 1)
        struct K { char c; int x; };
        #pragma pack(2)
        struct L { char c; int x; };
        #pragma pack(pop)
        struct M { char c; int x; };
        int main(void) {
            claim(sizeof(struct K) != 5); claim(sizeof(struct L) != 6); claim(sizeof(struct M) != 8);
            claim(__builtin_offsetof(struct K, x) == 4); }
    """,
    "alignment": """
        struct __attribute__((packed, aligned(2))) L { char c; int x; short s; };
        struct M { char c; struct { char d; } x __attribute__((aligned(8))); };
        typedef int ai __attribute__((aligned(16)));
        struct A { char c; ai x; };
        typedef struct { char c; } T __attribute__((aligned(8)));
        struct B { char c; T t; };
        int main(void) {
            typedef long packed __attribute__((aligned(1)));
            struct C { char c; packed x; };
            int x __attribute__((aligned(64)));
            claim(sizeof(struct L) == 7); claim(sizeof(struct M) != 16); claim(sizeof(struct A) == 8);
            claim(_Alignof(ai) == 4); claim(sizeof(struct B) != 16); claim(sizeof(struct C) == 16);
            claim(_Alignof(x) == 4); }
    """,
    "adjacent strings": """
        int main(void) {
            char s[] = "\\1" "2", t[] = "\\x1" "" "2";
            claim(s[1] == 34); claim(sizeof s == 6); claim(sizeof t != 3); }
    """,
    "sizes of library types": """
        #include <pthread.h>
        #include <semaphore.h>
        #include <stdarg.h>
        #include <stddef.h>
        #include <sys/stat.h>
        struct { char c; pthread_spinlock_t s; va_list list; } v;
        struct C { char c; double _Complex z; };
        int main(void) {
            claim(sizeof(pthread_mutex_t) != 40); claim(sizeof(sem_t) != 32); claim(sizeof(pthread_cond_t) == 64);
            claim(sizeof v != 32); claim(sizeof(va_list) == 8); claim(sizeof(max_align_t) == 16);
            claim(sizeof(struct stat) != 144); claim(sizeof(struct C) != 24); }
    """,
    "types named like those of a library": """
        typedef struct { int lock; int owner; } spinlock_t;
        typedef unsigned char raw_spinlock_t;
        typedef struct later mtx_t;
        struct later { int a, b; };
        spinlock_t m;
        int main(void) {
            raw_spinlock_t c = 300; mtx_t t = {1, 2};
            m.lock = 1; m.owner = 2;
            claim(m.lock == 2); claim(c == 300); claim(t.a == t.b); claim(sizeof m == 64); }
    """,
    "insides of library objects": """
        #include <pthread.h>
        typedef union { struct { int __lock, __count; } __data; long __align; } mtx_t;
        mtx_t m, *p = &m;
        int main(void) { m.__data.__lock = 1; p->__data.__count = 2; claim(m.__data.__lock == 2); }
    """,
    "selection by type": """
        typedef const int ci;
        enum E { E0 }; enum F { F0 };
        int main(void) {
            char *q = 0; double long d = 0; enum E e = E0; struct { int b : 5; } s = {1};
            claim(_Generic(q, const char *: 1, default: 2) == 1);
            claim(_Generic(1LL, long: 1, long long: 3) == 1);
            claim(_Generic(d, double: 1, long double: 3, default: 2) == 2);
            claim(_Generic(1, ci: 1, default: 2) == 1);
            claim(_Generic(1, const int: 1, int: 2) == 1);
            claim(_Generic(e, enum F: 1, default: 2) == 1);
            claim(_Generic(s.b, int: 1, default: 2) == 1);
            claim(_Generic(__builtin_expect(1, 1), int: 1, default: 2) == 1);
            claim(__builtin_types_compatible_p(int(const char *), int(char *)));
            claim(__builtin_expect(0u, 0) < -1); }
    """,
    "equal strings": """
        const char *kept = "tail";
        int differ(const char *p, const char *q) { return p != q; }
        int main(void) {
            const char *all = "a tail";
            claim("a" != "\\x61"); claim("a" != "a"); claim(differ(kept, "tail"));
            claim((long)"b" != (long)"b"); claim("c" - "c" != 0); }
    """,
    "own name": """
        #include <string.h>
        static const char *f(void) { return __func__; }
        int main(void) {
            claim(strcmp(__func__, "main") != 0); claim(sizeof(__func__) == 7); claim(sizeof(__FUNCTION__) != 5);
            claim(f()[0] != 'f'); claim(strlen(f()) != 1); claim(sizeof(__PRETTY_FUNCTION__) == 9); }
    """,
    "what the compiler and the library say of themselves": """
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdatomic.h>
        #include <stddef.h>
        #include <stdio.h>
        #include <sys/socket.h>
        #include <unistd.h>
        #ifdef __GLIBC__
        #define LIBRARY __GLIBC__ * 100 + __GLIBC_MINOR__
        #else
        #define LIBRARY 0
        #endif
        #if defined __GLIBC__ && __GLIBC_PREREQ(2, 34) && defined __pie__ && defined __PIC__ && defined SO_REUSEPORT
        #define CHOSEN 1
        #else
        #define CHOSEN 0
        #endif
        #if defined O_DIRECT || defined PTHREAD_MUTEX_RECURSIVE || !defined EPERM || !defined _SC_NPROCESSORS_ONLN
        #define OTHER 1
        #else
        #define OTHER 0
        #endif
        int main(void) {
            memory_order order = memory_order_relaxed;
            claim(LIBRARY == 0); claim(CHOSEN == 0); claim(OTHER == 1); claim(__STDC_VERSION__ < 201710L);
            claim(order - 1 < 0); claim(_Alignof(FILE) == 1); claim(sizeof(FILE) == 1); }
    """,
    # WRONG
}
RIGHT = {
    "packed members": """
        struct K { char c; int x __attribute__((packed)); int y; };
        struct L { char c; int x __attribute__((packed, aligned(2))); long y __attribute__((packed)); };
        struct M { char c; int a : 5; int b : 30 __attribute__((packed)); };
        struct U { char c; union { long w; int v; } u __attribute__((packed)); int x; };
        struct O { char c; int x; } __attribute__((packed)); struct Q { char c; struct O o; int z; };
        int main(void) {
            claim(sizeof(struct K) == 12); claim(__builtin_offsetof(struct K, x) == 1);
            claim(__builtin_offsetof(struct K, y) == 8); claim(sizeof(struct L) == 14);
            claim(__builtin_offsetof(struct L, x) == 2); claim(__builtin_offsetof(struct L, y) == 6);
            claim(sizeof(struct M) == 8); claim(sizeof(struct U) == 16); claim(__builtin_offsetof(struct U, x) == 12);
            claim(sizeof(struct Q) == 12); }
    """,
    "behind a member that is designated in an element": """
        struct deep { int a; struct { int b, c; }; struct P p[2]; int z; } d = {.b = 1, 2, 3, 4, 5, 6, 7};
        struct P g[3] = {3, 4, 5, [1].x = 7, 6};
        int m[2][3] = {[0][1] = 1, 2, 3, 4};
        int main(void) {
            claim(d.a == 0 && d.c == 2 && d.p[0].x == 3 && d.p[1].y == 6 && d.z == 7);
            claim(g[1].y == 6 && g[2].x == 0); claim(m[0][2] == 2 && m[1][0] == 3 && m[1][1] == 4); }
    """,
    "overrides": """
        struct P a[3] = {[0 ... 2] = {1, 2}, [1] = {.y = 7}};
        struct R g = {.p = (struct P){1, 2}, .z = 5};
        int main(void) {
            int n = N, b[4] = {[0 ... 3] = 1, [2] = n}, c[2] = {[0] = n, [0] = 3};
            struct R r = {.p = {n, n}, .p = {.y = 4}, .z = n}, s = {.p = (struct P){1, n}};
            claim(b[2] == n && b[3] == 1 && c[0] == 3 && c[1] == 0);
            claim(r.p.x == 0 && r.p.y == 4 && r.z == n && s.p.x == 1 && s.p.y == n && s.z == 0);
            claim(a[0].x == 1 && a[1].x == 0 && a[1].y == 7 && a[2].y == 2 && g.p.y == 2 && g.z == 5); }
    """,
    "types": """
        struct { unsigned long d : 40; } s;
        enum { H = 0x100000000LL, L = 1 };
        enum __attribute__((packed)) E { E0, E1 };
        #pragma pack(push, 1)
        struct K { char c; int x; };
        #pragma pack(pop)
        struct __attribute__((packed, aligned(2))) P2 { char c; int x; short s; };
        typedef int ai __attribute__((aligned(16)));
        struct A { char c; ai x; };
        int main(void) {
            enum E e = 300; char t[] = "\\1" "2"; float f = 1;
            s.d = -1; claim(s.d + 1 == 0); claim(s.d + 1 < 0x10000000000);
            claim(sizeof H == 8 && sizeof L == 4 && H > 1u); claim(e == 44 && sizeof e == 1);
            claim(sizeof(struct K) == 5 && sizeof(struct P2) == 8 && sizeof(struct A) == 32 && _Alignof(ai) == 16);
            claim(t[1] == '2' && sizeof t == 3); claim(sizeof(1 ? f : 2) == 4 && sizeof(f + 1.0L) == 16); }
    """,
    "library types": """
        #include <pthread.h>
        typedef struct { int lock; int owner; } spinlock_t;
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        struct { char c; pthread_mutex_t m; char d; } s;
        int shared;
        void *other(void *p) { pthread_mutex_lock(&mutex); shared++; shared--; pthread_mutex_unlock(&mutex); return 0; }
        int main(void) {
            pthread_t t; spinlock_t m; m.lock = 1; m.owner = 2;
            claim(sizeof s == 56 && m.lock == 1 && m.owner == 2);
            pthread_create(&t, 0, other, 0);
            pthread_mutex_lock(&mutex); claim(shared == 0); pthread_mutex_unlock(&mutex); }
    """,
    "selection by type": """
        #include <stdlib.h>
        typedef unsigned char byte;
        enum E { E0 };
        int main(void) {
            byte b = 1; double long d = 0; struct P s; int *p = 0;
            claim(_Generic(b, byte: 1, default: 2) == 1 && _Generic(d, double: 1, long double: 3) == 3);
            claim(_Generic(s, struct P: 1, default: 2) == 1 && _Generic(p, int *: 1, char *: 2) == 1);
            claim(_Generic(1LL, long: 1, long long: 3) == 3 && _Generic(1, const int: 1, int: 2) == 2);
            claim(_Generic(strtoull("1", 0, 0), unsigned long: 1, unsigned long long: 2) == 2);
            claim(sizeof(_Generic(b, byte: 1, default: 2L)) == 4 && !__builtin_types_compatible_p(long, long long)); }
    """,
    "own name": """
        static int f(void) { return sizeof(__func__) == 2 && __func__[0] == 'f'; }
        int main(void) { claim(__func__[3] == 'n' && sizeof(__func__) == 5 && f() && __func__ == __func__); }
    """,
    "strings": """
        int same(const char *p, const char *q) { return p == q; }
        int main(void) {
            const char *p = "abc", *q = p + 3;
            claim(same(p, p) && q != 0 && p + 3 == q && q - p == 3); }
    """,
    # RIGHT
}


def _statuses(tmp_path: Path, text: str) -> tuple[Status, ...]:
    file = tmp_path / "a.c"
    file.write_text(START + POINT + text + "\n")
    options = FrontendOptions()
    found = lower(parse(preprocess(str(file), options).text, str(file), options), options)
    return (*analyse(found.program, AnalysisOptions()).statuses, *(Status.UNKNOWN for _ in found.unknown))


def _run(tmp_path: Path, text: str) -> tuple[int, int]:
    """How many claims of a program fail when it is run, and how many there are."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("what the program does is not checked: gcc is not installed")
    file, program = tmp_path / "run.c", tmp_path / "run"
    body = text.rstrip().removesuffix("}") + ' printf("%d %d", failed, claimed); return 0; }\n'
    file.write_text(RUN + POINT + body)
    subprocess.run([compiler, "-w", "-O0", "-fwrapv", "-pthread", str(file), "-o", str(program)], check=True)
    failed, claimed = subprocess.run([str(program)], capture_output=True, check=True, text=True).stdout.split()
    return int(failed), int(claimed)


@pytest.mark.parametrize("name", WRONG)
def test_what_fails_is_not_proved(tmp_path: Path, name: str) -> None:
    failed, claimed = _run(tmp_path, WRONG[name])
    assert failed == claimed > 0
    statuses = _statuses(tmp_path, WRONG[name])
    assert statuses
    assert not any(status.is_safe for status in statuses)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_exact_is_proved(tmp_path: Path, name: str) -> None:
    failed, claimed = _run(tmp_path, RIGHT[name])
    assert failed == 0 < claimed
    statuses = _statuses(tmp_path, RIGHT[name])
    assert statuses
    assert all(status.is_safe for status in statuses)
