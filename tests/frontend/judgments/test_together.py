"""Any number of clients that run one piece of code: do the members of each of many elements belong together?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.terms import constant

OPTIONS = FrontendOptions(entries=("client",), init="start", parameterized=True)
SHARED = replace(OPTIONS, budgets=Budgets(inlined_commands=-1, small_commands=-1))
START = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct item { pthread_mutex_t m, g; pthread_cond_t c; struct item *next; int x, y, size; };
static struct item items[40] STATIC;
static pthread_mutex_t locks[40];
static int left[40], right[40];
static struct item *head;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static int *kept;
static void lock(struct item *p) { pthread_mutex_lock(&p->m); }
static void unlock(struct item *p) { pthread_mutex_unlock(&p->m); }
static void publish(struct item *p) {
    pthread_mutex_lock(&list); p->next = head; head = p; pthread_mutex_unlock(&list);
}
static struct item *first(void) {
    pthread_mutex_lock(&list); struct item *p = head; pthread_mutex_unlock(&list); return p;
}
void start(void) { BEFORE }
void client(void) {
    int i = rand() % 40, j = rand() % 40;
    struct item *p = &items[i];
    CLIENT
}
"""
SET = "for (int i = 0; i < 40; i++) { struct item *p = &items[i]; p->size = i; p->x = i; }"
MOVED = "lock(p); if (p->x > 0) { p->x--; p->y++; } assert(p->x + p->y == p->size); unlock(p);"
MADE = "struct item *n = malloc(sizeof *n); if (!n) return; pthread_mutex_init(&n->m, 0);"
BOTH = "lock(p); p->x++; p->y++; assert(p->x == p->y); unlock(p);"
KEPT = {
    "a sum": (SET, MOVED),
    "an order": (
        "for (int i = 0; i < 40; i++) items[i].size = 1 + i % 3;",
        "lock(p); if (p->x < p->size) p->x++; assert(p->x <= p->size); unlock(p);"
        "lock(&items[j]); if (items[j].x > 0) items[j].x--; unlock(&items[j]);",
    ),
    "less for a while": ("", "lock(p); p->x++; p->y++; p->y++; p->y--; assert(p->x == p->y); unlock(p);"),
    "a wait": (SET, f"{MOVED} lock(p); while (p->x == 3) pthread_cond_wait(&p->c, &p->m); unlock(p);"),
    "arrays beside each other": (
        "for (int i = 0; i < 40; i++) { left[i] = 5; right[i] = 5; }",
        "pthread_mutex_lock(&locks[i]); left[i]++; right[i]++; assert(left[i] == right[i]);"
        "pthread_mutex_unlock(&locks[i]);",
    ),
    "nodes": (
        "",
        f"{MADE} n->size = j; n->x = j; n->y = 0; publish(n); p = first(); {MOVED}",
    ),
    "two of them": (
        SET,
        f"if (i < j) {{ struct item *q = &items[j]; lock(p); lock(q); if (p->x > 0 && q->y > 0) {{ p->x--; q->y--;"
        f"p->y++; q->x++; }} assert(p->x + p->y == p->size); unlock(q); unlock(p); }} {MOVED}",
    ),
}
OPEN = {
    "one of them only": ("", f"{BOTH} lock(p); p->x++; unlock(p);"),
    "in two sections": ("", f"{BOTH} lock(p); p->x++; unlock(p); lock(p); p->y++; unlock(p);"),
    "in different elements": ("", f"{BOTH} if (i < j) {{ lock(p); lock(&items[j]); p->x++; items[j].y++; }}"),
    "a wait between": ("", f"{BOTH} lock(p); p->x++; pthread_cond_wait(&p->c, &p->m); p->y++; unlock(p);"),
    "without a lock": ("", f"{BOTH} p->x++; p->y++;"),
    "two locks": (
        "",
        "lock(p); p->x++; unlock(p); pthread_mutex_lock(&p->g); p->y++; pthread_mutex_unlock(&p->g);"
        "lock(p); pthread_mutex_lock(&p->g); assert(p->x == p->y);",
    ),
    "one element that is set": ("items[3].x = 1;", BOTH),
    "another element": ("for (int i = 1; i < 40; i++) { items[i].x = 1; items[rand() % 40].y = 1; }", BOTH),
    "perhaps another one": (
        "struct item *p = items, *q = &items[rand() % 40]; p->x = 1; q->y = 1; p->y = 1;",
        BOTH,
    ),
    "the same by another name": (
        "struct item *p = items, *q = &items[rand() % 2]; p->x = 1; q->x = 2; p->y = 1;",
        BOTH,
    ),
    "a pointer that moves": ("struct item *p = items; p->x = 1; p++; p->y = 1;", BOTH),
    "an index that moves": ("int k = rand() % 39; items[k].x = 1; k++; items[k].y = 1;", BOTH),
    "left early": ("for (int i = 0; i < 40; i++) { items[i].x = 1; if (i == 7) break; items[i].y = 1; }", BOTH),
    "on one way": ("for (int i = 0; i < 40; i++) { items[i].x = 1; if (rand()) items[i].y = 1; }", BOTH),
    "all bytes": ("memset(&items[2].x, 1, sizeof items[2].x);", BOTH),
    "through a pointer": ("int *v = &items[2].x; *v = 7;", BOTH),
    "copied": ("items[1].x = 2; items[1].y = 2; items[2].x = items[1].x; items[3] = items[2];", BOTH),
    "in one section of the first thread": (
        "struct item *p = items; p->x = 1; p->y = 1; lock(p); assert(p->x + p->y == 0); unlock(p);",
        BOTH,
    ),
    "under the lock": ("struct item *p = items; lock(p); p->x = 1; unlock(p);", BOTH),
    "around a lock": ("struct item *p = items; p->x = 1; lock(p); p->y = 1; unlock(p); p->x = 2;", BOTH),
    "known from outside": ("kept = &items[0].y;", f"{BOTH} if (kept) *kept = 3;"),
    "a structure": ("", f"{BOTH} struct item q = items[j]; lock(p); p->x = q.x; p->y = q.y; unlock(p);"),
    "nodes that were shown too early": ("", f"{MADE} n->x = 1; publish(n); n->y = 1; p = first(); {BOTH}"),
    "nodes that are set later": (
        "",
        f"{MADE} n->x = 1; n->y = 0; publish(n); lock(n); n->y = 1; unlock(n); p = first(); {BOTH}",
    ),
    "nodes that nobody has set": ("", f"{MADE} publish(n); p = first(); {BOTH}"),
    "nodes of zeros": (
        "",
        "struct item *n = calloc(1, sizeof *n); if (!n) return; pthread_mutex_init(&n->m, 0); n->x = 1; publish(n);"
        f"p = first(); {BOTH}",
    ),
    "nodes of which one is another": (
        "",
        f"{MADE} n->x = 1; n->y = 1; struct item *o = rand() ? n : first(); if (!o) return; o->y = 2; publish(n);"
        f"p = first(); {BOTH}",
    ),
    "half of the nodes": (
        "for (int i = 0; i < 30; i++) { struct item *n = malloc(sizeof *n); if (!n) return; n->x = i; n->y = i;"
        "n->next = head; head = n; } for (struct item *n = head; n; n = n->next) n->x = 2;",
        f"p = first(); if (!p) return; {BOTH}",
    ),
    "three times as much": ("", "lock(p); p->x++; p->y += 2; assert(p->x == p->y); unlock(p);"),
    "less for a while": ("", f"{BOTH} lock(p); p->x++; if (j) return; p->y++; unlock(p); lock(p); assert(p->x <= 5);"),
}

