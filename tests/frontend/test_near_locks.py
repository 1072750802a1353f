"""Two clients that run one piece of code: do the locks beside what they access keep them from racing?"""

from __future__ import annotations

import pytest

from duet.check.races import sites
from duet.coarsen.loop import analyse
from duet.frontend import size
from duet.frontend.lower import lower
from duet.frontend.parse import parse
from duet.options import AnalysisOptions, FrontendOptions

OPTIONS = FrontendOptions(properties=("data-race",), entries=("client",), parameterized=True)
START = """
#include <pthread.h>
#include <stdlib.h>
struct item { pthread_mutex_t m, n; pthread_rwlock_t g; pthread_spinlock_t s; struct item *next; int x, y; };
static struct item items[100];
static pthread_mutex_t locks[100];
static int values[100];
static struct item *head;
static struct { int key; long value; } wide[100];
extern void unknown(struct item *);
extern void unrelated(int);
static void enter(struct item *p) { pthread_mutex_lock(&p->m); }
static void leave(struct item *p) { pthread_mutex_unlock(&p->m); }
"""
FREE = {
    "an element": "pthread_mutex_lock(&items[i].m); items[i].x++; pthread_mutex_unlock(&items[i].m);",
    "by helpers": "struct item *p = items + i; enter(p); p->x = p->y; p->y = i; leave(p);",
    "through a copy of the pointer": (
        "struct item *p = &items[i], *q = p; enter(p); q->x = 1; p = 0; q->y = 2; leave(q);"
    ),
    "by a number that was computed before": (
        "int j = i + 1; pthread_mutex_lock(&items[j].m); items[i + 1].x = 1; pthread_mutex_unlock(&items[j].m);"
    ),
    "a spinlock": "pthread_spin_lock(&items[i].s); items[i].x = 1; pthread_spin_unlock(&items[i].s);",
    "taken if it is free": (
        "if (pthread_mutex_trylock(&items[i].m) == 0) { items[i].x = 1; pthread_mutex_unlock(&items[i].m); }"
    ),
    "taken until it was free": (
        "while (pthread_mutex_trylock(&items[i].m) != 0) ; items[i].x = 1; pthread_mutex_unlock(&items[i].m);"
    ),
    "read and written": (
        "int y; pthread_rwlock_rdlock(&items[i].g); y = items[i].x; pthread_rwlock_unlock(&items[i].g);"
        "pthread_rwlock_wrlock(&items[i].g); items[i].x = y; pthread_rwlock_unlock(&items[i].g);"
    ),
    "an array beside another one": "pthread_mutex_lock(&locks[i]); values[i] = 1; pthread_mutex_unlock(&locks[i]);",
    "an array of other elements": (
        "pthread_mutex_lock(&locks[i]); wide[i].value = 1; pthread_mutex_unlock(&locks[i]);"
        "pthread_mutex_lock(&locks[3]); wide[3].value = 1; pthread_mutex_unlock(&locks[3]);"
    ),
    "one lock for all of them": "pthread_mutex_lock(&locks[9]); values[i] = 1; pthread_mutex_unlock(&locks[9]);",
    "another lock is given back": (
        "pthread_mutex_lock(&locks[i]); enter(items + i); pthread_mutex_unlock(&locks[i]); items[i].x = 1;"
        "leave(items + i);"
    ),
    "on both ways": (
        "struct item *p = &items[i]; if (i > 50) { enter(p); p->y = 1; } else pthread_mutex_lock(&p->m);"
        "p->x = 1; leave(p);"
    ),
    "waiting": (
        "static pthread_cond_t c; struct item *p = &items[i]; enter(p); while (p->x) pthread_cond_wait(&c, &p->m);"
        "p->x = 1; leave(p);"
    ),
    "in a loop": (
        "struct item *p = &items[i]; enter(p); for (int k = 0; k < i; k++) p->x += k; leave(p);"
        "for (p = items; p < items + 100; p++) { enter(p); p->x = 0; leave(p); }"
    ),
    "unknown code that cannot get there": (
        "pthread_mutex_lock(&locks[i]); values[i] = 1; pthread_mutex_unlock(&locks[i]); unrelated(i);"
    ),
}
RACY = {
    "the number changes": "enter(&items[i]); i++; items[i].x = 1; leave(&items[i - 1]);",
    "another element": "pthread_mutex_lock(&items[i].m); items[j].x = 1; pthread_mutex_unlock(&items[i].m);",
    "one or the other lock": (
        "if (j) pthread_mutex_lock(&items[i].m); else pthread_mutex_lock(&items[i].n); items[i].x = 1;"
        "if (j) pthread_mutex_unlock(&items[i].m); else pthread_mutex_unlock(&items[i].n);"
    ),
    "one lock here and the other one there": (
        "pthread_mutex_lock(&items[i].m); items[i].x = 1; pthread_mutex_unlock(&items[i].m);"
        "pthread_mutex_lock(&items[i].n); items[i].x = 2; pthread_mutex_unlock(&items[i].n);"
    ),
    "given back by a helper": "struct item *p = &items[i]; enter(p); leave(p); p->x = 1;",
    "given back under another name": "struct item *p = &items[i], *q = &items[j]; enter(p); leave(q); p->x = 1;",
    "perhaps given back": "struct item *p = &items[i]; enter(p); if (j) leave(p); p->x = 1; if (!j) leave(p);",
    "not taken": "int got = pthread_mutex_trylock(&items[i].m); items[i].x = 1; if (!got) leave(&items[i]);",
    "time is up": (
        "struct timespec t = {0, 0}; pthread_mutex_timedlock(&items[i].m, &t); items[i].x = 1; leave(&items[i]);"
    ),
    "written by a reader": "pthread_rwlock_rdlock(&items[i].g); items[i].x = 1; pthread_rwlock_unlock(&items[i].g);",
    "read without it": "enter(&items[i]); items[i].x = 1; leave(&items[i]); j = items[i].x;",
    "the lock of the next one": "enter(&items[i + 1]); items[i].x = 1; leave(&items[i + 1]); enter(&items[i]);"
    "items[i].x = 2; leave(&items[i]);",
    "shifted against each other": (
        "pthread_mutex_lock(&locks[i]); values[i] = 1; values[i + 1] = 2; pthread_mutex_unlock(&locks[i]);"
    ),
    "a fixed one against the one beside": (
        "pthread_mutex_lock(&locks[i]); values[i] = 1; pthread_mutex_unlock(&locks[i]);"
        "pthread_mutex_lock(&locks[2]); values[3] = 1; pthread_mutex_unlock(&locks[2]);"
    ),
    "unknown code gives it back": "enter(&items[i]); unknown(&items[i]); items[i].x = 1; leave(&items[i]);",
    "it is made anew": "enter(&items[i]); pthread_mutex_init(&items[i].m, 0); items[i].x = 1;",
    "the whole against a part": (
        "enter(&items[i]); items[i].x = 1; leave(&items[i]); struct item copy = items[i]; j = copy.x;"
    ),
    "as another type": (
        "enter(&items[i]); items[i].x = 1; leave(&items[i]); char *p = (char *)&items[i].x; enter(&items[i]); p[1] = 3;"
        "leave(&items[i]); p[2] = 4;"
    ),
    "read again from memory": (
        "static struct item *now; now = &items[i]; pthread_mutex_lock(&now->m); now->x = 1; leave(now);"
    ),
    "taken in the round before": (
        "struct item *p = &items[i]; for (int k = 0; k < 3; k++) { if (k) p->x = 1; enter(p); leave(p); }"
    ),
}


def races(body: str) -> bool:
    """Whether something may race when any number of threads run some statements."""
    text = f"{START}void client(int i, int j) {{ if (i < 0 || i >= 98 || j < 0 || j >= 98) return; {body} }}\n"
    analysis = analyse(lower(parse(text, "a.c", OPTIONS), OPTIONS).program, AnalysisOptions())
    assert sites(analysis.program)
    return bool(analysis.races)


@pytest.mark.parametrize("name", FREE)
def test_the_lock_beside_it_keeps_others_out(name: str) -> None:
    assert not races(FREE[name])


@pytest.mark.parametrize("budget", [size.BUDGET, -1], ids=["inlined", "shared"])
@pytest.mark.parametrize("name", RACY)
def test_other_locks_do_not(name: str, budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "BUDGET", budget)
    assert races(RACY[name])
