"""Steps of a schedule that are exact, and those that are not: what C defines, and what it leaves undefined.

Each program fails; the first ones by an execution whose every step C defines, the others only by one that it does not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.models import barriers, buffers, locks, timeouts
from duet.plip.syntax import SKIP, TRUE
from duet.verify import schedule

START = (
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n#include <time.h>\n"
    "int __VERIFIER_nondet_int(void); struct pair { int a, b; };\n"
    "int x, y; sem_t count; struct timespec past, wrong = {0, 2000000000}; pthread_barrier_t both;\n"
    "struct pair one, two; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
)


def verdict(tmp_path: Path, text: str) -> dict[str, object]:
    path = tmp_path / "program.c"
    path.write_text(START + text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--format", "json", "--timeout", "5", str(path)])
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
    "a handler at the end": "void put(void *a) { y = 2; }\n"
    "void *f(void *a) { pthread_cleanup_push(put, 0); x = 1; pthread_cleanup_pop(1); return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(y != 2); return 0; }",
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
    "a copy onto itself": "int main(void) { one.a = 2; memcpy(&one, &one, sizeof one); assert(one.a != 2); return 0; }",
    "a thread ends in what is called once": "once_flag flag = ONCE_FLAG_INIT;\n"
    "void init(void) { x = x + 1; pthread_exit(0); } void *f(void *a) { call_once(&flag, init); return 0; }\n"
    "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); assert(x < 2); }",
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
def test_what_c_defines_is_exact(name: str, tmp_path: Path) -> None:
    found = verdict(tmp_path, EXACT[name])
    assert (found["status"], found["confirmed"]) == ("refuted", "exact"), found["reason"]


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_c_does_not_define_is_in_the_way(name: str, tmp_path: Path) -> None:
    found = verdict(tmp_path, UNDEFINED[name])
    assert found["status"] == "unproved", found
    assert "more than C does" in str(found["reason"])


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: dict[str, tuple[str, Defect]] = {
    "inputs": ("declared and not set", lambda patch: patch.setattr(schedule, "_is_unknown", lambda *_: False)),
    "declarations": ("set in an earlier round", lambda patch: patch.setattr(schedule, "UNSET", "")),
    "barriers": (
        "a barrier that is not initialised yet",
        lambda patch: patch.setattr(barriers, "mentioned", lambda _: SKIP),
    ),
    "limits": ("an invalid limit", lambda patch: patch.setattr(timeouts, "_validity", lambda *_: TRUE)),
    "waits": ("a free mutex is not waited for", lambda patch: patch.setattr(locks, "EARLY", "")),
    "destroyed": ("a destroyed mutex", lambda patch: patch.setattr(locks, "DESTROYED", "")),
    "copies": ("a copy onto itself", lambda patch: patch.setattr(buffers, "_is_apart", lambda *_: True)),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_noticed(defect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, change = DEFECTS[defect]
    change(monkeypatch)
    assert verdict(tmp_path, UNDEFINED[name])["status"] == "refuted"
