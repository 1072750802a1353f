"""A library that is given the address of a number or pointer in a structure, as such, has that member and no more.

What is not such an address gives it the whole structure, and all that this leads to.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.models import lent
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions

HEADER = """
struct far;
struct pair { int *one, *two; };
void far_set(int **where);
void far_number(int *number);
void far_real(double *number);
void far_two(int both[2]);
void far_read(const int *number);
void far_open(struct far **device);
void far_text(char *text);
void far_call(void (**called)(void));
void far_any(void *what);
void far_pair(struct pair *both);
void far_take(int *what);
void far_run(struct far *device);
void far_later(void (*what)(void));
unsigned long strtoul(const char *, char **, int);
void *memcpy(void *, const void *, unsigned long);
void *malloc(unsigned long);
int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
"""
START = """
#include <library.h>
int x = 1, y = 2, z = 3, *own = &x;
static void call(void) { x = 7; }
struct s {
  int n; int *q, *r; char c, text[4]; int list[3]; struct far *device; void (*called)(void); struct pair both;
  double real;
} s = {1, &y, 0, 0, "a", {0}, 0, call}, two[2], *where = &s;
union u { int *q; int n; } u;
struct bits { int few : 3; int *q; } bits;
int any(void);
void assert(int);
void *run(void *what) { ***(int ***)what = 5; return 0; }
int main(int count, char **arguments) {
  unsigned long id; struct s *p = malloc(sizeof *p); if (!p) return 1;
  p->n = 1; p->q = &y; p->r = 0; p->called = call;
"""
TRUE = {
    "what is set behind the call": "far_open(&s.device); s.n = 4; far_run(s.device); assert(s.n == 4);",
    "a member beside it": "far_set(&s.q); assert(s.n == 1);",
    "by another pointer": "far_set(&where->q); assert(s.n == 1);",
    "of the heap": "far_set(&p->q); assert(p->n == 1);",
    "what is only read": "far_read(&s.n); assert(s.n == 1);",
    "a real number": "far_real(&s.real); assert(s.n == 1);",
    "what it leads to": "far_open(&s.device); assert(y == 2);",
    "what another one leads to": "s.r = &x; far_set(&s.q); assert(x == 1);",
    "a function in the structure": "far_open(&s.device); far_run(s.device); assert(x == 1);",
    "what is set later": "far_set(&s.q); s.r = &x; far_run(s.device); assert(x == 1);",
    "by a pointer that is only that": "int *n = &s.n; far_number(n); assert(s.list[0] == 0);",
    "of a local variable": "struct s t; t.n = 1; t.r = &x; far_set(&t.q); assert(t.n == 1 && x == 1);",
}
FALSE = {
    "what it was set to": "s.q = &x; far_set(&s.q); *s.q = 5; assert(x == 1);",
    "what it led to": "s.q = &x; far_set(&s.q); assert(x == 1);",
    "what it led to at first": "far_set(&s.q); assert(y == 2);",
    "a number": "far_number(&s.n); assert(s.n == 1);",
    "a number set later": "far_open(&s.device); far_number(&s.n); s.n = 4; far_run(s.device); assert(s.n == 4);",
    "by another pointer": "far_open(&s.device); far_number(&s.n); where->n = 4; far_run(s.device); assert(s.n == 4);",
    "of the heap, set later": "far_open(&s.device); far_number(&p->n); p->n = 4; far_run(s.device); assert(p->n == 4);",
    "of the heap": "far_number(&p->n); assert(p->n == 1);",
    "of the heap, which leads there": "far_set(&p->q); assert(y == 2);",
    "the initial value": "far_set(&s.q); *s.q = 5; assert(y == 2);",
    "the pointer itself": "far_set(&s.q); assert(s.q == &y);",
    "what it is set to later": "far_set(&s.q); s.q = &x; *s.q = 5; assert(x == 1);",
    "set by another pointer": "far_set(&s.q); where->q = &x; *s.q = 5; assert(x == 1);",
    "what the library had": "far_take(&x); far_set(&s.q); *s.q = 5; assert(x == 1);",
    "what it gets later": "far_set(&s.q); far_take(&x); *s.q = 5; assert(x == 1);",
    "copied bytes": "far_set(&s.q); memcpy(&s.q, &own, sizeof own); *s.q = 5; assert(x == 1);",
    "some copied bytes": "far_set(&s.q); memcpy(&s.q, &own, (unsigned long)count); *s.q = 5; assert(x == 1);",
    "a copied structure": "struct s t = {1, &x, 0}; far_set(&s.q); s = t; *s.q = 5; assert(x == 1);",
    "copied out": "far_set(&s.q); s.q = &x; struct s t = s; *t.q = 5; assert(x == 1);",
    "bytes one by one": """far_set(&s.q);
      for (int i = 0; i < 8; i++) ((char *)&s.q)[i] = ((char *)&own)[i];
      *s.q = 5; assert(x == 1);""",
    "a number in it": "far_set(&s.q); *(unsigned long *)&s.q = (unsigned long)&x; *s.q = 5; assert(x == 1);",
    "in one step": "far_set(&s.q); __atomic_store_n(&s.q, &x, __ATOMIC_SEQ_CST); *s.q = 5; assert(x == 1);",
    "from anywhere": "far_set(&s.q); *(int **)strtoul(arguments[1], 0, 10) = &x; *s.q = 5; assert(x == 1);",
    "given to a thread": "int **pp = &own; far_set(&s.q); pthread_create(&id, 0, run, &pp); assert(x == 1);",
    "bytes": "far_text(&s.c); assert(s.n == 1);",
    "an array": "far_text(s.text); assert(s.n == 1);",
    "an element": "far_number(&s.list[1]); assert(s.list[2] == 0);",
    "several of them": "far_two(&s.n); assert(s.list[0] == 0);",
    "any type": "far_any(&s.q); assert(s.n == 1);",
    "a structure": "far_pair(&s.both); assert(s.n == 1);",
    "another type": "far_number((int *)&s.q); assert(s.n == 1);",
    "all of it": "far_any(&s); assert(s.n == 1);",
    "all of it by its first member": "far_number(&s.n); far_any(&s); assert(s.list[0] == 0);",
    "one of an array": "far_number(&two[count & 1].n); assert(two[1].n == 0);",
    "one of two": "far_number(count ? &s.n : &x); assert(s.n == 1);",
    "one of two structures": "struct s *r = count ? &s : p; far_number(&r->n); assert(s.n == 1);",
    "of a union": "far_set(&u.q); assert(u.n == 0);",
    "moved from there": "far_any(&s.q - 1); assert(s.n == 1);",
    "and the structure, too": "far_number(&s.n); where = &s; far_any(where); assert(s.list[1] == 0);",
    "all of it by another type": "int *n = (int *)&s; far_number(n); assert(s.list[0] == 0);",
    "a function that it may lead to": "far_any(&s.called); assert(x == 1);",
    "a function in it": "far_call(&s.called); assert(x == 1);",
    "in a structure by a name of its own": "struct s *volatile r = &s; far_number(&r->n); assert(s.n == 1);",
}

BUDGETS = {"small": Budgets(), "large": Budgets(program_commands=-1)}


def are_safe(folder: Path, body: str, budgets: Budgets) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    headers = folder / "usr" / "include"
    headers.mkdir(parents=True)
    (headers / "library.h").write_text(HEADER, encoding="utf-8")
    path = folder / "a.c"
    path.write_text(f"{START} {body} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions(budgets=budgets, include_dirs=(str(headers),))
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return {status.is_safe for status in analyse(program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("budgets", BUDGETS, ids=str)
@pytest.mark.parametrize("name", TRUE)
def test_the_rest_is_what_it_was(tmp_path: Path, name: str, budgets: str) -> None:
    assert are_safe(tmp_path, TRUE[name], BUDGETS[budgets]) == {True}


@pytest.mark.parametrize("budgets", BUDGETS, ids=str)
@pytest.mark.parametrize("name", FALSE)
def test_what_it_may_change_counts(tmp_path: Path, name: str, budgets: str) -> None:
    assert are_safe(tmp_path, FALSE[name], BUDGETS[budgets]) == {False}


def test_the_rest_is_not_without_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lent, "members", lambda *_: {})
    assert are_safe(tmp_path, TRUE["a member beside it"], Budgets()) == {False}
