"""Objects of the heap that each of many threads has for itself: nobody else ever gets the address."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells.memory import Memory
from tests.frontend.running import fails, statuses

START = (
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "struct s { int n; struct s *next; }; pthread_key_t key; _Thread_local struct s *own;\n"
    "struct s *shared, **where = &shared; int step;\n"
    "struct s *make(int n) { struct s *p = calloc(1, sizeof *p); if (!p) exit(0); p->n = n; return p; }\n"
)
_MANY = "int main(void) { pthread_t h; do { pthread_create(&h, 0, t, 0);\n#WAIT } while (rand() % 3); }"
HOLDS = {
    "by a local": "void *t(void *p) { struct s *q = make(1); q->n++; assert(q->n == 2); free(q); return 0; }",
    "by a thread-local variable": (
        "void up(void) { own->n++; } void *t(void *p) { own = make(1); up(); up(); assert(own->n == 3); return 0; }"
    ),
    "by another one": (
        "void *t(void *p) { struct s *q = make(1); q->next = make(5); q->next->n++; assert(q->n == 1);\n"
        "assert(q->next->n == 6); return 0; }"
    ),
    "without initial values": (
        "void *t(void *p) { struct s *q = malloc(sizeof *q); if (!q) return 0; q->n = 4; q->n += 3;\n"
        "assert(q->n == 7); free(q); return 0; }"
    ),
    "with numbers in it": (
        "void *t(void *p) { int *q = calloc(4, sizeof *q); if (!q) return 0; for (int i = 0; i < 4; i++) q[i] = i;\n"
        "assert(q[3] == 3); free(q); return 0; }"
    ),
}
_HANDED = {
    "in a global": ("shared = q;", "if (shared) shared->n = 9;"),
    "in an atomic global": (
        "static _Atomic(struct s *) a; atomic_store(&a, q); shared = a;",
        "if (shared) shared->n = 9;",
    ),
    "through a pointer": ("*where = q;", "if (shared) shared->n = 9;"),
    "as a number": (
        "static unsigned long k; k = (unsigned long)q; shared = (struct s *)k;",
        "if (shared) ((struct s *)(unsigned long)shared)->n = 9;",
    ),
    "in another object": ("struct s *r = make(0); r->next = q; shared = r;", "if (shared) shared->next->n = 9;"),
    "in another object that others have": (
        "struct s *r = make(0); shared = r; r->next = q;",
        "if (shared && shared->next) shared->next->n = 9;",
    ),
    "by bytes": ("memcpy(&shared, &q, sizeof q);", "if (shared) shared->n = 9;"),
    "by the address of what holds it": ("own = q; where = &own; shared = own;", "if (shared) (*where)->n = 9;"),
    "to a thread": (
        "void *u(void *); pthread_t h; if (pthread_create(&h, 0, u, q)) exit(0); pthread_join(h, 0);",
        "if (p) ((struct s *)p)->n = 9;",
    ),
    "in two halves": (
        "unsigned long k = (unsigned long)q; static unsigned low, high; low = k; high = k >> 32;\n"
        "shared = (struct s *)((unsigned long)high << 32 | low);",
        "if (shared) shared->n = 9;",
    ),
}
FAILS = {
    f"handed on {way}": (
        f"void *u(void *p) {{ {by} return 0; }}\n"
        f"void *t(void *p) {{ struct s *q = make(1); {to} pthread_t g; if (pthread_create(&g, 0, u, 0)) exit(0);\n"
        "pthread_join(g, 0); assert(q->n == 1); return 0; }\n"
    )
    for way, (to, by) in _HANDED.items()
} | {
    "one in each round": (
        "void *t(void *p) { struct s *q[2]; for (int i = 0; i < 2; i++) q[i] = make(i);\n"
        "assert(q[0]->n == q[1]->n); return 0; }"
    ),
    "one, in two rounds": (
        "void *t(void *p) { struct s *first = 0, *q; for (int i = 0; i < 2 + step; i++) {\n"
        "q = make(i); if (!first) first = q; } assert(first == q); return 0; }"
    ),
    "its members": "void *t(void *p) { struct s *q = make(1); q->n++; assert(q->n == 1); return 0; }",
}
RETURNED = (
    "void *t(void *p) { return make(1); } int main(void) { pthread_t a[2]; void *r[2];\n"
    "for (int i = 0; i < 2 + step; i++) if (pthread_create(&a[i], 0, t, 0)) exit(0);\n"
    "for (int i = 0; i < 2 + step; i++) pthread_join(a[i], &r[i]);\n"
    "((struct s *)r[0])->n = 7; assert(((struct s *)r[1])->n == 7); return 0; }"
)


def _is_proved(folder: Path, text: str, wait: str = "") -> bool:
    program = START + (text if "int main" in text else f"{text}\n{_MANY.replace('#WAIT', wait)}")
    return all(status.is_safe for status in statuses(folder / "a.c", program))


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_proved(name: str, tmp_path: Path) -> None:
    assert _is_proved(tmp_path, HOLDS[name])


@pytest.mark.parametrize("wait", ["", "pthread_join(h, 0);"])
@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_not_proved(name: str, wait: str, tmp_path: Path) -> None:
    assert not _is_proved(tmp_path, FAILS[name], wait)
    assert not wait or fails(tmp_path / "a.c", "")


def test_what_threads_give_back_is_not_one_object(tmp_path: Path) -> None:
    assert not _is_proved(tmp_path, RETURNED)


def test_objects_that_are_handed_on_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: whoever gets the address, an object stays that of the thread which has allocated it."""
    monkeypatch.setattr(Memory, "hand_on", lambda *_: None)
    assert sum(_is_proved(tmp_path, text) for text in FAILS.values()) >= 3
