"""C programs in which threads wait for each other: those that can hang have an open check, those that cannot have none.

The comment of each pair says what the failing one does; it hangs under some schedule, as its lines show by hand.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from duet import reading
from duet.check import semaphores
from duet.check.held import given_unheld, lock_of
from duet.clock import Clock
from duet.coarsen.deadlock_evidence import deadlock_assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import solve
from duet.plip.accesses import WOKEN
from duet.reading import read
from duet.result import Assertion

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#define LOCK pthread_mutex_lock
#define GIVE pthread_mutex_unlock
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_barrier_t b; pthread_once_t o = PTHREAD_ONCE_INIT;
sem_t s, r, none; int ready, count; void later(void);
"""
ONE = "int main(void) { @ pthread_t t; pthread_create(&t, 0, f, 0); # return 0; }"
TWO = "int main(void) { @ pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); # return 0; }"


def thread(name: str, body: str) -> str:
    return f"void *{name}(void *unused) {{ {body} return 0; }}\n"


def main(first: str = "", rest: str = "", form: str = ONE) -> str:
    return form.replace("@", first).replace("#", rest)


PAIRS = {
    # a mutex is held while the other thread is awaited at a barrier, and that one wants the mutex
    "barrier": (
        thread("f", "LOCK(&m); pthread_barrier_wait(&b); GIVE(&m);") + main("pthread_barrier_init(&b, 0, 2);",
        "LOCK(&m); GIVE(&m); pthread_barrier_wait(&b);"),
        thread("f", "LOCK(&m); GIVE(&m); pthread_barrier_wait(&b);") + main("pthread_barrier_init(&b, 0, 2);",
        "LOCK(&m); GIVE(&m); pthread_barrier_wait(&b);"),
    ),
    # a second mutex is held while a condition is awaited, and who signals wants it
    "nested condition": (
        thread("f", "LOCK(&n); LOCK(&m); ready = 1; pthread_cond_signal(&c); GIVE(&m); GIVE(&n);")
        + main(rest="LOCK(&n); LOCK(&m); while (!ready) pthread_cond_wait(&c, &m); GIVE(&m); GIVE(&n);"),
        thread("f", "LOCK(&n); GIVE(&n); LOCK(&m); ready = 1; pthread_cond_signal(&c); GIVE(&m); LOCK(&n); GIVE(&n);")
        + main(rest="LOCK(&m); while (!ready) pthread_cond_wait(&c, &m); GIVE(&m); LOCK(&n); GIVE(&n);"),
    ),
    # one way through the thread keeps the mutex
    "kept": (
        thread("f", "LOCK(&m); if (count++) return 0; GIVE(&m);") + main(rest="LOCK(&m); GIVE(&m); f(0);"),
        thread("f", "LOCK(&m); if (count++) { GIVE(&m); return 0; } GIVE(&m);") + main(rest="LOCK(&m); GIVE(&m);"),
    ),
    # the thread ends itself with the mutex
    "kept by leaving": (
        thread("f", "LOCK(&m); if (count) pthread_exit(0); GIVE(&m);") + main(rest="LOCK(&m); count = 1; GIVE(&m);"),
        thread("f", "LOCK(&m); GIVE(&m); if (count) pthread_exit(0);") + main(rest="LOCK(&m); count = 1; GIVE(&m);"),
    ),
    # the thread is ended while it has the mutex
    "kept when cancelled": (
        thread("f", "LOCK(&m); ready = 1; GIVE(&m);") + main(rest="pthread_cancel(t); LOCK(&m); GIVE(&m);"),
        thread("f", "ready = 1;") + main(rest="pthread_cancel(t); LOCK(&m); GIVE(&m);"),
    ),
    # main ends without the process, with the mutex
    "kept by main": (
        thread("f", "LOCK(&m); GIVE(&m);") + main(rest="LOCK(&m); pthread_exit(0);"),
        thread("f", "LOCK(&m); GIVE(&m);") + main(rest="LOCK(&m); GIVE(&m); pthread_exit(0);"),
    ),
    # two semaphores as locks, in both orders
    "semaphores": (
        thread("f", "sem_wait(&s); sem_wait(&r); sem_post(&r); sem_post(&s);")
        + main("sem_init(&s, 0, 1); sem_init(&r, 0, 1);", "sem_wait(&r); sem_wait(&s); sem_post(&s); sem_post(&r);"),
        thread("f", "sem_wait(&s); sem_wait(&r); sem_post(&r); sem_post(&s);")
        + main("sem_init(&s, 0, 1); sem_init(&r, 0, 1);", "sem_wait(&s); sem_wait(&r); sem_post(&r); sem_post(&s);"),
    ),
    # who takes the mutex first, and then waits for what the other one posts behind it
    "semaphore under a mutex": (
        thread("f", "LOCK(&m); sem_wait(&s); GIVE(&m);") + main("sem_init(&s, 0, 0);",
        "LOCK(&m); GIVE(&m); sem_post(&s);"),
        thread("f", "sem_wait(&s); LOCK(&m); GIVE(&m);") + main("sem_init(&s, 0, 0);",
        "LOCK(&m); GIVE(&m); sem_post(&s);"),
    ),
    # the mutex is wanted in what is run once, and held by who wants that run
    "once": (
        "void init(void) { LOCK(&m); GIVE(&m); }\n" + thread("f", "LOCK(&m); pthread_once(&o, init); GIVE(&m);")
        + main(rest="pthread_once(&o, init);"),
        "void init(void) { LOCK(&m); GIVE(&m); }\n" + thread("f", "pthread_once(&o, init); LOCK(&m); GIVE(&m);")
        + main(rest="pthread_once(&o, init);"),
    ),
    # who waits for the thread that runs it has what that wants
    "once beside": (
        "void init(void) { LOCK(&m); GIVE(&m); } void start(void) {}\n" + thread("f", "pthread_once(&o, init);")
        + main(rest="LOCK(&m); pthread_once(&o, start); GIVE(&m);"),
        "void init(void) { LOCK(&m); GIVE(&m); } void start(void) {}\n" + thread("f", "pthread_once(&o, init);")
        + main(rest="pthread_once(&o, start); LOCK(&m); GIVE(&m);"),
    ),
    # main waits for the end of a thread that it would only wake afterwards
    "joined before": (
        thread("f", "LOCK(&m); while (!ready) pthread_cond_wait(&c, &m); GIVE(&m);")
        + main(rest="pthread_join(t, 0); LOCK(&m); ready = 1; pthread_cond_signal(&c); GIVE(&m);"),
        thread("f", "LOCK(&m); while (!ready) pthread_cond_wait(&c, &m); GIVE(&m);")
        + main(rest="LOCK(&m); ready = 1; pthread_cond_signal(&c); GIVE(&m); pthread_join(t, 0);"),
    ),
    # nobody ever posts what is waited for
    "nobody": (
        thread("f", "LOCK(&m); sem_wait(&none); GIVE(&m);") + main("sem_init(&none, 0, 0);", "LOCK(&m); GIVE(&m);"),
        thread("f", "LOCK(&m); GIVE(&m);") + main("sem_init(&none, 0, 0);", "LOCK(&m); GIVE(&m);"),
    ),
    # attributes that were set to recursive, and then back
    "attributes": (
        thread("f", "")
        + main("pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 1);"
        "pthread_mutexattr_settype(&a, 0); pthread_mutex_init(&m, &a); LOCK(&m); LOCK(&m); GIVE(&m); GIVE(&m);"),
        thread("f", "")
        + main("pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 0);"
        "pthread_mutexattr_settype(&a, 1); pthread_mutex_init(&m, &a); LOCK(&m); LOCK(&m); GIVE(&m); GIVE(&m);"),
    ),
    # a function of another file takes the mutex that it is given, or keeps it, or waits for the other thread
    "given": (
        thread("f", "LOCK(&n); LOCK(&m); GIVE(&m); GIVE(&n);") + "void use(pthread_mutex_t *);"
        + main(rest="LOCK(&m); use(&n); GIVE(&m);"),
        thread("f", "LOCK(&m); GIVE(&m);") + "void use(const int *);"
        + main(rest="LOCK(&m); use(&count); GIVE(&m);"),
    ),
    "given before": (
        thread("f", "LOCK(&n); LOCK(&m); GIVE(&m); GIVE(&n);") + "void keep(void *);"
        + main("struct { int x; pthread_mutex_t *at; } it = {0, &n}; keep(&it);", "LOCK(&m); later(); GIVE(&m);"),
        "static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; void keep(void *);"
        + thread("f", "LOCK(&own); GIVE(&own);")
        + main("struct { int x; pthread_mutex_t *at; } it = {0, &n}; keep(&it);", "LOCK(&own); later(); GIVE(&own);"),
    ),
    "given and kept": (
        thread("f", "LOCK(&m); LOCK(&n); GIVE(&n); GIVE(&m);") + "void keep(void *);"
        + main(rest="keep(&n); LOCK(&m); GIVE(&m);"),
        thread("f", "LOCK(&m); GIVE(&m);") + "void keep(void *);" + main(rest="keep(&n); LOCK(&m); GIVE(&m);"),
    ),
    "awaited by another file": (
        thread("f", "LOCK(&m); sem_post(&s); GIVE(&m);") + "void use(sem_t *);"
        + main("sem_init(&s, 0, 0);", "LOCK(&m); use(&s); GIVE(&m);"),
        thread("f", "sem_post(&s); LOCK(&m); GIVE(&m);") + "void use(sem_t *);"
        + main("sem_init(&s, 0, 0);", "LOCK(&m); use(&s); GIVE(&m);"),
    ),
}  # fmt: skip


