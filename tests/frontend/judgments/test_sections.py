"""Any number of clients that run one piece of code: does what a thread knows under a lock in an element stay so?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.accesses import HeldLock
from duet.plip.wellformed import violations

OPTIONS = FrontendOptions(entries=("client",), init="start", parameterized=True)
SHARED = replace(OPTIONS, budgets=Budgets(inlined_commands=-1, small_commands=-1))
START = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
struct item { pthread_mutex_t m; pthread_rwlock_t g; pthread_cond_t c; struct item *next; int x, y; struct pair p; };
static struct item items[LENGTH];
static pthread_mutex_t locks[LENGTH];
static int values[LENGTH];
static struct item *head;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static int *kept;
extern void unknown(struct item *);
void start(void) { for (int i = 0; i < LENGTH; i++) items[i].y = 1; }
static void publish(struct item *p) {
    pthread_mutex_lock(&list); p->next = head; head = p; pthread_mutex_unlock(&list);
}
static struct item *first(void) {
    pthread_mutex_lock(&list); struct item *p = head; pthread_mutex_unlock(&list); return p;
}
void client(void) {
    int i = rand() % LENGTH, j = rand() % LENGTH;
    struct item *p = &items[i];
    %s
}
"""
EITHER = (
    "if (i < j) { pthread_mutex_lock(&items[i].m); pthread_mutex_lock(&items[j].m); }"
    "else { pthread_mutex_lock(&items[j].m); pthread_mutex_lock(&items[i].m); }"
)
BACK = "pthread_mutex_unlock(&items[i].m); pthread_mutex_unlock(&items[j].m);"
KEPT = {
    "an element": "pthread_mutex_lock(&p->m); p->x = 5; p->x = i; assert(p->x == i); pthread_mutex_unlock(&p->m);",
    "bounds": (
        "pthread_mutex_lock(&items[i].m); if (items[i].x < 9) items[i].x++; assert(items[i].x <= 9);"
        "pthread_mutex_unlock(&items[i].m);"
    ),
    "what is set before": "pthread_mutex_lock(&p->m); assert(p->y >= 0 && p->y <= 1); pthread_mutex_unlock(&p->m);",
    "less for a while": (
        "pthread_mutex_lock(&p->m); p->x = -1; p->x = 3; pthread_mutex_unlock(&p->m);"
        "pthread_mutex_lock(&items[j].m); assert(items[j].x >= FEW); pthread_mutex_unlock(&items[j].m);"
    ),
    "arrays beside each other": (
        "pthread_mutex_lock(&locks[i]); values[i] = j; assert(values[i] == j); pthread_mutex_unlock(&locks[i]);"
    ),
    "to read": (
        "pthread_rwlock_rdlock(&p->g); int v = p->x; assert(v == p->x); pthread_rwlock_unlock(&p->g);"
        "pthread_rwlock_wrlock(&p->g); p->x++; pthread_rwlock_unlock(&p->g);"
    ),
    "after a wait": (
        "pthread_mutex_lock(&p->m); while (p->x == 0) { p->x = 7; pthread_cond_wait(&p->c, &p->m); } p->x = 2;"
        "assert(p->x == 2); pthread_mutex_unlock(&p->m);"
    ),
    "nodes": (
        "struct item *n = malloc(sizeof *n); if (!n) return; pthread_mutex_init(&n->m, 0); n->x = 1; publish(n);"
        "n = first(); pthread_mutex_lock(&n->m); assert(n->x >= 1); if (n->x < 4) n->x++; pthread_mutex_unlock(&n->m);"
    ),
    "two of them": (
        "if (i < j) { pthread_mutex_lock(&items[i].m); pthread_mutex_lock(&items[j].m); items[i].x = 1; items[j].x = 2;"
        "assert(items[i].x == 1); pthread_mutex_unlock(&items[j].m); pthread_mutex_unlock(&items[i].m); }"
    ),
    "in either order": f"if (i != j) {{ {EITHER} items[i].x = 1; items[j].x = 2; assert(items[i].x == 1); {BACK} }}",
}
LOCKED = "pthread_mutex_lock(&p->m); p->x = 5;"
TESTED = "assert(p->x == 5); pthread_mutex_unlock(&p->m);"
BESIDE = "pthread_mutex_lock(&items[j].m); items[j].x = 3; pthread_mutex_unlock(&items[j].m);"
OPEN = {
    "written without": f"{LOCKED} {TESTED} items[j].x = 3;",
    "another index": f"{LOCKED} i = j; items[i].x = 5; assert(items[i].x == 5); pthread_mutex_unlock(&p->m); {BESIDE}",
    "two functions": (
        "if (i + 1 < LENGTH) { pthread_mutex_lock(&p->m); items[i + 1].x = 5; assert(items[i + 1].x == 5);"
        f"pthread_mutex_unlock(&p->m); }} {BESIDE}"
    ),
    "given back": f"{LOCKED} pthread_mutex_unlock(&p->m); pthread_mutex_lock(&p->m); {TESTED} {BESIDE}",
    "a wait": f"{LOCKED} pthread_cond_wait(&p->c, &p->m); {TESTED} {BESIDE}",
    "a wait perhaps": f"{LOCKED} if (j) pthread_cond_wait(&p->c, &p->m); {TESTED} {BESIDE}",
    "taken perhaps": f"int k = j; if (k) pthread_mutex_lock(&p->m); p->x = 5; assert(p->x == 5); {BESIDE}",
    "tried": f"pthread_mutex_trylock(&p->m); p->x = 5; {TESTED} {BESIDE}",
    "either of two": (
        "if (i < j) { pthread_mutex_lock(&items[i].m); pthread_mutex_lock(&items[j].m); p = rand() ? p : items + j;"
        "items[i].x = 5; p->x = 7; assert(items[i].x == 5); }"
    ),
    "in either order, the other one": (
        f"if (i != j) {{ {EITHER} items[i].x = 1; items[j].x = 2; assert(items[j].x == 1); {BACK} }}"
    ),
    "in either order, one given back": (
        f"if (i != j) {{ {EITHER} items[i].x = 1; pthread_mutex_unlock(&items[i].m); pthread_mutex_lock(&items[i].m);"
        f"assert(items[i].x == 1); items[i].x = 3; {BACK} }}"
    ),
    "in either order, another one": (
        f"int k = rand() % LENGTH; if (i != j && j != k && i != k) {{ {EITHER.replace('else', 'else if (k)')}"
        f"else {{ pthread_mutex_lock(&items[k].m); pthread_mutex_lock(&items[i].m); }}"
        "items[i].x = 1; items[j].x = 2; assert(items[j].x == 2); }"
    ),
    "the same twice": (
        "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 1);"
        f"pthread_mutex_init(&items[j].m, &a); {LOCKED} pthread_mutex_lock(&items[j].m); items[j].x = 3; {TESTED}"
    ),
    "refused": (
        "pthread_rwlock_wrlock(&p->g); p->x = 5; if (pthread_rwlock_wrlock(&items[j].g)) items[j].x = 6;"
        "assert(p->x == 5);"
    ),
    "written by readers": "pthread_rwlock_rdlock(&p->g); p->x = i; assert(p->x == i); pthread_rwlock_unlock(&p->g);",
    "seen between": f"{LOCKED} p->x = 6; pthread_mutex_unlock(&p->m); assert(items[j].x != 5);",
    "left locked": f"{LOCKED} if (j) return; p->x = 6; pthread_mutex_unlock(&p->m); assert(items[j].x != 5);",
    "through another pointer": f"{LOCKED} if (kept) *kept = 3; {TESTED} kept = &items[j].x;",
    "all bytes": f"{LOCKED} memset(&p->x, 0, sizeof p->x); {TESTED}",
    "a structure": "struct pair q = {1, 2}; pthread_mutex_lock(&p->m); p->p.a = 5; p->p = q; assert(p->p.a == 5);",
    "unknown code": f"{LOCKED} unknown(p); {TESTED}",
    "two arrays of locks": (
        "pthread_mutex_lock(&locks[i]); values[i] = 5; assert(values[i] == 5); pthread_mutex_unlock(&locks[i]);"
        "pthread_mutex_lock(&items[j].m); values[j] = 3; pthread_mutex_unlock(&items[j].m);"
    ),
    "nodes that others know": (
        "p = malloc(sizeof *p); if (!p) return; pthread_mutex_init(&p->m, 0); p->x = 5; publish(p); p->x = 7;"
        f"p = first(); {LOCKED} {TESTED}"
    ),
    "nodes that nobody has set": (
        "p = malloc(sizeof *p); if (!p) return; pthread_mutex_init(&p->m, 0); publish(p); p = first();"
        "pthread_mutex_lock(&p->m); assert(p->x >= 1); p->x = 1; pthread_mutex_unlock(&p->m);"
    ),
}


