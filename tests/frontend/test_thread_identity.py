"""Threads as the program sees them: ids that are used again, whose id a handler has, pragmas that start some."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.errors import SourceError
from duet.frontend.lower import Lowered, lower
from duet.frontend.models import threads
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.result import Status

START = (
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n#include <unistd.h>\n"
)
REMEMBERED = (
    "unsigned long owner; int x; void *t(void *p) { owner = (unsigned long)pthread_self(); return 0; }\n"
    "void *u(void *p) { if (owner == (unsigned long)pthread_self()) x = 1; return 0; }\n"
)
FALSE = {
    "a result that is too narrow": (
        "int t(void *p) { return -1; } int main(void) { pthread_t a; void *r;\n"
        "pthread_create(&a, 0, (void *(*)(void *))t, 0); pthread_join(a, &r); assert((long)r == -1); }\n"
    ),
    "one that a handler ends": (
        "int x; void h(int s) { pthread_exit(0); } void *t(void *p) { x = 1; sleep(2); x = 2; return 0; }\n"
        "int main(void) { pthread_t a; signal(SIGUSR1, h); pthread_create(&a, 0, t, 0); usleep(300000);\n"
        "pthread_kill(a, SIGUSR1); pthread_join(a, 0); assert(x == 2); }\n"
    ),
    "the id of one that was joined": REMEMBERED
    + (
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_join(a, 0);\n"
        "pthread_create(&b, 0, u, 0); pthread_join(b, 0); assert(x == 0); }\n"
    ),
    "the id of one that is detached": REMEMBERED
    + (
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_detach(a); usleep(300000);\n"
        "pthread_create(&b, 0, u, 0); pthread_join(b, 0); assert(x == 0); }\n"
    ),
    "the id of one that is created detached": REMEMBERED
    + (
        "int main(void) { pthread_t a, b; pthread_attr_t d; pthread_attr_init(&d);\n"
        "pthread_attr_setdetachstate(&d, 1); pthread_create(&a, &d, t, 0); usleep(300000);\n"
        "pthread_create(&b, 0, u, 0); pthread_join(b, 0); assert(x == 0); }\n"
    ),
    "the id of one that was joined, asked of the library": REMEMBERED.replace(
        "owner == (unsigned long)pthread_self()", "pthread_equal(owner, pthread_self())"
    )
    + (
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_join(a, 0);\n"
        "pthread_create(&b, 0, u, 0); pthread_join(b, 0); assert(x == 0); }\n"
    ),
    "two ids that another thread compares": (
        "void *t(void *p) { return 0; }\n"
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_join(a, 0);\n"
        "pthread_create(&b, 0, t, 0); pthread_join(b, 0); assert(a != b); }\n"
    ),
    "joined in a function, created in another thread": REMEMBERED
    + (
        "pthread_t a, b; void *v(void *p) { pthread_create(&b, 0, u, 0); pthread_join(b, 0); return 0; }\n"
        "void end(void) { pthread_join(a, 0); }\n"
        "int main(void) { pthread_t c; pthread_create(&a, 0, t, 0); end(); pthread_create(&c, 0, v, 0);\n"
        "owner = c; pthread_join(c, 0); pthread_create(&c, 0, u, 0); pthread_join(c, 0); assert(x == 0); }\n"
    ),
    "threads of C11": (
        "thrd_t first; int x; int t(void *p) { first = thrd_current(); return 0; }\n"
        "int u(void *p) { if (first == thrd_current()) x = 1; return 0; }\n"
        "int main(void) { thrd_t a, b; thrd_create(&a, t, 0); thrd_join(a, 0); thrd_create(&b, u, 0);\n"
        "thrd_join(b, 0); assert(x == 0); }\n"
    ),
    "exchanged for the id of one that was joined": (
        "_Atomic unsigned long owner; int x; void *t(void *p) { owner = pthread_self(); return 0; }\n"
        "void *u(void *p) { unsigned long me = pthread_self();\n"
        "if (__sync_bool_compare_and_swap((unsigned long *)&owner, me, 0)) x = 1; return 0; }\n"
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_join(a, 0);\n"
        "pthread_create(&b, 0, u, 0); pthread_join(b, 0); assert(x == 0); }\n"
    ),
    "a handler has the id of the thread that it interrupts": (
        "pthread_t m; int x; void h(int s) { if (pthread_self() == m) x = 1; }\n"
        "int main(void) { m = pthread_self(); signal(SIGUSR1, h); raise(SIGUSR1); assert(x == 0); }\n"
    ),
    "a destructor of data has the id of the thread that ends": (
        "pthread_t m; int x; void h(void *s) { if (pthread_self() == m) x = 1; }\n"
        "void *t(void *p) { pthread_key_t k; m = pthread_self(); pthread_key_create(&k, h); pthread_setspecific(k, &m);"
        " return 0; }\n"
        "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); assert(x == 0); }\n"
    ),
    "a handler that is set by what is not understood": (
        "pthread_t m; int x; void h(int s) { if (pthread_self() == m) x = 1; }\n"
        "void set(void) { goto *&&l; l: signal(SIGUSR1, h); }\n"
        "int main(void) { m = pthread_self(); set(); raise(SIGUSR1); assert(x == 0); }\n"
    ),
}
TWO = (
    "int x; void *slow(void *p) { usleep(300000); x = 1; return 0; } void *quick(void *p) { return 0; }\n"
    "union both { pthread_t whole; unsigned half[2]; }; unsigned long kept;\n"
    "int main(void) { pthread_t a, b; int ends[2]; char text[40]; union both u; pthread_create(&a, 0, slow, 0);\n"
    "pthread_create(&b, 0, quick, 0); "
)
LAUNDERED = {
    "as bytes": "memcpy(text, &b, sizeof b); memcpy(&a, text, sizeof a);",
    "through a pipe": "pipe(ends); write(ends[1], &b, sizeof b); read(ends[0], &a, sizeof a);",
    "as text": 'sprintf(text, "%lu", b); sscanf(text, "%lu", &a);',
    "byte by byte": "for (int i = 0; i < sizeof a; i++) ((char *)&a)[i] = ((char *)&b)[i];",
    "in halves": "u.whole = a; u.half[0] = (unsigned)b; u.half[1] = (unsigned)(b >> 32); a = u.whole;",
    "by arithmetic": "kept = b >> 32; a = (kept << 32) | (unsigned)b;",
    "in one of two ways": "memcpy(&kept, &b, sizeof b); a = x ? a : kept;",
    "by an exchange": "memcpy(&kept, &b, sizeof b); __sync_bool_compare_and_swap(&a, a, kept);",
    "in an element": (
        "pthread_t all[2] = {a, a}; memcpy(&kept, &b, sizeof b); all[1] = kept; for (int i = 0; i < 2; i++) a = all[i];"
    ),
}
FALSE |= {
    f"another one's, {way}": f"{TWO}{text} pthread_join(a, 0); assert(x == 1); }}\n" for way, text in LAUNDERED.items()
}
OWN = "_Thread_local int depth; pthread_key_t key; void h(int s) { assert(depth == 0); }\nint main(void) { "
FALSE |= {
    "its copy of a variable, in a signal handler": f"{OWN} signal(SIGUSR1, h); depth = 1; raise(SIGUSR1); }}\n",
    "its copy of a variable, when the program ends": f"void bye(void); {OWN} atexit(bye); depth = 1; }}\n"
    "void bye(void) { h(0); }\n",
    "its copy of a variable, in a destructor": (
        f"void d(void *p); void *t(void *p); {OWN} pthread_t a; pthread_key_create(&key, d);\n"
        "pthread_create(&a, 0, t, 0); pthread_join(a, 0); }\n"
        "void d(void *p) { h(0); } void *t(void *p) { depth = 1; pthread_setspecific(key, &key); return 0; }\n"
    ),
    "its copy of a variable, which a handler changes": (
        f"void g(int s); {OWN} signal(SIGUSR1, g); raise(SIGUSR1); assert(depth == 0); }}\n"
        "void g(int s) { depth = 2; }\n"
    ),
    "its copy of a pointer, which a handler follows": (
        "int x, y; _Thread_local int *p = &x; void h(int s) { *p = 1; }\n"
        "int main(void) { p = &y; signal(SIGUSR1, h); raise(SIGUSR1); assert(y == 0); }\n"
    ),
}
UNKNOWN = {
    "given by value": "extern int mystery(pthread_t); #CALL mystery(a);",
    "given by address": "extern int mystery(pthread_t *); #CALL mystery(&a);",
    "given in a structure": "extern int mystery(void *); struct { pthread_t t; } s; #CALL s.t = a; mystery(&s);",
    "given in part of a program that is not understood": (
        "void hidden(pthread_t a) { goto *&&l; l: pthread_cancel(a); } #CALL hidden(a);"
    ),
}
PARALLEL = {
    "a region": (
        "int x; int get(void) { return x; } int main(void) {\n#pragma omp parallel num_threads(2)\n"
        "{\n#pragma omp atomic\nx++;\n} assert(get() == 1); }\n"
    ),
    "an operator": (
        'int x; int get(void) { return x; } int main(void) {\n_Pragma("omp parallel num_threads(2)")\n'
        "__sync_fetch_and_add(&x, 1); assert(get() == 1); }\n"
    ),
    "what is called there": (
        "int x, y; void add(void) { x++; for (int i = 0; i < 2000; i++) usleep(1); assert(x == 1 && !y); }\n"
        "int main(void) {\n#pragma omp parallel num_threads(2)\nadd();\n}\n"
    ),
}
OUTSIDE = ("omp threadprivate(x)", "omp declare target", "acc declare create(x)")
TRUE = {
    "of threads that live at the same time": REMEMBERED
    + (
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, u, 0);\n"
        "pthread_join(a, 0); pthread_join(b, 0); assert(a != b); assert(x == 0); }\n"
    ),
    "main lives for ever": (
        "pthread_t m; void *t(void *p) { assert(pthread_self() != m); return 0; }\n"
        "int main(void) { pthread_t a; m = pthread_self(); pthread_create(&a, 0, t, 0); pthread_join(a, 0);\n"
        "pthread_create(&a, 0, t, 0); pthread_join(a, 0); assert(a != m); assert(m == pthread_self()); }\n"
    ),
    "main is not who it starts, asked of the library": (
        "pthread_t m; void *t(void *p) { assert(!pthread_equal(m, pthread_self())); return 0; }\n"
        "int main(void) { pthread_t a; m = pthread_self(); pthread_create(&a, 0, t, 0); assert(!pthread_equal(a, m));\n"
        "pthread_join(a, 0); assert(pthread_equal(m, pthread_self())); assert(!thrd_equal(m, a)); }\n"
    ),
    "joined by value": (
        "int x, y; void *t(void *p) { x = 1; return 0; } void *u(void *p) { y = 1; return 0; }\n"
        "int main(void) { pthread_t a[2]; pthread_create(&a[0], 0, t, 0); pthread_join(a[0], 0); assert(x == 1);\n"
        "pthread_create(&a[1], 0, u, 0); pthread_join(a[1], 0); assert(y == 1); }\n"
    ),
    "copied as a whole": (
        "int x; void *t(void *p) { x = 1; return 0; } struct task { int n; pthread_t id; } first, copy;\n"
        "pthread_t chosen(int n) { return n ? copy.id : first.id; }\n"
        "int main(void) { pthread_create(&first.id, 0, t, 0); copy = first; pthread_t id = chosen(x);\n"
        "pthread_join(id, 0); assert(x == 1); }\n"
    ),
    "handed to a thread": (
        "int x; void *t(void *p) { x = 1; return 0; } "
        "void *u(void *p) { pthread_join(*(pthread_t *)p, 0); assert(x == 1); return 0; }\n"
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, u, &a);\n"
        "pthread_join(b, 0); }\n"
    ),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


def _lowered(source: Path, text: str) -> Lowered:
    options = FrontendOptions()
    source.write_text(START + text, encoding="utf-8")
    return lower(parse(preprocess(str(source), options).text, str(source), options), options)


def _statuses(source: Path, text: str) -> tuple[Status, ...]:
    """What is decided of the checks of functions that are understood, of at least one."""
    found = tuple(analyse(_lowered(source, text).program, AnalysisOptions()).statuses)
    assert found
    return found


def _run(source: Path, *options: str) -> int:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    executable = source.with_suffix("")
    command = [compiler, "-O0", "-fwrapv", "-w", "-pthread", *options, str(source), "-o", str(executable)]
    subprocess.run(command, check=True, capture_output=True)
    return subprocess.run([str(executable)], check=False, capture_output=True, timeout=10).returncode


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str, source: Path) -> None:
    assert not any(status.is_safe for status in _statuses(source, FALSE[name]))
    assert _run(source) < 0


def test_a_copy_of_unknown_origin_would_be_noticed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: whatever an id was overwritten with, the threads that are known are all there are."""
    monkeypatch.setattr(threads, "is_copy", lambda *_: True)
    wrong = [way for way in LAUNDERED if any(s.is_safe for s in _statuses(source, FALSE[f"another one's, {way}"]))]
    assert len(wrong) >= 3