MAIN = """
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct item { pthread_mutex_t m; int x, y; } items[40];
pthread_t a, b, c;
void both(struct item *p) { pthread_mutex_lock(&p->m); p->x++; p->y++; pthread_mutex_unlock(&p->m); }
void *one(void *unused) { both(&items[rand() % 40]); return 0; }
void *late(void *unused) {
    struct item *p = &items[rand() % 40]; both(p);
    pthread_mutex_lock(&p->m); p->x++; if (rand()) return 0; p->y++; pthread_mutex_unlock(&p->m); return 0;
}
void *parent(void *unused) { pthread_create(&c, 0, one, 0); both(items); return 0; }
void start(void *run(void *)) { pthread_create(&b, 0, run, 0); }
int main(void) {
    pthread_create(&a, 0, one, 0);
    AFTER
    for (int i = 0; i < 40; i++) { struct item *p = &items[i]; if (p->x) assert(p->x == p->y); }
    return 0;
}
"""
ENDED = {
    "one thread": "pthread_join(a, 0);",
    "two phases": "pthread_join(a, 0); items[3].x = 7; items[3].y = 7; start(one); both(items); pthread_join(b, 0);",
}
NOT_ENDED = {
    "nobody waits": "both(items);",
    "another one is waited for": "start(one); pthread_join(b, 0);",
    "only on one way": "if (rand()) pthread_join(a, 0);",
    "for some time": "pthread_tryjoin_np(a, 0);",
    "a second one is started": "pthread_join(a, 0); start(one);",
    "on one way a second one is": "pthread_join(a, 0); if (rand()) start(one);",
    "it has started another one": "pthread_join(a, 0); start(parent); pthread_join(b, 0);",
    "many": "for (int i = 0; i < 30; i++) start(one); pthread_join(a, 0); pthread_join(b, 0);",
    "it keeps the lock": "pthread_join(a, 0); start(late); pthread_join(b, 0);",
    "the first thread is alone": "pthread_join(a, 0); items[3].x = 7; start(one); both(items); pthread_join(b, 0);",
    "in a handler": "atexit((void (*)(void))one); pthread_join(a, 0); items[3].y = 1;",
}


