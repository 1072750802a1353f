"""What C leaves to the compiler, and what GNU C and the C library add to it: no assertion that may fail is proved.

Each program of `FAILS` aborts when it is compiled by gcc and run, each of `MAY_FAIL` may by the standard.
"""

# ruff: noqa: E501  (a program in a line is easier to find)

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.errors import SourceError
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions

START = """#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
"""
CALL = "int g; int f(void) { g = 1; return 7; } int first(int x, int y) { return x; } int second(int x, int y) { return y; }\n"
FAILS = {
    "an argument beside a call": f"{CALL} int main(void) {{ assert(first(g, f()) == 0); }}",
    "an operand beside a call": f"{CALL} int main(void) {{ assert(g + f() == 7); }}",
    "a member beside a call": f"{CALL} struct s {{ int a, b; }}; int main(void) {{ struct s z = {{.b = f(), .a = g}}; assert(z.a == 1); }}",
    "effects of operands of assembler": 'int main(void) { int x = 0; __asm__ volatile("" : : "r"(++x)); assert(x == 0); }',
    "assembler that loads an address": 'int main(void) { int x = 0, *p; __asm__("leaq %1, %0" : "=r"(p) : "m"(x)); *p = 5; assert(x == 0); }',
    "the address of what it may write": 'int main(void) { int x = 0, *p; __asm__("lea %1, %0" : "=r"(p), "+m"(x)); x = 0; *p = 5; assert(x == 0); }',
    "a constraint in two pieces": 'int main(void) { int x = 0; __asm__ volatile("movl $5, %0" : "=" "r"(x)); assert(x == 0); }',
    "the scope of a condition": "enum { A = 1 }; int main(void) { if (sizeof(enum { A = 2 })) { } assert(A == 2); }",
    "the scope of a switch": "enum { A = 1 }; int main(void) { switch (sizeof(enum { A = 2 })) { } assert(A == 2); }",
    "a shift into the sign": "int main(void) { unsigned long m = 1 << 31; assert(m == 0x80000000ul); }",
    "a shift into the sign by a variable": "int main(int argc, char **argv) { int k = argc + 30, x = 1 << k; assert(x > 0); }",
    "a macro of the compiler": (
        "#ifdef __GNUC__\n#define PACKED __attribute__((packed))\n#else\n#define PACKED\n#endif\n"
        "struct s { char c; int i; } PACKED; int main(void) { assert(sizeof(struct s) == 8); }"
    ),
    "a union for a pointer": (
        "typedef union { int *i; long *l; } U __attribute__((transparent_union)); static void f(U u) { *u.i = 5; }\n"
        "int main(void) { int x = 0; f(&x); assert(x == 0); }"
    ),
    "a cast to a union": "union U { int *i; long *l; }; int main(void) { int x = 0; union U u = (union U)&x; *u.i = 5; assert(x == 0); }",
    "an element in the middle": (
        "typedef unsigned __attribute__((aligned(1), may_alias)) any_place;\n"
        "int main(void) { unsigned v[2] = {0}; char *b = (char *)v; *(any_place *)(b + 2) = 0xffffffffu; assert(v[0] == 0); }"
    ),
    "an element somewhere": (
        "typedef unsigned __attribute__((aligned(1), may_alias)) any_place;\n"
        "int main(int argc, char **argv) { unsigned v[2] = {0}; char *b = (char *)v; any_place *p = (any_place *)(b + argc);\n"
        "*p = 0xffffffffu; assert(v[0] == 0 || v[0] == 0xffffffffu); }"
    ),
    "an element of many": (
        "typedef unsigned __attribute__((aligned(1), may_alias)) any_place;\n"
        "int main(int argc, char **argv) { unsigned *v; for (int i = 0; i < 2; i++) { v = calloc(2, 4); if (!v) return 0; }\n"
        "char *b = (char *)v; any_place *p = (any_place *)(b + argc); *p = 0xffffffffu; assert(v[0] == 0 || v[0] == 0xffffffffu); }"
    ),
    "an error number": 'int main(void) { errno = 0; strtol("99999999999999999999999", 0, 10); assert(errno == 0); }',
    "variables of the library": "int main(void) { timezone = 5; daylight = 5; tzset(); assert(timezone == 5 || daylight == 5); }",
    "a variable of the library that the program defines": 'int optind; int main(void) { char *v[] = {"x", "-a", "b", 0}; optind = 1; getopt(3, v, "a"); assert(optind == 1); }',
    "a mutex that is assigned": "int main(void) { pthread_mutex_t k; k = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; pthread_mutex_lock(&k); int r = pthread_mutex_lock(&k); assert(r == 0); }",
    "a number for a _Bool": "int main(void) { _Bool a[2] = {4, 0}; assert(a[0] != 1); }",
    "a number for a _Bool in a structure": "struct s { _Bool b; int x; }; int main(void) { struct s s = {256, 1}; assert(s.b != 1); }",
    "a number for a _Bool in a literal": "int main(void) { assert(((_Bool[]){5, 0})[0] != 1); }",
    "a number below 0 in a long table": "int main(int n, char **v) { unsigned t[30] = {[5] = -1}; n += 4; if (n < 0 || n >= 30) return 0; assert(t[n] == 0); }",
    "a character above 127 in a long text": 'int main(int n, char **v) { unsigned char t[30] = "\\xff"; n -= 1; if (n < 0 || n >= 30) return 0; assert(t[n] != 255); }',
    "a number in a narrow member": "struct s { unsigned b : 2; } ; int main(int n, char **v) { struct s t[30] = {[1] = {7}}; if (n < 0 || n >= 30) return 0; assert(t[n].b != 3); }",
    "the environment": 'int main(void) { char **old = environ; setenv("AAAA", "b", 1); assert(environ == old); }',
    "an atomic operation on a byte": "unsigned char b = 6; int main(void) { int r = __atomic_nand_fetch(&b, 3, 5); assert(r == ~2); }",
    "copied attributes": (
        "pthread_mutex_t m; int main(void) { pthread_mutexattr_t a, b; pthread_mutexattr_init(&a);\n"
        "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); b = a; pthread_mutex_init(&m, &b);\n"
        "pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0); }"
    ),
    "a destructor that is not known": (
        "int x; void d(void *a) { x = 1; } void *t(void *a) { pthread_setspecific(*(pthread_key_t *)a, &x); return 0; }\n"
        "int main(void) { unsigned char b[8]; void (*p)(void *) = d, (*q)(void *); memcpy(b, &p, 8);\n"
        "for (int i = 0; i < 8; i++) ((unsigned char *)&q)[i] = b[i]; pthread_key_t k; pthread_key_create(&k, q);\n"
        "pthread_t h; pthread_create(&h, 0, t, &k); pthread_join(h, 0); assert(x == 0); }"
    ),
    "a structure in front of itself": (
        "struct n { struct n *next; int v; }; int main(void) { struct n c = {0, 30}, b = {&c, 20}, a = {&b, 10}; a = *a.next; assert(a.v == 30); }"
    ),
    "a structure by its own index": (
        "struct s { int i, b; }; int main(void) { struct s v[2] = {{1, 10}, {0, 20}}, s = {0, 0}; s = v[s.i]; assert(s.b == 20); }"
    ),
    "a structure into its own index": (
        "struct s { int i, b; }; int main(void) { struct s v[2] = {{0, 10}, {0, 20}}, t = {1, 7}; v[v[0].i] = t; assert(v[0].b == 10); }"
    ),
    "a structure copied in front of itself": (
        "struct n { struct n *next; int v; }; int main(void) { struct n c = {0, 30}, b = {&c, 20}, a = {&b, 10};\n"
        "memcpy(&a, a.next, sizeof a); assert(a.v == 30); }"
    ),
    "the pointer that is overwritten": (
        "struct n { struct n *next; int v; }; int main(void) { struct n a; a.next = &a; struct n *r = memset(a.next, 0, sizeof a); assert(r == 0); }"
    ),
    "an address that is printed": (
        'int main(void) { int x = 0; char b[40]; void *q; sprintf(b, "%p", (void *)&x); if (sscanf(b, "%p", &q) == 1) *(int *)q = 5; assert(x == 0); }'
    ),
    "no trigraph": 'int main(void) { assert(sizeof("?" "?(") != sizeof("??(")); }',
    "a writer that waits": (
        "pthread_rwlock_t l; void *w(void *a) { pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); return 0; }\n"
        "int main(void) { pthread_t t; pthread_rwlockattr_t at; pthread_rwlockattr_init(&at);\n"
        "pthread_rwlockattr_setkind_np(&at, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); pthread_rwlock_init(&l, &at);\n"
        "pthread_rwlock_rdlock(&l); pthread_create(&t, 0, w, 0); sleep(1); int r = pthread_rwlock_tryrdlock(&l); assert(r == 0); }"
    ),
}
MAY_FAIL = {
    "a handler that is given a union": (
        "int x; void f(union sigval v) { *(int *)v.sival_ptr = 1; } int main(void) { struct sigevent e = {0}; timer_t t;\n"
        "e.sigev_notify = SIGEV_THREAD; e.sigev_notify_function = f; e.sigev_value.sival_ptr = &x;\n"
        "timer_create(CLOCK_REALTIME, &e, &t); assert(x == 0); }"
    ),
    "a call with too many arguments": "int x; static void g(void) { x = 5; } int main(void) { void (*f)(int) = (void (*)(int))g; f(1); assert(x == 0); }",
    "an argument behind a call": f"{CALL} int main(void) {{ assert(second(f(), g) == 1); }}",
    "an operand behind a call": f"{CALL} int main(void) {{ assert(f() + g == 8); }}",
    "an index beside a call": f"{CALL} int a[2] = {{3, 4}}; int main(void) {{ assert(first(a[g], f()) == 3); }}",
    "a local beside a call": "int inc(int *p) { return ++*p; } int first(int x, int y) { return x; } int main(void) { int l = 0; assert(first(l, inc(&l)) == 0); }",
    "where a call is assigned to": f"{CALL} int a[2]; int main(void) {{ a[g] = f(); assert(a[0] == 7); }}",
    "what a call is assigned to": (
        "struct s { int v; } x, y, *p = &x; int f(void) { p = &y; return 7; } int main(void) { p->v = f(); assert(x.v == 7); }"
    ),
    "what a call is added to": "int g; int f(void) { g = 10; return 1; } int main(void) { g += f(); assert(g == 11); }",
    "what an index that is called is of": (
        "int a[2] = {3, 4}, b[2] = {5, 6}, *p = a; int f(void) { p = b; return 0; } int main(void) { assert(p[f()] == 3); }"
    ),
    "a variable that is defined elsewhere": "extern int g; extern void f(void); int main(void) { g = 1; f(); assert(g == 1); }",
    "a variable that a block declares": "extern void f(void); int main(void) { extern int g; g = 1; f(); assert(g == 1); }",
}
TRUE = {
    "a read beside a call": f"{CALL} int main(void) {{ int r = f() + g; assert(r == 7 || r == 8); }}",
    "where a call is assigned to": f"{CALL} int a[2]; int main(void) {{ a[g] = f(); assert(a[0] + a[1] == 7); }}",
    "calls that change nothing": (
        "static int twice(int n) { int r = n; r += n; return r; }\n"
        "int x = 1; static int get(void) { return x; } int main(void) { assert(twice(2) + twice(3) == 10); assert(get() + get() == 2); }"
    ),
    "calls in any order": "int x; int next(void) { return x++; } int main(void) { int r = next() + next(); assert(r == 1); assert(x == 2); }",
    "a call that changes nothing": "int g = 5; int f(void) { return 7; } int main(void) { assert(g + f() == 12); int a[2]; a[g - 5] = f(); assert(a[0] == 7); }",
    "a shift into the sign": "int main(void) { unsigned long m = 1 << 31; assert(m == 0xffffffff80000000ul); }",
    "a byte of an element": "int main(void) { unsigned v[2] = {1, 2}; char *b = (char *)v; unsigned *p = (unsigned *)(b + 4); *p = 3; assert(v[0] == 1); }",
    "elements by bytes": (
        "int main(int argc, char **argv) { unsigned v[2] = {1, 1}; char *b = (char *)v; unsigned *p = (unsigned *)(b + 4 * (argc & 1)); *p = 1; assert(v[0] == 1); }"
    ),
    "an atomic operation on a byte": "unsigned char b = 6; int main(void) { int r = __atomic_nand_fetch(&b, 3, 5); assert(r == 253); }",
    "copied attributes": (
        "pthread_mutex_t m; int main(void) { pthread_mutexattr_t a, b; pthread_mutexattr_init(&a);\n"
        "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); b = a; pthread_mutex_init(&m, &b);\n"
        "assert(!pthread_mutex_lock(&m)); assert(!pthread_mutex_lock(&m)); }"
    ),
    "assembler that changes nothing": 'int main(void) { int x = 3; __asm__ volatile("" : "+r"(x) : : "memory"); assert(x == 3); }',
}
REFUSED = {
    "assembler that defines a name": 'int x; extern int y; __asm__(".globl y\n.set y, x"); int main(void) { y = 1; assert(x == 0); }',
    "a name for another": "#pragma redefine_extname xx yy\nextern int xx;\nint yy; int main(void) { xx = 1; assert(yy == 0); }",
    "what the loader calls": 'int x; void f(void) { x = 1; }\n__attribute__((section(".init_array"), used)) void (*pf)(void) = f;\nint main(void) { assert(x == 0); }',
    "a table of the linker": (
        'int a __attribute__((section("foo"), used)) = 1; extern int __start_foo[], __stop_foo[];\n'
        "int main(void) { for (int *p = __start_foo; p < __stop_foo; p++) *p = 5; assert(a == 1); }"
    ),
}


