"""Objects that only who comes first allocates: one for all threads and calls. Twins that make more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from duet.frontend.judgments import first_comers
from tests.frontend.running import statuses

START = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct s { int n; };
static struct s *shared, *other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static struct s *fresh(void) { struct s *f = malloc(sizeof *f); if (!f) abort(); return f; }
static pthread_once_t once = PTHREAD_ONCE_INIT, again = PTHREAD_ONCE_INIT;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static void make(void) { shared = fresh(); }
static void make_two(void) { for (int i = 0; i < 2; i++) { other = shared; shared = fresh(); } }
static void make_and_end(void) { other = shared; shared = fresh(); if (!other) pthread_exit(0); }
"""
GET = "static struct s *get(void) { struct s *p; BODY return p; }\n"
THREADS = """
static void *w(void *unused) {
    struct s *a = get();
    assert(get() == a);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_create(&t, 0, w, 0);
    return 0;
}
"""
ONE = {
    "under a lock": (
        "pthread_mutex_lock(&m); if (!shared) { p = fresh(); p->n = 1; shared = p; } p = shared;"
        "pthread_mutex_unlock(&m);"
    ),
    "looked at before": (
        "p = shared; if (p) return p; pthread_mutex_lock(&m); p = shared;"
        "if (!p) { p = fresh(); shared = p; } pthread_mutex_unlock(&m);"
    ),
    "if the lock is free": (
        "if (pthread_mutex_trylock(&m) != 0) exit(1);"
        "p = shared; if (p == 0) shared = p = fresh(); pthread_mutex_unlock(&m);"
    ),
    "by a function that is called once": "pthread_once(&once, make); p = shared;",
    "where a flag is set": "if (!atomic_flag_test_and_set(&flag)) make(); while (!(p = shared)) {}",
}
SEVERAL = {
    "without a lock": "p = shared; if (!p) { p = fresh(); shared = p; }",
    "looked at only before": (
        "p = shared; if (!p) { pthread_mutex_lock(&m); p = fresh(); shared = p; pthread_mutex_unlock(&m); }"
    ),
    "seen in an earlier section": (
        "pthread_mutex_lock(&m); p = shared; pthread_mutex_unlock(&m); pthread_mutex_lock(&m);"
        "if (!p) { p = fresh(); shared = p; } pthread_mutex_unlock(&m);"
    ),
    "behind a wait": (
        "pthread_mutex_lock(&m); p = shared; if (!p) { pthread_cond_wait(&c, &m); p = fresh(); shared = p; }"
        "pthread_mutex_unlock(&m);"
    ),
    "told too late": (
        "pthread_mutex_lock(&m); p = shared; if (p) { pthread_mutex_unlock(&m); return p; }"
        "p = fresh(); pthread_mutex_unlock(&m); shared = p;"
    ),
    "taken away again": (
        "pthread_mutex_lock(&m); if (!shared) shared = fresh(); p = shared; if (p->n) shared = 0;"
        "pthread_mutex_unlock(&m);"
    ),
    "under the lock of another": (
        "pthread_mutex_t *own = other ? &n : &m; other = shared; pthread_mutex_lock(own);"
        "if (!shared) shared = fresh(); p = shared; pthread_mutex_unlock(own);"
    ),
    "told to nobody": (
        "pthread_mutex_lock(&m); p = shared; if (!p) { p = fresh(); other = p; } pthread_mutex_unlock(&m);"
    ),
    "of one of two pointers": (
        "pthread_mutex_lock(&m); p = shared; if (!shared) { p = fresh(); other = p; if (p->n) shared = p; }"
        "pthread_mutex_unlock(&m);"
    ),
    "if the lock is free, or not": (
        "int missed = pthread_mutex_trylock(&m); p = shared; if (!p) { p = fresh(); shared = p; }"
        "if (!missed) pthread_mutex_unlock(&m);"
    ),
    "twice in one section": (
        "pthread_mutex_lock(&m); p = shared; if (!p) { int i; for (i = 0; i < 2; i++) { other = shared; p = fresh();"
        "if (i) other = p; } shared = other; p = p->n ? fresh() : p; } pthread_mutex_unlock(&m); if (p->n) p = fresh();"
    ),
    "once by each of two": "pthread_once(other ? &again : &once, make); p = other = shared;",
    "also without": "if (other) make(); pthread_once(&once, make); p = other = shared;",
    "several in a function that is called once": "pthread_once(&once, make_two); p = shared; assert(other == p);",
    "once and again, since a thread has ended": "pthread_once(&once, make_and_end); p = shared; assert(!other);",
    "once for each call": "pthread_once_t own = PTHREAD_ONCE_INIT; pthread_once(&own, make); p = shared;",
    "once until that is taken back": "pthread_once(&once, make); p = shared; once = (pthread_once_t)PTHREAD_ONCE_INIT;",
    "where a flag is set and cleared": (
        "if (!atomic_flag_test_and_set(&flag)) make(); while (!(p = shared)) {} atomic_flag_clear(&flag);"
    ),
    "where a flag of each is set": (
        "atomic_flag *own = calloc(1, sizeof *own); if (!own) abort();"
        "if (!atomic_flag_test_and_set(own)) make(); p = shared;"
    ),
    "where a flag is set, or not": "if (!atomic_flag_test_and_set(&flag) || other) make(); p = other = shared;",
    "in a loop behind a flag": (
        "if (!atomic_flag_test_and_set(&flag)) do { make(); } while (shared->n); while (!(p = shared)) {}"
    ),
}


def _statuses(tmp_path: Path, body: str) -> bool:
    return all(found.is_safe for found in statuses(tmp_path / "a.c", START + GET.replace("BODY", body) + THREADS))


@pytest.mark.parametrize("name", ONE)
def test_who_comes_first_makes_the_only_object(name: str, tmp_path: Path) -> None:
    assert _statuses(tmp_path, ONE[name])


@pytest.mark.parametrize("name", SEVERAL)
def test_where_several_may_come_nothing_is_proved(name: str, tmp_path: Path) -> None:
    assert not _statuses(tmp_path, SEVERAL[name])


def test_what_was_seen_in_another_section_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: what a thread has read counts behind the end of a section."""
    monkeypatch.setattr(first_comers.Known, "in_new_section", lambda self, held: replace(self, held=held))
    for name in ("seen in an earlier section", "behind a wait"):
        assert _statuses(tmp_path, SEVERAL[name])


def test_a_latch_that_is_opened_again_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: whatever is taken counts as a latch, whoever opens it."""
    taken = first_comers.lock_taken
    monkeypatch.setattr(first_comers, "_latches", lambda program: {*map(taken, program.commands)} - {None})
    assert _statuses(tmp_path, SEVERAL["where a flag is set and cleared"])