def are_proved(before: str, client: str, options: FrontendOptions = OPTIONS, static: str = "") -> bool:
    text = START.replace("BEFORE", before).replace("CLIENT", client).replace("STATIC", static)
    program = lower(parse(text, "a.c", options), options).program
    statuses = tuple(analyse(program, AnalysisOptions(domain="octagon")).statuses)
    assert statuses
    return all(status.is_safe for status in statuses)


@pytest.mark.parametrize(("before", "client"), KEPT.values(), ids=KEPT.keys())
def test_what_members_say_of_each_other_stays_so(before: str, client: str) -> None:
    assert are_proved(before, client)


@pytest.mark.parametrize(("before", "client"), OPEN.values(), ids=OPEN.keys())
def test_what_does_not_belong_together_is_not_known(before: str, client: str) -> None:
    assert not are_proved(before, client)
    assert not are_proved(before, client, SHARED)


@pytest.mark.parametrize(
    ("rule", "wrong", "case"),
    [
        ("together._ends", lambda *_: False, "an index that moves"),  # stretches do not end
        ("families.Thread.lock_of", lambda *_: constant(0), "another element"),  # all elements are one
        ("sections._Copies._with", lambda *_: [], "one of them only"),  # what is left is not noted
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], case: str) -> None:
    with patch(f"duet.frontend.judgments.{rule}", wrong):
        assert are_proved(*OPEN[case])


def are_equal_at_the_end(after: str) -> bool:
    program = lower(parse(MAIN.replace("AFTER", after), "a.c", FrontendOptions()), FrontendOptions()).program
    statuses = tuple(analyse(program, AnalysisOptions(domain="octagon")).statuses)
    assert statuses
    return all(status.is_safe for status in statuses)


@pytest.mark.parametrize("after", ENDED.values(), ids=ENDED.keys())
def test_when_all_have_ended_the_first_thread_is_alone(after: str) -> None:
    assert are_equal_at_the_end(after)


def test_that_threads_may_run_is_looked_at() -> None:
    with patch("duet.frontend.cells.ownership.between", lambda commands, *_: {it.source for it in commands}):
        assert are_equal_at_the_end(NOT_ENDED["nobody waits"])


@pytest.mark.parametrize("after", NOT_ENDED.values(), ids=NOT_ENDED.keys())
def test_while_others_may_run_it_is_not(after: str) -> None:
    assert not are_equal_at_the_end(after)


def test_elements_that_begin_otherwise() -> None:
    assert not are_proved("", BOTH, static="= {[3] = {.x = 1}}")