FILES = {
    "a static variable in a block": (
        "static int x = 1; void s(void) { extern int x; x = 5; } int main(void) { s(); assert(x == 1); }",
        "int x = 3;",
    ),
    "a variable of another file in a block": (
        "int x = 1; void s(void); int main(void) { s(); assert(x == 1); }",
        "void s(void) { extern int x; x = 5; }",
    ),
}
REFUSED_FILES = {
    "two bodies": (
        "inline int f(void) { return 1; } int use(void) { return f(); }",
        "int f(void) { return 2; } int use(void); int main(void) { assert(use() == 1); }",
    ),
    "two values": (
        "int x = 1; int get(void); int main(void) { assert(get() == 1); }",
        "int x = 2; int get(void) { return x; }",
    ),
    "a name for another": (
        'extern int x __asm__("y"); int get(void); int main(void) { x = 1; assert(get() == 0); }',
        "int y; int get(void) { return y; }",
    ),
}

STEPS = (
    "int x, t[4]; int a(void) { x = 1; return 0; } int b(void) { x = 2; return 0; } int next(void) { return x++; }\n"
)
BESIDE = """
static void pair(int p, int q) { (void)p; (void)q; } static void see(int p, int v, int q) { (void)p; (void)q; x = v; }
static void left(int p, int q) { (void)q; x = p; } struct s { int p, q; }; struct s u, v, *to = &u;
static struct s *where(void) { return to; } static int turn(void) { to = &v; return 7; }
static void f(int p) { x = p; } static void (*function(void))(int) { x = 5; return f; } static int given(void) { return x; }
static struct s made(int n) { struct s r = {n, n}; x = x * 10 + n; return r; } static void both(struct s p, struct s q) { (void)p; (void)q; }
static struct s kept; static struct s copied(void) { kept.p += 1; return kept; } static int a9(void) { kept.p = 8; return 0; }
static void field(struct s p, int q) { (void)q; x = p.p; } static struct s *where2(void) { u.p = 6; return &v; }
static int same(int v) { return v; } static int tens(void) { x *= 10; return 0; }
static int *moved = t; static int back(void) { moved = t + 2; return 7; }
atomic_int n; static int lazy(int d) { return d > 0 ? lazy(d - 1) : x++; }
"""
IN_ANY_ORDER = {
    "arguments": ("pair(a(), b());", "x == 1", "x == 2"),
    "arguments of the library": ('printf("%d%d", a(), b());', "x == 1", "x == 2"),
    "a read between": ("see(a(), x, b());", "x == 0", "x == 1", "x == 2"),
    "operands": ("x = 3; int r = next() - next();", "r == 1", "r == -1"),
    "three operands": ("int r = next() * 100 + next() * 10 + next();", *(f"r == {n}" for n in (12, 102, 210))),
    "operations of the library": ("left(atomic_fetch_add(&n, 1), atomic_fetch_add(&n, 1));", "x == 0", "x == 1"),
    "statements in expressions": ("pair(({ x = 1; 0; }), ({ x = 2; 0; }));", "x == 1", "x == 2"),
    "members": ("struct s r = {.q = next(), .p = next()};", "r.p == 0", "r.p == 1"),
    "both sides of an assignment": ("where()->p = turn();", "u.p == 7", "v.p == 7"),
    "an index and a value": ("t[next()] = next() + 5;", "t[0] == 6", "t[1] == 5"),
    "both sides of an addition": ("*(x = 0, where(), &t[next()]) += next() + 5;", "t[0] == 6", "t[1] == 5"),
    "the function that is called": ("function()(given());", "x == 0", "x == 5"),
    "an index that is called and a value": ("t[next()] = x + 5;", "t[0] == 5", "t[0] == 6"),
    "a call with what is read": ("left(same(x), a());", "x == 0", "x == 1"),
    "a variable that is raised": ("x = 1; pair(tens(), x++);", "x == 11", "x == 20"),
    "what a pointer that moves leads to": ("*moved++ = back();", "t[0] == 7", "t[2] == 7"),
    "a structure that a call gives": ("x = 1; field(copied(), a9());", "x == 1", "x == 9"),
    "a structure and where it goes": ("*where2() = u;", "v.p == 0", "v.p == 6"),
    "structures": ("both(made(1), made(2));", "x == 12", "x == 21"),
    "many arguments": (
        'printf("%d", next(), next(), next(), next(), next(), next(), next(), next(), a());',
        "x == 1",
        "x == 2",
        "x == 9",
    ),
    "functions that call themselves": ("left(lazy(1), lazy(2));", "x == 0", "x == 1"),
}
"""Statements, and what may hold behind them: one of these, none of them always."""
RAISED = """#include <stdatomic.h>
static KIND a, b[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int less(int x, int y) { return x <= y; }
static void *raise_both(void *arg) {
  pthread_mutex_lock(&lock);
  if (a < 1000) { a = a + 1; b[0] = a; }
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t;
  for (;;) {
    if (pthread_create(&t, 0, raise_both, 0)) return 1;
"""
"""What `b[0]` was is at most what `a` is later, and not what it was before."""
OPEN_READS = {
    "operands": "assert(b[0] <= a);",
    "operands within others": "assert(!(b[0] + 1 > a + 1));",
    "a condition": "if (b[0] > a) assert(0);",
    "arguments": "assert(less(b[0], a));",
    "initialisers": "int v[2] = { b[0], a }; assert(v[0] <= v[1]);",
    "beside a step": "static KIND n; int x; x = b[0] - (n++ + a); assert(x <= 0);",
    "more than are looked at": "assert(b[0] + 0 * (b[0] + b[0] + b[0] + a + a + a) <= a);",
}