def open_checks(directory: Path, text: str) -> list[Assertion]:
    """Where a deadlock is possible."""
    path = directory / "program.c"
    path.write_text(HEAD + text, encoding="utf-8")
    found = read((str(path),), FrontendOptions(properties=("deadlock",)), Clock())
    verdicts = deadlock_assertions(solve(found.program, AnalysisOptions(domain="interval")), str(path))
    return [it for it in verdicts if not it.status.is_safe]


@pytest.mark.parametrize("name", PAIRS)
def test_who_may_hang_is_not_proved(name: str, tmp_path: Path) -> None:
    assert open_checks(tmp_path, PAIRS[name][0])


@pytest.mark.parametrize("name", PAIRS)
def test_who_cannot_hang_is_proved(name: str, tmp_path: Path) -> None:
    assert not open_checks(tmp_path, PAIRS[name][1])


def test_only_circles_of_locks_and_ends_are_told_what_prevents_them(tmp_path: Path) -> None:
    order = "LOCK(&m); LOCK(&n); GIVE(&n); GIVE(&m);", "LOCK(&n); LOCK(&m); GIVE(&m); GIVE(&n);"
    for text, is_told in ((thread("f", order[0]) + main(rest=order[1]), True), (PAIRS["barrier"][0], False)):
        for found in open_checks(tmp_path, text):
            assert (bool(found.missing), bool(found.prevented_by)) == (is_told, is_told), found


