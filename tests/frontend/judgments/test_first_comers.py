"""Objects that only who comes first allocates, under a lock: one for all threads and calls. Twins that make more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from duet.frontend.judgments import first_comers
from tests.frontend.running import statuses

START = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct s { int n; };
static struct s *shared, *other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static struct s *fresh(void) { struct s *f = malloc(sizeof *f); if (!f) abort(); return f; }
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
    monkeypatch.setattr(first_comers._Known, "in_new_section", lambda self, held: replace(self, held=held))
    for name in ("seen in an earlier section", "behind a wait"):
        assert _statuses(tmp_path, SEVERAL[name])