def _units(texts: tuple[str, str], directory: Path) -> list[bool]:
    """Whether each check of a program of two files is decided to hold."""
    options, units = FrontendOptions(), []
    for number, text in enumerate(texts):
        source = directory / f"{number}.c"
        source.write_text(START + text)
        units.append(parse(preprocess(str(source), options).text, str(source), options))
    found = [status.is_safe for status in analyse(lower(units, options).program, AnalysisOptions()).statuses]
    assert found
    return found


@pytest.mark.parametrize("name", FILES)
def test_an_assertion_of_two_files_that_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not any(_units(FILES[name], tmp_path))


@pytest.mark.parametrize("name", REFUSED_FILES)
def test_files_that_say_different_things_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        _units(REFUSED_FILES[name], tmp_path)


def _statuses(text: str, directory: Path) -> list[bool]:
    """Whether each check of a program is decided to hold."""
    source, options = directory / "a.c", FrontendOptions()
    source.write_text(START + text)
    program = lower(parse(preprocess(str(source), options).text, str(source), options), options).program
    found = [status.is_safe for status in analyse(program, AnalysisOptions()).statuses]
    assert found
    return found


@pytest.mark.parametrize("name", [*FAILS, *MAY_FAIL])
def test_an_assertion_that_may_fail_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not any(_statuses({**FAILS, **MAY_FAIL}[name], tmp_path))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("name", FAILS)
def test_it_really_fails(name: str, tmp_path: Path) -> None:
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(START + FAILS[name])
    subprocess.run(["gcc", "-w", "-O0", "-fwrapv", "-pthread", "-o", str(program), str(source)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=60)
    assert "Assertion" in done.stderr


@pytest.mark.parametrize("name", TRUE)
def test_an_assertion_that_holds_is_proved(name: str, tmp_path: Path) -> None:
    found = _statuses(TRUE[name], tmp_path)
    assert found
    assert all(found)


@pytest.mark.parametrize("name", IN_ANY_ORDER)
def test_calls_beside_each_other_run_in_any_order(name: str, tmp_path: Path) -> None:
    statements, *ends = IN_ANY_ORDER[name]
    text = "".join(f"if (c == {number}) assert({end});" for number, end in enumerate(ends))
    found = _statuses(
        f"#include <stdatomic.h>\n{STEPS}{BESIDE}int main(int c, char **w) {{ {statements} {text} }}", tmp_path
    )
    assert not any(found)


@pytest.mark.parametrize(
    ("name", "kind"), [*((name, "atomic_int") for name in OPEN_READS), ("operands", "volatile int")]
)
def test_what_others_change_is_read_in_any_order(name: str, kind: str, tmp_path: Path) -> None:
    assert not any(_statuses(RAISED.replace("KIND", kind) + OPEN_READS[name].replace("KIND", kind) + "}}", tmp_path))


@pytest.mark.parametrize("kind", ["atomic_int", "volatile int"])
def test_reads_in_an_order_of_their_own_keep_it(kind: str, tmp_path: Path) -> None:
    assert all(_statuses(RAISED.replace("KIND", kind) + "int x = b[0], y = a; assert(x <= y); } }", tmp_path))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_more_than_it_says_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        _statuses(REFUSED[name], tmp_path)
