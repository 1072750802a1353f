"""Steps of a schedule that are exact, and those that are not: what C defines, and what it leaves undefined.

Each program fails; the first ones by an execution whose every step C defines, the others only by one that it does not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.cells import lifetimes
from duet.frontend.cells.context import Context
from duet.frontend.graph import exact as graph
from duet.frontend.models import barriers, buffers, keys, locks, threads, timeouts
from duet.frontend.models import exact as models
from duet.plip.syntax import SKIP, TRUE
from duet.verify import schedule

START = (
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n#include <time.h>\n#include <unistd.h>\n"
    "int __VERIFIER_nondet_int(void); struct pair { int a, b; };\n"
    "int x, y; sem_t count; struct timespec past, wrong = {0, 2000000000}; pthread_barrier_t both;\n"
    "struct pair one, two; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
)


BRIEF = 2
"""Seconds for what is not refuted, however long it takes."""


def verdict(tmp_path: Path, text: str, seconds: int = 5) -> dict[str, object]:
    path = tmp_path / "program.c"
    path.write_text(START + text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--format", "json", "--timeout", str(seconds), str(path)])
    assert result.exit_code in (0, 1), result.output
    (only,) = json.loads(result.stdout)["assertions"]
    assert isinstance(only, dict)
    return only


WAITS = "void *f(void *a) { pthread_barrier_wait(&both); x = 1; return 0; }\n"
EXACT = {
    "declared in a loop and set": "int main(void) { for (int i = 0; i < 3; i++) { int t; t = i; x += t; }\n"
    "assert(x != 3); return 0; }",
    "a barrier": f"{WAITS} int main(void) {{ pthread_t t; pthread_barrier_init(&both, 0, 2);\n"
    "pthread_create(&t, 0, f, 0); pthread_barrier_wait(&both); assert(x == 0); return 0; }",
    "a mutex is held for too long": "void *f(void *a) { pthread_mutex_lock(&m); x = 1; return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n"
    "assert(pthread_mutex_timedlock(&m, &past) == 0); return 0; }",
    "no permit for too long": "int main(void) { sem_init(&count, 0, 0); assert(sem_timedwait(&count, &past) == 0); }",
    "a condition for too long": "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
    "int main(void) { pthread_mutex_lock(&m);\n"
    "int late = pthread_cond_timedwait(&c, &m, &past); assert(late == 0); return 0; }",
    "permits are counted": "int main(void) { int n; sem_init(&count, 0, 2); sem_wait(&count);\n"
    "sem_getvalue(&count, &n); assert(n == 2); return 0; }",
    "a recursive mutex": "int main(void) { pthread_mutexattr_t kind; pthread_mutexattr_init(&kind);\n"
    "pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &kind);\n"
    "pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(x); return 0; }",
    "a mutex that another one is destroyed beside": "void *f(void *a) { pthread_mutex_lock(&m); x = 1; x = 0;\n"
    "pthread_mutex_unlock(&m); return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); pthread_mutex_destroy(&m); }",
    "memory is copied": "int main(void) { one.a = 3; memcpy(&two, &one, sizeof one); assert(two.a != 3); return 0; }",
    "memory is set": "int main(void) { one.b = 3; memset(&one, 0, sizeof one); assert(one.b == 3); return 0; }",
    "a function by its address": "void *f(void *a) { x = 1; return 0; } void *g(void *a) { x = 2; return 0; }\n"
    "int main(void) { pthread_t t; void *(*h)(void *) = f; if (__VERIFIER_nondet_int()) h = g;\n"
    "pthread_create(&t, 0, h, 0); assert(x != 2); return 0; }",
    "once": "once_flag flag = ONCE_FLAG_INIT; void init(void) { x = x + 1; }\n"
    "int main(void) { call_once(&flag, init); call_once(&flag, init); assert(x != 1); return 0; }",
    "what a thread keeps by a key": "pthread_key_t k; void *f(void *a) { if (pthread_setspecific(k, &x)) return 0;\n"
    "if (pthread_getspecific(k) == &x) y = 1; return 0; }\n"
    "int main(void) { pthread_t t; if (pthread_key_create(&k, 0)) return 1; pthread_create(&t, 0, f, 0);\n"
    "pthread_join(t, 0); assert(y != 1); return 0; }",
    "memory is given back": "int main(void) { int *q = malloc(4); if (!q) return 1; *q = 3; x = *q; free(q);\n"
    "assert(x != 3); return 0; }",
    "memory is given back by another thread": "int *q; void *f(void *a) { *q = 4; x = *q; free(q); y = 1; return 0; }\n"
    "int main(void) { pthread_t t; q = malloc(4); if (!q) return 1; pthread_create(&t, 0, f, 0);\n"
    "if (y) assert(x != 4); return 0; }",
    "one of two objects is given back": "int main(void) { int *q = malloc(4), *r = calloc(1, 4);\n"
    "if (!q || !r) return 1; free(__VERIFIER_nondet_int() ? q : r); x = 1; free(0); assert(x == 0); return 0; }",
    "a lock in memory that is given back": "struct own { pthread_mutex_t m; int n; }; int main(void) {\n"
    "struct own *q = malloc(sizeof *q); if (!q) return 1; pthread_mutex_init(&q->m, 0); pthread_mutex_lock(&q->m);\n"
    "q->n = 2; x = q->n; pthread_mutex_unlock(&q->m); free(q); assert(x != 2); return 0; }",
    "values of the library that do not matter": "void *f(void *a) { x = 1; return 0; }\n"
    "int main(void) { pthread_t t; struct timespec brief = {0, 5}; char b[8]; time_t now = time(0); srand(now);\n"
    "long got = gethostname(b, sizeof b); y = atoi(\"5\"); pthread_create(&t, 0, f, 0); pthread_detach(t);\n"
    "nanosleep(&brief, 0); assert(x == 0); return got > 0; }",
    "checked arithmetic": "int main(void) { int n = __VERIFIER_nondet_int();\n"
    "assert(!__builtin_add_overflow(n, 2, &x)); return 0; }",
    "an input that a guess is given": "int main(void) { x = atoi(\"3\");\n"
    "int o = __builtin_sub_overflow(__VERIFIER_nondet_int(), 2, &x); assert(!o); return 0; }",
    "a handler at the end": "void put(void *a) { y = 2; }\n"
    "void *f(void *a) { pthread_cleanup_push(put, 0); x = 1; pthread_cleanup_pop(1); return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(y != 2); return 0; }",
    "a thread that has not ended": "void *f(void *a) { x = 1; return 0; } int main(void) { pthread_t t;\n"
    "pthread_create(&t, 0, f, 0); if (pthread_tryjoin_np(t, 0)) { assert(x == 1); } return 0; }",
    "a literal to one of two": "char one_text[8], other[8]; int main(void) {\n"
    "strcpy(__VERIFIER_nondet_int() ? one_text : other, \"q\"); assert(one_text[0] == 'q'); return 0; }",
}  # fmt: skip
UNDEFINED = {
    "declared and not set": "int main(void) { int t; assert(t == 0); return 0; }",
    "declared in a loop and not set": "int main(void) { for (int i = 0; i < 3; i++) { int t; if (i < 2) t = 0;\n"
    "if (i == 2) assert(t == 0); } return 0; }",
    "set in an earlier round": "int main(void) { for (int i = 0; i < 2; i++) { int t; if (!i) t = 7;\n"
    "if (i == 1) assert(t == 5); } return 0; }",
    "a barrier that is not initialised yet": f"{WAITS} int main(void) {{ pthread_t t, u;\n"
    "pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); assert(x == 0); pthread_barrier_init(&both, 0, 2); }",
    "a free mutex is not waited for": "int main(void) { assert(pthread_mutex_timedlock(&m, &past) == 0); return 0; }",
    "nor is a permit": "int main(void) { sem_init(&count, 0, 1); assert(sem_timedwait(&count, &past) == 0); }",
    "nor a mutex by who has it": "int main(void) { pthread_mutexattr_t kind; pthread_mutexattr_init(&kind);\n"
    "pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &kind);\n"
    "pthread_mutex_lock(&m); assert(pthread_mutex_timedlock(&m, &past) == 0); return 0; }",
    "an invalid limit": "void *f(void *a) { pthread_mutex_lock(&m); x = 1; return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n"
    "assert(pthread_mutex_timedlock(&m, &wrong) != ETIMEDOUT); return 0; }",
    "an invalid limit of a condition": "int main(void) { pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
    "pthread_mutex_lock(&m); assert(pthread_cond_timedwait(&c, &m, &wrong) != ETIMEDOUT); return 0; }",
    "a destroyed mutex": "int main(void) { pthread_mutex_destroy(&m); assert(pthread_mutex_lock(&m) == 0); return 0; }",
    "a key that is not created yet": "pthread_key_t k; int main(void) { if (pthread_setspecific(k, &x)) return 0;\n"
    "if (pthread_key_create(&k, 0)) return 0; assert(pthread_getspecific(k) == 0); return 0; }",
    "a key that nobody creates in time": "pthread_key_t k; void *f(void *a) { return pthread_getspecific(k); }\n"
    "int main(void) { pthread_t t; void *found; pthread_create(&t, 0, f, 0); pthread_join(t, &found);\n"
    "if (pthread_key_create(&k, 0)) return 0; assert(found != 0); return 0; }",
    "a destructor of a thread that is cancelled has not run": "pthread_key_t k; void d(void *a) { x = 1; }\n"
    "void *f(void *a) { y = !pthread_setspecific(k, &y); return 0; }\n"
    "int main(void) { pthread_t t; if (pthread_key_create(&k, d)) return 0; pthread_create(&t, 0, f, 0);\n"
    "pthread_cancel(t); pthread_join(t, 0); if (y) { assert(x == 1); } return 0; }",
    "what another thread writes to a pipe": "int ends[2];\n"
    "void *f(void *a) { x = 1; write(ends[1], \"a\", 1); return 0; }\n"
    "int main(void) { pthread_t t; char c; pipe(ends); pthread_create(&t, 0, f, 0); read(ends[0], &c, 1);\n"
    "assert(x == 1); return 0; }",
    "a number from a text": "int main(void) { assert(atoi(\"5\") == 5); return 0; }",
    "a comparison of texts": "int main(void) { x = strncmp(\"a\", \"a\", 1); assert(x == 0); return 0; }",
    "what a product may be": "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n"
    "if (a == 2 && b == 3) { assert(!__builtin_mul_overflow(a, b, &x)); } return 0; }",
    "whether something can be done": "int main(void) { assert(sem_unlink(\"/a/b/c\") != 0); return 0; }",
    "a copy onto itself": "int main(void) { one.a = 2; memcpy(&one, &one, sizeof one); assert(one.a != 2); return 0; }",
    "a thread ends in what is called once": "once_flag flag = ONCE_FLAG_INIT;\n"
    "void init(void) { x = x + 1; pthread_exit(0); } void *f(void *a) { call_once(&flag, init); return 0; }\n"
    "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); assert(x < 2); }",
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
def test_what_c_defines_is_exact(name: str, tmp_path: Path) -> None:
    found = verdict(tmp_path, EXACT[name])
    assert (found["status"], found["confirmed"]) == ("refuted", "exact"), found["reason"]


HOLDS = {
    "a thread that has ended": "void *f(void *a) { x = 1; return 0; } int main(void) { pthread_t t;\n"
    "pthread_create(&t, 0, f, 0); if (pthread_tryjoin_np(t, 0) == 0) { assert(x == 1); } return 0; }",
    "a literal to one of two": "char one_text[8], other[8]; int main(void) {\n"
    'strcpy(__VERIFIER_nondet_int() ? one_text : other, "q"); assert(one_text[0] != other[0]); return 0; }',
}


@pytest.mark.parametrize("name", HOLDS)
def test_what_is_true_is_not_refuted(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, HOLDS[name], BRIEF)["status"] != "refuted"


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_c_does_not_define_is_in_the_way(name: str, tmp_path: Path) -> None:
    found = verdict(tmp_path, UNDEFINED[name])
    assert found["status"] == "unproved", found
    assert "more than C does" in str(found["reason"])


GONE = {
    "a thread is asked for that is joined": "void *f(void *a) { return 0; } int main(void) { pthread_t t;\n"
    "pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(pthread_tryjoin_np(t, 0) == 0); return 0; }",
    "used after it is given back": "int main(void) { int *q = malloc(4); if (!q) return 1; *q = 3; free(q); x = *q;\n"
    "assert(x != 3); return 0; }",
    "given back twice": "int *q; void *f(void *a) { free(q); __sync_fetch_and_add(&x, 1); return 0; }\n"
    "int main(void) { pthread_t s, t; q = malloc(4); if (!q) return 1; pthread_create(&s, 0, f, 0);\n"
    "pthread_create(&t, 0, f, 0); assert(x != 2); return 0; }",
    "copied meanwhile": "struct pair *q; void *f(void *a) { one = *q; return 0; } int main(void) { pthread_t t;\n"
    "q = malloc(sizeof *q); if (!q) return 1; q->a = 1; q->b = 1; pthread_create(&t, 0, f, 0); free(q);\n"
    "if (one.a == 0) { assert(one.b == 0); } return 0; }",
    "a lock in it is used": "struct own { pthread_mutex_t m; int n; }; int main(void) {\n"
    "struct own *q = malloc(sizeof *q); if (!q) return 1; pthread_mutex_init(&q->m, 0); free(q);\n"
    "pthread_mutex_lock(&q->m); x = 1; assert(x == 0); return 0; }",
    "exchanged after it is given back": "int main(void) { int *q = malloc(4); if (!q) return 1; *q = 3; free(q);\n"
    "__sync_bool_compare_and_swap(q, 3, 4); x = 1; assert(x == 0); return 0; }",
    "set after it is given back": "int main(void) { int *q = malloc(4); if (!q) return 1; free(q); memset(q, 0, 4);\n"
    "assert(q == 0); return 0; }",
    "given back in the middle": "int main(void) { int *q = malloc(40); if (!q) return 1; free(q + 1); x = 1;\n"
    "assert(x == 0); return 0; }",
    "what is not allocated is given back": "int main(void) { int *q = &y; free(q); x = 1; assert(x == 0); return 0; }",
    "objects of one place": "int *kept; int main(void) { for (int i = 0; i < 40; i++) {\n"
    "int *q = malloc(4); if (!q) return 1; if (i == 1) kept = q; free(q); }\n"
    "*kept = 1; x = 1; assert(x == 0); return 0; }",
    "moved elsewhere": "int main(void) { int *q = malloc(4), *r; if (!q) return 1; r = realloc(q, 400);\n"
    "if (!r) return 1; *q = 1; x = 1; assert(x == 0); return 0; }",
}  # fmt: skip


@pytest.mark.parametrize("name", GONE)
def test_memory_that_is_gone_is_in_the_way(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, GONE[name], BRIEF)["status"] == "unproved"


def _nothing(*_: object) -> None:
    pass


def _gives_up_at_any_time(ctx: Context, _: str, given_up: Mapping[int, int]) -> None:
    ctx.builder.given.add(ctx.builder.current)
    for end in given_up.values():
        ctx.builder.edge(SKIP, end)


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: dict[str, tuple[str, Defect]] = {
    "inputs": ("declared and not set", lambda patch: patch.setattr(schedule, "_is_unknown", lambda *_: False)),
    "declarations": ("set in an earlier round", lambda patch: patch.setattr(schedule, "UNSET", "")),
    "barriers": (
        "a barrier that is not initialised yet",
        lambda patch: patch.setattr(barriers, "mentioned", lambda _: SKIP),
    ),
    "joins": (
        "a thread is asked for that is joined",
        lambda patch: patch.setattr(threads, "_may_give_up", _gives_up_at_any_time),
    ),
    "limits": ("an invalid limit", lambda patch: patch.setattr(timeouts, "_is_part", lambda *_: TRUE)),
    "waits": ("a free mutex is not waited for", lambda patch: patch.setattr(locks, "EARLY", "")),
    "destroyed": ("a destroyed mutex", lambda patch: patch.setattr(locks, "DESTROYED", "")),
    "checks of memory": (
        "used after it is given back",
        lambda patch: patch.setattr(lifetimes, "_kept", lambda *_: TRUE),
    ),
    "keys": ("a key that is not created yet", lambda patch: patch.setattr(keys, "_expect_created", _nothing)),
    "memory that goes meanwhile": ("copied meanwhile", lambda patch: patch.setattr(lifetimes, "used", _nothing)),
    "the step that gives back": ("given back twice", lambda patch: patch.setattr(lifetimes, "_once", lambda *_: TRUE)),
    "values": ("a number from a text", lambda patch: patch.setattr(models, "valued", lambda model: model)),
    "ways": ("what a product may be", lambda patch: patch.setattr(graph, "_is_idle", lambda *_: True)),
    "copies": ("a copy onto itself", lambda patch: patch.setattr(buffers, "_is_apart", lambda *_: True)),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_noticed(defect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, change = DEFECTS[defect]
    change(monkeypatch)
    assert verdict(tmp_path, {**UNDEFINED, **GONE}[name])["status"] == "refuted"
