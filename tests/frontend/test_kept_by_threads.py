"""What a thread allocates and nobody else ever has the address of is its own: its threads do not race there.

The failing twins race in C: two threads access one object, at least one of them writing, and nothing orders them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import ownership
from tests.frontend import running

START = """
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long), *realloc(void *, unsigned long);
char *strdup(const char *);
int asprintf(char **, const char *, ...);
void free(void *);
struct node { int n; struct node *next; char *text; };
static pthread_t threads[4];
static struct node *shared, **where;
unsigned long strtoul(const char *, char **, int);
static int token;
static void set(int *list, int n) { for (int i = 0; i < n; i++) list[i] = i; }
static struct node *made(void) { struct node *p = malloc(sizeof *p); if (!p) for (;;); p->next = 0; return p; }
static void fill(struct node **out) { *out = made(); (*out)->n = 1; }
static void grow(struct node **list) { struct node *p = made(); p->next = *list; *list = p; p->n = 2; }
"""
MAIN = """
int main(void) {
  for (;;) pthread_create(&threads[0], 0, work, 0);
}
"""
TRUE = {
    "behind a pointer of the caller": "void *work(void *x) { struct node *p; fill(&p); p->n++; free(p); return 0; }",
    "a list": """void *work(void *x) {
      struct node *list = 0;
      for (long i = 0; i < (long)x; i++) grow(&list);
      while (list) { struct node *next = list->next; list->n--; free(list); list = next; }
      return 0; }""",
    "a text that is printed": """void *work(void *x) {
      char *s; if (asprintf(&s, "%d", 1) < 0) return 0; s[0] = 'a'; free(s); return 0; }""",
    "in a structure of the thread": """void *work(void *x) {
      struct node own; own.text = strdup("a"); if (own.text) own.text[0] = 'b'; free(own.text); return 0; }""",
    "in an array of the thread": """void *work(void *x) {
      struct node *own[3]; for (int i = 0; i < 3; i++) { own[i] = made(); own[i]->n = i; }
      for (int i = 0; i < 3; i++) { own[i]->n++; free(own[i]); } return 0; }""",
}
FALSE = {
    "a global variable": """void *work(void *x) {
      struct node *p; fill(&p); if (shared) shared->n++; shared = p; return 0; }""",
    "a list of all": "void *work(void *x) { grow(&shared); if (shared) shared->n++; return 0; }",
    "in an object of a list of all": """void *work(void *x) {
      struct node *p; fill(&p); p->text = strdup("a");
      if (shared && shared->text) shared->text[0] = 'c';
      if (p->text) p->text[0] = 'b'; shared = p; return 0; }""",
    "an argument": """void *other(void *x) { ((struct node *)x)->n++; return 0; }
      void *work(void *x) {
        struct node *p; fill(&p); pthread_t t; pthread_create(&t, 0, other, p); p->n++; return 0; }""",
    "an argument of a thread of its kind": """void *work(void *x) {
        struct node *p; fill(&p); pthread_t t;
        if (x) ((struct node *)x)->n++;
        pthread_create(&t, 0, work, p); p->n++; return 0; }""",
    "the variable that leads to it": """void *other(void *x) { (*(struct node **)x)->n++; return 0; }
      void *work(void *x) {
        struct node *p; fill(&p); pthread_t t; pthread_create(&t, 0, other, &p); p->n++;
        pthread_join(t, 0); return 0; }""",
    "a result": """void *other(void *x) { struct node *p; fill(&p); p->n++; shared = 0; return p; }
      void *work(void *x) {
        void *got; pthread_t t; pthread_create(&t, 0, other, 0); pthread_join(t, &got);
        where = (struct node **)&got; ((struct node *)got)->n++; (*where)->n++; return 0; }""",
    "a variable that lasts": """void *work(void *x) {
        static struct node *last; struct node *p; fill(&p); if (last) last->n++; last = p; p->n++; return 0; }""",
    "as a number": """static unsigned long number;
      void *work(void *x) {
        struct node *p; fill(&p); if (number) ((struct node *)number)->n++;
        number = (unsigned long)p; p->n++; return 0; }""",
    "a local variable that others know": """void *work(void *x) {
        struct node *p = 0; if (where) { if (*where) (*where)->n++; } where = &p; fill(&p); p->n++; for (;;); }""",
}


LOOKING = """
int main(int count, char **arguments) {
  for (;;) {
    int *far = (int *)strtoul(arguments[1], 0, 10);
    if (far) *far = 1;
    pthread_create(&threads[0], 0, work, 0);
  }
}
"""
"""`main` writes through a pointer of which nothing is known: it may lead to any variable whose address is taken."""
OWN = {
    "filled by a function": "void *work(void *x) { int own[4], *p[2]; p[x != 0] = own; set(p[x != 0], 4); return 0; }",
    "a structure": "void *work(void *x) { struct node own, *p[2]; p[x != 0] = &own; p[x != 0]->n = 1; return 0; }",
}
KNOWN = {
    "given to another thread": """void *other(void *x) { *(int *)x = 1; return 0; }
      void *work(void *x) {
        int own = 0; pthread_t t; pthread_create(&t, 0, other, &own); own = 2; pthread_join(t, 0); return 0; }""",
    "given to a thread of its kind": """void *work(void *x) {
        int own = 0; if (x) *(int *)x = 1; pthread_t t; pthread_create(&t, 0, work, &own); own = 2; for (;;); }""",
    "known by a global variable": """static int *last;
      void *work(void *x) { int own = 0; if (last) *last = 1; last = &own; own = 2; for (;;); }""",
    "in a structure that is": """static struct { int *in; } all;
      void *work(void *x) { int own = 0; if (all.in) *all.in = 1; all.in = &own; own = 2; for (;;); }""",
}


def open_races(folder: Path, text: str, main: str = MAIN) -> list[str]:
    """What the races that are open are on."""
    return running.open_races(folder / "a.c", f"{START}{text}{main}")


def is_free_of_races(folder: Path, text: str) -> bool:
    """Whether no memory of the heap is accessed by two threads at once, as far as an analysis finds out."""
    return not any("memory" in found for found in open_races(folder, text))


def among_themselves(folder: Path, text: str) -> list[str]:
    """The races on variables of threads between these; `main` may race with all of them."""
    return [found for found in open_races(folder, text, LOOKING) if "own" in found and not found.endswith("main")]


@pytest.mark.parametrize("name", TRUE)
def test_own_objects_have_no_races(tmp_path: Path, name: str) -> None:
    assert is_free_of_races(tmp_path, TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_objects_that_others_may_know_have(tmp_path: Path, name: str) -> None:
    assert not is_free_of_races(tmp_path, FALSE[name])


@pytest.mark.parametrize("name", OWN)
def test_own_variables_have_no_races_with_each_other(tmp_path: Path, name: str) -> None:
    assert not among_themselves(tmp_path, OWN[name])


def test_they_have_without_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ownership, "_is_of_thread", lambda *_: False)
    assert among_themselves(tmp_path, OWN["filled by a function"])


@pytest.mark.parametrize("name", KNOWN)
def test_variables_that_others_may_know_have(tmp_path: Path, name: str) -> None:
    assert any("own" in expression for expression in open_races(tmp_path, KNOWN[name]))


def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ownership, "_is_of_thread", lambda *_: True)
    assert is_free_of_races(tmp_path, FALSE["a variable that lasts"])
