"""How far behind the start of its object a pointer leads says which part it means, also where others of its type are.

What may lead to the start as well, was moved byte by byte, or was given to code that is not there, may mean others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.cells import distances
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions

START = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct t { int x, y; };
struct s { int a; char c, text[4]; struct t t; int b; struct t row[3]; struct s *next; int *q; } g, *where = &g;
struct pair { struct t one, two; } p, *pairs = &p;
struct node { int key; struct node *next; } *first;
int x, any(void);
void take(void *), keep(void *);
void *given(void);
struct far { int x; } far_one;
static void set(void *what) { ((struct t *)what)->x = 5; }
static void number(int *what) { *what = 5; }
static struct s *made(void) {
  struct s *s = calloc(1, sizeof *s);
  if (!s) exit(1);
  return s;
}
static struct node *new(int key) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->key = key; n->next = 0;
  return n;
}
int main(int count, char **arguments) {
  struct s l = {0}, *s = made(), *one = made();
"""
TRUE = {
    "a member by another pointer": "set(&g.t); assert(g.a == 0);",
    "a member of a local": "set(&l.t); assert(l.a == 0 && l.b == 0);",
    "a member of the heap": "set(&s->t); assert(s->a == 0 && s->b == 0);",
    "a number among others": "number(&s->b); assert(s->a == 0);",
    "a number of a global": "number(&g.b); assert(g.a == 0);",
    "an element": "set(&g.row[count & 1]); assert(g.t.x == 0 && g.a == 0);",
    "a member by bytes": "char *p = (char *)&g.t; set(p); assert(g.a == 0);",
    "the first one": "set(&p.one); assert(p.two.x == 0);",
    "the second one": "set(&p.two); assert(p.one.x == 0);",
    "around a member": """struct s *r = (struct s *)((char *)&s->t - __builtin_offsetof(struct s, t));
      r->b = 5; assert(s->a == 0);""",
    "a list by the address of its links": """
      for (int i = 0; i < count; i++) {
        struct node *n = new(i), **at = &first;
        while (*at && (*at)->key < n->key) at = &(*at)->next;
        n->next = *at; *at = n;
      }
      if (first) { g.a = 1; first->key = 7; }
      assert(g.a <= 1 && x == 0);""",
}
FALSE = {
    "the start as well": "set(count ? (void *)&g.t : (void *)&g); assert(g.a == 0);",
    "the start as well, of the heap": "set(count ? (void *)&s->t : (void *)s); assert(s->a == 0);",
    "the start as well, by a variable": "void *v = &s->t; if (count) v = s; set(v); assert(s->a == 0);",
    "the start as well, in memory": "void *v[2] = {&s->t, s}; set(v[count & 1]); assert(s->a == 0);",
    "the start, of another object before": "void *v = &one->t; set(v); v = s; set(v); assert(s->a == 0);",
    "it was set": "set(&s->t); assert(s->t.x == 0);",
    "it was set, the start": "set(s); assert(s->a == 0);",
    "the second one": "set(count ? &p.one : &p.two); assert(p.two.x == 0);",
    "the second one, moved there": "struct t *t = &p.one; t += 1; t->x = 5; assert(p.two.x == 0);",
    "bytes that were moved": "char *p = (char *)s; p[__builtin_offsetof(struct s, b)] = 5; assert(s->b == 0);",
    "bytes that a variable chooses": "char *p = (char *)s; p[count] = 5; assert(s->a == 0);",
    "bytes of each": """for (int i = 0; i < count; i++) {
        struct far { char c; int n; } *f = calloc(1, sizeof *f);
        if (!f) return 1;
        char *p = (char *)f; p[count + 3] = 5; assert(f->n == 0); }""",
    "the start of each": """for (int i = 0; i < count; i++) {
        struct s *r = made(); void *v = count > 3 ? (void *)&r->t : (void *)r; set(v); assert(r->a == 0); }""",
    "the start of each, as bytes": """for (int i = 0; i < count; i++) {
        struct s *r = made(); char *v = (char *)&r->t; if (count > 3) v = (char *)r; set(v); assert(r->a == 0); }""",
    "a member behind a smaller object": """struct t *two = (struct t *)malloc(sizeof(int)); if (!two) return 1;
        void *v = count ? (void *)two : (void *)&g.t; two->x = 1; set(v); assert(two->x == 1);""",
    "moved from both": "char *p = count ? (char *)&s->t : (char *)s; p += 4; p -= 4; set(p); assert(s->a == 0);",
    "moved from both, on": """char *p = count ? (char *)s : (char *)&s->t;
      p += __builtin_offsetof(struct s, b); number((int *)p); assert(s->b == 0);""",
    "backwards": "char *p = (char *)&s->t; p -= __builtin_offsetof(struct s, t); set(p); assert(s->a == 0);",
    "by negative indices": "int *n = &g.b; n[-1] = 5; assert(g.t.y == 0);",
    "an address that is a number": "set((void *)((unsigned long)&s->t & ~15ul)); assert(s->a == 0);",
    "copied bytes": "void *v = &s->t, *w = s; memcpy(&v, &w, sizeof v); set(v); assert(s->a == 0);",
    "byte by byte": """void *v = &s->t, *w = s;
      for (unsigned i = 0; i < sizeof v; i++) ((char *)&v)[i] = ((char *)&w)[i];
      set(v); assert(s->a == 0);""",
    "in a union": "union { void *v; struct t *t; } u; u.v = s; if (count) u.t = &s->t; set(u.t); assert(s->a == 0);",
    "who was given it": "keep(&s->t); void *v = given(); set(v); assert(s->a == 0);",
    "who was given where it is": "void *v = &s->t; keep(&v); set(v); assert(s->a == 0);",
    "who was given where it is, in bytes": """long v = (long)&s->t; keep(&v); number((int *)v);
      assert(s->a == 0);""",
    "what a search finds": "char *f = memchr(g.text, 'x', 4); if (f) *f = 1; assert(g.text[1] == 0);",
    "what a search in all finds": "int *f = memchr(&g.t, 0, 8); if (f) *f = 5; assert(g.t.y == 0);",
    "allocated anew": "void *v = &s->t; v = realloc(s, sizeof *s); if (v) { set(v); s = v; assert(s->a == 0); }",
    "returned": "struct s *r = made(); void *v = &r->t; v = made(); set(v); assert(((struct s *)v)->a == 0);",
    "a list by the address of its links": """
      struct node *n = new(1), **at = &first;
      while (*at && (*at)->key < n->key) at = &(*at)->next;
      n->next = *at; *at = n;
      assert(first == 0);""",
    "in a list by the address of its links": """
      first = new(0); first->next = new(2);
      struct node *n = new(1), **at = &first;
      while (*at && (*at)->key < n->key) at = &(*at)->next;
      n->next = *at; *at = n;
      assert(first->next->key == 2);""",
    "moved as one step": "char *p = (char *)&g.row; __sync_fetch_and_add(&p, 8); set(p); assert(g.row[1].x == 0);",
    "moved in one step": "char *q = (char *)&p.one; __atomic_add_fetch(&q, 8, 5); set(q); assert(p.two.x == 0);",
    "a number that is moved as one step": """long n = (long)&p.one; __sync_fetch_and_add(&n, 8);
      set((void *)n); assert(p.two.x == 0);""",
    "in one of two objects": """void *v = count ? (void *)&g.q : (void *)&where; struct s **r = v;
      *r = s; assert(where == &g);""",
}
BUDGETS = {"small": Budgets(), "large": Budgets(program_commands=-1)}


def are_safe(folder: Path, body: str, budgets: Budgets) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    path = folder / "a.c"
    path.write_text(f"{START} {body} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions(budgets=budgets)
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return {status.is_safe for status in analyse(program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("name", TRUE)
def test_other_parts_are_what_they_were(tmp_path: Path, name: str) -> None:
    assert are_safe(tmp_path, TRUE[name], BUDGETS["small"]) == {True}


@pytest.mark.parametrize("budgets", BUDGETS, ids=str)
@pytest.mark.parametrize("name", FALSE)
def test_what_a_pointer_may_lead_to_may_change(tmp_path: Path, name: str, budgets: str) -> None:
    assert False in are_safe(tmp_path, FALSE[name], BUDGETS[budgets])


def test_without_distances_any_part_of_the_type_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "_is_told", lambda *_: False)
    assert are_safe(tmp_path, TRUE["an element"], BUDGETS["small"]) == {False}
