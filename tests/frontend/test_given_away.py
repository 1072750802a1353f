"""What the program gives to code that is not there: by value, as a result, as text, by name, through a handler."""

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

START = (
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <dlfcn.h>\n#include <fcntl.h>\n#include <pthread.h>\n"
    "#include <search.h>\n#include <semaphore.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n"
    "#include <sys/wait.h>\n#include <unistd.h>\nstruct S { int *p; int k; };\n"
)
HANDLER = "struct A { void (*h)(int); int d; }; int x; void f(int s) { x = 1; }\n"
FALSE = {
    "a structure by value": (
        "void ext(struct S s); int x; int main(void) { struct S s = {&x, 1}; ext(s); assert(x == 0); }",
        "void ext(struct S s) { *s.p = 1; }",
    ),
    "a structure behind a pointer": (
        "void ext(struct S s); int x; int main(void) { struct S s = {&x, 1}, *p = &s; ext(*p); assert(x == 0); }",
        "void ext(struct S s) { *s.p = 1; }",
    ),
    "the structure that a function returns": (
        "void ext(struct S s); int x; struct S make(void) { struct S s = {&x, 1}; return s; }\n"
        "int main(void) { ext(make()); assert(x == 0); }",
        "void ext(struct S s) { *s.p = 1; }",
    ),
    "a structure that the library keeps": (
        'int x; int main(void) { hcreate(10); ENTRY e = {"a", &x}, *r; hsearch(e, ENTER); ENTRY f = {"a", 0};\n'
        "r = hsearch(f, FIND); if (r) *(int *)r->data = 1; assert(x == 0); }",
        "",
    ),
    "what a callback returns": (
        "void ext(int *(*f)(void)); int x; int *f(void) { x = 0; return &x; }\n"
        "int main(void) { ext(f); assert(x == 0); }",
        "void ext(int *(*f)(void)) { *f() = 1; }",
    ),
    "a structure that a callback returns": (
        "void ext(struct S (*f)(void)); int x; struct S f(void) { struct S s = {&x, 1}; x = 0; return s; }\n"
        "int main(void) { ext(f); assert(x == 0); }",
        "void ext(struct S (*f)(void)) { *f().p = 1; }",
    ),
    "an address as text": (
        'int x; int main(void) { char b[40]; void *q; sprintf(b, "%p", (void *)&x);\n'
        'if (sscanf(b, "%p", &q) != 1) return 0; *(int *)q = 1; assert(x == 0); }',
        "",
    ),
    "a function by name": (
        'int x; void f(void) { x = 1; } int main(void) { void (*g)(void) = (void (*)(void))dlsym(dlopen(0, 1), "f");\n'
        "if (g) g(); assert(x == 0); }",
        "",
    ),
    "a variable by name": (
        'int x; int main(void) { int *p = dlsym(dlopen(0, 1), "x"); if (p) *p = 1; assert(x == 0); }',
        "",
    ),
    "a handler from a recursive function": (
        HANDLER + "struct A mk(int n) { if (n > 0) return mk(n - 1); struct A a = {f, n}; return a; }\n"
        "int main(void) { struct A a = mk(3); signal(SIGUSR1, a.h); raise(SIGUSR1); assert(x == 0); }",
        "",
    ),
    "a callback from a recursive function": (
        HANDLER + "void ext(void (*h)(int));\n"
        "struct A mk(int n) { if (n > 0) return mk(n - 1); struct A a = {f, n}; return a; }\n"
        "int main(void) { struct A a = mk(3); ext(a.h); assert(x == 0); }",
        "void ext(void (*h)(int)) { h(0); }",
    ),
    "a semaphore by two names": (
        'int main(void) { sem_unlink("d"); sem_t *a = sem_open("/d", O_CREAT, 0600, 0);\n'
        'sem_t *b = sem_open("\\x64", O_CREAT, 0600, 0); sem_unlink("d");\n'
        "if (a == SEM_FAILED || b == SEM_FAILED) return 0; sem_post(a); sem_wait(b); assert(0); }",
        "",
    ),
    "a semaphore that a child posts": (
        'int main(void) { sem_unlink("/e"); sem_t *a = sem_open("/e", O_CREAT, 0600, 0); sem_unlink("/e");\n'
        "if (a == SEM_FAILED) return 0; if (fork() == 0) { sem_post(a); _exit(0); } sem_wait(a); assert(0); }",
        "",
    ),
    "a flag that is neither 0 nor 1": (
        "unsigned char v = 5; int main(void) { __atomic_test_and_set(&v, 5); assert(v == 5); }",
        "",
    ),
    "a part of a word as a flag": (
        "unsigned v = 5; int main(void) { __atomic_test_and_set(&v, 5); assert(v == 5); }",
        "",
    ),
    "a held mutex that is cleared": (
        "pthread_mutex_t l = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; int main(void) { pthread_mutex_lock(&l);\n"
        "memset(&l, 0, sizeof l); int r = pthread_mutex_lock(&l); assert(r != 0); }",
        "",
    ),
    "a held mutex that is made again": (
        "pthread_mutex_t l; int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);\n"
        "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&l, &a);\n"
        "pthread_mutex_lock(&l); pthread_mutex_init(&l, &a); int r = pthread_mutex_lock(&l); assert(r != 0); }",
        "",
    ),
}
KEPT = (
    "int x; void f(void) { x = 1; } void keep(void (*h)(void)); void use(void); struct H { int n; void (*h)(void); };\n"
)
KEEPER = "void (*kept)(void); void keep(void (*h)(void)) { kept = h; } void use(void) { if (kept) kept(); }\n"
KEEPER += "struct H { int n; void (*h)(void); }; void keep_all(const struct H *t) { kept = t[1].h; }"
FALSE |= {
    "a function that is kept": (KEPT + "int main(void) { keep(f); x = 0; use(); assert(x == 0); }", KEEPER),
    "a table of functions that is kept": (
        KEPT + "void keep_all(const struct H *); const struct H all[2] = {{1, 0}, {2, f}};\n"
        "int main(void) { keep_all(all); x = 0; use(); assert(x == 0); }",
        KEEPER,
    ),
    "functions of a stream": (
        "#include <stdlib.h>\nint x; ssize_t w(void *c, const char *b, size_t n) { x = 1; return n; }\n"
        "typedef struct { void *read; ssize_t (*write)(void *, const char *, size_t); void *seek, *close; } io_t;\n"
        'extern FILE *fopencookie_as(void *, const char *, io_t) __asm__("fopencookie");\n'
        'int main(void) { io_t io = {0}; io.write = w; FILE *f = fopencookie_as(0, "w", io); if (!f) return 1; x = 0;\n'
        'fputs("a", f); fflush(f); assert(x == 0); }',
        "",
    ),
}
FALSE |= {
    "a function that a thread finds later": (
        "#include <stdlib.h>\nstruct T { void (*volatile h)(void); } box; void *runs(void *); int x;\n"
        "void f(void) { x = 1; } int main(void) { pthread_t t; pthread_create(&t, 0, runs, &box); box.h = f;\n"
        "pthread_join(t, 0); assert(x == 0); }",
        "struct T { void (*volatile h)(void); };\n"
        "void *runs(void *p) { struct T *t = p; while (!t->h) ; t->h(); return 0; }",
    ),
}
RECURSIVE = (
    "#include <pthread.h>\nvoid attributes(pthread_mutexattr_t *a) { pthread_mutexattr_init(a);\n"
    "pthread_mutexattr_settype(a, PTHREAD_MUTEX_RECURSIVE); }\n"
    "void start(pthread_mutex_t *m) { pthread_mutexattr_t a; attributes(&a); pthread_mutex_init(m, &a); }"
)
TWICE = "pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0); }"
FALSE |= {
    "a mutex to initialise": (
        f"void start(pthread_mutex_t *); pthread_mutex_t m; int main(void) {{ start(&m); {TWICE}",
        RECURSIVE,
    ),
    "a mutex of many to initialise": (
        "void start(pthread_mutex_t *); pthread_mutex_t m[20]; int main(int n, char **v) { start(&m[n]);\n"
        "pthread_mutex_lock(&m[n]); pthread_mutex_lock(&m[n]); assert(0); }",
        RECURSIVE,
    ),
    "a mutex of unknown code": (
        "pthread_mutex_t *give(void); int main(void) { pthread_mutex_t *m = give(); pthread_mutex_lock(m);\n"
        "int r = pthread_mutex_lock(m); assert(r == 0); }",
        "#include <pthread.h>\npthread_mutex_t *give(void) { static pthread_mutex_t m; pthread_mutexattr_t a;\n"
        "pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);\n"
        "pthread_mutex_init(&m, &a); return &m; }",
    ),
    "the attributes of a mutex": (
        "void attributes(pthread_mutexattr_t *); pthread_mutex_t m; int main(void) { pthread_mutexattr_t a;\n"
        f"attributes(&a); pthread_mutex_init(&m, &a); {TWICE}",
        RECURSIVE,
    ),
    "a barrier to wait at": (
        "void come(pthread_barrier_t *); pthread_barrier_t b;\n"
        "void *t(void *p) { pthread_barrier_wait(&b); assert(0); }\n"
        "int main(void) { pthread_t a; pthread_barrier_init(&b, 0, 2); pthread_create(&a, 0, t, 0); come(&b);\n"
        "pthread_join(a, 0); }",
        "#include <pthread.h>\nvoid come(pthread_barrier_t *b) { pthread_barrier_wait(b); }",
    ),
}
TRUE = {
    "a function that is called until the call ends": (
        "#include <stdlib.h>\nint a[3], x; int order(const void *p, const void *q, void *r) { x = 1; return 0; }\n"
        "int main(void) { qsort_r(a, 3, sizeof *a, order, 0); x = 0; assert(x == 0); }"
    ),
    "a mutex that the program initialises": (
        "void use(pthread_mutex_t *); pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;\n"
        "void *t(void *p) { pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m); return 0; }\n"
        "int main(void) { pthread_t a; use(&m); pthread_create(&a, 0, t, 0); pthread_mutex_lock(&m); assert(x == 0); }"
    ),
    "a structure without what is asked about": (
        "void ext(struct S s); int x, y; int main(void) { struct S s = {&x, 1}; ext(s); assert(y == 0); }"
    ),
    "another name": 'int x, y; int main(void) { int *p = dlsym(dlopen(0, 1), "x"); if (p) *p = 1; assert(y == 0); }',
    "flags": (
        "unsigned char v; int main(void) { int a = __atomic_test_and_set(&v, 5), b = __atomic_test_and_set(&v, 5);\n"
        "assert(!a && b && v == 1); }"
    ),
    "a recursive mutex": (
        "pthread_mutex_t l = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int x;\n"
        "void *t(void *u) { pthread_mutex_lock(&l); pthread_mutex_lock(&l); x++; pthread_mutex_unlock(&l);\n"
        "assert(x == 1); x--; pthread_mutex_unlock(&l); return 0; }\n"
        "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); t(0); pthread_join(a, 0); }"
    ),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


def _statuses(source: Path, text: str) -> tuple[Status, ...]:
    options = FrontendOptions()
    source.write_text(f"{START}{text}\n", encoding="utf-8")
    program = lower(parse(preprocess(str(source), options).text, str(source), options), options).program
    found = tuple(analyse(program, AnalysisOptions()).statuses)
    assert found
    return found


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str, source: Path) -> None:
    text, other = FALSE[name]
    assert not any(status.is_safe for status in _statuses(source, text))
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    executable, rest = source.with_suffix(""), source.with_name("b.c")
    rest.write_text(f"struct S {{ int *p; int k; }};\n{other}\n", encoding="utf-8")
    options = ["-O0", "-fwrapv", "-w", "-rdynamic", "-pthread"]
    command = [compiler, *options, str(source), str(rest), "-ldl", "-o", str(executable)]
    subprocess.run(command, check=True, capture_output=True)
    assert subprocess.run([str(executable)], check=False, capture_output=True, timeout=10).returncode < 0


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str, source: Path) -> None:
    assert all(status.is_safe for status in _statuses(source, TRUE[name]))
