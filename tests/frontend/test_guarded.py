"""Pointers that are read of memory again while a lock is held under which alone others write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.test_rereads import proved

START = """
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
extern int any(void); extern void run(void (*)(void));
struct n { int key; struct n *next; };
static struct n b, *list, **pp = &list;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static jmp_buf env;
static void zero(void) { list->next = 0; }
static void clear(void *of) { list->next = 0; }
static void handler(int s) { list->next = 0; }
static void *third(void *of) { list->next = 0; return 0; }
static void *gives(void *of) { pthread_mutex_unlock(&m); return 0; }
static void deep(int n) { if (n) { deep(n - 1); return; } pthread_mutex_unlock(&m); pthread_mutex_lock(&m); }
"""
READER = """
static void *reader(void *of) {
  %s
  struct n *q = *pp; if (!q) return 0;
  pthread_mutex_lock(&m);
  if (q->next) { %s q->next->key = 1; }
  pthread_mutex_unlock(&m);
  return 0;
}
static void *other(void *of) { struct n *q = of; %s return 0; }
int main(void) {
  pthread_t x, y, z; struct n *h = calloc(1, sizeof *h); if (!h) return 1;
  h->next = &b; list = h; %s
  pthread_create(&x, 0, reader, 0); pthread_create(&y, 0, other, h); %s
  pthread_join(x, 0); pthread_join(y, 0);
}
"""
LOCKED = "pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);"
ZEROED = LOCKED % "q->next = 0;"
NEW = "struct n *z = malloc(sizeof *z); if (!z) return 0; z->next = %s;"
KEPT = {
    "under the lock": ("", "", ZEROED, "", ""),
    "a new one": ("", "", NEW % "0" + LOCKED % "z->next = list; list = z;", "", ""),
    "another lock taken": ("", "pthread_mutex_lock(&k);", ZEROED, "", ""),
    "by the first thread alone": ("", "", ZEROED, "h->next = 0; pthread_mutex_init(&m, 0);", ""),
}
LOST = {
    "no lock": ("", "", "q->next = 0;", "", ""),
    "another lock": ("", "", "pthread_mutex_lock(&k); q->next = 0; pthread_mutex_unlock(&k);", "", ""),
    "behind the lock": ("", "", LOCKED % "" + "q->next = 0;", "", ""),
    "given back in between": ("", "pthread_mutex_unlock(&m); pthread_mutex_lock(&m);", ZEROED, "", ""),
    "perhaps": ("", "if (any()) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); }", ZEROED, "", ""),
    "waits": ("", "pthread_cond_wait(&c, &m);", ZEROED, "", ""),
    "deep": ("", "deep(3);", ZEROED, "", ""),
    "by a pointer": (
        "pthread_mutex_t *z = any() ? &m : &k;",
        "pthread_mutex_unlock(z); pthread_mutex_lock(z);",
        ZEROED,
        "",
        "",
    ),
    "a jump": ("", "if (setjmp(env)) pthread_mutex_unlock(&m); else if (any()) longjmp(env, 1);", ZEROED, "", ""),
    "itself": ("", "list->next = 0;", "", "", ""),
    "tried in vain": ("", "", "pthread_mutex_trylock(&m); q->next = 0; pthread_mutex_unlock(&m);", "", ""),
    "given back by another one": ("", "", ZEROED, "", "pthread_create(&z, 0, gives, 0);"),
    "made anew": ("", "", "pthread_mutex_init(&m, 0);" + ZEROED, "", ""),
    "set to zero": ("", "", "memset(&m, 0, sizeof m);" + ZEROED, "", ""),
    "as bytes": ("", "", "char *s = (char *)q; for (int i = 0; i < 16; i++) s[i] = 0;", "", ""),
    "by the library": ("", "", "memset(q, 0, sizeof *q);", "", ""),
    "all of it": ("", "", "struct n z = {0, 0}; *q = z;", "", ""),
    "moved": ("", "", "struct n *z = q + 1; z[-1].next = 0;", "", ""),
    "called back": ("", "", "run(zero);", "", ""),
    "called back here": ("", "run(zero);", "", "", ""),
    "a handler": ("", "", "", "signal(SIGUSR1, handler);", "raise(SIGUSR1);"),
    "a third thread": ("", "", ZEROED, "", "pthread_create(&z, 0, third, 0);"),
    "the first thread": ("", "", ZEROED, "", "h->next = 0;"),
    "a destructor": ("", "", "pthread_setspecific(key, q);", "pthread_key_create(&key, clear);", ""),
    "at the end": ("", "", "exit(0);", "atexit(zero);", ""),
    "new, and shown": ("", "", NEW % "&b" + LOCKED % "list = z;" + "z->next = 0;", "", ""),
    "new, and shown by another": (
        "",
        "",
        "struct n *t[2]; " + NEW % "&b" + "t[1] = z;" + LOCKED % "list = t[1];" + "z->next = 0;",
        "",
        "",
    ),
}


@pytest.mark.parametrize("properties", [("null-dereference",), ("null-dereference", "data-race")], ids=["null", "both"])
@pytest.mark.parametrize("name", [*KEPT, *LOST])
def test_holders_of_a_lock_read_again_what_others_write_under_it(
    name: str, properties: tuple[str, ...], tmp_path: Path
) -> None:
    text = START + READER % (KEPT | LOST)[name]
    assert proved(text, tmp_path / "a.c", properties=properties)["reader"] == (name in KEPT)


TAILS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct item { int prio; struct item *next; };
static struct item *head, *tail;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *put(void *of) {
  struct item *i = malloc(sizeof *i); if (!i) return 0;
  %s i->next = 0;
  pthread_mutex_lock(&m);
  if (tail) tail->next = i; else head = i;
  tail = i;
  %s
  pthread_mutex_unlock(&m);
  return 0;
}
static void *take(void *of) {
  pthread_mutex_lock(&m);
  struct item *i = head; if (i && !(head = i->next)) tail = 0;
  pthread_mutex_unlock(&m);
  if (i) assert(i->prio == 1);
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, put, 0); pthread_create(&y, 0, take, 0); pthread_join(x, 0); pthread_join(y, 0);
}
"""