def test_what_unknown_code_may_post_is_waited_for(tmp_path: Path) -> None:
    held = thread("f", "LOCK(&m); sem_wait(&s); GIVE(&m);")
    assert open_checks(tmp_path, held + main("sem_init(&s, 0, 0);", "LOCK(&m); GIVE(&m); later();"))


SIGNALLING = {
    "posted by another": ("sem_wait(&s);", "sem_post(&s);", 1),
    "closed at first": ("sem_wait(&s); sem_post(&s);", "sem_wait(&s); sem_post(&s);", 0),
    "given back twice": ("sem_wait(&s); sem_post(&s); sem_post(&s);", "sem_wait(&s);", 1),
}


@pytest.mark.parametrize("name", SIGNALLING)
def test_semaphores_that_signal_are_no_locks(name: str, tmp_path: Path) -> None:
    one, other, start = SIGNALLING[name]
    path = tmp_path / "program.c"
    path.write_text(HEAD + thread("f", one) + main(f"sem_init(&s, 0, {start});", other), encoding="utf-8")
    found = read((str(path),), FrontendOptions(properties=("deadlock",)), Clock())
    assert semaphores.as_locks(found.program) is found.program
    assert WOKEN in found.assumptions


def test_what_may_be_had_is_not_had_for_sure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duet.check.held._MOST", 1)
    monkeypatch.setattr(reading, "as_locks", lambda program: program)
    path = tmp_path / "program.c"
    body = "int ask(void); " + thread("f", "if (ask()) sem_wait(&s); sem_post(&s);")
    path.write_text(HEAD + body + main("sem_init(&s, 0, 1);", "sem_wait(&s);"), encoding="utf-8")
    program = read((str(path),), FrontendOptions(properties=("deadlock",)), Clock()).program
    semaphore = ("s", ())
    noted = semaphores._noted(program, frozenset((semaphore,)))
    assert {lock_of(access) for access in given_unheld(noted)} == {semaphore}


DEFECTS = {
    "nobody would wake others": ("duet.check.deadlocks._coming", lambda *_: defaultdict(frozenset), "nested condition"),
    "all who end have nothing": ("duet.check.deadlocks._kept", lambda *_: {}, "kept"),
    "main always ends the process": ("duet.check.deadlocks._made", lambda *_: [], "kept by main"),
    "somebody always wakes": ("duet.check.deadlocks._forever", lambda *_: "", "nobody"),
    "semaphores are no locks": ("duet.reading.as_locks", lambda program: program, "semaphores"),
    "mutexes know their holders": ("duet.frontend.cells.locking._knows_holder", lambda *_: True, "attributes"),
    "unknown code takes no locks": ("duet.frontend.models.unknown.note_unknown_use", lambda *_: None, "given before"),
    "unknown code gives locks back": ("duet.frontend.cells.locking._use", lambda *_: None, "given and kept"),
    "nothing runs once": ("duet.frontend.models.endings.note_running", lambda *_, **__: None, "once beside"),
}  # fmt: skip


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, wrong, shown = DEFECTS[name]
    monkeypatch.setattr(place, wrong)
    assert not open_checks(tmp_path, PAIRS[shown][0])
