"""Whoever calls a function calls it, be it defined, modelled or unknown: for each way to call, each kind of callee."""

from __future__ import annotations

from pathlib import Path
from string import Template

import pytest
from _pytest.mark import ParameterSet

from duet.errors import InternalError
from duet.frontend.bodies import callees
from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.models.call import Call, done
from duet.frontend.models.table import model_of
from tests.frontend.running import fails, statuses

HEADERS = ("assert", "pthread", "search", "semaphore", "signal", "stdlib", "threads", "time", "unistd")
START = (
    "#define _GNU_SOURCE\n"
    + "".join(f"#include <{name}.h>\n" for name in HEADERS)
    + "int x; static int y; sem_t s; static int mine(void *p) { *(int *)p = 1; return 0; } extern int ext(void *p);\n"
    "typedef void (*calls)(void *); typedef void *(*runs)(void *); typedef int (*orders)(const void *, const void *);\n"
    "struct ops { int n; calls f; void *a; }; struct dev { int n; struct ops *ops[2]; };\n"
    "extern void run(calls f, void *a), keep(calls f, void *a), use(void), take(struct dev *d);\n"
)
OTHER = (
    "typedef void (*calls)(void *); calls kept; void *given; int ext(void *p) { *(int *)p = 1; return 0; }\n"
    "void run(calls f, void *a) { f(a); } void keep(calls f, void *a) { kept = f; given = a; }\n"
    "struct ops { int n; calls f; void *a; }; struct dev { int n; struct ops *ops[2]; }; struct dev *dev;\n"
    "void take(struct dev *d) { dev = d; }\n"
    "void use(void) { if (kept) kept(given); if (dev) dev->ops[1]->f(dev->ops[1]->a); }\n"
)
KINDS = {
    "defined": ("mine", "&x", "assert(x == 0);"),
    "modelled": ("sem_post", "&s", "sem_wait(&s); assert(0);"),
    "unknown": ("ext", "&x", "assert(x == 0);"),
}
"""The function, its argument, and a check that does not hold where the function is called."""
ON_ITS_OWN = "void *t(void *u) { %s return 0; } int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); "
ON_ITS_OWN += "pthread_join(i, 0); $check }"
LOST = "static void lost(void) { int v __attribute__((vector_size(8))); %s } int main(void) { lost(); $check }"
CONSUMERS = {
    "by name": "int main(void) { $f($a); $check }",
    "through a pointer": "int main(void) { calls p = (calls)$f; p($a); $check }",
    "through a table": "static const calls all[2] = {0, (calls)$f}; int main(int n, char **v) { all[n]($a); $check }",
    "with effects in the arguments": "int main(void) { int n = 0; calls p = (calls)$f; p((n++, $a)); $check }",
    "popped": "int main(void) { pthread_cleanup_push((calls)$f, $a); pthread_cleanup_pop(1); $check }",
    "at the end of a thread": ON_ITS_OWN
    % "pthread_cleanup_push((calls)$f, $a); pthread_exit(0); pthread_cleanup_pop(0);",
    "with the data of a thread": "pthread_key_t k; "
    + ON_ITS_OWN % "pthread_key_create(&k, (calls)$f); pthread_setspecific(k, $a);",
    "with the data of a C11 thread": "tss_t k; " + ON_ITS_OWN % "tss_create(&k, (calls)$f); tss_set(k, $a);",
    "sorting": "int main(void) { qsort($a, 2, 1, (orders)$f); $check }",
    "searching": "int main(void) { bsearch($a, $a, 1, 1, (orders)$f); $check }",
    "searching an array": "int main(void) { size_t n = 1; lfind($a, $a, &n, 1, (orders)$f); $check }",
    "searching a tree": (
        "int main(void) { void *r = 0; tsearch($a, &r, (orders)$f); tsearch($a, &r, (orders)$f); $check }"
    ),
    "as a thread": "int main(void) { pthread_t i; pthread_create(&i, 0, (runs)$f, $a); pthread_join(i, 0); $check }",
    "as a C11 thread": ("int main(void) { thrd_t i; thrd_create(&i, (thrd_start_t)$f, $a); thrd_join(i, 0); $check }"),
    "for a timer": (
        "int main(void) { timer_t t; struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_ptr = $a};\n"
        "e.sigev_notify_function = (void (*)(union sigval))$f; timer_create(CLOCK_MONOTONIC, &e, &t);\n"
        "struct itimerspec at = {.it_value.tv_nsec = 1}; timer_settime(t, 0, &at, 0); usleep(100000); $check }"
    ),
    "by unknown code": "int main(void) { run((calls)$f, $a); $check }",
    "by unknown code, later": "int main(void) { keep((calls)$f, $a); use(); $check }",
    "by unknown code, from a structure": (
        "struct ops o; struct dev d; int main(void) { d.ops[1] = &o; o.a = $a; o.f = (calls)$f; take(&d); use();\n"
        "$check }"
    ),
    "by unknown code, from what it finds later": (
        "struct ops o, n; struct dev d = {0, {&n, &n}}; int main(void) { take(&d); d.ops[1] = &o; o.a = $a;\n"
        "o.f = (calls)$f; use(); $check }"
    ),
    "by unknown code, from a table": (
        "struct ops o = {1, (calls)$f, $a}; const struct dev d[2] = {{0, {0, 0}}, {1, {0, &o}}};\n"
        "int main(void) { take((struct dev *)&d[1]); use(); $check }"
    ),
    "by a function that is not understood": LOST % "$f($a);",
    "through a pointer in a function that is not understood": "calls p = (calls)$f; " + LOST % "p($a);",
    "as a thread of a function that is not understood": LOST
    % "pthread_t i; pthread_create(&i, 0, (runs)$f, $a); pthread_join(i, 0);",
    "by unknown code that a function that is not understood calls": LOST % "keep((calls)$f, $a);".join(("", " use();")),
}
"""Programs that call `$f` with `$a` in some way; `$check` is done later."""
CASES = [(consumer, kind) for consumer in CONSUMERS for kind in KINDS]


