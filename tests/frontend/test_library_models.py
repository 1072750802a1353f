"""What library functions write and return, against the library itself: no assertion that fails is proved."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.coarsen.results import Analysis
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import header_directories, preprocess
from duet.options import AnalysisOptions, FrontendOptions

HEADERS = {
    "arpa/inet": "inet_",
    "complex": "complex",
    "dirent": "dirent",
    "ctype": "isdigit|tolower",
    "errno": "EAGAIN",
    "execinfo": "backtrace",
    "fcntl": "fcntl|AT_FDCWD",
    "fenv": "fesetround|fesetenv",
    "getopt": "getopt",
    "iconv": "iconv",
    "libintl": "gettext",
    "locale": "newlocale|uselocale",
    "math": "lround|lgamma|remquo|isinf",
    "mqueue": "mq_",
    "netdb": "getserv|getnet",
    "netinet/ether": "ether_",
    "nl_types": "catgets",
    "pthread": "pthread",
    "pwd": "getpw",
    "argz": "argz_",
    "search": "insque|hcreate",
    "semaphore": "sem_",
    "signal": "sigaction|sigorset",
    "spawn": "posix_spawn",
    "stdio": "FILE|printf|scanf",
    "stdlib": "abort|abs|strtol|strtod|posix|48|MB_|mbs|wcs|initstate|random_r|cvt|getsubopt",
    "string": "mem|str",
    "sys/mman": "mmap",
    "sys/timex": "ntp_",
    "sys/xattr": "xattr",
    "sys/resource": "rlimit|PRIO_",
    "sys/socket": "socketpair|cmsghdr",
    "sys/stat": "stat |statx",
    "sys/time": "timeval",
    "threads": "thrd",
    "time": "time_t|timespec|getdate|getcpuclockid",
    "unistd": "pipe|nice|getpgrp|execv",
    "utmp": "getutmp",
    "utmpx": "getutmp",
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
_WITH = 'char x[8] = "ab", *y = x; size_t z = 2; iconv_t c = iconv_open("a", "b"); if (c != (iconv_t)-1) '
IN, OUT = f"{_WITH}iconv(c, &i, &m, &y, &z);", f"{_WITH}iconv(c, &y, &z, &o, &n);"
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
    "a piece of strsep behind the last one": _main(
        'char b[] = "a", *p = b; strsep(&p, ":"); char *q = strsep(&p, ":"); assert(q != 0);'
    ),
    "a piece of strsep of null": _main('char *p = 0, *q = strsep(&p, ":"); assert(q != 0);'),
    "strtol with a base that is none": _main('char *e = 0; strtol("12", &e, 60); assert(e != 0);'),
    "an assertion loses bits": _main(
        "__VERIFIER_assert(0x100000000L);", "void __VERIFIER_assert(int x) { if (!x) abort(); }"
    ),
    "the sign of lgamma": _main("signgam = 7; lgamma(-0.5); assert(signgam == 7);"),
    "the quotient of remquo": _main("int q = 99; remquo(7, 2, &q); assert(q == 99);"),
    "isinf of no number": _main("double zero = 0; assert(!isinf(-1 / zero));"),
    "how is rounded": _main("fesetround(FE_DOWNWARD); assert(fegetround() == FE_TONEAREST);"),
    "a complex number over an integer": _main(
        "*(double complex *)b = conj(7); assert(b[0] == 1);", "long b[2] = {1, 1};"
    ),
    "mbsrtowcs comes to the end": _main('const char *s = "ab"; wchar_t w[4]; mbsrtowcs(w, &s, 4, 0); assert(s != 0);'),
    "mbsrtowcs goes on": _main(
        'const char t[] = "abc", *s = t; wchar_t w[4]; mbsrtowcs(w, &s, 2, 0); assert(s == 0 || s == t);'
    ),
    "mbsnrtowcs writes": _main(
        'const char *s = "ab"; wchar_t w[4] = {0}; mbsnrtowcs(w, &s, 2, 4, 0); assert(w[1] == 0);'
    ),
    "wcsrtombs writes": _main('const wchar_t *s = L"ab"; char b[4] = ""; wcsrtombs(b, &s, 4, 0); assert(b[1] == 0);'),
    **{
        f"iconv, {claim}": _main(
            'char in[] = "ab", out[8] = "", *i = in, *o = out; size_t m = 2, n = 8; iconv_t c = iconv_open("UTF-8", '
            f'"LATIN1"); if (c == (iconv_t)-1) abort(); iconv(c, &i, &m, &o, &n); assert({claim});'
        )
        for claim in ("i == in", "m == 2", "o == out", "n == 8", "out[1] == 0")
    },
    "iconv_open fails with no null pointer": _main('assert(iconv_open("no such", "set") != (iconv_t)-1);'),
    **{
        f"getsubopt, {claim}": _main(
            'char b[] = "ro,rw=2", *p = b, *v = b, *t[] = {"ro", "rw", 0};\n'
            f"for (int i = 0; i < N(); i++) getsubopt(&p, t, &v); assert({claim});"
        )
        for claim in ("b[2] == ','", "p == b", "v == b")
    },
    "wcstok ends a piece": _main('wchar_t b[] = L"a b", *s; wcstok(b, L" ", &s); assert(b[1] == \' \');'),
    "wcstok finds a piece": _main('wchar_t b[] = L"a b", *s; assert(wcstok(b, L" ", &s) == 0);'),
    "wcstok finds another piece": _main(
        'wchar_t b[] = L"a b", *s; wcstok(b, L" ", &s); assert(wcstok(0, L" ", &s) == 0);'
    ),
    "what mbsrtowcs gives by void pointers": _main(
        'const char *s = "ab"; void *p = &s, *q = 0; if (N() == 3) p = &q; wchar_t w[4];'
        " assert(mbsrtowcs(w, p, 4, 0) == 0);"
    ),
    "what getsubopt gives by void pointers": _main(
        'char b[] = "ro", *v, *t[] = {"rw", 0}; void *s = b, *p = &s; if (N() == 3) p = &v;'
        " assert(getsubopt(p, t, &v) == 0);"
    ),
    "what iconv gives by void pointers": _main(
        'char b[4] = "a"; void *i = b, *o = b, *p = &i, *q = &o; if (N() == 3) p = q; size_t m = 1, n = 0;'
        ' iconv_t c = iconv_open("UTF-8", "LATIN1"); assert(iconv(c, p, &m, q, &n) == 0);'
    ),
    "what wmempcpy gives": _main('wchar_t b[3] = {0}; *wmempcpy(b, L"ab", 1) = 7; assert(b[1] != 7);'),
    "what wcpcpy gives": _main('wchar_t b[3] = {0}; *wcpcpy(b, L"ab") = 7; assert(b[2] == 0);'),
    "wide characters are scanned": _main('int i = 0; swscanf(L"5", L"%d", &i); assert(i == 0);', "#include <wchar.h>"),
    "the end of a number in a locale": _main(
        'char *e = 0; strtod_l("1", &e, newlocale(LC_ALL_MASK, "C", 0)); assert(e == 0);'
    ),
    "what catgets is given": _main("char d[2] = \"x\"; *catgets((nl_catd)-1, 1, 1, d) = 'y'; assert(d[0] == 'x');"),
    "the second message of ngettext": _main(
        "char one[2] = \"a\", two[2] = \"b\"; *ngettext(one, two, 2) = 'c'; assert(two[0] == 'b');"
    ),
    "statx": _main('struct statx s = {0}; statx(AT_FDCWD, "/", 0, STATX_BASIC_STATS, &s); assert(s.stx_mode == 0);'),
    "an attribute that is not there": _main('char b[4]; assert(getxattr("/no such", "user.a", b, 4) >= 0);'),
    "the process of posix_spawn": _main(
        'pid_t p = 0; char *a[] = {"true", 0}; posix_spawnp(&p, "true", 0, 0, a, 0); assert(p == 0);'
    ),
    "what posix_spawn fails with": _main('char *a[] = {"x", 0}; assert(posix_spawn(0, "/no such", 0, 0, a, 0) <= 0);'),
    "flags of posix_spawn": _main(
        "posix_spawnattr_t a; short f = 9; posix_spawnattr_init(&a); posix_spawnattr_getflags(&a, &f); assert(f == 9);"
    ),
    "where a function was called": _main("void *b[4] = {0}; backtrace(b, 4); assert(b[0] == 0);"),
    "a service that is not there": _main(
        'struct servent e, *r = &e; char b[512]; getservbyname_r("no such", "tcp", &e, b, 512, &r); assert(r == &e);'
    ),
    "an entry of a user": _main(
        "struct passwd e, *r; char b[1024]; e.pw_uid = 77777; getpwent_r(&e, b, 1024, &r); assert(e.pw_uid == 77777);"
    ),
    "a session of another type": _main(
        "struct utmpx x = {3}; struct utmp u = {0}; getutmp(&x, &u); assert(u.ut_type == 0);"
    ),
    "the name of a user": _main(
        'struct passwd e, *r; char b[1024] = ""; getpwnam_r("root", &e, b, 1024, &r); *e.pw_name = 1;'
        " int is_there = 0; for (int i = 0; i < 1024; i++) if (b[i] == 1) is_there = 1; assert(is_there == 0);"
    ),
    "a real part of an imaginary number": _main("int i = 2.0i; assert(i != 0);"),
    "an address of Ethernet": _main(
        'struct ether_addr a = {{0}}; ether_aton_r("1:2:3:4:5:6", &a); assert(a.ether_addr_octet[0] == 0);'
    ),
    "an address that is put together": _main("struct in_addr a = {0}; a = inet_makeaddr(1, 2); assert(a.s_addr == 0);"),
    "an address of a net": _main('char b[4] = ""; inet_net_pton(AF_INET, "1.2.3.4", b, 4); assert(b[1] == 0);'),
    "a header behind another one": _main(
        "struct msghdr m = {0}; m.msg_control = b, m.msg_controllen = sizeof b; b[0].cmsg_len = sizeof *b;"
        "CMSG_NXTHDR(&m, b)->cmsg_type = 5; assert(b[1].cmsg_type == 0);",
        "#include <sys/socket.h>\nstruct cmsghdr b[3];",
    ),
    "numbers of a state": _main(
        "struct drand48_data d; long r = -5; srand48_r(1, &d); lrand48_r(&d, &r); assert(r == -5);"
    ),
    "random_r writes where its state leads": _main(
        "struct random_data d = {0}; int r, s[8] = {0}; initstate_r(1, (char *)s, 32, &d); s[1] = s[4] = 1;"
        "random_r(&d, &r); assert(s[1] == 1 && s[4] == 1);"
    ),
    "insque": _main("struct Q { struct Q *next, *before; } a = {0}, b = {0}; insque(&b, &a); assert(a.next == 0);"),
    "a table of its own": _main("struct hsearch_data h = {0}; hcreate_r(8, &h); assert(h.size == 0);"),
    "the sign of ecvt": _main("int at, is_less = 0; ecvt(-1, 3, &at, &is_less); assert(is_less == 0);"),
    "the text of gcvt": _main("char b[8] = \"x\"; gcvt(1.5, 3, b); assert(b[0] == 'x');"),
    "the next text of several": _main("char z[] = \"a\\0b\"; *argz_next(z, 4, z) = 'c'; assert(z[2] == 'b');"),
    "the error of a date": _main('getdate_err = 0; getdate("x"); assert(getdate_err == 0);'),
    "the clock of a process": _main("clockid_t c = 77; clock_getcpuclockid(0, &c); assert(c == 77);"),
    "the time of ntp_gettime": _main("struct ntptimeval t = {{0}}; ntp_gettime(&t); assert(t.time.tv_sec == 0);"),
    "a function of its own by the name of another one": _main(
        "assert(mktemp(3) == 0);", "int calls; int mktemp(int x) { return ++calls; }"
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
    "a message that comes": _main("char b[64] = {1}; mq_receive(3, b, 64, 0); assert(b[0] == 1);"),
    "the priority of a message": _main("char b[64]; unsigned p = 77; mq_receive(3, b, 64, &p); assert(p == 77);"),
    "an attribute that is there": _main('char b[4] = {1}; getxattr("/", "user.a", b, 4); assert(b[0] == 1);'),
    "how far was copied": _main(
        "off64_t o = 3; copy_file_range(0, &o, 1, 0, 9, 0); assert(o == 3);", "#include <unistd.h>"
    ),
    "a structure that the program reads twice": _main(
        "struct servent *s = getservent(); if (s && s->s_port == 7) { getservent(); assert(s->s_port == 7); }"
    ),
    "a key without memory": _main("pthread_key_t k; int r = pthread_key_create(&k, 0); assert(r == 0 || r == EAGAIN);"),
}
"""What happens only on other systems, or to other users."""
TRUE = {
    "strsep of a string": _main('char b[] = "a:b", *p = b; while (p) { char *q = strsep(&p, ":"); assert(q != 0); }'),
    "a stream without a buffer keeps none": _main(
        "fread(&o, 1, 0, stdin); FILE *f = N() > 9 ? o.f : stderr; setvbuf(f, NULL, _IONBF, 0); setbuf(f, NULL);"
        " assert(n == 0); up();",
        "int n; void up(void) { n++; } struct O { FILE *f; void (*up)(void); } o = {0, up};",
    ),
    "what posix_spawn is given": _main(
        'char name[3] = "ls", *a[] = {name, 0}; int r = posix_spawn(0, "/no such", 0, 0, a, 0);'
        " assert(r >= 0 && a[0] == name && name[0] == 'l');"
    ),
    "what iconv leaves": _main(
        'char in[] = "ab", out[8] = "", *i = in, *o = out; size_t m = 2, n = 8; iconv_t c = iconv_open("UTF-8", '
        "\"LATIN1\"); assert(c != 0); iconv(c, &i, &m, &o, &n); assert(m <= 2 && n <= 8 && i >= in && in[1] == 'b');"
    ),
    "iconv without a text": _main(
        'int x = 3; iconv_t c = iconv_open("UTF-8", "LATIN1"); iconv(c, 0, 0, 0, 0); iconv_close(c); assert(x == 3);'
    ),
    "mbsrtowcs that only counts": _main('const char t[] = "ab", *s = t; mbsrtowcs(0, &s, 0, 0); assert(s == t);'),
    "how many callers there are": _main("void *b[4]; int n = backtrace(b, 4); assert(n >= 0 && n <= 4);"),
    "what wcpcpy copies": _main("wchar_t a[3] = L\"ab\", b[3]; wcpcpy(b, a); assert(a[0] == 'a' && a[2] == 0);"),
    "what is compared in a locale": _main(
        'char a[2] = "a"; locale_t l = newlocale(LC_ALL_MASK, "C", 0); if (!l) abort(); strcoll_l(a, "b", l);'
        " freelocale(l); assert(a[0] == 'a' && uselocale(0) != 0);"
    ),
    "the value of an attribute": _main(
        'char v[2] = "a"; int r = setxattr("/no such", "user.a", v, 1, 0); assert(v[0] == \'a\' && r >= -1);'
    ),
    "a message that is sent": _main("char b[2] = \"a\"; int r = mq_send(77, b, 1, 0); assert(b[0] == 'a' && r >= -1);"),
    "an environment of numbers": _main("int i = 3; fesetenv(FE_DFL_ENV); assert(i == 3);"),
    "parts of complex numbers": _main("struct { int i; double d; } s = {3}; s.d = cabs(conj(s.i)); assert(s.i == 3);"),
    "the next text of several": _main("char z[] = \"a\\0b\"; argz_next(z, 4, z); assert(z[2] == 'b');"),
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

RACES = {
    "what iconv reads": ('char in[8] = "ab", *i = in; size_t m = 2;', IN, "in[1] = 7;"),
    "what iconv writes": ("char out[8], *o = out; size_t n = 8;", OUT, "char c = out[1];"),
    "the pointer that iconv moves": ("char out[8], *o = out; size_t n = 8;", OUT, "o = 0;"),
    "what iconv leaves": ("char out[8], *o = out; size_t n = 8;", OUT, "size_t k = n;"),
    "what mbsrtowcs reads": (
        'char t[4] = "ab"; const char *s = t;',
        "wchar_t w[4]; mbsrtowcs(w, &s, 4, 0);",
        "t[0] = 1;",
    ),
    "what mbsnrtowcs reads": (
        'char t[4] = "ab"; const char *s = t;',
        "wchar_t w[4]; mbsnrtowcs(w, &s, 2, 4, 0);",
        "t[0] = 1;",
    ),
    "what wcsrtombs reads": (
        'wchar_t t[4] = L"ab"; const wchar_t *s = t;',
        "char b[4]; wcsrtombs(b, &s, 4, 0);",
        "t[0] = 1;",
    ),
    "an option of getsubopt": (
        'char b[] = "ro,rw", *p = b, *v, *t[] = {"ro", 0};',
        "getsubopt(&p, t, &v);",
        "char c = b[1];",
    ),
    "a name for getsubopt": (
        'char b[] = "ro,rw", *p = b, *v, n[] = "ro", *t[] = {n, 0};',
        "getsubopt(&p, t, &v);",
        "n[0] = 1;",
    ),
    "a value that getsubopt finds": (
        'char b[] = "ro,rw", *p = b, *v, *t[] = {"ro", 0};',
        "getsubopt(&p, t, &v);",
        "v = 0;",
    ),
    "an argument of execv": ('char name[] = "ls", *a[] = {name, 0};', 'execv("/no such", a);', "name[0] = 1;"),
    "an argument of posix_spawn": (
        'char name[] = "ls", *a[] = {name, 0};',
        'posix_spawn(0, "/no such", 0, 0, a, 0);',
        "name[0] = 1;",
    ),
    "an entry of a directory": (
        "struct dirent e; const struct dirent *d = &e;",
        "alphasort(&d, &d);",
        "e.d_name[0] = 1;",
    ),
    "an attribute": ("char b[8];", 'getxattr("/", "user.a", b, 8);', "b[5] = 1;"),
    "a message that is sent": ("char b[8];", "mq_send(3, b, 8, 0);", "b[5] = 1;"),
    "a string that a locale orders": (
        'char b[8] = "x";',
        'locale_t l = newlocale(1, "C", 0); if (l) strcoll_l(b, "y", l);',
        "b[5] = 1;",
    ),
    "the strings of a service": (
        "struct servent e, *r; char b[200];",
        'getservbyname_r("a", "b", &e, b, 200, &r);',
        "b[0] = 0;",
    ),
    "where a service is": (
        "struct servent e, *r; char b[200];",
        'getservbyname_r("a", "b", &e, b, 200, &r);',
        "r = 0;",
    ),
    "what is known of a service": (
        "struct servent e, *r; char b[200];",
        'getservbyname_r("a", "b", &e, b, 200, &r);',
        "e.s_port = 0;",
    ),
    "where functions were called": ("void *b[9];", "backtrace(b, 9);", "b[2] = 0;"),
}
"""Of what a call of one thread reads or writes, with what another thread does."""


def _headers(text: str) -> list[str]:
    return ["assert", *(name for name, words in HEADERS.items() if re.search(words, text))]


def _start(text: str) -> str:
    names = _headers(text)
    return "#define _GNU_SOURCE\n" + "".join(f"#include <{name}.h>\n" for name in names)


def _analysed(directory: Path, text: str, properties: tuple[str, ...] = ("assertion",)) -> Analysis:
    source = directory / "a.c"
    source.write_text(_start(text) + UNKNOWN + text)
    bundled, *_ = header_directories(None)
    are_bundled = all((bundled / f"{name}.h").exists() for name in _headers(text))
    options = FrontendOptions(system_headers=not are_bundled, properties=properties)
    program = lower(parse(preprocess(str(source), options).text, str(source), options), options).program
    return analyse(program, AnalysisOptions())


def _safe(directory: Path, text: str) -> list[bool]:
    return [status.is_safe for status in _analysed(directory, text).statuses]


@pytest.mark.parametrize("name", [*FALSE, *POSSIBLE])
def test_what_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not any(_safe(tmp_path, {**FALSE, **POSSIBLE}[name]))


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str, tmp_path: Path) -> None:
    assert all(_safe(tmp_path, TRUE[name]))


@pytest.mark.parametrize("name", RACES)
def test_what_races_is_not_proved(name: str, tmp_path: Path) -> None:
    shared, call, access = RACES[name]
    text = (
        f"{shared}\nvoid *run(void *x) {{ {access} return x; }}\n"
        f"int main(void) {{ pthread_t t; pthread_create(&t, 0, run, 0); {call} pthread_join(t, 0); }}\n"
    )
    assert _analysed(tmp_path, text, ("data-race",)).races


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
    subprocess.run(["gcc", *options, str(source), "-o", str(tmp_path / "a"), "-lm", "-lresolv"], check=True, timeout=60)
    code = subprocess.run([str(tmp_path / "a")], capture_output=True, timeout=60).returncode
    assert code == (0 if is_true else -6)
