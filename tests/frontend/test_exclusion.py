"""Two clients that run one piece of code: do the locks beside it, or that it is new, keep memory from others?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.check.races import sites
from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions

OPTIONS = FrontendOptions(properties=("data-race",), entries=("client",), parameterized=True)
INLINED = Budgets()
BUDGETS = {"inlined": INLINED, "shared": Budgets(inlined_commands=-1, small_commands=-1, callback_small_commands=-1)}
START = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
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
static struct item *_Atomic shared;
static struct { struct item *first; int n; } box;
static union { struct item *p; long n; } either;
static long number;
static struct item *pointers[100];
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static struct item *made(void) { struct item *p = malloc(sizeof *p); if (p == 0) exit(1); return p; }
static void publish(struct item *p) {
    pthread_mutex_lock(&list); p->next = head; head = p; pthread_mutex_unlock(&list);
}
static int look(void) {
    int seen = 0;
    pthread_mutex_lock(&list); if (head) seen = head->x; pthread_mutex_unlock(&list);
    return seen;
}
static void *reader(void *q) { return (void *)(long)((struct item *)q)->x; }
static void *writer(void *q) { struct item *p = q; p->x = p->y; free(p); return 0; }
static void *looking(void *q) { struct item *p = q; p->y = 1; if (head) head->x = 2; return 0; }
static void *leaking(void *q) { struct item *p = q; publish(p); p->x = 1; return 0; }
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
    "one of a few": (
        "static struct item few[3]; int k = i % 3; struct item *p = &few[k]; enter(p); few[k].x++; p->y = 2; leave(p);"
        "if (pthread_mutex_trylock(&p->m) == 0) { p->x--; leave(p); } enter(&few[0]); few[0].x++; leave(&few[0]);"
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
    "unknown code that gets nothing": "struct item *p = items + i; enter(p); unrelated(j); p->x = 1; leave(p);",
    "a lock that each thread has on its stack": (
        "pthread_mutex_t mine[20]; int k = i % 20; pthread_mutex_init(&mine[k], 0); pthread_mutex_lock(&mine[k]);"
        "items[k].x = 1; pthread_mutex_unlock(&mine[k]);"
    ),
    "a lock that each thread has for itself": (
        "static __thread pthread_mutex_t mine[20]; pthread_mutex_lock(&mine[3]); items[3].x = 1;"
        "pthread_mutex_unlock(&mine[3]);"
    ),
    "a lock of each thread behind a pointer": (
        "struct item mine[9], *p = &mine[i % 9]; enter(p); items[3].x = 1; leave(p);"
    ),
    "a copy of a lock": (
        "pthread_mutex_t mine = list; pthread_mutex_lock(&mine); items[3].x = 1; pthread_mutex_unlock(&mine);"
    ),
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
    "the pointer goes on": (
        "head = items + i; items[i].next = items + j; struct item *p = head, *q = p; if (!p || !p->next) return;"
        "enter(p); p = p->next; p->x = 1; leave(q);"
    ),
    "the whole and a part, each with a lock at one distance": (
        "static struct { int x[10]; pthread_mutex_t m; int y[10]; pthread_mutex_t n; } s[50], *p = s, copy; p = s + i;"
        "pthread_mutex_lock(&p->m); copy = *p; pthread_mutex_unlock(&p->m);"
        "pthread_mutex_lock(&p->n); p->y[0] = 1; pthread_mutex_unlock(&p->n);"
    ),
    "another one of a few": (
        "static struct item few[3]; int k = i % 3, l = j % 3; enter(&few[k]); few[l].x = 1; leave(&few[k]);"
    ),
    "a fixed one of a few": (
        "static struct item few[3]; int k = i % 3; enter(&few[k]); few[k].x = 1; leave(&few[k]);"
        "enter(&few[0]); few[1].x = 1; leave(&few[0]);"
    ),
    "one of a few that is given back under another name": (
        "static struct item few[3]; struct item *p = &few[i % 3], *q = &few[j % 3]; enter(p); leave(q); p->x = 1;"
    ),
    "taken in the round before": (
        "struct item *p = &items[i]; for (int k = 0; k < 3; k++) { if (k) p->x = 1; enter(p); leave(p); }"
    ),
}
FREE_NEW = {
    "filled, then published": "struct item *p = made(); p->x = i; p->y = j; publish(p); look();",
    "not published": "struct item *p = made(); p->x = i; free(p); look();",
    "through copies": "struct item *p = made(), *q = p; q->x = i; p = 0; q->y = 1; publish(q); look();",
    "zeroed": "struct item *p = calloc(1, sizeof *p); if (!p) return; p->x++; publish(p); look();",
    "many of them": "for (int k = 0; k < j; k++) { struct item *p = made(); p->x = k; publish(p); } look();",
    "handed over": (
        "pthread_t t; struct item *p = made(); p->x = i; p->y = j; pthread_create(&t, 0, writer, p); look();"
    ),
    "handed over to one or the other": (
        "pthread_t t; struct item *p = made(); p->x = i;"
        "if (j) pthread_create(&t, 0, writer, p); else pthread_create(&t, 0, reader, p);"
    ),
    "each one to a thread": (
        "for (int k = 0; k < i; k++) { pthread_t t; struct item *p = made(); p->y = k;"
        "pthread_create(&t, 0, writer, p); }"
    ),
}
RACY_NEW = {
    "written after that": "struct item *p = made(); publish(p); p->x = i; look();",
    "on one way": "struct item *p = made(); if (j) publish(p); p->x = i; look();",
    "in the round before": (
        "struct item *p = made(); for (int k = 0; k < 2; k++) { p->x = i; if (!k) publish(p); } look();"
    ),
    "the one before": "struct item *p = made(), *q; publish(p); q = p; p = made(); q->x = i; p->x = j; look();",
    "by a copy": "struct item *p = made(), *q = p; publish(q); p->x = i; look();",
    "in another one": "struct item *p = made(), *q = made(); q->next = p; publish(q); p->x = i; look();"
    "pthread_mutex_lock(&list); if (head && head->next) j = head->next->x; pthread_mutex_unlock(&list);",
    "atomically": "struct item *p = made(); shared = p; p->x = i; p = shared; if (p) j = p->x;",
    "by exchange": ("struct item *p = made(); p = __atomic_exchange_n(&head, p, 5); p = made(); head = p; p->x = 1;"),
    "in a structure": (
        "struct { struct item *first; int n; } mine = {made(), 1}; box = *(__typeof__(box) *)&mine;"
        "mine.first->x = i; if (box.first) j = box.first->x;"
    ),
    "by its bytes": (
        "struct item *p = made(); memcpy(&box.first, &p, sizeof p); p->x = i; if (box.first) j = box.first->x;"
    ),
    "in a union": "struct item *p = made(); either.p = p; p->x = i; if (either.p) j = either.p->x;",
    "as a number": ("struct item *p = made(); number = (long)p; p->x = i; if (number) j = ((struct item *)number)->x;"),
    "as a changed number": (
        "struct item *p = made(); number = (long)p ^ 5; p->x = i; if (number) j = ((struct item *)(number ^ 5))->x;"
    ),
    "through a pointer to a pointer": (
        "struct item *p = made(), **q = &pointers[i]; *q = p; p->x = i; if (pointers[j]) j = pointers[j]->x;"
    ),
    "to unknown code": "struct item *p = made(); unknown(p); p->x = i; if (head) j = head->x; publish(p);",
    "used behind the start of a thread": (
        "pthread_t t; struct item *p = made(); p->x = i; pthread_create(&t, 0, writer, p); p->y = j;"
    ),
    "to two threads": (
        "pthread_t t; struct item *p = made(); pthread_create(&t, 0, writer, p); pthread_create(&t, 0, reader, p);"
    ),
    "to two threads of one kind": (
        "struct item *p = made(); for (int k = 0; k < 2; k++) { pthread_t t; pthread_create(&t, 0, writer, p); }"
    ),
    "to a thread and to the list": (
        "pthread_t t; struct item *p = made(); publish(p); pthread_create(&t, 0, writer, p); look();"
    ),
    "a thread that publishes it": (
        "pthread_t t; struct item *p = made(); p->y = 0; pthread_create(&t, 0, leaking, p); look();"
    ),
    "a thread that uses others as well": (
        "pthread_t t; struct item *p = made(); p->y = 0; pthread_create(&t, 0, looking, p); publish(made());"
    ),
    "to the C library": (
        'struct item *p = made(), *q; putenv((char *)p); p->x = i; q = (struct item *)getenv("A"); if (q) j = q->x;'
    ),
    "all of them are given one": ("pthread_t t; static struct item one; pthread_create(&t, 0, writer, &one);"),
    "what it was given before": (
        "pthread_t t; struct item *p = made(); p->y = 0; pthread_create(&t, 0, writer, head); publish(p);"
    ),
    "in memory that each thread can reach": (
        "static struct item *last; struct item *p = made(); struct item **q = j ? &last : &p; *q = p; p->x = i;"
        "if (last) j = last->x;"
    ),
}


def races(body: str, budgets: Budgets = INLINED) -> set[str]:
    """The last steps to what may race when any number of threads run some statements."""
    options = replace(OPTIONS, budgets=budgets)
    text = f"{START}void client(int i, int j) {{ if (i < 0 || i >= 98 || j < 0 || j >= 98) return; {body} }}\n"
    analysis = analyse(lower(parse(text, "a.c", options), options).program, AnalysisOptions())
    found = sites(analysis.program)
    assert found
    return {step for pair in analysis.races for site in pair for step in found[site].access.path[-1:]}


@pytest.mark.parametrize("name", FREE_NEW)
def test_nobody_knows_new_objects(name: str) -> None:
    assert not races(FREE_NEW[name])


@pytest.mark.parametrize("budgets", BUDGETS.values(), ids=BUDGETS)
@pytest.mark.parametrize("name", RACY_NEW)
def test_objects_that_others_know(name: str, budgets: Budgets) -> None:
    assert races(RACY_NEW[name], budgets) & {".x", ".y"}


@pytest.mark.parametrize("name", FREE)
def test_the_lock_beside_it_keeps_others_out(name: str) -> None:
    assert not races(FREE[name])


@pytest.mark.parametrize("budgets", BUDGETS.values(), ids=BUDGETS)
@pytest.mark.parametrize("name", RACY)
def test_other_locks_do_not(name: str, budgets: Budgets) -> None:
    assert races(RACY[name], budgets) & {".x", ".y", "[*]", "[3]"}


def test_that_threads_are_given_the_same_object_takes_no_other_round_of_lowering() -> None:
    text = """#include <pthread.h>
#include <stdlib.h>
struct job { int n; };
static void *work(void *p) { ((struct job *)p)->n++; return 0; }
int main(void) {
    pthread_t t[2];
    struct job *j = malloc(sizeof *j);
    if (!j) return 1;
    j->n = 0;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, j);
    return 0;
}
"""
    rounds: list[object] = []
    options = FrontendOptions(properties=("data-race",))
    found = lower(parse(text, "t.c", options), options, rounds.append)
    assert len(rounds) == 2
    assert analyse(found.program, AnalysisOptions(domain="interval")).races.members