def are_proved(code: str, length: int, options: FrontendOptions = OPTIONS) -> bool:
    text = START.replace("%s", code).replace("LENGTH", str(length)).replace("FEW", "-1" if length < 9 else "0")
    program = lower(parse(text, "a.c", options), options).program
    statuses = tuple(analyse(program, AnalysisOptions(domain="octagon")).statuses)
    assert statuses
    return all(status.is_safe for status in statuses)


@pytest.mark.parametrize("length", [3, 40])
@pytest.mark.parametrize("code", KEPT.values(), ids=KEPT.keys())
def test_what_a_thread_knows_under_the_lock_of_an_element_stays_so(code: str, length: int) -> None:
    assert are_proved(code, length)


@pytest.mark.parametrize(
    ("code", "length"),
    [(code, 3 if number % 2 else 40) for number, code in enumerate(OPEN.values())],
    ids=OPEN.keys(),
)
def test_what_others_may_change_is_not_known(code: str, length: int) -> None:
    assert not are_proved(code, length)
    assert not are_proved(code, length, SHARED)


@pytest.mark.parametrize(
    ("rule", "wrong", "code"),
    [
        (
            "sections._Copies._stores",  # nothing is put back
            lambda *_: iter(()),
            f"{LOCKED} pthread_mutex_unlock(&p->m); pthread_mutex_lock(&p->m); assert(p->x != 5);",
        ),
        ("families.Thread.is_quiet", lambda *_: True, OPEN["written without"]),  # nobody else writes
        (
            "families.held_locks",  # any lock will do
            lambda here, _: [(HeldLock(False, Fraction(1), Fraction(0)), taking) for taking in here.locks],
            OPEN["another index"],
        ),
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], code: str) -> None:
    assert not are_proved(code, 40)
    with patch(f"duet.frontend.judgments.{rule}", wrong):
        assert are_proved(code, 40)


