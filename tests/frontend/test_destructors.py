"""Destructors of data by key: threads run them where they end, in any order of the keys, as often as it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.ctypes.types import INT
from duet.frontend.models import destructors, keys
from tests.frontend.running import fails, statuses

START = (
    "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\npthread_key_t one, two; int x, y, n, m;\n"
    "#define KEEP(k, v) if (pthread_setspecific(k, v)) exit(0)\n"
    "#define MAKE(k, d) if (pthread_key_create(k, d)) exit(0)\n"
    "#define RUN(t) do { pthread_t h; if (pthread_create(&h, 0, t, 0)) exit(0); pthread_join(h, 0); } while (0)\n"
    "void count(void *p) { n++; }\n"
)
_KEEPS = "void *t(void *p) { KEEP(one, &x); return 0; }\n"
HOLDS = {
    "once": f"{_KEEPS} int main(void) {{ MAKE(&one, count); RUN(t); assert(n == 1); }}",
    "where the thread is told to end": (
        "void end(void) { pthread_exit(0); } void *t(void *p) { KEEP(one, &x); end(); n = 5; return 0; }\n"
        "int main(void) { MAKE(&one, count); RUN(t); assert(n == 1); }"
    ),
    "behind cleanup handlers": (
        "void clean(void *p) { assert(n == 0); assert(pthread_getspecific(one) == &x); m = 1; }\n"
        "void d(void *p) { assert(m == 1); n = 1; }\n"
        "void *t(void *p) { KEEP(one, &x); pthread_cleanup_push(clean, 0); pthread_exit(0);\n"
        "pthread_cleanup_pop(0); return 0; } int main(void) { MAKE(&one, d); RUN(t); assert(n == 1); }"
    ),
    "with what was kept, which is kept no more": (
        "void d(void *p) { assert(p == &x); assert(pthread_getspecific(one) == 0); }\n"
        f"{_KEEPS} int main(void) {{ MAKE(&one, d); RUN(t); }}"
    ),
    "not with null": (
        "void d(void *p) { assert(p != 0); n++; } void *t(void *p) { KEEP(one, &x); KEEP(one, 0); return 0; }\n"
        "int main(void) { MAKE(&one, d); RUN(t); assert(n == 0); }"
    ),
    "not by who returns from main": (
        "void d(void *p) { assert(p == &x); } void *t(void *p) { KEEP(one, &x); return 0; }\n"
        "int main(void) { MAKE(&one, d); RUN(t); KEEP(one, &y); return 0; }"
    ),
    "of a key that runs once makes": (
        "pthread_once_t o = PTHREAD_ONCE_INIT; void make(void) { MAKE(&one, count); }\n"
        "void *t(void *p) { pthread_once(&o, make); KEEP(one, &x); return 0; }\n"
        "int main(void) { RUN(t); assert(n == 1); RUN(t); assert(n == 2); }"
    ),
    "again where something is kept again": (
        "void d(void *p) { n++; if (n < 2) KEEP(one, p); } "
        f"{_KEEPS} int main(void) {{ MAKE(&one, d); RUN(t); assert(n >= 1); assert(n <= 2); }}"
    ),
    "of a key that is deleted later": (
        f"{_KEEPS} int main(void) {{ MAKE(&one, count); RUN(t); pthread_key_delete(one); assert(n == 1); }}"
    ),
    "the data of the thread": (
        "_Thread_local int own; void d(void *p) { assert(own == 3); }\n"
        "void *t(void *p) { own = 3; KEEP(one, &x); return 0; } int main(void) { own = 1; MAKE(&one, d); RUN(t); }"
    ),
}
FAILS = {
    "not before the thread ends": f"{_KEEPS} int main(void) {{ MAKE(&one, count); RUN(t); assert(n == 0); }}",
    "where the thread is told to end": (
        "void *t(void *p) { KEEP(one, &x); pthread_exit(0); } int main(void) { MAKE(&one, count); RUN(t);\n"
        "assert(n == 0); }"
    ),
    "by the main thread that ends alone": (
        "void d(void *p) { assert(p == &x); } int main(void) { MAKE(&one, d); KEEP(one, &y); pthread_exit(0); }"
    ),
    "again where something is kept again": (
        "void d(void *p) { n++; if (n < 2) KEEP(one, p); } "
        f"{_KEEPS} int main(void) {{ MAKE(&one, d); RUN(t); assert(n == 1); }}"
    ),
    "of what a handler keeps": (
        "#include <signal.h>\nvoid h(int s) { if (pthread_setspecific(one, &x)) exit(0); }\n"
        "void *t(void *p) { raise(SIGUSR1); return 0; }\n"
        "int main(void) { MAKE(&one, count); signal(SIGUSR1, h); RUN(t); assert(n == 0); }"
    ),
    "given up at last": (
        f"void d(void *p) {{ n++; KEEP(one, p); }} {_KEEPS} int main(void) {{ MAKE(&one, d); RUN(t); assert(n < 4); }}"
    ),
    "the first key before the second": (
        "void d(void *p) { m = n; } void *t(void *p) { KEEP(one, &x); KEEP(two, &y); return 0; }\n"
        "int main(void) { MAKE(&one, count); MAKE(&two, d); RUN(t); assert(m == 0); }"
    ),
    "the second key before the first": (
        "void d(void *p) { m = n; } void *t(void *p) { KEEP(one, &x); KEEP(two, &y); return 0; }\n"
        "int main(void) { MAKE(&two, d); MAKE(&one, count); RUN(t); assert(m == 1); }"
    ),
    "what another destructor keeps": (
        "void d(void *p) { KEEP(two, &y); } void *t(void *p) { KEEP(one, &x); return 0; }\n"
        "int main(void) { MAKE(&one, d); MAKE(&two, count); RUN(t); assert(n == 0); }"
    ),
    "not of a key that is deleted": (
        "void *t(void *p) { KEEP(one, &x); pthread_key_delete(one); return 0; }\n"
        "int main(void) { MAKE(&one, count); RUN(t); assert(n == 1); }"
    ),
    "not of a key that is deleted by another name": (
        "pthread_key_t all[2]; void *t(void *p) { KEEP(one, &x); for (int i = 0; i < 2; i++)\n"
        "pthread_key_delete(all[i]); return 0; } int main(void) { MAKE(&one, count);\n"
        "for (int i = 0; i < 2; i++) all[i] = one; RUN(t); assert(n == 1); }"
    ),
    "of each of two keys that one place makes": (
        "pthread_key_t all[2]; void *t(void *p) { KEEP(all[0], &x); KEEP(all[1], &y); return 0; }\n"
        "int main(void) { for (int i = 0; i < 2; i++) MAKE(&all[i], count); RUN(t); assert(n < 2); }"
    ),
    "of a thread that is cancelled": (
        "void *t(void *p) { KEEP(one, &x); pthread_testcancel(); return 0; }\n"
        "int main(void) { pthread_t h; MAKE(&one, count); if (pthread_create(&h, 0, t, 0)) exit(0);\n"
        "pthread_cancel(h); pthread_join(h, 0); assert(n == 0 && m == 1); }"
    ),
    "what it was given": (
        "void d(void *p) { *(int *)p = 1; } void *t(void *p) { int *own = malloc(sizeof *own); if (!own) exit(0);\n"
        "*own = 0; KEEP(one, own); KEEP(two, own); return 0; } void e(void *p) { assert(*(int *)p == 0); }\n"
        "int main(void) { MAKE(&one, d); MAKE(&two, e); RUN(t); }"
    ),
}


def _is_proved(folder: Path, text: str) -> bool:
    return all(status.is_safe for status in statuses(folder / "a.c", START + text))


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_proved(name: str, tmp_path: Path) -> None:
    assert _is_proved(tmp_path, HOLDS[name])


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not _is_proved(tmp_path, FAILS[name])
    assert fails(tmp_path / "a.c", "")


def test_destructors_that_nobody_runs_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: a thread that ends is at its exit."""
    monkeypatch.setattr(destructors, "_found", lambda _: [])
    assert _is_proved(tmp_path, FAILS["not before the thread ends"])
    assert _is_proved(tmp_path, FAILS["what another destructor keeps"])


def test_deleted_keys_that_are_forgotten_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: what was kept by a key is destroyed, whatever became of the key."""
    monkeypatch.setattr(keys, "deleted", lambda ctx, _: ctx.temporary(INT))
    assert _is_proved(tmp_path, FAILS["not of a key that is deleted"])
