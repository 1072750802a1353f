"""Objects that each thread allocates once, when it finds none of its own. Twins that make more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from duet.frontend.judgments import each_once, first_comers
from tests.frontend.running import statuses

START = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct s { int n; };
static pthread_key_t key, other;
static _Thread_local struct s *own;
static struct s *shared;
static struct s *fresh(void) { struct s *f = calloc(1, sizeof *f); if (!f) abort(); return f; }
"""
GET = "static struct s *get(void) { struct s *p; BODY return p; }\n"
THREADS = """
static void *w(void *arg) {
    for (int i = 0; i < (int)(long)arg; i++) {
        get()->n++;
        assert(get()->n == i + 1);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, free);
    pthread_key_create(&other, DESTRUCTOR);
    pthread_create(&t, 0, w, (void *)3);
    pthread_create(&t, 0, w, (void *)5);
    return 0;
}
"""
KEEP = "p = pthread_getspecific(key); if (!p) { p = fresh(); pthread_setspecific(key, p); }"
ONE = {
    "by key": KEEP,
    "by key, looked at again": KEEP + "p = pthread_getspecific(key); if (!p) abort();",
    "thread-local": "if (!own) own = fresh(); p = own;",
    "thread-local, what there was first": "p = own; if (p) return p; p = fresh(); own = p;",
    "asked only once it is kept": (
        "p = pthread_getspecific(key); if (!p) { p = calloc(1, sizeof *p); pthread_setspecific(key, p);"
        "if (!p) pthread_exit(0); }"
    ),
}
SEVERAL = {
    "never kept": "p = pthread_getspecific(key); if (!p) p = fresh();",
    "kept elsewhere": "p = pthread_getspecific(key); if (!p) { p = fresh(); pthread_setspecific(other, p); }",
    "not asked": "p = fresh(); pthread_setspecific(key, p);",
    "given back": KEEP + "if (p->n == 2) pthread_setspecific(key, 0);",
    "of all threads": "if (!shared) shared = fresh(); p = shared;",
    "kept but at first": "if (!own) { p = fresh(); if (p->n == shared->n) own = p; } p = own ? own : fresh();",
    "asked too early": "p = own; own = 0; if (!p) p = fresh(); own = p; p = own; if (p->n == 2) own = 0;",
    "twice in a loop": (
        "if (!own) for (int i = 0; i < 2; i++) { shared = own; own = fresh(); }p = shared ? shared : own;"
    ),
}


def _are_safe(tmp_path: Path, body: str, destructor: str = "free") -> bool:
    text = START + GET.replace("BODY", body) + THREADS.replace("DESTRUCTOR", destructor)
    return all(found.is_safe for found in statuses(tmp_path / "a.c", text))


@pytest.mark.parametrize("name", ONE)
def test_each_thread_makes_one_object(name: str, tmp_path: Path) -> None:
    assert _are_safe(tmp_path, ONE[name])


@pytest.mark.parametrize("name", SEVERAL)
def test_where_a_thread_makes_several_nothing_is_proved(name: str, tmp_path: Path) -> None:
    assert not _are_safe(tmp_path, SEVERAL[name])


def test_what_is_null_again_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: what a thread has once written counts, whatever it writes later."""
    written = each_once._Search._written
    monkeypatch.setattr(
        each_once._Search,
        "_written",
        lambda *given: replace(written(*given), open=first_comers.Search._written(*given).open),
    )
    assert _are_safe(tmp_path, SEVERAL["given back"])


def test_what_is_not_asked_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: whoever has written something that is not null never comes back, asked or not."""
    judge = each_once._Search._judge

    def seeing_all(self: each_once._Search, name: str, location: int, known: first_comers.Known, *rest: object) -> None:
        judge(self, name, location, replace(known, null=frozenset(self.pointers)), *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(each_once._Search, "_judge", seeing_all)
    assert _are_safe(tmp_path, SEVERAL["not asked"])
