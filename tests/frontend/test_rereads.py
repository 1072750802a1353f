from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.frontend.ctypes.types import LP64, CType, FloatType, FunctionType, IntType, PointerType
from duet.frontend.models.prototypes import library_prototype
from duet.frontend.models.table import TABLE
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

START = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct pair { int x, y; };
struct node { struct pair *a, *b; struct node *next; int n; union { struct pair *u; long l; }; struct pair *list[4]; };
extern int any(void); extern void change(struct node *);
static struct node *table[8], *shared;
static int count;
static struct node *make(void) {
  struct node *s = calloc(1, sizeof *s); if (!s) exit(1);
  if (any()) { s->a = s->b = s->u = s->list[1] = malloc(8); s->next = s; }
  return s;
}
static struct node *pick(void) { int i = any() & 7; if (!table[i]) exit(1); return table[i]; }
static void clear(struct node *s) { s->a = 0; }
"""
SAME = {
    "another member": "if (p->a) { p->b = 0; p->a->x = 1; }",
    "an object of another place": "struct node *o = calloc(1, 99); if (o && p->a) { o->a = 0; p->a->x = 1; }",
    "behind two pointers": "if (p->next && p->next->b) { count++; p->next->b->x = p->next->b->y; }",
    "an element": "int i = any() & 3; if (p->list[i]) { count++; p->list[i]->x = 1; }",
    "an element of an array": "int i = any() & 7; if (table[i] && table[i]->a) { count++; table[i]->a->x = 1; }",
    "what a check has said": "p->a->x = 1; p->n = 4; p->a->y = 1;",
}
CHANGED = {
    "itself": "if (p->a) { p->a = 0; p->a->x = 1; }",
    "by another pointer": "if (p->a) { q->a = 0; p->a->x = 1; }",
    "by one to the member": "struct pair **m = &q->a; if (p->a) { *m = 0; p->a->x = 1; }",
    "as bytes": "char *c = (char *)p; if (p->a) { for (int i = 0; i < 8; i++) c[i] = 0; p->a->x = 1; }",
    "by another member": "struct node *r = (struct node *)((char *)p + 8); if (p->b) { r->a = 0; p->b->x = 1; }",
    "in a union": "if (p->u) { p->l = 0; p->u->x = 1; }",
    "a structure": "if (p->a) { *p = *q; p->a->x = 1; }",
    "by the library": "if (p->a) { memset(p, 0, 8); p->a->x = 1; }",
    "by a function that splits strings": 'if (p->b) { strtok((char *)p, ","); p->b->x = 1; }',
    "by the system": "if (p->a) { read(0, q, sizeof *q); p->a->x = 1; }",
    "by a function": "if (p->a) { clear(q); p->a->x = 1; }",
    "by code that is not there": "if (p->a) { change(p); p->a->x = 1; }",
    "the pointer": "if (p->a) { p = q; p->a->x = 1; }",
    "the pointer in between": "if (p->next && p->next->a) { p->next = q; p->next->a->x = 1; }",
    "the index": "int i = any() & 3; if (p->list[i]) { i = (i + 1) & 3; p->list[i]->x = 1; }",
    "an element by another index": "int i = any() & 3; if (p->list[i]) { p->list[any() & 3] = 0; p->list[i]->x = 1; }",
    "the array": "int i = any() & 7; if (table[i]->a) { table[any() & 7] = q; table[i]->a->x = 1; }",
    "next time round": "if (!p->a) return; for (int i = 0; i < 2; p->a = 0, i++) p->a->x = 1;",
    "on one way": "if (p->a) { if (any()) q->a = 0; p->a->x = 1; }",
    "a variable": "struct node s = *p, *r = any() ? &s : q; if (r->a) { s.a = 0; r->a->x = 1; }",
    "a variable that begins anew": (
        "for (int i = 0; i < 2; i++) { struct node s, *r = &s; if (!i) { s = *p; if (!r->a) return; }"
        " else memset(&s, 0, sizeof s); r->a->x = 1; }"
    ),
}
OPTION = 'getopt(1, v, "a:"); if (optarg) { getopt(1, v, "a:"); *optarg = 1; }'
MAIN = """
int main(void) {
  for (int i = 0; i < 8; i++) table[i] = make();
  %s
}
"""
THREADS = {
    "nobody": ("", True),
    "what another object is": ("struct node *o = make(); o->a = 0;", True),
    "another thread": ("shared->a = 0;", False),
    "another thread, all of it": ("memset(shared, 0, sizeof *shared);", False),
    "another thread, with a lock": ("pthread_mutex_lock(&m); shared->a = 0; pthread_mutex_unlock(&m);", False),
    "another thread calls what is not there": ("change(shared);", False),
    "another thread calls what does not tell": ('strsep((char **)&shared->a, ",");', False),
}
THREADED = """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) { %s return 0; }
static void early(struct node *p) { if (p->a) { p->n = 1; p->a->x = 1; } }
static void between(struct node *p) { pthread_t t; if (p->a) { pthread_create(&t, 0, run, 0); p->a->x = 1; } }
static void late(struct node *p) {
  pthread_mutex_lock(&m);
  if (p->a) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); p->a->x = 1; }
}
int main(void) {
  if (!(shared = calloc(1, sizeof *shared))) return 1;
  shared->a = any() ? malloc(8) : 0;
  early(shared), between(shared), late(shared);
}
"""
LARGE = replace(Budgets(), program_commands=100, inlined_commands_if_large=30)


def proved(
    text: str,
    path: Path,
    budgets: Budgets | None = None,
    properties: tuple[str, ...] = ("null-dereference", "array-bounds", "data-race"),
) -> dict[str, bool]:
    """Of each function whether the last check in it, that a pointer is not null or of the first property, is proved."""
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(properties=properties)
    found = read((str(path),), replace(options, budgets=budgets or options.budgets), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    checks = [one for one in assertions(analysis, found.checks) if one.check.property_name == properties[0]]
    checks.sort(key=lambda one: (one.check.line, one.check.column))
    return {one.check.function: one.status.is_safe for one in checks}


@pytest.mark.parametrize("budgets", [None, LARGE], ids=["default", "large"])
@pytest.mark.parametrize("cases", [SAME, CHANGED], ids=["same", "changed"])
def test_what_was_read_is_there_until_it_may_be_written(
    cases: Mapping[str, str], budgets: Budgets | None, tmp_path: Path
) -> None:
    functions = [
        f"static void f{at}(struct node *p, struct node *q) {{ {it} }}" for at, it in enumerate(cases.values())
    ]
    calls = "".join(f"if (any()) f{at}(pick(), pick());\n" for at in range(len(cases)))
    found = proved("\n".join((START, *functions, MAIN % calls)), tmp_path / "a.c", budgets)
    told = {name for at, name in enumerate(cases) if found[f"f{at}"]}
    assert told == (set(SAME) if cases is SAME else set())


def test_what_is_behind_a_pointer_is_elsewhere_when_only_that_changes(tmp_path: Path) -> None:
    """Behind either way, nothing is known of the pointer in between itself: no check has asked whether it is null."""
    read_on_two_ways = "int i = any() & 7; if (any()) { if (!table[i]->a) return; } else if (!table[i]->a) return;"
    text = f"""#include <assert.h>
{START} static void same(void) {{ {read_on_two_ways} assert(table[i]->a); }}
static void changed(struct node *q) {{ {read_on_two_ways} table[i] = q; assert(table[i]->a); }}
{MAIN % "if (any()) same(); else changed(pick());"}"""
    assert proved(text, tmp_path / "a.c", properties=("assertion",)) == {"same": True, "changed": False}


def test_the_argument_of_an_option_changes(tmp_path: Path) -> None:
    text = f"{START} static void f(char **v) {{ {OPTION} }}\nint main(int c, char **v) {{ f(v); }}\n"
    assert not proved(text, tmp_path / "a.c")["f"]


@pytest.mark.parametrize("name", THREADS)
def test_other_threads_may_write_it(name: str, tmp_path: Path) -> None:
    body, is_same = THREADS[name]
    found = proved(START + THREADED % body, tmp_path / "a.c")
    assert found == {**found, "early": True, "between": is_same, "late": is_same}


CALLED = """
struct big { struct pair *a; char rest[1 << 16]; };
static struct pair one;
static int compare(const void *a, const void *b) { return any(); }
static struct big *all[4];
static struct big *some(void) { struct big *s = all[any() & 3]; if (!s) exit(1); return s; }
"""
MAIN_OF_CALLS = """
int main(void) {
  for (int i = 0; i < 4; i++) { if (!(all[i] = calloc(1, sizeof *all[i]))) exit(1); if (any()) all[i]->a = &one; }
  %s
}
"""


SECOND = ("__atomic_exchange", "__atomic_load", "__atomic_store")
"""What follows its second argument, too, which is no pointer here."""


def _argument(kind: CType) -> str | None:
    """A value for a parameter, memory with a pointer in it where that may be; None where none is made up."""
    match kind:
        case PointerType(FunctionType()):
            return "(void *)compare"
        case PointerType():
            return "(void *)p"
        case IntType():
            return "1"
        case FloatType():
            return "1.0"
        case _:
            return None


def _calls() -> list[tuple[str, str]]:
    """The functions that go on behind a call, with arguments that lead to memory with a pointer in it."""
    found = []
    for name, known in TABLE.items():
        is_special = name.startswith("__duet_") or "cleanup" in name  # what only our own texts call, or in pairs
        is_special = is_special or name in SECOND or "compare_exchange" in name
        if known.control or known.role or known.is_of_kernel or known.takes_places or is_special:
            continue
        kind = library_prototype(name, LP64)
        given = None if kind is None or kind.parameters is None else [_argument(it) for it in kind.parameters]
        if given is None or None in given:
            given = ["(void **)p", "0", "5"] if name.startswith(("atomic", "__atomic", "__sync")) else ["(void *)p"] * 2
        if any("p" in (one or "") for one in given):
            found.append((name, ", ".join(one or "" for one in given)))
    return found


CALLS = _calls()
_READING = (
    "__VERIFIER_nondet_int __builtin_constant_p __builtin_object_size __builtin_types_compatible_p __cmsg_nxthdr "
    "__sched_cpucount __sync_synchronize access aio_error aio_error64 aio_init argz_count asctime atof atoi atol "
    "atoll backtrace_symbols backtrace_symbols_fd bcmp bind chdir chown cnd_broadcast cnd_signal connect crypt ctime "
    "dprintf fesetexceptflag fetestexceptflag fprintf fscanf futimens futimes getenv lcong48 link login mblen mbsinit "
    "memchr memcmp memmem memrchr mq_send mq_timedsend msgsnd ns_get16 ns_get32 pathconf printf "
    "pthread_cond_broadcast pthread_cond_signal pthread_setname_np pwrite pwrite64 rawmemchr rmdir scanf "
    "sched_setaffinity secure_getenv seed48 semop send sendto setdomainname setenv setgroups setsockopt sigisemptyset "
    "sscanf strcasecmp strcasestr strchr strchrnul strcmp strcoll strcspn strdup strlen strncasecmp strncmp strndup "
    "strnlen strpbrk strrchr strspn strstr symlink syslog system totalorder totalorderf totalorderl totalordermag "
    "totalordermagf totalordermagl truncate unlink unsetenv vfprintf vprintf vsyslog wcsncasecmp wcsncmp wcsnlen "
    "wcswidth wmemchr wmemcmp write"
)
READING = frozenset(_READING.split())
"""What these are given they only read, as they are called here; the models of all tell of what they write."""
IN_A_PROGRAM = 30
BATCHES = [CALLS[at : at + IN_A_PROGRAM] for at in range(0, len(CALLS), IN_A_PROGRAM)]


@pytest.mark.parametrize("calls", BATCHES)
def test_calls_may_change_what_they_are_given(calls: list[tuple[str, str]], tmp_path: Path) -> None:
    functions = [
        f"static void try_{name}(struct big *p) {{ if (p->a) {{ {name}({given});\n p->a->x = 1; }} }}"
        for name, given in calls
    ]
    tried = "".join(f"if (any()) try_{name}(some());\n" for name, _ in calls)
    found = proved("\n".join((START, CALLED, *functions, MAIN_OF_CALLS % tried)), tmp_path / "a.c")
    assert {name for name, _ in calls if found.get(f"try_{name}")} <= READING
