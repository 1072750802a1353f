"""What a library changes in a large program holds anything, and its pointers lead where those lead that it may have.

The header is a short one of our own, at a place where system headers are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.cells import access, hidden
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions

HEADER = """
void far_set(int **where);
void far_take(int *what);
void far_fill(void *what);
int *far_get(void);
unsigned long strtoul(const char *, char **, int);
void *memcpy(void *, const void *, unsigned long);
int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
"""
START = """
#include <library.h>
int x = 1, y = 2, z = 3, *p, *held = &y, **pp = &p;
struct s { int n; int *q, *r; } s = {1, &y, 0}, *where = &s;
union u { unsigned long number; int *pointer; } u;
struct v { union u in; int *other; } v;
int *own;
void assert(int);
void *run(void *what) { ***(int ***)what = 5; return 0; }
int main(int count, char **arguments) {
  unsigned long id; int *l = 0, **ll = &l; own = &x;
"""
TRUE = {
    "a member": "far_fill(&s); *s.q = 5; assert(*own == 1);",
    "by another pointer": "far_fill(&s); *where->q = 5; assert(*own == 1);",
    "a member of a local one": "struct s t = {1, &y, 0}; far_fill(&t); *t.q = 5; assert(*own == 1);",
}
FALSE = {
    "what it was set to": "p = &x; far_set(&p); *p = 5; assert(x == 1);",
    "what it is set to later": "far_set(&p); p = &x; *p = 5; assert(x == 1);",
    "by another pointer": "far_set(&p); *pp = &x; *p = 5; assert(x == 1);",
    "a local one by another pointer": "far_set(&l); *ll = &x; *l = 5; assert(x == 1);",
    "its initial value": "far_set(&held); *held = 5; assert(y == 2);",
    "the initial value of a member": "far_fill(&s); *s.q = 5; assert(y == 2);",
    "what the library had": "far_take(&x); far_set(&p); *p = 5; assert(x == 1);",
    "what the library gets later": "far_set(&p); far_take(&x); far_set(0); *p = 5; assert(x == 1);",
    "a copy of its bytes": "far_set(&p); memcpy(&p, &own, sizeof p); *p = 5; assert(x == 1);",
    "a copy of some bytes": "far_set(&p); memcpy(&p, &own, (unsigned long)count); *p = 5; assert(x == 1);",
    "a copy of the structure": "struct s t = {1, &x, 0}; far_fill(&s); s = t; *s.q = 5; assert(x == 1);",
    "bytes one by one": """far_set(&p);
      for (int i = 0; i < 8; i++) ((char *)&p)[i] = ((char *)&own)[i];
      *p = 5; assert(x == 1);""",
    "a number": "far_set(&p); *(unsigned long *)&p = (unsigned long)&x; *p = 5; assert(x == 1);",
    "a number in a union": "far_fill(&v); v.in.number = (unsigned long)&x; *v.in.pointer = 5; assert(x == 1);",
    "a number that is added": "far_fill(&s); s.q = (int *)((unsigned long)&x + (count & 0)); *s.q = 5; assert(x == 1);",
    "in one step": "far_set(&p); __atomic_store_n(&p, &x, __ATOMIC_SEQ_CST); *p = 5; assert(x == 1);",
    "exchanged": "far_set(&p); __atomic_exchange_n(&p, &x, __ATOMIC_SEQ_CST); *p = 5; assert(x == 1);",
    "from anywhere": "far_set(&p); *(int **)strtoul(arguments[1], 0, 10) = &x; *p = 5; assert(x == 1);",
    "given to a thread": "far_set(&p); pp = &own; pthread_create(&id, 0, run, &pp); assert(x == 1);",
    "given again, with more in it": "far_fill(&s); s.r = &x; far_fill(&s); assert(x == 1);",
    "given again, when the library has more": "far_fill(&s); far_take(&x); far_fill(&s); *s.q = 5; assert(x == 1);",
    "given again, when others have it": """far_fill(&l); l = &x;
      pthread_create(&id, 0, run, &ll); far_fill(&l); assert(x == 1);""",
    "the value itself": "p = &x; far_set(&p); assert(p == &x);",
}


def are_safe(folder: Path, body: str) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    headers = folder / "usr" / "include"
    headers.mkdir(parents=True)
    (headers / "library.h").write_text(HEADER, encoding="utf-8")
    path = folder / "a.c"
    path.write_text(f"{START} {body} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions(budgets=Budgets(program_commands=-1), include_dirs=(str(headers),))
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return {status.is_safe for status in analyse(program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("name", TRUE)
def test_where_its_pointers_lead_is_known(tmp_path: Path, name: str) -> None:
    assert are_safe(tmp_path, TRUE[name].replace("*own", "x")) == {True}


@pytest.mark.parametrize("name", FALSE)
def test_all_that_may_be_there_counts(tmp_path: Path, name: str) -> None:
    assert are_safe(tmp_path, FALSE[name]) == {False}


def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "note_pointers", lambda *_: None)
    monkeypatch.setattr(hidden, "note", lambda *_: None)
    assert are_safe(tmp_path, FALSE["a copy of some bytes"]) == {True}
