"""What library functions write and return, against the library itself: no assertion that fails is proved."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions

HEADERS = {
    "ctype": "isdigit|tolower",
    "errno": "EAGAIN",
    "fcntl": "fcntl",
    "getopt": "getopt",
    "math": "lround",
    "pthread": "pthread",
    "semaphore": "sem_",
    "signal": "sigaction",
    "stdio": "FILE|printf|scanf",
    "stdlib": "abort|abs|strtol|posix|48|MB_|mbs|wcs|initstate",
    "string": "mem|str",
    "sys/mman": "mmap",
    "sys/resource": "rlimit|PRIO_",
    "sys/socket": "socketpair",
    "sys/stat": "stat ",
    "sys/time": "timeval",
    "threads": "thrd",
    "time": "time_t|timespec",
    "unistd": "pipe|nice|getpgrp",
    "wchar": "wcs|mbs|wchar_t",
}
"""Each with what asks for it."""
UNKNOWN = "extern int __VERIFIER_nondet_int(void);\n#define N() __VERIFIER_nondet_int()\n"


def _through_void(kind: str, call: str) -> str:
    """A program that hands a `void *` to a function, and claims that nothing is written behind it."""
    return (
        f"typedef {kind} T; T a, b, none; void *run(void *x) {{ return (void *)7; }}\n"
        f"int main(void) {{ void *p = &a; if (N() == 3) p = &b; {call}; assert(a == none); }}\n"
    )


def _main(text: str, globals: str = "") -> str:
    return f"{globals}\nint main(void) {{ {text} }}\n"


VOID = {
    "memset": ("char", "memset(p, 9, 1)"),
    "memcpy": ("char", 'memcpy(p, "x", 1)'),
    "memmove": ("char", 'memmove(p, "x", 1)'),
    "read": ("char", 'int f[2]; pipe(f); write(f[1], "x", 1); read(f[0], p, 1)'),
    "time": ("time_t", "time(p)"),
    "strtol": ("char *", 'strtol("12", p, 10)'),
    "posix_memalign": ("void *", "posix_memalign(p, 8, 8)"),
    "sem_getvalue": ("int", "sem_t s; sem_init(&s, 0, 3); sem_getvalue(&s, p)"),
    "asprintf": ("char *", 'asprintf(p, "x")'),
    "pthread_join": ("void *", "pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, p)"),
}
S = 'struct S { char a[2]; char b[6]; } s = {"ab", "cdef"}; struct T { int i; } t = {1}, u;'
FALSE = {
    "the error of a name": _main('gethostbyname("no.such.invalid"); assert(h_errno == 0);', "#include <netdb.h>"),
    **{f"{name} of a void pointer": _through_void(*parts) for name, parts in VOID.items()},
    "stat of a void pointer": _main(
        'void *p = &a; if (N() == 3) p = &b; stat("/", p); assert(a.st_mode == 0);', "struct stat a, b;"
    ),
    "clock_gettime of a void pointer": _main(
        "void *p = &a; if (N() == 3) p = &b; clock_gettime(CLOCK_REALTIME, p); assert(a.tv_sec == 0);",
        "struct timespec a, b;",
    ),
    "gettimeofday of a void pointer": _main(
        "void *p = &a; if (N() == 3) p = &b; gettimeofday(p, 0); assert(a.tv_sec == 0);", "struct timeval a, b;"
    ),
    "elements by void pointers": _main(
        "for (int i = 0; i < 2; i++) { void *q = b + i; memset(q, '0', 1); } assert(b[0] == 'a');", 'char b[2] = "ab";'
    ),
    "a floating value over an integer": _main("*(float *)&i = 2; assert(i == 1);", "int i = 1;"),
    "a floating value over one of two": _main(
        "float *p = (float *)&i; if (N() == 3) p = (float *)&k; *p = 2; assert(i == 1);", "int i = 1, k;"
    ),
    "floating bytes over one of two": _main(
        "float x = 2, *p = (float *)&i; if (N() == 3) p = (float *)&k; memcpy(p, &x, 4); assert(i == 1);",
        "int i = 1, k;",
    ),
    "a floating value on the heap": _main(
        "int *p = malloc(4); if (!p) abort(); *p = 1; *(float *)p = 2; assert(*p == 1);"
    ),
    "a struct of a floating value over an integer": _main(
        "struct F f = {2}; *(struct F *)&i = f; assert(i == 1);", "struct F { float x; }; int i = 1;"
    ),
    "a union over an integer": _main(
        "union U f = {2}; *(union U *)&i = f; assert(i == 1);", "union U { int x; float y; }; int i = 1;"
    ),
    "abs of a long": _main("long long r = abs(0x100000005L); assert(r != 5);"),
    "isdigit of a long": _main("assert(!isdigit(0x100000030L));"),
    "labs built in": _main("long r = __builtin_labs(-0x100000005L); assert(r < 0x7fffffff);"),
    "llround built in": _main("long long r = __builtin_llround(1e10); assert(r < 0x7fffffff);"),
    "the type of __builtin_expect": _main("unsigned w = N(); assert(!(__builtin_expect(w, 1) > -1));"),
    "the type of __builtin_expect with a variable": _main("unsigned w = N(); assert(!(__builtin_expect(w, w) > -1));"),
    "what __builtin_object_size is given": _main(
        "int i = 0; __builtin_object_size(b + i++, 0); assert(i);", "int b[8];"
    ),
    "what an unknown builtin is given": _main("int i = 0; __builtin_classify_type(i++); assert(i);"),
    "the result of memset": _main("int *p = memset(b, 0, sizeof b) + 4; *p = 9; assert(b[1] == 0);", "int b[8];"),
    "the result of __builtin_memset": _main(
        "int *p = __builtin_memset(b, 0, sizeof b) + 4; *p = 9; assert(b[1] == 0);", "int b[8];"
    ),
    "the result of __builtin_assume_aligned": _main(
        "assert(*(int *)(__builtin_assume_aligned(a, 4) + 4) == 4);", "int a[8] = {0, 1, 2, 3, 4, 5, 6, 7};"
    ),
    "the result of strcpy": _main(r'assert(*strcpy(ub, "\xff") > 0);', "unsigned char ub[4];"),
    "strcspn of a struct": _main('assert(strcspn((char *)&s, "!") < 2);', S),
    "strcspn without a match": _main('char t[3] = "ab"; assert(strcspn(t, "!") < 2);'),
    "strspn of all": _main('char t[3] = "ab"; assert(strspn(t, "ab") < 2);'),
    "strlen of a struct": _main("assert(strlen((char *)&s) < 2);", S),
    "strnlen of a struct": _main("assert(strnlen((char *)&s, 8) < 2);", S),
    "strncpy to a struct": _main("strncpy((char *)&s, \"abcdxf\", 8); assert(s.b[2] == 'e');", S),
    "strcpy to a struct": _main("strcpy((char *)&s, \"abcdxf\"); assert(s.b[2] == 'e');", S),
    "strcat to a struct": _main("s.a[1] = 0; strcat((char *)&s, \"abcxf\"); assert(s.b[1] == 'd');", S),
    "sprintf to a struct": _main("sprintf((char *)&s, \"%d\", 12345); assert(s.b[1] == 'd');", S),
    "sscanf to a struct": _main('sscanf("abxxxxx", "%7s", (char *)&s); assert(s.b[1] == \'d\');', S),
    "fgets to a struct": _main(
        'FILE *f = fopen("/proc/self/stat", "r"); if (f) fgets((char *)&s, 8, f); assert(s.b[1] == \'d\' || !f);', S
    ),
    "memset of a part of a struct": _main("memset((char *)&s, 0, 4); assert(s.b[0] == 'c');", S),
    "the name of a thread": _main(
        'char name[16] = ""; pthread_setname_np(pthread_self(), "xyz");\n'
        "pthread_getname_np(pthread_self(), name, 16); assert(name[1] == 0);"
    ),
    **{
        f"{call.partition('(')[0]} keeps its buffer": _main(
            f'FILE *f = fopen("/dev/null", "w"); if (!f) abort(); {call}; buf[0] = 0; fprintf(f, "hi");'
            " assert(buf[0] == 0);",
            "static char buf[BUFSIZ];",
        )
        for call in ("setbuf(f, buf)", "setbuffer(f, buf, sizeof buf)", "setvbuf(f, buf, _IOFBF, sizeof buf)")
    },
    "fmemopen keeps its buffer": _main(
        "FILE *f = fmemopen(b, 8, \"w\"); b[0] = 0; fputc('x', f); fflush(f); assert(b[0] == 0);", "char b[8];"
    ),
    "open_memstream keeps its pointers": _main(
        'FILE *f = open_memstream(&p, &n); p = 0; fputs("x", f); fflush(f); assert(p == 0);', "char *p; size_t n;"
    ),
    "initstate keeps its state": _main("initstate(1, b, 8); char c = b[4]; random(); assert(b[4] == c);", "char b[8];"),
    "wcstombs of no character": _main(
        "char d[10]; wchar_t bad[] = {0x10ffff0, 0}; assert(wcstombs(d, bad, 9) != (size_t)-1);"
    ),
    "mbstowcs is unsigned": _main(r'wchar_t d[10]; assert(mbstowcs(d, "\xff", 9) < 100);'),
    "getopt_long returns what it is told": _main(
        'char *av[] = {"x", "--opt", 0}; struct option o[] = {{"opt", 0, 0, -7}, {0, 0, 0, 0}};\n'
        'assert(getopt_long(2, av, "", o, 0) >= -1);'
    ),
    **{
        f"{name} writes its state": _main(f"{name}(x); assert(x[0] == 1);", "unsigned short x[3] = {1, 2, 3};")
        for name in ("erand48", "nrand48", "jrand48")
    },
    "an owner of a socket": _main(
        "int f[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, f); fcntl(f[0], F_SETOWN, -getpgrp());\n"
        "assert(fcntl(f[0], F_GETOWN) >= -1);"
    ),
    "the length of what is received": _main(
        'int f[2]; char c; socketpair(AF_UNIX, SOCK_DGRAM, 0, f); send(f[1], "xyz", 3, 0);\n'
        "assert(recv(f[0], &c, 1, MSG_TRUNC) <= 1);"
    ),
    "prlimit": _main("struct rlimit r = {0, 0}; prlimit(0, RLIMIT_NOFILE, 0, &r); assert(r.rlim_cur == 0);"),
    "characters of a locale": _main("assert(MB_CUR_MAX == 6);"),
    "a bad alignment": _main("void *p; int r = posix_memalign(&p, 3, 8); assert(r == 0 || r == 12);"),
    "an attribute that is not supported": _main(
        "pthread_attr_t a; pthread_attr_init(&a); int r = pthread_attr_setscope(&a, 1); assert(r == 0 || r == 22);"
    ),
    "a clock that is not supported": _main(
        "struct timespec t = {0, 0}; int r = clock_nanosleep(4, 0, &t, 0); assert(r == 0 || r == 4 || r == 22);"
    ),
    "memory that is used as a stack": _main(
        "pthread_attr_t a; pthread_t t; int used = 0; pthread_attr_init(&a);"
        "if (pthread_attr_setstack(&a, area, sizeof area) == 0 && pthread_create(&t, &a, run, 0) == 0) {"
        "pthread_join(t, 0); for (int i = 0; i < 8192; i++) if (area[i] != 0) used = 1; assert(used == 0); }",
        "static long area[8192]; void *run(void *x) { return x; }",
    ),
    "memory that is used as a stack of handlers": _main(
        "stack_t s = {0}; struct sigaction a = {0}; int used = 0; s.ss_sp = area; s.ss_size = sizeof area;"
        "a.sa_handler = run; a.sa_flags = SA_ONSTACK; sigaltstack(&s, 0); sigaction(SIGUSR1, &a, 0); raise(SIGUSR1);"
        "for (int i = 0; i < 8192; i++) if (area[i] != 0) used = 1; assert(used == 0);",
        "static long area[8192]; void run(int x) { volatile int y = x; }",
    ),
    "the ceiling of an ordinary mutex": _main(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c; assert(pthread_mutex_getprioceiling(&m, &c) == 0);"
    ),
    "where a stack is": _main(
        "pthread_attr_t a; void *p = 0; size_t n = 1; pthread_attr_init(&a);"
        "pthread_attr_setstack(&a, area, sizeof area); pthread_attr_getstack(&a, &p, &n); assert(p == 0);",
        "static long area[8192];",
    ),
    "memory below the address of a stack": _main(
        "pthread_attr_t a; pthread_t t; int used = 0; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 1 << 16);"
        "if (pthread_attr_setstackaddr(&a, area + 16384) == 0 && pthread_create(&t, &a, run, 0) == 0) {"
        "pthread_join(t, 0); for (int i = 0; i < 16384; i++) if (area[i] != 0) used = 1; assert(used == 0); }",
        "static long area[16384]; void *run(void *x) { return x; }",
    ),
    "a barrier of too many": _main("pthread_barrier_t b; assert(pthread_barrier_init(&b, 0, 0x80000000u) == 0);"),
    "a barrier of none": _main("pthread_barrier_t b; assert(pthread_barrier_init(&b, 0, N() - 2) == 0);"),
    "a barrier of nobody knows whom": _main(
        "pthread_barrierattr_t a; pthread_barrierattr_init(&a); assert(pthread_barrierattr_setpshared(&a, 5) == 0);"
    ),
    "a time that is not valid": _main("struct timespec t = {0, -1}; assert(thrd_sleep(&t, 0) >= -1);"),
    "strnlen of a full array": _main("char b[4] = {1, 1, 1, 1}; assert(strnlen(b, 4) < 4);"),
    "how many characters as a byte": _main('printf("abc%hhn", &c); assert(c == 0);', "signed char c;"),
    "how many characters behind a void pointer": _main('void *p = &x; printf("abc%n", p); assert(x == 0);', "int x;"),
    "wide characters are read": _main('sscanf("abc", "%ls", w); assert(w[1] == 0);', "wchar_t w[4];"),
    "wide characters behind a percent sign": _main('sscanf("%abc", "%%%ls", w); assert(w[1] == 0);', "wchar_t w[4];"),
    "wide characters by their place": _main('sscanf("abc", "%1$3ls", w); assert(w[1] == 0);', "wchar_t w[4];"),
    "wide characters of a set": _main('sscanf("abc", "%l[a-c]", w); assert(w[1] == 0);', "wchar_t w[4];"),
    "wide characters behind a set": _main('sscanf("xabc", "%*[^%%a]%S", w); assert(w[1] == 0);', "wchar_t w[4];"),
    "some wide characters": _main(
        'sscanf("abc", "C%d%2lc", &n, w); sscanf("abc", "%2C", w); assert(w[1] == 0);', "int n; wchar_t w[4];"
    ),
    "an argument of asprintf with an effect": _main(
        'int n = 0; asprintf(&p[n++], "x"); assert(n == 2);', "char *p[3];"
    ),
    "a new string is read": _main('char *p = 0; if (sscanf("ab", "%ms", &p) == 1) assert(p == 0);'),
    "a new string that is not read": _main(
        'char b = 2, *p = &b; if (sscanf(" ", "%ms", &p) != 1 && p) { *p = 1; assert(b == 2); } else abort();'
    ),
    "the second of two new strings": _main('char *p = 0, *q = 0; sscanf("a b", "%ms%ms", &p, &q); assert(q == 0);'),
    "a new string by its place": _main('char *p = 0; int i; sscanf("1 b", "%2$d%1$ms", &p, &i); assert(p == 0);'),
    "a new string behind a set that is skipped": _main(
        'char *p = 0; sscanf("%ab", "%%%*[]a]%m[^]a]", &p); assert(p == 0);'
    ),
    "a new string without an end": _main('char *p = 0; sscanf("ab", "%2mc", &p); assert(p == 0);'),
    "wcsncpy": _main('wchar_t b[4] = {0}; wcsncpy(b, L"ab", 3); assert(b[1] == 0);'),
    "a pointer that wcschr gives": _main("wchar_t b[] = L\"abc\"; *wcschr(b, 'b') = 7; assert(b[1] != 7);"),
    "wcscat": _main('wchar_t b[4] = L"a"; wcscat(b, L"b"); assert(b[1] == 0);'),
    "tolower of no character": _main("assert(tolower(300) < 256);"),
    "memory over an object": _main(
        "mmap(b, 4096, 3, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); assert(b[0] == 1);",
        "char b[8192] __attribute__((aligned(4096))) = {1};",
    ),
    "fdim built in": _main("assert(__builtin_fdim(0.5, 0) * 2 != 1);"),
    "lroundl": _main("long r = lroundl(1e10L); assert(r < 0x7fffffff);"),
    "assume with effects": _main("assume(calls); assert(calls == 0);", "int calls; void assume(int x) { calls++; }"),
    "an assertion that goes on": _main(
        "__VERIFIER_assert(0); assert(calls == 0);", "int calls; void __VERIFIER_assert(int x) { if (!x) calls = 1; }"
    ),
    "an error that goes on": _main(
        "reach_error(); assert(calls == 0);", "int calls; void reach_error() { calls = 1; }"
    ),
    "any number and effects": _main(
        "__VERIFIER_nondet_long(); assert(calls == 0);",
        "int calls; long __VERIFIER_nondet_long() { calls++; return 1; }",
    ),
    "strsep behind the last piece": _main(
        'char b[] = "a:b", *p = b; strsep(&p, ":"); strsep(&p, ":"); assert(p != 0);'
    ),
    "strtol with a base that is none": _main('char *e = 0; strtol("12", &e, 60); assert(e != 0);'),
    "an assertion loses bits": _main(
        "__VERIFIER_assert(0x100000000L);", "void __VERIFIER_assert(int x) { if (!x) abort(); }"
    ),
}
POSSIBLE = {
    "nice": _main("assert(nice(-5) >= -1);"),
    "getpriority": _main("assert(getpriority(PRIO_PROCESS, 0) >= -1);"),
    "pthread_create without permission": _main(
        "pthread_t t; int r = pthread_create(&t, 0, run, 0); assert(r == 0 || r == EAGAIN);",
        "void *run(void *x) { return x; }",
    ),
    "an old ceiling": _main(
        "pthread_mutex_t m; int old = 7; pthread_mutex_setprioceiling(&m, 5, &old); assert(old == 7);"
    ),
    "a key without memory": _main("pthread_key_t k; int r = pthread_key_create(&k, 0); assert(r == 0 || r == EAGAIN);"),
}
"""What happens only on other systems, or to other users."""
TRUE = {
    "a stream without a buffer keeps none": _main(
        "fread(&o, 1, 0, stdin); FILE *f = N() > 9 ? o.f : stderr; setvbuf(f, NULL, _IONBF, 0); setbuf(f, NULL);"
        " assert(n == 0); up();",
        "int n; void up(void) { n++; } struct O { FILE *f; void (*up)(void); } o = {0, up};",
    ),
    "strcspn of an array": _main('char t[4] = "ab"; assert(strcspn(t, "b") < 4);'),
    "a mutex that is asked for its ceiling": _main(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c; pthread_mutex_getprioceiling(&m, &c);"
        "assert(pthread_mutex_lock(&m) == 0); assert(pthread_mutex_unlock(&m) == 0);"
    ),
    "a new string and how much was read": _main(
        'int i; char *p = 0, w[5]; if (sscanf("1 ab c", "%d%m[ a-z]%4s", &i, &p, w) > 1) assert(p != 0);'
    ),
    "a number behind capital letters": _main(
        'struct { int i, n; int *p; } o = {5, 0, &o.i}; sscanf("CPUS 7", "CPUS%d cells %%S", &o.n); assert(*o.p == 5);'
    ),
    "what wcsncpy gives back": _main('wchar_t b[4], c[2] = {3}; assert(wcsncpy(b, L"ab", 3) == b && c[0] == 3);'),
    "memset of an int": _main("int a = 3; memset(&a, 0, sizeof a); assert(a == 0);"),
    "memset by a pointer": _main("struct T *p = &t; if (N()) p = &u; memset(p, 0, sizeof *p); assert(t.i <= 1);", S),
    "strtol with a base": _main('char *e = 0; strtol("12", &e, 16); assert(e != 0);'),
    "abs in range": _main("assert(abs(-5) == 5 && labs(-5) == 5);"),
    "the type of __builtin_expect": _main("unsigned w = N(); assert(__builtin_expect(w, 1) > -1);"),
    "a branch by __builtin_expect": _main("int w = N(); if (__builtin_expect(!!(w > 3), 0)) assert(w > 3);"),
    "the result of memset": _main("int *p = memset(b, 0, sizeof b) + 4; *p = 9; assert(b[1] == 9);", "int b[8];"),
    "strcpy to a struct": _main("strcpy((char *)&s, \"abxd\"); assert(s.b[0] == 'x');", S),
    "a floating value where it belongs": _main(
        "double a, b, *p = &a; int i = 1; if (N()) p = &b; *p = 2; assert(i == 1);"
    ),
    "a stub of assume": _main(
        "int x = N(); assume_abort_if_not(x > 1 && x < 4); assert(x != 0);",
        "void assume_abort_if_not(int cond) { if (!cond) { abort(); } }",
    ),
    "a stub of an assertion": _main(
        "int x = N(); if (x > 1) __VERIFIER_assert(x > 0 && x);",
        "void reach_error(void) { abort(); }\n"
        "void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } return; }",
    ),
    "a float in a struct by a pointer": _main(
        "struct F a = {1}, b = {1}, *p = &a; if (N()) p = &b; p->x = 2; assert(a.i == 1);",
        "struct F { int i; float x; };",
    ),
}


def _start(text: str) -> str:
    names = ["assert", *(name for name, words in HEADERS.items() if re.search(words, text))]
    return "#define _GNU_SOURCE\n" + "".join(f"#include <{name}.h>\n" for name in names)


def _safe(directory: Path, text: str) -> list[bool]:
    source = directory / "a.c"
    source.write_text(_start(text) + UNKNOWN + text)
    options = FrontendOptions()
    program = lower(parse(preprocess(str(source), options).text, str(source), options), options).program
    return [status.is_safe for status in analyse(program, AnalysisOptions()).statuses]


@pytest.mark.parametrize("name", [*FALSE, *POSSIBLE])
def test_what_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not any(_safe(tmp_path, {**FALSE, **POSSIBLE}[name]))


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str, tmp_path: Path) -> None:
    assert all(_safe(tmp_path, TRUE[name]))


CLAIMS = [*(f"{name}, false" for name in FALSE), *(f"{name}, true" for name in TRUE)]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to run the programs with")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if at % 4 else ()) for at, name in enumerate(CLAIMS)]
)
def test_the_claims_are_those_of_the_library(name: str, tmp_path: Path) -> None:
    is_true = name.endswith(", true")
    text = (TRUE if is_true else FALSE)[name.rpartition(",")[0]]
    source = tmp_path / "a.c"
    source.write_text(_start(text) + "#define N() 2\n" + text)
    options = ("-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-pthread")
    subprocess.run(["gcc", *options, str(source), "-o", str(tmp_path / "a"), "-lm"], check=True, timeout=60)
    code = subprocess.run([str(tmp_path / "a")], capture_output=True, timeout=60).returncode
    assert code == (0 if is_true else -6)
