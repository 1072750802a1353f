"""Programs under the controlled scheduler: what fails is seen to, at its own line; what holds never fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.replay.build import CannotRun
from duet.replay.replay import replay
from tests.replay.programs import needs_compiler, recipe

pytestmark = needs_compiler

TWO = (
    "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, {g}, 0);\n{rest} return 0; }\n"
)


def two(body: str, other: str = "f", rest: str = "") -> str:
    return body + TWO.replace("{g}", other).replace("{rest}", rest)


JOIN = "pthread_join(s, 0); pthread_join(t, 0);\n"
FAILS = {
    "lost update": ("assertion", two("void *f(void *a) { x++; return 0; }\n", rest=JOIN + "assert(x == 2); // HERE\n")),
    "input": ("assertion", "int __VERIFIER_nondet_int(void);\nint main(void) { if (__VERIFIER_nondet_int() < -5)\n"
              "assert(x); // HERE\nreturn 0; }\n"),
    "unknown function": ("assertion", "int ask(void);\nint main(void) { assert(!ask()); // HERE\nreturn 0; }\n"),
    "undeclared assert": ("assertion", "#undef assert\nint main(void) { BUG_ON(x == 0); // HERE\nreturn 0; }\n"),
    "own error function": ("unreach-call", "void reach_error(void) { assert(0); }\n"
                           "int main(void) { if (!x)\nreach_error(); // HERE\nreturn 0; }\n"),
    "own assertion": ("assertion", "void reach_error(void) { assert(0); }\n"
                      "void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); abort(); } }\n"
                      "int main(void) {\n__VERIFIER_assert(x); // HERE\nreturn 0; }\n"),
    "overflow": ("overflow", "int ask(void);\nint main(void) { x = 2147483600; while (1)\nx++; // HERE\n}\n"),
    "division": ("division-by-zero", "int main(void) { y = 3;\nreturn y / x; // HERE\n}\n"),
    "index": ("array-bounds", "int a[3];\nint main(void) { x = 3;\na[x] = 1; // HERE\nreturn 0; }\n"),
    "heap": ("array-bounds", "int main(void) { int *q = malloc(8); if (!q) return 1; x = 2;\n"
             "q[x] = 1; // HERE\nreturn 0; }\n"),
    "null": ("null-dereference", "int main(void) {\n*p = 1; // HERE\nreturn 0; }\n"),
    "null in a library function": ("null-dereference", "int main(void) {\nmemset(p, 0, 4); // HERE\nreturn 0; }\n"),
    "used after it is given back": ("use-after-free", two("void *f(void *a) {\n*p = 1; // HERE\nreturn 0; }\n"
                                    "void *g(void *a) { free(p); return 0; }\n", "g").replace(
                                        "pthread_create(&s", "p = malloc(4); if (!p) return 1; pthread_create(&s")),
    "a lock in it": ("use-after-free", "int main(void) { pthread_mutex_t *q = malloc(sizeof *q); if (!q) return 1;\n"
                     "pthread_mutex_init(q, 0); free(q);\npthread_mutex_lock(q); // HERE\nreturn 0; }\n"),
    "given back twice": ("use-after-free", two("void *f(void *a) {\nfree(p); // HERE\nreturn 0; }\n").replace(
        "pthread_create(&s", "p = malloc(4); if (!p) return 1; pthread_create(&s")),
    "given back in the middle": ("use-after-free", "int main(void) { p = malloc(40); if (!p) return 1;\n"
                                 "free(p + 1); // HERE\nreturn 0; }\n"),
    "semaphore": ("assertion", two("sem_t q; void *f(void *a) { sem_wait(&q); x++;\nassert(x == 1); // HERE\n"
                  "return 0; }\n", rest="sem_init(&q, 0, 1); sem_post(&q);\n")),
    "condition": ("assertion", two("pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *f(void *a) {\n"
                  "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);\nassert(x); // HERE\n"
                  "pthread_mutex_unlock(&m); return 0; }\nvoid *g(void *a) { pthread_cond_signal(&c); return 0; }\n",
                  "g")),
    "readers": ("assertion", two("pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; void *f(void *a) {\n"
                "pthread_rwlock_rdlock(&r); x++; assert(x == 1); // HERE\nx--; pthread_rwlock_unlock(&r);\n"
                "return 0; }\n")),
    "by a schedule of steps": ("assertion", two("void *f(void *a) { if (__sync_bool_compare_and_swap(&x, 0, 1))\n"
                               "y = 1; return 0; }\n", rest="if (x) assert(y); // HERE\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_seen_to(name: str, tmp_path: Path) -> None:
    property_name, text = FAILS[name]
    found = replay(recipe(tmp_path, text, property_name))
    assert found.has_failed
    assert found.steps[-1].line == recipe(tmp_path, text, property_name).check.line


def test_names_of_the_runtime_are_free(tmp_path: Path) -> None:
    names = "int running, locks;\nint known(int x) { return x; }\n"
    text = f"{names}int main(void) {{\nassert(known(running)); // HERE\nreturn 0; }}\n"
    assert replay(recipe(tmp_path, text, "assertion")).has_failed


def test_a_label_fails(tmp_path: Path) -> None:
    text = "int main(void) { if (x) return 0;\nERROR: // HERE\nreturn 1; }\n"
    assert replay(recipe(tmp_path, text, "unreach-call", expression="ERROR")).has_failed


def test_a_race_is_two_accesses_in_one_state(tmp_path: Path) -> None:
    text = two(
        "void *f(void *a) {\nx = 1; // HERE\nreturn 0; }\nvoid *g(void *a) {\nreturn x ? a : 0; // THERE\n}\n", "g"
    )
    there = recipe(tmp_path, text, "data-race", "THERE").check.line
    found = replay(recipe(tmp_path, text, "data-race", other=(str(tmp_path / "program.c"), there)))
    assert found.has_failed


def test_no_race_under_a_lock_or_with_atomic_operations(tmp_path: Path) -> None:
    for one, other in (
        ("pthread_mutex_lock(&m); x = 1;", "pthread_mutex_unlock(&m);"),
        ("__sync_fetch_and_add(&x, 1);", ""),
    ):
        text = two(f"void *f(void *a) {{\n{one} // HERE\n{other} return 0; }}\n")
        asked = recipe(tmp_path, text, "data-race")
        found = replay(recipe(tmp_path, text, "data-race", other=(asked.check.file, asked.check.line)), 200)
        assert not found.has_failed


def test_a_deadlock_is_a_circle(tmp_path: Path) -> None:
    text = two(
        "void *f(void *a) { pthread_mutex_lock(&m);\npthread_mutex_lock(&n); // HERE\nreturn 0; }\n"
        "void *g(void *a) { pthread_mutex_lock(&n);\npthread_mutex_lock(&m); // THERE\nreturn 0; }\n",
        "g",
    )
    assert replay(recipe(tmp_path, text, "deadlock")).has_failed
    assert replay(recipe(tmp_path, text, "deadlock", "THERE")).has_failed


def test_waiting_for_good_in_no_circle_is_no_deadlock(tmp_path: Path) -> None:
    text = two("void *f(void *a) { pthread_mutex_lock(&m); // HERE\nreturn 0; }\n")
    assert not replay(recipe(tmp_path, text, "deadlock"), 100).has_failed


HOLDS = {
    "given back behind it": ("use-after-free", "int main(void) { p = malloc(4); if (!p) return 1;\n*p = 1; // HERE\n"
                             "free(p); p = malloc(4); if (p) free(p); free(0); return 0; }\n"),
    "given back before": ("assertion", "int main(void) { p = malloc(4); if (!p) return 1; free(p); *p = 0;\n"
                          "assert(x); // HERE\nreturn 0; }\n"),
    "under a lock": ("assertion", two("void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);\n"
                     "return 0; }\n", rest=JOIN + "assert(x == 2); // HERE\n")),
    "another line fails": ("assertion", "int main(void) { assert(x);\nassert(x); // HERE\nreturn 0; }\n"),
    "an assertion is no error function": ("unreach-call", "int main(void) {\nassert(x); // HERE\nreturn 0; }\n"),
    "an assumption": ("assertion", "void assume_abort_if_not(int c) { if (!c) abort(); }\nint main(void) {\n"
                      "assume_abort_if_not(x); assert(x); // HERE\nreturn 0; }\n"),
    "undefined before": ("assertion", "int main(void) { int i = 2147483647; i = i + 1; assert(i > 0); // HERE\n}\n"),
    "a null pointer before": ("assertion", "int main(void) { *p = 1;\nassert(x); // HERE\nreturn 0; }\n"),
    "atomic section": ("assertion", two("void __VERIFIER_atomic_add(void) { x++; x++; }\n"
                       "void *f(void *a) { __VERIFIER_atomic_add(); return 0; }\n",
                       rest="assert(x % 2 == 0); // HERE\n")),
    "joined": ("assertion", two("void *f(void *a) { x = 1; return 0; }\n", rest=JOIN + "assert(x); // HERE\n")),
    "barrier": ("assertion", two("pthread_barrier_t b; void *f(void *a) { __sync_fetch_and_add(&x, 1);\n"
                "pthread_barrier_wait(&b); assert(x == 2); // HERE\nreturn 0; }\n"
                ).replace("pthread_t s", "pthread_barrier_init(&b, 0, 2); pthread_t s")),
    "once": ("assertion", two("pthread_once_t o = PTHREAD_ONCE_INIT; void up(void) { x++; }\n"
             "void *f(void *a) { pthread_once(&o, up); assert(x == 1); // HERE\nreturn 0; }\n")),
    "recursive mutex": ("assertion", two("pthread_mutex_t r = {.__data = {.__kind = 1}};\n"
                        "void *f(void *a) { pthread_mutex_lock(&r); pthread_mutex_lock(&r); x++;\n"
                        "assert(x == 1); // HERE\nx--; pthread_mutex_unlock(&r); pthread_mutex_unlock(&r);\n"
                        "return 0; }\n")),
    "cleanup handlers": ("assertion", two("void done(void *a) { pthread_mutex_unlock(&m); }\n"
                         "void *f(void *a) { pthread_mutex_lock(&m); pthread_cleanup_push(done, 0); x = 1; x = 0;\n"
                         "pthread_exit(0); pthread_cleanup_pop(1); return 0; }\n",
                         rest="pthread_mutex_lock(&m); assert(!x); // HERE\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_does_not_fail(name: str, tmp_path: Path) -> None:
    property_name, text = HOLDS[name]
    assert not replay(recipe(tmp_path, text, property_name), 300).has_failed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int main(void) { return 0; // HERE\n", "does not compile"),
        ("extern int there; int main(void) { return there; // HERE\n}\n", "not defined"),
        ("#include <unistd.h>\nint main(void) { fork(); return 0; // HERE\n}\n", "fork"),
        (
            "void *f(void *a) { return 0; }\nint main(void) { pthread_cancel(0); // HERE\nreturn 0; }\n",
            "pthread_cancel",
        ),
    ],
)
def test_what_cannot_be_run_says_why(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match=reason):
        replay(recipe(tmp_path, text, "assertion"))


def test_functions_that_nothing_starts_are_threads(tmp_path: Path) -> None:
    text = "void init(void) { x = 1; }\nvoid enter(void) { x++; assert(x <= 2); // HERE\nx--; }\n"
    assert replay(recipe(tmp_path, text, "assertion", entries=("enter",), is_parameterized=True)).has_failed
    assert not replay(recipe(tmp_path, text, "assertion", entries=("enter",)), 100).has_failed


def test_functions_of_threads_are_given_null(tmp_path: Path) -> None:
    text = "void *enter(void *a) { x++; assert(!a); assert(x == 1); // HERE\nx--; return 0; }\n"
    assert replay(recipe(tmp_path, text, "assertion", entries=("enter",), is_parameterized=True)).has_failed
    text = "void enter(int *a) { assert(a); // HERE\n}\n"
    with pytest.raises(CannotRun, match="arguments"):
        replay(recipe(tmp_path, text, "assertion", entries=("enter",)))


def test_a_program_without_end_is_given_up(tmp_path: Path) -> None:
    text = "int main(void) { while (1) ; assert(x); // HERE\n}\n"
    assert not replay(recipe(tmp_path, text, "assertion"), 1).has_failed
