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


def is_found(source: Path, body: str) -> bool:
    return are_proved(source, f"{START} {body} return 0; }}\n", ("assertion",), "interval")


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