def program(consumer: str, function: str, argument: str, check: str) -> str:
    """A program that calls a function in some way."""
    return f"{START}{Template(CONSUMERS[consumer]).substitute(f=function, a=argument, check=check)}\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


def _marked(consumer: str, kind: str) -> ParameterSet:
    """A case, slow where one like it does: hundreds of threads are started there."""
    is_slow = consumer == "as a thread of a function that is not understood" and kind != next(iter(KINDS))
    return pytest.param(consumer, kind, marks=(pytest.mark.slow,) if is_slow else ())


@pytest.mark.parametrize(("consumer", "kind"), [_marked(*case) for case in CASES])
def test_a_call_is_not_left_out(consumer: str, kind: str, source: Path) -> None:
    function, argument, check = KINDS[kind]
    assert not any(status.is_safe for status in statuses(source, program(consumer, function, argument, check)))
    assert fails(source, OTHER)


@pytest.mark.parametrize(("consumer", "kind"), CASES)
def test_a_call_changes_only_what_it_may(consumer: str, kind: str, source: Path) -> None:
    if "not understood" in consumer:
        pytest.skip("such a function may change anything")
    function, argument, _ = KINDS[kind]
    text = program(consumer, function, argument, "assert(y == 0);")
    assert all(status.is_safe for status in statuses(source, text))


