"""Memory of the heap to which only pointers lead that are known to: no memory holds its address, only locals do.

Each flow of a pointer that may also be any other one is followed to a write; each way in which others get the address,
to a program in which they write.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.coarsen.race_evidence import race_assertions
from duet.frontend.cells import targets
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

START = """
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utmpx.h>
struct box { int n; char text[8]; struct box *next; };
extern int any(void);
static long number;
static struct box *kept, *table[4], other = {1, "aaaaaaa", 0};
static jmp_buf again;
static struct box *wild(void) { return (struct box *)number; }
static void set(struct box *p) { p->n = 1; }
static void set_old(p) struct box *p; { p->n = 1; }
static void set_other(struct box *p, struct box *q) { p = q; p->n = 1; }
static struct box *same(struct box *p) { return p; }
static struct box *either(struct box *p, struct box *q) { return any() ? p : q; }
static void deep(struct box *p, int k) { if (k) deep(p, k - 1); else p->n = 1; }
static struct box *deeper(struct box *p, int k) { return k ? deeper(p, k - 1) : p; }
static struct box *new_box(void) { struct box *p = malloc(sizeof *p); if (!p) exit(1); return p; }
static struct box *new_one(void) { struct box *p = new_box(); p->n = 2; return p; }
static void keep(struct box *p) { kept = p; }
static void *touch(void *unused) { if (kept) kept->n = 1; *(int *)number = 1; return unused; }
static void *touch_it(void *p) { ((struct box *)p)->n = 1; return 0; }
"""
MAIN = """
int main(int argc, char **argv) {
  number = atol(argv[1]);
  struct box *b = malloc(sizeof *b);
  if (!b) return 1;
  memset(b, 0, sizeof *b);
"""
END = """
  assert(b->n == 0 && b->text[0] == 0);
  free(b);
  return 0;
}
"""
FLOWS = {
    "a choice": "(any() ? b : wild())->n = 1;",
    "an assignment": "struct box *p = wild(); if (any()) p = b; p->n = 1;",
    "an argument": "set(any() ? b : wild());",
    "arguments of two calls": "set(wild()); if (any()) set(b);",
    "an argument of the old style": "set_old(any() ? b : wild());",
    "a parameter that is set": "set_other(wild(), b);",
    "a result": "same(any() ? b : wild())->n = 1;",
    "results of two calls": "struct box *p = same(wild()); p = same(b); p->n = 1;",
    "one of two arguments": "either(wild(), b)->n = 1;",
    "a cast": "char *p = any() ? (char *)b : (char *)wild(); *(int *)p = 1;",
    "a pointer to void": "void *p = wild(); p = any() ? b : p; ((struct box *)p)->n = 1;",
    "a member's address": "int *p = any() ? &b->n : &wild()->n; *p = 1;",
    "an element": "int *p = any() ? &b->n : &wild()->n; p[any()] = 1;",
    "characters": "char *p = any() ? b->text : wild()->text; *p++ = 1; *p = 2;",
    "characters of another member": "char *p = any() ? (char *)b : (char *)wild(); p[any()] = 1;",
    "a pointer that moves": "char *p = any() ? b->text : wild()->text; for (p += 2; any(); p--) *p = 1;",
    "a structure": "*(any() ? b : wild()) = other;",
    "a sum": "(any() ? b : wild())->n += 1;",
    "a step": "++(any() ? b : wild())->n;",
    "recursive calls": "deep(any() ? b : wild(), 3);",
    "what recursive calls give back": "deeper(any() ? b : wild(), any())->n = 1;",
    "a loop": "struct box *p = wild(); for (int i = 0; i < 3; i++) { if (p) p->n = 1; p = b; }",
    "a jump": "struct box *p = wild(); again: if (p) p->n = 1; if (p != b) { p = b; goto again; }",
    "a long jump": (
        "struct box *volatile p = wild(); if (setjmp(again)) { p->n = 1; assert(b->n == 0); return 0; }"
        " p = b; longjmp(again, 1);"
    ),
    "a volatile pointer": "struct box *volatile p = wild(); if (any()) p = b; p->n = 1;",
    "an atomic pointer": "_Atomic(struct box *) p = wild(); if (any()) p = b; p->n = 1;",
    "a pointer in a register": "register struct box *p = wild(); if (any()) p = b; p->n = 1;",
    "statements": "({ struct box *p = wild(); any() ? p : b; })->n = 1;",
    "a comma": "(any(), any() ? b : wild())->n = 1;",
    "one or the other": "struct box *p = any() ? 0 : b; (p ?: wild())->n = 1;",
    "an assignment as a value": "struct box *p, *q; (p = q = any() ? b : wild())->n = 1;",
    "memset": "memset(any() ? b : wild(), 1, sizeof *b);",
    "memcpy": "memcpy(any() ? b : wild(), &other, sizeof other);",
    "what memcpy gives back": "((struct box *)memcpy(any() ? b : wild(), &other, 4))->n = 1;",
    "strcpy": "strcpy(any() ? b->text : wild()->text, other.text);",
    "strchr": "char *p = strchr(any() ? b->text : wild()->text, 0); if (p) *p = 1;",
    "memchr": "char *p = memchr(any() ? b->text : wild()->text, 0, 8); if (p) *p = 1;",
    "strtol": "char *p = wild()->text; strtol(any() ? b->text : p, &p, 10); *p = 1;",
    "strsep": 'char *p = any() ? b->text : wild()->text, *q = strsep(&p, ":"); if (q) *q = 1;',
    "read": "read(0, any() ? &b->n : &wild()->n, sizeof(int));",
    "fgets": "fgets(any() ? b->text : wild()->text, 8, stdin);",
    "sscanf": 'sscanf(argv[1], "%d", any() ? &b->n : &wild()->n);',
    "snprintf": 'snprintf(any() ? b->text : wild()->text, 8, "a");',
    "an atomic store": "__atomic_store_n(any() ? &b->n : &wild()->n, 1, 5);",
    "an atomic sum": "__sync_fetch_and_add(any() ? &b->n : &wild()->n, 1);",
    "what is given back by a function": "struct box *p = new_one(); p = any() ? p : b; p->n = 1;",
    "what was given back by a function": "b = new_one(); b->n = b->text[0] = 0; (any() ? b : wild())->n = 1;",
    "what realloc may have left": "struct box *p = realloc(b, 64); if (!p) return 1; b = p; b->n = b->text[0] = 1;",
}
HANDED_ON = {
    "a global": "kept = b;",
    "an array": "table[any() & 3] = b;",
    "memory": "kept = &other; kept->next = b;",
    "its own memory": "b->next = b; kept = b->next;",
    "a function": "keep(b);",
    "a number": "number = (long)b;",
    "an element's address": "kept = (struct box *)&b->n;",
    "what a function gives back": "kept = same(b);",
    "what two functions give back": "b = new_one(); b->n = b->text[0] = 0; kept = b;",
    "what a function has kept": "b = KEPT_ONE(); b->n = b->text[0] = 0;",
    "one of two callers": "struct box *p = new_one(); kept = p; p->n = 0; b = p; b->text[0] = 0;",
    "what a pointer to a function gives": "b = MAKER(); kept = b; b->n = b->text[0] = 0;",
    "what realloc gives": "b = realloc(b, 64); if (!b) return 1; kept = b; b->n = b->text[0] = 0;",
    "bytes": "memcpy(&number, &b, sizeof b);",
    "an atomic store": "__atomic_store_n(&kept, b, 5);",
    "an atomic exchange": "(void)__sync_lock_test_and_set(&kept, b);",
    "compare and swap": "__sync_bool_compare_and_swap(&kept, 0, b);",
    "an aligned one": "kept = __builtin_assume_aligned(b, 8);",
    "what memcpy gives back": "kept = __builtin_memcpy(b, &other, 4); b->n = 0;",
    "what stpcpy gives back": 'kept = (struct box *)(stpcpy(b->text, "") - 4);',
    "an argument of a function that is called by a pointer": "void (*give)(struct box *) = keep; give(b);",
    "a part of a structure": "struct { struct box *p; } s = {b}; kept = s.p;",
    "a pointer whose address is taken": "struct box *p = b, **q = &p; kept = *q;",
    "an assembler": '__asm__ volatile("movq %1, %0" : "=m"(kept) : "r"(b));',
    "the program's own library": "pthread_setspecific(0, b); kept = pthread_getspecific(0);",
    "a record that is given back": "kept = (struct box *)pututxline((struct utmpx *)b); b->n = b->text[0] = 0;",
    "a thread": "pthread_t u; pthread_create(&u, 0, touch_it, b);",
}
MORE = {
    "KEPT_ONE": "static struct box *KEPT_ONE(void) { struct box *p = new_box(); kept = p; return p; }\n",
    "MAKER": "static struct box *(*MAKER)(void) = new_one;\n",
}
"""What is declared where it is used: it tells of all memory that these functions give back."""
LARGE = Budgets(inlined_commands=-1, small_commands=-1, program_commands=-1)
BUDGETS = {"small": Budgets(), "shared": Budgets(inlined_commands=-1, small_commands=-1), "large": LARGE}


def is_proved(text: str, path: Path, budgets: Budgets) -> bool:
    """Whether the assertions of a program hold, as far as an analysis finds out."""
    more = "".join(declared for name, declared in MORE.items() if name in text)
    path.write_text(START + more + MAIN + text + END, encoding="utf-8")
    options = FrontendOptions(properties=("assertion",), budgets=budgets, system_headers=True)
    found = read((str(path),), options, Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    decided = assertions(analysis, found.checks)
    assert decided
    return all(one.status.is_safe for one in decided)


@pytest.mark.parametrize("budgets", BUDGETS)
def test_a_pointer_that_is_not_known_leads_to_none_of_it(budgets: str, tmp_path: Path) -> None:
    assert is_proved("wild()->n = 1; set(wild());", tmp_path / "a.c", BUDGETS[budgets])


@pytest.mark.parametrize("budgets", BUDGETS)
@pytest.mark.parametrize("name", FLOWS)
def test_a_pointer_that_may_lead_there_is_followed(name: str, budgets: str, tmp_path: Path) -> None:
    assert not is_proved(FLOWS[name], tmp_path / "a.c", BUDGETS[budgets])


def test_a_pointer_that_is_not_followed_there_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "is_own", lambda *_: False)
    assert is_proved(FLOWS["a choice"], tmp_path / "a.c", LARGE)


@pytest.mark.parametrize("budgets", BUDGETS)
def test_other_threads_leave_it_alone(budgets: str, tmp_path: Path) -> None:
    assert is_proved("pthread_t t; pthread_create(&t, 0, touch, 0);", tmp_path / "a.c", BUDGETS[budgets])


@pytest.mark.parametrize("budgets", BUDGETS)
@pytest.mark.parametrize("name", HANDED_ON)
def test_who_has_its_address_may_write_it(name: str, budgets: str, tmp_path: Path) -> None:
    text = f"{HANDED_ON[name]} pthread_t t; pthread_create(&t, 0, touch, 0);"
    assert not is_proved(text, tmp_path / "a.c", BUDGETS[budgets])


TEXT = """
static char *found(char *p) { return p; }
static void end(char *p) { p[3] = 1; }
int main(int argc, char **argv) {
  number = atol(argv[1]);
  char *s = strdup(argv[0]);
  if (!s) return 1;
  OTHERS
  return (int)strlen(s);
}
"""
TEXT_FLOWS = {
    "a character": "(any() ? s : (char *)number)[any()] = 1;",
    "a pointer that moves": "char *p = any() ? s : (char *)number; while (*p) p++; *p = 1;",
    "an argument": "end(any() ? s : (char *)number);",
    "a result": "found(any() ? s : (char *)number)[any()] = 1;",
    "memset": "memset(any() ? s : (char *)number, 1, any());",
    "read": "read(0, any() ? s : (char *)number, any());",
    "a structure": "*(struct box *)(any() ? s : (char *)number) = other;",
    "a number": "*(int *)(any() ? s : (char *)number) = 1 << 24;",
    "an atomic exchange": "__sync_lock_test_and_set(any() ? s : (char *)number, 1);",
}


def ends(text: str, folder: Path, budgets: Budgets) -> bool:
    """Whether the string that is measured last is known to end."""
    path = folder / "a.c"
    path.write_text(START + TEXT.replace("OTHERS", text), encoding="utf-8")
    found = read(
        (str(path),), FrontendOptions(properties=("array-bounds",), budgets=budgets, system_headers=True), Clock()
    )
    decided = assertions(analyse(found.program, AnalysisOptions(domain="interval")), found.checks)
    (last,) = (one for one in decided if "strlen(s)" in one.check.expression)
    return last.status.is_safe


@pytest.mark.parametrize("budgets", BUDGETS)
def test_a_string_that_is_copied_ends(budgets: str, tmp_path: Path) -> None:
    assert ends("", tmp_path, BUDGETS[budgets])


@pytest.mark.parametrize("budgets", BUDGETS)
@pytest.mark.parametrize("name", TEXT_FLOWS)
def test_a_string_may_be_written_by_a_pointer_that_may_lead_there(name: str, budgets: str, tmp_path: Path) -> None:
    assert not ends(TEXT_FLOWS[name], tmp_path, BUDGETS[budgets])


EACH = """
static void *each(void *unused) {
  struct box *p = malloc(sizeof *p);
  if (!p) exit(1);
  p->n = 0;
  for (int i = 0; i < 3; i++) {
    struct box *q = new_one();
    q->n = 1;
    OTHERS
    free(q);
  }
  assert(p->n == 0);
  free(p);
  return unused;
}
int main(void) {
  pthread_t t, u;
  scanf("%ld", &number);
  pthread_create(&t, 0, each, 0);
  pthread_create(&u, 0, each, 0);
  *(int *)number = 1;
  ENDING
}
"""
"""Threads with memory of their own, from places that several calls share."""


def open_checks(text: str, folder: Path, **others: object) -> tuple[int, int]:
    """How many assertions, and how many races of memory of the heap, are open in a program."""
    path = folder / "a.c"
    path.write_text(START + text, encoding="utf-8")
    given = {"properties": ("assertion", "data-race"), "system_headers": True} | others
    found = read((str(path),), FrontendOptions(**given), Clock())  # type: ignore[arg-type]
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    decided = assertions(analysis, found.checks), race_assertions(analysis, str(path))
    raced = [one for one in decided[1] if not one.status.is_safe and "memory from" in one.check.expression]
    return sum(not one.status.is_safe for one in decided[0]), len(raced)


@pytest.mark.parametrize("budgets", BUDGETS)
def test_each_thread_has_memory_of_its_own(budgets: str, tmp_path: Path) -> None:
    text = EACH.replace("OTHERS", "").replace("ENDING", "return 0;")
    assert open_checks(text, tmp_path, budgets=BUDGETS[budgets]) == (0, 0)


@pytest.mark.parametrize("budgets", BUDGETS)
@pytest.mark.parametrize(
    "others",
    ["if (kept) kept->n = 1; kept = p;", "if (any()) q = p; q->n = 1;", "kept = p;", "keep(any() ? q : p);"],
)
def test_memory_that_threads_mix_up_or_hand_on(others: str, budgets: str, tmp_path: Path) -> None:
    text = EACH.replace("OTHERS", others).replace("ENDING", "if (kept) kept->n = 1; return 0;")
    asserted, raced = open_checks(text, tmp_path, budgets=BUDGETS[budgets])
    assert asserted == 1
    assert raced or "kept = " not in others


LOCKED = """
static int count;
struct locked { pthread_mutex_t m; int n; };
static void *each(void *unused) {
  struct locked *p = malloc(sizeof *p);
  if (!p) exit(1);
  pthread_mutex_init(&p->m, 0);
  pthread_mutex_lock(&p->m);
  count++;
  assert(count == 1);
  pthread_mutex_unlock(&p->m);
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, each, 0);
  pthread_create(&u, 0, each, 0);
  return 0;
}
"""


@pytest.mark.parametrize("budgets", BUDGETS)
def test_a_lock_of_its_own_keeps_no_other_thread_out(budgets: str, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(START + LOCKED, encoding="utf-8")
    options = FrontendOptions(properties=("assertion", "data-race"), budgets=BUDGETS[budgets], system_headers=True)
    found = read((str(path),), options, Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    (one,) = assertions(analysis, found.checks)
    raced = [it for it in race_assertions(analysis, str(path)) if "count" in it.check.expression]
    assert not one.status.is_safe
    assert any(not it.status.is_safe for it in raced)


GIVEN_BACK = """
static void *user(void *unused) { struct box *p = new_one(); p->n = 0; assert(p->n == 0); free(p); return unused; }
int main(int argc, char **argv) {
  pthread_t t;
  number = atol(argv[1]);
  pthread_create(&t, 0, user, 0);
  OTHERS
  *(int *)number = 1;
  return 0;
}
"""
CALLED_OTHERWISE = {
    "by a pointer": "struct box *(*maker)(void) = new_one; kept = maker();",
    "by another name": "kept = new_by_name();",
    "by code that is not there": "unknown_code(new_one);",
    "as a thread": "pthread_create(&t, 0, (void *(*)(void *))new_one, 0); pthread_join(t, (void **)&kept);",
    "by the library": "kept = bsearch(&other, &other, 1, 1, (int (*)(const void *, const void *))new_one);",
}


@pytest.mark.parametrize("name", CALLED_OTHERWISE)
def test_who_calls_what_gives_it_back_has_it(name: str, tmp_path: Path) -> None:
    plain = GIVEN_BACK.replace("OTHERS", "")
    assert open_checks(plain, tmp_path, budgets=LARGE)[0] == 0
    alias = 'struct box *new_by_name(void) __attribute__((alias("new_one")));\nvoid unknown_code(void *);\n'
    text = alias + GIVEN_BACK.replace("OTHERS", CALLED_OTHERWISE[name])
    assert open_checks(text, tmp_path, budgets=LARGE)[0] == 1


def test_whoever_calls_entries_has_what_they_give_back(tmp_path: Path) -> None:
    text = "void *give(void) { return new_box(); }\nvoid use(void) { struct box *p = new_box(); p->n = 0; "
    text += 'scanf("%ld", &number); *(int *)number = 1; assert(p->n == 0); }\n'
    assert open_checks(text, tmp_path, budgets=LARGE, entries=("give", "use"))[0] == 1
    text = text.replace("return new_box();", "return 0;").replace("p = new_box()", "p = malloc(sizeof *p)")
    text = text.replace("p->n = 0;", "if (!p) return; p->n = 0;")
    assert open_checks(text, tmp_path, budgets=LARGE, entries=("give", "use"))[0] == 0


@pytest.mark.parametrize("name", HANDED_ON)
def test_a_pointer_that_is_not_known_may_lead_to_what_others_have(name: str, tmp_path: Path) -> None:
    if name != "a thread":
        assert not is_proved(f"{HANDED_ON[name]} wild()->n = 1; if (kept) kept->n = 1;", tmp_path / "a.c", LARGE)
