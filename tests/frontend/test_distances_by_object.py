"""How far into which of its objects a pointer leads: to the list in one structure, and to the next node in others."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.ctypes.origins import Origins
from duet.frontend.judgments.pointers import Pointers
from tests.frontend.running import are_proved

START = """#include <assert.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { int fd, id; struct node *next, *other; long n; } *row[4];
struct { int a; long d; struct node *name; int e[4]; struct node *first, *last; } all;
int any(void); void give(struct node **); struct node **got(void); jmp_buf back;
struct node **kept, **table[2]; struct holder { struct node **in; } *made;
struct node *make(void) { struct node *c = malloc(sizeof *c); if (!c) exit(1); memset(c, 0, sizeof *c); return c; }
void set(struct node ***to, struct node **it) { *to = it; }
struct node **end(struct node **p) { while (*p) p = &(*p)->next; return p; }
struct node **pick(struct node *c) { return any() ? &all.last : &c->other; }
int main(void) {
  struct node *c = make(), *d = make(), **p = &all.first, **q = &all.last; struct holder h = {q}, k; uintptr_t n;
  union { struct node **p; char *b; } u; c->n = 5;
"""
AND = "if (any()) p = &c->next; "
TRUE = {
    "a list that is pruned": "while (any()) { c = make(); c->next = all.first; all.first = c; }"
    " for (p = &all.first, c = *p; c; c = *p) if (c->fd == -1) { *p = c->next; free(c); }"
    " else p = &c->next; assert(!all.last && !all.name);",
    "a list with one more": "while (*p) p = &(*p)->next; *p = c; assert(!all.last && !all.name && !c->other);",
    "one of two": AND + "*p = d; assert(!all.last && !all.name && !c->other);",
}
FAILING = {
    "another member": AND + "if (any()) p = &all.last; *p = c; assert(!all.last);",
    "another member of a node": AND + "if (any()) p = &c->other; *p = c; assert(!c->other);",
    "moved": AND + "p++; *p = c; assert(!all.last);",
    "moved in a node": AND + "p++; *p = c; assert(!c->other);",
    "moved for an access": AND + "p[1] = c; assert(!all.last);",
    "moved for an access to a node": AND + "p[1] = c; assert(!c->other);",
    "moved back": "p = &all.last; if (any()) p = &c->other; p--; *p = c; assert(!c->next);",
    "moved step by step": AND + "while (any()) p++; *p = c; assert(!all.last);",
    "moved step by step in a node": AND + "while (any()) p++; *p = c; assert(!c->other);",
    "moved by bytes": AND + "p = (struct node **)((char *)p + 8); *p = c; assert(!all.last);",
    "moved by bytes in a node": AND + "p = (struct node **)((char *)p + 8); *p = c; assert(!c->other);",
    "what is around it": AND + "d = (struct node *)((char *)p - 8); if (d == c) d->n = 7; assert(c->n == 5);",
    "as a node": AND + "((struct node *)p)->next = c; assert(!c->n);",
    "by its address": AND + "set(&p, any() ? &all.last : p); *p = c; assert(!all.last);",
    "by its address, as bytes": AND + "if (any()) memcpy(&p, &q, sizeof p); *p = c; assert(!all.last);",
    "by its address, as another type": AND + "if (any()) *(char **)&p = (char *)q; *p = c; assert(!all.last);",
    "of a structure": AND + "k = h; if (any()) p = k.in; *p = c; assert(!all.last);",
    "of the heap": "made = malloc(sizeof *made); if (!made) return 0; made->in = any() ? &all.last : &all.name;"
    + AND
    + "if (any()) p = made->in; *p = c; assert(!all.last);",
    "of an array": "table[0] = q; table[1] = &all.name;"
    + AND
    + "if (any()) p = table[any() & 1]; *p = c; assert(!all.last);",
    "of a global": "kept = any() ? q : p;" + AND + "if (any()) p = kept; *p = c; assert(!all.last);",
    "of a union": "u.b = (char *)q;" + AND + "if (any()) p = u.p; *p = c; assert(!all.last);",
    "of a function": AND + "if (any()) p = pick(c); *p = c; assert(!all.last);",
    "of a function, in a node": AND + "if (any()) p = pick(c); *p = c; assert(!c->other);",
    "the end of a list": "all.first = c; p = end(p); *p = d; assert(!c->next);",
    "the start of a list": "p = end(p); *p = d; assert(!all.first);",
    "of code that is not there": AND + "give(q); if (any()) p = got(); *p = c; assert(!all.last);",
    "of a number": AND + "n = (uintptr_t)q; if (any()) p = (struct node **)n; *p = c; assert(!all.last);",
    "a choice": "p = any() ? q : any() ? &c->next : &c->other; *p = c; assert(!c->other);",
    "before a jump": AND + "if (setjmp(back)) { *q = c; assert(!c->next); } q = &c->next; if (any()) longjmp(back, 1);",
    "an element": AND + "if (any()) p = &row[any() & 3]; *p = c; assert(!row[2]);",
    "an element that it is moved to": AND + "if (any()) { p = row; p += any() & 3; } *p = c; assert(!row[2]);",
    "read": "all.last = d;" + AND + "if (any()) p = &all.last; assert(!*p);",
    "read of a node": "c->other = d; if (any()) p = &c->other; assert(!*p);",
    "many nodes": "struct node *m[9]; for (int i = 0; i < 9; i++) m[i] = make();"
    + " ".join(f"if (any()) p = &m[{at}]->next;" for at in range(8))
    + "if (any()) p = &m[8]->other; *p = c; assert(!m[8]->other);",
}
LIST = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct item { int id; long n; struct item *next; } *other;
struct list { int count; struct item *head, *last; } *list;
int any(void); struct item **away = &other, *spare;
void *second(void *arg) { return arg; }
struct item *add(struct list *l) {
  struct item **slot = &l->head, **before; char *bytes; pthread_t t;
  while (*slot) slot = &(*slot)->next;
  *slot = malloc(sizeof **slot); if (!*slot) exit(1);
  (*slot)->n = 5; (*slot)->next = 0; MORE
  return *slot;
}
int main(void) {
  struct item *it; list = calloc(1, sizeof *list); if (!list) return 1;
  it = add(list); it = add(list); %s return 0; }
"""
WALKED = {
    "appended to": ("", "assert(!other && !list->last);"),
    "by a thread": ("pthread_create(&t, 0, second, l);", "assert(!other && !list->last);"),
}
ASTRAY = {
    "another list": ("", "away = &list->last; *away = it; assert(!list->last);"),
    "another member": ("if (any()) slot = &l->last; *slot = spare;", "assert(!list->last || list->last == it);"),
    "what is no list": ("if (any()) slot = &other; *slot = *away = l->head;", "assert(!other);"),
    "a number": (
        "before = slot; if (any()) slot = (struct item **)&l->head->n; *slot = 0; slot = before;",
        "assert(it->n);",
    ),
    "the member in front": ("before = slot; slot--; *slot = 0; slot = before;", "assert(it->n == 5);"),
    "bytes": ("bytes = (char *)slot; bytes[-8] = 0; ", "assert(it->n == 5);"),
    "copied bytes": (
        "before = (struct item **)&l->head->n; memcpy(&slot, &before, 8); *slot = 0; slot = &spare;",
        "assert(list->head->n == 5);",
    ),
    "kept": ("away = slot;", "*away = list->last; assert(list->head);"),
    "of an item that is freed": ("", "free(list->head); list->head = 0; it = add(list); assert(list->head->next);"),
}


def is_found(source: Path, body: str) -> bool:
    return are_proved(source, f"{START} {body} return 0; }}\n", ("assertion",), "interval")


def is_found_in_list(source: Path, more: str, body: str) -> bool:
    return are_proved(source, LIST.replace("MORE", more) % body, ("assertion",), "interval")


@pytest.mark.parametrize("name", WALKED)
def test_where_a_pointer_is_walked_to_is_not_followed_before_it_is_known(tmp_path: Path, name: str) -> None:
    assert is_found_in_list(tmp_path / "a.c", *WALKED[name])


@pytest.mark.parametrize("name", ASTRAY)
def test_where_else_a_pointer_is_walked_to_is_seen(tmp_path: Path, name: str) -> None:
    assert not is_found_in_list(tmp_path / "a.c", *ASTRAY[name])


@pytest.mark.parametrize("name", TRUE)
def test_a_pointer_leads_to_the_list_in_one_and_to_the_next_one_in_others(tmp_path: Path, name: str) -> None:
    assert is_found(tmp_path / "a.c", TRUE[name])


@pytest.mark.parametrize("name", FAILING)
def test_where_else_a_pointer_may_lead_is_seen(tmp_path: Path, name: str) -> None:
    assert not is_found(tmp_path / "a.c", FAILING[name])


def test_it_is_noticed_when_only_the_first_that_is_written_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Pointers._pair

    def pair(self: Pointers, cell: str, origins: Origins) -> None:
        if not any(of for of, _ in self.paired.get(cell, ())):
            record(self, cell, origins)

    monkeypatch.setattr(Pointers, "_pair", pair)
    monkeypatch.setattr("duet.frontend.judgments.pointers.distances", lambda _: ())
    assert is_found(tmp_path / "a.c", FAILING["another member"])