def test_a_lock_that_is_that_of_no_element_puts_nothing_back() -> None:
    text = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t locks[4]; int values[3], go, done;
void *one(void *unused) {
    int i = rand() % 4;
    if (i < 3) return 0;
    pthread_mutex_lock(&locks[i]); go = 1;
    while (!done) ;
    if (i < 3) { values[i] = 5; if (values[i] > 7) done = 2; }
    pthread_mutex_unlock(&locks[i]); return 0;
}
void *other(void *unused) {
    while (!go) ;
    pthread_mutex_lock(&locks[2]); values[2] = 7; pthread_mutex_unlock(&locks[2]);
    done = 1; return 0;
}
int main(void) {
    pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, other, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    int j = rand() % 3;
    pthread_mutex_lock(&locks[j]); assert(j != 2 || values[j] != 7); pthread_mutex_unlock(&locks[j]); return 0;
}
"""
    program = lower(parse(text, "a.c", FrontendOptions()), FrontendOptions()).program
    assert not any(status.is_safe for status in analyse(program, AnalysisOptions(domain="interval")).statuses)


def test_threads_of_one_function_have_copies_of_their_own() -> None:
    text = """
#include <assert.h>
#include <pthread.h>
struct item { pthread_mutex_t m; int x; } items[3];
int numbers[2] = {0, 1};
void *run(void *argument) {
    int i = *(int *)argument;
    pthread_mutex_lock(&items[i].m); items[i].x = 6 + i;
    struct item *next = &items[i + 1];
    pthread_mutex_lock(&next->m); if (next->x < 5) next->x++; pthread_mutex_unlock(&next->m);
    assert(items[i].x != 7); assert(items[i].x >= 6);
    pthread_mutex_unlock(&items[i].m); return 0;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, run, &numbers[0]); pthread_create(&other, 0, run, &numbers[1]); return 0;
}
"""
    program = lower(parse(text, "a.c", FrontendOptions()), FrontendOptions()).program
    assert not violations(program)
    found = analyse(program, AnalysisOptions(domain="interval")).statuses
    assert [status.is_safe for status in found] == [False, True]