@pytest.mark.parametrize("name", UNKNOWN)
def test_code_that_is_not_there_may_end_a_thread_that_it_knows(name: str, source: Path) -> None:
    declared, called = UNKNOWN[name].split("#CALL")
    text = (
        f"int x; void *t(void *p) {{ x = 1; return 0; }} {declared}\nint main(void) {{ pthread_t a;\n"
        f"pthread_create(&a, 0, t, 0); {called} pthread_join(a, 0); assert(x == 1); }}\n"
    )
    lowered = _lowered(source, text)
    assert not any(status.is_safe for status in analyse(lowered.program, AnalysisOptions()).statuses)


@pytest.mark.parametrize("name", PARALLEL)
def test_a_function_with_parallel_code_is_not_understood(name: str, source: Path) -> None:
    lowered = _lowered(source, PARALLEL[name])
    decided = analyse(lowered.program, AnalysisOptions()).statuses
    assert decided or lowered.unknown
    assert not any(status.is_safe for status in decided)
    assert _run(source, "-fopenmp") < 0


def test_a_directive_as_an_attribute_is_not_understood() -> None:
    text = "int x; int get(void) { return x; } int main(void) { [[omp::directive(parallel)]] x++; }\n"
    (refused,) = parse(text, "a.c", FrontendOptions()).refused
    assert refused.name == "main"


@pytest.mark.parametrize("directive", OUTSIDE)
def test_a_directive_outside_of_functions_is_an_error(directive: str) -> None:
    with pytest.raises(SourceError, match=r"^a\.c:2:1: .*changes what the program does"):
        parse(f"int x;\n#pragma {directive}\nint main(void) {{ return x; }}\n", "a.c", FrontendOptions())


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str, source: Path) -> None:
    assert all(status.is_safe for status in _statuses(source, TRUE[name]))
    assert _run(source) == 0


@pytest.mark.parametrize("declared", ["", "static "], ids=["a local", "a static one"])
def test_what_is_no_id_may_be_refused(declared: str, source: Path) -> None:
    text = f"int main(void) {{ {declared}pthread_t t; assert(pthread_join(t, 0) != 3); }}\n"
    assert _statuses(source, text) == (Status.UNPROVED,)