WITHOUT_ARGUMENTS = {
    "once": "pthread_once_t o = PTHREAD_ONCE_INIT; int main(void) { pthread_once(&o, (starts)$f); $check }",
    "once in C11": "once_flag o = ONCE_FLAG_INIT; int main(void) { call_once(&o, (starts)$f); $check }",
    "at the end": "int main(void) { atexit(check); atexit((starts)$f); return 0; }",
    "at a quick end": "int main(void) { at_quick_exit(check); at_quick_exit((starts)$f); quick_exit(0); }",
    "at the end with an argument": "int main(void) { atexit(check); on_exit((void (*)(int, void *))$f, 0); return 0; }",
    "at a fork": "int main(void) { pthread_atfork((starts)$f, 0, 0); if (fork() == 0) _exit(0); wait(0); $check }",
    "for a signal": "int main(void) { signal(SIGUSR1, (void (*)(int))$f); raise(SIGUSR1); $check }",
    "for a signal by its action": (
        "int main(void) { struct sigaction a = {0}; a.sa_handler = (void (*)(int))$f; sigaction(SIGUSR1, &a, 0);\n"
        "raise(SIGUSR1); $check }"
    ),
}
CHANGING = {"defined": "set", "unknown": "ext_set"}
GLOBALS = (
    "#include <sys/wait.h>\ntypedef void (*starts)(void); void set(void) { x = 1; } extern void ext_set(void);\n"
    "extern void know(int *p); void check(void) { assert(x == 0); }\n"
)


@pytest.mark.parametrize(("consumer", "kind"), [(c, k) for c in WITHOUT_ARGUMENTS for k in CHANGING])
def test_a_call_without_arguments_is_not_left_out(consumer: str, kind: str, source: Path) -> None:
    text = Template(WITHOUT_ARGUMENTS[consumer]).substitute(f=CHANGING[kind], check="check();")
    text = text.replace("main(void) {", "main(void) { know(&x); x = 0;")
    assert not any(status.is_safe for status in statuses(source, f"{START}{GLOBALS}{text}\n"))
    other = "int *known; void know(int *p) { known = p; } void ext_set(void) { *known = 1; }\n"
    assert fails(source, OTHER + other)


@pytest.mark.parametrize("consumer", WITHOUT_ARGUMENTS)
def test_what_follows_a_library_function_is_reached(consumer: str, source: Path) -> None:
    text = Template(WITHOUT_ARGUMENTS[consumer]).substitute(f="sync", check="check();")
    text = text.replace("main(void) {", "main(void) { x = 1;")
    assert not any(status.is_safe for status in statuses(source, f"{START}{GLOBALS}{text}\n"))
    assert fails(source, OTHER + "void know(int *p) {} void ext_set(void) {}\n")


def test_what_follows_a_function_that_ends_the_program_is_not_reached(source: Path) -> None:
    text = Template(WITHOUT_ARGUMENTS["once"]).substitute(f="abort", check="assert(0);")
    assert all(status.is_safe for status in statuses(source, START + "typedef void (*starts)(void);\n" + text))


def test_a_library_function_may_end_any_thread_as_a_handler(source: Path) -> None:
    text = (
        "void *t(void *p) { raise(SIGUSR1); x = 1; return 0; } int main(void) { pthread_t i;\n"
        "signal(SIGUSR1, (void (*)(int))pthread_exit); pthread_create(&i, 0, t, 0); pthread_join(i, 0); assert(x); }\n"
    )
    assert not any(status.is_safe for status in statuses(source, START + text))
    assert fails(source, OTHER)


def test_a_name_that_is_nothing_is_an_error(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Call, "functions", lambda *_: ("nobody",))
    text = Template(WITHOUT_ARGUMENTS["once"]).substitute(f="abort", check="assert(0);")
    with pytest.raises(InternalError, match="nobody"):
        statuses(source, START + "typedef void (*starts)(void);\n" + text)


def _nothing(ctx: Context, call: Call, *_: object) -> list[Outcome]:
    call.evaluate_all(ctx)
    return done(ctx)


@pytest.mark.parametrize("consumer", ["popped", "searching", "as a thread"])
@pytest.mark.parametrize("kind", ["unknown", "modelled"])
def test_a_callee_that_does_nothing_is_noticed(
    consumer: str, kind: str, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callees, "unknown_call", _nothing)
    monkeypatch.setattr(callees, "model_of", lambda *given: _nothing if given[0] == "sem_post" else model_of(*given))
    function, argument, check = KINDS[kind]
    assert all(status.is_safe for status in statuses(source, program(consumer, function, argument, check)))
