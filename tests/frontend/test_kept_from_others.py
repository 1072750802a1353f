"""A new object stays the first thread's own while its address is only written where no other thread gets to."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import ownership
from tests.frontend.running import open_races

START = """#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct one { int id; int *out; };
struct all { struct one **row; int count; };
struct one *shown, *row[8], *copy[8]; static struct one *kept; static struct all all; int fds[2];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; int sum, started; pthread_t t;
void use(struct one *a) { if (a) { int n = a->id; pthread_mutex_lock(&lock); sum += n; pthread_mutex_unlock(&lock); } }
"""
MAIN = "int main(int count, char **values) {{ while (count-- > 0) {{ {} }} return 0; }}\n"
GIVEN = "void *work(void *a) { use(a); return 0; }\n"
MADE = "struct one *a = malloc(sizeof *a); if (!a) return 1;"
GO = "a->id = count; pthread_create(&t, 0, work, a);"
KEPT = {
    "a variable": (GIVEN, f"{MADE} kept = a; {GO}"),
    "a variable that is followed": (
        GIVEN,
        "kept = malloc(sizeof *kept); if (!kept) return 1; kept->id = 1; pthread_create(&t, 0, work, kept);",
    ),
    "an array": (GIVEN, f"{MADE} row[count & 7] = a; {GO}"),
    "an array in the heap": (
        GIVEN,
        f"if (!all.row) all.row = calloc(8, sizeof *all.row); if (!all.row) return 1; {MADE}"
        f" all.row[count & 7] = a; {GO}",
    ),
    "one that is read again": (GIVEN, f"{MADE} kept = a; struct one *b = kept; if (b != a) return 1; {GO}"),
    "two": (GIVEN, f"{MADE} row[0] = a; row[1] = row[0]; {GO}"),
}
SHOWN = {
    "a variable": ("void *work(void *a) { use(shown); return 0; }\n", f"{MADE} shown = a; {GO}"),
    "a variable that is read again": (
        "void *work(void *a) { use(shown); return 0; }\n",
        f"{MADE} kept = a; shown = kept; {GO}",
    ),
    "by way of another one": (
        "void *work(void *a) { use(shown); return 0; }\n",
        f"{MADE} kept = a; struct one *b = kept; struct one *c = b; shown = c; {GO}",
    ),
    "an array": ("void *work(void *a) { use(row[3]); return 0; }\n", f"{MADE} row[count & 7] = a; {GO}"),
    "an array by its address": (
        "void *work(void *a) { use(((struct one **)a)[1]); return 0; }\n",
        f"if (!started++) pthread_create(&t, 0, work, row); {MADE} row[1] = a; a->id = count;",
    ),
    "an array that is copied": (
        "void *work(void *a) { use(copy[1]); return 0; }\n",
        f"{MADE} row[1] = a; memcpy(copy, row, sizeof row); {GO}",
    ),
    "bytes that are copied": (
        "void *work(void *a) { use(copy[1]); return 0; }\n",
        f"{MADE} row[1] = a; for (unsigned i = 0; i < sizeof row; i++) ((char *)copy)[i] = ((char *)row)[i]; {GO}",
    ),
    "a structure that is copied": (
        "struct all other; void *work(void *a) { use(other.row[0]); return 0; }\n",
        f"all.row = row; {MADE} row[0] = a; other = all; {GO}",
    ),
    "a callback": (
        "int by(const void *a, const void *b) { shown = *(struct one **)a; return 0; }\n"
        "void *work(void *a) { use(shown); return 0; }\n",
        f"{MADE} row[0] = row[1] = a; qsort(row, 2, sizeof *row, by); {GO}",
    ),
    "a pipe": (
        "void *work(void *a) { struct one *b; if (read(fds[0], &b, sizeof b) == sizeof b) use(b); return 0; }\n",
        f"if (!started++) {{ if (pipe(fds)) return 1; pthread_create(&t, 0, work, 0); }}"
        f" {MADE} row[0] = a; write(fds[1], row, sizeof *row); a->id = 1;",
    ),
    "a handler": (
        "void on(int n) { use(kept); }\n" + GIVEN,
        f"if (!started++) signal(SIGINT, on); {MADE} kept = a; {GO}",
    ),
    "a thread of a thread": (
        "void *inner(void *a) { use(kept); return 0; }\n"
        "void *work(void *a) { pthread_t t; pthread_create(&t, 0, inner, 0); return 0; }\n",
        f"{MADE} kept = a; {GO}",
    ),
    "a number": (
        "unsigned long n; void *work(void *a) { use((struct one *)n); return 0; }\n",
        f"{MADE} kept = a; n = (unsigned long)kept; {GO}",
    ),
    "a pointer to the variable": (
        "struct one **where; void *work(void *a) { use(*where); return 0; }\n",
        f"where = &kept; {MADE} kept = a; {GO}",
    ),
    "a member": (
        "struct { struct one *in; } box; void *work(void *a) { use(box.in); return 0; }\n",
        f"{MADE} kept = a; box.in = kept; {GO}",
    ),
    "a union": (
        "union { struct one *p; long n; } either; void *work(void *a) { use(either.p); return 0; }\n",
        f"{MADE} kept = a; either.p = kept; {GO}",
    ),
    "a list": (
        "struct node { struct node *next; struct one *in; } *top; void *work(void *a)"
        " { for (struct node *n = top; n; n = n->next) use(n->in); return 0; }\n",
        f"struct node *n = malloc(sizeof *n); if (!n) return 1; {MADE} n->in = a; n->next = top; top = n; {GO}",
    ),
    "what a function that is not there has": (
        "void give(void *); struct one *get(void); void *work(void *a) { use(get()); return 0; }\n",
        f"if (!started++) give(row); {MADE} row[0] = a; {GO}",
    ),
    "memory of the library": (
        'void *work(void *a) { use(*(struct one **)getenv("ROW")); return 0; }\n',
        f'{MADE} *(struct one **)getenv("ROW") = a; {GO}',
    ),
    "written after the start": (GIVEN, f"{MADE} kept = a; pthread_create(&t, 0, work, kept); a->id = 1;"),
    "given twice": (
        GIVEN,
        f"{MADE} kept = a; pthread_create(&t, 0, work, kept); pthread_create(&t, 0, work, kept); kept->id = 1;",
    ),
    "an older one": (
        GIVEN,
        f"if (kept) kept->id = 2; {MADE} kept = a; {GO}",
    ),
    "an older one in an array": (
        GIVEN,
        f"{MADE} row[count & 7] = a; if (row[0]) row[0]->id = 2; {GO}",
    ),
}


def races(folder: Path, functions: str, body: str) -> list[str]:
    """The open races on memory of the heap."""
    return [on for on in open_races(folder / "a.c", START + functions + MAIN.format(body)) if "memory" in on]


@pytest.mark.parametrize("name", KEPT)
def test_what_is_written_where_others_do_not_get_to(name: str, tmp_path: Path) -> None:
    assert races(tmp_path, *KEPT[name]) == []


@pytest.mark.parametrize("name", SHOWN)
def test_what_others_find(name: str, tmp_path: Path) -> None:
    assert races(tmp_path, *SHOWN[name])


def test_a_forgotten_access_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ownership, "accessed_elsewhere", lambda *_: frozenset())
    assert not races(tmp_path, *SHOWN["an array"])