@pytest.mark.parametrize(("first", "later", "is_set"), [("i->prio = 1;", "", True), ("", "i->prio = 1;", False)])
def test_members_are_set_before_items_are_behind_a_tail(first: str, later: str, is_set: bool, tmp_path: Path) -> None:
    """The tail leads nowhere at first, where nothing is written then; the second program gives away items unset."""
    text = TAILS % (first, later if is_set else "")
    assert proved(text, tmp_path / "a.c", properties=("assertion",))["take"] == is_set


KEPT_BY_KEY = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct log { int level; };
static pthread_key_t key;
static void drop(void *p) { struct log *l = p; assert(%s); free(l); }
static void *run(void *of) {
  struct log *l = malloc(sizeof *l); if (!l) return 0;
  %s
  return 0;
}
int main(void) {
  pthread_t x, y; pthread_key_create(&key, drop);
  pthread_create(&x, 0, run, 0); pthread_create(&y, 0, run, 0); pthread_join(x, 0); pthread_join(y, 0);
}
"""
SET = "pthread_setspecific(key, l);"


@pytest.mark.parametrize(
    ("check", "body", "holds"),
    [
        ("l != 0", SET, True),
        ("l == 0", SET, False),
        ("l->level == 2", "l->level = 2;" + SET, True),
        ("l->level == 2", SET, False),
        ("l->level == 2", SET + "if (of) l->level = 2;", False),
        ("l->level == 2", "l->level = 2;" + SET + "l->level = 3;", False),
    ],
)
def test_destructors_have_what_was_kept(check: str, body: str, holds: bool, tmp_path: Path) -> None:
    found = proved(KEPT_BY_KEY % (check, body), tmp_path / "a.c", properties=("assertion",))
    assert found["drop"] == holds
